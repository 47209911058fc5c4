"""What the report's page knows: a study's runs and statistics, made small enough to travel inside it."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from luciole._layout import Floats
from luciole.study.curves import converge, runtimes
from luciole.study.labels import split
from luciole.study.ranking import effect_size, rank
from luciole.study.results import Results
from luciole.study.statistics import Comparison, compare, count

if TYPE_CHECKING:
    import pandas

CURVE_POINTS = 100
"""How many points of a convergence curve the page keeps at most."""

ECDF_POINTS = 120

GREEK = {"a": "\N{GREEK SMALL LETTER ALPHA}", "g": "\N{GREEK SMALL LETTER GAMMA}"}


def page_data(results: Results) -> dict[str, Any]:
    """All that the page shows, as JSON takes it: infinities as null, and seeds as text, since JavaScript would round them."""
    whole = finished_part(results)
    comparisons = {each.problem.name: each for each in compare(whole)} if whole.problems else {}
    by_cell = dict(iter(results.runs.groupby(["problem", "method"], sort=False)))
    return {
        "budget": results.budget,
        "methods": [{"name": name, "label": label_parts(name)} for name in results.methods],
        "problems": [
            {"name": each.name, "title": each.title, "category": each.category, "variables": each.variables,
             "optimum": finite(each.optimum),
             "statistics": statistics_of(comparisons.get(each.name), whole),
             "curves": curves_of(whole, each.name) if each.name in comparisons else None,
             "runs": [runs_of(by_cell.get((each.name, method))) for method in results.methods]}
            for each in results.problems
        ],
        "categories": list(results.categories),
        "ranking": {name: ranking_of(some) for name, some in by_category(results, comparisons.values()).items()},
        "ecdf": ecdf_of(whole),
        "failures": failures_of(results),
    }


def finished_part(results: Results) -> Results:
    """The study without the problems on which runs are missing; statistics of those would compare unlike samples."""
    counts = results.runs.groupby(["problem", "method"])["repetition"].nunique()
    finished = {each.name for each in results.problems
                if all(counts.get((each.name, method), 0) >= results.repetitions for method in results.methods)}
    return replace(results, problems=tuple(each for each in results.problems if each.name in finished))


def by_category(results: Results, comparisons: Iterable[Comparison]) -> dict[str, list[Comparison]]:
    """The comparisons of each category that has some, and under the empty name all of them."""
    found: dict[str, list[Comparison]] = {"": list(comparisons)}
    for category in results.categories:
        found[category] = [each for each in found[""] if each.problem.category == category]
    return {name: some for name, some in found.items() if some}


def ranking_of(comparisons: Sequence[Comparison]) -> dict[str, Any]:
    """Mean ranks, the critical difference and the counts, in the order of the plan's methods."""
    methods = list(comparisons[0].cells)
    ranking, counts = rank(comparisons), count(comparisons)
    return {
        "ranks": [short(ranking.mean_ranks[each], 6) for each in methods],
        "written": [f"{ranking.mean_ranks[each]:.2f}" for each in methods],  # rounded as in the tables, not as JavaScript does
        "best": [counts[each].best for each in methods],
        "similar": [counts[each].similar for each in methods],
        "problems": ranking.problems,
        "p": finite(ranking.p_value),
        "difference": finite(ranking.critical_difference),
        "groups": [[methods.index(each) for each in group] for group in ranking.groups],
    }


def statistics_of(comparison: Comparison | None, results: Results) -> dict[str, Any] | None:
    """What the tables show of a problem: a list for each figure, with a number a method."""
    if comparison is None:
        return None
    errors = results.errors(comparison.problem.name)
    cells = comparison.cells.values()
    leader = min(comparison.cells, key=lambda each: (not comparison.cells[each].best, comparison.cells[each].mean_rank))
    return {
        "p": finite(comparison.p_value),
        "leader": list(errors).index(leader),
        "mean": [short(each.mean, 6) for each in cells],
        "std": [short(each.std, 6) for each in cells],
        "median": [short(each.median, 6) for each in cells],
        "low": [short(float(each.min()), 6) for each in errors.values()],
        "high": [short(float(each.max()), 6) for each in errors.values()],
        "similar": [int(each.similar) for each in cells],
        "best": [int(each.best) for each in cells],
        "infeasible": [each.infeasible for each in cells],
        "dunn": [short(each.p_value, 3) for each in cells],
        "beats": [short(effect_size(each, errors[leader]), 3) for each in errors.values()],
        "rank": ranks_of(comparison),
    }


