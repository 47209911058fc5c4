"""Compile everything once, so that later processes find it in the cache."""

from collections.abc import Iterator

import numpy as np

from luciole.algorithms import METHODS
from luciole.minimize import minimize
from luciole.optimizer import Optimizer
from luciole.problems.cec2013 import FUNCTIONS, cec2013
from luciole.space import Space


def warm_up() -> Iterator[str]:
    """Compile the kernels and the compiled loops of every method, and the functions; name each as it is done."""
    from numba import njit

    @njit("float64(float64[::1])")
    def nothing(x: np.ndarray) -> float:
        return 0.0

    space = Space.from_bounds([(-1, 1), (0, 3)], integrality=[False, True])
    for name in METHODS:
        optimizer = Optimizer(space, name, rng=0, budget=10, compiled=True)
        optimizer.tell(optimizer.ask(), 0.0)
        minimize(nothing, space, budget=2000, method=name, rng=0, compiled=True)
        minimize(cec2013(1, dim=2), budget=2000, method=name, rng=0, compiled=True)
        yield name
    points = np.zeros((1, 2))
    for number in FUNCTIONS:
        cec2013(number, dim=2).evaluate_many(points)
    yield "the CEC 2013 functions"
