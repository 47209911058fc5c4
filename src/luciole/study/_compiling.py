"""Compiling before a run, by one process of a machine at a time: a cold cache filled by several at once can crash them."""

import threading
from contextlib import ExitStack
from typing import Any

from luciole._compile import cache_home
from luciole._lock import locked
from luciole._loop import fits
from luciole._objective import KernelObjective
from luciole.minimize import minimize
from luciole.optimizer import Optimizer
from luciole.problem import Problem
from luciole.problems.cec2013 import cec2013
from luciole.study.entries import Native, PlannedProblem

LEAST = 1001  # evaluations from which `minimize` uses the compiled loop

_ready: set[Any] = set()
_threads = threading.Lock()


def prepare(entry: PlannedProblem, problem: Problem, searcher: object, budget: int) -> None:
    """Compile, or load, all that a run needs; at once if this process has done so before."""
    if not isinstance(searcher, Native):
        return
    method = searcher.method
    key = (type(method), entry, budget, searcher.compiled)
    if key in _ready:
        return
    with _threads, ExitStack() as stack:
        try:
            home = cache_home()
            home.mkdir(parents=True, exist_ok=True)
            stack.enter_context(locked(home / "lock"))
        except OSError:  # each process has a cache of its own then
            pass
        if isinstance(problem.objective, KernelObjective) and budget >= LEAST:
            problem.objective.kernel()
            if type(method) not in _ready:
                minimize(cec2013(1, dim=2), budget=LEAST, method=method, rng=0)
                _ready.add(type(method))
        elif budget >= LEAST and fits(problem.objective):
            minimize(problem, budget=LEAST, method=method, rng=0)
        else:
            optimizer = Optimizer(problem.space, method, rng=0, budget=budget, compiled=searcher.compiled)
            optimizer.tell(optimizer.ask(), 0.0)
        _ready.add(key)
