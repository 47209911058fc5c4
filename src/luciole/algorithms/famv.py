"""FAmv, the firefly algorithm for mixed variables, with all its variants.

Tom Bechir, José-García, Chelly Dagdia, Sobanski, Dhaenens: "A Firefly Algorithm for Mixed-Variable Optimization Based on Hybrid
Distance Modeling". Equation numbers in the comments are the paper's.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from luciole._layout import CATEGORICAL, CONTINUOUS, ORDERED, Floats, Layout, draw, settle, truncate
from luciole.algorithms._sweep import PLACED, SLOWEST, Sweep, extra_candidate, next_move, place, start_sweep
from luciole.algorithms.base import Method, check_choice, check_number
from luciole.errors import ArgumentError


class Rules(NamedTuple):
    """The parameters, as the kernels read them."""

    gower: bool
    linear: bool
    adapt_alpha: bool
    adapt_gamma: bool
    beta0: float
    alpha: float
    gamma: float
    alpha_floor: float
    discrete_floor: float
    gamma_floor: float
    k: float
    replace: float
    epsilon: float
    rounds: bool
    walks: bool
    reflects: bool
    greedy: bool


class State(NamedTuple):
    """A swarm."""

    layout: Layout
    rules: Rules
    sweep: Sweep
    unit: Floats  # what alpha = 1 means along each variable
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
        for k in range(x.size):
            x[k] = draw(u[k], layout.kind[k], layout.low[k], layout.high[k])
        return place(sweep)
    i, j = next_move(sweep)
    if state.now[ADAPTED] <= sweep.shared[SLOWEST]:
        adapt(state, progress)
    if i < 0:
        i = extra_candidate(sweep)
        walk(state, i, u, x)
        return population + i
    if sweep.moves[i] == 1:
        state.origin[i, :] = state.position[i, :]
    if j < 0:
        walk(state, i, u, x)
    else:
        approach(state, i, j, u, x)
    return i


def tell(state: State, token: int, x: Floats, score: float) -> None:
    """Move the firefly to where it was evaluated."""
    sweep = state.sweep
    population = sweep.score.size
    i = token % population
    if token < population:
        sweep.out[i] = 0
    if score <= sweep.score[i] or (token < population and not state.rules.greedy):
        sweep.score[i] = score
        state.position[i, :] = x


def adapt(state: State, progress: float) -> None:
    """Set alpha and gamma for the next generation (Eqs. 11 and 12) and what follows from them (Eqs. 9 and 10)."""
    rules, now = state.rules, state.now
    left = 1.0 - progress
    now[ALPHA] = max(rules.alpha_floor, rules.alpha * left) if rules.adapt_alpha else rules.alpha
    now[DISCRETE_ALPHA] = max(rules.discrete_floor, rules.alpha * left) if rules.adapt_alpha else rules.alpha
    now[GAMMA] = max(rules.gamma_floor, rules.gamma * left) if rules.adapt_gamma else rules.gamma
    now[P_ALPHA] = rules.replace
    if rules.replace < 0.0:  # with a constant alpha, Eq. 9 becomes Eq. 10
        now[P_ALPHA] = 1.0 / (1.0 + math.exp(-rules.k * (now[DISCRETE_ALPHA] - rules.alpha / 2.0)))
    now[ADAPTED] = state.sweep.shared[SLOWEST] + 1.0


def approach(state: State, i: int, j: int, u: Floats, x: Floats) -> None:
    """Move firefly i toward the brighter firefly j: the attraction, then the random step."""
    layout, rules, now = state.layout, state.rules, state.now
    here, there = state.position[i], state.position[j]
    r = gower_distance(state, state.origin[i], there) if rules.gower else hamming_distance(state, state.origin[i], there)
    fading = math.exp(-now[GAMMA] * r * r)  # Eq. 6
    pull = rules.beta0 * fading
    copying = math.exp(-now[GAMMA]) * (1.0 - r) if rules.linear else fading  # Eq. 7
    n = 0
    for k in range(x.size):
        if layout.kind[k] == CONTINUOUS:
            moved = here[k] + pull * (there[k] - here[k]) + now[ALPHA] * state.unit[k] * (u[n] - 0.5)
            x[k] = into_bounds(moved, layout.low[k], layout.high[k], rules.reflects)
            n += 1
        else:
            start = there[k] if here[k] != there[k] and u[n] < copying else here[k]
            x[k] = discrete_step(state, k, start, u, n + 1)
            n += numbers_of(layout.kind[k])


def walk(state: State, i: int, u: Floats, x: Floats) -> None:
    """Move firefly i at random."""
    layout, now = state.layout, state.now
    here = state.position[i]
    n = 0
    for k in range(x.size):
        if layout.kind[k] == CONTINUOUS:
            moved = here[k] + now[ALPHA] * state.unit[k] * (u[n] - 0.5)
            x[k] = into_bounds(moved, layout.low[k], layout.high[k], state.rules.reflects)
            n += 1
        else:
            x[k] = discrete_step(state, k, here[k], u, n + 1)
            n += numbers_of(layout.kind[k])


def discrete_step(state: State, k: int, value: float, u: Floats, n: int) -> float:
    """The random step of a discrete variable (the paper's alpha-step)."""
    layout, rules, now = state.layout, state.rules, state.now
    kind, low, high = layout.kind[k], layout.low[k], layout.high[k]
    if kind == CATEGORICAL or (kind == ORDERED and not rules.walks):
        if u[n] < now[P_ALPHA]:
            return draw(u[n + 1], kind, low, high)
        return value
    step = now[DISCRETE_ALPHA] * state.unit[k] * rules.epsilon * (2.0 * u[n] - 1.0)
    moved = into_bounds(value + step, low, high, rules.reflects)
    return settle(moved, kind, low, high) if rules.rounds else truncate(moved, kind, low, high)  # Eq. 8


def hamming_distance(state: State, a: Floats, b: Floats) -> float:
    """Euclidean over the continuous variables plus the number of differing others, divided by the dimension (Eq. 4)."""
    kind = state.layout.kind
    squares = 0.0
    differing = 0.0
    for k in range(a.size):
        if kind[k] == CONTINUOUS:
            squares += (a[k] - b[k]) * (a[k] - b[k])
        elif a[k] != b[k]:
            differing += 1.0
    return (math.sqrt(squares) + differing) / a.size


def gower_distance(state: State, a: Floats, b: Floats) -> float:
    """The mean over variables of the difference in parts of the range, or of 1 where discrete values differ (Eq. 5)."""
    kind = state.layout.kind
    total = 0.0
    for k in range(a.size):
        if kind[k] == CONTINUOUS:
            total += abs(a[k] - b[k]) * state.inverse_range[k]
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
    return 3 if kind == CATEGORICAL or kind == ORDERED else 2


VARIANTS = ("H", "H^a", "H^g", "H^ag", "G", "G^a", "G^g", "G^ag", "G^D")


@dataclass(frozen=True, kw_only=True, repr=False)
class FAmv(Method):
    name: ClassVar[str] = "famv"
    VARIANTS: ClassVar[tuple[str, ...]] = VARIANTS
    ask = staticmethod(ask)
    tell = staticmethod(tell)
    distance: str = "gower"
    adapt: str | None = "alpha"
    population: int = 25
    beta0: float = 1.5
    alpha: float | None = None
    gamma: float | None = None
    alpha_floor: float = 0.01
    discrete_floor: float = 1.0
    gamma_floor: float = 0.01
    k: float = 1.0
    replace: float | None = None
    epsilon: float = 2.5
    scale: str = "range"
    integer_step: str = "round"
    ordered_step: str = "walk"
    attraction: str = "gaussian"
    bounds: str = "clip"
    accept: str = "better"

    @classmethod
    def paper(cls, variant: str = "H") -> "FAmv":
        distance, _, adapted = variant.partition("^")
        return cls(distance="hamming" if distance == "H" else "gower",
                   adapt={"": None, "a": "alpha", "g": "gamma", "ag": "both", "D": "gamma"}[adapted],
                   attraction="linear" if adapted == "D" else "gaussian", scale="absolute", integer_step="truncate",
                   ordered_step="replace", accept="always")

    def start(self, layout: Layout, budget: int) -> State:
        adapt_alpha, adapt_gamma = self.adapt in ("alpha", "both"), self.adapt in ("gamma", "both")
        width = layout.high - layout.low
        d = width.size
        replace = -1.0 if self.replace is None else min(0.5, self.replace / d)
        rules = Rules(self.distance == "gower", self.attraction == "linear", adapt_alpha, adapt_gamma, float(self.beta0),
                      float(self.alpha if self.alpha is not None else 2.0 if adapt_alpha else 1.5),
                      float(self.gamma if self.gamma is not None else 0.05 if adapt_gamma else 0.1),
                      self.alpha_floor, self.discrete_floor, self.gamma_floor, float(self.k), replace, self.epsilon,
                      self.integer_step == "round", self.ordered_step == "walk", self.bounds == "reflect", self.accept == "better")
        unit = np.ones(d)
        if self.scale == "range":
            unit = np.where(layout.kind == CONTINUOUS, width, np.maximum(1.0,width))
        inverse_range = np.divide(1.0, width, out=np.zeros(d), where=width > 0)
        shape = (self.population, d)
        return State(layout, rules, start_sweep(self.population), unit, inverse_range, np.zeros(shape), np.zeros(shape),
                     np.zeros(5))

    @property
    def label(self) -> str:
        return next((f"FAmv_{variant}" for variant in self.VARIANTS if self == FAmv.paper(variant)), repr(self))

    def numbers(self, layout: Layout) -> int:
        return sum(numbers_of(kind) for kind in layout.kind)

    @property
    def batch(self) -> int:
        return self.population
