"""Tables: what the paper prints comes out, and each way of writing is well formed."""

import re
import shutil
import subprocess
from html.parser import HTMLParser

import numpy as np
import pytest

from luciole.study import labels
from luciole.study.groups import firefly_variants, main_comparison
from luciole.study.results import StudiedProblem
from luciole.study.statistics import compare, compare_errors
from luciole.study.table_formats import Table, to_html, to_latex, to_markdown
from luciole.study.tables import engineering_table, make_tables, results_table, write_tables
from study.synthetic import PROBLEMS, make_results
from study.test_statistics import COUNT_ROWS, published_comparisons

THIRTEEN = ("PSOmv", "DEmv", "GA", "FA", "FAmv_H", "FAmv_H^a", "FAmv_H^g", "FAmv_H^ag", "FAmv_G", "FAmv_G^a", "FAmv_G^g", "FAmv_G^ag", "FAmv_G^D")


@pytest.fixture(scope="module")
def tables():
    levels = {name: 1.0 + 0.1 * i for i, name in enumerate(THIRTEEN)}
    return {each.name: each for each in make_tables(make_results(5, levels=levels))}


@pytest.mark.parametrize("table", ["main", "ablation"])
def test_the_papers_count_rows_come_out(table):
    latex = to_latex(results_table(published_comparisons(table)))
    counts = re.search(r"Similar \(best\)\} & (.*) \\\\", latex)[1].split(" & ")
    expected = re.findall(r"\d+ \(\d+\)", COUNT_ROWS[table])
    assert counts == [f"\\textbf{{{each}}}" for each in expected]


def test_rows_of_the_paper_come_out():
    latex = to_latex(results_table(published_comparisons("main"))).splitlines()
    first = next(i for i, line in enumerate(latex) if line.startswith("F1 &"))
    assert latex[first] == (r"F1 & Mean & 1.19e+04 & \textbf{5.76e+02} & 1.93e+03 & 1.71e+05 & \textbf{4.81e+02} & \textbf{4.47e+02}* & "
                            r"\textbf{5.16e+02} & \textbf{4.79e+02} \\")
    assert latex[first + 1] == (r" & STD & 3.03e+03 & \textbf{2.13e+02} & 4.95e+02 & 1.92e+04 & \textbf{5.60e+01} & \textbf{8.43e+01}* & "
                                r"\textbf{5.69e+01} & \textbf{7.92e+01} \\")
    engineering = to_latex(engineering_table(published_comparisons("engineering")))
    assert r"CSD & 1.13 $\pm$ 0.05 & \textbf{1.08 $\pm$ 0.03}* & 1.74 $\pm$ 0.81 & 1.18 $\pm$ 0.05 & 1.18 $\pm$ 0.06 \\" in engineering


def test_a_study_gives_these_tables(tables):
    assert list(tables) == ["results", "ablation", "all-methods", "engineering", "ranking", "effects"]
    assert tables["results"].columns == ("PSOmv", "DEmv", "GA", "FA", "FAmv_H", "FAmv_H^a", "FAmv_G", "FAmv_G^ag")
    assert tables["all-methods"].columns == THIRTEEN
    assert tables["ablation"].columns == THIRTEEN[3:]
    assert [section.title for section in tables["results"].sections] == ["Unimodal (F1\u2013F2)", "Multimodal", "Composition"]
    assert tables["engineering"].columns == ("VESSEL", "Similar (best)")  # on its side, for there are many methods
    assert len(tables["effects"].columns) == 12
    assert tables["effects"].subject in THIRTEEN
    assert tables["effects"].subject not in tables["effects"].columns


def test_methods_are_compared_as_in_the_paper():
    papers = set(published_comparisons("main")[0].cells) - {"FAmv*_H", "FAmv*_G"} | {"FAmv_H^a", "FAmv_G^ag"}
    assert set(main_comparison(THIRTEEN)) == papers
    assert set(firefly_variants(THIRTEEN)) == set(published_comparisons("ablation")[0].cells)
    assert main_comparison([*THIRTEEN, "L-SHADE"])[-1] == "L-SHADE"
    assert main_comparison(THIRTEEN[1:]) == THIRTEEN[1:]  # not everything in the paper
    assert firefly_variants(["DEmv", "GA", "FAmv_H", "FAmv_G^ag"]) == ()  # two of four
    assert firefly_variants(THIRTEEN[3:]) == ()
    assert firefly_variants(["GA", "FA", "FAmv*_H", "FAmv(k=2)", "FAR"]) == ("FA", "FAmv*_H", "FAmv(k=2)")


def test_a_study_may_have_one_method_or_no_benchmark():
    assert [each.name for each in make_tables(make_results(3, levels={"GA": 1.0}))] == ["results", "engineering"]
    vessel = make_results(3, problems=PROBLEMS[-1:])
    assert [each.name for each in make_tables(vessel)] == ["engineering", "ranking", "effects"]


def test_categories_are_sections_even_if_the_plan_mixes_them():
    def problem(name, category):
        return StudiedProblem(name, "", category, 2)

    errors = {"A": np.ones(3), "B": np.ones(3)}
    mixed = [compare_errors(errors, problem(*each)) for each in [("a", "x"), ("b", "y"), ("c", "x")]]
    table = results_table(mixed)
    assert [section.title for section in table.sections] == ["X", "Y"]
    assert [block[0].labels[0] for block in table.sections[0].blocks] == ["a", "c"]


