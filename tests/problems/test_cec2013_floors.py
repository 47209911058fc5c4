"""The lowest errors that mixed points reach, computed apart from the kernels.

In 50 dimensions with the last 25 variables integers, the separable functions are minimised one
coordinate at a time in plain numpy: the continuous ones reach their optimum, the integer ones
are tried out.
"""

import numpy as np
import pytest

from cec2013_oracle import real_problem
from luciole.problems.cec2013 import FUNCTIONS
from luciole.problems.cec2013._data import load_shifts

DIM = 50
INTEGERS = np.arange(-100.0, 101.0)[:, None]
ORIGIN = load_shifts().reshape(-1)[:DIM]
FRACTIONS = np.arange(DIM) / (DIM - 1)


def oscillated(x, first_or_last):
    log = np.log(np.where(x == 0.0, 1.0, np.abs(x)))
    waves = np.where(x > 0.0, np.sin(10.0 * log) + np.sin(7.9 * log), np.sin(5.5 * log) + np.sin(3.1 * log))
    return np.where(first_or_last, np.sign(x) * np.exp(log + 0.049 * waves) * (x != 0.0), x)


def sphere(x):
    return (x - ORIGIN) ** 2


def integer_powers(x):
    return np.abs(x - ORIGIN) ** (2 + 4 * np.arange(DIM) // (DIM - 1))


def real_powers(x):
    return np.abs(x - ORIGIN) ** (2.0 + 4.0 * FRACTIONS)


def rastrigin(x):
    y = (x - ORIGIN) * 0.0512
    z = oscillated(y, np.isin(np.arange(DIM), (0, DIM - 1)))
    positive = np.maximum(z, 0.0)
    z = np.where(z > 0.0, positive ** (1.0 + 0.2 * FRACTIONS * np.sqrt(positive)), y)
    z = z * 10.0 ** (FRACTIONS / 2.0)
    return z**2 - 10.0 * np.cos(2.0 * np.pi * z) + 10.0


def schwefel(x):
    z = (x - ORIGIN) * 10.0 * 10.0 ** (FRACTIONS / 2.0) + 420.9687462275036
    rest = np.fmod(np.abs(z), 500.0)
    folded = np.where(np.abs(z) > 500.0, 500.0 - rest, np.abs(z))
    penalty = np.where(np.abs(z) > 500.0, ((np.abs(z) - 500.0) / 100.0) ** 2 / DIM, 0.0)
    return 418.9828872724338 - np.sign(z) * folded * np.sin(np.sqrt(folded)) + penalty


def lunacek(x):
    # The other of the two bowls is at least the dimension, 50, high.
    y = 0.2 * np.sign(ORIGIN) * (x - ORIGIN)
    z = y * 100.0 ** (FRACTIONS / 2.0)
    return y**2 + 10.0 * (1.0 - np.cos(2.0 * np.pi * z))


FLOORS = [
    (1, "official", sphere, 1.0, 1.8625907895),
    (5, "official", integer_powers, 0.5, 0.43343646903),
    (5, "opfunu-1.0.1", real_powers, 0.5, 0.384172),
    (11, "official", rastrigin, 1.0, 5.1811597126),
    (14, "official", schwefel, 1.0, 48.192846137),
    (17, "official", lunacek, 1.0, 29.637955957),
]


@pytest.mark.parametrize(("number", "edition", "terms", "exponent", "floor"), FLOORS)
def test_floor_on_the_mixed_space(number, edition, terms, exponent, floor):
    values = terms(INTEGERS)
    best = INTEGERS[np.argmin(values, axis=0), 0]
    point = np.where(np.arange(DIM) < DIM // 2, ORIGIN, best)
    lowest = np.sum(values.min(axis=0)[DIM // 2 :]) ** exponent
    assert lowest == pytest.approx(floor, rel=1e-6 if edition != "official" else 1e-10)
    error = real_problem(number, DIM, edition)(point) - FUNCTIONS[number].optimum
    assert error == pytest.approx(lowest, rel=1e-9)


@pytest.mark.parametrize(("number", "edition", "terms", "exponent", "floor"), FLOORS)
def test_no_single_change_of_an_integer_goes_below(number, edition, terms, exponent, floor):
    values = terms(INTEGERS)
    best = INTEGERS[np.argmin(values, axis=0), 0]
    point = np.where(np.arange(DIM) < DIM // 2, ORIGIN, best)
    problem = real_problem(number, DIM, edition)
    for i in range(DIM // 2, DIM):
        rows = np.tile(point, (len(INTEGERS), 1))
        rows[:, i] = INTEGERS[:, 0]
        assert problem.evaluate_many(rows).min() >= problem(point)
