"""The published shift vectors and rotation matrices, read when first needed."""

import lzma
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

__all__ = ["DIMENSIONS", "load_rotations", "load_shifts"]

DIMENSIONS = (2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
_MATRICES = 10
_SHIFT_ROW = 100


def _read(name: str) -> NDArray[np.float64]:
    content = resources.files(__package__).joinpath("data", name).read_bytes()
    grouped = np.frombuffer(lzma.decompress(content), np.uint8).reshape(8, -1)
    numbers = np.ascontiguousarray(grouped.T).view("<f8").reshape(-1).astype(np.float64)
    numbers.flags.writeable = False
    return numbers


@cache
def load_shifts() -> NDArray[np.float64]:
    """Return the ten shift vectors, one a row, each of 100 numbers."""
    return _read("shifts.xz").reshape(-1, _SHIFT_ROW)


@cache
def load_rotations(dim: int) -> NDArray[np.float64]:
    """Return the ten rotation matrices of a dimension.

    Parameters
    ----------
    dim : int
        One of `DIMENSIONS`.

    Returns
    -------
    ndarray of shape (10, dim, dim)
        The matrices M1 to M10, read-only.
    """
    return _read(f"rotations_{dim}.xz").reshape(_MATRICES, dim, dim)
