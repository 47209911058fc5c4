"""Where a peer runs: in this process if its library is installed, else in the environment of the peers."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from luciole.errors import MissingExtraError

if TYPE_CHECKING:
    from luciole.integrations.peers.base import Peer
    from luciole.integrations.peers.task import Task

VARIABLE = "LUCIOLE_PEERS"
"""The environment variable that names the Python of the peers' environment."""

FOLDER = ".venv-peers"
"""What ``make peers`` builds, in the folder one works in or in the source tree of luciole."""


class Place(NamedTuple):
    """Where a peer runs."""

    version: str
    """Of the library; empty if the peer is absent."""
    where: str
    """``"here"``, or the Python that runs it; empty if the peer is absent."""
    reason: str = ""
    """Why it is absent."""

    @property
    def present(self) -> bool:
        """Whether the peer can be run."""
        return bool(self.where)


def here(peer: "type[Peer] | Peer") -> Place:
    """Whether a peer runs in this environment."""
    for module in peer.modules:
        try:
            missing = find_spec(module) is None
        except ImportError:
            missing = True
        if missing:
            return Place("", "", f"{module} is not installed")
    try:
        return Place(version(peer.package), "here")
    except PackageNotFoundError:
        return Place("", "", f"{peer.package} is not installed")


def environment() -> Path | None:
    """The Python of the peers' environment, if there is one other than this."""
    named = os.environ.get(VARIABLE)
    # A virtual environment's Python is a link to another's, so links are not followed.
    folders = (Path.cwd() / FOLDER, Path(__file__).parents[4] / FOLDER)
    candidates = [Path(named)] if named else [folder / "bin" / "python" for folder in folders]
    return next((each.absolute() for each in candidates if each.is_file() and each.absolute() != Path(sys.executable)), None)


@cache
def there(python: Path) -> Mapping[str, Place]:
    """What an environment says of each peer."""
    command = [str(python), "-m", "luciole.integrations.peers.worker", "--list"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"])[-1]
        raise MissingExtraError(f"the peers' environment {python} does not work: {last}; build it anew with: make peers")
    places = {name: Place(*fields) for name, fields in json.loads(done.stdout).items()}
    return {name: place._replace(where=str(python)) if place.present else place for name, place in places.items()}


def places(peers: "Mapping[str, type[Peer]]") -> dict[str, Place]:
    """Where each of some peers runs."""
    return {name: _place_of(peer) for name, peer in peers.items()}


def _place_of(peer: "type[Peer] | Peer") -> Place:
    found = here(peer)
    python = environment()
    if found.present:
        return found
    if python is None:
        return found._replace(reason=f"{found.reason}; make peers builds an environment for it")
    return there(python).get(peer.name, found)


def search_of(peer: "Peer") -> "Callable[[Task], None]":
    """The search of a peer, here or there; a `MissingExtraError` says why there is none."""
    place = _place_of(peer)
    if place.where == "here":
        return peer.search
    if not place.present:
        raise MissingExtraError(f"the peer {peer.name} is absent: {place.reason}")
    from luciole.integrations.peers._remote import search_in

    return search_in(Path(place.where), peer)


def listing(peers: "Mapping[str, type[Peer]]") -> dict[str, Any]:
    """What this environment says of each peer, for `there`; what went wrong when it was built is told by a file beside it."""
    noted = Path(sys.prefix) / "absent.json"
    reasons = json.loads(noted.read_text()) if noted.is_file() else {}
    found = {}
    for name, peer in peers.items():
        place = here(peer)
        found[name] = list(place._replace(reason=reasons.get(name, place.reason)) if not place.present else place)
        if name in reasons:  # installed, but it could not be imported
            found[name] = ["", "", reasons[name]]
    return found
