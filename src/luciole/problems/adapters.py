"""Problems of suites that others maintain, brought in as ordinary problems: COCO's and IOHprofiler's.

The packages are imported only when a problem of theirs is made.
"""

from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

from luciole._layout import Floats
from luciole.algorithms.base import check_number
from luciole.errors import ArgumentError, MissingExtraError
from luciole.problem import Problem
from luciole.space import Space


def coco(function: int, dim: int, instance: int = 1, suite: str = "bbob-mixint") -> Problem:
    """A problem of a COCO suite; needs the extra ``suites``.

    In ``bbob-mixint`` the first four fifths of the variables are whole numbers, from 0 to 1, 3, 7 and 15. The optimal values are
    COCO's secret.

    Parameters
    ----------
    function : int
        The number of the function in the suite.
    dim : int
        The number of variables: 5, 10, 20, 40, 80 or 160 in ``bbob-mixint``.
    instance : int
        Which instance of the function.
    suite : str
        A suite of one objective: ``"bbob-mixint"``, ``"bbob"``, ``"bbob-largescale"``, ...

    References
    ----------
    T. Tusar, D. Brockhoff, N. Hansen, Mixed-integer benchmark problems for single- and bi-objective optimization, GECCO (2019).
    """
    for name, value in (("function", function), ("dim", dim), ("instance", instance)):
        check_number(name, value, 1, whole=True)
    objective = CocoObjective(suite, function, dim, instance)
    problem = objective.problem()
    if problem.number_of_objectives != 1 or problem.number_of_constraints:
        raise ArgumentError(f"suite={suite!r} has problems of several objectives or with constraints; use bbob-mixint or bbob")
    whole = problem.number_of_integer_variables
    space = Space.from_bounds(list(zip(problem.lower_bounds.tolist(), problem.upper_bounds.tolist(), strict=True)),
                              integrality=[i < whole for i in range(dim)])
    return Problem(objective, space, name=problem.id, title=problem.name, category="COCO")


@dataclass(frozen=True)
class CocoObjective:
    """A COCO problem by its numbers, so that it can be sent to other processes."""

    suite: str
    function: int
    dim: int
    instance: int

    def problem(self) -> Any:
        """The problem itself, made once in a process."""
        return _coco_problem(self.suite, self.function, self.dim, self.instance)[1]

    def __call__(self, x: Floats) -> float:
        return float(self.problem()(x))


@lru_cache(maxsize=256)
def _coco_problem(suite: str, function: int, dim: int, instance: int) -> tuple[Any, Any]:
    cocoex = _import("cocoex", "coco")
    if suite not in cocoex.known_suite_names:
        raise ArgumentError(f"suite={suite!r} is not known; COCO has {', '.join(sorted(cocoex.known_suite_names))}")
    try:
        made = cocoex.Suite(suite, f"instances: {instance}", f"function_indices:{function} dimensions:{dim}")
        problem = made.get_problem_by_function_dimension_instance(function, dim, instance)
    except Exception:
        everything = cocoex.Suite(suite, "", "")
        last = max(int(each.split("_f")[1].split("_")[0]) for each in everything.ids())
        dimensions = ", ".join(map(str, everything.dimensions))
        raise ArgumentError(f"function={function!r}, dim={dim!r}, instance={instance!r} is not in the suite {suite}, which has "
                            f"the functions 1 to {last} in {dimensions} dimensions") from None
    return made, problem  # a suite has to live as long as its problems


def ioh(problem: int | str, dim: int, instance: int = 1, suite: str = "BBOB") -> Problem:
    """A problem of IOHprofiler; needs the extra ``suites``.

    Parameters
    ----------
    problem : int or str
        Its number or name, such as ``"Sphere"`` or ``"OneMax"``.
    dim : int
        The number of variables.
    instance : int
        Which instance of the problem.
    suite : str
        A class of problems without constraints: ``"BBOB"`` on real numbers, ``"PBO"`` on zeros and ones, ``"INTEGER"``, ...

    References
    ----------
    J. de Nobel, F. Ye, D. Vermetten, H. Wang, C. Doerr, T. Bäck, IOHexperimenter: benchmarking platform for iterative
    optimization heuristics, Evol. Comput. 32 (2024).
    """
    for name, value in (("dim", dim), ("instance", instance)):
        check_number(name, value, 1, whole=True)
    objective = IohObjective(problem, dim, instance, suite)
    made = objective.problem()
    whole = made.bounds.lb.dtype.kind == "i"
    space = Space.from_bounds(list(zip(made.bounds.lb.tolist(), made.bounds.ub.tolist(), strict=True)), integrality=whole)
    about = made.meta_data
    maximises = str(about.optimization_type).endswith("MAX")
    best = made.optimum
    known = len(best.x) == dim and abs(best.y) < float("inf")
    return Problem(objective, space, direction="maximize" if maximises else "minimize",
                   name=f"ioh-{about.name}-i{instance}-d{dim}".lower(), title=f"{about.name} of IOHprofiler",
                   category=f"IOH {suite}", optimum=float(best.y) if known else None, best_known=list(best.x) if known else None)


@dataclass(frozen=True)
class IohObjective:
    """An IOHprofiler problem by its numbers, so that it can be sent to other processes."""

    name: int | str
    dim: int
    instance: int
    suite: str

    def problem(self) -> Any:
        """The problem itself, made once in a process."""
        return _ioh_problem(self.name, self.dim, self.instance, self.suite)

    def __call__(self, x: Floats) -> float:
        made = self.problem()
        return float(made(x.astype(int).tolist() if made.bounds.lb.dtype.kind == "i" else x))


@lru_cache(maxsize=256)
def _ioh_problem(name: int | str, dim: int, instance: int, suite: str) -> Any:
    package = _import("ioh", "ioh")
    known = package.ProblemClass.__members__
    if suite not in known:
        raise ArgumentError(f"suite={suite!r} is not known; IOHprofiler has {', '.join(known)}")
    problems = known[suite].problems
    if name not in problems and name not in problems.values():
        raise ArgumentError(f"problem={name!r} is not in {suite}; it has {', '.join(map(str, problems.values()))}")
    return package.get_problem(name, instance, dim, known[suite])


def _import(module: str, function: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(f"{function}() needs the package {module}; "
                                "install it with: pip install 'luciole[suites]'") from None
