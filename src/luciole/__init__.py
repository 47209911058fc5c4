"""Optimisation of functions of mixed variables: continuous, integer, ordered and categorical at once."""

from typing import TYPE_CHECKING, Any

from luciole.algorithms import FA, GA, INEFA, LSHADE, MFA, NEFA, ACOmv, DEmv, EDAmvn, FAmv, Method, PSOmv, RandomSearch
from luciole.errors import (
    ArgumentError,
    CheckError,
    FileError,
    LucioleError,
    MissingExtraError,
    ObjectiveError,
    StateError,
)
from luciole.minimize import minimize, resume
from luciole.optimizer import Optimizer
from luciole.problem import Constraint, Evaluation, Problem
from luciole.space import Boolean, Categorical, Float, Integer, Ordinal, Space
from luciole.trial import Best, Trial

if TYPE_CHECKING:
    from luciole.result import Result

__version__ = "0.1.0"

__all__ = [
    "FA",
    "GA",
    "INEFA",
    "LSHADE",
    "MFA",
    "NEFA",
    "ACOmv",
    "ArgumentError",
    "Best",
    "Boolean",
    "Categorical",
    "CheckError",
    "Constraint",
    "DEmv",
    "EDAmvn",
    "Evaluation",
    "FAmv",
    "FileError",
    "Float",
    "Integer",
    "LucioleError",
    "Method",
    "MissingExtraError",
    "ObjectiveError",
    "Optimizer",
    "Ordinal",
    "PSOmv",
    "Problem",
    "RandomSearch",
    "Result",
    "Space",
    "StateError",
    "Trial",
    "minimize",
    "problems",
    "resume",
    "testing",
]


def __getattr__(name: str) -> Any:
    """Import what is seldom needed, or needs SciPy, when it is asked for."""
    from importlib import import_module

    if name == "Result":
        return import_module("luciole.result").Result
    if name in ("problems", "testing"):
        return import_module(f"luciole.{name}")
    raise AttributeError(f"module 'luciole' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
