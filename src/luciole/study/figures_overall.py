"""Figures over all problems: the two counts, the ranking, runtime distributions; and the curves of p_alpha."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from luciole._layout import Floats
from luciole.study.curves import runtimes
from luciole.study.drawing import (
    COLORS,
    DASHES,
    WIDTH,
    Look,
    label_bottom,
    legend,
    legend_height,
    looks,
    new_figure,
    panels,
    printed,
)
from luciole.study.ranking import Ranking
from luciole.study.results import Results
from luciole.study.statistics import Count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox


def draw_overall(groups: Mapping[str, Mapping[str, Count]], methods: Sequence[str] | None = None) -> "Figure":
    """On how many problems each method is the best against on how many it is similar to the best, a panel for each group.

    Parameters
    ----------
    groups : mapping of str to mapping of str to Count
        The counts of methods that were compared with each other, by the title of their panel.
    methods : sequence of str, optional
        The order that gives each its look; left out: as they come.
    """
    from matplotlib.ticker import MaxNLocator

    figure, grid = panels(len(groups), 2, 3.1)
    look = looks(methods or list(dict.fromkeys(method for counts in groups.values() for method in counts)))
    for axes, (title, counts) in zip(grid, groups.items(), strict=True):
        axes.set(xlabel="Problems on which similar to the best", ylabel="Problems on which the best", title=title)
        widest, highest = max(each.similar for each in counts.values()), max(each.best for each in counts.values())
        axes.set_xlim(-0.06 * max(widest, 2), max(widest, 2) * 1.1)
        axes.set_ylim(-0.08 * max(highest, 2), max(highest, 2) * 1.12)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # names are placed for these panels
    for axes, counts in zip(grid, groups.values(), strict=True):
        _scatter(axes, counts, look)
    return figure


def _scatter(axes: "Axes", counts: Mapping[str, Count], look: Mapping[str, Look]) -> None:
    """Points with their names; those in the same place stand side by side, and their names in the same order."""
    from matplotlib.transforms import Bbox

    places: dict[tuple[int, int], list[str]] = {}
    for method, each in counts.items():
        places.setdefault((each.similar, each.best), []).append(method)
    pixel = axes.figure.dpi / 72.0
    frame, inverse = axes.get_window_extent(), axes.transData.inverted()
    marks: dict[tuple[int, int], Bbox] = {}
    for place, methods in places.items():
        x, y = axes.transData.transform(place)
        half = 3.25 * pixel * (len(methods) - 1)
        x = max(min(x, frame.x1 - half), frame.x0 + half)
        marks[place] = Bbox.from_extents(x - half - 4 * pixel, y - 4 * pixel, x + half + 4 * pixel, y + 4 * pixel)
        for i, method in enumerate(methods):
            marker = look[method].marker
            axes.plot(*inverse.transform((x - half + 6.5 * pixel * i, y)), color=look[method].color, marker=marker,
                      markersize=9 if marker == "*" else 6, markeredgecolor="white", markeredgewidth=0.5, clip_on=False, zorder=3)
    taken = list(marks.values())
    for place in sorted(places, key=lambda each: (-each[1], -each[0])):
        names = [printed(each) for each in places[place]]
        lines = [", ".join(names[i : i + 3]) for i in range(0, len(names), 3)]
        taken.append(_name_point(axes, ",\n".join(lines), marks[place], taken))


def _name_point(axes: "Axes", name: str, mark: "Bbox", taken: "Sequence[Bbox]") -> "Bbox":
    """Write a name where it covers neither points nor other names, as near as can be."""
    from matplotlib.transforms import Bbox

    pixel = axes.figure.dpi / 72.0
    frame, inverse = axes.get_window_extent(), axes.transData.inverted()
    text = axes.text(0, 0, name, fontsize=7, ha="left", va="bottom", zorder=4)
    size = text.get_window_extent(axes.figure.canvas.get_renderer())  # type: ignore[attr-defined]
    middle = ((mark.x0 + mark.x1) / 2, (mark.y0 + mark.y1) / 2)
    best, where, away = math.inf, mark, 0.0
    for gap in (2.0, 7.0, 14.0, 23.0, 34.0, 46.0, 60.0):
        for turn in (0.0, 180.0, 90.0, 270.0, 45.0, 135.0, 315.0, 225.0, 22.0, 158.0, 338.0, 202.0):
            dx, dy = math.cos(math.radians(turn)), math.sin(math.radians(turn))
            x = middle[0] + (mark.width / 2 + gap * pixel) * dx + (dx - 1.0) / 2.0 * size.width
            y = middle[1] + (mark.height / 2 + gap * pixel) * dy + (dy - 1.0) / 2.0 * size.height
            box = Bbox.from_bounds(x, y, size.width, size.height)
            outside = box.x0 < frame.x0 or box.x1 > frame.x1 or box.y0 < frame.y0 or box.y1 > frame.y1
            cost = gap + 200.0 * outside + 100.0 * sum(box.overlaps(each) for each in taken)
            if cost < best:
                best, where, away = cost, box, gap
    left, bottom = inverse.transform((where.x0, where.y0))
    text.set_position((left, bottom))
    if away > 7.0:
        near = (min(max(middle[0], where.x0), where.x1), min(max(middle[1], where.y0), where.y1))
        ends = inverse.transform([middle, near])
        axes.plot(ends[:, 0], ends[:, 1], color="#888888", linewidth=0.5, zorder=2, clip_on=False)
    return where.padded(pixel)


def draw_ranking(ranking: Ranking) -> "Figure":
    """A critical-difference diagram: mean ranks on a line, and bars over methods that cannot be told apart."""
    methods, ranks = list(ranking.mean_ranks), list(ranking.mean_ranks.values())
    k = len(methods)
    left = math.ceil(k / 2)
    bars = _levels(ranking)
    depth = 0.16 * (max(bars.values(), default=-1) + 1) + 0.1
    lowest = depth + 0.31 * left
    figure = new_figure(WIDTH, 0.55 + lowest * 0.6)
    axes = figure.add_subplot()
    axes.set_axis_off()
    span = max(k - 1, 1)
    axes.set(xlim=(1 - 0.3 * span, k + 0.3 * span), ylim=(-lowest - 0.05, 0.75))
    axes.plot([1, k], [0, 0], color="black", linewidth=0.9)
    for tick in range(1, k + 1):
        axes.plot([tick, tick], [0, 0.08], color="black", linewidth=0.9)
        axes.text(tick, 0.12, str(tick), ha="center", va="bottom", fontsize=7)
    if ranking.critical_difference <= span:
        end = 1 + ranking.critical_difference
        axes.plot([1, 1, 1, end, end, end], [0.47, 0.57, 0.52, 0.52, 0.57, 0.47], color="black", linewidth=0.9)
        axes.text((1 + end) / 2, 0.56, f"critical difference {ranking.critical_difference:.2f}", ha="center", va="bottom",
                  fontsize=7)
    else:
        axes.text(1, 0.5, f"critical difference {ranking.critical_difference:.2f}: more than there is between first and last",
                  ha="left", va="bottom", fontsize=7)
    for i, (method, rank) in enumerate(zip(methods, ranks, strict=True)):
        first = i < left
        line = depth + 0.31 * (i if first else k - 1 - i) + 0.1
        edge = 1 - 0.04 * span if first else k + 0.04 * span
        axes.plot([rank, rank, edge], [0, -line, -line], color="#666666", linewidth=0.7)
        axes.plot(rank, 0, marker="o", markersize=3.2, color="black", zorder=3)
        axes.text(edge + (-0.01 if first else 0.01) * span, -line, f"{printed(method)}  ({rank:.2f})",
                  ha="right" if first else "left", va="center", fontsize=7.5)
    for group, level in bars.items():
        low, high = ranking.mean_ranks[group[0]], ranking.mean_ranks[group[-1]]
        axes.plot([low - 0.012 * span, high + 0.012 * span], [-0.14 - 0.16 * level] * 2, color=COLORS[0], linewidth=2.6,
                  solid_capstyle="round", zorder=2)
    return figure


def _levels(ranking: Ranking) -> dict[tuple[str, ...], int]:
    """On which line each bar goes so that no two overlap."""
    ends: list[float] = []
    found = {}
    for group in ranking.groups:
        low, high = ranking.mean_ranks[group[0]], ranking.mean_ranks[group[-1]]
        level = next((i for i, end in enumerate(ends) if end < low - 0.05 * len(ranking.mean_ranks)), len(ends))
        ends[level : level + 1] = [high]
        found[group] = level
    return found


def draw_runtimes(results: Results, order: Sequence[str] | None = None) -> "Figure":
    """Empirical runtime distributions over all problems, and by category if there are several.

    `order` gives each method its look; left out, they come as in the results.
    """
    groups = {"All problems": results}
    if len(results.categories) > 1:
        for category in results.categories:
            names = [each.name for each in results.problems if each.category == category]
            groups[f"{category[:1].upper()}{category[1:]} ({len(names)})"] = results.only(problems=names)
    columns = 3 if len(groups) > 4 else 2
    figure, grid = panels(len(groups), columns, 2.0, legend_height(results.methods), share_y=True)
    look = looks(order or results.methods)
    for axes, (title, group) in zip(grid, groups.items(), strict=True):
        for i, (method, each) in enumerate(runtimes(group).items()):
            mine = look[method]
            evaluations = np.unique(np.concatenate([[1.0], each.reached, [results.budget]]))
            if evaluations.size > 200:
                evaluations = np.unique(np.geomspace(1, results.budget, 200).round())
            axes.plot(evaluations, each.fraction(evaluations), drawstyle="steps-post", color=mine.color, linestyle=mine.dash,
                      marker=mine.marker, markersize=3, markeredgewidth=0,
                      markevery=(0.04 + 0.18 * i / len(results.methods), 0.2))
        axes.set(xscale="log", xlim=(1, results.budget), ylim=(0, 1.0), title=title)
    label_bottom(grid, columns, "Evaluations")
    for axes in grid[::columns]:
        axes.set_ylabel("Part of targets reached")
    legend(figure, results.methods, look)
    return figure


def p_alpha(alpha: Floats, k: float, initial: float | None = None) -> Floats:
    """The probability that FAmv replaces a value: Eq. 8 of the paper for an alpha that falls from `initial`, Eq. 9 without."""
    shift = alpha / 2.0 if initial is None else alpha - initial / 2.0
    return np.asarray(1.0 / (1.0 + np.exp(-k * shift)))


def draw_p_alpha(steepness: Sequence[float] = (0.5, 1.0, 2.0, 5.0, 10.0), initial: float = 2.0) -> "Figure":
    """p_alpha against alpha for several k, where alpha adapts and where it is constant."""
    figure, grid = panels(2, 2, 2.3, 0.3, share_y=True)
    alpha = np.linspace(0.0, initial, 201)
    titles = (rf"Adaptive $\alpha$, $\alpha_\mathrm{{init}}$ = {initial:g} (Eq. 8)", r"Constant $\alpha$ (Eq. 9)")
    for axes, start, title in zip(grid, (initial, None), titles, strict=True):
        for i, k in enumerate(steepness):
            axes.plot(alpha, p_alpha(alpha, k, start), color=COLORS[i % len(COLORS)], linestyle=DASHES[i % len(DASHES)],
                      label=f"$k$ = {k:g}")
        axes.set(xlabel=r"$\alpha$", title=title, xlim=(0, initial), ylim=(0, 1.02))
    grid[0].set_ylabel(r"$p_\alpha$")
    figure.legend(*grid[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(steepness))
    return figure
