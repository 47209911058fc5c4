"""Print the largest deviation of each function from the reference values, as a Markdown table.

A deviation is given twice: relative to the error |F - f*| (to 1 where that is smaller), and as a
share of the tolerance max(r |F - f*|, 1e-9, 10 ulp), r being 1e-9 for the official edition and 1e-7
for opfunu-1.0.1; ulp is how far the value moves when the inputs move by one unit in the last place.

Usage: python tools/deviation_cec2013.py
"""

import sys
from pathlib import Path

import numpy as np

from luciole.problems.cec2013 import EDITIONS, FUNCTIONS

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from cec2013_oracle import REFERENCE_DIMENSIONS, real_problem, reference


def largest(number: int, edition: str) -> tuple[float, float, int]:
    """Return the largest relative deviation, the largest share of the tolerance and its dimension."""
    relative, share, where = 0.0, -1.0, 0
    for dim in REFERENCE_DIMENSIONS[edition]:
        points, values, tolerance = reference(number, dim, edition)
        off = np.abs(real_problem(number, dim, edition).evaluate_many(points) - values)
        scale = np.maximum(np.abs(values - FUNCTIONS[number].optimum), 1.0)
        relative = max(relative, float(np.max(off / scale)))
        if np.max(off / tolerance) > share:
            share, where = float(np.max(off / tolerance)), dim
    return relative, share, where


def main() -> None:
    """Print the table."""
    print("| F | " + " | ".join(f"{e}: relative | of tolerance | at D" for e in EDITIONS) + " |")
    print("|---" * (1 + 3 * len(EDITIONS)) + "|")
    for number in FUNCTIONS:
        cells = [f"{number}"]
        for edition in EDITIONS:
            relative, share, where = largest(number, edition)
            cells += [f"{relative:.1e}", f"{share:.1e}", f"{where}"]
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
