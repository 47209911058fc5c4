import math
import pickle

import numpy as np
import pytest

import luciole as lc
from luciole.problems import coil_spring, pressure_vessel, welded_beam

PAPER = [pressure_vessel, welded_beam, coil_spring]


def evaluate(problem, *numbers):
    return problem.evaluate(problem.space.encode(numbers))


@pytest.mark.parametrize("make", PAPER)
def test_the_best_known_design_has_the_best_known_value(make):
    """Feasible to the last bit, and in the eyes of the paper's penalty as well."""
    problem = make()
    found = evaluate(problem, *problem.best_known)
    assert found.value == problem.optimum
    assert found.violation == 0
    penalised = pickle.loads(pickle.dumps(make("paper")))
    assert penalised(problem.best_known) == problem.optimum
    assert problem.over(problem.space).check() == found


def test_published_designs_of_the_spring():
    """Sandgren's catalogue wire, whose weight is usually given times pi^2/4."""
    value, violation, *_ = evaluate(coil_spring(), 0.283, 1.223041, 9)
    assert value == pytest.approx(1.0774734, abs=1e-6)
    assert value * math.pi**2 / 4 == pytest.approx(2.6585591, abs=1e-6)
    assert violation < 1e-5


def test_the_longer_vessel():
    """With a length of up to 240 the published optimum is another; the fourth constraint is there for it."""
    cost = pressure_vessel().objective(np.array([0.75, 0.375, 38.8601, 221.3655]))[0]
    assert cost == pytest.approx(5850.38306, rel=1e-5)


def test_the_penalties_of_the_paper():
    broken = evaluate(pressure_vessel(), 0.5, 0.5, 30.0, 100.0)
    assert broken.violation > 1
    assert evaluate(pressure_vessel("paper"), 0.5, 0.5, 30.0, 100.0) == (1e6 + broken.violation, broken.violation, None, True)

    plain = evaluate(welded_beam(), 0.2, 3.0, 9.0, 0.3)
    count = sum(g > 0 for g in welded_beam().objective(np.array([0.2, 3.0, 9.0, 0.3]))[1])
    assert evaluate(welded_beam("paper"), 0.2, 3.0, 9.0, 0.3).value == pytest.approx(
        plain.value + 100 * plain.violation + 100 * count)

    plain = evaluate(coil_spring(), 0.2, 3.0, 5)
    assert evaluate(coil_spring("paper"), 0.2, 3.0, 5).value == pytest.approx(plain.value + 1e6 * plain.violation)
    with pytest.raises(lc.ArgumentError, match="penalty='big' is not known; use 'paper'"):
        coil_spring("big")


@pytest.mark.parametrize("make", PAPER)
def test_the_paper_says_feasible_where_we_do(make):
    problem, penalised = make(), make("paper")
    feasible = 0
    for point in problem.space.sample(3000, rng=0):
        slots = problem.space.encode(point)
        value, violation, *_ = problem.evaluate(slots)
        feasible += violation == 0
        judged = penalised.evaluate(slots).value
        assert judged == value if violation == 0 else judged > value or violation < 1e-5
    assert feasible > 5


@pytest.mark.parametrize(("make", "close"), [(pressure_vessel, 6100), (welded_beam, 1.73), (coil_spring, 1.08)])
def test_the_default_method_comes_close_to_the_best_known(make, close):
    found = [lc.minimize(make(), budget=10_000, rng=seed) for seed in range(5)]
    assert all(result.success for result in found)
    assert np.median([result.fun for result in found]) < close
    assert min(result.fun for result in found) >= make().optimum * (1 - 1e-6)
