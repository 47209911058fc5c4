import math
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import luciole as lc
from luciole.algorithms import METHODS
from strategies import spaces

SPACE = lc.Space(x=lc.Float(-5, 5), n=lc.Integer(0, 9), c=lc.Categorical(["a", "b"]))


@settings(max_examples=60)
@given(spaces, st.sampled_from([*METHODS, "FAmv_H", "FAmv_G^D"]), st.integers(0, 2**31), st.data())
def test_any_legal_order_of_asking_and_telling(space, method, seed, data):
    """Proposals lie in the space with values of the declared types, whatever is told and when; the best is never a failure."""
    optimizer = lc.Optimizer(space, method, rng=seed, budget=60)
    values = st.one_of(st.floats(), st.integers(-5, 5))
    told = []
    for _ in range(60):
        if optimizer.pending and data.draw(st.booleans()):
            trial = data.draw(st.sampled_from(optimizer.pending))
            value, violations = data.draw(values), data.draw(st.lists(st.floats(), max_size=2))
            optimizer.tell(trial, value, violations)
            broken = [g for g in violations if not g <= 0]
            if math.isfinite(value) and not any(map(math.isnan, violations)):
                told.append((sum(broken), value))
        else:
            trial = optimizer.ask()
            assert space.validate(trial.x) == trial.x
            for name, value in trial.x.items():
                variable = space[name]
                assert isinstance(value, {"float": float, "integer": int, "boolean": bool}.get(variable.type_name, object))
                if isinstance(variable, lc.Ordinal | lc.Categorical):
                    assert any(value is each for each in variable.values)
    best = optimizer.best
    assert (best is None) == (not told)
    if best is not None:
        assert (best.violation, best.value) == min(told)


@given(st.integers(0, 2**31), st.integers(1, 9))
@settings(max_examples=20)
def test_asking_for_several_is_asking_again_and_again(seed, n):
    together, apart = lc.Optimizer(SPACE, rng=seed), lc.Optimizer(SPACE, rng=seed)
    assert [trial.x for trial in together.ask(n)] == [apart.ask().x for _ in range(n)]


def test_the_best_obeys_debs_rules_and_the_direction():
    optimizer = lc.Optimizer(SPACE, rng=0, direction="maximize")
    for value, violations in ((5, 1), (9, 3), (1, 0), (2, [-1, -2]), (100, 1e-9), (math.inf, 0)):
        optimizer.tell(optimizer.ask(), value, violations)
    assert (optimizer.best.value, optimizer.best.violation, optimizer.best.number) == (2, 0, 3)


def test_numpy_generators_are_used_as_they_are():
    rng = np.random.default_rng(3)
    first = lc.Optimizer(SPACE, rng=rng).ask().x
    assert first == lc.Optimizer(SPACE, rng=3).ask().x
    assert first != lc.Optimizer(SPACE, rng=rng).ask().x, "the generator has moved on"


def test_kernels_are_compiled_in_the_middle_of_a_run_without_a_trace():
    plain, switching = (lc.Optimizer(SPACE, rng=0, compiled=False), lc.Optimizer(SPACE, rng=0))
    switching._compile_after = 50
    for _ in range(150):
        for optimizer in (plain, switching):
            trial = optimizer.ask()
            optimizer.tell(trial, float(np.sum(trial.slots)))
    assert switching._ask is not switching.method.ask
    assert np.array_equal(plain.history.slots, switching.history.slots)


@pytest.mark.parametrize("bits", ["PCG64", "MT19937", "Philox", "SFC64"])
def test_saving_keeps_any_generator(tmp_path, bits):
    optimizer = lc.Optimizer(SPACE, rng=np.random.Generator(getattr(np.random, bits)(7)))
    optimizer.ask(5)
    optimizer.save(tmp_path / "state")
    again = lc.Optimizer.load(tmp_path / "state")
    assert [trial.x for trial in again.pending] == [trial.x for trial in optimizer.pending]
    assert again.ask().x == optimizer.ask().x


def test_saving_keeps_what_was_known_and_what_failed(tmp_path):
    optimizer = lc.Optimizer(SPACE, rng=0, x0=[({"x": 0, "n": 0, "c": "a"}, -3.0), {"x": 1, "n": 1, "c": "b"}, {"x": 2, "n": 2, "c": "b"}])
    optimizer.tell(optimizer.ask(), math.nan)
    optimizer.save(tmp_path / "state")
    again = lc.Optimizer.load(tmp_path / "state")
    assert again.best == optimizer.best
    assert again.best.number == -1
    assert again.history.errors == {0: "the objective is nan"}
    assert again.ask().x == optimizer.ask().x == {"x": 2.0, "n": 2, "c": "b"}
    assert list(tmp_path.iterdir()) == [tmp_path / "state"], "nothing is left beside the file"


def test_values_that_no_file_can_hold_are_brought_by_the_caller(tmp_path):
    space = lc.Space(f=lc.Categorical([len, sum]), x=lc.Float(0, 1))
    optimizer = lc.Optimizer(space, rng=0)
    optimizer.save(tmp_path / "state")
    with pytest.raises(lc.ArgumentError, match="pass the space"):
        lc.Optimizer.load(tmp_path / "state")
    with pytest.raises(lc.ArgumentError, match="is not the one"):
        lc.Optimizer.load(tmp_path / "state", SPACE)
    assert lc.Optimizer.load(tmp_path / "state", space).ask().x == optimizer.ask().x


