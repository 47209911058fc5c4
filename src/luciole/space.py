"""What a solution may be: a `Space` of named variables, and the way between points, arrays and slots."""

import html
import inspect
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from luciole._layout import CONTINUOUS, SAME, Codec, Floats, Layout, decode
from luciole._seed import Seed, make_rng
from luciole.choices import Boolean, Categorical, Ordinal
from luciole.errors import ArgumentError
from luciole.variables import Float, Integer, Variable

__all__ = ["Boolean", "Categorical", "Float", "Integer", "Ordinal", "Point", "Space", "Variable"]

TYPES: dict[str, type[Variable]] = {each.type_name: each for each in (Float, Integer, Boolean, Ordinal, Categorical)}

Point = dict[str, Any] | Floats
"""A solution as the objective receives it: a dict of values, or an array in a space made by `Space.from_bounds`."""


class Space(Mapping[str, Variable]):
    """The set of points an objective is searched over: variables by name, in order.

    Parameters
    ----------
    variables : dict, optional
        A variable for each name. A plain string, number, boolean or None stands for a fixed value.
    **more
        Further variables by keyword.

    Examples
    --------
    >>> import luciole as lc
    >>> space = lc.Space({"radius": lc.Float(10, 200), "coils": lc.Integer(1, 70)}, material="steel")
    >>> print(space)
    Space with 3 variables
      radius    float        10.0 to 200.0
      coils     integer      whole numbers from 1 to 70
      material  categorical  'steel'
    >>> space.sample(rng=0)
    {'radius': 131.02..., 'coils': 19, 'material': 'steel'}
    """

    as_array: bool
    """Whether points are arrays (a space from `from_bounds`) rather than dicts."""

    def __init__(self, variables: Mapping[str, Any] | None = None, /, **more: Any) -> None:
        given = {} if variables is None else variables
        if not isinstance(given, Mapping):
            raise ArgumentError(f"variables={given!r} must be a dict of names and variables; "
                                "for a list of bounds use Space.from_bounds")
        if twice := sorted(set(given) & set(more)):
            raise ArgumentError(f"the name {twice[0]!r} is given twice, in the dict and as a keyword")
        both = {**given, **more}
        if not both:
            raise ArgumentError("a space needs at least one variable")
        for name in both:
            if not isinstance(name, str) or not name:
                raise ArgumentError(f"the name {name!r} must be a non-empty string")
        self._variables = {name: _as_variable(name, each) for name, each in both.items()}
        self.as_array = False

    @classmethod
    def from_bounds(cls, bounds: Any, integrality: ArrayLike | None = None) -> "Space":
        """A space in SciPy's style, whose points are arrays.

        Parameters
        ----------
        bounds : sequence of (low, high), or scipy.optimize.Bounds
            The bounds of each variable.
        integrality : array-like of bool, optional
            Which variables are integers; one flag for all, or one each.

        Examples
        --------
        >>> import luciole as lc
        >>> lc.Space.from_bounds([(-5, 5), (0, 10)], integrality=[False, True]).sample(rng=0)
        array([1.36..., 2.   ])
        """
        if hasattr(bounds, "lb") and hasattr(bounds, "ub"):
            bounds = list(zip(np.atleast_1d(bounds.lb), np.atleast_1d(bounds.ub), strict=True))
        try:
            pairs = [(low, high) for low, high in bounds]
        except (TypeError, ValueError):
            raise ArgumentError(f"bounds={bounds!r} must be a sequence of (low, high) pairs") from None
        flags = np.asarray(False if integrality is None else integrality)
        try:
            if flags.dtype.kind not in "biuf":
                raise ValueError
            whole = np.broadcast_to(flags.astype(bool), len(pairs))
        except ValueError:
            raise ArgumentError(f"integrality={integrality!r} must be one flag, or one for each of the {len(pairs)} "
                                "variables") from None
        variables: dict[str, Variable] = {}
        for i, ((low, high), is_whole) in enumerate(zip(pairs, whole, strict=True)):
            try:
                variables[f"x{i}"] = Integer(low, high) if is_whole else Float(low, high)
            except ArgumentError as error:
                raise ArgumentError(f"bounds[{i}]: {error}") from None
        space = cls(variables)
        space.as_array = True
        return space

    # -- as a mapping -------------------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Variable:
        return self._variables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._variables)

    def __len__(self) -> int:
        return len(self._variables)

    @property
    def names(self) -> list[str]:
        """The names of the variables, in order."""
        return list(self._variables)

    @property
    def size(self) -> float:
        """How many points the space holds; infinity if a variable is continuous."""
        sizes = [each.size for each in self._variables.values()]
        return math.inf if math.inf in sizes else math.prod(sizes)

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Space) and self.as_array == other.as_array
                and list(self._variables.items()) == list(other._variables.items()))

    def __hash__(self) -> int:
        return hash(tuple(self._variables.items()))

    # -- points -------------------------------------------------------------------------------------------------------

    def sample(self, n: int | None = None, *, rng: Seed = None) -> Any:
        """Draw one point, or a list of `n` points, uniformly from the domain of each variable.

        Examples
        --------
        >>> import luciole as lc
        >>> lc.Space(a=lc.Boolean(), b=lc.Ordinal([1, 2, 4])).sample(2, rng=1)
        [{'a': True, 'b': 4}, {'a': False, 'b': 4}]
        """
        if n is not None and (isinstance(n, bool) or not isinstance(n, Integral) or n < 0):
            raise ArgumentError(f"n={n!r} must be a whole number of at least 0")
        generator = make_rng(rng)
        points = [self.decode(np.array([each.encode(each.sample(u)) for each, u in
                                        zip(self._variables.values(), generator.random(len(self)), strict=True)]))
                  for _ in range(1 if n is None else n)]
        return points[0] if n is None else points

    def validate(self, point: Any) -> Point:
        """Return the point with each value in its declared type; an `ArgumentError` says what is not allowed.

        Parameters
        ----------
        point : dict, or array-like of numbers
            In an array, numbers stand for themselves and other values for their position in the list.
        """
        return self.decode(self.encode(point))

    def __contains__(self, item: object) -> bool:
        """Whether a name is one of the variables, or a point (a dict or an array) lies in the space."""
        if isinstance(item, str):
            return item in self._variables
        try:
            self.encode(item)
        except ArgumentError:
            return False
        return True

    def encode(self, point: Any) -> Floats:
        """The slots of a point: the array of float64 that methods work on."""
        if isinstance(point, Mapping):
            if unknown := [name for name in point if name not in self._variables]:
                raise ArgumentError(f"the point has a variable {unknown[0]!r}; the space has {', '.join(self.names)}")
            if missing := [name for name in self._variables if name not in point]:
                raise ArgumentError(f"the point lacks the variable {missing[0]!r}")
            return np.array([self._encode_one(name, each.encode, point[name]) for name, each in self._variables.items()])
        try:
            numbers = np.asarray(point, dtype=np.float64)
        except (TypeError, ValueError):
            raise ArgumentError(f"the point {point!r} must be a dict of values or an array of {len(self)} numbers") from None
        if numbers.shape != (len(self),):
            raise ArgumentError(f"the point has the shape {numbers.shape}; the space has {len(self)} variables")
        return np.array([self._encode_one(name, each.from_number, number)
                         for (name, each), number in zip(self._variables.items(), numbers.tolist(), strict=True)])

    @staticmethod
    def _encode_one(name: str, encode: Any, value: Any) -> float:
        try:
            return float(encode(value))
        except ArgumentError as error:
            raise ArgumentError(f"{name}: {error}") from None

    def decode(self, slots: Floats) -> Point:
        """The point of the slots: a dict of values in their declared types, or an array in a space from `from_bounds`."""
        if self.as_array:
            return self.numbers(slots)
        return {name: each.decode(slot) for (name, each), slot in
                zip(self._variables.items(), slots.tolist(), strict=True)}

    def numbers(self, slots: Floats) -> Floats:
        """The slots as an array of numbers: values that are not numbers stand there by their position in the list."""
        if self.codec.plain:
            return slots.copy()
        out = np.empty(len(self))
        decode(self.codec, slots, out)
        return out

    @cached_property
    def layout(self) -> Layout:
        """What methods see of the space: the kind and the bounds of each slot."""
        each = self._variables.values()
        return Layout(np.array([v.kind for v in each], dtype=np.int64),
                      np.array([v.slot_low for v in each], dtype=np.float64),
                      np.array([v.slot_high for v in each], dtype=np.float64))

    @cached_property
    def codec(self) -> Codec:
        """The tables by which slots become numbers."""
        each = self._variables.values()
        rules = np.array([v.rule for v in each], dtype=np.int64)
        tables = [np.asarray(v.table, dtype=np.float64) for v in each]
        starts = np.cumsum([0, *(table.size for table in tables[:-1])], dtype=np.int64)
        bounds = [(v.low, v.high) if isinstance(v, Float) else (-math.inf, math.inf) for v in each]
        return Codec(bool(np.all(rules == SAME)), rules, np.array([low for low, _ in bounds], dtype=np.float64),
                     np.array([high for _, high in bounds], dtype=np.float64), starts, np.concatenate(tables))

    def relaxed(self) -> "Space":
        """The same box with every number made continuous, for methods that ignore which variables are whole.

        Values that are not numbers cannot be relaxed; an `ArgumentError` says so.
        """
        loose: dict[str, Variable] = {}
        for name, each in self._variables.items():
            if each.kind == CONTINUOUS:
                loose[name] = each
            elif isinstance(each, Float | Integer):
                loose[name] = Float(each.low, each.high, log=each.log)
            elif len(each.table):
                loose[name] = Float(float(min(each.table)), float(max(each.table)))
            else:
                raise ArgumentError(f"{name}: {each!r} has values that are not numbers and cannot be made continuous")
        space = Space(loose)
        space.as_array = self.as_array
        return space

    # -- as text ------------------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """A description that JSON and TOML can hold; `from_dict` reads it."""
        entries: dict[str, Any] = {}
        for name, each in self._variables.items():
            try:
                entries[name] = each.to_dict()
            except ArgumentError as error:
                raise ArgumentError(f"{name}: {error}") from None
        return entries

    @classmethod
    def from_dict(cls, entries: Mapping[str, Any]) -> "Space":
        """Read a description: for each name a table with its ``type`` and arguments, or a fixed value.

        Examples
        --------
        >>> import luciole as lc
        >>> lc.Space.from_dict({"coils": {"type": "integer", "low": 1, "high": 70}})["coils"]
        Integer(1, 70)
        """
        if not isinstance(entries, Mapping):
            raise ArgumentError(f"the space must be a table of variables by name, not {entries!r}")
        return cls({name: _from_entry(name, entry) for name, entry in entries.items()})

    def to_json(self) -> str:
        """The space as JSON text, all but values that JSON cannot hold."""
        return json.dumps({"as_array": self.as_array, "variables": self.to_dict()})

    @classmethod
    def from_json(cls, text: str) -> "Space":
        """Read what `to_json` wrote."""
        try:
            content = json.loads(text)
            space = cls.from_dict(content["variables"])
            space.as_array = bool(content["as_array"])
        except (KeyError, TypeError, json.JSONDecodeError) as error:
            raise ArgumentError(f"this is not a space written by to_json: {error}") from None
        return space

    def __repr__(self) -> str:
        inside = ", ".join(f"{name!r}: {each!r}" for name, each in self._variables.items())
        return f"Space({{{inside}}})"

    def _rows(self) -> list[tuple[str, str, str]]:
        """What a person is shown of each variable; of very many, the first and the last."""
        names = self.names if len(self) <= 60 else [*self.names[:25], "", *self.names[-25:]]
        return [(name, self[name].type_name, self[name].describe()) if name else ("...", "", "") for name in names]

    def __str__(self) -> str:
        count = f"{len(self)} variable{'s' if len(self) > 1 else ''}"
        shown = self._rows()
        widths = [max(len(row[column]) for row in shown) for column in range(2)]
        lines = [f"  {name:<{widths[0]}}  {kind:<{widths[1]}}  {domain}".rstrip() for name, kind, domain in shown]
        return "\n".join([f"Space with {count}", *lines])

    def _repr_html_(self) -> str:
        cells = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in self._rows())
        return ("<table><thead><tr><th>variable</th><th>kind</th><th>domain</th></tr></thead>"
                f"<tbody>{cells}</tbody></table>")


