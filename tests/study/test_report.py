import dataclasses
import json
import re

import pytest

from luciole.study.report import lede, to_html, write_report
from study.synthetic import PROBLEMS, make_results


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])


def test_the_page_is_one_file_that_names_no_other(tmp_path):
    path = write_report(make_results(repetitions=3), tmp_path / "new")
    assert path == tmp_path / "new" / "report.html"
    assert [each.name for each in path.parent.iterdir()] == ["report.html"]
    page = path.read_text(encoding="utf-8")
    assert not re.search(r"""(?:src|href)=["'](?!#|data:)""", page)
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest", page)
    assert "{{" not in page.replace(json.dumps(data_of(page)), "")


def test_runs_are_all_there_with_their_seeds_and_commands():
    results = make_results(repetitions=3)
    data = data_of(to_html(results))
    for run in results.runs.itertuples():
        problem = next(each for each in data["problems"] if each["name"] == run.problem)
        cell = problem["runs"][results.methods.index(run.method)]
        assert cell["seed"][run.repetition] == str(run.seed)
        assert cell["error"][run.repetition] == run.error
        assert cell["command"].replace("\0", str(run.seed)) == run.command
    assert len(results.runs) == sum(len(cell["seed"]) for problem in data["problems"] for cell in problem["runs"])


@pytest.mark.parametrize(("about", "shown"), [
    ("Which <b>?", "Which &lt;b&gt;? 4 methods on"), ("A test", "A test. 4 methods on"), ("", "4 methods on")])
def test_a_plan_is_introduced_by_what_it_says_of_itself(about, shown):
    results = make_results(repetitions=1)
    assert lede(dataclasses.replace(results, about={**results.about, "about": about})).startswith(shown)


NASTY = "</script><script>alert(1)</script>&amp;\"'<b>"


def test_names_cannot_become_markup():
    problems = (dataclasses.replace(PROBLEMS[0], name=NASTY, title=NASTY, category=NASTY),)
    results = make_results(repetitions=3, problems=problems, levels={NASTY: 1.0, "B": 2.0})
    results = dataclasses.replace(results, name=NASTY, about={NASTY: NASTY, "plan": NASTY})
    page = to_html(results)
    assert "<script>alert" not in page
    assert data_of(page)["problems"][0]["name"] == NASTY


@pytest.mark.parametrize("levels", [{"A": 1.0}, {"A": 1.0, "B": 2.0}])
@pytest.mark.parametrize("problems", [PROBLEMS[:1], PROBLEMS[:2]])
def test_one_method_or_problem_is_enough(levels, problems):
    page = to_html(make_results(repetitions=1, problems=problems, levels=levels))
    assert ("A single method took part" in page) == (len(levels) == 1)
