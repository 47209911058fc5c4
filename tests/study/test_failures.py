"""What may go wrong with a study: each is told clearly, loses no finished run, and is gone on from."""

import errno
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from typer.testing import CliRunner

import luciole as lc
from luciole.study import store as store_module
from luciole.study.command import app
from luciole.study.plan import parse_plan
from luciole.study.recovery import recover
from luciole.study.run import do_run
from luciole.study.runner import run_study, tasks_of
from luciole.study.store import open_store, read_plan_of, read_results, read_status
from study.compare import contents

PLAN = """
name = "small"
budget = 30
repetitions = 3
problems = ["coil-spring", "gear-train"]
methods = ["random", "GA"]
"""


class Here:
    """A pool that makes runs in this process."""

    def __init__(self, workers):
        self.closed = None

    def slots(self):
        return 2

    def submit(self, tasks):
        from concurrent.futures import Future

        from luciole.study.run import run_chunk

        future = Future()
        future.set_result(run_chunk(tasks))
        return future

    def close(self, *, kill):
        self.closed = kill


@pytest.fixture
def here(monkeypatch):
    monkeypatch.setattr("luciole.study.runner.Processes", Here)


@pytest.fixture
def begun(tmp_path, here):
    """A finished study."""
    run_study(parse_plan(PLAN), tmp_path, command="small.toml")
    return tmp_path


OWN = """
import os
from pathlib import Path
import luciole as lc

def cost(p):
    if abs(p["x"] - {unlucky}) < 1e-12 and not Path({mended!r}).exists():
        {harm}
    return p["x"] ** 2

problem = lc.Problem(cost, lc.Space(x=lc.Float(-1, 1)))
"""


