import csv
import math
from pathlib import Path

import numpy as np
import pytest
from numba import njit

import luciole as lc
from algorithms import reference
from luciole._layout import CATEGORICAL, CONTINUOUS, INTEGER, ORDERED, Layout
from luciole.algorithms import famv

MIXED = lc.Space({
    **{f"x{i}": lc.Float(-10, 10) for i in range(4)},
    **{f"n{i}": lc.Integer(-20, 20) for i in range(3)},
    **{f"o{i}": lc.Ordinal([1, 3, 8, 20]) for i in range(2)},
    **{f"c{i}": lc.Categorical(["a", "b", "c"]) for i in range(2)},
})


def bowl(slots):
    return float(sum((slot - 1.5) ** 2 for slot in slots))


@pytest.mark.parametrize("variant", lc.FAmv.VARIANTS)
@pytest.mark.parametrize("compiled", [False, True])
def test_one_candidate_at_a_time_is_algorithm_1(variant, compiled):
    """The turns taken one by one are the double loop of the paper, for all nine variants and every kind of variable."""
    trace, _ = reference.run(bowl, MIXED, variant, seed=3, budget=900)
    optimizer = lc.Optimizer(MIXED, lc.FAmv.paper(variant), rng=3, budget=900, compiled=compiled)
    for expected in trace:
        trial = optimizer.ask()
        np.testing.assert_allclose(trial.slots, expected, rtol=1e-12, atol=1e-12)
        optimizer.tell(trial, bowl(trial.slots))


def test_the_reference_knows_the_slots_of_the_space():
    """Ordered and categorical variables stand in slots by position, which is what the reference assumes."""
    layout = MIXED.layout
    assert layout.kind.tolist() == [CONTINUOUS] * 4 + [INTEGER] * 3 + [ORDERED] * 2 + [CATEGORICAL] * 2
    assert layout.high.tolist() == [10] * 4 + [20] * 3 + [3] * 2 + [2] * 2


def state_of(method, **positions):
    """A swarm of two fireflies at given places, at the start of a generation."""
    rows = np.array(list(positions.values()), dtype=float)
    space = lc.Space(x=lc.Float(0, 10), n=lc.Integer(0, 10), c=lc.Categorical("abcd"[:0] or ["a", "b", "c", "d"]))
    state = method.start(space.layout, 100)
    state.position[: len(rows)] = rows
    state.origin[: len(rows)] = rows
    famv.adapt(state, 0.0)
    return state


def moved(state, u, approach=True):
    x = state.position[0].copy()
    u = np.array(u, dtype=float)
    if approach:
        famv.approach(state, 0, 1, u, x)
    famv.wander(state, u, x)
    return x


def test_hamming_distance_by_hand():
    kind = np.array([CONTINUOUS, CONTINUOUS, INTEGER, CATEGORICAL, ORDERED])
    a, b = np.array([0.0, 0, 3, 1, 2]), np.array([3.0, 4, 4, 1, 0])
    assert famv.hamming_distance(kind, a, b) == (5 + 2) / 5


def test_gower_distance_by_hand():
    kind = np.array([CONTINUOUS, CONTINUOUS, INTEGER, CATEGORICAL, ORDERED])
    a, b = np.array([0.0, 0, 3, 1, 2]), np.array([3.0, 4, 4, 1, 0])
    assert famv.gower_distance(kind, np.array([0.1, 0.2, 0, 0, 0]), a, b) == pytest.approx((0.3 + 0.8 + 2) / 5)


