"""Checkpoints: a run that goes on is the run that was never interrupted, and no file but a whole one is taken for a run."""

import contextlib
import json
import logging
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

import luciole as lc
from luciole import _checkpoint, _storage
from luciole.testing import example_objective, example_space

SPACE = lc.Space(x=lc.Float(-5, 5), n=lc.Integer(0, 9))
COUNTED = lc.Space(n=lc.Integer(0, 9), m=lc.Integer(0, 9, step=3), c=lc.Categorical(["a", "b", "c"]))


def bowl(p):
    return (p["x"] - 1) ** 2 + (p["n"] - 3) ** 2


def counted(p):
    return (p["n"] - 3) ** 2 + p["m"] + "abc".index(p["c"])


class Interrupted(BaseException):
    """Stands for whatever may end a process."""


def interrupt_at(number):
    def callback(intermediate_result):
        if intermediate_result.nfev == number:
            raise Interrupted
    return callback


def same(one, other):
    assert np.array_equal(one.history.slots, other.history.slots)
    assert np.array_equal(one.history.fun, other.history.fun, equal_nan=True)
    assert np.array_equal(one.history.violation, other.history.violation)
    assert one.history.errors == other.history.errors
    assert (one.x, one.fun, one.nfev, one.message) == (other.x, other.fun, other.nfev, other.message)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["famv", "fa", "lshade", "acomv", "ga", "random"]), st.integers(0, 2**31), st.sampled_from([1, 3, 8]),
       st.sampled_from([(SPACE, bowl), (COUNTED, counted), (example_space(), example_objective)]),
       st.lists(st.integers(1, 79), min_size=1, max_size=3, unique=True).map(sorted))
def test_an_interrupted_run_goes_on_to_the_same_history(tmp_path_factory, method, seed, batch, case, cuts):
    space, cost = case
    path = tmp_path_factory.mktemp("runs") / "run"
    arguments = {"budget": 80, "method": method, "rng": seed, "batch": batch}
    unbroken = lc.minimize(cost, space, **arguments)
    try:
        result = lc.minimize(cost, space, **arguments, checkpoint=path, callback=interrupt_at(cuts[0]))
    except Interrupted:
        result = None
    for cut in [*cuts[1:], 10_000]:
        if result is None:
            try:
                result = lc.resume(path, cost, callback=interrupt_at(cut))
            except Interrupted:
                continue
    same(result, unbroken)
    same(lc.resume(path, cost), unbroken)  # a run that has ended makes no more evaluations


@pytest.mark.parametrize("workers", [None, 2])
def test_constraints_failures_known_points_and_penalties_come_back(tmp_path, workers):
    def cost(p):
        if p["n"] == 7:
            raise RuntimeError("broken")
        return bowl(p)

    arguments = {"budget": 60, "rng": 3, "batch": 4, "on_error": "penalise", "direction": "maximize", "penalty": 2.0,
                 "x0": [({"x": 0.5, "n": 2}, 1.0), {"x": 0.25, "n": 7}, {"x": 0.5, "n": 3}], "constraints": [lambda p: p["x"] - 2]}
    unbroken = lc.minimize(cost, SPACE, **arguments)
    with pytest.raises(Interrupted):
        lc.minimize(cost, SPACE, **arguments, checkpoint=tmp_path / "run", callback=interrupt_at(2), workers=workers)
    same(lc.resume(tmp_path / "run", cost, constraints=[lambda p: p["x"] - 2], workers=workers), unbroken)


def test_the_compiled_loop_goes_on_to_the_same_history(tmp_path):
    @njit("float64(float64[::1])")
    def compiled_bowl(x):
        return (x[0] - 1) ** 2 + (x[1] - 3) ** 2

    unbroken = lc.minimize(compiled_bowl, SPACE, budget=30_000, rng=0)
    ended = lc.minimize(compiled_bowl, SPACE, budget=30_000, rng=0, checkpoint=tmp_path / "run", timeout=1e-9)
    assert ended.message == "the time is used up"
    assert ended.nfev < 30_000
    same(lc.resume(tmp_path / "run", compiled_bowl), unbroken)


