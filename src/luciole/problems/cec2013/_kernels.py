"""One compiled kernel for each of the 28 functions of CEC 2013.

Every kernel is `kernel(x, data, work) -> float`: `data` holds the constants of the function, its
dimension and its edition (see `_prepare`), `work` is scratch of at least `work_size(dim)`
elements. A kernel allocates nothing and does not check its arguments. The editions differ in
`data` alone.
"""

from collections.abc import Callable
from typing import Any

from luciole.problems.cec2013._compositions import block, combine, weigh
from luciole.problems.cec2013._jit import jit
from luciole.problems.cec2013._multimodal import (
    ackley,
    griewank,
    griewank_rosenbrock,
    katsuura,
    lunacek,
    rastrigin,
    rosenbrock,
    rotated_rastrigin,
    rotated_schwefel,
    schaffer_f6,
    schaffer_f7,
    schwefel,
    weierstrass,
)
from luciole.problems.cec2013._simd import pointer
from luciole.problems.cec2013._transforms import HEADER, lanes_of, shift, slot
from luciole.problems.cec2013._unimodal import bent_cigar, different_powers, oscillated_squares, sphere

__all__ = ["KERNELS"]


@jit
def f1(x: Any, data: Any, work: Any) -> float:
    """Evaluate F1."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return sphere(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


@jit
def f2_f4(x: Any, data: Any, work: Any) -> float:
    """Evaluate F2 or F4."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return oscillated_squares(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


@jit
def f3(x: Any, data: Any, work: Any) -> float:
    """Evaluate F3."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return bent_cigar(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


@jit
def f5(x: Any, data: Any, work: Any) -> float:
    """Evaluate F5."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return different_powers(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


@jit
def f6(x: Any, data: Any, work: Any) -> float:
    """Evaluate F6."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return rosenbrock(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


@jit
def f7(x: Any, data: Any, work: Any) -> float:
    """Evaluate F7."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return schaffer_f7(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


@jit
def f8(x: Any, data: Any, work: Any) -> float:
    """Evaluate F8."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return ackley(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


@jit
def f9(x: Any, data: Any, work: Any) -> float:
    """Evaluate F9."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return weierstrass(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


@jit
def f10(x: Any, data: Any, work: Any) -> float:
    """Evaluate F10."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return griewank(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


@jit
def f11(x: Any, data: Any, work: Any) -> float:
    """Evaluate F11."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return rastrigin(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


@jit
def f12_f13(x: Any, data: Any, work: Any) -> float:
    """Evaluate F12 or F13."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return rotated_rastrigin(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


@jit
def f14(x: Any, data: Any, work: Any) -> float:
    """Evaluate F14."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return schwefel(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


@jit
def f15(x: Any, data: Any, work: Any) -> float:
    """Evaluate F15."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return rotated_schwefel(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


@jit
def f16(x: Any, data: Any, work: Any) -> float:
    """Evaluate F16."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return katsuura(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


@jit
def f17_f18(x: Any, data: Any, work: Any) -> float:
    """Evaluate F17 or F18."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return lunacek(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


@jit
def f19(x: Any, data: Any, work: Any) -> float:
    """Evaluate F19."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return griewank_rosenbrock(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


@jit
def f20(x: Any, data: Any, work: Any) -> float:
    """Evaluate F20."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return schaffer_f6(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


@jit
def f21(x: Any, data: Any, work: Any) -> float:
    """Evaluate F21."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    weigh(pointer(x, 0), n, constants, scratch, 5)
    free = slot(5, lanes)
    result = constants[0]
    if scratch[0] != 0.0:
        value = rosenbrock(constants, block(constants, 0), scratch, slot(0, lanes), free, n, lanes)
        result += combine(constants, scratch, 0, value)
    if scratch[1] != 0.0:
        value = different_powers(constants, block(constants, 1), scratch, slot(1, lanes), free, n, lanes)
        result += combine(constants, scratch, 1, value)
    if scratch[2] != 0.0:
        value = bent_cigar(constants, block(constants, 2), scratch, slot(2, lanes), free, n, lanes)
        result += combine(constants, scratch, 2, value)
    if scratch[3] != 0.0:
        value = oscillated_squares(constants, block(constants, 3), scratch, slot(3, lanes), free, n, lanes)
        result += combine(constants, scratch, 3, value)
    if scratch[4] != 0.0:
        value = sphere(constants, block(constants, 4), scratch, slot(4, lanes), free, n, lanes)
        result += combine(constants, scratch, 4, value)
    return result


@jit
def f22(x: Any, data: Any, work: Any) -> float:
    """Evaluate F22."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    weigh(pointer(x, 0), n, constants, scratch, 3)
    free = slot(3, lanes)
    result = constants[0]
    if scratch[0] != 0.0:
        value = schwefel(constants, block(constants, 0), scratch, slot(0, lanes), free, n, lanes)
        result += combine(constants, scratch, 0, value)
    if scratch[1] != 0.0:
        value = schwefel(constants, block(constants, 1), scratch, slot(1, lanes), free, n, lanes)
        result += combine(constants, scratch, 1, value)
    if scratch[2] != 0.0:
        value = schwefel(constants, block(constants, 2), scratch, slot(2, lanes), free, n, lanes)
        result += combine(constants, scratch, 2, value)
    return result


@jit
def f23(x: Any, data: Any, work: Any) -> float:
    """Evaluate F23."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    weigh(pointer(x, 0), n, constants, scratch, 3)
    free = slot(3, lanes)
    result = constants[0]
    if scratch[0] != 0.0:
        value = rotated_schwefel(constants, block(constants, 0), scratch, slot(0, lanes), free, n, lanes)
        result += combine(constants, scratch, 0, value)
    if scratch[1] != 0.0:
        value = rotated_schwefel(constants, block(constants, 1), scratch, slot(1, lanes), free, n, lanes)
        result += combine(constants, scratch, 1, value)
    if scratch[2] != 0.0:
        value = rotated_schwefel(constants, block(constants, 2), scratch, slot(2, lanes), free, n, lanes)
        result += combine(constants, scratch, 2, value)
    return result


