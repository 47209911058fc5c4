"""Draw the paper's figures from our own runs, into docs/reproduction/.

python studies/paper/figures.py OPFUNU OFFICIAL ENGINEERING

Each is the folder of a finished study: `luciole study run paper`, the same with `--edition official`, and `engineering`.
"""

import sys
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure
from page import ABLATION, DESIGNS, FUNCTIONS, MAIN, category

from luciole.study.figures_overall import draw_overall, draw_p_alpha, draw_ranking
from luciole.study.figures_runs import draw_boxes, draw_convergence
from luciole.study.ranking import rank
from luciole.study.results import Results
from luciole.study.statistics import compare, count
from luciole.study.store import read_results

FOLDER = Path(__file__).parents[2] / "docs" / "reproduction"


def only(results: Results, methods: tuple[str, ...]) -> Results:
    """The results of some of the methods."""
    return replace(results, methods=methods, runs=results.runs[results.runs["method"].isin(methods)])


def save(figure: Figure, name: str) -> None:
    """Write a picture."""
    figure.savefig(FOLDER / f"{name}.png", dpi=110, pil_kwargs={"optimize": True})
    figure.clear()
    print(name, flush=True)


def main() -> None:
    """Draw everything."""
    mpl.use("Agg")
    FOLDER.mkdir(exist_ok=True)
    studies = {"opfunu": read_results(Path(sys.argv[1])), "official": read_results(Path(sys.argv[2]))}
    for edition, results in studies.items():
        groups = {}
        for table, methods in (("main", MAIN), ("ablation", ABLATION)):
            mine = only(results, methods)
            comparisons = compare(mine)
            groups["all methods" if table == "main" else "firefly algorithms"] = count(comparisons)
            save(draw_ranking(rank(comparisons)), f"ranking-{table}-{edition}")
            for section in ("unimodal", "multimodal", "composition"):
                problems = [each for each in FUNCTIONS if category(each) == section]
                save(draw_boxes(mine, problems), f"boxes-{table}-{section}-{edition}")
                save(draw_convergence(mine, problems), f"convergence-{table}-{section}-{edition}")
        save(draw_overall(groups), f"overall-{edition}")
    engineering = read_results(Path(sys.argv[3]))
    save(draw_boxes(engineering, DESIGNS), "boxes-engineering")
    save(draw_convergence(engineering, DESIGNS), "convergence-engineering")
    save(draw_p_alpha(), "p_alpha")


if __name__ == "__main__":
    main()
