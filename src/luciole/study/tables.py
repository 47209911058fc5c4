"""The tables of a study: results and ablation as in the paper, engineering problems, the ranking, effect sizes."""

import math
import re
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path

from luciole.study.groups import firefly_variants, main_comparison
from luciole.study.ranking import Ranking, effect_size, magnitude, rank
from luciole.study.results import Results
from luciole.study.statistics import Cell, Comparison, compare, count
from luciole.study.table_formats import Entry, Row, Section, Table, to_html_page, to_latex, to_markdown

MOST_ACROSS = 5
"""With more methods than this, a table with a line a problem is turned on its side."""

ENGINEERING = "engineering"
"""The category whose problems have a table of their own, a line each."""

WRITERS: dict[str, Callable[[Table], str]] = {"tex": to_latex, "md": to_markdown, "html": to_html_page}
"""How a table is written, by the ending of the file."""

INFINITY, DASH, PLUS_MINUS = "\u221e", "\u2013", "\u00b1"


def write_tables(results: Results, directory: str | Path) -> list[Path]:
    """Write every table of a study as LaTeX, Markdown and HTML; returns the files."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    paths = []
    for table in make_tables(results):
        for ending, write in WRITERS.items():
            path = directory / f"{table.name}.{ending}"
            path.write_text(write(table), encoding="utf-8")
            paths.append(path)
    return paths


def make_tables(results: Results) -> list[Table]:
    """The tables that a study gives rise to.

    ``results`` has the main comparison on the problems that are no engineering problems, and ``ablation`` the variants of the
    firefly algorithm compared among themselves, if there are three or more of them and other methods besides. In a study of
    everything in the paper these are the columns of its two tables, and ``all-methods`` has the comparison of all.
    ``engineering`` has the engineering problems. ``ranking`` and ``effects``, over all problems, are there from two methods on.
    """
    tables = []
    comparisons = compare(results)
    runs = f"over {results.repetitions:,} runs of {results.budget:,} evaluations"
    benchmark = [each.name for each in results.problems if each.category != ENGINEERING]
    if benchmark:
        main, variants = main_comparison(results.methods), firefly_variants(results.methods)
        groups = {"results": (main, ""), "ablation": (variants, ", variants of the firefly algorithm"),
                  "all-methods": (results.methods if main != results.methods else (), "")}
        for name, (methods, kind) in groups.items():
            if methods:
                among = compare(results.only(methods=methods, problems=benchmark))
                tables.append(results_table(among, name, f"The error of {_methods(among)}{kind}, {runs}."))
    if engineering := [each for each in comparisons if each.problem.category == ENGINEERING]:
        caption = f"The error of {_methods(engineering)} on engineering problems, mean {PLUS_MINUS} standard deviation {runs}."
        tables.append(engineering_table(engineering, "engineering", caption))
    if len(results.methods) > 1:
        ranking = rank(comparisons)
        tables += [ranking_table(comparisons, ranking), effects_table(results, ranking)]
    return tables


def results_table(comparisons: Sequence[Comparison], name: str = "results", caption: str = "The error.") -> Table:
    """Mean and standard deviation, two lines a problem, a section a category, and the counts at the bottom."""
    methods = tuple(comparisons[0].cells)

    def block(comparison: Comparison) -> tuple[Row, ...]:
        cells = [comparison.cells[method] for method in methods]
        return (Row((comparison.problem.name, "Mean"), tuple(_entry(each, _mean(each)) for each in cells)),
                Row(("", "STD"), tuple(_entry(each, _std(each)) for each in cells)))

    return Table(name, f"{caption} {_marks(comparisons)}", ("Problem", "Statistic"), methods, _sections(comparisons, block),
                 _count_row(comparisons, methods))


def engineering_table(comparisons: Sequence[Comparison], name: str = "engineering", caption: str = "The error.") -> Table:
    """Mean and standard deviation in one line a problem, or a column each if there are many methods."""
    methods = tuple(comparisons[0].cells)
    entries = [_both(comparison, methods) for comparison in comparisons]
    names = tuple(each.problem.name for each in comparisons)
    across = len(methods) <= MOST_ACROSS
    caption = f"{caption} {_marks(comparisons, 'row' if across else 'column')}"
    counted = _count_row(comparisons, methods)
    if across:
        rows = tuple((Row((problem,), mine),) for problem, mine in zip(names, entries, strict=True))
        return Table(name, caption, ("Problem",), methods, (Section("", rows),), counted)
    rows = tuple((Row((method,), (*(mine[i] for mine in entries), counted[0].entries[i]), method=True),)
                 for i, method in enumerate(methods))
    return Table(name, caption, ("Method",), (*names, *counted[0].labels), (Section("", rows),), methods_across=False)


def ranking_table(comparisons: Sequence[Comparison], ranking: Ranking, name: str = "ranking") -> Table:
    """Mean ranks, the best first, with the two counts."""
    counts = count(comparisons)
    leading = next(iter(ranking.mean_ranks.values()))
    rows = tuple(
        (Row((method,), (Entry(f"{mean:.2f}", bold=mean - leading < ranking.critical_difference),
                         Entry(str(counts[method].similar)), Entry(str(counts[method].best))), method=True),)
        for method, mean in ranking.mean_ranks.items()
    )
    p_value = "p < 0.0001" if ranking.p_value < 1e-4 else f"p = {ranking.p_value:.4f}"
    problems = "one problem" if ranking.problems == 1 else f"{ranking.problems} problems"
    caption = (f"Mean ranks over {problems} (Friedman's test: {p_value}). Two methods differ at the level 0.05 if their mean "
               f"ranks are {ranking.critical_difference:.2f} or more apart (Nemenyi); bold: cannot be told from the first. Then "
               "the number of problems on which a method is similar to the best, and is the best.")
    return Table(name, caption, ("Method",), ("Mean rank", "Similar", "Best"), (Section("", rows),), methods_across=False)


def effects_table(results: Results, ranking: Ranking, name: str = "effects") -> Table:
    """Vargha and Delaney's A12 of the method that ranks first against every other, problem by problem."""
    first = next(iter(ranking.mean_ranks))
    others = tuple(method for method in results.methods if method != first)
    blocks = []
    sums = dict.fromkeys(others, 0.0)
    for problem in results.problems:
        errors = results.errors(problem.name)
        entries = []
        for method in others:
            size = effect_size(errors[first], errors[method])
            sums[method] += size
            entries.append(Entry(f"{size:.2f} {magnitude(size)[0]}", bold=size < 0.5))
        blocks.append((Row((problem.name,), tuple(entries)),))
    foot = Row(("Mean",), tuple(Entry(f"{sums[method] / len(blocks):.2f}") for method in others))
    caption = ("How probable it is that a run of @, which ranks first, has a lower error than a run of each other method "
               "(Vargha and Delaney's A12; 0.5: neither). The letter tells the size of the effect: negligible, small (from 0.56 "
               "or 0.44 on), medium (0.64, 0.36) or large (0.71, 0.29); bold: the other method is the better.")
    return Table(name, caption, ("Problem",), others, (Section("", tuple(blocks)),), (foot,), subject=first)


