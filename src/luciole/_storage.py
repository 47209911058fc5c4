"""Optimizers on disk: one file, written whole or not at all, checked on reading, holding numbers and JSON but no code."""

import hashlib
import io
import json
import os
import tempfile
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from luciole.algorithms import METHODS
from luciole.errors import ArgumentError, FileError
from luciole.space import Space

if TYPE_CHECKING:
    from luciole.optimizer import Optimizer

MAGIC = b"luciole optimizer 1\n"


def save(optimizer: "Optimizer", path: Path) -> None:
    """Write an optimizer to a file."""
    if type(optimizer.method) is not METHODS.get(optimizer.method.name):
        raise ArgumentError(f"method={optimizer.method!r} is not one of luciole's and cannot be saved")
    try:
        space = optimizer.space.to_json()
    except ArgumentError:
        space = None  # the caller has to bring it when loading; its text tells whether it is the same
    history, best = optimizer.history, optimizer.best
    meta = {
        "version": version("luciole"),
        "space": space,
        "space_text": repr(optimizer.space),
        "method": optimizer.method.name,
        "parameters": asdict(optimizer.method),
        "budget": optimizer.budget,
        "direction": optimizer.direction,
        "compiled": optimizer._compiled,
        "asked": optimizer._asked,
        "rng": optimizer._rng.bit_generator.state,
        "best": None if best is None else [best.value, best.violation, best.number],
        "errors": {str(number): error for number, error in history.errors.items()},
        "open": [[trial.number, trial.token] for trial in optimizer.pending],
    }
    arrays = {f"state{i}": array for i, array in enumerate(_arrays(optimizer._state))}
    arrays["best"] = np.empty(0) if best is None else optimizer._seen_space.encode(best.x)
    arrays["open"] = np.array([trial.slots for trial in optimizer.pending]).reshape(-1, len(optimizer.space))
    arrays["given"] = np.array(optimizer._given).reshape(-1, len(optimizer.space))
    arrays |= {"fun": history.fun, "violation": history.violation, "slots": history.slots, "rows": history.evaluations}
    arrays["meta"] = np.frombuffer(json.dumps(meta, default=_plain).encode(), dtype=np.uint8)
    content = io.BytesIO()
    np.savez_compressed(content, allow_pickle=False, **arrays)
    body = content.getvalue()
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            file.write(MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            os.unlink(file.name)
            raise
    os.replace(file.name, path)


def load(path: Path, space: Space | None) -> "Optimizer":
    """Read an optimizer from a file."""
    from luciole.optimizer import Best, Optimizer, Trial

    content = path.read_bytes()
    head, _, rest = content.partition(b"\n")
    digest, _, body = rest.partition(b"\n")
    if head + b"\n" != MAGIC:
        raise FileError(f"{path} is not an optimizer saved by this version of luciole")
    if hashlib.sha256(body).hexdigest().encode() != digest:
        raise FileError(f"{path} is damaged: its checksum does not fit its content")
    with np.load(io.BytesIO(body), allow_pickle=False) as data:
        arrays = {name: data[name] for name in data.files}
    meta = json.loads(arrays["meta"].tobytes().decode())
    if space is None:
        if meta["space"] is None:
            raise ArgumentError(f"{path} was saved with values that no file can hold; pass the space: load(path, space)")
        space = Space.from_json(meta["space"])
    elif repr(space) != meta["space_text"]:
        raise ArgumentError(f"space={space!r} is not the one that {path} was saved with: {meta['space_text']}")
    rng = np.random.Generator(getattr(np.random, meta["rng"]["bit_generator"])())
    optimizer = Optimizer(space, METHODS[meta["method"]](**meta["parameters"]), rng=rng, budget=meta["budget"],
                          direction=meta["direction"], compiled=meta["compiled"])
    rng.bit_generator.state = meta["rng"]
    for array, saved in zip(_arrays(optimizer._state), (arrays[f"state{i}"] for i in range(len(arrays))), strict=False):
        array[...] = saved
    optimizer._asked = meta["asked"]
    optimizer._given = list(arrays["given"])
    optimizer._open = {number: Trial(number, optimizer._seen_space, slots, token)
                       for (number, token), slots in zip(meta["open"], arrays["open"], strict=True)}
    if meta["best"] is not None:
        optimizer._best = Best(optimizer._seen_space.decode(arrays["best"]), *meta["best"])
    optimizer.history.restore(arrays["fun"], arrays["violation"], arrays["slots"], arrays["rows"],
                              {int(number): error for number, error in meta["errors"].items()})
    return optimizer


def _arrays(state: Any) -> list[Any]:
    """All arrays of a state, which is a tuple of arrays, scalars and such tuples, in order."""
    found: list[Any] = []
    for each in state:
        if isinstance(each, np.ndarray):
            found.append(each)
        elif isinstance(each, tuple):
            found += _arrays(each)
    return found


def _plain(value: Any) -> Any:
    """NumPy scalars and arrays in a generator's state, for JSON."""
    return value.tolist()
