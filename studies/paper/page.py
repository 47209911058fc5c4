"""Compare our runs of the paper's experiments with what it printed, cell by cell, and write docs/reproduction.md.

python studies/paper/page.py

Reads the final errors in this folder (opfunu-1.0.1.csv.gz, official.csv.gz, engineering.csv.gz, deb.csv.gz, reasons.csv) and the
published tables in tests/study/published.csv. What a person has concluded from them stands in page.md beside this file, with
places in braces for what is computed.
"""

import csv
import gzip
from collections.abc import Iterable, Sequence

import numpy as np
from comparison import (
    ABLATION,
    DESIGNS,
    FIREFLIES,
    FUNCTIONS,
    HERE,
    MAIN,
    PENALISED,
    ROOT,
    STARRED,
    Cell,
    Errors,
    Printed,
    category,
    cells,
    deviations,
    find_exchanges,
    read_errors,
    read_published,
)
from scipy.stats import mannwhitneyu
from statsmodels.stats.multitest import multipletests

from luciole.study.labels import to_html
from luciole.study.ranking import rank
from luciole.study.results import StudiedProblem
from luciole.study.statistics import Comparison, compare_errors, count

TABLE = '<div class="pst-scrollable-table-container"><table class="table">'  # as Sphinx's theme writes its own


def number(value: float) -> str:
    """As the paper prints it: three digits."""
    if value == 0.0:
        return "0"
    return f"{value:.2e}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e") if not 0.01 <= abs(value) < 1000 else (
        f"{value:.3g}")


def table_of(found: list[Cell], problems: Sequence[str], methods: Sequence[str]) -> str:
    """A table as HTML: a row a problem, in each cell the published mean, ours, and the ratio."""
    by_key = {(each.problem, each.method): each for each in found}
    lines = [TABLE, "<tr><th></th>" + "".join(f"<th>{to_html(each)}</th>" for each in methods) + "</tr>"]
    for problem in problems:
        row = [f"<tr><th>{problem}</th>"]
        for method in methods:
            cell = by_key[problem, method]
            mark = "" if cell.near and cell.inside else " †" if cell.near else " *" if cell.inside else " ‡"
            row.append(f"<td>{number(cell.printed.mean)}<br>{number(cell.mean)}<br>{cell.ratio:.2f}{mark}</td>")
        lines.append("".join(row) + "</tr>")
    return "\n".join([*lines, "</table></div>"])


def tally(groups: Iterable[tuple[str, list[Cell]]]) -> str:
    """How many cells of each column are near, and inside."""
    lines = ["| column | cells | within a factor of 1.5 | inside 2 standard deviations |", "|---|---|---|---|"]
    for name, each in groups:
        near, inside, n = sum(cell.near for cell in each), sum(cell.inside for cell in each), len(each)
        lines.append(f"| {name} | {n} | {near} ({100 * near // n} %) | {inside} ({100 * inside // n} %) |")
    return "\n".join(lines)


def tallies(found: list[Cell], methods: Sequence[str]) -> list[tuple[str, list[Cell]]]:
    """The cells of each column of a table."""
    return [(f"{to_html(method)}", [cell for cell in found if cell.method == method]) for method in methods]


def compare(errors: Errors, problems: Sequence[str], methods: Sequence[str]) -> list[Comparison]:
    """The paper's statistics on our errors."""
    return [compare_errors({method: errors[problem, method] for method in methods},
                           StudiedProblem(problem, problem, category(problem), 50, None)) for problem in problems]


def result_table(comparisons: list[Comparison]) -> str:
    """Our means: bold where similar to the best, starred where best."""
    methods = list(comparisons[0].cells)
    lines = [TABLE, "<tr><th></th>" + "".join(f"<th>{to_html(each)}</th>" for each in methods) + "</tr>"]
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
    return "\n".join([*lines, "</table></div>"])


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


def deviations_table(found: list[Cell], errors: Errors) -> str:
    """Each of them with the spread of our runs."""
    lines = ["| cell | published | ours: mean | std | lowest to highest of 30 | ratio | inside 2 std |", "|---" * 7 + "|"]
    for cell in deviations(found):
        runs = errors[cell.problem, cell.method]
        lines.append(f"| {to_html(cell.method)} on {cell.problem} | {number(cell.printed.mean)} ± {number(cell.printed.std)} | "
                     f"{number(cell.mean)} | {number(float(np.std(runs, ddof=1)))} | {number(runs.min())} to {number(runs.max())} | "
                     f"{cell.ratio:.2f} | {'yes' if cell.inside else 'no'} |")
    return "\n".join(lines)


