"""FAmv, the firefly algorithm for mixed variables, with all its variants.

Tom Bechir, José-García, Chelly Dagdia, Sobanski, Dhaenens: "A Firefly Algorithm for Mixed-Variable Optimization Based on Hybrid
Distance Modeling". Equation numbers in the comments are the paper's.
"""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from luciole._layout import (
    CATEGORICAL,
    CONTINUOUS,
    LOG_INTEGER,
    ORDERED,
    Floats,
    Ints,
    Layout,
    draw,
    get_row,
    set_row,
    settle,
    truncate,
)
from luciole.algorithms._fireflies import inverse_range
from luciole.algorithms._sweep import PLACED, SLOWEST, Sweep, extra_candidate, next_move, place, start_sweep
from luciole.algorithms.base import Method, check_choice, check_number


class Rules(NamedTuple):
    """The parameters, as the kernels read them."""

    gower: bool
    linear: bool
    beta0: float
    alpha: float
    alpha_floor: float
    discrete_floor: float
    adapt_alpha: bool
    gamma: float
    gamma_floor: float
    adapt_gamma: bool
    geometric: bool
    k: float
    replace: float  # how often a categorical variable is replaced; below 0: as Eqs. 8 and 9 say
    share: float
    difference: float
    rounds: bool
    walks: bool
    reflects: bool
    greedy: bool


class State(NamedTuple):
    """A swarm."""

    layout: Layout
    rules: Rules
    sweep: Sweep
    first: Ints  # where the uniform numbers of each variable begin
    reach: Floats  # how far the random step takes each variable at alpha = 1, to either side
    least: Floats  # how far it takes an integer at least, in steps from one value to the next
    inverse_range: Floats  # for the Gower distance
    position: Floats  # one row a firefly
    origin: Floats  # where each stood when its turn began
    now: Floats  # what adapts: see the indices below


ALPHA, DISCRETE_ALPHA, GAMMA, P_ALPHA, ADAPTED = 0, 1, 2, 3, 4


def ask(state: State, u: Floats, progress: float, x: Floats) -> int:
    """Write the next candidate into x and return the firefly it belongs to (plus the population, if all are out)."""
    sweep, layout = state.sweep, state.layout
    population = sweep.score.size
    if sweep.shared[PLACED] < population:
        i = place(sweep)
        for k in range(x.size):
            x[k] = draw(u[k], layout.kind[k], layout.low[k], layout.high[k])
        set_row(state.position, i, x)  # where it stands until it is told
        return i
    i, j = next_move(sweep)
    if state.now[ADAPTED] <= sweep.shared[SLOWEST]:
        adapt(state, progress)
    extra = i < 0
    if extra:
        i = extra_candidate(sweep)
    if sweep.moves[i] == 1 and not extra:
        get_row(state.position, i, state.origin[i])
    get_row(state.position, i, x)
    if j >= 0:
        approach(state, i, j, u, x)
    wander(state, u, x)
    if state.rules.share < 1.0:
        keep_most(state, i, u, x)
    return population + i if extra else i


def tell(state: State, token: int, x: Floats, score: float) -> None:
    """Move the firefly to where it was evaluated."""
    sweep = state.sweep
    population = sweep.score.size
    i = token % population
    if token < population:
        sweep.out[i] = 0
    if score <= sweep.score[i] or (token < population and not state.rules.greedy):
        sweep.score[i] = score
        set_row(state.position, i, x)


def adapt(state: State, progress: float) -> None:
    """Set alpha and gamma for the next generation (Eqs. 10 and 11) and what follows from them."""
    rules, now = state.rules, state.now
    now[ALPHA], now[GAMMA] = rules.alpha, rules.gamma
    if rules.adapt_alpha:
        now[ALPHA] = fade(rules.alpha, rules.alpha_floor, progress, rules.geometric)
    if rules.adapt_gamma:
        now[GAMMA] = fade(rules.gamma, rules.gamma_floor, progress, rules.geometric)
    now[DISCRETE_ALPHA] = max(rules.discrete_floor, now[ALPHA]) if rules.adapt_alpha else rules.alpha
    now[P_ALPHA] = rules.replace
    if rules.replace < 0.0:  # Eq. 8; a constant alpha turns it into Eq. 9
        now[P_ALPHA] = 1.0 / (1.0 + math.exp(-rules.k * (now[DISCRETE_ALPHA] - rules.alpha / 2.0)))
    now[ADAPTED] = state.sweep.shared[SLOWEST] + 1.0


def fade(start: float, floor: float, progress: float, geometric: bool) -> float:
    """The value of a parameter that falls from start to floor."""
    if geometric:
        return start * math.exp(progress * math.log(floor / start))
    return max(floor, start * (1.0 - progress))


