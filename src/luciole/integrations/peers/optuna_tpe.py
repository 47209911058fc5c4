"""The tree-structured Parzen estimator, from Optuna (Bergstra and others 2011; Watanabe 2023, https://arxiv.org/abs/2304.11127)."""

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from luciole._layout import CATEGORICAL, CONTINUOUS, LOG_INTEGER
from luciole.integrations.peers.base import Peer
from luciole.integrations.peers.task import Task, as_slot

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, kw_only=True)
class OptunaTPE(Peer):
    """TPESampler of Optuna, with its defaults.

    Each variable is of Optuna's own kind: float, int (also for ordered lists, by position; logarithmic ones with ``log=True``) or
    categorical. Constraints are Optuna's own, and a failed evaluation is a failed trial. It takes milliseconds a point, and more
    the more points there are: meant for expensive objectives.
    """

    name: ClassVar[str] = "optuna-tpe"
    package: ClassVar[str] = "optuna"
    modules: ClassVar[tuple[str, ...]] = ("optuna",)

    def search(self, task: Task) -> None:
        import optuna

        with quiet():
            study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=task.seed))
            distributions = distributions_of(task)
            while True:
                trial = study.ask(distributions)
                told = task.evaluate(slots_of(task, trial.params))
                if told.failed:
                    study.tell(trial, state=optuna.trial.TrialState.FAIL)
                    continue
                if task.constrained:
                    trial.set_constraint("violation", told.violation)
                study.tell(trial, told.value if task.constrained else told.score)


def distributions_of(task: Task) -> dict[str, Any]:
    """The variables as Optuna describes them."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    found: dict[str, Any] = {}
    low, high = task.layout.low.tolist(), task.layout.high.tolist()
    for k, (name, kind, (first, last)) in enumerate(zip(task.names, task.kinds, task.whole_bounds, strict=True)):
        if kind == CONTINUOUS:
            found[name] = FloatDistribution(low[k], high[k])
        elif kind == CATEGORICAL:
            found[name] = CategoricalDistribution(range(last + 1))
        else:
            found[name] = IntDistribution(first, last, log=kind == LOG_INTEGER)
    return found


def slots_of(task: Task, params: dict[str, Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The slots of a trial's parameters."""
    return np.array([params[name] if kind == CONTINUOUS else as_slot(kind, params[name])
                     for name, kind in zip(task.names, task.kinds, strict=True)], dtype=np.float64)


@contextmanager
def quiet() -> "Iterator[None]":
    """Let Optuna log only what went wrong."""
    import optuna

    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        yield
    finally:
        optuna.logging.set_verbosity(before)
