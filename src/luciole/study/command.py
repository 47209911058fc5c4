"""The command `luciole study`: reads arguments, calls the steps of a study, prints."""

import contextlib
import re
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from luciole.errors import ArgumentError, FileError, MissingExtraError
from luciole.study._bar import duration
from luciole.study.plan import Plan, read_plan, shipped_plans
from luciole.study.store import FILE, read_plan_of, read_status

AS_BEFORE = "its plan could not be read, so name the same one"
FORMATS = ("iohprofiler", "parquet", "csv")

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None,
                  help="Compare methods on problems: run a plan, look at it, report on it, export it.")

PlanName = Annotated[str, typer.Argument(help=f"A TOML file, or a plan that comes with luciole: {', '.join(shipped_plans())}.")]
Problems = Annotated[str | None, typer.Option(help="These problems instead, as in f1,f3-f5,pressure-vessel.")]
Methods = Annotated[str | None, typer.Option(help="These methods instead, as in famv,'FAmv_H^a'.")]
Repetitions = Annotated[int | None, typer.Option(help="So many repetitions instead.")]
Budget = Annotated[int | None, typer.Option(help="So many evaluations a run instead.")]
Seed = Annotated[int | None, typer.Option(help="Another seed for the whole plan.")]
Fitness = Annotated[str | None, typer.Option(help="What is minimised: value or absolute-error.")]
Edition = Annotated[str | None, typer.Option(help="The edition of the CEC 2013 functions: official or opfunu-1.0.1.")]
Dim = Annotated[int | None, typer.Option(help="The number of variables of the CEC 2013 functions.")]
Mixed = Annotated[str | None, typer.Option(help="Which of their variables are whole numbers: true (half), false, a fraction, or "
                                                "places as in 0,3,4.")]
MixedAs = Annotated[str | None, typer.Option(help="What those variables are: integer or categorical.")]
Penalty = Annotated[str | None, typer.Option(help="The penalty of designs that have constraints: paper, or a number.")]
Folder = Annotated[Path, typer.Argument(help="The folder of the study.")]


@app.command()
def run(
    out: Annotated[Path, typer.Option(help="The folder of the study. One that was begun goes on.")],
    plan: Annotated[str | None, typer.Argument(help=f"A TOML file, or a plan that comes with luciole: "
                                                    f"{', '.join(shipped_plans())}. Left out: the plan of --out.")] = None,
    workers: Annotated[int | None, typer.Option(help="How many processes. [default: one for each core]")] = None,
    dask: Annotated[str | None, typer.Option(help="The address of a Dask scheduler whose workers make the runs.")] = None,
    problems: Problems = None, methods: Methods = None, repetitions: Repetitions = None, budget: Budget = None,
    seed: Seed = None, fitness: Fitness = None, edition: Edition = None, dim: Dim = None, mixed: Mixed = None,
    mixed_as: MixedAs = None, penalty: Penalty = None,
) -> None:
    """Make the runs of a plan, or those that are missing."""
    from luciole.study.runner import run_study

    changes = _changes(problems=problems, methods=methods, repetitions=repetitions, budget=budget, seed=seed, fitness=fitness,
                       edition=edition, dim=dim, mixed=mixed, mixed_as=mixed_as, penalty=penalty)
    chosen, words = _plan(plan, changes) if plan is not None else _begun(out, changes)
    try:
        with _stopped_by_termination():
            outcome = run_study(chosen, out, workers=workers, dask=dask, command=words, progress=True)
    except KeyboardInterrupt:
        print(f"stopped; finished runs are safe. To go on: {_again(out)}")
        raise typer.Exit(130) from None
    print(f"{outcome.finished:,} of {chosen.size:,} runs are finished, {outcome.made:,} of them now"
          + (f" ({outcome.evaluations:,} evaluations in {duration(outcome.seconds)})" if outcome.made else ""))
    if outcome.failed:
        runs = f"{outcome.failed:,} run{'s' * (outcome.failed > 1)}"
        print(f"{runs} failed: luciole study status {shlex.quote(str(out))} tells which and why. To try again: {_again(out)}")
        raise typer.Exit(1)
    if outcome.finished == chosen.size:
        print(f"next: luciole study report {shlex.quote(str(out))}")


