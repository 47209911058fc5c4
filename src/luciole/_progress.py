"""The progress bar."""

from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from luciole.trial import Leader


class Progress:
    """A bar that shows evaluations made and the best value; nothing at all unless enabled."""

    def __init__(self, total: int, *, enabled: bool) -> None:
        self._bar: Any = None
        self._task: Any = None
        if enabled:
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
            from rich.progress import Progress as RichProgress

            self._bar = RichProgress(BarColumn(), MofNCompleteColumn(), TextColumn("best {task.fields[best]}"),
                                     TimeElapsedColumn(), TimeRemainingColumn())
            self._task = self._bar.add_task("", total=total, best="-")

    def update(self, done: int, best: "Leader | None") -> None:
        """Show how far the run has come."""
        if self._bar is not None:
            shown = "-" if best is None else f"{best.value:.6g}" + (" (infeasible)" if best.violation else "")
            self._bar.update(self._task, completed=done, best=shown)

    def __enter__(self) -> "Progress":
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()
