"""How near the open choices of PSOmv come to its published results: 28 functions, 50 variables, 100,000 evaluations.

python benchmarks/psomv_choices.py [seeds]

A row a combination: what draws a particle, whether a move has one pair of random numbers for all variables, the largest velocity in
parts of the range (0: none), what becomes of the velocity at the bounds; then how many of our means are within a factor of
1.5 of the published ones, their mean distance in powers of ten (at most 3 a function), and our mean over the published one on four functions.
"""

import itertools
import math
import sys

import numpy as np

import luciole as lc
from published import published_means, ratios, within

MOST = 3.0  # what one function adds to the distance at most: on F14 and F22 of this edition an error can be 0
LEAST = 10.0**-MOST


def main() -> None:
    """Print a row a combination of choices."""
    published = published_means("PSOmv")
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    print("| pull | at_once | limit | at_bounds | within 1.5 | mean distance (log10) | F1 | F6 | F9 | F19 |\n" + "|---" * 10 + "|")
    for pull, at_once, limit, at_bounds in itertools.product(
            ("both", "global", "personal", "superior"), (False, True), (0.0, 0.2, 1.0), ("keep", "stop")):
        found = ratios(lc.PSOmv(pull=pull, at_once=at_once, limit=limit, at_bounds=at_bounds), published, seeds)
        distance = np.mean([min(abs(math.log10(max(each, LEAST))), MOST) for each in found])
        print(f"| {pull} | {at_once} | {limit} | {at_bounds} | {within(found)} | {distance:.3f} | "
              + " | ".join(f"{found[i - 1]:.2f}" for i in (1, 6, 9, 19)) + " |", flush=True)


if __name__ == "__main__":
    main()
