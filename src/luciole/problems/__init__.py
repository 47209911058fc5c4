"""Problems to try methods on, by name."""

from collections.abc import Callable
from functools import partial

from luciole.errors import ArgumentError
from luciole.problem import Problem
from luciole.problems.cec2013 import FUNCTIONS, Cec2013Problem, cec2013
from luciole.problems.engineering import coil_spring, pressure_vessel, welded_beam

__all__ = [
    "PROBLEMS",
    "Cec2013Problem",
    "cec2013",
    "coil_spring",
    "get_problem",
    "pressure_vessel",
    "welded_beam",
]

PROBLEMS: dict[str, Callable[[], Problem]] = {
    "pressure-vessel": pressure_vessel,
    "welded-beam": welded_beam,
    "coil-spring": coil_spring,
    **{f"cec2013-f{number}": partial(cec2013, number) for number in FUNCTIONS},
}
"""What `luciole solve NAME` understands. A problem becomes part of the library by its line here."""

SHORT_NAMES = {f"f{number}": f"cec2013-f{number}" for number in FUNCTIONS}


def get_problem(name: str) -> Problem:
    """A problem by its name; ``"f7"`` is short for ``"cec2013-f7"``."""
    name = SHORT_NAMES.get(name.lower(), name)
    if name not in PROBLEMS:
        raise ArgumentError(f"the problem {name!r} is not known; use {', '.join(PROBLEMS)}")
    return PROBLEMS[name]()
