"""Figures with a panel for each problem: box plots of the errors, and convergence curves."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from luciole._layout import Floats
from luciole.study.curves import SMALLEST, converge
from luciole.study.drawing import Look, label_bottom, legend, legend_height, looks, panels, printed, scale
from luciole.study.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = 3


def draw_boxes(results: Results, problems: Sequence[str], order: Sequence[str] | None = None) -> "Figure":
    """The errors of all runs: quartiles, the furthest within 1.5 interquartile ranges of them, and each one further out.

    `order` gives each method its look; left out, they come as in the results.
    """
    methods, look = results.methods, looks(order or results.methods)
    figure, grid = panels(len(problems), COLUMNS, 0.5 + 0.145 * len(methods), share_y=True)
    for axes, problem in zip(grid, problems, strict=True):
        _boxes(axes, results.errors(problem), look)
        axes.set_title(problem)
    for axes in grid[::min(COLUMNS, len(problems))]:
        axes.set_yticks(range(len(methods)), [printed(each) for each in methods])
    grid[0].set_ylim(len(methods) - 0.4, -0.6)
    label_bottom(grid, COLUMNS, _error_name(results, problems))
    return figure


def _boxes(axes: "Axes", errors: dict[str, Floats], look: Mapping[str, Look]) -> None:
    finite = [each[np.isfinite(each)] for each in errors.values()]
    logarithmic = scale(axes, "x", np.concatenate(finite))
    for i, method in enumerate(errors):
        values = np.maximum(finite[i], SMALLEST) if logarithmic else finite[i]
        if values.size:
            _box(axes, i, values, look[method].color)
        if lost := int(np.isinf(errors[method]).sum()):
            axes.annotate(f"{lost} infeasible", (1.0, i), xycoords=("axes fraction", "data"), ha="right", va="center", fontsize=6,
                          color="#555555")
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)


def _box(axes: "Axes", y: float, values: Floats, color: str) -> None:
    first, median, third = np.quantile(values, [0.25, 0.5, 0.75])
    reach = 1.5 * (third - first)
    inside = values[(values >= first - reach) & (values <= third + reach)]
    low, high = inside.min(), inside.max()
    axes.hlines([y, y], [low, third], [first, high], color=color, linewidth=0.8)
    axes.vlines([low, high], y - 0.17, y + 0.17, color=color, linewidth=0.8)
    axes.fill([first, third, third, first], [y - 0.31, y - 0.31, y + 0.31, y + 0.31], facecolor=(*_rgb(color), 0.4),
              edgecolor=color, linewidth=0.8)
    axes.vlines(median, y - 0.31, y + 0.31, color="black", linewidth=1.2)
    outside = values[(values < low) | (values > high)]
    axes.plot(outside, np.full(outside.size, y), ".", color=color, markersize=2.6, markeredgewidth=0)


def draw_convergence(results: Results, problems: Sequence[str], order: Sequence[str] | None = None) -> "Figure":
    """The median of the best error so far against evaluations, with the quartiles as a band; `order` as in `draw_boxes`."""
    figure, grid = panels(len(problems), COLUMNS, 1.65, legend_height(results.methods))
    look = looks(order or results.methods)
    for axes, problem in zip(grid, problems, strict=True):
        curves = converge(results, problem)
        axes.set_xscale("log")
        logarithmic = scale(axes, "y", np.concatenate([part for curve in curves.values() for part in (curve.lower, curve.upper)]))
        for i, (method, curve) in enumerate(curves.items()):
            lower, median, upper = (np.maximum(each, SMALLEST) if logarithmic else each
                                    for each in (curve.lower, curve.median, curve.upper))
            mine = look[method]
            shown = np.isfinite(median)
            band = shown & np.isfinite(upper)
            axes.fill_between(curve.evaluations[band], lower[band], upper[band], color=mine.color, alpha=0.11, linewidth=0)
            axes.plot(curve.evaluations[shown], median[shown], color=mine.color, linestyle=mine.dash, marker=mine.marker,
                      markersize=3, markevery=(0.04 + 0.18 * i / len(curves), 0.2), markeredgewidth=0)
        axes.set_title(problem)
        axes.set_xlim(1, results.budget)
    label_bottom(grid, COLUMNS, "Evaluations")
    for axes in grid[::COLUMNS]:
        axes.set_ylabel(_error_name(results, problems))
    legend(figure, results.methods, look)
    return figure


def _error_name(results: Results, problems: Sequence[str]) -> str:
    """What is on the axis: the error, or the value where no optimum is known."""
    known = [each.optimum is not None for each in results.problems if each.name in problems]
    return "Error" if all(known) else "Value" if not any(known) else "Error or value"


def _rgb(color: str) -> tuple[float, float, float]:
    return int(color[1:3], 16) / 255, int(color[3:5], 16) / 255, int(color[5:7], 16) / 255