def approach(state: State, i: int, j: int, u: Floats, x: Floats) -> None:
    """Move x from firefly i, where it stands, toward the brighter firefly j (for discrete variables, the paper's beta-step)."""
    layout, rules, now = state.layout, state.rules, state.now
    position = state.position
    if rules.gower:
        r = gower_distance(layout.kind, state.inverse_range, state.origin[i], position[j])
    else:
        r = hamming_distance(layout.kind, state.origin[i], position[j])
    fading = math.exp(-now[GAMMA] * r * r)
    pull = rules.beta0 * fading  # Eq. 1
    copying = math.exp(-now[GAMMA]) * (1.0 - r) if rules.linear else fading  # Eq. 6
    kinds, first = layout.kind, state.first
    for k in range(x.size):
        here, there = x[k], position[j, k]
        if kinds[k] == CONTINUOUS:
            x[k] = here + pull * (there - here)
        else:
            x[k] = there if u[first[k]] < copying else here


def wander(state: State, u: Floats, x: Floats) -> None:
    """Move a point at random (the paper's alpha-step) and bring it back into the space."""
    layout, rules, now = state.layout, state.rules, state.now
    alpha, discrete_alpha, p_alpha = now[ALPHA], now[DISCRETE_ALPHA], now[P_ALPHA]
    position = state.position
    a = b = 0
    if rules.difference > 0.0:
        a = int(u[u.size - 1] * position.shape[0])
        b = int(u[u.size - 2] * position.shape[0])
    drift = 0.0
    kinds, lows, highs, first, reaches = layout.kind, layout.low, layout.high, state.first, state.reach
    for k in range(x.size):
        kind, low, high, n = kinds[k], lows[k], highs[k], first[k]
        if a != b:
            drift = rules.difference * (position[a, k] - position[b, k])
        if kind == CONTINUOUS:
            x[k] = into_bounds(x[k] + drift + alpha * reaches[k] * (2.0 * u[n] - 1.0), low, high, rules.reflects)
        elif kind == CATEGORICAL or (kind == ORDERED and not rules.walks):
            if u[n + 1] < p_alpha:
                x[k] = draw(u[n + 2], kind, low, high)
        else:
            least = state.least[k]
            if kind == LOG_INTEGER:
                least *= math.log(1.0 + math.exp(-x[k]))  # from one whole number to the next
            reach = max(discrete_alpha * reaches[k], least)
            moved = into_bounds(x[k] + drift + reach * (2.0 * u[n + 1] - 1.0), low, high, rules.reflects)
            x[k] = settle(moved, kind, low, high) if rules.rounds else truncate(moved, kind, low, high)  # Eq. 7


def keep_most(state: State, i: int, u: Floats, x: Floats) -> None:
    """Put most variables back to where firefly i stands: few in some moves, all in others, never every one."""
    dimension = x.size
    first = u.size - dimension - 4
    part = math.exp(u[first] * math.log(state.rules.share))  # from share to 1, small as often as large
    chosen = int(u[first + 1] * dimension)
    for k in range(dimension):
        if u[first + 2 + k] >= part and k != chosen:
            x[k] = state.position[i, k]


def hamming_distance(kind: Ints, a: Floats, b: Floats) -> float:
    """Euclidean over the continuous variables plus the number of differing others, divided by the dimension (Eq. 4)."""
    squares = 0.0
    differing = 0.0
    for k in range(a.size):
        if kind[k] == CONTINUOUS:
            squares += (a[k] - b[k]) * (a[k] - b[k])
        elif a[k] != b[k]:
            differing += 1.0
    return (math.sqrt(squares) + differing) / a.size


def gower_distance(kind: Ints, inverse_range: Floats, a: Floats, b: Floats) -> float:
    """The mean over variables of the difference in parts of the range, or of 1 where discrete values differ (Eq. 5)."""
    total = 0.0
    for k in range(a.size):
        if kind[k] == CONTINUOUS:
            total += abs(a[k] - b[k]) * inverse_range[k]
        elif a[k] != b[k]:
            total += 1.0
    return total / a.size


def into_bounds(value: float, low: float, high: float, reflects: bool) -> float:
    """Clip to the bounds, or mirror at the one that was crossed and then clip."""
    if reflects:
        if value < low:
            value = low + (low - value)
        elif value > high:
            value = high - (value - high)
    return min(max(value, low), high)


def numbers_of(kind: int) -> int:
    """How many uniform numbers a move takes for one variable: for the step; for copying and the step; for three choices."""
    if kind == CONTINUOUS:
        return 1
    return 3 if kind in (CATEGORICAL, ORDERED) else 2


