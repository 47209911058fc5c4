"""What the optimiser itself costs: importing it, short runs, ask and tell, the compiled loop, many variables.

    make bench            or     python benchmarks/optimizer.py [--json]

Machines are noisy: each figure is the best of several repeats, which is what the code takes when nothing else runs.
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
from numba import njit

import luciole as lc


@njit("float64(float64[::1])")
def sphere(x):
    """Cheap on purpose: what is left is the cost of the method."""
    total = 0.0
    for k in range(x.size):
        total += x[k] * x[k]
    return total


def half_integer(dimension: int) -> lc.Space:
    """A box, the second half of it integers."""
    return lc.Space.from_bounds([(-100, 100)] * dimension, [False] * (dimension // 2) + [True] * (dimension - dimension // 2))


def best_of(repeats: int, call: Callable[[], float]) -> float:
    """The least of several measurements."""
    return min(call() for _ in range(repeats))


def cold(code: str) -> float:
    """Seconds that code takes in a fresh process, as it measures them itself."""
    script = f"import time, numpy; start = time.perf_counter(); {code}; print(time.perf_counter() - start)"
    return float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)


def objective_cost(dimension: int) -> float:
    """Seconds one call of the objective takes inside compiled code."""
    @njit
    def loop(x, count):
        total = 0.0
        for i in range(count):
            x[0] = i
            total += sphere(x)
        return total

    x, count = np.ones(dimension), max(2000, 2_000_000 // dimension)
    loop(x, 1)

    def once() -> float:
        start = time.perf_counter()
        loop(x, count)
        return (time.perf_counter() - start) / count
    return best_of(5, once)


def compiled_loop(method: str, dimension: int, budget: int, repeats: int = 5) -> float:
    """Seconds an evaluation of the whole of `minimize`, with a compiled objective."""
    space = half_integer(dimension)

    def once() -> float:
        start = time.perf_counter()
        lc.minimize(sphere, space, budget=budget, method=method, rng=0, compiled=True)
        return (time.perf_counter() - start) / budget
    once()
    return best_of(repeats, once)


def ask_and_tell(method: str, dimension: int, compiled: bool, pairs: int = 4000) -> float:
    """Seconds a pair of ask and tell from Python, on arrays, the point handed out."""
    def once() -> float:
        optimizer = lc.Optimizer(half_integer(dimension), method, rng=0, budget=pairs + 100, compiled=compiled)
        for _ in range(100):
            trial = optimizer.ask()
            optimizer.tell(trial, float(trial.x[0]))
        start = time.perf_counter()
        for _ in range(pairs):
            trial = optimizer.ask()
            optimizer.tell(trial, float(trial.x[0]))
        return (time.perf_counter() - start) / pairs
    return best_of(5, once)


def main() -> None:
    """Measure everything and print it."""
    rows: list[tuple[str, float, str, str]] = []

    def row(what: str, figure: float, unit: str, goal: str = "") -> None:
        rows.append((what, figure, unit, goal))
        print(f"| {what} | {figure:.3g} {unit} | {goal} |", flush=True)

    print("| what | measured | goal |\n|---|---|---|")
    row("`import luciole`, beyond NumPy", best_of(5, lambda: cold("import luciole")), "s", "< 0.3 s")
    short = ("import luciole as lc; lc.minimize(lambda p: sum(v * v for v in p.values()), "
             "lc.Space({f'x{i}': lc.Float(-1, 1) for i in range(5)}), budget=200, rng=0)")
    row("cold process: import and `minimize`, budget 200, 5 variables, Python objective", best_of(5, lambda: cold(short)), "s", "< 1 s")
    row("ask and tell, plain, D = 5", 1e6 * ask_and_tell("FAmv_H", 5, compiled=False), "us", "< 20 us")
    row("ask and tell, compiled, D = 50", 1e6 * ask_and_tell("FAmv_H", 50, compiled=True), "us", "< 20 us")
    row("the same with the default method, plain, D = 5", 1e6 * ask_and_tell("famv", 5, compiled=False), "us")
    row("the same with the default method, compiled, D = 50", 1e6 * ask_and_tell("famv", 50, compiled=True), "us")
    objective = objective_cost(50)
    for method, goal in (("FAmv_H", "< 1 us"), ("FAmv_G^ag", "< 1 us"), ("famv", ""), ("fa", ""), ("random", "")):
        beyond = compiled_loop(method, 50, 200_000) - objective
        row(f"compiled loop, {method}, D = 50, beyond the objective", 1e6 * beyond, "us/evaluation", goal)
    per_variable = []
    for dimension in (10, 30, 100, 300, 1000, 3000, 10_000):
        budget = max(400, min(200_000, 4_000_000 // dimension))
        seconds = compiled_loop("FAmv_H", dimension, budget, repeats=3)
        per_variable.append(seconds / dimension)
        row(f"compiled loop, FAmv_H, D = {dimension:,}", 1e6 * seconds, "us/evaluation")
    spread = max(per_variable[2:]) / statistics.median(per_variable[2:])
    row("time a variable from D = 100 to 10,000: largest over median", spread, "", "< 2: linear")
    if "--json" in sys.argv:
        print(json.dumps([{"what": what, "figure": figure, "unit": unit} for what, figure, unit, _ in rows]))


if __name__ == "__main__":
    main()
