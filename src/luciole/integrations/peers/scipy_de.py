"""Differential evolution, from SciPy (Storn and Price 1997)."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from luciole._layout import Floats
from luciole.integrations.peers.base import Peer
from luciole.integrations.peers.task import Task, Told


@dataclass(frozen=True, kw_only=True)
class ScipyDE(Peer):
    """Differential evolution of SciPy, with its defaults, integrality and constraints.

    Whole and listed values are SciPy's integers; choices are integers by their position in the list, since SciPy knows no
    choices. Constraints are its own: their sum, at most 0. A run ends when the whole population has one value (``tol=0``; SciPy's
    tolerance is relative to the value, which stops early where values are far from 0), and begins anew. Nothing is polished,
    since that needs derivatives.

    Parameters
    ----------
    popsize : int
        SciPy's: how many points for each variable.
    """

    name: ClassVar[str] = "scipy-de"
    package: ClassVar[str] = "scipy"
    modules: ClassVar[tuple[str, ...]] = ("scipy",)
    popsize: int = 15

    def search(self, task: Task) -> None:
        from scipy.optimize import NonlinearConstraint, differential_evolution

        low, high, whole = task.positions
        integrality = np.zeros(len(task), dtype=bool)
        integrality[whole] = True
        rng: Any = task.seed
        while True:
            memory = _Memory(task)
            constraints = (NonlinearConstraint(memory.violation, -np.inf, 0.0),) if task.constrained else ()
            differential_evolution(memory.value if task.constrained else lambda x: task.evaluate(x).score,
                                   list(zip(low.tolist(), high.tolist(), strict=True)), integrality=integrality, rng=rng,
                                   maxiter=task.budget, popsize=self.popsize, tol=0.0, polish=False, constraints=constraints)
            rng = rng if isinstance(rng, np.random.Generator) else np.random.default_rng([task.seed, 1])


class _Memory:
    """SciPy asks for the violation of a point and later, if it is feasible, for its value; both come from one evaluation."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.values: dict[bytes, list[float]] = {}
        self.first: tuple[bytes, Told] | None = None
        self.calls = 0

    def violation(self, x: Floats) -> float:
        self.calls += 1
        key = x.tobytes()
        if self.calls == 2 and self.first is not None and self.first[0] == key:
            told = self.first[1]  # SciPy looks at its first point once more, to count the constraints
        else:
            told = self.task.evaluate(x)
        if self.calls == 1:
            self.first = key, told
        elif told.violation == 0.0:
            self.values.setdefault(key, []).append(told.value)
        return told.violation if not told.failed else np.inf

    def value(self, x: Floats) -> float:
        kept = self.values[x.tobytes()]
        value = kept.pop()
        if not kept:
            del self.values[x.tobytes()]
        return value
