"""Write the final errors of a finished study as NAME.csv.gz beside this file, or compare those of any study with it.

python studies/paper/collect.py DIR NAME [--compare]

DIR is what `luciole study run ... --out DIR` filled. The columns are method, problem, repetition, error, with every digit.
--compare writes nothing: it says how many of the runs in DIR are equal to the committed ones, and fails if any is not.
"""

import argparse
import csv
import gzip
import io
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

Row = tuple[str, str, int, float]


def compare(path: Path, runs: list[Row]) -> bool:
    """Say which runs are not what the file has; whether all are."""
    with gzip.open(path, "rt", newline="") as file:
        committed = {(row["method"], row["problem"], int(row["repetition"])): float(row["error"]) for row in csv.DictReader(file)}
    known = [(key, error) for *names, error in runs if (key := tuple(names)) in committed]
    others = [(key, error) for key, error in known if error != committed[key]]
    for key, error in others[:10]:
        print(*key, f"{error!r} and not {committed[key]!r}")
    print(f"{len(known) - len(others)} of {len(known)} runs are equal to the committed ones; {len(runs) - len(known)} have none")
    return bool(known) and not others


def main() -> None:
    """Read the store, write the file or compare with it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", type=Path)
    parser.add_argument("name")
    parser.add_argument("--compare", action="store_true")
    options = parser.parse_args()
    with closing(sqlite3.connect(f"file:{options.study / 'study.sqlite'}?mode=ro", uri=True)) as store:
        runs = store.execute("SELECT method, problem, repetition, error FROM runs ORDER BY problem, method, repetition").fetchall()
    path = Path(__file__).parent / f"{options.name}.csv.gz"
    if options.compare:
        sys.exit(not compare(path, runs))
    # Without the time in its header the file is the same whenever it is written.
    with gzip.GzipFile(path, "wb", mtime=0) as file, io.TextIOWrapper(file, newline="") as text:
        text.write("method,problem,repetition,error\n")
        text.writelines(f"{method},{problem},{repetition},{error!r}\n" for method, problem, repetition, error in runs)
    print(f"{len(runs)} runs in {path}")


if __name__ == "__main__":
    main()
