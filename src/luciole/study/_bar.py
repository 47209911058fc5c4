"""How far a study has come: a bar on a terminal, a line now and then elsewhere."""

import sys
import time
from types import TracebackType
from typing import Any

LINE_SECONDS = 60.0


class Bar:
    """Shows runs done, evaluations a second and time left; nothing at all unless enabled."""

    def __init__(self, total: int, done: int, *, enabled: bool) -> None:
        self.total = total
        self.before = done
        self.done = done
        self.failed = 0
        self.evaluations = 0
        self.began = self.spoke = time.monotonic()
        self.enabled = enabled
        self._bar: Any = None
        if enabled and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

            self._bar = Progress(SpinnerColumn(), BarColumn(), MofNCompleteColumn(), TextColumn("runs{task.fields[told]}"),
                                 console=Console(stderr=True), refresh_per_second=2)
            self._task = self._bar.add_task("", total=total, completed=done, told=", starting workers")

    def update(self, done: int, failed: int, evaluations: int) -> None:
        """Count runs that have ended since."""
        self.done += done
        self.failed += failed
        self.evaluations += evaluations
        if self._bar is not None:
            self._bar.update(self._task, completed=self.done + self.failed, told=self._told())
        elif self.enabled and time.monotonic() - self.spoke > LINE_SECONDS:
            self.spoke = time.monotonic()
            print(f"{self.done:,} of {self.total:,} runs{self._told()}", file=sys.stderr)  # noqa: T201

    def say(self, text: str) -> None:
        """Show a line of text."""
        if self._bar is not None:
            self._bar.console.print(text, highlight=False, markup=False)
        elif self.enabled:
            print(text, file=sys.stderr)  # noqa: T201

    def _told(self) -> str:
        seconds = time.monotonic() - self.began
        made = self.done - self.before + self.failed
        left = (self.total - self.done - self.failed) * seconds / made if made else 0.0
        told = f", {self.evaluations / seconds:,.0f} evaluations/s, {duration(left)} left"
        return told + (f", {self.failed} failed" if self.failed else "")

    def __enter__(self) -> "Bar":
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()


def duration(seconds: float) -> str:
    """A time as people say it.

    Examples
    --------
    >>> duration(8), duration(600), duration(7500)
    ('8 s', '10 min', '2 h 5 min')
    """
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
