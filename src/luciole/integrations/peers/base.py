"""What a peer is: a method of another library, run on luciole's problems, budget and failure policy.

A peer sees what luciole's own methods see of a space, the kind and the bounds of each slot, and a function `Task.evaluate` that
turns slots into a value and a violation. It runs its library as its authors meant it; counting, recording and stopping are done
here, for all peers alike, so a peer is its library's own loop and nothing else.
"""

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from luciole._layout import CONTINUOUS, LOG_INTEGER, Floats, Layout, settle
from luciole.errors import ArgumentError
from luciole.integrations.peers import _place
from luciole.integrations.peers._record import Record
from luciole.integrations.peers.task import Ended, Task, Told
from luciole.optimizer import check_count
from luciole.problem import OnError, Problem
from luciole.result import Result


@dataclass(frozen=True, kw_only=True)
class Peer(ABC):
    """A method of another library. Subclass it as a frozen dataclass whose fields are the options worth having."""

    name: ClassVar[str]
    """What plans call it."""

    package: ClassVar[str]
    """The distribution that brings it, whose version is reported."""

    modules: ClassVar[tuple[str, ...]]
    """What must be importable for it to run."""

    @abstractmethod
    def search(self, task: Task) -> None:
        """Evaluate points until ``task.evaluate`` raises ``Ended``; a return before that ends the run early."""

    def run(self, problem: Problem, *, budget: int, seed: int = 0, on_error: OnError = "raise") -> Result:
        """Minimise a problem, here or in the environment of the peers, wherever the library is.

        Parameters
        ----------
        problem : Problem
            What to minimise. It is always evaluated in this process.
        budget : int
            How many evaluations to make, exactly.
        seed : int
            The seed that the library is given.
        on_error : {"raise", "penalise"}
            As in `luciole.minimize`: what an exception in the objective does.
        """
        if not isinstance(problem, Problem):
            raise ArgumentError(f"problem={problem!r} must be a luciole.Problem")
        if on_error not in ("raise", "penalise"):
            raise ArgumentError(f"on_error={on_error!r} is not known; use 'raise' or 'penalise'")
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**32:
            raise ArgumentError(f"seed={seed!r} must be a whole number from 0 to 2**32 - 1")
        budget = check_count("budget", budget)
        search = _place.search_of(self)
        record = Record(problem, budget, on_error)
        task = _task(problem, record, budget, int(seed))
        started = time.monotonic()
        try:
            if len(task):
                search(task)
            while not len(task):  # nothing to choose, which few libraries take
                task.evaluate(np.empty(0))
            message = f"{self.name} ended by itself"
        except Ended:
            message = record.message
        record.reraise()
        return record.result(self.label, message, time.monotonic() - started)

    @property
    def options(self) -> dict[str, Any]:
        """The options that differ from the defaults."""
        return {each.name: getattr(self, each.name) for each in fields(self) if getattr(self, each.name) != each.default}

    @property
    def label(self) -> str:
        """The name in tables."""
        inside = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"{self.name}({inside})" if inside else self.name


def _task(problem: Problem, record: Record, budget: int, seed: int) -> Task:
    """The task of a problem: fixed variables are left out, and every point is brought to its nearest admissible one."""
    whole = problem.space.layout
    free = np.flatnonzero(whole.low < whole.high)
    layout = Layout(whole.kind[free], whole.low[free], whole.high[free])
    discrete = np.flatnonzero((layout.kind != CONTINUOUS) & (layout.kind != LOG_INTEGER))
    logarithmic = np.flatnonzero(layout.kind == LOG_INTEGER).tolist()

    def evaluate(x: Floats) -> Told:
        inside = np.minimum(np.maximum(np.asarray(x, dtype=np.float64), layout.low), layout.high)
        inside[discrete] = np.floor(inside[discrete] + 0.5)
        for k in logarithmic:
            inside[k] = settle(inside[k], LOG_INTEGER, layout.low[k], layout.high[k])
        slots = whole.low.copy()
        slots[free] = inside
        value, violation = record.evaluate(slots)
        return Told(value, violation)

    constrained = problem.penalty is None and bool(problem.constraints or problem.limits)
    return Task(layout, constrained, budget, seed, evaluate)
