"""Compare our runs of the paper's experiments with what it printed, cell by cell, and write docs/reproduction.md.

python studies/paper/page.py

Reads the final errors in this folder (opfunu-1.0.1.csv.gz, official.csv.gz, engineering.csv.gz, deb.csv.gz, reasons.csv) and the
published tables in tests/study/published.csv. What a person has concluded from them stands in page.md beside this file, with
places in braces for what is computed.
"""

import csv
import gzip
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from luciole.study.labels import to_html
from luciole.study.ranking import rank
from luciole.study.results import StudiedProblem
from luciole.study.statistics import Comparison, compare_errors, count

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FUNCTIONS = tuple(f"F{number}" for number in range(1, 29))
DESIGNS = ("BEAM", "CSD", "VESSEL")
FIREFLIES = tuple(f"FAmv_{variant}" for variant in ("H", "H^a", "H^g", "H^ag", "G", "G^a", "G^g", "G^ag", "G^D"))
ABLATION = ("FA", *FIREFLIES)
MAIN = ("PSOmv", "DEmv", "GA", "FA", "FAmv_H", "FAmv_H^a", "FAmv_G", "FAmv_G^ag")
VALUES = {"CSD": 1.0594048}  # the optima of problems whose published "error" is the objective itself
STARRED = {"FAmv*_H": "FAmv_H^a", "FAmv*_G": "FAmv_G^ag"}  # the paper's main table has names of its own for these

Errors = dict[tuple[str, str], np.ndarray]


class Printed(NamedTuple):
    """A cell of a published table."""

    mean: float
    std: float
    mean_digits: float
    """Half a unit of the last printed digit of the mean."""


class Cell(NamedTuple):
    """A published cell with ours beside it."""

    problem: str
    method: str
    printed: Printed
    mean: float
    ratio: float
    near: bool
    """Whether our mean is within a factor of 1.5."""
    inside: bool
    """Whether it is inside two published standard deviations, give or take the rounding of what was printed."""


def read_errors(name: str) -> Errors:
    """The final errors of a study, by problem and method."""
    found: dict[tuple[str, str], list[tuple[int, float]]] = {}
    with gzip.open(HERE / f"{name}.csv.gz", "rt", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault((row["problem"], row["method"]), []).append((int(row["repetition"]), float(row["error"])))
    return {key: np.array([error for _, error in sorted(runs)]) for key, runs in found.items()}


def read_published(table: str) -> dict[tuple[str, str], Printed]:
    """A table of the paper, by problem and method."""
    found = {}
    with (ROOT / "tests" / "study" / "published.csv").open() as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            if row["table"] == table:
                method = STARRED.get(row["algorithm"], row["algorithm"])
                found[row["problem"], method] = Printed(float(row["mean"]), float(row["std"]), half_unit(row["mean"]))
    return found


def half_unit(text: str) -> float:
    """Half a unit of the last digit of a printed number."""
    digits, _, exponent = text.lower().partition("e")
    return 0.5 * 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))


def cells(errors: Errors, table: str, problems: Sequence[str], methods: Sequence[str]) -> list[Cell]:
    """Every cell of a published table with ours beside it."""
    published = read_published(table)
    found = []
    for problem in problems:
        for method in methods:
            printed, mean = published[problem, method], float(np.mean(errors[problem, method])) + VALUES.get(problem, 0.0)
            off = abs(mean - printed.mean) - printed.mean_digits
            low, high = printed.mean - printed.mean_digits, printed.mean + printed.mean_digits
            near = mean <= 1.5 * high and mean >= low / 1.5
            found.append(Cell(problem, method, printed, mean, mean / printed.mean, near, off <= 2 * printed.std))
    return found


def number(value: float) -> str:
    """As the paper prints it: three digits."""
    if value == 0.0:
        return "0"
    return f"{value:.2e}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e") if not 0.01 <= abs(value) < 1000 else (
        f"{value:.3g}")


def table_of(found: list[Cell], problems: Sequence[str], methods: Sequence[str]) -> str:
    """A table as HTML: a row a problem, in each cell the published mean, ours, and the ratio."""
    by_key = {(each.problem, each.method): each for each in found}
    lines = ["<table>", "<tr><th></th>" + "".join(f"<th>{to_html(each)}</th>" for each in methods) + "</tr>"]
    for problem in problems:
        row = [f"<tr><th>{problem}</th>"]
        for method in methods:
            cell = by_key[problem, method]
            mark = "" if cell.near and cell.inside else " †" if cell.near else " *" if cell.inside else " ‡"
            row.append(f"<td>{number(cell.printed.mean)}<br>{number(cell.mean)}<br>{cell.ratio:.2f}{mark}</td>")
        lines.append("".join(row) + "</tr>")
    return "\n".join([*lines, "</table>"])


