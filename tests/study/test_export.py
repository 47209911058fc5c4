import csv
import dataclasses
import json

import numpy as np
import pandas
import pytest

import luciole as lc
from luciole.study.export import CSV_COLUMNS, LARGEST, export
from study.synthetic import make_results

ODD = {"FAmv*_H": 1.0, "FAmv_H": 2.0, "FAmv-_H": 3.0, "a/b <c>": 4.0}  # two of them alike once a file is named after them


@pytest.fixture
def results():
    return make_results(repetitions=3, levels=ODD)


def test_the_csv_holds_every_run_to_the_last_bit(results, tmp_path):
    shuffled = dataclasses.replace(results, runs=results.runs.sample(frac=1, random_state=0))
    path = export(shuffled, tmp_path, "csv")
    assert path == tmp_path / "export" / "runs.csv"
    assert path.read_text().splitlines()[0] == "problem,method,repetition,seed,error,value,evaluations,seconds"
    with path.open(newline="") as file:
        back = [tuple(row[name] for name in CSV_COLUMNS) for row in csv.DictReader(file)]
    rows = results.runs[list(CSV_COLUMNS)].itertuples(index=False, name=None)
    assert [(*row[:2], *map(int, row[2:4]), *map(float, row[4:6]), int(row[6]), float(row[7])) for row in back] == list(rows)


def test_nothing_else_is_named_csv(results, tmp_path):
    for to in ("csv", "parquet", "iohprofiler"):
        export(results, tmp_path, to)
    assert list(tmp_path.rglob("*.csv")) == [tmp_path / "export" / "runs.csv"]


def test_parquet_holds_runs_and_traces(results, tmp_path):
    folder = export(results, tmp_path, "parquet")
    pandas.testing.assert_frame_equal(pandas.read_parquet(folder / "runs.parquet"), results.runs, check_exact=True)
    traces = pandas.read_parquet(folder / "traces.parquet")
    assert list(traces.columns) == ["problem", "method", "repetition", "evaluations", "error"]
    for key, rows in traces.groupby(["problem", "method", "repetition"]):
        np.testing.assert_array_equal(rows[["evaluations", "error"]].to_numpy(), results.traces[key])
    assert len(traces.groupby(["problem", "method", "repetition"])) == len(results.traces)


def test_parquet_holds_the_best_points(results, tmp_path):
    points = {key: f"[{n}]" for n, key in enumerate(results.traces)}
    shuffled = dataclasses.replace(results, runs=results.runs.sample(frac=1, random_state=0), points=points)
    runs = pandas.read_parquet(export(shuffled, tmp_path, "parquet") / "runs.parquet")
    assert {(row.problem, row.method, row.repetition): row.point for row in runs.itertuples()} == points


def test_parquet_without_traces(results, tmp_path):
    folder = export(dataclasses.replace(results, traces={}), tmp_path, "parquet")
    assert len(pandas.read_parquet(folder / "traces.parquet")) == 0


def read_ioh(folder):
    """What the reader of IOHprofiler's makers finds: an overview of the runs, and the rows of them all."""
    from iohinspector import DataManager

    manager = DataManager()
    manager.add_folder(str(folder))
    overview = manager.overview.to_pandas()
    rows = manager.load(monotonic=False, include_meta_data=True).to_pandas()
    return overview, rows


def test_iohprofiler_is_read_back_by_iohinspector(results, tmp_path):
    overview, rows = read_ioh(export(results, tmp_path, "iohprofiler"))
    assert len(overview) == len(results.runs)
    found = overview.sort_values(["algorithm_name", "function_id", "run_id"])
    runs = results.runs.assign(number=results.runs["problem"].map({each.name: n for n, each in enumerate(results.problems, 1)}))
    expected = runs.sort_values(["method", "number", "repetition"])
    for column, name in [("problem", "function_name"), ("method", "algorithm_name"), ("number", "function_id"),
                         ("evaluations", "evals")]:
        assert list(found[name]) == list(expected[column])
    assert set(found["suite"]) == {"synthetic"}
    dimensions = {each.name: each.variables for each in results.problems}
    assert all(dimensions[row.function_name] == row.dimension for row in found.itertuples())
    for (problem, method, run), mine in rows.groupby(["function_name", "algorithm_name", "run_id"]):
        trace = results.traces[problem, method, run - 1]
        np.testing.assert_array_equal(mine["evaluations"], trace[:, 0])
        np.testing.assert_allclose(mine["raw_y"], trace[:, 1], rtol=1e-15)


