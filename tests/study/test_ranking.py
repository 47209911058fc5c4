"""Ranks over problems and effect sizes, held against formulas and a published example."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from luciole.errors import ArgumentError, StateError
from luciole.study.ranking import effect_size, effect_sizes, friedman, magnitude, rank
from luciole.study.results import StudiedProblem
from luciole.study.statistics import compare_errors
from study.synthetic import make_results

# Times to round first base in three ways, a row a player: Hollander and Wolfe (1973), Nonparametric Statistical Methods, page 140, and the
# example of R's friedman.test, which finds chi-squared 11.143 and p = 0.003805.
ROUNDING_TIMES = np.array([
    [5.40, 5.50, 5.55], [5.85, 5.70, 5.75], [5.20, 5.60, 5.50], [5.55, 5.50, 5.40], [5.90, 5.85, 5.70], [5.45, 5.55, 5.60],
    [5.40, 5.40, 5.35], [5.45, 5.50, 5.35], [5.25, 5.15, 5.00], [5.85, 5.80, 5.70], [5.25, 5.20, 5.10], [5.65, 5.55, 5.45],
    [5.60, 5.35, 5.45], [5.05, 5.00, 4.95], [5.50, 5.50, 5.40], [5.45, 5.55, 5.50], [5.55, 5.55, 5.35], [5.45, 5.50, 5.55],
    [5.50, 5.45, 5.25], [5.65, 5.60, 5.40], [5.70, 5.65, 5.55], [6.30, 6.30, 6.25],
])
# Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Table 5(a): q of the Nemenyi test at 0.05. Its example
# of 4 classifiers on 14 data sets has the critical difference 1.25.
DEMSAR_Q = {2: 1.960, 3: 2.343, 4: 2.569, 5: 2.728, 6: 2.850, 7: 2.949, 8: 3.031, 9: 3.102, 10: 3.164}


def comparisons_of(means):
    """One run of each method on each problem, with these errors."""
    return [compare_errors({f"M{j}": np.array([value]) for j, value in enumerate(row)}, StudiedProblem(f"P{i}", "", "all", 2))
            for i, row in enumerate(np.asarray(means, dtype=float))]


def friedman_by_hand(ranks):
    """Friedman's chi-squared with the correction for ties of Conover, in the form of textbooks."""
    n, k = ranks.shape
    chi = 12 / (n * k * (k + 1)) * (ranks.sum(axis=0) ** 2).sum() - 3 * n * (k + 1)
    ties = sum(size**3 - size for row in ranks for size in np.unique(row, return_counts=True)[1])
    return chi / (1 - ties / (n * k * (k**2 - 1)))


def test_published_examples_come_out():
    ranking = rank(comparisons_of(ROUNDING_TIMES))
    assert ranking.statistic == pytest.approx(11.143, abs=5e-4)
    assert ranking.p_value == pytest.approx(0.003805, abs=5e-7)
    assert list(ranking.mean_ranks) == ["M2", "M1", "M0"]
    assert round(rank(comparisons_of(np.random.default_rng(0).random((14, 4)))).critical_difference, 2) == 1.25


@pytest.mark.parametrize("k", DEMSAR_Q)
def test_critical_differences_are_the_tabled_ones(k):
    rng = np.random.default_rng(k)
    ranking = rank(comparisons_of(rng.random((9, k))))
    assert ranking.critical_difference / math.sqrt(k * (k + 1) / (6 * 9)) == pytest.approx(DEMSAR_Q[k], abs=1.1e-3)


@pytest.mark.parametrize("seed", range(12))
def test_friedman_agrees_with_scipy_and_with_the_formula(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4 + 100 * (seed % 2), (10, 3 + seed % 5)).astype(float)
    ranking = rank(comparisons_of(values))
    ranks = stats.rankdata(values, axis=1)
    expected = stats.friedmanchisquare(*values.T)
    assert ranking.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert ranking.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert ranking.statistic == pytest.approx(friedman_by_hand(ranks), rel=1e-12)
    for j, mean_rank in enumerate(ranks.mean(axis=0)):
        assert ranking.mean_ranks[f"M{j}"] == pytest.approx(mean_rank)


def test_ties_everywhere_give_a_p_value_of_one():
    assert friedman(np.full((4, 3), 2.0)) == (0.0, 1.0)
    ranking = rank(comparisons_of(np.ones((4, 3))))
    assert ranking.p_value == 1.0
    assert ranking.groups == (("M0", "M1", "M2"),)


def test_groups_are_the_largest_that_cannot_be_told_apart():
    ranking = rank(comparisons_of(np.tile(np.arange(6.0), (10, 1))))  # the same order every time: ranks 1 to 6
    assert 2.0 < ranking.critical_difference < 3.0
    assert ranking.groups == (("M0", "M1", "M2"), ("M1", "M2", "M3"), ("M2", "M3", "M4"), ("M3", "M4", "M5"))
    for group in ranking.groups:
        assert ranking.mean_ranks[group[-1]] - ranking.mean_ranks[group[0]] < ranking.critical_difference


def test_many_problems_tell_neighbours_apart():
    ranking = rank(comparisons_of(np.tile(np.arange(3.0), (200, 1))))
    assert ranking.groups == ()
    assert ranking.p_value < 1e-50


def test_infeasible_methods_rank_last():
    errors = {"A": np.array([1.0, np.inf]), "B": np.array([9.0, 9.0]), "C": np.array([np.inf, np.inf]), "D": np.array([2.0, np.inf])}
    ranking = rank([compare_errors(errors, StudiedProblem("P", "", "all", 2))])
    assert ranking.mean_ranks == {"B": 1.0, "A": 2.0, "D": 3.0, "C": 4.0}


def test_a_single_method_and_none():
    assert rank(comparisons_of(np.ones((3, 1)))).critical_difference == math.inf
    with pytest.raises(ArgumentError, match="no problem"):
        rank([])


def a12_by_hand(first, second):
    wins = sum((a < b) + 0.5 * (a == b) for a, b in itertools.product(first, second))
    return wins / (len(first) * len(second))


errors = st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.5, math.inf]), min_size=1, max_size=8)


@given(errors, errors)
def test_a12_counts_pairs(first, second):
    assert effect_size(np.array(first), np.array(second)) == pytest.approx(a12_by_hand(first, second), abs=1e-12)


def test_a12_of_a_study():
    results = make_results(repetitions=7)
    sizes = effect_sizes(results)
    assert list(sizes) == ["F1", "F2", "F11", "F21", "VESSEL"]
    samples = list(results.errors("F2").values())
    for i, j in itertools.product(range(4), repeat=2):
        assert sizes["F2"][i, j] == pytest.approx(a12_by_hand(samples[i], samples[j]))
    assert np.array_equal(sizes["F11"], np.full((4, 4), 0.5))
    with pytest.raises(StateError, match="not a number"):
        effect_size(np.array([np.nan]), np.array([1.0]))


@pytest.mark.parametrize(("a12", "name"), [(0.5, "negligible"), (0.55, "negligible"), (0.56, "small"), (0.44, "small"), (0.64, "medium"),
                                           (0.36, "medium"), (0.70, "medium"), (0.71, "large"), (0.29, "large"), (1.0, "large")])
def test_magnitudes_are_those_of_vargha_and_delaney(a12, name):
    assert magnitude(a12) == name
