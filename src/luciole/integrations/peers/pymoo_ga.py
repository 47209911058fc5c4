"""The genetic algorithm for mixed variables, from pymoo (Blank and Deb 2020)."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from luciole._layout import CATEGORICAL, CONTINUOUS
from luciole.integrations.peers.base import Peer
from luciole.integrations.peers.task import FAILED, Task, as_slot


@dataclass(frozen=True, kw_only=True)
class PymooGA(Peer):
    """MixedVariableGA of pymoo, with its defaults.

    Each variable is of pymoo's own kind: Real, Integer (also for ordered lists, by position), Choice, and Binary where a choice
    has two values. Constraints are pymoo's own. If it can find no new point it ends, and begins anew with another seed.

    Parameters
    ----------
    pop_size : int
        pymoo's: how many points are kept.
    """

    name: ClassVar[str] = "pymoo-ga"
    package: ClassVar[str] = "pymoo"
    modules: ClassVar[tuple[str, ...]] = ("pymoo",)
    pop_size: int = 50

    def search(self, task: Task) -> None:
        from pymoo.core.mixed import MixedVariableGA
        from pymoo.core.problem import ElementwiseProblem
        from pymoo.core.variable import Binary, Choice, Integer, Real
        from pymoo.optimize import minimize
        from pymoo.termination import get_termination

        kinds, names = task.kinds, task.names
        variables: dict[str, Any] = {}
        bounds = zip(task.whole_bounds, task.layout.low.tolist(), task.layout.high.tolist(), strict=True)
        for name, kind, ((first, last), low, high) in zip(names, kinds, bounds, strict=True):
            if kind == CONTINUOUS:
                variables[name] = Real(bounds=(low, high))
            elif kind != CATEGORICAL:
                variables[name] = Integer(bounds=(first, last))
            else:
                variables[name] = Binary() if last == 1 else Choice(options=list(range(last + 1)))

        class Adapted(ElementwiseProblem):  # type: ignore[misc]
            def __init__(self) -> None:
                super().__init__(vars=variables, n_obj=1, n_ieq_constr=1 if task.constrained else 0)

            def _evaluate(self, X: dict[str, Any], out: dict[str, Any], *args: Any, **kwargs: Any) -> None:
                told = task.evaluate(np.array([X[name] if kind == CONTINUOUS else as_slot(kind, int(X[name]))
                                               for name, kind in zip(names, kinds, strict=True)], dtype=np.float64))
                if task.constrained:
                    out["F"], out["G"] = (FAILED, FAILED) if told.failed else (told.value, told.violation)
                else:
                    out["F"] = told.score

        seed = task.seed
        seeds = np.random.default_rng(task.seed)
        while True:
            minimize(Adapted(), MixedVariableGA(pop_size=self.pop_size), get_termination("n_eval", task.budget + 1), seed=seed,
                     copy_algorithm=False)
            seed = int(seeds.integers(2**31))
