"""The command line knows every problem."""

import json

import pytest
from typer.testing import CliRunner

from luciole.cli import app
from luciole.problems import PROBLEMS


def run(*arguments):
    return CliRunner().invoke(app, list(arguments))


def test_problems_lists_them_all():
    lines = run("problems").output.splitlines()
    assert lines[0].split() == ["name", "variables", "constraints", "category", "optimum", "what", "it", "is"]
    assert [line.split()[0] for line in lines[2:]] == list(PROBLEMS)
    assert len(PROBLEMS) == 21 + 28
    seventh = next(line for line in lines if line.startswith("cec2013-f7 "))
    for part in ("25 float, 25 integer", "multimodal", "-800", "Rotated Schaffer's F7"):
        assert part in seventh


@pytest.mark.parametrize("name", [*PROBLEMS, "f7"])
def test_solve_works_on_each(name):
    done = run("solve", name, "--budget", "200", "--method", "famv", "--json")
    summary = json.loads(done.output)
    assert done.exit_code == (0 if summary["feasible"] else 1)
    assert summary["evaluations"] == 200
    assert len(summary["x"]) == len(PROBLEMS.get(name, PROBLEMS["cec2013-f7"])().space)


def test_solve_names_the_constraints_that_are_broken():
    done = run("solve", "process-selection", "--budget", "1")
    assert "feasible: no" in done.output
    assert "  broken: " in done.output
