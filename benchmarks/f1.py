"""The published F1 errors beside ours: the sphere of CEC 2013, 50 variables of which 25 are integers, 100,000 evaluations.

python benchmarks/f1.py             each method, with its published mean
python benchmarks/f1.py --batch     with 1, 8 and 25 candidates out at once
"""

import csv
import sys
from pathlib import Path

import numpy as np
from numba import njit

import luciole as lc

FOLDER = Path(__file__).parents[1] / "tests" / "algorithms"
SHIFT = np.load(FOLDER / "f1_shift_d50.npy")


@njit("float64(float64[::1])")
def error(x):
    """Distance to the optimum, squared."""
    total = 0.0
    for k in range(x.size):
        total += (x[k] - SHIFT[k]) ** 2
    return total


SPACE = lc.Space.from_bounds([(-100, 100)] * 50, [False] * 25 + [True] * 25)
SEEDS = range(10)


def mean_error(name: str, batch: int = 1) -> float:
    """Mean final error over the seeds."""
    return float(np.mean([lc.minimize(error, SPACE, budget=100_000, method=name, rng=seed, batch=batch).fun for seed in SEEDS]))


def main() -> None:
    """Print a row a method."""
    if "--batch" in sys.argv:
        for name in ("FAmv_H", "famv"):
            print(f"| `{name}` | " + " | ".join(f"{mean_error(name, batch):.4g}" for batch in (1, 8, 25)) + " |", flush=True)
        return
    with (FOLDER / "paper_f1.csv").open() as file:
        published = {row["method"]: float(row["mean"]) for row in csv.DictReader(file)}
    for name in [*sorted(published), "famv", "random"]:
        shown = f"{published[name]:.0f}" if name in published else ""
        print(f"| `{name}` | {shown} | {mean_error(name):.4g} |", flush=True)


if __name__ == "__main__":
    main()
