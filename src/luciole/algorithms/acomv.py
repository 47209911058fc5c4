"""ACO_mv, ant colony optimisation for mixed variables.

Liao, Socha, Montes de Oca, Stuetzle, Dorigo: "Ant colony optimization for mixed-variable optimization problems", IEEE
Transactions on Evolutionary Computation 18 (2014).
"""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from luciole._layout import CATEGORICAL, Floats, Ints, Layout, draw, get_row, set_row, settle
from luciole.algorithms._random import normal
from luciole.algorithms.base import Method, check_number

PROGRESS = 1e-5  # the part of its size by which the best score has to fall to count as better

# What `clock` holds: rows of the archive filled since the start or a restart, ants sent out, iterations without improvement.
FILLED, SENT, IDLE = 0, 1, 2


class State(NamedTuple):
    """An archive of good solutions, and the ants of the current iteration."""

    layout: Layout
    width: float
    spread: float
    patience: int
    archive: Floats  # one row a solution; whole numbers and lists lie between their values
    score: Floats
    order: Ints  # rows, best first
    weight: Floats  # of the first, second, ... in that order
    reached: Floats  # sums of weights up to each, in parts of the whole
    brood: Floats  # what the ants of this iteration found, one row an ant, likewise
    brood_score: Floats
    guide: Floats  # scratch: the solution that the ant follows
    distance: Floats  # scratch: how far the archive is from it, variable by variable
    first: Ints  # where the table of each categorical variable begins
    table: Floats  # for each of its labels the chance to draw it or one before it
    used: Ints  # scratch: how many solutions hold each label
    clock: Ints
    best: Floats  # [the best score since the start or a restart that counted as better]


def ask(state: State, u: Floats, progress: float, x: Floats) -> int:
    """Write a random solution into x while the archive is being filled and return its row; then the next ant's, plus the rows."""
    layout, clock = state.layout, state.clock
    rows, ants = state.score.size, state.brood_score.size
    if clock[FILLED] == rows and clock[SENT] % ants == 0:
        begin_iteration(state)
    if clock[FILLED] < rows:
        row = int(clock[FILLED])
        clock[FILLED] += 1
        for k in range(x.size):
            x[k] = draw(u[1 + k], layout.kind[k], layout.low[k], layout.high[k])
        set_row(state.archive, row, x)
        return row
    token = rows + int(clock[SENT])
    clock[SENT] += 1
    follow(state, state.order[ranked(state.reached, u[0])], u, x, (token - rows) % ants)
    return token


def follow(state: State, row: int, u: Floats, x: Floats, ant: int) -> None:
    """Draw around a solution of the archive: as far as the others are from it; labels from their tables."""
    layout, archive, guide, distance = state.layout, state.archive, state.guide, state.distance
    get_row(archive, row, guide)
    for k in range(x.size):
        distance[k] = 0.0
    for other in range(state.score.size):
        for k in range(x.size):
            distance[k] += abs(archive[other, k] - guide[k])
    part = state.spread / max(state.score.size - 1, 1)
    for k in range(x.size):
        kind, low, high = layout.kind[k], layout.low[k], layout.high[k]
        if kind == CATEGORICAL:
            first = state.first[k]
            x[k] = low + ranked(state.table[first : first + int(high - low) + 1], u[1 + k])
            state.brood[ant, k] = x[k]
        else:
            moved = min(max(guide[k] + part * distance[k] * normal(u[1 + k]), low), high)
            state.brood[ant, k] = moved
            x[k] = settle(moved, kind, low, high)


def ranked(reached: Floats, u: float) -> int:
    """The first entry of sums that lies above u."""
    for n in range(reached.size - 1):
        if u < reached[n]:
            return n
    return int(reached.size - 1)


def tell(state: State, token: int, x: Floats, score: float) -> None:
    """Put a solution in its row, or keep what an ant found until its iteration ends; if that is over, take it in at once."""
    layout, rows, ants = state.layout, state.score.size, state.brood_score.size
    if token < rows:
        if score < state.score[token]:
            place = 0
            while state.order[place] != token:
                place += 1
            insert(state, place, x, score)
    elif (token - rows) // ants < (state.clock[SENT] - 1) // ants:
        if score < state.score[state.order[rows - 1]]:
            insert(state, rows - 1, x, score)
    else:
        ant = (token - rows) % ants
        state.brood_score[ant] = score
        for k in range(x.size):
            if settle(state.brood[ant, k], layout.kind[k], layout.low[k], layout.high[k]) != x[k]:
                state.brood[ant, k] = x[k]


def insert(state: State, place: int, x: Floats, score: float) -> None:
    """Put a solution in the row at a place of the order, and move it up to where it belongs."""
    row = state.order[place]
    set_row(state.archive, row, x)
    state.score[row] = score
    while place > 0 and score < state.score[state.order[place - 1]]:
        state.order[place] = state.order[place - 1]
        place -= 1
    state.order[place] = row


