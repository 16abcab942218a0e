"""Python processes that begin with the packages loaded, because loading them takes more than a second of each.

They are real processes, with signals, files and an end of their own, but forked from one that has imported what they
will need. They share its hashes of text: where those matter, or how a process starts, a test starts it itself.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from functools import cache
from pathlib import Path

PACKAGES = (
    "sklearn.naive_bayes", "sklearn.tree", "foldwise.cli.main", "foldwise.cli.compare", "foldwise.engine.runner",
    "foldwise.lab.gather", "foldwise.comparison", "distributed.cli.dask_scheduler", "distributed.cli.dask_worker",
)  # fmt: skip

SERVER = "import sys, json; sys.path[:] = json.loads(sys.argv[1]); import warm; warm.serve(int(sys.argv[2]))()"


class Process:
    """Such a process, with what tests use of `subprocess.Popen`; its streams are text."""

    def __init__(self, args, *, cwd=None, env=None, group=False):
        self.returncode = None
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed by `communicate`)
        theirs_in, ours_in = os.pipe()
        ours_out, theirs_out = os.pipe()
        reports, reporting = os.pipe()
        order = {"args": list(map(str, args)), "cwd": str(cwd or Path.cwd()), "env": dict(env or os.environ)}
        given = [theirs_in, theirs_out, self._errors.fileno(), reporting]
        socket.send_fds(_server(os.getpid()), [json.dumps({**order, "group": group}).encode()], given)
        for fd in (theirs_in, theirs_out, reporting):
            os.close(fd)
        self.stdin, self.stdout = os.fdopen(ours_in, "w"), os.fdopen(ours_out)
        self._reports = os.fdopen(reports)
        self.pid = int(self._reports.readline())

    def poll(self):
        """Its exit code, or None while it runs."""
        if self.returncode is None and select.select([self._reports], [], [], 0)[0]:
            self.returncode = int(self._reports.readline())
        return self.returncode

    def wait(self, timeout=None):
        """Its exit code, when it has ended."""
        if self.returncode is None and not select.select([self._reports], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(str(self.pid), timeout)
        return self.poll()

    def send_signal(self, number):
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self):
        self.send_signal(signal.SIGKILL)

    def communicate(self, text=None, timeout=300):
        """What it prints to its end, and what it complains of; a second call has none of it. It ends with the time."""
        if self.stdout.closed:
            return "", ""
        with contextlib.suppress(BrokenPipeError):
            self.stdin.write(text or "")
            self.stdin.close()
        timer = threading.Timer(timeout, self.kill)
        timer.start()
        out = self.stdout.read()
        self.wait()
        timer.cancel()
        self._errors.seek(0)
        err = self._errors.read()
        for stream in (self.stdout, self._errors, self._reports):
            stream.close()
        return out, err


def start(*args, cwd=None, env=None, group=False):
    """A Python process with these arguments, at the head of a process group of its own if `group`."""
    if sys.platform == "linux":
        return Process(args, cwd=cwd, env=env, group=group)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, *args], cwd=cwd, env=env, process_group=0 if group else None, **pipes)


def call(*args, cwd=None, env=None, timeout=300):
    """The same to its end, as `subprocess.run` returns it."""
    process = start(*args, cwd=cwd, env=env)
    try:
        out, err = process.communicate(timeout=timeout)
    finally:
        process.kill()
    return subprocess.CompletedProcess(args, process.returncode, out, err)


@cache
def _server(_pid):
    """A connection to the process that the others are forked from."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-c", SERVER, json.dumps(sys.path), str(theirs.fileno())]
    server = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
    theirs.close()
    atexit.register(lambda: (ours.close(), server.wait()))
    return ours


def serve(fd):
    """Fork as told, until nobody tells any more; returns what a fork is to run, in the fork."""
    for name in PACKAGES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(fileno=fd) as orders:
        while True:
            order, fds, *_ = socket.recv_fds(orders, 1 << 20, 4)
            if not order:
                return lambda: None
            if os.fork() == 0:
                break
            for each in fds:
                os.close(each)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    *streams, reporting = fds
    if pid := os.fork():
        _report(pid, streams, reporting)
    os.close(reporting)
    return _become(streams, **json.loads(order))


def _report(pid, streams, reporting):
    """Tell the number of the process and, in the end, its exit code."""
    for fd in streams:
        os.close(fd)
    os.write(reporting, b"%d\n" % pid)
    _, status = os.waitpid(pid, 0)
    os.write(reporting, b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _become(streams, *, args, cwd, env, group):
    """What Python does before it runs ``-c CODE``, ``-m MODULE`` or a script."""
    for number, fd in enumerate(streams):
        os.dup2(fd, number)
        os.close(fd)
    # whether a stream can be sought was found out before it became this pipe
    sys.stdout, sys.stderr = (open(fd, "w", closefd=False) for fd in (1, 2))  # noqa: SIM115
    if group:
        os.setpgid(0, 0)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    first, *rest = args
    option, what, rest = (first, rest[0], rest[1:]) if first in ("-c", "-m") else ("", first, rest)
    sys.argv[:] = [option or what, *rest]
    paths = [path for path in env.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.path[:] = ["" if option else os.path.dirname(os.path.abspath(what)), *paths, *sys.path]  # noqa: PTH100, PTH120
    importlib.invalidate_caches()
    if option == "-c":
        return lambda: exec(compile(what, "<string>", "exec"), vars(sys.modules["__main__"]))
    if option == "-m":
        return lambda: runpy.run_module(what, run_name="__main__", alter_sys=True)
    return lambda: runpy.run_path(what, run_name="__main__")
