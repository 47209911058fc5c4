"""Engineering designs: constrained problems of a few variables that the literature compares methods on.

The three of the FAmv paper; further ones stand in the modules beside this one. Formulas and best known values were checked by
evaluating the published optimum.
"""

import math

import numpy as np

from luciole._layout import Floats
from luciole.errors import ArgumentError
from luciole.problem import Penalty, Problem
from luciole.space import Float, Integer, Ordinal, Space


def pressure_vessel(penalty: str | Penalty | None = None) -> Problem:
    """A cylindrical vessel with hemispherical heads, of least cost.

    Shell and head come in multiples of 1/16 inch. The paper's penalty judges a design whose violations exceed 1e-5 in all by
    1,000,000 plus the violations.

    References
    ----------
    E. Sandgren, Nonlinear integer and discrete programming in mechanical design optimization, J. Mech. Des. 112 (1990).
    """
    space = Space({
        "shell": Ordinal([0.0625 * i for i in range(1, 100)]),
        "head": Ordinal([0.0625 * i for i in range(1, 100)]),
        "radius": Float(10, 200),
        "length": Float(10, 200),
    })

    return Problem(
        _pressure_vessel, space, name="pressure-vessel", takes_array=True, penalty=_penalty(penalty, _vessel_penalty),
        constraint_names={"shell thickness": 0.8125, "head thickness": 0.4375, "volume": 1_296_000, "length": 240},
        title="Pressure vessel of least cost", category="engineering",
        optimum=6059.7143350484375, best_known=(0.8125, 0.4375, 42.09844559585492, 176.63659584243945),
        units={"shell": "in", "head": "in", "radius": "in", "length": "in"}, value_name="cost",
    )


def _vessel_penalty(value: float, violations: Floats) -> float:
    total = float(violations.sum())
    return 1e6 + total if total > 1e-5 else value


def _pressure_vessel(x: Floats) -> tuple[float, list[float]]:
    shell, head, radius, length = x.tolist()
    cost = (0.6224 * radius * shell * length + 1.7781 * head * radius**2 + 3.1661 * shell**2 * length
            + 19.84 * shell**2 * radius)
    return cost, [
        0.0193 * radius - shell,
        0.00954 * radius - head,
        1_296_000 - math.pi * radius**2 * length - 4 / 3 * math.pi * radius**3,
        length - 240,
    ]


def welded_beam(penalty: str | Penalty | None = None) -> Problem:
    """A beam welded to a wall, of least cost; all four variables are continuous.

    The paper's penalty adds 100 for each constraint that is broken, and 100 times the sum of violations.

    References
    ----------
    C. A. Coello Coello, Use of a self-adaptive penalty approach for engineering optimization problems, Comput. Ind. 41 (2000).
    """
    space = Space({
        "weld_thickness": Float(0.1, 2),
        "weld_length": Float(0.1, 10),
        "height": Float(0.1, 10),
        "thickness": Float(0.1, 2),
    })

    return Problem(
        _welded_beam, space, name="welded-beam", takes_array=True, penalty=_penalty(penalty, _beam_penalty),
        constraint_names={"shear stress": 13_600, "bending stress": 30_000, "weld no thicker than the beam": 2, "cost of weld": 5,
                          "least weld": 0.125, "deflection": 0.25, "buckling load": 6000},
        title="Welded beam of least cost", category="engineering",
        optimum=1.724852308597365,
        best_known=(0.20572963978607947, 3.4704886656280003, 9.036623910357635, 0.20572963978607947),
        units={"weld_thickness": "in", "weld_length": "in", "height": "in", "thickness": "in"}, value_name="cost",
    )


def _beam_penalty(value: float, violations: Floats) -> float:
    return value + 100 * float(violations.sum()) + 100 * int(np.count_nonzero(violations))


def _welded_beam(x: Floats) -> tuple[float, list[float]]:
    weld, length, height, thickness = x.tolist()
    load, overhang, young, shear = 6000.0, 14.0, 30e6, 12e6
    moment = load * (overhang + length / 2)
    arm = math.sqrt(length**2 / 4 + ((weld + height) / 2) ** 2)
    inertia = 2 * math.sqrt(2) * weld * length * (length**2 / 12 + ((weld + height) / 2) ** 2)
    direct = load / (math.sqrt(2) * weld * length)
    torsion = moment * arm / inertia
    tau = math.sqrt(direct**2 + direct * torsion * length / arm + torsion**2)
    sigma = 6 * load * overhang / (thickness * height**2)
    deflection = 4 * load * overhang**3 / (young * height**3 * thickness)
    buckling = (4.013 * young * math.sqrt(height**2 * thickness**6 / 36) / overhang**2
                * (1 - height / (2 * overhang) * math.sqrt(young / (4 * shear))))
    cost = 1.10471 * weld**2 * length + 0.04811 * height * thickness * (14 + length)
    return cost, [
        tau - 13_600,
        sigma - 30_000,
        weld - thickness,
        1.10471 * weld**2 + 0.04811 * height * thickness * (14 + length) - 5,
        0.125 - weld,
        deflection - 0.25,
        load - buckling,
    ]


