"""Checks that every method has to pass, for ours and for yours.

>>> import luciole as lc
>>> lc.testing.check_method(lc.RandomSearch())

With pytest, one test a check::

    @pytest.mark.parametrize("check", lc.testing.CHECKS, ids=lambda check: check.__name__)
    def test_my_method(check):
        check(MyMethod())
"""

import copy
import math
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from luciole._layout import settle
from luciole.algorithms import METHODS
from luciole.algorithms.base import Method
from luciole.minimize import minimize
from luciole.optimizer import Optimizer
from luciole.space import Boolean, Categorical, Float, Integer, Ordinal, Space
from luciole.trial import Trial


def example_space() -> Space:
    """A space with every kind of variable, and a fixed one."""
    return Space({
        "float": Float(-3, 8),
        "log": Float(1e-6, 1e2, log=True),
        "stepped": Float(0, 1, step=0.1),
        "integer": Integer(-7, 12),
        "log_integer": Integer(1, 5000, log=True),
        "even": Integer(0, 100, step=2),
        "flag": Boolean(),
        "size": Ordinal(["small", "medium", "large", "huge"]),
        "colour": Categorical(["red", "green", "blue"]),
        "fixed": 3,
    })


def example_objective(point: dict[str, Any]) -> float:
    """A bowl over `example_space`, its bottom 0 inside."""
    return float(
        (point["float"] - 2.5) ** 2
        + (math.log10(point["log"]) + 1) ** 2
        + 10 * (point["stepped"] - 0.7) ** 2
        + 0.1 * (point["integer"] - 3) ** 2
        + math.log10(point["log_integer"] / 40) ** 2
        + 1e-3 * (point["even"] - 42) ** 2
        + (not point["flag"])
        + ("large", "medium", "huge", "small").index(point["size"])
        + ("blue", "red", "green").index(point["colour"])
    )


def check_method(method: Method) -> None:
    """Run every check on a method; an `AssertionError` tells what does not hold."""
    for check in CHECKS:
        check(method)


def check_frozen(method: Method) -> None:
    """The parameters cannot be changed, compare by value and survive copying."""
    try:
        method.name = "other"  # type: ignore[misc]
    except (FrozenInstanceError, AttributeError, TypeError):
        pass
    else:
        raise AssertionError("a method has to be a frozen dataclass")
    assert copy.deepcopy(method) == method
    assert hash(copy.deepcopy(method)) == hash(method)
    assert method.batch >= 1, "batch has to be at least 1"
    assert method.label, "a label is needed for tables"


def check_proposals_admissible(method: Method) -> None:
    """Every candidate lies in the space, in whatever order candidates are told."""
    optimizer = _optimizer(method, seed=1)
    order = np.random.default_rng(1)
    for _ in range(400):
        if optimizer.pending and order.random() < 0.5:
            trial = optimizer.pending[order.integers(len(optimizer.pending))]
            optimizer.tell(trial, order.normal())
        else:
            _assert_admissible(optimizer, optimizer.ask())


def check_one_value(method: Method) -> None:
    """Spaces of one point, and of one variable, are searched like any other."""
    for space in (Space(only=4), Space(x=Float(2, 2)), Space(n=Integer(3, 3, log=True)), Space(x=Float(-1, 1))):
        optimizer = Optimizer(space, method, rng=0, budget=80)
        for trial in _asked(optimizer, 80):
            _assert_admissible(optimizer, trial)
            optimizer.tell(trial, 1.0)


def check_seed_decides(method: Method) -> None:
    """The same seed gives the same run, another seed another."""
    first, again, other = (_run(method, seed) for seed in (3, 3, 4))
    assert np.array_equal(first, again), "the same seed gave two different runs"
    assert not np.array_equal(first, other), "two seeds gave the same run"


def check_plain_equals_compiled(method: Method) -> None:
    """Kernels give the same bits plain and compiled, one candidate at a time and several."""
    for batch in (1, 5):
        plain, compiled = (_run(method, 5, compiled=each, batch=batch) for each in (False, True))
        assert np.array_equal(plain, compiled), f"plain and compiled kernels differ with {batch} candidates out"


def check_input_untouched(method: Method) -> None:
    """The kernels change nothing they are handed but the state and the candidate."""
    optimizer = _optimizer(method, seed=6)
    for trial in _asked(optimizer, 120):
        numbers, slots = optimizer._u.copy(), trial.slots.copy()
        optimizer.tell(trial, float(np.sum(slots)))
        assert np.array_equal(optimizer._u, numbers), "the kernels changed the random numbers"
        assert np.array_equal(trial.slots, slots), "the kernels changed a candidate that was told"


def check_failures_harmless(method: Method) -> None:
    """Evaluations that fail, at the start, at random or all of them, leave the search sound and are never the best."""
    for share in (0.3, 0.9, 1.0):
        optimizer = _optimizer(method, seed=7)
        chance = np.random.default_rng(7)
        for trial in _asked(optimizer, 300):
            _assert_admissible(optimizer, trial)
            bad = (math.nan, math.inf, -math.inf)[trial.number % 3]
            optimizer.tell(trial, bad if chance.random() < share else float(chance.random()))
        assert (optimizer.best is None) == (share == 1.0)
        assert optimizer.best is None or math.isfinite(optimizer.best.value)