def exchanges_table(errors: Errors) -> str:
    """The pairs of the main table that fit ours far better the other way round."""
    published = read_published("main")
    lines = ["| row | printed | ours | misfit as printed | exchanged |", "|---" * 5 + "|"]
    for each in find_exchanges(published, errors):
        printed = [published[each.problem, method] for method in each.pair]
        ours = [errors[each.problem, method] for method in each.pair]
        theirs = ", ".join(f"{number(cell.mean)} ± {number(cell.std)}" for cell in printed)
        mine = ", ".join(f"{number(float(runs.mean()))} ± {number(float(runs.std(ddof=1)))}" for runs in ours)
        names = " and ".join(to_html(method) for method in each.pair)
        lines.append(f"| {each.problem}: {names} | {theirs} | {mine} | {each.as_printed:.2f} | {each.exchanged:.2f} |")
    return "\n".join(lines)


def exchanges_by_chance(errors: Errors, splits: int = 100) -> str:
    """How many pairs the same search finds in our own runs, half of them at random standing in for the published ones."""
    rng, found = np.random.default_rng(2013), 0
    for _ in range(splits):
        order = rng.permutation(30)
        halves = [{key: runs[part] for key, runs in errors.items()} for part in (order[:15], order[15:])]
        stand_in = {key: Printed(float(runs.mean()), float(runs.std(ddof=1)), 0.0) for key, runs in halves[0].items()}
        found += len(find_exchanges(stand_in, halves[1]))
    return f"{found} in {splits} splits"


def duels_table(studies: dict[str, Errors], pairs: Sequence[tuple[str, str]]) -> str:
    """On how many functions one of two methods has the lower mean, and on how many of them Mann-Whitney's test is sure of it."""
    sections = ("unimodal", "multimodal", "composition")
    lines = ["| | " + " | ".join(f"{name}: {section}" for name in studies for section in sections) + " |", "|---" * 7 + "|"]
    for pair in pairs:
        row = []
        for errors in studies.values():
            runs = {problem: [errors[problem, method] for method in pair] for problem in FUNCTIONS}
            sure = multipletests([mannwhitneyu(*each).pvalue for each in runs.values()], 0.05, "holm")[0]
            lower = {problem: int(first.mean() > second.mean()) for problem, (first, second) in runs.items()}
            for section in sections:
                wins, certain = [0, 0], [0, 0]
                for problem, is_sure in zip(FUNCTIONS, sure, strict=True):
                    if category(problem) == section:
                        wins[lower[problem]] += 1
                        certain[lower[problem]] += bool(is_sure)
                row.append("{} : {} ({} : {})".format(*wins, *certain))
        lines.append(f"| {to_html(pair[0])} : {to_html(pair[1])} | {' | '.join(row)} |")
    return "\n".join(lines)


