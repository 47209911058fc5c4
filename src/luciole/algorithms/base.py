"""What a method is: parameters in a frozen dataclass, state in arrays, and two kernels, `ask` and `tell`.

The kernels are pure. They draw no random numbers but receive them, and all they know of earlier calls stands in the state, so
they run plain or compiled, from Python or in a compiled loop, to the same bits. `luciole.testing` checks a method of yours.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import Any, ClassVar

from luciole._layout import Layout
from luciole.errors import ArgumentError


@dataclass(frozen=True, kw_only=True)
class Method(ABC):
    """A way to search a space. Subclass it as a frozen dataclass whose fields are the parameters.

    A state is a NamedTuple of arrays and scalars. `ask` writes a candidate into an array and returns a token; `tell` brings
    the token back with the point that was evaluated, which need not be the one proposed, and its score. A score is a number to
    be made small: the objective where the point is feasible, something larger than any feasible value where it is not, infinity
    where the evaluation failed. Any number of candidates may be out at once, and they may come back in any order.
    """

    name: ClassVar[str]
    """The name in `method="..."`."""

    ask: ClassVar[Callable[..., int]]
    """``ask(state, u, progress, x) -> token``: write the slots of the next candidate into x.

    u holds `numbers` uniform numbers in [0, 1); progress is the part of the budget that was asked for before.
    """

    tell: ClassVar[Callable[..., None]]
    """``tell(state, token, x, score)``: take in what became of a candidate."""

    @abstractmethod
    def start(self, layout: Layout, budget: int) -> Any:
        """The state before the first `ask`."""

    @abstractmethod
    def numbers(self, layout: Layout) -> int:
        """How many uniform numbers an `ask` needs."""

    @property
    @abstractmethod
    def batch(self) -> int:
        """How many candidates are out at once when workers are there to evaluate them: usually the population."""

    @property
    def relaxes(self) -> bool:
        """Whether the method ignores which variables are whole numbers and proposes points between them."""
        return False

    @property
    def label(self) -> str:
        """The name in tables."""
        return self.name

    def __repr__(self) -> str:
        """Only what differs from the defaults."""
        changed = [f"{each.name}={getattr(self, each.name)!r}" for each in fields(self)
                   if getattr(self, each.name) != each.default]
        return f"{type(self).__name__}({', '.join(changed)})"


def check_choice(name: str, value: object, allowed: tuple[object, ...]) -> None:
    """Refuse a parameter that is not one of a list."""
    if value not in allowed:
        raise ArgumentError(f"{name}={value!r} is not known; use {', '.join(map(repr, allowed[:-1]))} or {allowed[-1]!r}")


def check_number(name: str, value: object, low: float, high: float = math.inf, *, whole: bool = False,
                 open_low: bool = False) -> None:
    """Refuse a parameter that is not a finite number (a whole one, if asked) between two bounds."""
    fits = (isinstance(value, Integral if whole else Real) and not isinstance(value, bool)
            and low <= float(value) <= high and float(value) < math.inf)
    if not fits or (open_low and value == low):
        bound = f"above {low}" if open_low else f"of at least {low}"
        bound += f" and at most {high}" if high < math.inf else ""
        raise ArgumentError(f"{name}={value!r} must be a {'whole' if whole else 'finite'} number {bound}")
