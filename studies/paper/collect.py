"""Write the final errors of a finished study as NAME.csv.gz beside this file.

python studies/paper/collect.py DIR NAME

DIR is what `luciole study run ... --out DIR` filled. The columns are method, problem, repetition, error, with every digit.
"""

import argparse
import gzip
import io
import sqlite3
from contextlib import closing
from pathlib import Path


def main() -> None:
    """Read the store, write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", type=Path)
    parser.add_argument("name")
    options = parser.parse_args()
    with closing(sqlite3.connect(f"file:{options.study / 'study.sqlite'}?mode=ro", uri=True)) as store:
        runs = store.execute("SELECT method, problem, repetition, error FROM runs ORDER BY problem, method, repetition").fetchall()
    path = Path(__file__).parent / f"{options.name}.csv.gz"
    # Without the time in its header the file is the same whenever it is written.
    with gzip.GzipFile(path, "wb", mtime=0) as file, io.TextIOWrapper(file, newline="") as text:
        text.write("method,problem,repetition,error\n")
        text.writelines(f"{method},{problem},{repetition},{error!r}\n" for method, problem, repetition, error in runs)
    print(f"{len(runs)} runs in {path}")


if __name__ == "__main__":
    main()
