import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import Bounds

import luciole as lc
from strategies import spaces


@given(spaces, st.integers(0, 2**32))
def test_sampled_points_are_valid_and_survive_every_representation(space, seed):
    point = space.sample(rng=seed)
    assert point in space
    assert space.validate(point) == point
    assert [type(each) for each in space.validate(point).values()] == [type(each) for each in point.values()]
    slots = space.encode(point)
    assert space.decode(slots) == point
    assert np.array_equal(space.encode(space.numbers(slots)), slots)


@given(spaces)
def test_spaces_survive_json(space):
    assert lc.Space.from_json(space.to_json()) == space
    assert lc.Space.from_dict(json.loads(json.dumps(space.to_dict()))) == space


@given(spaces)
def test_spaces_print(space):
    assert str(space).startswith(f"Space with {len(space)} variable")
    assert "<table>" in space._repr_html_()
    assert repr(space).startswith("Space({")


def test_ways_to_make_a_space():
    x, n = lc.Float(0, 1), lc.Integer(0, 3)
    assert lc.Space({"x": x, "n": n}) == lc.Space(x=x, n=n) == lc.Space({"x": x}, n=n)
    assert lc.Space(x=x, n=n) != lc.Space(n=n, x=x), "the order of variables is part of a space"
    assert lc.Space(x=x)["x"] is x
    assert list(lc.Space(x=x, n=n)) == ["x", "n"]
    assert lc.Space(x=x, n=n).size == math.inf
    assert lc.Space(n=n, b=lc.Boolean()).size == 8


def test_plain_values_are_fixed():
    assert lc.Space(n=np.int64(3), x=np.float64(2.5), b=np.True_) == lc.Space(n=3, x=2.5, b=True)
    space = lc.Space(a="steel", b=3, c=2.5, d=None, e=True)
    assert space.sample(rng=0) == {"a": "steel", "b": 3, "c": 2.5, "d": None, "e": True}
    assert space.size == 1


def test_from_bounds():
    space = lc.Space.from_bounds([(-5, 5), (0.0, 10.0)], integrality=[False, True])
    assert space["x1"] == lc.Integer(0, 10)
    point = space.sample(rng=0)
    assert isinstance(point, np.ndarray)
    assert point.dtype == np.float64
    assert point[1] == int(point[1])
    assert lc.Space.from_bounds(Bounds([-5, 0], [5, 10]), [0, 1]) == space
    assert lc.Space.from_bounds([(0, 1)] * 3, True)["x2"] == lc.Integer(0, 1)
    assert lc.Space.from_json(space.to_json()).as_array


def test_numbers_stand_for_themselves_in_arrays():
    space = lc.Space(size=lc.Ordinal([1, 2, 4]), log=lc.Float(1e-4, 1, log=True), step=lc.Float(0, 1, step=0.25),
                     colour=lc.Categorical(["red", "green"]), flag=lc.Boolean(), n=lc.Integer(1, 100, log=True))
    point = {"size": 4, "log": 0.01, "step": 0.75, "colour": "green", "flag": True, "n": 17}
    numbers = space.numbers(space.encode(point))
    assert numbers == pytest.approx([4, 0.01, 0.75, 1, 1, 17], rel=1e-15)
    assert space.validate([4, 0.01, 0.75, 1, 1, 17]) == pytest.approx(point)


def test_relaxed():
    space = lc.Space(n=lc.Integer(1, 9), o=lc.Ordinal([1, 5, 2]), x=lc.Float(0, 1), s=lc.Float(0, 1, step=0.1))
    assert space.relaxed() == lc.Space(n=lc.Float(1, 9), o=lc.Float(1, 5), x=lc.Float(0, 1), s=lc.Float(0, 1))
    with pytest.raises(lc.ArgumentError, match="colour: .* not numbers"):
        lc.Space(colour=lc.Categorical(["red", "green"])).relaxed()


