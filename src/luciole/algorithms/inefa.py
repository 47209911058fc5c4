"""INEFA, the neighbourhood firefly algorithm in groups that k-means finds.

What is known of it is that it gives NEFA sub-populations by clustering; see `luciole.algorithms.nefa` for the rest.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from luciole._layout import CATEGORICAL, Floats, Ints, Layout, set_row
from luciole.algorithms._fireflies import squared_distance
from luciole.algorithms._sweep import ENDED, PLACED, SLOWEST, next_move_among
from luciole.algorithms.base import Method, check_number
from luciole.algorithms.nefa import ADAPTED, NEFA, cool, follow, place_anywhere, wander
from luciole.algorithms.nefa import State as Swarm
from luciole.algorithms.nefa import tell as tell_swarm

ROUNDS = 3  # of k-means in each generation, from where the centres were


class State(NamedTuple):
    """The swarm of NEFA, and its groups."""

    swarm: Swarm
    reach: int
    centre: Floats  # one row a group
    group: Ints  # of each firefly
    leader: Ints  # the brightest of each group; -1: it is empty
    ring: Ints  # scratch: the members of a group


def ask(state: State, u: Floats, progress: float, x: Floats) -> int:
    """Write the next candidate into x, as NEFA does, with groups made anew when a generation begins."""
    swarm = state.swarm
    sweep = swarm.sweep
    if sweep.shared[PLACED] < sweep.score.size:
        return place_anywhere(swarm, u, x)
    i, j = ENDED, -1
    while i == ENDED:
        if swarm.now[ADAPTED] <= sweep.shared[SLOWEST]:
            cool(swarm, progress)
            regroup(state)
        i, j = next_move_among(sweep, swarm.neighbours)
    return follow(swarm, i, j, u, x) if j >= 0 else wander(swarm, i, u, x)


def tell(state: State, token: int, x: Floats, score: float) -> None:
    """Move the firefly, as NEFA does."""
    tell_swarm(state.swarm, token, x, score)


def regroup(state: State) -> None:
    """Share the swarm out among groups by k-means, then say who sees whom: a ring in each group, and all leaders one another."""
    for _ in range(ROUNDS):
        for i in range(state.group.size):
            state.group[i] = nearest(state, i)
        for g in range(state.leader.size):
            recentre(state, g)
    for g in range(state.leader.size):
        state.leader[g] = link_group(state, g)
    link_leaders(state)


def nearest(state: State, i: int) -> int:
    """The group whose centre is nearest to a firefly."""
    swarm, best, least = state.swarm, 0, np.inf
    for g in range(state.leader.size):
        squares = squared_distance(swarm.layout, swarm.inverse, swarm.position[i], state.centre[g])
        if squares < least:
            best, least = g, squares
    return best


def recentre(state: State, g: int) -> None:
    """Put the centre of a group where the mean of its members is, for labels the commonest; an empty group begins anew."""
    swarm, count = state.swarm, 0
    for i in range(state.group.size):
        if state.group[i] == g:
            state.ring[count] = i
            count += 1
    if count == 0:
        set_row(state.centre, g, swarm.position[outlier(state)])
        return
    for k in range(state.centre.shape[1]):
        if swarm.layout.kind[k] == CATEGORICAL:
            state.centre[g, k] = commonest(swarm.position, state.ring, count, k)
        else:
            total = 0.0
            for n in range(count):
                total += swarm.position[state.ring[n], k]
            state.centre[g, k] = total / count


def outlier(state: State) -> int:
    """The firefly farthest from the centre of its group."""
    swarm, found, most = state.swarm, 0, -1.0
    for i in range(state.group.size):
        squares = squared_distance(swarm.layout, swarm.inverse, swarm.position[i], state.centre[state.group[i]])
        if squares > most:
            found, most = i, squares
    return found


def commonest(position: Floats, ring: Ints, count: int, k: int) -> float:
    """The label that most members have, of equally common ones that of the first."""
    best, most = position[ring[0], k], 0
    for n in range(count):
        same = 0
        for other in range(count):
            same += 1 if position[ring[other], k] == position[ring[n], k] else 0
        if same > most:
            best, most = position[ring[n], k], same
    return float(best)


def link_group(state: State, g: int) -> int:
    """Let the members of a group see those near them on a ring, and return the brightest; -1: it is empty."""
    swarm, count, leader = state.swarm, 0, -1
    for i in range(state.group.size):
        if state.group[i] == g:
            state.ring[count] = i
            count += 1
            if leader < 0 or swarm.sweep.score[i] < swarm.sweep.score[leader]:
                leader = i
    for n in range(count):
        row = swarm.neighbours[state.ring[n]]
        seen = min(2 * state.reach, count - 1)
        before = min(state.reach, seen)
        for each in range(seen):
            offset = each - before if each < before else each - before + 1
            row[each] = state.ring[(n + offset + count) % count]
        if seen < row.size:
            row[seen] = -1
    return leader


def link_leaders(state: State) -> None:
    """Let the brightest of each group, who has none brighter in it, see the others of their kind."""
    for g in range(state.leader.size):
        if state.leader[g] < 0:
            continue
        row, seen = state.swarm.neighbours[state.leader[g]], 0
        for other in range(state.leader.size):
            if other != g and state.leader[other] >= 0:
                row[seen] = state.leader[other]
                seen += 1
        if seen < row.size:
            row[seen] = -1


@dataclass(frozen=True, kw_only=True, repr=False)
class INEFA(Method):
    """NEFA in groups: k-means shares the swarm out, each group is a ring of its own, and their brightest follow one another.

    Known of it is only that it is the neighbourhood firefly algorithm with sub-populations found by clustering. All else
    is our choice: how many groups; that k-means starts where it ended in the generation before (labels by the commonest, an
    empty group anew from the firefly farthest from its centre); that the brightest of each group look at the other groups'
    brightest, without which groups would never hear of each other; and what `NEFA` says.

    Parameters
    ----------
    population, reach, beta_least, beta0, gamma, alpha, cooling
        As in `NEFA`.
    groups : int
        How many groups, at most the population.
    """

    name: ClassVar[str] = "inefa"
    ask = staticmethod(ask)
    tell = staticmethod(tell)

    population: int = 40
    groups: int = 4
    reach: int = 3
    beta_least: float = 0.2
    beta0: float = 1.0
    gamma: float = 1.0
    alpha: float = 0.5
    cooling: str = "run"

    def __post_init__(self) -> None:
        self._inner()
        check_number("groups", self.groups, 1, self.population, whole=True)

    def _inner(self) -> NEFA:
        return NEFA(population=self.population, reach=self.reach, beta_least=self.beta_least, beta0=self.beta0, gamma=self.gamma,
                    alpha=self.alpha, cooling=self.cooling)

    @classmethod
    def paper(cls) -> "INEFA":
        """The defaults: its own settings are not known to us."""
        return cls()

    @property
    def label(self) -> str:
        return "INEFA" if self == INEFA.paper() else repr(self)

    @property
    def batch(self) -> int:
        return self.population

    def start(self, layout: Layout, budget: int) -> State:
        swarm = self._inner().start(layout, budget)
        width = max(2 * self.reach, self.groups - 1)
        return State(
            swarm=swarm._replace(neighbours=np.full((self.population, width), -1, dtype=np.int64)),
            reach=int(self.reach),
            centre=np.zeros((self.groups, layout.kind.size)),
            group=np.zeros(self.population, dtype=np.int64),
            leader=np.full(self.groups, -1, dtype=np.int64),
            ring=np.zeros(self.population, dtype=np.int64),
        )

    def numbers(self, layout: Layout) -> int:
        return layout.kind.size
