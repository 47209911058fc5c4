"""The process in the peers' environment: it runs a library's search, and asks the process that started it for values."""

import json
import os
import sys
import traceback
from contextlib import suppress
from typing import Any

import numpy as np

from luciole._layout import Floats, Layout
from luciole.integrations.peers import PEERS, get_peer
from luciole.integrations.peers._place import listing
from luciole.integrations.peers._remote import CANDIDATE, FAILED, PAIR, RETURNED, TOLD, receive, receive_text, send_text
from luciole.integrations.peers.task import Ended, Task, Told


def serve(read: Any, write: Any) -> None:
    """Run one search after another, until there is nothing to read."""
    while True:
        try:
            asked = json.loads(receive_text(read))
            _search(asked, read, write)
        except EOFError:
            return
        except Exception:
            write.write(FAILED)
            send_text(write, traceback.format_exc())
        else:
            write.write(RETURNED)
        write.flush()


def _search(asked: dict[str, Any], read: Any, write: Any) -> None:
    stopped = False

    def evaluate(x: Floats) -> Told:
        nonlocal stopped
        if not stopped:
            write.write(CANDIDATE + np.ascontiguousarray(x, dtype=np.float64).tobytes())
            write.flush()
            stopped = receive(read, 1) != TOLD
        if stopped:
            raise Ended
        return Told(*PAIR.unpack(receive(read, PAIR.size)))

    layout = Layout(np.array(asked["kind"], dtype=np.int64), np.array(asked["low"], dtype=np.float64),
                    np.array(asked["high"], dtype=np.float64))
    with suppress(Ended):
        get_peer(asked["peer"], **asked["options"]).search(
            Task(layout, asked["constrained"], asked["budget"], asked["seed"], evaluate))


def main() -> None:
    """List the peers of this environment, or serve."""
    if "--list" in sys.argv:
        sys.stdout.write(json.dumps(listing(PEERS)))
        return
    # What libraries print must not get between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
