"""NEFA, the firefly algorithm in which each firefly looks at its neighbours only.

Wang, Wang, Zhou, Sun, Zhao, Yu, Cui: "Firefly algorithm with neighborhood attraction", Information Sciences 382-383 (2017).
"""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from luciole._layout import Floats, Ints, Layout, draw, set_row
from luciole.algorithms._fireflies import fly, inverse_range, keep, squared_distance
from luciole.algorithms._sweep import ENDED, PLACED, SLOWEST, Sweep, extra_candidate, next_move_among, place, start_sweep
from luciole.algorithms.base import Method, check_choice, check_number

ALPHA, ADAPTED = 0, 1
COOLED = 1.0 / 9000.0


class State(NamedTuple):
    """A swarm whose positions lie anywhere in the box, and who sees whom."""

    layout: Layout
    sweep: Sweep
    neighbours: Ints  # a row for each firefly
    inverse: Floats  # one over each range
    beta_least: float
    beta0: float
    gamma: float
    alpha: float
    over_run: bool
    position: Floats  # one row a firefly
    proposed: Floats  # where each goes if its candidate is evaluated as asked
    now: Floats  # [alpha in this generation, how many generations it was set for]


def ask(state: State, u: Floats, progress: float, x: Floats) -> int:
    """Write the next candidate into x and return its firefly; plus the population: if better; plus twice that: out of turn."""
    sweep = state.sweep
    if sweep.shared[PLACED] < sweep.score.size:
        return place_anywhere(state, u, x)
    i, j = ENDED, -1
    while i == ENDED:
        if state.now[ADAPTED] <= sweep.shared[SLOWEST]:
            cool(state, progress)
        i, j = next_move_among(sweep, state.neighbours)
    return follow(state, i, j, u, x) if j >= 0 else wander(state, i, u, x)


def place_anywhere(state: State, u: Floats, x: Floats) -> int:
    """Draw where the next firefly starts."""
    layout = state.layout
    i = place(state.sweep)
    for k in range(x.size):
        x[k] = draw(u[k], layout.kind[k], layout.low[k], layout.high[k])
    set_row(state.position, i, x)
    set_row(state.proposed, i, x)
    return i


def follow(state: State, i: int, j: int, u: Floats, x: Floats) -> int:
    """Move firefly i toward the brighter firefly j."""
    here, there = state.position[i], state.position[j]
    fading = math.exp(-state.gamma * squared_distance(state.layout, state.inverse, here, there))
    pull = state.beta_least + (state.beta0 - state.beta_least) * fading
    fly(state.layout, here, there, pull, state.now[ALPHA], u, state.proposed[i], x)
    return i


def wander(state: State, i: int, u: Floats, x: Floats) -> int:
    """Move firefly i at random, or any beside its turn if all are out."""
    population = state.sweep.score.size
    if i >= 0:
        fly(state.layout, state.position[i], state.position[i], 0.0, state.now[ALPHA], u, state.proposed[i], x)
        return population + i
    i = extra_candidate(state.sweep)
    fly(state.layout, state.position[i], state.position[i], 0.0, state.now[ALPHA], u, x, x)
    return 2 * population + i


def tell(state: State, token: int, x: Floats, score: float) -> None:
    """Move the firefly; if it only walked at random, then only to something no worse."""
    sweep = state.sweep
    population = sweep.score.size
    i = token % population
    in_turn = token < 2 * population
    if in_turn:
        sweep.out[i] = 0
    if token >= population and score > sweep.score[i]:
        return
    sweep.score[i] = score
    keep(state.layout, state.position[i], state.proposed[i] if in_turn else x, x)


def cool(state: State, progress: float) -> None:
    """Set the noise of a new generation."""
    now = state.now
    now[ADAPTED] = state.sweep.shared[SLOWEST] + 1.0
    if state.over_run:
        now[ALPHA] = state.alpha * math.exp(math.log(COOLED) * progress)
    else:
        now[ALPHA] *= math.exp(math.log(COOLED) / now[ADAPTED])


def ring(population: int, reach: int) -> Ints:
    """Neighbours on a ring of all fireflies by number, those before first; rows of all others where the ring is short."""
    offsets = [each for each in range(-reach, reach + 1) if each]
    rows = [list(dict.fromkeys((i + each) % population for each in offsets if each % population)) for i in range(population)]
    return np.array(rows, dtype=np.int64).reshape(population, -1)


@dataclass(frozen=True, kw_only=True, repr=False)
class NEFA(Method):
    """A firefly algorithm in which each firefly looks at a few neighbours on a ring only, so that news travels slowly.

    In each generation a firefly moves toward each brighter one among `reach` to either side by number: by
    ``beta_least + (beta0 - beta_least) exp(-gamma r^2)`` of the way, plus noise ``alpha (rand - 1/2)`` in parts of the range, and
    keeps the move.

    The ring, its reach, the population and the attraction are likely, from the literature. Our choice: distances are measured in
    parts of each range; a firefly that has no brighter neighbour tries one random step and keeps it if it is no worse; the
    noise falls by a factor of 9,000 over the whole run (as published, it falls by 9,000 to the power of 1/t in generation t,
    which ends it within a few); integers and ordered values are real numbers inside, rounded for evaluation; labels are copied
    as often as other variables go toward the brighter one.

    Parameters
    ----------
    population : int
        Number of fireflies.
    reach : int
        How many neighbours on either side a firefly looks at.
    beta_least, beta0 : float
        Attraction at a great distance, and at none.
    gamma : float
        How fast attraction decays with distance.
    alpha : float
        Width of the noise at the start, in parts of the range of each variable, up to 1.
    cooling : {"run", "generation"}
        Whether the noise falls evenly over the run or as published.
    """

    name: ClassVar[str] = "nefa"
    ask = staticmethod(ask)
    tell = staticmethod(tell)

    population: int = 20
    reach: int = 3
    beta_least: float = 0.2
    beta0: float = 1.0
    gamma: float = 1.0
    alpha: float = 0.5
    cooling: str = "run"

    def __post_init__(self) -> None:
        check_number("population", self.population, 1, whole=True)
        check_number("reach", self.reach, 1, whole=True)
        for each in ("beta_least", "beta0", "alpha"):
            check_number(each, getattr(self, each), 0, 1)
        check_number("gamma", self.gamma, 0)
        check_choice("cooling", self.cooling, ("run", "generation"))

    @classmethod
    def paper(cls) -> "NEFA":
        """The settings its authors are cited with; cooling, which they cannot have meant as printed, as we choose it."""
        return cls()

    @property
    def label(self) -> str:
        return "NEFA" if self == NEFA.paper() else repr(self)

    @property
    def batch(self) -> int:
        return self.population

    def start(self, layout: Layout, budget: int) -> State:
        shape = (self.population, layout.kind.size)
        return State(
            layout=layout,
            sweep=start_sweep(self.population),
            neighbours=ring(self.population, self.reach),
            inverse=inverse_range(layout),
            beta_least=float(self.beta_least),
            beta0=float(self.beta0),
            gamma=float(self.gamma),
            alpha=float(self.alpha),
            over_run=self.cooling == "run",
            position=np.zeros(shape),
            proposed=np.zeros(shape),
            now=np.array([self.alpha, 0.0]),
        )

    def numbers(self, layout: Layout) -> int:
        return layout.kind.size
