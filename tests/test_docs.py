"""The code of the tutorial and of the how-to pages runs and prints what they show."""

import re
import sys
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


def test_the_reference_has_everything_public(tmp_path):
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        import api
    finally:
        sys.path.remove(str(ROOT / "docs"))
    import luciole as lc

    api.write(tmp_path)
    listed = {line.strip() for path in tmp_path.glob("*.rst") for line in path.read_text().splitlines()}
    modules = {"problems", "testing", "study", "integrations"}
    assert set(lc.__all__) - modules <= listed
    assert {"FireflySearchCV", "pressure_vessel", "check_method"} <= listed