@contextlib.contextmanager
def _stopped_by_termination() -> Iterator[None]:
    """Take a SIGTERM, as batch systems send it when time is up, for an interrupt from the keyboard."""
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@app.command()
def status(directory: Folder) -> None:
    """Tell how far a study has come."""
    found = read_status(directory)
    plan = found.plan
    done = sum(found.finished.values())
    print(f"{plan.name}: {plan.about}" if plan.about else plan.name)
    print(f"{done:,} of {plan.size:,} runs are finished: {len(plan.problems)} problems, {len(plan.methods)} methods, "
          f"{plan.repetitions} repetitions of {plan.budget:,} evaluations")
    if done:
        speed = found.evaluations / max(found.seconds, 1e-9)
        print(f"they took {duration(found.seconds)} in all, {speed:,.0f} evaluations a second")
    if 0 < done < plan.size:
        _print_missing(plan, found.finished)
    if found.failures:
        print(f"{len(found.failures):,} failed:")
        for problem, method, repetition, message in found.failures[:20]:
            print(f"  {method} on {problem}, repetition {repetition}: {message}")
        if len(found.failures) > 20:
            print(f"  and {len(found.failures) - 20:,} more")
    if done < plan.size:
        print(f"to go on: {_again(directory)}")


@app.command()
def report(directory: Folder) -> None:
    """Write the report of a study, its tables and its figures."""
    from luciole.study.store import read_results

    results = read_results(directory)
    with _writing(directory):
        print(f"report: {_step('report', 'write_report')(results, directory)}", flush=True)
        whole = _step("page_data", "finished_part")(results)
        if not whole.problems:
            print(f"tables and figures: no problem has all of its runs yet. To go on: {_again(directory)}")
            return
        for kind in ("tables", "figures"):
            paths = _step(kind, f"write_{kind}")(whole, directory / kind)
            print(f"{kind}: {directory / kind} ({len(paths)} files)", flush=True)


@app.command()
def export(
    directory: Folder,
    to: Annotated[str, typer.Option(help=f"The format: {', '.join(FORMATS)}.")],
) -> None:
    """Write the runs of a study for other programs, into its folder's `export`."""
    from luciole.study.store import read_results

    if to not in FORMATS:
        raise ArgumentError(f"--to {to} is not known; use {', '.join(FORMATS)}")
    results = read_results(directory)
    with _writing(directory):
        print(f"export: {_step('export', 'export')(results, directory, to)}")


@app.command()
def recover(directory: Folder) -> None:
    """Save the runs that can be read of a damaged store."""
    from luciole.study.recovery import recover as save

    saved = save(directory)
    print(f"{saved.runs:,} runs were saved; the damaged file is kept as {saved.damaged}")
    print(f"to make the others: {_again(directory) if saved.knows_plan else f'the command that began the study: {AS_BEFORE}'}")


@app.command()
def repeat(
    plan: Annotated[str, typer.Argument(help="The plan, or the folder of a study.")],
    problem: Annotated[str, typer.Argument(help="The name in the plan.")],
    method: Annotated[str, typer.Argument(help="The name in the plan.")],
    repetition: Annotated[int, typer.Argument(help="Its number, from 0.")],
    problems: Problems = None, methods: Methods = None, repetitions: Repetitions = None, budget: Budget = None,
    seed: Seed = None, fitness: Fitness = None, edition: Edition = None, dim: Dim = None, mixed: Mixed = None,
    mixed_as: MixedAs = None, penalty: Penalty = None,
) -> None:
    """Make one run of a plan again and print it; it gives what it gave in the study."""
    from luciole.study.run import Task, do_run

    changes = _changes(problems=problems, methods=methods, repetitions=repetitions, budget=budget, seed=seed, fitness=fitness,
                       edition=edition, dim=dim, mixed=mixed, mixed_as=mixed_as, penalty=penalty)
    chosen = _begun(Path(plan), changes)[0] if (Path(plan) / FILE).exists() else _plan(plan, changes)[0]
    if repetition < 0:
        raise ArgumentError(f"the repetition {repetition} must be a whole number of at least 0")
    made = do_run(Task(_entry(chosen, "problem", problem), _entry(chosen, "method", method), repetition, chosen.seed,
                       chosen.budget, chosen.fitness))
    for name in ("problem", "method", "repetition", "seed", "error", "value", "violation", "evaluations", "message", "point"):
        print(f"{name}: {getattr(made, name)}")
    print(f"seconds: {made.seconds:.3f}")


