"""Where a search may start from: the many forms of `x0`, brought into one."""

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from luciole._layout import Floats
from luciole.errors import ArgumentError
from luciole.space import Space


class Known(NamedTuple):
    """A point whose value is known."""

    slots: Floats
    value: float
    violation: float


def known_points(space: Space, x0: Any) -> tuple[list[Known], list[Floats]]:
    """Sort what a user gave into points with a value and points without.

    Understood are one point (a dict, or an array of numbers), a list of points, a list of ``(point, value)`` or ``(point,
    value, violation)``, a DataFrame with a column for each variable and perhaps ``fun`` and ``violation``, a `Result`, the
    `best` of an `Optimizer`, and a result of SciPy, whose point is taken without its value.
    """
    # DataFrames first: their columns can have any of the names that are asked for below.
    if hasattr(x0, "to_dict") and hasattr(x0, "columns"):
        return _from_frame(space, x0)
    if hasattr(x0, "to_dict"):  # a row of a DataFrame
        x0 = x0.to_dict()
    elif hasattr(x0, "history"):
        return _from_history(space, x0.history)
    elif hasattr(x0, "violation") and hasattr(x0, "value"):
        x0 = [(x0.x, x0.value, x0.violation)]
    elif hasattr(x0, "nfev"):  # SciPy's constraints may have been others, so its value is not taken
        x0 = [x0.x]
    if _is_point(x0) or _is_pair(x0):
        x0 = [x0]
    if (not isinstance(x0, Sequence) and np.ndim(x0) != 2) or isinstance(x0, str):
        raise ArgumentError(f"x0={x0!r} must be a point, a list of points or (point, value) pairs, a DataFrame or a result")
    known: list[Known] = []
    fresh: list[Floats] = []
    for number, entry in enumerate(x0):
        try:
            if _is_pair(entry):
                known.append(_known(space.encode(entry[0]), *entry[1:]))
            else:
                fresh.append(space.encode(entry))
        except ArgumentError as error:
            raise ArgumentError(f"x0[{number}]: {error}") from None
    return [each for each in known if math.isfinite(each.value)], fresh


def _is_point(entry: Any) -> bool:
    """Whether this could be a point: values by name, or numbers in order."""
    if isinstance(entry, Mapping):
        return True
    listed = (isinstance(entry, Sequence) and not isinstance(entry, str)) or (isinstance(entry, np.ndarray) and entry.ndim == 1)
    return listed and len(entry) > 0 and all(isinstance(each, Real) for each in entry)


def _is_pair(entry: Any) -> bool:
    """Whether this is a point with its value, and perhaps its violation."""
    return isinstance(entry, tuple) and len(entry) in (2, 3) and _is_point(entry[0]) and not _is_point(entry[1])


def _known(slots: Floats, value: Any, violation: Any = 0.0) -> Known:
    if not isinstance(value, Real):
        raise ArgumentError(f"the value {value!r} of a known point must be a number")
    if not isinstance(violation, Real) or math.isnan(violation):
        raise ArgumentError(f"the violation {violation!r} of a known point must be a number")
    return Known(slots, float(value), max(float(violation), 0.0))


def _from_history(space: Space, history: Any) -> tuple[list[Known], list[Floats]]:
    try:
        known = [Known(space.encode(point), float(history.fun[n]), float(history.violation[n]))
                 for point, n in zip(history.x, history.evaluations, strict=True) if math.isfinite(history.fun[n])]
    except ArgumentError as error:
        raise ArgumentError(f"x0 is a result over another space: {error}") from None
    return known, []


def _from_frame(space: Space, frame: Any) -> tuple[list[Known], list[Floats]]:
    if missing := [name for name in space if name not in frame.columns]:
        raise ArgumentError(f"x0: the DataFrame lacks the column {missing[0]!r}; it needs {', '.join(space)}")
    known: list[Known] = []
    fresh: list[Floats] = []
    columns = {name: frame[name].tolist() for name in space}
    values = frame["fun"].tolist() if "fun" in frame.columns and "fun" not in space else None
    violations = frame["violation"].tolist() if "violation" in frame.columns and "violation" not in space else None
    for row in range(len(frame)):
        try:
            slots = space.encode({name: column[row] for name, column in columns.items()})
        except ArgumentError as error:
            raise ArgumentError(f"x0, row {row}: {error}") from None
        if values is None:
            fresh.append(slots)
        elif math.isfinite(values[row]) and not (violations and math.isnan(violations[row])):
            known.append(_known(slots, values[row], 0.0 if violations is None else violations[row]))
    return known, fresh
