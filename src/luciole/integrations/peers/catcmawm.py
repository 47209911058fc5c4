"""CatCMA with margin, from the package cmaes (Hamano and others 2025, https://arxiv.org/abs/2504.07884)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from luciole._layout import CATEGORICAL, CONTINUOUS, Floats
from luciole.integrations.peers.base import Peer
from luciole.integrations.peers.task import MANY, Task, Told, as_slot


@dataclass(frozen=True, kw_only=True)
class CatCMAwM(Peer):
    """CatCMA with margin of the package cmaes, restarted with a doubled population.

    Each variable is of the package's own kind: real, whole or listed (scaled to [0, 1]), or categorical; what has two values is
    categorical, as the package advises. It is restarted with twice the population whenever `should_stop` says so. Since the
    package uses the spread of the values within a generation, infeasible points get the worst feasible value of their generation
    plus their violation, which keeps Deb's order and the scale.

    Parameters
    ----------
    population_size : int, optional
        Of the first run. Left out, the package decides.
    """

    name: ClassVar[str] = "catcmawm"
    package: ClassVar[str] = "cmaes"
    modules: ClassVar[tuple[str, ...]] = ("cmaes",)
    population_size: int | None = None

    def search(self, task: Task) -> None:
        import cmaes

        spaces = _Spaces(task)
        seeds = np.random.default_rng(task.seed)
        population, seed = self.population_size, task.seed
        while True:
            optimizer = cmaes.CatCMAwM(x_space=spaces.x, z_space=spaces.z, c_space=spaces.c, seed=seed,
                                       population_size=population)
            while not (spaces.moves and optimizer.should_stop()):
                asked = [optimizer.ask() for _ in range(optimizer.population_size)]
                told = [task.evaluate(spaces.slots(each.x, each.z, each.c)) for each in asked]
                optimizer.tell(list(zip(asked, levelled(told), strict=True)))
            population, seed = 2 * optimizer.population_size, int(seeds.integers(2**31))


class _Spaces:
    """The variables by the package's kinds, and the way back to slots."""

    def __init__(self, task: Task) -> None:
        self.low, self.width = task.layout.low, task.layout.high - task.layout.low
        self.real: list[int] = []
        self.whole: list[int] = []
        self.choice: list[int] = []
        self.tables: dict[int, list[float]] = {}  # the slots of the values of a choice or a whole number
        z: list[Floats] = []
        for k, (kind, (first, last)) in enumerate(zip(task.kinds, task.whole_bounds, strict=True)):
            count = last - first + 1
            if kind == CONTINUOUS or (kind != CATEGORICAL and count > MANY):
                self.real.append(k)
                continue
            self.tables[k] = [as_slot(kind, each) for each in range(first, last + 1)]
            if kind == CATEGORICAL or count == 2:
                self.choice.append(k)
            else:
                self.whole.append(k)
                z.append((np.array(self.tables[k]) - self.low[k]) / self.width[k])
        self.x = [[0.0, 1.0]] * len(self.real) or None
        self.z = [each.tolist() for each in z] or None
        self.c = [len(self.tables[k]) for k in self.choice] or None
        self.moves = bool(self.real or self.whole)
        """Whether there is a Gaussian, which alone knows when to stop."""

    def slots(self, x: Floats | None, z: Floats | None, c: Floats | None) -> Floats:
        """The slots of a solution of the package."""
        slots = np.empty(len(self.low))
        for chosen, scaled in ((self.real, x), (self.whole, z)):
            if scaled is not None:
                slots[chosen] = self.low[chosen] + scaled * self.width[chosen]
        if c is not None:
            for k, row in zip(self.choice, c, strict=True):
                slots[k] = self.tables[k][int(np.argmax(row))]
        return slots


def levelled(told: Sequence[Told]) -> list[float]:
    """Values of a generation in Deb's order and in the scale of the feasible ones: infeasible ones above the worst of these."""
    top = max((each.value for each in told if each.violation == 0.0), default=0.0)
    values = [each.value if each.violation == 0.0 else top + each.violation for each in told]
    worst = max((value for value, each in zip(values, told, strict=True) if not each.failed), default=top)
    return [worst + 1.0 if each.failed else value for value, each in zip(values, told, strict=True)]
