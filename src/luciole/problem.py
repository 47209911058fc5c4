"""What is minimised: an objective over a space, with its constraints, and how one evaluation of it is judged."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from luciole._compile import is_compiled
from luciole._layout import Floats
from luciole._objective import KernelObjective
from luciole.errors import ArgumentError, CheckError, ObjectiveError, StateError
from luciole.space import Space

Direction = Literal["minimize", "maximize"]
OnError = Literal["raise", "penalise"]
Penalty = float | Callable[[float, Floats], float]


EQUALITY_TOLERANCE = 1e-6


class Evaluation(NamedTuple):
    """What one evaluation gave.

    A failed one (an exception, or a value or constraint that is not finite) has an `error` and can never be the best.
    """

    value: float
    violation: float = 0.0
    """By how much the constraints are broken in all; 0 where the point is feasible."""
    error: str | None = None
    by_value: bool = False
    """Whether a penalty is in the value already, so that points are compared by value alone."""


@dataclass(frozen=True)
class Constraint:
    """A condition on the points.

    Parameters
    ----------
    function : callable
        Takes a point, returns a number or several.
    equality : bool
        Feasible where the numbers are 0, rather than where they are at most 0.
    tolerance : float, optional
        By how much a number may miss without counting as broken. Left out: 0, or 1e-6 for an equality.
    name : str
        What to call it in reports.

    Examples
    --------
    >>> import luciole as lc
    >>> on_circle = lc.Constraint(lambda p: p["x"] ** 2 + p["y"] ** 2 - 1, equality=True, tolerance=1e-3)
    """

    function: Callable[[Any], Any]
    equality: bool = False
    tolerance: float | None = None
    name: str = ""

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ArgumentError(f"the constraint {self.function!r} must be callable: a function of a point, feasible where <= 0")
        if self.tolerance is None:
            object.__setattr__(self, "tolerance", EQUALITY_TOLERANCE if self.equality else 0.0)
        elif not (isinstance(self.tolerance, Real) and 0 <= self.tolerance < math.inf):
            raise ArgumentError(f"tolerance={self.tolerance!r} must be a finite number of at least 0")

    def violations(self, point: Any) -> list[float]:
        """By how much the point breaks each condition; 0 where it does not, NaN where the function gave none."""
        numbers = _numbers(self.function(point), f"the constraint {self.name or getattr(self.function, '__name__', '')}".rstrip())
        tolerance = self.tolerance or 0.0
        return [_excess((abs(g) if self.equality else g), tolerance) for g in numbers]


class Problem:
    """An objective over a space, ready to be minimised.

    Parameters
    ----------
    objective : callable
        Takes a point (a dict of values, or an array in a space from `Space.from_bounds`) and returns a number, or a number
        and a sequence of constraint values, feasible where all are at most 0.
    space : Space
        Where to search.
    constraints : sequence of callables or Constraint
        Conditions on the points; a plain callable is feasible where it returns at most 0. `scipy.optimize.NonlinearConstraint`
        and `scipy.optimize.LinearConstraint` are understood as well.
    direction : {"minimize", "maximize"}
        Which way is better.
    penalty : float or callable, optional
        Left out, a feasible point beats an infeasible one and less violation, summed over the constraints in their own units,
        beats more (Deb's rules). A number is by how much each unit of violation worsens the value; a callable gets the value
        and the array of violations and returns the value to judge by. Then points are compared by that value alone, and it is
        what results report, beside the true violation.
    takes_array : bool
        Hand the objective and the constraints an array of numbers even though the variables have names. Values that are not
        numbers stand in it by their position in the list. Objectives compiled with Numba always get one.
    constraint_names : sequence of str, or dict, optional
        What to call the constraint values that the objective returns beside its value, in their order. A dict also gives the size
        of the limit behind each, by which `check` tells a rounding from a broken constraint.
    name : str
        What to call the problem, in a word.
    title : str
        What it is, in a line.
    category : str
        Which kind of problem it is, for lists.
    value_name : str
        What to call the value in reports: cost, weight, error.
    units : dict, optional
        The units of the variables, for reports.
    optimum : float, optional
        The best value there is, if known.
    best_known : point, optional
        Where it is, if known.

    Examples
    --------
    >>> import luciole as lc
    >>> problem = lc.Problem(lambda p: p["x"] ** 2, lc.Space(x=lc.Float(-1, 1)), optimum=0)
    >>> problem({"x": 0.5})
    0.25
    """

    def __init__(self, objective: Callable[[Any], Any], space: Space, *,
                 constraints: Iterable[Any] = (), direction: Direction = "minimize", penalty: Penalty | None = None,
                 takes_array: bool = False, constraint_names: Sequence[str] | Mapping[str, float] = (), name: str = "",
                 title: str = "", category: str = "", value_name: str = "value", units: Mapping[str, str] | None = None,
                 optimum: float | None = None, best_known: Any = None) -> None:
        if not callable(objective):
            raise ArgumentError(f"objective={objective!r} must be callable: a function of a point that returns a number")
        if not isinstance(space, Space):
            hint = "Space(...)" if isinstance(space, Mapping) else "Space.from_bounds(...)"
            raise ArgumentError(f"space={space!r} must be a luciole.Space; wrap it in {hint}")
        if direction not in ("minimize", "maximize"):
            raise ArgumentError(f"direction={direction!r} is not known; use 'minimize' or 'maximize'")
        if penalty is not None and not callable(penalty) and not (isinstance(penalty, Real) and 0 <= penalty < math.inf):
            raise ArgumentError(f"penalty={penalty!r} must be a number of at least 0, or a function of a value and violations")
        if constraints is None:
            constraints = ()
        if callable(constraints) or isinstance(constraints, Constraint) or hasattr(constraints, "lb"):
            constraints = [constraints]
        if isinstance(objective, KernelObjective) and objective.dim != len(space):
            raise ArgumentError(f"the objective takes {objective.dim} numbers, but the space has {len(space)} variables")
        self.objective = objective
        self.space = space
        if isinstance(constraints, Mapping) or not isinstance(constraints, Iterable):
            raise ArgumentError(f"constraints={constraints!r} must be a function or a list of functions, feasible where <= 0")
        self.constraints = tuple(map(as_constraint, constraints))
        self.direction = direction
        self.penalty = penalty
        self.takes_array = takes_array or isinstance(objective, KernelObjective) or is_compiled(objective)
        self.limits = _limits(constraint_names)
        self.name = name or getattr(objective, "__name__", "objective")
        self.title = title
        self.category = category
        self.value_name = value_name
        self.units = dict(units or {})
        self.optimum = optimum
        self.best_known = best_known

    @property
    def sign(self) -> float:
        """1 to minimise, -1 to maximise."""
        return 1.0 if self.direction == "minimize" else -1.0

    def __call__(self, point: Any) -> float:
        """The value at a point, given as a dict of values or an array of numbers."""
        return self.evaluate(self.space.encode(point)).value

    def evaluate_many(self, points: ArrayLike) -> Floats:
        """The value at each row of a matrix of numbers, in which other values stand by their position in the list."""
        try:
            rows = np.asarray(points, dtype=np.float64)
        except (TypeError, ValueError):
            raise ArgumentError(f"points={points!r} must be a matrix of numbers") from None
        if rows.ndim != 2 or rows.shape[1] != len(self.space):
            raise ArgumentError(f"points has the shape {rows.shape}; it must have a row for each point and "
                                f"{len(self.space)} columns")
        values = np.empty(len(rows))
        for number, row in enumerate(rows):
            try:
                slots = self.space.encode(row)
            except ArgumentError as error:
                raise ArgumentError(f"points[{number}]: {error}") from None
            values[number] = self.evaluate(slots).value
        return values

    def evaluate(self, slots: Floats, on_error: OnError = "raise") -> Evaluation:
        """Evaluate the point of some slots; an exception is passed on, or becomes a failed evaluation."""
        try:
            returned = self.objective(self._point(slots))
            if type(returned) is float and not self.constraints:
                return Evaluation(returned) if math.isfinite(returned) else failed(returned)
            value, violations = split(returned)
            if self.constraints:
                point = self._point(slots)  # anew, in case the objective changed its own
                for constraint in self.constraints:
                    violations += constraint.violations(point)
            return self.judge(value, violations)
        except Exception as error:
            if on_error == "raise":
                raise
            return Evaluation(math.nan, math.inf, f"{type(error).__name__}: {error}")

    def _point(self, slots: Floats) -> Any:
        """What the objective and the constraints get."""
        return self.space.numbers(slots) if self.takes_array else self.space.decode(slots)

    def violated(self, point: Any) -> dict[str, float]:
        """The constraints that a point breaks, by name, and by how much.

        Examples
        --------
        >>> import luciole as lc
        >>> lc.problems.pressure_vessel().violated({"shell": 0.75, "head": 0.4375, "radius": 42, "length": 180})
        {'shell thickness': 0.0606...}
        """
        _, violations = self._unpenalised(point)
        return {name: excess for name, excess in violations.items() if excess}

    def _unpenalised(self, point: Any) -> tuple[float, dict[str, float]]:
        """The value at a point, and by how much it breaks each constraint."""
        slots = self.space.encode(point)
        seen = self._point(slots)
        value, excesses = split(self.objective(seen))
        names = [*self.limits][: len(excesses)]
        names += [f"constraint {n}" for n in range(len(names) + 1, len(excesses) + 1)]
        found = dict(zip(names, excesses, strict=True))
        for constraint in self.constraints:
            name = constraint.name or f"constraint {len(found) + 1}"
            found[name] = math.fsum([found.get(name, 0.0), *constraint.violations(seen)])
        return value, found

    def check(self, tolerance: float = 1e-6) -> Evaluation:
        """Evaluate the best known design, and confirm that its value is the optimum and that it is feasible.

        Parameters
        ----------
        tolerance : float
            How much rounding is allowed, in parts of the optimum and of the limit behind each constraint.

        Returns
        -------
        Evaluation
            Of the best known design. A `CheckError` says what does not hold.
        """
        if self.best_known is None or self.optimum is None:
            raise StateError(f"the problem {self.name} knows no best design, so there is nothing to check")
        value, violations = self._unpenalised(self.best_known)
        if not abs(value - self.optimum) <= tolerance * (abs(self.optimum) or 1.0):
            raise CheckError(f"{self.name}: the best known design has the value {value!r}, not {self.optimum!r}")
        for name, excess in violations.items():
            if not excess <= tolerance * self.limits.get(name, 1.0):
                raise CheckError(f"{self.name}: the best known design breaks the constraint {name!r} by {excess:.3g}")
        return Evaluation(value, math.fsum(violations.values()))

    def judge(self, value: float, violations: Sequence[float]) -> Evaluation:
        """Turn a value and the violations that came with it into an evaluation."""
        evaluation = judged(value, violations)
        if self.penalty is None or evaluation.error is not None:
            return evaluation
        if callable(self.penalty):
            value = _number(self.penalty(value, np.asarray(violations)), "the penalty")
        else:
            value += self.sign * float(self.penalty) * _total(violations)
        return Evaluation(value, _total(violations), None, by_value=True) if math.isfinite(value) else failed(value)

    def over(self, space: Space) -> "Problem":
        """The same objective and constraints over another space; the best known design stays known if it lies in it."""
        best_known = self.best_known if self.best_known is not None and self.best_known in space else None
        return Problem(self.objective, space, constraints=self.constraints, direction=self.direction, penalty=self.penalty,
                       takes_array=self.takes_array, constraint_names=self.limits, name=self.name, title=self.title,
                       category=self.category, value_name=self.value_name, units=self.units, optimum=self.optimum,
                       best_known=best_known)

    def __repr__(self) -> str:
        parts = [f"{len(self.space)} variables"]
        if count := len(self.limits) + len(self.constraints):
            parts.append(f"{count} constraint{'s' if count > 1 else ''}")
        if self.optimum is not None:
            parts.append(f"optimum {self.optimum:.10g}")
        return f"<Problem {self.name}: {', '.join(parts)}>"


def _limits(names: Any) -> dict[str, float]:
    """The name of each constraint value of an objective, and the size of the limit behind it."""
    limits = names if isinstance(names, Mapping) else {} if isinstance(names, str) else dict.fromkeys(names, 1.0)
    if isinstance(names, str) or len(limits) < len(names) or not all(isinstance(each, str) for each in limits):
        raise ArgumentError(f"constraint_names={names!r} must be a list of different strings, or a dict of limits by name")
    for name, limit in limits.items():
        if not (isinstance(limit, Real) and 0 < float(limit) < math.inf):
            raise ArgumentError(f"constraint_names: the limit {limit!r} of {name!r} must be a number above 0: its size is meant")
    return {name: float(limit) for name, limit in limits.items()}


def judged(value: float, violations: Sequence[float]) -> Evaluation:
    """The evaluation that a value and violations amount to."""
    if not math.isfinite(value):
        return failed(value)
    if any(map(math.isnan, violations)):
        return Evaluation(math.nan, math.inf, "a constraint is not a number")
    return Evaluation(value, _total(violations))


def _total(violations: Sequence[float]) -> float:
    """The sum as additions from the left, in every Python: from 3.12 on `sum` rounds otherwise, and a search would differ."""
    total = 0.0
    for each in violations:
        total += each
    return total


def failed(value: float) -> Evaluation:
    """The evaluation of a value that is not finite."""
    return Evaluation(math.nan, math.inf, f"the objective is {value}")


def as_constraint(given: Any) -> Constraint:
    """A constraint from what a user may pass: one of ours, a callable, or one of SciPy's."""
    if isinstance(given, Constraint):
        return given
    if hasattr(given, "lb") and hasattr(given, "ub"):
        function = given.fun if hasattr(given, "fun") else lambda x: given.A @ x
        low, high = np.asarray(given.lb, dtype=float), np.asarray(given.ub, dtype=float)
        slack = np.where(low == high, EQUALITY_TOLERANCE, 0.0)

        def beyond(point: Any) -> Floats:
            numbers = np.array(list(point.values()), dtype=float) if isinstance(point, dict) else point
            values = np.atleast_1d(function(numbers))
            gaps = np.maximum(low - values, values - high)
            return np.where(gaps > slack, gaps, 0.0)
        return Constraint(beyond)
    return Constraint(given)


def split(returned: Any) -> tuple[float, list[float]]:
    """The value and the violations in what an objective returned."""
    if isinstance(returned, tuple):
        if len(returned) != 2:
            raise ObjectiveError(f"the objective returned {len(returned)} things; it must return a number, "
                                 "or a number and a sequence of constraint values")
        value, constraints = returned
        return _number(value), [_excess(g, 0.0) for g in _numbers(constraints, "the objective's second part")]
    return _number(returned), []


def _number(returned: Any, source: str = "the objective") -> float:
    if isinstance(returned, np.ndarray) and returned.ndim == 0:
        returned = returned.item()
    if isinstance(returned, Real):
        return float(returned)
    shown = repr(returned) if len(repr(returned)) < 60 else repr(returned)[:56] + " ..."
    rule = "a number, or a number and a sequence of constraint values" if source == "the objective" else "a number"
    raise ObjectiveError(f"{source} returned {shown} of type {type(returned).__name__}; it must return {rule}")


def _numbers(returned: Any, source: str) -> list[float]:
    try:
        numbers = np.atleast_1d(np.asarray(returned)).ravel()
    except (TypeError, ValueError):
        numbers = np.empty(1, dtype=object)
    if numbers.size and numbers.dtype.kind not in "iuf":  # a truth value would be read the wrong way round
        raise ObjectiveError(f"{source} returned {returned!r}; it must return a number or several, feasible where at most 0")
    return numbers.astype(np.float64).tolist()


def _excess(g: float, tolerance: float) -> float:
    """How far g lies above its tolerance; a NaN stays one, so that it is noticed."""
    return g if math.isnan(g) else (g if g > tolerance else 0.0)
