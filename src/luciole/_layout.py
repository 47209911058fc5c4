"""How a solution looks to a method: one float64 slot a variable, and the kind of variable that decides its moves.

A continuous slot holds the value, or its logarithm; an integer slot a whole number, or the logarithm of one; an ordered or
categorical slot the position of the value in its list. `Codec` turns slots into the numbers that the user's objective sees.
All functions here but `code_of` are kernels: they run plain and compiled to the same bits.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CONTINUOUS = 0
INTEGER = 1
LOG_INTEGER = 2  # whole numbers that move in their logarithm, which is what the slot holds
ORDERED = 3
CATEGORICAL = 4
KIND_NAMES = ("continuous", "integer", "integer (log)", "ordered", "categorical")

SAME = 0  # how a slot becomes a number: as it is, ...
EXP = 1  # ... through exp, kept within the bounds, ...
EXP_WHOLE = 2  # ... through exp and to the nearest whole number, ...
TABLE = 3  # ... or looked up.


class Layout(NamedTuple):
    """The slots of a space: kind and bounds of each, both bounds admissible values themselves."""

    kind: Ints
    low: Floats
    high: Floats


class Codec(NamedTuple):
    """How slots become numbers; `plain` when they already are."""

    plain: bool
    rule: Ints
    low: Floats
    high: Floats
    start: Ints
    table: Floats


def settle(slot: float, kind: int, low: float, high: float) -> float:
    """The admissible slot nearest to any real number."""
    slot = min(max(slot, low), high)
    if kind == CONTINUOUS:
        return slot
    if kind == LOG_INTEGER:
        return min(max(math.log(math.floor(math.exp(slot) + 0.5)), low), high)
    return float(math.floor(slot + 0.5))


def truncate(slot: float, kind: int, low: float, high: float) -> float:
    """The admissible slot reached by cutting a real number off toward zero, the paper's INT."""
    slot = min(max(slot, low), high)
    if kind == CONTINUOUS:
        return slot
    if kind == LOG_INTEGER:
        # exp(log(5)) may fall just short of 5: the hair added keeps a value that did not move where it is.
        return math.log(max(math.floor(math.exp(slot) * (1.0 + 1e-12)), math.floor(math.exp(low) + 0.5)))
    return float(int(slot))


def draw(u: float, kind: int, low: float, high: float) -> float:
    """An admissible slot, uniform over its domain, from a number u uniform in [0, 1)."""
    if kind == CONTINUOUS:
        return min(low + u * (high - low), high)
    if kind == LOG_INTEGER:
        first = math.floor(math.exp(low) + 0.5)
        last = math.floor(math.exp(high) + 0.5)
        span = math.log((last + 1.0) / first)
        return math.log(min(math.floor(first * math.exp(u * span)), last))
    return min(low + math.floor(u * (high - low + 1.0)), high)


def get_row(matrix: Floats, i: int, x: Floats) -> None:
    """Copy row i into x. Compiled, a plain loop is several times faster than assigning a slice."""
    for k in range(x.size):
        x[k] = matrix[i, k]


def set_row(matrix: Floats, i: int, x: Floats) -> None:
    """Copy x into row i."""
    for k in range(x.size):
        matrix[i, k] = x[k]


def decode(codec: Codec, x: Floats, out: Floats) -> None:
    """Write the numbers that the slots x stand for into out."""
    for k in range(x.size):
        rule = codec.rule[k]
        if rule == SAME:
            out[k] = x[k]
        elif rule == EXP:
            out[k] = min(max(math.exp(x[k]), codec.low[k]), codec.high[k])
        elif rule == EXP_WHOLE:
            out[k] = math.floor(math.exp(x[k]) + 0.5)
        else:
            out[k] = codec.table[codec.start[k] + int(x[k])]
