"""MFA, the memetic self-adaptive firefly algorithm.

Fister, Yang, Brest, Fister: "Memetic self-adaptive firefly algorithm", in Swarm Intelligence and Bio-Inspired Computation,
Elsevier (2013). The steps of the local search are those of H. H. Rosenbrock, The Computer Journal 3 (1960), one variable at a
time.
"""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from luciole._layout import CATEGORICAL, CONTINUOUS, LOG_INTEGER, Floats, Ints, Layout, draw, set_row, settle
from luciole.algorithms._fireflies import fly, inverse_range, keep, squared_distance
from luciole.algorithms._random import normal
from luciole.algorithms._sweep import PLACED, Sweep, extra_candidate, next_move, place, start_sweep
from luciole.algorithms.base import Method, check_number

ALPHA, BETA, GAMMA = 0, 1, 2
LEAST = (1e-9, 0.01, 0.01)  # below which no firefly's parameters go
MOST = (1.0, 1.0, 100.0)
LONGER, SHORTER = 3.0, -0.5  # what becomes of a step of the local search that paid, and of one that did not
FIRST_STEP, LAST_STEP = 0.1, 1e-10  # in parts of the range
ASKED, NEXT = 0, 1


class State(NamedTuple):
    """A swarm, each firefly with parameters of its own."""

    layout: Layout
    sweep: Sweep
    inverse: Floats  # one over each range
    learning: float
    local: int
    position: Floats  # one row a firefly
    proposed: Floats  # where each goes if its candidate is kept
    own: Floats  # alpha, beta0 and gamma of each firefly
    tried: Floats  # the same of each candidate
    step: Floats  # of the local search, for each variable
    clock: Ints  # [candidates asked for after the start, the variable that the local search tries next]


def ask(state: State, u: Floats, progress: float, x: Floats) -> int:
    """Write the next candidate into x and return its firefly; plus the population: out of turn; plus twice that: its variable."""
    layout, sweep, clock = state.layout, state.sweep, state.clock
    population = sweep.score.size
    if sweep.shared[PLACED] < population:
        i = place(sweep)
        for k in range(x.size):
            x[k] = draw(u[3 + k], layout.kind[k], layout.low[k], layout.high[k])
        set_row(state.position, i, x)
        set_row(state.proposed, i, x)
        return i
    clock[ASKED] += 1
    if state.local > 0 and clock[ASKED] % state.local == 0:
        return 2 * population + search_nearby(state, u, x)
    i, j = next_move(sweep)
    if i < 0:
        i = extra_candidate(sweep)
        fly(layout, state.position[i], state.position[i], 0.0, state.own[i, ALPHA], u[3:], x, x)
        return population + i
    for each in range(3):
        mutated = state.own[i, each] * math.exp(state.learning * normal(u[each]))
        state.tried[i, each] = min(max(mutated, LEAST[each]), MOST[each])
    here = state.position[i]
    there = state.position[max(j, 0)]
    pull = 0.0
    if j >= 0:
        squares = squared_distance(layout, state.inverse, here, there)
        pull = state.tried[i, BETA] * math.exp(-state.tried[i, GAMMA] * squares)
    fly(layout, here, there, pull, state.tried[i, ALPHA], u[3:], state.proposed[i], x)
    return i


def search_nearby(state: State, u: Floats, x: Floats) -> int:
    """Change one variable of the brightest firefly, and return which."""
    layout, clock = state.layout, state.clock
    k = int(clock[NEXT])
    clock[NEXT] = (k + 1) % x.size
    brightest = leader(state.sweep.score)
    for each in range(x.size):
        x[each] = settle(state.position[brightest, each], layout.kind[each], layout.low[each], layout.high[each])
    kind, low, high = layout.kind[k], layout.low[k], layout.high[k]
    if kind == CATEGORICAL:
        other = draw(u[3], kind, low, max(high - 1.0, low))
        x[k] = other + 1.0 if other >= x[k] and high > low else other
        return k
    length = abs(state.step[k])
    if kind != CONTINUOUS:
        least = math.log(1.0 + math.exp(-x[k])) if kind == LOG_INTEGER else 1.0
        length = max(length, least)
    x[k] = settle(x[k] + math.copysign(length, state.step[k]), kind, low, high)
    return k


