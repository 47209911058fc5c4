"""Plans: what a study runs, read from TOML and checked."""

import math
import pathlib
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from luciole.algorithms import METHODS, PUBLISHED
from luciole.errors import ArgumentError
from luciole.study._lines import Path, lines_of
from luciole.study.entries import (
    TABLE_NAMES,
    Options,
    PlannedMethod,
    PlannedProblem,
    full_name,
    make_problem,
    make_searcher,
    nearest,
    option_names,
)

FITNESS = ("value", "absolute-error")
SHARED_OPTIONS = ("dim", "edition", "mixed", "mixed_as", "penalty")
"""Options of problems that a plan may set once, for every problem that takes them."""

KEYS = ("name", "about", "problems", "methods", "repetitions", "budget", "seed", "fitness", *SHARED_OPTIONS)


@dataclass(frozen=True)
class Plan:
    """What a study runs."""

    name: str
    problems: tuple[PlannedProblem, ...]
    methods: tuple[PlannedMethod, ...]
    repetitions: int
    budget: int
    seed: int = 0
    fitness: str = "value"
    """``"value"``, or ``"absolute-error"`` to minimise the distance to the optimum."""
    about: str = ""

    @property
    def size(self) -> int:
        """How many runs there are."""
        return len(self.problems) * len(self.methods) * self.repetitions

    def to_toml(self) -> str:
        """The plan as a document that `parse_plan` reads back as an equal plan."""
        lines = [f"{key} = {_toml(getattr(self, key))}" for key in ("name", "about", "repetitions", "budget", "seed", "fitness")]
        for problem in self.problems:
            lines += ["", "[[problems]]", f"name = {_toml(problem.name)}", f"problem = {_toml(problem.problem)}",
                      *(f"{key} = {_toml(value)}" for key, value in problem.options)]
        for method in self.methods:
            lines += ["", "[[methods]]", f"name = {_toml(method.name)}", f"method = {_toml(method.method)}",
                      *(f"{_toml_key(key)} = {_toml(value)}" for key, value in method.parameters)]
        return "\n".join(lines) + "\n"


def shipped_plans() -> list[str]:
    """The names of the plans that come with the library."""
    return sorted(each.name.removesuffix(".toml") for each in resources.files("luciole.study").joinpath("plans").iterdir()
                  if each.name.endswith(".toml"))


def read_plan(source: str | pathlib.Path, **changes: Any) -> Plan:
    """The plan in a TOML file, or a shipped one by its name.

    Parameters
    ----------
    source : str or Path
        ``"paper"``, or a path that ends in .toml.
    **changes
        What replaces keys of the plan: ``repetitions``, ``budget``, ``seed``, ``fitness``, ``dim``, ``edition``, ``mixed``,
        ``mixed_as``, ``penalty``, and lists of names as ``problems`` and ``methods``. A name picks an entry of the plan, or
        adds one that the plan does not have. None changes nothing.

    Examples
    --------
    >>> plan = read_plan("paper", problems=["f1-f3"], repetitions=2)
    >>> [each.name for each in plan.problems], plan.size
    (['F1', 'F2', 'F3'], 78)
    """
    if str(source) in shipped_plans():
        text = resources.files("luciole.study").joinpath("plans", f"{source}.toml").read_text(encoding="utf-8")
        return parse_plan(text, str(source), **changes)
    path = pathlib.Path(source)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ArgumentError(f"{path} is not a text file in UTF-8") from None
    except OSError as error:
        raise ArgumentError(f"the plan {str(source)!r} is neither a file ({error.strerror}) nor one that comes with luciole: "
                            f"{', '.join(shipped_plans())}") from None
    return parse_plan(text, str(path), **changes)


