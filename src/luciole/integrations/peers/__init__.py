"""Methods of other libraries on luciole's problems: the same budget, failures and results, their own search.

`get_peer("cmawm").run(problem, budget=1000, seed=0)` returns a `luciole.Result`. A peer whose library is not installed here runs
in the environment that ``make peers`` builds, unasked; `available` tells which are there, and why others are not.
"""

from dataclasses import fields
from typing import Any

from luciole.errors import ArgumentError
from luciole.integrations.peers import _place
from luciole.integrations.peers._place import Place
from luciole.integrations.peers.base import Peer
from luciole.integrations.peers.catcmawm import CatCMAwM
from luciole.integrations.peers.cmawm import CMAwM
from luciole.integrations.peers.ngopt import NGOpt
from luciole.integrations.peers.optuna_cmaes import OptunaCmaEs
from luciole.integrations.peers.optuna_tpe import OptunaTPE
from luciole.integrations.peers.pymoo_ga import PymooGA
from luciole.integrations.peers.scipy_de import ScipyDE
from luciole.integrations.peers.smac3 import SMAC3
from luciole.integrations.peers.vizier_eagle import VizierEagle

__all__ = ["PEERS", "Peer", "Place", "available", "get_peer"]

PEERS: dict[str, type[Peer]] = {
    each.name: each
    for each in (CMAwM, CatCMAwM, ScipyDE, PymooGA, OptunaTPE, OptunaCmaEs, NGOpt, VizierEagle, SMAC3)
}
"""Every peer by its name, whether its library is installed or not."""


def get_peer(name: "str | Peer", **options: Any) -> Peer:
    """A peer by its name, with options of its own; ``get_peer("scipy-de", popsize=5)``."""
    if isinstance(name, Peer):
        return name
    if name not in PEERS:
        raise ArgumentError(f"the peer {name!r} is not known; use {', '.join(PEERS)}")
    try:
        return PEERS[name](**options)
    except TypeError:
        allowed = ", ".join(each.name for each in fields(PEERS[name])) or "no options"
        raise ArgumentError(f"the peer {name} takes {allowed}, not {', '.join(options)}") from None


def available() -> dict[str, Place]:
    """Where each peer runs and in which version, or why it is absent."""
    return _place.places(PEERS)
