import csv
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import luciole as lc
from luciole.study._lines import lines_of
from luciole.study.command import app
from luciole.study.entries import make_problem
from luciole.study.plan import Plan, parse_plan, read_plan, shipped_plans
from luciole.study.run import run_seed

GOOD = """\
name = "mine"
budget = 500
repetitions = 3
dim = 10
problems = [
  "f1",
  "pressure-vessel",
  { problem = "f2", name = "hard", mixed = [0, 3] },
]

[[methods]]
method = "famv"
name = "large"
population = 40

[[methods]]
method = "GA"
"""


def published(table):
    with (Path(__file__).parent / "published.csv").open() as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {row["problem"] for row in rows if row["table"] == table}, {row["algorithm"] for row in rows if row["table"] == table}


def test_a_plan_says_what_is_run():
    plan = parse_plan(GOOD)
    assert (plan.name, plan.budget, plan.repetitions, plan.seed, plan.fitness, plan.size) == ("mine", 500, 3, 0, "value", 18)
    assert [each.name for each in plan.problems] == ["F1", "VESSEL", "hard"]
    assert [dict(each.options) for each in plan.problems] == [{"dim": 10}, {}, {"dim": 10, "mixed": (0, 3)}]
    assert [(each.name, each.method, dict(each.parameters)) for each in plan.methods] == [
        ("large", "famv", {"population": 40}), ("GA", "GA", {})]
    hard = make_problem(plan.problems[2], "value")
    assert [isinstance(each, lc.Integer) for each in hard.space.values()] == [i in (0, 3) for i in range(10)]


@pytest.mark.parametrize("name", shipped_plans())
def test_shipped_plans_are_valid_and_survive_being_written(name):
    plan = read_plan(name)
    assert parse_plan(plan.to_toml()) == plan


def test_the_papers_plans_have_its_problems_and_methods():
    assert set(shipped_plans()) >= {"paper", "ablation", "engineering", "quick", "demo"}
    paper, ablation, engineering = (read_plan(each) for each in ("paper", "ablation", "engineering"))
    starred = {"FAmv*_H": "FAmv_H^a", "FAmv*_G": "FAmv_G^ag"}  # the main table's names for variants of the ablation
    for plan, table in ((ablation, "ablation"), (engineering, "engineering")):
        assert ({each.name for each in plan.problems}, {each.name for each in plan.methods}) == published(table)
    problems, methods = published("main")
    assert {each.name for each in paper.problems} == problems
    assert {each.name for each in paper.methods} == {starred.get(each, each) for each in methods} | published("ablation")[1]
    assert (len(paper.methods), len(paper.problems), paper.size * paper.budget) == (13, 28, 1_092_000_000)
    assert (paper.seed, paper.budget) == (ablation.seed, ablation.budget)  # so that the ablation's runs are those of the paper
    made = make_problem(paper.problems[13], paper.fitness)
    assert (made.number, made.dim, made.edition, made.optimum) == (14, 50, "opfunu-1.0.1", 0.0)
    assert made.objective.goal == -100.0
    assert make_problem(engineering.problems[0], "value").penalty is not None


def test_the_command_line_replaces_any_of_it():
    plan = read_plan("paper", problems=["f7", "F2-f3"], methods=["FA", "fa", "famv_h"], repetitions=2, budget=10, seed=5,
                     edition="official", fitness="value")
    assert [each.name for each in plan.problems] == ["F7", "F2", "F3"]
    assert {dict(each.options)["edition"] for each in plan.problems} == {"official"}
    assert [each.method for each in plan.methods] == ["FA", "fa", "FAmv_H"]  # the published setting, the method, the nearest
    assert (plan.repetitions, plan.budget, plan.seed, plan.fitness) == (2, 10, 5, "value")
    assert [each.problem for each in read_plan("demo", problems=["csd", "gear-train"]).problems] == ["coil-spring", "gear-train"]
    assert read_plan("demo", problems=None, budget=None) == read_plan("demo")
    assert read_plan("quick", problems=["csd"]).problems[0].options == ()  # the plan's dim was for the problems left out
    with pytest.raises(lc.ArgumentError, match="^--dim: dim = 10 concerns none of the problems"):
        read_plan("quick", problems=["csd"], dim=10)


