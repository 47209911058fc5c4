"""The multimodal functions of CEC 2013, each without its bias.

All take the same arguments: the address of the constants and the offset `at` of the function's
block in them (eight numbers, then vectors, then matrices; `_blocks` writes it), the address of the
scratch array, the offsets of the shifted point `y` and of two free slots, the dimension n and the
padded length `lanes` of a vector.
"""

import math
from typing import Any

from luciole.problems.cec2013._jit import jit
from luciole.problems.cec2013._math import cos_of_huge, exp, log, sin, sin_half_turns_squared, sin_squared
from luciole.problems.cec2013._simd import (
    LANES,
    broadcast,
    fma,
    lane,
    load,
    pack4,
    product,
    store,
    total,
    vabs,
    vfloor,
    vmax,
    vround,
    vsqrt,
    where_positive,
)
from luciole.problems.cec2013._transforms import (
    HEADER,
    SPARE,
    matrix_size,
    oscillate_and_skew,
    rotate,
    rotate_and_skew,
    rotate_in_order,
    scale,
    shrink,
    skew,
)

__all__ = [
    "ackley",
    "griewank",
    "griewank_rosenbrock",
    "katsuura",
    "lunacek",
    "rastrigin",
    "rosenbrock",
    "rotated_rastrigin",
    "rotated_schwefel",
    "schaffer_f6",
    "schaffer_f7",
    "schwefel",
    "weierstrass",
]

_TINY = 1e-300
_E = 2.718281828459045
_TWO_PI = 6.283185307179586
_WEIERSTRASS_RANGE = 0.005
_RASTRIGIN_RANGE = 0.0512
_GRIEWANK_ROSENBROCK_RANGE = 0.05
_SCHWEFEL_OPTIMUM = 420.9687462275036
_SCHWEFEL_MEAN = 418.9828872724338
_LUNACEK_CENTRE = 2.5


