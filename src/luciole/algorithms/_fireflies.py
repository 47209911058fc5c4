"""How the firefly algorithms that were made for real numbers move in mixed spaces: kernels, and the same choice for all of them.

Variables that have an order are real numbers inside, rounded for evaluation only, and measured in parts of their range, so
that one set of parameters serves any units. Categorical ones count 1 in the distance where labels differ; they take the brighter
firefly's label as often as the others go its way, and are drawn anew as often as noise is wide.
"""

import numpy as np

from luciole._layout import CATEGORICAL, Floats, Layout, draw, settle


def inverse_range(layout: Layout) -> Floats:
    """One over the width of each domain; 0 for a single value, or a width whose inverse would overflow."""
    width = layout.high - layout.low
    return np.divide(1.0, width, out=np.zeros(width.size), where=width > 1e-300)


def squared_distance(layout: Layout, inverse: Floats, a: Floats, b: Floats) -> float:
    """Squares of differences in parts of the range, and 1 for each other label."""
    total = 0.0
    for k in range(a.size):
        if layout.kind[k] == CATEGORICAL:
            total += 1.0 if a[k] != b[k] else 0.0
        else:
            part = (a[k] - b[k]) * inverse[k]
            total += part * part
    return total


def fly(layout: Layout, here: Floats, there: Floats, pull: float, alpha: float, u: Floats, moved: Floats, x: Floats) -> None:
    """Go part of the way from here to there, plus noise: into `moved`, and the admissible point next to it into x."""
    for k in range(x.size):
        kind, low, high = layout.kind[k], layout.low[k], layout.high[k]
        if kind == CATEGORICAL:
            # One number decides both whether the label is drawn anew and, if not, whether it is taken over.
            if u[k] < alpha:
                moved[k] = draw(u[k] / alpha, kind, low, high)
            else:
                moved[k] = there[k] if u[k] - alpha < pull * (1.0 - alpha) else here[k]
            x[k] = moved[k]
        else:
            to = here[k] + pull * (there[k] - here[k]) + alpha * (high - low) * (u[k] - 0.5)
            moved[k] = min(max(to, low), high)
            x[k] = settle(moved[k], kind, low, high)


def keep(layout: Layout, position: Floats, moved: Floats, x: Floats) -> None:
    """Put a firefly where it was evaluated, or to the point between admissible ones that stood behind it."""
    for k in range(x.size):
        as_asked = settle(moved[k], layout.kind[k], layout.low[k], layout.high[k]) == x[k]
        position[k] = moved[k] if as_asked else x[k]