def tally(groups: Iterable[tuple[str, list[Cell]]]) -> str:
    """How many cells of each column are near, and inside."""
    lines = ["| column | cells | within a factor of 1.5 | inside 2 standard deviations |", "|---|---|---|---|"]
    for name, each in groups:
        near, inside, n = sum(cell.near for cell in each), sum(cell.inside for cell in each), len(each)
        lines.append(f"| {name} | {n} | {near} ({near / n:.0%}) | {inside} ({inside / n:.0%}) |")
    return "\n".join(lines)


def tallies(found: list[Cell], methods: Sequence[str]) -> list[tuple[str, list[Cell]]]:
    """The cells of each column of a table."""
    return [(f"{to_html(method)}", [cell for cell in found if cell.method == method]) for method in methods]


def compare(errors: Errors, problems: Sequence[str], methods: Sequence[str]) -> list[Comparison]:
    """The paper's statistics on our errors."""
    return [compare_errors({method: errors[problem, method] for method in methods},
                           StudiedProblem(problem, problem, category(problem), 50, None)) for problem in problems]


def category(problem: str) -> str:
    """Which section of the tables a problem is in."""
    if problem in DESIGNS:
        return "engineering"
    place = int(problem[1:])
    return "unimodal" if place <= 5 else "multimodal" if place <= 20 else "composition"


def result_table(comparisons: list[Comparison]) -> str:
    """Our means: bold where similar to the best, starred where best."""
    methods = list(comparisons[0].cells)
    lines = ["<table>", "<tr><th></th>" + "".join(f"<th>{to_html(each)}</th>" for each in methods) + "</tr>"]
    for each in comparisons:
        row = []
        for method in methods:
            cell = each.cells[method]
            text = number(cell.mean) + ("*" if cell.best else "")
            row.append(f"<td><b>{text}</b></td>" if cell.similar else f"<td>{text}</td>")
        lines.append(f"<tr><th>{each.problem.name}</th>{''.join(row)}</tr>")
    counts = count(comparisons)
    lines.append("<tr><th>similar (best)</th>"
                 + "".join(f"<td>{counts[method].similar} ({counts[method].best})</td>" for method in methods) + "</tr>")
    return "\n".join([*lines, "</table>"])


def marks(table: str, problems: Sequence[str], methods: Sequence[str]) -> dict[str, tuple[int, int]]:
    """The count row that follows from the published marks."""
    found = {method: [0, 0] for method in methods}
    with (ROOT / "tests" / "study" / "published.csv").open() as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            method = STARRED.get(row["algorithm"], row["algorithm"])
            if row["table"] == table and row["problem"] in problems and method in found:
                found[method][0] += int(row["similar_to_best"])
                found[method][1] += int(row["best"])
    return {method: (similar, best) for method, (similar, best) in found.items()}


def counts_table(studies: dict[str, dict[str, tuple[int, int]]], methods: Sequence[str]) -> str:
    """Count rows side by side."""
    lines = ["| similar (best) | " + " | ".join(to_html(each) for each in methods) + " |", "|---" * (len(methods) + 1) + "|"]
    for name, counts in studies.items():
        lines.append(f"| {name} | " + " | ".join("{} ({})".format(*counts[method]) for method in methods) + " |")
    return "\n".join(lines)


def our_counts(comparisons: list[Comparison]) -> dict[str, tuple[int, int]]:
    """The count row of our own errors."""
    return {method: (each.similar, each.best) for method, each in count(comparisons).items()}


def ranks_table(studies: dict[str, list[Comparison]]) -> str:
    """Mean ranks, overall and by category, a column a study."""
    sections = ("all", "unimodal", "multimodal", "composition")
    methods = list(next(iter(studies.values()))[0].cells)
    heads, columns = [], []
    for name, comparisons in studies.items():
        for section in sections:
            mine = [each for each in comparisons if section in ("all", each.problem.category)]
            heads.append(f"{name}: {section}")
            columns.append(rank(mine).mean_ranks)
    lines = ["| | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    lines += [f"| {to_html(method)} | " + " | ".join(f"{column[method]:.2f}" for column in columns) + " |"
              for method in sorted(methods, key=lambda each: columns[-len(sections)][each])]
    return "\n".join(lines)


def deviations(found: list[Cell]) -> list[Cell]:
    """The cells further off than a factor of 1.5, each once."""
    seen: dict[tuple[str, str], Cell] = {}
    for cell in found:
        if not cell.near:
            seen.setdefault((cell.problem, cell.method), cell)
    return list(seen.values())


def deviations_table(found: list[Cell], errors: Errors) -> str:
    """Each of them with the spread of our runs."""
    lines = ["| cell | published | ours: mean | std | lowest to highest of 30 | ratio | inside 2 std |", "|---" * 7 + "|"]
    for cell in deviations(found):
        runs = errors[cell.problem, cell.method]
        lines.append(f"| {to_html(cell.method)} on {cell.problem} | {number(cell.printed.mean)} ± {number(cell.printed.std)} | "
                     f"{number(cell.mean)} | {number(float(np.std(runs, ddof=1)))} | {number(runs.min())} to {number(runs.max())} | "
                     f"{cell.ratio:.2f} | {'yes' if cell.inside else 'no'} |")
    return "\n".join(lines)


