"""Writes the pages of the reference from what the package makes public, so that nothing public can be left out."""

import inspect
import pkgutil
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import luciole as lc

SPACE = {"Space", "Float", "Integer", "Ordinal", "Categorical", "Boolean"}

STUDY = {
    "plan": ["read_plan", "parse_plan", "shipped_plans", "Plan"],
    "entries": ["PlannedProblem", "PlannedMethod"],
    "runner": ["run_study", "Outcome"],
    "store": ["read_results", "read_status", "Status"],
    "recovery": ["recover", "Recovered"],
    "results": ["Results", "StudiedProblem"],
    "statistics": ["compare", "compare_errors", "count", "kruskal_wallis", "dunn", "Comparison", "Cell", "Count"],
    "ranking": ["rank", "friedman", "effect_size", "effect_sizes", "magnitude", "Ranking"],
    "curves": ["converge", "runtimes", "default_targets", "Curve", "Runtimes"],
    "tables": ["make_tables", "write_tables"],
    "figures": ["plan_figures", "write_figures"],
    "report": ["to_html", "write_report"],
    "export": ["export"],
}
"""What of a study is for others to call, in the order of its steps."""


def write(folder: Path) -> None:
    """Write the pages, touching only those that changed."""
    folder.mkdir(exist_ok=True)
    pages = {"index": INDEX, **{name: "\n".join(lines) for name, lines in content().items()}}
    for name, text in pages.items():
        path = folder / f"{name}.rst"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


INDEX = """\
Reference
=========

Everything public, by what it is for. ``import luciole as lc`` is how the pages write it.

.. toctree::
   :maxdepth: 2

   search
   space
   methods
   problems
   study
   integrations
   testing
   errors
"""


def content() -> dict[str, list[str]]:
    """The lines of each page."""
    names = [name for name in lc.__all__ if not inspect.ismodule(getattr(lc, name))]
    errors = [name for name in names if name.endswith("Error")]
    methods = [name for name in names if inspect.isclass(getattr(lc, name)) and issubclass(getattr(lc, name), lc.Method)]
    space = [name for name in names if name in SPACE]
    search = [name for name in names if name not in {*errors, *methods, *space}]
    return {
        "search": [*heading("Searching"), *table("luciole", search), *table("luciole.history", ["History"])],
        "space": [*heading("Spaces and variables"), *table("luciole", space)],
        "methods": [*heading("Methods"), "How each works, and what the settings are worth: :doc:`/methods`.", "",
                    *table("luciole", methods)],
        "problems": [*heading("Problems"), "What they are and how they were checked: :doc:`/problems`.", "",
                     *table("luciole.problems", import_module("luciole.problems").__all__)],
        "study": [*heading("Studies"), "What ``luciole study`` does, step by step: :doc:`/studies`, :doc:`/statistics`.",
                  "", *(line for step, listed in STUDY.items() for line in module(f"luciole.study.{step}", listed))],
        "integrations": [*heading("In other libraries"), *package("luciole.integrations")],
        "testing": [*heading("Checking a method of yours"), *module("luciole.testing", title=False)],
        "errors": [*heading("Errors"), *table("luciole", errors)],
    }


def heading(title: str, line: str = "=") -> list[str]:
    """A title of reStructuredText."""
    return [title, line * len(title), ""]


def table(module: str, names: Iterable[str]) -> list[str]:
    """A table of the functions and classes among some names, each with a page of its own."""
    home = import_module(module)
    listed = [name for name in names if callable(getattr(home, name))]
    return [f".. currentmodule:: {module}", "", ".. autosummary::", "   :toctree: generated", "   :nosignatures:", "",
            *(f"   {name}" for name in sorted(listed, key=str.lower)), ""]


def package(name: str) -> list[str]:
    """The public modules of a package, each with its public objects."""
    found = [each.name for each in pkgutil.iter_modules(import_module(name).__path__) if not each.name.startswith("_")]
    return [line for each in found for line in module(f"{name}.{each}")]


def module(name: str, names: Iterable[str] | None = None, *, title: bool = True) -> list[str]:
    """What a module makes public: the names given, its ``__all__``, or what it defines without an underscore."""
    content = import_module(name)
    names = names or getattr(content, "__all__", None)
    names = names or [key for key, each in vars(content).items() if is_public(key, each, content)]
    lines = [*heading(name, "-")] if title else []
    return [*lines, (inspect.getdoc(content) or "").splitlines()[0], "", *table(name, names)] if names else []


def is_public(key: str, each: object, home: ModuleType) -> bool:
    """Whether a name of a module is one of its own functions or classes."""
    return (not key.startswith("_") and (inspect.isclass(each) or inspect.isfunction(each))
            and getattr(each, "__module__", None) == home.__name__)
