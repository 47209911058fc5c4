"""Results made up for tests of what comes after the runs: four methods, five problems, known differences."""

import numpy as np
import pandas

from luciole.study.results import RUN_COLUMNS, Results, StudiedProblem

PROBLEMS = (
    StudiedProblem("F1", "Sphere Function", "unimodal", 50, -1400.0),
    StudiedProblem("F2", "Rotated High Conditioned Elliptic Function", "unimodal", 50, -1300.0),
    StudiedProblem("F11", "Rastrigin's Function", "multimodal", 50, -400.0),
    StudiedProblem("F21", "Composition Function 1", "composition", 50, 700.0),
    StudiedProblem("VESSEL", "Pressure vessel", "engineering", 4, 6059.714335),
)
LEVELS = {"DEmv": 1.0, "GA": 1.05, "FAmv_H": 0.5, "FAmv_G^ag": 8.0}  # of the errors, before noise


def make_results(repetitions: int = 10, budget: int = 10_000, seed: int = 1, problems=PROBLEMS, levels=LEVELS) -> Results:
    """A finished study whose methods differ by known factors; on F11 every error is the same."""
    rng = np.random.default_rng(seed)
    rows, traces = [], {}
    evaluations = np.unique(np.geomspace(1, budget, 100).astype(int))
    for p, problem in enumerate(problems):
        for method, level in levels.items():
            for repetition in range(repetitions):
                error = 3.0 if problem.name == "F11" else float(level * 10.0**p * rng.lognormal(0.0, 0.2))
                run_seed = int(rng.integers(2**62))
                rows.append((problem.name, method, repetition, run_seed, error, (problem.optimum or 0.0) + error, 0.0, budget,
                             float(rng.uniform(0.1, 0.5)), f"luciole solve {problem.name} --method '{method}' --seed {run_seed}"))
                falling = error * (budget / evaluations) ** rng.uniform(0.2, 0.6)
                traces[problem.name, method, repetition] = np.column_stack([evaluations, np.minimum.accumulate(falling)])
    return Results("synthetic", tuple(problems), tuple(levels), repetitions, budget, seed, "value",
                   pandas.DataFrame(rows, columns=RUN_COLUMNS), traces,
                   about={"luciole": "0.1.0", "python": "3.11", "numpy": "2.0", "machine": "x86_64, 2 cores",
                          "command": "luciole study run synthetic", "plan": 'name = "synthetic"\n'})
