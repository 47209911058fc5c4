"""What a problem of the suite says about itself, what it accepts, and how it runs."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import luciole as lc
from cec2013_oracle import real_problem
from luciole import Categorical, Float, Integer
from luciole.problems.cec2013 import FUNCTIONS


def kinds(problem):
    return "".join({Float: "f", Integer: "i", Categorical: "c"}[type(each)] for each in problem.space.values())


def test_table():
    problems = [lc.problems.cec2013(number, 2) for number in range(1, 29)]
    assert [each.number for each in problems] == list(FUNCTIONS) == list(range(1, 29))
    assert [each.name for each in problems] == [f"cec2013-f{number}" for number in range(1, 29)]
    assert [each.optimum for each in problems] == [100.0 * k for k in (*range(-14, 0), *range(1, 15))]
    assert [each.category for each in problems] == ["unimodal"] * 5 + ["multimodal"] * 15 + ["composition"] * 8
    assert [each.number for each in problems if not each.continuous] == [13]
    assert [each.number for each in problems if each.separable] == [1, 5, 11, 17]
    assert [each.number for each in problems if each.symmetric] == [1, 2, 5, 10, 19]


def test_defaults_are_those_of_the_paper():
    problem = lc.problems.cec2013(3)
    assert (problem.dim, problem.edition, kinds(problem)) == (50, "official", "f" * 25 + "i" * 25)
    assert problem.space["x0"] == Float(-100, 100)
    assert problem.space["x49"] == Integer(-100, 100)
    assert problem.space.as_array


@pytest.mark.parametrize(("dim", "mixed", "expected"), [
    (5, True, "fffii"),
    (5, False, "fffff"),
    (10, 0.3, "fffffffiii"),
    (5, 1.0, "iiiii"),
    (5, 0.0, "fffff"),
    (5, [4, 0], "ifffi"),
    (5, np.array([1]), "fifff"),
    (5, [], "fffff"),
])
def test_mixed(dim, mixed, expected):
    problem = lc.problems.cec2013(1, dim, mixed)
    assert kinds(problem) == expected
    assert problem.optimum == -1400.0


@pytest.mark.parametrize(("arguments", "message"), [
    ({"number": 29}, "number=29 must be a whole number from 1 to 28"),
    ({"number": 0}, "number=0"),
    ({"number": 1.5}, "number=1.5"),
    ({"number": "1"}, "number='1'"),
    ({"number": 1, "dim": 7}, "dim=7 must be one of 2, 5, 10, 20"),
    ({"number": 1, "edition": "opfunu"}, "edition='opfunu' is not known; use 'official' or 'opfunu-1.0.1'"),
    ({"number": 1, "mixed": 1.5}, "mixed=1.5 must be True, False, a float from 0.0 to 1.0"),
    ({"number": 1, "mixed": 1}, "mixed=1 must be True, False, a float from 0.0 to 1.0"),
    ({"number": 1, "mixed": np.array(0.5)}, "mixed=array(0.5) must be True"),
    ({"number": 1, "seed": "a"}, "seed='a' must be a whole number"),
    ({"number": 1, "mixed": "half"}, "mixed='half' must be"),
    ({"number": 1, "dim": 5, "mixed": [5]}, "mixed: 5 is not a variable; use whole numbers from 0 to 4"),
    ({"number": 1, "dim": 5, "mixed": [1, 1]}, "lists a variable twice"),
    ({"number": 1, "dim": 5, "mixed": [True]}, "True is not a variable"),
    ({"number": 1, "mixed_as": "labels"}, "mixed_as='labels' is not known"),
])
def test_refuses_what_does_not_exist(arguments, message):
    with pytest.raises(lc.ArgumentError) as caught:
        lc.problems.cec2013(**arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize(("point", "message"), [
    (np.zeros(4), "the point has the shape (4,); the space has 5 variables"),
    (np.zeros((1, 5)), "the point has the shape (1, 5)"),
    ([0, 0, 0, 1.5, 0], "x3: 1.5 is not allowed; a whole number is needed"),
    ([0, np.nan, 0, 0, 0], "x1: nan is not allowed; a finite number is needed"),
    ([0, np.inf, 0, 0, 0], "x1: inf is not allowed"),
    ("wrong", "must be a dict of values or an array of 5 numbers"),
    ({"x0": 1}, "the point lacks the variable 'x1'"),
    ({f"x{i}": 0 for i in range(6)}, "the point has a variable 'x5'"),
])
def test_refuses_points_that_are_none(point, message):
    with pytest.raises(lc.ArgumentError) as caught:
        lc.problems.cec2013(1, 5)(point)
    assert message in str(caught.value)


def test_refuses_matrices_that_are_none():
    problem = lc.problems.cec2013(1, 5)
    for points, message in ((np.zeros(5), "shape"), (np.zeros((2, 4)), "5 columns"), ("wrong", "a matrix of numbers"),
                            (np.full((2, 5), 0.5), r"points\[0\]: x3: 0.5"),
                            ([[0] * 5, [0, 0, np.nan, 0, 0]], r"points\[1\]: x2: nan")):
        with pytest.raises(lc.ArgumentError, match=message):
            problem.evaluate_many(points)
    for threads in (0, 1.5, True):
        with pytest.raises(lc.ArgumentError, match="threads"):
            problem.evaluate_many(np.zeros((1, 5)), threads=threads)


def test_points_outside_the_box_are_evaluated_by_the_formula():
    origin = real_problem(1, 5).best_known
    assert lc.problems.cec2013(1, 5)([*origin[:3], 150, -3000]) == pytest.approx(
        (150 - origin[3]) ** 2 + (-3000 - origin[4]) ** 2 - 1400)


def test_point_as_dict_and_as_array():
    problem = lc.problems.cec2013(4, 5)
    x = [1.5, -2.5, 3.5, 4, -5]
    assert problem(dict(zip(problem.space, x, strict=True))) == problem(x) == problem.evaluate_many([x])[0]


def test_absolute_error_is_the_distance_to_the_optimum():
    problem = lc.problems.cec2013(14, 10, edition="opfunu-1.0.1")
    error = problem.absolute_error()
    points = np.rint(np.random.default_rng(0).uniform(-150, 150, (20, 10)))
    np.testing.assert_array_equal(error.evaluate_many(points), np.abs(problem.evaluate_many(points) + 100.0))
    assert error(points[0]) == error.objective(points[0]) == error.evaluate_many(points)[0]
    assert (error.optimum, problem.optimum) == (0.0, -100.0)
    assert error.number == 14


def test_labels_are_listed_in_random_order_and_looked_up():
    problem = lc.problems.cec2013(2, 5, mixed_as="categorical", seed=3)
    same, other = (lc.problems.cec2013(2, 5, mixed_as="categorical", seed=seed) for seed in (3, 4))
    assert kinds(problem) == "fffcc"
    assert problem.space == same.space != other.space
    assert problem.space["x3"].values != problem.space["x4"].values
    assert sorted(problem.space["x3"].values) == list(range(-100, 101))
    point = problem.space.sample(rng=0)
    numbers = [point[name] for name in problem.space]
    assert problem(point) == lc.problems.cec2013(2, 5)(numbers) == problem.evaluate_many([numbers])[0]
    assert problem.evaluate(problem.space.encode(point)).value == problem(point)
    with pytest.raises(lc.ArgumentError, match=r"x3: 101\.0 is not allowed; labels are the whole numbers from -100 to 100"):
        problem([0, 0, 0, 101, 0])


@pytest.mark.parametrize("number", [1, 13, 21, 28])
def test_real_problems_know_their_optimum(number):
    assert real_problem(number, 10).check(tolerance=1e-9).violation == 0.0
    with pytest.raises(lc.StateError, match="no best design"):
        lc.problems.cec2013(number, 10).check()


def test_pickled_problem_gives_the_same_bits():
    problem = lc.problems.cec2013(9, 10).absolute_error()
    x = np.arange(10.0)
    assert pickle.loads(pickle.dumps(problem))(x) == problem(x)


VARIANTS = {
    "value": lambda number: lc.problems.cec2013(number, 10),
    "error": lambda number: lc.problems.cec2013(number, 10, edition="opfunu-1.0.1").absolute_error(),
    "labels": lambda number: lc.problems.cec2013(number, 10, mixed_as="categorical"),
    "labels, error": lambda number: lc.problems.cec2013(number, 10, mixed_as="categorical").absolute_error(),
}


@pytest.mark.parametrize("method", ["famv", "fa"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_compiled_loop_equals_ask_and_tell_to_the_bit(variant, method, monkeypatch):
    problem = VARIANTS[variant](7)
    plain = lc.minimize(problem, budget=1500, method=method, rng=1, compiled=False)
    from luciole._loop import CompiledRun

    blocks = []
    next_block = CompiledRun.next_block
    monkeypatch.setattr(CompiledRun, "next_block", lambda self, on_error: blocks.append(1) or next_block(self, on_error))
    compiled = lc.minimize(problem, budget=1500, method=method, rng=1)
    assert blocks
    np.testing.assert_array_equal(plain.history.fun, compiled.history.fun)
    np.testing.assert_array_equal(plain.history.slots, compiled.history.slots)
    # FA searches between the whole numbers, where the public call would refuse.
    assert compiled.fun == problem.objective(np.array(list(compiled.x.values() if isinstance(compiled.x, dict) else compiled.x)))


def test_threads_may_share_a_problem():
    from concurrent.futures import ThreadPoolExecutor

    problem = lc.problems.cec2013(9, 10)
    alone = lc.minimize(problem, budget=200, rng=0, batch=4)
    with ThreadPoolExecutor(3) as pool:
        shared = lc.minimize(problem, budget=200, rng=0, batch=4, workers=pool)
    np.testing.assert_array_equal(alone.history.fun, shared.history.fun)


def test_more_threads_than_points():
    problem = lc.problems.cec2013(2, 5)
    assert problem.evaluate_many(np.ones((1, 5)), threads=4) == problem(np.ones(5))


SECOND_PROCESS = """
import sys
import luciole as lc
from luciole.problems import PROBLEMS
problems = [make() for make in PROBLEMS.values()]
assert "numba" not in sys.modules, "listing the problems imported Numba"
lc.minimize(lc.problems.cec2013(1, 10), budget=1200, method="random", rng=0)
from luciole import _compile
from luciole.problems.cec2013._kernels import KERNELS
used = [KERNELS[1], *(each for (kernel, *_), each in _compile._compiled.items() if kernel.__name__ == "run_block")]
assert len(used) == 2
print(sum(sum(each.stats.cache_misses.values()) for each in used))
"""


def test_second_process_finds_everything_compiled(tmp_path):
    misses = [subprocess.run([sys.executable, "-c", SECOND_PROCESS], env={**os.environ, "LUCIOLE_CACHE_DIR": str(tmp_path)},
                             check=True, capture_output=True, text=True).stdout.strip() for _ in range(2)]
    assert misses == ["2", "0"]


def test_an_objective_is_never_called_with_another_length_than_its_own():
    """The kernel would read memory that is not its own."""
    objective = lc.problems.cec2013(9, 10).objective
    with pytest.raises(lc.ArgumentError, match=r"the point has the shape \(2,\); 10 numbers are needed"):
        objective(np.zeros(2))
    narrow = lc.Space.from_bounds([(-1, 1)] * 3)
    for call in (lambda: lc.minimize(objective, narrow, budget=2000), lambda: lc.Problem(objective, narrow),
                 lambda: lc.problems.cec2013(9, 10).over(narrow)):
        with pytest.raises(lc.ArgumentError, match="the objective takes 10 numbers, but the space has 3 variables"):
            call()


@pytest.mark.parametrize("bad", [["1"] * 5, [1j] * 5, [0, 0, 0, 10**400, 0], np.ma.masked_array(np.zeros(5)), [None] * 5])
def test_what_only_looks_like_numbers_is_refused(bad):
    problem = lc.problems.cec2013(1, 5)
    with pytest.raises(lc.ArgumentError, match="must be"):
        problem(bad)
    with pytest.raises(lc.ArgumentError, match="points"):
        problem.evaluate_many(np.ma.atleast_2d(bad) if isinstance(bad, np.ma.MaskedArray) else [bad])


def test_more_threads_than_rows_are_no_use():
    problem = lc.problems.cec2013(3, 5)
    rows = np.zeros((3, 5))
    assert np.array_equal(problem.evaluate_many(rows, threads=10**6), problem.evaluate_many(rows))
    assert problem.evaluate_many(np.zeros((0, 5)), threads=4).size == 0
