"""EDA_mvn, an estimation of distribution algorithm for mixed variables.

Wang, Li, Zhou, Tang: "An estimation of distribution algorithm for mixed-variable Newsvendor problems", IEEE Transactions on
Evolutionary Computation 24 (2020).
"""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from luciole._layout import CATEGORICAL, CONTINUOUS, LOG_INTEGER, Floats, Ints, Layout, draw, settle
from luciole.algorithms._generations import (
    Generations,
    is_first,
    is_late,
    next_candidate,
    place,
    replace,
    see_all,
    start_generations,
)
from luciole.algorithms.base import Method, check_number

END_COUNT = 0.1  # what the bins at either end count for, in members
MOST_VALUES = 1000  # beyond which integers and ordered values get bins, not a table


class State(NamedTuple):
    """A population, and what candidates are drawn from: bins or a table for each variable."""

    layout: Layout
    members: Generations
    bins: int
    values: Ints  # how many values the table of each variable has; 0: it has bins
    first: Ints  # where its part of the arrays below begins
    chance: Floats  # of each value in a table
    reached: Floats  # sums of chances, or of counts of bins, up to each
    edge: Floats  # where the first and the last of the equal bins begin and end


def ask(state: State, u: Floats, progress: float, x: Floats) -> int:
    """Write the next candidate into x."""
    layout, members = state.layout, state.members
    token = next_candidate(members)
    if token < members.score.size:
        for k in range(x.size):
            x[k] = draw(u[k], layout.kind[k], layout.low[k], layout.high[k])
        place(members, token, x)
        return token
    if is_first(members, token):
        see_all(members)
        for k in range(x.size):
            if state.values[k] > 0:
                learn_table(state, k, progress)
            else:
                learn_bins(state, k)
    for k in range(x.size):
        x[k] = from_table(state, k, u[k]) if state.values[k] > 0 else from_bins(state, k, u[k])
    return token


def tell(state: State, token: int, x: Floats, score: float) -> None:
    """Let a candidate take the place of its parent if it is no worse."""
    members = state.members
    i = token % members.score.size
    if score <= members.score[i]:
        replace(members, i, x, score, is_late(members, token))


def learn_table(state: State, k: int, rate: float) -> None:
    """Move the chances of values toward how common they are."""
    seen, first, count = state.members.seen, state.first[k], state.values[k]
    for n in range(first, first + count):
        state.chance[n] *= 1.0 - rate
    for i in range(seen.shape[0]):
        n = index_of(seen[i, k], state.layout.kind[k], state.layout.low[k])
        state.chance[first + n] += rate / seen.shape[0]
    total = 0.0
    for n in range(first, first + count):
        total += state.chance[n]
        state.reached[n] = total


def from_table(state: State, k: int, u: float) -> float:
    """A value drawn by its chance."""
    first = state.first[k]
    low, high = first, first + state.values[k] - 1
    wanted = u * state.reached[high]
    while low < high:  # the first whose sum is above what is wanted
        middle = (low + high) // 2
        if wanted < state.reached[middle]:
            high = middle
        else:
            low = middle + 1
    return slot_of(low - first, state.layout.kind[k], state.layout.low[k], state.layout.high[k])


def learn_bins(state: State, k: int) -> None:
    """Divide the span of the population into equal bins, with one bin more on either side, and count."""
    seen, first, bins = state.members.seen, state.first[k], state.bins
    low, high = state.layout.low[k], state.layout.high[k]
    least, second_least, second_most, most = math.inf, math.inf, -math.inf, -math.inf
    for i in range(seen.shape[0]):
        value = seen[i, k]
        second_least = min(second_least, max(value, least))
        least = min(least, value)
        second_most = max(second_most, min(value, most))
        most = max(most, value)
    if seen.shape[0] > 1:
        least = max(least - 0.5 * (second_least - least), low)
        most = min(most + 0.5 * (most - second_most), high)
    state.edge[k, 0], state.edge[k, 1] = least, most
    counts = state.reached
    counts[first] = END_COUNT if least > low else 0.0
    for n in range(1, bins + 1):
        counts[first + n] = 0.0
    counts[first + bins + 1] = END_COUNT if most < high else 0.0
    per_width = bins / (most - least) if most > least else 0.0
    for i in range(seen.shape[0]):
        counts[first + 1 + min(int((seen[i, k] - least) * per_width), bins - 1)] += 1.0
    for n in range(first + 1, first + bins + 2):
        counts[n] += counts[n - 1]


