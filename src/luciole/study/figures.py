"""The figures of a study: those of the paper, and the ranking and runtime distributions beyond it."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from luciole.study.drawing import save, style
from luciole.study.figures_overall import draw_overall, draw_p_alpha, draw_ranking, draw_runtimes
from luciole.study.figures_runs import draw_boxes, draw_convergence
from luciole.study.groups import firefly_variants, main_comparison
from luciole.study.ranking import rank
from luciole.study.results import Results
from luciole.study.statistics import compare, count
from luciole.study.tables import ENGINEERING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def write_figures(results: Results, directory: str | Path) -> list[Path]:
    """Draw every figure of a study as PDF and PNG; returns the files."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, draw in plan_figures(results):
        with style():
            paths += save(draw(), directory, name)
    return paths


def plan_figures(results: Results) -> "list[tuple[str, Callable[[], Figure]]]":
    """The names of the figures that a study gives rise to, with what draws each.

    ``overall`` sets the best counts against the similar counts, in a second panel for the variants of the firefly algorithm
    among themselves if other methods were run as well. ``boxes`` and ``convergence`` come for each category; in a study of
    everything in the paper they show its main comparison, and once more the variants as ``ablation-boxes`` and
    ``ablation-convergence``. ``ranking`` (the critical-difference diagram) takes two methods and two problems. ``p_alpha`` comes
    with FAmv. Without traces there is nothing about time.
    """
    several = len(results.methods) > 1
    main, variants = main_comparison(results.methods), firefly_variants(results.methods)
    order = (*main, *(each for each in results.methods if each not in main))  # a method looks the same in every figure
    planned: list[tuple[str, Callable[[], Figure]]] = []
    if several:
        groups = {"Methods": count(compare(results.only(methods=main)))}
        if variants:
            groups["Variants of the firefly algorithm"] = count(compare(results.only(methods=variants)))
        planned.append(("overall", partial(draw_overall, groups, order)))
    if several and len(results.problems) > 1:
        planned.append(("ranking", partial(draw_ranking, rank(compare(results)))))
    if results.traces:
        planned.append(("runtimes", partial(draw_runtimes, results, order)))
    for category in results.categories:
        problems = [each.name for each in results.problems if each.category == category]
        ending = re.sub(r"\W+", "-", category.lower()).strip("-")
        split = main != results.methods and category != ENGINEERING
        shown = {"": results.only(methods=main), "ablation-": results.only(methods=variants)} if split else {"": results}
        for start, some in shown.items():
            planned.append((f"{start}boxes-{ending}", partial(draw_boxes, some, problems, order)))
            if results.traces:
                planned.append((f"{start}convergence-{ending}", partial(draw_convergence, some, problems, order)))
    if any(method.startswith("FAmv") for method in results.methods):
        planned.append(("p_alpha", draw_p_alpha))
    return planned
