import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from luciole.algorithms import _sweep


def swarm(scores):
    sweep = _sweep.start_sweep(len(scores))
    for score in scores:
        i = _sweep.place(sweep)
        sweep.score[i] = score
        sweep.out[i] = 0
    return sweep


def test_one_out_at_a_time_is_the_double_loop():
    """With scores that do not change, the moves are those of two nested loops, the brightest walking at random."""
    scores = [3.0, 1.0, 2.0, 1.0]
    sweep = swarm(scores)
    expected = [(0, 1), (0, 2), (0, 3), (1, -1), (2, 1), (2, 3), (3, -1)]
    for _ in range(3):
        for pair in expected:
            assert _sweep.next_move(sweep) == pair
            sweep.out[pair[0]] = 0


def test_a_firefly_that_is_out_is_passed_over_and_goes_on_where_it_was():
    sweep = swarm([3.0, 1.0, 2.0])
    assert _sweep.next_move(sweep) == (0, 1)
    assert _sweep.next_move(sweep) == (1, -1)
    assert _sweep.next_move(sweep) == (2, 1)
    assert _sweep.next_move(sweep) == (-1, -1)
    sweep.out[0] = 0
    assert _sweep.next_move(sweep) == (0, 2)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.lists(st.integers(0, 7), max_size=200), st.integers(1, 10))
def test_generations_stay_in_step(scores, returns, most):
    """In any order of coming back, a firefly out is never asked again, and every firefly's turn comes."""
    sweep = swarm(scores)
    out = []
    for which in returns:
        if len(out) < most:
            i, j = _sweep.next_move(sweep)
            if i >= 0:
                assert i not in out
                assert j < 0 or sweep.score[j] < sweep.score[i]
                out.append(i)
        if out:
            sweep.out[out.pop(which % len(out))] = 0
        assert sweep.shared[_sweep.SLOWEST] == np.min(sweep.generation)
        assert sweep.generation[sweep.shared[_sweep.FRONT]] == sweep.shared[_sweep.SLOWEST]
