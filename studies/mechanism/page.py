"""Make docs/mechanism.md and its pictures of what measure.py wrote.

python studies/mechanism/page.py

What a person has concluded stands in page.md beside this file, with places in braces for what is computed.
"""

from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas

from luciole.study.labels import to_html, to_mathtext

mpl.use("Agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
COLOURS = {"H": "#0072b2", "H^ag": "#56b4e9", "G": "#d55e00", "G^ag": "#e69f00"}
DASHES = {"H": "-", "H^ag": "--", "G": "-", "G^ag": "--"}
CATEGORIES = {"unimodal": range(1, 6), "multimodal": range(6, 21), "composition": range(21, 29)}



def read(part: str) -> pandas.DataFrame:
    """What measure.py wrote of a part."""
    return pandas.read_csv(HERE / f"{part}.csv.gz", dtype={"value": str})


def draw_field(field: pandas.DataFrame) -> None:
    """Distances and attraction over a run, and the spread of the swarm, the median over functions and seeds."""
    measures = [("r", "distance to a brighter firefly, r", "log"), ("fading", r"attraction, $\exp(-\gamma r^2)$", "linear"),
                ("spread of continuous variables", "spread of continuous variables\n(std in parts of the range)", "log"),
                ("part of discrete values that differ", "share of integers in which\ntwo fireflies differ", "linear")]
    figure, axes = plt.subplots(2, 2, figsize=(9, 6), sharex=True, layout="constrained")
    for axis, (measure, title, scale) in zip(axes.flat, measures, strict=True):
        for variant in COLOURS:
            mine = field[(field.measure == measure) & (field.variant == variant)]
            middle = mine.groupby("evaluations")[["q05", "q25", "q50", "q75", "q95"]].median()
            axis.plot(middle.index, middle.q50, DASHES[variant], color=COLOURS[variant], label=to_mathtext(f"FAmv_{variant}"))
            if measure in ("r", "fading"):
                axis.fill_between(middle.index, middle.q05, middle.q95, color=COLOURS[variant], alpha=0.12, linewidth=0)
        axis.set(xscale="log", yscale=scale, ylabel=title)
        axis.grid(alpha=0.3)
    for axis in axes[1]:
        axis.set_xlabel("evaluations")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False)
    save(figure, "field")


def draw_sweeps(sweeps: pandas.DataFrame, defaults: dict[str, dict[str, float]]) -> None:
    """The error over that of the published setting as one parameter changes."""
    numeric = [("alpha", False), ("gamma", False), ("beta0", False), ("epsilon", False), ("population", False), ("k", True)]
    figure, axes = plt.subplots(2, 3, figsize=(10, 6), sharey=True, layout="constrained")
    for axis, (name, labels) in zip(axes.flat, numeric, strict=True):
        for variant in ("H", "G"):
            mine = sweeps[(sweeps.parameter == name) & (sweeps.labels == labels) & (sweeps.variant == variant)].copy()
            mine["value"] = mine["value"].astype(float)
            means = mine.groupby(["value", "function"]).error.mean().unstack()
            ratio = np.exp(np.log(means / means.loc[defaults[variant][name]]).mean(axis=1))
            axis.plot(ratio.index, ratio, "o-", color=COLOURS[variant], label=to_mathtext(f"FAmv_{variant}"))
            axis.axvline(defaults[variant][name], color="0.7", linewidth=1, zorder=0)
        axis.set(title=f"{name}, on labels" if labels else name, yscale="log")
        if name == "gamma":
            axis.set_xscale("symlog", linthresh=1e-4)
            axis.set(xlim=(-5e-5, 20), xticks=[0, 1e-3, 0.1, 10])
        axis.grid(alpha=0.3, which="both")
    for axis in axes[:, 0]:
        axis.set_ylabel("error over the published setting's")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=2, frameon=False)
    save(figure, "sweeps")


def save(figure: plt.Figure, name: str) -> None:
    """Write a picture."""
    folder = DOCS / "mechanism"
    folder.mkdir(exist_ok=True)
    figure.savefig(folder / f"{name}.png", dpi=110)
    plt.close(figure)