def test_iohprofiler_files_look_like_those_ioh_writes(results, tmp_path):
    """The keys, and the first lines of the table, are those of ioh's own logger."""
    ioh = pytest.importorskip("ioh", reason="ioh has wheels up to Python 3.12 only")

    class Run:
        seed, repetition, seconds = 1, 0, 0.5

    problem = ioh.wrap_problem(lambda x: x[0], "F1", ioh.ProblemClass.REAL, dimension=2, lb=0, ub=1)
    logger = ioh.logger.Analyzer(root=str(tmp_path), folder_name="theirs", algorithm_name="a")
    logger.add_experiment_attribute("plan_seed", "1")
    run = Run()
    logger.add_run_attributes(run, ["seed", "repetition", "seconds"])
    problem.attach_logger(logger)
    problem([0.5, 0.5])
    problem.reset()
    logger.close()
    [path] = (tmp_path / "theirs").glob("*.json")
    theirs = json.loads(path.read_text())
    path = next(export(results, tmp_path, "iohprofiler").rglob("*.json"))
    ours = json.loads(path.read_text())
    assert list(ours) == list(theirs)
    for key in ("attributes", "maximization"):
        assert ours[key] == theirs[key]
    assert set(ours["run_attributes"]) == set(theirs["run_attributes"])
    assert list(ours["scenarios"][0]) == list(theirs["scenarios"][0])
    assert set(ours["scenarios"][0]["runs"][0]) == set(theirs["scenarios"][0]["runs"][0])
    assert set(ours["scenarios"][0]["runs"][0]["best"]) == set(theirs["scenarios"][0]["runs"][0]["best"])
    assert (path.parent / ours["scenarios"][0]["path"]).read_text().startswith("evaluations raw_y\n1 ")


def test_iohprofiler_takes_runs_that_are_late_infinite_or_without_a_trace(tmp_path):
    results = make_results(repetitions=3, levels={"A": 1.0})
    name = results.problems[0].name
    late = np.array([[5.0, np.inf], [40.0, 2.0], [90.0, 1.0]])
    runs = results.runs.copy()
    runs.loc[(runs["problem"] == name) & (runs["repetition"] == 2), "error"] = np.inf
    traces = {key: rows for key, rows in results.traces.items() if key[0] != name} | {(name, "A", 0): late}
    changed = dataclasses.replace(results, runs=runs, traces=traces)
    overview, rows = read_ioh(export(changed, tmp_path, "iohprofiler"))
    mine = rows[rows["function_name"] == name]
    first = mine[mine["run_id"] == 1]
    final = runs[(runs["problem"] == name) & (runs["repetition"] == 0)]["error"].item()
    assert first["evaluations"].tolist() == [1, 5, 40, 90, 10_000]
    assert first["raw_y"].tolist() == [LARGEST, LARGEST, 2.0, 1.0, pytest.approx(final)]
    assert len(mine[mine["run_id"] == 2]) == 2
    assert mine[mine["run_id"] == 3]["raw_y"].min() == LARGEST
    assert overview[overview["function_name"] == name]["best_y"].max() == LARGEST


def test_an_export_replaces_the_one_before(tmp_path):
    export(make_results(repetitions=1), tmp_path, "iohprofiler")
    folder = export(make_results(repetitions=1, levels={"A": 1.0}), tmp_path, "iohprofiler")
    assert [each.name for each in folder.iterdir()] == ["A"]


def test_an_unknown_format_is_refused(results, tmp_path):
    with pytest.raises(lc.ArgumentError, match=r"to must be one of iohprofiler, parquet, csv, got 'xls'"):
        export(results, tmp_path, "xls")
    assert not (tmp_path / "export").exists()
