"""How large the report of the paper's whole study is, and how soon it opens.

python benchmarks/report.py [--out DIR] [--browser /usr/bin/chromium]

13 methods on 31 problems, 30 runs each of 100,000 evaluations with traces of about 100 points. The errors are made up around the
published means and deviations, so the page is made of numbers of the right size without running the study. Opening is measured in
headless Chromium: until the load event, until the ranking has been drawn, and how long the page has kept a processor busy once all of it
has been drawn; medians of five. The first two depend on what else the machine does.
"""

import argparse
import csv
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas

import luciole as lc
from luciole.study.report import write_report
from luciole.study.results import RUN_COLUMNS, Results, StudiedProblem

PUBLISHED = Path(__file__).parents[1] / "tests" / "study" / "published.csv"
ENGINEERING = {"VESSEL": ("Pressure vessel", 4, 6059.714335), "BEAM": ("Welded beam", 4, 1.7248523), "CSD": ("Coil spring", 3, None)}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--no-first-run"]
BUDGET = 100_000


def published() -> dict[tuple[str, str], tuple[float, float]]:
    """The mean and the standard deviation of the paper's tables by problem and method; of adaptive variants, by their ablation name."""
    with PUBLISHED.open() as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {(row["problem"], row["algorithm"]): (float(row["mean"]), float(row["std"])) for row in rows if "*" not in row["algorithm"]}


def paper_problems() -> list[StudiedProblem]:
    """The 28 functions and the three designs."""
    suite = [lc.problems.cec2013(number) for number in range(1, 29)]
    found = [StudiedProblem(f"F{number}", each.title, str(each.category), 50, each.optimum) for number, each in enumerate(suite, 1)]
    return found + [StudiedProblem(name, title, "engineering", size, best) for name, (title, size, best) in ENGINEERING.items()]


def make_paper_results(repetitions: int = 30) -> Results:
    """Results of the size and the look of the paper's."""
    rng = np.random.default_rng(1)
    known, problems = published(), paper_problems()
    methods = list(dict.fromkeys(method for _, method in known))
    evaluations = np.unique(np.geomspace(1, BUDGET, 110).round())
    rows, traces = [], {}
    for problem in problems:
        for method in methods:
            family = method.split("^")[0]
            mean, std = known.get((problem.name, method)) or known.get((problem.name, family)) or (5 * known[problem.name, "GA"][0], 0.1)
            spread = np.sqrt(np.log1p((max(std, 1e-9) / max(mean, 1e-9)) ** 2))
            for repetition in range(repetitions):
                seed = int(rng.integers(2**62))
                error = mean * rng.lognormal(-(spread**2) / 2, spread)
                start = max(error, 1e-9) * rng.lognormal(3.0 + 4.0 / (1 + spread), 0.3)
                done = (np.log(evaluations) / np.log(BUDGET)) ** rng.uniform(1.0, 3.0)
                steps = np.minimum.accumulate(start * (error / start) ** np.clip(done + rng.normal(0, 0.03, done.size), 0, 1))
                steps[-1] = error
                traces[problem.name, method, repetition] = np.column_stack([evaluations, np.maximum(steps, error)])
                rows.append((problem.name, method, repetition, seed, error, (problem.optimum or 0.0) + error, 0.0, BUDGET,
                             rng.lognormal(-1.0, 0.5), f"luciole study run paper --problems {problem.name} --methods '{method}' "
                             f"--only {repetition} --seed 2024 --out again"))
    return Results("paper", tuple(problems), tuple(methods), repetitions, BUDGET, 2024, "absolute-error",
                   pandas.DataFrame(rows, columns=RUN_COLUMNS), traces,
                   about={"luciole": lc.__version__, "errors": "made up around the published means", "plan": 'name = "paper"\nseed = 2024\n'})


def opening_times(path: Path, browser: str, repeats: int = 5) -> tuple[float, float, float]:
    """Seconds from the start of the navigation to the load event and to the ranking, and of work until everything is drawn."""
    from playwright.sync_api import sync_playwright

    times = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=FLAGS)
        for _ in range(repeats):
            page = chromium.new_page(viewport={"width": 1280, "height": 900})
            meter = page.context.new_cdp_session(page)
            meter.send("Performance.enable", {"timeDomain": "threadTicks"})
            page.add_init_script("new MutationObserver((_, watch) => { if (document.querySelector('#rank-table td')) { watch.disconnect(); "
                                 "requestAnimationFrame(() => setTimeout(() => { window.drawnAt = performance.now(); })); } })"
                                 ".observe(document, {childList: true, subtree: true});")
            page.goto(path.resolve().as_uri())
            page.wait_for_selector("#run-table td")
            busy = {each["name"]: each["value"] for each in meter.send("Performance.getMetrics")["metrics"]}["TaskDuration"]
            load = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
            times.append((load / 1000, page.evaluate("window.drawnAt") / 1000, busy))
            page.close()
        chromium.close()
    load, drawn, busy = (statistics.median(each) for each in zip(*times, strict=True))
    return load, drawn, busy


def main() -> None:
    """Make the page and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", help="keep the page in this folder")
    parser.add_argument("--browser", default="/usr/bin/chromium")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        results = make_paper_results()
        started = time.perf_counter()
        path = write_report(results, chosen.out or temporary)
        print(f"{len(results.runs):,} runs: a page of {path.stat().st_size / 1e6:.2f} MB, made in {time.perf_counter() - started:.1f} s")
        load, drawn, busy = opening_times(path, chosen.browser)
        print(f"load event after {load:.2f} s, ranking drawn after {drawn:.2f} s, all drawn with {busy:.2f} s of work")


if __name__ == "__main__":
    main()
