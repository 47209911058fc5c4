"""Evaluations that hang, processes that die: the run goes on and says what it lost."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import luciole as lc

SPACE = lc.Space(x=lc.Float(-5, 5), n=lc.Integer(0, 9))


def bowl(p):
    return (p["x"] - 1) ** 2 + (p["n"] - 3) ** 2


@pytest.mark.parametrize("workers", [None, 1, 2])
def test_evaluations_that_hang_are_stopped_and_the_run_goes_on(workers):
    def hangs(p):
        if p["n"] == 9:
            time.sleep(1000)
        return bowl(p)

    result = lc.minimize(hangs, SPACE, budget=40, rng=0, batch=4, workers=workers, evaluation_timeout=0.5)
    history = result.history
    hung = [n for n, x in enumerate(history.x) if x["n"] == 9]
    assert len(hung) > 0
    assert sorted(history.errors) == hung
    assert set(history.errors.values()) == {"no value within 0.5 s; its process was stopped"}
    assert result.nfev == 40
    assert result.message == f"the budget is used up; lost on the way: {len(hung)} that took too long"
    assert result.fun == np.nanmin(history.fun)
    others = [n for n in range(40) if n not in hung]
    assert history.fun[others].tolist() == [bowl(history.x[n]) for n in others]


def test_a_hang_that_holds_the_interpreter_is_stopped_too():
    def hangs(p):
        return float(sum(range(10**11))) if p["n"] > 7 else bowl(p)

    result = lc.minimize(hangs, SPACE, budget=15, rng=1, evaluation_timeout=0.4)
    assert result.nfev == 15
    assert 0 < len(result.history.errors) < 15


def test_what_an_evaluation_started_is_stopped_with_it(tmp_path):
    note = tmp_path / "pid"

    def starts(p):
        child = subprocess.Popen(["sleep", "1000"])
        note.write_text(str(child.pid))
        child.wait()

    lc.minimize(starts, SPACE, budget=1, rng=0, evaluation_timeout=1.5, on_error="penalise")
    until = time.monotonic() + 20
    while is_running(int(note.read_text())) and time.monotonic() < until:
        time.sleep(0.1)
    assert not is_running(int(note.read_text()))


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("ending", ["os.kill(os.getpid(), signal.SIGKILL)", "os._exit(3)", "os._exit(0)", "os.abort()"])
def test_processes_that_die_take_one_evaluation_with_them(ending):
    def dies(p):
        if p["n"] == 9:
            exec(ending, {"os": os, "signal": signal})
        return bowl(p)

    result = lc.minimize(dies, SPACE, budget=30, rng=0, batch=4, workers=2)
    dead = [n for n, x in enumerate(result.history.x) if x["n"] == 9]
    assert sorted(result.history.errors) == dead
    assert len(dead) > 0
    assert "its process died (" in result.history.errors[dead[0]]
    assert result.message == f"the budget is used up; lost on the way: {len(dead)} that killed its process"


def test_a_process_killed_from_outside_costs_nothing(tmp_path):
    """The evaluation is tried again, and the history is that of an undisturbed run."""
    def dies_once(p):
        mark = tmp_path / f"{p['x']}"
        if p["n"] == 9 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return bowl(p)

    result = lc.minimize(dies_once, SPACE, budget=40, rng=0, batch=4, workers=2)
    assert len(list(tmp_path.iterdir())) > 0
    assert result.message == "the budget is used up"
    assert np.array_equal(result.history.fun, lc.minimize(bowl, SPACE, budget=40, rng=0, batch=4).history.fun)


def test_a_problem_that_kills_every_process_before_it_begins_is_an_error():
    class Deadly:
        def __reduce__(self):
            return os._exit, (5,)

        def __call__(self, p):
            return 0.0

    for on_error in ("raise", "penalise"):
        with pytest.raises(lc.StateError, match=r"worker processes end \(exit code 5\) before they have the problem"):
            lc.minimize(Deadly(), SPACE, budget=10, rng=0, workers=2, on_error=on_error)


def test_processes_end_with_the_one_that_started_them(tmp_path):
    note = tmp_path / "pid"
    script = f"""
