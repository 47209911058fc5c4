"""Any part of the paper's experiments, run again, gives what is committed of it in studies/paper."""

import csv
import gzip
import platform
import sys
from pathlib import Path

import pytest

from luciole.study.plan import read_plan
from luciole.study.run import do_run
from luciole.study.runner import tasks_of

ROOT = Path(__file__).parents[2]
RECORDED = ROOT / "tests" / "goldens" / f"{sys.platform}-{platform.machine()}.json"


@pytest.mark.skipif(not RECORDED.exists(), reason="the committed errors were found on another platform")
@pytest.mark.parametrize(("committed", "plan", "changes"), [
    ("opfunu-1.0.1", "paper", {"problems": ["f1", "f14"], "methods": ["GA", "FAmv_H"]}),
    ("official", "paper", {"problems": ["f1", "f14"], "methods": ["DEmv", "FAmv_G^ag"], "edition": "official"}),
    ("engineering", "engineering", {"methods": ["FAmv_G"]}),
    ("deb", ROOT / "studies" / "paper" / "deb.toml", {"problems": ["welded-beam"], "methods": ["lshade"], "repetitions": 5}),
])
def test_a_part_of_the_paper_gives_the_committed_errors(committed, plan, changes):
    tasks = tasks_of(read_plan(plan, **{"repetitions": 1, **changes}))
    found = {task.key: do_run(task).error for task in tasks}
    with gzip.open(ROOT / "studies" / "paper" / f"{committed}.csv.gz", "rt", newline="") as file:
        expected = {(row["problem"], row["method"], int(row["repetition"])): float(row["error"]) for row in csv.DictReader(file)}
    assert found == {key: expected[key] for key in found}
