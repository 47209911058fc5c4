import enum
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import luciole as lc
from strategies import variables


@given(variables, st.floats(0, 1, exclude_max=True))
def test_a_sampled_value_is_allowed_and_survives_encoding(variable, u):
    value = variable.sample(u)
    slot = variable.encode(value)
    assert variable.slot_low <= slot <= variable.slot_high
    assert variable.decode(slot) == value
    assert type(variable.decode(slot)) is type(value)
    assert variable.nearest(slot) == slot


@given(variables, st.floats(-1e7, 1e7))
def test_any_number_settles_on_an_admissible_slot(variable, number):
    slot = variable.nearest(number)
    assert variable.encode(variable.decode(slot)) == pytest.approx(slot, abs=1e-12)


@given(variables)
def test_variables_survive_json_and_compare_equal(variable):
    space = lc.Space(v=variable)
    assert lc.Space.from_json(space.to_json()) == space
    assert hash(lc.Space.from_json(space.to_json())) == hash(space)


@given(st.integers(1, 1000), st.integers(0, 1000), st.integers(0, 999))
def test_a_log_integer_stays_where_it_is(low, span, offset):
    """Logarithm and exponential do not drift, rounded or cut off."""
    from luciole._layout import LOG_INTEGER, settle, truncate

    variable = lc.Integer(low, low + span, log=True)
    slot = variable.encode(low + min(offset, span))
    for bring in (settle, truncate):
        assert bring(slot, LOG_INTEGER, variable.slot_low, variable.slot_high) == slot


@pytest.mark.parametrize("variable", [lc.Integer(0, 9), lc.Integer(1, 10, log=True), lc.Ordinal(range(10)), lc.Float(0, 9, step=1)])
def test_sampling_reaches_every_value(variable):
    seen = {variable.sample(u) for u in np.linspace(0, 1, 2000, endpoint=False)}
    assert len(seen) == variable.size == 10


def test_integers_are_drawn_evenly_and_log_integers_by_their_logarithm():
    u = np.linspace(0, 1, 70_000, endpoint=False)
    counts = np.bincount([lc.Integer(0, 6).sample(each) for each in u])
    assert counts.tolist() == [10_000] * 7
    values = np.array([lc.Integer(1, 999, log=True).sample(each) for each in u])
    assert np.mean(values < 10) == pytest.approx(1 / 3, abs=0.01)
    assert np.mean(values >= 100) == pytest.approx(1 / 3, abs=0.01)


def test_values_come_back_in_the_declared_type():
    marker = object()
    assert type(lc.Integer(1.0, 70.0).sample(0.5)) is int
    assert type(lc.Float(1, 2).sample(0.5)) is float
    assert type(lc.Float(0, 2, step=1).sample(0.5)) is float
    assert lc.Categorical([marker, 2]).sample(0.1) is marker
    assert type(lc.Ordinal(np.array([1, 2])).sample(0.1)) is int
    assert lc.Boolean().sample(0.9) is True


def test_stepped_values_are_those_a_person_would_write():
    assert lc.Float(0, 1, step=0.1).grid == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    assert lc.Float(0, 1, step=0.3).high == 0.9
    assert lc.Integer(1, 10, step=4).grid == [1, 5, 9]


@pytest.mark.parametrize("parts", range(1, 60))
def test_steps_that_divide_the_range_reach_its_end(parts):
    assert lc.Float(0, 1, step=1 / parts).grid[-1] == 1.0
    assert lc.Float(0, 1, step=1 / parts).size == parts + 1


def test_the_largest_integers_stay_in_their_domain():
    for variable in (lc.Integer(0, 2**52), lc.Integer(10**11 - 5, 10**11, log=True), lc.Integer(-(2**52), 2**52)):
        for u in np.linspace(0, 1, 500, endpoint=False):
            value = variable.sample(u)
            assert variable.encode(value) == variable.nearest(variable.encode(value))
            assert variable.decode(variable.encode(value)) == value


def test_enumerations_and_dates_come_back_as_they_are():
    class Size(enum.IntEnum):
        SMALL = 1
        LARGE = 2

    assert lc.Categorical([Size.SMALL, Size.LARGE]).decode(1.0) is Size.LARGE
    with pytest.raises(lc.ArgumentError, match="cannot be written to JSON"):
        lc.Space(s=lc.Categorical(Size)).to_json()
    dates = np.array(["2026-01-01", "2026-06-01"], dtype="datetime64[ns]")
    assert lc.Ordinal(dates).decode(1.0) == dates[1]


