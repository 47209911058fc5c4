"""Ask whether chance explains the cells whose runs spread over powers of ten: many more runs of ours, and means of 30 of them.

python studies/paper/chance.py [--workers N]

Writes chance.csv beside this file: for each cell the mean of 300 runs, and how many of 10,000 means of 30 runs drawn from them are
at least as far from that mean as the published one, on the same side.
"""

import argparse
import csv
from pathlib import Path

import numpy as np
from comparison import read_published
from loky import get_reusable_executor
from reasons import run

from luciole.algorithms import ga, get_method

CELLS = (("F3", "FA"), ("F7", "FA"), ("F28", "FA"), ("F3", "FAmv_G^a"))
RUNS, DRAWS = 300, 10_000


def main() -> None:
    """Make the runs and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=2)
    pool = get_reusable_executor(parser.parse_args().workers)
    published, rng = read_published("ablation"), np.random.default_rng(2013)
    with (Path(__file__).parent / "chance.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["problem", "method", "published", "mean", "std", "share"])
        for problem, method in CELLS:
            jobs = [pool.submit(run, problem, get_method(method), 100_000, ga.CONTINUOUS_BITS, 5000 + seed) for seed in range(RUNS)]
            runs = np.array([job.result() for job in jobs])
            means = rng.choice(runs, (DRAWS, 30)).mean(axis=1)
            theirs = published[problem, method].mean
            as_far = means >= theirs if theirs > runs.mean() else means <= theirs
            row = [problem, method, f"{theirs:.4g}", f"{runs.mean():.4g}", f"{runs.std(ddof=1):.3g}", f"{as_far.mean():.4f}"]
            writer.writerow(row)
            print(*row, flush=True)


if __name__ == "__main__":
    main()
