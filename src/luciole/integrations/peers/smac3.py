"""Bayesian optimisation with a random forest, from SMAC3 (Lindauer and others 2022, https://arxiv.org/abs/2109.09831)."""

import logging
import tempfile
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from luciole._layout import CATEGORICAL, CONTINUOUS, LOG_INTEGER, ORDERED
from luciole.integrations.peers.base import Peer
from luciole.integrations.peers.task import Task, as_slot


@dataclass(frozen=True, kw_only=True)
class SMAC3(Peer):
    """HyperparameterOptimizationFacade of SMAC3, with its defaults: its random forest takes every kind of variable.

    Each variable is of ConfigSpace's own kind: float, integer, ordinal or categorical. SMAC knows no constraints, and models the
    values, so an infeasible point gets the worst value seen so far plus its violation; a failed evaluation is a crashed trial of
    that cost. It takes tenths of a second a point, and more the more points there are: meant for very expensive objectives.
    """

    name: ClassVar[str] = "smac3"
    package: ClassVar[str] = "smac"
    modules: ClassVar[tuple[str, ...]] = ("smac", "ConfigSpace")

    def search(self, task: Task) -> None:
        from smac import HyperparameterOptimizationFacade, Scenario
        from smac.main.exceptions import ConfigurationSpaceExhaustedException
        from smac.runhistory.dataclasses import TrialValue
        from smac.runhistory.enumerations import StatusType

        worst = -np.inf
        with tempfile.TemporaryDirectory() as folder:  # where SMAC would keep its files
            scenario = Scenario(_space(task), deterministic=True, n_trials=task.budget, seed=task.seed, output_directory=folder)
            facade = HyperparameterOptimizationFacade(scenario, logging_level=logging.ERROR, overwrite=True)
            while True:
                try:
                    info = facade.ask()
                except ConfigurationSpaceExhaustedException:
                    return  # every point has been evaluated
                told = task.evaluate(_slots(task, info.config))
                if not told.failed:
                    worst = max(worst, told.value)
                cost = told.value
                if told.failed or told.violation > 0:
                    cost = max(worst, -1e300) + (1.0 if told.failed else told.violation)
                status = StatusType.CRASHED if told.failed else StatusType.SUCCESS
                facade.tell(info, TrialValue(cost=cost, status=status), save=False)


def _space(task: Task) -> Any:
    from ConfigSpace import CategoricalHyperparameter, ConfigurationSpace, OrdinalHyperparameter
    from ConfigSpace import UniformFloatHyperparameter as Real
    from ConfigSpace import UniformIntegerHyperparameter as Whole

    space = ConfigurationSpace(seed=task.seed)
    low, high = task.layout.low.tolist(), task.layout.high.tolist()
    for k, (name, kind, (first, last)) in enumerate(zip(task.names, task.kinds, task.whole_bounds, strict=True)):
        if kind == CONTINUOUS:
            space.add(Real(name, low[k], high[k]))
        elif kind == CATEGORICAL:
            space.add(CategoricalHyperparameter(name, list(range(last + 1))))
        elif kind == ORDERED:
            space.add(OrdinalHyperparameter(name, list(range(last + 1))))
        else:
            space.add(Whole(name, first, last, log=kind == LOG_INTEGER))
    return space


def _slots(task: Task, config: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([float(config[name]) if kind == CONTINUOUS else as_slot(kind, int(config[name]))
                     for name, kind in zip(task.names, task.kinds, strict=True)])
