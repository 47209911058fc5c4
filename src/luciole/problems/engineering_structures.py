"""Engineering designs: beams and trusses."""

import math

import numpy as np

from luciole._layout import Floats
from luciole.problem import Problem
from luciole.space import Float, Integer, Ordinal, Space


def concrete_beam() -> Problem:
    """A reinforced concrete beam of least cost: bars from a catalogue, a width in whole inches, any height.

    References
    ----------
    H. M. Amir, T. Hasegawa, Nonlinear mixed-discrete structural optimization, J. Struct. Eng. 115 (1989).
    """
    space = Space({
        "steel": Ordinal([6.0, 6.16, 6.32, 6.6, 7.0, 7.11, 7.2, 7.8, 7.9, 8.0, 8.4]),
        "width": Integer(28, 40),
        "height": Float(5, 10),
    })
    return Problem(
        _concrete_beam, space, name="concrete-beam", takes_array=True, value_name="cost", category="engineering",
        title="Reinforced concrete beam of least cost", constraint_names={"slenderness": 4, "flexural strength": 180},
        units={"steel": "in2", "width": "in", "height": "in"}, optimum=359.208, best_known=(6.32, 34, 8.5),
    )


def _concrete_beam(x: Floats) -> tuple[float, list[float]]:
    steel, width, height = x.tolist()
    return 29.4 * steel + 0.6 * width * height, [width / height - 4, 180 + 7.375 * steel**2 / height - steel * width]


def stepped_cantilever() -> Problem:
    """A cantilever of five sections, of least volume; two sections in whole units or from a list, two continuous.

    The often quoted 63893 breaks the constraint on the tip by 0.047.

    References
    ----------
    P. B. Thanedar, G. N. Vanderplaats, Survey of discrete variable optimization for structural design, J. Struct. Eng. 121
    (1995).
    """
    widths, heights = [2.4, 2.6, 2.8, 3.1], [45.0, 50.0, 55.0, 60.0]
    space = Space({
        "width1": Integer(1, 5), "height1": Integer(30, 65),
        "width2": Ordinal(widths), "height2": Ordinal(heights),
        "width3": Ordinal(widths), "height3": Ordinal(heights),
        "width4": Float(1, 5), "height4": Float(30, 65),
        "width5": Float(1, 5), "height5": Float(30, 65),
    })
    limits = {f"stress in section {i}": 14_000.0 for i in range(1, 6)}
    limits |= {"deflection of the tip": 2.7} | {f"slenderness of section {i}": 20.0 for i in range(1, 6)}
    return Problem(
        _stepped_cantilever, space, name="stepped-cantilever", takes_array=True, value_name="volume", category="engineering",
        title="Stepped cantilever of least volume", constraint_names=limits, units=dict.fromkeys(space, "cm"),
        optimum=64578.194002, best_known=(3, 60, 3.1, 55, 2.6, 50, 45.617745 / 20, 45.617745, 34.995146 / 20, 34.995146),
    )


def _stepped_cantilever(x: Floats) -> tuple[float, list[float]]:
    load, young, length = 5e4, 2e7, 100.0
    widths, heights = x[0::2].tolist(), x[1::2].tolist()
    sections = list(zip(widths, heights, strict=True))
    stresses = [6 * load * length * (5 - i) / (b * h**2) for i, (b, h) in enumerate(sections)]
    bending = sum(k / (b * h**3 / 12) for k, (b, h) in zip((61, 37, 19, 7, 1), sections, strict=True))
    tip = load * length**3 / (3 * young) * bending
    return length * sum(b * h for b, h in sections), [
        *(stress - 14_000 for stress in stresses), tip - 2.7, *(h / b - 20 for b, h in sections),
    ]


def three_bar_truss() -> Problem:
    """A symmetric truss of three bars, of least volume; both areas are continuous.

    References
    ----------
    H. Nowacki, Optimization in pre-contract ship design, in: Computer Applications in the Automation of Shipyard Operation and
    Ship Design (1973).
    """
    space = Space({"outer": Float(1e-3, 1), "middle": Float(1e-3, 1)})
    return Problem(
        _three_bar_truss, space, name="three-bar-truss", takes_array=True, value_name="volume", category="engineering",
        title="Three-bar truss of least volume", units={"outer": "cm2", "middle": "cm2"},
        constraint_names={"stress in the first bar": 2, "stress in the middle bar": 2, "stress in the last bar": 2},
        optimum=263.8958433765, best_known=(0.7886751409247, 0.4082482725535),
    )


def _three_bar_truss(x: Floats) -> tuple[float, list[float]]:
    outer, middle = x.tolist()
    length, load, strength = 100.0, 2.0, 2.0
    shared = math.sqrt(2) * outer**2 + 2 * outer * middle
    return (2 * math.sqrt(2) * outer + middle) * length, [
        (math.sqrt(2) * outer + middle) / shared * load - strength,
        middle / shared * load - strength,
        load / (math.sqrt(2) * middle + outer) - strength,
    ]


