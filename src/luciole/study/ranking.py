"""How methods rank over many problems, and how large their differences are.

Many seeds on one problem say much about that problem and nothing about the next. Here each problem counts once: methods are
ranked on each, and Friedman's test asks whether their mean ranks could be chance.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from luciole._layout import Floats
from luciole.errors import ArgumentError
from luciole.study.results import Results
from luciole.study.statistics import LEVEL, Comparison, check_samples

MAGNITUDES = ((0.71, "large"), (0.64, "medium"), (0.56, "small"))
"""What Vargha and Delaney call an effect size from this value on (or one minus it); less is negligible."""


@dataclass(frozen=True)
class Ranking:
    """Mean ranks of methods over problems, 1 being best, with Friedman's test and Nemenyi's critical difference."""

    mean_ranks: Mapping[str, float]
    """By method, the best first."""
    problems: int
    """How many problems were ranked on."""
    statistic: float
    """Friedman's chi-squared, corrected for ties."""
    p_value: float
    critical_difference: float
    """Two methods whose mean ranks differ by less cannot be told apart at the level 0.05 (Nemenyi); infinite for no more than one
    method."""

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The largest sets of two or more methods that cannot be told apart: the bars of a critical-difference diagram."""
        methods, ranks = list(self.mean_ranks), list(self.mean_ranks.values())
        found: list[tuple[str, ...]] = []
        reached = 0
        for first in range(len(methods)):
            last = max(i for i in range(len(methods)) if ranks[i] - ranks[first] < self.critical_difference)
            if last > first and last + 1 > reached:
                found.append(tuple(methods[first : last + 1]))
                reached = last + 1
        return tuple(found)


def rank(comparisons: Sequence[Comparison]) -> Ranking:
    """Rank methods on each problem by their mean error, and over all problems by the mean of those ranks.

    Equal means share their ranks. Methods with infeasible runs come after those without, in the order of how many they have,
    then of the mean of the others.
    """
    from scipy import stats

    if not comparisons:
        raise ArgumentError("there is no problem to rank methods on; give one comparison at least")
    methods = list(comparisons[0].cells)
    ranks = np.array([_rank_cells(each, methods) for each in comparisons])
    n, k = ranks.shape
    mean_ranks = ranks.mean(axis=0)
    statistic, p_value = friedman(ranks)
    order = np.argsort(mean_ranks, kind="stable")
    difference = math.inf
    if k > 1:
        studentized = float(stats.studentized_range.ppf(1.0 - LEVEL, k, np.inf))
        difference = studentized / math.sqrt(2.0) * math.sqrt(k * (k + 1) / (6.0 * n))
    return Ranking({methods[i]: float(mean_ranks[i]) for i in order}, n, statistic, p_value, difference)


def friedman(ranks: Floats) -> tuple[float, float]:
    """Friedman's chi-squared, corrected for ties, and its p-value, from ranks with a row a problem and a column a method."""
    from scipy import stats

    n, k = ranks.shape
    spread = float(((ranks - (k + 1) / 2.0) ** 2).sum())
    if spread == 0.0:  # every problem ties all methods
        return 0.0, 1.0
    between = float(((ranks.sum(axis=0) - n * (k + 1) / 2.0) ** 2).sum())
    statistic = (k - 1) * between / spread
    return statistic, float(stats.chi2.sf(statistic, k - 1))


def effect_size(first: Floats, second: Floats) -> float:
    """Vargha and Delaney's A12 for errors: how probable it is that a run of the first has the lower error, ties counting half."""
    from scipy import stats

    first, second = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    check_samples(("first", "second"), (first, second), "the problem")
    ranks = stats.rankdata(np.concatenate([first, second]))
    wins_of_second = float(ranks[: first.size].sum()) - first.size * (first.size + 1) / 2.0
    return 1.0 - wins_of_second / (first.size * second.size)


def effect_sizes(results: Results) -> dict[str, Floats]:
    """For each problem A12 of every pair: row i, column j is how probable it is that method i beats method j in a run each."""
    found = {}
    for problem in results.problems:
        samples = list(results.errors(problem.name).values())
        matrix = np.full((len(samples), len(samples)), 0.5)
        for i in range(len(samples)):
            for j in range(i):
                matrix[i, j] = effect_size(samples[i], samples[j])
                matrix[j, i] = 1.0 - matrix[i, j]
        found[problem.name] = matrix
    return found


def magnitude(a12: float) -> str:
    """What Vargha and Delaney call it: negligible, small, medium or large."""
    distance = max(a12, 1.0 - a12)
    return next((name for bound, name in MAGNITUDES if distance >= bound - 1e-12), "negligible")


def _rank_cells(comparison: Comparison, methods: Sequence[str]) -> Floats:
    from scipy import stats

    cells = [comparison.cells[method] for method in methods]
    standing = [(each.infeasible, each.mean if not each.infeasible else each.feasible_mean) for each in cells]
    standing = [(failed, math.inf if math.isnan(mean) else mean) for failed, mean in standing]
    places = {each: place for place, each in enumerate(sorted(set(standing)))}
    return np.asarray(stats.rankdata([places[each] for each in standing]), dtype=np.float64)