def _as_variable(name: str, given: Any) -> Variable:
    if isinstance(given, Variable):
        return given
    if given is None or isinstance(given, str | bool | int | float | np.number | np.bool_):
        return Categorical([given])
    if isinstance(given, type) and issubclass(given, Variable):
        raise ArgumentError(f"{name}: {given.__name__} is a class, not a variable; call it: {given.__name__}(...)")
    if isinstance(given, Sequence):
        bounds = f"Float({', '.join(map(repr, given))}) for bounds or " if len(given) == 2 else ""
        raise ArgumentError(f"{name}: {given!r} is not a variable; write {bounds}Categorical({list(given)!r}) for choices")
    raise ArgumentError(f"{name}: {given!r} is not a variable; use Float, Integer, Boolean, Ordinal, Categorical, or a fixed "
                        "string, number, boolean or None")


def _from_entry(name: str, entry: Any) -> Any:
    if not isinstance(entry, Mapping):
        return entry
    arguments = dict(entry)
    kind = arguments.pop("type", None)
    if not isinstance(kind, str) or kind not in TYPES:
        raise ArgumentError(f"{name}: type={kind!r} is not known; the types are {', '.join(TYPES)}")
    try:
        return TYPES[kind](**arguments)
    except TypeError:
        allowed = ", ".join(inspect.signature(TYPES[kind]).parameters) or "nothing else"
        given = ", ".join(sorted(arguments)) or "nothing"
        raise ArgumentError(f"{name}: type={kind!r} takes {allowed}, but {given} was given") from None
    except ArgumentError as error:
        raise ArgumentError(f"{name}: {error}") from None
