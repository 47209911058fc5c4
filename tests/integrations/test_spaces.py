"""Spaces from and to Optuna and ConfigSpace: there and back, and what is refused."""

import math
import warnings

import numpy as np
import optuna
import pytest
from ConfigSpace import (
    BetaFloatHyperparameter,
    CategoricalHyperparameter,
    ConfigurationSpace,
    Constant,
    EqualsCondition,
    ForbiddenEqualsClause,
    NormalFloatHyperparameter,
    NormalIntegerHyperparameter,
    OrdinalHyperparameter,
    UniformFloatHyperparameter,
    UniformIntegerHyperparameter,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution

import luciole as lc
from luciole.integrations.configspace import from_configspace, to_configspace
from luciole.integrations.optuna import from_optuna, suggest, to_optuna
from strategies import floats, integers, labels, spaces

finite = st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: x + 0.0)
positive = st.floats(1e-6, 1e6)


def without_twins(values):
    """Values that Optuna and ConfigSpace can tell apart, which go by ==."""
    return all(a != b for i, a in enumerate(values) for b in values[:i])


choices = labels.filter(without_twins)
plain_choices = choices.filter(lambda values: not any(isinstance(value, bool) for value in values))  # ConfigSpace gives True as 1.0 among numbers


@st.composite
def distributions(draw):
    kind = draw(st.sampled_from(["float", "log", "step", "int", "int log", "choice"]))
    if kind == "choice":
        return CategoricalDistribution(draw(choices))
    if kind in ("float", "log"):
        low, high = sorted(draw(st.tuples(*[positive if kind == "log" else finite] * 2)))
        return FloatDistribution(low, high, log=kind == "log")
    if kind == "step":
        step = draw(st.sampled_from([0.1, 0.25, 0.7, 1.0, 3.0]))
        low = draw(st.integers(-50, 50)) / 2
        return FloatDistribution(low, round(low + draw(st.integers(0, 30)) * step, 6), step=step)
    low, high = sorted(draw(st.tuples(*[st.integers(1, 10**9)] * 2)))
    step = 1 if kind == "int log" else draw(st.integers(1 + (high - low) // 50, 10**9))
    return IntDistribution(low, low + (high - low) // step * step, log=kind == "int log", step=step)


@given(st.dictionaries(st.text(min_size=1, max_size=4), distributions(), min_size=1, max_size=4))
def test_from_optuna_and_back_is_the_same(original):
    space = from_optuna(original)
    assert to_optuna(space) == original
    assert list(space) == list(original)


@given(distributions(), st.floats(0, 1, exclude_max=True))
def test_a_value_of_one_is_a_value_of_the_other(distribution, u):
    variable = from_optuna({"x": distribution})["x"]
    value = variable.sample(u)
    assert distribution._contains(distribution.to_internal_repr(value))
    assert math.isclose(variable.size, size_of(distribution))


def size_of(distribution):
    """How many values a distribution has, counted by Optuna's own rules."""
    if isinstance(distribution, CategoricalDistribution):
        return len(distribution.choices)
    if distribution.single():
        return 1
    if distribution.step is None:
        return math.inf
    return round((distribution.high - distribution.low) / distribution.step) + 1


def as_expressible(space):
    """The space as far as Optuna has it, and what is lost on the way: a step of 1 and the order."""
    return {name: lc.Categorical(each.values) if isinstance(each, lc.Ordinal) and not is_boolean(each)
            else lc.Boolean() if isinstance(each, lc.Ordinal | lc.Categorical) and is_boolean(each)
            else lc.Integer(each.low, each.high, log=each.log) if isinstance(each, lc.Integer) and each.step == 1
            else each for name, each in space.items()}


def is_boolean(variable):
    return list(variable.values) == [False, True] and isinstance(variable.values[0], bool)


@settings(max_examples=200)
@given(spaces)
def test_to_optuna_and_back_is_the_same_or_refused(space):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # Optuna warns where it changes what it is given
        try:
            there = to_optuna(space, ordered_as_categorical=True)
        except lc.ArgumentError as error:
            assert "Optuna" in str(error)  # noqa: PT017
            assert any(each.type_name in ("ordinal", "categorical") or getattr(each, "step", None) for each in space.values())
            return
    assert dict(from_optuna(there)) == as_expressible(space)


def test_a_suggested_point_lies_in_the_space():
    space = lc.Space(a=lc.Float(0, 1), b=lc.Float(1e-3, 1, log=True), c=lc.Float(0, 1, step=0.25), d=lc.Integer(3, 9), e=lc.Integer(1, 99, log=True),
                     f=lc.Integer(0, 10, step=5), g=lc.Boolean(), h=lc.Ordinal(["s", "m", "l"]), i=lc.Categorical([None, 1.5]), j="fixed")
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
    for _ in range(20):
        assert suggest(study.ask(), space) in space


class Strange(BaseDistribution):
    def single(self):
        return False

    def to_internal_repr(self, value):
        return value

    def _contains(self, value):
        return True


@pytest.mark.parametrize(("distribution", "message"), [
    (Strange(), "x: Strange.* is not known; luciole has float, int and categorical"),
    (IntDistribution(0, 2**60), "x: Integer: high=.* must be a whole number of at most"),
    (FloatDistribution(0, 1, step=1e-9), "x: Float: step=1e-09 gives more than 10,000,000 values"),
    (FloatDistribution(-1e308, 1e308), "x: Float: low=.* are too far apart"),
    (CategoricalDistribution(["a", "a"]), "x: Categorical: the value 'a' is listed twice"),
])
def test_what_luciole_does_not_have_is_refused(distribution, message):
    with pytest.raises(lc.ArgumentError, match=message):
        from_optuna({"x": distribution})


@pytest.mark.parametrize(("variable", "message"), [
    (lc.Ordinal([1, 2, 4]), "x: .* Optuna has no ordered lists; ordered_as_categorical=True"),
    (lc.Categorical([(1, 2), (3, 4)]), r"x: the value \(1, 2\) of type tuple cannot be an Optuna choice"),
    (lc.Categorical([True, 1]), "x: the values True and 1 are one choice to Optuna"),
    (lc.Categorical([0.5, math.inf]), "x: the value inf cannot be an Optuna choice"),
    (lc.Float(0, 1, step=1 / 3), "x: .* its step does not divide the range exactly"),
])
def test_what_optuna_does_not_have_is_refused(variable, message):
    with pytest.raises(lc.ArgumentError, match=message):
        to_optuna(lc.Space(x=variable))


@pytest.mark.parametrize("call", [from_optuna, to_optuna, from_configspace, to_configspace])
def test_something_else_is_refused(call):
    with pytest.raises(lc.ArgumentError, match="=3 must be a"):
        call(3)


@st.composite
def hyperparameters(draw, name):
    kind = draw(st.sampled_from(["float", "log", "int", "int log", "choice", "ordinal", "constant"]))
    if kind in ("choice", "ordinal"):
        values = draw(plain_choices.filter(lambda values: len(values) > 1))
        return (CategoricalHyperparameter if kind == "choice" else OrdinalHyperparameter)(name, values)
    if kind == "constant":
        return Constant(name, draw(st.one_of(st.integers(-9, 9), st.text(max_size=3), st.floats(-9, 9))))
    if kind in ("float", "log"):
        low = draw(st.floats(1e-3, 10) if kind == "log" else st.floats(-10, 10))
        return UniformFloatHyperparameter(name, low, low + draw(st.floats(0.1, 100)), log=kind == "log")
    low = draw(st.integers(1, 1000))
    return UniformIntegerHyperparameter(name, low, low + draw(st.integers(1, 1000)), log=kind == "int log")


def listed(configspace):
    return [(type(each), each.name, *[getattr(each, key, None) for key in ("lower", "upper", "log", "choices", "sequence", "value")])
            for each in configspace.values()]


@settings(max_examples=30)
@given(st.data())
def test_from_configspace_and_back_is_the_same(data):
    original = ConfigurationSpace()
    for i in range(data.draw(st.integers(1, 4))):
        original.add(data.draw(hyperparameters(f"p{i}")))
    space = from_configspace(original)
    assert listed(to_configspace(space)) == listed(original)
    original.seed(0)
    for configuration in original.sample_configuration(5):
        assert dict(configuration) in space


@settings(max_examples=50)
@given(st.dictionaries(st.text(min_size=1, max_size=3), st.one_of(
    floats().filter(lambda each: each.low < each.high), integers().filter(lambda each: each.step is None and each.high - each.low in range(1, 10**6)),
    st.just(lc.Boolean()), choices.map(lc.Categorical), choices.filter(lambda values: len(values) > 1).map(lc.Ordinal)), min_size=1, max_size=3).map(lc.Space))
def test_to_configspace_and_back_is_the_same(space):
    try:
        there = to_configspace(space)
    except lc.ArgumentError as error:
        assert "ConfigSpace cannot express" in str(error)  # noqa: PT017
        assert any(isinstance(each, lc.Float) and min(abs(each.low), abs(each.high), each.high - each.low) < 1e-3 for each in space.values())
        return
    back = from_configspace(there)
    for name, each in space.items():
        if isinstance(each, lc.Float):
            assert isinstance(back[name], lc.Float)
            assert (back[name].low, back[name].high, back[name].log) == (pytest.approx(each.low, rel=1e-9), pytest.approx(each.high, rel=1e-9), each.log)
        else:
            assert back[name] == (lc.Boolean() if type(each) is lc.Categorical and is_boolean(each) else each)


def conditional():
    space = ConfigurationSpace({"kind": ["a", "b"], "depth": (1, 9)})
    space.add(EqualsCondition(space["depth"], space["kind"], "a"))
    return space


def forbidding():
    space = ConfigurationSpace({"kind": ["a", "b"]})
    space.add(ForbiddenEqualsClause(space["kind"], "b"))
    return space


@pytest.mark.parametrize(("configspace", "message"), [
    (conditional(), "has conditions, which a luciole.Space cannot express: depth | kind == 'a'"),
    (forbidding(), "has forbidden clauses, which a luciole.Space cannot express: Forbidden: kind == 'b'"),
    (ConfigurationSpace(space=[NormalFloatHyperparameter("x", 0, 1, lower=-3, upper=3)]), "x: .*Normal.* cannot be expressed"),
    (ConfigurationSpace(space=[NormalIntegerHyperparameter("x", 0, 1, lower=-3, upper=3)]), "x: .*Normal.* cannot be expressed"),
    (ConfigurationSpace(space=[BetaFloatHyperparameter("x", 2, 3, lower=0, upper=1)]), "x: .*Beta.* cannot be expressed"),
    (ConfigurationSpace(space=[CategoricalHyperparameter("x", ["a", "b"], weights=[1, 2])]), "x: the choices have the weights"),
])
def test_what_a_space_does_not_have_is_refused(configspace, message):
    with pytest.raises(lc.ArgumentError, match=message.replace("|", r"\|")):
        from_configspace(configspace)


@pytest.mark.parametrize(("variable", "message"), [
    (lc.Float(0, 1, step=0.1), "x: .* has a step, which ConfigSpace cannot express; list the values in an Ordinal"),
    (lc.Integer(0, 10, step=5), "x: .* has a step"),
    (lc.Categorical([True, 1]), "x: ConfigSpace cannot express Categorical"),
    (lc.Float(1.23456789e-10, 1, log=True), "x: .* has bounds that ConfigSpace cannot express"),
])
def test_what_configspace_does_not_have_is_refused(variable, message):
    with pytest.raises(lc.ArgumentError, match=message):
        to_configspace(lc.Space(x=variable))


def test_a_single_value_becomes_a_constant():
    there = to_configspace(lc.Space(a=lc.Float(2, 2), b="steel", c=lc.Integer(7, 7)))
    assert [(type(each), each.value) for each in there.values()] == [(Constant, 2.0), (Constant, "steel"), (Constant, 7)]
    assert np.isclose(from_configspace(there).sample(rng=0)["a"], 2.0)
