import logging
import math
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

import luciole as lc
from luciole.testing import example_objective, example_space

SPACE = lc.Space(x=lc.Float(-5, 5), n=lc.Integer(0, 9))


def bowl(p):
    return (p["x"] - 1) ** 2 + (p["n"] - 3) ** 2


def test_the_result_is_scipys_and_says_what_happened():
    from scipy.optimize import OptimizeResult

    result = lc.minimize(bowl, SPACE, budget=600, rng=0)
    assert isinstance(result, OptimizeResult)
    assert isinstance(result, lc.Result)
    assert result.x["n"] == 3
    assert result.fun == pytest.approx(0, abs=1e-3)
    assert result.fun == bowl(result.x)
    assert (result.nfev, result.success, result.violation) == (600, True, 0)
    assert result.message == "the budget is used up"
    assert result.method == "FAmv()"
    for word in ("fun:", "x: x =", "nfev: 600"):
        assert word in repr(result)
    assert "600 evaluations" in repr(result.history)


def test_objectives_get_exactly_what_was_declared():
    seen = []
    lc.minimize(lambda p: seen.append(p) or 0.0, example_space(), budget=40, rng=0)
    for point in seen:
        assert example_space().validate(point) == point
        assert type(point["integer"]) is type(point["log_integer"]) is type(point["even"]) is int
        assert type(point["float"]) is type(point["stepped"]) is float
        assert type(point["flag"]) is bool


@settings(max_examples=25)
@given(st.integers(1, 80), st.integers(1, 12), st.sampled_from(["famv", "fa", "random"]))
def test_the_budget_is_counted_exactly(budget, batch, method):
    calls = []
    result = lc.minimize(lambda p: calls.append(1) or bowl(p), SPACE, budget=budget, batch=batch, method=method, rng=0)
    assert len(calls) == result.nfev == len(result.history) == budget


def test_maximize_is_minimize_of_the_negative():
    low = lc.minimize(bowl, SPACE, budget=100, rng=0)
    high = lc.minimize(lambda p: -bowl(p), SPACE, budget=100, rng=0, direction="maximize")
    assert high.x == low.x
    assert high.fun == -low.fun
    assert np.array_equal(high.history.best_so_far(), -low.history.best_so_far())


def test_constraints_are_met():
    result = lc.minimize(bowl, SPACE, budget=2000, rng=0, constraints=[
        lambda p: p["n"] - 1, lc.Constraint(lambda p: p["x"] + 2, equality=True, tolerance=0.01)])
    assert result.success
    assert result.x["n"] == 1
    assert abs(result.x["x"] + 2) <= 0.01
    assert result.fun == pytest.approx(13, abs=0.1)


def test_an_infeasible_problem_says_so():
    result = lc.minimize(bowl, SPACE, budget=50, rng=0, constraints=[lambda p: 1.0 + p["n"]])
    assert not result.success
    assert result.violation == 1
    assert result.x["n"] == 0
    assert result.message == "no feasible point was found; the budget is used up"
    assert np.isnan(result.history.best_so_far()).all()


@settings(max_examples=15)
@given(st.integers(0, 2**31), st.sampled_from(["famv", "fa", "random"]), st.sampled_from([1, 4]))
def test_failures_at_random_are_counted_recorded_and_never_the_best(seed, method, batch):
    chance = np.random.default_rng(seed)
    outcomes = []

    def shaky(p):
        kind = chance.integers(5)
        outcomes.append(kind)
        if kind == 0:
            raise RuntimeError("broken")
        return (math.nan, math.inf, -math.inf, bowl(p))[min(kind - 1, 3)]

    result = lc.minimize(shaky, SPACE, budget=120, rng=seed, method=method, batch=batch, on_error="penalise")
    assert result.nfev == 120
    failed = [n for n, kind in enumerate(outcomes) if kind < 4]
    assert sorted(result.history.errors) == failed
    assert np.flatnonzero(np.isnan(result.history.fun)).tolist() == failed
    assert result.fun == np.nanmin(result.history.fun)
    assert {result.history.errors[n] for n in failed if outcomes[n] == 0} <= {"RuntimeError: broken"}


