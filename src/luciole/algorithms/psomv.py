"""PSOmv, particle swarm optimisation for mixed variables.

Wang, Zhang, Zhou: "A particle swarm optimization algorithm for mixed-variable optimization problems", Swarm and Evolutionary
Computation 60 (2021).
"""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from luciole._layout import CONTINUOUS, Floats, Ints, Layout, draw, get_row, set_row
from luciole.algorithms._random import normal, pick
from luciole.algorithms._sorting import sort_by_score
from luciole.algorithms.base import Method, check_choice, check_number

FADED = 1e-6  # histograms are forgotten once they weigh less than this
BOTH, GLOBAL, PERSONAL, SUPERIOR = 0, 1, 2, 3
PULLS = {"both": BOTH, "global": GLOBAL, "personal": PERSONAL, "superior": SUPERIOR}


class State(NamedTuple):
    """A swarm, and what the best half of it has known."""

    layout: Layout
    pull: int
    at_once: bool
    stops: bool
    adapts: bool
    limit: float
    position: Floats  # one row a particle
    velocity: Floats
    best: Floats  # the best point of each particle
    score: Floats
    leader: Floats  # the best point of all when the generation began
    elite: Floats  # the better half of the best points, a block of rows a generation, the newest replacing the oldest
    order: Ints  # particles, best first
    given: Floats  # inertia, acceleration and memory of each particle
    mean: Floats  # what these are drawn around
    gained: Floats  # sums of them over particles that improved in this generation, then how many there were
    asked: Ints  # [candidates asked for, generations remembered]


INERTIA, ACCELERATION, MEMORY = 0, 1, 2


