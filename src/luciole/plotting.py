"""Pictures, drawn with Matplotlib, which is imported when one is asked for."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

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
    known = best[np.isfinite(best)]
    if known.size:
        end = known[-1] if optimum is None else optimum
        if min(known.min(), end) > 0 and known.max() > 20 * min(known.min(), end):
            ax.set_yscale("log")
        else:
            spread = np.quantile(np.abs(known - end), 0.98) or max(abs(end), 1.0) * 0.1
            ax.set_ylim(sorted((end - 0.08 * spread * np.sign(known[0] - end or 1.0), end + 1.3 * spread * np.sign(known[0] - end or 1.0))))
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(alpha=0.25)
    ax.legend(frameon=False)
    ax.set_title(f"{result.method}: best value {result.fun:.6g} after {result.nfev:,} evaluations", fontsize="medium")
    if path is not None:
        ax.figure.savefig(path, dpi=160)  # type: ignore[union-attr]
    return ax
