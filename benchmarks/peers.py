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
from scipy.stats import rankdata

import luciole as lc
from luciole.algorithms import METHODS
from luciole.integrations.peers import available, get_peer

FILE = Path(__file__).with_suffix(".jsonl")
FUNCTIONS = (1, 3, 6, 9, 12, 15, 22, 26)  # of each category: two unimodal, four multimodal, two compositions
NATIVE = {"famv": lc.FAmv(), "FAmv_H": lc.FAmv.paper("H"), "lshade": lc.LSHADE(), "lshade small": lc.LSHADE(population="small"),
          **{name: METHODS[name]() for name in ("acomv", "edamvn", "demv", "psomv", "ga", "nefa", "mfa", "random")}}
FAST = ("cmawm", "catcmawm", "scipy-de", "pymoo-ga")
MEDIUM = ("vizier-eagle", "optuna-cmaes", "optuna-tpe")
SLOW = ("ngopt", "smac3")

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
LARGE = ("50 variables, half of them integers",)
FEW = ("F1", "F9", "reactor-choice", "pressure-vessel")
SMALL = tuple(group for group in GROUPS if group not in LARGE)


def stages() -> Iterator[tuple[range, list[tuple[int, str, str, str]]]]:
    """Seeds, and the budget, group, problem and method of every run with them; the cheap and telling ones first."""
    def of(budget, groups, methods, only=None):
        return [(budget, group, problem, method) for group in groups for problem in GROUPS[group] for method in methods
                if only is None or problem in only]

    native = tuple(NATIVE)
    one, three, five = range(1), range(3), range(5)
    for budget in (100, 1_000, 10_000):
        yield three, of(budget, GROUPS, native)
    yield three, of(100, SMALL, (*FAST, *MEDIUM)) + of(1_000, SMALL, FAST)
    yield three, of(1_000, LARGE, FAST)
    yield one, of(10_000, GROUPS, FAST[:3])
    yield one, of(100_000, SMALL[:1], native)
    yield one, of(100, SMALL, SLOW, FEW) + of(1_000, SMALL, MEDIUM, FEW)
    yield three, of(100_000, SMALL, native)
    yield three, of(10_000, GROUPS, FAST[:3])
    yield three, of(1_000, SMALL, MEDIUM[:2])
    yield three, of(100, SMALL, SLOW, FEW)
    yield one, of(100_000, SMALL, FAST[:3])
    yield five, of(100, SMALL, (*native, *FAST, *MEDIUM)) + of(1_000, GROUPS, (*native, *FAST)) + of(10_000, GROUPS, (*native, *FAST[:3]))


def run(budget: int, group: str, problem_name: str, method: str, seed: int) -> dict[str, object]:
    """Make a run; there is no error if no feasible point was found."""
    problem = GROUPS[group][problem_name]()
    before = time.process_time()
    if method in NATIVE:
        result = lc.minimize(problem, budget=budget, method=NATIVE[method], rng=seed, on_error="penalise")
    else:
        result = get_peer(method).run(problem, budget=budget, seed=seed, on_error="penalise")
    assert result.nfev == budget or method == "smac3"  # which ends when every point has been evaluated
    error = float(f"{abs(result.fun - problem.optimum):.6g}") if result.success else None
    return {"budget": budget, "problem": problem_name, "method": method, "seed": seed, "error": error,
            "cpu": round(time.process_time() - before, 3)}


def key(entry: dict[str, object]) -> tuple[object, ...]:
    """What tells a run from the others."""
    return tuple(entry[each] for each in ("budget", "problem", "method", "seed"))


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
            if (budget, problem, method, seed) in done:
                continue
            if time.monotonic() - started > seconds:
                return
            entry = run(budget, group, problem, method, seed)
            done.add(key(entry))
            with FILE.open("a") as file:
                file.write(json.dumps(entry) + "\n")


