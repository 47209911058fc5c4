"""What the paper says of its mechanism and does not test, measured: 50 variables of CEC 2013, official edition.

python studies/mechanism/measure.py PART [--workers N] [--seeds N]

PART is one of

field     how far apart fireflies are and how strongly they attract each other during a run, and how the swarm spreads
scaling   what becomes of both distances when the continuous variables are measured in units a hundred times smaller or larger
sweeps    one parameter changed at a time
labels    the nine variants where the discrete variables are labels without an order
rounding  truncating integers or rounding them where alpha adapts, with and without a floor of its own for the discrete alpha

Each writes PART.csv.gz beside this file; page.py makes docs/mechanism.md and its pictures of them.
"""

import argparse
import csv
import gzip
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from loky import get_reusable_executor

import luciole as lc
from luciole.algorithms.famv import GAMMA, gower_distance, hamming_distance

HERE = Path(__file__).parent
BUDGET = 100_000
FUNCTIONS = range(1, 29)
SOME = (1, 4, 7, 11, 15, 19, 21, 26)  # two or three of each category
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)

SWEEPS = {
    "alpha": (0.0, 0.1, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0),
    "gamma": (0.0, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.5, 1.0, 10.0),
    "beta0": (0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0),
    "epsilon": (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 5.0, 10.0),
    "integer_step": ("truncate", "round"),
    "accept": ("always", "better"),
    "population": (5, 10, 25, 50, 100),
}
ON_LABELS = {"k": (0.1, 0.5, 1.0, 2.0, 5.0, 10.0), "replace": (0.5, 1.0, 2.0, 5.0, 12.5)}
ROUNDED = {"as published": {}, "rounded": {"integer_step": "round"}, "floor 0.01": {"discrete_floor": 0.01},
           "rounded, floor 0.01": {"integer_step": "round", "discrete_floor": 0.01}}
STEEP = {"k": (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)}


def field(number: int, variant: str, seed: int) -> list[tuple]:
    """Snapshots of a run: quantiles of the distance to brighter fireflies and of the attraction, and the spread of the swarm."""
    problem = lc.problems.cec2013(number)
    method = lc.FAmv.paper(variant)
    optimizer = lc.Optimizer(problem.space, method, rng=seed, budget=BUDGET, compiled=True)
    objective, moments = problem.objective, set(np.unique(np.geomspace(50, BUDGET, 60).astype(int)).tolist())
    rows = []
    for n in range(1, BUDGET + 1):
        trial = optimizer.ask()
        optimizer.tell(trial, objective(trial._slots))
        if n in moments:
            rows += [(number, variant, seed, n, *each) for each in snapshot(optimizer._state)]
    return rows


def snapshot(state) -> list[tuple]:
    """Measures of a swarm by name, each with five quantiles or the same number five times."""
    kind, position, score = state.layout.kind, state.position, state.sweep.score
    gamma = state.now[GAMMA]
    distances = []
    for i in range(len(position)):
        for j in range(len(position)):
            if score[j] < score[i]:
                if state.rules.gower:
                    distances.append(gower_distance(kind, state.inverse_range, position[i], position[j]))
                else:
                    distances.append(hamming_distance(kind, position[i], position[j]))
    r = np.array(distances or [0.0])
    whole = kind != 0
    low, high = state.layout.low, state.layout.high
    continuous = (position[:, ~whole] - low[~whole]) / (high - low)[~whole]
    differing = np.mean([np.mean(position[i, whole] != position[j, whole]) for i in range(len(position)) for j in range(i)])
    return [
        ("r", *np.quantile(r, QUANTILES)),
        ("fading", *np.quantile(np.exp(-gamma * r * r), QUANTILES)),
        ("spread of continuous variables", *[float(continuous.std(axis=0).mean())] * 5),
        ("part of discrete values that differ", *[float(differing)] * 5),
        ("best", *[float(score.min())] * 5),
    ]


def scaled(number: int, variant: str, unit: float, follows: bool, seed: int) -> list[tuple]:
    """A run in which every continuous variable is measured in other units; the random step follows them, or stays."""
    problem = lc.problems.cec2013(number)
    objective = problem.objective
    space = lc.Space.from_bounds([(-100 * unit, 100 * unit)] * 25 + [(-100, 100)] * 25, [False] * 25 + [True] * 25)
    factor = np.array([1 / unit] * 25 + [1.0] * 25)
    method = lc.FAmv.paper(variant)
    if follows:  # the step of integers is alpha times epsilon, and stays
        method = replace(method, alpha=method.alpha * unit, epsilon=method.epsilon / unit)
    problem = lc.Problem(lambda x: objective(x * factor), space, takes_array=True)
    result = lc.minimize(problem, budget=BUDGET, method=method, rng=seed)
    return [(number, variant, unit, follows, seed, result.fun - lc.problems.cec2013(number).optimum)]


