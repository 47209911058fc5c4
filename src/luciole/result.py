"""What a run comes back with."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scipy.optimize import OptimizeResult

from luciole.history import History

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


class Result(OptimizeResult):  # type: ignore[misc]
    """The outcome of `minimize`, a `scipy.optimize.OptimizeResult`.

    Attributes
    ----------
    x : dict or ndarray
        The best point; None if every evaluation failed.
    fun : float
        Its value; NaN if every evaluation failed.
    violation : float
        By how much it breaks the constraints; 0 if it is feasible.
    success : bool
        Whether a feasible point was found.
    message : str
        Why the run ended.
    nfev : int
        How many evaluations were made.
    history : History
        All of them.
    method : str
        What searched.
    seconds : float
        How long it took.
    """

    x: Any
    fun: float
    violation: float
    success: bool
    message: str
    nfev: int
    history: History
    method: str
    seconds: float

    def to_frame(self) -> "pandas.DataFrame":
        """The evaluations as a pandas DataFrame; needs the extra ``plot``."""
        return self.history.to_frame()

    def plot(self, path: str | Path | None = None, *, ax: "Axes | None" = None, optimum: float | None = None) -> "Axes":
        """Draw the best value against the evaluations; needs the extra ``plot``.

        Parameters
        ----------
        path : str or Path, optional
            Where to save the picture; the ending decides the format.
        ax : matplotlib Axes, optional
            Where to draw, instead of a new figure.
        optimum : float, optional
            A known best value, drawn as a line.
        """
        from luciole.plotting import convergence

        return convergence(self, path, ax=ax, optimum=optimum)

    def __repr__(self) -> str:
        lines = [f"  message: {self.message}", f"  success: {self.success}", f"      fun: {self.fun}"]
        if isinstance(self.x, dict):
            width = max(map(len, self.x))
            lines += [f"{'        x' if i == 0 else '':>9}{':' if i == 0 else ' '} {name:<{width}} = {value!r}"
                      for i, (name, value) in enumerate(self.x.items())]
        else:
            lines.append(f"        x: {self.x}")
        lines += [f"violation: {self.violation}", f"     nfev: {self.nfev}", f"   method: {self.method}",
                  f"  seconds: {self.seconds:.3g}"]
        return "\n".join(lines)
