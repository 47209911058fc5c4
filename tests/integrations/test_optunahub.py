"""The folder for OptunaHub: complete, and its example runs as OptunaHub would run it."""

import importlib.util
import runpy
import sys
from pathlib import Path
from types import ModuleType

import optuna
import yaml

PACKAGE = Path(__file__).parents[2] / "optunahub" / "package" / "samplers" / "firefly"


def load_module(package):
    assert PACKAGE.as_posix().endswith(package)
    spec = importlib.util.spec_from_file_location("firefly", PACKAGE / "__init__.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_readme_opens_with_what_the_registry_asks_for():
    _, head, body = (PACKAGE / "README.md").read_text().split("---\n", 2)
    entries = yaml.safe_load(head)
    assert set(entries) == {"author", "title", "description", "tags", "optuna_versions", "license"}
    assert "sampler" in entries["tags"]
    assert optuna.__version__.split(".")[0] in {each.split(".")[0] for each in entries["optuna_versions"]}
    assert [line for line in body.splitlines() if line.startswith("## ")] == [
        "## Class or Function Names", "## Installation", "## Example", "## Others"]
    assert "MIT License" in (PACKAGE / "LICENSE").read_text()


def test_the_example_runs(monkeypatch, capsys):
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    hub = ModuleType("optunahub")
    hub.load_module = load_module
    monkeypatch.setitem(sys.modules, "optunahub", hub)
    runpy.run_path(str(PACKAGE / "example.py"), run_name="__main__")
    value, _, params = capsys.readouterr().out.partition(" ")
    assert float(value) < 0.5
    assert "'kind': 'c'" in params
