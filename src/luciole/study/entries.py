"""What the entries of a plan stand for: problems, and methods that search them."""

import difflib
import importlib
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from luciole.algorithms import METHODS, PUBLISHED
from luciole.algorithms.base import Method
from luciole.errors import ArgumentError, MissingExtraError
from luciole.minimize import minimize
from luciole.problem import Problem
from luciole.problems import PROBLEMS, SHORT_NAMES

if TYPE_CHECKING:
    from luciole.result import Result

Options = tuple[tuple[str, Any], ...]
"""Keywords with their values, in the order of the keywords; hashable."""

STARRED = {"FAmv*_H": "FAmv_H^a", "FAmv*_G": "FAmv_G^ag"}
"""What the paper's main table calls two variants that its ablation table names in full."""

DESIGN_NAMES = [name for name in PROBLEMS if name not in SHORT_NAMES.values()]

TABLE_NAMES = {"pressure-vessel": "VESSEL", "welded-beam": "BEAM", "coil-spring": "CSD",
               **{full: short.upper() for short, full in SHORT_NAMES.items()}}
"""What tables call problems, where that is not their name."""


@dataclass(frozen=True)
class PlannedProblem:
    """A problem of a plan."""

    name: str
    """What tables call it."""
    problem: str
    """A name that `luciole problems` lists, or ``"module:attribute"`` for one of your own."""
    options: Options = ()
    """Keywords for the function that makes it, such as ``dim``, ``edition`` or ``penalty``."""


@dataclass(frozen=True)
class PlannedMethod:
    """A method of a plan."""

    name: str
    """What tables call it."""
    method: str
    """A name that `luciole methods` lists, ``"module:attribute"`` for one of your own, or the name of a peer."""
    parameters: Options = ()
    """Its parameters, where they differ from the defaults or the published settings."""


class Searcher(Protocol):
    """What a planned method becomes: anything that can search a problem."""

    def run(self, problem: Problem, *, budget: int, seed: int) -> "Result":
        """Search with at most so many evaluations; the same seed gives the same result."""


@dataclass(frozen=True)
class Native:
    """A method of the library, or one written like them."""

    method: Method
    compiled: bool | None = None
    """Passed on to `minimize`; the results are the same to the bit."""

    def run(self, problem: Problem, *, budget: int, seed: int) -> "Result":
        """Call `minimize`."""
        return minimize(problem, budget=budget, method=self.method, rng=seed, compiled=self.compiled)


@lru_cache(maxsize=256)
def make_searcher(entry: PlannedMethod) -> Searcher:
    """What searches for an entry of a plan.

    Names that the library does not know are those of peers, which bring their own `run`.
    """
    if entry.method in METHODS or entry.method in PUBLISHED or ":" in entry.method:
        return Native(_native(entry))
    from luciole.integrations import peers

    if entry.method not in peers.PEERS:
        meant = nearest(STARRED.get(entry.method, entry.method), [*METHODS, *PUBLISHED, *peers.PEERS])
        raise ArgumentError(f"the method {entry.method!r} is not known{meant}; use {', '.join(METHODS)}, a published setting "
                            f"({', '.join(PUBLISHED)}), a peer ({', '.join(peers.PEERS)}) or one of your own, module:attribute")
    searcher: Searcher = peers.get_peer(entry.method, **_keywords(entry.parameters))
    return searcher


def peers_of(entries: Iterable[PlannedMethod]) -> tuple[str, ...]:
    """The names of those methods that are peers."""
    return tuple(sorted({each.method for each in entries if not isinstance(make_searcher(each), Native)}))


def check_peers(names: Iterable[str]) -> None:
    """Refuse peers whose library is not here, nor in the environment of the peers."""
    for name in names:
        from luciole.integrations.peers import available

        if not (place := available()[name]).present:
            raise MissingExtraError(f"the peer {name} is absent: {place.reason}; or leave it out: --methods")