@pytest.mark.parametrize(("harm", "message"), [
    ("raise OverflowError('no luck')", "OverflowError: no luck"),
    ("os.kill(os.getpid(), 9)", "the process that made this run died: killed, out of memory, or a crash in compiled code"),
])
def test_a_run_that_raises_or_kills_its_process(tmp_path, monkeypatch, harm, message):
    """One of 100 runs; the others are made, and a second start tries it again."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    name = f"own_{'raises' if 'raise' in harm else 'dies'}"
    mended = tmp_path / "mended"
    (tmp_path / "plan.toml").write_text(f'budget = 3\nrepetitions = 100\nmethods = ["random"]\n'
                                        f'problems = [{{ problem = "{name}:problem", name = "own" }}]\n')
    seed = tasks_of(parse_plan(PLAN, repetitions=100))[0]  # any task; only the way to a seed is of interest
    unlucky = lc.minimize(lambda p: -1.0, lc.Space(x=lc.Float(-1, 1)), budget=1, method="random",
                          rng=seed.__class__(seed.problem.__class__("own", "-"), seed.method.__class__("random", "random"), 41, 0, 3,
                                             "value").seed).x["x"]
    (tmp_path / f"{name}.py").write_text(OWN.format(unlucky=unlucky, mended=str(mended), harm=harm))

    def luciole(*words):
        return subprocess.run([sys.executable, "-m", "luciole", "study", *words], capture_output=True, text=True, check=False)

    first = luciole("run", "plan.toml", "--out", "out", "--workers", "2")
    assert first.returncode == 1, first.stderr
    assert "99 of 100 runs are finished, 99 of them now" in first.stdout
    assert "1 run failed: luciole study status out tells which and why" in first.stdout
    assert f"failed: random on own, repetition 41: {message}" in first.stderr
    assert [each[:3] for each in read_status("out").failures] == [("own", "random", 41)]
    assert f"random on own, repetition 41: {message}" in luciole("status", "out").stdout
    before = contents("out")[1]
    mended.touch()
    second = luciole("run", "--out", "out", "--workers", "1")
    assert second.returncode == 0, second.stderr
    assert "100 of 100 runs are finished, 1 of them now" in second.stdout
    assert not read_status("out").failures
    after = contents("out")[1]
    assert [row for row in after if row[2] != 41] == before


def test_a_plan_may_grow_but_not_change(begun):
    before = contents(begun)[1]
    for change, message in [
        ({"budget": 31}, "budget was 30 and is now 31"),
        ({"seed": 1}, "seed was 0 and is now 1"),
        ({"repetitions": 2}, "there were 3 repetitions and are now 2"),
        ({"methods": ["GA"]}, "the method random is gone"),
    ]:
        with pytest.raises(lc.StateError, match=message) as caught:
            run_study(parse_plan(PLAN, **change), begun)
        assert f"luciole study run --out {begun}" in str(caught.value)
    changed = PLAN.replace('"GA"', '{ method = "GA", population = 8 }').replace('"coil-spring"', '{problem="coil-spring",penalty=5}')
    with pytest.raises(lc.StateError, match=r"the problem CSD has changed: it was coil-spring\(\) and is now coil-spring\(penalty=5\); "
                                            r"the method GA has changed: it was GA\(\) and is now GA\(population=8\). Its runs are safe"):
        run_study(parse_plan(changed), begun)
    assert contents(begun)[1] == before
    assert sorted(path.name for path in begun.iterdir()) == [".lock", "study.sqlite"]
    assert read_plan_of(begun) == (parse_plan(PLAN), "small.toml")
    grown = parse_plan(PLAN.replace('["random"', '["famv", "random"'), repetitions=4)
    assert run_study(grown, begun).made == 24 - 12
    after = contents(begun)[1]
    assert len(after) == 24
    assert set(before) < set(after)


def test_what_is_not_a_store_is_left_alone(begun, tmp_path_factory):
    plan, file = parse_plan(PLAN), begun / "study.sqlite"
    good = file.read_bytes()

    def replaced(content, error, message):
        file.write_bytes(content)
        for use in (lambda: run_study(plan, begun), lambda: read_results(begun), lambda: read_status(begun)):
            with pytest.raises(error, match=message):
                use()
        assert file.read_bytes() == content

    damaged = (r"study.sqlite is damaged or not an SQLite file \(.*\); nothing in it was changed. Put a copy in its place, or save the "
               r"runs that can be read with: luciole study recover \S+. Then the same command makes the runs that are missing")
    replaced(b"these are not the runs that you are looking for" * 200, lc.FileError, damaged)
    replaced(good[:4096] + b"\xaa" * 4096 + good[8192:], lc.FileError, damaged)
    replaced(good[: len(good) // 2], lc.FileError, damaged)
    newer = tmp_path_factory.mktemp("newer") / "newer.sqlite"
    newer.write_bytes(good)
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute("PRAGMA user_version = 99")
    replaced(newer.read_bytes(), lc.FileError, "has the format 99, and this version of luciole reads 1")
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute("PRAGMA application_id = 0")
    replaced(newer.read_bytes(), lc.FileError, "is an SQLite file, but not the store of a study; nothing in it was changed. Choose")
    file.write_bytes(good)
    assert run_study(plan, begun).made == 0


def test_a_damaged_store_goes_on_with_what_can_be_read(begun):
    file, expected = begun / "study.sqlite", contents(begun)
    good = file.read_bytes()
    with closing(sqlite3.connect(file)) as connection:
        pages = connection.execute("SELECT pageno, ncell FROM dbstat WHERE name = 'runs' AND pagetype = 'leaf'").fetchall()
        (point,) = connection.execute("SELECT point FROM runs WHERE problem = 'CSD' AND repetition = 2").fetchone()
    assert len(pages) > 1
    page, lost = pages[0]
    file.write_bytes(good[: 4096 * (page - 1)] + b"\xaa" * 4096 + good[4096 * page :])
    with pytest.raises(lc.FileError, match="damaged"):
        run_study(parse_plan(PLAN), begun)
    found = recover(begun)
    assert (found.runs, found.knows_plan, found.damaged.name) == (12 - lost, True, "study.sqlite.damaged-1")
    assert run_study(read_plan_of(begun)[0], begun).made == lost
    assert contents(begun) == expected

    assert good.count(point.encode()) == 1  # a digit of a number changes, which SQLite does not see
    place = good.index(point.encode()) + 12
    assert good[place : place + 1].isdigit()
    file.write_bytes(good[:place] + (b"1" if good[place : place + 1] != b"1" else b"2") + good[place + 1 :])
    for use in (run_study, None):
        with pytest.raises(lc.FileError, match="the run of .* on CSD, repetition 2, is not what was written"):
            run_study(parse_plan(PLAN), begun) if use else read_results(begun)
    found = recover(begun)
    assert (found.runs, found.damaged.name) == (11, "study.sqlite.damaged-2")
    assert run_study(parse_plan(PLAN), begun).made == 1
    assert contents(begun) == expected

    file.write_bytes(b"nothing of a store at all" * 100)
    assert recover(begun)[:2] == (0, False)
    assert run_study(parse_plan(PLAN), begun).made == 12
    assert contents(begun) == expected


def test_a_full_disk(begun, monkeypatch):
    """SQLite itself refuses to grow the file."""
    plan = parse_plan(PLAN, repetitions=60)
    connect = sqlite3.connect

    def full(*arguments, **options):
        connection = connect(*arguments, **options)
        connection.execute("PRAGMA max_page_count = 40")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(store_module.sqlite3, "connect", full)
        with pytest.raises(lc.FileError, match="the disk is full: .*study.sqlite cannot grow. All runs that were stored are safe; free "
                                               "some space, and the same command goes on"):
            run_study(plan, begun)
    stored = contents(begun)[1]
    assert 12 < len(stored) < 240
    assert run_study(plan, begun).made == 240 - len(stored)
    assert set(stored) < set(contents(begun)[1])


def test_a_disk_that_is_full_for_the_report(begun, monkeypatch):
    def full(*arguments, **options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    pytest.importorskip("scikit_posthocs")
    for words, broken in ((["report", str(begun)], "pathlib.Path.write_text"),
                          (["export", str(begun), "--to", "csv"], "pandas.DataFrame.to_csv")):
        with monkeypatch.context() as patch:
            patch.setattr(broken, full)
            found = CliRunner().invoke(app, words)
        assert isinstance(found.exception, lc.FileError)
        assert re.match(r".* cannot be written: No space left on device. The runs are safe in .*study.sqlite", str(found.exception))
    assert not list(begun.glob("*.part"))


def test_two_at_once_are_refused(begun):
    with open_store(begun, parse_plan(PLAN)), pytest.raises(lc.StateError, match="another process is running the study"):
        run_study(parse_plan(PLAN), begun)


def test_a_folder_without_a_study(tmp_path):
    for use in (read_results, read_status, read_plan_of):
        with pytest.raises(lc.FileError, match="there is no study in .*; luciole study run PLAN --out .* begins one"):
            use(tmp_path)
    (tmp_path / "study.sqlite").touch()  # as a kill right after its creation leaves it
    with pytest.raises(lc.StateError, match="has not begun"):
        read_status(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(lc.FileError, match="cannot be made"):
        run_study(parse_plan(PLAN), tmp_path / "file" / "below")


def test_a_run_that_finds_nothing_feasible_has_an_infinite_error():
    task = tasks_of(parse_plan(PLAN, problems=["welded-beam"], budget=1))[0]
    made = do_run(task)
    assert made.violation > 0
    assert made.error == float("inf")
    assert made.trace.tolist() == [[1, float("inf")]]


def test_workers_that_make_no_sense(tmp_path, monkeypatch):
    with pytest.raises(lc.ArgumentError, match="workers=0 must be a whole number of at least 1"):
        run_study(parse_plan(PLAN), tmp_path, workers=0)
    with pytest.raises(lc.ArgumentError, match="exclude each other"):
        run_study(parse_plan(PLAN), tmp_path, workers=2, dask="tcp://127.0.0.1:1")
    pytest.importorskip("distributed")
    monkeypatch.setattr("luciole.study._pools.DASK_SECONDS", 0.5)
    with pytest.raises(lc.StateError, match="there is no Dask scheduler at .*; start one with: dask scheduler"):
        run_study(parse_plan(PLAN), tmp_path, dask="tcp://127.0.0.1:1")
