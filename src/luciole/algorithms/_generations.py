"""Generations, taken apart so that candidates can be asked for one at a time and come back in any order.

In a generational method all candidates of a generation are made from the same parents, and the survivors take the parents'
place when the last is evaluated. Here every ask is counted: candidate n belongs to member n mod N of generation n div N. What a
member has become is kept beside what the current generation sees of it, which is brought up to date when a generation is first
asked of. A result that comes back after that is seen at once. With one candidate out at a time nothing comes late, and this is
the generational loop to the letter.
"""

from typing import NamedTuple

import numpy as np

from luciole._layout import Floats, Ints, set_row


class Generations(NamedTuple):
    """Members as they are and as the current generation sees them."""

    position: Floats  # one row a member
    score: Floats  # small is good; infinity before the first result
    seen: Floats  # the positions that candidates of this generation are made from
    seen_score: Floats
    asked: Ints  # [how many candidates were asked for]


def start_generations(population: int, dimension: int) -> Generations:
    """The state before anything was asked."""
    shape = (population, dimension)
    return Generations(np.zeros(shape), np.full(population, np.inf), np.zeros(shape), np.full(population, np.inf),
                       np.zeros(1, dtype=np.int64))


def next_candidate(members: Generations) -> int:
    """Count one more candidate; its number is the token."""
    members.asked[0] += 1
    return int(members.asked[0] - 1)


def is_first(members: Generations, token: int) -> bool:
    """Whether a candidate is the first of a generation after that of the start."""
    return bool(token >= members.score.size and token % members.score.size == 0)


def is_late(members: Generations, token: int) -> bool:
    """Whether a candidate belongs to a generation before the one being asked of."""
    population = members.score.size
    return bool(token // population < (members.asked[0] - 1) // population)


def see_all(members: Generations) -> None:
    """Let a new generation see what all members have become."""
    for i in range(members.score.size):
        members.seen_score[i] = members.score[i]
        for k in range(members.position.shape[1]):
            members.seen[i, k] = members.position[i, k]


def place(members: Generations, i: int, x: Floats) -> None:
    """Put a member of the start where it stands until it is told."""
    set_row(members.position, i, x)
    set_row(members.seen, i, x)


def replace(members: Generations, i: int, x: Floats, score: float, late: bool) -> None:
    """Put a point in the place of a member; a late one is seen at once."""
    members.score[i] = score
    set_row(members.position, i, x)
    if late:
        members.seen_score[i] = score
        set_row(members.seen, i, x)