def reasons_table() -> str:
    """What changing one choice at a time does to the cells that are off: see reasons.py."""
    by_cell: dict[tuple[str, str], list[dict[str, str]]] = {}
    with (HERE / "reasons.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            by_cell.setdefault((row["problem"], row["method"]), []).append(row)
    lines = ["| cell | published | choice | our mean | ratio |", "|---|---|---|---|---|"]
    for (problem, method), rows in by_cell.items():
        for row in rows:
            mean, printed = float(row["mean"]), float(row["published"])
            lines.append(f"| {to_html(method)} on {problem} | {number(printed)} | {row['choice']} | {number(mean)} | {mean / printed:.2f} |")
    return "\n".join(lines)


def figures_table() -> str:
    """The figures of both editions side by side."""
    rows = [("how often best and similar to the best", "overall")]
    for table, name in (("main", "the main table"), ("ablation", "the ablation table")):
        rows.append((f"mean ranks, {name}", f"ranking-{table}"))
        for section in ("unimodal", "multimodal", "composition"):
            rows += [(f"{what}, {section}, {name}", f"{file}-{table}-{section}") for what, file in
                     (("box plots", "boxes"), ("convergence", "convergence"))]
    return "\n".join(f"| {name} | ![{name}, opfunu-1.0.1](reproduction/{file}-opfunu.png) | "
                     f"![{name}, official](reproduction/{file}-official.png) |" for name, file in rows)


def share(found: list[Cell], what: str) -> str:
    """``"275 of 280 (98 %)"``."""
    n = sum(getattr(cell, what) for cell in found)
    return f"{n} of {len(found)} ({math.floor(100 * n / len(found))} %)"


def main() -> None:
    """Write the page."""
    opfunu, official, engineering = (read_errors(name) for name in ("opfunu-1.0.1", "official", "engineering"))
    deb = read_errors("deb")
    ablation, main_table = cells(opfunu, "ablation", FUNCTIONS, ABLATION), cells(opfunu, "main", FUNCTIONS, MAIN)
    designs = cells(engineering, "engineering", DESIGNS, ("PSOmv", "DEmv", "GA", "FAmv_H", "FAmv_G"))
    ours = {name: (compare(errors, FUNCTIONS, MAIN), compare(errors, FUNCTIONS, ABLATION))
            for name, errors in (("opfunu-1.0.1", opfunu), ("official", official))}
    everything = (*MAIN[:4], *FIREFLIES)
    rivals = [cell for cell in main_table if cell.method in ("DEmv", "GA")]
    text = (HERE / "page.md").read_text()
    values = {
        "ablation_near": share(ablation, "near"), "ablation_inside": share(ablation, "inside"),
        "rivals_near": share(rivals, "near"), "psomv_near": share([c for c in main_table if c.method == "PSOmv"], "near"),
        "tally_ablation": tally([*tallies(ablation, ABLATION), ("all", ablation)]),
        "tally_main": tally([*tallies(main_table, MAIN), ("all", main_table)]),
        "main_table": table_of(main_table, FUNCTIONS, MAIN),
        "ablation_table": table_of(ablation, FUNCTIONS, ABLATION),
        "designs_table": table_of(designs, DESIGNS, ("PSOmv", "DEmv", "GA", "FAmv_H", "FAmv_G")),
        "main_counts": counts_table({"published": marks("main", FUNCTIONS, MAIN), "ours, opfunu-1.0.1": our_counts(ours["opfunu-1.0.1"][0]),
                                     "ours, official": our_counts(ours["official"][0])}, MAIN),
        "ablation_counts": counts_table({"published": marks("ablation", FUNCTIONS, ABLATION),
                                         "ours, opfunu-1.0.1": our_counts(ours["opfunu-1.0.1"][1]),
                                         "ours, official": our_counts(ours["official"][1])}, ABLATION),
        "deviations": deviations_table([*ablation, *main_table], opfunu),
        "reasons": reasons_table(),
        "ranks": ranks_table({"opfunu": compare(opfunu, FUNCTIONS, everything), "official": compare(official, FUNCTIONS, everything)}),
        "official_main": result_table(ours["official"][0]),
        "official_ablation": result_table(ours["official"][1]),
        "figures": figures_table(),
        "deb_table": result_table(compare(deb, DESIGNS, (*everything, "famv", "lshade"))),
    }
    for key, value in values.items():
        text = text.replace("{" + key + "}", value)
    (ROOT / "docs" / "reproduction.md").write_text(text)
    for name in ("ablation_near", "ablation_inside", "rivals_near", "psomv_near"):
        print(f"{name}: {values[name]}")
    for each in designs:
        print(each.problem, each.method, f"{each.mean:.5g}", "inside" if each.inside else "OUTSIDE")


if __name__ == "__main__":
    main()
