"""`minimize` and `resume`: a search from its arguments to its result."""

import logging
import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

from luciole import _checkpoint, _saving
from luciole._compile import is_compiled
from luciole._progress import Progress
from luciole._run import Run, Settings, written_penalty
from luciole._seed import Seed
from luciole._workers import Executor, checked_workers
from luciole.algorithms import PAPER, get_method
from luciole.algorithms.base import Method
from luciole.errors import ArgumentError
from luciole.optimizer import Optimizer, check_count
from luciole.problem import Direction, OnError, Penalty, Problem
from luciole.space import Space

if TYPE_CHECKING:
    from luciole.result import Result

logger = logging.getLogger("luciole")


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
    evaluation_timeout: float | None = None,
    noisy: bool = False,
    repeats: int = 1,
    checkpoint: str | Path | None = None,
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
        How many evaluations to make, exactly. In a space whose points can be counted, a point that was evaluated is answered from
        memory and costs nothing; the run ends early when no point is left, or when 1,000 proposals in a row were known.
        The settings of the FAmv paper evaluate every proposal, as its program did.
    method : str or Method, optional
        How to search; left out, `FAmv`. ``luciole methods`` lists them; the page "Which method to pick" compares them.
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
        made from the results of all candidates up to n - batch and no others (points that are known take no place), so the
        history depends on the seed and on this number alone, never on how many workers there are or who finishes first.
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
    evaluation_timeout : float, optional
        How many seconds an evaluation may take, and a candidate `repeats` times as many. One that takes longer counts as failed,
        its process is stopped, and the run goes on. Evaluations are then made in processes, in one of them without workers; an
        executor has to see to this itself.
    noisy : bool
        Whether the objective may give another value at the same point. Then nothing is answered from memory.
    repeats : int
        How often to evaluate each candidate; its value is the mean, and the budget counts every evaluation. More than one is for
        noisy objectives, and says that this is one.
    checkpoint : str or Path, optional
        A file to keep the run in, from which `resume` goes on. It is written after each evaluation, or as often as takes about
        a fiftieth of the time.
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
    budget, repeats = check_count("budget", budget), check_count("repeats", repeats)
    if budget < repeats:
        raise ArgumentError(f"budget={budget} must be at least repeats={repeats}: each candidate is evaluated so often")
    on_error = _checked_on_error(on_error)
    if noisy not in (True, False):
        raise ArgumentError(f"noisy={noisy!r} must be True or False")
    _check_limits(target, timeout, evaluation_timeout)
    workers = checked_workers(workers)
    _check_stoppable(evaluation_timeout, workers)
    _check_callback(callback)
    file = None if checkpoint is None else _checkpoint.new_checkpoint(checkpoint)
    search = get_method(method)
    if batch is None:
        batch = 1 if workers is None else search.batch
    candidates = budget // repeats
    settings = Settings(
        candidates=candidates,
        batch=check_count("batch", batch),
        target=None if target is None else float(target),
        on_error=on_error,
        repeats=repeats,
        seconds=None if evaluation_timeout is None else evaluation_timeout * repeats,
        remembers=not (noisy or repeats > 1 or search.relaxes or problem.space.size == math.inf or search in PAPER.values()),
    )
    optimizer = Optimizer(problem.space, search, rng=rng, budget=candidates, direction=problem.direction, x0=x0,
                          compiled=compiled)
    return _finish(Run(problem, optimizer, settings, timeout, callback, file), workers, progress)


