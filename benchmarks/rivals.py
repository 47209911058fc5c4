"""How good the native methods are: CEC 2013, official edition, 50 variables of which 25 are integers, 100,000 evaluations.

python benchmarks/rivals.py random [METHOD...] [--seeds N]     mean errors, and on how many functions each beats random search
python benchmarks/rivals.py lshade [--seeds N]                 L-SHADE over the figures that were measured before, elsewhere
python benchmarks/rivals.py spring [--seeds N]                 the coil spring with catalogue wires, 20,000 evaluations
python benchmarks/rivals.py cost                               what each method costs an evaluation in the compiled loop, 50 variables
"""

import argparse
import functools
import itertools
import math
import time

import numpy as np
from scipy.stats import mannwhitneyu

import luciole as lc
from luciole.algorithms import METHODS
from optimizer import best_of, half_integer, sphere

CITED = ("ACO_mv", "EDA_mvn", "NEFA", "INEFA", "Memetic FA")
NUMBERS = range(1, 29)
BUDGET = 100_000

# Mean errors of an L-SHADE of other hands, 5 seeds; a small population was not run everywhere.
BEFORE = {
    "L-SHADE": [1.86, 3.35e5, 1.89e7, 1.95e3, 0.926, 47, 9.7, 21.1, 58.8, 1.24, 34.4, 119, 136, 2.14e3, 1.04e4, 3.04, 96.6, 288, 8.75, 20.6,
                944, 2.25e3, 9.12e3, 221, 296, 258, 817, 408],
    "L-SHADE small": [1.99, 9e5, 1.23e8, 3.89e3, 1.93, 47.4, 19.2, 21.1, math.nan, 1.84, 5.18, 40.8, 82.5, 57.8, 7.23e3, math.nan, 71.5, 197,
                      4.63, 19.2, 945, 93, 7.46e3, math.nan, math.nan, math.nan, math.nan, 409],
}


def errors(method: str | lc.Method, seeds: int) -> np.ndarray:
    """Final errors, a row a function, a column a seed."""
    problems = [lc.problems.cec2013(number) for number in NUMBERS]
    return np.array([[lc.minimize(each, budget=BUDGET, method=method, rng=seed).fun - each.optimum for seed in range(seeds)]
                     for each in problems])


def holm(p: np.ndarray) -> np.ndarray:
    """Probabilities adjusted for being many."""
    order = np.argsort(p)
    adjusted = np.empty(p.size)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1)), 1.0)
    return adjusted


def against_random(methods: list[str], seeds: int) -> None:
    """Mean errors, a star where better than random search: Mann-Whitney, one-sided, 0.05 after Holm over the functions."""
    columns, floor = {}, errors("random", seeds)
    for name in methods:
        found = errors(name, seeds)
        p = holm(np.array([mannwhitneyu(a, b, alternative="less").pvalue for a, b in zip(found, floor, strict=True)]))
        columns[name] = [f"{mean:.3g}{'*' if each < 0.05 else ''}" for mean, each in zip(found.mean(axis=1), p, strict=True)]
    print("| | random | " + " | ".join(methods) + " |\n" + "|---" * (len(methods) + 2) + "|")
    for row, number in enumerate(NUMBERS):
        print(f"| F{number} | {floor[row].mean():.3g} | " + " | ".join(columns[name][row] for name in methods) + " |")
    print("| better than random | | " + " | ".join(f"{sum('*' in each for each in columns[name])} of 28" for name in methods) + " |")


def against_before(seeds: int) -> None:
    """Our mean errors of L-SHADE, and in brackets over those measured before; last the geometric mean of these ratios."""
    columns, means = {}, {}
    for name, before in BEFORE.items():
        found = errors(name, seeds).mean(axis=1)
        ratios = found / np.array(before)
        columns[name] = [f"{mean:.3g}" + ("" if math.isnan(ratio) else f" ({ratio:.2f})") for mean, ratio in zip(found, ratios, strict=True)]
        means[name] = math.exp(float(np.nanmean(np.log(ratios))))
    print("| | " + " | ".join(BEFORE) + " |\n" + "|---" * (len(BEFORE) + 1) + "|")
    for row, number in enumerate(NUMBERS):
        print(f"| F{number} | " + " | ".join(columns[name][row] for name in BEFORE) + " |")
    print("| geometric mean of ratios | " + " | ".join(f"{means[name]:.2f}" for name in BEFORE) + " |")


def spring(methods: list[str], seeds: int) -> None:
    """How often the best known spring is found to the six digits it is quoted with; mean and worst of the feasible ones found."""
    plain = lc.problems.coil_spring_catalogue()
    print("| method | constraints | found | feasible | mean | worst |\n|---|---|---|---|---|---|")
    for name, rule in itertools.product(methods, ("product", None)):
        problem = lc.problems.coil_spring_catalogue(penalty=rule)
        values = []
        for seed in range(seeds):
            design = lc.minimize(problem, budget=20_000, method=name, rng=seed, compiled=True).x
            if not plain.violated(design):
                values.append(plain(design))
        found = sum(round(each * math.pi**2 / 4, 5) == 2.65856 for each in values)
        print(f"| {name} | {rule or 'Deb'} | {found} of {seeds} | {len(values)} | {np.mean(values or [math.nan]):.6g} | "
              f"{max(values, default=math.nan):.6g} |", flush=True)


def cost() -> None:
    """Microseconds of CPU an evaluation, the compiled loop and its history included, of an objective that takes a few hundredths."""
    space, budget = half_integer(50), 200_000

    def once(method: str) -> float:
        start = time.process_time()
        lc.minimize(sphere, space, budget=budget, method=method, rng=0, compiled=True)
        return (time.process_time() - start) / budget

    print("| method | us/evaluation |\n|---|---:|")
    for name in METHODS:
        once(name)
        print(f"| {name} | {1e6 * best_of(5, functools.partial(once, name)):.2f} |", flush=True)


def main() -> None:
    """Print one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=("random", "lshade", "spring", "cost"))
    parser.add_argument("methods", nargs="*")
    parser.add_argument("--seeds", type=int)
    options = parser.parse_args()
    methods = options.methods or list(CITED)
    if options.table == "random":
        against_random(methods, options.seeds or 10)
    elif options.table == "lshade":
        against_before(options.seeds or 10)
    elif options.table == "cost":
        cost()
    else:
        spring(methods, options.seeds or 30)


if __name__ == "__main__":
    main()
