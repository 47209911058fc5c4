"""Change one choice at a time where our mean is far from the published one, and see what it does.

python studies/paper/reasons.py [--workers N]

Writes reasons.csv beside this file: for each such cell of the edition opfunu-1.0.1 the mean of 30 runs as they are, and with one
choice changed. What the file has already is not run again.
"""

import argparse
import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from comparison import ABLATION, FUNCTIONS, MAIN, Cell, cells, deviations, read_errors
from loky import get_reusable_executor

import luciole as lc
from luciole.algorithms import ga, get_method

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
           "population 50": {"population": 50}, "8 bits": {"bits": 8}, "10 bits": {"bits": 10}, "12 bits": {"bits": 12}, "20 bits": {"bits": 20}},
    "PSOmv": {"pulled by the best of all alone": {"pull": "global"}, "pulled by its own best alone": {"pull": "personal"},
              "pulled by one of the better half": {"pull": "superior"}, "random numbers for each variable": {"at_once": False},
              "velocity without limit": {"limit": 0.0}, "velocity within a fifth of the range": {"limit": 0.2},
              "velocity kept at the bounds": {"at_bounds": "keep"}, "w = 0.7": {"inertia": 0.7}},
}
AS_IT_IS = "as it is"
COLUMNS = ("problem", "method", "choice", "mean", "std", "published")


def variants(name: str) -> Iterator[tuple[str, lc.Method, int, int]]:
    """A method as it is and with one choice changed, each with a name, a budget, and the bits of the GA's real numbers."""
    method, bits = get_method(name), ga.CONTINUOUS_BITS
    yield "other seeds", method, 100_000, bits
    yield "a generation more", method, 100_000 + LATE, bits
    for choice, change in CHOICES[name.partition("_")[0]].items():
        rest = {key: value for key, value in change.items() if key != "bits"}
        yield choice, replace(method, **rest), 100_000, change.get("bits", bits)


def run(problem: str, method: lc.Method, budget: int, bits: int, seed: int) -> float:
    """The error of one run."""
    ga.CONTINUOUS_BITS = bits  # no parameter of the method
    function = lc.problems.cec2013(int(problem[1:]), edition="opfunu-1.0.1").absolute_error()
    return lc.minimize(function, budget=budget, method=method, rng=seed).fun


def known(path: Path) -> dict[tuple[str, str, str], dict[str, str]]:
    """The rows of a file that was begun."""
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {(row["problem"], row["method"], row["choice"]): row for row in csv.DictReader(file) if row["choice"] != AS_IT_IS}


def row_of(cell: Cell, choice: str, runs: np.ndarray) -> dict[str, str]:
    """A row of the file."""
    numbers = (cell.problem, cell.method, choice, f"{runs.mean():.4g}", f"{runs.std(ddof=1):.3g}", f"{cell.printed.mean:.4g}")
    return dict(zip(COLUMNS, numbers, strict=True))


def write(path: Path, rows: list[dict[str, str]]) -> None:
    """The file as a whole."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    """Run what is needed and write the file, as a whole after every row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=2)
    pool = get_reusable_executor(parser.parse_args().workers)
    path = Path(__file__).parent / "reasons.csv"
    errors, before, rows = read_errors("opfunu-1.0.1"), known(path), []
    off = deviations([*cells(errors, "ablation", FUNCTIONS, ABLATION), *cells(errors, "main", FUNCTIONS, MAIN)])
    planned = [(cell, *each) for cell in off for each in variants(cell.method)]
    for cell, choice, method, budget, bits in planned:
        if choice == "other seeds":
            rows.append(row_of(cell, AS_IT_IS, errors[cell.problem, cell.method]))
        key = cell.problem, cell.method, choice
        if key in before:
            rows.append(before.pop(key))
            continue
        jobs = [pool.submit(run, cell.problem, method, budget, bits, 1000 + seed) for seed in range(SEEDS)]
        rows.append(row_of(cell, choice, np.array([job.result() for job in jobs])))
        print(*rows[-1].values(), flush=True)
        write(path, [*rows, *before.values()])
    write(path, rows)


if __name__ == "__main__":
    main()
