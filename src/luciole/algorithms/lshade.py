"""L-SHADE, differential evolution that learns its rates and shrinks its population, for mixed variables.

Tanabe, Fukunaga: "Improving the search performance of SHADE using linear population size reduction", IEEE Congress on
Evolutionary Computation (2014).
"""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from luciole._layout import CATEGORICAL, Floats, Ints, Layout, draw, set_row, settle
from luciole.algorithms._random import normal, pick, pick_other, positive_cauchy
from luciole.algorithms._sorting import sort_by_score
from luciole.algorithms.base import Method, check_number
from luciole.errors import ArgumentError

MEMORY = 6  # pairs of rates remembered
LEAST = 4  # members at the end
ARCHIVE = 2.6  # replaced parents kept, in parts of the population
GREEDINESS = 0.11  # which part of the members are attractors
SPREAD = 0.1  # of the rates around a remembered pair
LARGEST_GAIN = 1e250  # gains beyond it, out of failures, would make sums infinite

# What `clock` holds: generations begun, how many of this one were asked, members left, parents kept, the pair of rates to
# replace next.
GENERATION, ASKED, LEFT, KEPT, SLOT = 0, 1, 2, 3, 4
# What `gain` sums up over improvements, each weighted with what it gained.
WEIGHT, SCALE, SCALE_SQUARED, RATE, RATE_SQUARED = 0, 1, 2, 3, 4


class State(NamedTuple):
    """A population, the parents it replaced, and the rates that brought improvements."""

    layout: Layout
    position: Floats  # one row a member; whole numbers and lists lie between their values
    score: Floats
    seen: Floats  # the positions that this generation is made from
    trial: Floats  # the candidate of each member before it was made admissible
    improved: Ints  # 1 where the member was replaced by something better since the generation began
    order: Ints  # members, best first; those dropped last
    archive: Floats  # replaced parents
    toss: Floats  # the uniform number that decides where the parent of each trial would go in a full archive
    rates: Floats  # scale and crossover rate of each trial
    memory: Floats  # pairs of scale and crossover rate; a rate below 0 stands for 0 ever after
    gain: Floats
    clock: Ints


def ask(state: State, u: Floats, progress: float, x: Floats) -> int:
    """Write the trial vector of the next member into x."""
    layout, clock = state.layout, state.clock
    if clock[ASKED] == clock[LEFT]:
        begin_generation(state, progress, u[7])
    i = state.order[clock[ASKED]]
    clock[ASKED] += 1
    token = int(clock[GENERATION] * state.score.size + i)
    if clock[GENERATION] == 0:
        for k in range(x.size):
            x[k] = draw(u[9 + k], layout.kind[k], layout.low[k], layout.high[k])
        set_row(state.position, i, x)
        set_row(state.trial, i, x)
        return token
    slot = pick(u[0], MEMORY)
    scale = min(positive_cauchy(u[1], state.memory[slot, 0], SPREAD), 1.0)
    rate = state.memory[slot, 1]
    rate = 0.0 if rate < 0.0 else min(max(rate + SPREAD * normal(u[2]), 0.0), 1.0)
    state.rates[i, 0], state.rates[i, 1], state.toss[i] = scale, rate, u[8]
    mutate(state, i, u, scale, rate, x)
    return token


def mutate(state: State, i: int, u: Floats, scale: float, rate: float, x: Floats) -> None:
    """Cross member i with a point on the way to one of the best, plus a difference: current-to-pbest/1/bin."""
    layout, order, seen = state.layout, state.order, state.seen
    left, kept = state.clock[LEFT], state.clock[KEPT]
    place = state.clock[ASKED] - 1
    best = order[pick(u[3], max(2, int(GREEDINESS * left + 0.5)))]
    other = pick_other(u[4], left, place)
    a = order[other]
    third = pick_other(u[5], left + kept - 1, min(place, other))  # of all but the two, the larger one skipped next
    if third >= max(place, other):
        third += 1
    always = pick(u[6], x.size)
    for k in range(x.size):
        kind, low, high = layout.kind[k], layout.low[k], layout.high[k]
        here = seen[i, k]
        chance = u[9 + k]
        moved = here
        if chance < rate or k == always:
            minus = seen[order[third], k] if third < left else state.archive[third - left, k]
            if kind == CATEGORICAL:
                # The same with sets: a's label where it differs from the other's, or that of the attractor, or its own.
                differs = scale if seen[a, k] != minus else 0.0
                drawn = min(chance / rate, 1.0) if rate > 0.0 else chance
                if drawn < differs:
                    moved = seen[a, k]
                elif drawn < differs + (1.0 - differs) * scale:
                    moved = seen[best, k]
            else:
                moved = here + scale * (seen[best, k] - here) + scale * (seen[a, k] - minus)
                if moved < low:
                    moved = (low + here) / 2.0
                elif moved > high:
                    moved = (high + here) / 2.0
        state.trial[i, k] = moved
        x[k] = settle(moved, kind, low, high)


def tell(state: State, token: int, x: Floats, score: float) -> None:
    """Keep the trial vector if it is no worse than the member, and what it was made with if it is better."""
    layout = state.layout
    i = token % state.score.size
    if score > state.score[i]:
        return
    if token >= state.score.size and score < state.score[i]:
        gain = min(state.score[i] / 2.0 - score / 2.0, LARGEST_GAIN)  # half of it, which weighs the same and is finite
        scale, rate = state.rates[i, 0], state.rates[i, 1]
        state.gain[WEIGHT] += gain
        state.gain[SCALE] += gain * scale
        state.gain[SCALE_SQUARED] += gain * scale * scale
        state.gain[RATE] += gain * rate
        state.gain[RATE_SQUARED] += gain * rate * rate
        state.improved[i] = 1
    state.score[i] = score
    for k in range(x.size):
        moved = state.trial[i, k]
        as_asked = settle(moved, layout.kind[k], layout.low[k], layout.high[k]) == x[k]
        state.position[i, k] = moved if as_asked else x[k]