def test_a_killed_process_loses_little(tmp_path):
    path = tmp_path / "run"
    script = f"""
import sys, time
import luciole as lc

def cost(p):
    time.sleep(0.01)
    return (p["x"] - 1) ** 2 + (p["n"] - 3) ** 2

space = lc.Space(x=lc.Float(-5, 5), n=lc.Integer(0, 9))
print("go", flush=True)
lc.minimize(cost, space, budget=600, rng=0, checkpoint={str(path)!r})
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    process.stdout.readline()
    until = time.monotonic() + 60
    while not (path.exists() and _checkpoint.read(path)[0]["asked"] > 20) and time.monotonic() < until:
        time.sleep(0.1)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert 20 < _checkpoint.read(path)[0]["asked"] < 600
    same(lc.resume(path, bowl), lc.minimize(bowl, SPACE, budget=600, rng=0))


def test_an_objective_that_raised_can_be_mended(tmp_path):
    def cost(p):
        if len(calls) == 30:
            raise OSError("the disk is full")
        calls.append(1)
        return bowl(p)

    calls = []
    with pytest.raises(OSError, match="disk"):
        lc.minimize(cost, SPACE, budget=100, rng=0, checkpoint=tmp_path / "run")
    same(lc.resume(tmp_path / "run", bowl), lc.minimize(bowl, SPACE, budget=100, rng=0))


def test_a_run_can_be_made_longer_and_seconds_add_up(tmp_path):
    first = lc.minimize(bowl, SPACE, budget=50, rng=0, checkpoint=tmp_path / "run")
    longer = lc.resume(tmp_path / "run", bowl, budget=90)
    assert longer.nfev == 90
    assert np.array_equal(longer.history.fun[:50], first.history.fun)
    assert longer.seconds > first.seconds


@pytest.mark.parametrize("method", ["famv", "lshade", lc.LSHADE(population="small"), "nefa", "acomv"])
def test_a_longer_run_can_be_interrupted_too(tmp_path, method):
    """The state keeps the shape that it has for the first budget."""
    path = tmp_path / "run"
    lc.minimize(bowl, SPACE, budget=100, rng=0, method=method, checkpoint=path)
    with pytest.raises(Interrupted):
        lc.resume(path, bowl, budget=4000, callback=interrupt_at(200))
    longer = lc.resume(path, bowl)
    assert longer.nfev == 4000
    lc.minimize(bowl, SPACE, budget=100, rng=0, method=method, checkpoint=path)
    same(lc.resume(path, bowl, budget=4000), longer)


def test_a_compiled_run_can_be_made_longer(tmp_path):
    @njit("float64(float64[::1])")
    def compiled_bowl(x):
        return (x[0] - 1) ** 2 + (x[1] - 3) ** 2

    paths = [tmp_path / "loop", tmp_path / "plain"]
    for path, compiled in zip(paths, (None, False), strict=True):
        lc.minimize(compiled_bowl, SPACE, budget=2000, rng=0, checkpoint=path, compiled=compiled)
    loop, plain = (lc.resume(path, compiled_bowl, budget=6000) for path in paths)
    same(loop, plain)


def test_a_run_cannot_be_made_shorter_than_it_is(tmp_path):
    lc.minimize(bowl, SPACE, budget=50, rng=0, repeats=5, checkpoint=tmp_path / "run")
    for budget in (3, 49):
        with pytest.raises(lc.ArgumentError, match=f"budget={budget} is below the 50 evaluations"):
            lc.resume(tmp_path / "run", bowl, budget=budget)
    assert lc.resume(tmp_path / "run", bowl).nfev == 50


def test_a_run_that_met_its_target_evaluates_nothing_more(tmp_path):
    with ThreadPoolExecutor(2) as pool:
        lc.minimize(bowl, SPACE, budget=500, rng=0, batch=4, target=5.0, checkpoint=tmp_path / "run", workers=pool)
        again = lc.resume(tmp_path / "run", lambda p: pytest.fail("evaluated"), workers=pool)
    assert again.message == "the target is reached"


def test_what_errors_do_may_change(tmp_path):
    def cost(p):
        return bowl(p) if p["n"] < 8 else 1 / 0

    with pytest.raises(ZeroDivisionError):
        lc.minimize(cost, SPACE, budget=60, rng=0, checkpoint=tmp_path / "run")
    same(lc.resume(tmp_path / "run", cost, on_error="penalise"), lc.minimize(cost, SPACE, budget=60, rng=0, on_error="penalise"))


def test_an_objective_may_change_the_folder(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    lc.minimize(lambda p: os.chdir(tmp_path / "elsewhere") or bowl(p), SPACE, budget=30, rng=0, checkpoint="run")
    assert _checkpoint.read(tmp_path / "run")[0]["asked"] == 30
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_run_that_fails_at_once_leaves_no_file(tmp_path):
    with pytest.raises(KeyError):
        lc.minimize(lambda p: p["y"], SPACE, budget=30, rng=0, checkpoint=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_full_disk_does_not_end_a_run(tmp_path, monkeypatch, caplog):
    def write(path, meta, arrays):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(_storage, "write", write)
    assert lc.minimize(bowl, SPACE, budget=30, rng=0, checkpoint=tmp_path / "run").nfev == 30
    assert "the checkpoint could not be written: [Errno 28] No space left on device" in caplog.text


def test_a_checkpoint_is_an_optimizer_too(tmp_path):
    result = lc.minimize(bowl, SPACE, budget=50, rng=0, checkpoint=tmp_path / "run")
    assert lc.Optimizer.load(tmp_path / "run").best.value == result.fun


def test_an_unfinished_run_is_not_overwritten_by_a_new_one(tmp_path):
    path = tmp_path / "run"
    with pytest.raises(Interrupted):
        lc.minimize(bowl, SPACE, budget=50, rng=0, checkpoint=path, callback=interrupt_at(9))
    with pytest.raises(lc.ArgumentError, match=r"a run that has not ended; go on with it: luciole.resume\("):
        lc.minimize(bowl, SPACE, budget=50, rng=0, checkpoint=path)
    lc.resume(path, bowl)
    assert lc.minimize(bowl, SPACE, budget=20, rng=0, checkpoint=path).nfev == 20  # over one that has
    path.write_text("mine")
    with pytest.raises(lc.ArgumentError, match="holds no run"):
        lc.minimize(bowl, SPACE, budget=50, rng=0, checkpoint=path)
    assert path.read_text() == "mine"


@pytest.mark.parametrize(("checkpoint", "message"), [
    (7, "checkpoint=7 must be a path"), ("/", "is a folder"), ("/nowhere/at/all", "a folder that does not exist")])
def test_wrong_paths_are_refused_before_the_first_evaluation(checkpoint, message):
    with pytest.raises(lc.ArgumentError, match=message):
        lc.minimize(lambda p: pytest.fail("evaluated"), SPACE, budget=9, checkpoint=checkpoint)


def test_what_does_not_fit_the_run_is_refused(tmp_path):
    path = tmp_path / "run"
    lc.minimize(bowl, SPACE, budget=9, rng=0, constraints=[lambda p: -1.0], penalty=lambda value, g: value, checkpoint=path)
    with pytest.raises(lc.ArgumentError, match="the run in .* has 1, here are 0; pass the same"):
        lc.resume(path, bowl)
    with pytest.raises(lc.ArgumentError, match="penalty=None is not that of the run"):
        lc.resume(path, bowl, constraints=[lambda p: -1.0])
    with pytest.raises(lc.ArgumentError, match="is not the one that"):
        lc.resume(path, bowl, lc.Space(x=lc.Float(0, 1)))
    upwards = lc.Problem(bowl, SPACE, constraints=[lambda p: -1.0], penalty=lambda value, g: value, direction="maximize")
    with pytest.raises(lc.ArgumentError, match="has the direction 'maximize'"):
        lc.resume(path, upwards)
    with pytest.raises(FileNotFoundError):
        lc.resume(tmp_path / "none", bowl)
    lc.Optimizer(SPACE).save(path)
    with pytest.raises(lc.FileError, match="not a run"):
        lc.resume(path, bowl)


def test_values_that_no_file_can_hold_are_brought_again(tmp_path):
    space = lc.Space(f=lc.Categorical([abs, round]), x=lc.Float(-2, 2))

    def cost(p):
        return p["f"](p["x"])

    unbroken = lc.minimize(cost, space, budget=60, rng=1)
    with pytest.raises(Interrupted):
        lc.minimize(cost, space, budget=60, rng=1, checkpoint=tmp_path / "run", callback=interrupt_at(30))
    with pytest.raises(lc.ArgumentError, match="pass the space"):
        lc.resume(tmp_path / "run", cost)
    same(lc.resume(tmp_path / "run", cost, space), unbroken)


# -- files that are no checkpoints --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "run"
    lc.minimize(counted, COUNTED, budget=60, rng=0, batch=3, checkpoint=path, callback=lambda r: None, target=-1.0)
    return path.read_bytes()


def damaged(content, chance):
    """The content with a bit or a few flipped, cut, lengthened, mixed up, or something else altogether."""
    kind = chance.integers(6)
    size = len(content)
    if kind <= 1:
        changed = bytearray(content)
        for place in chance.integers(0, size * 8, 1 if kind == 0 else chance.integers(2, 40)):
            changed[place // 8] ^= 1 << (place % 8)
        return bytes(changed)
    if kind == 2:
        return content[: chance.integers(0, size)]
    if kind == 3:
        return content + chance.bytes(chance.integers(1, 50))
    if kind == 4:
        cut = chance.integers(0, size, 2)
        return content[: cut[0]] + chance.bytes(chance.integers(0, 50)) + content[cut[1] :]
    return (b"", _storage.MAGIC)[chance.integers(2)] + chance.bytes(chance.integers(0, 2000))


def test_ten_thousand_damaged_files_are_refused(whole, tmp_path):
    chance = np.random.default_rng(2026)
    path = tmp_path / "run"
    for _ in range(10_000):
        content = damaged(whole, chance)
        if content == whole:
            continue
        path.write_bytes(content)
        with pytest.raises(lc.FileError):
            _checkpoint.read(path)
    for read in (lc.Optimizer.load, lambda path: lc.resume(path, counted)):
        with pytest.raises(lc.FileError):
            read(path)


def test_damage_under_a_new_checksum_runs_nothing_and_raises_nothing_else(whole, tmp_path):
    """Whoever writes the checksum anew can change what a file says, but not make it run anything or crash."""
    chance = np.random.default_rng(7)
    path = tmp_path / "run"
    body = whole.split(b"\n", 2)[2]
    for _ in range(300):
        path.write_bytes(signed(damaged(body, chance)))
        with contextlib.suppress(lc.LucioleError):
            lc.resume(path, counted)


def signed(body):
    import hashlib

    return _storage.MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def altered(content, tmp_path, change):
    """The file with something else in what it says, under a checksum that fits."""
    (tmp_path / "before").write_bytes(content)
    meta, arrays = _storage.read(tmp_path / "before")
    meta = json.loads(json.dumps(meta))
    change(meta)
    _storage.write(tmp_path / "run", meta, arrays)
    return tmp_path / "run"


@pytest.mark.parametrize("change", [
    lambda meta: meta["rng"].update(bit_generator="seed"),
    lambda meta: meta["rng"].update(bit_generator="__class__"),
    lambda meta: meta.update(method="os.system"),
    lambda meta: meta.update(parameters={"command": "true"}),
    lambda meta: meta["run"]["settings"].update(more=1),
    lambda meta: meta["run"].update(window=[99]),
    lambda meta: meta.pop("asked"),
    lambda meta: meta.update(space="[]"),
])
def test_altered_contents_are_refused(whole, tmp_path, change):
    with pytest.raises((lc.FileError, lc.ArgumentError)):
        lc.resume(altered(whole, tmp_path, change), counted)


def test_a_pickle_in_the_place_of_an_array_is_not_loaded(whole, tmp_path):
    import io

    class Bomb:
        def __reduce__(self):
            return Path.touch, (tmp_path / "exploded",)

    content = io.BytesIO()
    np.savez(content, allow_pickle=True, meta=np.array([Bomb()], dtype=object))
    path = tmp_path / "run"
    path.write_bytes(signed(content.getvalue()))
    with pytest.raises(lc.FileError):
        lc.resume(path, counted)
    assert not (tmp_path / "exploded").exists()


def test_nothing_is_left_lying_about(tmp_path, caplog):
    with caplog.at_level(logging.DEBUG):
        lc.minimize(bowl, SPACE, budget=200, rng=0, checkpoint=tmp_path / "run")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
