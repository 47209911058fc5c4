"""Which methods of a study are compared with each other in one table or figure."""

import re
from collections.abc import Sequence

BASELINES = frozenset(["PSOmv", "DEmv", "GA", "FA", "FAmv_H", "FAmv_H^a", "FAmv_G", "FAmv_G^ag"])
"""The methods of the paper's main comparison, where the last three variants are called FAmv*_H, FAmv_G and FAmv*_G."""

ABLATION_ONLY = frozenset(["FAmv_H^g", "FAmv_H^ag", "FAmv_G^a", "FAmv_G^g", "FAmv_G^D"])
"""The variants that only the paper's ablation study has."""


def main_comparison(methods: Sequence[str]) -> tuple[str, ...]:
    """The methods of the main comparison: all of them, but in a study of everything in the paper without `ABLATION_ONLY`.

    What is similar to the best depends on how many methods are compared, so the paper's tables come out only if each compares the
    methods that it shows.
    """
    if set(methods) >= BASELINES:
        return tuple(each for each in methods if each not in ABLATION_ONLY)
    return tuple(methods)


def firefly_variants(methods: Sequence[str]) -> tuple[str, ...]:
    """The variants of the firefly algorithm, if they are three or more among other methods."""
    variants = tuple(each for each in methods if re.match(r"FA(mv)?\b|FAmv[*_]", each))
    return variants if 3 <= len(variants) < len(methods) else ()