def field_table(field: pandas.DataFrame) -> str:
    """Medians at the start, in the middle and at the end."""
    moments = sorted(field.evaluations.unique())
    chosen = [min(moments, key=lambda each: abs(each - wanted)) for wanted in (100, 1_000, 10_000, 100_000)]
    lines = ["| | | " + " | ".join(f"{each:,} evaluations" for each in chosen) + " |", "|---" * (len(chosen) + 2) + "|"]
    for measure, name in (("r", "r"), ("fading", "exp(-&gamma; r&sup2;)")):
        for variant in COLOURS:
            mine = field[(field.measure == measure) & (field.variant == variant)].groupby("evaluations")[["q05", "q50", "q95"]].median()
            lines.append(f"| {name} | {to_html('FAmv_' + variant)} | "
                         + " | ".join("{:.3g} ({:.2g} to {:.2g})".format(*mine.loc[each, ["q50", "q05", "q95"]]) for each in chosen) + " |")
    for measure in ("spread of continuous variables", "part of discrete values that differ"):
        for variant in COLOURS:
            mine = field[(field.measure == measure) & (field.variant == variant)].groupby("evaluations").q50.median()
            lines.append(f"| {measure} | {to_html('FAmv_' + variant)} | " + " | ".join(f"{mine.loc[each]:.3g}" for each in chosen) + " |")
    return "\n".join(lines)


def scaling_table(scaling: pandas.DataFrame) -> str:
    """The error in other units over that in the paper's, geometric mean and range over functions."""
    lines = ["| | random step | unit 0.01 | unit 100 |", "|---|---|---|---|"]
    for variant in ("H", "G"):
        for follows in (True, False):
            mine = scaling[(scaling.variant == variant) & (scaling.follows == follows)]
            means = mine.groupby(["unit", "function"]).error.mean().unstack()
            row = []
            for unit in (0.01, 100.0):
                ratio = means.loc[unit] / means.loc[1.0]
                row.append(f"{np.exp(np.log(ratio).mean()):.2f} ({short(ratio.min())} to {short(ratio.max())})")
            lines.append(f"| {to_html('FAmv_' + variant)} | {'follows the unit' if follows else 'stays'} | {' | '.join(row)} |")
    return "\n".join(lines)