def test_a_move_by_hand():
    """Every rule at chosen random numbers: attraction, copying, the integer step cut off toward zero, replacement."""
    state = state_of(lc.FAmv.paper("H"), here=[2, 3, 0], there=[5, 8, 2])
    r = (3 + 2) / 3
    beta = math.exp(-0.1 * r**2)
    p_alpha = 1 / (1 + math.exp(-0.75))
    # numbers: step of x | copy n, step of n | copy c, replace c, by what
    x = moved(state, [0.75, beta - 1e-9, 0.9, beta + 1e-9, p_alpha - 1e-9, 0.99])
    assert x[0] == pytest.approx(2 + 1.5 * beta * 3 + 1.5 * 0.25)
    assert x[1] == min(math.trunc(8 + 1.5 * 2.5 * 0.8), 10)
    assert x[2] == 3
    x = moved(state, [0.5, beta + 1e-9, 0.31, beta - 1e-9, p_alpha + 1e-9, 0.99])
    assert x[0] == pytest.approx(2 + 1.5 * beta * 3)
    assert x[1] == math.trunc(3 + 1.5 * 2.5 * -0.38)
    assert x[2] == 2


def test_a_walk_by_hand():
    state = state_of(lc.FAmv.paper("G^a"), here=[9.9, 0, 1], there=[5, 8, 2])
    x = moved(state, [1.0, 0.0, 0.0, 0.0, 0.9, 0.0], approach=False)
    assert x.tolist() == [10, 0, 1], "clipped at both ends, and no replacement"


def test_rounding_reaches_the_neighbours_that_truncation_does_not():
    step = {"distance": "hamming", "scale": "absolute", "share": 1.0, "difference": 0.0, "epsilon": 0.4, "alpha": 2.0, "adapt": None}
    u = [0.5, 0.99, 0.0, 0.99, 0.99, 0.0]  # down by 0.8
    assert moved(state_of(lc.FAmv(integer_step="round", **step), here=[1, 5, 0], there=[1, 5, 0]), u)[1] == 4
    assert moved(state_of(lc.FAmv(integer_step="truncate", **step), here=[1, 5, 0], there=[1, 5, 0]), u)[1] == 4
    u = [0.5, 0.99, 1.0, 0.99, 0.99, 0.0]  # up by 0.8
    assert moved(state_of(lc.FAmv(integer_step="round", **step), here=[1, 5, 0], there=[1, 5, 0]), u)[1] == 6
    assert moved(state_of(lc.FAmv(integer_step="truncate", **step), here=[1, 5, 0], there=[1, 5, 0]), u)[1] == 5


def test_reflection():
    assert famv.into_bounds(-1.0, 0.0, 10.0, True) == 1.0
    assert famv.into_bounds(12.0, 0.0, 10.0, True) == 8.0
    assert famv.into_bounds(35.0, 0.0, 10.0, True) == 0.0
    assert famv.into_bounds(-1.0, 0.0, 10.0, False) == 0.0


@pytest.mark.parametrize(("progress", "alpha", "discrete", "gamma"), [
    (0.0, 2.0, 2.0, 0.05), (0.25, 1.5, 1.5, 0.0375), (0.75, 0.5, 1.0, 0.0125), (1.0, 0.01, 1.0, 0.01)])
def test_adaptation_falls_linearly_to_its_floors(progress, alpha, discrete, gamma):
    state = state_of(lc.FAmv.paper("H^ag"), here=[1, 1, 1])
    famv.adapt(state, progress)
    assert state.now[:3] == pytest.approx([alpha, discrete, gamma])
    assert state.now[famv.P_ALPHA] == pytest.approx(1 / (1 + math.exp(-(discrete - 1))))


def test_p_alpha_of_a_constant_alpha_is_068():
    state = state_of(lc.FAmv.paper("H"), here=[1, 1, 1])
    assert state.now[famv.P_ALPHA] == pytest.approx(0.679, abs=1e-3)


def test_geometric_schedules_meet_both_ends():
    assert famv.fade(0.5, 1e-5, 0.0, True) == pytest.approx(0.5)
    assert famv.fade(0.5, 1e-5, 1.0, True) == pytest.approx(1e-5)
    assert famv.fade(0.5, 1e-5, 0.5, True) == pytest.approx(math.sqrt(0.5e-5))


