"""Evaluations elsewhere: on processes, threads, clusters, through anything with a `submit` that returns a Future."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache, partial
from math import fsum, inf
from numbers import Integral
from typing import Any, Protocol

import numpy as np

from luciole import _pool
from luciole._layout import Floats
from luciole.errors import ArgumentError
from luciole.problem import Evaluation, OnError, Problem


class Executor(Protocol):
    """What `workers` may be besides a number."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> "Future[Any]":
        """Begin a call and return its future."""


class Later:
    """A future for an evaluation made here, when its result is wanted."""

    def __init__(self, function: Callable[[Floats], Evaluation], slots: Floats) -> None:
        self._function = function
        self._slots = slots

    def result(self, timeout: float | None = None) -> Evaluation:
        return self._function(self._slots)

    def cancel(self) -> bool:
        return True


class Evaluator:
    """Sends evaluations of a problem to where they are made; a context manager that leaves nothing running behind.

    Parameters
    ----------
    problem : Problem
        What to evaluate.
    workers : None, int or executor
        None or 1: here, each when its result is wanted. A larger number: that many processes. An executor: wherever it leads.
    on_error : {"raise", "penalise"}
        What an exception in the objective does.
    repeats : int
        How often to evaluate a point; its value is the mean.
    limit : float, optional
        How many seconds a point may take. Takes a process even for one worker: nothing else can be stopped.
    """

    def __init__(self, problem: Problem, workers: Any, on_error: OnError, repeats: int = 1, limit: float | None = None) -> None:
        self._function = partial(evaluate, problem, on_error, repeats)
        self._executor: Executor | None = None if isinstance(workers, int) else workers
        self._payload: bytes | None = None
        self._pool: _pool.Pool | None = None
        self._limit = inf if limit is None else limit
        processes = workers if isinstance(workers, int) else 1 if workers is None else 0
        self._processes = processes if processes > 1 or limit is not None else 0
        if self._processes:
            self._payload = _pickled(partial(evaluate_bytes, self._function))
        elif workers is not None and not isinstance(workers, int | ThreadPoolExecutor):
            self._payload = _pickled(self._function)

    def submit(self, slots: Floats) -> Any:
        """Begin the evaluation of a point; the future gives an `Evaluation`."""
        if self._pool is not None:
            return self._pool.submit(slots.tobytes())
        if self._executor is None:
            return Later(self._function, slots)
        if self._payload is None:
            return self._executor.submit(self._function, slots)
        return self._executor.submit(evaluate_there, self._payload, slots)

    def __enter__(self) -> "Evaluator":
        if self._processes:
            self._pool = _pool.take(self._processes)
            self._pool.begin(self._payload or b"", self._limit)
        return self

    def __exit__(self, *error: object) -> None:
        """Stop evaluations under way that nobody waits for, where the processes are ours to stop."""
        if self._pool is not None:
            _pool.give_back(self._pool)


def evaluate(problem: Problem, on_error: OnError, repeats: int, slots: Floats) -> Evaluation:
    """Evaluate a point, `repeats` times: the mean of the values and of the violations, or the first failure."""
    first = problem.evaluate(slots, on_error)
    if repeats == 1:
        return first
    found = [first, *(problem.evaluate(slots, on_error) for _ in range(repeats - 1))]
    for each in found:
        if each.error is not None:
            return each
    return Evaluation(fsum(each.value for each in found) / repeats, fsum(each.violation for each in found) / repeats, None,
                      first.by_value)


def evaluate_bytes(function: Callable[[Floats], Evaluation], content: bytes) -> Evaluation:
    """Evaluate a point that came as bytes."""
    return function(np.frombuffer(content).copy())


def evaluate_there(payload: bytes, slots: Floats) -> Evaluation:
    """Evaluate a point in another process."""
    return _unpickled(payload)(slots)


def _pickled(function: Callable[..., Evaluation]) -> bytes:
    """Pickled by value, so that lambdas and functions of a notebook reach any process."""
    import cloudpickle

    return cloudpickle.dumps(function)  # type: ignore[no-any-return]


@lru_cache(maxsize=4)
def _unpickled(payload: bytes) -> Callable[[Floats], Evaluation]:
    import pickle

    return pickle.loads(payload)  # type: ignore[no-any-return]


def checked_workers(workers: Any) -> Any:
    """A number of workers as an int, an executor as it is, or None."""
    if isinstance(workers, Integral) and not isinstance(workers, bool) and int(workers) >= 1:
        return int(workers)
    if workers is None or callable(getattr(workers, "submit", None)):
        return workers
    raise ArgumentError(f"workers={workers!r} must be a whole number of at least 1, or an executor with a submit method")