def begin_generation(state: State, progress: float, u: float) -> None:
    """Keep replaced parents, learn from improvements, drop the worst members, and let all see what the rest have become."""
    clock, population, dimension = state.clock, state.score.size, state.position.shape[1]
    for place in range(clock[LEFT]):
        i = state.order[place]
        if state.improved[i] == 1:
            keep_parent(state, i)
            state.improved[i] = 0
    learn(state)
    sort_by_score(state.score, state.order, clock[LEFT])
    wanted = int(population + (LEAST - population) * progress + 0.5)
    clock[LEFT] = min(clock[LEFT], max(wanted, LEAST))
    capacity = int(ARCHIVE * clock[LEFT] + 0.5)
    at = pick(u, max(clock[KEPT], 1))
    while clock[KEPT] > capacity:  # drop any, the last taking its place
        clock[KEPT] -= 1
        at = (at + 7) % (clock[KEPT] + 1)
        for k in range(dimension):
            state.archive[at, k] = state.archive[clock[KEPT], k]
    for place in range(clock[LEFT]):
        i = state.order[place]
        for k in range(dimension):
            state.seen[i, k] = state.position[i, k]
    clock[GENERATION] += 1
    clock[ASKED] = 0


def keep_parent(state: State, i: int) -> None:
    """Put what member i was into the archive, in the place of any other when it is full."""
    clock = state.clock
    row = clock[KEPT]
    if row >= int(ARCHIVE * clock[LEFT] + 0.5):
        row = pick(state.toss[i], clock[KEPT])
    else:
        clock[KEPT] += 1
    for k in range(state.seen.shape[1]):
        state.archive[row, k] = state.seen[i, k]


def learn(state: State) -> None:
    """Remember the Lehmer means of the rates that brought improvements."""
    gain = state.gain
    if gain[WEIGHT] > 0.0:
        slot = state.clock[SLOT]
        state.memory[slot, 0] = gain[SCALE_SQUARED] / gain[SCALE]
        if state.memory[slot, 1] < 0.0 or gain[RATE] <= 0.0:
            state.memory[slot, 1] = -1.0
        else:
            state.memory[slot, 1] = gain[RATE_SQUARED] / gain[RATE]
        state.clock[SLOT] = (slot + 1) % MEMORY
    for each in range(gain.size):
        gain[each] = 0.0


@dataclass(frozen=True, kw_only=True, repr=False)
class LSHADE(Method):
    """Differential evolution that learns its rates from success and shrinks its population, the strong modern reference.

    Members move part of the way to one of the best 11 % plus a difference of two others, one of which may be a parent that was
    replaced. The scale and the crossover rate are drawn around values that brought improvements. The population shrinks linearly
    to 4 members.

    All of this is as published for real numbers. Mixed variables are our choice: integers and ordered values are real numbers
    inside and rounded to the nearest for evaluation only; categorical ones take, in the place of the difference, the label of
    the second member where it differs from that of the third, or the attractor's.

    Parameters
    ----------
    population : int or {"published", "small"}
        Members at the start: a number of at least 4; ``"published"``, 18 for each variable; ``"small"``, a tenth of the square
        root of budget times variables and at least 8, which is the better choice where the budget is short for the dimension.
    """

    name: ClassVar[str] = "lshade"
    ask = staticmethod(ask)
    tell = staticmethod(tell)

    population: int | str = "published"

    def __post_init__(self) -> None:
        if self.population not in ("published", "small"):
            if isinstance(self.population, str):
                raise ArgumentError(f"population={self.population!r} is not known; use 'published', 'small' or a number")
            check_number("population", self.population, LEAST, whole=True)

    @classmethod
    def paper(cls) -> "LSHADE":
        """The settings its authors published, which are the defaults."""
        return cls()

    @property
    def label(self) -> str:
        return {"published": "L-SHADE", "small": "L-SHADE small"}.get(str(self.population), repr(self))

    @property
    def batch(self) -> int:
        return 24  # a generation has as many for most of a run

    def members(self, dimension: int, budget: int) -> int:
        """How many members a run starts with."""
        if self.population == "published":
            return 18 * dimension
        if self.population == "small":
            return max(8, round(0.1 * math.sqrt(budget * dimension)))
        return int(self.population)

    def start(self, layout: Layout, budget: int) -> State:
        dimension = layout.kind.size
        population = max(self.members(dimension, budget), LEAST)
        shape = (population, dimension)
        clock = np.zeros(5, dtype=np.int64)
        clock[LEFT] = population
        return State(
            layout=layout,
            position=np.zeros(shape),
            score=np.full(population, np.inf),
            seen=np.zeros(shape),
            trial=np.zeros(shape),
            improved=np.zeros(population, dtype=np.int64),
            order=np.arange(population),
            archive=np.zeros((int(ARCHIVE * population + 0.5), dimension)),
            toss=np.zeros(population),
            rates=np.zeros((population, 2)),
            memory=np.full((MEMORY, 2), 0.5),
            gain=np.zeros(5),
            clock=clock,
        )

    def numbers(self, layout: Layout) -> int:
        return 9 + layout.kind.size
