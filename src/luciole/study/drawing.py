"""What the figures of a study share: their style, what a method looks like in all of them, grids of panels, and files.

Figures are made for print: 178 mm wide or half of that, letters of 7 to 8 points, and methods told apart by marker and dash as
well as by colours that colour-blind readers can tell apart.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from luciole._layout import Floats
from luciole.errors import MissingExtraError
from luciole.study import labels
from luciole.study.curves import SMALLEST

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 7.0
"""Of a figure over the whole page, in inches."""

COLORS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#000000", "#8a8a8a")
"""Of Okabe and Ito, with a grey for their yellow, which is hard to see on white."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "*", "h", "d", "8")
DASHES: tuple[Any, ...] = ("solid", (0, (4, 1.5)), (0, (1, 1.2)), (0, (5, 1.2, 1, 1.2)))

RULES: Any = {
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "font.size": 7.5, "mathtext.fontset": "dejavusans",
    "axes.titlesize": 8, "axes.labelsize": 7.5, "xtick.labelsize": 7, "ytick.labelsize": 7, "legend.fontsize": 7.5,
    "axes.linewidth": 0.6, "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    "axes.grid": True, "grid.color": "#dddddd", "grid.linewidth": 0.4, "xtick.major.width": 0.6, "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4, "ytick.minor.width": 0.4, "xtick.major.size": 2.5, "ytick.major.size": 2.5,
    "xtick.minor.size": 1.5, "ytick.minor.size": 1.5, "lines.linewidth": 1.1, "legend.frameon": False,
    "axes.formatter.use_mathtext": True, "figure.constrained_layout.wspace": 0.05,
    "pdf.fonttype": 42, "ps.fonttype": 42, "figure.dpi": 100,
}


@dataclass(frozen=True)
class Look:
    """How a method is drawn, in every figure."""

    color: str
    marker: str
    dash: Any


def looks(methods: Sequence[str]) -> dict[str, Look]:
    """The look of each method: no two of the first 32 share colour and dash, and none of the first 14 their marker."""
    return {
        method: Look(COLORS[i % len(COLORS)], MARKERS[i % len(MARKERS)], DASHES[(i + i // len(COLORS)) % len(DASHES)])
        for i, method in enumerate(methods)
    }


def printed(method: str) -> str:
    """A method's name in a figure, cut if it is very long."""
    return labels.to_mathtext(method if len(method) <= 28 else method[:27] + "\u2026")


@contextmanager
def style() -> Iterator[None]:
    """Draw in the style of the figures, whatever the user's own settings are."""
    try:
        import matplotlib as mpl
    except ModuleNotFoundError:
        raise MissingExtraError("figures need matplotlib; install it with: pip install 'luciole[study]'") from None
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(RULES)
        yield


def new_figure(width: float, height: float) -> "Figure":
    """A figure of so many inches, without a window."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def panels(number: int, columns: int, height: float, extra: float = 0.0, *, share_y: bool = False) -> "tuple[Figure, list[Axes]]":
    """A page-wide figure with so many panels, the last row filled up with nothing."""
    columns = min(columns, number)
    rows = math.ceil(number / columns)
    figure = new_figure(WIDTH if columns > 1 else WIDTH / 2, rows * height + extra)
    grid = figure.subplots(rows, columns, squeeze=False, sharey=share_y).ravel()
    for axes in grid[number:]:
        axes.set_visible(False)
    return figure, list(grid[:number])


def label_bottom(grid: "Sequence[Axes]", columns: int, text: str) -> None:
    """Name the horizontal axis under the lowest panel of each column."""
    for axes in grid[-min(columns, len(grid)):]:
        axes.set_xlabel(text)


def legend(figure: "Figure", methods: Sequence[str], known: dict[str, Look]) -> None:
    """A legend for the whole figure, below all panels."""
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], color=known[each].color, linestyle=known[each].dash, marker=known[each].marker, markersize=4,
                      label=printed(each)) for each in methods]
    longest = max(len(labels.split(each).stem) + len(labels.split(each).above) for each in methods)
    columns = max(1, min(len(methods), int(figure.get_figwidth() * 13 / (longest + 7))))
    rows = math.ceil(len(methods) / columns)
    figure.legend(handles=handles, loc="outside lower center", ncols=math.ceil(len(methods) / rows), handlelength=2.6,
                  columnspacing=1.2)


def legend_height(methods: Sequence[str]) -> float:
    """About how many inches it takes."""
    return 0.2 + 0.16 * math.ceil(len(methods) / 6)


def scale(axes: "Axes", which: str, values: Floats) -> bool:
    """Choose a logarithmic axis (`which` is ``"x"`` or ``"y"``) where values span more than a power of ten; whether it was.

    On such an axis nothing is less than 1e-8, which counts as solved.
    """
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, ScalarFormatter

    axis = getattr(axes, f"{which}axis")
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
    if low >= 0.0 and max(high, SMALLEST) > 10.0 * max(low, SMALLEST):
        getattr(axes, f"set_{which}scale")("log")
        low, high = math.log10(max(low, SMALLEST)), math.log10(max(high, SMALLEST))
        margin = 0.04 * (high - low)
        getattr(axes, f"set_{which}lim")(10.0 ** (low - margin), 10.0 ** (high + margin))
        if high - low < 2.2:  # powers of ten alone would be too few
            axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high - low < 1.3 else (1.0, 3.0), numticks=20))
            axis.set_major_formatter(FuncFormatter(_write_number))
        else:
            axis.set_major_locator(LogLocator(numticks=5))
        axis.set_minor_formatter(NullFormatter())
        return True
    margin = 0.06 * (high - low) or 0.05 * abs(high) or 1.0
    getattr(axes, f"set_{which}lim")(low - margin, high + margin)
    formatter = ScalarFormatter(useOffset=False)
    formatter.set_powerlimits((-2, 4))
    axis.set_major_formatter(formatter)
    axis.set_major_locator(MaxNLocator(4))
    return False


def _write_number(value: float, _: int | None) -> str:
    """A number with one digit that is not zero, such as 0.03, 500 or 2 times a power of ten."""
    if 1e-2 <= value < 1e5:
        return f"{value:g}"
    power = math.floor(math.log10(value) + 1e-9)
    factor = round(value / 10.0**power)
    return f"$10^{{{power}}}$" if factor == 1 else f"${factor}\\times10^{{{power}}}$"


def save(figure: "Figure", directory: Path, name: str) -> list[Path]:
    """Write a figure as PDF and PNG, the same bytes every time."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # what was laid out once stays for both files
    paths = [directory / f"{name}.pdf", directory / f"{name}.png"]
    figure.savefig(paths[0], metadata={"CreationDate": None, "Producer": None, "Creator": "luciole"})
    figure.savefig(paths[1], dpi=220, metadata={"Software": "luciole"})
    return paths
