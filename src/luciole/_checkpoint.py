"""Checkpoints: when to write them, and what of a run stands in them beside its optimizer."""

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from luciole import _storage
from luciole.errors import ArgumentError, FileError

SHARE = 0.02  # of the time of a run may go into writing


class Checkpoint:
    """A file that holds a run as far as it has come.

    It is written after every evaluation, as long as that takes little of the time; else as seldom as it takes for that.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()  # objectives may change the folder
        self._next = -math.inf

    def is_due(self) -> bool:
        """Whether to write now."""
        return time.monotonic() >= self._next

    def write(self, pack: Callable[[], tuple[dict[str, Any], dict[str, Any]]]) -> None:
        """Replace what the file held; collecting the content is part of what writing costs."""
        started = time.monotonic()
        try:
            _storage.write(self.path, *pack())
        finally:
            ended = time.monotonic()
            self._next = ended + (ended - started) / SHARE


def new_checkpoint(path: Any) -> Checkpoint:
    """A checkpoint in a file that holds nothing yet, or a run that has ended."""
    try:
        path = Path(path)
    except TypeError:
        raise ArgumentError(f"checkpoint={path!r} must be a path: a str or a pathlib.Path") from None
    if path.is_dir() or not path.parent.is_dir():
        what = "is a folder" if path.is_dir() else "lies in a folder that does not exist"
        raise ArgumentError(f"checkpoint={str(path)!r} {what}; it must be the path of a file, to be made in a folder that exists")
    if path.exists():
        try:
            meta, _ = read(path)
        except FileError as error:
            raise ArgumentError(f"checkpoint={str(path)!r} would replace a file that holds no run ({error}); choose another "
                                "path, or delete the file") from None
        if not meta["run"]["ended"]:
            raise ArgumentError(f"checkpoint={str(path)!r} would replace a run that has not ended; go on with it: "
                                f"luciole.resume({str(path)!r}, objective), or delete the file")
    return Checkpoint(path)


def read(path: str | Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a checkpoint holds."""
    meta, arrays = _storage.read(Path(path))
    if "run" not in meta:
        raise FileError(f"{path} holds an optimizer, saved by Optimizer.save(), not a run; read it with luciole.Optimizer.load")
    return meta, arrays
