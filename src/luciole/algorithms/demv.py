"""DEmv, differential evolution for mixed variables.

Lin, Liu, Chen, Zhang: "A hybrid differential evolution algorithm for mixed-variable optimization problems", Information
Sciences 466 (2018).
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from luciole._layout import CONTINUOUS, Floats, Layout, draw
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
from luciole.algorithms._random import pick, pick_fourth, pick_other, pick_third
from luciole.algorithms.base import Method, check_number


class State(NamedTuple):
    """A population."""

    layout: Layout
    members: Generations
    scale: float
    crossover: float


def ask(state: State, u: Floats, progress: float, x: Floats) -> int:
    """Write the trial vector of the next member into x."""
    layout, members = state.layout, state.members
    population = members.score.size
    token = next_candidate(members)
    i = token % population
    if token < population:
        for k in range(x.size):
            x[k] = draw(u[k], layout.kind[k], layout.low[k], layout.high[k])
        place(members, i, x)
        return token
    if is_first(members, token):
        see_all(members)
    seen = members.seen
    a = pick_other(u[0], population, i)
    b = pick_third(u[1], population, i, a)
    c = pick_fourth(u[2], population, i, a, b)
    always = pick(u[3], x.size)
    for k in range(x.size):
        x[k] = seen[i, k]
        if u[4 + 2 * k] < state.crossover or k == always:
            if layout.kind[k] == CONTINUOUS:
                moved = seen[a, k] + state.scale * (seen[b, k] - seen[c, k])
                x[k] = min(max(moved, layout.low[k]), layout.high[k])
            elif seen[b, k] != seen[c, k] and u[5 + 2 * k] < state.scale:
                x[k] = seen[b, k]
            else:
                x[k] = seen[a, k]
    return token


def tell(state: State, token: int, x: Floats, score: float) -> None:
    """Keep the trial vector if it is no worse than the member."""
    members = state.members
    i = token % members.score.size
    if score <= members.score[i]:
        replace(members, i, x, score, is_late(members, token))


@dataclass(frozen=True, kw_only=True, repr=False)
class DEmv(Method):
    """Differential evolution (DE/rand/1/bin) for continuous variables, its set-based form for all others.

    A trial value of a discrete variable is that of one member or, with probability `scale`, that of a second one where it differs
    from a third: differences of sets in place of differences of numbers. Integers are sets of values to it, so values that
    nobody holds do not come up.

    The two rates and the population are as published. What a discrete variable takes is our reading of the set-based
    operators; it meets the results published for it.

    Parameters
    ----------
    population : int
        Number of members, at least 4.
    scale : float
        The factor F of differences.
    crossover : float
        The rate CR at which variables are taken from the mutant.
    """

    name: ClassVar[str] = "demv"
    ask = staticmethod(ask)
    tell = staticmethod(tell)

    population: int = 100
    scale: float = 0.2
    crossover: float = 0.2

    def __post_init__(self) -> None:
        check_number("population", self.population, 4, whole=True)
        check_number("scale", self.scale, 0)
        check_number("crossover", self.crossover, 0)

    @classmethod
    def paper(cls) -> "DEmv":
        """The published settings, which are the defaults."""
        return cls()

    @property
    def label(self) -> str:
        return "DEmv" if self == DEmv.paper() else repr(self)

    @property
    def batch(self) -> int:
        return self.population

    def start(self, layout: Layout, budget: int) -> State:
        return State(layout, start_generations(self.population, layout.kind.size), float(self.scale), float(self.crossover))

    def numbers(self, layout: Layout) -> int:
        return 4 + 2 * layout.kind.size