def _methods(comparisons: Sequence[Comparison]) -> str:
    number = len(comparisons[0].cells)
    words = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    return f"{words[number - 1] if number <= len(words) else number} method{'s' if number > 1 else ''}"


def _marks(comparisons: Sequence[Comparison], counts: str = "row") -> str:
    """What bold, stars and the last row mean."""
    text = ("A star marks the lowest mean; bold, what cannot be told from it (Kruskal-Wallis, then Dunn's test with Holm's "
            f"correction, at the level 0.05). The last {counts} counts the problems on which a method is similar to the best "
            "and, in brackets, is the best.")
    if any(cell.infeasible for each in comparisons for cell in each.cells.values()):
        text += f" {INFINITY}: some runs, as many as stated, found no feasible point."
    return text


def _sections(comparisons: Sequence[Comparison], block: Callable[[Comparison], tuple[Row, ...]]) -> tuple[Section, ...]:
    order = list(dict.fromkeys(each.problem.category for each in comparisons))
    ordered = sorted(comparisons, key=lambda each: order.index(each.problem.category))
    found = []
    for category, group in groupby(ordered, key=lambda each: each.problem.category):
        members = list(group)
        found.append(Section(f"{category[:1].upper()}{category[1:]}{_span([each.problem.name for each in members])}",
                             tuple(block(each) for each in members)))
    return tuple(found)


def _span(names: Sequence[str]) -> str:
    """`` (F1-F5)`` for names that count on, nothing otherwise."""
    parts = [re.fullmatch(r"(\D+)(\d+)", name) for name in names]
    if len(names) < 2 or not all(parts):
        return ""
    numbers = [int(part[2]) for part in parts if part]
    if len({part[1] for part in parts if part}) > 1 or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return ""
    return f" ({names[0]}{DASH}{names[-1]})"


def _count_row(comparisons: Sequence[Comparison], methods: Sequence[str]) -> tuple[Row, ...]:
    counts = count(comparisons)
    entries = tuple(Entry(f"{counts[each].similar} ({counts[each].best})", bold=True) for each in methods)
    return (Row(("Similar (best)",), entries),)


def _both(comparison: Comparison, methods: Sequence[str]) -> tuple[Entry, ...]:
    """Mean and standard deviation of each method, all with two decimals or all in powers of ten."""
    cells = [comparison.cells[method] for method in methods]
    plain = all(0.1 <= abs(each.mean) < 1e5 for each in cells if math.isfinite(each.mean) and each.mean)
    form = ".2f" if plain else ".2e"
    return tuple(_entry(each, f"{INFINITY} ({_std(each)})" if each.infeasible else
                        f"{_mean(each, form)} {PLUS_MINUS} {_std(each, form)}") for each in cells)


def _entry(cell: Cell, text: str) -> Entry:
    return Entry(text, bold=cell.similar, star=cell.best)


def _mean(cell: Cell, form: str = ".2e") -> str:
    return f"{cell.mean:{form}}" if math.isfinite(cell.mean) else INFINITY


def _std(cell: Cell, form: str = ".2e") -> str:
    if cell.infeasible:
        return f"{cell.infeasible} inf."
    return DASH if math.isnan(cell.std) else f"{cell.std:{form}}"