def resume(
    path: str | Path,
    objective: Callable[[Any], Any] | Problem,
    space: Space | None = None,
    *,
    budget: int | None = None,
    method: Method | None = None,
    constraints: Iterable[Any] = (),
    penalty: Penalty | None = None,
    workers: int | Executor | None = None,
    timeout: float | None = None,
    callback: Callable[[Any], Any] | None = None,
    on_error: OnError | None = None,
    progress: bool = False,
) -> "Result":
    """Go on with a run from the checkpoint that `minimize` wrote.

    What it finds, and the history, are those of a run that was never interrupted. The file goes on being written. Nothing in
    it is ever run; a file that is damaged, or is none of luciole's, is refused with a `FileError`.

    Parameters
    ----------
    path : str or Path
        The checkpoint.
    objective : callable or Problem
        What was minimised, with its constraints and penalty: functions do not stand in the file.
    space : Space, optional
        Needed only where a value of the space cannot be written to a file, such as a function.
    budget : int, optional
        How many evaluations to make in all, those before the checkpoint included. Left out: as before.
    method : Method, optional
        Needed only for a method that is not one of luciole's.
    constraints, penalty, workers, timeout, callback, progress
        As in `minimize`; `timeout` counts from now. The workers may be others than before.
    on_error : {"raise", "penalise"}, optional
        As in `minimize`. Left out: as before.

    Returns
    -------
    Result
        Of the whole run.

    Examples
    --------
    >>> import luciole as lc
    >>> space = lc.Space(x=lc.Float(-5, 5), n=lc.Integer(0, 9))
    >>> def cost(p):
    ...     return (p["x"] - 1) ** 2 + p["n"]
    >>> first = lc.minimize(cost, space, budget=500, rng=0, checkpoint="run.luciole", timeout=60)
    >>> lc.resume("run.luciole", cost).fun == first.fun  # it had ended; otherwise it would have gone on
    True
    """
    meta, arrays = _checkpoint.read(path)
    _check_limits(None, timeout, None)
    workers = checked_workers(workers)
    _check_callback(callback)
    given = None
    if isinstance(objective, Problem):
        given = _problem(objective, space, constraints, penalty, "minimize")
        space = given.space
    with _saving.reading(path):
        saved = meta["run"]
        settings = Settings(**saved["settings"])
        optimizer = Optimizer(**_saving.arguments(path, meta, space, method))
        if penalty is None and not isinstance(saved["penalty"], str):
            penalty = saved["penalty"]
    problem = given or _problem(objective, optimizer.space, constraints, penalty, optimizer.direction)
    with _saving.reading(path):
        _check_fit(path, saved, optimizer, problem)
        _saving.unpack(optimizer, meta, arrays)
    if on_error is not None:
        settings = replace(settings, on_error=_checked_on_error(on_error))
    if budget is not None:
        begun = optimizer.asked * settings.repeats
        if check_count("budget", budget) < max(begun, settings.repeats):
            raise ArgumentError(f"budget={budget} is below the {begun} evaluations that the run in {path} has begun")
        settings = replace(settings, candidates=budget // settings.repeats)
    _check_stoppable(settings.seconds and settings.seconds / settings.repeats, workers)
    run = Run(problem, optimizer, settings, timeout, callback, _checkpoint.Checkpoint(Path(path)))
    with _saving.reading(path):
        run.restore(saved, arrays)
    return _finish(run, workers, progress)


def _finish(run: Run, workers: Any, progress: bool) -> "Result":
    """Run it, and tell what came of it."""
    name, budget, history = run.problem.name, run.settings.candidates, run.optimizer.history
    logger.info("%s on %s: %d evaluations, %d at once", run.label, name, budget * run.settings.repeats, run.settings.batch)
    if is_compiled(run.problem.objective) and not run.fits_compiled_loop(workers):
        logger.debug("the compiled objective is called from Python: the compiled loop takes float64(float64[::1]), more than "
                     "1000 evaluations, and no constraints, callback, workers, batch, repeats or memory")
    with Progress(budget, enabled=progress) as run.bar:
        message = run.search(workers)
    if run.failures:
        logger.warning("%d of %d evaluations failed", len(history.errors), len(history))
    result = run.result(message)
    logger.info("%s on %s: %s", run.label, name, result.message)
    return result


def _check_limits(target: Any, timeout: Any, evaluation_timeout: Any) -> None:
    limits = {"target": target, "timeout": timeout, "evaluation_timeout": evaluation_timeout}
    for name, limit in limits.items():
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, Real) or math.isnan(limit)):
            raise ArgumentError(f"{name}={limit!r} must be a number")
        if limit is not None and name != "target" and limit <= 0:
            raise ArgumentError(f"{name}={limit!r} must be above 0 seconds")


def _check_stoppable(evaluation_timeout: float | None, workers: Any) -> None:
    if evaluation_timeout is not None and not (workers is None or isinstance(workers, int)):
        raise ArgumentError(f"evaluation_timeout={evaluation_timeout:g} needs processes that can be stopped: workers must be a "
                            "number, not an executor")


def _checked_on_error(on_error: Any) -> OnError:
    if on_error not in ("raise", "penalise"):
        raise ArgumentError(f"on_error={on_error!r} is not known; use 'raise' or 'penalise'")
    return on_error  # type: ignore[no-any-return]


def _check_callback(callback: Any) -> None:
    if callback is not None and not callable(callback):
        raise ArgumentError(f"callback={callback!r} must be callable")


def _check_fit(path: str | Path, saved: dict[str, Any], optimizer: Optimizer, problem: Problem) -> None:
    """Refuse a problem that is visibly not the one a run was about."""
    if problem.direction != optimizer.direction:
        raise ArgumentError(f"objective={problem!r} has the direction {problem.direction!r}; that of the run in {path} is "
                            f"{optimizer.direction!r}")
    if len(problem.constraints) != saved["constraints"]:
        raise ArgumentError(f"constraints: the run in {path} has {saved['constraints']}, here are {len(problem.constraints)}; "
                            "pass the same ones")
    penalty = written_penalty(problem)
    if penalty != saved["penalty"]:
        raise ArgumentError(f"penalty={penalty!r} is not that of the run in {path}, {saved['penalty']!r}; pass the same")


def _problem(objective: Any, space: Space | None, constraints: Any, penalty: Any, direction: Any) -> Problem:
    if isinstance(objective, Problem):
        if space is not None or constraints or penalty is not None or direction != "minimize":
            raise ArgumentError("a Problem brings its own space, constraints, penalty and direction; leave them out")
        return objective
    if space is None:
        raise ArgumentError("space is missing; pass a luciole.Space, or a Problem, which has one")
    return Problem(objective, space, constraints=constraints, penalty=penalty, direction=direction)
