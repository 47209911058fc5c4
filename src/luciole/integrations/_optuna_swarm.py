"""The swarm that the finished trials of an Optuna study leave behind, and where it sends the next trial.

Trial n belongs to firefly n modulo the population, and each firefly stands at the best of its trials. So the swarm follows from
the set of finished trials alone: in whatever order they finish, whoever ran them, and whichever never come back. The double
loop of the firefly algorithm, in which each firefly moves once toward each brighter one, becomes a draw: firefly n modulo the
population moves toward one of those that are brighter now.
"""

import math
from collections.abc import Mapping, Sequence, Set
from typing import Any

import numpy as np
from numpy.random import Generator
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution
from optuna.trial import FrozenTrial, TrialState

from luciole._layout import CONTINUOUS, LOG_INTEGER, Floats, draw
from luciole.algorithms.famv import ADAPTED, FAmv, adapt, approach, keep_most, wander
from luciole.errors import ArgumentError
from luciole.integrations._optuna_spaces import variable_of
from luciole.optimizer import score
from luciole.problem import judged
from luciole.space import Categorical, Ordinal, Space

CLAIM = "luciole:claim"
"""The system attribute that holds where a trial is going, until its parameters are stored."""

REDRAWS = 30  # tries to leave a known point by redrawing variables, before all unseen points are looked at

Key = int | tuple[float, ...]
"""A point to be compared: its number in a space that can be counted, otherwise its slots."""


class Frame:
    """The way between the parameters of a trial and the slots that the method moves."""

    def __init__(self, search_space: Mapping[str, BaseDistribution], ordered: Set[str]) -> None:
        self.search_space = dict(search_space)
        self.space = Space({
            # Choices are told apart as Optuna does it, by their position.
            name: (Ordinal if name in ordered else Categorical)(range(len(each.choices)))
            if isinstance(each, CategoricalDistribution) else variable_of(each) for name, each in search_space.items()
        })
        self.layout = self.space.layout
        self.size = self.space.size
        self.countable = CONTINUOUS not in self.layout.kind
        self._parts = [(name, each, self.space[name]) for name, each in search_space.items()]
        kinds, lows = self.layout.kind.tolist(), self.layout.low.tolist()
        self._digits = [(kind == LOG_INTEGER, low, int(variable.size)) for kind, low, variable in
                        zip(kinds, lows, self.space.values(), strict=True)] if self.countable else []

    def encode(self, params: Mapping[str, Any]) -> Floats | None:
        """The slots of parameters; None where one is missing or outside of its distribution."""
        slots = []
        try:
            for name, distribution, variable in self._parts:
                value = params[name]
                slots.append(distribution.to_internal_repr(value) if isinstance(distribution, CategoricalDistribution)
                             else variable.encode(value))
        except (KeyError, ValueError):
            return None
        return np.array(slots, dtype=np.float64)

    def decode(self, slots: Floats) -> dict[str, Any]:
        """The parameters of slots, as Optuna's own suggestions have them."""
        return {name: distribution.choices[int(slot)] if isinstance(distribution, CategoricalDistribution)
                else variable.decode(slot) for (name, distribution, variable), slot in
                zip(self._parts, slots.tolist(), strict=True)}

    def key(self, slots: Floats) -> Key:
        """What two equal points share."""
        if not self.countable:
            return tuple(slots.tolist())
        number = 0
        for slot, (is_log, low, size) in zip(slots.tolist(), self._digits, strict=True):
            position = round(math.exp(slot)) - round(math.exp(low)) if is_log else int(slot - low)
            number = number * size + position
        return number

    def slots_of(self, number: int) -> Floats:
        """The slots of a point of a countable space from its number."""
        slots = []
        for is_log, low, size in reversed(self._digits):
            number, position = divmod(number, size)
            slots.append(math.log(round(math.exp(low)) + position) if is_log else low + position)
        return np.array(slots[::-1], dtype=np.float64)

    def point_of(self, trial: FrozenTrial) -> Key | None:
        """Where a trial is or is going; None if that is not known, or if the point is not all there is to the trial."""
        if any(name not in self.search_space and not each.single() for name, each in trial.distributions.items()):
            return None
        slots = self.encode(trial.params)
        if slots is None and not trial.state.is_finished():
            slots = self.encode(trial.system_attrs.get("fixed_params", {}))
            claim = trial.system_attrs.get(CLAIM)
            if slots is None and isinstance(claim, dict):
                slots = self.encode(claim)
        return None if slots is None else self.key(slots)