SPRING_LIMITS = {
    "shear stress": 189_000, "free length": 14, "least wire": 0.2, "outer diameter": 3, "spring index": 3, "deflection": 6,
    "working deflection": 1.25,
}


def coil_spring(penalty: str | Penalty | None = None) -> Problem:
    """A compression spring of least wire volume, with a whole number of coils.

    The paper's penalty adds 1,000,000 times the sum of violations.

    References
    ----------
    A. D. Belegundu, A study of mathematical programming methods for structural optimization, University of Iowa (1982);
    E. Sandgren, J. Mech. Des. 112 (1990).
    """
    space = Space({"wire": Float(0.2, 1), "diameter": Float(0.6, 3), "coils": Integer(1, 70)})

    return Problem(
        _coil_spring, space, name="coil-spring", takes_array=True, penalty=_penalty(penalty, _spring_penalty),
        constraint_names=SPRING_LIMITS,
        title="Coil compression spring of least wire volume", category="engineering",
        optimum=1.0594048398201528, best_known=(0.29161754823783587, 1.384178612672949, 7),
        units={"wire": "in", "diameter": "in", "coils": ""}, value_name="volume",
    )


CATALOGUE_WIRES = (
    0.009, 0.0095, 0.0104, 0.0118, 0.0128, 0.0132, 0.014, 0.015, 0.0162, 0.0173, 0.018, 0.02, 0.023, 0.025, 0.028, 0.032, 0.035,
    0.041, 0.047, 0.054, 0.063, 0.072, 0.08, 0.092, 0.105, 0.12, 0.135, 0.148, 0.162, 0.177, 0.192, 0.207, 0.225, 0.244, 0.263,
    0.283, 0.307, 0.331, 0.362, 0.394, 0.4375, 0.5,
)
"""The wires of Sandgren's catalogue, in inches."""


def coil_spring_catalogue(penalty: str | Penalty | None = None) -> Problem:
    """The coil spring made of one of the 42 wires of a catalogue, as it is usually compared on.

    Values in the literature are pi^2/4 times ours: the best known, 1.0774734, stands there as 2.65856. The penalty "product"
    makes the value ``1 + 10 v`` times larger for each constraint that is broken by the part v of its limit: a product as in
    Lampinen and Zelinka, the factor being ours. Methods published with this spring could pass through infeasible designs.

    References
    ----------
    E. Sandgren, Nonlinear integer and discrete programming in mechanical design optimization, J. Mech. Des. 112 (1990);
    J. Lampinen, I. Zelinka, Mixed integer-discrete-continuous optimization by differential evolution, MENDEL (1999).
    """
    problem = coil_spring(_spring_product if penalty == "product" else penalty)
    space = Space({"wire": Ordinal(CATALOGUE_WIRES), "diameter": Float(0.6, 3), "coils": Integer(1, 70)})
    return Problem(
        _coil_spring, space, name="coil-spring-catalogue", takes_array=True, penalty=problem.penalty,
        constraint_names=SPRING_LIMITS, title="Coil compression spring of catalogue wire", category="engineering",
        optimum=1.0774734459169046, best_known=(0.283, 1.2230410099638072, 9),
        units={"wire": "in", "diameter": "in", "coils": ""}, value_name="volume",
    )


def _spring_product(value: float, violations: Floats) -> float:
    return value * float(np.prod(1 + 10 * violations / np.array(list(SPRING_LIMITS.values()))))


def _spring_penalty(value: float, violations: Floats) -> float:
    return value + 1e6 * float(violations.sum())


def _coil_spring(x: Floats) -> tuple[float, list[float]]:
    wire, diameter, coils = x.tolist()
    largest_load, strength, shear, free_length, preload = 1000.0, 189_000.0, 11.5e6, 14.0, 300.0
    index = diameter / wire
    stress_factor = (4 * index - 1) / (4 * index - 4) + 0.615 / index if index != 1 else math.inf
    stiffness = shear * wire**4 / (8 * coils * diameter**3)
    deflection = largest_load / stiffness
    stress = 8 * stress_factor * largest_load * diameter / (math.pi * wire**3)
    return (coils + 2) * wire**2 * diameter, [
        stress - strength,
        deflection + 1.05 * (coils + 2) * wire - free_length,
        0.2 - wire,
        wire + diameter - 3,
        3 - index,
        deflection - 6,
        1.25 - (deflection - preload / stiffness),
    ]


def _penalty(penalty: str | Penalty | None, by_the_paper: Penalty) -> Penalty | None:
    if isinstance(penalty, str):
        if penalty != "paper":
            raise ArgumentError(f"penalty={penalty!r} is not known; use 'paper', a number, a function, or None for Deb's rules")
        return by_the_paper
    return penalty
