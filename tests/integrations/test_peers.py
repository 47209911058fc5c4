"""The peers: the same run as their library's own, the budget to the evaluation, failures, and the environment apart.

Those whose library is not installed are skipped here; ``make test-peers`` runs this file in the environment that has them.
"""

import math
import os
import sys
from pathlib import Path

import numpy as np
import pytest

import luciole as lc
from integrations.direct import DIRECT, Watched
from luciole.integrations.peers import PEERS, _place, _remote, available, get_peer
from luciole.integrations.peers.catcmawm import levelled
from luciole.integrations.peers.task import Told

pytestmark = pytest.mark.filterwarnings("ignore")  # other libraries' own

SLOW = {"smac3": 8, "vizier-eagle": 60, "optuna-tpe": 30}  # evaluations, where a library takes its time
NAMES = [pytest.param(name, marks=[] if _place.here(peer).present else pytest.mark.skip(reason=f"{name}: {_place.here(peer).reason}"))
         for name, peer in PEERS.items()]

F1 = lc.problems.cec2013(1, dim=10)
VESSEL = lc.problems.pressure_vessel()
MATERIALS = ("steel", "iron", "tin", "lead")


def alloy_cost(p):
    penalty = {"steel": 3.0, "iron": 0.0, "tin": 1.0, "lead": 2.0}[p["material"]]
    return (p["heat"] - 0.3) ** 2 + penalty * (1 + p["heat"]) + abs(p["layers"] - 7) / 5 + 0.5 * p["coated"] + (p["size"] - 4) ** 2


ALLOY = lc.Problem(alloy_cost, lc.Space({
    "heat": lc.Float(-1, 1), "material": lc.Categorical(MATERIALS), "layers": lc.Integer(1, 20), "coated": lc.Boolean(),
    "size": lc.Ordinal([1, 2, 4, 8]), "maker": "us"}))


def vessel_of(values):
    shell, head, radius, length = 0.0625 * (values[0] + 1), 0.0625 * (values[1] + 1), values[2], values[3]
    point = {"shell": shell, "head": head, "radius": radius, "length": length}
    return VESSEL(point), math.fsum(VESSEL.violated(point).values())


def alloy_of(values):
    heat, material, layers, coated, size = values
    return alloy_cost({"heat": heat, "material": MATERIALS[int(material)], "layers": int(layers), "coated": bool(coated),
                       "size": [1, 2, 4, 8][int(size)]}), 0.0