def i_beam() -> Problem:
    """A beam of I-shaped section that deflects least; all four sizes are continuous.

    References
    ----------
    A. H. Gandomi, X.-S. Yang, A. H. Alavi, Cuckoo search algorithm: a metaheuristic approach to solve structural optimization
    problems, Eng. Comput. 29 (2013).
    """
    space = Space({"height": Float(10, 80), "width": Float(10, 50), "web": Float(0.9, 5), "flange": Float(0.9, 5)})
    return Problem(
        _i_beam, space, name="i-beam", takes_array=True, value_name="deflection", category="engineering",
        title="I-beam of least deflection", units=dict.fromkeys(space, "cm"),
        constraint_names={"section": 300, "bending stress": 56},
        optimum=0.0130741189052, best_known=(80, 50, 0.9, 2.3217922606925),
    )


def _i_beam(x: Floats) -> tuple[float, list[float]]:
    height, width, web, flange = x.tolist()
    inner = height - 2 * flange
    inertia = web * inner**3 / 12 + width * flange**3 / 6 + 2 * width * flange * ((height - flange) / 2) ** 2
    vertical = 180_000 * height / (web * inner**3 + 2 * width * flange * (4 * flange**2 + 3 * height * inner))
    sideways = 15_000 * width / (inner * web**3 + 2 * flange * width**3)
    return 5000 / inertia, [2 * width * flange + web * inner - 300, vertical + sideways - 56]


SECTIONS = [1.62, 1.80, 1.99, 2.13, 2.38, 2.62, 2.63, 2.88, 2.93, 3.09, 3.13, 3.38, 3.47, 3.55, 3.63, 3.84, 3.87, 3.88, 4.18,
            4.22, 4.49, 4.59, 4.80, 4.97, 5.12, 5.74, 7.22, 7.97, 11.5, 13.5, 13.9, 14.2, 15.5, 16.0, 16.9, 18.8, 19.9, 22.0,
            22.9, 26.5, 30.0, 33.5]
"""Areas of the sections of the American Institute of Steel Construction that the ten-bar truss may use, in square inches."""

_BAY = 360.0  # inches
_NODES = np.array([(2, 1), (2, 0), (1, 1), (1, 0), (0, 1), (0, 0)]) * _BAY  # the last two are held
_BARS = np.array([(5, 3), (3, 1), (6, 4), (4, 2), (3, 4), (1, 2), (5, 4), (6, 3), (3, 2), (4, 1)]) - 1
_ALONG = _NODES[_BARS[:, 1]] - _NODES[_BARS[:, 0]]
_LENGTHS = np.hypot(_ALONG[:, 0], _ALONG[:, 1])
_FREE = 8  # coordinates of the four nodes that move


def _stretch() -> Floats:
    """How much each bar lengthens when a node moves, as a matrix of bars and coordinates."""
    matrix = np.zeros((len(_BARS), 2 * len(_NODES)))
    for bar, ((start, end), along, length) in enumerate(zip(_BARS, _ALONG, _LENGTHS, strict=True)):
        matrix[bar, 2 * start : 2 * start + 2] = -along / length
        matrix[bar, 2 * end : 2 * end + 2] = along / length
    return matrix[:, :_FREE]


_STRETCH = _stretch()


def ten_bar_truss() -> Problem:
    """A plane cantilever truss of ten bars, of least weight, with sections from a catalogue of 42.

    References
    ----------
    S. Rajeev, C. S. Krishnamoorthy, Discrete optimization of structures using genetic algorithms, J. Struct. Eng. 118 (1992).
    """
    space = Space({f"bar{i}": Ordinal(SECTIONS) for i in range(1, 11)})
    limits = {f"stress in bar {i}": 25_000.0 for i in range(1, 11)}
    limits |= {f"displacement of node {node}, {way}": 2.0 for node in range(1, 5) for way in ("along", "down")}
    return Problem(
        _ten_bar_truss, space, name="ten-bar-truss", takes_array=True, value_name="weight", category="engineering",
        title="Ten-bar truss of least weight", constraint_names=limits, units=dict.fromkeys(space, "in2"),
        optimum=5490.737892493558, best_known=(33.5, 1.62, 22.9, 14.2, 1.62, 1.62, 7.97, 22.9, 22.0, 1.62),
    )


def _ten_bar_truss(x: Floats) -> tuple[float, list[float]]:
    young, density, load = 1e7, 0.1, 1e5
    forces = np.zeros(_FREE)
    forces[[3, 7]] = -load  # on nodes 2 and 4, downwards
    stiffness = _STRETCH.T @ ((young * x / _LENGTHS)[:, np.newaxis] * _STRETCH)
    moved = np.linalg.solve(stiffness, forces)
    stresses = young / _LENGTHS * (_STRETCH @ moved)
    return density * float(x @ _LENGTHS), [*(np.abs(stresses) - 25_000).tolist(), *(np.abs(moved) - 2).tolist()]
