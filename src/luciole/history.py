"""What was evaluated, in order."""

from typing import TYPE_CHECKING, Any

import numpy as np

from luciole._layout import Floats, Ints
from luciole.errors import MissingExtraError
from luciole.problem import Evaluation
from luciole.space import Point, Space

if TYPE_CHECKING:
    import pandas

MEMORY = 64 * 2**20  # bytes of points kept whole; beyond it, only the points that were the best so far


class History:
    """Every evaluation of a run, in the order in which they were told.

    The values are all kept; the points as well, up to 64 MiB of them, and after that those that were the best so far. Where known
    points are answered from memory, all points are kept.

    Attributes
    ----------
    fun : ndarray
        The value of each evaluation; NaN where it failed.
    violation : ndarray
        By how much each broke the constraints; infinity where it failed, which `errors` tells.
    errors : dict
        What went wrong, by the number of the evaluation.
    """

    def __init__(self, space: Space, sign: float = 1.0) -> None:
        self._space = space
        self._sign = sign
        self._fun = np.empty(64)
        self._violation = np.empty(64)
        self._slots = np.empty((64, len(space)))
        self._rows = np.empty(64, dtype=np.int64)  # the evaluation that each row of slots belongs to
        self._count = 0
        self._points = 0
        self.errors: dict[int, str] = {}
        self.by_value = False  # whether a penalty stands in for the violations
        self.limit: float = MEMORY  # bytes of points

    def __len__(self) -> int:
        return self._count

    @property
    def fun(self) -> Floats:
        return self._fun[: self._count]

    @property
    def violation(self) -> Floats:
        return self._violation[: self._count]

    @property
    def evaluations(self) -> Ints:
        """The number of the evaluation (from 0) that each kept point belongs to."""
        return self._rows[: self._points]

    @property
    def slots(self) -> Floats:
        """The kept points as methods see them, one row each."""
        return self._slots[: self._points]

    @property
    def x(self) -> list[Point]:
        """The kept points."""
        return [self._space.decode(row) for row in self.slots]

    def best_so_far(self) -> Floats:
        """The best feasible value after each evaluation, or the best of all under a penalty; NaN before there is one."""
        counts = np.isfinite(self.fun) & ((self.violation == 0) | self.by_value)
        values = np.where(counts, self._sign * self.fun, np.inf)
        best = np.minimum.accumulate(values)
        return np.where(np.isfinite(best), self._sign * best, np.nan)

    def evaluation(self, number: int) -> Evaluation:
        """An evaluation as it was recorded."""
        error = self.errors.get(number)
        return Evaluation(float(self._fun[number]), float(self._violation[number]), error, self.by_value and error is None)

    def record(self, slots: Floats, value: float, violation: float, error: str | None, is_best: bool) -> None:
        """Add one evaluation."""
        n = self._count
        if n == self._fun.size:
            self._fun, self._violation = _doubled(self._fun), _doubled(self._violation)
        self._fun[n] = value
        self._violation[n] = violation
        if error is not None:
            self.errors[n] = error
        self._count = n + 1
        if is_best or self._keeps_all():
            self._keep(n, slots)

    def record_block(self, slots: Floats, values: Floats, violations: Floats, is_best: Any, errors: dict[int, str]) -> None:
        """Add many evaluations at once."""
        self.errors |= errors
        first, count = self._count, values.size
        while first + count > self._fun.size:
            self._fun, self._violation = _doubled(self._fun), _doubled(self._violation)
        self._fun[first : first + count] = values
        self._violation[first : first + count] = violations
        self._count += count
        room = max(0, -(-(self.limit - self._points * len(self._space) * 8) // (len(self._space) * 8)))
        kept = np.flatnonzero(is_best | (np.arange(count) < room))
        while self._points + kept.size > self._rows.size:
            self._slots, self._rows = _doubled(self._slots), _doubled(self._rows)
        rows = slice(self._points, self._points + kept.size)
        self._slots[rows] = slots[kept]
        self._rows[rows] = first + kept
        self._points += kept.size

    def restore(self, fun: Floats, violation: Floats, slots: Floats, rows: Ints, errors: dict[int, str]) -> None:
        """Take the place of a history that was saved."""
        self._fun, self._violation, self._slots, self._rows = fun, violation, slots, rows
        self._count, self._points = fun.size, rows.size
        self.errors = errors

    def _keeps_all(self) -> bool:
        return self._points * len(self._space) * 8 < self.limit

    def _keep(self, number: int, slots: Floats) -> None:
        if self._points == self._rows.size:
            self._slots, self._rows = _doubled(self._slots), _doubled(self._rows)
        self._slots[self._points] = slots
        self._rows[self._points] = number
        self._points += 1

    def to_frame(self) -> "pandas.DataFrame":
        """One row a kept point: its variables, then evaluation, fun, violation and error."""
        try:
            import pandas
        except ImportError:
            raise MissingExtraError("to_frame() needs pandas; install it with: pip install 'luciole[plot]'") from None
        rows = self.evaluations
        points = [dict(zip(self._space, each, strict=True)) if self._space.as_array else each for each in self.x]
        frame = pandas.DataFrame(points, columns=self._space.names)
        for name, column in (("evaluation", rows), ("fun", self.fun[rows]), ("violation", self.violation[rows]),
                             ("error", [self.errors.get(int(n)) for n in rows])):
            frame[name + "_" * (name in self._space)] = column
        return frame

    def __repr__(self) -> str:
        return f"<History of {self._count} evaluations, {len(self.errors)} failed>"


def _doubled(array: Any) -> Any:
    return np.concatenate([array, np.empty_like(array) if len(array) else np.empty((64, *array.shape[1:]), array.dtype)])
