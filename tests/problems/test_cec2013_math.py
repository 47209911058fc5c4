"""Accuracy of the vectorised elementary functions, against numpy's extended precision."""

import numpy as np
import pytest
from numba import njit

from luciole.problems.cec2013 import _math
from luciole.problems.cec2013._simd import load, pointer, store

RNG = np.random.default_rng(5)


def over_array(function):
    @njit
    def apply(x, out):
        source, target = pointer(x, 0), pointer(out, 0)
        for i in range(0, x.size, 8):
            store(target, i, function(load(source, i)))

    def call(x):
        out = np.empty_like(x)
        apply(x, out)
        return out

    return call


@pytest.mark.parametrize(
    ("function", "exact", "x", "relative"),
    [
        (_math.exp, np.exp, RNG.uniform(-700.0, 700.0, 4096), 1e-15),
        (_math.exp_small, np.exp, RNG.uniform(-0.1, 0.1, 4096), 1e-15),
        (_math.log, np.log, np.exp(RNG.uniform(-600.0, 600.0, 4096)), 1e-15),
        (_math.log, np.log, RNG.uniform(0.5, 2.0, 4096), 1e-15),
        (_math.sin, np.sin, RNG.uniform(-3.0, 3.0, 4096), 1e-15),
    ],
)
def test_relative_error(function, exact, x, relative):
    expected = exact(x.astype(np.longdouble))
    assert np.max(np.abs(over_array(function)(x) / expected - 1.0)) < relative


@pytest.mark.parametrize(
    ("function", "exact", "x"),
    [
        (_math.sin, np.sin, RNG.uniform(-1e5, 1e5, 4096)),
        (_math.sin_squared, lambda t: np.sin(t) ** 2, RNG.uniform(-1e5, 1e5, 4096)),
        (_math.cos_of_huge, np.cos, RNG.uniform(-1e15, 1e15, 4096)),
        (_math.cos_of_huge, np.cos, 10.0 ** RNG.uniform(-3.0, 18.0, 4096)),
    ],
)
def test_absolute_error(function, exact, x):
    assert np.max(np.abs(over_array(function)(x) - exact(x.astype(np.longdouble)))) < 1e-15


def test_sin_of_half_turns():
    x = RNG.uniform(-1e6, 1e6, 4096)
    reduced = (x - np.rint(x)).astype(np.longdouble)
    exact = np.sin(reduced * np.longdouble("3.14159265358979323846264338327950288")) ** 2
    assert np.max(np.abs(over_array(_math.sin_half_turns_squared)(x) / exact - 1.0)) < 2e-15


def test_exp_at_its_ends():
    x = np.array([0.0, -0.0, 709.7, 710.0, -745.0, -746.0, 1e308, -np.inf])
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(over_array(_math.exp)(x), np.exp(x), rtol=1e-15)


def test_power_is_rounded_almost_correctly():
    @njit
    def apply(x, y, out):
        for i in range(0, x.size, 8):
            store(pointer(out, 0), i, _math.power(load(pointer(x, 0), i), load(pointer(y, 0), i)))

    x = np.concatenate([RNG.uniform(0.0, 300.0, 4096), RNG.uniform(0.9, 1.1, 1024)])
    y = 1.0 + RNG.uniform(0.0, 0.5, x.size) * np.sqrt(x)
    out = np.empty_like(x)
    apply(x, y, out)
    exact = x.astype(np.longdouble) ** y.astype(np.longdouble)
    assert np.max(np.abs(out - exact) / np.spacing(out)) < 0.7