def from_bins(state: State, k: int, u: float) -> float:
    """A bin drawn by its count, then any value in it: one number decides both."""
    first, bins = state.first[k], state.bins
    low, high = state.layout.low[k], state.layout.high[k]
    wanted = u * state.reached[first + bins + 1]
    n, before = 0, 0.0
    while n <= bins and wanted >= state.reached[first + n]:
        before = state.reached[first + n]
        n += 1
    count = state.reached[first + n] - before
    part = (wanted - before) / count if count > 0.0 else 0.0
    left, right = state.edge[k, 0], state.edge[k, 1]
    if n == 0:
        value = low + part * (left - low)
    elif n == bins + 1:
        value = right + part * (high - right)
    else:
        value = left + (n - 1 + part) * (right - left) / bins
    return settle(value, state.layout.kind[k], low, high)


def index_of(slot: float, kind: int, low: float) -> int:
    """Which of its variable's values a slot stands for, from 0."""
    if kind == LOG_INTEGER:
        return int(math.floor(math.exp(slot) + 0.5) - math.floor(math.exp(low) + 0.5))
    return int(slot - low)


def slot_of(index: int, kind: int, low: float, high: float) -> float:
    """The slot of a value by its number, from 0."""
    if kind == LOG_INTEGER:
        return min(max(math.log(math.floor(math.exp(low) + 0.5) + index), low), high)
    return float(low + index)


@dataclass(frozen=True, kw_only=True, repr=False)
class EDAmvn(Method):
    """An estimation of distribution algorithm: histograms for continuous variables, tables of chances for all others.

    A candidate's variables are drawn one by one, each from what the population holds of it: a continuous one from bins of equal
    width over the span of the population and two more up to the bounds, any other from a table that moves toward how common its
    values are, the faster the further the run has come. The candidate takes the place of its parent if it is no worse.

    The bins, the table and its rate, the population and the replacement of parents by offspring are certain, from papers that
    cite it. Our choice: that each candidate competes with one parent; that the bins at the ends count 0.1 members; that integers
    and ordered variables of more than 1,000 values have bins and are rounded.

    Parameters
    ----------
    population : int
        Number of members.
    bins : int
        Number of bins of equal width.
    """

    name: ClassVar[str] = "edamvn"
    ask = staticmethod(ask)
    tell = staticmethod(tell)

    population: int = 300
    bins: int = 10

    def __post_init__(self) -> None:
        check_number("population", self.population, 1, whole=True)
        check_number("bins", self.bins, 1, whole=True)

    @classmethod
    def paper(cls) -> "EDAmvn":
        """The published settings, which are the defaults."""
        return cls()

    @property
    def label(self) -> str:
        return "EDA_mvn" if self == EDAmvn.paper() else repr(self)

    @property
    def batch(self) -> int:
        return self.population

    def start(self, layout: Layout, budget: int) -> State:
        count = layout.high - layout.low + 1.0
        whole = layout.kind == LOG_INTEGER
        count[whole] = np.floor(np.exp(layout.high[whole]) + 0.5) - np.floor(np.exp(layout.low[whole]) + 0.5) + 1.0
        has_bins = (layout.kind == CONTINUOUS) | ((layout.kind != CATEGORICAL) & (count > MOST_VALUES))
        values = np.where(has_bins, 0, count).astype(np.int64)
        sizes = np.where(has_bins, self.bins + 2, values)
        chance = np.repeat(1.0 / sizes, sizes)
        return State(
            layout=layout,
            members=start_generations(self.population, layout.kind.size),
            bins=int(self.bins),
            values=values,
            first=np.cumsum(sizes) - sizes,
            chance=chance,
            reached=np.zeros(chance.size),
            edge=np.zeros((layout.kind.size, 2)),
        )

    def numbers(self, layout: Layout) -> int:
        return layout.kind.size
