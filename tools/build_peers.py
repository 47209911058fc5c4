"""Build the environment of the peers: python tools/build_peers.py FOLDER.

All libraries are installed together, with uv where it can be had and with pip otherwise. If that fails, they are installed one
after the other, and those that cannot be are left out. Then each is imported once. What is absent, and why, is written to
FOLDER/absent.json, which `luciole peers` shows.
"""

import json
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ["pytest>=8.2", "pytest-xdist>=3.5", "hypothesis>=6.100"]


def main(folder: Path) -> None:
    """Build the environment and note what is absent."""
    venv.create(folder, with_pip=True, clear=True)
    python = folder / "bin" / "python"
    with (ROOT / "pyproject.toml").open("rb") as file:
        wanted = tomllib.load(file)["project"]["optional-dependencies"]["peers"]
    installers = [[python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]]
    if run([*installers[0], "uv"]) is None:
        installers.insert(0, [python, "-m", "uv", "pip", "install", "--quiet", "--python", python])
    if install(installers, ["--editable", str(ROOT), *TESTS, *wanted]) is not None:
        if error := install(installers, ["--editable", str(ROOT), *TESTS]):
            sys.exit(error)
        limits = [each for each in wanted if each.startswith("jax<")]
        failures = {each: error for each in wanted if (error := install(installers, [each, *limits]))}
    else:
        failures = {}
    absent = check(python, failures)
    (folder / "absent.json").write_text(json.dumps(absent, indent=1))


def install(installers: list[list[object]], what: list[str]) -> str | None:
    """Install with the first installer that can; the last line of what went wrong otherwise."""
    error = None
    for installer in installers:
        error = run([*installer, *what])
        if error is None:
            return None
    return error


def run(command: list[object]) -> str | None:
    """Run a command; the last line of what went wrong, or None."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    lines = (done.stderr or done.stdout).strip().splitlines() or [f"it ended with {done.returncode}"]
    return lines[-1] if done.returncode else None


def check(python: Path, failures: dict[str, str]) -> dict[str, str]:
    """Import what each peer needs; the reason for each that cannot be."""
    script = ("import json; from luciole.integrations.peers import PEERS; "
              "print(json.dumps({n: [p.package, *p.modules] for n, p in PEERS.items()}))")
    listed = subprocess.run([str(python), "-c", script], capture_output=True, text=True, check=True).stdout
    absent = {}
    for name, (package, *modules) in json.loads(listed).items():
        reasons = [f"it could not be installed: {error}" for each, error in failures.items() if each.startswith(package)]
        error = run([python, "-c", f"import {', '.join(modules)}"])
        if reasons or error:
            absent[name] = reasons[0] if reasons else f"it could not be imported: {error}"
            print(f"absent: {name}: {absent[name]}")
    return absent


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute())
