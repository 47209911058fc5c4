"""What `ask` gives out, and what is best so far."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from luciole._layout import Floats
from luciole.space import Point, Space


class Trial:
    """A candidate to evaluate.

    Attributes
    ----------
    number : int
        Its place in the order of asking, from 0.
    """

    __slots__ = ("_slots", "_space", "_token", "_x", "number")

    def __init__(self, number: int, space: Space, slots: Floats, token: int) -> None:
        self.number = number
        self._slots = slots
        self._token = token
        self._space = space
        self._x: Point | None = None

    @property
    def x(self) -> Any:
        """The point to evaluate: a dict of values, or an array in a space from `Space.from_bounds`."""
        if self._x is None:
            self._x = self._space.decode(self._slots)
        return self._x

    @property
    def slots(self) -> Floats:
        """A copy of the point as methods see it."""
        return self._slots.copy()

    def __repr__(self) -> str:
        return f"Trial({self.number}, {self.x})"


@dataclass(frozen=True)
class Best:
    """The best evaluation of a run."""

    x: Any
    value: float
    violation: float
    number: int
    """The trial that found it; -1 for a point that was known before."""


class Leader(NamedTuple):
    """The best so far, as the optimizer keeps it."""

    slots: Floats
    value: float
    violation: float
    number: int
