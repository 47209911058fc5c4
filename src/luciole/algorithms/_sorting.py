"""Sorting members by score: a kernel, because NumPy's sorting allocates."""

from luciole._layout import Floats, Ints


def sort_by_score(score: Floats, order: Ints, count: int) -> None:
    """Bring the first `count` entries of order, numbers of members, into the order of their scores, smallest first: heapsort."""
    for start in range(count // 2 - 1, -1, -1):
        sift_down(score, order, start, count)
    for end in range(count - 1, 0, -1):
        order[0], order[end] = order[end], order[0]
        sift_down(score, order, 0, end)


def sift_down(score: Floats, order: Ints, root: int, count: int) -> None:
    """Let an entry sink until neither of its children has a larger score."""
    moving = order[root]
    child = 2 * root + 1
    while child < count:
        if child + 1 < count and score[order[child + 1]] > score[order[child]]:
            child += 1
        if score[order[child]] <= score[moving]:
            break
        order[root] = order[child]
        root = child
        child = 2 * root + 1
    order[root] = moving
