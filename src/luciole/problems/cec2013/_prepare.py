"""The constants that a kernel reads: `prepare` builds them once for a function, dimension and edition."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luciole.problems.cec2013._blocks import BLOCKS, Setting, padded, padded_size
from luciole.problems.cec2013._data import load_rotations, load_shifts
from luciole.problems.cec2013._table import FUNCTIONS
from luciole.problems.cec2013._transforms import HEADER, SPARE

__all__ = ["aligned", "prepare", "work_size"]

Floats = NDArray[np.float64]

_ALIGNMENT = 64
# The most components of a composition, and the most scratch vectors of a basic function.
_SLOTS = 5 + 2
_COMPONENTS = 8


class _Component(NamedTuple):
    """One component of a composition: its function, spread, factor, bias and opfunu's factor if another."""

    block: str
    spread: float
    factor: float
    bias: float
    opfunu_factor: float | None = None


_BASIC = {
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
_UNROTATED = (5, 17)

_COMPOSITIONS = {
    21: (
        _Component("rosenbrock", 10.0, 1.0, 0.0),
        _Component("different_powers", 20.0, 1e-6, 100.0),
        _Component("bent_cigar", 30.0, 1e-26, 200.0),
        _Component("discus", 40.0, 1e-6, 300.0),
        _Component("sphere", 50.0, 0.1, 400.0),
    ),
    22: tuple(_Component("schwefel", 20.0, 1.0, 100.0 * k) for k in range(3)),
    23: tuple(_Component("rotated_schwefel", 20.0, 1.0, 100.0 * k) for k in range(3)),
    24: (
        _Component("rotated_schwefel", 20.0, 0.25, 0.0),
        _Component("rotated_rastrigin", 20.0, 1.0, 100.0),
        _Component("weierstrass", 20.0, 2.5, 200.0),
    ),
    25: (
        _Component("rotated_schwefel", 10.0, 0.25, 0.0),
        _Component("rotated_rastrigin", 30.0, 1.0, 100.0),
        _Component("weierstrass", 50.0, 2.5, 200.0),
    ),
    26: (
        _Component("rotated_schwefel", 10.0, 0.25, 0.0),
        _Component("rotated_rastrigin", 10.0, 1.0, 100.0),
        _Component("elliptic", 10.0, 1e-7, 200.0),
        _Component("weierstrass", 10.0, 2.5, 300.0),
        _Component("griewank", 10.0, 10.0, 400.0),
    ),
    27: (
        _Component("griewank", 10.0, 100.0, 0.0),
        _Component("rotated_rastrigin", 10.0, 10.0, 100.0),
        _Component("rotated_schwefel", 10.0, 2.5, 200.0),
        _Component("weierstrass", 20.0, 25.0, 300.0),
        _Component("sphere", 20.0, 0.1, 400.0),
    ),
    28: (
        _Component("griewank_rosenbrock", 10.0, 2.5, 0.0),
        _Component("schaffer_f7", 20.0, 2.5e-3, 100.0, 2.5e-6),
        _Component("rotated_schwefel", 30.0, 2.5, 200.0),
        _Component("schaffer_f6", 40.0, 5e-4, 300.0),
        _Component("sphere", 50.0, 0.1, 400.0),
    ),
}


def aligned(size: int) -> Floats:
    """Return zeros that start on a cache line; kernels accept any array but are faster on these."""
    raw = np.zeros(size + _ALIGNMENT // 8)
    skip = -raw.ctypes.data % _ALIGNMENT // 8
    return raw[skip : skip + size]


def work_size(dim: int) -> int:
    """Return the number of scratch elements that any kernel needs in a dimension."""
    return HEADER + _SLOTS * (padded_size(dim) + SPARE)


def _origin(k: int, dim: int, official: bool) -> Floats:
    """Return the shift of component k; the official program reads the table as one flat list."""
    shifts = load_shifts()
    return shifts.reshape(-1)[k * dim : (k + 1) * dim] if official else shifts[k, :dim]


def _matrices(number: int, k: int, official: bool) -> tuple[int, int]:
    """Return which matrices component k uses; opfunu takes the same ones for nearly all."""
    if official:
        return k, k + 1
    return (2, 3) if (number, k) == (28, 1) else (0, 1)


def _setting(number: int, k: int, dim: int, official: bool) -> Setting:
    first, second = _matrices(number, k, official)
    rotations = load_rotations(dim)
    unrotated = number in _UNROTATED or (number == 21 and k == 1 and not official)
    return Setting(
        dim, official, _origin(k, dim, official), rotations[first], rotations[second], not unrotated
    )


def _composition(number: int, dim: int, official: bool) -> Floats:
    components = _COMPOSITIONS[number]
    table = np.zeros((6, _COMPONENTS))
    table[0, 0] = FUNCTIONS[number].optimum
    settings = [_setting(number, k, dim, official) for k in range(len(components))]
    blocks = [BLOCKS[c.block](s) for c, s in zip(components, settings, strict=True)]
    offset = table.size + len(components) * padded_size(dim)
    for k, component in enumerate(components):
        factor = component.factor
        if not official and component.opfunu_factor is not None:
            factor = component.opfunu_factor
        table[1:, k] = (1.0 / (2.0 * dim * component.spread**2), 1.0, factor, component.bias, offset)
        offset += len(blocks[k])
    origins = [padded(s.origin, dim) for s in settings]
    return np.concatenate([table.reshape(-1), *origins, *blocks])


def prepare(number: int, dim: int, edition: str = "official") -> Floats:
    """Return the constants of a function as its kernel reads them.

    Parameters
    ----------
    number : int
        1 to 28.
    dim : int
        2, 5, 10, 20, 30, ..., 100.
    edition : str
        "official" or "opfunu-1.0.1".

    Returns
    -------
    ndarray
        One-dimensional, not to be written to.
    """
    official = edition == "official"
    if number in _BASIC:
        setting = _setting(number, 0, dim, official)
        header = np.zeros(HEADER)
        header[0] = FUNCTIONS[number].optimum
        content = np.concatenate([header, padded(setting.origin, dim), BLOCKS[_BASIC[number]](setting)])
    else:
        content = _composition(number, dim, official)
    data = aligned(len(content))
    data[:] = content
    return data
