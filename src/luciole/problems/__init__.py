"""Problems to try methods on, by name."""

from collections.abc import Callable
from functools import partial

from luciole.errors import ArgumentError
from luciole.problem import Problem
from luciole.problems.adapters import coco, ioh
from luciole.problems.cec2013 import FUNCTIONS, Cec2013Problem, cec2013
from luciole.problems.engineering import coil_spring, coil_spring_catalogue, pressure_vessel, welded_beam
from luciole.problems.engineering_machines import (
    car_side_impact,
    disc_clutch_brake,
    gear_train,
    planetary_gear_train,
    rolling_bearing,
    speed_reducer,
)
from luciole.problems.engineering_processes import (
    batch_plant,
    process_design,
    process_flowsheet,
    process_selection,
    process_synthesis,
    reactor_choice,
)
from luciole.problems.engineering_structures import (
    concrete_beam,
    i_beam,
    stepped_cantilever,
    ten_bar_truss,
    three_bar_truss,
)

__all__ = [
    "PROBLEMS",
    "Cec2013Problem",
    "batch_plant",
    "car_side_impact",
    "cec2013",
    "coco",
    "coil_spring",
    "coil_spring_catalogue",
    "concrete_beam",
    "disc_clutch_brake",
    "gear_train",
    "get_problem",
    "i_beam",
    "ioh",
    "planetary_gear_train",
    "pressure_vessel",
    "process_design",
    "process_flowsheet",
    "process_selection",
    "process_synthesis",
    "reactor_choice",
    "rolling_bearing",
    "speed_reducer",
    "stepped_cantilever",
    "ten_bar_truss",
    "three_bar_truss",
    "welded_beam",
]

DESIGNS: tuple[Callable[[], Problem], ...] = (
    pressure_vessel, welded_beam, coil_spring, coil_spring_catalogue,
    speed_reducer, gear_train, disc_clutch_brake, rolling_bearing, planetary_gear_train, car_side_impact,
    concrete_beam, stepped_cantilever, three_bar_truss, i_beam, ten_bar_truss,
    process_synthesis, process_design, process_flowsheet, reactor_choice, process_selection, batch_plant,
)
"""The engineering designs. A design becomes part of the library by its name here."""

PROBLEMS: dict[str, Callable[[], Problem]] = {
    **{make.__name__.replace("_", "-"): make for make in DESIGNS},
    **{f"cec2013-f{number}": partial(cec2013, number) for number in FUNCTIONS},
}
"""What `luciole solve NAME` understands."""

SHORT_NAMES = {f"f{number}": f"cec2013-f{number}" for number in FUNCTIONS}


def get_problem(name: str) -> Problem:
    """A problem by its name; ``"f7"`` is short for ``"cec2013-f7"``."""
    plain = name.lower().replace("_", "-")
    full = SHORT_NAMES.get(plain, plain)
    if full not in PROBLEMS:
        singles = [each for each in PROBLEMS if each not in SHORT_NAMES.values()]
        raise ArgumentError(f"the problem {name!r} is not known; use {', '.join(singles)}, or cec2013-f1 to "
                            f"cec2013-f{max(FUNCTIONS)}, for short f1 to f{max(FUNCTIONS)}")
    return PROBLEMS[full]()