def test_damaged_and_foreign_files_are_refused(tmp_path):
    path = tmp_path / "state"
    lc.Optimizer(SPACE, rng=0).save(path)
    content = path.read_bytes()
    for bad, message in ((b"", "was not saved"), (b"PK\x03\x04", "was not saved"), (content[:-1], "is damaged"),
                         (content[:200] + bytes([content[200] ^ 1]) + content[201:], "is damaged")):
        path.write_bytes(bad)
        with pytest.raises(lc.FileError, match=message):
            lc.Optimizer.load(path)


def test_a_method_of_ones_own_is_brought_by_the_caller(tmp_path):
    class Mine(lc.FAmv):
        pass

    optimizer = lc.Optimizer(SPACE, Mine(population=7), rng=0)
    optimizer.tell(optimizer.ask(), 1.0)
    optimizer.save(tmp_path / "state")
    with pytest.raises(lc.ArgumentError, match="a method of your own"):
        lc.Optimizer.load(tmp_path / "state")
    with pytest.raises(lc.ArgumentError, match="is not the one"):
        lc.Optimizer.load(tmp_path / "state", method=Mine(population=8))
    assert lc.Optimizer.load(tmp_path / "state", method=Mine(population=7)).ask().x == optimizer.ask().x


def test_what_the_user_does_to_points_changes_nothing_inside():
    optimizer, untouched = lc.Optimizer(SPACE, rng=0), lc.Optimizer(SPACE, rng=0)
    for _ in range(60):
        trial, other = optimizer.ask(), untouched.ask()
        assert np.array_equal(trial.slots, other.slots)
        value = float(np.sum(trial.slots))
        trial.slots[:] = 1e9
        trial.x.clear()
        optimizer.tell(trial, value)
        untouched.tell(other, value)
        optimizer.best.x.clear()
    assert optimizer.best == untouched.best


def test_functions_among_the_values_are_found_again_by_another_process(tmp_path):
    script = ("import sys, luciole as lc\n"
              "def low(x): return x\n"
              "class High: pass\n"
              "space = lc.Space(f=lc.Categorical([low, High()]), x=lc.Float(0, 1))\n"
              "if sys.argv[1] == 'save': o = lc.Optimizer(space, rng=0); o.ask(); o.save(sys.argv[2])\n"
              "else: print(lc.Optimizer.load(sys.argv[2], space).ask().x['x'])")
    for step in ("save", "load"):
        run = subprocess.run([sys.executable, "-c", script, step, str(tmp_path / "state")], capture_output=True, text=True, check=True)
    expected = lc.Optimizer(lc.Space(f=lc.Categorical(["a", "b"]), x=lc.Float(0, 1)), rng=0)
    expected.ask()
    assert float(run.stdout) == expected.ask().x["x"]


def test_a_file_of_another_version_is_refused(tmp_path):
    from luciole import _storage

    path = tmp_path / "state"
    lc.Optimizer(SPACE, rng=0).save(path)
    meta, arrays = _storage.read(path)
    _storage.write(path, {**meta, "parameters": {**meta["parameters"], "new": 1}}, arrays)
    with pytest.raises(lc.FileError, match="by another version of luciole"):
        lc.Optimizer.load(path)


def test_far_more_candidates_than_fireflies_stay_in_the_space():
    space = lc.Space(rate=lc.Float(10, 20), k=lc.Integer(5, 9), m=lc.Integer(50, 60, log=True))
    for method in METHODS:
        optimizer = lc.Optimizer(space, method, rng=0)
        for trial in optimizer.ask(200):
            assert space.validate(trial.x) == trial.x


@pytest.mark.parametrize("method", [*METHODS, "FAmv_H", "FAmv_G"])
def test_domains_of_any_width_are_searched_without_a_warning(method):
    space = lc.Space(wide=lc.Float(-5e149, 5e149), huge=lc.Float(1e-300, 1e300, log=True), narrow=lc.Float(0, 5e-324),
                     next=lc.Float(1, math.nextafter(1, 2)), far=lc.Integer(-2**52, 2**52))
    optimizer = lc.Optimizer(space, method, rng=0, budget=200, compiled=False)
    for number in range(200):
        trial = optimizer.ask()
        assert space.validate(trial.x) == trial.x
        optimizer.tell(trial, float(number % 7))


def test_values_may_be_numpys():
    optimizer = lc.Optimizer(lc.Space(x=lc.Float(0, 1)), rng=0)
    for value in (np.float32(2), np.array(1.0), np.int64(3)):
        optimizer.tell(optimizer.ask(), value)
    assert optimizer.best.value == 1
    with pytest.raises(lc.ArgumentError, match="must be a number"):
        optimizer.tell(optimizer.ask(), np.array([1.0]))


