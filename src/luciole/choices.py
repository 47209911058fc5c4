"""Variables that take one of a list of values: `Ordinal`, `Categorical`, `Boolean`."""

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from luciole._layout import CATEGORICAL, ORDERED, SAME, TABLE
from luciole.errors import ArgumentError
from luciole.variables import Variable


class _Listed(Variable):
    """What `Ordinal` and `Categorical` share: a list of values, any objects, given back as they are."""

    values: tuple[Any, ...]

    def __init__(self, values: Iterable[Any]) -> None:
        if isinstance(values, str | bytes | Set | Mapping) or not isinstance(values, Iterable):
            raise ArgumentError(f"{type(self).__name__}: values={values!r} must be a list of values")
        listed = tuple(map(_unboxed, values))
        if not listed:
            raise ArgumentError(f"{type(self).__name__}: values is empty; at least one value is needed")
        object.__setattr__(self, "values", listed)
        self._positions = self._index()

    def _index(self) -> dict[Any, int]:
        """Positions by value, for values that can be hashed; says so if a value stands twice."""
        positions: dict[Any, int] = {}
        for position, value in enumerate(self.values):
            try:
                key = (type(value), value)
                if key in positions:
                    raise ArgumentError(f"{type(self).__name__}: the value {value!r} is listed twice")
                positions[key] = position
            except TypeError:
                if any(_same(value, earlier) for earlier in self.values[:position]):
                    raise ArgumentError(f"{type(self).__name__}: the value {value!r} is listed twice") from None
        return positions

    def __getstate__(self) -> tuple[Any, ...]:
        return self.values  # the index holds types, and not all of them can be pickled

    def __setstate__(self, values: tuple[Any, ...]) -> None:
        object.__setattr__(self, "values", values)
        self._positions = self._index()

    @property
    def slot_low(self) -> float:
        return 0.0

    @property
    def slot_high(self) -> float:
        return len(self.values) - 1.0

    @property
    def size(self) -> float:
        return len(self.values)

    @cached_property
    def is_numeric(self) -> bool:
        """Whether all values are different finite numbers, which then stand for themselves in arrays."""
        numbers = [float(each) for each in self.values if isinstance(each, int | float) and abs(each) < 1e300]
        return len(set(numbers)) == len(self.values)

    @property
    def rule(self) -> int:
        return TABLE if self.is_numeric else SAME

    @property
    def table(self) -> Sequence[float]:
        return self.values if self.is_numeric else ()

    def encode(self, value: Any) -> float:
        value = _unboxed(value)
        try:
            position = self._positions.get((type(value), value))
        except TypeError:
            position = None
        if position is None:
            position = next((i for i, each in enumerate(self.values) if _same(each, value)), None)
        if position is None and type(value) in (int, float) and self.is_numeric:
            position = next((i for i, each in enumerate(self.values)
                             if type(each) in (int, float) and math.isclose(each, value, rel_tol=1e-12)), None)
        if position is None:
            raise ArgumentError(f"{value!r} is not allowed; the values are {self.describe()}")
        return float(position)

    def decode(self, slot: float) -> Any:
        return self.values[int(slot)]

    def from_number(self, number: float) -> float:
        if self.is_numeric:
            for position, value in enumerate(self.values):
                if math.isclose(value, number, rel_tol=1e-12):
                    return float(position)
            raise ArgumentError(f"{number!r} is not allowed; the values are {self.describe()}")
        if not 0 <= number < len(self.values) or number != int(number):
            raise ArgumentError(f"{number!r} is not allowed; the positions are 0 to {len(self.values) - 1}")
        return float(number)

    def describe(self) -> str:
        if len(self.values) <= 8:
            return ", ".join(map(repr, self.values))
        return ", ".join(map(repr, self.values[:3])) + f", ... {self.values[-1]!r} ({len(self.values)} values)"

    def to_dict(self) -> dict[str, Any]:
        for value in self.values:
            # Exactly these types: others, such as enumerations, would come back as something else.
            if type(value) not in (str, bool, int, float, type(None)) or (type(value) is float and not math.isfinite(value)):
                raise ArgumentError(f"the value {value!r} of type {type(value).__name__} cannot be written to JSON; "
                                    "only strings, finite numbers, booleans and None can")
        return {"type": self.type_name, "values": list(self.values)}

    def __eq__(self, other: object) -> bool:
        return (type(self) is type(other) and isinstance(other, _Listed) and len(self.values) == len(other.values)
                and all(map(_same, self.values, other.values)))

    def __hash__(self) -> int:
        return hash((type(self), len(self.values)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self.values)!r})"


class Ordinal(_Listed):
    """One of a list of values whose order means something, such as sizes in a catalogue.

    Parameters
    ----------
    values : list
        The values from first to last; any objects. They come back as the very objects listed.

    Examples
    --------
    >>> import luciole as lc
    >>> lc.Ordinal(["small", "medium", "large"])
    Ordinal(['small', 'medium', 'large'])
    """

    type_name: ClassVar[str] = "ordinal"

    @property
    def kind(self) -> int:
        return ORDERED


class Categorical(_Listed):
    """One of a list of values without an order, such as materials.

    Parameters
    ----------
    values : list
        The choices; any objects. They come back as the very objects listed.

    Examples
    --------
    >>> import luciole as lc
    >>> lc.Categorical(["steel", "titanium"])
    Categorical(['steel', 'titanium'])
    """

    type_name: ClassVar[str] = "categorical"

    @property
    def kind(self) -> int:
        return CATEGORICAL


class Boolean(Categorical):
    """False or True.

    Examples
    --------
    >>> import luciole as lc
    >>> lc.Boolean()
    Boolean()
    """

    type_name: ClassVar[str] = "boolean"

    def __init__(self) -> None:
        super().__init__([False, True])

    def to_dict(self) -> dict[str, Any]:
        return {"type": self.type_name}

    def describe(self) -> str:
        return "False or True"

    def __repr__(self) -> str:
        return "Boolean()"


def _unboxed(value: Any) -> Any:
    """NumPy's numbers, strings and booleans as Python's; anything else as it is."""
    return value.item() if isinstance(value, np.number | np.bool_ | np.str_) else value


def _same(a: Any, b: Any) -> bool:
    """Whether two listed values are the same one: True is not 1, and 1 is not 1.0."""
    if a is b:
        return True
    try:
        return type(a) is type(b) and bool(a == b)
    except Exception:  # an exotic == (arrays, for one) means: not the same
        return False
