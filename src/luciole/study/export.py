"""A study's runs for other programs: a CSV file, Parquet files, or the format of IOHprofiler."""

import json
import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from luciole._layout import Floats
from luciole.errors import ArgumentError, MissingExtraError
from luciole.study.results import Results, StudiedProblem

if TYPE_CHECKING:
    import pandas

CSV_COLUMNS = ("problem", "method", "repetition", "seed", "error", "value", "evaluations", "seconds")
"""The columns of ``runs.csv``."""

LARGEST = float(np.finfo(np.float64).max)
"""What stands for an infinite error where IOHprofiler wants a number: JSON has no infinity."""


def export(results: Results, directory: str | Path, to: str) -> Path:
    """Write the runs of a study for other programs into the folder ``export`` of its directory.

    Parameters
    ----------
    results
        The runs.
    directory
        The study's directory.
    to
        ``"csv"``: one file ``runs.csv`` with `CSV_COLUMNS`. ``"parquet"``: ``runs.parquet`` with all that is known of each run,
        and ``traces.parquet`` with how its error fell. ``"iohprofiler"``: a folder a method, for IOHanalyzer and iohinspector,
        with the error as ``raw_y``.

    Returns
    -------
    Path
        What was written: the file ``runs.csv``, or the folder.

    """
    if to not in FORMATS:
        raise ArgumentError(f"to must be one of {', '.join(FORMATS)}, got {to!r}")
    folder = Path(directory) / "export"
    folder.mkdir(parents=True, exist_ok=True)
    return FORMATS[to](results, folder)


def _to_csv(results: Results, folder: Path) -> Path:
    path = folder / "runs.csv"
    _sorted_runs(results)[list(CSV_COLUMNS)].to_csv(path, index=False, lineterminator="\n")
    return path


def _to_parquet(results: Results, folder: Path) -> Path:
    try:
        import pyarrow  # type: ignore[import-untyped, unused-ignore]  # noqa: F401
    except ImportError:
        raise MissingExtraError("Parquet needs pyarrow; install it with: pip install 'luciole[study]'") from None
    runs = _sorted_runs(results)
    if results.points:
        keys = zip(runs["problem"], runs["method"], runs["repetition"], strict=True)
        runs = runs.assign(point=[results.points.get(key) for key in keys])
    runs.to_parquet(folder / "runs.parquet", index=False)
    _traces(results).to_parquet(folder / "traces.parquet", index=False)
    return folder


def _sorted_runs(results: Results) -> "pandas.DataFrame":
    """The runs in the order of the plan, whatever order they finished in."""
    places = {"problem": {each.name: place for place, each in enumerate(results.problems)},
              "method": {each: place for place, each in enumerate(results.methods)}}
    return results.runs.sort_values(["problem", "method", "repetition"], kind="stable", ignore_index=True,
                                    key=lambda column: column.map(places.get(column.name)) if column.name in places else column)


def _traces(results: Results) -> "pandas.DataFrame":
    import pandas

    keys = [key for key in _sorted_runs(results)[["problem", "method", "repetition"]].itertuples(index=False, name=None)
            if key in results.traces]
    lengths = [len(results.traces[key]) for key in keys]
    rows = np.concatenate([results.traces[key] for key in keys]) if keys else np.empty((0, 2))
    columns = {name: np.repeat(np.array([key[place] for key in keys], dtype=kind), lengths)
               for place, (name, kind) in enumerate([("problem", object), ("method", object), ("repetition", np.int64)])}
    return pandas.DataFrame({**columns, "evaluations": rows[:, 0].astype(np.int64), "error": rows[:, 1]})


def _to_iohprofiler(results: Results, folder: Path) -> Path:
    folder = folder / "iohprofiler"
    shutil.rmtree(folder, ignore_errors=True)  # an earlier export may have had more methods
    runs = _sorted_runs(results)
    for method, name in zip(results.methods, _file_names(results.methods), strict=True):
        home = folder / name
        home.mkdir(parents=True, exist_ok=True)
        for number, problem in enumerate(results.problems, start=1):
            mine = runs[(runs["problem"] == problem.name) & (runs["method"] == method)]
            if len(mine):
                _write_ioh(results, home, method, number, problem, mine)
    return folder


def _write_ioh(results: Results, home: Path, method: str, number: int, problem: StudiedProblem, runs: "pandas.DataFrame") -> None:
    """Write one function of one algorithm: a JSON file that describes the runs, and a table of evaluations and errors."""
    label = f"f{number}_{_file_names([problem.name])[0]}"
    data = Path(f"data_{label}") / f"IOHprofiler_f{number}_DIM{problem.variables}.dat"
    (home / data).parent.mkdir(exist_ok=True)
    described = []
    with (home / data).open("w", encoding="utf-8", newline="\n") as file:
        for run in runs.itertuples(index=False):
            kept = results.traces.get((problem.name, method, int(run.repetition)))
            trace = _ioh_trace(kept, float(run.error), int(run.evaluations))
            best = int(trace[trace[:, 1] == trace[:, 1].min()][0, 0])
            # Readers tell runs apart by the evaluation 1 that each begins with.
            file.write("evaluations raw_y\n")
            file.writelines(f"{int(evaluations)} {error!r}\n" for evaluations, error in trace.tolist())
            described.append({"instance": 1, "evals": int(run.evaluations),
                              "best": {"evals": best, "y": float(trace[:, 1].min()), "x": []},
                              "seed": int(run.seed), "repetition": int(run.repetition), "seconds": float(run.seconds)})
    description = {
        "version": "0.3.22", "suite": results.name, "function_id": number, "function_name": problem.name, "maximization": False,
        "algorithm": {"name": method, "info": f"luciole {results.about.get('luciole', '')}".strip()},
        "experiment_attributes": [{"plan_seed": str(results.seed)}],
        "run_attributes": ["seed", "repetition", "seconds"], "attributes": ["evaluations", "raw_y"],
        "scenarios": [{"dimension": problem.variables, "path": data.as_posix(), "runs": described}],
    }
    (home / f"IOHprofiler_{label}.json").write_text(json.dumps(description, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def _ioh_trace(trace: Floats | None, error: float, evaluations: int) -> Floats:
    """The rows of a run: from the first evaluation to the last, finite, ending with the run's error."""
    rows = np.empty((0, 2)) if trace is None else np.asarray(trace, dtype=np.float64)
    rows = rows[np.isfinite(rows[:, 0])]
    if not len(rows) or rows[0, 0] > 1:
        rows = np.vstack([[1.0, LARGEST if evaluations > 1 else error], rows])
    if rows[-1, 0] < evaluations:
        rows = np.vstack([rows, [float(evaluations), error]])
    finite: Floats = np.column_stack([rows[:, 0], np.nan_to_num(rows[:, 1], nan=LARGEST, posinf=LARGEST)])
    return finite


def _file_names(names: Iterable[str]) -> list[str]:
    """Names that every file system takes, all different even where capitals are not told apart."""
    taken: set[str] = set()
    found = []
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip(".-") or "unnamed"
        chosen, number = plain, 1
        while chosen.lower() in taken:
            number += 1
            chosen = f"{plain}-{number}"
        taken.add(chosen.lower())
        found.append(chosen)
    return found


FORMATS: dict[str, Callable[[Results, Path], Path]] = {"iohprofiler": _to_iohprofiler, "parquet": _to_parquet, "csv": _to_csv}
"""Where runs can go, by name."""

__all__ = ["CSV_COLUMNS", "FORMATS", "export"]
