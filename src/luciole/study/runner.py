"""The runner: hands out the runs of a plan that the store lacks, and stores each as it comes back."""

import json
import os
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from pathlib import Path
from typing import Any, NamedTuple

from luciole.errors import ArgumentError, StateError
from luciole.study._bar import Bar
from luciole.study._pools import Dask, Pool, Processes
from luciole.study.entries import check_peers, peers_of
from luciole.study.plan import Plan
from luciole.study.run import Failed, Task, place
from luciole.study.store import Store, open_store

CHUNK_SECONDS = 0.25  # runs are handed out in chunks of about this much work, so that handing out costs nothing
CHUNK_RUNS = 64
COMPILE_EVALUATIONS = 100_000  # a method that makes so many in all is worth compiling, however short each run
LIVES = 2  # how many processes a run may take with it, alone, before it counts as failed


class Outcome(NamedTuple):
    """What a call of `run_study` did."""

    finished: int
    """How many runs of the plan are finished now."""
    made: int
    """How many of them this call made."""
    failed: int
    """How many it tried in vain."""
    evaluations: int
    seconds: float
    """How long it took, by the clock."""


def run_study(plan: Plan, directory: str | Path, *, workers: int | None = None, dask: str | None = None, command: str = "",
              progress: bool = False) -> Outcome:
    """Make the runs of a plan that are not in the store yet.

    Parameters
    ----------
    plan : Plan
        What to run.
    directory : str or Path
        The folder of the study; made if it is missing. A study that was begun there goes on.
    workers : int, optional
        How many processes. Left out: one for each core.
    dask : str, optional
        The address of a Dask scheduler whose workers make the runs instead.
    command : str
        How the plan was named on the command line, for those who want to repeat a run.
    progress : bool
        Show a progress bar.

    Returns
    -------
    Outcome
        A run that raises counts as failed and is tried again by the next call; the others go on.
    """
    if workers is not None and dask is not None:
        raise ArgumentError("workers and dask exclude each other: give a number of processes here, or a scheduler's address")
    if workers is not None and workers < 1:
        raise ArgumentError(f"workers={workers!r} must be a whole number of at least 1")
    if dask is None:
        check_peers(peers_of(plan.methods))
    began = time.monotonic()
    with open_store(directory, plan, command) as store:
        finished = store.finished()
        pending = [task for task in tasks_of(plan) if task.key not in finished]
        done = plan.size - len(pending)
        with Bar(plan.size, done, enabled=progress) as bar:
            if pending:
                _note_versions(store, bar)
                pool: Pool = Dask(dask) if dask is not None else Processes(min(workers or _cores(), len(pending)))
                _Runner(store, pool, bar).run(pending)
        return Outcome(bar.done, bar.done - done, bar.failed, bar.evaluations, time.monotonic() - began)


def tasks_of(plan: Plan) -> list[Task]:
    """All runs of a plan: the first repetition of everything, then the second, and so on."""
    compiled = True if plan.budget * plan.size >= COMPILE_EVALUATIONS * len(plan.methods) else None
    return [Task(problem, method, repetition, plan.seed, plan.budget, plan.fitness, compiled)
            for repetition in range(plan.repetitions) for problem in plan.problems for method in plan.methods]


class _Runner:
    """One call of `run_study`."""

    def __init__(self, store: Store, pool: Pool, bar: Bar) -> None:
        self.store = store
        self.pool = pool
        self.bar = bar
        self.flying: dict[Future[Any], Sequence[Task]] = {}
        self.suspects: deque[Task] = deque()  # were under way when a process died; each is tried alone
        self.alone: Sequence[Task] = ()  # the suspect that is tried
        self.deaths: dict[Task, int] = {}
        self.cost: dict[tuple[str, str], float] = {}  # seconds a run of a method on a problem takes

    def run(self, pending: Sequence[Task]) -> None:
        waiting = deque(pending)
        kill = True
        try:
            while waiting or self.suspects or self.flying:
                if self.suspects:
                    if not self.flying:
                        self.alone = [self.suspects.popleft()]
                        self.submit(self.alone)
                else:
                    slots = self.pool.slots()
                    while waiting and len(self.flying) < slots:
                        self.submit(self.chunk(waiting, slots))
                self.land()
            kill = False
        finally:
            self.pool.close(kill=kill)

    def chunk(self, waiting: "deque[Task]", slots: int) -> list[Task]:
        """The next few runs, about `CHUNK_SECONDS` of work; fewer toward the end, so that all workers end together."""
        tasks: list[Task] = []
        seconds, most = 0.0, min(CHUNK_RUNS, 1 + len(waiting) // (2 * slots))
        while waiting and seconds < CHUNK_SECONDS and len(tasks) < most:
            task = waiting.popleft()
            tasks.append(task)
            seconds += self.cost.get(task.key[:2], CHUNK_SECONDS)
        return tasks

    def submit(self, tasks: Sequence[Task]) -> None:
        try:
            self.flying[self.pool.submit(tasks)] = tasks
        except BrokenExecutor as error:
            broken: Future[Any] = Future()
            broken.set_exception(error)
            self.flying[broken] = tasks

    def land(self) -> None:
        """Wait for a chunk to come back, and store what it brings."""
        ready, _ = wait(self.flying, return_when=FIRST_COMPLETED)
        died = False
        for future in ready:
            tasks = self.flying.pop(future)
            try:
                there, found = future.result()
            except CancelledError:
                raise StateError("the connection to the Dask scheduler is lost. All runs that were stored are safe; when it is "
                                 "back, the same command goes on") from None
            except Exception as error:
                if not isinstance(error, BrokenExecutor) and type(error).__name__ != "KilledWorker":
                    raise
                died = True
                self.suspect(tasks)
                continue
            self.keep(there, found)
        if died:
            self.recover()

    def recover(self) -> None:
        """After a process died: what else was under way may be lost as well."""
        if self.pool.restart():
            flying, self.flying = self.flying, {}
            for future, tasks in flying.items():
                if future.done() and not future.cancelled() and future.exception() is None:
                    self.keep(*future.result())
                else:
                    self.suspect(tasks)
        self.bar.say("a worker process died; the runs that were under way are made again, one by one")

    def suspect(self, tasks: Sequence[Task]) -> None:
        """Try runs alone that were under way when a process died; one that then dies again and again has failed."""
        for task in tasks:
            if tasks is self.alone:
                self.deaths[task] = self.deaths.get(task, 0) + 1
            if self.deaths.get(task, 0) >= LIVES:
                message = "the process that made this run died: killed, out of memory, or a crash in compiled code"
                self.keep(place(), [Failed(*task.key, task.seed, message, "")])
            else:
                self.suspects.append(task)

    def keep(self, there: str, found: Sequence[Any]) -> None:
        self.store.add(there, found)
        good = [each for each in found if not isinstance(each, Failed)]
        for each in good:
            self.cost[each.problem, each.method] = each.seconds
        for each in found:
            if isinstance(each, Failed):
                self.bar.say(f"failed: {each.method} on {each.problem}, repetition {each.repetition}: {each.message}")
        self.bar.update(len(good), len(found) - len(good), sum(each.evaluations for each in good))


def _note_versions(store: Store, bar: Bar) -> None:
    """Say if earlier runs were made with other versions."""
    here = json.loads(place())["versions"]
    for each in store.places():
        for package, version in here.items():
            if each["versions"].get(package) != version:
                bar.say(f"note: runs so far were made with {package} {each['versions'].get(package)}, and here is {version}; the "
                        "same numbers to the last bit are promised for the same versions only")
                return


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
