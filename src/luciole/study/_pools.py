"""Where runs are made: processes of this machine, or the workers of a Dask cluster."""

import json
import logging
import os
import signal
import time
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any, Protocol

from luciole._orphan import end_without
from luciole.errors import MissingExtraError, StateError
from luciole.study.run import Task, place, run_chunk

DASK_SECONDS = 10.0  # how long to wait for the scheduler
DASK_WAIT = 60.0  # and for the first worker
REFRESH_SECONDS = 5.0


class Pool(Protocol):
    """A place that takes chunks of runs."""

    def slots(self) -> int:
        """How many chunks to have out, so that no worker waits."""

    def submit(self, tasks: Sequence[Task]) -> "Future[Any]":
        """Begin a chunk; the future gives what `run_chunk` returns."""

    def restart(self) -> bool:
        """Go on after a worker died; tells whether everything that was under way is lost."""

    def close(self, *, kill: bool) -> None:
        """End; with kill, do not wait for what is under way."""


class Processes:
    """Processes of this machine.

    They ignore interrupts, which are for their parent to handle, and end when it is gone.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool = self._start()

    def slots(self) -> int:
        return self._workers + max(1, self._workers // 2)

    def submit(self, tasks: Sequence[Task]) -> "Future[Any]":
        future: Future[Any] = self._pool.submit(run_chunk, tasks)
        return future

    def restart(self) -> bool:
        self._pool.shutdown(kill_workers=True)
        self._pool = self._start()
        return True

    def _start(self) -> Any:
        from loky import ProcessPoolExecutor

        # One thread each: as many processes as cores share the machine already.
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
        return ProcessPoolExecutor(self._workers, initializer=_watch, initargs=(os.getpid(),), env=threads)

    def close(self, *, kill: bool) -> None:
        self._pool.shutdown(kill_workers=kill)


def _watch(parent: int) -> None:
    """Leave interrupts to the parent of a process, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_without(parent, lambda: os._exit(1))


class Dask:
    """The workers of a Dask cluster, as many as there are at any time."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise MissingExtraError("--dask needs the package distributed; install it with: "
                                    "pip install 'luciole[dask]'") from None
        # It would print tracebacks about a scheduler that is gone, which is told in one line.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        connect: Any = Client
        try:
            self._client = connect(address, timeout=DASK_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise StateError(f"there is no Dask scheduler at {address!r} ({error}); start one with: dask scheduler, and name its "
                             "address, as in --dask tcp://127.0.0.1:8786") from None
        try:
            self._client.wait_for_workers(1, timeout=DASK_WAIT)
            self._check_versions()
        except TimeoutError:
            self._client.close()
            raise StateError(f"the Dask scheduler at {address} has no workers; start some with: dask worker {address} "
                             "--nthreads 1") from None
        except BaseException:
            self._client.close()
            raise
        self._executor = self._client.get_executor(pure=False)
        self._slots, self._looked = 0, -REFRESH_SECONDS

    def _check_versions(self) -> None:
        here = json.loads(place())["versions"]["luciole"]
        for worker, answer in self._client.run(place, on_error="return").items():
            if isinstance(answer, Exception):
                raise StateError(f"the Dask worker {worker} cannot run luciole: {type(answer).__name__}: {answer}; install "
                                 f"luciole {here} there")
            if (there := json.loads(answer)["versions"]["luciole"]) != here:
                raise StateError(f"the Dask worker {worker} has luciole {there}; here it is {here}. Install the same everywhere")

    def slots(self) -> int:
        if time.monotonic() - self._looked > REFRESH_SECONDS:
            self._slots = max(1, 2 * sum(self._client.nthreads().values()))
            self._looked = time.monotonic()
        return self._slots

    def submit(self, tasks: Sequence[Task]) -> "Future[Any]":
        future: Future[Any] = self._executor.submit(run_chunk, tasks)
        return future

    def restart(self) -> bool:
        """Nothing to do: the scheduler gives the work of a worker that died to others."""
        return False

    def close(self, *, kill: bool) -> None:
        self._executor.shutdown(wait=not kill)
        self._client.close()
