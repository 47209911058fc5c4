"""Whose turn it is: the double loop of the firefly algorithm, taken apart so that moves can be asked for one at a time.

In the paper firefly i is compared with every firefly j in order and moves whenever j is brighter, each move evaluated before
the next comparison. Here every firefly keeps its own place in that loop. The next move belongs to the first firefly, in the
order of generations and then of numbers, that is not out for evaluation. With one candidate out at a time this is the double
loop to the letter; with q out, q fireflies are under way side by side, each still seeing the result of its own last move.
"""

from typing import NamedTuple

import numpy as np

from luciole._layout import Floats, Ints


class Sweep(NamedTuple):
    """The place of every firefly in the double loop."""

    score: Floats  # brightness, small is bright; infinity before the first result
    generation: Ints  # which generation each firefly is in
    cursor: Ints  # the next j that it will be compared with
    moves: Ints  # how many moves it made in this generation
    out: Ints  # 1 while a candidate of it is being evaluated
    shared: Ints  # [fireflies placed so far, generation of the slowest, its first member, candidates beyond the population]


PLACED, SLOWEST, FRONT, EXTRA = 0, 1, 2, 3
ENDED = -2  # in the place of a firefly: a generation ended


def start_sweep(population: int) -> Sweep:
    """The state before anything was asked."""
    def zeros() -> Ints:
        return np.zeros(population, dtype=np.int64)

    return Sweep(np.full(population, np.inf), zeros(), zeros(), zeros(), zeros(), np.zeros(4, dtype=np.int64))


def place(sweep: Sweep) -> int:
    """The number of the next firefly of the starting population."""
    i = int(sweep.shared[PLACED])
    sweep.shared[PLACED] += 1
    sweep.out[i] = 1
    return i


def next_move(sweep: Sweep) -> tuple[int, int]:
    """Firefly i and the brighter firefly j it moves toward; j = -1: a walk at random; i = -1: all are out."""
    population = sweep.score.size
    while True:
        i = first_free(sweep)
        if i < 0:
            return -1, -1
        for j in range(sweep.cursor[i], population):
            if sweep.score[j] < sweep.score[i]:
                sweep.cursor[i] = j + 1
                sweep.moves[i] += 1
                sweep.out[i] = 1
                return i, j
        if sweep.moves[i] == 0:
            sweep.cursor[i] = population
            sweep.moves[i] = 1
            sweep.out[i] = 1
            return i, -1
        finish(sweep, i)


def next_move_among(sweep: Sweep, neighbours: Ints) -> tuple[int, int]:
    """The same where each firefly is compared only with the neighbours in its row, up to a -1; i = ENDED: a generation ended."""
    while True:
        i = first_free(sweep)
        if i < 0:
            return -1, -1
        for n in range(sweep.cursor[i], neighbours.shape[1]):
            j = neighbours[i, n]
            if j < 0:
                break
            if sweep.score[j] < sweep.score[i]:
                sweep.cursor[i] = n + 1
                sweep.moves[i] += 1
                sweep.out[i] = 1
                return i, j
        if sweep.moves[i] == 0:
            sweep.cursor[i] = neighbours.shape[1]
            sweep.moves[i] = 1
            sweep.out[i] = 1
            return i, -1
        generation = sweep.shared[SLOWEST]
        finish(sweep, i)
        if sweep.shared[SLOWEST] > generation:
            return ENDED, -1


def first_free(sweep: Sweep) -> int:
    """The firefly that is not out with the lowest generation, then the lowest number; -1 if all are out."""
    population = sweep.score.size
    slowest = sweep.shared[SLOWEST]
    for i in range(sweep.shared[FRONT], population):
        if sweep.out[i] == 0 and sweep.generation[i] == slowest:
            return i
    found = -1
    for i in range(population):
        if sweep.out[i] == 0 and (found < 0 or sweep.generation[i] < sweep.generation[found]):
            found = i
    return found


def finish(sweep: Sweep, i: int) -> None:
    """End the generation of firefly i, and that of the swarm if i was the last."""
    population = sweep.score.size
    sweep.generation[i] += 1
    sweep.cursor[i] = 0
    sweep.moves[i] = 0
    shared = sweep.shared
    while sweep.generation[shared[FRONT]] > shared[SLOWEST]:
        shared[FRONT] += 1
        if shared[FRONT] == population:
            shared[FRONT] = 0
            shared[SLOWEST] += 1


def extra_candidate(sweep: Sweep) -> int:
    """The firefly beside which to look when all are out, each in turn."""
    sweep.shared[EXTRA] += 1
    return int(sweep.shared[EXTRA] - 1) % sweep.score.size
