"""Figures: the right ones come, they hold what they should, and nothing in them collides."""

import itertools
import math

import numpy as np
import pytest

import luciole as lc
from luciole.algorithms.famv import P_ALPHA, FAmv, adapt
from luciole.study.drawing import looks, new_figure, save, scale, style
from luciole.study.figures import plan_figures, write_figures
from luciole.study.figures_overall import draw_overall, draw_p_alpha, draw_ranking, draw_runtimes, p_alpha
from luciole.study.figures_runs import draw_boxes, draw_convergence
from luciole.study.ranking import rank
from luciole.study.results import StudiedProblem
from luciole.study.statistics import Count, compare_errors
from study.synthetic import PROBLEMS, make_results
from study.test_statistics import COUNT_ROWS, printed
from study.test_tables import THIRTEEN


@pytest.fixture(autouse=True)
def _styled():
    with style():
        yield


def names(results):
    return [name for name, _ in plan_figures(results)]


def test_a_study_gives_these_figures():
    assert names(make_results(2)) == [
        "overall", "ranking", "runtimes", "boxes-unimodal", "convergence-unimodal", "boxes-multimodal", "convergence-multimodal",
        "boxes-composition", "convergence-composition", "boxes-engineering", "convergence-engineering", "p_alpha"]
    assert names(make_results(2, levels={"GA": 1.0}, problems=PROBLEMS[:1])) == ["runtimes", "boxes-unimodal", "convergence-unimodal"]
    everything = names(make_results(2, levels=dict.fromkeys(THIRTEEN, 1.0)))
    assert everything[3:7] == ["boxes-unimodal", "convergence-unimodal", "ablation-boxes-unimodal", "ablation-convergence-unimodal"]
    assert "ablation-boxes-engineering" not in everything
    untimed = make_results(2, levels={"GA": 1.0, "DEmv": 1.0})
    object.__setattr__(untimed, "traces", {})
    assert names(untimed) == ["overall", "ranking", *(f"boxes-{each}" for each in ("unimodal", "multimodal", "composition", "engineering"))]


def test_files_are_vector_and_raster_and_always_the_same(tmp_path):
    results = make_results(3, problems=PROBLEMS[:1], levels={"GA": 1.0, "DEmv": 2.0})
    paths = write_figures(results, tmp_path / "a")
    assert [path.name for path in paths] == [f"{name}.{ending}" for name in ("overall", "runtimes", "boxes-unimodal", "convergence-unimodal")
                                             for ending in ("pdf", "png")]
    assert {path.read_bytes()[:4] for path in paths} == {b"%PDF", b"\x89PNG"}
    for path in save(draw_boxes(results, ["F1"]), tmp_path, "boxes-unimodal"):
        assert path.read_bytes() == (tmp_path / "a" / path.name).read_bytes()


def test_a_method_looks_the_same_in_every_figure():
    results = make_results(2, levels=dict.fromkeys(THIRTEEN, 1.0), problems=PROBLEMS[:2])
    figures = {name: draw() for name, draw in plan_figures(results)}
    seen = {}
    for name in ("runtimes", "convergence-unimodal", "ablation-convergence-unimodal"):
        legend = figures[name].legends[0]
        for text, line in zip(legend.get_texts(), legend.get_lines(), strict=True):
            seen.setdefault(text.get_text(), set()).add((line.get_color(), line.get_marker()))
    assert len(seen) == 13
    assert all(len(each) == 1 for each in seen.values())
    colors = [line.get_color() for line in figures["convergence-unimodal"].legends[0].get_lines()]
    assert len(set(colors)) == 8  # the methods of the main comparison are told apart by colour alone


def boxes_of(texts, figure):
    renderer = figure.canvas.get_renderer()
    return [each.get_window_extent(renderer) for each in texts if each.get_text() and each.get_visible()]


@pytest.mark.parametrize("counts", [
    printed(COUNT_ROWS["main"]),
    printed(COUNT_ROWS["ablation"]),
    {name: Count(1, 0) for name in THIRTEEN},  # all in one place
    {name: Count(i, i % 3) for i, name in enumerate(THIRTEEN)},
])
def test_names_of_points_do_not_overlap_and_stay_in_the_figure(counts):
    figure = draw_overall({"All methods": counts, "Again": counts})
    figure.draw_without_rendering()
    for axes in figure.axes:
        written = boxes_of(axes.texts, figure)
        assert len(written) == len(set(counts.values()))
        assert sum(each.get_text().count(",") + 1 for each in axes.texts) == len(counts)
        for one, other in itertools.combinations(written, 2):
            assert not one.overlaps(other)
        for box in written:
            assert box.x0 >= 0
            assert box.x1 <= figure.bbox.x1


def test_points_stand_where_their_counts_are():
    figure = draw_overall({"All": {"A": Count(3, 1), "B": Count(5, 2)}})
    points = [line.get_xydata()[0] for line in figure.axes[0].lines if line.get_marker() not in (None, "None", "")]
    assert np.allclose(points, [(3, 1), (5, 2)])
    shared = draw_overall({"All": {"A": Count(3, 1), "B": Count(5, 2), "C": Count(3, 1)}}).axes[0]
    assert {each.get_text() for each in shared.texts} == {"A, C", "B"}