def test_if_everything_failed_the_result_says_so(caplog):
    result = lc.minimize(lambda p: p["y"], SPACE, budget=7, rng=0, on_error="penalise")
    assert result.x is None
    assert math.isnan(result.fun)
    assert not result.success
    assert result.message == "every one of the 7 evaluations failed (KeyError: 'y'); the budget is used up"
    assert [record.message for record in caplog.records] == ["evaluation 0 failed: KeyError: 'y'", "7 of 7 evaluations failed"]


def test_exceptions_are_passed_on_with_the_point_that_raised():
    with pytest.raises(ZeroDivisionError) as caught:
        lc.minimize(lambda p: 1 / 0, SPACE, budget=5, rng=0)
    assert "in evaluation 0 at {'x': " in caught.value.__notes__[0]


def test_stopping_by_target_callback_and_time():
    result = lc.minimize(bowl, SPACE, budget=5000, rng=0, target=0.5)
    assert result.fun <= 0.5
    assert result.nfev < 5000
    assert result.message == "the target is reached"
    assert np.all(result.history.fun[:-1] > 0.5)

    seen = []

    def stop_at_30(intermediate_result):
        seen.append(intermediate_result.fun)
        if intermediate_result.nfev == 30:
            raise StopIteration

    result = lc.minimize(bowl, SPACE, budget=5000, rng=0, callback=stop_at_30)
    assert result.nfev == 30
    assert seen == result.history.best_so_far().tolist()
    assert result.message == "the callback stopped the run"

    result = lc.minimize(lambda p: time.sleep(0.01) or bowl(p), SPACE, budget=5000, rng=0, timeout=0.1)
    assert 0 < result.nfev < 100
    assert result.message == "the time is used up"


def test_time_runs_out_while_workers_work():
    with ThreadPoolExecutor(2) as pool:
        result = lc.minimize(lambda p: time.sleep(0.3) or bowl(p), SPACE, budget=50, rng=0, workers=pool, batch=2, timeout=0.1)
    assert result.nfev == 0
    assert result.x is None


def test_an_infeasible_point_does_not_meet_the_target():
    result = lc.minimize(bowl, SPACE, budget=40, rng=0, target=1e9, constraints=[lambda p: 1.0])
    assert result.nfev == 40


def test_an_objective_that_changes_its_point_does_not_change_what_constraints_see():
    result = lc.minimize(lambda p: p.update(x=99) or p["n"], SPACE, budget=40, rng=0, constraints=[lambda p: p["x"] - 5.1])
    assert result.violation == 0
    result = lc.minimize(lambda p: p.clear() or 1.0, SPACE, budget=40, rng=0, constraints=[lambda p: -p["n"]])
    assert set(result.x) == {"x", "n"}


def test_a_penalty_guides_but_the_violation_is_reported_as_it_is():
    result = lc.minimize(lambda p: p["n"], SPACE, budget=200, rng=0, constraints=[lambda p: 5 - p["n"]], penalty=0.5)
    assert (result.x["n"], result.fun, result.violation, result.success) == (0, 2.5, 5, False)
    assert result.history.best_so_far()[-1] == 2.5


def test_an_error_in_the_penalty_is_a_failed_evaluation():
    result = lc.minimize(bowl, SPACE, budget=9, rng=0, constraints=[lambda p: 1.0], penalty=lambda value, g: 1 / 0, on_error="penalise")
    assert len(result.history.errors) == 9


def test_a_constraint_that_returns_a_truth_value_is_refused():
    with pytest.raises(lc.ObjectiveError, match="feasible where at most 0"):
        lc.minimize(bowl, SPACE, budget=9, rng=0, constraints=[lambda p: p["x"] < 3])


def test_time_is_looked_at_between_any_two_evaluations():
    calls = []
    result = lc.minimize(lambda p: calls.append(time.sleep(0.05)) or 1.0, SPACE, budget=50, rng=0, workers=1, timeout=0.12)
    assert result.nfev == len(calls) <= 4


