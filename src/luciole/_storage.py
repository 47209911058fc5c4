"""A file that holds numbers and JSON but no code: written whole or not at all, checked on reading."""

import errno
import hashlib
import io
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from luciole.errors import FileError

MAGIC = b"luciole 1\n"


def write(path: Path, meta: dict[str, Any], arrays: dict[str, Any]) -> None:
    """Write what JSON can hold, and arrays by name; a reader sees the old file or the new one, never half of one."""
    content = io.BytesIO()
    text = json.dumps(meta, default=_plain).encode()
    np.savez(content, meta=np.frombuffer(text, dtype=np.uint8), **arrays)
    body = content.getvalue()
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(path.parent))
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            file.write(MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def read(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read what `write` wrote; a `FileError` says what is wrong with any other file."""
    magic, _, rest = path.read_bytes().partition(b"\n")
    digest, _, body = rest.partition(b"\n")
    if magic + b"\n" != MAGIC:
        raise FileError(f"{path} was not saved by this version of luciole")
    if hashlib.sha256(body).hexdigest().encode() != digest:
        raise FileError(f"{path} is damaged: its checksum does not fit its content")
    try:
        with np.load(io.BytesIO(body), allow_pickle=False) as data:
            arrays = {name: data[name] for name in data.files}
        return json.loads(arrays.pop("meta").tobytes().decode()), arrays
    except Exception as error:  # a zip file can be wrong in many ways
        raise FileError(f"{path} holds no saved state: {error}") from None


def _plain(value: Any) -> Any:
    """NumPy scalars and arrays, as in the state of a generator, for JSON."""
    return value.tolist()
