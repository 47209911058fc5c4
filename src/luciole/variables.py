"""What a variable is, and the two that are numbers between bounds: `Float` and `Integer`."""

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from decimal import Decimal
from functools import cached_property
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from luciole._layout import (
    CONTINUOUS,
    EXP,
    EXP_WHOLE,
    INTEGER,
    LOG_INTEGER,
    SAME,
    TABLE,
    draw,
    settle,
)
from luciole.errors import ArgumentError

LARGEST_INTEGER = 2**52  # up to here, every whole number and a half is a float64
LARGEST_LOG_INTEGER = 10**11  # up to here, the logarithm of a whole number leads back to it
LARGEST_GRID = 10_000_000
WIDEST = 1e150  # up to here, the squares of distances are finite


class Variable:
    """One variable of a space. Use a subclass.

    Methods see a variable as a *slot*, one float64 with a kind and bounds; a variable turns values into slots and back.
    """

    type_name: ClassVar[str]

    @property
    def kind(self) -> int:
        """How methods move the slot: continuous, integer, ordered or categorical."""
        raise NotImplementedError

    @property
    def slot_low(self) -> float:
        """The lowest slot."""
        raise NotImplementedError

    @property
    def slot_high(self) -> float:
        """The highest slot."""
        raise NotImplementedError

    @property
    def rule(self) -> int:
        """How a slot becomes the number that stands for the value in an array."""
        return SAME

    @property
    def table(self) -> Sequence[float]:
        """The number for each slot position, for variables that look it up."""
        return ()

    @property
    def size(self) -> float:
        """How many values the variable can take; infinity if it is continuous."""
        raise NotImplementedError

    def encode(self, value: Any) -> float:
        """The slot of a value; an `ArgumentError` if the value is not allowed."""
        raise NotImplementedError

    def decode(self, slot: float) -> Any:
        """The value of a slot, in the type that was declared."""
        raise NotImplementedError

    def sample(self, u: float) -> Any:
        """The value for a number u in [0, 1), uniform over the domain if u is."""
        return self.decode(draw(u, self.kind, self.slot_low, self.slot_high))

    def from_number(self, number: float) -> float:
        """The slot of a number as it stands in an array; numbers stand for themselves."""
        return self.encode(number)

    def nearest(self, slot: float) -> float:
        """The admissible slot nearest to a real number."""
        return settle(slot, self.kind, self.slot_low, self.slot_high)

    def to_dict(self) -> dict[str, Any]:
        """A description of the variable that JSON and TOML can hold."""
        raise NotImplementedError

    def describe(self) -> str:
        """The domain in a few words."""
        raise NotImplementedError


@dataclass(frozen=True)
class _Numeric(Variable):
    """What `Float` and `Integer` share: bounds, a logarithm or a step."""

    low: Any
    high: Any
    _: KW_ONLY
    log: bool = False
    step: Any = None

    def __post_init__(self) -> None:
        if not isinstance(self.log, bool):
            raise ArgumentError(f"{self._label}: log={self.log!r} must be True or False")
        for name in ("low", "high"):
            object.__setattr__(self, name, self._number(name, getattr(self, name)))
        if self.low > self.high:
            raise ArgumentError(f"{self._label}: low={self.low!r} is above high={self.high!r}; low <= high is needed")
        if self.step is not None:
            object.__setattr__(self, "step", self._number("step", self.step))
            if self.step <= 0:
                raise ArgumentError(f"{self._label}: step={self.step!r} must be above 0")
            if self.log:
                raise ArgumentError(f"{self._label}: log=True and step={self.step!r} cannot be combined; "
                                    "list the values in an Ordinal instead")
            if (self.high - self.low) / self.step > LARGEST_GRID:
                raise ArgumentError(f"{self._label}: step={self.step!r} gives more than {LARGEST_GRID:,} values; leave it out")
            object.__setattr__(self, "high", self.grid[-1])
        if self.log and self.low <= 0:
            raise ArgumentError(f"{self._label}: log=True needs low > 0, not low={self.low!r}")
        if not (self.log or self.high - self.low <= WIDEST):
            raise ArgumentError(f"{self._label}: low={self.low!r} and high={self.high!r} are too far apart; at most {WIDEST:g} "
                                "is allowed, or log=True")

    @property
    def _label(self) -> str:
        return type(self).__name__

    def _number(self, name: str, value: Any) -> Any:
        raise NotImplementedError

    @cached_property
    def grid(self) -> list[Any]:
        """The values a stepped variable can take, as a person would write them: 0.3, not 0.30000000000000004."""
        if isinstance(self.low, int):
            return list(range(self.low, self.high + 1, self.step))
        low, step = Decimal(str(self.low)), Decimal(str(self.step))
        high = Decimal(str(self.high))
        last = int((high - low) / step + Decimal("1e-9"))  # a step such as 1/3 may miss the upper bound by a hair
        values = [float(low + i * step) for i in range(last)]
        end = low + last * step
        return [*values, self.high if abs(high - end) < step * Decimal("1e-9") else float(end)]

    @property
    def table(self) -> Sequence[float]:
        return self.grid if self.step is not None else ()

    def _position(self, value: Any) -> float:
        """The grid position of a value of a stepped variable."""
        position = round((value - self.low) / self.step)
        if not math.isclose(self.grid[position], value, rel_tol=1e-9, abs_tol=1e-9 * self.step):
            raise ArgumentError(f"{value!r} is not allowed; the values are {self.describe()}")
        return float(position)

    def _check_bounds(self, value: Any) -> None:
        if not self.low <= value <= self.high:
            raise ArgumentError(f"{value!r} is not allowed; the values are {self.describe()}")

    def to_dict(self) -> dict[str, Any]:
        entry: dict[str, Any] = {"type": self.type_name, "low": self.low, "high": self.high}
        if self.log:
            entry["log"] = True
        if self.step is not None:
            entry["step"] = self.step
        return entry

    def __repr__(self) -> str:
        extras = (", log=True" if self.log else "") + (f", step={self.step!r}" if self.step is not None else "")
        return f"{self._label}({self.low!r}, {self.high!r}{extras})"


