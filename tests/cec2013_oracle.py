"""The reference values, and how far a value may be off them."""

from functools import cache
from pathlib import Path

import numpy as np

import luciole as lc

ORACLE = Path(__file__).parent / "oracle"
FILES = {"official": "cec2013_official.npz", "opfunu-1.0.1": "cec2013_opfunu101.npz"}
REFERENCE_DIMENSIONS = {"official": (2, 5, 10, 20, 30, 50, 100), "opfunu-1.0.1": (2, 10, 30, 50)}


@cache
def read_oracle(edition):
    with np.load(ORACLE / FILES[edition]) as archive:
        return {key: archive[key] for key in archive.files}


@cache
def real_problem(number, dim, edition="official"):
    """The function on real numbers."""
    return lc.problems.cec2013(number, dim, mixed=False, edition=edition)


def reference(number, dim, edition):
    """The points, their reference values and how far a value may be off."""
    oracle, official = read_oracle(edition), read_oracle("official")
    values = oracle[f"F_D{dim}"][number - 1]
    relative = 1e-9 if edition == "official" else 1e-7
    scale = relative * np.abs(values - oracle["bias"][number - 1])
    moved = 10.0 * official[f"ulp_D{dim}"][number - 1]
    return oracle[f"X_D{dim}"], values, np.maximum(np.maximum(scale, 1e-9), moved)