def test_saving_into_a_folder_that_does_not_exist_names_it(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no such folder: '.*nowhere'"):
        lc.Optimizer(lc.Space(x=lc.Float(0, 1))).save(tmp_path / "nowhere" / "file")


def test_telling_what_was_never_asked_is_refused():
    optimizer, other = lc.Optimizer(SPACE, rng=0), lc.Optimizer(SPACE, rng=1)
    trial, foreign = optimizer.ask(), other.ask()
    with pytest.raises(lc.StateError, match="was never asked of this optimizer"):
        optimizer.tell(foreign, 1.0)
    for wrong in ({"x": 1}, None, 0):
        with pytest.raises(lc.StateError, match="was never asked"):
            optimizer.tell(wrong, 1.0)
    for wrong in (None, "abc"):
        with pytest.raises(lc.ArgumentError, match="violations=.* must be a number"):
            optimizer.tell(trial, 1.0, wrong)
    optimizer.tell(trial, 1.0)
    with pytest.raises(lc.StateError, match="trial 0 was told before"):
        optimizer.tell(trial, 1.0)


@pytest.mark.parametrize(("call", "message"), [
    (lambda: lc.Optimizer({"x": 1}), "space=.* must be a luciole.Space"),
    (lambda: lc.Optimizer(SPACE, direction="up"), "direction='up'"),
    (lambda: lc.Optimizer(SPACE, budget=0), "budget=0 must be at least 1"),
    (lambda: lc.Optimizer(SPACE, rng="seed"), "rng='seed' must be a whole number"),
    (lambda: lc.Optimizer(SPACE, rng=-1), "rng=-1 must be a whole number"),
    (lambda: lc.Optimizer(SPACE, rng=np.random.RandomState(0)), "legacy numpy.random.RandomState"),
    (lambda: lc.Optimizer(SPACE, compiled="yes"), "compiled='yes' must be True, False or None"),
    (lambda: lc.Optimizer(SPACE).ask(0), "n=0 must be at least 1"),
    (lambda: lc.Optimizer(SPACE).ask(1.5), "n=1.5 must be a whole number"),
])
def test_wrong_input_is_refused(call, message):
    with pytest.raises(lc.ArgumentError, match=message):
        call()


def test_a_told_value_has_to_be_a_number():
    optimizer = lc.Optimizer(SPACE)
    with pytest.raises(lc.ArgumentError, match="value='low' must be a number"):
        optimizer.tell(optimizer.ask(), "low")


EVERY = st.sampled_from([*METHODS, "FAmv_H", "FAmv_H^ag", "FAmv_G^D"])


def value_of(trial):
    """Some value that depends on every variable, failing now and then."""
    total = float(np.sum(np.sin(trial.slots * 3.7)))
    return math.nan if total > 1.5 else total


@settings(max_examples=40, deadline=None)
@given(spaces, EVERY, st.integers(0, 2**31), st.integers(1, 6))
def test_plain_and_compiled_agree_to_the_bit_on_any_space(space, method, seed, batch):
    plain, compiled = (lc.Optimizer(space, method, rng=seed, budget=120, compiled=each) for each in (False, True))
    for _ in range(120 // batch):
        for one, other in zip(plain.ask(batch), compiled.ask(batch), strict=True):
            assert one.slots.tobytes() == other.slots.tobytes()
            plain.tell(one, value_of(one))
            compiled.tell(other, value_of(other))


@settings(max_examples=40, deadline=None)
@given(spaces, EVERY, st.integers(0, 2**31), st.integers(0, 90), st.integers(1, 30))
def test_saving_and_loading_anywhere_changes_nothing_on_any_space(space, method, seed, stop, out):
    unbroken, broken = (lc.Optimizer(space, method, rng=seed, budget=120) for _ in range(2))
    for number in range(120):
        for optimizer in (unbroken, broken):
            optimizer.ask()
            if len(optimizer.pending) >= out:
                trial = optimizer.pending[-(number % 3) - 1 if len(optimizer.pending) > 2 else 0]
                optimizer.tell(trial, value_of(trial))
        if number == stop:
            with tempfile.TemporaryDirectory() as folder:
                broken.save(f"{folder}/state")
                broken = lc.Optimizer.load(f"{folder}/state")
    assert unbroken.history.slots.tobytes() == broken.history.slots.tobytes()
    assert unbroken.best == broken.best
    assert [trial.x for trial in unbroken.pending] == [trial.x for trial in broken.pending]


@settings(max_examples=15, deadline=None)
@given(spaces, EVERY, st.integers(0, 2**31), st.integers(1, 20))
def test_the_number_of_workers_changes_nothing_on_any_space(space, method, seed, batch):
    def objective(p):
        total = sum(hash(repr(value)) % 97 for value in p.values())
        return math.inf if total % 7 == 0 else total

    alone = lc.minimize(objective, space, budget=60, method=method, rng=seed, batch=batch)
    with ThreadPoolExecutor(4) as pool:
        shared = lc.minimize(objective, space, budget=60, method=method, rng=seed, batch=batch, workers=pool)
    assert alone.history.slots.tobytes() == shared.history.slots.tobytes()
    assert alone.history.fun.tobytes() == shared.history.fun.tobytes()
