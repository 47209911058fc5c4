"""Values against the organisers' program, opfunu 1.0.1 and pygmo."""

import numpy as np
import pytest

from cec2013_oracle import REFERENCE_DIMENSIONS, read_oracle, real_problem, reference
from luciole.problems.cec2013 import DIMENSIONS, EDITIONS, FUNCTIONS

CASES = [(e, d) for e in EDITIONS for d in REFERENCE_DIMENSIONS[e]]
# pygmo takes real exponents where the official program divides integers.
PYGMO_DIFFERS = (5, 21)


@pytest.mark.parametrize(("edition", "dim"), CASES)
@pytest.mark.parametrize("number", FUNCTIONS)
def test_equals_reference(number, edition, dim):
    points, values, tolerance = reference(number, dim, edition)
    computed = real_problem(number, dim, edition).evaluate_many(points)
    assert np.all(np.abs(computed - values) <= tolerance)


def test_both_oracles_use_the_same_points():
    # The sensitivities of the official file serve both.
    for dim in REFERENCE_DIMENSIONS["opfunu-1.0.1"]:
        np.testing.assert_array_equal(*(read_oracle(edition)[f"X_D{dim}"] for edition in EDITIONS))


@pytest.mark.parametrize("dim", [dim for dim in DIMENSIONS if dim >= 20])
@pytest.mark.parametrize("number", [n for n in FUNCTIONS if n not in PYGMO_DIFFERS])
def test_equals_pygmo(number, dim):
    pygmo = pytest.importorskip("pygmo")
    problem = pygmo.problem(pygmo.cec2013(prob_id=number, dim=dim))
    rng = np.random.default_rng(dim)
    inside, near = rng.uniform(-100.0, 100.0, (6, dim)), rng.uniform(-10.0, 10.0, (4, dim))
    ours = real_problem(number, dim)
    for x in (*inside, *near):
        value = problem.fitness(x)[0]
        around = [problem.fitness(np.nextafter(x, s * np.inf))[0] for s in (-1.0, 1.0)]
        moved = max(abs(v - value) for v in around)
        error = abs(value - FUNCTIONS[number].optimum)
        assert abs(ours(x) - value) <= max(1e-9 * error, 1e-9, 10.0 * moved)
