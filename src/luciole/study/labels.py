"""Names of methods as they are printed: ``FAmv_H^ag`` with its index and its Greek letters."""

import html
import re
from typing import NamedTuple

_PATTERN = re.compile(r"(?P<stem>[^_^*]+)(?P<star>\*?)(?:_(?P<below>[A-Za-z0-9]+))?(?:\^(?P<above>[A-Za-z0-9]+))?")
_GREEK = {"a": ("&alpha;", r"\alpha"), "g": ("&gamma;", r"\gamma")}
_ESCAPES = {"\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "&": r"\&", "%": r"\%", "#": r"\#", "$": r"\$",
            "^": r"\^{}", "~": r"\~{}", "<": r"\textless{}", ">": r"\textgreater{}"}


class Label(NamedTuple):
    """The parts of a method's name."""

    stem: str
    below: str = ""
    above: str = ""


def split(method: str) -> Label:
    """The parts of a name such as ``"FAmv_H^ag"`` or ``"FAmv*_H"``; any other name is all stem."""
    found = _PATTERN.fullmatch(method)
    if found is None:
        return Label(method)
    return Label(found["stem"], found["below"] or "", found["star"] + (found["above"] or ""))


def to_latex(method: str) -> str:
    r"""For LaTeX: ``FAmv$^{\alpha\gamma}_\mathrm{H}$``."""
    label = split(method)
    above = "".join(_letter(each, 1) for each in label.above)
    below = f"_\\mathrm{{{label.below}}}" if label.below else ""
    script = (f"^{{{above}}}" if above else "") + below
    return escape_latex(label.stem) + (f"${script}$" if script else "")


def to_mathtext(method: str) -> str:
    """For Matplotlib."""
    label = split(method)
    above = "".join(_letter(each, 1) for each in label.above)
    script = (f"_\\mathrm{{{label.below}}}" if label.below else "") + (f"^{{{above}}}" if above else "")
    return label.stem.replace("$", r"\$") + (f"${script}$" if script else "")


def to_html(method: str) -> str:
    """For HTML: ``FAmv<sub>H</sub><sup>&alpha;&gamma;</sup>``."""
    label = split(method)
    above = "".join(_GREEK[each][0] if each in _GREEK else html.escape(each) for each in label.above)
    return (html.escape(label.stem) + (f"<sub>{html.escape(label.below)}</sub>" if label.below else "")
            + (f"<sup>{above}</sup>" if above else ""))


def to_markdown(method: str) -> str:
    """For Markdown, which has no indices: the name itself with what has a meaning there escaped."""
    return re.sub(r"([\\`*_{}\[\]<>|~])", r"\\\1", method)


def escape_latex(text: str) -> str:
    """Text in which no character means anything to LaTeX."""
    return "".join(_ESCAPES.get(each, each) for each in text)


def _letter(letter: str, form: int) -> str:
    if letter in _GREEK:
        return _GREEK[letter][form]
    return letter if letter == "*" else f"\\mathrm{{{letter}}}"