def leader(score: Floats) -> int:
    """The brightest firefly."""
    best = 0
    for i in range(score.size):
        if score[i] < score[best]:
            best = i
    return best


def tell(state: State, token: int, x: Floats, score: float) -> None:
    """Keep a candidate that is no worse, with the parameters that made it, or learn how far the local search should go."""
    layout, sweep = state.layout, state.sweep
    population = sweep.score.size
    if token >= 2 * population:
        k = token - 2 * population
        i = leader(sweep.score)
        width = layout.high[k] - layout.low[k]
        better = score < sweep.score[i]
        length = state.step[k] * (LONGER if better else SHORTER)
        if abs(length) < LAST_STEP * width:
            length = FIRST_STEP * width
        state.step[k] = min(max(length, -width), width)
        if better:
            sweep.score[i] = score
            set_row(state.position, i, x)
        return
    i = token % population
    if token < population:
        sweep.out[i] = 0
    if score > sweep.score[i]:
        return
    sweep.score[i] = score
    if token >= population:
        set_row(state.position, i, x)
        return
    keep(layout, state.position[i], state.proposed[i], x)
    for each in range(3):
        state.own[i, each] = state.tried[i, each]


@dataclass(frozen=True, kw_only=True, repr=False)
class MFA(Method):
    """A firefly algorithm whose fireflies each learn parameters of their own, with a local search around the brightest.

    Each firefly in turn moves toward every brighter one, by ``beta0 exp(-gamma r^2)`` of the way, plus noise
    ``alpha (rand - 1/2)`` in parts of the range. Before a move its three parameters are multiplied by log-normal numbers; the
    move and they are kept if it is no worse.

    That alpha, beta0 and gamma are carried by each individual and mutated log-normally, and that there is a local search, is
    likely, from the literature; the original searches colourings of graphs. Our choice: moves are kept only if they are no worse,
    without which parameters could not learn; the local search changes one variable of the brightest after the other, by a step
    of its own that triples when it pays, else halves and turns, or to another label; how often it does; distances in parts of
    the range; integers and ordered values as real numbers inside; all numbers below.

    Parameters
    ----------
    population : int
        Number of fireflies.
    alpha, beta0, gamma : float
        Noise, in parts of the range, attraction and its decay, at the start.
    learning : float
        Standard deviation of the logarithm of what parameters are multiplied by.
    local : int
        Every so many candidates, one is a step of the local search; 0: none is.
    """

    name: ClassVar[str] = "mfa"
    ask = staticmethod(ask)
    tell = staticmethod(tell)

    population: int = 20
    alpha: float = 0.5
    beta0: float = 1.0
    gamma: float = 1.0
    learning: float = 0.5
    local: int = 4

    def __post_init__(self) -> None:
        check_number("population", self.population, 1, whole=True)
        for name, least, most in zip(("alpha", "beta0", "gamma"), LEAST, MOST, strict=True):
            check_number(name, getattr(self, name), least, most)
        check_number("learning", self.learning, 0)
        check_number("local", self.local, 0, whole=True)

    @classmethod
    def paper(cls) -> "MFA":
        """The defaults: the settings of its authors are for colouring graphs."""
        return cls()

    @property
    def label(self) -> str:
        return "Memetic FA" if self == MFA.paper() else repr(self)

    @property
    def batch(self) -> int:
        return self.population

    def start(self, layout: Layout, budget: int) -> State:
        shape = (self.population, layout.kind.size)
        own = np.tile(np.array([self.alpha, self.beta0, self.gamma], dtype=np.float64), (self.population, 1))
        return State(
            layout=layout,
            sweep=start_sweep(self.population),
            inverse=inverse_range(layout),
            learning=float(self.learning),
            local=int(self.local),
            position=np.zeros(shape),
            proposed=np.zeros(shape),
            own=own,
            tried=own.copy(),
            step=FIRST_STEP * (layout.high - layout.low),
            clock=np.zeros(2, dtype=np.int64),
        )

    def numbers(self, layout: Layout) -> int:
        return 3 + layout.kind.size