class Swarm:
    """Fireflies, each at the best of its trials, and the points that trials were at."""

    def __init__(self, frame: Frame, method: FAmv, budget: int, sign: float) -> None:
        self.frame = frame
        self._sign = sign
        self._budget = budget
        self._greedy = method.accept == "better"
        self._state = method.start(frame.layout, budget)
        self._numbers = method.numbers(frame.layout)
        self._trial = np.full(method.population, -1)
        self._seen: set[Key] = set()
        self._evaluated: set[Key] = set()

    def take_in(self, trial: FrozenTrial) -> None:
        """Let a finished trial change the swarm; the order of such calls does not matter."""
        point = self.frame.point_of(trial)
        if point is not None:
            self._seen.add(point)
            if trial.state != TrialState.FAIL:
                self._evaluated.add(point)
        if trial.state != TrialState.COMPLETE or trial.value is None:
            return
        slots = self.frame.encode(trial.params)
        if slots is None:
            return
        value, violation, *_ = judged(self._sign * trial.value, [g for g in trial.constraints.values() if not g <= 0])
        brightness = score(value, violation)
        i = trial.number % len(self._trial)
        scores = self._state.sweep.score
        newer = trial.number > self._trial[i]
        if not math.isinf(brightness) and ((brightness, -trial.number) < (scores[i], -self._trial[i]) if self._greedy else newer):
            scores[i] = brightness
            self._trial[i] = trial.number
            self._state.position[i] = slots

    def propose(self, number: int, rng: Generator) -> Floats:
        """Where trial `number` goes."""
        state, layout = self._state, self.frame.layout
        scores = state.sweep.score
        i = number % len(scores)
        u = rng.random(self._numbers + 1)
        if math.isinf(scores[i]):
            return self._drawn(rng)
        brighter = np.flatnonzero(scores < scores[i])
        state.now[ADAPTED] = -1.0
        adapt(state, min(number / self._budget, 1.0))
        x = state.position[i].copy()
        state.origin[i] = x
        if brighter.size:
            approach(state, i, int(brighter[int(u[-1] * brighter.size)]), u[:-1], x)
        wander(state, u[:-1], x)
        if state.rules.share < 1.0:
            keep_most(state, i, u[:-1], x)
        return self._drawn(rng) if np.any(x < layout.low) or np.any(x > layout.high) else x

    def unseen(self, slots: Floats, going: Set[Key], rng: Generator) -> Floats:
        """A point near `slots`, or `slots` itself, where no trial was and no other is going.

        Where every point of the space was proposed, those come first whose trials failed, then those whose trials are still
        running, which may have died; where all were evaluated, `slots` it is.
        """
        frame = self.frame
        for known, out in ((self._seen, going), (self._evaluated, going), (self._evaluated, frozenset[Key]())):
            taken = out - known
            left = frame.size - len(known) - len(taken)
            if left <= 0:
                continue
            if (key := frame.key(slots)) not in known and key not in taken:
                return slots
            for redraw in range(REDRAWS):
                other = self._redrawn(slots, redraw / REDRAWS, rng)
                if (key := frame.key(other)) not in known and key not in taken:
                    return other
            return frame.slots_of(self._pick(known | taken, int(left), rng)) if frame.countable else slots
        return slots

    def _drawn(self, rng: Generator) -> Floats:
        """A point drawn from the whole space."""
        layout = self.frame.layout
        return np.array([draw(*each) for each in zip(rng.random(layout.kind.size).tolist(), layout.kind.tolist(),
                                                     layout.low.tolist(), layout.high.tolist(), strict=True)])

    def _redrawn(self, slots: Floats, share: float, rng: Generator) -> Floats:
        """The point with one variable drawn anew, and each other one with the probability `share`."""
        chosen = rng.random(slots.size) < share
        chosen[int(rng.random() * slots.size)] = True
        return np.where(chosen, self._drawn(rng), slots)

    @staticmethod
    def _pick(taken: set[Any], left: int, rng: Generator) -> int:
        """The number of a point that is not taken, each as likely as the others."""
        number = int(rng.random() * 2**53) * left >> 53
        for each in sorted(taken):
            if each > number:
                break
            number += 1
        return number