def ask(state: State, u: Floats, progress: float, x: Floats) -> int:
    """Write the next position of the next particle into x."""
    layout, population = state.layout, state.score.size
    token = int(state.asked[0])
    state.asked[0] += 1
    i = token % population
    if token < population:
        for k in range(x.size):
            x[k] = draw(u[k], layout.kind[k], layout.low[k], layout.high[k])
        set_row(state.position, i, x)
        set_row(state.best, i, x)
        return token
    if i == 0:
        begin_generation(state)
    for each in range(3):
        state.given[i, each] = state.mean[each]
        if state.adapts:
            state.given[i, each] = min(max(state.mean[each] + 0.1 * normal(u[each]), 0.0), 4.0 if each == ACCELERATION else 1.0)
    guide = pick(u[3], population - population // 2)
    memory = state.given[i, MEMORY]
    fading = math.log(memory) if 0.0 < memory < 1.0 else 0.0
    for k in range(x.size):
        if layout.kind[k] == CONTINUOUS:
            n = 0 if state.at_once else k
            x[k] = fly(state, i, k, u[6 + 2 * n], u[7 + 2 * n], guide)
        else:
            x[k] = remember(state, k, u[6 + 2 * k], u[7 + 2 * k], memory, fading)
    set_row(state.position, i, x)
    return token


def tell(state: State, token: int, x: Floats, score: float) -> None:
    """Keep the best point of a particle, and the parameters that found it."""
    i = token % state.score.size
    if score < state.score[i]:
        if state.adapts and token >= state.score.size:
            for each in range(3):
                state.gained[each] += state.given[i, each]
            state.gained[3] += 1.0
        state.score[i] = score
        set_row(state.best, i, x)


def begin_generation(state: State) -> None:
    """Find the best half of the personal bests and remember it, and move the means of adapted parameters."""
    population = state.score.size
    half = population - population // 2
    sort_by_score(state.score, state.order, population)
    get_row(state.best, state.order[0], state.leader)
    depth = state.elite.shape[0] // half
    start = (state.asked[1] % depth) * half
    for each in range(half):
        for k in range(state.best.shape[1]):
            state.elite[start + each, k] = state.best[state.order[each], k]
    state.asked[1] += 1
    if state.gained[3] > 0.0:
        for each in range(3):
            state.mean[each] += 0.1 * (state.gained[each] / state.gained[3] - state.mean[each])
    for each in range(4):
        state.gained[each] = 0.0


def fly(state: State, i: int, k: int, u: float, v: float, guide: int) -> float:
    """Move a continuous variable by its velocity, which is drawn to the best points known."""
    low, high = state.layout.low[k], state.layout.high[k]
    here, c = state.position[i, k], state.given[i, ACCELERATION]
    velocity = state.given[i, INERTIA] * state.velocity[i, k]
    if state.pull in (BOTH, PERSONAL):
        velocity += c * u * (state.best[i, k] - here)
    if state.pull in (BOTH, GLOBAL):
        velocity += c * v * (state.leader[k] - here)
    elif state.pull == SUPERIOR:
        velocity += c * u * (state.best[state.order[guide], k] - here)
    if state.limit > 0.0:
        most = state.limit * (high - low)
        velocity = min(max(velocity, -most), most)
    moved = min(max(here + velocity, low), high)
    state.velocity[i, k] = 0.0 if state.stops and moved != here + velocity else velocity
    return float(moved)


def remember(state: State, k: int, u: float, v: float, memory: float, fading: float) -> float:
    """Draw a discrete variable from its table of probabilities.

    In each generation the table becomes memory times itself plus the rest times a histogram of the best half. Drawing from it
    is drawing how many generations ago, each less likely than the one after it by that factor, then one of the best half of
    then; before the first, all values are alike.
    """
    half = state.score.size - state.score.size // 2
    depth = state.elite.shape[0] // half
    ago = 0
    if memory >= 1.0:
        ago = int(state.asked[1])
    elif memory > 0.0:
        ago = int(min(math.log(1.0 - u) / fading, 1e9))
    if ago >= state.asked[1]:
        return draw(v, state.layout.kind[k], state.layout.low[k], state.layout.high[k])
    ago = min(ago, depth - 1)
    block = (state.asked[1] - 1 - ago) % depth
    return float(state.elite[block * half + pick(v, half), k])


@dataclass(frozen=True, kw_only=True, repr=False)
class PSOmv(Method):
    """Particle swarm optimisation for continuous variables, tables of probabilities for all others.

    A discrete variable is drawn from its own table, which every generation moves toward a histogram of the better half of the
    particles' best points. Order means nothing to it.

    The tables, the inertia, the acceleration and the memory are as published; the velocity rule and what happens at the bounds
    are our reading, the nearest to the published results among those that the parameters below allow. Those results are far
    worse than what the authors of the method report: do not judge it by them.

    Parameters
    ----------
    population : int
        Number of particles, at least 2.
    inertia : float
        How much of its velocity a particle keeps.
    acceleration : float
        How strongly it is drawn to the best points.
    memory : float
        How much of the table of a discrete variable a generation keeps, from 0 to 1.
    adapt : bool
        Whether each particle draws these three around means that move toward those that brought improvements.
    pull : {"both", "global", "personal", "superior"}
        Whose best point draws a particle: its own and that of all, one of these, or that of one of the better half.
    at_once : bool
        Whether a move has one pair of random numbers for all variables instead of one for each.
    limit : float
        The largest velocity in parts of the range; 0: none.
    at_bounds : {"keep", "stop"}
        What becomes of the velocity of a variable that was clipped to its bounds.
    """

    name: ClassVar[str] = "psomv"
    ask = staticmethod(ask)
    tell = staticmethod(tell)

    population: int = 100
    inertia: float = 0.4
    acceleration: float = 2.0
    memory: float = 0.5
    adapt: bool = False
    pull: str = "both"
    at_once: bool = True
    limit: float = 1.0
    at_bounds: str = "stop"

    def __post_init__(self) -> None:
        check_number("population", self.population, 2, whole=True)
        for each in ("inertia", "acceleration", "memory", "limit"):
            check_number(each, getattr(self, each), 0, 1 if each == "memory" else math.inf)
        check_choice("adapt", self.adapt, (True, False))
        check_choice("at_once", self.at_once, (True, False))
        check_choice("pull", self.pull, tuple(PULLS))
        check_choice("at_bounds", self.at_bounds, ("keep", "stop"))

    @classmethod
    def paper(cls) -> "PSOmv":
        """The published settings, which are the defaults."""
        return cls()

    @property
    def label(self) -> str:
        return "PSOmv" if self == PSOmv.paper() else repr(self)

    @property
    def batch(self) -> int:
        return self.population

    def start(self, layout: Layout, budget: int) -> State:
        dimension = layout.kind.size
        shape = (self.population, dimension)
        depth = 1 if self.memory in (0, 1) else math.ceil(math.log(FADED) / math.log(max(self.memory, 0.9 * self.adapt)))
        mean = np.array([self.inertia, self.acceleration, self.memory], dtype=np.float64)
        return State(
            layout=layout,
            pull=PULLS[self.pull],
            at_once=self.at_once,
            stops=self.at_bounds == "stop",
            adapts=self.adapt,
            limit=float(self.limit),
            position=np.zeros(shape),
            velocity=np.zeros(shape),
            best=np.zeros(shape),
            score=np.full(self.population, np.inf),
            leader=np.zeros(dimension),
            elite=np.zeros((depth * (self.population - self.population // 2), dimension)),
            order=np.arange(self.population),
            given=np.tile(mean, (self.population, 1)),
            mean=mean,
            gained=np.zeros(4),
            asked=np.zeros(2, dtype=np.int64),
        )

    def numbers(self, layout: Layout) -> int:
        return 6 + 2 * layout.kind.size
