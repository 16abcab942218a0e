"""What a worker process does: pieces that come through its standard input, until that is closed."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import signal
import struct
import sys
import threading
from functools import partial
from queue import SimpleQueue
from typing import IO, Any

_end_at_once = os._exit  # the real one: while learners run it is another

LENGTH = struct.Struct("<Q")

FEW = 40  # Fits of a piece up to which each is told: more are so short that telling would cost as much.


def read_frame(stream: IO[bytes]) -> bytes:
    """The next message; raises EOFError when the other side is gone."""
    head = stream.read(LENGTH.size)
    size = LENGTH.unpack(head)[0] if len(head) == LENGTH.size else -1
    content = stream.read(size) if size >= 0 else b""
    if len(content) != size:
        raise EOFError
    return content


def write_frame(stream: IO[bytes], content: bytes) -> None:
    stream.write(LENGTH.pack(len(content)))
    stream.write(content)
    stream.flush()


def serve(parent: int) -> None:
    """Do one piece after the other; the process ends with the one that started it."""
    # end by the system's hand when the parent is gone: a loop in compiled code sees no closed pipe
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    if sys.platform == "linux":
        set_parent_death_signal = 1  # PR_SET_PDEATHSIG in <sys/prctl.h>
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
        if os.getppid() != parent:  # the parent died before the call above
            _end_at_once(1)
    # the pipes, out of the way of code that reads standard input or prints
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # a process without standard error
        os.dup2(nothing, 1)
    waiting: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(requests, waiting), daemon=True).start()
    from foldwise.core.kernels import announce_compilation
    from foldwise.core.process import limit_memory, prints_to_stderr, return_large_blocks
    from foldwise.engine.backends import unpack_job
    from foldwise.engine.limits import at_home, end_copies, tell_beginnings

    return_large_blocks()
    announce_compilation(lambda text: _send(answers, ("says", text)))
    worker: Any = None
    while True:
        try:
            job, chunk, memory, timed = pickle.loads(waiting.get())  # noqa: S301 (from the process that started this)
            if job is not None:
                limit_memory(None)
                data, sys.path[:] = job
                worker = unpack_job(data).worker()
                limit_memory(memory)
            tell_beginnings(partial(_tell, answers, timed))
            at_home()
            with prints_to_stderr():
                outcome = "done", worker.work(chunk)
        except BaseException as error:  # noqa: BLE001 (whatever it is, it is raised again where the work was asked for)
            outcome = "raised", error
        end_copies()
        _send(answers, outcome)


def _tell(answers: IO[bytes], timed: bool, piece: object, fits: int, of: int) -> None:
    """Tell the process that started this one which fit begins."""
    if timed or of <= FEW:
        _send(answers, ("at", (piece, fits)))


def _send(answers: IO[bytes], message: tuple[str, Any]) -> None:
    try:
        content = pickle.dumps(message, protocol=5)
    except Exception:  # noqa: BLE001 (an error with a lock inside, or whose class the work brought along)
        import cloudpickle

        try:
            content = cloudpickle.dumps(message, protocol=5)
        except Exception:  # noqa: BLE001
            content = pickle.dumps(("raised", RuntimeError(f"{type(message[1]).__name__}: {message[1]}")))
    try:
        write_frame(answers, content)
    except OSError:  # nobody listens any more
        _end_at_once(1)


def _listen(requests: IO[bytes], waiting: SimpleQueue[bytes]) -> None:
    while True:
        try:
            waiting.put(read_frame(requests))
        except (EOFError, OSError):
            _end_at_once(0)