def swept(number: int, variant: str, name: str, value, labels: bool, seed: int) -> list[tuple]:
    """A run with one parameter changed."""
    problem = lc.problems.cec2013(number, mixed_as="categorical" if labels else "integer")
    method = replace(lc.FAmv.paper(variant), **{name: value})
    result = lc.minimize(problem, budget=BUDGET, method=method, rng=seed)
    return [(number, variant, name, value, labels, seed, result.fun - problem.optimum)]


def labelled(number: int, method: str, labels: bool, seed: int) -> list[tuple]:
    """A run on the integer or the categorical reading."""
    problem = lc.problems.cec2013(number, mixed_as="categorical" if labels else "integer")
    result = lc.minimize(problem, budget=BUDGET, method=method, rng=seed)
    return [(number, method, labels, seed, result.fun - problem.optimum)]


def rounded(number: int, variant: str, change: str, seed: int) -> list[tuple]:
    """A run with integers made whole otherwise."""
    problem = lc.problems.cec2013(number)
    result = lc.minimize(problem, budget=BUDGET, method=replace(lc.FAmv.paper(variant), **ROUNDED[change]), rng=seed)
    return [(number, variant, change, seed, result.fun - problem.optimum)]


def jobs_of(part: str, seeds: int) -> tuple[tuple[str, ...], list[tuple]]:
    """The columns of a part, and a function with its arguments for each run."""
    if part == "field":
        columns = ("function", "variant", "seed", "evaluations", "measure", "q05", "q25", "q50", "q75", "q95")
        return columns, [(field, n, v, s) for n in SOME for v in ("H", "H^ag", "G", "G^ag") for s in range(min(seeds, 3))]
    if part == "scaling":
        columns = ("function", "variant", "unit", "follows", "seed", "error")
        return columns, [(scaled, n, v, unit, follows, s) for n in SOME for v in ("H", "G") for unit in (0.01, 1.0, 100.0)
                         for follows in (True, False) for s in range(seeds)]
    if part == "sweeps":
        columns = ("function", "variant", "parameter", "value", "labels", "seed", "error")
        settings = [(v, name, value, False) for v in ("H", "G") for name, values in SWEEPS.items() for value in values]
        settings += [(v, name, value, True) for v in ("H", "G") for name, values in ON_LABELS.items() for value in values]
        settings += [(f"{v}^a", name, value, True) for v in ("H", "G") for name, values in STEEP.items() for value in values]
        return columns, [(swept, n, *each, s) for n in FUNCTIONS for each in settings for s in range(seeds)]
    if part == "rounding":
        columns = ("function", "variant", "change", "seed", "error")
        return columns, [(rounded, n, v, change, s) for n in FUNCTIONS for v in ("H^a", "H^ag", "G^a", "G^ag") for change in ROUNDED
                         for s in range(seeds)]
    columns = ("function", "method", "labels", "seed", "error")
    methods = [f"FAmv_{variant}" for variant in lc.FAmv.VARIANTS] + ["famv", "DEmv", "GA", "L-SHADE small", "random"]
    return columns, [(labelled, n, m, labels, s) for n in FUNCTIONS for m in methods for labels in (False, True)
                     for s in range(seeds)]


def run(job: tuple) -> list[tuple]:
    """One job, in a worker."""
    function, *arguments = job
    return function(*arguments)


def main() -> None:
    """Run a part and write its file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["field", "scaling", "sweeps", "labels", "rounding"])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=HERE)
    options = parser.parse_args()
    columns, jobs = jobs_of(options.part, options.seeds)
    started = time.monotonic()
    for job in {(job[0], job[2]): job for job in jobs if job[1] == 1}.values():  # fill the cache before workers start
        run(job)
    for number in FUNCTIONS:
        lc.problems.cec2013(number).objective.kernel()
    print(f"warm after {time.monotonic() - started:.0f} s; {len(jobs)} runs", flush=True)
    with gzip.open(options.out / f"{options.part}.csv.gz", "wt", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        pool = get_reusable_executor(options.workers)
        for n, rows in enumerate(pool.map(run, jobs, chunksize=4), start=1):
            writer.writerows([f"{each:.6g}" if isinstance(each, float) else each for each in row] for row in rows)
            if n % 500 == 0:
                print(f"{n} runs after {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    print(f"{len(jobs)} runs in {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
