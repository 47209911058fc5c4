"""The methods, one file each, and the registry of their names."""

from luciole.algorithms.acomv import ACOmv
from luciole.algorithms.base import Method
from luciole.algorithms.demv import DEmv
from luciole.algorithms.edamvn import EDAmvn
from luciole.algorithms.fa import FA
from luciole.algorithms.famv import FAmv
from luciole.algorithms.ga import GA
from luciole.algorithms.inefa import INEFA
from luciole.algorithms.lshade import LSHADE
from luciole.algorithms.mfa import MFA
from luciole.algorithms.nefa import NEFA
from luciole.algorithms.psomv import PSOmv
from luciole.algorithms.random_search import RandomSearch
from luciole.errors import ArgumentError

__all__ = [
    "DEFAULT", "FA", "GA", "INEFA", "LSHADE", "METHODS", "MFA", "NEFA", "PUBLISHED", "ACOmv", "DEmv", "EDAmvn", "FAmv", "Method",
    "PSOmv", "RandomSearch", "get_method",
]

METHODS: dict[str, type[Method]] = {
    each.name: each for each in (FAmv, FA, DEmv, PSOmv, GA, LSHADE, ACOmv, EDAmvn, NEFA, INEFA, MFA, RandomSearch)
}
"""Every method by its name. A method file becomes part of the library by its line here."""

PAPER: dict[str, Method] = {
    each.label: each for each in (PSOmv.paper(), DEmv.paper(), GA.paper(), FA.paper(), *map(FAmv.paper, FAmv.VARIANTS))
}
"""The settings of the FAmv paper by their name in its tables."""

PUBLISHED: dict[str, Method] = PAPER | {
    each.label: each
    for each in (LSHADE.paper(), LSHADE(population="small"), ACOmv.paper(), EDAmvn.paper(), NEFA.paper(), INEFA.paper(),
                 MFA.paper())
}
"""Published settings by their name in tables."""

DEFAULT: Method = FAmv()


def get_method(method: "str | Method | None") -> Method:
    """A method from its name, from the name of a published setting such as ``"FAmv_H^a"``, or as it is; None: the default."""
    if method is None:
        return DEFAULT
    if isinstance(method, Method):
        return method
    if isinstance(method, type) and issubclass(method, Method):
        return method()
    if isinstance(method, str) and method in METHODS:
        return METHODS[method]()
    if isinstance(method, str) and method in PUBLISHED:
        return PUBLISHED[method]
    raise ArgumentError(f"method={method!r} is not known; use {', '.join(METHODS)}, a published setting "
                        f"({', '.join(PUBLISHED)}) or a Method such as FAmv(distance='gower')")
