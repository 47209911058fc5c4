"""The report of a study: one HTML file that holds its data, its styles and its code, and asks the network for nothing."""

import html
import json
import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from luciole.study import labels
from luciole.study.page_data import finished_part, page_data
from luciole.study.results import Results

PARTS = ("base.js", "scales.js", "lines.js", "boxes.js", "state.js", "ranking.js", "results.js", "problem.js", "runs.js",
         "start.js")
"""The page's code, in the order in which it is read."""

KEPT_APART = ("about", "plan")  # what has a place of its own among the things to say about a study


def write_report(results: Results, directory: str | Path) -> Path:
    """Write ``report.html`` into a study's directory, and return its path.

    Problems on which runs are missing are shown, but left out of the statistics; the page says so.
    """
    path = Path(directory) / "report.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".html.part")
    try:
        unfinished.write_text(to_html(results), encoding="utf-8", newline="\n")
        unfinished.replace(path)  # whoever has the page open never reads half of it
    finally:
        unfinished.unlink(missing_ok=True)
    return path


def to_html(results: Results) -> str:
    """The report as the text of an HTML page."""
    data = page_data(results)
    page = files("luciole.study") / "page"
    code = "\n".join((page / name).read_text(encoding="utf-8") for name in PARTS)
    pieces = {
        "title": html.escape(results.name),
        "style": (page / "page.css").read_text(encoding="utf-8"),
        "lede": lede(results),
        "finding": finding(results, data),
        "notes": "".join(f'<p class="note">{each}</p>' for each in notes(results)),
        "facts": definitions(facts(results)),
        "about": definitions({key: value for key, value in results.about.items() if key not in KEPT_APART}),
        "plan": html.escape(results.about.get("plan", "")),
        # No "<" in the data can end the element that holds it.
        "data": json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False).replace("<", "\\u003c"),
        "code": code,
    }
    frame = (page / "page.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda found: pieces[found[1]], frame)


def lede(results: Results) -> str:
    """What the plan says of itself, and what was run, in a sentence."""
    about = html.escape(results.about.get("about", "").strip())
    about += " " if about.endswith((".", "?", "!")) else ". " if about else ""
    aim = " The absolute error was minimised." if results.fitness == "absolute-error" else ""
    categories = [f"{sum(each.category == name for each in results.problems)} {html.escape(name)}" for name in results.categories]
    kinds = f" ({listed(categories)})" if len(categories) > 1 else ""
    return (f"{about}{counted(len(results.methods), 'method')} on {counted(len(results.problems), 'problem')}{kinds}, "
            f"{counted(results.repetitions, 'run')} each, {results.budget:,} evaluations a run.{aim}")


def finding(results: Results, data: dict[str, Any]) -> str:
    """What came out, in a sentence or two that claim no more than the tests allow."""
    ranking = data["ranking"].get("")
    if ranking is None:
        return "No problem has all of its runs yet, so there is nothing to compare."
    if len(results.methods) == 1:
        return "A single method took part, so there is nothing to rank it against."
    names = [labels.to_html(each) for each in results.methods]
    ranks = ranking["ranks"]
    order = sorted(range(len(ranks)), key=ranks.__getitem__)
    first = order[0]
    leaders = [names[i] for i in order if ranks[i] == ranks[first]]
    have = "has" if len(leaders) == 1 else "share"
    text = f"<strong>{listed(leaders)}</strong> {have} the best mean rank, {ranks[first]:.2f} of {len(ranks)}. "
    if ranking["problems"] == 1:
        return text + "It is the rank on a single problem, which says nothing about others."
    if ranking["p"] >= 0.05:
        return text + (f"Over the {ranking['problems']} problems the methods do not differ significantly "
                       f"(Friedman, {p_text(ranking['p'])}).")
    near = [names[i] for i in order if ranks[i] != ranks[first] and ranks[i] - ranks[first] < ranking["difference"]]
    far = [names[i] for i in order if ranks[i] - ranks[first] >= ranking["difference"]]
    them = "it" if len(leaders) == 1 else "them"
    text += (f"The methods differ (Friedman, {p_text(ranking['p'])}), and those further from {them} than the critical difference "
             f"of {ranking['difference']:.2f} ranks are worse: ")
    if not near:
        return text + "all others."
    if not far:
        return text + "none."
    if min(len(far), len(near)) > 4:
        return text + f"{len(far)} of {len(ranks)}."
    return text + (f"{listed(far)}." if len(far) <= len(near) else f"all but {listed(near)}.")


def notes(results: Results) -> list[str]:
    """What a reader has to know before believing the rest."""
    found = []
    wanted = len(results.problems) * len(results.methods) * results.repetitions
    if (missing := wanted - len(results.runs)) > 0:
        finished = {each.name for each in finished_part(results).problems}
        out = [html.escape(each.name) for each in results.problems if each.name not in finished]
        found.append(f"{missing:,} of {counted(wanted, 'run')} {'is' if missing == 1 else 'are'} missing. "
                     f"Left out of the ranking and the statistics: {listed(out)}.")
    return found


def facts(results: Results) -> dict[str, str]:
    """A few numbers that tell how large the study is."""
    evaluations, seconds = int(results.runs["evaluations"].sum()), float(results.runs["seconds"].sum())
    found = {"runs": f"{len(results.runs):,}", "evaluations": large(evaluations), "computing time": duration(seconds)}
    if seconds > 0:
        found["evaluations a second"] = large(evaluations / seconds)
    if failed := 0 if results.failures is None else len(results.failures):
        found["failed runs"] = f"{failed:,}"
    return found


def definitions(items: Mapping[str, str]) -> str:
    """Pairs of a name and what it stands for."""
    pairs = [(html.escape(str(key)), html.escape(str(value))) for key, value in items.items()]
    return "".join(f"<div><dt>{key}</dt><dd>{value}</dd></div>" for key, value in pairs)


def listed(names: list[str]) -> str:
    """Names as in a sentence: ``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def counted(number: int, thing: str) -> str:
    """A number of things: ``1 run``, ``12,090 runs``."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def p_text(p_value: float) -> str:
    """A p-value as it is written in a sentence."""
    return "p &lt; 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"


def large(number: float) -> str:
    """A number as it is spoken: ``1.21 billion``."""
    for size, name in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if number >= size:
            return f"{number / size:.3g} {name}"
    return f"{number:,.0f}"


def duration(seconds: float) -> str:
    """A time as it is spoken: ``4 h 12 min``."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours < 48 else f"{hours / 24:.1f} days"