def test_equal_looking_choices_are_kept_apart():
    variable = lc.Categorical([1, 1.0, True, "1"])
    assert [variable.encode(each) for each in (1, 1.0, True, "1")] == [0, 1, 2, 3]


def test_choices_may_be_anything_even_unhashable():
    lists = lc.Categorical([[1], [2], np.zeros(2)])
    assert lists.encode([2]) == 1.0
    assert lists.decode(2.0) is lists.values[2]


def test_numeric_choices_accept_numbers_of_another_type():
    assert lc.Ordinal([1, 2, 4]).encode(4.0) == 2.0
    assert lc.Ordinal([0.1, 0.2]).encode(np.float64(0.2)) == 1.0


@pytest.mark.parametrize(("make", "message"), [
    (lambda: lc.Float(2, 1), "low=2.0 is above high=1.0"),
    (lambda: lc.Float(math.nan, 1), "low=nan must be a finite number"),
    (lambda: lc.Float(0, math.inf), "high=inf must be a finite number"),
    (lambda: lc.Float(0, "1"), "high='1' must be a finite number"),
    (lambda: lc.Float(0, True), "high=True must be a finite number"),
    (lambda: lc.Float(0, 1, log=True), "log=True needs low > 0, not low=0.0"),
    (lambda: lc.Float(1, 2, log=True, step=0.1), "cannot be combined"),
    (lambda: lc.Float(0, 1, step=0), "step=0.0 must be above 0"),
    (lambda: lc.Float(0, 1, step=1e-9), "more than 10,000,000 values"),
    (lambda: lc.Integer(0, 1.5), "high=1.5 must be a whole number"),
    (lambda: lc.Integer(0, 2**60), "at most 2**52"),
    (lambda: lc.Integer(0, math.nan), "high=nan must be a whole number"),
    (lambda: lc.Float(1, 10, log="no"), "log='no' must be True or False"),
    (lambda: lc.Float(-1e308, 1e308), "too far apart; at most 1e[+]150 is allowed, or log=True"),
    (lambda: lc.Float(0, 1e200), "too far apart"),
    (lambda: lc.Integer(1, 10**12, log=True), "the most that log=True allows"),
    (lambda: lc.Ordinal({"a", "b"}), "must be a list of values"),
    (lambda: lc.Categorical([]), "values is empty"),
    (lambda: lc.Ordinal("abc"), "values='abc' must be a list"),
    (lambda: lc.Categorical(5), "values=5 must be a list"),
    (lambda: lc.Categorical(["a", "b", "a"]), "'a' is listed twice"),
    (lambda: lc.Categorical([[1], [1]]), r"\[1\] is listed twice"),
])
def test_wrong_domains_are_refused_by_name(make, message):
    with pytest.raises(lc.ArgumentError, match=message.replace("**", r"\*\*")):
        make()


@pytest.mark.parametrize(("variable", "value", "message"), [
    (lc.Float(0, 1), 1.5, "1.5 is not allowed; the values are 0.0 to 1.0"),
    (lc.Float(0, 1), math.nan, "nan is not allowed"),
    (lc.Float(0, 1), "a", "'a' is not allowed"),
    (lc.Float(0, 1), True, "True is not allowed"),
    (lc.Float(0, 1, step=0.25), 0.3, "0.3 is not allowed; the values are 0.0 to 1.0 in steps of 0.25"),
    (lc.Integer(0, 9), 3.5, "3.5 is not allowed; the values are whole numbers from 0 to 9"),
    (lc.Integer(0, 9), 10, "10 is not allowed"),
    (lc.Categorical(["a", "b"]), "c", "'c' is not allowed; the values are 'a', 'b'"),
    (lc.Boolean(), 1, "1 is not allowed; the values are False or True"),
    (lc.Ordinal([1, 2]), 3, "3 is not allowed"),
])
def test_wrong_values_are_refused_with_what_is_allowed(variable, value, message):
    with pytest.raises(lc.ArgumentError, match=message):
        variable.encode(value)


def test_variables_print_as_they_are_written():
    for text in ("Float(0.0, 1.0)", "Float(0.1, 1.0, log=True)", "Float(0.0, 1.0, step=0.5)", "Integer(1, 7)",
                 "Integer(1, 7, step=2)", "Ordinal([1, 2])", "Categorical(['a'])", "Boolean()"):
        assert repr(eval(f"lc.{text}")) == text


def test_wide_steps_of_whole_numbers_are_exact():
    assert lc.Integer(0, 2 * 10**9 + 3, step=10**9 + 1).grid == [0, 10**9 + 1, 2 * 10**9 + 2]
    assert lc.Integer(0, 2 * 10**9 + 1, step=10**9 + 1).grid == [0, 10**9 + 1]
