"""An Optuna sampler, converters for search spaces, and help with trials that died; needs the extra ``optuna``."""

import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence

from luciole.algorithms import FAmv
from luciole.errors import ArgumentError, MissingExtraError
from luciole.optimizer import check_count
from luciole.space import Ordinal, Space

try:
    from optuna.distributions import BaseDistribution
    from optuna.samplers import BaseSampler, RandomSampler
    from optuna.study import Study, StudyDirection
    from optuna.trial import FrozenTrial, TrialState
except ImportError:
    raise MissingExtraError("luciole.integrations.optuna needs Optuna; install it with: pip install 'luciole[optuna]'") from None

from luciole.integrations._optuna_spaces import from_optuna, suggest, to_optuna
from luciole.integrations._optuna_swarm import CLAIM, Key, Replay, Swarm, countable, expressible, spread

__all__ = ["FireflySampler", "fail_stale_trials", "from_optuna", "suggest", "to_optuna"]

FEW_TRIALS = FAmv(population=5, difference=0.5, share=0.1)
"""The settings that a sampler has if none are given: found by trying populations from 4 to 15 over 100 to 1,000 trials."""

ROUNDS = 50  # how often a trial steps aside for others that claim the same point


class FireflySampler(BaseSampler):
    """An Optuna sampler that moves a swarm of fireflies through mixed search spaces.

    All it knows it reads from the study's storage, and all random numbers follow from the seed and the number of the trial. So
    any number of processes may work on one study, each with a sampler of its own, and any of them may die; a study goes on
    after a break as if there had been none. While a search space of discrete variables holds points that nobody tried, none is
    proposed twice.

    Parameters
    ----------
    search_space : dict or Space, optional
        The variables, as a dict of Optuna distributions or a `luciole.Space`, known before the first trial. The `luciole.Ordinal`
        variables of a space are moved along their order; the objective suggests them as categorical (see `suggest`). Left out,
        the search space is the intersection of those of the finished trials; other parameters are drawn at random.
    seed : int, optional
        The seed. Left out, the operating system gives one.
    method : FAmv, optional
        Settings of the swarm. Left out: a small swarm for some hundred trials; with many processes, or for
        thousands of trials, give a larger one.
    budget : int
        How many trials are planned; random steps grow smaller until then. More may follow.
    constraints_func : callable, optional
        Called with each finished trial; returns numbers that are at most 0 where the trial is feasible. Constraints set with
        ``trial.set_constraint`` in the objective are heeded without it.

    Examples
    --------
    >>> import optuna
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> study = optuna.create_study(sampler=FireflySampler(seed=1))
    >>> def objective(trial):
    ...     x, n = trial.suggest_float("x", -5, 5), trial.suggest_int("n", 0, 9)
    ...     return (x - 1) ** 2 + (n - 3) ** 2 + (trial.suggest_categorical("kind", ["a", "b"]) == "a")
    >>> study.optimize(objective, n_trials=200)
    >>> study.best_params["n"], study.best_params["kind"], round(study.best_params["x"], 1)
    (3, 'b', 1.0)
    """

    def __init__(self, search_space: Mapping[str, BaseDistribution] | Space | None = None, *, seed: int | None = None,
                 method: FAmv | None = None, budget: int = 1000,
                 constraints_func: Callable[[FrozenTrial], Sequence[float]] | None = None) -> None:
        self._declared: dict[str, BaseDistribution] | None = None
        self._ordered: frozenset[str] = frozenset()
        if isinstance(search_space, Space):
            self._declared = to_optuna(search_space, ordered_as_categorical=True)
            self._ordered = frozenset(name for name, each in search_space.items() if isinstance(each, Ordinal))
        elif search_space is not None:
            from_optuna(search_space)
            self._declared = dict(search_space)
        if method is not None and not isinstance(method, FAmv):
            raise ArgumentError(f"method={method!r} must be a luciole.FAmv")
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0):
            raise ArgumentError(f"seed={seed!r} must be a whole number >= 0 or None")
        if constraints_func is not None and not callable(constraints_func):
            raise ArgumentError(f"constraints_func={constraints_func!r} must be callable")
        self._seed = SeedSequence().entropy if seed is None else int(seed)
        self._method = FEW_TRIALS if method is None else method
        self._budget = check_count("budget", budget)
        self._constraints_func = constraints_func
        self._replay: Replay | None = None
        self._lock = Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_replay": None, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ = {**state, "_lock": Lock()}

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        refuse_several_objectives(study)
        known = self._declared
        if known is None:
            with self._lock:
                known = self._look(study).search_space or {}
        return {name: known[name] for name in sorted(known) if expressible(known[name])}

    def sample_relative(self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]) -> dict[str, Any]:
        refuse_several_objectives(study)
        if not search_space:
            return {}
        with self._lock:
            rng = self._generator(trial.number)
            swarm, going = self._swarm(study, trial, search_space)
            slots = swarm.propose(trial.number, rng)
            if "fixed_params" not in trial.system_attrs:  # a trial that was enqueued goes where it was told to
                slots = swarm.unseen(slots, going, rng)
                if swarm.frame.countable:
                    swarm, slots = self._claim(study, trial, search_space, swarm, slots, rng)
            return swarm.frame.decode(slots)

    def sample_independent(self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution) -> Any:
        refuse_several_objectives(study)
        of_name = zlib.crc32(param_name.encode())
        replay = self._replay
        is_first = self._declared is None and replay is not None and replay.study_name == study.study_name and replay.is_fresh
        if is_first and countable(param_distribution):
            return spread(param_name, param_distribution, trial.number, self._generator(of_name))
        rng = self._generator(trial.number, of_name)
        return RandomSampler(int(rng.integers(2**32))).sample_independent(study, trial, param_name, param_distribution)

    def after_trial(self, study: Study, trial: FrozenTrial, state: TrialState, values: Sequence[float] | None) -> None:
        if self._constraints_func is None or state not in (TrialState.COMPLETE, TrialState.PRUNED):
            return
        numbers = [float(each) for each in self._constraints_func(trial)]
        if any(map(math.isnan, numbers)):
            raise ArgumentError(f"constraints_func returned {numbers!r} for trial {trial.number}; numbers are needed, at most 0 "
                                "where the trial is feasible")
        for i, number in enumerate(numbers):
            study._storage.set_trial_system_attr(trial._trial_id, f"constraints:{i}", number)

    def _claim(self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution], swarm: Swarm, slots: Any,
               rng: Generator) -> tuple[Swarm, Any]:
        """Say where this trial is going, and step aside if another said the same.

        Each writes first and looks then, so of two trials at least the later to write sees the other. Both may step aside;
        they draw from different streams and soon part.
        """
        for _ in range(ROUNDS):
            study._storage.set_trial_system_attr(trial._trial_id, CLAIM, swarm.frame.decode(slots))
            swarm, going = self._swarm(study, trial, search_space)
            claimed = swarm.frame.key(slots)
            slots = swarm.unseen(slots, going, rng)
            if swarm.frame.key(slots) == claimed:
                break
        return swarm, slots

    def _swarm(self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]) -> tuple[Swarm, set[Key]]:
        """The swarm as the storage has it now, and the points that other trials are going to."""
        replay = self._look(study)
        sign = -1.0 if study.direction == StudyDirection.MAXIMIZE else 1.0
        swarm = replay.swarm(search_space, self._ordered, self._method, self._budget, sign)
        others = (swarm.frame.point_of(each) for each in replay.unfinished if each.number != trial.number)
        return swarm, {point for point in others if point is not None}

    def _look(self, study: Study) -> Replay:
        """Read the storage and take in what is new; begin again if it holds another study than before."""
        trials = list(study.get_trials(deepcopy=False))
        replay = self._replay
        if replay is None or replay.study_name != study.study_name or not replay.follow(trials):
            replay = Replay(study.study_name)
            replay.follow(trials)
        self._replay = replay
        return replay

    def _generator(self, *key: int) -> Generator:
        """The random numbers of a trial, or of one of its parameters."""
        return np.random.default_rng(SeedSequence(self._seed, spawn_key=key))


