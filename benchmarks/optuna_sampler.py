"""What the Optuna sampler costs a trial, and how it fares against Optuna's own samplers.

``python benchmarks/optuna_sampler.py`` prints both tables of docs/howto/optuna.md; ``--cost`` or ``--quality`` prints one.
"""

import argparse
import math
import time
import warnings
from collections.abc import Callable

import numpy as np
import optuna
from optuna.samplers import BaseSampler, RandomSampler, TPESampler

import luciole as lc
from luciole.integrations.optuna import FireflySampler, suggest

SAMPLERS: dict[str, Callable[[int], BaseSampler]] = {
    "FireflySampler": lambda seed: FireflySampler(seed=seed),
    "TPESampler": lambda seed: TPESampler(seed=seed),
    "RandomSampler": lambda seed: RandomSampler(seed=seed),
}


def real(dimension=10):
    """Rastrigin's function, moved away from the centre."""
    space = lc.Space({f"x{i}": lc.Float(-5.12, 5.12) for i in range(dimension)})

    def objective(trial):
        x = np.array(list(suggest(trial, space).values())) - 0.7
        return float(np.sum(x * x - 10 * np.cos(2 * np.pi * x) + 10))
    return objective


def mixed():
    """A bowl over numbers of every kind, with two categorical variables that shift it."""
    space = lc.Space({**{f"x{i}": lc.Float(-5, 5) for i in range(5)}, "n": lc.Integer(-10, 10), "m": lc.Integer(1, 1000, log=True),
                      "rate": lc.Float(1e-5, 1e-1, log=True), "kind": lc.Categorical(list("abcdef")), "on": lc.Boolean()})

    def objective(trial):
        p = suggest(trial, space)
        shift = "dbfaec".index(p["kind"])
        return (sum((p[f"x{i}"] - 1 + 0.3 * shift) ** 2 for i in range(5)) + abs(p["n"] - 4) + 2 * abs(math.log(p["m"] / 40))
                + abs(math.log10(p["rate"]) + 3) + shift + 2 * p["on"])
    return objective


def choices(dimension=12):
    """Twelve categorical variables of four values, each with an effect of its own and one with its neighbour."""
    rng = np.random.default_rng(5)
    own, both = rng.random((dimension, 4)), rng.random((dimension - 1, 4, 4))

    def objective(trial):
        v = [trial.suggest_categorical(f"c{i}", [0, 1, 2, 3]) for i in range(dimension)]
        return float(sum(own[range(dimension), v]) + sum(both[i, v[i], v[i + 1]] for i in range(dimension - 1)))
    return objective


def vessel():
    """The pressure vessel with its four constraints; only feasible trials count."""
    problem = lc.problems.pressure_vessel()

    def objective(trial):
        point = {name: trial.suggest_float(name, 0.0625, 6.1875, step=0.0625) for name in ("shell", "head")}
        point |= {name: trial.suggest_float(name, 10, 200) for name in ("radius", "length")}
        value, violation, *_ = problem.evaluate(problem.space.encode(point))
        trial.set_constraint("violation", violation)
        return value
    return objective


OBJECTIVES = {"ten real, Rastrigin": real, "ten mixed": mixed, "twelve categorical": choices, "pressure vessel": vessel}


def cost():
    """Milliseconds of processor time a trial, what the objective and the storage take included."""
    print("## Cost: ms a trial, after so many trials, in memory\n")
    marks = (100, 1000, 10_000)
    print("sampler".ljust(28), *(f"{mark:>8,}" for mark in marks))
    for name, make in SAMPLERS.items():
        row = []
        for mark in marks:
            if mark > 1000 and name.startswith("TPE"):
                continue
            study = optuna.create_study(sampler=RandomSampler(seed=0))
            study.optimize(mixed(), n_trials=mark)
            study.sampler = make(0)
            study.optimize(mixed(), n_trials=5)
            start = time.process_time()
            study.optimize(mixed(), n_trials=50)
            row.append((time.process_time() - start) * 20)
        print(name.ljust(28), *(f"{each:8.2f}" for each in row), flush=True)


def best_so_far(study):
    """The best feasible value up to each trial."""
    best, values = math.inf, []
    for trial in study.get_trials(deepcopy=False):
        if all(g <= 0 for g in trial.constraints.values()):
            best = min(best, trial.value)
        values.append(best)
    return values


def quality(seeds):
    """The median of the best values over the seeds, after 100 and 200 trials."""
    print(f"\n## Quality: median of the best value of {seeds} studies, after 100 and 200 trials\n")
    print("sampler".ljust(28), *(f"{name:>23}" for name in OBJECTIVES))
    for name, make in SAMPLERS.items():
        cells = []
        for objective in OBJECTIVES.values():
            runs = []
            for seed in range(seeds):
                study = optuna.create_study(sampler=make(seed))
                study.optimize(objective(), n_trials=200)
                runs.append(best_so_far(study))
            cells.append(" ".join(f"{each:10.4g}" for each in np.median(runs, axis=0)[[99, 199]]))
        print(name.ljust(28), *(f"{cell:>23}" for cell in cells), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("--quality", action="store_true")
    parser.add_argument("--seeds", type=int, default=10)
    chosen = parser.parse_args()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    if chosen.cost or not chosen.quality:
        cost()
    if chosen.quality or not chosen.cost:
        quality(chosen.seeds)
