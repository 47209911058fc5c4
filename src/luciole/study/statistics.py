"""Which method is best on a problem, and which are not distinguishable from it: the tests of the paper's tables.

On each problem the errors of all methods are compared by the Kruskal-Wallis test. If it finds no difference, all methods are
similar to the best; if it does, those are whose errors Dunn's test with Holm's correction does not tell from the best one's.
Everything is at the level 0.05. The tests see ranks alone, so a run without a feasible point, whose error is infinite, is
simply worse than every other.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from luciole._layout import Floats
from luciole.errors import ArgumentError, MissingExtraError, StateError
from luciole.study.results import Results, StudiedProblem

LEVEL = 0.05
"""The level of significance."""


@dataclass(frozen=True)
class Cell:
    """What one method did on one problem."""

    mean: float
    """The mean error, infinite if a run found no feasible point."""
    std: float
    """The standard deviation of a sample (n - 1); NaN for a single run and where the mean is infinite."""
    similar: bool
    """Whether the errors cannot be told from those of the best method."""
    best: bool
    """Whether no method has a lower mean."""
    median: float = math.nan
    infeasible: int = 0
    """How many runs found no feasible point."""
    feasible_mean: float = math.nan
    """The mean error of those that did; what orders methods with as many infeasible runs."""
    mean_rank: float = math.nan
    """Among all runs on the problem, 1 for the lowest error."""
    p_value: float = math.nan
    """Of Dunn's test against the best method, after Holm's correction; 1 for the best and where Dunn's test was not due."""


@dataclass(frozen=True)
class Comparison:
    """All methods on one problem."""

    problem: StudiedProblem
    cells: Mapping[str, Cell]
    """By method, in the order of the plan."""
    p_value: float = math.nan
    """Of the Kruskal-Wallis test."""
    pairs: Floats | None = None
    """Dunn's p-values after Holm's correction for every pair of methods; None if the Kruskal-Wallis test found no difference."""

    @property
    def best(self) -> tuple[str, ...]:
        """The methods that are starred: more than one only if their means are exactly equal, none if no run was feasible."""
        return tuple(method for method, cell in self.cells.items() if cell.best)


@dataclass(frozen=True)
class Count:
    """On how many problems a method is similar to the best, and on how many it is the best."""

    similar: int
    best: int


def compare(results: Results) -> tuple[Comparison, ...]:
    """Compare the methods on every problem of a study; a run that is missing is a `StateError`."""
    return tuple(compare_errors(results.errors(problem.name), problem) for problem in results.problems)


def count(comparisons: Sequence[Comparison]) -> dict[str, Count]:
    """The last row of the paper's tables, by method."""
    methods = list(comparisons[0].cells) if comparisons else []
    return {method: Count(similar=sum(each.cells[method].similar for each in comparisons),
                          best=sum(each.cells[method].best for each in comparisons))
            for method in methods}


def compare_errors(errors: Mapping[str, Floats], problem: StudiedProblem) -> Comparison:
    """Compare the errors of methods on one problem.

    The best method is the one with the lowest mean. Of methods with infeasible runs, the one with fewer is the better, then the
    one whose feasible runs have the lower mean. If several are equal in that they are all starred, and the one whose runs
    rank best is what the others are compared with.
    """
    methods, samples = list(errors), [np.asarray(each, dtype=np.float64) for each in errors.values()]
    check_samples(methods, samples, problem.name)
    infeasible = [int(np.isinf(each).sum()) for each in samples]
    means = [_mean(each[np.isfinite(each)]) for each in samples]
    standing = [(failed, mean) for failed, mean in zip(infeasible, means, strict=True)]
    lowest = min(standing)
    solved = math.isfinite(lowest[1])
    ranks = _pooled_ranks(samples)
    mean_ranks = [float(each.mean()) for each in ranks]
    p_value = kruskal_wallis(samples)
    pairs = dunn(samples) if p_value < LEVEL else None
    starred = [solved and each == lowest for each in standing]
    p_values = np.ones(len(methods))
    if solved and pairs is not None:
        p_values = pairs[min((i for i, star in enumerate(starred) if star), key=lambda i: mean_ranks[i])]
    return Comparison(problem, {
        method: Cell(
            mean=math.inf if infeasible[i] else means[i],
            std=float(np.std(samples[i], ddof=1)) if samples[i].size > 1 and not infeasible[i] else math.nan,
            similar=solved and bool(starred[i] or p_values[i] >= LEVEL),
            best=starred[i],
            median=_median(samples[i]),
            infeasible=infeasible[i],
            feasible_mean=means[i] if math.isfinite(means[i]) else math.nan,
            mean_rank=mean_ranks[i],
            p_value=float(p_values[i]),
        )
        for i, method in enumerate(methods)
    }, p_value, pairs)