class Replay:
    """The finished trials of one study, taken in once each, and checked against the storage at every look."""

    def __init__(self, study_name: str) -> None:
        self.study_name = study_name
        self.search_space: dict[str, BaseDistribution] | None = None
        self.unfinished: list[FrozenTrial] = []
        self._trials: list[FrozenTrial] = []  # as they were at the last look
        self._open: list[int] = []  # where among them the unfinished stand
        self._swarm: Swarm | None = None

    @property
    def is_fresh(self) -> bool:
        """Whether no trial has finished yet."""
        return len(self._open) == len(self._trials)

    def follow(self, trials: Sequence[FrozenTrial]) -> bool:
        """Take in what has finished since the last look; False if the storage does not hold what it held then."""
        before = self._trials
        for i in self._open:
            if i < len(trials) and trials[i].number == before[i].number:
                before[i] = trials[i]
        # Storages give finished trials as the same objects again, which makes this comparison of all of them quick.
        if trials[: len(before)] != before:
            return False
        fresh = [*self._open, *range(len(before), len(trials))]
        self._trials = list(trials)
        self._open = [i for i in fresh if not trials[i].state.is_finished()]
        self.unfinished = [trials[i] for i in self._open]
        for trial in (trials[i] for i in fresh if trials[i].state.is_finished()):
            if trial.state != TrialState.FAIL:
                self.search_space = trial.distributions if self.search_space is None else {
                    name: each for name, each in self.search_space.items() if trial.distributions.get(name) == each}
            if self._swarm is not None:
                self._swarm.take_in(trial)
        return True

    def swarm(self, search_space: Mapping[str, BaseDistribution], ordered: Set[str], method: FAmv, budget: int,
              sign: float) -> Swarm:
        """The swarm over a search space, made anew when that changes."""
        if self._swarm is None or self._swarm.frame.search_space != search_space:
            self._swarm = Swarm(Frame(search_space, ordered), method, budget, sign)
            for trial in self._trials:
                if trial.state.is_finished():
                    self._swarm.take_in(trial)
        return self._swarm


def spread(name: str, distribution: BaseDistribution, number: int, rng: Generator) -> Any:
    """A value for trial `number` that no other of the first trials has, as far as there are values enough.

    While no trial has finished nobody knows which parameters there are, so points cannot be claimed. Going through the values
    of each parameter with a stride keeps trials apart that start at the same time; `rng` is the same for all of them.
    """
    frame = Frame({name: distribution}, frozenset())
    size = int(frame.size)
    start, stride = rng.integers(size, size=2).tolist()
    while math.gcd(stride, size) > 1:
        stride = (stride + 1) % size
    return frame.decode(frame.slots_of((start + stride * number) % size))[name]


def countable(distribution: BaseDistribution) -> bool:
    """Whether a distribution is one that luciole can move in, from value to value."""
    is_real = isinstance(distribution, FloatDistribution) and distribution.step is None
    return expressible(distribution) and not is_real


def expressible(distribution: BaseDistribution) -> bool:
    """Whether a distribution has more than one value and is one that luciole can move in."""
    if distribution.single():
        return False
    try:
        return isinstance(distribution, CategoricalDistribution) or bool(variable_of(distribution))
    except ArgumentError:
        return False