def refuse_several_objectives(study: Study) -> None:
    """An error for studies with several objectives."""
    if len(study.directions) > 1:
        raise ArgumentError(f"the study has {len(study.directions)} objectives; FireflySampler is for one objective only")


def fail_stale_trials(study: Study, older_than: float | timedelta, *, enqueue: bool = False) -> list[int]:
    """Fail the trials that have been running for too long, because their process died.

    Optuna does this by itself where its storage has a heartbeat: `optuna.storages.RDBStorage` with ``heartbeat_interval``. A
    journal has none, and a killed process leaves its trial RUNNING there for good.

    Parameters
    ----------
    study : optuna.Study
        The study.
    older_than : float or timedelta
        How long a trial may run, in seconds; longer than any that is alive, by the clocks of the machines that started them.
    enqueue : bool
        Whether the parameters of these trials are enqueued to be tried again.

    Returns
    -------
    list of int
        The numbers of the trials that were failed.

    Examples
    --------
    >>> import optuna
    >>> study = optuna.create_study()
    >>> lost = study.ask()
    >>> fail_stale_trials(study, older_than=0)
    [0]
    """
    try:
        limit = older_than if isinstance(older_than, timedelta) else timedelta(seconds=older_than)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"older_than={older_than!r} must be a number of seconds or a timedelta") from None
    failed = []
    for trial in study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
        if trial.datetime_start is None or datetime.now() - trial.datetime_start < limit:
            continue
        if study.tell(trial.number, state=TrialState.FAIL, skip_if_finished=True).state == TrialState.FAIL:
            failed.append(trial.number)
            if enqueue and trial.params:
                study.enqueue_trial(trial.params)
    return failed
