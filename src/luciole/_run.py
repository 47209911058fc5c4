"""One call of `minimize`: what is out and what has come back, why it ends, and what it takes to go on elsewhere."""

import logging
import math
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from luciole import _saving
from luciole._checkpoint import Checkpoint
from luciole._layout import Floats
from luciole._loop import CompiledRun, explain, fits
from luciole._memory import Memory
from luciole._pool import Job
from luciole._progress import Progress
from luciole._workers import Evaluator, Later
from luciole.errors import StateError
from luciole.optimizer import Optimizer
from luciole.problem import Evaluation, OnError, Problem
from luciole.trial import Trial

if TYPE_CHECKING:
    from luciole.result import Result

logger = logging.getLogger("luciole")
logger.addHandler(logging.NullHandler())

BUDGET_USED = "the budget is used up"
TIME_USED = "the time is used up"
TARGET_MET = "the target is reached"
STOPPED = "the callback stopped the run"
PATIENCE = 1000
ALL_EVALUATED = "every point of the space is known"
NOTHING_NEW = f"the last {PATIENCE} proposals were known points"


@dataclass(frozen=True)
class Settings:
    """What of the arguments of `minimize` decides what a run finds; a checkpoint keeps it."""

    candidates: int
    """How many to evaluate: the budget, where each is evaluated once."""
    batch: int
    target: float | None
    on_error: OnError
    repeats: int
    seconds: float | None
    """How long a candidate may take."""
    remembers: bool
    """Whether known points are answered from memory."""


class Echo(NamedTuple):
    """A proposal of a point that is being evaluated: it will be told the same."""

    slots: Floats
    token: int


