"""The constants that a kernel reads: `prepare` builds them once for a function, dimension and edition."""

import numpy as np
from numpy.typing import NDArray

from luciole.problems.cec2013._blocks import BLOCKS, Setting, padded, padded_size
from luciole.problems.cec2013._data import load_rotations, load_shifts
from luciole.problems.cec2013._table import BASIC, COMPOSITIONS, FUNCTIONS
from luciole.problems.cec2013._transforms import HEADER, SPARE

__all__ = ["aligned", "prepare", "work_size"]

Floats = NDArray[np.float64]

_ALIGNMENT = 64
# The most components of a composition, and the most scratch vectors of a basic function.
_SLOTS = 5 + 2
_COMPONENTS = 8
_UNROTATED = (5, 17)


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
    components = COMPOSITIONS[number]
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
    if number in BASIC:
        setting = _setting(number, 0, dim, official)
        header = np.zeros(HEADER)
        header[0] = FUNCTIONS[number].optimum
        content = np.concatenate([header, padded(setting.origin, dim), BLOCKS[BASIC[number]](setting)])
    else:
        content = _composition(number, dim, official)
    data = aligned(len(content))
    data[:] = content
    return data
