"""Ask and tell: the search itself, one candidate at a time, with the caller doing the evaluating."""

import math
from collections.abc import Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any, overload

import numpy as np

from luciole import _saving, _storage
from luciole._compile import compiled as compile_kernel
from luciole._layout import Floats
from luciole._seed import Seed, make_rng
from luciole._start import Known, known_points
from luciole.algorithms import get_method
from luciole.algorithms.base import Method
from luciole.errors import ArgumentError, StateError
from luciole.history import History
from luciole.problem import Direction, Evaluation, judged
from luciole.space import Space
from luciole.trial import Best, Leader, Trial

HORIZON = 10_000  # the budget that schedules assume when none is given
NONE: tuple[float, ...] = ()
PLAIN_SECONDS = 2.0  # compiling costs about this much; plain work beyond it is worth compiling


class Optimizer:
    """A search that is asked for candidates and told what they are worth.

    Parameters
    ----------
    space : Space
        Where to search.
    method : str or Method, optional
        How to search: a name such as ``"famv"``, or an object such as ``lc.FAmv(distance="hamming")``. Left out: `FAmv`.
    rng : int or numpy.random.Generator, optional
        The seed. The same seed and the same order of asking and telling give the same candidates.
    budget : int, optional
        How many evaluations are planned, for methods whose parameters follow a schedule; more may be asked for. Left out,
        schedules run over 10,000.
    direction : {"minimize", "maximize"}
        Which way is better.
    x0 : optional
        Points to start from: a point, a list of points, a list of ``(point, value)`` pairs, a DataFrame or an earlier result.
        Known values are not evaluated again; the best of them start the search.
    compiled : bool, optional
        Whether to run the method's kernels compiled. Left out: once that pays. The results are the same to the bit.

    Examples
    --------
    >>> import luciole as lc
    >>> opt = lc.Optimizer(lc.Space(x=lc.Float(-5, 5), n=lc.Integer(0, 9)), rng=0, budget=400)
    >>> for _ in range(400):
    ...     trial = opt.ask()
    ...     opt.tell(trial, (trial.x["x"] - 1) ** 2 + (trial.x["n"] - 3) ** 2)
    >>> opt.best.x["n"], round(opt.best.x["x"], 1)
    (3, 1.0)
    """

    def __init__(self, space: Space, method: str | Method | None = None, *, rng: Seed = None, budget: int | None = None,
                 direction: Direction = "minimize", x0: Any = None, compiled: bool | None = None) -> None:
        if not isinstance(space, Space):
            raise ArgumentError(f"space={space!r} must be a luciole.Space")
        if direction not in ("minimize", "maximize"):
            raise ArgumentError(f"direction={direction!r} is not known; use 'minimize' or 'maximize'")
        if budget is not None:
            budget = check_count("budget", budget)
        self.space = space
        self.method = get_method(method)
        self.budget = budget
        self.direction = direction
        self._sign = 1.0 if direction == "minimize" else -1.0
        self._rng = make_rng(rng)
        # A method that relaxes sees, and proposes, points between the whole numbers.
        self._seen_space = space.relaxed() if self.method.relaxes else space
        layout = self._seen_space.layout
        self._state = self.method.start(layout, budget or HORIZON)
        self._u = np.empty(self.method.numbers(layout))
        self._asked = 0
        self._open: dict[int, Trial] = {}
        self.leader: Leader | None = None
        self.history = History(self._seen_space, self._sign)
        if compiled not in (None, True, False):
            raise ArgumentError(f"compiled={compiled!r} must be True, False or None")
        self._compiled = compiled
        self._ask, self._tell = self.method.ask, self.method.tell
        plain_cost = 5e-6 + 1e-6 * len(space)  # seconds an evaluation
        self._rank = math.inf  # the violation that the leader is ranked by
        self._compile_after: float = 0 if compiled else math.inf if compiled is False else PLAIN_SECONDS / plain_cost
        if compiled or (compiled is None and (budget or 0) > self._compile_after):
            self._compile()
        self._given: list[Floats] = []
        self._known: list[Known] = []
        if x0 is not None:
            self._start_from(x0)

    # -- the loop -----------------------------------------------------------------------------------------------------

    @overload
    def ask(self) -> Trial: ...

    @overload
    def ask(self, n: int) -> list[Trial]: ...

    def ask(self, n: int | None = None) -> Trial | list[Trial]:
        """The next candidate, or a list of the next `n`.

        Any number may be out at once, and they may be told in any order; results that have come back by the time of asking
        are used.
        """
        if n is not None:
            return [self.ask() for _ in range(check_count("n", n))]
        return self._open_trial(*self._propose())

    def tell(self, trial: Trial, value: float, violations: float | Sequence[float] = NONE) -> None:
        """Say what a trial is worth.

        Parameters
        ----------
        trial : Trial
            What `ask` returned.
        value : float
            The objective there; NaN or infinity for an evaluation that failed.
        violations : float or sequence of float
            Constraint values, feasible where all are at most 0.
        """
        if not isinstance(trial, Trial) or self._open.get(trial.number) is not trial:
            if isinstance(trial, Trial) and trial.number < self._asked and trial.number not in self._open:
                raise StateError(f"trial {trial.number} was told before; each trial is told once")
            raise StateError(f"trial={trial!r} was never asked of this optimizer; tell the trials that ask() returned")
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value.item()
        if not isinstance(value, Real):
            raise ArgumentError(f"value={value!r} must be a number; NaN says that the evaluation failed")
        try:
            limits = violations if violations is NONE else np.atleast_1d(np.asarray(violations)).ravel()
            excess = [float(g) for g in limits if not g <= 0]
        except (TypeError, ValueError):
            raise ArgumentError(f"violations={violations!r} must be a number or a sequence of numbers") from None
        self.record(trial, judged(float(value), excess))

    def record(self, trial: Trial, evaluation: Evaluation) -> None:
        """Take in the evaluation of an open trial; `tell` without its questions."""
        value, violation, error, by_value = evaluation
        del self._open[trial.number]
        rank = 0.0 if by_value else violation
        is_best = self._is_better(value, rank)
        if is_best:
            self.leader = Leader(trial._slots, value, violation, trial.number)
            self._rank = rank
        self.history.record(trial._slots, value, violation, error, is_best)
        self.history.by_value |= by_value
        self._tell(self._state, trial._token, trial._slots, score(self._sign * value, rank))

    def _open_trial(self, slots: Floats, token: int) -> Trial:
        """Make a trial of a proposal."""
        trial = Trial(self._asked, self._seen_space, slots, token)
        self._asked += 1
        self._open[trial.number] = trial
        return trial

    def _tell_known(self, slots: Floats, token: int, evaluation: Evaluation) -> None:
        """Answer a proposal that is no trial, since what it is worth is known."""
        rank = 0.0 if evaluation.by_value else evaluation.violation
        self._tell(self._state, token, slots, score(self._sign * evaluation.value, rank))

    def _propose(self) -> tuple[Floats, int]:
        if self._asked > self._compile_after:
            self._compile()
        self._rng.random(out=self._u)
        slots = np.empty(len(self.space))
        progress = min(self._asked / (self.budget or HORIZON), 1.0)
        token = int(self._ask(self._state, self._u, progress, slots))
        if self._given:
            slots = self._given.pop(0)
        return slots, token

    def _take_block(self, slots: Floats, values: Floats, errors: dict[int, str]) -> None:
        """Take in evaluations that the method was told of already."""
        finite = np.isfinite(values)
        score = np.where(finite, self._sign * values, math.inf)
        first_best = self._sign * self.leader.value if self.leader is not None and self._rank == 0.0 else math.inf
        so_far = np.minimum.accumulate(np.concatenate([[first_best], score]))
        is_best = so_far[1:] < so_far[:-1]
        if is_best.any():
            n = int(np.flatnonzero(is_best)[-1])
            self.leader = Leader(slots[n].copy(), float(values[n]), 0.0, self._asked + n)
            self._rank = 0.0
        for n in np.flatnonzero(~finite).tolist():
            errors.setdefault(n, f"the objective is {values[n]}")
        first = len(self.history)
        self.history.record_block(slots, np.where(finite, values, math.nan), np.where(finite, 0.0, math.inf), is_best,
                                  {first + n: error for n, error in errors.items()})
        self._asked += len(values)

    def _is_better(self, value: float, violation: float) -> bool:
        """Deb's rules, exactly: feasible beats infeasible, less violation beats more, then the value decides."""
        if not math.isfinite(value):
            return False
        if self.leader is None:
            return True
        if violation != self._rank:
            return violation < self._rank
        return self._sign * value < self._sign * self.leader.value

    def _compile(self) -> None:
        self._ask, self._tell = compile_kernel(self.method.ask), compile_kernel(self.method.tell)
        self._compile_after = math.inf

    # -- what is known ------------------------------------------------------------------------------------------------

    @property
    def best(self) -> Best | None:
        """The best evaluation so far: ``.x``, ``.value``, ``.violation``, ``.number``; None while there is none."""
        if self.leader is None:
            return None
        slots, value, violation, number = self.leader
        return Best(self._seen_space.decode(slots), value, violation, number)

    @property
    def asked(self) -> int:
        """How many trials were asked for."""
        return self._asked

    @property
    def pending(self) -> list[Trial]:
        """The trials that were asked for and not told yet, in order; after `load` they can still be told."""
        return [self._open[number] for number in sorted(self._open)]

    def _start_from(self, x0: Any) -> None:
        """Let the method take in known values, and keep points without a value to be asked first."""
        self._known, waiting = known_points(self._seen_space, x0)
        known = sorted(self._known, key=lambda each: score(self._sign * each.value, each.violation))
        for each in known[: self.method.batch]:
            _, token = self._propose()
            self._tell(self._state, token, each.slots, score(self._sign * each.value, each.violation))
        if known and self._is_better(known[0].value, known[0].violation):
            self.leader = Leader(*known[0], number=-1)
            self._rank = known[0].violation
        self._given = waiting

    # -- on disk ------------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write everything to a file, at once and whole; `load` goes on as if nothing had happened."""
        _storage.write(Path(path), *_saving.pack(self))

    @classmethod
    def load(cls, path: str | Path, space: Space | None = None, method: Method | None = None) -> "Optimizer":
        """Read what `save` wrote, or a checkpoint of `minimize`. Nothing in the file is ever run.

        Parameters
        ----------
        path : str or Path
            The file.
        space : Space, optional
            Needed only where a value of the space cannot be written to a file, such as a function.
        method : Method, optional
            Needed only for a method that is not one of luciole's.
        """
        meta, arrays = _storage.read(Path(path))
        with _saving.reading(path):
            optimizer = cls(**_saving.arguments(path, meta, space, method))
            _saving.unpack(optimizer, meta, arrays)
        return optimizer

    def __repr__(self) -> str:
        return f"<Optimizer {self.method!r}: {self._asked} asked, {len(self._open)} pending>"


def score(value: float, violation: float) -> float:
    """One number to be made small: the value of a feasible point; above 1e200, by violation, that of an infeasible one."""
    if not math.isfinite(value):
        return math.inf
    if violation == 0.0:
        return value
    # The fourth root lets any violation fit below the largest float; sums of many such scores still do.
    return 1e200 * (1.0 + math.sqrt(math.sqrt(min(violation, 1e300))))


def check_count(name: str, value: Any) -> int:
    """A whole number of at least 1."""
    if isinstance(value, bool) or (not isinstance(value, Integral) and not (isinstance(value, float) and value.is_integer())):
        raise ArgumentError(f"{name}={value!r} must be a whole number of at least 1")
    if value < 1:
        raise ArgumentError(f"{name}={value!r} must be at least 1")
    return int(value)
