"""Processes that end when the one that started them is gone."""

import os
import threading
import time
from collections.abc import Callable

WATCH_SECONDS = 0.5


def end_without(parent: int, end: Callable[[], object]) -> None:
    """Begin to look after the parent of this process; when it is gone, call `end`."""
    def look() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH_SECONDS)
        end()

    if os.name == "posix":
        threading.Thread(target=look, daemon=True).start()
