"""Draw the paper's figures from our own runs, into docs/reproduction/.

python studies/paper/figures.py OPFUNU OFFICIAL ENGINEERING

Each is the folder of a study: `luciole study run paper`, the same with `--edition official`, and `engineering`. Convergence is
drawn from the traces there, of as many repetitions as are complete; everything else from the committed errors of all runs. Box
plots, and the convergence of the main table's methods, leave out the classical FA as the paper's do: it is far off the scale.
"""

import sys
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
import pandas
from comparison import ABLATION, DESIGNS, FUNCTIONS, HERE, MAIN, category
from matplotlib.figure import Figure
from PIL import Image

from luciole.study.drawing import style
from luciole.study.figures_overall import draw_overall, draw_p_alpha, draw_ranking
from luciole.study.figures_runs import draw_boxes, draw_convergence
from luciole.study.ranking import rank
from luciole.study.results import Results
from luciole.study.statistics import compare, count
from luciole.study.store import read_results

MIXED = tuple(method for method in MAIN if method != "FA")
LARGE = 120_000
FOLDER = HERE.parents[1] / "docs" / "reproduction"


def traced(folder: str) -> Results:
    """A study with the repetitions that are complete."""
    results = read_results(Path(folder))
    done = results.runs.groupby("repetition").size()
    return replace(results, repetitions=int((done == len(results.problems) * len(results.methods)).sum()))


def committed(results: Results, name: str) -> Results:
    """The same study with the errors of all its runs, as they are committed."""
    runs = pandas.read_csv(HERE / f"{name}.csv.gz")
    return replace(results, runs=runs, repetitions=runs["repetition"].nunique(), traces={})


def save(figure: Figure, name: str) -> None:
    """Write a picture; one that would be large in fewer colours."""
    path = FOLDER / f"{name}.png"
    figure.savefig(path, dpi=150, pil_kwargs={"optimize": True})
    if path.stat().st_size > LARGE:
        with Image.open(path) as image:
            reduced = image.convert("RGB").quantize(256)
        reduced.save(path, optimize=True)
    figure.clear()
    print(f"{name}: {path.stat().st_size / 1000:.0f} kB", flush=True)


def main() -> None:
    """Draw everything."""
    mpl.use("Agg")
    FOLDER.mkdir(exist_ok=True)
    for edition, folder, name in (("opfunu", sys.argv[1], "opfunu-1.0.1"), ("official", sys.argv[2], "official")):
        traces = traced(folder)
        errors = committed(traces, name)
        print(f"{edition}: traces of {traces.repetitions} repetitions")
        groups = {}
        for table, methods in (("main", MAIN), ("ablation", ABLATION)):
            comparisons = compare(errors.only(methods=methods))
            groups["Methods of the main table" if table == "main" else "Firefly algorithms"] = count(comparisons)
            save(draw_ranking(rank(comparisons)), f"ranking-{table}-{edition}")
            for section in ("unimodal", "multimodal", "composition"):
                problems = [each for each in FUNCTIONS if category(each) == section]
                save(draw_boxes(errors.only(methods=set(methods) - {"FA"}), problems), f"boxes-{table}-{section}-{edition}")
                shown = MIXED if table == "main" else methods
                save(draw_convergence(traces.only(methods=shown), problems), f"convergence-{table}-{section}-{edition}")
        save(draw_overall(groups), f"overall-{edition}")
    engineering = traced(sys.argv[3])
    save(draw_boxes(engineering, DESIGNS), "boxes-engineering")
    save(draw_convergence(engineering, DESIGNS), "convergence-engineering")
    save(draw_p_alpha(), "p_alpha")


if __name__ == "__main__":
    with style():
        main()
