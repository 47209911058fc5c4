"""What a study found, as everything after the runs reads it: statistics, tables, figures, report and exports."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from luciole._layout import Floats
from luciole.errors import ArgumentError, StateError

if TYPE_CHECKING:
    import pandas

RUN_COLUMNS = ("problem", "method", "repetition", "seed", "error", "value", "violation", "evaluations", "seconds", "command")
"""The columns of `Results.runs`."""

FAILURE_COLUMNS = ("problem", "method", "repetition", "seed", "message", "command")
"""The columns of `Results.failures`."""


@dataclass(frozen=True)
class StudiedProblem:
    """A problem of a study."""

    name: str
    """What tables call it: ``"F1"``, ``"VESSEL"``."""
    title: str
    """What it is, in a line."""
    category: str
    """Which kind of problem it is; tables and figures have a section for each."""
    variables: int
    """How many it has."""
    optimum: float | None = None
    """The best value there is, if known."""


@dataclass(frozen=True)
class Results:
    """The finished runs of a study and what they were.

    The error of a run is ``|f - f*|`` where the optimum f* is known and the value otherwise, and infinity if no feasible
    point was found.
    """

    name: str
    """The name of the plan."""
    problems: tuple[StudiedProblem, ...]
    """In the order of the plan."""
    methods: tuple[str, ...]
    """What tables call them, in the order of the plan."""
    repetitions: int
    budget: int
    seed: int
    """The seed of the plan; each run has its own, made from it."""
    fitness: str
    """``"value"`` or ``"absolute-error"``: what was minimised."""
    runs: "pandas.DataFrame"
    """One row a finished run, with `RUN_COLUMNS`; repetitions count from 0."""
    traces: Mapping[tuple[str, str, int], Floats] = field(default_factory=dict)
    """For each run (problem, method, repetition), rows of (evaluations, best error so far), about 100 of them, log-spaced."""
    points: Mapping[tuple[str, str, int], str] = field(default_factory=dict)
    """For each run, the best point it found, as JSON."""
    failures: "pandas.DataFrame | None" = None
    """One row a run that could not be finished, with `FAILURE_COLUMNS`."""
    about: Mapping[str, str] = field(default_factory=dict)
    """What to print about how it was run: versions, machine, dates, the plan itself under ``"plan"``."""

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories of the problems, in the order of the plan."""
        return tuple(dict.fromkeys(each.category for each in self.problems))

    def errors(self, problem: str) -> dict[str, Floats]:
        """The errors of every method on a problem, one number a repetition; a run that is missing is a `StateError`."""
        rows = self.runs[self.runs["problem"] == problem]
        found = {}
        for method in self.methods:
            mine = rows[rows["method"] == method].sort_values("repetition")
            if missing := sorted(set(range(self.repetitions)) - set(mine["repetition"])):
                raise StateError(f"{method} on {problem} lacks {len(missing)} of {self.repetitions} runs, the first is "
                                 f"repetition {missing[0]}; finish the study before comparing methods")
            found[method] = mine["error"].to_numpy(dtype=np.float64)
        return found

    def only(self, *, methods: Iterable[str] | None = None, problems: Iterable[str] | None = None) -> "Results":
        """The same study with some of its methods and problems, in the order of the plan."""
        names = {each.name for each in self.problems}
        wanted_methods = set(self.methods if methods is None else methods)
        wanted_problems = set(names if problems is None else problems)
        for argument, wanted, known in (("methods", wanted_methods, set(self.methods)), ("problems", wanted_problems, names)):
            if unknown := sorted(wanted - known):
                raise ArgumentError(f"{argument} names {', '.join(unknown)}, which the study does not have; it has "
                                    f"{', '.join(sorted(known))}")

        def wanted_rows(table: "pandas.DataFrame") -> "pandas.DataFrame":
            return table[table["method"].isin(list(wanted_methods)) & table["problem"].isin(list(wanted_problems))]

        return replace(
            self,
            problems=tuple(each for each in self.problems if each.name in wanted_problems),
            methods=tuple(each for each in self.methods if each in wanted_methods),
            runs=wanted_rows(self.runs),
            traces={key: trace for key, trace in self.traces.items()
                    if key[0] in wanted_problems and key[1] in wanted_methods},
            points={key: point for key, point in self.points.items()
                    if key[0] in wanted_problems and key[1] in wanted_methods},
            failures=None if self.failures is None else wanted_rows(self.failures),
        )
