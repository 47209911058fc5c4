"""Random search: every candidate uniform over the space. The floor any method has to beat."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from luciole._layout import Floats, Layout, draw
from luciole.algorithms.base import Method


class State(NamedTuple):
    """Nothing to remember but the space."""

    layout: Layout


def ask(state: State, u: Floats, progress: float, x: Floats) -> int:
    """Write a point drawn uniformly into x."""
    layout = state.layout
    for k in range(x.size):
        x[k] = draw(u[k], layout.kind[k], layout.low[k], layout.high[k])
    return 0


def tell(state: State, token: int, x: Floats, score: float) -> None:
    """Learn nothing."""


@dataclass(frozen=True, kw_only=True, repr=False)
class RandomSearch(Method):
    """Draw every candidate uniformly from the space. It has no parameters."""

    name: ClassVar[str] = "random"
    ask = staticmethod(ask)
    tell = staticmethod(tell)

    @property
    def label(self) -> str:
        return "Random"

    @property
    def batch(self) -> int:
        return 32

    def start(self, layout: Layout, budget: int) -> State:
        return State(layout)

    def numbers(self, layout: Layout) -> int:
        return layout.kind.size
