"""The unimodal functions of CEC 2013, each without its bias.

All take the same arguments: the address of the constants and the offset `at` of the function's
block in them (eight numbers, then vectors, then matrices; `_blocks` writes it), the address of the
scratch array, the offsets of the shifted point `y` and of two free slots, the dimension n and the
padded length `lanes` of a vector.
"""

import math
from typing import Any

from luciole.problems.cec2013._jit import jit
from luciole.problems.cec2013._math import power_of_abs
from luciole.problems.cec2013._simd import LANES, broadcast, fma, load, total, vabs, where_positive
from luciole.problems.cec2013._transforms import HEADER, SPARE, matrix_size, oscillate, rotate, rotate_and_skew, squared_norm

__all__ = ["bent_cigar", "different_powers", "oscillated_squares", "sphere"]


@jit
def sphere(data: Any, at: int, work: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Return the sum of squares."""
    return squared_norm(work, y, lanes)


@jit
def _weighted_squares(data: Any, weights: int, work: Any, source: int, lanes: int) -> float:
    result = broadcast(0.0)
    for i in range(0, lanes, LANES):
        v = load(work, source + i)
        result = fma(load(data, weights + i) * v, v, result)
    return total(result)


@jit
def oscillated_squares(data: Any, at: int, work: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Return the weighted squares of the rotated, oscillated point: elliptic and discus."""
    rotate(data, at + HEADER + lanes, work, y, free, n, lanes)
    oscillate(work, free, n)
    return _weighted_squares(data, at + HEADER, work, free, lanes)


@jit
def bent_cigar(data: Any, at: int, work: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Return the bent cigar function."""
    weights = at + HEADER
    powers = weights + lanes
    matrix = powers + lanes
    rotate_and_skew(data, at, powers, matrix, work, y, free, n, lanes)
    rotate(data, matrix + matrix_size(n, lanes), work, free + lanes + SPARE, free, n, lanes)
    return _weighted_squares(data, weights, work, free, lanes)


@jit
def _integer_power(a: Any, exponents: Any) -> Any:
    """Return a**exponents for exponents 2, 3, 4, 5 or 6."""
    result = a * a
    for k in range(3, 7):
        result = where_positive(exponents - (k - 0.5), result * a, result)
    return result


@jit
def different_powers(data: Any, at: int, work: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Return the different powers function, with real exponents or those of an integer division."""
    exponents = at + HEADER
    source = y
    if data[at + 1] > 0.0:
        rotate(data, exponents + lanes, work, y, free, n, lanes)
        source = free
    result = broadcast(0.0)
    if data[at] > 0.0:
        for i in range(0, lanes, LANES):
            result += _integer_power(vabs(load(work, source + i)), load(data, exponents + i))
    else:
        for i in range(0, lanes, LANES):
            result += power_of_abs(load(work, source + i), load(data, exponents + i))
    return math.sqrt(total(result))
