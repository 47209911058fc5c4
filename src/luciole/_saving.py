"""An optimizer as numbers and JSON, and back."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from luciole._start import Known
from luciole.algorithms import METHODS
from luciole.algorithms.base import Method
from luciole.errors import ArgumentError, FileError
from luciole.space import Space
from luciole.trial import Leader, Trial

if TYPE_CHECKING:
    from luciole.optimizer import Optimizer

GENERATORS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")


def pack(optimizer: "Optimizer") -> tuple[dict[str, Any], dict[str, Any]]:
    """All that makes an optimizer what it is: what JSON can hold, and arrays by name."""
    history, leader, pending, known = optimizer.history, optimizer.leader, optimizer.pending, optimizer._known
    rng = optimizer._rng.bit_generator.state
    if rng["bit_generator"] not in GENERATORS:
        raise ArgumentError(f"a generator of the kind {rng['bit_generator']} cannot be saved; use one of {', '.join(GENERATORS)}")
    meta = {
        "space": _text_of(optimizer.space),
        "outline": _outline(optimizer.space),
        "method": optimizer.method.name,
        "registered": type(optimizer.method) is METHODS.get(optimizer.method.name),
        "parameters": asdict(optimizer.method),
        "budget": optimizer.budget,
        "direction": optimizer.direction,
        "compiled": optimizer._compiled,
        "asked": optimizer._asked,
        "rng": rng,
        "leader": None if leader is None else [*leader[1:], optimizer._rank],
        "errors": {str(number): error for number, error in history.errors.items()},
        "by_value": history.by_value,
        "open": [[trial.number, trial._token] for trial in pending],
        "known": [[each.value, each.violation] for each in known],
    }
    dimension = len(optimizer.space)
    arrays = {
        "leader": np.empty(0) if leader is None else leader.slots,
        "open": np.array([trial._slots for trial in pending]).reshape(-1, dimension),
        "given": np.array(optimizer._given).reshape(-1, dimension),
        "known": np.array([each.slots for each in known]).reshape(-1, dimension),
        "fun": history.fun,
        "violation": history.violation,
        "slots": history.slots,
        "rows": history.evaluations,
    }
    return meta, arrays | {f"state{i}": array for i, array in enumerate(_arrays(optimizer._state))}


def arguments(path: str | Path, meta: dict[str, Any], space: Space | None, method: Method | None) -> dict[str, Any]:
    """The arguments to make the optimizer again; what the file cannot hold has to be brought, and to fit."""
    if space is None:
        if meta["space"] is None:
            raise ArgumentError(f"{path} was saved with values that no file can hold; pass the space: space=...")
        space = Space.from_json(meta["space"])
    elif _outline(space) != meta["outline"]:
        raise ArgumentError(f"space={space!r} is not the one that {path} was saved with; that had {meta['outline']}")
    if method is None:
        if not meta["registered"]:
            raise ArgumentError(f"{path} was saved with a method of your own, {meta['method']!r}; pass it: method=...")
        method = METHODS[meta["method"]](**meta["parameters"])
    elif method.name != meta["method"] or asdict(method) != meta["parameters"]:
        raise ArgumentError(f"method={method!r} is not the one that {path} was saved with: {meta['method']} with "
                            f"{meta['parameters']}")
    return {"space": space, "method": method, "rng": _generator(meta["rng"]), "budget": meta["budget"],
            "direction": meta["direction"], "compiled": meta["compiled"]}


def unpack(optimizer: "Optimizer", meta: dict[str, Any], arrays: dict[str, Any]) -> None:
    """Bring an optimizer that was made anew to where the packed one was."""
    optimizer._rng.bit_generator.state = meta["rng"]
    for i, array in enumerate(_arrays(optimizer._state)):
        array[...] = arrays[f"state{i}"]
    optimizer._asked = meta["asked"]
    optimizer._given = list(arrays["given"])
    optimizer._known = [Known(slots, *rest) for slots, rest in zip(arrays["known"], meta["known"], strict=True)]
    optimizer._open = {number: Trial(number, optimizer._seen_space, slots, token)
                       for (number, token), slots in zip(meta["open"], arrays["open"], strict=True)}
    if meta["leader"] is not None:
        *rest, optimizer._rank = meta["leader"]
        optimizer.leader = Leader(arrays["leader"], *rest)
    optimizer.history.by_value = meta["by_value"]
    optimizer.history.restore(arrays["fun"], arrays["violation"], arrays["slots"], arrays["rows"],
                              {int(number): error for number, error in meta["errors"].items()})


@contextmanager
def reading(path: str | Path) -> Iterator[None]:
    """Say of a file that its content is not what it should be."""
    try:
        yield
    except ArgumentError:
        raise
    except (AttributeError, KeyError, TypeError, IndexError, ValueError) as error:
        raise FileError(f"{path} was saved by another version of luciole: {error}") from error


def _generator(state: dict[str, Any]) -> np.random.Generator:
    if state["bit_generator"] not in GENERATORS:
        raise KeyError(f"unknown generator {state['bit_generator']!r}")
    return np.random.Generator(getattr(np.random, state["bit_generator"])())


def _text_of(space: Space) -> str | None:
    """The space as text; None where it holds values that text cannot, and that the caller of `load` has to bring."""
    try:
        return space.to_json()
    except ArgumentError:
        return None


def _outline(space: Space) -> list[Any]:
    """What of a space has to be the same for a saved state to fit it."""
    return [space.as_array, *([name, each.type_name, each.kind, each.slot_low, each.slot_high] for name, each in space.items())]


def _arrays(state: Any) -> list[Any]:
    """All arrays of a state, which is a tuple of arrays, scalars and such tuples, in order."""
    found: list[Any] = []
    for each in state:
        if isinstance(each, np.ndarray):
            found.append(each)
        elif isinstance(each, tuple):
            found += _arrays(each)
    return found
