"""Time the compiled CEC 2013 functions against pygmo's, on the same points in the same run.

Prints a Markdown table with the time of one evaluation in microseconds (one thread, best of the
repeats), the ratio, how many matrix products the function needs, what they alone would cost at the
peak rate of multiply-adds measured here, and what the function would cost if they did: the time
measured, less that of the products as they are written (on a matrix in the nearest cache), plus
that at the peak. Ours is the public `evaluate_many`, its checks included. pygmo's time is that of
`problem.fitness(x)` less that of a null problem, which is what calling from Python costs.

Usage: python benchmarks/cec2013.py [--dim 50] [--points 400] [--repeats 15]
"""

import argparse
import math
import time
from collections.abc import Callable

import numba
import numpy as np
import pygmo

import luciole as lc
from luciole.problems.cec2013 import FUNCTIONS
from luciole.problems.cec2013._blocks import padded_size
from luciole.problems.cec2013._prepare import aligned
from luciole.problems.cec2013._simd import fma, load, pointer, store
from luciole.problems.cec2013._transforms import rotate

# Matrix-vector products that a function cannot do without: consecutive linear maps count once.
PRODUCTS = {
    **dict.fromkeys((1, 5, 11, 14, 17, 19, 22), 0),
    **dict.fromkeys((2, 4, 6, 10, 15, 16, 18), 1),
    **dict.fromkeys((3, 7, 8, 9, 12, 13, 20), 2),
    21: 5,
    23: 3,
    24: 5,
    25: 5,
    26: 7,
    27: 6,
    28: 5,
}
# Below this time, in microseconds, a call is mostly the call itself.
NEGLIGIBLE = 0.3
# Ours goes over the points so many times for one timing, since it is that much faster.
ROUNDS = 5


def best_seconds(function: Callable[[], object], repeats: int) -> float:
    """Return the shortest of several timings of a call."""
    best = math.inf
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


@numba.njit
def multiply_add(rounds: int, x: np.ndarray, out: np.ndarray) -> None:
    """Run sixteen chains of vector multiply-adds that stay in registers."""
    a = load(pointer(x, 0), 0)
    b = load(pointer(x, 0), 8)
    v0, v1, v2, v3, v4, v5, v6, v7 = a, a, a, a, a, a, a, a
    w0, w1, w2, w3, w4, w5, w6, w7 = b, b, b, b, b, b, b, b
    for _ in range(rounds):
        v0, v1, v2, v3 = fma(v0, a, b), fma(v1, a, b), fma(v2, a, b), fma(v3, a, b)
        v4, v5, v6, v7 = fma(v4, a, b), fma(v5, a, b), fma(v6, a, b), fma(v7, a, b)
        w0, w1, w2, w3 = fma(w0, a, b), fma(w1, a, b), fma(w2, a, b), fma(w3, a, b)
        w4, w5, w6, w7 = fma(w4, a, b), fma(w5, a, b), fma(w6, a, b), fma(w7, a, b)
    low = v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7
    store(pointer(out, 0), 0, low + w0 + w1 + w2 + w3 + w4 + w5 + w6 + w7)


@numba.njit
def products(rounds: int, data: np.ndarray, work: np.ndarray, n: int, lanes: int) -> None:
    """Run matrix-vector products as the kernels do, on a matrix that stays in the cache."""
    for _ in range(rounds):
        rotate(pointer(data, 0), 0, pointer(work, 0), 0, lanes, n, lanes)


def peak_seconds(dim: int, repeats: int) -> tuple[float, float]:
    """Return the seconds of a matrix-vector product at the machine's peak rate and as written here."""
    rounds, x, out = 100_000, np.full(16, 0.5), np.empty(8)
    multiply_add(1, x, out)
    rate = 2 * 16 * 8 * rounds / best_seconds(lambda: multiply_add(rounds, x, out), repeats)
    lanes = padded_size(dim)
    data, work = aligned(lanes * (dim + 10)), aligned(4 * lanes)
    products(1, data, work, dim, lanes)
    alone = best_seconds(lambda: products(1000, data, work, dim, lanes), repeats) / 1000
    return 2 * dim * dim / rate, alone


def pygmo_seconds(problem: pygmo.problem, points: list[np.ndarray], repeats: int) -> float:
    """Return the seconds of one `fitness` call."""
    fitness = problem.fitness

    def run():
        for x in points:
            fitness(x)

    return best_seconds(run, repeats) / len(points)


def loop_seconds(dim: int, evaluate: float) -> float:
    """Return the seconds of one evaluation of F1 in `minimize`, beyond the objective."""
    problem = lc.problems.cec2013(1, dim)

    def run(budget: int) -> None:
        lc.minimize(problem, budget=budget, method="FAmv_H", rng=0)

    run(2000)
    return best_seconds(lambda: run(100_000), 3) / 100_000 - evaluate


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dim", type=int, default=50)
    parser.add_argument("--points", type=int, default=400)
    parser.add_argument("--repeats", type=int, default=15)
    options = parser.parse_args()
    dim, repeats = options.dim, options.repeats
    sample = np.random.default_rng(1).uniform(-100.0, 100.0, (options.points, dim))
    points = np.tile(sample, (ROUNDS, 1))
    few = list(sample)
    null = pygmo_seconds(pygmo.problem(pygmo.null_problem()), [x[:1].copy() for x in few], repeats)
    peak, alone = peak_seconds(dim, repeats)
    print(f"pygmo's call from Python costs {null * 1e6:.3f} us; a matrix-vector product")
    print(f"{peak * 1e6:.3f} us at the peak rate of {2e-9 * dim * dim / peak:.0f} GFLOP/s, ", end="")
    print(f"{alone * 1e6:.3f} us as written here\n")
    print("| F | ours, us | pygmo, us | ratio | products | they alone at peak, us | ours with them at peak, us |")
    print("|---|---|---|---|---|---|---|")
    ours, theirs, slower = [], [], []
    for number in FUNCTIONS:
        evaluate = lc.problems.cec2013(number, dim, mixed=False).evaluate_many
        evaluate(points[:2])
        mine, other = math.inf, math.inf
        # In turns, so that a disturbance meets both.
        for _ in range(repeats):
            mine = min(mine, best_seconds(lambda evaluate=evaluate: evaluate(points), 1) / len(points))
            problem = pygmo.problem(pygmo.cec2013(prob_id=number, dim=dim))
            other = min(other, pygmo_seconds(problem, few, 1))
        mine, other = mine * 1e6, max(other - null, 1e-9) * 1e6
        count = PRODUCTS[number]
        ours.append(mine)
        theirs.append(other)
        if mine > other and mine > NEGLIGIBLE:
            slower.append(number)
        times = f"{mine:.3f} | {other:.2f} | {other / mine:.1f}"
        at_peak = mine - count * (alone - peak) * 1e6
        print(f"| {number} | {times} | {count} | {count * peak * 1e6:.3f} | {at_peak:.3f} |")
    mean = math.exp(sum(math.log(b / a) for a, b in zip(ours, theirs, strict=True)) / len(ours))
    print(f"\ngeometric mean of the ratios {mean:.1f}; sum {sum(ours):.1f} us against {sum(theirs):.1f} us;")
    print(f"slower than pygmo: {slower or 'none'};")
    beyond = loop_seconds(dim, ours[0] * 1e-6) * 1e6
    print(f"minimising F1 with FAmv_H, mixed, takes {beyond:.2f} us an evaluation beyond the objective")


if __name__ == "__main__":
    main()
