"""GA, a genetic algorithm on strings of bits, as a baseline for mixed variables.

M. Mitchell: "An Introduction to Genetic Algorithms", MIT Press (1998).
"""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from luciole._layout import CONTINUOUS, LOG_INTEGER, Floats, Ints, Layout
from luciole.algorithms._random import pick
from luciole.algorithms.base import Method, check_number
from luciole.errors import ArgumentError

CONTINUOUS_BITS = 16


class State(NamedTuple):
    """Parents and children, each variable a word of bits, together one chromosome in the order of the variables."""

    layout: Layout
    bits: Ints  # the length of each word
    first: Ints  # where it begins in the chromosome
    length: int
    values: Floats  # how many values each word stands for
    touched: Floats  # how often mutation flips any bit of each word
    crossover: float
    mutation: float
    tournament: int
    parents: Ints  # one row a member
    parent_score: Floats
    children: Ints
    child_score: Floats
    pairs: Ints  # the two parents and the cut of each pair of children; no cut: the length
    asked: Ints  # [candidates asked for]


def ask(state: State, u: Floats, progress: float, x: Floats) -> int:
    """Write the next child into x: one of a pair made from the parents of its generation."""
    population = state.child_score.size
    token = int(state.asked[0])
    state.asked[0] += 1
    i = token % population
    if token < population:
        for k in range(x.size):
            state.children[i, k] = pick(u[k], 1 << state.bits[k])
            x[k] = value_of(state, k, state.children[i, k])
        return token
    if i == 0:
        succeed(state)
    pair = i // 2
    if i % 2 == 0:
        choose_pair(state, pair, u)
    a, b, cut = state.pairs[pair, i % 2], state.pairs[pair, 1 - i % 2], state.pairs[pair, 2]
    drawn = u.size - x.size
    for k in range(x.size):
        word = cross(state.parents[a, k], state.parents[b, k], cut - state.first[k], state.bits[k])
        if u[drawn + k] < state.touched[k]:
            word = flip(word, state.bits[k], state.mutation, u[drawn + k])
        state.children[i, k] = word
        x[k] = value_of(state, k, state.children[i, k])
    return token


def tell(state: State, token: int, x: Floats, score: float) -> None:
    """Note the score of a child; one that comes back when its generation has become parents takes its place among them."""
    population = state.child_score.size
    i = token % population
    rows, scores = state.children, state.child_score
    if token // population < (state.asked[0] - 1) // population:
        rows, scores = state.parents, state.parent_score
        if score >= scores[i]:
            return
    scores[i] = score
    for k in range(x.size):
        if value_of(state, k, rows[i, k]) != x[k]:
            rows[i, k] = word_of(state, k, x[k])


def succeed(state: State) -> None:
    """Let the children become the parents, the best parent in the place of the worst child."""
    best, worst = 0, 0
    for i in range(state.child_score.size):
        if state.parent_score[i] < state.parent_score[best]:
            best = i
        if state.child_score[i] > state.child_score[worst]:
            worst = i
    if state.asked[0] - 1 > state.child_score.size:  # the first parents have none before them
        state.child_score[worst] = state.parent_score[best]
        for k in range(state.children.shape[1]):
            state.children[worst, k] = state.parents[best, k]
    for i in range(state.child_score.size):
        state.parent_score[i] = state.child_score[i]
        state.child_score[i] = math.inf
        for k in range(state.children.shape[1]):
            state.parents[i, k] = state.children[i, k]


def choose_pair(state: State, pair: int, u: Floats) -> None:
    """Hold two tournaments, and decide where the winners' chromosomes are cut, if they are."""
    population, size = state.parent_score.size, state.tournament
    for which in range(2):
        winner = pick(u[2 + which * size], population)
        for n in range(1, size):
            rival = pick(u[2 + which * size + n], population)
            if state.parent_score[rival] < state.parent_score[winner]:
                winner = rival
        state.pairs[pair, which] = winner
    state.pairs[pair, 2] = state.length
    if u[0] < state.crossover and state.length > 1:
        state.pairs[pair, 2] = 1 + pick(u[1], state.length - 1)


def cross(a: int, b: int, cut: int, bits: int) -> int:
    """The word of a child: a's bits before the cut, b's after it."""
    if cut >= bits:
        return a
    if cut <= 0:
        return b
    after = (1 << (bits - cut)) - 1
    return (a & ~after) | (b & after)