class Run:
    """One call of `minimize` or `resume`."""

    bar: Progress

    def __init__(self, problem: Problem, optimizer: Optimizer, settings: Settings, timeout: float | None,
                 callback: Callable[[Any], Any] | None, checkpoint: Checkpoint | None) -> None:
        self.problem = problem
        self.optimizer = optimizer
        self.settings = settings
        self.callback = callback
        self.checkpoint = checkpoint
        self.memory = Memory(optimizer) if settings.remembers else None
        self.window: deque[Trial | Echo] = deque()
        self.ended: str | None = None
        """Why there is nothing more to ask for."""
        self.fruitless = 0
        """How many proposals in a row were known."""
        self.lost: Counter[str] = Counter()
        self.failures = 0
        self.label = optimizer.method.label
        self.started = time.monotonic()
        self.deadline = math.inf if timeout is None else self.started + timeout
        self._whole = True  # whether all that belongs together is in step, and may be written

    def search(self, workers: Any) -> str:
        """Go on to the end; return why it is one."""
        try:
            if self.fits_compiled_loop(workers):
                message = self.compiled()
            else:
                with self._evaluator(workers) as evaluator:
                    message = self.pipelined(evaluator, self.settings.batch)
        except BaseException:
            if self._whole and len(self.optimizer.history):
                self.write()
            raise
        self.write(ended=message in (BUDGET_USED, TARGET_MET, ALL_EVALUATED, NOTHING_NEW))
        return message

    def _evaluator(self, workers: Any) -> Evaluator:
        """What evaluates points of the space that the method sees: a relaxed one, for methods that relax."""
        seen, settings = self.optimizer._seen_space, self.settings
        problem = self.problem if seen is self.problem.space else self.problem.over(seen)
        return Evaluator(problem, workers, settings.on_error, settings.repeats, settings.seconds)

    # -- the two loops ------------------------------------------------------------------------------------------------

    def pipelined(self, evaluator: Evaluator, batch: int, last: int | None = None) -> str:
        """Keep `batch` candidates out, up to candidate `last`; take results in the order of asking; return why it ended."""
        optimizer, window = self.optimizer, self.window
        if self._meets_target():
            return TARGET_MET
        futures: dict[int, Any] = {}
        try:
            futures |= {each.number: evaluator.submit(each._slots) for each in window if isinstance(each, Trial)}
            while True:
                while len(window) < batch and self.ended is None and optimizer.asked < (last or self.settings.candidates):
                    if trial := self._ask():
                        futures[trial.number] = evaluator.submit(trial._slots)
                if not window:
                    return self.ended or BUDGET_USED
                first = window[0]
                if isinstance(first, Echo):
                    self._answer(first)
                    continue
                future = futures[first.number]
                evaluation = self._await(first, future)
                if evaluation is None:
                    return TIME_USED
                del futures[first.number]
                self._record(first, evaluation, getattr(future, "lost", None))
                if stop := self._after(first):
                    return stop
        finally:
            for future in futures.values():
                future.cancel()

    def _ask(self) -> Trial | None:
        """Let the method propose; a trial if what it proposes has to be evaluated."""
        memory, optimizer = self.memory, self.optimizer
        if memory is not None and memory.is_full():
            self.ended = ALL_EVALUATED
            return None
        self._whole = False
        slots, token = optimizer._propose()
        trial = None
        if memory is not None and (known := memory.find(slots)):
            optimizer._tell_known(slots, token, known)
            self.fruitless += 1
        elif memory is not None and memory.is_out(slots):
            self.window.append(Echo(slots, token))
            self.fruitless += 1
        else:
            trial = optimizer._open_trial(slots, token)
            self.window.append(trial)
            self.fruitless = 0
            if memory is not None:
                memory.send(slots)
        if self.fruitless >= PATIENCE:
            self.ended = NOTHING_NEW
        self._whole = True
        return trial

    def _answer(self, echo: Echo) -> None:
        """Tell of a proposal what became of the same point, which came back before it."""
        assert self.memory is not None
        known = self.memory.find(echo.slots)
        assert known is not None
        self._whole = False
        self.optimizer._tell_known(echo.slots, echo.token, known)
        self.window.popleft()
        self._whole = True

    def _await(self, trial: Trial, future: Any) -> Evaluation | None:
        """What became of a trial; None if the time is used up before it is known."""
        remaining = None if self.deadline == math.inf else max(self.deadline - time.monotonic(), 0.0)
        try:
            return future.result(remaining)  # type: ignore[no-any-return]
        except Exception as error:
            if isinstance(error, FutureTimeout | CancelledError) and time.monotonic() >= self.deadline:
                return None
            of_an_executor = not isinstance(future, Job | Later)
            if self.settings.on_error == "penalise" and of_an_executor and not isinstance(error, BrokenExecutor):
                return Evaluation(math.nan, math.inf, f"{type(error).__name__}: {error}")  # it gave the evaluation up
            if self.settings.on_error == "raise" and not isinstance(error, StateError):
                explain(error, trial.number, trial.x)
            raise

    def _record(self, trial: Trial, evaluation: Evaluation, lost: str | None) -> None:
        self._whole = False
        self.optimizer.record(trial, evaluation)
        self.window.popleft()
        if self.memory is not None:
            self.memory.learn(trial._slots, evaluation)
        if lost is not None:
            self.lost[lost] += 1
        self._whole = True
        if evaluation.error is not None:
            self._report_failure(trial.number, evaluation.error)

    def compiled(self) -> str:
        """Run blocks in the compiled loop; return why it ended."""
        optimizer, sign, budget, target = self.optimizer, self.problem.sign, self.settings.candidates, self.settings.target
        if self._meets_target():
            return TARGET_MET
        if optimizer._given or self.window:  # points to start from are called from Python
            message = self.pipelined(self._evaluator(None), 1, last=min(budget, optimizer.asked + len(optimizer._given)))
            if message != BUDGET_USED:
                return message
        loop = CompiledRun(optimizer, self.problem.objective, budget, -math.inf if target is None else sign * target)
        while len(optimizer.history) < budget:
            before = len(optimizer.history)
            self._whole = False
            goes_on = loop.next_block(self.settings.on_error)
            self._whole = True
            for number, error in optimizer.history.errors.items():
                if number >= before:
                    self._report_failure(number, error)
            if not goes_on:
                return TARGET_MET
            self.bar.update(len(optimizer.history), optimizer.leader)
            self._write_if_due()
            if time.monotonic() >= self.deadline:
                return TIME_USED
        return BUDGET_USED

    def fits_compiled_loop(self, workers: Any) -> bool:
        """Whether nothing has to be done in Python between two evaluations, and the objective is compiled."""
        optimizer, problem, settings = self.optimizer, self.problem, self.settings
        return (optimizer._compiled is not False and settings.batch == 1 and workers is None and self.memory is None
                and settings.repeats == 1 and settings.seconds is None
                and not problem.constraints and self.callback is None
                and settings.candidates > 1000 and fits(problem.objective))

    # -- between evaluations ------------------------------------------------------------------------------------------

    def _after(self, trial: Trial) -> str | None:
        """What follows an evaluation; a reason to stop, or None."""
        optimizer, best = self.optimizer, self.optimizer.leader
        self.bar.update(len(optimizer.history), best)
        self._write_if_due()
        if best is not None and best.number == trial.number:
            logger.debug("evaluation %d: %s, violation %s", trial.number, best.value, best.violation)
            if self._meets_target():
                return TARGET_MET
        if self.callback is not None:
            try:
                self.callback(self.result(""))
            except StopIteration:
                return STOPPED
        if time.monotonic() >= self.deadline:
            return TIME_USED
        return None

    def _meets_target(self) -> bool:
        best, target, sign = self.optimizer.leader, self.settings.target, self.problem.sign
        if target is None or best is None:
            return False
        return best.violation == 0.0 and sign * best.value <= sign * target

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
        if self.lost:
            message += f"; lost on the way: {', '.join(f'{count} that {what}' for what, count in sorted(self.lost.items()))}"
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
            nfev=len(history) * self.settings.repeats,
            history=history,
            method=self.label,
            seconds=time.monotonic() - self.started,
        )

    # -- on disk ------------------------------------------------------------------------------------------------------

    def _write_if_due(self) -> None:
        if self.checkpoint is not None and self.checkpoint.is_due():
            self.write()

    def write(self, *, ended: bool = False) -> None:
        """Write a checkpoint, if there is to be one."""
        if self.checkpoint is None:
            return
        try:
            self.checkpoint.write(partial(self._pack, ended))
        except OSError as error:  # a full disk is no reason to lose the run
            logger.warning("the checkpoint could not be written: %s", error)

    def _pack(self, ended: bool) -> tuple[dict[str, Any], dict[str, Any]]:
        """The optimizer, and what of the run stands beside it."""
        meta, arrays = _saving.pack(self.optimizer)
        echoes = [each for each in self.window if isinstance(each, Echo)]
        meta["run"] = {
            "settings": asdict(self.settings),
            "constraints": len(self.problem.constraints),
            "penalty": written_penalty(self.problem),
            "window": [each.number if isinstance(each, Trial) else -1 for each in self.window],
            "echoes": [each.token for each in echoes],
            "why": self.ended,
            "ended": ended,
            "fruitless": self.fruitless,
            "lost": dict(self.lost),
            "seconds": time.monotonic() - self.started,
        }
        arrays["echoes"] = np.array([each.slots for each in echoes]).reshape(-1, len(self.optimizer.space))
        return meta, arrays

    def restore(self, meta: dict[str, Any], arrays: dict[str, Any]) -> None:
        """Go back to where a checkpoint was written."""
        echoes = iter([Echo(slots, token) for slots, token in zip(arrays["echoes"], meta["echoes"], strict=True)])
        trials = {each.number: each for each in self.optimizer.pending}
        self.window.extend(next(echoes) if number < 0 else trials[number] for number in meta["window"])
        self.ended, self.fruitless = meta["why"], meta["fruitless"]
        self.lost.update(meta["lost"])
        self.started -= meta["seconds"]


def written_penalty(problem: Problem) -> float | str | None:
    """A penalty as a checkpoint holds it."""
    return "a function" if callable(problem.penalty) else problem.penalty