def parse_plan(text: str, where: str = "the plan", **changes: Any) -> Plan:
    """The plan that a TOML document describes; `where` is what errors call it, and `changes` are those of `read_plan`."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ArgumentError(f"{where}: {error}") from None
    changes = {key: value for key, value in changes.items() if value is not None}
    for key in changes:
        if key not in KEYS or key in ("name", "about"):
            raise ArgumentError(f"{key}={changes[key]!r} cannot be changed in a plan")
    return _Reader(raw, where, lines_of(text), changes).plan()


class _Reader:
    """Checks what a document says, and tells the line of what is wrong."""

    def __init__(self, raw: dict[str, Any], where: str, lines: dict[Path, int], changes: dict[str, Any]) -> None:
        self.raw = raw
        self.where = where
        self.lines = lines
        self.changes = changes

    def plan(self) -> Plan:
        for key in self.raw:
            if key not in KEYS:
                raise self.error((key,), f"the key {key!r} is not known{nearest(key, KEYS)}; use {', '.join(KEYS)}")
        self.shared = {key: self.value(key) for key in SHARED_OPTIONS if key in self.raw or key in self.changes}
        plan = Plan(
            name=self.text("name", pathlib.Path(self.where).stem),
            about=self.text("about", ""),
            repetitions=self.whole("repetitions", 1),
            budget=self.whole("budget", 1),
            seed=self.whole("seed", 0, 0),
            fitness=self.text("fitness", "value"),
            problems=self.entries("problems", self.problems_of, self.problem),
            methods=self.entries("methods", lambda name, _: [name], self.method),
        )
        if plan.fitness not in FITNESS:
            raise self.error(("fitness",), f"fitness = {plan.fitness!r} is not known; use {' or '.join(map(repr, FITNESS))}")
        for kind, entry, path in self.made:
            try:
                make_problem(entry, plan.fitness) if kind == "problems" else make_searcher(entry)
            except (ArgumentError, TypeError) as error:
                raise self.error(self.culprit(path, str(error)), str(error)) from None
        for key in self.shared:
            meant = key in self.changes or "problems" not in self.changes  # not one that was for problems now left out
            if meant and not any(key in dict(each.options) for each in plan.problems):
                raise self.error((key,), f"{key} = {self.shared[key]!r} concerns none of the problems")
        return plan

    # -- single values ------------------------------------------------------------------------------------------------

    def value(self, key: str, default: Any = None) -> Any:
        return self.changes.get(key, self.raw.get(key, default))

    def text(self, key: str, default: str) -> str:
        value = self.value(key, default)
        if not isinstance(value, str):
            raise self.error((key,), f"{key} = {value!r} must be a text in quotes")
        return value

    def whole(self, key: str, low: int, default: int | None = None) -> int:
        value = self.value(key, default)
        if value is None:
            raise ArgumentError(f"{self.where}: {key} is missing; it must be a whole number of at least {low}")
        if not isinstance(value, int) or isinstance(value, bool) or value < low:
            raise self.error((key,), f"{key} = {value!r} must be a whole number of at least {low}")
        return value

    # -- problems and methods -----------------------------------------------------------------------------------------

    def entries(self, key: str, expand: Callable[..., Sequence[str]], read: Callable[..., Any]) -> tuple[Any, ...]:
        """The entries under a key, or those that a change picks among them and adds to them."""
        raw = self.raw.get(key, [])
        if not isinstance(raw, list):
            raise self.error((key,), f"{key} = {raw!r} must be a list of names and tables")
        self.made = getattr(self, "made", [])
        planned: list[tuple[Any, Path]] = [
            (each, (key, n)) for n, item in enumerate(raw) for each in self.read_item(key, n, item, expand, read)]
        if key in self.changes:
            names = [each for name in self.changes[key] for each in expand(name, (key,))]
            planned = [self.picked(key, name, planned) or (read(name, {}, (key,)), (key,)) for name in names]
        if not planned:
            raise ArgumentError(f"{self.where}: there are no {key}; list at least one, as in {key} = [\"f1\"]"
                                .replace("f1", "f1" if key == "problems" else "famv"))
        seen: set[str] = set()
        for entry, path in planned:
            if entry.name in seen:
                raise self.error(path, f"{key}: {entry.name!r} is there twice; give one of them another name")
            seen.add(entry.name)
        self.made += [(key, entry, path) for entry, path in planned]
        return tuple(entry for entry, _ in planned)

    def picked(self, key: str, name: str, planned: list[Any]) -> Any:
        """The planned entry that a name means: ``FA`` and ``fa`` are two methods, but ``F1`` and ``f1`` are one problem."""
        for entry, path in planned:
            if name == entry.name or (key == "problems" and full_name(name) == entry.problem):
                return entry, path
        if name in METHODS or name in PUBLISHED:
            return None
        return next((each for each in planned if each[0].name.lower() == name.lower()), None)

    def read_item(self, key: str, n: int, item: Any, expand: Callable[..., Sequence[str]], read: Callable[..., Any]) -> list[Any]:
        if isinstance(item, str):
            return [read(name, {}, (key, n)) for name in expand(item, (key, n))]
        if not isinstance(item, dict):
            raise self.error((key, n), f"{key}: {item!r} must be a name, or a table such as {{ {key[:-1]} = \"...\" }}")
        options = dict(item)
        name = options.pop(key[:-1], None)
        if not isinstance(name, str):
            raise self.error((key, n), f"{key}: the table {item!r} must say which {key[:-1]} it is: {key[:-1]} = \"...\"")
        return [read(name, options, (key, n))]

    def problems_of(self, name: str, path: Path) -> list[str]:
        """``"f1-f3"`` is short for three names."""
        match = re.fullmatch(r"f(\d+)-f?(\d+)", name.lower())
        if not match:
            return [name]
        first, last = map(int, match.groups())
        if first > last:
            raise self.error(path, f"problems: {name!r} runs backwards")
        return [f"f{number}" for number in range(first, last + 1)]

    def problem(self, name: str, options: dict[str, Any], path: Path) -> PlannedProblem:
        full = full_name(name)
        shown = options.pop("name", TABLE_NAMES.get(full, name if ":" in name else full))
        try:
            takes = option_names(full)
        except ArgumentError as error:
            raise self.error(path, str(error)) from None
        self.check_values(options, path)
        shared = {key: value for key, value in self.shared.items() if key in takes}
        changed = {key: value for key, value in shared.items() if key in self.changes}
        return PlannedProblem(self.shown(shown, path), full, _frozen(shared | options | changed))

    def method(self, name: str, options: dict[str, Any], path: Path) -> PlannedMethod:
        shown = options.pop("name", name)
        self.check_values(options, path)
        return PlannedMethod(self.shown(shown, path), name, _frozen(options))

    def check_values(self, options: dict[str, Any], path: Path) -> None:
        for key, value in options.items():
            if _has_table(value):
                raise self.error((*path, key), f"{key} = {value!r} must be a number, a text, true or false, or a list of these")

    def shown(self, name: Any, path: Path) -> str:
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            raise self.error((*path, "name"), f"name = {name!r} must be a text in quotes")
        return name

    def culprit(self, path: Path, message: str) -> Path:
        """Where the option stands that a message such as ``"population=0 must be ..."`` begins with."""
        option = message.partition("=")[0]
        places: list[Path] = [(option,)] if option in self.changes else [(*path, option), (option,)]
        return next((each for each in places if each in self.lines or option in self.changes), path)

    def error(self, path: Path, message: str) -> ArgumentError:
        """An error that names the line, or the option of the command, behind it."""
        if path and path[0] in self.changes:
            return ArgumentError(f"--{str(path[0]).replace('_', '-')}: {message}")
        while path and path not in self.lines:
            path = path[:-1]
        return ArgumentError(f"{self.where}, line {self.lines[path]}: {message}" if path else f"{self.where}: {message}")


def _frozen(options: dict[str, Any]) -> Options:
    return tuple(sorted((key, _hashable(value)) for key, value in options.items()))


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


def _has_table(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(map(_has_table, value)))


def _toml_key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _toml(key)


def _toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + "".join(each if each.isprintable() else f"\\U{ord(each):08X}" for each in escaped) + '"'
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_toml_key(key)} = {_toml(each)}" for key, each in value.items()) + " }"
    return repr(value)