def begin_iteration(state: State) -> None:
    """Take in what the ants found, keep the best solutions, and begin anew if nothing better came for long."""
    clock, last = state.clock, state.score.size - 1
    for ant in range(state.brood_score.size):
        if state.brood_score[ant] < state.score[state.order[last]]:
            insert(state, last, state.brood[ant], state.brood_score[ant])
        state.brood_score[ant] = math.inf
    found, before = state.score[state.order[0]], state.best[0]
    clock[IDLE] += 1
    if found < before and (before == math.inf or before - found > PROGRESS * abs(before)):
        state.best[0] = found
        clock[IDLE] = 0
    if clock[IDLE] >= state.patience:
        restart(state)
    for k in range(state.guide.size):
        if state.layout.kind[k] == CATEGORICAL:
            weigh_labels(state, k)


def restart(state: State) -> None:
    """Forget all solutions."""
    for row in range(state.score.size):
        state.score[row] = math.inf
        state.order[row] = row
    state.best[0] = math.inf
    state.clock[FILLED] = 0
    state.clock[IDLE] = 0


def weigh_labels(state: State, k: int) -> None:
    """Make the table of a categorical variable: the weight of the best solution with a label, shared among all that have it."""
    low, count = state.layout.low[k], int(state.layout.high[k] - state.layout.low[k]) + 1
    table = state.table[state.first[k] : state.first[k] + count]
    used = state.used
    for n in range(count):
        table[n] = 0.0
        used[n] = 0
    for place in range(state.order.size):
        n = int(state.archive[state.order[place], k] - low)
        if used[n] == 0:
            table[n] = state.weight[place]
        used[n] += 1
    unused = 0
    for n in range(count):
        unused += 1 if used[n] == 0 else 0
    total = 0.0
    for n in range(count):
        if used[n] > 0:
            table[n] /= used[n]
        if unused > 0:
            table[n] += state.width / unused
        total += table[n]
        table[n] = total
    for n in range(count):
        table[n] = table[n] / total if total > 0.0 else (n + 1.0) / count


@dataclass(frozen=True, kw_only=True, repr=False)
class ACOmv(Method):
    """Ant colony optimisation with an archive of good solutions, each kind of variable drawn from it in its own way.

    An ant picks a solution of the archive, a better one more often, and draws a normal number around each of its values, as
    wide as the others are away on average. Integers and ordered values are the same by position: real numbers inside, rounded for
    evaluation. A label is drawn by the weight of the best solution that has it, shared among all that have it; labels nobody has
    share a weight too. After each iteration the archive keeps the best. When nothing better came for long, the archive is filled
    anew.

    The rules and numbers are likely, from the literature; that positions stay real numbers is so in a program by one of the
    authors (with rounded ones the archive soon agrees on whole numbers, and its spread is gone). Our choice: an ant follows one
    solution for all variables; values beyond the bounds are clipped; a best score that fell by less than a part in 100,000 is
    not better; a new archive knows nothing of the one before.

    Parameters
    ----------
    archive : int
        How many solutions are kept.
    ants : int
        How many candidates are made from one archive.
    q : float
        How evenly solutions are picked: the standard deviation of the weights in parts of the archive.
    xi : float
        How wide an ant draws, in mean distances.
    patience : int
        How many iterations without a better solution lead to a restart.
    """

    name: ClassVar[str] = "acomv"
    ask = staticmethod(ask)
    tell = staticmethod(tell)

    archive: int = 90
    ants: int = 5
    q: float = 0.05099
    xi: float = 0.6795
    patience: int = 650

    def __post_init__(self) -> None:
        for each in ("archive", "ants", "patience"):
            check_number(each, getattr(self, each), 1, whole=True)
        check_number("q", self.q, 0, open_low=True)
        check_number("xi", self.xi, 0)

    @classmethod
    def paper(cls) -> "ACOmv":
        """The settings its authors tuned, which are the defaults."""
        return cls()

    @property
    def label(self) -> str:
        return "ACO_mv" if self == ACOmv.paper() else repr(self)

    @property
    def batch(self) -> int:
        return self.ants

    def start(self, layout: Layout, budget: int) -> State:
        dimension, rows = layout.kind.size, self.archive
        deviation = self.q * rows
        weight = np.exp(-(np.arange(rows) ** 2) / (2.0 * deviation**2)) / (deviation * math.sqrt(2.0 * math.pi))
        labels = np.where(layout.kind == CATEGORICAL, layout.high - layout.low + 1.0, 0.0).astype(np.int64)
        return State(
            layout=layout,
            width=float(self.q),
            spread=float(self.xi),
            patience=int(self.patience),
            archive=np.zeros((rows, dimension)),
            score=np.full(rows, np.inf),
            order=np.arange(rows),
            weight=weight,
            reached=np.cumsum(weight) / weight.sum(),
            brood=np.zeros((self.ants, dimension)),
            brood_score=np.full(self.ants, np.inf),
            guide=np.zeros(dimension),
            distance=np.zeros(dimension),
            first=np.cumsum(labels) - labels,
            table=np.zeros(int(labels.sum())),
            used=np.zeros(int(labels.max()), dtype=np.int64),
            clock=np.zeros(3, dtype=np.int64),
            best=np.full(1, np.inf),
        )

    def numbers(self, layout: Layout) -> int:
        return 1 + layout.kind.size
