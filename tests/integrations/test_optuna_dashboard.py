"""A study of the sampler opens in optuna-dashboard like any other."""

import json
from wsgiref.util import setup_testing_defaults

import optuna
import pytest

import luciole as lc
from luciole.integrations.optuna import FireflySampler, suggest

dashboard = pytest.importorskip("optuna_dashboard", reason="needs optuna-dashboard")

SPACE = lc.Space(x=lc.Float(0, 1), n=lc.Integer(1, 100, log=True), size=lc.Ordinal(["S", "M", "L"]), kind=lc.Categorical(["a", "b"]))


def objective(trial):
    point = suggest(trial, SPACE)
    if trial.number == 3:
        raise optuna.TrialPruned
    return point["x"] + point["n"] + (point["kind"] == "a")


def page(app, path):
    """What the dashboard's server answers, as its own pages ask for it."""
    answer = {}
    environment = {"PATH_INFO": path, "CONTENT_TYPE": "application/json"}
    setup_testing_defaults(environment)
    parts = app(environment, lambda status, headers, error=None: answer.update(status=status))
    body = b"".join(parts)
    if hasattr(parts, "close"):  # a file
        parts.close()
    assert answer["status"] == "200 OK", (answer, body[:500])
    return body


def shown(sampler):
    """A study of the sampler, and what the page of the study asks for."""
    storage = optuna.storages.InMemoryStorage()
    study = optuna.create_study(storage=storage, study_name="some", sampler=sampler)
    study.optimize(objective, n_trials=20)
    app = dashboard.wsgi(storage)
    assert b"<title>Optuna Dashboard" in page(app, "/dashboard/studies/0")
    return study, json.loads(page(app, "/api/studies/0")), json.loads(page(app, "/api/studies/0/param_importances"))


def test_the_page_of_a_study():
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study, mine, importances = shown(FireflySampler(SPACE, seed=0))
    _, other, _ = shown(optuna.samplers.RandomSampler(seed=0))
    assert mine.keys() == other.keys()
    for ours, theirs, trial in zip(mine["trials"], other["trials"], study.trials, strict=True):
        assert ours.keys() == theirs.keys()
        assert ours["state"] == trial.state.name.capitalize()
        assert [(each["name"], each["distribution"]) for each in ours["params"]] == [(each["name"], each["distribution"]) for each in theirs["params"]]
        assert {each["name"]: each["param_external_value"] for each in ours["params"]} == {name: str(value) for name, value in trial.params.items()}
    assert [each["number"] for each in mine["best_trials"]] == [study.best_trial.number]
    assert {each["name"] for each in importances["param_importances"][0]} == set(SPACE)
