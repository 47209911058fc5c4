"""What the traces of runs say about time: convergence curves and empirical runtime distributions."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from luciole._layout import Floats
from luciole.errors import ArgumentError, StateError
from luciole.study.results import Results, StudiedProblem

SMALLEST = 1e-8
"""Errors below this count as solved."""

NUMBER_OF_TARGETS = 51

HUGE = 1e300  # stands for infinity where numbers are interpolated, since infinity times zero is not a number


@dataclass(frozen=True)
class Curve:
    """The best error so far against evaluations, over the repetitions of a method on a problem; infinite before there is one."""

    evaluations: Floats
    lower: Floats
    """The first quartile."""
    median: Floats
    upper: Floats
    """The third quartile."""


@dataclass(frozen=True)
class Runtimes:
    """How many evaluations it took to reach targets: an empirical runtime distribution.

    Traces have about a hundred points, so a target counts as reached at the first of them that is past it: up to a tenth too
    late, for every method alike.
    """

    total: int
    """How many pairs of a run and a target there are."""
    reached: Floats
    """The evaluations of those that were reached, in ascending order."""

    def fraction(self, evaluations: Floats | float) -> Floats:
        """The part of all pairs reached within so many evaluations."""
        return np.asarray(np.searchsorted(self.reached, np.asarray(evaluations, dtype=np.float64), side="right") / self.total)


def converge(results: Results, problem: str) -> dict[str, Curve]:
    """The median and the quartiles of the best error so far, by method."""
    traces = {method: _traces(results, problem, method) for method in results.methods}
    grid = np.unique(np.concatenate([trace[:, 0] for each in traces.values() for trace in each]))
    if grid.size > 400:  # runs that were recorded at different evaluations
        grid = np.unique(np.concatenate([np.geomspace(grid[0], grid[-1], 200).round(), grid[[0, -1]]]))
    found = {}
    for method, each in traces.items():
        values = np.minimum(np.array([_at(trace, grid) for trace in each]), HUGE)
        quartiles = np.quantile(values, [0.25, 0.5, 0.75], axis=0)
        quartiles[quartiles > HUGE / 1e10] = math.inf
        found[method] = Curve(grid, *quartiles)
    return found


def default_targets(results: Results, problem: StudiedProblem) -> Floats:
    """Targets for a problem, from what half of the runs have at their first evaluation to the best that any run found.

    Where the optimum is known, 51 errors with equal ratios, the last no less than 1e-8. Where it is not, 51 gaps to the best
    value found, with equal ratios down to a millionth of the first.
    """
    traces = [trace for method in results.methods for trace in _traces(results, problem.name, method)]
    firsts = np.array([trace[np.isfinite(trace[:, 1]), 1][0] for trace in traces if np.isfinite(trace[:, 1]).any()])
    if not firsts.size:  # no run found a feasible point
        return np.zeros(1)
    start = float(np.median(firsts))
    lowest = min(float(trace[-1, 1]) for trace in traces)
    if problem.optimum is not None and lowest >= 0.0:
        last = max(lowest, SMALLEST)
        return np.geomspace(max(start, last), last, NUMBER_OF_TARGETS)
    if start <= lowest:
        return np.full(NUMBER_OF_TARGETS, lowest)
    return lowest + (start - lowest) * np.geomspace(1.0, 1e-6, NUMBER_OF_TARGETS)


def runtimes(results: Results,
             targets: Mapping[str, Sequence[float]] | Sequence[float] | Floats | None = None) -> dict[str, Runtimes]:
    """Empirical runtime distributions, by method, over all problems, repetitions and targets.

    Parameters
    ----------
    targets : sequence of float, or mapping of problems to them, optional
        Errors to reach. Left out: `default_targets` of each problem.
    """
    if isinstance(targets, Mapping) and (missing := [each.name for each in results.problems if each.name not in targets]):
        raise ArgumentError(f"targets lacks {', '.join(missing)}; give targets for every problem")
    reached: dict[str, list[Floats]] = {method: [] for method in results.methods}
    totals = dict.fromkeys(results.methods, 0)
    for problem in results.problems:
        if targets is None:
            wanted = default_targets(results, problem)
        else:
            wanted = np.asarray(targets[problem.name] if isinstance(targets, Mapping) else targets, dtype=np.float64)
        if not wanted.size:
            raise ArgumentError(f"targets has none for {problem.name}; give one at least")
        for method in results.methods:
            for trace in _traces(results, problem.name, method):
                first = np.searchsorted(-trace[:, 1], -wanted, side="left")  # errors only fall
                reached[method].append(trace[first[first < len(trace)], 0])
                totals[method] += wanted.size
    return {method: Runtimes(totals[method], np.sort(np.concatenate(each))) for method, each in reached.items()}


def _traces(results: Results, problem: str, method: str) -> list[Floats]:
    found = []
    for repetition in range(results.repetitions):
        trace = results.traces.get((problem, method, repetition))
        if trace is None or not len(trace):
            raise StateError(f"{method} on {problem} has no trace of repetition {repetition}; finish the study before drawing "
                             "curves")
        found.append(np.asarray(trace, dtype=np.float64))
    return found


def _at(trace: Floats, evaluations: Floats) -> Floats:
    """The best error of a run at these evaluations."""
    last = np.searchsorted(trace[:, 0], evaluations, side="right") - 1
    return np.where(last >= 0, trace[np.maximum(last, 0), 1], math.inf)
