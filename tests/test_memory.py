"""Spaces whose points can be counted: no point is evaluated twice, unless the objective is noisy."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import luciole as lc
from luciole.algorithms import METHODS

SPACE = lc.Space(n=lc.Integer(-3, 4), size=lc.Ordinal([1, 4, 9]), flag=lc.Boolean(), c=lc.Categorical(["a", "b", "c"]),
                 s=lc.Float(0, 1, step=0.5), fixed=7)
SMALL = lc.Space(n=lc.Integer(0, 5), c=lc.Categorical(["a", "b"]))


def cost(p):
    return p["n"] ** 2 + abs(p["size"] - 4) + p["flag"] + "bca".index(p["c"]) + p["s"]


class Counted:
    """An objective that knows what it was asked."""

    def __init__(self, function):
        self.function, self.seen = function, []

    def __call__(self, p):
        self.seen.append(tuple(p.values()))
        return self.function(p)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(METHODS)), st.sampled_from([1, 4, 30]), st.integers(0, 2**31))
def test_no_point_is_evaluated_twice_and_the_budget_counts_evaluations(method, batch, seed):
    counted = Counted(cost)
    result = lc.minimize(counted, SPACE, budget=150, method=method, rng=seed, batch=batch)
    published = lc.minimize(cost, SPACE, budget=150, method=method, rng=seed, batch=batch, noisy=True)
    assert published.nfev == 150
    if METHODS[method]() in lc.algorithms.PAPER.values():
        assert np.array_equal(result.history.slots, published.history.slots)
        return
    assert len(counted.seen) == len(set(counted.seen)) == result.nfev == len(result.history) <= 150
    if result.nfev < 150:
        assert result.message == "the last 1000 proposals were known points"
    assert result.fun == min(result.history.fun)
    with ThreadPoolExecutor(4) as pool:
        shared = lc.minimize(cost, SPACE, budget=150, method=method, rng=seed, batch=batch, workers=pool)
    assert np.array_equal(result.history.slots, shared.history.slots)


@pytest.mark.parametrize("batch", [1, 8, 50])
def test_a_space_that_is_used_up_ends_the_run(batch):
    result = lc.minimize(lambda p: p["n"] + (p["c"] == "a"), SMALL, budget=10_000, rng=0, method="random", batch=batch)
    assert result.nfev == 12
    assert result.message == "every point of the space is known"
    assert (result.x, result.fun) == ({"n": 0, "c": "b"}, 0)


def test_a_method_that_proposes_nothing_new_ends_the_run():
    space = lc.Space({f"n{i}": lc.Integer(0, 3) for i in range(6)})
    result = lc.minimize(lambda p: sum(p.values()), space, budget=4000, rng=0, method=lc.FAmv(difference=0.0, replace=None, alpha=0.1))
    assert result.message == "the last 1000 proposals were known points"
    assert result.nfev < 4000


def test_the_published_settings_evaluate_every_proposal():
    for method in ("FAmv_H", "FAmv_G^ag", lc.FAmv.paper("H^a")):
        counted = Counted(lambda p: p["n"])
        assert lc.minimize(counted, SMALL, budget=100, rng=0, method=method).nfev == len(counted.seen) == 100


def test_methods_that_relax_are_not_answered():
    """They propose points between the whole numbers, of which there is no end."""
    result = lc.minimize(lambda p: p["n"], lc.Space(n=lc.Integer(0, 9)), budget=200, rng=0, method=lc.FA(reading="relaxed", population=30))
    assert result.nfev == 200


def test_spaces_may_be_larger_than_any_float():
    space = lc.Space({f"b{i}": lc.Boolean() for i in range(1100)})
    assert lc.minimize(lambda p: sum(p.values()), space, budget=60, rng=0).nfev == 60


def test_noisy_objectives_are_asked_again():
    counted = Counted(lambda p: p["n"])
    result = lc.minimize(counted, SMALL, budget=100, rng=0, noisy=True)
    assert result.nfev == len(counted.seen) == 100
    assert len(set(counted.seen)) <= 12


def test_known_points_of_x0_are_not_evaluated():
    known = [({"n": n, "c": c}, float(n)) for n in range(6) for c in "ab" if (n, c) != (4, "b")]
    counted = Counted(lambda p: p["n"])
    result = lc.minimize(counted, SMALL, budget=100, rng=0, x0=known)
    assert counted.seen == [(4, "b")]
    assert (result.nfev, result.fun) == (1, 0)


def test_failures_are_remembered_too():
    counted = Counted(lambda p: math.nan if p["c"] == "a" else p["n"])
    result = lc.minimize(counted, SMALL, budget=100, rng=0, method="random", constraints=[lambda p: 1 - p["n"]])
    assert len(counted.seen) == len(set(counted.seen)) == result.nfev == 12
    assert len(result.history.errors) == 6
    assert (result.x, result.violation) == ({"n": 1, "c": "b"}, 0)


def test_real_numbers_are_not_remembered():
    """Where one variable is continuous, points do not come twice, and nothing is kept for it."""
    space = lc.Space(x=lc.Float(0, 1), n=lc.Integer(0, 1))
    assert lc.minimize(lambda p: p["x"], space, budget=300, rng=0).nfev == 300


# -- noise --------------------------------------------------------------------------------------------------------------


def test_repeats_are_averaged_and_counted():
    calls = []

    def noisy(p):
        calls.append(p["x"])
        return float(len(calls))

    result = lc.minimize(noisy, lc.Space(x=lc.Float(0, 1)), budget=31, rng=0, repeats=3)
    assert result.nfev == len(calls) == 30
    assert len(result.history) == 10
    assert result.history.fun.tolist() == [2.0 + 3 * k for k in range(10)]
    assert all(len(set(calls[k : k + 3])) == 1 for k in range(0, 30, 3))


def test_repeats_average_violations_and_fail_as_one():
    chance = np.random.default_rng(0)

    def noisy(p):
        draw = chance.random()
        return (math.nan if draw < 0.02 else p["n"] + draw), [draw - 0.9]

    result = lc.minimize(noisy, lc.Space(n=lc.Integer(0, 9)), budget=400, rng=0, repeats=4)
    assert len(result.history) == 100
    assert 0 < len(result.history.errors) < 30
    assert np.isnan(result.history.fun).sum() == len(result.history.errors)
    assert result.x["n"] == 0


def test_repeats_find_the_better_point_under_noise():
    """Where noise hides the difference, more looks at each candidate find more of it."""
    def found(repeats, seed):
        chance = np.random.default_rng(seed)
        space = lc.Space({f"x{i}": lc.Float(-5, 5) for i in range(4)})
        result = lc.minimize(lambda p: sum(x * x for x in p.values()) + chance.normal(0, 30), space, budget=2000, rng=seed,
                             noisy=True, repeats=repeats)
        return sum(x * x for x in result.x.values())

    once, often = (np.mean([found(repeats, seed) for seed in range(10)]) for repeats in (1, 20))
    assert often < 0.7 * once


@pytest.mark.parametrize(("arguments", "message"), [
    ({"repeats": 0}, "repeats=0 must be at least 1"),
    ({"repeats": 2.5}, "repeats=2.5 must be a whole number"),
    ({"repeats": 11}, "budget=10 must be at least repeats=11"),
    ({"noisy": "no"}, "noisy='no' must be True or False"),
])
def test_wrong_words_on_noise_are_refused(arguments, message):
    with pytest.raises(lc.ArgumentError, match=message):
        lc.minimize(cost, SPACE, budget=10, **arguments)
