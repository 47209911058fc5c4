import dataclasses
import json

import numpy as np
import pytest

import luciole as lc
from luciole.study.plan import parse_plan
from luciole.study.run import do_run, run_seed
from luciole.study.runner import run_study, tasks_of
from luciole.study.store import read_results

TINY = """
name = "tiny"
budget = 60
repetitions = 4
problems = ["pressure-vessel", "coil-spring"]
methods = ["random", "famv", "GA"]
"""
SAME = ["problem", "method", "repetition", "seed", "error", "value", "violation", "evaluations"]


def test_a_study_stores_every_run_and_its_repetition_gives_the_same(tmp_path):
    plan = parse_plan(TINY)
    outcome = run_study(plan, tmp_path, workers=2)
    assert (outcome.finished, outcome.made, outcome.failed, outcome.evaluations) == (24, 24, 0, 24 * 60)
    results = read_results(tmp_path)
    assert (results.name, results.methods, results.repetitions) == ("tiny", ("random", "famv", "GA"), 4)
    assert [each.name for each in results.problems] == ["VESSEL", "CSD"]
    assert len(results.runs) == 24
    for task in tasks_of(plan):
        row = results.runs.set_index(["problem", "method", "repetition"]).loc[task.key]
        problem = lc.problems.get_problem(task.problem.problem)
        result = lc.minimize(problem, budget=60, method=task.method.method, rng=run_seed(0, *task.key))
        assert (row["seed"], row["value"], row["violation"]) == (run_seed(0, *task.key), result.fun, result.violation)
        assert row["error"] == (abs(result.fun - problem.optimum) if result.success else np.inf)
        assert json.loads(results.points[task.key]) == result.x
        best = result.history.best_so_far()
        trace = results.traces[task.key]
        assert trace[-1].tolist() == [60, row["error"]]
        for evaluations, error in trace:
            so_far = best[int(evaluations) - 1]
            assert error == (np.inf if np.isnan(so_far) else abs(so_far - problem.optimum))
    assert results.about["command"] == f"luciole study run --out {tmp_path}"
    assert len(results.only(methods=["GA"]).points) == 8
    assert run_study(plan, tmp_path, command="tiny.toml --seed 0").made == 0
    assert read_results(tmp_path).about["command"] == "luciole study run tiny.toml --seed 0 --out DIR"


def test_a_part_of_a_plan_gives_the_same_numbers_as_the_whole():
    whole = {task.key: task for task in tasks_of(parse_plan(TINY))}
    part = tasks_of(parse_plan(TINY, problems=["csd"], methods=["GA", "random"], repetitions=2))
    assert [task.key for task in part] == [("CSD", method, n) for n in (0, 1) for method in ("GA", "random")]
    for task in part:
        mine, its = (dataclasses.replace(do_run(each), seconds=0.0) for each in (task, whole[task.key]))
        assert (mine.seed, mine.value, mine.point) == (its.seed, its.value, its.point)
        np.testing.assert_array_equal(mine.trace, its.trace)


def test_peers_take_part(tmp_path, monkeypatch):
    import sqlite3
    from importlib.metadata import version

    from luciole.integrations.peers import PEERS

    plan = parse_plan(TINY, problems=["csd"], methods=["scipy-de", "GA"], repetitions=1)
    assert run_study(plan, tmp_path / "out", workers=1).finished == 2
    connection = sqlite3.connect(tmp_path / "out" / "study.sqlite")
    places = [json.loads(each) for (each,) in connection.execute("SELECT description FROM places")]
    connection.close()
    assert any(each["versions"]["scipy"] == version("scipy") for each in places)
    monkeypatch.setattr(PEERS["scipy-de"], "modules", ("nowhere_to_be_found",))
    monkeypatch.setenv("LUCIOLE_PEERS", str(tmp_path / "none"))
    with pytest.raises(lc.MissingExtraError, match="the peer scipy-de is absent: nowhere_to_be_found"):
        run_study(plan, tmp_path / "other", workers=1)
    assert not (tmp_path / "other").exists()