@dataclass(frozen=True, kw_only=True, repr=False)
class FAmv(Method):
    """The firefly algorithm for mixed variables.

    Fireflies are points. Each in turn looks at all others and moves toward every brighter one: continuous variables part of
    the way, discrete ones by copying values, the more the closer the two are; a random step follows. The brightest walks at
    random.

    The defaults are the settings that we found to work best for this method: a move is kept only if it is no worse, random
    steps are taken in parts of each variable's range and along differences between fireflies, and many moves concern a few
    variables only. `FAmv.paper` gives the nine settings of the paper, whose values stand below in brackets.

    Parameters
    ----------
    distance : {"gower", "hamming"}
        How far apart two fireflies are (Eqs. 5 and 4). Gower counts every variable from 0 to 1; Hamming adds the Euclidean
        distance of the continuous variables in their own units to the number of differing others. [H or G]
    adapt : {"alpha", "gamma", "both", None}
        What falls with the budget used: the random step, the decay of attraction, both, or neither.
    schedule : {"geometric", "linear"}
        How it falls, from its value to its floor. [linear]
    population : int
        Number of fireflies. [25]
    beta0 : float
        Part of the way that a continuous variable moves toward a firefly at no distance. [1.5]
    gamma, gamma_floor : float
        How fast attraction decays with distance, and where it stops falling. [0.1, or 0.05 where it adapts; 0.01]
    alpha, alpha_floor : float
        Width of the random step of continuous variables, and where it stops falling. [1.5, or 2 where it adapts; 0.01]
    discrete_floor : float, optional
        Where alpha stops falling for discrete variables. Left out: `alpha_floor`. [1]
    scale : {"range", "absolute"}
        What alpha is measured in: parts of each variable's range, or the variable's own units (for a logarithmic variable,
        those of its natural logarithm, which the paper does not have). With ``"range"``, integers always reach their
        neighbours. [absolute]
    epsilon : float
        With ``scale="absolute"``, an integer's random step is uniform in alpha times [-epsilon, epsilon]. [2.5]
    integer_step : {"round", "truncate"}
        How an integer's step is made whole: to the nearest, or cut off toward zero (Eq. 7). [truncate]
    ordered_step : {"walk", "replace"}
        Whether an ordered variable steps along its list as integers do, or is replaced as categorical ones are. [replace]
    replace : float, optional
        How many of the variables the random step would replace if all were categorical; at most every second one is. None:
        each with the probability p_alpha of Eqs. 8 and 9, whatever their number. [None]
    k : float
        Steepness of p_alpha. [1]
    attraction : {"gaussian", "linear"}
        Probability of copying a discrete value: ``exp(-gamma r^2)`` (Eq. 6), or ``exp(-gamma) (1 - r)``. [linear in G^D]
    difference : float
        The random step of continuous, integer and walking variables also adds this much of the difference between two
        fireflies, so that steps take on the size and direction of the swarm. [0]
    share : float
        A move concerns a part of the variables drawn anew each time between this part and all of them. [1]
    accept : {"better", "always"}
        Whether a firefly stays where it was if a move made it worse. [always]
    bounds : {"clip", "reflect"}
        What happens to a continuous or integer variable that steps out of its domain. [clip]

    Examples
    --------
    >>> import luciole as lc
    >>> lc.FAmv(distance="hamming", population=40)
    FAmv(distance='hamming', population=40)
    >>> lc.FAmv.paper("H^a").label
    'FAmv_H^a'
    """

    name: ClassVar[str] = "famv"
    ask = staticmethod(ask)
    tell = staticmethod(tell)

    distance: str = "gower"
    adapt: str | None = "alpha"
    schedule: str = "geometric"
    population: int = 15
    beta0: float = 1.0
    gamma: float = 0.2
    gamma_floor: float = 0.01
    alpha: float = 0.5
    alpha_floor: float = 1e-5
    discrete_floor: float | None = None
    scale: str = "range"
    epsilon: float = 2.5
    integer_step: str = "round"
    ordered_step: str = "walk"
    replace: float | None = 2.0
    k: float = 1.0
    attraction: str = "gaussian"
    difference: float = 0.7
    share: float = 0.03
    accept: str = "better"
    bounds: str = "clip"

    VARIANTS: ClassVar[tuple[str, ...]] = ("H", "H^a", "H^g", "H^ag", "G", "G^a", "G^g", "G^ag", "G^D")

    def __post_init__(self) -> None:
        check_choice("distance", self.distance, ("gower", "hamming"))
        check_choice("adapt", self.adapt, ("alpha", "gamma", "both", None))
        check_choice("schedule", self.schedule, ("geometric", "linear"))
        check_choice("scale", self.scale, ("range", "absolute"))
        check_choice("integer_step", self.integer_step, ("round", "truncate"))
        check_choice("ordered_step", self.ordered_step, ("walk", "replace"))
        check_choice("attraction", self.attraction, ("gaussian", "linear"))
        check_choice("accept", self.accept, ("better", "always"))
        check_choice("bounds", self.bounds, ("clip", "reflect"))
        check_number("population", self.population, 1, whole=True)
        for each in ("beta0", "gamma", "gamma_floor", "alpha", "alpha_floor", "epsilon", "difference", "k"):
            check_number(each, getattr(self, each), 0)
        check_number("share", self.share, 0, open_low=True)
        for each in ("discrete_floor", "replace"):
            if getattr(self, each) is not None:
                check_number(each, getattr(self, each), 0)
        if self.schedule == "geometric":
            for each in self._adapting():
                check_number(each, getattr(self, each), 0, open_low=True)
                check_number(f"{each}_floor", getattr(self, f"{each}_floor"), 0, open_low=True)

    def _adapting(self) -> tuple[str, ...]:
        return {None: (), "both": ("alpha", "gamma")}.get(self.adapt, (str(self.adapt),))

    @classmethod
    def paper(cls, variant: str = "H") -> "FAmv":
        """One of the nine settings of the paper.

        Parameters
        ----------
        variant : {"H", "H^a", "H^g", "H^ag", "G", "G^a", "G^g", "G^ag", "G^D"}
            Hamming or Gower distance; what adapts: a for alpha, g for gamma. The main table's H* is H^a, its G* is G^ag. G^D,
            which the text never defines, adapts gamma and copies with ``attraction="linear"``.
        """
        check_choice("variant", variant, cls.VARIANTS)
        distance, _, adapted = variant.partition("^")
        adapt = {"": None, "a": "alpha", "g": "gamma", "ag": "both", "D": "gamma"}[adapted]
        return cls(
            distance="hamming" if distance == "H" else "gower",
            adapt=adapt,
            schedule="linear",
            population=25,
            beta0=1.5,
            gamma=0.05 if adapt in ("gamma", "both") else 0.1,
            alpha=2.0 if adapt in ("alpha", "both") else 1.5,
            alpha_floor=0.01,
            discrete_floor=1.0,
            scale="absolute",
            integer_step="truncate",
            ordered_step="replace",
            replace=None,
            attraction="linear" if adapted == "D" else "gaussian",
            difference=0.0,
            share=1.0,
            accept="always",
        )

    @property
    def label(self) -> str:
        return next((f"FAmv_{variant}" for variant in self.VARIANTS if self == FAmv.paper(variant)), repr(self))

    @property
    def batch(self) -> int:
        return self.population

    def start(self, layout: Layout, budget: int) -> State:
        dimension = layout.kind.size
        adapting = self._adapting()
        rules = Rules(
            gower=self.distance == "gower",
            linear=self.attraction == "linear",
            beta0=float(self.beta0),
            alpha=float(self.alpha),
            alpha_floor=float(self.alpha_floor),
            discrete_floor=float(self.alpha_floor if self.discrete_floor is None else self.discrete_floor),
            adapt_alpha="alpha" in adapting,
            gamma=float(self.gamma),
            gamma_floor=float(self.gamma_floor),
            adapt_gamma="gamma" in adapting,
            geometric=self.schedule == "geometric",
            k=float(self.k),
            replace=-1.0 if self.replace is None else min(0.5, self.replace / dimension),
            share=float(self.share),
            difference=float(self.difference),
            rounds=self.integer_step == "round",
            walks=self.ordered_step == "walk",
            reflects=self.bounds == "reflect",
            greedy=self.accept == "better",
        )
        width = layout.high - layout.low
        if self.scale == "range":
            reach, least = width / 2.0, np.ones(dimension)
        else:
            reach, least = np.where(layout.kind == CONTINUOUS, 0.5, self.epsilon), np.zeros(dimension)
        shape = (self.population, dimension)
        counts = [numbers_of(kind) for kind in layout.kind.tolist()]
        first = np.cumsum([0, *counts[:-1]], dtype=np.int64)
        return State(
            layout=layout,
            rules=rules,
            sweep=start_sweep(self.population),
            first=first,
            reach=reach,
            least=least,
            inverse_range=inverse_range(layout),
            position=np.zeros(shape),
            origin=np.zeros(shape),
            now=np.zeros(5),
        )

    def numbers(self, layout: Layout) -> int:
        moving = sum(numbers_of(kind) for kind in layout.kind.tolist())
        return moving if self.share >= 1.0 and not self.difference else moving + layout.kind.size + 4