def test_infeasible_runs_are_stated():
    errors = {"A": np.array([1.0, np.inf, np.inf]), "B": np.array([2.0, 3.0, 4.0]), "C": np.full(3, np.inf)}
    comparison = compare_errors(errors, StudiedProblem("P1", "", "x", 2))
    rows = results_table([comparison]).sections[0].blocks[0]
    assert [each.text for each in rows[0].entries] == ["\u221e", "3.00e+00", "\u221e"]
    assert [each.text for each in rows[1].entries] == ["2 inf.", "1.00e+00", "3 inf."]
    assert "found no feasible point" in to_latex(results_table([comparison]))
    line = engineering_table([comparison]).sections[0].blocks[0][0]
    assert [each.text for each in line.entries] == ["\u221e (2 inf.)", "3.00 \u00b1 1.00", "\u221e (3 inf.)"]


def test_a_single_run_has_no_deviation():
    rows = results_table(compare(make_results(1))).sections[0].blocks[0]
    assert {each.text for each in rows[1].entries} == {"\u2013"}


def shape(table: Table):
    rows = [row for section in table.sections for block in section.blocks for row in block]
    return len(table.corner) + len(table.columns), len(rows), len(table.foot), sum(bool(section.title) for section in table.sections)


def test_latex_is_well_formed(tables):
    for table in tables.values():
        width, rows, foot, titles = shape(table)
        latex = to_latex(table)
        body = latex[latex.index("\\toprule"):latex.index("\\bottomrule")]
        lines = [line for line in body.splitlines() if line.endswith("\\\\")]
        assert len(lines) == 1 + rows + foot + titles
        for line in lines:
            spanned = sum(int(each) - 1 for each in re.findall(r"\\multicolumn\{(\d+)\}", line))
            assert len(re.findall(r"(?<!\\)&", line)) + 1 + spanned == width
        assert latex.count("{") - latex.count("\\{") == latex.count("}") - latex.count("\\}")
        assert re.findall(r"\\(?:begin|end)\{(\w+\*?)\}", latex) == ["table*", "tabular", "tabular", "table*"]
        assert f"\\label{{tab:{table.name}}}" in latex
        assert not re.search(r"[^\x00-\x7f]", latex)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("options", ["11pt", "twocolumn"])
def test_latex_compiles_within_the_page(tables, tmp_path, options):
    pages = "\\clearpage\n".join(map(to_latex, tables.values()))
    (tmp_path / "all.tex").write_text(f"\\documentclass[a4paper,{options}]{{article}}\\usepackage{{booktabs,graphicx}}"
                                      f"\\begin{{document}}{pages}\\end{{document}}")
    run = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"], cwd=tmp_path, capture_output=True, text=True)
    if "not found" in run.stdout and ".sty" in run.stdout:
        pytest.skip("LaTeX lacks booktabs")
    assert run.returncode == 0, run.stdout
    assert "Overfull" not in run.stdout


def test_markdown_has_as_many_columns_in_every_row(tables):
    for table in tables.values():
        width, rows, foot, titles = shape(table)
        lines = to_markdown(table).splitlines()
        assert len(lines) == 4 + rows + foot + titles
        for line in lines[2:]:
            assert len(re.findall(r"(?<!\\)\|", line)) == width + 1


class Nesting(HTMLParser):
    """Checks that every element is closed where it should be."""

    def __init__(self):
        super().__init__()
        self.open, self.cells, self.widths = [], 0, []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag in ("td", "th"):
            self.cells += int(dict(attrs).get("colspan", 1))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        if tag == "tr":
            self.widths.append(self.cells)
            self.cells = 0


def test_html_is_well_formed(tables):
    for table in tables.values():
        width, rows, foot, titles = shape(table)
        nesting = Nesting()
        nesting.feed(to_html(table))
        assert nesting.open == []
        assert nesting.widths == [width] * (1 + rows + foot + titles)


def test_files_are_written(tmp_path):
    paths = write_tables(make_results(3), tmp_path / "new" / "tables")
    assert [path.name for path in paths] == [f"{name}.{ending}" for name in ("results", "engineering", "ranking", "effects")
                                             for ending in ("tex", "md", "html")]
    page = (tmp_path / "new" / "tables" / "results.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "http" not in page  # nothing is fetched from elsewhere


@pytest.mark.parametrize(("name", "latex", "mathtext", "html"), [
    ("DEmv", "DEmv", "DEmv", "DEmv"),
    ("FAmv_H", r"FAmv$_\mathrm{H}$", r"FAmv$_\mathrm{H}$", "FAmv<sub>H</sub>"),
    ("FAmv_G^ag", r"FAmv$^{\alpha\gamma}_\mathrm{G}$", r"FAmv$_\mathrm{G}^{\alpha\gamma}$", "FAmv<sub>G</sub><sup>&alpha;&gamma;</sup>"),
    ("FAmv*_H", r"FAmv$^{*}_\mathrm{H}$", r"FAmv$_\mathrm{H}^{*}$", "FAmv<sub>H</sub><sup>*</sup>"),
    ("FAmv_G^D", r"FAmv$^{\mathrm{D}}_\mathrm{G}$", r"FAmv$_\mathrm{G}^{\mathrm{D}}$", "FAmv<sub>G</sub><sup>D</sup>"),
    ("GA & co_1_<2>", r"GA \& co\_1\_\textless{}2\textgreater{}", "GA & co_1_<2>", "GA &amp; co_1_&lt;2&gt;"),
])
def test_names_of_methods_as_printed(name, latex, mathtext, html):
    assert labels.to_latex(name) == latex
    assert labels.to_mathtext(name) == mathtext
    assert labels.to_html(name) == html


def test_names_of_methods_are_escaped_in_markdown():
    assert labels.to_markdown("FAmv*_H") == r"FAmv\*\_H"
    assert labels.to_markdown("a|b") == r"a\|b"
