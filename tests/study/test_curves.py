"""Convergence curves and runtime distributions, held against plain counting."""

import dataclasses
import math

import numpy as np
import pytest

from luciole.errors import ArgumentError, StateError
from luciole.study.curves import converge, default_targets, runtimes
from luciole.study.results import Results, StudiedProblem
from study.synthetic import make_results


def with_traces(traces, optimum=0.0):
    """A study of one problem from the traces of each method."""
    base = make_results(repetitions=1)
    repetitions = len(next(iter(traces.values())))
    named = {("P", method, r): np.array(trace, dtype=float) for method, runs in traces.items() for r, trace in enumerate(runs)}
    return Results("t", (StudiedProblem("P", "P", "all", 2, optimum),), tuple(traces), repetitions, 100, 0, "value",
                   base.runs.iloc[:0], named)


def test_a_distribution_by_hand():
    results = with_traces({"A": [[(1, 10.0), (5, 1.0), (50, 0.01)], [(1, 8.0), (10, 0.5)]], "B": [[(1, math.inf), (4, 0.1)], [(2, 20.0)]]})
    found = runtimes(results, [10.0, 1.0, 0.1, 0.001])
    assert found["A"].total == 8
    assert found["A"].reached.tolist() == [1, 1, 5, 10, 50]
    assert found["B"].reached.tolist() == [4, 4, 4]
    assert found["A"].fraction([0, 1, 4, 5, 49, 50, 1e9]).tolist() == [0, 2 / 8, 2 / 8, 3 / 8, 4 / 8, 5 / 8, 5 / 8]


def fraction_by_hand(results, method, targets, evaluations):
    """Of all pairs of a run and a target, those where some row of the trace is early enough and low enough."""
    hits = [any(when <= evaluations and error <= target for when, error in trace)
            for (problem, name, _), trace in results.traces.items() if name == method for target in targets[problem]]
    return sum(hits) / len(hits)


def test_distributions_agree_with_counting():
    results = make_results(repetitions=4)
    targets = {problem.name: default_targets(results, problem) for problem in results.problems}
    found = runtimes(results)
    for method in results.methods:
        for evaluations in (1, 7, 100, 3000, 10_000):
            assert found[method].fraction(evaluations) == pytest.approx(fraction_by_hand(results, method, targets, evaluations), abs=1e-12)


def test_targets_go_from_the_first_evaluation_to_the_best_found():
    results = make_results()
    problem = results.problems[0]
    targets = default_targets(results, problem)
    finals = [trace[-1, 1] for key, trace in results.traces.items() if key[0] == "F1"]
    firsts = [trace[0, 1] for key, trace in results.traces.items() if key[0] == "F1"]
    assert targets.size == 51
    assert targets[-1] == min(finals)  # the best run reaches them all
    assert targets[0] == pytest.approx(np.median(firsts))
    assert np.ptp(np.diff(np.log(targets))) < 1e-9


def test_solved_is_one_in_a_hundred_million():
    targets = default_targets(with_traces({"A": [[(1, 100.0), (9, 0.0)]]}), StudiedProblem("P", "P", "all", 2, 0.0))
    assert (targets[0], targets[-1]) == (100.0, 1e-8)


def test_without_a_known_optimum_targets_are_gaps_to_the_best():
    results = with_traces({"A": [[(1, -10.0), (9, -110.0)]]}, optimum=None)
    targets = default_targets(results, results.problems[0])
    assert targets[0] == -10.0
    assert targets[-1] == pytest.approx(-110.0 + 1e-4)
    assert runtimes(results)["A"].fraction(9) == 1.0


def test_where_nothing_is_feasible_nothing_is_reached():
    results = with_traces({"A": [[(1, math.inf)]], "B": [[(1, math.inf)]]})
    assert runtimes(results)["A"].fraction(100) == 0.0
    assert np.isinf(converge(results, "P")["A"].median).all()


def test_quartiles_by_hand():
    results = with_traces({"A": [[(1, 8.0), (10, 1.0)], [(1, 4.0)], [(1, math.inf), (5, 2.0)], [(1, 16.0), (5, 3.0)]]})
    curve = converge(results, "P")["A"]
    assert curve.evaluations.tolist() == [1, 5, 10]
    for column, values in enumerate([(8, 4, math.inf, 16), (8, 4, 2, 3), (1, 4, 2, 3)]):
        finite = np.minimum(values, 1e6)
        assert curve.median[column] == pytest.approx(np.median(finite))
        assert curve.lower[column] == pytest.approx(np.quantile(finite, 0.25))
        expected = np.quantile(finite, 0.75)
        assert curve.upper[column] == (math.inf if expected > 1e5 else pytest.approx(expected))


def test_runs_recorded_at_different_evaluations_share_a_grid():
    rng = np.random.default_rng(0)
    runs = []
    for _ in range(12):
        when = np.unique(rng.integers(2, 100_000, 90))
        runs.append(np.column_stack([np.r_[1, when], np.sort(rng.random(when.size + 1))[::-1]]))
    curve = converge(with_traces({"A": runs}), "P")["A"]
    assert curve.evaluations.size <= 202
    assert (curve.evaluations[0], curve.evaluations[-1]) == (1, max(run[-1, 0] for run in runs))
    assert (np.diff(curve.median) <= 0).all()


def test_what_is_missing_is_an_error():
    results = make_results(repetitions=2)
    lacking = {key: trace for key, trace in results.traces.items() if key != ("F2", "GA", 1)}
    with pytest.raises(StateError, match="GA on F2 has no trace of repetition 1"):
        runtimes(dataclasses.replace(results, traces=lacking))
    with pytest.raises(ArgumentError, match="targets lacks F2, F11"):
        runtimes(results, {"F1": [1.0], "F21": [1.0], "VESSEL": [1.0]})
    with pytest.raises(ArgumentError, match="targets has none for F1"):
        runtimes(results, [])