def tables() -> None:
    """Print, for each group, the mean rank of each method at each budget, then the median errors, and what runs cost."""
    runs = finished()
    budgets = sorted({each["budget"] for each in runs})
    shown = {**{group: list(problems) for group, problems in GROUPS.items()}, "four problems, for the slow libraries as well": list(FEW)}
    for title, problems in shown.items():
        found = {budget: medians(runs, problems, budget) for budget in budgets if title in GROUPS or budget <= 1_000}
        print_ranks(title, len(problems), {budget: each for budget, each in found.items() if each})
    for title, problems in shown.items():
        for budget in budgets:
            found = medians(runs, problems, budget)
            if found and title in GROUPS:
                print_medians(f"{title}, {budget:,} evaluations", problems, found)
    print_costs(runs)


def medians(runs: list[dict[str, object]], problems: list[str], budget: int) -> dict[str, list[float]]:
    """The median error of each method on each problem, of those methods that have run on all."""
    errors: dict[str, dict[str, list[float]]] = {}
    for each in runs:
        if each["budget"] == budget and each["problem"] in problems:
            error = float("inf") if each["error"] is None else each["error"]
            errors.setdefault(each["method"], {}).setdefault(each["problem"], []).append(error)
    return {method: [float(np.median(found[name])) for name in problems] for method, found in errors.items() if len(found) == len(problems)}


def ranks(found: dict[str, list[float]]) -> dict[str, float]:
    """The mean rank of each method over the problems; equal ones share theirs."""
    columns = rankdata(np.array(list(found.values())), axis=0)
    return dict(zip(found, columns.mean(axis=1).tolist(), strict=True))


def print_ranks(title: str, count: int, found: dict[int, dict[str, list[float]]]) -> None:
    """Print a column a budget, the best at 1,000 evaluations first."""
    columns = {budget: ranks(each) for budget, each in found.items()}
    order = sorted({method: None for each in columns.values() for method in each},
                   key=lambda m: next((columns[b][m] for b in (1_000, 100, 10_000, 100_000) if m in columns.get(b, {})), np.inf))
    print(f"\n### {title}: mean rank over {count} problems\n")
    print("| | " + " | ".join(f"{budget:,}" for budget in columns) + " |\n|---|" + "---:|" * len(columns))
    for method in order:
        cells = []
        for each in columns.values():
            least = min(each.values())
            cells.append("" if method not in each else f"**{each[method]:.1f}**" if each[method] == least else f"{each[method]:.1f}")
        print(f"| {method} | " + " | ".join(cells) + " |")
    print("| methods | " + " | ".join(str(len(each)) for each in columns.values()) + " |")


def print_medians(title: str, problems: list[str], found: dict[str, list[float]]) -> None:
    """Print a row a method, the method of the best mean rank first; the best medians of a column are bold."""
    means = ranks(found)
    least = np.min(list(found.values()), axis=0)
    print(f"\n### {title}\n\n| | " + " | ".join(problems) + " |\n|---|" + "---:|" * len(problems))
    for method in sorted(found, key=means.__getitem__):
        cells = ["none" if np.isinf(error) else f"**{error:.3g}**" if error <= best * 1.0001 else f"{error:.3g}"
                 for error, best in zip(found[method], least, strict=True)]
        print(f"| {method} | " + " | ".join(cells) + " |")


def print_costs(runs: list[dict[str, object]]) -> None:
    """Print what a method costs beside the evaluations, in seconds of CPU."""
    print("\n### CPU seconds for 1,000 evaluations, median over all runs of a budget\n")
    sizes = {"10 variables": GROUPS[SMALL[0]], "50 variables": GROUPS[LARGE[0]]}
    columns = [(size, budget) for size in sizes for budget in (100, 1_000, 10_000)]
    print("| | " + " | ".join(f"{size}, {budget:,}" for size, budget in columns) + " |\n|---|" + "---:|" * len(columns))
    for method in (*NATIVE, *FAST, *MEDIUM, *SLOW):
        cells = []
        for size, budget in columns:
            costs = [1000 * each["cpu"] / budget for each in runs
                     if each["method"] == method and each["budget"] == budget and each["problem"] in sizes[size]]
            cells.append(f"{np.median(costs):.2g}" if costs else "")
        print(f"| {method} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--seconds", type=float, default=float("inf"), help="start no run after so many")
    parser.add_argument("--tables", action="store_true", help="only print the tables")
    chosen = parser.parse_args()
    if not chosen.tables:
        make_all(chosen.seconds)
    tables()
