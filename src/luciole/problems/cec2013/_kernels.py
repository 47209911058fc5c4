"""One compiled kernel for each of the 28 functions of CEC 2013.

Every kernel is `kernel(x, data, work) -> float`: `data` holds the constants of the function, its
dimension and its edition (see `_prepare`), `work` is scratch of at least `work_size(dim)`
elements. A kernel allocates nothing and does not check its arguments. The editions differ in
`data` alone, and so do some functions: F2 and F4 are one kernel.

There are three kernels to read, for a basic function and for compositions of three and of five.
Each is compiled anew with the basic functions that `_table` names in place of its `first` to `fifth`.
"""

from collections.abc import Callable
from functools import cache
from types import FunctionType
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
from luciole.problems.cec2013._table import BASIC, COMPOSITIONS, FUNCTIONS
from luciole.problems.cec2013._transforms import HEADER, lanes_of, shift, slot
from luciole.problems.cec2013._unimodal import bent_cigar, different_powers, oscillated_squares, sphere

__all__ = ["KERNELS"]

_FUNCTION_OF_BLOCK = {
    "ackley": ackley,
    "bent_cigar": bent_cigar,
    "different_powers": different_powers,
    "discus": oscillated_squares,
    "elliptic": oscillated_squares,
    "griewank": griewank,
    "griewank_rosenbrock": griewank_rosenbrock,
    "katsuura": katsuura,
    "lunacek": lunacek,
    "rastrigin": rastrigin,
    "rosenbrock": rosenbrock,
    "rotated_rastrigin": rotated_rastrigin,
    "rotated_schwefel": rotated_schwefel,
    "schaffer_f6": schaffer_f6,
    "schaffer_f7": schaffer_f7,
    "schwefel": schwefel,
    "sphere": sphere,
    "step_rastrigin": rotated_rastrigin,
    "weierstrass": weierstrass,
}


def first(constants: Any, offset: int, scratch: Any, y: int, free: int, n: int, lanes: int) -> float:
    """Stand for a basic function: its value at the shifted point y, with the slots from `free` on as scratch."""
    raise NotImplementedError


second = third = fourth = fifth = first


def basic(x: Any, data: Any, work: Any) -> float:
    """Evaluate one of F1 to F20."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    y = slot(0, lanes)
    shift(pointer(x, 0), n, constants, HEADER, scratch, y)
    return first(constants, HEADER + lanes, scratch, y, slot(1, lanes), n, lanes) + constants[0]


def composition_of_three(x: Any, data: Any, work: Any) -> float:
    """Evaluate one of F22 to F25; a component without weight is not computed."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    weigh(pointer(x, 0), n, constants, scratch, 3)
    free = slot(3, lanes)
    result = constants[0]
    if scratch[0] != 0.0:
        result += combine(constants, scratch, 0, first(constants, block(constants, 0), scratch, slot(0, lanes), free, n, lanes))
    if scratch[1] != 0.0:
        result += combine(constants, scratch, 1, second(constants, block(constants, 1), scratch, slot(1, lanes), free, n, lanes))
    if scratch[2] != 0.0:
        result += combine(constants, scratch, 2, third(constants, block(constants, 2), scratch, slot(2, lanes), free, n, lanes))
    return result


def composition_of_five(x: Any, data: Any, work: Any) -> float:
    """Evaluate F21 or one of F26 to F28; a component without weight is not computed."""
    n, lanes = x.size, lanes_of(x.size)
    constants, scratch = pointer(data, 0), pointer(work, 0)
    weigh(pointer(x, 0), n, constants, scratch, 5)
    free = slot(5, lanes)
    result = constants[0]
    if scratch[0] != 0.0:
        result += combine(constants, scratch, 0, first(constants, block(constants, 0), scratch, slot(0, lanes), free, n, lanes))
    if scratch[1] != 0.0:
        result += combine(constants, scratch, 1, second(constants, block(constants, 1), scratch, slot(1, lanes), free, n, lanes))
    if scratch[2] != 0.0:
        result += combine(constants, scratch, 2, third(constants, block(constants, 2), scratch, slot(2, lanes), free, n, lanes))
    if scratch[3] != 0.0:
        result += combine(constants, scratch, 3, fourth(constants, block(constants, 3), scratch, slot(3, lanes), free, n, lanes))
    if scratch[4] != 0.0:
        result += combine(constants, scratch, 4, fifth(constants, block(constants, 4), scratch, slot(4, lanes), free, n, lanes))
    return result


@cache
def _kernel(template: Callable[[Any, Any, Any], float], *functions: Any) -> Any:
    """Compile a template with functions in the places of its own.

    The kernel gets a name that tells it from its siblings in the cache on disk.
    """
    places = dict(zip(("first", "second", "third", "fourth", "fifth"), functions, strict=False))
    kernel = FunctionType(template.__code__, template.__globals__ | places, template.__name__)
    kernel.__module__ = template.__module__
    kernel.__qualname__ = "_".join([template.__name__, *(each.__name__ for each in functions)])
    return jit(kernel)


def _kernel_of(number: int) -> Any:
    if number in BASIC:
        return _kernel(basic, _FUNCTION_OF_BLOCK[BASIC[number]])
    functions = [_FUNCTION_OF_BLOCK[each.block] for each in COMPOSITIONS[number]]
    return _kernel(composition_of_three if len(functions) == 3 else composition_of_five, *functions)


KERNELS: dict[int, Callable[[Any, Any, Any], float]] = {number: _kernel_of(number) for number in FUNCTIONS}
