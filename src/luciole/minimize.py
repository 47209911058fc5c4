"""`minimize`: the loop around ask and tell, with its budget, workers, stopping and failures."""

import logging
import math
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as FutureTimeout
from numbers import Real
from typing import TYPE_CHECKING, Any

from luciole._compile import is_compiled
from luciole._loop import CompiledRun, explain, fits
from luciole._progress import Progress
from luciole._seed import Seed
from luciole._workers import Evaluator, Executor, checked_workers
from luciole.algorithms import get_method
from luciole.algorithms.base import Method
from luciole.errors import ArgumentError
from luciole.optimizer import Optimizer, Trial, check_count
from luciole.problem import Direction, OnError, Penalty, Problem
from luciole.space import Space

if TYPE_CHECKING:
    from luciole.result import Result

logger = logging.getLogger("luciole")
logger.addHandler(logging.NullHandler())

BUDGET_USED = "the budget is used up"
TIME_USED = "the time is used up"
TARGET_MET = "the target is reached"


def minimize(
    objective: Callable[[Any], Any] | Problem,
    space: Space | None = None,
    *,
    budget: int,
    method: str | Method | None = None,
    rng: Seed = None,
    constraints: Iterable[Any] = (),
    penalty: Penalty | None = None,
    direction: Direction = "minimize",
    x0: Any = None,
    workers: int | Executor | None = None,
    batch: int | None = None,
    target: float | None = None,
    timeout: float | None = None,
    callback: Callable[[Any], Any] | None = None,
    on_error: OnError = "raise",
    progress: bool = False,
    compiled: bool | None = None,
) -> "Result":
    """Find the point of a space where an objective is smallest.

    Parameters
    ----------
    objective : callable or Problem
        Takes a point (a dict of values, or an array in a space from `Space.from_bounds`) and returns a number, or a number and a
        sequence of constraint values. A `Problem` brings its own space, constraints and direction. A function compiled with Numba
        for ``float64(float64[::1])`` takes an array in any space and runs in a compiled loop.
    space : Space
        Where to search.
    budget : int
        How many evaluations to make, exactly.
    method : str or Method, optional
        How to search; left out, the best all-round method the library has. ``luciole methods`` lists them.
    rng : int or numpy.random.Generator, optional
        The seed.
    constraints : sequence of callables or Constraint
        Conditions on the points; a plain callable is feasible where it returns at most 0.
    penalty : float or callable, optional
        Judge by the value plus this much for each unit of violation, or by what the callable makes of a value and its violations.
        Left out: feasible beats infeasible, less violation beats more (Deb's rules).
    direction : {"minimize", "maximize"}
        Which way is better.
    x0 : optional
        Points to start from: a point, a list of points, a list of ``(point, value)`` pairs, a DataFrame or an earlier result.
    workers : int or executor, optional
        A number of processes, or anything whose ``submit`` returns a `concurrent.futures.Future`.
    batch : int, optional
        How many candidates are out at once. Left out: 1 without workers, the method's population with them. Candidate n is
        made from the results of all candidates up to n - batch and no others, so the history depends on the seed and on
        this number alone, never on how many workers there are or who finishes first.
    target : float, optional
        Stop at a feasible value at least this good.
    timeout : float, optional
        Stop after so many seconds. Evaluations under way are not waited for and not counted.
    callback : callable, optional
        Called after each evaluation with the result so far (``x``, ``fun``, ``violation``, ``nfev``); may raise
        `StopIteration` to stop.
    on_error : {"raise", "penalise"}
        What an exception in the objective does: end the run, or count as a failed evaluation, which is never the best. A
        value that is NaN or infinite always counts as failed.
    progress : bool
        Show a progress bar.
    compiled : bool, optional
        Whether to run the method compiled. Left out: when that pays. The results are the same to the bit.

    Returns
    -------
    Result
        With ``x``, ``fun``, ``violation``, ``success``, ``message``, ``nfev`` and ``history``.

    Examples
    --------
    >>> import luciole as lc
    >>> space = lc.Space(x=lc.Float(-5, 5), n=lc.Integer(0, 9), c=lc.Categorical(["a", "b"]))
    >>> result = lc.minimize(lambda p: (p["x"] - 1) ** 2 + p["n"] + (p["c"] == "a"), space, budget=500, rng=0)
    >>> result.x["n"], result.x["c"]
    (0, 'b')
    """
    problem = _problem(objective, space, constraints, penalty, direction)
    budget = check_count("budget", budget)
    if on_error not in ("raise", "penalise"):
        raise ArgumentError(f"on_error={on_error!r} is not known; use 'raise' or 'penalise'")
    for name, limit in (("target", target), ("timeout", timeout)):
        if limit is not None and (not isinstance(limit, Real) or math.isnan(limit)):
            raise ArgumentError(f"{name}={limit!r} must be a number")
    if timeout is not None and timeout <= 0:
        raise ArgumentError(f"timeout={timeout!r} must be above 0 seconds")
    workers = checked_workers(workers)
    if callback is not None and not callable(callback):
        raise ArgumentError(f"callback={callback!r} must be callable")
    search = get_method(method)
    if batch is None:
        batch = 1 if workers is None else search.batch
    batch = check_count("batch", batch)
    optimizer = Optimizer(problem.space, search, rng=rng, budget=budget, direction=problem.direction, x0=x0, compiled=compiled)
    run = _Run(problem, optimizer, budget, target, timeout, callback, on_error)
    logger.info("%s on %s: %d evaluations, %d at once", search.label, problem.name, budget, batch)
    with Progress(budget, enabled=progress) as run.bar:
        if run.fits_compiled_loop(workers, batch):
            message = run.compiled()
        else:
            if is_compiled(problem.objective):
                logger.debug("the compiled objective is called from Python: the compiled loop takes float64(float64[::1]), more "
                             "than 1000 evaluations, and no constraints, callback, workers or batch")
            message = run.pipelined(Evaluator(run.seen_problem(), workers, on_error), batch)
    if run.failures:
        logger.warning("%d of %d evaluations failed", len(optimizer.history.errors), len(optimizer.history))
    result = run.result(message)
    logger.info("%s on %s: %s", search.label, problem.name, result.message)
    return result