def test_a_compiled_objective_that_takes_long_is_stopped_in_time():
    @njit("float64(float64[::1])")
    def slow(x):
        total = 0.0
        for k in range(2_000_000):
            total += math.sin(x[0] + k)
        return total

    started = time.monotonic()
    result = lc.minimize(slow, NUMBERS, budget=5000, rng=0, timeout=0.2, method="random")
    assert result.nfev < 1000
    assert time.monotonic() - started < 20


def test_workers_that_nobody_waits_for_are_stopped():
    lc.minimize(lambda p: time.sleep(60) or 1.0, SPACE, budget=9, rng=0, workers=2, timeout=0.5)
    assert lc.minimize(bowl, SPACE, budget=20, rng=0, workers=2).nfev == 20


def test_an_objective_that_carries_much_data_reaches_workers_once():
    class Heavy:
        def __init__(self):
            self.data = np.arange(1_000_000.0)
            self.pickled = 0

        def __getstate__(self):
            self.pickled += 1
            return self.__dict__

        def __call__(self, p):
            return bowl(p) + self.data[0]

    heavy = Heavy()
    result = lc.minimize(heavy, SPACE, budget=40, rng=0, batch=4, workers=2)
    assert heavy.pickled == 1
    assert np.array_equal(result.history.fun, lc.minimize(bowl, SPACE, budget=40, rng=0, batch=4).history.fun)


# -- where to start -----------------------------------------------------------------------------------------------------


def test_points_to_start_from_are_evaluated_first():
    first = {"x": 1.0, "n": 3}
    result = lc.minimize(bowl, SPACE, budget=5, rng=0, x0=first)
    assert result.fun == 0
    assert result.history.fun[0] == 0
    assert result.nfev == 5
    points = [{"x": 2.0, "n": 3}, [0.0, 1]]
    result = lc.minimize(bowl, SPACE, budget=5, rng=0, x0=points)
    assert result.history.fun[:2].tolist() == [1, 5]


def test_a_point_with_its_value_may_come_alone_and_no_points_are_none():
    assert lc.minimize(bowl, SPACE, budget=5, rng=0, x0=({"x": 1.0, "n": 3}, -1.0)).fun == -1
    frame = lc.minimize(bowl, SPACE, budget=5, rng=0).to_frame()
    assert lc.minimize(bowl, SPACE, budget=1, rng=0, x0=frame[["x", "n"]].astype(object).iloc[2]).fun == frame.fun[2]
    for empty in ([], ()):
        assert lc.minimize(bowl, SPACE, budget=5, rng=0, x0=empty).nfev == 5


def test_known_values_cost_nothing_and_count_as_found():
    calls = []

    def counted(p):
        calls.append(p)
        return bowl(p)

    known = {"x": 1.0, "n": 3}
    result = lc.minimize(counted, SPACE, budget=20, rng=0, x0=[(known, 0.0)])
    assert known not in calls
    assert (result.fun, result.x, result.nfev) == (0, known, 20)


def test_an_earlier_result_or_its_frame_goes_on():
    first = lc.minimize(bowl, SPACE, budget=100, rng=0)
    by_result = lc.minimize(bowl, SPACE, budget=50, rng=1, x0=first)
    by_frame = lc.minimize(bowl, SPACE, budget=50, rng=1, x0=first.to_frame())
    assert by_result.fun <= first.fun
    assert by_frame.fun == by_result.fun
    assert np.array_equal(by_result.history.fun, by_frame.history.fun)
    unseen = first.to_frame()[["x", "n"]].head(3)
    assert np.array_equal(lc.minimize(bowl, SPACE, budget=3, rng=1, x0=unseen).history.fun, first.history.fun[:3])


def test_the_best_of_an_optimizer_and_a_result_of_scipy_go_on():
    from scipy.optimize import OptimizeResult

    optimizer = lc.Optimizer(SPACE, rng=0)
    optimizer.tell(optimizer.ask(), -7.0)
    again = lc.minimize(bowl, SPACE, budget=3, rng=0, x0=optimizer.best)
    assert (again.fun, again.x) == (-7.0, optimizer.best.x)
    of_scipy = OptimizeResult(x=np.array([2.0, 3.0]), fun=-1.0, nfev=5)
    assert lc.minimize(bowl, SPACE, budget=3, rng=0, x0=of_scipy).history.fun[0] == 1


