"""The weights of the composition functions.

The block of a composition starts with eight numbers each for: the bias of the function; the
factors c of the distances, 1 for a component that exists, the factors and the biases of the
components, and the offsets of their blocks. The shift vectors follow.
"""

from typing import Any

from luciole.problems.cec2013._jit import jit
from luciole.problems.cec2013._math import exp
from luciole.problems.cec2013._simd import broadcast, load, store, total, vsqrt, where_positive
from luciole.problems.cec2013._transforms import lanes_of, shift, slot, squared_norm

__all__ = ["block", "combine", "weigh"]

_DECAYS = 8
_PRESENT = 16
_FACTORS = 24
_BIASES = 32
_BLOCKS = 40
_ORIGINS = 48
_WEIGHT_AT_OPTIMUM = 1e99


@jit
def weigh(x: Any, n: int, data: Any, work: Any, count: int) -> None:
    """Write the normalised weights to the front of `work` and the shifted points to its first slots."""
    lanes = lanes_of(n)
    store(work, 0, broadcast(1.0))
    for k in range(count):
        shift(x, n, data, _ORIGINS + k * lanes, work, slot(k, lanes))
        work[k] = squared_norm(work, slot(k, lanes), lanes)
    distances = load(work, 0)
    present = load(data, _PRESENT)
    weights = vsqrt(1.0 / distances) * exp(-distances * load(data, _DECAYS))
    weights = where_positive(distances, weights, _WEIGHT_AT_OPTIMUM) * present
    # Far away every weight underflows; then all components count alike.
    weights = where_positive(total(weights), weights, present)
    store(work, 0, weights / total(weights))


@jit
def block(data: Any, k: int) -> int:
    """Return the offset of the block of component k."""
    return int(data[_BLOCKS + k])


@jit
def combine(data: Any, work: Any, k: int, value: float) -> float:
    """Return what component k contributes to a composition."""
    return work[k] * (value * data[_FACTORS + k] + data[_BIASES + k])
