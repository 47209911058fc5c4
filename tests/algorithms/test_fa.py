import math

import numpy as np
import pytest

import luciole as lc

SPACE = lc.Space.from_bounds([(-100, 100)] * 6, [False] * 3 + [True] * 3)


def positions(method, budget=400, seed=0):
    optimizer = lc.Optimizer(SPACE, method, rng=seed, budget=budget)
    for _ in range(budget):
        trial = optimizer.ask()
        optimizer.tell(trial, float(trial.slots @ trial.slots))
    return optimizer


def test_as_published_it_evaluates_between_whole_numbers():
    slots = positions(lc.FA.paper()).history.slots
    assert np.any(slots[:, 3:] != np.floor(slots[:, 3:]))
    assert np.all(np.abs(slots) <= 100)


def test_the_fair_baseline_rounds_for_evaluation_and_keeps_the_numbers_behind():
    optimizer = positions(lc.FA())
    slots = optimizer.history.slots
    assert np.array_equal(slots[:, 3:], np.floor(slots[:, 3:]))
    inside = optimizer._state.position[:, 3:]
    assert np.any(inside != np.floor(inside))


def test_a_step_is_at_most_half_of_alpha_where_attraction_is_zero():
    """On a wide box the attraction vanishes, so that every move is noise of width alpha, which falls to its floor."""
    optimizer = positions(lc.FA.paper(), budget=3000)
    slots = optimizer.history.slots
    late = [np.min(np.max(np.abs(slots[:n] - slots[n]), axis=1)) for n in range(2900, 3000)]
    assert max(late) <= 1.5 * (1 - 2400 / 3000) / 2, "alpha is set once a generation, of at most 325 moves"
    early = [np.min(np.max(np.abs(slots[:n] - slots[n]), axis=1)) for n in range(25, 125)]
    assert 0.3 < max(early) <= 1.5 / 2


def test_attraction_by_hand():
    """Two fireflies close by: the dimmer moves beta0 exp(-gamma r^2) of the way."""
    from luciole.algorithms import fa

    method = lc.FA(reading="relaxed", population=2, alpha=0.0, alpha_floor=0.0)
    state = method.start(lc.Space.from_bounds([(0, 10)] * 2).layout, 100)
    x = np.empty(2)
    for place, value in (((1.0, 1.0), 5.0), ((2.0, 3.0), 1.0)):
        token = fa.ask(state, np.array(place) / 10, 0.0, x)
        fa.tell(state, token, x, value)
    fa.ask(state, np.array([0.5, 0.5]), 0.0, x)
    assert x == pytest.approx(np.array([1.0, 1.0]) + 1.5 * math.exp(-0.1 * 5) * np.array([1.0, 2.0]))


def test_relaxing_needs_numbers():
    with pytest.raises(lc.ArgumentError, match="cannot be made continuous"):
        lc.minimize(lambda p: 0.0, lc.Space(c=lc.Categorical(["a", "b"])), budget=5, method=lc.FA.paper())


def test_labels_and_wrong_parameters():
    assert lc.FA.paper().label == "FA"
    assert lc.FA().label == "FA()"
    with pytest.raises(lc.ArgumentError, match="reading='x' is not known; use 'rounded' or 'relaxed'"):
        lc.FA(reading="x")
