"""Problems to try methods on, by name."""

from collections.abc import Callable

from luciole.errors import ArgumentError
from luciole.problem import Problem
from luciole.problems.engineering import coil_spring, pressure_vessel, welded_beam

__all__ = ["PROBLEMS", "coil_spring", "get_problem", "pressure_vessel", "welded_beam"]

PROBLEMS: dict[str, Callable[[], Problem]] = {
    "pressure-vessel": pressure_vessel,
    "welded-beam": welded_beam,
    "coil-spring": coil_spring,
}
"""What `luciole solve NAME` understands. A problem becomes part of the library by its line here."""


def get_problem(name: str) -> Problem:
    """A problem by its name."""
    if name not in PROBLEMS:
        raise ArgumentError(f"the problem {name!r} is not known; use {', '.join(PROBLEMS)}")
    return PROBLEMS[name]()
