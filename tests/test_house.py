"""The shape of the house: what an import loads, which way dependencies point, what is public and documented."""

import ast
import importlib
import inspect
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import luciole as lc

SOURCE = Path(lc.__file__).parent

# From the ground up; a module may import, when it is loaded, only from layers below its own.
LAYERS = [
    {"errors"},
    {"_compile", "_layout", "_lock", "_orphan", "_seed", "_storage"},
    {"variables"},
    {"choices", "_objective"},
    {"space"},
    {"problem", "trial", "_start"},
    {"history", "_memory", "_pool"},
    {"algorithms", "_workers"},
    {"_saving"},
    {"optimizer", "problems", "plotting"},
    {"_checkpoint", "_loop", "_progress", "result"},
    {"_run"},
    {"minimize"},
    {"testing", "_warmup"},
    {"study", "integrations"},
    {"cli"},
]


def modules():
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        if parts not in (("__init__",), ("__main__",)):
            yield parts[0], path


def imported(path):
    """The layers-relevant imports that happen on loading: not those in functions, nor those for type checkers only."""
    for node in ast.parse(path.read_text()).body:
        for name in [node.module] if isinstance(node, ast.ImportFrom) else [each.name for each in getattr(node, "names", [])]:
            if isinstance(node, ast.Import | ast.ImportFrom) and name.startswith("luciole."):
                yield name.split(".")[1]


def test_dependencies_point_downwards():
    height = {name: level for level, names in enumerate(LAYERS) for name in names}
    for name, path in modules():
        for other in imported(path):
            assert other == name or height[other] < height[name], f"{path.name} imports luciole.{other}, which is not below it"


HEAVY = ["numba", "scipy.optimize", "scipy.stats", "scipy", "pandas", "matplotlib", "typer", "rich", "loky", "cloudpickle", "optuna", "ConfigSpace"]


@pytest.mark.parametrize("code", [
    "import luciole",
    "import luciole as lc; lc.Space(x=lc.Float(0, 1)).sample()",
    "import luciole as lc; o = lc.Optimizer(lc.Space(x=lc.Float(0, 1)), budget=200); [o.tell(o.ask(), 1.0) for _ in range(200)]",
])
def test_what_is_not_needed_is_not_imported(code):
    script = f"import sys; {code}; import json; print(json.dumps([m for m in {HEAVY} if m in sys.modules]))"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert json.loads(out) == []


def test_a_short_minimize_does_not_import_numba():
    script = ("import sys, luciole as lc; lc.minimize(lambda p: p['x'], lc.Space(x=lc.Float(0, 1)), budget=200, rng=0); "
              "sys.exit('numba' in sys.modules)")
    subprocess.run([sys.executable, "-c", script], check=True)


def public_objects():
    for name in lc.__all__:
        each = getattr(lc, name)
        yield name, each
        if inspect.isclass(each) and each.__module__.startswith("luciole"):
            for key, member in vars(each).items():
                if not key.startswith("_") and (inspect.isfunction(member) or isinstance(member, property | classmethod)):
                    yield f"{name}.{key}", getattr(each, key)


@pytest.mark.parametrize(("name", "each"), list(public_objects()))
def test_everything_public_has_a_docstring(name, each):
    assert inspect.getdoc(each), f"{name} has no docstring"


def test_every_module_has_a_docstring_and_is_short():
    for info in pkgutil.walk_packages(lc.__path__, "luciole."):
        if info.name == "luciole.__main__":
            continue
        module = importlib.import_module(info.name)
        assert module.__doc__, f"{info.name} has no docstring"
        assert len(inspect.getsource(module).splitlines()) <= 450, f"{info.name} is long"


def test_the_public_surface_is_this():
    assert sorted(lc.__all__) == sorted(dir(lc))
    assert set(lc.__all__) == {
        "ACOmv", "ArgumentError", "Best", "Boolean", "Categorical", "CheckError", "Constraint", "DEmv", "EDAmvn", "Evaluation", "FA", "FAmv", "FileError", "Float", "GA",
        "INEFA", "Integer", "LSHADE", "LucioleError", "MFA", "Method", "MissingExtraError", "NEFA", "ObjectiveError", "Optimizer", "Ordinal", "PSOmv", "Problem", "RandomSearch", "Result",
        "Space", "StateError", "Trial", "minimize", "problems", "resume", "testing",
    }
    with pytest.raises(AttributeError, match="no attribute 'genetic'"):
        lc.genetic  # noqa: B018


def test_errors_can_be_caught_as_one():
    for name in lc.__all__:
        if name.endswith("Error"):
            assert issubclass(getattr(lc, name), lc.LucioleError)
    assert issubclass(lc.ArgumentError, ValueError)
    assert issubclass(lc.ObjectiveError, TypeError)
