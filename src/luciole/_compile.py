"""Compile kernels with Numba, and only when that pays.

A *kernel* is a plain module-level function on arrays and scalars. It runs as it is; `compiled` returns the same function
compiled, together with every kernel it calls, giving the same bits. Nothing here imports Numba until something is compiled.
"""

import hashlib
import inspect
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

# No fastmath: plain and compiled kernels have to agree to the bit. Kernels allocate nothing, so they need no reference counts,
# whose atomic updates cost more than the arithmetic; inlining saves passing states of many arrays by value.
OPTIONS: dict[str, Any] = {"cache": True, "error_model": "numpy", "nogil": True, "forceinline": True, "_nrt": False}

_compiled: dict[tuple[Any, ...], Any] = {}


def compiled(kernel: Callable[..., Any], *, signature: Any = None, **stand_ins: Callable[..., Any]) -> Any:
    """Compile a kernel and, under the names it uses for them, all kernels that it calls.

    Parameters
    ----------
    kernel : function
        A module-level function.
    signature : numba signature, optional
        Compile for this signature at once. Without it, each new combination of argument types is compiled at its first call.
    **stand_ins : function
        Kernels to put in place of globals of the same names, so that one loop serves every method.

    Returns
    -------
    numba dispatcher
        Kept for the life of the process, and cached on disk for the next one.
    """
    key = (kernel, str(signature), *sorted((name, each) for name, each in stand_ins.items()))
    if key not in _compiled:
        from numba import njit

        callees = _callees(kernel, stand_ins)
        scope = dict(kernel.__globals__)
        scope.update({name: compiled(each) for name, each in callees.items()})
        # A copy of the function with its own globals: the plain one stays as it is. The name tells copies with other
        # stand-ins apart in the cache folder.
        copy = FunctionType(kernel.__code__, scope, kernel.__name__, kernel.__defaults__)
        copy.__module__ = kernel.__module__
        copy.__qualname__ = "_".join([kernel.__qualname__, *(each.__module__.rpartition(".")[2] for each in stand_ins.values())])
        with cache_folder(_fingerprint(kernel, stand_ins)):
            decorate = njit(**OPTIONS) if signature is None else njit(signature, **OPTIONS)
            _compiled[key] = decorate(copy)
    return _compiled[key]


def is_compiled(function: object) -> bool:
    """Whether a function was compiled with Numba by its owner (asked without importing Numba)."""
    dispatcher = sys.modules.get("numba.core.dispatcher")
    return dispatcher is not None and isinstance(function, dispatcher.Dispatcher)


def cache_home() -> Path:
    """The folder that holds compiled code between processes; `LUCIOLE_CACHE_DIR` moves it."""
    if chosen := os.environ.get("LUCIOLE_CACHE_DIR"):
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", str(Path.home()))
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "luciole"


def _callees(kernel: Callable[..., Any], stand_ins: dict[str, Any]) -> dict[str, Callable[..., Any]]:
    """The kernels that a kernel calls, by the name it calls them."""
    scope = kernel.__globals__ | stand_ins
    found = {name: scope.get(name) for name in kernel.__code__.co_names}
    return {name: each for name, each in found.items() if inspect.isfunction(each)}


def _fingerprint(kernel: Callable[..., Any], stand_ins: dict[str, Any]) -> str:
    """A hash of the bytecode of a kernel and of all that it calls, with the constants they use.

    Numba's cache does not see edits in imported functions; a folder of its own for each state of the sources does.
    """
    seen: dict[str, None] = {}

    def visit(function: Callable[..., Any], stand_ins: dict[str, Any]) -> None:
        scope = function.__globals__ | stand_ins
        text = [function.__module__, function.__qualname__, *_describe(function.__code__)]
        text += [f"{name}={scope[name]!r}" for name in function.__code__.co_names
                 if isinstance(scope.get(name), int | float | str)]
        line = "|".join(text)
        if line not in seen:
            seen[line] = None
            for each in _callees(function, stand_ins).values():
                visit(each, {})

    visit(kernel, stand_ins)
    return hashlib.sha256("\n".join([repr(OPTIONS), *sorted(seen)]).encode()).hexdigest()[:16]


def _describe(code: CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    yield repr(code.co_names)
    yield repr([each for each in code.co_consts if not isinstance(each, CodeType)])


@contextmanager
def cache_folder(name: str) -> Iterator[None]:
    """Let Numba cache in our own folder while a kernel is being decorated, or in a temporary one where that fails."""
    from numba.core import config as numba_config

    config: Any = numba_config

    folder = cache_home() / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"luciole-{os.getuid() if hasattr(os, 'getuid') else 'cache'}" / name
        folder.mkdir(parents=True, exist_ok=True)
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before