def check_extreme_values(method: Method) -> None:
    """Values of any size, equal values and infeasible points leave the search sound."""
    for values in ((1e308, -1e308), (5e-324, 0.0), (1.0, 1.0)):
        optimizer = _optimizer(method, seed=8)
        for trial in _asked(optimizer, 200):
            _assert_admissible(optimizer, trial)
            optimizer.tell(trial, values[trial.number % 2], violations=[0.0, 1e12, 1e-12][trial.number % 3])


def check_any_order(method: Method) -> None:
    """Many more candidates may be out than the method has members, and come back in any order."""
    narrow = Space(rate=Float(10, 20), count=Integer(5, 9), many=Integer(50, 60, log=True))  # 0 lies in none of them
    for trial in (far := Optimizer(narrow, method, rng=9)).ask(4 * method.batch + 3):
        _assert_admissible(far, trial)
    optimizer = _optimizer(method, seed=9)
    for _ in range(3):
        trials = optimizer.ask(4 * method.batch + 3)
        for trial in reversed(trials):
            _assert_admissible(optimizer, trial)
            optimizer.tell(trial, float(trial.number % 7))
    assert len(optimizer.history) == 3 * (4 * method.batch + 3)


def check_injected_points(method: Method) -> None:
    """Points that the method did not propose are taken in, with known values or without."""
    space = example_space()
    points = space.sample(method.batch + 2, rng=2)
    assert isinstance(points, list)
    best = min(points, key=example_objective)
    known = minimize(example_objective, space, budget=method.batch + 3, method=method, rng=2,
                     x0=[(point, example_objective(point)) for point in points])
    fresh = minimize(example_objective, space, budget=method.batch + 3, method=method, rng=2, x0=points)
    assert known.fun <= example_objective(best)
    assert fresh.fun <= example_objective(best)
    assert known.nfev == fresh.nfev == method.batch + 3


def check_batch_decides(method: Method) -> None:
    """The history depends on the seed and the batch, not on how many workers serve it."""
    from concurrent.futures import ThreadPoolExecutor

    for batch in (1, 4):
        alone = minimize(example_objective, example_space(), budget=150, method=method, rng=10, batch=batch)
        with ThreadPoolExecutor(3) as pool:
            shared = minimize(example_objective, example_space(), budget=150, method=method, rng=10, batch=batch, workers=pool)
        assert np.array_equal(alone.history.fun, shared.history.fun), "workers changed the history"
        assert np.array_equal(alone.history.slots, shared.history.slots), "workers changed the history"


def check_save_and_load(method: Method) -> None:
    """Saving and loading in the middle changes nothing (for methods of the registry, which alone can be saved)."""
    if METHODS.get(method.name) is not type(method):
        return
    for stop in (1, method.batch, 3 * method.batch + 1):
        unbroken, broken = _optimizer(method, seed=11), _optimizer(method, seed=11)
        histories = []
        for optimizer, pause in ((unbroken, False), (broken, True)):
            current = optimizer
            for number in range(stop + 60):
                current.ask()
                if number % 3 == 2:
                    for trial in current.pending[:2]:
                        current.tell(trial, float(np.sum(trial.slots)))
                if pause and number == stop:
                    with TemporaryDirectory() as folder:
                        current.save(Path(folder) / "state")
                        current = Optimizer.load(Path(folder) / "state")
            histories.append((current.history.fun, current.history.slots))
        assert all(map(np.array_equal, *histories)), f"saving after {stop} candidates changed the run"


def check_searches(method: Method) -> None:
    """On an easy bowl the method ends far better than its first points."""
    result = minimize(example_objective, example_space(), budget=1500, method=method, rng=12)
    start = np.median(result.history.fun[:10])
    assert result.fun < 0.5 * start, f"went from {start:.3g} to {result.fun:.3g} only"


CHECKS: list[Callable[[Method], None]] = [
    check_frozen,
    check_proposals_admissible,
    check_one_value,
    check_seed_decides,
    check_plain_equals_compiled,
    check_input_untouched,
    check_failures_harmless,
    check_extreme_values,
    check_any_order,
    check_injected_points,
    check_batch_decides,
    check_save_and_load,
    check_searches,
]
"""Every check, each a function of a method."""


def _optimizer(method: Method, seed: int, *, compiled: bool | None = None) -> Optimizer:
    return Optimizer(example_space(), method, rng=seed, budget=400, compiled=compiled)


def _asked(optimizer: Optimizer, count: int) -> Iterator[Trial]:
    return (optimizer.ask() for _ in range(count))


def _run(method: Method, seed: int, *, compiled: bool | None = None, batch: int = 1) -> Any:
    """The candidates of a run, `batch` of them out at once."""
    optimizer = _optimizer(method, seed, compiled=compiled)
    for _ in range(300 // batch):
        for trial in optimizer.ask(batch):
            optimizer.tell(trial, float(np.sum(np.abs(trial.slots))))
    return optimizer.history.slots


def _assert_admissible(optimizer: Optimizer, trial: Trial) -> None:
    layout = optimizer.space.layout
    for slot, kind, low, high in zip(trial.slots, layout.kind, layout.low, layout.high, strict=True):
        assert low <= slot <= high, f"a candidate left its domain: {slot} is not between {low} and {high}"
        assert settle(slot, kind, low, high) == slot, f"a candidate lies between admissible values: {slot}"
    assert optimizer.space.validate(trial.x) == trial.x
