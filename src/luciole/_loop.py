"""The fully compiled loop, for objectives that are compiled themselves."""

import math
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from luciole._compile import compiled, is_compiled
from luciole._layout import Codec, Floats, Ints, decode, set_row
from luciole._objective import KernelObjective
from luciole.algorithms.base import Method

if TYPE_CHECKING:
    from luciole.optimizer import Optimizer

BLOCK_NUMBERS = 1_000_000  # random numbers drawn at a time; bounds the memory of a block
BLOCK_EVALUATIONS = 4096  # at most, between two looks at the clock
BLOCK_SECONDS = 0.05  # long enough that looking costs nothing


def ask(state: Any, u: Floats, progress: float, x: Floats) -> int:
    """Stands for the `ask` of a method."""
    raise NotImplementedError


def tell(state: Any, token: int, x: Floats, score: float) -> None:
    """Stands for the `tell` of a method."""
    raise NotImplementedError


def evaluate(function: Any, data: Floats, work: Floats, goal: float, numbers: Floats) -> float:
    """Stands for one of the two ways to evaluate below."""
    raise NotImplementedError


def call_function(function: Any, data: Floats, work: Floats, goal: float, numbers: Floats) -> float:
    """The value of a function of the numbers alone."""
    return function(numbers)  # type: ignore[no-any-return]


def call_kernel(function: Any, data: Floats, work: Floats, goal: float, numbers: Floats) -> float:
    """The value of a `Kernel`, or its distance to the goal if that is a number."""
    value: float = function(numbers, data, work)
    return value if math.isnan(goal) else abs(value - goal)


def run_block(state: Any, function: Any, data: Floats, work: Floats, goal: float, codec: Codec, u: Floats, asked: int,
              budget: int, sign: float, target: float, points: Floats, values: Floats, x: Floats, numbers: Floats,
              done: Ints) -> None:
    """Evaluate one candidate after the other until the block is full or the target met.

    Row n of points and element n of values take the n-th. What happened stands in done: how many were evaluated, the token of
    the last one asked (so that the caller can go on if the objective raises), and whether the target was met.
    """
    size = values.size
    width = u.size // size
    for n in range(done[0], size):
        done[1] = ask(state, u[n * width : (n + 1) * width], min((asked + n) / budget, 1.0), x)
        set_row(points, n, x)
        decode(codec, x, numbers)
        value = evaluate(function, data, work, goal, numbers)
        values[n] = value
        score = sign * value
        if not abs(score) < np.inf:
            score = np.inf
        tell(state, done[1], x, score)
        done[0] = n + 1
        if score <= target:
            done[2] = 1
            return


def compiled_loop(method: Method, way: Callable[..., float], arguments: tuple[Any, ...]) -> Any:
    """`run_block` for a method, taking any objective that can be evaluated in that way.

    The signature is spelt out because a compiled function passed as such would make a new type, and a cache miss, each time.
    """
    from numba import float64, typeof, types

    given = [float64[::1]] * (3 if way is call_kernel else 1)
    state, _, *rest = arguments
    signature = types.void(typeof(state), types.FunctionType(float64(*given)), *map(typeof, rest))  # type: ignore[no-untyped-call]
    return compiled(run_block, signature=signature, ask=method.ask, tell=method.tell, evaluate=way)


def fits(objective: Any) -> bool:
    """Whether the compiled loop can call an objective."""
    return isinstance(objective, KernelObjective) or (is_compiled(objective) and accepts_arrays(objective))


def accepts_arrays(objective: Any) -> bool:
    """Whether an objective compiled by its owner is, or can be compiled as, ``float64(float64[::1])``."""
    from numba import float64
    from numba.core.errors import NumbaError

    arguments = (float64[::1],)
    if arguments not in objective.overloads:
        try:
            objective.compile(arguments)
        except (NumbaError, RuntimeError):  # it does not fit, or its owner allowed other signatures only
            return False
    return bool(objective.overloads[arguments].signature.return_type == float64)


class CompiledRun:
    """Drives an optimizer through the compiled loop, a block at a time, with results equal to those of ask and tell."""

    def __init__(self, optimizer: "Optimizer", objective: Any, budget: int, target: float) -> None:
        self.optimizer = optimizer
        self.budget = budget
        self.target = target
        dimension = len(optimizer.space)
        self._x, self._numbers = np.empty(dimension), np.empty(dimension)
        if isinstance(objective, KernelObjective):
            function, data, work_size = objective.kernel()
            self._way: Callable[..., float] = call_kernel
            self._call = (function, data, np.empty(work_size), float(objective.goal))
        else:
            self._way, self._call = call_function, (objective, np.empty(0), np.empty(0), math.nan)
        self._loop: Any = None
        self._size = 16  # grows until a block takes long enough

    def next_block(self, on_error: str) -> bool:
        """Run one block; False when the target was met."""
        started = time.monotonic()
        optimizer = self.optimizer
        width = optimizer._u.size
        size = min(self.budget - len(optimizer.history), self._size, max(1, BLOCK_NUMBERS // width))
        before = optimizer._rng.bit_generator.state
        u = optimizer._rng.random(size * width)
        points, values, done = np.empty((size, self._x.size)), np.empty(size), np.zeros(3, dtype=np.int64)
        arguments = (optimizer._state, *self._call, optimizer._seen_space.codec, u, optimizer._asked, optimizer.budget,
                     optimizer._sign, self.target, points, values, self._x, self._numbers, done)
        if self._loop is None:
            self._loop = compiled_loop(optimizer.method, self._way, arguments)
        errors: dict[int, str] = {}
        while True:
            try:
                self._loop(*arguments)
                break
            except Exception as error:
                failed = int(done[0])
                if on_error == "raise":
                    optimizer._rng.bit_generator.state = before
                    optimizer._rng.random((failed + 1) * width)
                    optimizer._take_block(points[:failed], values[:failed], errors)
                    explain(error, optimizer._asked, optimizer._seen_space.decode(points[failed]))
                    raise
                errors[failed] = f"{type(error).__name__}: {error}"
                values[failed] = np.nan
                optimizer._tell(optimizer._state, int(done[1]), self._x, np.inf)
                done[0] = failed + 1
                if failed + 1 == size:
                    break
        count = int(done[0])
        if count < size:
            # Leave the generator where asking one by one would have.
            optimizer._rng.bit_generator.state = before
            optimizer._rng.random(count * width)
        optimizer._take_block(points[:count], values[:count], errors)
        if time.monotonic() - started < BLOCK_SECONDS and self._loop is not None:
            self._size = min(4 * self._size, BLOCK_EVALUATIONS)
        return not done[2]


def explain(error: BaseException, number: int, point: Any) -> None:
    """Tell with an error where it came up."""
    if not isinstance(error, BrokenExecutor):  # of which any evaluation under way may be the cause
        error.add_note(f"luciole: in evaluation {number} at {point}; on_error='penalise' would count it as failed and go on")