def short(value: float) -> str:
    """A ratio in few digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def sweep_ratio(sweeps: pandas.DataFrame, variant: str, name: str, value: object, default: object, labels: bool = False) -> dict[str, str]:
    """The error at a value over that at the default, geometric means over all functions and over each category."""
    mine = sweeps[(sweeps.parameter == name) & (sweeps.labels == labels) & (sweeps.variant == variant)]
    means = mine.groupby(["value", "function"]).error.mean().unstack()
    ratio = np.log(means.loc[str(value)] / means.loc[str(default)])
    found = {"all": f"{np.exp(ratio.mean()):.2f}"}
    for category, functions in CATEGORIES.items():
        found[category] = f"{np.exp(ratio.loc[list(functions)].mean()):.2f}"
    found["F1"] = f"{np.exp(ratio.loc[1]):.3f}"
    return found


def choices_table(sweeps: pandas.DataFrame) -> str:
    """What rounding and greedy acceptance are worth."""
    lines = ["| | changed to | all 28 | unimodal | multimodal | composition | F1 |", "|---" * 7 + "|"]
    for name, value, default in (("integer_step", "round", "truncate"), ("accept", "better", "always")):
        lines += [f"| {to_html('FAmv_' + variant)} | `{name}=\"{value}\"` | "
                  + " | ".join(sweep_ratio(sweeps, variant, name, value, default).values()) + " |" for variant in ("H", "G")]
    return "\n".join(lines)


def rounding_table(rounding: pandas.DataFrame) -> str:
    """What becomes of the variants whose alpha adapts when integers are rounded."""
    changes = [each for each in rounding.change.unique() if each != "as published"]
    lines = ["| | " + " | ".join(f"{each}: all 28 | F1" for each in ["as published", *changes]).replace(": all 28 | F1", ": F1", 1) + " |",
             "|---" * (2 * len(changes) + 2) + "|"]
    for variant in rounding.variant.unique():
        means = rounding[rounding.variant == variant].groupby(["change", "function"]).error.mean().unstack()
        row = [f"{means.loc['as published', 1]:.3g}"]
        for change in changes:
            row += [f"{np.exp(np.log(means.loc[change] / means.loc['as published']).mean()):.2f}", f"{means.loc[change, 1]:.3g}"]
        lines.append(f"| {to_html('FAmv_' + variant)} | {' | '.join(row)} |")
    return "\n".join(lines)


def sweeps_table(sweeps: pandas.DataFrame, defaults: dict[str, dict[str, float]]) -> str:
    """The best value of each parameter, and what it is worth."""
    lines = ["| | parameter | published | best of those tried | error over the published setting's | worst | error over it |", "|---" * 7 + "|"]
    for variant in ("H", "G"):
        for name in ("alpha", "gamma", "beta0", "epsilon", "population"):
            mine = sweeps[(sweeps.parameter == name) & (~sweeps.labels) & (sweeps.variant == variant)].copy()
            mine["value"] = mine["value"].astype(float)
            means = mine.groupby(["value", "function"]).error.mean().unstack()
            ratio = np.exp(np.log(means / means.loc[defaults[variant][name]]).mean(axis=1))
            lines.append(f"| {to_html('FAmv_' + variant)} | {name} | {defaults[variant][name]:g} | {ratio.idxmin():g} | {ratio.min():.2f} | "
                         f"{ratio.idxmax():g} | {ratio.max():.2f} |")
    return "\n".join(lines)


def replace_table(sweeps: pandas.DataFrame) -> str:
    """How many labels a move should replace."""
    mine = sweeps[(sweeps.parameter == "replace") & sweeps.labels].copy()
    k = sweeps[(sweeps.parameter == "k") & sweeps.labels & (sweeps["value"] == "1")]
    values = sorted(mine["value"].astype(float).unique())
    lines = ["| | " + " | ".join(f"{each:g} of 25 replaced" for each in values) + " |", "|---" * (len(values) + 1) + "|"]
    for variant in ("H", "G"):
        base = k[k.variant == variant].groupby("function").error.mean()
        row = []
        for value in values:
            means = mine[(mine.variant == variant) & (mine["value"].astype(float) == value)].groupby("function").error.mean()
            row.append(f"{np.exp(np.log(means / base).mean()):.2f}")
        lines.append(f"| {to_html('FAmv_' + variant)} | {' | '.join(row)} |")
    return "\n".join(lines)


def k_table(sweeps: pandas.DataFrame) -> str:
    """What the steepness of p_alpha does, where labels are replaced, over k = 1."""
    mine = sweeps[(sweeps.parameter == "k") & sweeps.labels]
    values = sorted(mine["value"].unique(), key=float)
    lines = ["| | " + " | ".join(f"k = {each}" for each in values) + " |", "|---" * (len(values) + 1) + "|"]
    for variant in ("H", "G", "H^a", "G^a"):
        means = mine[mine.variant == variant].groupby(["value", "function"]).error.mean().unstack()
        ratio = np.exp(np.log(means / means.loc["1"]).mean(axis=1))
        lines.append(f"| {to_html('FAmv_' + variant)} | {' | '.join(f'{ratio[each]:.2f}' for each in values)} |")
    return "\n".join(lines)


def labels_table(labels: pandas.DataFrame) -> str:
    """Mean ranks of the variants among themselves, and of all methods, on integers and on labels."""
    means = labels.groupby(["labels", "function", "method"]).error.mean()
    nine = [each for each in labels.method.unique() if each.startswith("FAmv_")]
    ranks, alone = {}, {}
    for reading in (False, True):
        table = means.loc[reading].unstack()
        ranks[reading], alone[reading] = table.rank(axis=1).mean(), table[nine].rank(axis=1).mean()
    lines = ["| | nine variants: integers | labels | all methods: integers | labels | error on labels over integers |", "|---" * 6 + "|"]
    for method in ranks[True].sort_values().index:
        ratio = np.exp(np.log(means.loc[True].unstack()[method] / means.loc[False].unstack()[method]).mean())
        pair = f"{alone[False][method]:.2f} | {alone[True][method]:.2f}" if method in nine else " | "
        lines.append(f"| {to_html(method)} | {pair} | {ranks[False][method]:.2f} | {ranks[True][method]:.2f} | {ratio:.2f} |")
    return "\n".join(lines)


def main() -> None:
    """Write the page and its pictures."""
    import luciole as lc

    field, scaling, sweeps, labels, rounding = (read(part) for part in ("field", "scaling", "sweeps", "labels", "rounding"))
    defaults = {variant: {name: getattr(lc.FAmv.paper(variant), name) for name in ("alpha", "gamma", "beta0", "epsilon", "population", "k")}
                for variant in ("H", "G")}
    draw_field(field)
    draw_sweeps(sweeps, defaults)
    text = (HERE / "page.md").read_text()
    values = {"field": field_table(field), "scaling": scaling_table(scaling), "choices": choices_table(sweeps), "rounding": rounding_table(rounding),
              "sweeps": sweeps_table(sweeps, defaults), "replace": replace_table(sweeps), "k": k_table(sweeps), "labels": labels_table(labels),
              **{f"{part}_seeds": str(frame.seed.nunique())
                 for part, frame in (("field", field), ("scaling", scaling), ("sweeps", sweeps), ("labels", labels),
                                     ("rounding", rounding))}}
    runs = sum(map(len, (scaling, sweeps, labels, rounding))) + len(field.drop_duplicates(["function", "variant", "seed"]))
    values["runs"] = f"{runs:,}"
    for key, value in values.items():
        text = text.replace("{" + key + "}", value)
    (DOCS / "mechanism.md").write_text(text)
    for key, value in values.items():
        print(key, value, sep="\n", end="\n\n")


if __name__ == "__main__":
    main()
