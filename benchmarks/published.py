"""Our means over the published ones: edition opfunu-1.0.1, |f - f*|, 50 variables of which 25 are integers, 100,000 evaluations.

python benchmarks/published.py METHOD... [--seeds N]
python benchmarks/published.py METHOD... --runs studies/paper/opfunu-1.0.1.csv.gz      # runs made before, by their names in the paper

A row a function, a column a method; then how many are within a factor of 1.5, and the geometric mean of the ratios.
"""

import argparse
import csv
import gzip
import math
from pathlib import Path

import numpy as np

import luciole as lc

PUBLISHED = Path(__file__).parents[1] / "tests" / "study" / "published.csv"
NUMBERS = range(1, 29)


def published_means(method: str) -> dict[int, float]:
    """The mean errors of the paper's main table, by function."""
    with PUBLISHED.open() as file:
        lines = [line for line in file if not line.startswith("#")]
    return {int(row["problem"][1:]): float(row["mean"]) for row in csv.DictReader(lines)
            if row["table"] == "main" and row["algorithm"] == method}


def ratios(method: lc.Method, published: dict[int, float], seeds: int) -> list[float]:
    """Our mean error over the published one, function by function."""
    problems = [lc.problems.cec2013(number, edition="opfunu-1.0.1").absolute_error() for number in NUMBERS]
    return [float(np.mean([lc.minimize(problem, budget=100_000, method=method, rng=seed).fun for seed in range(seeds)]))
            / published[problem.number] for problem in problems]


def ratios_on_file(name: str, published: dict[int, float], runs: Path) -> list[float]:
    """The same, from a file of final errors."""
    with gzip.open(runs, "rt", newline="") as file:
        errors = [(row["problem"], float(row["error"])) for row in csv.DictReader(file) if row["method"] == name]
    return [float(np.mean([error for problem, error in errors if problem == f"F{number}"])) / published[number] for number in NUMBERS]


def within(found: list[float]) -> int:
    """How many ratios are within a factor of 1.5."""
    return sum(1 / 1.5 <= each <= 1.5 for each in found)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("methods", nargs="+")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--runs", type=Path)
    options = parser.parse_args()
    columns = [ratios_on_file(name, published_means(name), options.runs) if options.runs
               else ratios(lc.algorithms.get_method(name), published_means(name), options.seeds) for name in options.methods]
    print("| | " + " | ".join(options.methods) + " |\n" + "|---" * (len(columns) + 1) + "|")
    for number, row in zip(NUMBERS, zip(*columns, strict=True), strict=True):
        print(f"| F{number} | " + " | ".join(f"{each:.2f}" for each in row) + " |")
    print("| within 1.5 | " + " | ".join(f"{within(column)} of 28" for column in columns) + " |")
    print("| geometric mean | " + " | ".join(f"{math.exp(np.mean(np.log(column))):.2f}" for column in columns) + " |")


if __name__ == "__main__":
    main()