def test_a_share_of_the_variables_moves_and_never_none():
    method = lc.FAmv(share=0.05)
    space = lc.Space.from_bounds([(0, 1)] * 40)
    optimizer = lc.Optimizer(space, method, rng=0, budget=10_000)
    counts = []
    for number in range(600):
        trial = optimizer.ask()
        if number >= method.population:
            counts.append(np.min([np.count_nonzero(trial.slots != row) for row in optimizer._state.position]))
        optimizer.tell(trial, float(number))  # each worse than the last: all fireflies stay where they are
    assert min(counts) >= 1
    assert min(counts) < 5
    assert max(counts) > 25


def test_the_paper_has_nine_settings_with_names_of_their_own():
    methods = [lc.FAmv.paper(variant) for variant in lc.FAmv.VARIANTS]
    assert len(set(methods)) == 9
    assert [each.label for each in methods] == [f"FAmv_{variant}" for variant in lc.FAmv.VARIANTS]
    assert lc.FAmv.paper("H") == lc.FAmv.paper()


def numbers_of_the_paper():
    with (Path(__file__).parent / "paper_f1.csv").open() as file:
        return {row["method"]: float(row["mean"]) for row in csv.DictReader(file)}


SHIFT = np.load(Path(__file__).parent / "f1_shift_d50.npy")


@njit("float64(float64[::1])")
def f1_error(x):
    """F1 of CEC 2013 is a sphere; its error, in 50 dimensions."""
    total = 0.0
    for k in range(x.size):
        total += (x[k] - SHIFT[k]) ** 2
    return total


F1_SPACE = lc.Space.from_bounds([(-100, 100)] * 50, [False] * 25 + [True] * 25)


@pytest.mark.parametrize("name", ["FAmv_H", "FAmv_H^a", "FAmv_G"])
def test_f1_comes_out_as_published(name):
    """100,000 evaluations, 50 variables of which 25 are integers, 10 seeds: within 25 % of the published mean."""
    errors = [lc.minimize(f1_error, F1_SPACE, budget=100_000, method=name, rng=seed).fun for seed in range(10)]
    published = numbers_of_the_paper()[name]
    assert 0.75 * published < np.mean(errors) < 1.25 * published


def test_a_batch_of_eight_costs_at_most_a_factor_of_two_on_f1():
    def mean(batch):
        return np.mean([lc.minimize(f1_error, F1_SPACE, budget=20_000, method="FAmv_H", rng=seed, batch=batch).fun
                        for seed in range(3)])
    assert mean(8) < 2 * mean(1)


def test_the_default_beats_the_published_settings_by_far_on_f1():
    errors = [lc.minimize(f1_error, F1_SPACE, budget=100_000, rng=seed).fun for seed in range(3)]
    floor = 1.8625907895
    assert floor - 1e-6 < min(errors)
    assert max(errors) < floor + 1


@pytest.mark.parametrize(("arguments", "message"), [
    ({"distance": "euclid"}, "distance='euclid' is not known; use 'gower' or 'hamming'"),
    ({"adapt": "beta"}, "adapt='beta' is not known"),
    ({"population": 0}, "population=0 must be a whole number of at least 1"),
    ({"population": 2.5}, "population=2.5 must be a whole number"),
    ({"gamma": math.nan}, "gamma=nan must be a finite number"),
    ({"alpha_floor": 0}, "alpha_floor=0 must be a finite number above 0"),
    ({"share": 0}, "share=0 must be a finite number above 0"),
    ({"beta0": "1"}, "beta0='1' must be a finite number"),
])
def test_wrong_parameters_are_refused(arguments, message):
    with pytest.raises(lc.ArgumentError, match=message):
        lc.FAmv(**arguments)


def test_an_unknown_variant_is_refused():
    with pytest.raises(lc.ArgumentError, match=r"variant='X' is not known; use 'H', 'H\^a'"):
        lc.FAmv.paper("X")


def test_kinds_of_variable_decide_how_many_numbers_a_move_takes():
    layout = Layout(np.array([CONTINUOUS, INTEGER, ORDERED, CATEGORICAL]), np.zeros(4), np.ones(4))
    assert lc.FAmv.paper("H").numbers(layout) == 1 + 2 + 3 + 3
