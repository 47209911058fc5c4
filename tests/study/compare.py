"""What two stores of the same study must agree on: everything but times, hosts and versions."""

import sqlite3
from contextlib import closing
from pathlib import Path

VARYING = {"seconds", "finished", "place"}


def contents(directory):
    """The columns and rows of the runs of a study, without what may vary."""
    with closing(sqlite3.connect(Path(directory) / "study.sqlite")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        columns = [row[1] for row in connection.execute("PRAGMA table_info(runs)")]
        kept = [each for each in columns if each not in VARYING]
        assert len(kept) == len(columns) - 3
        rows = connection.execute(f"SELECT {', '.join(kept)} FROM runs ORDER BY problem, method, repetition").fetchall()
        return kept, rows
