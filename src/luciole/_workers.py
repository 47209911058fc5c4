"""Evaluations elsewhere: on processes, threads, clusters, through anything with a `submit` that returns a Future."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from numbers import Integral
from typing import Any, Protocol

from luciole._layout import Floats
from luciole.errors import ArgumentError
from luciole.problem import Evaluation, OnError, Problem

LARGE = 1_000_000  # bytes of a pickled problem that are not worth sending with each point


class Executor(Protocol):
    """What `workers` may be besides a number."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> "Future[Any]":
        """Begin a call and return its future."""


class Later:
    """A future for an evaluation made here, when its result is wanted."""

    def __init__(self, problem: Problem, slots: Floats, on_error: OnError) -> None:
        self._arguments = slots, on_error
        self._problem = problem

    def result(self, timeout: float | None = None) -> Evaluation:
        return self._problem.evaluate(*self._arguments)

    def cancel(self) -> bool:
        return True


class Evaluator:
    """Sends evaluations of a problem to where they are made.

    Parameters
    ----------
    problem : Problem
        What to evaluate.
    workers : None, int or executor
        None or 1: here, each when its result is wanted. A larger number: that many processes. An executor: wherever it leads.
    on_error : {"raise", "penalise"}
        What an exception in the objective does.
    """

    def __init__(self, problem: Problem, workers: Any, on_error: OnError) -> None:
        self._problem = problem
        self._on_error = on_error
        self._executor: Executor | None = None if isinstance(workers, int) else workers
        self._payload: bytes | None = None
        self._is_ours = isinstance(workers, int) and workers > 1
        if self._is_ours or (workers is not None and not isinstance(workers, int | ThreadPoolExecutor)):
            # Pickled once, by value, so that lambdas and functions of a notebook reach any process.
            import cloudpickle

            self._payload = cloudpickle.dumps((problem, on_error))
        if self._is_ours:
            from loky import get_reusable_executor

            if len(self._payload or b"") > LARGE:  # an objective that carries data reaches each worker once
                self._executor = get_reusable_executor(workers, initializer=install, initargs=(self._payload,))
                self._payload = b""
            else:
                self._executor = get_reusable_executor(workers)

    def submit(self, slots: Floats) -> Any:
        """Begin the evaluation of a point; the future gives an `Evaluation`."""
        if self._executor is None:
            return Later(self._problem, slots, self._on_error)
        if self._payload is None:
            return self._executor.submit(self._problem.evaluate, slots, self._on_error)
        return self._executor.submit(evaluate_there, self._payload, slots)

    def abandon(self) -> None:
        """Stop evaluations under way that nobody waits for, where the processes are ours to stop."""
        if self._is_ours:
            self._executor.shutdown(kill_workers=True)  # type: ignore[union-attr]


_installed: list[bytes] = []


def install(payload: bytes) -> None:
    """Keep a problem in this process, for evaluations that come without one."""
    _installed[:] = [payload]


def evaluate_there(payload: bytes, slots: Floats) -> Evaluation:
    """Evaluate a point in another process."""
    problem, on_error = _unpack(payload or _installed[0])
    return problem.evaluate(slots, on_error)


@lru_cache(maxsize=4)
def _unpack(payload: bytes) -> tuple[Problem, OnError]:
    import pickle

    return pickle.loads(payload)  # type: ignore[no-any-return]


def checked_workers(workers: Any) -> Any:
    """A number of workers as an int, an executor as it is, or None."""
    if isinstance(workers, Integral) and not isinstance(workers, bool) and int(workers) >= 1:
        return int(workers)
    if workers is None or callable(getattr(workers, "submit", None)):
        return workers
    raise ArgumentError(f"workers={workers!r} must be a whole number of at least 1, or an executor with a submit method")