def test_columns_of_a_frame_may_have_any_names():
    pandas = pytest.importorskip("pandas")
    space = lc.Space(history=lc.Float(0, 1), value=lc.Float(0, 1), nfev=lc.Integer(0, 9))
    points = pandas.DataFrame({"history": [0.5], "value": [0.25], "nfev": [3], "violation": [0.0]})
    for x0 in (points, points[["history", "value", "nfev"]].iloc[0]):
        assert lc.minimize(lambda p: p["history"] + p["value"] + p["nfev"], space, budget=1, rng=0, x0=x0).fun == 3.75


@pytest.mark.parametrize(("x0", "message"), [
    ({"x": 9, "n": 1}, r"x0\[0\]: x: 9 is not allowed"),
    ([{"x": 1, "n": 1}, {"x": 1}], r"x0\[1\]: the point lacks the variable 'n'"),
    ([({"x": 1, "n": 1}, "low")], r"x0\[0\]: the value 'low' of a known point must be a number"),
    ([({"x": 1, "n": 1}, 3.0, math.nan)], r"x0\[0\]: the violation nan of a known point must be a number"),
    (np.array(0.5), r"x0=array\(0.5\) must be a point"),
    ("best", "x0='best' must be a point"),
    (7, "x0=7 must be a point"),
])
def test_wrong_starts_are_refused(x0, message):
    with pytest.raises(lc.ArgumentError, match=message):
        lc.minimize(bowl, SPACE, budget=5, x0=x0)


# -- workers ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["famv", "fa", "random"])
def test_one_two_and_four_workers_give_the_same_history(method):
    shift = 0.25
    histories = [lc.minimize(lambda p: bowl(p) + shift, SPACE, budget=60, rng=5, method=method, batch=6, workers=workers).history
                 for workers in (1, 2, 4)]
    for other in histories[1:]:
        assert np.array_equal(histories[0].slots, other.slots)
        assert np.array_equal(histories[0].fun, other.fun)


def test_who_finishes_first_does_not_matter():
    def slow(p):
        time.sleep(0.02 * (p["n"] % 3))
        return bowl(p)

    with ThreadPoolExecutor(5) as pool:
        shared = lc.minimize(slow, SPACE, budget=60, rng=5, batch=5, workers=pool)
    assert np.array_equal(shared.history.slots, lc.minimize(bowl, SPACE, budget=60, rng=5, batch=5).history.slots)


def test_a_candidate_waits_for_no_more_than_it_needs():
    """Candidate n is asked for as soon as results 0 to n - batch are in, in that order."""
    class Recorder:
        def __init__(self):
            self.out = self.most = 0

        def submit(self, function, *arguments):
            self.out += 1
            self.most = max(self.most, self.out)
            outer = self

            class Late(Future):
                def result(self, timeout=None):
                    outer.out -= 1
                    return super().result(timeout)

            future = Late()
            future.set_result(function(*arguments))
            return future

    recorder = Recorder()
    lc.minimize(bowl, SPACE, budget=40, rng=0, batch=7, workers=recorder)
    assert recorder.most == 7


def test_eight_sleeping_objectives_on_eight_workers_overlap():
    running, together = [], []

    def sleepy(p):
        running.append(1)
        together.append(len(running))
        time.sleep(0.05)
        running.pop()
        return bowl(p)

    with ThreadPoolExecutor(8) as pool:
        lc.minimize(sleepy, SPACE, budget=64, rng=0, batch=8, workers=pool)
    assert max(together) >= 6


def test_a_process_pool_of_the_standard_library_runs_lambdas():
    with ProcessPoolExecutor(2) as pool:
        result = lc.minimize(lambda p: bowl(p), SPACE, budget=30, rng=0, batch=4, workers=pool)
    assert np.array_equal(result.history.fun, lc.minimize(bowl, SPACE, budget=30, rng=0, batch=4).history.fun)


