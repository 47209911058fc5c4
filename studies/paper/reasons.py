"""Change one choice at a time where our mean is far from the published one, and see what it does.

python studies/paper/reasons.py [--workers N]

Writes reasons.csv beside this file: for each such cell of the edition opfunu-1.0.1 the mean of 30 runs as they are, and with one
choice changed.
"""

import argparse
import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from loky import get_reusable_executor
from page import ABLATION, FUNCTIONS, MAIN, cells, deviations, read_errors

import luciole as lc
from luciole.algorithms import get_method

SEEDS = 30
LATE = 600  # the published program looked at its budget between generations only: up to 25 times 24 moves late

CHOICES = {
    "FAmv": {"integers rounded": {"integer_step": "round"}, "epsilon within 2": {"epsilon": 2.0}, "epsilon within 3": {"epsilon": 3.0},
             "reflected at the bounds": {"bounds": "reflect"}, "population 20": {"population": 20},
             "population 30": {"population": 30}, "beta0 = 1": {"beta0": 1.0}},
    "FA": {"population 20": {"population": 20}, "population 30": {"population": 30}, "alpha = 1": {"alpha": 1.0},
           "alpha = 2": {"alpha": 2.0}, "alpha does not fall": {"alpha_floor": 1.5}},
    "DEmv": {"F = 0.3": {"scale": 0.3}, "CR = 0.3": {"crossover": 0.3}, "CR = 0.1": {"crossover": 0.1}, "population 50": {"population": 50}},
    "GA": {"mutation 0.005": {"mutation": 0.005}, "crossover 0.8": {"crossover": 0.8}, "tournament of 2": {"tournament": 2},
           "population 50": {"population": 50}},
}


def variants(name: str) -> Iterator[tuple[str, lc.Method, int]]:
    """A method as it is and with one choice changed, each with a name and a budget."""
    method = get_method(name)
    yield "other seeds", method, 100_000
    yield "a generation more", method, 100_000 + LATE
    for choice, change in CHOICES[name.partition("_")[0]].items():
        yield choice, replace(method, **change), 100_000


def run(problem: str, method: lc.Method, budget: int, seed: int) -> float:
    """The error of one run."""
    function = lc.problems.cec2013(int(problem[1:]), edition="opfunu-1.0.1").absolute_error()
    return lc.minimize(function, budget=budget, method=method, rng=seed).fun


def main() -> None:
    """Run what is needed and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=2)
    workers = parser.parse_args().workers
    errors = read_errors("opfunu-1.0.1")
    off = deviations([*cells(errors, "ablation", FUNCTIONS, ABLATION),
                      *(each for each in cells(errors, "main", FUNCTIONS, MAIN) if each.method in ("DEmv", "GA"))])
    pool = get_reusable_executor(workers)
    with (Path(__file__).parent / "reasons.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["problem", "method", "choice", "mean", "std", "published"])
        for cell in off:
            own = errors[cell.problem, cell.method]
            rows = [("as it is", own)]
            for choice, method, budget in variants(cell.method):
                jobs = [pool.submit(run, cell.problem, method, budget, 1000 + seed) for seed in range(SEEDS)]
                rows.append((choice, np.array([job.result() for job in jobs])))
            for choice, runs in rows:
                writer.writerow([cell.problem, cell.method, choice, f"{runs.mean():.4g}", f"{runs.std(ddof=1):.3g}",
                                 f"{cell.printed.mean:.4g}"])
                print(cell.problem, cell.method, choice, f"{runs.mean():.4g} against {cell.printed.mean:.4g}", flush=True)


if __name__ == "__main__":
    main()
