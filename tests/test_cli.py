import json
import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import luciole as lc
from luciole.algorithms import METHODS, PUBLISHED
from luciole.cli import app
from luciole.problems import PROBLEMS

runner = CliRunner()

MODULE = """
import math
import luciole as lc

def cost(p):
    return (p["x"] - 1) ** 2 + p["n"] + (p["c"] == "a")

def never(p):
    return 1.0, [1.0]

def shaky(p):
    return cost(p) if p["n"] > 2 else 1 / 0

problem = lc.Problem(cost, lc.Space(x=lc.Float(0, 2), n=lc.Integer(0, 2), c=lc.Categorical(["a", "b"])))
"""

SPACE = """
x = { type = "float", low = -5, high = 5 }
n = { type = "integer", low = 2, high = 9 }
c = { type = "categorical", values = ["a", "b"] }
fixed = 3
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(MODULE)
    (tmp_path / "space.toml").write_text(SPACE)
    (tmp_path / "broken.py").write_text("def cost(p) return 1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def luciole(*arguments):
    """The command as a user runs it."""
    return subprocess.run([sys.executable, "-m", "luciole", *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", PROBLEMS)
def test_solve_prints_value_design_feasibility_and_evaluations(name):
    out = runner.invoke(app, ["solve", name, "--budget", "2000"]).output
    problem = lc.problems.get_problem(name)
    assert re.search(rf"^{problem.value_name}: -?\d", out, re.M)
    for name, variable in problem.space.items():
        assert re.search(rf"^  {name} +{'-?[0-9]' if variable.type_name != 'categorical' else '[a-z]'}", out, re.M)
    assert "feasible: yes" in out
    assert re.search(r"evaluations: (2000|1\d\d\d) in", out)  # fewer where the points of a countable space are mostly known


def test_the_pressure_vessel_is_solved_by_default():
    out = runner.invoke(app, ["solve", "pressure-vessel"]).output
    assert float(re.search(r"^cost: ([\d.]+)", out, re.M)[1]) < 6100
    assert re.search(r"radius +\d+\.\d+ in", out)


def test_the_same_seed_gives_the_same_json():
    runs = [json.loads(runner.invoke(app, ["solve", "coil-spring", "--budget", "300", "--seed", "4", "--json"]).output) for _ in range(2)]
    for run in runs:
        del run["seconds"]
    assert runs[0] == runs[1]
    assert runs[0]["evaluations"] == 300
    assert set(runs[0]["x"]) == {"wire", "diameter", "coils"}
    assert isinstance(runs[0]["x"]["coils"], int)


def test_solve_ones_own_function(folder):
    run = luciole("solve", "mine:cost", "--space", "space.toml", "--budget", "500", "--plot", "picture.png")
    assert run.returncode == 0, run.stderr
    assert "n      2" in run.stdout
    assert "c      b" in run.stdout
    assert (folder / "picture.png").stat().st_size > 5000


def test_solve_ones_own_problem_with_workers(folder):
    run = luciole("solve", "mine:problem", "--budget", "200", "--workers", "2", "--method", "FAmv_H^a")
    assert run.returncode == 0, run.stderr
    assert "with FAmv_H^a" in run.stdout


def test_an_error_ends_the_run_or_is_counted(folder):
    run = luciole("solve", "mine:shaky", "--space", "space.toml", "--budget", "50")
    assert run.returncode == 1
    assert "ZeroDivisionError" in run.stderr
    run = luciole("solve", "mine:shaky", "--space", "space.toml", "--budget", "500", "--on-error", "penalise")
    assert run.returncode == 0, run.stderr
    assert "n      3" in run.stdout


def test_whole_numbers_are_printed_whole():
    out = runner.invoke(app, ["solve", "f1", "--budget", "30"]).output
    assert re.search(r"^  x24  -?\d+\.\d{6}$", out, re.M)
    assert re.search(r"^  x25  -?\d+$", out, re.M)


def test_the_time_may_be_limited():
    out = runner.invoke(app, ["solve", "coil-spring", "--budget", "100000000", "--timeout", "0.2"]).output
    assert "the time is used up" in out


def test_no_feasible_point_is_an_exit_code_of_1(folder):
    run = luciole("solve", "mine:never", "--space", "space.toml", "--budget", "20")
    assert run.returncode == 1
    assert "feasible: no, violation 1" in run.stdout


@pytest.mark.parametrize(("arguments", "message"), [
    (["solve", "vessel"], "luciole: the problem 'vessel' is not known; use pressure-vessel"),
    (["solve", "coil-spring", "--method", "x"], "luciole: method='x' is not known; use famv"),
    (["solve", "coil-spring", "--budget", "0"], "luciole: budget=0 must be at least 1"),
    (["solve", "coil-spring", "--on-error", "skip"], "luciole: on_error='skip' is not known; use 'raise' or 'penalise'"),
    (["solve", "mine:cost"], "luciole: 'mine:cost' is a function; its space is missing: --space FILE.toml"),
    (["solve", "mine:prize", "--space", "space.toml"], "luciole: 'mine:prize': the module 'mine' has no 'prize'"),
    (["solve", "yours:cost"], "luciole: 'yours:cost': there is no module 'yours' in this folder or installed"),
    (["solve", "mine:cost", "--space", "none.toml"], "luciole: --space none.toml: No such file"),
    (["solve", "mine:cost", "--space", "."], "luciole: --space .: Is a directory"),
    (["solve", ":cost"], "luciole: ':cost' must be a problem's name, or your own function as module:function"),
    (["solve", "no.such:cost"], "luciole: 'no.such:cost': there is no module 'no.such'"),
    (["solve", "broken:cost"], "luciole: 'broken:cost': importing 'broken' failed: SyntaxError"),
    (["solve", "mine:problem", "--maximize"], "luciole: --space and --maximize go with a function, but 'mine:problem' is a Problem"),
    (["solve", "mine.cost", "--space", "space.toml"], "luciole: --space and --maximize go with your own function as module:function, but"),
    (["solve", "coil-spring", "--plot", "none/a.png"], "luciole: --plot none/a.png: there is no folder none"),
    (["solve", "coil-spring", "--plot", "a.xyz"], "luciole: --plot a.xyz: the ending must be one of"),
    (["solve", "mine:cost", "--space", "mine.py"], "luciole: --space mine.py: "),
    (["solve", "coil-spring", "--space", "space.toml"], "luciole: --space and --maximize go with your own function"),
])
def test_mistakes_end_in_one_line(folder, arguments, message):
    run = luciole(*arguments)
    assert run.returncode == 2
    assert run.stderr.startswith(message), run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert run.stdout == ""


def test_the_version():
    assert runner.invoke(app, ["--version"]).output.strip() == lc.__version__


def test_lists():
    methods = runner.invoke(app, ["methods"]).output
    assert "famv (default)" in methods
    for name in [*METHODS, *PUBLISHED]:
        assert re.search(rf"^{re.escape(name)}\b", methods, re.M)
    problems = runner.invoke(app, ["problems"]).output
    for name in PROBLEMS:
        assert name in problems
    assert "2 ordinal, 2 float" in problems


def test_warmup_compiles_every_method():
    out = runner.invoke(app, ["warmup"]).output
    for name in METHODS:
        assert f"compiled {name}" in out
