"""The functions as problems: which variables are whole numbers or labels, and what a point may be."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from luciole._layout import Floats
from luciole._objective import Kernel, KernelObjective
from luciole._seed import Seed, make_rng
from luciole.errors import ArgumentError
from luciole.problem import Problem
from luciole.problems.cec2013._data import DIMENSIONS, load_shifts
from luciole.problems.cec2013._table import EDITIONS, FUNCTIONS
from luciole.space import Categorical, Float, Space, Variable

BOUND = 100
MIXED_HINT = "mixed={!r} must be True, False, a float from 0.0 to 1.0 or a list of variables"


@dataclass(frozen=True)
class Cec2013Objective(KernelObjective):
    """One function in one dimension and edition, or its distance to a goal."""

    number: int
    dim: int
    edition: str
    goal: float = np.nan

    def kernel(self) -> Kernel:
        from luciole.problems.cec2013._evaluate import kernel_of

        return kernel_of(self.number, self.dim, self.edition)

    def __reduce__(self) -> tuple[Any, ...]:
        # Several processes that fill a cold cache at once can crash: compile before the first one gets this.
        self.kernel()
        return type(self), (self.number, self.dim, self.edition, self.goal)


class Cec2013Problem(Problem):
    """A function of CEC 2013 over a mixed space; `cec2013` makes one.

    A problem called with a point, or `evaluate_many` with a matrix, evaluates the formula at points outside [-100, 100] as
    well. The compiled kernel, which the loops of `minimize` call by its address, checks nothing: neither the length of a point
    nor whether a whole number is one, and NaN gives NaN.

    Attributes
    ----------
    number : int
        1 to 28.
    name, title : str
        What commands and tables call it, such as ``"cec2013-f7"``, and the name in the technical report.
    category : str
        ``"unimodal"``, ``"multimodal"`` or ``"composition"``.
    continuous, separable, symmetric : bool
        Properties of the function on real numbers.
    dim : int
        The number of variables.
    edition : str
        ``"official"`` or ``"opfunu-1.0.1"``.
    optimum : float
        The value f* at the optimum of the function on real numbers; 0 for `absolute_error`. Where some variables are whole
        numbers it is a bound that cannot be reached. In the edition ``"opfunu-1.0.1"`` it is none for F14, F15, F22 and F23,
        which fall below it.
    """

    objective: Cec2013Objective

    def __init__(self, number: int, dim: int = 50, mixed: bool | float | Iterable[int] = True, edition: str = "official", *,
                 mixed_as: str = "integer", seed: Seed = 0) -> None:
        number = _choice("number", number, FUNCTIONS, "a whole number from 1 to 28")
        dim = _choice("dim", dim, DIMENSIONS, f"one of {', '.join(map(str, DIMENSIONS))}")
        if not isinstance(edition, str) or edition not in EDITIONS:
            raise ArgumentError(f"edition={edition!r} is not known; use {' or '.join(map(repr, EDITIONS))}")
        if mixed_as not in ("integer", "categorical"):
            raise ArgumentError(f"mixed_as={mixed_as!r} is not known; use 'integer' or 'categorical'")
        if not isinstance(seed, int | np.integer | np.random.Generator) or isinstance(seed, bool):
            raise ArgumentError(f"seed={seed!r} must be a whole number or a numpy.random.Generator")
        about = FUNCTIONS[number]
        whole = _whole_variables(mixed, dim)
        super().__init__(
            Cec2013Objective(number, dim, edition), _space(dim, whole, mixed_as, seed), name=f"cec2013-f{number}",
            title=about.title, category=about.category, takes_array=True, optimum=about.optimum,
            best_known=None if whole else load_shifts()[0, :dim],
        )
        self.number, self.dim, self.edition = number, dim, edition
        self.continuous, self.separable, self.symmetric = about.continuous, about.separable, about.symmetric
        self._whole = np.isin(np.arange(dim), whole).astype(np.float64)
        self._labelled = mixed_as == "categorical"
        self._largest = BOUND if self._labelled else np.inf

    def absolute_error(self) -> "Cec2013Problem":
        """The same problem, minimising ``|f - f*|``; its optimum is 0."""
        problem: Cec2013Problem = object.__new__(type(self))
        problem.__dict__ |= self.__dict__
        problem.objective = Cec2013Objective(self.number, self.dim, self.edition, goal=FUNCTIONS[self.number].optimum)
        problem.optimum = 0.0
        problem.value_name = "error"
        return problem

    def __call__(self, point: Any) -> float:
        """The value at a point, given as a dict of values or an array of numbers; it may lie outside the box."""
        if isinstance(point, Mapping):
            point = self._from_dict(point)
        try:
            numbers = _as_numbers(point)
        except (TypeError, ValueError, OverflowError):
            raise ArgumentError(f"the point {point!r} must be a dict of values or an array of {self.dim} numbers") from None
        if numbers.shape != (self.dim,):
            raise ArgumentError(f"the point has the shape {numbers.shape}; the space has {self.dim} variables")
        return float(self.evaluate_many(numbers[np.newaxis])[0])

    def evaluate_many(self, points: ArrayLike, threads: int = 1) -> Floats:
        """The value at each row of a matrix of numbers; rows may lie outside the box.

        Parameters
        ----------
        points : array-like of shape (m, dim)
            The points. Labels stand there as the numbers they are.
        threads : int
            How many threads share the rows. The values do not depend on it.
        """
        from luciole.problems.cec2013._evaluate import are_points, evaluate_rows

        if isinstance(threads, bool) or not isinstance(threads, Integral) or int(threads) < 1:
            raise ArgumentError(f"threads={threads!r} must be a whole number of at least 1")
        try:
            rows = _as_numbers(points)
        except (TypeError, ValueError, OverflowError):
            raise ArgumentError(f"points={points!r} must be a matrix of numbers") from None
        if rows.ndim != 2 or rows.shape[1] != self.dim:
            raise ArgumentError(f"points has the shape {rows.shape}; it must have a row for each point and {self.dim} columns")
        if not rows.flags.writeable:  # only for the type that compiled code asks for
            rows = rows.copy()
        if not are_points(rows, self._whole) or (self._labelled and (np.abs(rows * self._whole) > BOUND).any()):
            self._refuse(rows)
        values = evaluate_rows(self.objective.kernel(), rows, int(threads))
        return values if np.isnan(self.objective.goal) else np.abs(values - self.objective.goal)

    def _from_dict(self, point: Mapping[str, Any]) -> list[Any]:
        if unknown := [name for name in point if name not in self.space]:
            raise ArgumentError(f"the point has a variable {unknown[0]!r}; the space has {', '.join(self.space.names)}")
        if missing := [name for name in self.space if name not in point]:
            raise ArgumentError(f"the point lacks the variable {missing[0]!r}")
        return [point[name] for name in self.space]

    def _refuse(self, rows: Floats) -> None:
        """Say what is wrong with one of the rows."""
        broken = ~np.isfinite(rows)
        allowed = "a finite number is needed"
        if not broken.any():
            broken = (self._whole > 0) & ((rows != np.rint(rows)) | (np.abs(rows) > self._largest))
            allowed = f"labels are the whole numbers from -{BOUND} to {BOUND}" if self._labelled else "a whole number is needed"
        row, column = np.argwhere(broken)[0]
        place = f"points[{row}]: " if len(rows) > 1 else ""
        raise ArgumentError(f"{place}{self.space.names[column]}: {rows[row, column]} is not allowed; {allowed}")


def cec2013(number: int, dim: int = 50, mixed: bool | float | Iterable[int] = True, edition: str = "official", *,
            mixed_as: str = "integer", seed: Seed = 0) -> Cec2013Problem:
    """A function of the CEC 2013 suite, some of whose variables are whole numbers.

    All variables lie in [-100, 100]. Points are arrays; with ``mixed_as="categorical"`` they are dicts.

    Parameters
    ----------
    number : int
        1 to 28.
    dim : int
        2, 5, 10, 20, 30, ..., 100.
    mixed : bool, float or sequence of int
        Which variables are whole numbers: True for the second half (the last ``dim // 2``), False for none, a float from 0.0 to
        1.0 for the last so many parts of all, or a list of variables, counted from 0.
    edition : {"official", "opfunu-1.0.1"}
        What the organisers' program computes, or what that package computed.
    mixed_as : {"integer", "categorical"}
        Whether methods see these variables as whole numbers, or each value as a label without an order.
    seed : int or numpy.random.Generator
        Fixes the random order in which the labels are listed, another one for each variable.

    Returns
    -------
    Cec2013Problem
        Whose values are f, with the function's bias, in both editions.

    Examples
    --------
    >>> import luciole as lc
    >>> problem = lc.problems.cec2013(7, dim=10)
    >>> problem.title, problem.category, problem.optimum
    ("Rotated Schaffer's F7 Function", 'multimodal', -800.0)
    >>> problem.space["x4"], problem.space["x5"]
    (Float(-100.0, 100.0), Integer(-100, 100))
    """
    return Cec2013Problem(number, dim, mixed, edition, mixed_as=mixed_as, seed=seed)


def _as_numbers(given: Any) -> Floats:
    """A contiguous array of float64; neither text nor complex numbers count as numbers."""
    array = np.asarray(given)
    if array.dtype.kind not in "biufO" or isinstance(given, np.ma.MaskedArray):
        raise TypeError("not an array of real numbers")
    if array.dtype.kind == "O" and not all(isinstance(each, Real) for each in array.ravel()):
        raise TypeError("not an array of real numbers")
    return np.ascontiguousarray(array, dtype=np.float64)


def _choice(name: str, value: Any, allowed: Container[Any], described: str) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or value not in allowed:
        raise ArgumentError(f"{name}={value!r} must be {described}")
    return int(value)


def _whole_variables(mixed: Any, dim: int) -> list[int]:
    """The variables that are whole numbers, in order."""
    if isinstance(mixed, bool | np.bool_):
        return list(range(dim - dim // 2, dim)) if mixed else []
    if isinstance(mixed, Real):
        if isinstance(mixed, Integral) or not 0 <= float(mixed) <= 1:
            raise ArgumentError(MIXED_HINT.format(mixed))
        return list(range(dim - round(float(mixed) * dim), dim))
    if isinstance(mixed, str | bytes) or not isinstance(mixed, Iterable):
        raise ArgumentError(MIXED_HINT.format(mixed))
    if isinstance(mixed, np.ndarray) and mixed.ndim != 1:
        raise ArgumentError(MIXED_HINT.format(mixed))
    listed = list(mixed)
    for each in listed:
        if isinstance(each, bool | np.bool_) or not isinstance(each, Integral) or not 0 <= int(each) < dim:
            raise ArgumentError(f"mixed: {each!r} is not a variable; use whole numbers from 0 to {dim - 1}")
    if len(set(listed)) < len(listed):
        raise ArgumentError(f"mixed={listed!r} lists a variable twice")
    return sorted(map(int, listed))


def _space(dim: int, whole: list[int], mixed_as: str, seed: Seed) -> Space:
    if mixed_as == "integer":
        return Space.from_bounds([(-BOUND, BOUND)] * dim, integrality=np.isin(np.arange(dim), whole))
    rng = make_rng(seed)
    labels = np.arange(-BOUND, BOUND + 1)
    variables: dict[str, Variable] = {f"x{i}": Float(-BOUND, BOUND) for i in range(dim)}
    for i in whole:
        variables[f"x{i}"] = Categorical(rng.permutation(labels).tolist())
    return Space(variables)