@app.command("plan")
def show_plan(
    plan: PlanName, problems: Problems = None, methods: Methods = None, repetitions: Repetitions = None, budget: Budget = None,
    seed: Seed = None, fitness: Fitness = None, edition: Edition = None, dim: Dim = None, mixed: Mixed = None,
    mixed_as: MixedAs = None, penalty: Penalty = None,
) -> None:
    """Check a plan and print it in full, as a start for one of your own."""
    changes = _changes(problems=problems, methods=methods, repetitions=repetitions, budget=budget, seed=seed, fitness=fitness,
                       edition=edition, dim=dim, mixed=mixed, mixed_as=mixed_as, penalty=penalty)
    print(_plan(plan, changes)[0].to_toml(), end="")


def _changes(**options: Any) -> dict[str, Any]:
    """What of the plan the command line replaces; lists of names are split at their commas."""
    given = {key: value for key, value in options.items() if value is not None}
    for key in ("problems", "methods"):
        if key in given:
            given[key] = [each.strip() for each in given[key].split(",") if each.strip()]
            if not given[key]:
                raise ArgumentError(f"--{key} is empty; name at least one, separated by commas")
    for key in ("mixed", "penalty"):
        if key in given:
            given[key] = _value(given[key])
    return given


def _value(text: str) -> Any:
    """What a plan would hold where the command line has a text: true, a number, a list of numbers, or the text."""
    words = {"true": True, "false": False}
    if text.lower() in words:
        return words[text.lower()]
    try:
        numbers = [float(each) if re.search(r"[^-+\d\s]", each) else int(each) for each in text.split(",") if each.strip()]
    except ValueError:
        return text
    return numbers if "," in text or not numbers else numbers[0]


def _text(value: Any) -> str:
    """A value as the command line has it."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value).lower() if isinstance(value, bool) else str(value)


def _plan(source: str, changes: dict[str, Any]) -> tuple[Plan, str]:
    """The plan, and the words that name it."""
    words = [source]
    for key, value in changes.items():
        words += [f"--{key.replace('_', '-')}", _text(value)]
    return read_plan(source, **changes), shlex.join(words)


def _begun(directory: Path, changes: dict[str, Any]) -> tuple[Plan, str]:
    """The plan of a study that was begun."""
    if changes:
        raise ArgumentError(f"--{next(iter(changes)).replace('_', '-')} changes a plan: name the plan as well, as in "
                            "luciole study run PLAN --out DIR")
    return read_plan_of(directory)


def _entry(plan: Plan, kind: str, name: str) -> Any:
    """The problem or method of a plan with a name."""
    entries: tuple[Any, ...] = getattr(plan, f"{kind}s")
    by_name = {each.name.lower(): each for each in entries} | {each.name: each for each in entries}
    found = by_name.get(name) or by_name.get(name.lower())
    if found is None:
        raise ArgumentError(f"the plan {plan.name} has no {kind} {name!r}; it has {', '.join(each.name for each in entries)}")
    return found


def _again(directory: Path) -> str:
    return f"luciole study run --out {shlex.quote(str(directory))}"


@contextlib.contextmanager
def _writing(directory: Path) -> Iterator[None]:
    """Tell in a line why something cannot be written."""
    try:
        yield
    except OSError as error:
        raise FileError(f"{error.filename or directory} cannot be written: {error.strerror or error}. The runs are safe in "
                        f"{directory / FILE}; when this is mended, give the same command again") from None


def _step(module: str, function: str) -> Any:
    """A later step of a study, which needs the extra ``study``."""
    import importlib

    try:
        return getattr(importlib.import_module(f"luciole.study.{module}"), function)
    except ModuleNotFoundError as error:
        raise MissingExtraError(f"luciole study {module} needs {error.name}; install it with: "
                                "pip install 'luciole[study]'") from None


def _print_missing(plan: Plan, finished: dict[tuple[str, str], int]) -> None:
    """A row a method: of how many problems its runs are complete."""
    width = max(len(each.name) for each in plan.methods)
    for method in plan.methods:
        counts = [finished[problem.name, method.name] for problem in plan.problems]
        complete = sum(count == plan.repetitions for count in counts)
        print(f"  {method.name:<{width}}  {sum(counts):,} of {plan.repetitions * len(counts):,} runs, complete on {complete} of "
              f"{len(counts)} problems")
