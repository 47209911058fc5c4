"""What points are worth that were evaluated before, in spaces whose points can be counted."""

import math
from typing import TYPE_CHECKING

from luciole._layout import Floats
from luciole.problem import Evaluation

if TYPE_CHECKING:
    from luciole.optimizer import Optimizer


class Memory:
    """The points of a run that need no evaluation: those with a known value, and those that are being evaluated.

    Parameters
    ----------
    optimizer : Optimizer
        Whose history, known points and open trials to begin with. Its history keeps every point from now on.
    """

    def __init__(self, optimizer: "Optimizer") -> None:
        history = optimizer.history
        history.limit = math.inf
        self._size = optimizer.space.size
        self._known = {_key(each.slots): Evaluation(each.value, each.violation) for each in optimizer._known}
        for number, slots in zip(history.evaluations.tolist(), history.slots, strict=True):
            self._known[_key(slots)] = history.evaluation(number)
        self._out = {_key(trial._slots) for trial in optimizer.pending}

    def find(self, slots: Floats) -> Evaluation | None:
        """What a point is worth; None if that is not known."""
        return self._known.get(_key(slots))

    def is_out(self, slots: Floats) -> bool:
        """Whether a point is being evaluated."""
        return _key(slots) in self._out

    def send(self, slots: Floats) -> None:
        """Note that a point is being evaluated."""
        self._out.add(_key(slots))

    def learn(self, slots: Floats, evaluation: Evaluation) -> None:
        """Note what became of it."""
        key = _key(slots)
        self._out.discard(key)
        self._known[key] = evaluation

    def is_full(self) -> bool:
        """Whether no point is left."""
        return len(self._known) + len(self._out) >= self._size


def _key(slots: Floats) -> bytes:
    return (slots + 0.0).tobytes()  # adding 0.0 makes 0.0 of -0.0
