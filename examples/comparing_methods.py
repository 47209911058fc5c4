"""
Comparing methods
=================

Which method is best for a problem? One run says little, since runs differ by luck; many runs on one problem say
nothing about the next problem. Here is how to compare methods so that the answer would be the same tomorrow.
"""

# %%
# One seed is an anecdote
# -----------------------
#
# Three methods and random search minimise the rotated Weierstrass function, the ninth of CEC 2013, in ten variables of
# which five are whole numbers. How far from the minimum they end after 3,000 evaluations, with six seeds:

import tempfile

import matplotlib.pyplot as plt
import numpy as np

import luciole as lc
from luciole.study.curves import converge
from luciole.study.plan import parse_plan
from luciole.study.ranking import effect_size, rank
from luciole.study.runner import run_study
from luciole.study.statistics import compare
from luciole.study.store import read_results

METHODS = ["famv", "lshade", "ga", "random"]
COLORS = dict(zip(METHODS, ["#0072b2", "#d55e00", "#009e73", "0.5"], strict=True))

problem = lc.problems.cec2013(9, dim=10, mixed=True)
for seed in range(6):
    error = {
        method: lc.minimize(problem, budget=3_000, method=method, rng=seed).fun
        - problem.optimum
        for method in METHODS
    }
    print(
        f"seed {seed}:  ",
        *(f"{method} {value:<8.3g}" for method, value in error.items()),
        "best:",
        min(error, key=error.get),
    )

# %%
# The winner changes with the seed, and with one of them random search beats the library's default. With a seed of your
# choice you can show what you like.
#
# A study
# -------
#
# A study runs every method on every problem with many seeds and keeps the results in a folder. The plan is a TOML
# document; this one asks for five functions of CEC 2013 in ten variables and the design of a pressure vessel:

plan = parse_plan("""
name = "comparison"
budget = 3_000
repetitions = 15
seed = 1
dim = 10
problems = ["f9", "f7", "f10", "f14", "f21", "pressure-vessel"]
methods = ["famv", "lshade", "ga", "random"]
""")
with tempfile.TemporaryDirectory() as folder:
    outcome = run_study(plan, folder, workers=1)
    results = read_results(folder)
print(f"{outcome.finished} runs, {outcome.evaluations:,} evaluations")

# %%
# One problem
# -----------
#
# Start with the one from above. The methods are compared as is usual in papers: the lowest mean is the best, and a
# method is *similar* to it if Dunn's test with Holm's correction cannot tell the two apart.

comparisons = compare(results)
first = comparisons[0]
errors = results.errors(first.problem.name)
for method, cell in first.cells.items():
    verdict = "the best mean" if cell.best else "similar" if cell.similar else "worse"
    print(
        f"{method:7} mean {cell.mean:6.1f}   median {cell.median:6.1f}   {verdict:13}"
        + (
            ""
            if cell.best
            else f"   beats it with probability {effect_size(errors[method], errors[first.best[0]]):.2f}"
        )
    )

# %%
# The last column is the effect size: how often a run of the method has a lower error than a run of the best one. The
# test says how sure a difference is, the effect size how large. Neither replaces a look at every run:

figure, (left, right) = plt.subplots(
    1, 2, figsize=(9, 4), sharey=True, layout="constrained"
)
spread = np.random.default_rng(0).uniform(-0.18, 0.18, plan.repetitions)
for place, method in enumerate(METHODS):
    left.plot(
        place + spread,
        errors[method],
        "o",
        color=COLORS[method],
        alpha=0.7,
        markeredgewidth=0,
    )
    left.plot([place - 0.3, place + 0.3], [np.median(errors[method])] * 2, color="black")
left.set(ylabel="error", title="every run, and the median")
left.set_xticks(range(len(METHODS)), METHODS)
for method, curve in converge(results, first.problem.name).items():
    right.plot(curve.evaluations, curve.median, color=COLORS[method], label=method)
    right.fill_between(
        curve.evaluations,
        curve.lower,
        curve.upper,
        color=COLORS[method],
        alpha=0.2,
        linewidth=0,
    )
right.set(
    xscale="log", xlabel="evaluations", title="median and quartiles as the runs go on"
)
right.legend()
plt.show()

# %%
# Several problems
# ----------------
#
# So the genetic algorithm is the method to use? Each problem counts once now: methods are ranked on each, and the ranks
# are averaged. A star is the best mean, an equals sign stands for what is similar to it.

print(f"{'':16}", *(f"{method:>9}" for method in METHODS))
for each in comparisons:
    marks = [
        f"{each.cells[method].mean:.3g}"
        + ("*" if each.cells[method].best else "=" if each.cells[method].similar else " ")
        for method in METHODS
    ]
    print(f"{each.problem.name:16}", *(f"{mark:>9}" for mark in marks))
ranking = rank(comparisons)
print(f"{'mean rank':16}", *(f"{ranking.mean_ranks[method]:8.2f} " for method in METHODS))
print(
    f"Friedman's test: p = {ranking.p_value:.2g}; "
    f"mean ranks that differ by less than {ranking.critical_difference:.2f} cannot be told apart"
)

# %%
# What can be said, and what not
# ------------------------------
#
# - Every method has a lower mean than random search on every problem. That is sure, and little.
# - Among the three there is no best one. Each is starred somewhere, and the winner of the first problem pays most for the
#   vessel. The mean ranks over six problems are closer than the critical difference. Six problems are too few to tell
#   more; the study of the paper has 28.
# - *Similar* means that these runs show no difference, not that there is none. It takes more repetitions to see
#   smaller ones.
# - The curves depend on the budget. L-SHADE plans by it and is good only at its end; with a tenth of the evaluations
#   it would be run with a tenth as its budget, so do not read that off the curve.
# - Nothing here was tuned. If you tune one method for your problem, tune the others with the same care.
#
# From the shell the same is ``luciole study run plan.toml --out DIR`` and ``luciole study report DIR``, which writes
# all of this and more into one page (:doc:`/howto/report`). What the tests are and how to read them:
# :doc:`/statistics`. All the settings of a plan: :doc:`/studies`.
