"""A run of a study: a pure function of its problem, its method, its repetition and the seed of the plan."""

import hashlib
import json
import os
import platform
import socket
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import numpy as np

from luciole._layout import Floats, Ints
from luciole.errors import StateError
from luciole.problem import Problem
from luciole.study._compiling import prepare
from luciole.study.entries import Native, PlannedMethod, PlannedProblem, make_problem, make_searcher, peers_of

if TYPE_CHECKING:
    from luciole.result import Result

TRACE_POINTS = 110  # some of which fall together at the start; about 100 stay
PACKAGES = ("numpy", "scipy", "numba", "llvmlite")


@dataclass(frozen=True)
class Task:
    """A run to be made."""

    problem: PlannedProblem
    method: PlannedMethod
    repetition: int
    plan_seed: int
    budget: int
    fitness: str
    compiled: bool | None = None
    """Whether to compile even where a single run would not be worth it; the results are the same to the bit."""

    @property
    def key(self) -> tuple[str, str, int]:
        """What tells it from the other runs of its study."""
        return self.problem.name, self.method.name, self.repetition

    @property
    def seed(self) -> int:
        """The seed of the run."""
        return run_seed(self.plan_seed, *self.key)


@dataclass(frozen=True)
class Finished:
    """What became of a run."""

    problem: str
    method: str
    repetition: int
    seed: int
    error: float
    value: float
    violation: float
    evaluations: int
    seconds: float
    message: str
    """Why it ended."""
    point: str
    """The best point, as JSON."""
    trace: Floats
    """Rows of (evaluations, best error so far)."""


@dataclass(frozen=True)
class Failed:
    """A run that an exception ended."""

    problem: str
    method: str
    repetition: int
    seed: int
    message: str
    details: str
    """Where it came up."""


def run_seed(plan_seed: int, problem: str, method: str, repetition: int) -> int:
    """The seed of a run: 32 bits that depend on these four and on nothing else.

    Examples
    --------
    >>> run_seed(2013, "F1", "FAmv_H", 0)
    74178966
    """
    text = json.dumps([plan_seed, problem, method, repetition])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def checkpoints(budget: int) -> Ints:
    """The evaluations, counted from 1 and evenly spread in their logarithm, at which a trace looks at a run."""
    return np.unique(np.geomspace(1, budget, TRACE_POINTS).round().astype(np.int64))


def do_run(task: Task) -> Finished:
    """Make a run."""
    problem, searcher = make_problem(task.problem, task.fitness), make_searcher(task.method)
    if isinstance(searcher, Native):
        searcher = Native(searcher.method, task.compiled)
    prepare(task.problem, problem, searcher, task.budget)
    result = searcher.run(problem, budget=task.budget, seed=task.seed)
    if not result.nfev:
        raise StateError(f"the method {task.method.name} made no evaluation")
    trace = trace_of(problem, result, task.budget)
    feasible = result.violation == 0 or result.history.by_value
    return Finished(*task.key, task.seed, errors_of(problem, np.array([result.fun if feasible else np.nan]))[0].item(),
                    float(result.fun), float(result.violation), int(result.nfev), float(result.seconds), result.message,
                    _as_json(result.x), trace)


def errors_of(problem: Problem, values: Floats) -> Floats:
    """How far values are from the optimum, or the values where none is known; infinity where there is no value."""
    errors = problem.sign * values if problem.optimum is None else np.abs(values - problem.optimum)
    return np.where(np.isnan(errors), np.inf, errors)


def trace_of(problem: Problem, result: "Result", budget: int) -> Floats:
    """Rows of (evaluations, error of the best point so far), at the checkpoints of a run and at its end."""
    count, history = int(result.nfev), result.history
    at = checkpoints(budget)
    at = np.append(at[at < count], count)
    values, best = history.fun, np.fmin if problem.sign > 0 else np.fmax  # which pass over the NaN of failed evaluations
    if not history.by_value and history.violation.any():
        values = np.where(history.violation == 0, values, np.nan)
    best_so_far = best.accumulate(best.reduceat(values, np.append(0, at[:-1])))
    return np.column_stack([at, errors_of(problem, best_so_far)])


def run_chunk(tasks: Sequence[Task]) -> tuple[str, list[Finished | Failed]]:
    """Make runs one after the other, here; gives where this is (see `place`) and what became of each."""
    found: list[Finished | Failed] = []
    for task in tasks:
        try:
            found.append(do_run(task))
        except Exception as error:
            found.append(Failed(*task.key, task.seed, f"{type(error).__name__}: {error}", traceback.format_exc()))
    return place(peers_of(task.method for task in tasks)), found


@cache
def place(peers: tuple[str, ...] = ()) -> str:
    """The machine and the versions at work, those of some peers included, as JSON."""
    from luciole import __version__

    versions = {"luciole": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    if peers:
        from luciole.integrations.peers import PEERS, available

        there = available()
        versions |= {PEERS[name].package: there[name].version for name in peers}
    return json.dumps({"host": socket.gethostname(), "system": platform.platform(), "machine": platform.machine(),
                       "processor": _processor(), "cores": os.cpu_count(), "versions": versions}, sort_keys=True)


def _processor() -> str:
    """The name of the processor, as far as the system tells."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()


def _as_json(point: Any) -> str:
    """A point as JSON; values that JSON does not have appear as Python writes them."""
    return json.dumps(point.tolist() if isinstance(point, np.ndarray) else point, default=_plain)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else repr(value)