def test_exceptions_come_back_from_workers():
    with pytest.raises(KeyError) as caught:
        lc.minimize(lambda p: p["z"], SPACE, budget=30, rng=0, workers=2)
    assert "in evaluation 0" in caught.value.__notes__[0]
    result = lc.minimize(lambda p: p["z"] if p["n"] > 4 else bowl(p), SPACE, budget=30, rng=0, workers=2, on_error="penalise")
    assert 0 < len(result.history.errors) < 30


def test_the_batch_with_workers_is_the_population_unless_told():
    alone = lc.minimize(bowl, SPACE, budget=60, rng=0, batch=lc.FAmv().population)
    assert np.array_equal(alone.history.slots, lc.minimize(bowl, SPACE, budget=60, rng=0, workers=1).history.slots)


# -- compiled objectives ------------------------------------------------------------------------------------------------


@njit("float64(float64[::1])")
def compiled_bowl(x):
    total = 0.0
    for k in range(x.size):
        total += (x[k] - 0.3 * k) ** 2
    return total


NUMBERS = lc.Space({
    "x": lc.Float(-5, 5), "log": lc.Float(1e-3, 10, log=True), "n": lc.Integer(-4, 9), "m": lc.Integer(1, 900, log=True),
    "size": lc.Ordinal([0.5, 1, 4]), "step": lc.Float(0, 2, step=0.5), "flag": lc.Boolean(), "kind": lc.Categorical(["a", "b", "c"]),
})


@pytest.mark.parametrize("method", ["famv", "fa", "random", "FAmv_H"])
@pytest.mark.parametrize("budget", [1500, 5000])
def test_the_compiled_loop_gives_the_bits_of_ask_and_tell(method, budget):
    loop = lc.minimize(compiled_bowl, NUMBERS, budget=budget, rng=2, method=method)
    plain = lc.minimize(compiled_bowl, NUMBERS, budget=budget, rng=2, method=method, compiled=False)
    assert np.array_equal(loop.history.slots, plain.history.slots)
    assert np.array_equal(loop.history.fun, plain.history.fun)
    assert np.array_equal(loop.history.evaluations, plain.history.evaluations)
    assert (loop.x, loop.fun, loop.nfev, loop.message) == (plain.x, plain.fun, plain.nfev, plain.message)


def test_the_compiled_loop_stops_at_the_target_and_leaves_the_generator_where_it_should_be():
    rngs = [np.random.default_rng(4) for _ in range(2)]
    loop, plain = (lc.minimize(compiled_bowl, NUMBERS, budget=20_000, rng=rng, target=2.0, compiled=compiled)
                   for rng, compiled in zip(rngs, (None, False), strict=True))
    assert loop.message == "the target is reached"
    assert loop.nfev == plain.nfev < 20_000
    assert rngs[0].random() == rngs[1].random()


def test_compiled_objectives_that_fail_or_raise():
    @njit("float64(float64[::1])")
    def shaky(x):
        if x[2] > 5:
            raise ValueError("too large")
        return math.nan if x[2] < 0 else x[0] ** 2

    with pytest.raises(ValueError, match="too large"):
        lc.minimize(shaky, NUMBERS, budget=3000, rng=0)
    loop, plain = (lc.minimize(shaky, NUMBERS, budget=3000, rng=0, on_error="penalise", compiled=compiled)
                   for compiled in (None, False))
    assert np.array_equal(loop.history.slots, plain.history.slots)
    assert loop.history.errors == plain.history.errors
    assert {"ValueError: too large", "the objective is nan"} == set(loop.history.errors.values())


def test_a_value_of_minus_infinity_does_not_meet_a_target_that_was_not_given():
    @njit("float64(float64[::1])")
    def bottomless(x):
        return -np.inf if x[0] < 0 else x[0]

    result = lc.minimize(bottomless, NUMBERS, budget=5000, rng=0, method="random")
    assert result.nfev == 5000
    assert result.message == "the budget is used up"


