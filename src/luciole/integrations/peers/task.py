"""What a peer gets and gives back: the variables, how to evaluate them, and what an evaluation gave."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from luciole._layout import CONTINUOUS, LOG_INTEGER, Floats, Ints, Layout
from luciole.optimizer import score

MANY = 10_000  # some libraries list every value of a whole number; beyond this many, they get it as a real one, which is rounded
FAILED = 1e300  # the score of a failed evaluation, for libraries that compare scores but cannot take infinity


class Told(NamedTuple):
    """What an evaluation gave, as a peer is told: both numbers are to be made small."""

    value: float
    """The objective, turned round where it is maximised; NaN if the evaluation failed."""
    violation: float
    """By how much the constraints are broken in all; 0 where the point is feasible, infinity if the evaluation failed."""

    @property
    def failed(self) -> bool:
        """Whether there is no value."""
        return self.value != self.value

    @property
    def score(self) -> float:
        """One finite number that orders points by Deb's rules, for libraries that only compare: see `luciole.optimizer.score`."""
        return FAILED if self.failed else score(self.value, self.violation)


class Ended(BaseException):
    """The budget is used up. Not an `Exception`, so that no library takes it for a failure of the objective."""


@dataclass(frozen=True)
class Task:
    """What a peer gets: the variables that are not fixed, how to evaluate them, and how long."""

    layout: Layout
    constrained: bool
    """Whether the problem says that it has constraints; violations of 0 come with every value otherwise."""
    budget: int
    seed: int
    evaluate: Callable[[Floats], Told]
    """The worth of an array of slots; raises `Ended` after the last evaluation, which then need not be learnt from."""

    def __len__(self) -> int:
        return len(self.layout.kind)

    @property
    def kinds(self) -> list[int]:
        """The kind of each variable, one of the constants of `luciole._layout`."""
        kinds: list[int] = self.layout.kind.tolist()
        return kinds

    @property
    def names(self) -> list[str]:
        """A name for each variable, for libraries that need one; in alphabetical order."""
        return [f"x{k:05d}" for k in range(len(self))]

    @property
    def whole_bounds(self) -> list[tuple[int, int]]:
        """The lowest and highest whole number of each discrete variable; those of a logarithmic one are not logarithms."""
        bounds = []
        for kind, low, high in zip(self.kinds, self.layout.low.tolist(), self.layout.high.tolist(), strict=True):
            if kind == LOG_INTEGER:
                low, high = np.floor(np.exp([low, high]) + 0.5).tolist()
            bounds.append((int(low), int(high)) if kind != CONTINUOUS else (0, 0))
        return bounds

    @property
    def positions(self) -> tuple[Floats, Floats, Ints]:
        """Bounds of every slot, and which of them hold whole numbers.

        For libraries that know real and whole numbers only: choices stand by their position in the list, and integers that move
        in their logarithm are real numbers, which `evaluate` brings to the nearest admissible one.
        """
        kind = self.layout.kind
        return self.layout.low, self.layout.high, np.flatnonzero((kind != CONTINUOUS) & (kind != LOG_INTEGER))


def as_slot(kind: int, value: float) -> float:
    """The slot of a whole number as `Task.whole_bounds` counts it."""
    return float(np.log(value)) if kind == LOG_INTEGER else float(value)
