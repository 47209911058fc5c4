"""Processes that evaluate points: one that hangs or dies takes a single evaluation with it, and the others go on.

They are started when first needed, get the problem once a run, and stay a while for the next one. Nothing here runs in the
background: whoever waits for a job hands out work and hears answers meanwhile.
"""

import atexit
import contextlib
import math
import os
import pickle
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError
from multiprocessing.connection import Connection, Pipe, wait

from luciole._orphan import end_without
from luciole.errors import StateError
from luciole.problem import Evaluation

IDLE_SECONDS = 60.0  # after which a process that nobody needs ends
LOOK_SECONDS = 1.0  # between two looks at whether processes live: their children may hold the pipes that would tell
PATIENCE_SECONDS = 5.0  # with a process that was killed: one in a system call that hangs may stay
PROBLEM, POINT, BEGUN = b"p", b"x", b"begun"  # what messages begin with, or are


class RemoteError(Exception):
    """Carries the traceback of another process, as the cause of the exception that came from there."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


class Job:
    """The evaluation of a point, as far as it has come."""

    def __init__(self, pool: "Pool", content: bytes) -> None:
        self.content = content
        self.deaths = 0
        self.lost: str | None = None
        """What became of it, in a few words, if it took too long or killed its process."""
        self._pool = pool
        self._answer: Evaluation | BaseException | None = None

    def result(self, timeout: float | None = None) -> Evaluation:
        """What the evaluation gave; `TimeoutError` after so many seconds without it."""
        until = math.inf if timeout is None else time.monotonic() + timeout
        while self._answer is None:
            if time.monotonic() >= until:
                raise TimeoutError
            self._pool.advance(until)
        if isinstance(self._answer, BaseException):
            raise self._answer
        return self._answer

    def cancel(self) -> bool:
        """Give it up; False if it is under way."""
        return self._pool.cancel(self)

    def answer(self, answer: Evaluation | BaseException) -> None:
        """Say what it gave."""
        self._answer = answer

    @property
    def done(self) -> bool:
        """Whether an answer is there."""
        return self._answer is not None


class Worker:
    """A process, and the job it is at."""

    def __init__(self) -> None:
        from loky.backend import get_context

        self.connection, there = Pipe()
        self.process = get_context("loky").Process(target=serve, args=(there, os.getpid()))
        self.process.start()
        there.close()
        self.problem: int | None = None  # the run whose problem it has
        self.job: Job | None = None
        self.begun = math.inf  # when the objective was called
        self.worked = False  # whether it ever answered

    def stop(self) -> None:
        """End it and what it has started, whatever they are doing, and even if it is dead already."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        if self.process.is_alive():
            with contextlib.suppress(ProcessLookupError):  # it had no time yet to make a group of its own
                os.kill(self.process.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        self.process.join(PATIENCE_SECONDS)
        self.connection.close()


class Pool:
    """So many processes, for one run at a time.

    Parameters
    ----------
    size : int
        How many processes.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._owner = os.getpid()
        self._workers: list[Worker] = []
        self._waiting: deque[Job] = deque()
        self._run = 0
        self._problem = b""
        self._limit = math.inf

    def begin(self, problem: bytes, limit: float) -> None:
        """Take on a run: a pickled function of slots, and how many seconds a call may take."""
        self._run += 1
        self._problem, self._limit = problem, limit
        while len(self._workers) < self.size:  # all at once: they take a moment to start
            self._workers.append(Worker())

    def submit(self, content: bytes) -> Job:
        """Have a point evaluated."""
        job = Job(self, content)
        self._waiting.append(job)
        self._hand_out()
        return job

    def cancel(self, job: Job) -> bool:
        """Give up a job; False if it is under way."""
        with contextlib.suppress(ValueError):
            self._waiting.remove(job)
            job.answer(CancelledError())
        return job.done

    def advance(self, until: float) -> None:
        """Hand out work, then hear what comes in first, wait until that time at most, and stop what takes too long."""
        self._hand_out()
        until = min([until, time.monotonic() + LOOK_SECONDS, *(each.begun + self._limit for each in self._workers)])
        busy = {each.connection: each for each in self._workers if each.job is not None}
        heard = wait([*busy, *(each.process.sentinel for each in busy.values())],
                     max(until - time.monotonic(), 0.0))
        for connection, worker in busy.items():
            if connection in heard or worker.process.sentinel in heard or not worker.process.is_alive():
                self._hear(worker)
        now = time.monotonic()
        for worker in [*self._workers]:
            if now >= worker.begun + self._limit and not worker.connection.poll():
                self._lose(worker, f"no value within {self._limit:g} s; its process was stopped", "took too long")
        self._hand_out()

    def _hand_out(self) -> None:
        for worker in [*self._workers]:
            if worker.job is None and not worker.process.is_alive():  # it ended by itself, idle
                self._remove(worker)
        while self._waiting:
            idle = [each for each in self._workers if each.job is None]
            if not idle and len(self._workers) == self.size:
                return
            if not idle:
                self._workers.append(Worker())
            worker = idle[0] if idle else self._workers[-1]
            worker.job = self._waiting.popleft()
            with contextlib.suppress(OSError):  # that it ended just now is heard later
                if worker.problem != self._run:
                    worker.connection.send_bytes(PROBLEM + self._problem)
                    worker.problem = self._run
                worker.connection.send_bytes(POINT + worker.job.content)

    def _hear(self, worker: Worker) -> None:
        try:
            while worker.job is not None and worker.connection.poll():
                message = worker.connection.recv_bytes()
                if message == BEGUN:
                    worker.begun = time.monotonic()
                else:
                    job, worker.job, worker.begun, worker.worked = worker.job, None, math.inf, True
                    job.answer(_opened(message))
        except (EOFError, OSError):
            self._bury(worker)
        else:
            if worker.job is not None and not worker.process.is_alive() and not worker.connection.poll():
                self._bury(worker)

    def _bury(self, worker: Worker) -> None:
        """A process is dead: give its job to another, or up if it is the second that died of it."""
        job = worker.job
        worker.process.join(PATIENCE_SECONDS)
        code = worker.process.exitcode
        if job is None or (code == 0 and worker.begun == math.inf and worker.worked):  # it ended idle, as the job came
            self._remove(worker)
            if job is not None:
                self._waiting.appendleft(job)
            return
        job.deaths += 1
        if job.deaths == 1:
            self._remove(worker)
            self._waiting.appendleft(job)
        elif worker.begun == math.inf:
            self._remove(worker)
            job.answer(StateError(f"worker processes end ({_ending(code)}) before they have the problem; does it need what "
                                  "only this process has?"))
        else:
            self._lose(worker, f"its process died ({_ending(code)}), and so did another that tried again", "killed its process")

    def _lose(self, worker: Worker, error: str, lost: str) -> None:
        job = worker.job
        self._remove(worker)
        if job is not None:
            job.lost = lost
            job.answer(Evaluation(math.nan, math.inf, error))

    def _remove(self, worker: Worker) -> None:
        self._workers.remove(worker)
        worker.job = None
        worker.stop()

    def end_run(self) -> None:
        """Drop what is under way; processes that are idle stay for the next run."""
        self._waiting.clear()
        for worker in [*self._workers]:
            if worker.job is not None:
                self._remove(worker)

    def close(self) -> None:
        """End all processes."""
        if self.is_mine():
            for worker in [*self._workers]:
                self._remove(worker)

    def is_mine(self) -> bool:
        """Whether this process started it, rather than having been forked from the one that did."""
        return self._owner == os.getpid()


_resting: list[Pool] = []
_lock = threading.Lock()


def take(size: int) -> Pool:
    """A pool of so many processes that no other run is using: the last one, if it fits."""
    with _lock:
        if _resting:
            pool = _resting.pop()
            if pool.size == size and pool.is_mine():
                return pool
            pool.close()
    return Pool(size)


def give_back(pool: Pool) -> None:
    """Keep a pool for the next run; one at a time is kept."""
    pool.end_run()
    with _lock:
        _resting.append(pool)
        while len(_resting) > 1:
            _resting.pop(0).close()


@atexit.register
def _close_all() -> None:
    while _resting:
        _resting.pop().close()


def _opened(message: bytes) -> Evaluation | BaseException:
    """An answer from a process."""
    worked, content, text = pickle.loads(message)
    if worked:
        return Evaluation(*content)
    try:
        error = pickle.loads(content)
    except Exception:  # an exception that cannot travel, or is known only there
        return RemoteError(text)
    error.__cause__ = RemoteError(text)
    return error  # type: ignore[no-any-return]


def _ending(code: int | None) -> str:
    """How a process ended, for messages."""
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"


# -- in the process -----------------------------------------------------------------------------------------------------


def serve(connection: Connection, parent: int) -> None:
    """Evaluate what comes in, until nobody is there to ask or nothing came for a while."""
    if hasattr(os, "setpgrp"):
        os.setpgrp()  # so that what it starts can be stopped with it, and interrupts reach the parent alone
        end_without(parent, lambda: os.killpg(0, signal.SIGKILL))
    else:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    problem: bytes | Callable[[bytes], Evaluation] = b""
    with connection, contextlib.suppress(EOFError, OSError):
        while connection.poll(IDLE_SECONDS):
            message = connection.recv_bytes()
            kind, content = message[:1], message[1:]
            if kind == PROBLEM:
                problem = content
                continue
            try:
                if isinstance(problem, bytes):
                    problem = pickle.loads(problem)
                connection.send_bytes(BEGUN)
                answer = pickle.dumps((True, tuple(problem(content)), ""))  # type: ignore[operator]
            except BaseException as error:
                answer = _packed(error)
            connection.send_bytes(answer)


def _packed(error: BaseException) -> bytes:
    """An exception as an answer, with its traceback, which pickle leaves out."""
    import cloudpickle

    text = "".join(traceback.format_exception(error))
    try:
        content = cloudpickle.dumps(error)
        pickle.loads(content)
    except Exception:
        content = b""
    return pickle.dumps((False, content, text))