import os, time
import luciole as lc

def hangs(p):
    open({str(note)!r}, "w").write(str(os.getpid()))
    time.sleep(1000)

lc.minimize(hangs, lc.Space(x=lc.Float(0, 1)), budget=1, evaluation_timeout=500)
"""
    process = subprocess.Popen([sys.executable, "-c", script])
    until = time.monotonic() + 60
    while not (note.exists() and note.read_text()) and time.monotonic() < until:
        time.sleep(0.1)
    process.kill()
    process.wait()
    while is_running(int(note.read_text())) and time.monotonic() < until:
        time.sleep(0.1)
    assert not is_running(int(note.read_text()))


def test_a_death_is_noticed_though_children_live():
    """A child that outlives the process holds the pipes through which its end would be heard."""
    def dies(p):
        if p["n"] == 9:
            if os.fork() == 0:
                time.sleep(1000)
            os._exit(3)
        return bowl(p)

    result = lc.minimize(dies, SPACE, budget=30, rng=0, batch=4, workers=2)
    assert 0 < len(result.history.errors) < 30
    assert "killed its process" in result.message


def test_exceptions_keep_their_traceback_and_strange_ones_arrive():
    def fails(p):
        raise ZeroDivisionError("by hand")

    with pytest.raises(ZeroDivisionError, match="by hand") as caught:
        lc.minimize(fails, SPACE, budget=10, rng=0, workers=2)
    assert "in fails" in str(caught.value.__cause__)

    class Strange(Exception):
        def __init__(self, one, two):
            super().__init__("strange")

    def fails_strangely(p):
        raise Strange(1, 2)

    with pytest.raises(Exception, match="Strange: strange"):
        lc.minimize(fails_strangely, SPACE, budget=10, rng=0, workers=2)


def test_processes_stay_for_the_next_run():
    def pid(p):
        return float(os.getpid())

    seen = [set(lc.minimize(pid, SPACE, budget=60, rng=0, workers=2, batch=4).history.fun) for _ in range(2)]
    assert seen[0] == seen[1]
    assert os.getpid() not in seen[0]


def test_a_run_within_a_run_has_processes_of_its_own():
    def inner(intermediate_result):
        if intermediate_result.nfev == 3:
            found.append(lc.minimize(bowl, SPACE, budget=20, rng=1, workers=2).nfev)

    found = []
    assert lc.minimize(bowl, SPACE, budget=20, rng=0, workers=2, callback=inner).nfev == 20
    assert found == [20]


def test_the_interpreter_ends_at_once_after_a_run_with_workers():
    script = ("import luciole as lc, time; lc.minimize(lambda p: p['x'], lc.Space(x=lc.Float(0, 1)), budget=20, workers=2); "
              "lc.minimize(lambda p: time.sleep(100) or 1.0, lc.Space(x=lc.Float(0, 1)), budget=20, workers=2, timeout=0.5)")
    subprocess.run([sys.executable, "-c", script], check=True, timeout=55)


def test_executors_have_to_see_to_time_outs_themselves():
    with ThreadPoolExecutor(2) as pool, pytest.raises(lc.ArgumentError, match="evaluation_timeout=1 needs processes"):
        lc.minimize(bowl, SPACE, budget=10, workers=pool, evaluation_timeout=1)
    for wrong in (0, -1, float("nan"), "1", True):
        with pytest.raises(lc.ArgumentError, match="evaluation_timeout="):
            lc.minimize(bowl, SPACE, budget=10, evaluation_timeout=wrong)


def test_an_executor_that_gives_an_evaluation_up_fails_it_alone():
    def unpicklable(p):
        return (lambda: 1) if p["n"] == 9 else bowl(p)  # what comes back cannot travel

    with ProcessPoolExecutor(2) as pool:
        result = lc.minimize(unpicklable, SPACE, budget=30, rng=0, batch=4, workers=pool, on_error="penalise")
    assert result.nfev == 30
    assert 0 < len(result.history.errors) < 30
