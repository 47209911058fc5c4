"""A lock between processes, which the system releases when its holder dies."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[bool]:
    """Hold the lock of a file, which is made if it is missing; gives False if another holds it and `wait` is off."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        yield _lock(file, wait)
    finally:
        os.close(file)


if os.name == "nt":
    import msvcrt
    import time

    def _lock(file: int, wait: bool) -> bool:
        while True:
            try:
                msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
                return True
            except OSError:
                if not wait:
                    return False
                time.sleep(0.05)
else:
    import fcntl

    def _lock(file: int, wait: bool) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            return True
        except BlockingIOError:
            return False