@jit
def rosenbrock(data: Any, at: int, work: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Return the rotated Rosenbrock function."""
    inside = at + HEADER
    rotate(data, inside + lanes, work, y, free, n, lanes)
    result = broadcast(0.0)
    for i in range(0, lanes, LANES):
        less_one = load(work, free + i)
        z = less_one + 1.0
        bend = fma(z, z, -(load(work, free + i + 1) + 1.0))
        term = fma(bend * 100.0, bend, less_one * less_one)
        result += where_positive(load(data, inside + i), term, 0.0)
    return total(result)


@jit
def schaffer_f7(data: Any, at: int, work: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Return Schaffer's F7 function."""
    inside = at + HEADER
    powers = inside + lanes
    matrix = powers + lanes
    rotate_and_skew(data, at, powers, matrix, work, y, free, n, lanes)
    rotate(data, matrix + matrix_size(n, lanes), work, free + lanes + SPARE, free, n, lanes)
    result = broadcast(0.0)
    for i in range(0, lanes, LANES):
        z = load(work, free + i)
        beside = load(work, free + i + 1)
        squared = fma(z, z, beside * beside)
        fifth_root = exp(0.1 * log(vmax(_TINY, squared)))
        term = vsqrt(vsqrt(squared)) * (1.0 + sin_squared(50.0 * fifth_root))
        result += where_positive(load(data, inside + i), term, 0.0)
    mean = total(result)
    return mean * mean * data[at + 1]


@jit
def ackley(data: Any, at: int, work: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Return Ackley's function.

    Far from the optimum this is the cosine of numbers up to 1e18, to which every rounding on the
    way matters; so the rotations and the scaling are done in the order of the official program.
    """
    scales = at + HEADER
    powers = scales + lanes
    matrix = powers + lanes
    second = free + lanes + SPARE
    rotate_in_order(data, matrix, work, y, free, n, lanes)
    held = y if data[at] > 0.0 else free
    skew(data, powers, work, free, held, second, lanes)
    scale(data, scales, work, second, second, lanes)
    rotate_in_order(data, matrix + matrix_size(n, lanes), work, second, free, n, lanes)
    squares = broadcast(0.0)
    cosines = broadcast(0.0)
    for i in range(0, lanes, LANES):
        z = load(work, free + i)
        squares = fma(z, z, squares)
        cosines += cos_of_huge(_TWO_PI * z)
    # The padding adds a cosine of 1 each.
    mean_cosine = (total(cosines) - (lanes - n)) / n
    both = exp(pack4(-0.2 * math.sqrt(total(squares) / n), mean_cosine, 0.0, 0.0))
    return _E - 20.0 * lane(both, 0) - lane(both, 1) + 20.0


@jit
def weierstrass(data: Any, at: int, work: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Return the Weierstrass function with a = 1/2, b = 3, k up to 20.

    As 3**k is odd, a^k (cos(2 pi 3^k (z + 1/2)) - cos(pi 3^k)) is 2 a^k q_k^2 with q_k = sin(pi 3^k z),
    and sin(3 t) = sin t (3 - 4 sin^2 t). The squares q_k^2 = s alone suffice: s becomes
    s (3 - 4 s)^2. Three chains of seven, each from its own exact reduction, keep the growth of
    rounding errors small and run side by side.
    """
    powers = at + HEADER
    matrix = powers + lanes
    shrink(work, y, y, _WEIERSTRASS_RANGE, lanes)
    rotate_and_skew(data, at, powers, matrix, work, y, free, n, lanes)
    rotate(data, matrix + matrix_size(n, lanes), work, free + lanes + SPARE, free, n, lanes)
    result = broadcast(0.0)
    for i in range(0, lanes, LANES):
        z = load(work, free + i)
        low = sin_half_turns_squared(z)
        middle = sin_half_turns_squared(2187.0 * z)
        high = sin_half_turns_squared(4782969.0 * z)
        factor = 2.0
        for _ in range(7):
            mixed = fma(high, 0.0078125 * 0.0078125, fma(middle, 0.0078125, low))
            result = fma(mixed, factor, result)
            factor *= 0.5
            a = fma(low, -4.0, 3.0)
            b = fma(middle, -4.0, 3.0)
            c = fma(high, -4.0, 3.0)
            low = low * a * a
            middle = middle * b * b
            high = high * c * c
    return total(result)


@jit
def griewank(data: Any, at: int, work: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Return the rotated Griewank function."""
    turns = at + HEADER
    rotate(data, turns + lanes, work, y, free, n, lanes)
    squares = broadcast(0.0)
    cosines = broadcast(1.0)
    for i in range(0, lanes, LANES):
        z = load(work, free + i)
        squares = fma(z, z, squares)
        cosines = cosines * fma(sin_half_turns_squared(z * load(data, turns + i)), -2.0, 1.0)
    return 1.0 + total(squares) / 4000.0 - product(cosines)


@jit
def _rastrigin_sum(work: Any, source: int, lanes: int) -> float:
    """Return the sum of z^2 - 10 cos(2 pi z) + 10."""
    result = broadcast(0.0)
    for i in range(0, lanes, LANES):
        z = load(work, source + i)
        result += fma(sin_half_turns_squared(z), 20.0, z * z)
    return total(result)


@jit
def rastrigin(data: Any, at: int, work: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Return the Rastrigin function without rotation."""
    powers = at + HEADER
    shrink(work, y, free, _RASTRIGIN_RANGE, lanes)
    second = free + lanes + SPARE
    oscillate_and_skew(data, at, powers, work, free, second, n, lanes)
    scale(data, powers + lanes, work, second, free, lanes)
    return _rastrigin_sum(work, free, lanes)


@jit
def rotated_rastrigin(data: Any, at: int, work: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Return the rotated Rastrigin function, with or without steps of one half."""
    powers = at + HEADER
    matrix = powers + lanes
    second = free + lanes + SPARE
    rotate(data, matrix, work, y, free, n, lanes)
    if data[at + 1] > 0.0:
        for i in range(0, lanes, LANES):
            z = load(work, free + i)
            down = vfloor(fma(z, 2.0, 0.5))
            if data[at + 2] > 0.0:
                down = where_positive(z, down, -vfloor(z * -2.0))
            store(work, free + i, where_positive(vabs(z) - 0.5, down * 0.5, z))
    oscillate_and_skew(data, at, powers, work, free, second, n, lanes)
    rotate(data, matrix + matrix_size(n, lanes), work, second, free, n, lanes)
    return _rastrigin_sum(work, free, lanes)


@jit
def _schwefel_sum(data: Any, at: int, inside: int, work: Any, source: int, n: int, lanes: int) -> float:
    """Return the modified Schwefel function of a transformed point."""
    flipped = data[at] > 0.0
    result = broadcast(0.0)
    for i in range(0, lanes, LANES):
        z = load(work, source + i) + _SCHWEFEL_OPTIMUM
        size = vabs(z)
        outside = size - 500.0
        rest = fma(vfloor(size / 500.0), -500.0, size)
        # The quotient may have been rounded up to the next integer.
        rest = where_positive(-rest, rest + 500.0, rest)
        folded = where_positive(outside, 500.0 - rest, size)
        amplitude = where_positive(z, folded, -folded)
        if flipped:
            amplitude = where_positive(z - 500.0, 500.0 + rest, amplitude)
        penalty = where_positive(outside, outside * outside * 1e-4 / n, 0.0)
        term = fma(amplitude, sin(vsqrt(folded)), -penalty)
        result += where_positive(load(data, inside + i), term, 0.0)
    return _SCHWEFEL_MEAN * n - total(result)


@jit
def schwefel(data: Any, at: int, work: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Return the modified Schwefel function without rotation."""
    inside = at + HEADER
    scale(data, inside + lanes, work, y, free, lanes)
    return _schwefel_sum(data, at, inside, work, free, n, lanes)


@jit
def rotated_schwefel(data: Any, at: int, work: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Return the rotated modified Schwefel function."""
    inside = at + HEADER
    rotate(data, inside + lanes, work, y, free, n, lanes)
    return _schwefel_sum(data, at, inside, work, free, n, lanes)


@jit
def katsuura(data: Any, at: int, work: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Return the Katsuura function."""
    numbers = at + HEADER
    rotate(data, numbers + lanes, work, y, free, n, lanes)
    factors = broadcast(1.0)
    for i in range(0, lanes, LANES):
        z = load(work, free + i)
        distance = broadcast(0.0)
        power = 2.0
        weight = 0.5
        for _ in range(32):
            scaled = z * power
            distance = fma(vabs(scaled - vround(scaled)), weight, distance)
            power *= 2.0
            weight *= 0.5
        factors = factors * fma(distance, load(data, numbers + i), 1.0)
    # The product of all factors stays below 1e132 for 100 variables: one power is enough.
    power_of_product = lane(exp(log(pack4(product(factors), 1.0, 1.0, 1.0) + _TINY) * data[at]), 0)
    return 10.0 / n / n * (power_of_product - 1.0)


@jit
def lunacek(data: Any, at: int, work: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Return the Lunacek bi-Rastrigin function."""
    signs = at + HEADER
    inside = signs + lanes
    cosine_factors = inside + lanes
    if data[at + 3] > 0.0:
        rotate(data, cosine_factors, work, y, free, n, lanes)
    else:
        scale(data, cosine_factors, work, y, free, lanes)
    offset = _LUNACEK_CENTRE - data[at]
    near = broadcast(0.0)
    far = broadcast(0.0)
    waves = broadcast(0.0)
    for i in range(0, lanes, LANES):
        u = load(data, signs + i) * load(work, y + i)
        if data[at + 2] > 0.0:
            u = vabs(u)
        near = fma(u, u, near)
        beyond = where_positive(load(data, inside + i), u + offset, 0.0)
        far = fma(beyond, beyond, far)
        waves += sin_half_turns_squared(load(work, free + i))
    return min(total(near), total(far) * data[at + 1] + n) + 20.0 * total(waves)


@jit
def griewank_rosenbrock(data: Any, at: int, work: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Return the expanded Griewank plus Rosenbrock function."""
    inside = at + HEADER
    if data[at] > 0.0:
        rotate(data, inside + lanes, work, y, free, n, lanes)
    else:
        shrink(work, y, free, _GRIEWANK_ROSENBROCK_RANGE, lanes)
    work[free + n] = work[free]
    result = broadcast(0.0)
    for i in range(0, lanes, LANES):
        less_one = load(work, free + i)
        z = less_one + 1.0
        bend = fma(z, z, -(load(work, free + i + 1) + 1.0))
        t = fma(bend * 100.0, bend, less_one * less_one)
        term = fma(t * t, 1.0 / 4000.0, 2.0 * sin_squared(0.5 * t))
        result += where_positive(load(data, inside + i), term, 0.0)
    return total(result)


@jit
def schaffer_f6(data: Any, at: int, work: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Return the expanded Schaffer F6 function."""
    inside = at + HEADER
    powers = inside + lanes
    matrix = powers + lanes
    rotate_and_skew(data, at, powers, matrix, work, y, free, n, lanes)
    rotate(data, matrix + matrix_size(n, lanes), work, free + lanes + SPARE, free, n, lanes)
    work[free + n] = work[free]
    result = broadcast(0.0)
    for i in range(0, lanes, LANES):
        z = load(work, free + i)
        beside = load(work, free + i + 1)
        squared = fma(z, z, beside * beside)
        damping = fma(squared, 0.001, 1.0)
        term = 0.5 + (sin_squared(vsqrt(squared)) - 0.5) / (damping * damping)
        result += where_positive(load(data, inside + i), term, 0.0)
    return total(result)
