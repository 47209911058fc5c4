"""The engineering designs: their best known designs, names and penalties."""

import numpy as np
import pytest

import luciole as lc
from luciole.problems import DESIGNS, PROBLEMS, get_problem

PUBLISHED = {
    "pressure-vessel": 6059.714335, "welded-beam": 1.7248523, "coil-spring": 1.0594048, "coil-spring-catalogue": 1.0774734, "speed-reducer": 2994.471066,
    "gear-train": 2.700857e-12, "disc-clutch-brake": 0.3136566, "rolling-bearing": 81859.74, "car-side-impact": 22.84297,
    "concrete-beam": 359.2080, "stepped-cantilever": 64578.194, "three-bar-truss": 263.895843, "i-beam": 0.0130741,
    "ten-bar-truss": 5490.74, "process-synthesis": 2.0, "process-design": 2.12447, "process-flowsheet": 1.076543083,
    "reactor-choice": 99.2396, "process-selection": 4.579582, "batch-plant": 38499.8, "planetary-gear-train": 0.52325,
}


@pytest.mark.parametrize("make", DESIGNS)
def test_best_known_design_checks(make):
    problem = make()
    evaluation = problem.check()
    assert evaluation.value == pytest.approx(PUBLISHED[problem.name], rel=2e-5)
    assert get_problem(problem.name).name == problem.name


@pytest.mark.parametrize("make", DESIGNS)
def test_every_constraint_has_one_name(make):
    problem = make()
    rng = np.random.default_rng(0)
    for point in problem.space.sample(200, rng=rng):
        returned = problem.objective(problem.space.numbers(problem.space.encode(point)))
        value, constraints = returned if isinstance(returned, tuple) else (returned, [])
        assert len(constraints) == len(problem.limits)
        assert np.isfinite(value)
        assert np.all(np.isfinite(constraints))
        assert set(problem.violated(point)) <= set(problem.limits)
    assert set(problem.units) <= set(problem.space)
    assert all(limit > 0 for limit in problem.limits.values())
    assert "References" in make.__doc__


@pytest.mark.parametrize("make", DESIGNS)
def test_a_search_does_not_beat_the_best_known_design(make):
    problem = make()
    result = lc.minimize(problem, budget=1500, rng=0)
    assert not result.success or problem.sign * result.fun >= problem.sign * problem.optimum - 1e-6 * abs(problem.optimum)


def test_check_says_what_does_not_hold():
    vessel = lc.problems.pressure_vessel()
    vessel.optimum = 6000.0
    with pytest.raises(lc.CheckError, match=r"the best known design has the value 6059\.71.*, not 6000\.0"):
        vessel.check()
    vessel = lc.problems.pressure_vessel()
    vessel.best_known = (0.75, 0.4375, 42.0, 180.0)
    vessel.optimum = vessel(vessel.best_known)
    with pytest.raises(lc.CheckError, match=r"breaks the constraint 'shell thickness' by 0\.06"):
        vessel.check()
    vessel.best_known = None
    with pytest.raises(lc.StateError, match="no best design"):
        vessel.check()


def test_violated_names_every_kind_of_constraint():
    def objective(p):
        return p["x"], [p["x"] - 1, p["x"] - 2]

    problem = lc.Problem(objective, lc.Space(x=lc.Float(0, 10)), constraint_names=["first"],
                         constraints=[lc.Constraint(lambda p: p["x"] - 3, name="third")])
    assert problem.violated({"x": 2.5}) == {"first": 1.5, "constraint 2": 0.5}


@pytest.mark.parametrize(("make", "point", "expected"), [
    (lc.problems.pressure_vessel, (0.75, 0.4375, 42.0, 200.0), lambda value, g: 1e6 + sum(g)),
    (lc.problems.welded_beam, (0.2, 3.0, 9.0, 0.2), lambda value, g: value + 100 * sum(g) + 100 * sum(each > 0 for each in g)),
    (lc.problems.coil_spring, (0.25, 1.3, 7), lambda value, g: value + 1e6 * sum(g)),
])
def test_penalties_of_the_paper(make, point, expected):
    plain, punished = make(), make(penalty="paper")
    value, violations = plain(point), list(plain.violated(point).values())
    assert violations
    assert punished(point) == pytest.approx(expected(value, violations), rel=1e-12)


def test_the_product_of_the_catalogue_spring():
    plain, product = lc.problems.coil_spring_catalogue(), lc.problems.coil_spring_catalogue(penalty="product")
    point = (0.283, 1.4, 9)
    violations = plain.violated(point)
    assert violations
    expected = plain(point) * np.prod([1 + 10 * each / plain.limits[name] for name, each in violations.items()])
    assert product(point) == pytest.approx(expected, rel=1e-12)
    assert product(product.best_known) == product.optimum


def test_every_problem_has_what_the_list_shows():
    for name, make in PROBLEMS.items():
        problem = make()
        assert (problem.name, bool(problem.title), bool(problem.category)) == (name, True, True)


def test_unknown_name():
    with pytest.raises(lc.ArgumentError, match="the problem 'f29' is not known"):
        get_problem("f29")


@pytest.mark.parametrize(("names", "message"), [
    ("mass", "constraint_names='mass' must be a list of different strings"),
    (["a", "a"], "must be a list of different strings"),
    ([1], "must be a list of different strings"),
    ({"a": 0}, "the limit 0 of 'a' must be a number above 0"),
])
def test_constraint_names_are_checked(names, message):
    with pytest.raises(lc.ArgumentError) as caught:
        lc.Problem(lambda p: (p["x"], [p["x"]]), lc.Space(x=lc.Float(0, 1)), constraint_names=names)
    assert message in str(caught.value)
