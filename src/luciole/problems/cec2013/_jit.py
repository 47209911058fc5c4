"""The one place where compilation flags are chosen."""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba import njit

from luciole._compile import cache_folder


def jit(function: Callable[..., Any]) -> Any:
    """Compile a function with the flags shared by the whole subpackage.

    Floating-point reassociation must stay off: range reductions and the conversions between floats and integers rely on the
    order in which they are written. All vectorisation is explicit (see `_simd`), so nothing is lost by it, and the results do
    not depend on the machine's vector width.
    """
    with cache_folder(_state_of_the_sources()):
        return njit(cache=True, nogil=True, error_model="numpy")(function)


@cache
def _state_of_the_sources() -> str:
    """A hash of the modules beside this one.

    These functions exist compiled only, so `luciole._compile`, which follows plain functions, cannot tell what they call.
    """
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
