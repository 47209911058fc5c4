"""How near the open choices of PSOmv come to its published results: 28 functions, 50 variables, 100,000 evaluations.

python benchmarks/psomv_choices.py PUBLISHED.csv [seeds]

The file has the columns problem (F1 to F28) and mean.
"""

import csv
import itertools
import math
import sys

import numpy as np

import luciole as lc

PROBLEMS = {f"F{i}": lc.problems.cec2013(i, edition="opfunu-1.0.1").absolute_error() for i in range(1, 29)}


def ratios(method: lc.Method, published: dict[str, float], seeds: int) -> list[float]:
    """Our mean error over the published one, function by function."""
    return [float(np.mean([lc.minimize(problem, budget=100_000, method=method, rng=seed).fun for seed in range(seeds)]))
            / published[name] for name, problem in PROBLEMS.items()]


def main() -> None:
    """Print a row a combination of choices."""
    with open(sys.argv[1]) as file:
        published = {row["problem"]: float(row["mean"]) for row in csv.DictReader(file)}
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    print("| pull | at_once | limit | at_bounds | within 1.5 | mean distance (log10) | F1 | F6 | F9 | F19 |\n" + "|---" * 10 + "|")
    for pull, at_once, limit, at_bounds in itertools.product(
            ("both", "global", "personal", "superior"), (False, True), (0.0, 0.2, 1.0), ("keep", "stop")):
        found = ratios(lc.PSOmv(pull=pull, at_once=at_once, limit=limit, at_bounds=at_bounds), published, seeds)
        inside = sum(1 / 1.5 <= each <= 1.5 for each in found)
        distance = np.mean([abs(math.log10(each)) for each in found])
        print(f"| {pull} | {at_once} | {limit} | {at_bounds} | {inside} | {distance:.3f} | "
              + " | ".join(f"{found[i - 1]:.2f}" for i in (1, 6, 9, 19)) + " |", flush=True)


if __name__ == "__main__":
    main()
