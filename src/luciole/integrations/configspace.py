"""Spaces from and to ConfigSpace; needs the extra ``configspace``."""

import math
from typing import Any

from luciole.errors import ArgumentError, MissingExtraError
from luciole.space import Boolean, Categorical, Float, Integer, Ordinal, Space, Variable

try:
    import ConfigSpace
    from ConfigSpace.hyperparameters import (
        CategoricalHyperparameter,
        Constant,
        Hyperparameter,
        OrdinalHyperparameter,
        UniformFloatHyperparameter,
        UniformIntegerHyperparameter,
    )
except ImportError:
    raise MissingExtraError("luciole.integrations.configspace needs ConfigSpace; install it with: "
                            "pip install 'luciole[configspace]'") from None

__all__ = ["from_configspace", "to_configspace"]


def from_configspace(configspace: ConfigSpace.ConfigurationSpace) -> Space:
    """The luciole space of a ConfigSpace.

    Parameters
    ----------
    configspace : ConfigSpace.ConfigurationSpace
        Uniform floats and integers, categorical and ordinal hyperparameters, and constants. Default values have no meaning in
        luciole and are left out. Conditions, forbidden clauses, weights and other distributions are refused with a
        `luciole.ArgumentError`.

    Examples
    --------
    >>> from ConfigSpace import ConfigurationSpace
    >>> from_configspace(ConfigurationSpace({"rate": (0.1, 1.0), "kind": ["a", "b"]}))["rate"]
    Float(0.1, 1.0)
    """
    if not isinstance(configspace, ConfigSpace.ConfigurationSpace):
        raise ArgumentError(f"configspace={configspace!r} must be a ConfigSpace.ConfigurationSpace")
    for what, found in (("conditions", configspace.conditions), ("forbidden clauses", configspace.forbidden_clauses)):
        if found:
            raise ArgumentError(f"the ConfigSpace has {what}, which a luciole.Space cannot express: {found[0]}")
    return Space({name: _variable(name, each) for name, each in configspace.items()})


def to_configspace(space: Space) -> ConfigSpace.ConfigurationSpace:
    """The ConfigSpace of a luciole space.

    Parameters
    ----------
    space : Space
        The variables. A variable with a single value becomes a constant, and bounds are rounded to the 13 decimal places that
        ConfigSpace keeps. Steps, which ConfigSpace does not have, and bounds that rounding would change by more than a
        billionth, are refused with a `luciole.ArgumentError`.

    Examples
    --------
    >>> import luciole as lc
    >>> to_configspace(lc.Space(coils=lc.Integer(1, 70)))["coils"].upper
    70
    """
    if not isinstance(space, Space):
        raise ArgumentError(f"space={space!r} must be a luciole.Space")
    configspace = ConfigSpace.ConfigurationSpace()
    for name, each in space.items():
        try:
            configspace.add(_hyperparameter(name, each))
        except ArgumentError:
            raise
        except (ValueError, TypeError) as error:
            raise ArgumentError(f"{name}: ConfigSpace cannot express {each!r}: {error}") from error
    return configspace


def _variable(name: str, each: Hyperparameter[Any, Any]) -> Variable:
    if isinstance(each, UniformFloatHyperparameter):
        return Float(float(each.lower), float(each.upper), log=bool(each.log))
    if isinstance(each, UniformIntegerHyperparameter):
        return Integer(int(each.lower), int(each.upper), log=bool(each.log))
    if isinstance(each, OrdinalHyperparameter):
        return Ordinal(each.sequence)
    if isinstance(each, Constant):
        return Categorical([each.value])
    if isinstance(each, CategoricalHyperparameter):
        if each.weights is not None and len(set(each.weights)) > 1:
            raise ArgumentError(f"{name}: the choices have the weights {each.weights}, which a luciole.Space cannot express")
        choices = list(each.choices)
        return Boolean() if choices == [False, True] and isinstance(choices[0], bool) else Categorical(choices)
    raise ArgumentError(f"{name}: {each!r} cannot be expressed in a luciole.Space, which has uniform floats and integers, "
                        "categorical and ordinal variables, and constants")


def _hyperparameter(name: str, each: Variable) -> Hyperparameter[Any, Any]:
    if each.size == 1:
        return Constant(name, each.decode(each.slot_low))
    if isinstance(each, Float | Integer):
        if each.step is not None:
            raise ArgumentError(f"{name}: {each!r} has a step, which ConfigSpace cannot express; list the values in an Ordinal")
        uniform = UniformFloatHyperparameter if isinstance(each, Float) else UniformIntegerHyperparameter
        there = uniform(name, each.low, each.high, log=each.log)
        if not (math.isclose(there.lower, each.low) and math.isclose(there.upper, each.high)):
            raise ArgumentError(f"{name}: {each!r} has bounds that ConfigSpace cannot express, which rounds to 13 decimal places")
        return there
    if isinstance(each, Ordinal | Categorical):
        listed = OrdinalHyperparameter if isinstance(each, Ordinal) else CategoricalHyperparameter
        return listed(name, each.values)
    raise ArgumentError(f"{name}: {each!r} of type {type(each).__name__} cannot be expressed in ConfigSpace")
