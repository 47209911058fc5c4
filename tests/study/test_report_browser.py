"""The report in headless Chromium: what a reader does with a mouse, a keyboard, in the dark and on a phone."""

import dataclasses
import math
import os
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas
import pytest
from playwright.sync_api import expect, sync_playwright

from luciole.study.ranking import rank
from luciole.study.report import write_report
from luciole.study.results import FAILURE_COLUMNS
from luciole.study.statistics import compare
from study.synthetic import LEVELS, PROBLEMS, make_results

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--no-first-run"]
RESULTS = make_results()
expect.set_options(timeout=30_000)
NASTY = "<img src=x onerror=alert(1)></script>&\"'"

if not CHROMIUM.exists() and os.environ.get("CI") != "true":
    pytest.skip(f"there is no {CHROMIUM}; Debian has it as the package chromium", allow_module_level=True)


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return write_report(RESULTS, tmp_path_factory.mktemp("report"))


@pytest.fixture
def view(browser):
    """Opens reports; in the end nothing may have gone wrong and nothing may have been asked of a network."""
    troubles, contexts = [], []

    def open_page(path, width=1200, **options):
        context = browser.new_context(viewport={"width": width, "height": 800}, reduced_motion="reduce", **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("console", lambda message: troubles.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (troubles.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: request.url == path.as_uri() or request.url.startswith("data:")
                or troubles.append(f"request: {request.url}"))
        page.goto(path.as_uri())
        page.wait_for_selector("#run-table td, #run-table .empty")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []


def rows_of(page):
    return page.locator("#result-table tbody th.name .open").all_inner_texts()


def test_everything_is_drawn(view, report):
    page = view(report)
    assert page.locator("#rank-table tbody tr").count() == len(LEVELS)
    assert page.locator("#rank-table tbody th").first.inner_text().startswith("FAmv")
    assert rows_of(page) == [each.name for each in PROBLEMS]
    assert page.locator("#convergence .line").count() == len(LEVELS)
    assert page.locator("#errors .dot").count() == len(LEVELS) * RESULTS.repetitions
    assert page.locator("#ecdf .line").count() == len(LEVELS)
    assert page.locator("#thumbs .thumb").count() == len(PROBLEMS)
    assert page.locator("#rank-diagram .alike").count() >= 1
    text = page.locator("body").inner_text()
    assert not re.search(r"undefined|NaN|\[object|null", text)


def test_mean_ranks_are_rounded_as_in_the_tables(view, tmp_path):
    """Half-way cases, such as 1.125 and 1.875, go to the even digit in Python and upwards in JavaScript."""
    problems = [dataclasses.replace(PROBLEMS[0], name=f"P{n}") for n in range(8)]
    results = make_results(repetitions=3, problems=problems, levels={"A": 1.0, "B": 8.0})
    runs = results.runs.copy()
    swapped = (runs["problem"] == "P0")
    runs.loc[swapped, "error"] = runs.loc[swapped, "error"].to_numpy()[::-1]
    changed = dataclasses.replace(results, runs=runs)
    page = view(write_report(changed, tmp_path))
    expected = [f"{each:.2f}" for each in rank(compare(changed)).mean_ranks.values()]
    assert expected == ["1.12", "1.88"]
    assert page.locator("#rank-table td.ranked").all_inner_texts() == expected
    assert sorted(page.locator("#rank-diagram .rank-value").all_text_contents()) == expected


def test_marks_are_those_of_the_statistics(view, report):
    page = view(report)
    for comparison in compare(RESULTS):
        row = page.locator("#result-table tbody tr", has=page.get_by_role("button", name=comparison.problem.name, exact=True))
        for m, cell in enumerate(comparison.cells.values()):
            kind = row.locator("td").nth(m).get_attribute("class").split()
            assert ("best" in kind, "similar" in kind) == (cell.best, cell.similar)


def test_sorting_goes_up_down_and_back(view, report):
    page = view(report)
    means = RESULTS.runs[RESULTS.runs["method"] == "GA"].groupby("problem")["error"].mean().sort_values()
    head = page.locator("#result-table thead th", has_text="GA")
    for state, order in [("ascending", list(means.index)), ("descending", list(means.index[::-1])),
                         ("none", [each.name for each in PROBLEMS])]:
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == state
        assert rows_of(page) == order
    page.get_by_role("button", name="Method").first.click()
    names = page.locator("#rank-table tbody th .method").all_inner_texts()
    assert [re.sub(r"\W", "", each) for each in names] == ["DEmv", "FAmvG\u03b1\u03b3", "FAmvH", "GA"]


def test_a_category_is_chosen_for_the_whole_page(view, report):
    page = view(report)
    page.locator("#categories").get_by_role("button", name="Unimodal").click()
    assert rows_of(page) == ["F1", "F2"]
    assert "Mean rank over 2 problems" in page.locator("#ranking-intro").inner_text()
    expect(page.locator("#run-count")).to_have_text("80 of 200 runs")
    expect(page.locator("#problem option")).to_have_count(2)
    page.locator("#categories").get_by_role("button", name="Composition").click()
    expect(page.locator("#problem")).to_have_value("3")


def test_problems_are_found_by_name_or_title(view, report):
    page = view(report)
    page.locator("#problem-filter").fill("rast")
    assert rows_of(page) == ["F11"]
    page.locator("#problem-filter").fill("nothing like it")
    assert page.locator("#result-table").inner_text() == "No problem matches."


def test_methods_are_switched_off_and_on(view, report):
    page = view(report)
    page.locator("#problems").scroll_into_view_if_needed()
    chip = page.locator("#methods .chip", has_text="GA")
    chip.click()
    assert chip.get_attribute("aria-pressed") == "false"
    expect(page.locator("#convergence .line")).to_have_count(len(LEVELS) - 1)
    assert page.locator("#convergence .band.always").count() == len(LEVELS) - 1
    assert page.locator("#result-table thead th").count() == len(LEVELS)
    page.get_by_role("button", name="None", exact=True).click()
    expect(page.locator("#convergence")).to_have_text("All methods are switched off.")
    page.get_by_role("button", name="All", exact=True).click()
    expect(page.locator("#convergence .line")).to_have_count(len(LEVELS))


def median_error(problem, method, evaluations):
    traces = [RESULTS.traces[problem, method, repetition] for repetition in range(RESULTS.repetitions)]
    return np.median([trace[trace[:, 0] <= evaluations, 1].min() for trace in traces])


def tip_rows(page, chart):
    tip = page.locator(f"{chart} .tip.shown")
    evaluations = int(re.sub(r"\D", "", tip.locator("p").first.inner_text()))
    return evaluations, [float(each.replace(",", "")) for each in tip.locator("td:last-child").all_inner_texts()]


def test_the_pointer_shows_the_medians(view, report):
    page = view(report)
    chart = page.locator("#convergence svg").first
    chart.scroll_into_view_if_needed()
    chart.hover(position={"x": 300, "y": 150})
    evaluations, values = tip_rows(page, "#convergence")
    assert 10 < evaluations < 10_000
    expected = sorted(median_error("F1", method, evaluations) for method in LEVELS)
    assert values == pytest.approx(expected, rel=1e-3)
    page.mouse.move(5, 5)
    assert page.locator("#convergence .tip.shown").count() == 0


def test_a_line_that_is_pointed_at_stands_out_everywhere(view, report):
    page = view(report)
    page.locator("#problems").scroll_into_view_if_needed()
    page.locator("#methods .chip", has_text="DEmv").hover()
    assert page.locator("#convergence .line.hot").count() == 1
    assert page.locator("#convergence .line.dim").count() == len(LEVELS) - 1
    assert page.locator("#errors .row.hot").count() == 1


def test_problems_are_turned_and_opened(view, report):
    page = view(report)
    page.locator("#next").click()
    assert page.locator("#problem").input_value() == "1"
    page.get_by_role("button", name="VESSEL").first.click()
    assert page.locator("#problem").input_value() == "4"
    assert "optimum 6,059.7143" in page.locator("#problem-about").inner_text()
    assert page.locator("#next").is_disabled()


def test_the_keyboard_does_it_all(view, report):
    page = view(report)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the ranking"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    chip = page.locator("#methods .chip", has_text="GA")
    chip.focus()
    page.keyboard.press("Space")
    assert chip.get_attribute("aria-pressed") == "false"
    assert chip.evaluate("each => each === document.activeElement")
    page.keyboard.press("Enter")
    assert chip.get_attribute("aria-pressed") == "true"
    button = page.locator("#result-table thead button").nth(1)
    button.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.closest('th').getAttribute('aria-sort')") == "ascending"
    page.locator("#convergence svg").first.focus()
    page.keyboard.press("End")
    evaluations, values = tip_rows(page, "#convergence")
    assert evaluations == RESULTS.budget
    assert len(values) == len(LEVELS)
    assert page.locator("#said").inner_text().startswith("10,000 evaluations: ")
    page.keyboard.press("ArrowLeft")
    assert tip_rows(page, "#convergence")[0] < RESULTS.budget
    page.keyboard.press("Escape")
    assert page.locator("#convergence .tip.shown").count() == 0


def test_every_control_has_a_name(view, report):
    page = view(report)
    nameless = page.evaluate("""() => [...document.querySelectorAll('button, input, select, [role=region], [role=img]')]
        .filter(each => !(each.textContent.trim() || each.getAttribute('aria-label') || each.labels?.length)).length""")
    assert nameless == 0
    levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map(each => Number(each.tagName[1]))")
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def brightness(page):
    page.wait_for_timeout(20)
    red, green, blue = re.findall(r"[\d.]+", page.evaluate("getComputedStyle(document.body).backgroundColor"))[:3]
    return (float(red) + float(green) + float(blue)) / 3


def test_light_and_dark(view, report):
    page = view(report, color_scheme="light")
    assert brightness(page) > 200
    page.get_by_role("button", name="Switch to dark colours").click()
    assert brightness(page) < 50
    page.reload()
    assert brightness(page) < 50
    page.get_by_role("button", name="Switch to light colours").click()
    assert brightness(page) > 200
    assert brightness(view(report, color_scheme="dark")) < 50


@pytest.mark.parametrize("width", [360, 768])
def test_nothing_sticks_out_on_a_narrow_screen(view, report, width):
    page = view(report, width=width)
    for name in ("ranking", "results", "problems", "targets", "runs", "about"):
        page.locator(f"#{name}").evaluate("each => each.scrollIntoView()")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    inside = page.locator("#run-table").evaluate("each => [each.scrollWidth, each.clientWidth]")
    assert inside[0] > inside[1]
    assert page.locator("#convergence svg").first.bounding_box()["width"] <= width


def test_runs_are_searched_and_their_commands_copied(view, report):
    page = view(report, permissions=["clipboard-read", "clipboard-write"])
    search = page.locator("#run-filter")
    search.fill("f1 DEmv")
    assert page.locator("#run-count").inner_text() == "10 of 200 runs"
    run = RESULTS.runs.iloc[123]
    search.fill(str(run["seed"]))
    assert page.locator("#run-table tbody tr").count() == 1
    row = page.locator("#run-table tbody tr")
    assert row.locator("code").inner_text() == run["command"]
    row.get_by_role("button").click()
    expect(row.get_by_role("button")).to_have_text("Copied")
    search.fill("")
    page.locator("#run-table thead button", has_text="Error").click()
    page.get_by_role("button", name="Next page").click()
    assert "51\u2013100 of 200" in page.locator("#run-pager").inner_text()
    shown = float(page.locator("#run-table tbody tr").first.locator("td").nth(3).get_attribute("title"))
    assert shown == np.sort(RESULTS.runs["error"])[50]


def test_it_prints_without_its_controls(view, report):
    page = view(report, color_scheme="dark")
    page.emulate_media(media="print")
    assert not page.locator(".bar").is_visible()
    assert page.locator("#result-table").is_visible()
    assert brightness(page) == 255


def test_names_are_text(view, tmp_path):
    problems = (dataclasses.replace(PROBLEMS[0], name=NASTY, title=NASTY, category=NASTY),)
    results = make_results(repetitions=3, problems=problems, levels={NASTY: 1.0, "B": 2.0})
    page = view(write_report(dataclasses.replace(results, name=NASTY, about={NASTY: NASTY, "plan": NASTY}), tmp_path))
    assert page.locator("h1").inner_text() == NASTY
    assert rows_of(page) == [NASTY]
    assert page.locator("img").count() == 0
    page.locator("#convergence svg").first.hover(position={"x": 200, "y": 100})
    page.locator("#errors .dot").first.hover()
    assert page.locator("img").count() == 0


def test_infinite_missing_and_failed_runs_are_shown(view, tmp_path):
    runs = RESULTS.runs.copy()
    runs.loc[(runs["problem"] == "F1") & (runs["repetition"] < 6) & (runs["method"] == "GA"),
             ["error", "value", "violation"]] = math.inf, math.nan, 2.5
    changed = runs[~((runs["problem"] == "F2") & (runs["repetition"] == 3) & (runs["method"] == "GA"))]
    failures = pandas.DataFrame([("F2", "GA", 3, 77, "ZeroDivisionError: <b>", "luciole study repeat")], columns=FAILURE_COLUMNS)
    traces = {key: rows for key, rows in RESULTS.traces.items() if key[0] != "VESSEL"}
    page = view(write_report(dataclasses.replace(RESULTS, runs=changed, failures=failures, traces=traces), tmp_path))
    note = page.locator(".note").inner_text()
    assert note == "1 of 200 runs is missing. Left out of the ranking and the statistics: F2."
    assert "runs are missing" in page.locator("#result-table").inner_text()
    assert "∞" in page.locator("#result-table").inner_text()
    assert "over 4 problems" in page.locator("#ranking-intro").inner_text()
    assert page.locator("#errors .dot").count() == 40
    assert "ZeroDivisionError: <b>" in page.locator("#failure-table").inner_text()
    page.locator("#problem").select_option("4")
    assert page.locator("#convergence").inner_text() == "No traces were kept, or runs are missing."
    page.locator("#run-filter").fill("F2 GA")
    assert page.locator("#run-table tbody tr td:nth-child(3)").all_inner_texts() == ["0", "1", "2", "4", "5", "6", "7", "8", "9"]


@pytest.mark.parametrize("repetitions", [1, 3])
def test_one_method_on_one_problem(view, tmp_path, repetitions):
    page = view(write_report(make_results(repetitions=repetitions, problems=PROBLEMS[:1], levels={"A": 1.0}), tmp_path))
    assert "nothing to rank" in page.locator("#ranking-intro").inner_text()
    assert not re.search(r"undefined|NaN|\[object|null", page.locator("body").inner_text())
    assert page.locator("#convergence .line").count() == 1
