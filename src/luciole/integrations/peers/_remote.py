"""Run a peer's search in another environment, with the objective evaluated here.

A worker process runs the library. It writes the slots of each candidate to its output and reads the value from its input, as
plain float64, so the two environments need no package in common but luciole. A worker serves one run after another.
"""

import atexit
import json
import os
import struct
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np

from luciole.errors import StateError
from luciole.integrations.peers.task import Ended, Task

if TYPE_CHECKING:
    from luciole.integrations.peers.base import Peer

CANDIDATE, RETURNED, FAILED = b"x", b".", b"!"
TOLD, STOP = b"v", b"s"
PAIR = struct.Struct("=dd")
LENGTH = struct.Struct("=Q")


class Worker(NamedTuple):
    """A process in the peers' environment."""

    process: "subprocess.Popen[bytes]"
    messages: Any
    """A file with what its libraries print."""
    owner: int
    """The process that started it; a fork must not share it."""

    def close(self) -> None:
        """End the process, if it is this one's."""
        if self.owner == os.getpid():
            self.process.kill()
            with suppress(OSError), self.process, self.messages:  # closes the pipes and waits
                pass


_idle: dict[Path, list[Worker]] = {}


def search_in(python: Path, peer: "Peer") -> Callable[[Task], None]:
    """The search of a peer, in another environment."""

    def search(task: Task) -> None:
        worker = _worker(python)
        try:
            ended = _serve(worker, peer, task)
        except BaseException:
            worker.close()
            raise
        _idle.setdefault(python, []).append(worker)
        if ended:
            raise Ended

    return search


def _worker(python: Path) -> Worker:
    while idle := _idle.get(python):
        worker = idle.pop()
        if worker.owner == os.getpid() and worker.process.poll() is None:
            return worker
        worker.close()
    messages = tempfile.TemporaryFile()  # noqa: SIM115 (it lives as long as the worker)
    # One thread: the libraries' matrices are small, and the bits must not depend on the number of cores.
    threads = {f"{each}_NUM_THREADS": "1" for each in ("OMP", "OPENBLAS", "MKL")}
    process = subprocess.Popen([python, "-m", "luciole.integrations.peers.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=messages, env={**os.environ, **threads})
    return Worker(process, messages, os.getpid())


@atexit.register
def _close() -> None:
    for worker in (each for idle in _idle.values() for each in idle):
        worker.close()
    _idle.clear()


def _serve(worker: Worker, peer: "Peer", task: Task) -> bool:
    """Send the task, evaluate candidates until the search ends; whether it ended because the budget did."""
    to, back = worker.process.stdin, worker.process.stdout
    assert to is not None
    assert back is not None
    layout = task.layout
    send_text(to, json.dumps({"peer": peer.name, "options": peer.options, "constrained": task.constrained, "budget": task.budget,
                              "seed": task.seed, "kind": layout.kind.tolist(), "low": layout.low.tolist(),
                              "high": layout.high.tolist()}))
    to.flush()
    ended = False
    while True:
        mark = back.read(1)
        if mark == CANDIDATE:
            x = np.frombuffer(receive(back, 8 * len(task)))
            try:
                to.write(TOLD + PAIR.pack(*task.evaluate(x)))
            except Ended:
                ended = True
                to.write(STOP)
            to.flush()
        elif mark == RETURNED:
            return ended
        elif mark == FAILED:
            raise StateError(f"the peer {peer.name} failed in its environment:\n{receive_text(back)}")
        else:
            worker.messages.seek(0)
            said = worker.messages.read().decode(errors="replace")[-2000:]
            raise StateError(f"the peer {peer.name} ended without an answer (exit {worker.process.wait()}):\n{said}")


def send_text(to: BinaryIO | Any, text: str) -> None:
    """Write a text after its length."""
    content = text.encode()
    to.write(LENGTH.pack(len(content)) + content)


def receive_text(back: BinaryIO | Any) -> str:
    """Read what `send_text` wrote."""
    return receive(back, LENGTH.unpack(receive(back, LENGTH.size))[0]).decode()


def receive(back: BinaryIO | Any, count: int) -> bytes:
    """Read exactly so many bytes; an `EOFError` if the other side is gone."""
    content: bytes = back.read(count)
    if len(content) < count:
        raise EOFError("the other process has ended")
    return content
