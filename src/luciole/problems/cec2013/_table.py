"""What is known of each function: its title, its kind, its optimum, its properties, and what it is made of."""

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["BASIC", "COMPOSITIONS", "EDITIONS", "FUNCTIONS", "Cec2013Function"]

EDITIONS = ("official", "opfunu-1.0.1")


@dataclass(frozen=True)
class Cec2013Function:
    """Properties of one function of CEC 2013.

    Attributes
    ----------
    number : int
        1 to 28.
    title : str
        As in the technical report.
    category : str
        "unimodal", "multimodal" or "composition".
    optimum : float
        The value at the global optimum.
    continuous, separable, symmetric : bool
        Properties of the function's landscape.
    """

    number: int
    title: str
    category: str
    optimum: float
    continuous: bool
    separable: bool
    symmetric: bool


# Number, title, continuous, separable, symmetric.
_ROWS = (
    (1, "Sphere Function", True, True, True),
    (2, "Rotated High Conditioned Elliptic Function", True, False, True),
    (3, "Rotated Bent Cigar Function", True, False, False),
    (4, "Rotated Discus Function", True, False, False),
    (5, "Different Powers Function", True, True, True),
    (6, "Rotated Rosenbrock's Function", True, False, False),
    (7, "Rotated Schaffer's F7 Function", True, False, False),
    (8, "Rotated Ackley's Function", True, False, False),
    (9, "Rotated Weierstrass Function", True, False, False),
    (10, "Rotated Griewank's Function", True, False, True),
    (11, "Rastrigin's Function", True, True, False),
    (12, "Rotated Rastrigin's Function", True, False, False),
    (13, "Non-Continuous Rotated Rastrigin's Function", False, False, False),
    (14, "Schwefel's Function", True, False, False),
    (15, "Rotated Schwefel's Function", True, False, False),
    (16, "Rotated Katsuura Function", True, False, False),
    (17, "Lunacek Bi-Rastrigin Function", True, True, False),
    (18, "Rotated Lunacek Bi-Rastrigin Function", True, False, False),
    (19, "Expanded Griewank's plus Rosenbrock's Function", True, False, True),
    (20, "Expanded Schaffer's F6 Function", True, False, False),
    (21, "Composition Function 1 (n=5, Rotated)", True, False, False),
    (22, "Composition Function 2 (n=3, Unrotated)", True, False, False),
    (23, "Composition Function 3 (n=3, Rotated)", True, False, False),
    (24, "Composition Function 4 (n=3, Rotated)", True, False, False),
    (25, "Composition Function 5 (n=3, Rotated)", True, False, False),
    (26, "Composition Function 6 (n=5, Rotated)", True, False, False),
    (27, "Composition Function 7 (n=5, Rotated)", True, False, False),
    (28, "Composition Function 8 (n=5, Rotated)", True, False, False),
)
_LAST_UNIMODAL = 5
_LAST_BASIC = 20


def _category(number: int) -> str:
    if number <= _LAST_UNIMODAL:
        return "unimodal"
    return "multimodal" if number <= _LAST_BASIC else "composition"


def _optimum(number: int) -> float:
    """Return the optimum: multiples of 100 from -1400 to 1400 without 0."""
    return 100.0 * (number - 15 if number < 15 else number - 14)


FUNCTIONS = {
    number: Cec2013Function(number, title, _category(number), _optimum(number), *flags)
    for number, title, *flags in _ROWS
}


class Component(NamedTuple):
    """One component of a composition: its function, spread, factor, bias and opfunu's factor if another."""

    block: str
    spread: float
    factor: float
    bias: float
    opfunu_factor: float | None = None


BASIC = {
    1: "sphere",
    2: "elliptic",
    3: "bent_cigar",
    4: "discus",
    5: "different_powers",
    6: "rosenbrock",
    7: "schaffer_f7",
    8: "ackley",
    9: "weierstrass",
    10: "griewank",
    11: "rastrigin",
    12: "rotated_rastrigin",
    13: "step_rastrigin",
    14: "schwefel",
    15: "rotated_schwefel",
    16: "katsuura",
    17: "lunacek",
    18: "lunacek",
    19: "griewank_rosenbrock",
    20: "schaffer_f6",
}
"""The basic function that each of the first twenty is."""
COMPOSITIONS = {
    21: (
        Component("rosenbrock", 10.0, 1.0, 0.0),
        Component("different_powers", 20.0, 1e-6, 100.0),
        Component("bent_cigar", 30.0, 1e-26, 200.0),
        Component("discus", 40.0, 1e-6, 300.0),
        Component("sphere", 50.0, 0.1, 400.0),
    ),
    22: tuple(Component("schwefel", 20.0, 1.0, 100.0 * k) for k in range(3)),
    23: tuple(Component("rotated_schwefel", 20.0, 1.0, 100.0 * k) for k in range(3)),
    24: (
        Component("rotated_schwefel", 20.0, 0.25, 0.0),
        Component("rotated_rastrigin", 20.0, 1.0, 100.0),
        Component("weierstrass", 20.0, 2.5, 200.0),
    ),
    25: (
        Component("rotated_schwefel", 10.0, 0.25, 0.0),
        Component("rotated_rastrigin", 30.0, 1.0, 100.0),
        Component("weierstrass", 50.0, 2.5, 200.0),
    ),
    26: (
        Component("rotated_schwefel", 10.0, 0.25, 0.0),
        Component("rotated_rastrigin", 10.0, 1.0, 100.0),
        Component("elliptic", 10.0, 1e-7, 200.0),
        Component("weierstrass", 10.0, 2.5, 300.0),
        Component("griewank", 10.0, 10.0, 400.0),
    ),
    27: (
        Component("griewank", 10.0, 100.0, 0.0),
        Component("rotated_rastrigin", 10.0, 10.0, 100.0),
        Component("rotated_schwefel", 10.0, 2.5, 200.0),
        Component("weierstrass", 20.0, 25.0, 300.0),
        Component("sphere", 20.0, 0.1, 400.0),
    ),
    28: (
        Component("griewank_rosenbrock", 10.0, 2.5, 0.0),
        Component("schaffer_f7", 20.0, 2.5e-3, 100.0, 2.5e-6),
        Component("rotated_schwefel", 30.0, 2.5, 200.0),
        Component("schaffer_f6", 40.0, 5e-4, 300.0),
        Component("sphere", 50.0, 0.1, 400.0),
    ),
}
"""What each of the others is composed of."""