def kruskal_wallis(samples: Sequence[Floats]) -> float:
    """The p-value of the Kruskal-Wallis test; 1 where all values are equal or there is a single sample."""
    from scipy import stats

    ranks = _pooled_ranks(samples)
    if len(samples) < 2 or np.ptp(np.concatenate(ranks)) == 0.0:
        return 1.0
    return float(stats.kruskal(*ranks).pvalue)


def dunn(samples: Sequence[Floats]) -> Floats:
    """The p-values of Dunn's test after Holm's correction, for every pair of samples; all 1 where all values are equal."""
    ranks = _pooled_ranks(samples)
    if len(samples) < 2 or np.ptp(np.concatenate(ranks)) == 0.0:
        return np.ones((len(samples), len(samples)))
    try:
        from scikit_posthocs import posthoc_dunn
    except ModuleNotFoundError:
        raise MissingExtraError("comparing methods needs scikit-posthocs; install it with: "
                                "pip install 'luciole[study]'") from None
    p_values = np.array(posthoc_dunn([list(each) for each in ranks]), dtype=np.float64)
    pairs = np.triu_indices(len(samples), 1)
    p_values[pairs] = p_values.T[pairs] = _holm(p_values[pairs])  # its own p_adjust="holm" collects garbage for most of a second
    return p_values


def _holm(p_values: Floats) -> Floats:
    """The smallest of m p-values times m, the next times m - 1 and so on, none less than the one before or more than 1."""
    order = np.argsort(p_values)
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] * np.arange(p_values.size, 0, -1)), 1.0)
    return adjusted


def check_samples(methods: Sequence[str], samples: Sequence[Floats], problem: str) -> None:
    """Refuse what cannot be ranked: nothing at all, and errors that are not numbers."""
    if not methods:
        raise ArgumentError(f"no method to compare on {problem}; give the errors of one at least")
    for method, sample in zip(methods, samples, strict=True):
        if not sample.size:
            raise StateError(f"{method} on {problem} has no runs; finish the study before comparing methods")
        if np.isnan(sample).any():
            raise StateError(f"{method} on {problem} has an error that is not a number (NaN), in run "
                             f"{int(np.argmax(np.isnan(sample)))}; a run without a feasible point has an infinite one, and a run "
                             "that is missing has to be made")
        if (sample == -np.inf).any():
            raise StateError(f"{method} on {problem} has an error of minus infinity, which no run can have")


def _pooled_ranks(samples: Sequence[Floats]) -> list[Floats]:
    """The ranks of each sample's values among all, equal values sharing theirs."""
    from scipy import stats

    ranks = stats.rankdata(np.concatenate(samples))
    return np.split(ranks, np.cumsum([each.size for each in samples])[:-1])


def _mean(values: Floats) -> float:
    """The mean, the same whatever the order of values, so that equal runs give equal means; infinite if there are none."""
    return math.fsum(values) / values.size if values.size else math.inf


def _median(values: Floats) -> float:
    middle = np.sort(values)[[(values.size - 1) // 2, values.size // 2]]
    return float(middle[0] if middle[0] == middle[1] else middle.mean())
