"""Random numbers: what `rng=` accepts, everywhere in the library, following SciPy's SPEC 7."""

from typing import Any

import numpy as np
from numpy.random import BitGenerator, Generator, SeedSequence

from luciole.errors import ArgumentError

Seed = int | Generator | BitGenerator | SeedSequence | None


def make_rng(rng: Seed | Any) -> Generator:
    """A generator from a seed, or the very generator given; None asks the operating system for a seed."""
    if isinstance(rng, np.random.RandomState):
        raise ArgumentError("rng is a legacy numpy.random.RandomState; pass a seed or numpy.random.default_rng(seed)")
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"rng={rng!r} must be a whole number >= 0, a numpy.random.Generator or None ({error})") from None
