"""The CMA-ES sampler of Optuna, which is the package cmaes behind Optuna's interface."""

import warnings
from dataclasses import dataclass
from typing import ClassVar

from luciole.integrations.peers.base import Peer
from luciole.integrations.peers.optuna_tpe import distributions_of, quiet, slots_of
from luciole.integrations.peers.task import Task


@dataclass(frozen=True, kw_only=True)
class OptunaCmaEs(Peer):
    """CmaEsSampler of Optuna, with its margin for whole numbers.

    Choices are drawn at random, which is what Optuna does with them here. The sampler knows neither constraints nor restarts;
    infeasible points take part by Deb's rules, of which it needs only the order.
    """

    name: ClassVar[str] = "optuna-cmaes"
    package: ClassVar[str] = "optuna"
    modules: ClassVar[tuple[str, ...]] = ("optuna", "cmaes")

    def search(self, task: Task) -> None:
        import optuna

        with quiet():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
                sampler = optuna.samplers.CmaEsSampler(seed=task.seed, with_margin=True, warn_independent_sampling=False)
            study = optuna.create_study(sampler=sampler)
            distributions = distributions_of(task)
            while True:
                trial = study.ask(distributions)
                study.tell(trial, task.evaluate(slots_of(task, trial.params)).score)
