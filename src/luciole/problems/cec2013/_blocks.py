"""The constants of each basic function, laid out as `_unimodal` and `_multimodal` read them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from luciole.problems.cec2013._simd import LANES
from luciole.problems.cec2013._transforms import COLUMNS, HEADER

__all__ = ["BLOCKS", "Setting", "pack_matrix", "padded", "padded_size"]

Floats = NDArray[np.float64]

_TWO_PI = 2.0 * math.pi
# What the search range [-100, 100] is shrunk to, over 100.
_ROSENBROCK_RANGE = 2.048 / 100.0
_GRIEWANK_RANGE = 600.0 / 100.0
_RASTRIGIN_RANGE = 5.12 / 100.0
_SCHWEFEL_RANGE = 1000.0 / 100.0
_KATSUURA_RANGE = 5.0 / 100.0
_LUNACEK_RANGE = 10.0 / 100.0
_GRIEWANK_ROSENBROCK_RANGE = 5.0 / 100.0
_LUNACEK_CENTRE = 2.5


@dataclass(frozen=True)
class Setting:
    """Where a basic function is used.

    Attributes
    ----------
    dim : int
        The dimension.
    official : bool
        Whether the official edition is meant, else opfunu-1.0.1.
    origin : ndarray of shape (dim,)
        The shift vector.
    first, second : ndarray of shape (dim, dim)
        The rotation matrices.
    rotated : bool
        Of a function that exists in both forms: whether it is rotated.
    """

    dim: int
    official: bool
    origin: Floats
    first: Floats
    second: Floats
    rotated: bool = True


def padded_size(dim: int) -> int:
    """Return the number of elements of a padded vector: whole groups of lanes, two at least."""
    return LANES * max(2, -(-dim // LANES))


def padded(values: Sequence[float] | Floats, dim: int) -> Floats:
    """Return a vector with zeros appended up to the padded size."""
    vector = np.zeros(padded_size(dim))
    vector[: len(values)] = values
    return vector


def pack_matrix(matrix: Floats) -> Floats:
    """Return a square matrix in the order in which the kernel multiplies it.

    Rows and columns are padded with zeros. Ten columns at a time, from the top down, come the
    eight-row pieces of those columns, one column after the other.
    """
    dim = len(matrix)
    rows, groups = padded_size(dim) // LANES, -(-dim // COLUMNS)
    full = np.zeros((rows * LANES, groups * COLUMNS))
    full[:dim, :dim] = matrix
    return full.reshape(rows, LANES, groups, COLUMNS).transpose(2, 0, 3, 1).reshape(-1)


def _product(left: Floats, right: Floats) -> Floats:
    """Return the matrix product, summed in index order so that it is the same on every machine."""
    result = np.zeros_like(left)
    for k in range(len(left)):
        result += np.multiply.outer(left[:, k], right[k])
    return result


def _fractions(dim: int) -> list[float]:
    """Return i / (dim - 1) for i from 0."""
    return [i / (dim - 1) for i in range(dim)]


def _conditioning(alpha: float, dim: int) -> Floats:
    """Return the diagonal of Lambda^alpha."""
    return np.array([alpha ** (t / 2.0) for t in _fractions(dim)])


def _inside(dim: int, count: int) -> Floats:
    """Return a mask of the first `count` elements."""
    return padded(np.ones(count), dim)


def _powers(setting: Setting, beta: float) -> Floats:
    """Return the factors of sqrt(x) in the exponent of T_asy; opfunu counts from -1."""
    first = 0 if setting.official else -1
    return padded([beta * (i + first) / (setting.dim - 1) for i in range(setting.dim)], setting.dim)


def _scaled_second(setting: Setting, alpha: float) -> Floats:
    """Return M2 Lambda, or Lambda M2 as in opfunu, packed."""
    scales = _conditioning(alpha, setting.dim)
    return pack_matrix(setting.second * (scales if setting.official else scales[:, None]))


def _block(numbers: Sequence[float], *parts: Floats) -> Floats:
    header = np.zeros(HEADER)
    header[: len(numbers)] = numbers
    return np.concatenate([header, *parts])


def _sphere(s: Setting) -> Floats:
    return _block([])


def _elliptic(s: Setting) -> Floats:
    weights = [1e6**t for t in _fractions(s.dim)]
    return _block([], padded(weights, s.dim), pack_matrix(s.first))


def _bent_cigar(s: Setting) -> Floats:
    weights = padded([1.0] + [1e6] * (s.dim - 1), s.dim)
    return _block([s.official], weights, _powers(s, 0.5), pack_matrix(s.first), pack_matrix(s.second))


def _discus(s: Setting) -> Floats:
    weights = padded([1e6] + [1.0] * (s.dim - 1), s.dim)
    return _block([], weights, pack_matrix(s.first))


def _different_powers(s: Setting) -> Floats:
    # The official program divides integers.
    exponents = np.full(padded_size(s.dim), 2.0)
    for i in range(s.dim):
        exponents[i] += 4 * i // (s.dim - 1) if s.official else 4.0 * i / (s.dim - 1)
    return _block([s.official, s.rotated], exponents, pack_matrix(s.first))


def _rosenbrock(s: Setting) -> Floats:
    return _block([], _inside(s.dim, s.dim - 1), pack_matrix(s.first * _ROSENBROCK_RANGE))


def _schaffer_f7(s: Setting) -> Floats:
    divisor = (s.dim - 1.0) ** 2 if s.official else 1.0
    return _block(
        [s.official, 1.0 / divisor],
        _inside(s.dim, s.dim - 1),
        _powers(s, 0.5),
        pack_matrix(s.first),
        _scaled_second(s, 10.0),
    )


def _ackley(s: Setting) -> Floats:
    scales = _conditioning(10.0, s.dim)
    second = s.second
    if not s.official:
        scales, second = np.ones(s.dim), second * scales[:, None]
    return _block(
        [s.official], padded(scales, s.dim), _powers(s, 0.5), pack_matrix(s.first), pack_matrix(second)
    )


def _weierstrass(s: Setting) -> Floats:
    return _block([s.official], _powers(s, 0.5), pack_matrix(s.first), _scaled_second(s, 10.0))


def _griewank(s: Setting) -> Floats:
    # sin(pi t)^2 of half the angle gives the cosine, so the factor of z is 1 / (2 pi sqrt(i + 1)).
    turns = [1.0 / (_TWO_PI * math.sqrt(i + 1.0)) for i in range(s.dim)]
    matrix = s.first * (_conditioning(100.0, s.dim)[:, None] * _GRIEWANK_RANGE)
    return _block([], padded(turns, s.dim), pack_matrix(matrix))


def _rastrigin(s: Setting) -> Floats:
    return _block([s.official], _powers(s, 0.2), padded(_conditioning(10.0, s.dim), s.dim))


def _rotated_rastrigin(s: Setting, steps: bool = False) -> Floats:
    # Nothing stands between the last three linear maps: M1 Lambda M2 is one matrix.
    last = _product(s.first, s.second * _conditioning(10.0, s.dim)[:, None])
    first = pack_matrix(s.first * _RASTRIGIN_RANGE)
    return _block([s.official, steps, not s.official], _powers(s, 0.2), first, pack_matrix(last))


def _step_rastrigin(s: Setting) -> Floats:
    return _rotated_rastrigin(s, steps=True)


def _schwefel_scales(s: Setting) -> Floats:
    return _conditioning(10.0, s.dim) * _SCHWEFEL_RANGE


def _schwefel(s: Setting) -> Floats:
    return _block([not s.official], _inside(s.dim, s.dim), padded(_schwefel_scales(s), s.dim))


def _rotated_schwefel(s: Setting) -> Floats:
    return _block(
        [not s.official], _inside(s.dim, s.dim), pack_matrix(s.first * _schwefel_scales(s)[:, None])
    )


def _katsuura(s: Setting) -> Floats:
    matrix = _product(s.second, s.first * (_conditioning(100.0, s.dim)[:, None] * _KATSUURA_RANGE))
    return _block([10.0 / s.dim**1.2], padded(np.arange(1.0, s.dim + 1.0), s.dim), pack_matrix(matrix))


def _lunacek(s: Setting) -> Floats:
    scale = 1.0 - 1.0 / (2.0 * math.sqrt(s.dim + 20.0) - 8.2)
    second_centre = -math.sqrt((_LUNACEK_CENTRE**2 - 1.0) / scale)
    rotated = s.rotated and s.official
    signs = 2.0 * _LUNACEK_RANGE * np.where(s.origin < 0.0, -1.0, 1.0)
    conditioning = _conditioning(100.0, s.dim) if s.official else np.ones(s.dim)
    if rotated:
        cosines = pack_matrix(_product(s.second, conditioning[:, None] * s.first) * signs)
    else:
        cosines = padded(conditioning * signs, s.dim)
    # opfunu's rotated form is not rotated, but takes absolute values.
    absolute = s.rotated and not s.official
    return _block(
        [second_centre, scale, absolute, rotated], padded(signs, s.dim), _inside(s.dim, s.dim), cosines
    )


def _griewank_rosenbrock(s: Setting) -> Floats:
    # The official program computes a rotation and discards it.
    matrix = pack_matrix(s.first * _GRIEWANK_ROSENBROCK_RANGE)
    return _block([not s.official], _inside(s.dim, s.dim), matrix)


def _schaffer_f6(s: Setting) -> Floats:
    return _block(
        [s.official], _inside(s.dim, s.dim), _powers(s, 0.5), pack_matrix(s.first), pack_matrix(s.second)
    )


BLOCKS: dict[str, Callable[[Setting], Floats]] = {
    "ackley": _ackley,
    "bent_cigar": _bent_cigar,
    "different_powers": _different_powers,
    "discus": _discus,
    "elliptic": _elliptic,
    "griewank": _griewank,
    "griewank_rosenbrock": _griewank_rosenbrock,
    "katsuura": _katsuura,
    "lunacek": _lunacek,
    "rastrigin": _rastrigin,
    "rosenbrock": _rosenbrock,
    "rotated_rastrigin": _rotated_rastrigin,
    "rotated_schwefel": _rotated_schwefel,
    "schaffer_f6": _schaffer_f6,
    "schaffer_f7": _schaffer_f7,
    "schwefel": _schwefel,
    "sphere": _sphere,
    "step_rastrigin": _step_rastrigin,
    "weierstrass": _weierstrass,
}