@pytest.mark.parametrize(("old", "new", "line", "message"), [
    ("budget = 500", "budgt = 500", 2, r"'budgt' is not known \(do you mean 'budget'\?\)"),
    ("budget = 500", "budget = 0", 2, "budget = 0 must be a whole number of at least 1"),
    ("repetitions = 3", "repetitions = true", 3, "repetitions = True must be a whole number"),
    ("repetitions = 3", "repetitions = 3\nfitness = 'error'", 4, "fitness = 'error' is not known; use 'value' or 'absolute-error'"),
    ("repetitions = 3", "repetitions = 3\nfitness = 'absolute-error'", 8, "pressure-vessel has no absolute error"),
    ("dim = 10", "dim = 11", 4, "dim=11 must be one of 2, 5, 10"),
    ('"f1"', '"f99"', 6, "'f99' is not known; use pressure-vessel"),
    ('"f1"', '"f3-f1"', 6, "'f3-f1' runs backwards"),
    ('"f1"', "17", 6, "17 must be a name, or a table"),
    ('"f1"', '"F1", "cec2013-f1"', 6, "'F1' is there twice; give one of them another name"),
    ('"pressure-vessel"', '{ problem = "coil-spring", dims = 2 }', 7, "no option 'dims'; it takes penalty"),
    ("mixed = [0, 3]", "mixed = [0, 10]", 8, "mixed: 10 is not a variable"),
    ('problem = "f2", ', "", 8, "must say which problem it is"),
    ('name = "hard"', "name = 3", 8, "name = 3 must be a text in quotes"),
    ('"pressure-vessel"', '"pressure vessel"', 7, r"'pressure vessel' is not known \(do you mean 'pressure-vessel'\?\)"),
    ("population = 40", "population = { a = 1 }", 14, "population = {'a': 1} must be a number, a text, true or false, or a list"),
    ("mixed = [0, 3]", "mixed = [[0], { a = 1 }]", 8, "mixed = .* must be a number, a text"),
    ("population = 40", "population = [[1], [2]]", 14, r"population=\[\[1\], \[2\]\] must be a whole number"),
    ("population = 40", "population = 0", 14, "population=0 must be a whole number of at least 1"),
    ("population = 40", "populaton = 40", 11,
     r"the method famv has no option 'populaton' \(do you mean 'population'\?\); it takes distance, adapt"),
    ('method = "GA"', 'method = "PSO_mv"', 16, r"'PSO_mv' is not known \(do you mean 'PSOmv'\?\); use famv"),
    ('method = "GA"', 'method = "FAmv*_G"', 16, r"do you mean 'FAmv_G\^ag'"),
    ("budget = 500", "budget = [", 3, r"\(at line 3"),
])
def test_errors_name_the_line(old, new, line, message):
    assert old in GOOD
    with pytest.raises(lc.ArgumentError, match=message) as caught:
        parse_plan(GOOD.replace(old, new), "mine.toml")
    assert f"mine.toml, line {line}: " in str(caught.value) or f"(at line {line}," in str(caught.value)


@pytest.mark.parametrize(("changes", "message"), [
    ({"edition": "offical"}, "^--edition: edition='offical' is not known; use 'official' or 'opfunu-1.0.1'"),
    ({"problems": ["f99"]}, "^--problems: the problem 'f99' is not known"),
    ({"methods": ["xyz"]}, "^--methods: .*xyz"),
    ({"budget": 0}, "^--budget: budget = 0 must be"),
    ({"about": "x"}, "about='x' cannot be changed"),
])
def test_errors_name_the_option(changes, message):
    with pytest.raises(lc.ArgumentError, match=message):
        read_plan("paper", **changes)


def test_every_option_of_a_problem_has_one_of_the_command():
    def printed(*words):
        found = CliRunner().invoke(app, ["plan", *words])
        return parse_plan(found.stdout) if found.exit_code == 0 else found.exception

    for words, options in [
        (["--mixed", "false", "--problems", "f1"], {"mixed": False}),
        (["--mixed", "0,3", "--problems", "f1", "--mixed-as", "categorical"], {"mixed": (0, 3), "mixed_as": "categorical"}),
        (["--mixed", "3,", "--problems", "f1"], {"mixed": (3,)}),
        (["--mixed", "0.25", "--problems", "f1", "--dim", "20", "--edition", "opfunu-1.0.1"],
         {"mixed": 0.25, "dim": 20, "edition": "opfunu-1.0.1"}),
        (["--penalty", "1e3", "--problems", "csd"], {"penalty": 1000.0}),
        (["--penalty", "paper", "--problems", "csd"], {"penalty": "paper"}),
    ]:
        assert dict(printed("demo", *words).problems[0].options) == options
    for words, message in [
        (["--mixed", "half"], "--mixed: mixed='half' must be"),
        (["--mixed-as", "words"], "--mixed-as: mixed_as='words' is not known"),
        (["--penalty", "papr"], "--penalty: penalty='papr' is not known"),
    ]:
        error = printed("demo", "--problems", "f1,csd", *words)
        assert isinstance(error, lc.ArgumentError)
        assert str(error).startswith(message)


def test_an_option_for_no_problem_is_refused():
    with pytest.raises(lc.ArgumentError, match="^the plan, line 3: dim = 10 concerns none of the problems"):
        parse_plan('budget = 5\nrepetitions = 1\ndim = 10\nproblems = ["csd"]\nmethods = ["fa"]')