@jit
def f24_f25(x: Any, data: Any, work: Any) -> float:
    """Evaluate F24 or F25."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    weigh(pointer(x, 0), n, constants, scratch, 3)
    free = slot(3, lanes)
    result = constants[0]
    if scratch[0] != 0.0:
        value = rotated_schwefel(constants, block(constants, 0), scratch, slot(0, lanes), free, n, lanes)
        result += combine(constants, scratch, 0, value)
    if scratch[1] != 0.0:
        value = rotated_rastrigin(constants, block(constants, 1), scratch, slot(1, lanes), free, n, lanes)
        result += combine(constants, scratch, 1, value)
    if scratch[2] != 0.0:
        value = weierstrass(constants, block(constants, 2), scratch, slot(2, lanes), free, n, lanes)
        result += combine(constants, scratch, 2, value)
    return result


@jit
def f26(x: Any, data: Any, work: Any) -> float:
    """Evaluate F26."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    weigh(pointer(x, 0), n, constants, scratch, 5)
    free = slot(5, lanes)
    result = constants[0]
    if scratch[0] != 0.0:
        value = rotated_schwefel(constants, block(constants, 0), scratch, slot(0, lanes), free, n, lanes)
        result += combine(constants, scratch, 0, value)
    if scratch[1] != 0.0:
        value = rotated_rastrigin(constants, block(constants, 1), scratch, slot(1, lanes), free, n, lanes)
        result += combine(constants, scratch, 1, value)
    if scratch[2] != 0.0:
        value = oscillated_squares(constants, block(constants, 2), scratch, slot(2, lanes), free, n, lanes)
        result += combine(constants, scratch, 2, value)
    if scratch[3] != 0.0:
        value = weierstrass(constants, block(constants, 3), scratch, slot(3, lanes), free, n, lanes)
        result += combine(constants, scratch, 3, value)
    if scratch[4] != 0.0:
        value = griewank(constants, block(constants, 4), scratch, slot(4, lanes), free, n, lanes)
        result += combine(constants, scratch, 4, value)
    return result


@jit
def f27(x: Any, data: Any, work: Any) -> float:
    """Evaluate F27."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    weigh(pointer(x, 0), n, constants, scratch, 5)
    free = slot(5, lanes)
    result = constants[0]
    if scratch[0] != 0.0:
        value = griewank(constants, block(constants, 0), scratch, slot(0, lanes), free, n, lanes)
        result += combine(constants, scratch, 0, value)
    if scratch[1] != 0.0:
        value = rotated_rastrigin(constants, block(constants, 1), scratch, slot(1, lanes), free, n, lanes)
        result += combine(constants, scratch, 1, value)
    if scratch[2] != 0.0:
        value = rotated_schwefel(constants, block(constants, 2), scratch, slot(2, lanes), free, n, lanes)
        result += combine(constants, scratch, 2, value)
    if scratch[3] != 0.0:
        value = weierstrass(constants, block(constants, 3), scratch, slot(3, lanes), free, n, lanes)
        result += combine(constants, scratch, 3, value)
    if scratch[4] != 0.0:
        value = sphere(constants, block(constants, 4), scratch, slot(4, lanes), free, n, lanes)
        result += combine(constants, scratch, 4, value)
    return result


@jit
def f28(x: Any, data: Any, work: Any) -> float:
    """Evaluate F28."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    weigh(pointer(x, 0), n, constants, scratch, 5)
    free = slot(5, lanes)
    result = constants[0]
    if scratch[0] != 0.0:
        value = griewank_rosenbrock(constants, block(constants, 0), scratch, slot(0, lanes), free, n, lanes)
        result += combine(constants, scratch, 0, value)
    if scratch[1] != 0.0:
        value = schaffer_f7(constants, block(constants, 1), scratch, slot(1, lanes), free, n, lanes)
        result += combine(constants, scratch, 1, value)
    if scratch[2] != 0.0:
        value = rotated_schwefel(constants, block(constants, 2), scratch, slot(2, lanes), free, n, lanes)
        result += combine(constants, scratch, 2, value)
    if scratch[3] != 0.0:
        value = schaffer_f6(constants, block(constants, 3), scratch, slot(3, lanes), free, n, lanes)
        result += combine(constants, scratch, 3, value)
    if scratch[4] != 0.0:
        value = sphere(constants, block(constants, 4), scratch, slot(4, lanes), free, n, lanes)
        result += combine(constants, scratch, 4, value)
    return result


KERNELS: dict[int, Callable[[Any, Any, Any], float]] = {
    1: f1,
    2: f2_f4,
    3: f3,
    4: f2_f4,
    5: f5,
    6: f6,
    7: f7,
    8: f8,
    9: f9,
    10: f10,
    11: f11,
    12: f12_f13,
    13: f12_f13,
    14: f14,
    15: f15,
    16: f16,
    17: f17_f18,
    18: f17_f18,
    19: f19,
    20: f20,
    21: f21,
    22: f22,
    23: f23,
    24: f24_f25,
    25: f24_f25,
    26: f26,
    27: f27,
    28: f28,
}
