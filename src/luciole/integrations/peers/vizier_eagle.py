"""The Eagle Strategy of Google Vizier, a firefly algorithm (Song and others 2024, https://arxiv.org/abs/2408.11527)."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from luciole._layout import CATEGORICAL, CONTINUOUS, INTEGER, LOG_INTEGER
from luciole.integrations.peers.base import Peer
from luciole.integrations.peers.task import MANY, Task, as_slot


@dataclass(frozen=True, kw_only=True)
class VizierEagle(Peer):
    """EagleStrategyDesigner of Google Vizier, with its defaults.

    Each variable is of Vizier's own kind: float, int, discrete (ordered lists, by position) or categorical; whole numbers of more
    than 10,000 values are floats that are rounded, since Vizier lists every value of an int. The strategy knows no
    constraints, and only compares values, so infeasible points take part by Deb's rules; a failed evaluation is what Vizier calls
    an infeasible trial. It takes milliseconds a point, growing with the square of the number of variables.
    """

    name: ClassVar[str] = "vizier-eagle"
    package: ClassVar[str] = "google-vizier"
    modules: ClassVar[tuple[str, ...]] = ("vizier.algorithms", "jax", "chex", "equinox")

    def search(self, task: Task) -> None:
        from vizier import algorithms, pyvizier
        from vizier._src.algorithms.designers.eagle_strategy.eagle_strategy import EagleStrategyDesigner

        designer = EagleStrategyDesigner(_statement(pyvizier, task), seed=task.seed)
        for number in range(1, task.budget + 1):
            trial = designer.suggest(1)[0].to_trial(number)
            told = task.evaluate(_slots(task, trial.parameters))
            if told.failed:
                trial.complete(pyvizier.Measurement(), infeasibility_reason="the evaluation failed")
            else:
                trial.complete(pyvizier.Measurement(metrics={"value": told.score}))
            designer.update(algorithms.CompletedTrials([trial]), algorithms.ActiveTrials())


def _statement(pyvizier: Any, task: Task) -> Any:
    statement = pyvizier.ProblemStatement()
    root = statement.search_space.root
    low, high = task.layout.low.tolist(), task.layout.high.tolist()
    for k, (name, kind, (first, last)) in enumerate(zip(task.names, task.kinds, task.whole_bounds, strict=True)):
        if _is_real(kind, first, last):
            root.add_float_param(name, low[k], high[k])
        elif kind == CATEGORICAL:
            root.add_categorical_param(name, [str(each) for each in range(last + 1)])
        elif kind in (INTEGER, LOG_INTEGER):
            scale = pyvizier.ScaleType.LOG if kind == LOG_INTEGER else pyvizier.ScaleType.LINEAR
            root.add_int_param(name, first, last, scale_type=scale)
        else:
            root.add_discrete_param(name, list(range(last + 1)))
    statement.metric_information.append(pyvizier.MetricInformation("value", goal=pyvizier.ObjectiveMetricGoal.MINIMIZE))
    return statement


def _slots(task: Task, parameters: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([float(parameters[name].value) if _is_real(kind, *bounds) else as_slot(kind, int(parameters[name].value))
                     for name, kind, bounds in zip(task.names, task.kinds, task.whole_bounds, strict=True)])


def _is_real(kind: int, first: int, last: int) -> bool:
    """Whether Vizier gets a variable as a real number: it lists every value of the others."""
    return kind == CONTINUOUS or (kind in (INTEGER, LOG_INTEGER) and last - first >= MANY)
