"""What a study costs beyond its runs: one worker, FAmv_H on F1 with 50 variables, runs of several lengths.

python benchmarks/study.py [BUDGET:RUNS ...]

By the processor: the time that the parent takes to hand out and store a run, and the worker to trace and pack it, over the time
inside `minimize`. By the clock: how long a study takes, less one of a single run (which is the start), over the time its runs
take inside `minimize`; this one needs a machine with nothing else to do.
"""

import argparse
import tempfile
import time
from pathlib import Path

from luciole.study import run
from luciole.study.plan import parse_plan
from luciole.study.runner import run_study, tasks_of
from luciole.study.store import read_status

PLAN = 'repetitions = 1\nbudget = 1\nfitness = "absolute-error"\nproblems = ["f1"]\nmethods = ["FAmv_H"]'


def study(budget: int, runs: int) -> tuple[float, float, float]:
    """Seconds by the clock, seconds in runs, and seconds of the parent's processor."""
    with tempfile.TemporaryDirectory() as folder:
        before = time.process_time()
        outcome = run_study(parse_plan(PLAN, budget=budget, repetitions=runs), Path(folder), workers=1)
        return outcome.seconds, read_status(folder).seconds, time.process_time() - before


class Timed:
    """A method that adds up the processor time of its runs."""

    def __init__(self, searcher: run.Native) -> None:
        self.searcher = searcher
        self.seconds = 0.0

    def run(self, *problem: object, **options: int) -> object:
        """As the method itself."""
        began = time.process_time()
        result = self.searcher.run(*problem, **options)
        self.seconds += time.process_time() - began
        return result


def worker(budget: int, runs: int) -> tuple[float, float]:
    """Seconds of the processor that a run takes inside `minimize`, and beyond it."""
    tasks = tasks_of(parse_plan(PLAN, budget=budget, repetitions=runs + 1))
    run.do_run(tasks[0])
    timed = Timed(run.make_searcher(tasks[0].method))
    make, run.make_searcher = run.make_searcher, lambda entry: timed
    began = time.process_time()
    for task in tasks[1:]:
        run.do_run(task)
    whole = time.process_time() - began
    run.make_searcher = make
    return timed.seconds / runs, (whole - timed.seconds) / runs


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", default=["1000000:10", "100000:60", "10000:300"], metavar="BUDGET:RUNS")
    print("| evaluations | run, s | parent, ms | worker, ms | beyond, by the processor | by the clock | start, s |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for size in parser.parse_args().sizes:
        budget, runs = map(int, size.split(":"))
        study(budget, 1)
        one, many = study(budget, 1), study(budget, runs)
        clock, inside, parent = ((many[k] - one[k]) / (runs - 1) for k in range(3))
        run_seconds, beyond = worker(budget, runs)
        print(f"| {budget:,} | {run_seconds:.3f} | {1000 * parent:.2f} | {1000 * beyond:.2f} | "
              f"{100 * (parent + beyond) / run_seconds:.2f} % | {100 * (clock / inside - 1):.2f} % | {one[0] - one[1]:.1f} |",
              flush=True)


if __name__ == "__main__":
    main()
