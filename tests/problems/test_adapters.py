"""Problems of other suites as ordinary problems."""

import pickle
import sys

import numpy as np
import pytest

import luciole as lc


def test_coco():
    pytest.importorskip("cocoex", reason="needs coco-experiment: pip install 'luciole[suites]'")
    problem = lc.problems.coco(3, 5, instance=2)
    assert [each.type_name for each in problem.space.values()] == ["integer"] * 4 + ["float"]
    assert problem.name == "bbob-mixint_f003_i02_d05"
    x = problem.space.sample(rng=0)
    assert problem(x) == pickle.loads(pickle.dumps(problem.objective))(x) == problem.objective.problem()(x)
    assert lc.minimize(problem, budget=300, rng=0).fun <= np.median(problem.evaluate_many(problem.space.sample(20, rng=1)))


@pytest.mark.parametrize(("arguments", "message"), [
    ({"function": 3, "dim": 6}, "function=3, dim=6, instance=1 is not in the suite bbob-mixint, which has the functions 1 to 24 in "
                                "5, 10, 20, 40, 80, 160 dimensions"),
    ({"function": 99, "dim": 5}, "function=99, dim=5, instance=1 is not in the suite bbob-mixint"),
    ({"function": 0, "dim": 5}, "function=0 must be a whole number of at least 1"),
    ({"function": 3, "dim": 5, "suite": "unknown"}, "suite='unknown' is not known; COCO has bbob"),
    ({"function": 3, "dim": 5, "suite": "bbob-biobj"}, "several objectives"),
])
def test_coco_refuses(arguments, message):
    pytest.importorskip("cocoex", reason="needs coco-experiment: pip install 'luciole[suites]'")
    with pytest.raises(lc.ArgumentError) as caught:
        lc.problems.coco(**arguments)
    assert message in str(caught.value)


def test_ioh():
    pytest.importorskip("ioh", reason="needs ioh: pip install 'luciole[suites]'")
    sphere = lc.problems.ioh("Sphere", 5)
    assert sphere.check().value == pytest.approx(79.48)
    assert (sphere.direction, sphere.space["x0"]) == ("minimize", lc.Float(-5, 5))
    assert lc.minimize(sphere, budget=1500, rng=0).fun == pytest.approx(79.48, abs=0.5)
    one_max = lc.problems.ioh(1, 8, suite="PBO")
    assert (one_max.direction, one_max.space["x0"], one_max.optimum) == ("maximize", lc.Integer(0, 1), 8.0)
    assert lc.minimize(one_max, budget=500, rng=0).fun == 8.0
    assert pickle.loads(pickle.dumps(one_max))([1] * 7 + [0]) == 7.0


@pytest.mark.parametrize(("arguments", "message"), [
    ({"problem": "Unknown", "dim": 5}, "problem='Unknown' is not in BBOB; it has Sphere"),
    ({"problem": 1, "dim": 0}, "dim=0 must be a whole number of at least 1"),
    ({"problem": 1, "dim": 5, "suite": "unknown"}, "suite='unknown' is not known; IOHprofiler has REAL"),
])
def test_ioh_refuses(arguments, message):
    pytest.importorskip("ioh", reason="needs ioh: pip install 'luciole[suites]'")
    with pytest.raises(lc.ArgumentError) as caught:
        lc.problems.ioh(**arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize(("module", "make"), [
    ("cocoex", lambda: lc.problems.coco(4, 5, instance=7)),
    ("ioh", lambda: lc.problems.ioh("Sphere", 5, instance=7)),
])
def test_missing_package_is_named_with_its_extra(module, make, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(lc.MissingExtraError, match=r"luciole\[suites\]"):
        make()
