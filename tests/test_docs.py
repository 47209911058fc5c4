"""The code of the tutorial and of the how-to pages runs and prints what they show."""

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "docs/start/tutorial.md", *sorted(ROOT.glob("docs/howto/*.md"))]
BLOCK = re.compile(r"```python\n(.*?)```(?:\n\n```\{code-block\} text\n:class: output\n(.*?)```)?", re.S)
NUMBER = re.compile(r"\d+(\.\d+)?")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_code_of_a_page_runs(page, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scope = {"__name__": "a_page"}
    for code, shown in BLOCK.findall(page.read_text()):
        exec(code, scope)  # in order, as a reader would
        printed = capsys.readouterr().out
        if shown:
            assert NUMBER.sub("0", printed) == NUMBER.sub("0", shown)  # other platforms may find other numbers


def imported(folder, name):
    sys.path.insert(0, str(ROOT / folder))
    try:
        return import_module(name)
    finally:
        sys.path.remove(str(ROOT / folder))


def test_a_broken_link_is_found(tmp_path):
    (tmp_path / "a.html").write_text('<a href="b.html#there">1</a> <a href="b.html#gone">2</a> <a href="c.html">3</a> '
                                     '<a href="#here" id="here">4</a> <img src="none.png"> <a href="https://example.org/x">5</a> '
                                     '<a href="https:/example.org">6</a> <a href="sub/">7</a>')
    (tmp_path / "b.html").write_text('<p id="there">')
    number, wrong, external = imported("tools", "check_links").check(tmp_path)
    assert number == 2
    assert [line.split(": ")[1] for line in wrong] == ["b.html#gone", "c.html", "none.png", "https:/example.org", "sub/"]
    assert external == ["https://example.org/x"]


def test_the_reference_has_everything_public(tmp_path):
    import luciole as lc

    api = imported("docs", "api")
    api.write(tmp_path)
    listed = {line.strip() for path in tmp_path.glob("*.rst") for line in path.read_text().splitlines()}
    modules = {"problems", "testing", "study", "integrations"}
    assert set(lc.__all__) - modules <= listed
    assert {"FireflySearchCV", "pressure_vessel", "check_method"} <= listed