@pytest.mark.parametrize("target", [None, 3.0, 1e9])
def test_the_compiled_loop_starts_from_given_points_like_the_other(target):
    points = NUMBERS.sample(3, rng=1)
    x0 = [points[0], (points[1], 5.0), points[2]]
    loop, plain = (lc.minimize(compiled_bowl, NUMBERS, budget=3000, rng=0, x0=x0, target=target, compiled=compiled)
                   for compiled in (None, False))
    assert np.array_equal(loop.history.slots, plain.history.slots)
    assert (loop.fun, loop.nfev, loop.message) == (plain.fun, plain.nfev, plain.message)


def test_an_error_in_the_compiled_loop_tells_where_and_leaves_the_generator_alone():
    @njit("float64(float64[::1])")
    def late(x):
        if x[2] > 8:
            raise ValueError("too large")
        return x[0]

    rngs = [np.random.default_rng(3) for _ in range(2)]
    notes = []
    for rng, compiled in zip(rngs, (None, False), strict=True):
        with pytest.raises(ValueError, match="too large") as caught:
            lc.minimize(late, NUMBERS, budget=3000, rng=rng, compiled=compiled)
        notes.append(caught.value.__notes__[0])
    assert notes[0] == notes[1]
    assert rngs[0].random() == rngs[1].random()


def test_compiled_objectives_of_another_signature_run_all_the_same():
    @njit
    def lazy(x):
        return x.sum()

    @njit("int64(float64[:])")
    def whole(x):
        return int(x[0])

    assert lc.minimize(lazy, NUMBERS, budget=2000, rng=0).nfev == 2000
    assert lc.minimize(whole, NUMBERS, budget=2000, rng=0).fun == -5


# -- talking ------------------------------------------------------------------------------------------------------------


def test_logging_goes_through_the_standard_library(caplog):
    with caplog.at_level(logging.DEBUG, logger="luciole"):
        lc.minimize(bowl, SPACE, budget=30, rng=0)
    assert "FAmv() on bowl: 30 evaluations, 1 at once" in caplog.text
    assert "the budget is used up" in caplog.text


def test_the_progress_bar_shows_the_count_and_the_best(capsys):
    result = lc.minimize(bowl, SPACE, budget=30, rng=0, progress=True)
    out = capsys.readouterr().out
    assert "30/30" in out
    assert f"{result.fun:.6g}" in out


@pytest.mark.parametrize(("arguments", "message"), [
    ({"budget": 0}, "budget=0 must be at least 1"),
    ({"budget": 2.5}, "budget=2.5 must be a whole number"),
    ({"budget": "many"}, "budget='many' must be a whole number"),
    ({"method": "genetic"}, "method='genetic' is not known; use famv"),
    ({"batch": 0}, "batch=0 must be at least 1"),
    ({"workers": 0}, "workers=0 must be a whole number of at least 1, or an executor"),
    ({"workers": "all"}, "workers='all' must be"),
    ({"on_error": "ignore"}, "on_error='ignore' is not known; use 'raise' or 'penalise'"),
    ({"target": math.nan}, "target=nan must be a number"),
    ({"timeout": "1h"}, "timeout='1h' must be a number"),
    ({"timeout": 0}, "timeout=0 must be above 0 seconds"),
    ({"callback": 3}, "callback=3 must be callable"),
    ({"space": None}, "space is missing"),
    ({"objective": lc.Problem(bowl, SPACE)}, "a Problem brings its own space"),
])
def test_wrong_input_is_refused(arguments, message):
    with pytest.raises(lc.ArgumentError, match=message):
        lc.minimize(**{"objective": bowl, "space": SPACE, "budget": 5, **arguments})


@pytest.mark.parametrize("bad", ["low", [1.0], None])
def test_an_objective_that_returns_no_number_is_refused(bad):
    with pytest.raises(lc.ObjectiveError, match="it must return a number"):
        lc.minimize(lambda p: bad, SPACE, budget=5)


def test_the_example_problem_is_solved():
    result = lc.minimize(example_objective, example_space(), budget=4000, rng=0)
    assert result.fun < 0.1
    assert (result.x["size"], result.x["colour"], result.x["flag"]) == ("large", "blue", True)
