"""Pictures, drawn with Matplotlib, which is imported when one is asked for."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from luciole._layout import Floats
from luciole.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from luciole.result import Result

BLUE, GREY, RED = "#0072b2", "#9a9a9a", "#d55e00"  # told apart by colour-blind eyes as well


def convergence(result: "Result", path: str | Path | None = None, *, ax: "Axes | None" = None,
                optimum: float | None = None) -> "Axes":
    """Draw the best value found so far, and every feasible value behind it, against the number of evaluations."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("plot() needs matplotlib; install it with: pip install 'luciole[plot]'") from None
    if ax is None:
        if path is None:
            from matplotlib import pyplot

            ax = pyplot.subplots(figsize=(6.4, 4.0), layout="constrained")[1]
        else:
            figure = Figure(figsize=(6.4, 4.0), layout="constrained")
            FigureCanvasAgg(figure)
            ax = figure.add_subplot()
    history = result.history
    number = np.arange(1, len(history) + 1)
    feasible = (history.violation == 0) & np.isfinite(history.fun)
    best = history.best_so_far()
    ax.plot(number[feasible], history.fun[feasible], ".", color=GREY, alpha=0.35, markersize=2.5, markeredgewidth=0,
            label="feasible evaluations", rasterized=True)
    ax.step(number, best, where="post", color=BLUE, linewidth=2, label="best so far")
    if optimum is not None:
        ax.axhline(optimum, color=RED, linewidth=1, linestyle="--", label=f"best known: {optimum:.6g}")
    ax.set_xlabel("evaluations")
    ax.set_ylabel("value")
    ax.set_xscale("log")
    _set_scale(ax, best[np.isfinite(best)], optimum)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(alpha=0.25)
    ax.legend(frameon=False, loc="upper right", markerscale=4)
    ax.set_title(f"{result.method}: best value {result.fun:.6g} after {result.nfev:,} evaluations", fontsize="medium")
    if path is not None:
        ax.figure.savefig(path, dpi=160)  # type: ignore[union-attr]
    return ax


def _set_scale(ax: "Axes", best: Floats, optimum: float | None) -> None:
    """Show where the best values fall: on a logarithmic axis if they span powers of ten, without the first outliers if not."""
    if not best.size:
        return
    goal = best[-1] if optimum is None else optimum
    if min(best[-1], goal) > 0 and best.max() > 20 * min(best[-1], goal):
        ax.set_yscale("log")
        return
    spread = float(np.quantile(np.abs(best - goal), 0.98)) or 0.1 * max(abs(goal), 1.0)
    side = float(np.sign(best[0] - goal)) or 1.0
    near, far = goal - 0.08 * side * spread, goal + 1.3 * side * spread
    ax.set_ylim(min(near, far), max(near, far))
