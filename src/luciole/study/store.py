"""The store of a study: one SQLite file that a kill at any moment leaves whole.

Every finished run is a row that is written in one piece; a run that failed leaves a note, which goes away when it is made
again and finishes.
"""

import contextlib
import json
import shlex
import sqlite3
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from luciole._lock import locked
from luciole.errors import FileError, MissingExtraError, StateError
from luciole.study.entries import make_problem
from luciole.study.plan import Plan, parse_plan
from luciole.study.results import FAILURE_COLUMNS, RUN_COLUMNS, Results, StudiedProblem
from luciole.study.run import Failed, Finished

FILE = "study.sqlite"
APPLICATION = 0x4C75636C  # tells SQLite files of ours from those of others
VERSION = 1

SCHEMA = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE places (place INTEGER PRIMARY KEY, description TEXT NOT NULL UNIQUE);
CREATE TABLE runs (
    problem TEXT NOT NULL, method TEXT NOT NULL, repetition INTEGER NOT NULL, seed INTEGER NOT NULL,
    error REAL, value REAL, violation REAL, evaluations INTEGER NOT NULL, message TEXT NOT NULL, point TEXT NOT NULL,
    trace BLOB NOT NULL, seconds REAL NOT NULL, finished TEXT NOT NULL, place INTEGER NOT NULL REFERENCES places,
    checksum INTEGER NOT NULL, PRIMARY KEY (problem, method, repetition)
);
CREATE TABLE failures (
    problem TEXT NOT NULL, method TEXT NOT NULL, repetition INTEGER NOT NULL, seed INTEGER NOT NULL,
    message TEXT NOT NULL, details TEXT NOT NULL, finished TEXT NOT NULL, place INTEGER NOT NULL REFERENCES places,
    PRIMARY KEY (problem, method, repetition)
);
"""

GUARDED = "problem, method, repetition, seed, error, value, violation, evaluations, message, point, trace"
"""The columns of a run that its checksum is made of."""

Key = tuple[str, str, int]


class Store:
    """A store opened for writing; `open_store` makes one."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    def finished(self) -> set[Key]:
        """The problem, method and repetition of every finished run."""
        with explained(self.path):
            return {row[:3] for row in guarded_rows(self._connection)}

    def add(self, place: str, found: Iterable[Finished | Failed]) -> None:
        """Keep what became of some runs, all or none."""
        with explained(self.path), self._connection as connection:
            connection.execute("INSERT OR IGNORE INTO places (description) VALUES (?)", (place,))
            (number,) = connection.execute("SELECT place FROM places WHERE description = ?", (place,)).fetchone()
            now = datetime.now(UTC).isoformat(timespec="seconds")
            for run in found:
                key = (run.problem, run.method, run.repetition)
                connection.execute("DELETE FROM failures WHERE (problem, method, repetition) = (?, ?, ?)", key)
                if isinstance(run, Failed):
                    connection.execute("INSERT INTO failures VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                                       (*key, run.seed, run.message, run.details, now, number))
                else:
                    row = [*key, run.seed, *(None if each != each else each for each in (run.error, run.value, run.violation)),
                           run.evaluations, run.message, run.point, np.asarray(run.trace, dtype="<f8").tobytes()]
                    connection.execute(f"INSERT OR REPLACE INTO runs ({GUARDED}, seconds, finished, place, checksum) "
                                       f"VALUES ({', '.join('?' * (len(row) + 4))})",
                                       (*row, run.seconds, now, number, checksum(row)))

    def places(self) -> list[dict[str, Any]]:
        """The machines and versions that made the runs so far (see `luciole.study.run.place`)."""
        with explained(self.path):
            return [json.loads(each) for (each,) in self._connection.execute("SELECT description FROM places ORDER BY place")]

    def set_plan(self, plan: Plan, command: str) -> None:
        """Keep what is to be run, and the words after ``luciole study run`` that say so."""
        with explained(self.path), self._connection as connection:
            connection.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", [("plan", plan.to_toml()), ("command", command)])


@contextlib.contextmanager
def open_store(directory: str | Path, plan: Plan, command: str = "") -> Iterator[Store]:
    """Open the store in a folder for writing, and make both if they are missing.

    A store that was begun may get more problems, methods and repetitions; any other change of its plan is refused.

    Parameters
    ----------
    directory : str or Path
        The folder of the study.
    plan : Plan
        What is to be run.
    command : str
        How the plan was named on the command line, for those who want to repeat a run.
    """
    path = Path(directory) / FILE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"the folder {path.parent} cannot be made: {error.strerror}") from None
    with contextlib.ExitStack() as stack:
        with explained(path):
            if not stack.enter_context(locked(path.parent / ".lock", wait=False)):
                raise StateError(f"another process is running the study in {path.parent}; wait for it or stop it")
            connection = stack.enter_context(contextlib.closing(sqlite3.connect(path)))
            new = is_new(connection)
            if not new:
                _check(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
            if new:
                connection.executescript(f"BEGIN; {SCHEMA} COMMIT;")
            connection.execute("PRAGMA synchronous = NORMAL")
        try:
            store = Store(path, connection)
            if begun := _about(connection, path):
                _check_plan(parse_plan(begun["plan"], str(path)), plan, path)
            store.set_plan(plan, command)
            yield store
        finally:
            with contextlib.suppress(sqlite3.Error):  # someone may be reading
                connection.execute("PRAGMA journal_mode = DELETE")  # so that one file is all there is


def checksum(row: Sequence[Any]) -> int:
    """A number that tells whether a row still holds what was written."""
    return zlib.crc32(repr(tuple(row)).encode())


def guarded_rows(connection: sqlite3.Connection, repetitions: int = sys.maxsize) -> Iterator[tuple[Any, ...]]:
    """The `GUARDED` columns of every run, then its seconds; a row that is not what was written is an error of SQLite."""
    for row in connection.execute(f"SELECT {GUARDED}, seconds, checksum FROM runs WHERE repetition < ?", (repetitions,)):
        if row[-1] != checksum(row[:-2]):
            raise sqlite3.DatabaseError(f"the run of {row[1]} on {row[0]}, repetition {row[2]}, is not what was written")
        yield row[:-1]


def read_plan_of(directory: str | Path) -> tuple[Plan, str]:
    """The plan of a study that was begun, and how it was named on the command line."""
    with _reading(directory) as (connection, path):
        about = _about(connection, path)
        return parse_plan(about["plan"], str(path)), about["command"]


class Status(NamedTuple):
    """How far a study has come."""

    plan: Plan
    finished: dict[tuple[str, str], int]
    """How many runs of the plan are finished, by problem and method."""
    failures: list[tuple[str, str, int, str]]
    """Problem, method, repetition and message of the runs that failed."""
    evaluations: int
    seconds: float
    """What the finished runs took in all."""


def read_status(directory: str | Path) -> Status:
    """How far the study in a folder has come; it may be running."""
    with _reading(directory) as (connection, path):
        plan = parse_plan(_about(connection, path)["plan"], str(path))
        counts = {(problem, method): 0 for problem in _names(plan.problems) for method in _names(plan.methods)}
        evaluations, seconds = 0, 0.0
        for problem, method, *numbers in connection.execute(
                "SELECT problem, method, count(*), sum(evaluations), sum(seconds) FROM runs WHERE repetition < ? "
                "GROUP BY problem, method", (plan.repetitions,)):
            if (problem, method) in counts:
                counts[problem, method] = numbers[0]
                evaluations += numbers[1]
                seconds += numbers[2]
        failures = connection.execute("SELECT problem, method, repetition, message FROM failures ORDER BY rowid").fetchall()
        return Status(plan, counts, failures, evaluations, seconds)


def read_results(directory: str | Path) -> Results:
    """All that the study in a folder has found so far; it may be running. Needs the extra ``study``."""
    try:
        import pandas
    except ImportError:
        raise MissingExtraError("reading results needs pandas; install it with: pip install 'luciole[study]'") from None
    with _reading(directory) as (connection, path):
        about = _about(connection, path)
        plan = parse_plan(about["plan"], str(path))
        problems, methods = _names(plan.problems), _names(plan.methods)
        place_in_plan = {(problem, method): (p, m) for p, problem in enumerate(problems) for m, method in enumerate(methods)}
        rows = [row for row in guarded_rows(connection, plan.repetitions) if row[:2] in place_in_plan]
        rows.sort(key=lambda row: (*place_in_plan[row[:2]], row[2]))
        failed = connection.execute("SELECT problem, method, repetition, seed, message FROM failures ORDER BY rowid").fetchall()
        places = [json.loads(each) for (each,) in connection.execute("SELECT description FROM places ORDER BY place")]
        first, last = connection.execute("SELECT min(finished), max(finished) FROM runs").fetchone()
    base = about["command"] or shlex.quote(str(directory))
    whole = f"luciole study run {base} --out DIR" if about["command"] else f"luciole study run --out {base}"

    def command(problem: str, method: str, repetition: int) -> str:
        return f"luciole study repeat {base} {shlex.quote(problem)} {shlex.quote(method)} {repetition}"

    nan = float("nan")
    runs = pandas.DataFrame([(*row[:4], *(nan if each is None else each for each in row[4:7]), row[7], row[11], command(*row[:3]))
                             for row in rows], columns=RUN_COLUMNS)
    traces = {row[:3]: np.frombuffer(row[10], dtype="<f8").reshape(-1, 2) for row in rows}
    failures = pandas.DataFrame([(*row, command(*row[:3])) for row in failed], columns=FAILURE_COLUMNS)
    return Results(
        name=plan.name, problems=tuple(_studied(each, plan.fitness) for each in plan.problems), methods=tuple(methods),
        repetitions=plan.repetitions, budget=plan.budget, seed=plan.seed, fitness=plan.fitness, runs=runs, traces=traces,
        points={row[:3]: row[9] for row in rows}, failures=failures,
        about=_told(places) | {"first run finished": first or "-", "last run finished": last or "-", "command": whole,
                               "about": plan.about, "plan": about["plan"]})


def _studied(entry: Any, fitness: str) -> StudiedProblem:
    problem = make_problem(entry, fitness)
    return StudiedProblem(entry.name, problem.title, problem.category or "other", len(problem.space), problem.optimum)


def _told(places: list[dict[str, Any]]) -> dict[str, str]:
    """Versions and machines in words; several of each are listed."""
    told: dict[str, dict[str, None]] = {}
    for each in places:
        for key, value in each["versions"].items():
            told.setdefault(key, {})[value] = None
        machine = f"{each['processor'] or each['machine']}, {each['cores']} cores, {each['system']}"
        told.setdefault("machine", {})[machine] = None
        told.setdefault("host", {})[each["host"]] = None
    return {key: "; ".join(values) for key, values in told.items()}


def _names(entries: Iterable[Any]) -> list[str]:
    return [each.name for each in entries]


@contextlib.contextmanager
def _reading(directory: str | Path) -> Iterator[tuple[sqlite3.Connection, Path]]:
    path = Path(directory) / FILE
    if not path.exists():
        raise FileError(f"there is no study in {directory}: {FILE} is missing; luciole study run PLAN --out "
                        f"{shlex.quote(str(directory))} begins one")
    address = f"{path.resolve().as_uri()}?mode=ro"
    with explained(path), contextlib.closing(sqlite3.connect(address, uri=True)) as connection:
        if not is_new(connection):
            _check(connection, path)
        connection.execute("BEGIN")  # so that all queries see one state
        if is_new(connection) or not _about(connection, path):
            raise StateError(f"the study in {directory} has not begun")
        yield connection, path


def _about(connection: sqlite3.Connection, path: Path) -> dict[str, str]:
    with explained(path):
        return dict(connection.execute("SELECT key, value FROM about"))


def is_new(connection: sqlite3.Connection) -> bool:
    """Whether nothing was ever written to a file; a process may have been killed just before it did."""
    (count,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return not count and not connection.execute("PRAGMA application_id").fetchone()[0]


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse what is not a store, or is damaged."""
    (application,), (version,) = (connection.execute(f"PRAGMA {each}").fetchone() for each in ("application_id", "user_version"))
    if application != APPLICATION:
        raise FileError(f"{path} is an SQLite file, but not the store of a study; nothing in it was changed. "
                        "Choose another folder with --out")
    if version != VERSION:
        raise FileError(f"{path} has the format {version}, and this version of luciole reads {VERSION}; nothing in it was "
                        "changed. Use the version of luciole that it was made with")
    (state,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if state != "ok":
        raise sqlite3.DatabaseError(state.splitlines()[-1])


def _check_plan(begun: Plan, now: Plan, path: Path) -> None:
    """Refuse a plan under which finished runs would not be what they say."""
    changes = [f"{key} was {getattr(begun, key)!r} and is now {getattr(now, key)!r}"
               for key in ("name", "seed", "budget", "fitness") if getattr(begun, key) != getattr(now, key)]
    if now.repetitions < begun.repetitions:
        changes.append(f"there were {begun.repetitions} repetitions and are now {now.repetitions}")
    for kind in ("problems", "methods"):
        entries = {each.name: each for each in getattr(now, kind)}
        for each in getattr(begun, kind):
            if each.name not in entries:
                changes.append(f"the {kind[:-1]} {each.name} is gone")
            elif each != entries[each.name]:
                changes.append(f"the {kind[:-1]} {each.name} has changed: it was {_described(each)} and is now "
                               f"{_described(entries[each.name])}")
    if changes:
        more = f", and {len(changes) - 3} more" if len(changes) > 3 else ""
        raise StateError(f"the study in {path.parent} was begun with another plan: {'; '.join(changes[:3])}{more}. Its runs are "
                         f"safe. To go on with it: luciole study run --out {shlex.quote(str(path.parent))}. To run the new plan: "
                         "choose another folder with --out. (Problems, methods and repetitions may be added, not taken away.)")


def _described(entry: Any) -> str:
    options = entry.options if hasattr(entry, "options") else entry.parameters
    what = entry.problem if hasattr(entry, "problem") else entry.method
    return f"{what}({', '.join(f'{key}={value!r}' for key, value in options)})"


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system complain about into messages that say how to go on."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if _is_full(error):
            raise FileError(f"the disk is full: {path} cannot grow. All runs that were stored are safe; free some space, and the "
                            "same command goes on") from None
        raise FileError(f"{path} cannot be used: {error}. All runs that were stored are safe; when this is mended, the same "
                        "command goes on") from None
    except sqlite3.DatabaseError as error:
        raise FileError(
            f"{path} is damaged or not an SQLite file ({error}); nothing in it was changed. Put a copy in its place, or save the "
            f"runs that can be read with: luciole study recover {shlex.quote(str(path.parent))}. Then the same command makes the "
            "runs that are missing") from None
    except OSError as error:
        raise FileError(f"{path} cannot be used: {error.strerror}") from None


def _is_full(error: sqlite3.Error) -> bool:
    full = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE)
    return getattr(error, "sqlite_errorcode", None) in full
