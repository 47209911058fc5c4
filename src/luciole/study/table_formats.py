"""A table apart from how it is written, and the three ways to write it: LaTeX, Markdown and HTML."""

import html
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from luciole.study import labels

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem; color: #1d1d1f; background: #fff }
.scroll { overflow-x: auto }
table { border-collapse: collapse; border-block: 2px solid; font-variant-numeric: tabular-nums }
caption { text-align: left; max-width: 60em; padding-bottom: .8em }
th, td { padding: .15em .7em; text-align: right; white-space: nowrap; font-weight: normal }
th { text-align: left } thead th { font-weight: bold; border-bottom: 1px solid } thead th.value { text-align: right }
tr.section th { font-weight: bold; padding-top: .7em; border-bottom: 1px solid #8888 }
tfoot tr:first-child > * { border-top: 1px solid }
@media (prefers-color-scheme: dark) { body { color: #e8e8ea; background: #17171a } }
""".strip()


@dataclass(frozen=True)
class Entry:
    """What stands in one place of a table."""

    text: str
    bold: bool = False
    star: bool = False


@dataclass(frozen=True)
class Row:
    """A line of a table: one or more labels, then an entry for each column."""

    labels: tuple[str, ...]
    entries: tuple[Entry, ...]
    method: bool = False
    """Whether the first label is the name of a method."""


@dataclass(frozen=True)
class Section:
    """Lines that belong together, under a title."""

    title: str
    blocks: tuple[tuple[Row, ...], ...]
    """Rows in groups with a little space between."""


@dataclass(frozen=True)
class Table:
    """A table with its caption, ready to be written."""

    name: str
    """Of its files, and the end of its LaTeX label."""
    caption: str
    """What it shows; a first ``@`` stands for `subject`, if there is one."""
    corner: tuple[str, ...]
    """Headings of the columns of labels."""
    columns: tuple[str, ...]
    sections: tuple[Section, ...]
    foot: tuple[Row, ...] = ()
    methods_across: bool = True
    """Whether the columns are methods."""
    subject: str = ""
    """A method that the caption names."""


def to_latex(table: Table) -> str:
    """A ``table*`` for LaTeX, shrunk where it is wider than the page; needs the packages booktabs and graphicx."""
    lead, width = len(table.corner), len(table.corner) + len(table.columns)
    head = [f"\\textbf{{{labels.escape_latex(each)}}}" for each in table.corner]
    head += [f"\\textbf{{{_latex_name(each, table.methods_across)}}}" for each in table.columns]
    lines = [
        "% Needs \\usepackage{booktabs,graphicx}.",
        "\\begin{table*}[tbp]",
        "\\centering",
        f"\\caption{{{_caption(table, _latex_text, labels.to_latex)}}}",
        f"\\label{{tab:{table.name}}}",
        "\\smallskip",
        "\\small",
        "\\setlength{\\tabcolsep}{4pt}",
        "\\renewcommand{\\arraystretch}{0.85}",
        "\\resizebox{\\ifdim\\width>\\textwidth\\textwidth\\else\\width\\fi}{!}{%",
        f"\\begin{{tabular}}{{{'l' * lead}{'c' * len(table.columns)}}}",
        "\\toprule",
        " & ".join(head) + " \\\\",
    ]
    for section in table.sections:
        lines.append("\\midrule")
        if section.title:
            lines += [f"\\multicolumn{{{width}}}{{l}}{{\\textbf{{{_latex_text(section.title)}}}}} \\\\", "\\midrule"]
        for number, block in enumerate(section.blocks):
            if number and len(block) > 1:
                lines.append("\\addlinespace[2pt]")
            lines += [_latex_row(row, lead) for row in block]
    if table.foot:
        lines += ["\\midrule", *(_latex_row(row, lead) for row in table.foot)]
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}}", "\\end{table*}"]) + "\n"


def to_markdown(table: Table) -> str:
    """A pipe table, with titles of sections as rows of their own."""
    def line(cells: Iterator[str] | list[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    lead = len(table.corner)
    columns = [labels.to_markdown(each) if table.methods_across else each for each in table.columns]
    lines = [_caption(table, str, labels.to_markdown), "",
             line([*table.corner, *columns]), line([":--"] * lead + ["--:"] * len(columns))]
    for section in table.sections:
        if section.title:
            lines.append(line([f"**{section.title}**"] + [""] * (lead + len(columns) - 1)))
        lines += [line(_cells(row, lead, labels.to_markdown, _markdown_entry)) for block in section.blocks for row in block]
    lines += [line(_cells(row, lead, labels.to_markdown, _markdown_entry)) for row in table.foot]
    return "\n".join(lines) + "\n"


def to_html(table: Table) -> str:
    """A ``<table>`` to stand in a page; bold is ``<strong>``, a star ``<sup>*</sup>``."""
    lead, width = len(table.corner), len(table.corner) + len(table.columns)
    head = [f'<th scope="col">{html.escape(each)}</th>' for each in table.corner]
    head += [f'<th scope="col" class="value">{labels.to_html(each) if table.methods_across else html.escape(each)}</th>'
             for each in table.columns]
    lines = [f'<table id="{html.escape(table.name)}">', f"<caption>{_caption(table, html.escape, labels.to_html)}</caption>",
             f"<thead><tr>{''.join(head)}</tr></thead>"]
    for section in table.sections:
        lines.append("<tbody>")
        if section.title:
            title = html.escape(section.title)
            lines.append(f'<tr class="section"><th colspan="{width}" scope="rowgroup">{title}</th></tr>')
        lines += [_html_row(row, lead) for block in section.blocks for row in block]
        lines.append("</tbody>")
    if table.foot:
        lines += ["<tfoot>", *(_html_row(row, lead) for row in table.foot), "</tfoot>"]
    return "\n".join([*lines, "</table>"]) + "\n"


def to_html_page(table: Table) -> str:
    """A whole page with the table, light or dark as the reader's system is."""
    return (f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{html.escape(table.name)}</title>\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n'
            f'<div class="scroll">\n{to_html(table)}</div>\n</body>\n</html>\n')


def _caption(table: Table, escape: Callable[[str], str], name: Callable[[str], str]) -> str:
    if not table.subject:
        return escape(table.caption)
    before, _, after = table.caption.partition("@")
    return escape(before) + name(table.subject) + escape(after)


def _cells(row: Row, lead: int, name: Callable[[str], str], entry: Callable[[Entry], str]) -> list[str]:
    """The labels and entries of a row as texts."""
    first = [name(each) if row.method and not i else each for i, each in enumerate(row.labels)]
    return first + [""] * (lead - len(first)) + [entry(each) for each in row.entries]


def _latex_row(row: Row, lead: int) -> str:
    if not row.method and len(row.labels) < lead:
        first = [f"\\multicolumn{{{lead}}}{{l}}{{{_latex_text(row.labels[0])}}}"]
        return " & ".join(first + [_latex_entry(each) for each in row.entries]) + " \\\\"
    plain = [_latex_text(each) if not row.method or i else labels.to_latex(each) for i, each in enumerate(row.labels)]
    return " & ".join(plain + [_latex_entry(each) for each in row.entries]) + " \\\\"


def _latex_entry(entry: Entry) -> str:
    text = _latex_text(entry.text)
    return (f"\\textbf{{{text}}}" if entry.bold else text) + ("*" if entry.star else "")


def _latex_name(name: str, method: bool) -> str:
    return labels.to_latex(name) if method else _latex_text(name)


def _latex_text(text: str) -> str:
    text = labels.escape_latex(text)
    for character, command in (("\u00b1", "$\\pm$"), ("\u221e", "$\\infty$"), ("\u2013", "--")):
        text = text.replace(character, command)
    return text


def _markdown_entry(entry: Entry) -> str:
    return (f"**{entry.text}**" if entry.bold else entry.text) + ("\\*" if entry.star else "")


def _html_row(row: Row, lead: int) -> str:
    span = f' colspan="{lead - len(row.labels) + 1}"' if len(row.labels) < lead else ""
    names = [labels.to_html(each) if row.method and not i else html.escape(each) for i, each in enumerate(row.labels)]
    cells = [f'<th scope="row">{each}</th>' for each in names[:-1]] + [f'<th scope="row"{span}>{names[-1]}</th>']
    cells += [f"<td>{_html_entry(each)}</td>" for each in row.entries]
    return f"<tr>{''.join(cells)}</tr>"


def _html_entry(entry: Entry) -> str:
    text = html.escape(entry.text)
    return (f"<strong>{text}</strong>" if entry.bold else text) + ("<sup>*</sup>" if entry.star else "")
