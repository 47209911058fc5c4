import math

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, NonlinearConstraint

import luciole as lc
from luciole.optimizer import score

SPACE = lc.Space(x=lc.Float(-5, 5), n=lc.Integer(0, 9))


def evaluate(problem, **point):
    return problem.evaluate(problem.space.encode(point))


def test_a_problem_is_a_function_of_dicts_and_arrays():
    problem = lc.Problem(lambda p: p["x"] + p["n"], SPACE, optimum=-5)
    assert problem({"x": 1.5, "n": 2}) == problem([1.5, 2]) == 3.5
    assert problem.evaluate_many([[1, 2], [3, 4]]).tolist() == [3, 7]
    assert problem.evaluate_many(np.empty((0, 2))).shape == (0,)
    assert "optimum -5" in repr(problem)
    with pytest.raises(lc.ArgumentError, match=r"points\[1\]: n: 2.5 is not allowed"):
        problem.evaluate_many([[1, 2], [3, 2.5]])


def test_an_objective_may_take_an_array():
    problem = lc.Problem(lambda x: float(x @ x), SPACE, takes_array=True)
    assert problem({"x": 3, "n": 4}) == 25


@pytest.mark.parametrize(("x", "n", "violation"), [(0, 1, 0), (0, 3, 2), (4, 1, 4 - 1e-3), (4, 3, 6 - 1e-3)])
def test_violations_add_up(x, n, violation):
    problem = lc.Problem(lambda p: 0.0, SPACE, constraints=[
        lambda p: p["n"] - 1,
        lc.Constraint(lambda p: p["x"], equality=True, tolerance=5),
        lc.Constraint(lambda p: [p["x"] - 1e-3, -p["x"]], tolerance=1),
    ])
    assert evaluate(problem, x=x, n=n).violation == pytest.approx(violation)


def test_violations_add_up_alike_in_every_python():
    """From Python 3.12 on `sum` gives 1 + 2e-16 here, and runs near a boundary would differ between versions."""
    problem = lc.Problem(lambda p: (0.0, [1.0, 1e-16, 1e-16]), SPACE)
    penalised = lc.Problem(lambda p: (0.0, [1.0, 1e-16, 1e-16]), SPACE, penalty=1.0)
    assert evaluate(problem, x=0, n=0).violation == 1.0
    assert evaluate(penalised, x=0, n=0).value == 1.0


def test_an_equality_counts_from_zero_once_its_tolerance_is_passed():
    equal = lc.Constraint(lambda p: p["x"], equality=True, tolerance=0.1)
    assert equal.violations({"x": 0.1}) == [0]
    assert equal.violations({"x": -0.2}) == [0.2]
    assert lc.Constraint(lambda p: p["x"], equality=True).tolerance == 1e-6


def test_an_objective_may_return_its_constraints():
    problem = lc.Problem(lambda p: (p["x"], [p["n"] - 2, -1]), SPACE)
    assert evaluate(problem, x=1, n=5) [:3] == (1, 3, None)
    assert evaluate(problem, x=1, n=2)[:3] == (1, 0, None)


def test_scipy_constraints_are_understood():
    space = lc.Space.from_bounds([(-5, 5)] * 2)
    problem = lc.Problem(lambda x: 0.0, space, constraints=[
        NonlinearConstraint(lambda x: x[0] ** 2, 1, 4), LinearConstraint([[1, 1]], -np.inf, 2)])
    assert problem.evaluate(np.array([1.5, 0.0])).violation == 0
    assert problem.evaluate(np.array([0.0, 0.0])).violation == 1
    assert problem.evaluate(np.array([3.0, 1.0])).violation == 5 + 2


def test_penalties_replace_debs_rules():
    def constrained(penalty, direction="minimize"):
        return lc.Problem(lambda p: p["x"], SPACE, constraints=[lambda p: p["n"] - 2], penalty=penalty, direction=direction)

    assert evaluate(constrained(10), x=1, n=5) == (31, 3, None, True)
    assert evaluate(constrained(10, "maximize"), x=1, n=5) == (-29, 3, None, True)
    assert evaluate(constrained(lambda value, g: value + 7 * np.count_nonzero(g)), x=1, n=5).value == 8
    assert evaluate(constrained(10), x=1, n=2) == (1, 0, None, True)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, np.float64("nan")])
def test_values_that_are_not_finite_are_failures(bad):
    evaluation = evaluate(lc.Problem(lambda p: bad, SPACE), x=0, n=0)
    assert math.isnan(evaluation.value)
    assert evaluation.violation == math.inf
    assert "the objective is" in evaluation.error


def test_a_constraint_that_is_nan_is_a_failure():
    evaluation = evaluate(lc.Problem(lambda p: 1.0, SPACE, constraints=[lambda p: math.nan]), x=0, n=0)
    assert evaluation.error == "a constraint is not a number"


def test_exceptions_are_passed_on_or_become_failures():
    problem = lc.Problem(lambda p: 1 / 0, SPACE)
    slots = problem.space.encode({"x": 0, "n": 0})
    with pytest.raises(ZeroDivisionError):
        problem.evaluate(slots)
    assert problem.evaluate(slots, on_error="penalise").error == "ZeroDivisionError: division by zero"


@pytest.mark.parametrize("good", [1, 1.0, np.float32(1), np.int64(1), np.array(1.0), True])
def test_any_number_is_a_value(good):
    value = evaluate(lc.Problem(lambda p: good, SPACE), x=0, n=0).value
    assert value == 1.0
    assert type(value) is float


@pytest.mark.parametrize("bad", ["1", None, [1.0], np.ones(1), np.ones(3), 1j, {"loss": 1}])
def test_what_is_no_number_is_refused_by_type(bad):
    with pytest.raises(lc.ObjectiveError, match=rf"of type {type(bad).__name__}; it must return a number"):
        evaluate(lc.Problem(lambda p: bad, SPACE), x=0, n=0)


@pytest.mark.parametrize("bad", [(1, 2, 3), (1, "a"), (1, None)])
def test_wrong_tuples_are_refused(bad):
    with pytest.raises(lc.ObjectiveError):
        evaluate(lc.Problem(lambda p: bad, SPACE), x=0, n=0)


@pytest.mark.parametrize(("arguments", "message"), [
    ({"objective": 3}, "objective=3 must be callable"),
    ({"space": {"x": 1}}, r"must be a luciole.Space; wrap it in Space\("),
    ({"space": [(0, 1)]}, r"wrap it in Space.from_bounds"),
    ({"direction": "max"}, "direction='max' is not known; use 'minimize' or 'maximize'"),
    ({"penalty": -1}, "penalty=-1 must be"),
    ({"constraints": [3]}, "the constraint 3 must be callable"),
    ({"constraints": 3}, "constraints=3 must be a function or a list of functions"),
    ({"constraints": {"type": "ineq", "fun": len}}, "constraints={.* must be a function or a list of functions"),
])
def test_wrong_problems_are_refused(arguments, message):
    with pytest.raises(lc.ArgumentError, match=message):
        lc.Problem(**{"objective": len, "space": SPACE, **arguments})


def test_scores_order_as_debs_rules_do():
    ordered = [score(-1e308, 0), score(0, 0), score(1e200, 0), score(0, 1e-300), score(5, 1e-12), score(-5, 1e-11), score(0, 1.0),
               score(0, 1e300), score(math.nan, 0)]
    assert ordered == sorted(ordered)
    assert score(2.5, 0) == 2.5
    assert math.isfinite(score(0, math.inf))
    assert score(math.nan, math.inf) == math.inf