class _Run:
    """One call of `minimize`."""

    bar: Progress

    def __init__(self, problem: Problem, optimizer: Optimizer, budget: int, target: float | None, timeout: float | None,
                 callback: Callable[[Any], Any] | None, on_error: OnError) -> None:
        self.problem = problem
        self.optimizer = optimizer
        self.budget = budget
        self.target = target
        self.callback = callback
        self.on_error = on_error
        self.failures = 0
        self.label = optimizer.method.label
        self.started = time.monotonic()
        self.deadline = math.inf if timeout is None else self.started + timeout

    def seen_problem(self) -> Problem:
        """The problem over the space that the method proposes points of: a relaxed one, for methods that relax."""
        if self.optimizer._seen_space is self.problem.space:
            return self.problem
        return self.problem.over(self.optimizer._seen_space)

    # -- the two loops ------------------------------------------------------------------------------------------------

    def pipelined(self, evaluator: Evaluator, batch: int, last: int | None = None) -> str:
        """Keep `batch` candidates out, up to candidate `last`; take results in the order of asking; return why it ended."""
        optimizer = self.optimizer
        pending: deque[tuple[Trial, Any]] = deque()
        if self._meets_target():
            return TARGET_MET
        try:
            while True:
                while len(pending) < batch and optimizer.asked < (self.budget if last is None else last):
                    trial = optimizer.ask()
                    pending.append((trial, evaluator.submit(trial._slots)))
                if not pending:
                    return BUDGET_USED
                trial, future = pending.popleft()
                try:
                    remaining = None if self.deadline == math.inf else max(self.deadline - time.monotonic(), 0.0)
                    evaluation = future.result(remaining)
                except Exception as error:
                    if isinstance(error, FutureTimeout | CancelledError) and time.monotonic() >= self.deadline:
                        pending.append((trial, future))
                        return TIME_USED
                    if self.on_error == "raise":
                        explain(error, trial.number, trial.x)
                    raise
                optimizer.record(trial, evaluation)
                if evaluation.error is not None:
                    self._report_failure(trial.number, evaluation.error)
                if stop := self._after(trial):
                    return stop
        finally:
            if [future for _, future in pending if not future.cancel()]:
                evaluator.abandon()

    def compiled(self) -> str:
        """Run blocks in the compiled loop; return why it ended."""
        optimizer, sign = self.optimizer, self.problem.sign
        if self._meets_target():
            return TARGET_MET
        if optimizer._given:  # points to start from are called from Python
            here = Evaluator(self.seen_problem(), None, self.on_error)
            message = self.pipelined(here, 1, last=min(self.budget, len(optimizer._given)))
            if message != BUDGET_USED:
                return message
        target = -math.inf if self.target is None else sign * self.target
        loop = CompiledRun(optimizer, self.problem.objective, self.budget, target)
        while len(optimizer.history) < self.budget:
            before = len(optimizer.history)
            goes_on = loop.next_block(self.on_error)
            for number, error in optimizer.history.errors.items():
                if number >= before:
                    self._report_failure(number, error)
            if not goes_on:
                return TARGET_MET
            self.bar.update(len(optimizer.history), optimizer.leader)
            if time.monotonic() >= self.deadline:
                return TIME_USED
        return BUDGET_USED

    def fits_compiled_loop(self, workers: Any, batch: int) -> bool:
        """Whether nothing has to be done in Python between two evaluations, and the objective is compiled."""
        optimizer, problem = self.optimizer, self.problem
        return (optimizer._compiled is not False and batch == 1 and workers is None
                and not problem.constraints and self.callback is None
                and self.budget > 1000 and fits(problem.objective))

    # -- between evaluations ------------------------------------------------------------------------------------------

    def _after(self, trial: Trial) -> str | None:
        """What follows an evaluation; a reason to stop, or None."""
        optimizer, best = self.optimizer, self.optimizer.leader
        self.bar.update(len(optimizer.history), best)
        if best is not None and best.number == trial.number:
            logger.debug("evaluation %d: %s, violation %s", trial.number, best.value, best.violation)
            if self._meets_target():
                return TARGET_MET
        if self.callback is not None:
            try:
                self.callback(self.result(""))
            except StopIteration:
                return "the callback stopped the run"
        if time.monotonic() >= self.deadline:
            return TIME_USED
        return None

    def _meets_target(self) -> bool:
        best, sign = self.optimizer.leader, self.problem.sign
        if self.target is None or best is None:
            return False
        return best.violation == 0.0 and sign * best.value <= sign * self.target

    def _report_failure(self, number: int, error: str) -> None:
        """Warn of the first failure; the others are for those who look closely."""
        level = logging.DEBUG if self.failures else logging.WARNING
        self.failures += 1
        logger.log(level, "evaluation %d failed: %s", number, error)

    def result(self, message: str) -> "Result":
        """What is known by now."""
        from luciole.result import Result

        optimizer, best = self.optimizer, self.optimizer.best
        history = optimizer.history
        if best is None and len(history):
            message = f"every one of the {len(history)} evaluations failed ({history.errors[len(history) - 1]}); {message}"
        elif best is not None and best.violation > 0:
            message = f"no feasible point was found; {message}"
        return Result(
            x=None if best is None else best.x,
            fun=math.nan if best is None else best.value,
            violation=math.inf if best is None else best.violation,
            success=best is not None and best.violation == 0.0,
            message=message,
            nfev=len(history),
            history=history,
            method=self.label,
            seconds=time.monotonic() - self.started,
        )


def _problem(objective: Any, space: Space | None, constraints: Any, penalty: Any, direction: Any) -> Problem:
    if isinstance(objective, Problem):
        if space is not None or constraints or penalty is not None or direction != "minimize":
            raise ArgumentError("a Problem brings its own space, constraints, penalty and direction; leave them out")
        return objective
    if space is None:
        raise ArgumentError("space is missing; pass a luciole.Space, or a Problem, which has one")
    return Problem(objective, space, constraints=constraints, penalty=penalty, direction=direction)