def test_what_is_missing_is_told(tmp_path):
    for key in ("budget", "repetitions"):
        with pytest.raises(lc.ArgumentError, match=f"{key} is missing"):
            parse_plan("\n".join(line for line in GOOD.splitlines() if not line.startswith(key)))
    with pytest.raises(lc.ArgumentError, match=r"there are no methods; list at least one, as in methods = \[\"famv\"\]"):
        parse_plan('budget = 5\nrepetitions = 1\nproblems = ["f1"]')
    with pytest.raises(lc.ArgumentError, match="'papr' is neither a file .* nor one that comes with luciole: ablation, demo"):
        read_plan("papr")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(lc.ArgumentError, match="not a text file in UTF-8"):
        read_plan(tmp_path / "bad.toml")


def test_problems_and_methods_of_ones_own(tmp_path, monkeypatch):
    (tmp_path / "own_study.py").write_text("""
import luciole as lc
def cost(p): return p["x"] ** 2
problem = lc.Problem(cost, lc.Space(x=lc.Float(-1, 1)), name="square")
def scaled(width): return lc.Problem(cost, lc.Space(x=lc.Float(-width, width)))
method = lc.FAmv(population=5)
number = 3
""")
    monkeypatch.chdir(tmp_path)
    plan = parse_plan('budget = 5\nrepetitions = 1\nproblems = ["own_study:problem", {problem = "own_study:scaled", width = 4.0}]\n'
                      .replace('{problem', '{name = "wide", problem') + 'methods = ["own_study:method"]')
    assert [each.name for each in plan.problems] == ["own_study:problem", "wide"]
    assert make_problem(plan.problems[1], "value").space["x"] == lc.Float(-4, 4)
    for bad, message in (("own_study:number", "is a int"), ("own_study:nothing", "cannot be imported: AttributeError")):
        for key in ("problems", "methods"):
            other = {"problems": 'methods = ["fa"]', "methods": 'problems = ["f1"]'}[key]
            with pytest.raises(lc.ArgumentError, match=message):
                parse_plan(f'budget = 5\nrepetitions = 1\n{key} = ["{bad}"]\n{other}')


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(st.integers(-9, 9) | st.floats(allow_nan=False) | st.booleans() | TEXTS, lambda each: st.lists(each, max_size=3))


@given(values=st.dictionaries(st.text("abc.\" é", min_size=1, max_size=4), VALUES, max_size=4), about=TEXTS)
def test_whatever_options_hold_survives_being_written(values, about):
    from luciole.study.entries import PlannedMethod, PlannedProblem
    from luciole.study.plan import _frozen

    method = PlannedMethod("m", "famv", _frozen(values))
    plan = Plan("p", (PlannedProblem("F1", "cec2013-f1"),), (method,), 1, 1, about=about)
    text = plan.to_toml()
    raw = tomllib.loads(text)
    assert raw["about"] == about
    options = raw["methods"][0]
    assert {key: options[key] for key in values} == values
    lines = lines_of(text)
    for key in values:  # outside oracle: what tomllib makes of the document with that one line cut out
        cut = [line for number, line in enumerate(text.splitlines(), 1) if number != lines["methods", 0, key]]
        assert key not in tomllib.loads("\n".join(cut))["methods"][0]


def test_lines_of_a_document_with_everything():
    document = '''# comment = 1
title = "a # b"
text = """two
lines"""
when = 1979-05-27 07:32:00
[a."b.c"]   # header
x.y = [ 1,
  { z = 'q', w = [
    3] },
]
[[many]]
k = 1
[[many]]
[many.sub]
k = 2
'''
    tomllib.loads(document)
    lines = lines_of(document)
    assert {path: lines[path] for path in lines if len(path) > 1} == {
        ("a", "b.c"): 6, ("a", "b.c", "x"): 7, ("a", "b.c", "x", "y"): 7, ("a", "b.c", "x", "y", 0): 7, ("a", "b.c", "x", "y", 1): 8,
        ("a", "b.c", "x", "y", 1, "z"): 8, ("a", "b.c", "x", "y", 1, "w"): 8, ("a", "b.c", "x", "y", 1, "w", 0): 9,
        ("many", 0): 11, ("many", 0, "k"): 12, ("many", 1): 13, ("many", 1, "sub"): 14, ("many", 1, "sub", "k"): 15}
    assert (lines["title",], lines["text",], lines["when",]) == (2, 3, 5)


def test_the_seed_of_a_run_depends_on_its_names_alone():
    assert run_seed(2013, "F1", "FAmv_H", 0) != run_seed(2013, "F1", "FAmv_H", 1) != run_seed(2013, "F1", "FAmv_H", 2)
    seeds = {run_seed(seed, problem, method, repetition) for seed in (0, 1) for problem in ("F1", "F11")
             for method in ("a", "1a") for repetition in range(20)}
    assert len(seeds) == 160