def test_a_large_space_prints_in_part():
    text = str(lc.Space.from_bounds([(0, 1)] * 1000))
    assert text.startswith("Space with 1000 variables")
    assert len(text.splitlines()) < 60
    assert lc.Space.from_bounds([(0, 1)] * 1000)._repr_html_().count("<tr>") < 60


def test_spaces_with_any_values_can_be_pickled():
    space = lc.Space(f=lc.Categorical([len, sum, None]), o=lc.Ordinal([1, "two"]), b=lc.Boolean(), x=lc.Float(0, 1))
    again = pickle.loads(pickle.dumps(space))
    assert again == space
    assert again.validate({"f": sum, "o": "two", "b": True, "x": 0.5})["f"] is sum


@pytest.mark.parametrize(("make", "message"), [
    (lambda: lc.Space(), "at least one variable"),
    (lambda: lc.Space([lc.Float(0, 1)]), "must be a dict"),
    (lambda: lc.Space({"x": lc.Float(0, 1)}, x=lc.Float(0, 1)), "'x' is given twice"),
    (lambda: lc.Space({1: lc.Float(0, 1)}), "the name 1 must be a non-empty string"),
    (lambda: lc.Space(x=(0, 1)), r"x: \(0, 1\) is not a variable; write Float\(0, 1\)"),
    (lambda: lc.Space(x=["a", "b", "c"]), r"x: \['a', 'b', 'c'\] is not a variable; write Categorical\(\['a', 'b', 'c'\]\)"),
    (lambda: lc.Space(x=lc.Boolean), r"x: Boolean is a class, not a variable; call it: Boolean\(...\)"),
    (lambda: lc.Space(x=object), "x: .* is not a variable"),
    (lambda: lc.Space.from_bounds([(0, 1), (3, 2)]), r"bounds\[1\]: Float: low=3.0 is above high=2.0"),
    (lambda: lc.Space.from_bounds([(0, math.nan)]), r"bounds\[0\]: Float: high=nan"),
    (lambda: lc.Space.from_bounds([0, 1]), r"must be a sequence of \(low, high\) pairs"),
    (lambda: lc.Space.from_bounds([(0, 1)] * 2, [True] * 3), "one for each of the 2 variables"),
    (lambda: lc.Space.from_bounds([(0, 1.5)], True), r"bounds\[0\]: Integer: high=1.5 must be a whole number"),
    (lambda: lc.Space.from_dict({"x": {"type": "real"}}), "x: type='real' is not known; the types are float, integer"),
    (lambda: lc.Space.from_dict({"x": {"type": "float", "lo": 1}}), "x: type='float' takes low, high, log, step, but lo was given"),
    (lambda: lc.Space.from_dict({"x": {"type": "float", "low": 2, "high": 1}}), "x: Float: low=2.0 is above"),
    (lambda: lc.Space.from_json("[]"), "not a space written by to_json"),
    (lambda: lc.Space(f=lc.Categorical([len])).to_json(), "f: the value .* cannot be written to JSON"),
])
def test_wrong_spaces_are_refused(make, message):
    with pytest.raises(lc.ArgumentError, match=message):
        make()


@pytest.mark.parametrize(("point", "message"), [
    ({"x": 0.5}, "lacks the variable 'n'"),
    ({"x": 0.5, "n": 1, "z": 0}, "has a variable 'z'; the space has x, n"),
    ({"x": 2, "n": 1}, "x: 2 is not allowed"),
    ([0.5], r"has the shape \(1,\); the space has 2 variables"),
    ([0.5, 0.5], "n: 0.5 is not allowed"),
    ("ab", "must be a dict of values or an array of 2 numbers"),
])
def test_wrong_points_are_refused(point, message):
    space = lc.Space(x=lc.Float(0, 1), n=lc.Integer(0, 3))
    assert point not in space
    with pytest.raises(lc.ArgumentError, match=message):
        space.validate(point)
