"""FA, the classical firefly algorithm of Yang (2009), as a baseline for mixed variables.

It knows nothing of kinds of variables: every slot is a real number to it, distance is Euclidean over all of them.
"""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from luciole._layout import Floats, Layout, draw, settle
from luciole.algorithms._sweep import PLACED, SLOWEST, Sweep, extra_candidate, next_move, place, start_sweep
from luciole.algorithms.base import Method, check_choice, check_number


class State(NamedTuple):
    """A swarm whose positions lie anywhere in the box; candidates are the admissible points next to them."""

    layout: Layout
    sweep: Sweep
    beta0: float
    gamma: float
    alpha: float
    alpha_floor: float
    position: Floats  # one row a firefly
    proposed: Floats  # where each firefly goes if its candidate is evaluated as asked
    now: Floats  # [alpha in this generation, the generation it was set for plus one]


def ask(state: State, u: Floats, progress: float, x: Floats) -> int:
    """Write the next candidate into x and return the firefly it belongs to (plus the population, if all are out)."""
    layout, sweep, now = state.layout, state.sweep, state.now
    population = sweep.score.size
    if sweep.shared[PLACED] < population:
        i = place(sweep)
        for k in range(x.size):
            x[k] = draw(u[k], layout.kind[k], layout.low[k], layout.high[k])
            state.proposed[i, k] = x[k]
            state.position[i, k] = x[k]  # where it stands until it is told
        return i
    i, j = next_move(sweep)
    if now[1] <= sweep.shared[SLOWEST]:
        now[0] = max(state.alpha_floor, state.alpha * (1.0 - progress))
        now[1] = sweep.shared[SLOWEST] + 1.0
    extra = i < 0
    if extra:
        i = extra_candidate(sweep)
    pull = 0.0
    other = i
    if j >= 0:
        other = j
        squares = 0.0
        for k in range(x.size):
            gap = state.position[i, k] - state.position[j, k]
            squares += gap * gap
        pull = state.beta0 * math.exp(-state.gamma * squares)
    for k in range(x.size):
        here = state.position[i, k]
        moved = here + pull * (state.position[other, k] - here) + now[0] * (u[k] - 0.5)
        moved = min(max(moved, layout.low[k]), layout.high[k])
        x[k] = settle(moved, layout.kind[k], layout.low[k], layout.high[k])
        if not extra:
            state.proposed[i, k] = moved
    return population + i if extra else i


def tell(state: State, token: int, x: Floats, score: float) -> None:
    """Move the firefly to where it was evaluated, or to the point between admissible ones that stood behind it."""
    layout, sweep = state.layout, state.sweep
    population = sweep.score.size
    i = token % population
    if token < population:
        sweep.out[i] = 0
    elif score > sweep.score[i]:
        return
    sweep.score[i] = score
    for k in range(x.size):
        moved = state.proposed[i, k]
        as_asked = token < population and settle(moved, layout.kind[k], layout.low[k], layout.high[k]) == x[k]
        state.position[i, k] = moved if as_asked else x[k]


@dataclass(frozen=True, kw_only=True, repr=False)
class FA(Method):
    """The classical firefly algorithm, for comparison.

    A firefly moves toward every brighter one by ``beta0 exp(-gamma r^2)`` of the way, r being the Euclidean distance, plus
    noise ``alpha (rand - 1/2)``; the brightest walks at random. Every move is kept. On boxes of common width the attraction is
    zero to machine precision, as it is in the published comparison: the method is a floor, not a choice.

    Parameters
    ----------
    reading : {"rounded", "relaxed"}
        What becomes of variables that are not continuous. ``"rounded"``, the fair baseline: real numbers inside, rounded to
        the nearest admissible value for evaluation. ``"relaxed"``, as published: never rounded, so the objective is evaluated
        between admissible values. It can only be used where all values are numbers, and its points are not solutions.
    population : int
        Number of fireflies.
    beta0, gamma : float
        Attraction at no distance, and its decay.
    alpha, alpha_floor : float
        Width of the noise at the start; it falls linearly with the budget used, down to the floor. It is not scaled by the
        ranges of variables.
    """

    name: ClassVar[str] = "fa"
    ask = staticmethod(ask)
    tell = staticmethod(tell)

    reading: str = "rounded"
    population: int = 25
    beta0: float = 1.5
    gamma: float = 0.1
    alpha: float = 1.5
    alpha_floor: float = 0.05

    def __post_init__(self) -> None:
        check_choice("reading", self.reading, ("rounded", "relaxed"))
        check_number("population", self.population, 1, whole=True)
        for name in ("beta0", "gamma", "alpha", "alpha_floor"):
            check_number(name, getattr(self, name), 0)

    @classmethod
    def paper(cls) -> "FA":
        """The baseline as it was published: never rounded."""
        return cls(reading="relaxed")

    @property
    def label(self) -> str:
        return "FA" if self == FA.paper() else repr(self)

    @property
    def relaxes(self) -> bool:
        return self.reading == "relaxed"

    @property
    def batch(self) -> int:
        return self.population

    def start(self, layout: Layout, budget: int) -> State:
        shape = (self.population, layout.kind.size)
        return State(layout, start_sweep(self.population), float(self.beta0), float(self.gamma), float(self.alpha),
                     float(self.alpha_floor), np.zeros(shape), np.zeros(shape), np.zeros(2))

    def numbers(self, layout: Layout) -> int:
        return layout.kind.size
