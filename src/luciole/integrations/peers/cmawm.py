"""CMA-ES with margin, from the package cmaes (Hamano and others 2022, https://arxiv.org/abs/2205.13482)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from luciole.integrations.peers.base import Peer
from luciole.integrations.peers.task import Task


@dataclass(frozen=True, kw_only=True)
class CMAwM(Peer):
    """CMA-ES with margin of the package cmaes, restarted with a doubled population.

    Variables are scaled to [0, 1]. Step-size, start and restarts are those of the package's own example of IPOP: a fifth of the
    width, a point drawn at random, and twice the population whenever `should_stop` says so. Whole and listed values are steps;
    choices are steps by their position in the list, since CMA-ES with margin knows no choices. It compares values only, so
    infeasible points take part by Deb's rules.

    Parameters
    ----------
    population_size : int, optional
        Of the first run. Left out, the package decides.
    """

    name: ClassVar[str] = "cmawm"
    package: ClassVar[str] = "cmaes"
    modules: ClassVar[tuple[str, ...]] = ("cmaes",)
    population_size: int | None = None

    def search(self, task: Task) -> None:
        import cmaes

        low, high, whole = task.positions
        width = high - low
        steps = np.zeros(len(task))
        steps[whole] = 1.0 / width[whole]
        rng = np.random.default_rng(task.seed)
        population = self.population_size
        bounds = np.column_stack([np.zeros(len(task)), np.ones(len(task))])
        while True:
            optimizer = cmaes.CMAwM(mean=rng.random(len(task)), sigma=0.2, bounds=bounds, steps=steps,
                                    seed=int(rng.integers(2**31)), population_size=population)
            while not optimizer.should_stop():
                generation = []
                for _ in range(optimizer.population_size):
                    to_evaluate, to_tell = optimizer.ask()
                    generation.append((to_tell, task.evaluate(low + to_evaluate * width).score))
                optimizer.tell(generation)
            population = 2 * optimizer.population_size
