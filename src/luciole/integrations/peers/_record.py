"""What a peer did: every evaluation counted, recorded and judged as `luciole.minimize` does it."""

import math

from luciole._layout import Floats
from luciole.history import History
from luciole.integrations.peers.task import Ended
from luciole.problem import OnError, Problem
from luciole.result import Result


class Record:
    """The evaluations of one run of a peer."""

    def __init__(self, problem: Problem, budget: int, on_error: OnError) -> None:
        self.problem = problem
        self.budget = budget
        self.history = History(problem.space, problem.sign)
        self._on_error = on_error
        self._error: BaseException | None = None
        self._best: tuple[Floats, float, float] | None = None  # slots, value, violation
        self._rank = math.inf
        self.message = ""

    def evaluate(self, slots: Floats) -> tuple[float, float]:
        """The value (to be made small) and the violation; after the last evaluation, and after an exception, `Ended`."""
        if self.message:  # a library that goes on asking
            raise Ended
        try:
            value, violation, error, by_value = self.problem.evaluate(slots, self._on_error)
        except BaseException as problem_error:
            self._error = problem_error
            self.message = "the objective raised"
            raise Ended from None
        rank = 0.0 if by_value else violation
        is_best = self._is_better(value, rank)
        if is_best:
            self._best, self._rank = (slots, value, violation), rank
        self.history.record(slots, value, violation, error, is_best)
        self.history.by_value |= by_value
        if len(self.history) == self.budget:
            self.message = "the budget is used up"
            raise Ended
        return self.problem.sign * value, rank

    def _is_better(self, value: float, rank: float) -> bool:
        """Deb's rules: feasible beats infeasible, less violation beats more, then the value decides; a failure is never best."""
        if not math.isfinite(value):
            return False
        if self._best is None or rank != self._rank:
            return self._best is None or rank < self._rank
        return self.problem.sign * value < self.problem.sign * self._best[1]

    def reraise(self) -> None:
        """Pass on what the objective raised, if that ended the run."""
        if self._error is not None:
            raise self._error

    def result(self, label: str, message: str, seconds: float) -> Result:
        """The outcome."""
        count = len(self.history)
        if self._best is None:
            if count:
                message = f"every one of the {count} evaluations failed ({self.history.errors[count - 1]}); {message}"
            point, value, violation = None, math.nan, math.inf
        else:
            slots, value, violation = self._best
            point = self.problem.space.decode(slots)
            if violation > 0:
                message = f"no feasible point was found; {message}"
        return Result(x=point, fun=value, violation=violation, success=violation == 0.0, message=message, nfev=count,
                      history=self.history, method=label, seconds=seconds)