def ranks_of(comparison: Comparison) -> list[float]:
    """The rank of each method's mean, fewer infeasible runs before more."""
    from scipy import stats

    standing = [(each.infeasible, each.mean if math.isfinite(each.mean) else np.nan_to_num(each.feasible_mean, nan=math.inf))
                for each in comparison.cells.values()]
    places = {each: place for place, each in enumerate(sorted(set(standing)))}
    return [float(each) for each in stats.rankdata([places[each] for each in standing])]


def curves_of(results: Results, problem: str) -> dict[str, Any] | None:
    """The quartiles of the error against evaluations, for each method; None if traces were not kept."""
    if not traced(results, problem):
        return None
    found = converge(results, problem)
    grid = next(iter(found.values())).evaluations
    kept = np.unique(np.linspace(0, grid.size - 1, min(grid.size, CURVE_POINTS)).round().astype(int))
    return {
        "x": [int(each) for each in grid[kept]],
        "quartiles": [[[short(value, 4) for value in line[kept].tolist()] for line in (curve.lower, curve.median, curve.upper)]
                      for curve in found.values()],
    }


def traced(results: Results, problem: str) -> bool:
    """Whether every run on a problem has its trace."""
    return all(len(results.traces.get((problem, method, repetition), ())) > 0
               for method in results.methods for repetition in range(results.repetitions))


def ecdf_of(results: Results) -> dict[str, Any] | None:
    """The part of (run, target) pairs reached within so many evaluations, by category and method."""
    known = tuple(each for each in results.problems if traced(results, each.name))
    if not known:
        return None
    grid: Floats = np.unique(np.geomspace(1, max(results.budget, 2), ECDF_POINTS).round())
    found = {}
    for category in ("", *results.categories):
        some = tuple(each for each in known if category in ("", each.category))
        if some:
            times = runtimes(replace(results, problems=some))
            found[category] = [[round(value, 4) for value in times[method].fraction(grid).tolist()] for method in results.methods]
    return {"x": [int(each) for each in grid], "problems": len(known), "parts": found}


def runs_of(rows: "pandas.DataFrame | None") -> dict[str, Any] | None:
    """The runs of a method on a problem, a list for each column; what is the same for all is written once."""
    if rows is None:
        return None
    rows = rows.sort_values("repetition")
    repetitions = [int(each) for each in rows["repetition"]]
    seeds = [str(int(each)) for each in rows["seed"]]
    violations = [finite(each) for each in rows["violation"]]
    return {
        "seed": seeds,
        "error": [finite(each) for each in rows["error"]],
        "value": [finite(each) for each in rows["value"]],
        "seconds": [short(each, 4) for each in rows["seconds"]],
        "evaluations": once([int(each) for each in rows["evaluations"]]),
        "repetition": None if repetitions == list(range(len(rows))) else repetitions,
        "violation": violations if any(violations) else None,
        "command": once([command_parts(*each) for each in zip(rows["command"], seeds, repetitions, strict=True)]),
    }


def command_parts(command: str, seed: str, repetition: int) -> str:
    r"""The command with \0 for its seed and \1 for its repetition, the last such word, so that all runs have the same one."""
    words = str(command).replace(seed, "\0").split(" ")
    places = [place for place, word in enumerate(words) if word == str(repetition)]
    if places:
        words[places[-1]] = "\1"
    return " ".join(words)


def failures_of(results: Results) -> list[list[str]]:
    """The runs that could not be finished: problem, method, repetition, seed, message, command."""
    if results.failures is None:
        return []
    columns = ["problem", "method", "repetition", "seed", "message", "command"]
    return [[str(each) for each in row] for row in results.failures[columns].itertuples(index=False, name=None)]


def label_parts(name: str) -> list[str]:
    """What stands on the line, below it and above it in the name of a method."""
    label = split(name)
    return [label.stem, label.below, "".join(GREEK.get(each, each) for each in label.above)]


def once(values: list[Any]) -> Any:
    """A list, or its only value if all are the same."""
    return values[0] if len(set(values)) == 1 else values


def finite(number: float | None) -> float | None:
    """The number, or None in place of what JSON cannot write."""
    return float(number) if number is not None and math.isfinite(number) else None


def short(number: float, digits: int) -> float | None:
    """The number with as many significant digits as the page shows."""
    return float(f"{number:.{digits}g}") if math.isfinite(number) else None