def test_legends_cover_no_panel():
    results = make_results(3, levels=dict.fromkeys(THIRTEEN, 1.0))
    for figure in (draw_convergence(results, ["F1", "F2", "F11", "F21"]), draw_runtimes(results)):
        figure.draw_without_rendering()
        legend = figure.legends[0].get_window_extent(figure.canvas.get_renderer())
        assert legend.x0 >= 0
        assert legend.x1 <= figure.bbox.x1
        for axes in figure.axes:
            if axes.get_visible():
                assert not legend.overlaps(axes.get_tightbbox())
        assert len(figure.legends[0].get_texts()) == 13


def test_names_of_methods_in_a_ranking_do_not_overlap():
    rng = np.random.default_rng(2)
    errors = [{name: np.array([value]) for name, value in zip(THIRTEEN, rng.random(13) + np.arange(13) / 20, strict=True)} for _ in range(28)]
    figure = draw_ranking(rank([compare_errors(each, StudiedProblem("P", "", "x", 2)) for each in errors]))
    figure.draw_without_rendering()
    written = boxes_of(figure.axes[0].texts, figure)
    for one, other in itertools.combinations(written, 2):
        assert not one.overlaps(other)
    for box in written:
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.x1


def test_box_plots_show_quartiles_and_what_was_infeasible():
    results = make_results(8, problems=PROBLEMS[:1])
    errors = results.runs["error"].to_numpy().copy()
    errors[(results.runs["method"] == "GA").to_numpy().nonzero()[0][:2]] = np.inf
    object.__setattr__(results, "runs", results.runs.assign(error=errors))
    figure = draw_boxes(results, ["F1"])
    axes = figure.axes[0]
    assert [each.get_text() for each in axes.texts] == ["2 infeasible"]
    for i, values in enumerate(results.errors("F1").values()):
        corners = axes.patches[i].get_xy()[:, 0]
        assert (corners.min(), corners.max()) == pytest.approx(np.quantile(values[np.isfinite(values)], [0.25, 0.75]))
    assert axes.get_yticklabels()[0].get_text() == "DEmv"


def test_everything_infeasible_can_be_drawn():
    results = make_results(2, problems=PROBLEMS[:1])
    object.__setattr__(results, "runs", results.runs.assign(error=np.inf))
    object.__setattr__(results, "traces", {key: trace * [1, np.inf] for key, trace in results.traces.items()})
    for _, draw in plan_figures(results):
        draw().draw_without_rendering()


def test_errors_of_zero_and_negative_values_can_be_drawn():
    results = make_results(4, problems=(PROBLEMS[0], StudiedProblem("V", "", "x", 2, None)))
    best = (results.runs["method"] == "GA") & (results.runs["problem"] == "F1")
    values = results.runs["error"].where(~best, 0.0).where(results.runs["problem"] == "F1", -results.runs["error"])
    object.__setattr__(results, "runs", results.runs.assign(error=values))
    figure = draw_boxes(results, ["F1", "V"])
    assert [axes.get_xscale() for axes in figure.axes] == ["log", "linear"]
    assert figure.axes[0].get_xlim()[0] < 1e-8


@pytest.mark.parametrize(("low", "high"), [(20.0, 500.0), (0.013, 0.4), (3e5, 4e6), (2e-7, 9e-6), (1.0, 1e12), (0.0, 1.0), (21.0, 21.3)])
def test_every_axis_has_two_numbers_at_least(low, high):
    axes = new_figure(3, 2).add_subplot()
    scale(axes, "y", np.array([low, high]))
    axes.figure.draw_without_rendering()
    bottom, top = axes.get_ylim()
    assert bottom <= max(low, 1e-8)
    assert top >= high
    shown = [label.get_text() for place, label in zip(axes.get_yticks(), axes.get_yticklabels(), strict=True) if bottom <= place <= top]
    assert len(set(shown)) >= 2
    assert "" not in shown


def test_methods_are_told_apart_without_colours():
    found = looks([f"M{i}" for i in range(32)])
    assert len({each.marker for each in list(found.values())[:14]}) == 14
    assert len({(each.color, str(each.dash)) for each in found.values()}) == 32


def test_p_alpha_is_what_famv_does():
    alpha = np.linspace(0.0, 2.0, 5)
    assert p_alpha(alpha, 2.0, 2.0) == pytest.approx([1 / (1 + math.exp(-2.0 * (a - 1.0))) for a in alpha])
    assert p_alpha(alpha, 2.0) == pytest.approx([1 / (1 + math.exp(-2.0 * a / 2.0)) for a in alpha])
    assert p_alpha(np.array([1.5]), 1.0)[0] == pytest.approx(0.68, abs=5e-3)  # the paper's constant alpha
    state = FAmv.paper("H^a").start(lc.Space({"c": lc.Categorical(["a", "b"])}).layout, 100)
    adapt(state, 0.25)  # alpha falls from 2 to 1.5
    assert state.now[P_ALPHA] == pytest.approx(p_alpha(np.array([1.5]), 1.0, 2.0)[0])
    assert len(draw_p_alpha().axes) == 2
