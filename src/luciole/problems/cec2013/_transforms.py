"""Shift, rotation and the two nonlinear transformations of the CEC 2013 suite.

Vectors live in slots of the scratch array `work`. A slot holds `lanes` elements, the dimension
rounded up to whole vectors, of which those beyond the dimension are 0 after a shift or a
rotation, and eight more that a load one element past the end may touch. Matrices lie in `data`
in the order in which `rotate` reads them, see `_blocks.pack_matrix`.
"""

from typing import Any

from luciole.problems.cec2013._jit import jit
from luciole.problems.cec2013._math import exp_small, log, power, sin
from luciole.problems.cec2013._simd import (
    LANES,
    broadcast,
    fma,
    lane,
    load,
    load_head,
    pack4,
    store,
    total,
    vabs,
    vmax,
    vsqrt,
    where_positive,
)

__all__ = [
    "lanes_of",
    "matrix_size",
    "oscillate",
    "oscillate_and_skew",
    "rotate",
    "rotate_and_skew",
    "rotate_in_order",
    "scale",
    "shift",
    "shrink",
    "skew",
    "slot",
    "squared_norm",
]

# Numbers in front of every block of constants, and elements of a slot beyond its vector.
HEADER = 8
SPARE = 8
# Columns of a matrix that are accumulated together.
COLUMNS = 10
_TINY = 1e-300


@jit
def lanes_of(n: int) -> int:
    """Return the number of elements in a padded vector of dimension n: two whole vectors at least."""
    return LANES * max(2, (n + LANES - 1) // LANES)


@jit
def slot(k: int, lanes: int) -> int:
    """Return the offset of a slot of scratch."""
    return HEADER + k * (lanes + SPARE)


@jit
def matrix_size(n: int, lanes: int) -> int:
    """Return the number of elements of a packed matrix."""
    return lanes * COLUMNS * ((n + COLUMNS - 1) // COLUMNS)


@jit
def shift(x: Any, n: int, data: Any, origin: int, work: Any, out: int) -> None:
    """Write `x - data[origin:]` to a slot."""
    for i in range(0, lanes_of(n), LANES):
        store(work, out + i, load_head(x, i, n) - load(data, origin + i))


@jit
def scale(data: Any, factors: int, work: Any, source: int, out: int, lanes: int) -> None:
    """Write `data[factors:] * source` to a slot."""
    for i in range(0, lanes, LANES):
        store(work, out + i, load(data, factors + i) * load(work, source + i))


@jit
def shrink(work: Any, source: int, out: int, factor: float, lanes: int) -> None:
    """Write `factor * source` to a slot."""
    for i in range(0, lanes, LANES):
        store(work, out + i, load(work, source + i) * factor)


@jit
def rotate(data: Any, matrix: int, work: Any, source: int, out: int, n: int, lanes: int) -> None:
    """Write the product of a packed matrix and the vector at `source` to the slot `out`."""
    at = matrix
    for j in range(0, n, COLUMNS):
        v0 = broadcast(work[source + j])
        v1 = broadcast(work[source + j + 1])
        v2 = broadcast(work[source + j + 2])
        v3 = broadcast(work[source + j + 3])
        v4 = broadcast(work[source + j + 4])
        v5 = broadcast(work[source + j + 5])
        v6 = broadcast(work[source + j + 6])
        v7 = broadcast(work[source + j + 7])
        v8 = broadcast(work[source + j + 8])
        v9 = broadcast(work[source + j + 9])
        for i in range(0, lanes, LANES):
            # Two chains of five, so that each waits for the other half as long.
            even = load(data, at) * v0
            odd = load(data, at + 8) * v1
            if j > 0:
                even = fma(load(data, at), v0, load(work, out + i))
            even = fma(load(data, at + 16), v2, even)
            odd = fma(load(data, at + 24), v3, odd)
            even = fma(load(data, at + 32), v4, even)
            odd = fma(load(data, at + 40), v5, odd)
            even = fma(load(data, at + 48), v6, even)
            odd = fma(load(data, at + 56), v7, odd)
            even = fma(load(data, at + 64), v8, even)
            odd = fma(load(data, at + 72), v9, odd)
            store(work, out + i, even + odd)
            at += COLUMNS * LANES


@jit
def rotate_in_order(data: Any, matrix: int, work: Any, source: int, out: int, n: int, lanes: int) -> None:
    """Do as `rotate`, with the roundings of a plain loop over the columns: slower."""
    for i in range(0, lanes, LANES):
        store(work, out + i, broadcast(0.0))
    at = matrix
    for j in range(0, n, COLUMNS):
        for i in range(0, lanes, LANES):
            result = load(work, out + i)
            for k in range(COLUMNS):
                result += load(data, at + LANES * k) * work[source + j + k]
            store(work, out + i, result)
            at += COLUMNS * LANES


@jit
def oscillate(work: Any, source: int, n: int) -> None:
    """Apply T_osz in place: it changes the first and the last element only."""
    first, last = work[source], work[source + n - 1]
    x = pack4(first, last, 0.0, 0.0)
    log_abs = log(vmax(vabs(x), _TINY))
    waves = sin(where_positive(x, 10.0, 5.5) * log_abs) + sin(where_positive(x, 7.9, 3.1) * log_abs)
    # sign(x) exp(log|x| + t) is x exp(t), which keeps 0 and loses no digits.
    result = x * exp_small(0.049 * waves)
    work[source] = lane(result, 0)
    work[source + n - 1] = lane(result, 1)


@jit
def skew(data: Any, powers: int, work: Any, source: int, held: int, out: int, lanes: int) -> None:
    """Apply T_asy: x**(1 + powers_i sqrt(x)) where x > 0, and what `held` holds elsewhere."""
    for i in range(0, lanes, LANES):
        x = load(work, source + i)
        positive = vmax(x, _TINY)
        raised = power(positive, load(data, powers + i) * vsqrt(positive) + 1.0)
        store(work, out + i, where_positive(x, raised, load(work, held + i)))


@jit
def rotate_and_skew(
    data: Any, at: int, powers: int, matrix: int, work: Any, y: int, free: int, n: int, lanes: int
) -> None:
    """Write T_asy of the rotated point to the second free slot.

    The official program leaves what its buffer held, the point before the rotation, where the
    rotated one is not positive.
    """
    rotate(data, matrix, work, y, free, n, lanes)
    held = y if data[at] > 0.0 else free
    skew(data, powers, work, free, held, free + lanes + SPARE, lanes)


@jit
def oscillate_and_skew(
    data: Any, at: int, powers: int, work: Any, source: int, out: int, n: int, lanes: int
) -> None:
    """Write T_asy(T_osz) of a slot to another.

    Where T_osz gives no positive value, the official program leaves what its buffer held, the
    value before T_osz; only the first and the last element can differ from it.
    """
    first, last = work[source], work[source + n - 1]
    oscillate(work, source, n)
    skew(data, powers, work, source, source, out, lanes)
    if data[at] > 0.0:
        if work[source] <= 0.0:
            work[out] = first
        if work[source + n - 1] <= 0.0:
            work[out + n - 1] = last


@jit
def squared_norm(work: Any, source: int, lanes: int) -> float:
    """Return the sum of the squares of a slot."""
    result = broadcast(0.0)
    for i in range(0, lanes, LANES):
        v = load(work, source + i)
        result = fma(v, v, result)
    return total(result)