@dataclass(frozen=True, repr=False)
class Float(_Numeric):
    """A real number between two bounds.

    Parameters
    ----------
    low, high : float
        The bounds, both allowed.
    log : bool
        Search in the logarithm, for values that range over several powers of ten. Needs ``low > 0``.
    step : float, optional
        Allow only ``low, low + step, low + 2 step, ...`` up to `high`. Methods move a stepped variable from neighbour to
        neighbour, as they do an `Integer`.

    Examples
    --------
    >>> import luciole as lc
    >>> lc.Float(1e-5, 1e-1, log=True)
    Float(1e-05, 0.1, log=True)
    """

    type_name: ClassVar[str] = "float"

    def _number(self, name: str, value: Any) -> float:
        if isinstance(value, bool | np.bool_) or not isinstance(value, Real) or not math.isfinite(value):
            raise ArgumentError(f"Float: {name}={value!r} must be a finite number")
        return float(value)

    @property
    def kind(self) -> int:
        return CONTINUOUS if self.step is None else INTEGER

    @property
    def rule(self) -> int:
        if self.step is not None:
            return TABLE
        return EXP if self.log else SAME

    @property
    def slot_low(self) -> float:
        return self._slot(self.low)

    @property
    def slot_high(self) -> float:
        return self._slot(self.high)

    @property
    def size(self) -> float:
        if self.step is not None:
            return len(self.grid)
        return math.inf if self.low < self.high else 1

    def _slot(self, value: float) -> float:
        if self.step is not None:
            return self._position(value)
        return math.log(value) if self.log else value

    def encode(self, value: Any) -> float:
        if isinstance(value, bool | np.bool_) or not isinstance(value, Real) or math.isnan(value):
            raise ArgumentError(f"{value!r} is not allowed; the values are {self.describe()}")
        self._check_bounds(value)
        return self._slot(float(value))

    def decode(self, slot: float) -> float:
        if self.step is not None:
            return float(self.grid[int(slot)])
        return min(max(math.exp(slot), float(self.low)), float(self.high)) if self.log else float(slot)

    def describe(self) -> str:
        if self.step is not None:
            return f"{self.low!r} to {self.high!r} in steps of {self.step!r}"
        return f"{self.low!r} to {self.high!r}" + (", logarithmic" if self.log else "")


@dataclass(frozen=True, repr=False)
class Integer(_Numeric):
    """A whole number between two bounds.

    Parameters
    ----------
    low, high : int
        The bounds, both allowed; whole floats such as ``70.0`` are taken as integers.
    log : bool
        Search in the logarithm. Needs ``low > 0``.
    step : int, optional
        Allow only ``low, low + step, low + 2 step, ...`` up to `high`.

    Examples
    --------
    >>> import luciole as lc
    >>> lc.Integer(16, 1024, log=True)
    Integer(16, 1024, log=True)
    """

    type_name: ClassVar[str] = "integer"

    def _number(self, name: str, value: Any) -> int:
        whole = _whole(value)
        if name == "high" and self.log and whole is not None and whole > LARGEST_LOG_INTEGER:
            raise ArgumentError(f"Integer: high={value!r} is above 10**11, the most that log=True allows")
        if whole is None or abs(whole) > LARGEST_INTEGER:
            raise ArgumentError(f"Integer: {name}={value!r} must be a whole number of at most 2**52 in size")
        return whole

    @property
    def kind(self) -> int:
        return LOG_INTEGER if self.log else INTEGER

    @property
    def rule(self) -> int:
        if self.step is not None:
            return TABLE
        return EXP_WHOLE if self.log else SAME

    @property
    def slot_low(self) -> float:
        return self._slot(self.low)

    @property
    def slot_high(self) -> float:
        return self._slot(self.high)

    @property
    def size(self) -> float:
        return int((self.high - self.low) // (self.step or 1) + 1)

    def _slot(self, value: int) -> float:
        if self.step is not None:
            return self._position(value)
        return math.log(value) if self.log else float(value)

    def encode(self, value: Any) -> float:
        whole = _whole(value)
        if whole is None:
            raise ArgumentError(f"{value!r} is not allowed; the values are {self.describe()}")
        self._check_bounds(whole)
        return self._slot(whole)

    def decode(self, slot: float) -> int:
        if self.step is not None:
            return int(self.grid[int(slot)])
        return math.floor(math.exp(slot) + 0.5) if self.log else int(slot)

    def describe(self) -> str:
        step = f" in steps of {self.step!r}" if self.step is not None else ""
        return f"whole numbers from {self.low!r} to {self.high!r}{step}" + (", logarithmic" if self.log else "")


def _whole(value: Any) -> int | None:
    """A whole number as an int, or None if it is not one."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real) or not math.isfinite(value):
        return None
    if isinstance(value, Integral):
        return int(value)
    return int(float(value)) if float(value).is_integer() else None
