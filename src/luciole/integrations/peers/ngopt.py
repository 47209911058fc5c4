"""The algorithm selector of nevergrad (Meunier and others 2022, https://arxiv.org/abs/2010.04542)."""

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from luciole._layout import CATEGORICAL, CONTINUOUS, LOG_INTEGER
from luciole.integrations.peers.base import Peer
from luciole.integrations.peers.task import Task, as_slot


@dataclass(frozen=True, kw_only=True)
class NGOpt(Peer):
    """NGOpt of nevergrad, which picks a method by the variables and the budget.

    Each variable is of nevergrad's own kind: Scalar, Scalar cast to whole numbers (also for ordered lists, by position), Log cast
    to whole numbers, Choice. Constraints are nevergrad's own, a penalty that grows.
    """

    name: ClassVar[str] = "ngopt"
    package: ClassVar[str] = "nevergrad"
    modules: ClassVar[tuple[str, ...]] = ("nevergrad",)

    def search(self, task: Task) -> None:
        import nevergrad as ng

        seed, left = task.seed, task.budget
        seeds = np.random.default_rng(task.seed)
        while True:
            parametrization = _parametrization(ng, task)
            parametrization.random_state.seed(seed)
            optimizer = ng.optimizers.NGOpt(parametrization, budget=left)
            while left:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # nevergrad warns of its own choices, such as clipping infinity
                    try:
                        candidate = optimizer.ask()
                    except ng.errors.NevergradEarlyStopping:
                        break
                values = zip(task.kinds, candidate.args, strict=True)
                told = task.evaluate(np.array([value if kind == CONTINUOUS else as_slot(kind, value) for kind, value in values],
                                              dtype=np.float64))
                left -= 1
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    if told.failed:
                        optimizer.tell(candidate, np.inf)
                    elif task.constrained:
                        optimizer.tell(candidate, told.value, told.violation)
                    else:
                        optimizer.tell(candidate, told.score)
            seed = int(seeds.integers(2**31))


def _parametrization(ng: Any, task: Task) -> Any:
    parts = []
    low, high = task.layout.low.tolist(), task.layout.high.tolist()
    for k, (kind, (first, last)) in enumerate(zip(task.kinds, task.whole_bounds, strict=True)):
        if kind == CONTINUOUS:
            parts.append(ng.p.Scalar(lower=low[k], upper=high[k]))
        elif kind == CATEGORICAL:
            parts.append(ng.p.Choice(list(range(last + 1))))
        elif kind == LOG_INTEGER:
            parts.append(ng.p.Log(lower=first, upper=last).set_integer_casting())
        else:
            parts.append(ng.p.Scalar(lower=first, upper=last).set_integer_casting())
    return ng.p.Instrumentation(*parts)
