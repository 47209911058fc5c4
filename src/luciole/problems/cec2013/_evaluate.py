"""Evaluation of the functions from Python, one point or many."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from itertools import pairwise
from threading import Lock
from typing import Any

import numpy as np
from numba import carray, float64, intp, types

from luciole._layout import Floats
from luciole._objective import Kernel
from luciole.problems.cec2013._jit import jit
from luciole.problems.cec2013._kernels import KERNELS
from luciole.problems.cec2013._prepare import aligned, prepare, work_size
from luciole.problems.cec2013._simd import LANES, broadcast, fma, load_head, pointer, total, vabs, vround

_COMPILING = Lock()  # threads may ask for the same thing at once
_ARGUMENTS = (float64[::1], float64[::1], float64[::1])


@lru_cache(maxsize=128)
def kernel_of(number: int, dim: int, edition: str) -> Kernel:
    """The kernel of a function, compiled, with its constants."""
    function = KERNELS[number]
    function.compile(_ARGUMENTS)
    return Kernel(function, prepare(number, dim, edition), work_size(dim))


@jit
def _evaluate_rows(function: Any, points: Any, dim: int, data: Any, work: Any, values: Any) -> None:
    for i in range(values.size):
        # Unlike a slice, an array made from an address counts no references.
        values[i] = function(carray(pointer(points, i * dim), dim), data, work)


@cache
def _row_loop() -> Any:
    """The loop, compiled once for all kernels: it takes them by address.

    A kernel is never merged into the loop over the points, so a point has the same value, to the last bit, alone or among
    others and with any number of threads.
    """
    with _COMPILING:
        if not _evaluate_rows.overloads:
            _evaluate_rows.compile((types.FunctionType(float64(*_ARGUMENTS)), float64[::1], intp, float64[::1], float64[::1],
                                    float64[::1]))
            # Otherwise each kernel would count as a new type, and the loop be compiled for it.
            _evaluate_rows.disable_compile()
    return _evaluate_rows


def evaluate_rows(kernel: Kernel, rows: Floats, threads: int) -> Floats:
    """The values at the rows of a contiguous, writable matrix, shared by some threads."""
    values = np.empty(len(rows))
    loop = _row_loop()
    threads = min(threads, max(1, len(rows)))

    def fill(part: slice) -> None:
        loop(kernel.function, rows[part].reshape(-1), rows.shape[1], kernel.data, aligned(kernel.work_size), values[part])

    if threads == 1:
        fill(slice(None))
    else:
        edges = np.linspace(0, len(rows), threads + 1).astype(int).tolist()
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(fill, [slice(first, last) for first, last in pairwise(edges)]))
    return values


@jit
def _are_points(points: Any, count: int, dim: int, whole: Any) -> bool:
    faults = broadcast(0.0)
    for row in range(count):
        here = pointer(points, row * dim)
        for i in range(0, dim, LANES):
            x = load_head(here, i, dim)
            # What is not finite gives NaN, which stays.
            faults += fma(vabs(x - vround(x)), load_head(pointer(whole, 0), i, dim), x - x)
    return total(faults) == 0.0


def are_points(rows: Floats, whole: Floats) -> bool:
    """Whether all numbers are finite, and whole in the columns where `whole` is 1."""
    return bool(_are_points(rows.reshape(-1), *rows.shape, whole))
