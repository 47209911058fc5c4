"""luciole's methods beside those of other libraries: .venv-peers/bin/python benchmarks/peers.py [--seconds N] [--tables].

Runs are made one after the other in one process, the cheap ones first, and each is appended to benchmarks/peers.jsonl as soon as it is
done, so the command can be cut off and started again at any moment; it goes on where it was. --seconds ends it in good time.
--tables prints what docs/choosing.md shows, from the runs that are there. `make peers` builds the environment.
"""

import argparse
import itertools
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import luciole as lc
from luciole.algorithms import METHODS
from luciole.integrations.peers import available, get_peer

FILE = Path(__file__).with_suffix(".jsonl")
FUNCTIONS = (1, 3, 6, 9, 12, 15, 22, 26)  # of each category: two unimodal, four multimodal, two compositions
NATIVE = {"famv": lc.FAmv(), "lshade small": lc.LSHADE(population="small"), "random": lc.RandomSearch()}
if "acomv" in METHODS:
    NATIVE["acomv"] = METHODS["acomv"]()
FAST = ("cmawm", "catcmawm", "scipy-de", "ngopt", "pymoo-ga")
MEDIUM = ("optuna-cmaes", "vizier-eagle", "optuna-tpe")
SLOW = ("smac3",)

GROUPS = {
    "10 variables, half of them integers": {f"F{n}": lambda n=n: lc.problems.cec2013(n, dim=10) for n in FUNCTIONS},
    "50 variables, half of them integers": {f"F{n} D50": lambda n=n: lc.problems.cec2013(n, dim=50) for n in FUNCTIONS},
    "categorical": {
        "F1 labels": lambda: lc.problems.cec2013(1, dim=10, mixed_as="categorical"),
        "F9 labels": lambda: lc.problems.cec2013(9, dim=10, mixed_as="categorical"),
        "reactor-choice": lc.problems.reactor_choice,
    },
    "engineering": {name: lc.problems.PROBLEMS[name] for name in ("pressure-vessel", "coil-spring", "stepped-cantilever")},
}
SMALL = ("10 variables, half of them integers", "categorical", "engineering")


def stages() -> Iterator[tuple[range, list[tuple[int, str, str, str]]]]:
    """Seeds, and the budget, group, problem and method of every run with them; the cheap and telling ones first."""
    def of(budget, groups, methods):
        return [(budget, group, problem, method) for group in groups for problem in GROUPS[group] for method in methods]

    native, few = tuple(NATIVE), ("F1", "F9", "reactor-choice", "pressure-vessel")
    three, five = range(3), range(5)
    yield three, of(1_000, GROUPS, (*native, *FAST[:3]))
    yield three, of(10_000, SMALL, (*native, *FAST[:3]))
    yield three, of(1_000, SMALL, FAST[3:])
    yield three, of(200, SMALL, (*native, *FAST, *MEDIUM))
    yield three, of(10_000, GROUPS, (*native, *FAST[:3]))
    yield three, of(1_000, SMALL, MEDIUM[:2])
    yield three, of(100_000, SMALL, (*native, *FAST[:3]))
    yield five, of(1_000, GROUPS, (*native, *FAST[:3])) + of(10_000, SMALL, (*native, *FAST[:3]))
    yield three, [each for each in of(200, SMALL, SLOW) + of(1_000, SMALL, MEDIUM) if each[2] in few]
    yield three, of(1_000, GROUPS, FAST) + of(10_000, GROUPS, FAST)


def run(budget: int, group: str, problem_name: str, method: str, seed: int) -> dict[str, object]:
    """Make a run; its error is infinite if no feasible point was found."""
    problem = GROUPS[group][problem_name]()
    before = time.process_time()
    if method in NATIVE:
        result = lc.minimize(problem, budget=budget, method=NATIVE[method], rng=seed, on_error="penalise")
    else:
        result = get_peer(method).run(problem, budget=budget, seed=seed, on_error="penalise")
    assert result.nfev == budget or method == "smac3"
    return {"budget": budget, "group": group, "problem": problem_name, "method": method, "seed": seed,
            "error": abs(result.fun - problem.optimum) if result.success else None, "cpu": round(time.process_time() - before, 3)}


