"""Objectives that bring a compiled kernel of their own, for the fully compiled loop."""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np

from luciole._layout import Floats
from luciole.errors import ArgumentError


class Kernel(NamedTuple):
    """A compiled objective with all that it needs: ``function(x, data, work)`` is the value at x.

    Nothing is checked: x must be a contiguous float64 array of the right length, and no two threads may share one `work`.
    """

    function: Any
    """Compiled with Numba for ``float64(float64[::1], float64[::1], float64[::1])``."""
    data: Floats
    """Constants, not to be written to."""
    work_size: int
    """How many numbers of scratch it needs at least."""


class KernelObjective(ABC):
    """An objective on arrays of numbers that a compiled kernel computes.

    `minimize` runs it in the fully compiled loop. Called, it gives the same bits. It is small and can be pickled as long as its
    attributes are: the kernel is loaded where it is needed.
    """

    dim: int
    """How many numbers it takes."""

    goal: float = np.nan
    """If this is a number, the objective is the distance of the kernel's value to it instead of the value."""

    @abstractmethod
    def kernel(self) -> Kernel:
        """The compiled kernel, with the same constants at every call."""

    def __call__(self, x: Floats) -> float:
        if np.shape(x) != (self.dim,):
            raise ArgumentError(f"the point has the shape {np.shape(x)}; {self.dim} numbers are needed")
        function, data, work_size = self.kernel()
        # A copy is contiguous and writable, whatever came in; work of its own serves any thread.
        value = function(np.array(x, dtype=np.float64), data, np.empty(work_size))
        return float(value if np.isnan(self.goal) else abs(value - self.goal))
