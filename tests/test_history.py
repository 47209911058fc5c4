import math

import numpy as np
import pytest
from numba import njit

import luciole as lc
from luciole import history


def run(**more):
    space = lc.Space(x=lc.Float(-5, 5), c=lc.Categorical(["a", "b"]))
    return lc.minimize(lambda p: (p["x"] ** 2 if p["c"] == "a" else math.nan, [p["x"] - 4]), space, budget=150, rng=0, **more)


def test_frames_hold_points_values_violations_and_errors():
    result = run()
    frame = result.to_frame()
    assert list(frame.columns) == ["x", "c", "evaluation", "fun", "violation", "error"]
    assert len(frame) == 150
    good = frame[frame.error.isna()]
    assert np.allclose(good.fun, good.x**2)
    assert set(frame[frame.error.notna()].c) == {"b"}
    assert result.fun == good[good.violation == 0].fun.min()


def test_a_variable_may_be_called_fun():
    frame = lc.minimize(lambda p: p["fun"], lc.Space(fun=lc.Float(0, 1)), budget=5, rng=0).to_frame()
    assert list(frame.columns) == ["fun", "evaluation", "fun_", "violation", "error"]


def test_the_best_so_far_never_rises():
    best = run().history.best_so_far()
    known = best[np.isfinite(best)]
    assert np.all(np.diff(known) <= 0)


@pytest.mark.parametrize("compiled", [False, True])
def test_points_beyond_the_memory_are_kept_if_they_were_the_best(monkeypatch, compiled):
    monkeypatch.setattr(history, "MEMORY", 100 * 3 * 8)
    space = lc.Space.from_bounds([(0, 1)] * 3)

    def total(x):
        return x.sum()

    objective = njit("float64(float64[::1])")(total) if compiled else total
    result = lc.minimize(objective, space, budget=6000, rng=0, compiled=compiled)
    kept = result.history
    assert len(kept) == 6000
    assert 100 <= len(kept.evaluations) < 6000
    best = kept.best_so_far()
    improving = np.flatnonzero(np.diff(best, prepend=np.inf) < 0)
    assert set(improving) <= set(kept.evaluations.tolist())
    assert [objective(x) for x in kept.x] == kept.fun[kept.evaluations].tolist()


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_plots_are_drawn_to_files(tmp_path, ending):
    path = tmp_path / f"picture.{ending}"
    result = run()
    axes = result.plot(path, optimum=0.0)
    assert path.stat().st_size > 5000
    assert axes.get_xlabel() == "evaluations"
    assert np.array_equal(axes.lines[1].get_ydata(), result.history.best_so_far(), equal_nan=True)


def test_plots_of_runs_without_a_feasible_point(tmp_path):
    lc.minimize(lambda p: (1.0, [1.0]), lc.Space(x=lc.Float(0, 1)), budget=5).plot(tmp_path / "a.png")


def test_a_missing_extra_is_named(monkeypatch):
    import sys

    result = run()
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(lc.MissingExtraError, match=r"pip install 'luciole\[plot\]'"):
        result.to_frame()
    with pytest.raises(lc.MissingExtraError, match=r"pip install 'luciole\[plot\]'"):
        result.plot("a.png")