def _native(entry: PlannedMethod) -> Method:
    found: Any
    if ":" in entry.method:
        found = _imported(entry.method)
    else:
        found = METHODS.get(entry.method) or PUBLISHED[entry.method]
    make: Callable[..., Any]
    if inspect.isclass(found) and issubclass(found, Method):
        make = found
    elif isinstance(found, Method):
        make = lambda **parameters: replace(found, **parameters)  # noqa: E731
    else:
        raise ArgumentError(f"the method {entry.method!r} is a {type(found).__name__}; it must be a Method or a subclass of it")
    parameters = _keywords(entry.parameters)
    _check_keywords(parameters, [each.name for each in fields(found)], f"the method {entry.method}")
    method: Method = make(**parameters)
    return method


@lru_cache(maxsize=64)
def make_problem(entry: PlannedProblem, fitness: str) -> Problem:
    """The problem of an entry; with the fitness ``"absolute-error"``, its distance to the optimum."""
    options = _keywords(entry.options)
    _check_keywords(options, option_names(entry.problem), f"the problem {entry.problem}")
    made = _maker(entry.problem)(**options)
    if not isinstance(made, Problem):
        raise ArgumentError(f"the problem {entry.problem!r} is a {type(made).__name__}; it must be a Problem, or a function "
                            "that returns one")
    if fitness == "value":
        return made
    if not hasattr(made, "absolute_error"):
        raise ArgumentError(f'the problem {entry.problem} has no absolute error: fitness = "absolute-error" is for the functions '
                            "of CEC 2013")
    distance: Problem = made.absolute_error()
    return distance


def option_names(problem: str) -> list[str]:
    """The keywords that the maker of a problem takes."""
    return [each.name for each in inspect.signature(_maker(problem)).parameters.values()
            if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]


def full_name(problem: str) -> str:
    """The name of a problem in `luciole problems`, from that, a short one or the one in tables."""
    if ":" in problem:
        return problem
    plain = problem.lower().replace("_", "-")
    full = SHORT_NAMES.get(plain, plain)
    return next((each for each, shown in TABLE_NAMES.items() if shown == problem.upper()), full)


def _maker(problem: str) -> Callable[..., Any]:
    if ":" in problem:
        found = _imported(problem)
        return found if callable(found) and not isinstance(found, Problem) else lambda: found
    if problem not in PROBLEMS:
        raise ArgumentError(f"the problem {problem!r} is not known{nearest(problem, DESIGN_NAMES)}; use "
                            f"{', '.join(DESIGN_NAMES)}, cec2013-f1 to cec2013-f{len(SHORT_NAMES)}, for short f1 to "
                            f"f{len(SHORT_NAMES)}, or one of your own, module:attribute")
    return PROBLEMS[problem]


def _imported(name: str) -> Any:
    """What ``module:attribute`` names, looked for in the current folder as well."""
    module_name, _, attribute = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        return getattr(importlib.import_module(module_name), attribute)
    except Exception as error:
        raise ArgumentError(f"{name!r} cannot be imported: {type(error).__name__}: {error}") from error


def _keywords(options: Options) -> dict[str, Any]:
    return {key: _as_list(value) for key, value in options}


def _as_list(value: Any) -> Any:
    return list(map(_as_list, value)) if isinstance(value, tuple) else value


def _check_keywords(given: Mapping[str, Any], allowed: Iterable[str], what: str) -> None:
    allowed = list(allowed)
    for key in given:
        if key not in allowed:
            takes = ", ".join(allowed) if allowed else "no options"
            raise ArgumentError(f"{what} has no option {key!r}{nearest(key, allowed)}; it takes {takes}")


def nearest(name: str, known: Sequence[str]) -> str:
    """A question about what was meant by a name that is not known, or nothing."""
    plain = {each.lower(): each for each in known}
    found = difflib.get_close_matches(name.lower(), plain, 1)
    return f" (do you mean {plain[found[0]]!r}?)" if found else ""
