"""Optuna's distributions from luciole's variables, and back."""

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import Trial

from luciole.errors import ArgumentError
from luciole.space import Boolean, Categorical, Float, Integer, Ordinal, Space, Variable


def from_optuna(distributions: Mapping[str, BaseDistribution]) -> Space:
    """The luciole space of Optuna distributions.

    Parameters
    ----------
    distributions : dict
        An Optuna distribution for each name, such as ``trial.distributions`` or what `optuna.search_space` infers.

    Returns
    -------
    Space
        The same variables. Distributions that luciole does not have are refused with a `luciole.ArgumentError`.

    Examples
    --------
    >>> from optuna.distributions import CategoricalDistribution, FloatDistribution
    >>> from_optuna({"rate": FloatDistribution(1e-5, 1e-1, log=True), "kind": CategoricalDistribution(["a", "b"])})
    Space({'rate': Float(1e-05, 0.1, log=True), 'kind': Categorical(['a', 'b'])})
    """
    if not isinstance(distributions, Mapping):
        raise ArgumentError(f"distributions={distributions!r} must be a dict of names and Optuna distributions")
    return Space({name: _named(name, variable_of, each) for name, each in distributions.items()})


def to_optuna(space: Space, *, ordered_as_categorical: bool = False) -> dict[str, BaseDistribution]:
    """The Optuna distributions of a luciole space.

    Parameters
    ----------
    space : Space
        The variables.
    ordered_as_categorical : bool
        Whether a `luciole.Ordinal`, which Optuna does not have, becomes a categorical distribution, losing its order. Left out,
        it is refused, as are values and steps that Optuna cannot hold, with a `luciole.ArgumentError`.

    Examples
    --------
    >>> import luciole as lc
    >>> to_optuna(lc.Space(coils=lc.Integer(1, 70)))
    {'coils': IntDistribution(high=70, log=False, low=1, step=1)}
    """
    if not isinstance(space, Space):
        raise ArgumentError(f"space={space!r} must be a luciole.Space")
    return {name: _named(name, distribution_of, each, ordered_as_categorical) for name, each in space.items()}


def suggest(trial: Trial, space: Space) -> dict[str, Any]:
    """Suggest a value for each variable of a luciole space.

    Parameters
    ----------
    trial : optuna.trial.Trial
        What Optuna hands to the objective.
    space : Space
        The variables. A `luciole.Ordinal` is suggested as a categorical; `FireflySampler(space)` knows its order.

    Returns
    -------
    dict
        The point, as a luciole objective gets it.

    Examples
    --------
    >>> import luciole as lc, optuna
    >>> space = lc.Space(size=lc.Ordinal([1, 2, 4, 8]), rate=lc.Float(0, 1))
    >>> point = suggest(optuna.create_study().ask(), space)
    >>> point in space
    True
    """
    point: dict[str, Any] = {}
    for name, each in to_optuna(space, ordered_as_categorical=True).items():
        if isinstance(each, FloatDistribution):
            point[name] = trial.suggest_float(name, each.low, each.high, step=each.step, log=each.log)
        elif isinstance(each, IntDistribution):
            point[name] = trial.suggest_int(name, each.low, each.high, step=each.step, log=each.log)
        elif isinstance(each, CategoricalDistribution):
            point[name] = trial.suggest_categorical(name, each.choices)
    return point


def variable_of(distribution: BaseDistribution) -> Variable:
    """The variable of an Optuna distribution."""
    if isinstance(distribution, FloatDistribution):
        return Float(distribution.low, distribution.high, log=distribution.log, step=distribution.step)
    if isinstance(distribution, IntDistribution):
        step = None if distribution.step == 1 else distribution.step
        return Integer(distribution.low, distribution.high, log=distribution.log, step=step)
    if isinstance(distribution, CategoricalDistribution):
        choices = list(distribution.choices)
        is_boolean = choices == [False, True] and all(isinstance(each, bool) for each in choices)
        return Boolean() if is_boolean else Categorical(choices)
    raise ArgumentError(f"{distribution!r} is not known; luciole has float, int and categorical distributions")


def distribution_of(variable: Variable, ordered_as_categorical: bool) -> BaseDistribution:
    """The Optuna distribution of a variable."""
    if isinstance(variable, Float):
        if variable.step is not None and not _divides(variable):
            raise ArgumentError(f"{variable!r} cannot be an Optuna distribution: its step does not divide the range exactly, and "
                                "Optuna would cut the last value off; write decimals that do, such as 0.3 for 3 * 0.1")
        return FloatDistribution(variable.low, variable.high, log=variable.log, step=variable.step)
    if isinstance(variable, Integer):
        return IntDistribution(variable.low, variable.high, log=variable.log, step=variable.step or 1)
    if isinstance(variable, Ordinal) and not ordered_as_categorical:
        raise ArgumentError(f"{variable!r} cannot be an Optuna distribution, since Optuna has no ordered lists; "
                            "ordered_as_categorical=True gives up the order")
    if isinstance(variable, Ordinal | Categorical):
        return CategoricalDistribution([_choice(each, variable.values[:i]) for i, each in enumerate(variable.values)])
    raise ArgumentError(f"{variable!r} of type {type(variable).__name__} cannot be an Optuna distribution")


def _choice(value: Any, earlier: tuple[Any, ...]) -> Any:
    """A value that Optuna can store and find again."""
    if value is not None and type(value) not in (bool, int, float, str):
        raise ArgumentError(f"the value {value!r} of type {type(value).__name__} cannot be an Optuna choice; "
                            "only None, booleans, numbers and strings can")
    if isinstance(value, float) and not math.isfinite(value):
        raise ArgumentError(f"the value {value!r} cannot be an Optuna choice that every storage keeps; only finite numbers can")
    twin = next((each for each in earlier if each == value), None)
    if twin is not None:
        raise ArgumentError(f"the values {twin!r} and {value!r} are one choice to Optuna, which goes by ==")
    return value


def _divides(variable: Float) -> bool:
    """Whether the last value is a whole number of steps from the first, in the decimals that Optuna counts in."""
    low, high, step = (Decimal(str(each)) for each in (variable.low, variable.high, variable.step))
    return (high - low) % step == 0


def _named(name: str, convert: Any, *arguments: Any) -> Any:
    """What `convert` returns; its errors name the variable."""
    try:
        return convert(*arguments)
    except ArgumentError as error:
        raise ArgumentError(f"{name}: {error}") from None
