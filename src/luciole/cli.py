"""The command `luciole`: reads arguments, calls the library, prints."""

import importlib
import json
import math
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from luciole.errors import ArgumentError, LucioleError, MissingExtraError
from luciole.minimize import minimize
from luciole.problem import Problem
from luciole.space import Integer, Space

if TYPE_CHECKING:
    from luciole.result import Result

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
                  help="Optimise functions of mixed variables.")


@app.callback()
def about(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True,
                                          callback=lambda value: _print_version(value))] = False,
) -> None:
    """Optimise functions of mixed variables."""


def _print_version(wanted: bool) -> None:
    if wanted:
        from luciole import __version__

        print(__version__)
        raise typer.Exit


@app.command()
def solve(
    what: Annotated[str, typer.Argument(help="A problem from `luciole problems`, or your own function as module:function.")],
    space: Annotated[Path | None, typer.Option(help="The space of your own function: a TOML file.")] = None,
    method: Annotated[str | None, typer.Option(help="A name from `luciole methods`. [default: famv]")] = None,
    budget: Annotated[int, typer.Option(help="How many evaluations to make.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="The seed; the same one gives the same run.")] = 0,
    workers: Annotated[int | None, typer.Option(help="How many processes evaluate side by side.")] = None,
    timeout: Annotated[float | None, typer.Option(help="Stop after so many seconds.")] = None,
    on_error: Annotated[str, typer.Option(help="What an exception does: raise, or penalise and go on.")] = "raise",
    maximize: Annotated[bool, typer.Option("--maximize", help="Look for the largest value of your own function.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the convergence into this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
    progress: Annotated[bool, typer.Option(help="Show a progress bar.")] = False,
) -> None:
    """Solve one problem and print the best design."""
    problem = _find_problem(what, space, maximize)
    if plot is not None:
        _check_picture(plot)
    result = minimize(problem, budget=budget, method=method, rng=seed, workers=workers, timeout=timeout,
                      on_error=on_error, progress=progress)  # type: ignore[arg-type]
    if as_json:
        print(json.dumps(_summary(problem, result), default=str, indent=2))
    else:
        _show(problem, result)
    if plot is not None:
        result.plot(plot, optimum=problem.optimum)
        if not as_json:
            print(f"picture: {plot}")
    if not result.success:
        raise typer.Exit(1)


@app.command()
def problems() -> None:
    """List the problems that come with luciole."""
    from luciole.problems import PROBLEMS

    rows = []
    for name, make in PROBLEMS.items():
        problem = make()
        kinds = [each.type_name for each in problem.space.values()]
        counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
        constraints = len(problem.limits) + len(problem.constraints)
        optimum = "-" if problem.optimum is None else f"{problem.optimum:.10g}"
        rows.append((name, counts, str(constraints or "-"), problem.category, optimum, problem.title))
    _table(("name", "variables", "constraints", "category", "optimum", "what it is"), rows)


@app.command()
def methods() -> None:
    """List the methods and the published settings."""
    from luciole.algorithms import DEFAULT, METHODS, PUBLISHED

    rows = [(name + (" (default)" if type(DEFAULT) is method else ""), (method.__doc__ or "").partition("\n")[0].rstrip("."))
            for name, method in METHODS.items()]
    rows += [(name, f"{method.name} with the published settings") for name, method in PUBLISHED.items()]
    _table(("name", "what it is"), rows)


@app.command()
def peers() -> None:
    """List the methods of other libraries, and which of them can be run."""
    from luciole.integrations.peers import PEERS, available

    rows = [(name, place.version or "absent", place.where or place.reason,
             (PEERS[name].__doc__ or "").partition("\n")[0].rstrip(".")) for name, place in available().items()]
    _table(("name", "version", "where", "what it is"), rows)


@app.command()
def warmup() -> None:
    """Compile every method now, so that no later run waits for it."""
    from luciole._compile import cache_home
    from luciole._warmup import warm_up

    for name in warm_up():
        print(f"compiled {name}")
    print(f"kept in {cache_home()}")


@app.command(add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def study(context: typer.Context) -> None:
    """Compare methods: run a plan, look at it, report on it, export it."""
    from luciole.study.command import app as studies

    studies(context.args, prog_name="luciole study")


def main() -> None:
    """Run the command; mistakes in its use end in one line."""
    sys.path.insert(0, "")  # so that module:function finds a module in the current folder
    try:
        app()
    except LucioleError as error:
        print(f"luciole: {error}", file=sys.stderr)
        raise SystemExit(2) from None


def _find_problem(what: str, space_file: Path | None, maximize: bool) -> Problem:
    module_name, colon, attribute = what.partition(":")
    if not colon:
        from luciole.problems import get_problem

        if space_file is not None or maximize:
            raise ArgumentError(f"--space and --maximize go with your own function as module:function, but {what!r} has no colon")
        return get_problem(what)
    if not module_name or not attribute:
        raise ArgumentError(f"{what!r} must be a problem's name, or your own function as module:function")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not (module_name + ".").startswith(error.name + "."):
            raise ArgumentError(f"{what!r}: importing {module_name!r} failed: {error}") from error
        raise ArgumentError(f"{what!r}: there is no module {module_name!r} in this folder or installed") from None
    except Exception as error:
        raise ArgumentError(f"{what!r}: importing {module_name!r} failed: {type(error).__name__}: {error}") from error
    if not hasattr(module, attribute):
        raise ArgumentError(f"{what!r}: the module {module_name!r} has no {attribute!r}")
    found = getattr(module, attribute)
    if isinstance(found, Problem):
        if space_file is not None or maximize:
            raise ArgumentError(f"--space and --maximize go with a function, but {what!r} is a Problem, which brings its own")
        return found
    if space_file is None:
        raise ArgumentError(f"{what!r} is a function; its space is missing: --space FILE.toml")
    return Problem(found, _read_space(space_file), direction="maximize" if maximize else "minimize", name=what)


def _check_picture(path: Path) -> None:
    """Find out before the run whether the picture can be drawn after it."""
    try:
        from matplotlib.backend_bases import FigureCanvasBase
    except ImportError:
        raise MissingExtraError("--plot needs matplotlib; install it with: pip install 'luciole[plot]'") from None
    if not path.parent.is_dir():
        raise ArgumentError(f"--plot {path}: there is no folder {path.parent}")
    endings = FigureCanvasBase.get_supported_filetypes()
    if path.suffix[1:].lower() not in endings:
        raise ArgumentError(f"--plot {path}: the ending must be one of {', '.join(sorted(endings))}")


def _read_space(path: Path) -> Space:
    try:
        with path.open("rb") as file:
            return Space.from_dict(tomllib.load(file))
    except OSError as error:
        raise ArgumentError(f"--space {path}: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise ArgumentError(f"--space {path}: {error}") from None
    except ArgumentError as error:
        raise ArgumentError(f"--space {path}: {error}") from None


def _summary(problem: Problem, result: "Result") -> dict[str, Any]:
    return {"problem": problem.name, "method": result.method, problem.value_name: _finite(result.fun),
            "x": result.x.tolist() if problem.space.as_array and result.x is not None else result.x,
            "feasible": bool(result.success), "violation": _finite(result.violation), "evaluations": result.nfev,
            "seconds": result.seconds, "message": result.message}


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _show(problem: Problem, result: "Result") -> None:
    what = "best known" if problem.best_known is not None else "bound"
    known = "" if problem.optimum is None else f" ({what} {_shown(problem.optimum)})"
    print(f"{problem.value_name}: {_shown(result.fun)}{known}")
    if result.x is not None:
        point = result.x
        if problem.space.as_array:
            point = {name: int(number) if isinstance(variable, Integer) and number == int(number) else float(number)
                     for (name, variable), number in zip(problem.space.items(), result.x, strict=True)}
        width = max(map(len, point))
        for name, value in point.items():
            shown = _shown(value) if isinstance(value, float) else str(value)
            print(f"  {name:<{width}}  {shown} {problem.units.get(name, '')}".rstrip())
    print("feasible: " + ("yes" if result.success else f"no, violation {result.violation:.6g}"))
    # Finding the names takes another evaluation, which is cheap for the problems that come with luciole.
    if problem.limits and result.violation and result.x in problem.space:
        for name, excess in problem.violated(result.x).items():
            print(f"  broken: {name}, by {excess:.6g}")
    print(f"evaluations: {result.nfev} in {result.seconds:.2f} s with {result.method}; {result.message}")


def _shown(number: float) -> str:
    return f"{number:.6f}" if number == 0 or abs(number) >= 1e-3 else f"{number:.6g}"


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, tuple("-" * width for width in widths), *rows]:
        print("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
