"""The generational methods against independent readings of their papers, candidate by candidate."""

import numpy as np
import pytest

import luciole as lc
from algorithms import reference_cited as cited
from algorithms import reference_populations as reference

MIXED = lc.Space({
    **{f"x{i}": lc.Float(-10, 10) for i in range(3)},
    **{f"n{i}": lc.Integer(-20, 20) for i in range(3)},
    **{f"c{i}": lc.Categorical(["a", "b", "c", "d", "e"]) for i in range(2)},
})
WIDE = lc.Space({f"x{i}": lc.Float(-4, 4 + i) for i in range(6)} | {"n": lc.Integer(0, 1000)})


def bowl(slots):
    return float(np.sum(np.abs(np.asarray(slots) - 1.37) ** 1.5))


def rugged(slots):
    return float(np.sum(10 - 10 * np.cos(1.3 * np.asarray(slots)) + (np.asarray(slots) - 1.37) ** 2))


CASES = {
    "DEmv": (lc.DEmv(population=20), lambda s: reference.demv(s, 20)),
    "PSOmv": (lc.PSOmv(population=21), lambda s: reference.psomv(s, 21)),
    "GA": (lc.GA(population=20), lambda s: reference.ga(s, 20)),
    "L-SHADE": (lc.LSHADE(population=30), lambda s: reference.lshade(s, 30)),
    "ACO_mv": (lc.ACOmv(archive=25, ants=5, patience=6), lambda s: cited.acomv(s, 25, 5, 6)),
    "EDA_mvn": (lc.EDAmvn(population=30), lambda s: cited.edamvn(s, 30)),
    "NEFA": (lc.NEFA(population=11), lambda s: cited.nefa(s, 11)),
    "INEFA": (lc.INEFA(population=25, groups=3), lambda s: cited.nefa(s, 25, groups=3)),
    "Memetic FA": (lc.MFA(population=10), lambda s: cited.mfa(s, 10)),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("space", [MIXED, WIDE], ids=["mixed", "wide"])
@pytest.mark.parametrize("objective", [bowl, rugged])
def test_one_candidate_at_a_time_is_the_loop_of_the_paper(name, space, objective):
    method, run = CASES[name]
    budget = 700
    setting = reference.Setting(objective, space, 5, method.numbers(space.layout), budget)
    run(setting)
    assert len(setting.trace) >= budget
    optimizer = lc.Optimizer(space, method, rng=5, budget=budget, compiled=False)
    for n, expected in enumerate(setting.trace[:budget]):
        trial = optimizer.ask()
        np.testing.assert_allclose(trial.slots, expected, rtol=1e-9, atol=1e-9, err_msg=f"candidate {n}")
        optimizer.tell(trial, objective(trial.slots))
