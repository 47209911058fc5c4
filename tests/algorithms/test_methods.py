"""What every method of the registry, and every published setting, has to satisfy."""

import json
import os
import platform
import sys
from pathlib import Path

import numpy as np
import pytest

import luciole as lc
from luciole.algorithms import METHODS, PUBLISHED, get_method

SETTINGS = {name: method() for name, method in METHODS.items()}
SETTINGS |= {name: method for name, method in PUBLISHED.items() if not method.relaxes}
SETTINGS |= {"famv, reflecting": lc.FAmv(bounds="reflect", scale="absolute", schedule="linear", adapt="both", replace=None),
             "famv, replacing": lc.FAmv(ordered_step="replace", share=1.0, distance="hamming", adapt=None, difference=0.0)}


# The published settings replace categorical values too often to search the example space; all else holds for them too.
PAIRS = [(name, check) for name in SETTINGS for check in lc.testing.CHECKS
         if check is not lc.testing.check_searches or name not in PUBLISHED]


@pytest.mark.parametrize(("name", "check"), PAIRS, ids=lambda each: getattr(each, "__name__", each))
def test_conformance(name, check):
    check(SETTINGS[name])


def test_the_suite_finds_what_is_wrong():
    """Each of these methods breaks one rule, and a check says so."""
    from luciole.algorithms.random_search import RandomSearch, State

    class Outside(RandomSearch):
        @staticmethod
        def ask(state: State, u, progress, x):
            x[:] = 1e9
            return 0

    class Between(RandomSearch):
        @staticmethod
        def ask(state: State, u, progress, x):
            x[:] = state.layout.low + 0.5 * (state.layout.high - state.layout.low)
            return 0

    class Chance(RandomSearch):
        @staticmethod
        def ask(state: State, u, progress, x):
            x[:] = np.random.default_rng().integers(0, 2, x.size) * (state.layout.high - state.layout.low) + state.layout.low
            return 0

    class Stubborn(RandomSearch):
        @staticmethod
        def ask(state: State, u, progress, x):
            x[:] = state.layout.low
            return 0

    for method, check in [(Outside(), "check_proposals_admissible"), (Between(), "check_proposals_admissible"),
                          (Chance(), "check_seed_decides"), (Stubborn(), "check_searches"), (Stubborn(), "check_seed_decides")]:
        with pytest.raises(AssertionError):
            getattr(lc.testing, check)(method)


def test_the_registry():
    assert get_method("famv") == lc.FAmv()
    assert get_method("FAmv_H^a") == lc.FAmv.paper("H^a")
    assert get_method(None) == lc.FAmv()
    assert get_method(lc.FA) == lc.FA()
    assert all(method.name == name for name, method in METHODS.items())
    with pytest.raises(lc.ArgumentError, match="method='genetic' is not known; use famv, fa, demv, psomv, ga, lshade, acomv, edamvn, nefa, inefa, mfa, random, a published setting"):
        get_method("genetic")
    with pytest.raises(lc.ArgumentError, match="method=3 is not known"):
        get_method(3)


@pytest.mark.parametrize("name", [*METHODS, *PUBLISHED])
def test_golden_recommendations(name):
    """The best point of a short seeded run, to the bit, on platforms where it was recorded.

    To record a platform: LUCIOLE_RECORD=1 python -m pytest tests/algorithms/test_methods.py -k golden
    """
    space = lc.testing.example_space()
    if get_method(name).relaxes:
        space = lc.Space({key: each for key, each in space.items() if key not in ("size", "colour")})
    problem = lc.Problem(lambda x: float(np.abs(x - 1.5).sum()), space, takes_array=True)
    result = lc.minimize(problem, budget=400, method=name, rng=42)
    found = {"fun": result.fun, "slots": result.history.slots[int(np.nanargmin(result.history.fun))].tolist()}
    path = Path(__file__).parents[1] / "goldens" / f"{sys.platform}-{platform.machine()}.json"
    recorded = json.loads(path.read_text()) if path.exists() else {}
    if os.environ.get("LUCIOLE_RECORD"):
        recorded[name] = found
        path.write_text(json.dumps(dict(sorted(recorded.items())), indent=1) + "\n")
    if not recorded:
        pytest.skip(f"no golden values were recorded for {path.stem}")
    assert found == recorded[name]
