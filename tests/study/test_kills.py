"""Studies that are killed, again and again, end as if they never were."""

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import ExitStack, closing

import pytest

from luciole.study.plan import read_plan
from luciole.study.runner import run_study
from study.compare import contents

PLAN = """
name = "small"
budget = 500
repetitions = 60
problems = ["pressure-vessel", "coil-spring"]
methods = ["random", "GA"]
"""
RUNS = 240  # enough that a fast machine is not done before the last kill


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    """The plan, and the contents of the store that one process makes of it."""
    folder = tmp_path_factory.mktemp("unbroken")
    (folder / "small.toml").write_text(PLAN)
    plan = read_plan(folder / "small.toml")
    assert run_study(plan, folder / "whole", workers=1).finished == RUNS
    return folder / "small.toml", contents(folder / "whole")


def start(plan, out, *options):
    command = [sys.executable, "-m", "luciole", "study", "run", str(plan), "--out", str(out), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finished(out):
    """How many runs are stored; 0 before there is a store."""
    try:
        with closing(sqlite3.connect(f"{(out / 'study.sqlite').as_uri()}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM runs").fetchone()[0]
    except sqlite3.Error:
        return 0


def wait_for(condition, process):
    while process.poll() is None and not condition():
        time.sleep(0.02)


def test_twenty_kills_change_nothing(tmp_path, unbroken):
    plan, expected = unbroken
    rng = random.Random(20)
    reached = []
    for kill in range(20):
        study = start(plan, tmp_path / "out", "--workers", str(rng.choice([1, 2, 4])))
        # Every fourth dies at any time from its very start; the others some runs later, at any moment of a run.
        goal = 0 if kill % 4 == 3 else finished(tmp_path / "out") + rng.randint(1, 6)
        wait_for(lambda goal=goal: finished(tmp_path / "out") >= goal, study)
        time.sleep(rng.uniform(0.0, 0.6 if goal == 0 else 0.03))
        assert study.poll() is None, study.communicate()[0]
        study.send_signal(signal.SIGKILL)
        study.communicate()
        reached.append(finished(tmp_path / "out"))
    assert reached == sorted(reached)
    assert 0 < reached[-1] < RUNS
    last = start(plan, tmp_path / "out", "--workers", "2")
    output, _ = last.communicate(timeout=120)
    assert last.returncode == 0, output
    assert f"{RUNS} of {RUNS} runs are finished, {RUNS - reached[-1]} of them now" in output
    assert contents(tmp_path / "out") == expected


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_who_ends_a_study_is_told_how_to_go_on(tmp_path, unbroken, how):
    plan, expected = unbroken
    study = start(plan, tmp_path / "out", "--workers", "2")
    wait_for(lambda: finished(tmp_path / "out") >= 3, study)
    study.send_signal(how)
    output, _ = study.communicate(timeout=120)
    assert (study.returncode, output) == (130, f"stopped; finished runs are safe. To go on: luciole study run --out {tmp_path / 'out'}\n")
    stored = contents(tmp_path / "out")[1]
    assert 3 <= len(stored) < RUNS
    assert set(stored) < set(expected[1])


@pytest.mark.parametrize("workers", [2, 4])
def test_the_number_of_workers_changes_nothing(tmp_path, unbroken, workers):
    plan, expected = unbroken
    assert run_study(read_plan(plan), tmp_path, workers=workers).made == RUNS
    assert contents(tmp_path) == expected


def test_a_dask_worker_may_be_killed(tmp_path, unbroken):
    pytest.importorskip("distributed")
    plan, expected = unbroken
    found = tmp_path / "scheduler.json"
    with ExitStack() as stack:
        def dask(*words):
            process = subprocess.Popen([sys.executable, "-m", "dask", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       cwd=tmp_path)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        scheduler = dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(found))
        wait_for(found.exists, scheduler)
        workers = [dask("worker", "--scheduler-file", str(found), "--nthreads", "1", "--no-nanny", "--no-dashboard")
                   for _ in range(2)]
        time.sleep(0.1)
        address = json.loads(found.read_text())["address"]
        study = start(plan, tmp_path / "out", "--dask", address)
        wait_for(lambda: finished(tmp_path / "out") >= 20, study)
        assert study.poll() is None, study.communicate()[0]
        workers[0].kill()
        output, _ = study.communicate(timeout=120)
    assert study.returncode == 0, output
    assert f"{RUNS} of {RUNS} runs are finished, {RUNS} of them now" in output
    assert contents(tmp_path / "out") == expected