def key(entry: dict[str, object]) -> tuple[object, ...]:
    """What tells a run from the others."""
    return tuple(entry[each] for each in ("budget", "group", "problem", "method", "seed"))


def finished() -> list[dict[str, object]]:
    """The runs on file; a line that was cut off counts as not made."""
    runs = []
    for line in FILE.read_text().splitlines() if FILE.exists() else []:
        try:
            runs.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return runs


def make_all(seconds: float) -> None:
    """Make every run that is missing."""
    started, done = time.monotonic(), {key(each) for each in finished()}
    places = available()
    for seeds, plan in stages():
        for seed, (budget, group, problem, method) in itertools.product(seeds, plan):
            if method not in NATIVE and not places[method].present:
                continue
            if (budget, group, problem, method, seed) in done:
                continue
            if time.monotonic() - started > seconds:
                return
            entry = run(budget, group, problem, method, seed)
            done.add(key(entry))
            with FILE.open("a") as file:
                file.write(json.dumps(entry) + "\n")


def tables() -> None:
    """Print, for each group and budget, the median error on each problem and the mean rank over the problems."""
    runs = finished()
    for group, problems in GROUPS.items():
        for budget in sorted({each["budget"] for each in runs}):
            mine = [each for each in runs if each["group"] == group and each["budget"] == budget]
            errors = {name: {method: [np.inf if e["error"] is None else e["error"] for e in mine
                                      if e["method"] == method and e["problem"] == name] for method in {e["method"] for e in mine}}
                      for name in problems}
            full = [m for m in {e["method"] for e in mine} if all(errors[name].get(m) for name in problems)]
            if full:
                print_table(group, budget, errors, full, len({e["seed"] for e in mine}))
    print("\nCPU seconds for 1,000 evaluations, by method: median over the runs of 200 to 10,000 evaluations")
    for methods in (NATIVE, (*FAST, *MEDIUM, *SLOW)):
        for method in methods:
            for size, label in ((lambda each: "D50" not in each["problem"], "D=10"), (lambda each: "D50" in each["problem"], "D=50")):
                costs = [1000 * each["cpu"] / each["budget"] for each in runs if each["method"] == method and size(each)
                         and each["group"].endswith("integers") and each["budget"] <= 10_000]
                if costs:
                    print(f"  {method:<14}{label}: {np.median(costs):8.2f}   ({len(costs)} runs)")


def print_table(group: str, budget: int, errors: dict, methods: list[str], seeds: int) -> None:
    """Print one table as Markdown, the method of the best mean rank first; the best medians of a row are bold."""
    medians = {name: {m: float(np.median(errors[name][m])) for m in methods} for name in errors}
    ranks = {m: np.mean([1 + sum(row[o] < row[m] for o in methods) + sum(row[o] == row[m] for o in methods if o != m) / 2
                         for row in medians.values()]) for m in methods}
    methods = sorted(methods, key=ranks.__getitem__)
    print(f"\n### {group}, {budget:,} evaluations\n")
    print("| problem | " + " | ".join(methods) + " |\n|---|" + "---:|" * len(methods))
    for name, row in medians.items():
        best = min(row.values())
        cells = ["none" if row[m] == np.inf else f"**{row[m]:.3g}**" if row[m] <= best * 1.0001 else f"{row[m]:.3g}" for m in methods]
        print(f"| {name} | " + " | ".join(cells) + " |")
    print("| mean rank | " + " | ".join(f"{ranks[m]:.1f}" for m in methods) + f" |\n\nUp to {seeds} seeds.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--seconds", type=float, default=float("inf"), help="start no run after so many")
    parser.add_argument("--tables", action="store_true", help="only print the tables")
    chosen = parser.parse_args()
    if not chosen.tables:
        make_all(chosen.seconds)
    tables()