def reasons_table() -> str:
    """What changing one choice at a time does to the cells that are off: see reasons.py."""
    by_cell: dict[tuple[str, str], list[dict[str, str]]] = {}
    with (HERE / "reasons.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            by_cell.setdefault((row["problem"], row["method"]), []).append(row)
    lines = ["| cell | our mean over the published one |", "|---|---|"]
    for (problem, method), rows in by_cell.items():
        ratios = [f"{row['choice']}&nbsp;**{float(row['mean']) / float(row['published']):.2f}**" for row in rows]
        lines.append(f"| {to_html(method)} on {problem} | {', '.join(ratios)} |")
    return "\n".join(lines)


def chance_table() -> str:
    """How likely the published mean is among means of 30 of our own runs: see chance.py."""
    lines = ["| cell | published | mean of 300 of ours | std | means of 30 at least as far off |", "|---" * 5 + "|"]
    with (HERE / "chance.csv").open(newline="") as file:
        lines += [f"| {to_html(row['method'])} on {row['problem']} | {number(float(row['published']))} | "
                  f"{number(float(row['mean']))} | {number(float(row['std']))} | {float(row['share']):.1%} |"
                  for row in csv.DictReader(file)]
    return "\n".join(lines)


def cost_table() -> str:
    """What was measured of the cost (cost.csv)."""
    lines = ["| study | runs | clock | of the processors | evaluations a second |", "|---" * 5 + "|"]
    with (HERE / "cost.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            runs, clock, busy = int(row["runs"]), float(row["clock"]), float(row["user"]) + float(row["system"])
            lines.append(f"| {row['study']} | {runs:,} | {clock / 60:.1f} min | {busy / 60:.1f} min | {runs * 100_000 / clock:,.0f} |")
    return "\n".join(lines)


def figures(edition: str) -> str:
    """The figures of an edition, one below the other."""
    lines = []
    for table, name in (("main", "the main table"), ("ablation", "the ablation table")):
        for section in ("unimodal", "multimodal", "composition"):
            for file, what in (("boxes", "Final errors of 30 runs"), ("convergence", "Convergence")):
                caption = f"{what}, {section} functions, methods of {name}"
                lines += [f"{caption}:", "", f"![{caption}](reproduction/{file}-{table}-{section}-{edition}.png)", ""]
    return "\n".join(lines).rstrip()


def modern() -> str:
    """On how many functions two methods that the paper does not have are better than all methods that it has: a sentence."""
    rows: dict[tuple[str, str], list[float]] = {}
    with gzip.open(ROOT / "studies" / "mechanism" / "labels.csv.gz", "rt", newline="") as file:
        for row in csv.DictReader(file):
            if row["labels"] == "False":
                rows.setdefault((row["function"], row["method"]), []).append(float(row["error"]))
    means = {key: float(np.mean(errors)) for key, errors in rows.items()}
    paper = ("DEmv", "GA", *FIREFLIES)
    ahead = {method: sum(means[str(n), method] < min(means[str(n), each] for each in paper) for n in range(1, 29))
             for method in ("L-SHADE small", "famv")}
    return f"L-SHADE with a small population on {ahead['L-SHADE small']} of 28 functions, the library's default on {ahead['famv']}"


def share(found: list[Cell], what: str) -> str:
    """``"275 of 280 (98 %)"``."""
    n = sum(getattr(cell, what) for cell in found)
    return f"{n} of {len(found)} ({100 * n // len(found)} %)"


def main() -> None:
    """Write the page."""
    opfunu, official, engineering = (read_errors(name) for name in ("opfunu-1.0.1", "official", "engineering"))
    deb = read_errors("deb")
    ablation, main_table = cells(opfunu, "ablation", FUNCTIONS, ABLATION), cells(opfunu, "main", FUNCTIONS, MAIN)
    designs = cells(engineering, "engineering", DESIGNS, PENALISED)
    ours = {name: (compare(errors, FUNCTIONS, MAIN), compare(errors, FUNCTIONS, ABLATION))
            for name, errors in (("opfunu-1.0.1", opfunu), ("official", official))}
    everything = (*MAIN[:4], *FIREFLIES)
    printed = [*ablation, *(cell for cell in main_table if cell.method not in ("PSOmv", "DEmv", "GA"))]
    editions = {"opfunu": opfunu, "official": official}
    rivals = [cell for cell in main_table if cell.method in ("DEmv", "GA")]
    text = (HERE / "page.md").read_text()
    values = {
        "ablation_near": share(ablation, "near"), "ablation_inside": share(ablation, "inside"),
        "rivals_near": share(rivals, "near"), "psomv_near": share([c for c in main_table if c.method == "PSOmv"], "near"),
        "tally_ablation": tally([*tallies(ablation, ABLATION), ("all", ablation)]),
        "tally_main": tally([*tallies(main_table, MAIN), ("all", main_table)]),
        "main_table": table_of(main_table, FUNCTIONS, MAIN),
        "ablation_table": table_of(ablation, FUNCTIONS, ABLATION),
        "designs_table": table_of(designs, DESIGNS, PENALISED),
        "main_counts": counts_table({"published": marks("main", FUNCTIONS, MAIN), "ours, opfunu-1.0.1": our_counts(ours["opfunu-1.0.1"][0]),
                                     "ours, official": our_counts(ours["official"][0])}, MAIN),
        "ablation_counts": counts_table({"published": marks("ablation", FUNCTIONS, ABLATION),
                                         "ours, opfunu-1.0.1": our_counts(ours["opfunu-1.0.1"][1]),
                                         "ours, official": our_counts(ours["official"][1])}, ABLATION),
        "printed_near": share(printed, "near"), "printed_inside": share(printed, "inside"),
        "exchanges": exchanges_table(opfunu), "by_chance": exchanges_by_chance(opfunu),
        "designs_ours": result_table(compare(engineering, DESIGNS, PENALISED)),
        "distances": duels_table(editions, [(f"FAmv_H{way}", f"FAmv_G{way}") for way in ("", "^a", "^g", "^ag")]),
        "adaptations": duels_table(editions, [(f"FAmv_{kind}", f"FAmv_{kind}{way}") for kind in "HG" for way in ("^a", "^g", "^ag")]),
        "deviations": deviations_table([*ablation, *main_table], opfunu),
        "reasons": reasons_table(),
        "ranks": ranks_table({"opfunu": compare(opfunu, FUNCTIONS, everything), "official": compare(official, FUNCTIONS, everything)}),
        "official_main": result_table(ours["official"][0]),
        "official_ablation": result_table(ours["official"][1]),
        "figures_opfunu": figures("opfunu"), "figures_official": figures("official"), "modern": modern(),
        "chance": chance_table(), "cost": cost_table(),
        "deb_table": result_table(compare(deb, DESIGNS, (*everything, "famv", "lshade"))),
    }
    text = text.format(**values)
    (ROOT / "docs" / "reproduction.md").write_text(text)
    for name in ("ablation_near", "ablation_inside", "rivals_near", "psomv_near"):
        print(f"{name}: {values[name]}")
    for each in designs:
        print(each.problem, each.method, f"{each.mean:.5g}", "inside" if each.inside else "OUTSIDE")


if __name__ == "__main__":
    main()