# The problem, its variables in plain terms, its function of plain values, and whether it has constraints.
CASES = {
    "F1": (F1, [("real", -100, 100)] * 5 + [("whole", -100, 100)] * 5, lambda v: (F1(np.array(v, dtype=float)), 0.0), False),
    "vessel": (VESSEL, [("ordered", 99), ("ordered", 99), ("real", 10.0, 200.0), ("real", 10.0, 200.0)], vessel_of, True),
    "alloy": (ALLOY, [("real", -1.0, 1.0), ("choice", 4), ("whole", 1, 20), ("choice", 2), ("ordered", 4)], alloy_of, False),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", NAMES)
def test_a_peer_does_what_its_library_does(name, case):
    problem, variables, function, constrained = CASES[case]
    count = SLOW.get(name, 300)
    watched = Watched(function, count)
    DIRECT[name](variables, watched, 5, constrained)
    found = get_peer(name).run(problem, budget=count, seed=5).history.fun
    np.testing.assert_allclose(found, watched.seen, rtol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_the_budget_is_kept_to_the_evaluation(name):
    for budget in (1, 7, SLOW.get(name, 133) // 2):
        calls = []

        def cost(p, calls=calls):
            calls.append(p)
            return alloy_cost(p), [p["layers"] - 12]

        problem = lc.Problem(cost, ALLOY.space, constraint_names=["layers"])
        result = get_peer(name).run(problem, budget=budget, seed=1)
        assert len(calls) == result.nfev == len(result.history) == budget
        assert all(p in ALLOY.space and type(p["layers"]) is int and type(p["coated"]) is bool for p in calls)
        assert result.success == any(p["layers"] <= 12 for p in calls)
        if result.success:
            assert result.fun == min(alloy_cost(p) for p in calls if p["layers"] <= 12)
            assert alloy_cost(result.x) == result.fun


@pytest.mark.parametrize("name", NAMES)
def test_failures_count_and_are_never_best(name):
    def cost(p):
        if p["material"] == "iron":
            raise OSError("it melted")
        return math.nan if p["material"] == "tin" else alloy_cost(p)

    problem = lc.Problem(cost, ALLOY.space)
    budget = SLOW.get(name, 150)
    result = get_peer(name).run(problem, budget=budget, seed=2, on_error="penalise")
    assert result.nfev == budget
    materials = [p["material"] for p in result.history.x]
    assert sorted(result.history.errors) == [n for n, material in enumerate(materials) if material in ("iron", "tin")]
    assert result.x["material"] in ("steel", "lead")
    assert result.fun == np.nanmin(result.history.fun)

    def melts(p):
        raise OSError("it melted")

    with pytest.raises(OSError, match="melted"):
        get_peer(name).run(lc.Problem(melts, ALLOY.space), budget=budget, seed=2)


@pytest.mark.parametrize("name", NAMES)
def test_a_run_in_which_everything_fails_says_so(name):
    count = 6 if name == "smac3" else 20
    result = get_peer(name).run(lc.Problem(lambda p: math.inf, ALLOY.space), budget=count, seed=0)
    assert (result.nfev, result.x, result.success) == (count, None, False)
    assert f"every one of the {count} evaluations failed" in result.message


@pytest.mark.parametrize("name", NAMES)
def test_all_kinds_and_the_other_direction(name):
    space = lc.Space({"rate": lc.Float(1e-3, 1.0, log=True), "units": lc.Integer(1, 1000, log=True), "far": lc.Integer(-10**9, 10**9),
                      "fine": lc.Float(0, 1, step=0.25), "many": lc.Ordinal(range(40)), "one": lc.Integer(3, 3)})
    problem = lc.Problem(lambda p: p["units"] - 100 * p["rate"], space, direction="maximize", constraints=[lambda p: p["fine"] - 0.8])
    result = get_peer(name).run(problem, budget=SLOW.get(name, 80) // 2, seed=3)
    feasible = [p["units"] - 100 * p["rate"] for p in result.history.x if p["fine"] <= 0.8]
    assert result.fun == max(feasible)
    assert result.x in space


@pytest.mark.parametrize("name", NAMES)
def test_a_space_without_a_choice_or_with_few_points(name):
    fixed = get_peer(name).run(lc.Problem(lambda p: 7.0, lc.Space(x=lc.Integer(3, 3), c="red")), budget=5)
    assert (fixed.nfev, fixed.fun, fixed.x) == (5, 7.0, {"x": 3, "c": "red"})
    tiny = lc.Problem(lambda p: p["n"] + p["b"], lc.Space(n=lc.Integer(0, 2), b=lc.Boolean()))
    result = get_peer(name).run(tiny, budget=25)
    if name == "smac3":  # which never repeats a point
        assert result.nfev == 6
        assert "ended by itself" in result.message
    else:
        assert result.nfev == 25
    assert result.fun == result.history.fun.min() <= 1.0


@pytest.mark.parametrize("name", [each for each in NAMES if each.values[0] in ("cmawm", "catcmawm", "scipy-de", "pymoo-ga")])
def test_what_converges_begins_anew(name):
    smooth = lc.Problem(lambda p: (p["x"] - 0.25) ** 2 + p["n"], lc.Space(x=lc.Float(0, 1), n=lc.Integer(0, 5)))
    result = get_peer(name).run(smooth, budget=6000, seed=1)
    assert result.nfev == 6000
    late = [p["x"] for p in result.history.x[3000:]]
    if name != "pymoo-ga":  # which goes on finding new points
        assert max(late) - min(late) > 0.5
    assert result.fun < 1e-12 or name == "pymoo-ga"


def test_options_are_checked_and_shown():
    assert get_peer("scipy-de", popsize=3).label == "scipy-de(popsize=3)"
    assert get_peer("scipy-de").label == "scipy-de"
    assert get_peer("scipy-de", popsize=3).run(ALLOY, budget=40).method == "scipy-de(popsize=3)"
    with pytest.raises(lc.ArgumentError, match="peer 'scipy' is not known; use cmawm, "):
        get_peer("scipy")
    with pytest.raises(lc.ArgumentError, match="scipy-de takes popsize, not size"):
        get_peer("scipy-de", size=3)
    for bad in ({"budget": 0}, {"budget": 5, "seed": -1}, {"budget": 5, "on_error": "pass"}):
        with pytest.raises(lc.ArgumentError):
            get_peer("scipy-de").run(ALLOY, **bad)


def test_deb_within_a_generation():
    assert levelled([Told(5.0, 0.0), Told(-9.0, 0.5), Told(math.nan, math.inf), Told(2.0, 0.0)]) == [5.0, 5.5, 6.5, 2.0]
    assert levelled([Told(5.0, 2.0), Told(7.0, 1.0)]) == [2.0, 1.0]
    assert levelled([Told(math.nan, math.inf)] * 2) == [1.0, 1.0]


# -- the environment apart ----------------------------------------------------------------------------------------------


@pytest.fixture
def elsewhere(monkeypatch):
    """Runs go to another process, in this same environment."""
    source = str(Path(lc.__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([source, os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setattr(_place, "here", lambda peer: _place.Place("", "", "it is elsewhere"))
    monkeypatch.setattr(_place, "environment", lambda: Path(sys.executable))
    yield
    _remote._close()
    _place.there.cache_clear()


def test_another_environment_gives_the_same_run(elsewhere, monkeypatch):
    found = {problem: get_peer("scipy-de", popsize=4).run(problem, budget=300, seed=4).history for problem in (ALLOY, VESSEL)}
    monkeypatch.undo()
    for problem, history in found.items():
        same = get_peer("scipy-de", popsize=4).run(problem, budget=300, seed=4).history
        assert np.array_equal(history.slots, same.slots)
        assert np.array_equal(history.fun, same.fun)


def test_one_worker_serves_many_runs(elsewhere):
    for seed in range(3):
        assert get_peer("scipy-de").run(ALLOY, budget=50, seed=seed).nfev == 50
    [workers] = _remote._idle.values()
    assert len(workers) == 1


def test_an_objective_that_raises_ends_the_run_here(elsewhere):
    def melts(p):
        raise OSError("it melted")

    with pytest.raises(OSError, match="melted"):
        get_peer("scipy-de").run(lc.Problem(melts, ALLOY.space), budget=50)
    result = get_peer("scipy-de").run(lc.Problem(melts, ALLOY.space), budget=50, on_error="penalise")
    assert (result.nfev, len(result.history.errors)) == (50, 50)
    with pytest.raises(KeyboardInterrupt):
        get_peer("scipy-de").run(lc.Problem(lambda p: (_ for _ in ()).throw(KeyboardInterrupt), ALLOY.space), budget=50)


def test_a_peer_that_breaks_says_where(elsewhere):
    with pytest.raises(lc.StateError, match=r"the peer scipy-de failed in its environment:(.|\n)*scipy_de.py(.|\n)*TypeError"):
        get_peer("scipy-de", popsize="many").run(ALLOY, budget=50)
    assert get_peer("scipy-de").run(ALLOY, budget=50).nfev == 50


def test_absent_peers_have_a_reason(monkeypatch, tmp_path):
    monkeypatch.setattr(PEERS["ngopt"], "modules", ("no_such_module",))
    monkeypatch.setattr(_place, "environment", lambda: None)
    assert available()["ngopt"].reason == "no_such_module is not installed; make peers builds an environment for it"
    assert available()["scipy-de"].where == "here"
    with pytest.raises(lc.MissingExtraError, match="the peer ngopt is absent: no_such_module is not installed; make peers"):
        get_peer("ngopt").run(ALLOY, budget=5)
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho oh >&2; exit 3\n")
    broken.chmod(0o755)
    monkeypatch.setattr(_place, "environment", lambda: broken)
    with pytest.raises(lc.MissingExtraError, match="does not work: oh; build it anew with: make peers"):
        available()
