"""Saving what can be read of a damaged store."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from luciole._lock import locked
from luciole.errors import FileError, StateError
from luciole.study.store import APPLICATION, FILE, GUARDED, SCHEMA, checksum, explained

COLUMNS = {"about": "key, value", "places": "place, description", "runs": f"{GUARDED}, seconds, finished, place, checksum"}
SHORTEST = 20  # bytes of a row at the least, which bounds how many there may be


class Recovered(NamedTuple):
    """What `recover` did."""

    runs: int
    """How many runs could be read."""
    knows_plan: bool
    """Whether the plan could be read as well."""
    damaged: Path
    """Where the damaged file is kept."""


def recover(directory: str | Path) -> Recovered:
    """Put a new store in the place of a damaged one, with every run that can be read; the damaged file is kept beside it."""
    path = Path(directory) / FILE
    if not path.exists():
        raise FileError(f"there is no study in {directory}: {FILE} is missing")
    with explained(path), locked(path.parent / ".lock", wait=False) as mine:
        if not mine:
            raise StateError(f"another process is running the study in {path.parent}; wait for it or stop it")
        rows = {table: list(_readable(path, table, columns)) for table, columns in COLUMNS.items()}
        width = len(GUARDED.split(","))
        good = [row for row in rows["runs"] if row[-1] == checksum(row[:width])]
        fresh = path.with_name(f"{FILE}.new")
        fresh.unlink(missing_ok=True)
        with contextlib.closing(sqlite3.connect(fresh)) as connection:
            connection.executescript(f"BEGIN; {SCHEMA} COMMIT;")
            with connection:
                for table, kept in (rows | {"runs": good}).items():
                    marks = ", ".join("?" * len(COLUMNS[table].split(",")))
                    connection.executemany(f"INSERT OR IGNORE INTO {table} ({COLUMNS[table]}) VALUES ({marks})", kept)
        number = 1
        while (damaged := path.with_name(f"{FILE}.damaged-{number}")).exists():
            number += 1
        path.rename(damaged)
        for journal in ("-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                path.with_name(FILE + journal).rename(damaged.with_name(damaged.name + journal))
        fresh.rename(path)
    return Recovered(len(good), any(key == "plan" for key, _ in rows["about"]), damaged)


def _readable(path: Path, table: str, columns: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a table that can be read, looked up one by one: a scan would end at the first bad page."""
    last = path.stat().st_size // SHORTEST
    with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        try:
            if connection.execute("PRAGMA application_id").fetchone() != (APPLICATION,):
                return
            (last,) = connection.execute(f"SELECT max(rowid) FROM {table}").fetchone()
        except sqlite3.DatabaseError:
            pass
        for number in range(1, (last or 0) + 1):
            with contextlib.suppress(sqlite3.DatabaseError, UnicodeDecodeError):
                yield from connection.execute(f"SELECT {columns} FROM {table} WHERE rowid = ?", (number,))