def flip(word: int, bits: int, rate: float, u: float) -> int:
    """Flip each bit with a probability; one uniform number, stretched anew after each flip, decides them all."""
    n = 0
    while True:
        below, reached = 0.0, rate  # u lies in the part of [0, 1) that stands for the next flip at bit n
        while n < bits and u >= reached:
            below = reached
            reached += (1.0 - reached) * rate
            n += 1
            if reached <= below:
                return word
        if n >= bits:
            return word
        word ^= 1 << (bits - 1 - n)
        n += 1
        u = (u - below) / (reached - below)


def value_of(state: State, k: int, word: int) -> float:
    """The slot that a word stands for."""
    low, high = state.layout.low[k], state.layout.high[k]
    part = 1 << state.bits[k]
    if state.layout.kind[k] == CONTINUOUS:
        return float(min(low + (high - low) * (word / (part - 1)), high))
    index = min(math.floor(word * (state.values[k] / part)), state.values[k] - 1.0)
    if state.layout.kind[k] == LOG_INTEGER:
        return float(min(max(math.log(math.floor(math.exp(low) + 0.5) + index), low), high))
    return float(low + index)


def word_of(state: State, k: int, slot: float) -> int:
    """The first word that stands for the slot, or for the nearest one there is."""
    low, high = state.layout.low[k], state.layout.high[k]
    part = 1 << state.bits[k]
    if state.layout.kind[k] == CONTINUOUS:
        return int((slot - low) / (high - low) * (part - 1) + 0.5) if high > low else 0
    index = slot - low
    if state.layout.kind[k] == LOG_INTEGER:
        index = math.floor(math.exp(slot) + 0.5) - math.floor(math.exp(low) + 0.5)
    return int(min(math.ceil(index * (part / state.values[k])), part - 1))


@dataclass(frozen=True, kw_only=True, repr=False)
class GA(Method):
    """A genetic algorithm on strings of bits: tournaments, one-point crossover, mutation, the best one kept.

    A continuous variable is 16 bits, so it takes 65,536 values; one of K values is as few bits as can number them, and every
    pattern stands for one.

    The rates, the tournament, elitism and the population are as published. Plain binary code is the reading that meets the
    published results (Gray code is six times better); how patterns are shared out among values, and that the best parent takes
    the place of the worst child, are our choice.

    Parameters
    ----------
    population : int
        Number of members, an even number.
    crossover : float
        How often a pair exchanges the ends of its chromosomes, from 0 to 1.
    mutation : float
        How often a bit is flipped, from 0 to 1.
    tournament : int
        How many members compete to become a parent.
    """

    name: ClassVar[str] = "ga"
    ask = staticmethod(ask)
    tell = staticmethod(tell)

    population: int = 100
    crossover: float = 0.9
    mutation: float = 0.01
    tournament: int = 3

    def __post_init__(self) -> None:
        check_number("population", self.population, 2, whole=True)
        if self.population % 2:
            raise ArgumentError(f"population={self.population!r} must be even: children come in pairs")
        check_number("crossover", self.crossover, 0, 1)
        check_number("mutation", self.mutation, 0, 1)
        check_number("tournament", self.tournament, 1, whole=True)

    @classmethod
    def paper(cls) -> "GA":
        """The published settings, which are the defaults."""
        return cls()

    @property
    def label(self) -> str:
        return "GA" if self == GA.paper() else repr(self)

    @property
    def batch(self) -> int:
        return self.population

    def start(self, layout: Layout, budget: int) -> State:
        count = layout.high - layout.low + 1.0
        whole = layout.kind == LOG_INTEGER
        count[whole] = np.floor(np.exp(layout.high[whole]) + 0.5) - np.floor(np.exp(layout.low[whole]) + 0.5) + 1.0
        bits = np.where(layout.kind == CONTINUOUS, CONTINUOUS_BITS, np.ceil(np.log2(count))).astype(np.int64)
        bits = np.clip(bits, 0, 62)
        shape = (self.population, layout.kind.size)
        return State(
            layout=layout,
            bits=bits,
            first=np.cumsum(bits) - bits,
            length=int(bits.sum()),
            values=count,
            touched=np.asarray(1.0 - (1.0 - self.mutation) ** bits, dtype=np.float64),
            crossover=float(self.crossover),
            mutation=float(self.mutation),
            tournament=int(self.tournament),
            parents=np.zeros(shape, dtype=np.int64),
            parent_score=np.full(self.population, np.inf),
            children=np.zeros(shape, dtype=np.int64),
            child_score=np.full(self.population, np.inf),
            pairs=np.zeros((self.population // 2, 3), dtype=np.int64),
            asked=np.zeros(1, dtype=np.int64),
        )

    def numbers(self, layout: Layout) -> int:
        return 2 + 2 * self.tournament + layout.kind.size
