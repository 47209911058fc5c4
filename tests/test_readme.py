"""The README's examples do what it says."""

import re
from pathlib import Path

import luciole as lc

README = (Path(__file__).parents[1] / "README.md").read_text()


def test_the_examples_run_and_give_what_is_shown(capsys, tmp_path):
    first, second = re.findall(r"```python\n(.*?)```", README, re.S)
    scope = {}
    exec(first, scope)
    shown = re.search(r"```\n(  message.*?)```", README, re.S)[1]
    printed = capsys.readouterr().out
    for line in shown.splitlines():
        if "seconds" not in line and "e-" not in line:
            name, _, _ = re.split(r"(: |= )", line, maxsplit=1)
            assert name in printed
    assert abs(scope["result"].fun - float(re.search(r"fun: (\S+)", shown)[1])) < 1e-5
    exec(second, scope)
    assert "Best(x={'wire'" in capsys.readouterr().out
    toml = tmp_path / "space.toml"
    toml.write_text(re.search(r"```toml\n(.*?)```", README, re.S)[1])
    import tomllib

    assert lc.Space.from_dict(tomllib.loads(toml.read_text()))["coils"] == lc.Integer(1, 70)


def test_links_within_the_repository_lead_somewhere():
    root = Path(__file__).parents[1]
    for page in [root / "README.md", root / "CONTRIBUTING.md", *root.glob("docs/*.md")]:
        for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
