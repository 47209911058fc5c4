"""Evaluations elsewhere: on processes, threads, clusters, through anything with a `submit` that returns a Future."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from numbers import Integral
from typing import Any, Protocol

from luciole._layout import Floats
from luciole.errors import ArgumentError
from luciole.problem import Evaluation, OnError, Problem


class Executor(Protocol):
    """What `workers` may be besides a number."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> "Future[Any]":
        """Begin a call and return its future."""


class Done:
    """A future for what is known already."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation

    def result(self, timeout: float | None = None) -> Evaluation:
        return self._evaluation

    def cancel(self) -> bool:
        return False


class Evaluator:
    """Sends evaluations of a problem to where they are made.

    Parameters
    ----------
    problem : Problem
        What to evaluate.
    workers : None, int or executor
        None or 1: here, one after the other. A larger number: that many processes. An executor: wherever it leads.
    on_error : {"raise", "penalise"}
        What an exception in the objective does.
    """

    def __init__(self, problem: Problem, workers: Any, on_error: OnError) -> None:
        self._problem = problem
        self._on_error = on_error
        self._executor = _executor(workers)
        self._payload: bytes | None = None
        if self._executor is not None and not isinstance(self._executor, ThreadPoolExecutor):
            # Pickled once, by value, so that lambdas and functions of a notebook reach any process.
            import cloudpickle

            self._payload = cloudpickle.dumps((problem, on_error))

    def submit(self, slots: Floats) -> Any:
        """Begin the evaluation of a point; the future gives an `Evaluation`."""
        if self._executor is None:
            return Done(self._problem.evaluate(slots, self._on_error))
        if self._payload is None:
            return self._executor.submit(self._problem.evaluate, slots, self._on_error)
        return self._executor.submit(evaluate_there, self._payload, slots)


def evaluate_there(payload: bytes, slots: Floats) -> Evaluation:
    """Evaluate a point in another process."""
    problem, on_error = _unpack(payload)
    return problem.evaluate(slots, on_error)


@lru_cache(maxsize=4)
def _unpack(payload: bytes) -> tuple[Problem, OnError]:
    import pickle

    return pickle.loads(payload)  # type: ignore[no-any-return]


def _executor(workers: Any) -> Executor | None:
    if workers is None:
        return None
    if isinstance(workers, Integral) and not isinstance(workers, bool) and int(workers) >= 1:
        if workers == 1:
            return None
        from loky import get_reusable_executor

        return get_reusable_executor(max_workers=int(workers))  # type: ignore[no-any-return]
    if callable(getattr(workers, "submit", None)):
        return workers  # type: ignore[no-any-return]
    raise ArgumentError(f"workers={workers!r} must be a whole number of at least 1, or an executor with a submit method")
