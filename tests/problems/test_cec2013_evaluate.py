"""One point and many, threads, and what the compiled kernels may touch."""

import numpy as np
import pytest

from cec2013_oracle import real_problem
from luciole.problems.cec2013 import DIMENSIONS, EDITIONS, FUNCTIONS
from luciole.problems.cec2013._evaluate import kernel_of
from luciole.problems.cec2013._prepare import aligned, prepare, work_size


def sample(dim, rows=7):
    return np.random.default_rng(3).uniform(-130.0, 130.0, (rows, dim))


@pytest.mark.parametrize("dim", [2, 5, 10, 40, 50])
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("number", FUNCTIONS)
def test_one_equals_many_to_the_bit(number, edition, dim):
    points = sample(dim)
    problem = real_problem(number, dim, edition)
    kernel, data, size = kernel_of(number, dim, edition)
    # Neither what the scratch array holds nor where it starts may matter.
    work = np.full(size + 1, np.nan)[1:]
    for x, value in zip(points, problem.evaluate_many(points), strict=True):
        assert problem(x) == value
        assert problem.objective(x) == value
        assert kernel(x.copy(), data.copy(), work) == value


@pytest.mark.parametrize("number", FUNCTIONS)
def test_threads_change_nothing(number):
    points = sample(10, 101)
    problem = real_problem(number, 10)
    np.testing.assert_array_equal(problem.evaluate_many(points, threads=3), problem.evaluate_many(points))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("number", FUNCTIONS)
def test_optimum(number, edition):
    origin = prepare(1, 30, "official")[8:38].copy()
    assert real_problem(number, 30, edition)(origin) == pytest.approx(FUNCTIONS[number].optimum, abs=1e-8)


@pytest.mark.parametrize("number", FUNCTIONS)
def test_in_the_kernel_nan_gives_nan(number):
    for place in (0, 4, 9):
        x = np.zeros(10)
        x[place] = np.nan
        assert np.isnan(real_problem(number, 10).objective(x))


@pytest.mark.parametrize("dim", DIMENSIONS)
@pytest.mark.parametrize("number", FUNCTIONS)
def test_stays_within_its_scratch(number, dim):
    for edition in EDITIONS:
        kernel, data, size = kernel_of(number, dim, edition)
        whole = np.full(size + 64, 12.5)
        kernel(np.full(dim, 17.0), data, whole[32 : 32 + size])
        assert np.all(whole[:32] == 12.5)
        assert np.all(whole[32 + size :] == 12.5)


def test_accepts_lists_read_only_and_integer_points():
    problem = real_problem(1, 2)
    points = np.zeros((2, 2))
    points.flags.writeable = False
    expected = problem([0, 0])
    np.testing.assert_array_equal(problem.evaluate_many(points), [expected, expected])
    np.testing.assert_array_equal(problem.evaluate_many(np.zeros((2, 2), int)), [expected, expected])
    np.testing.assert_array_equal(problem.evaluate_many(np.zeros((2, 4))[:, ::2]), [expected, expected])
    assert problem.evaluate_many(np.empty((0, 2))).shape == (0,)
    assert problem.objective(points[0]) == expected


def test_aligned_starts_on_a_cache_line():
    for size in (1, 8, work_size(50)):
        array = aligned(size)
        assert array.ctypes.data % 64 == 0
        assert array.shape == (size,)
