"""Random spaces of every kind, for hypothesis."""

from hypothesis import strategies as st

import luciole as lc

finite = st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: x + 0.0)
positive = st.floats(1e-6, 1e6)


@st.composite
def floats(draw):
    if draw(st.booleans()):
        low, high = sorted(draw(st.tuples(positive, positive)))
        return lc.Float(low, high, log=True)
    low, high = sorted(draw(st.tuples(finite, finite)))
    return lc.Float(low, high)


@st.composite
def stepped(draw):
    step = draw(st.sampled_from([0.1, 0.25, 1 / 3, 1 / 11, 0.7, 1.0, 3.0]))
    low = draw(st.integers(-50, 50)) * 0.5
    return lc.Float(low, low + draw(st.integers(0, 30)) * step, step=step)


@st.composite
def integers(draw):
    kind = draw(st.sampled_from(["plain", "log", "step"]))
    if kind == "log":
        low, high = sorted(draw(st.tuples(st.integers(1, 10**11), st.integers(1, 10**11))))
        return lc.Integer(low, high, log=True)
    largest = 2**52 if kind == "plain" else 2**51  # a step is a whole number of at most 2**52 as well
    low, high = sorted(draw(st.tuples(st.integers(-largest, largest), st.integers(-largest, largest))))
    return lc.Integer(low, high, step=max(1, (high - low) // draw(st.integers(1, 20)))) if kind == "step" else lc.Integer(low, high)


labels = st.lists(st.one_of(st.text(max_size=4), st.integers(-9, 9), st.booleans(), st.none(), st.floats(-9, 9)),
                  min_size=1, max_size=6, unique_by=lambda value: (type(value), value))

variables = st.one_of(floats(), stepped(), integers(), st.just(lc.Boolean()), labels.map(lc.Ordinal), labels.map(lc.Categorical))

spaces = st.dictionaries(st.text(min_size=1, max_size=5), variables, min_size=1, max_size=6).map(lc.Space)
