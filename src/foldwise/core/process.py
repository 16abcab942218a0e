"""What this process does about memory, locks, standard output and the versions it runs with."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import platform
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, TextIO

from foldwise import __version__

# ---- The versions that numbers depend on: of foldwise, Python and the packages that compute.

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")


@functools.cache
def environment() -> dict[str, str]:
    """Versions in this process, by package; a package that is not installed is left out.

    >>> list(environment())[:3]
    ['foldwise', 'Python', 'numpy']
    """
    found = {"foldwise": __version__, "Python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


@functools.cache
def made_by() -> str:
    """The version, with the commit if it runs from a clone; a + behind it means that files were changed since.

    >>> made_by().startswith("foldwise ")
    True
    """
    import subprocess

    words = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--abbrev=7", "--dirty=+", "--exclude=*"]
    try:
        found = subprocess.run(words, capture_output=True, text=True, check=True, timeout=10)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return f"foldwise {__version__}"
    return f"foldwise {__version__}, commit {found.stdout.strip()}"


# ---- Memory of large arrays goes back to the system when they are freed.

LARGE = 1 << 20  # Bytes of a block that is returned.

KEPT = 1 << 24  # Bytes at the end of the heap that are kept for the next arrays.

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # The options' numbers in glibc's malloc.h.


def return_large_blocks() -> None:
    """Have the C library map every large block by itself, where it is glibc; others are left as they are.

    By default glibc learns from the first array that is freed to take arrays of its size from the heap, where smaller
    blocks that are still in use keep what was freed: in a comparison on a million examples 300 MB of 1,600. Told the
    size, glibc gives back the end of the heap with every array, too, and takes it again for the next: half of the time
    that a large table of scores took.
    """
    with contextlib.suppress(AttributeError, OSError, TypeError):
        tell = ctypes.CDLL(None).mallopt
        tell(_M_MMAP_THRESHOLD, LARGE)
        tell(_M_TRIM_THRESHOLD, KEPT)


def give_back() -> None:
    """Return the freed memory between blocks that are in use, where the C library is glibc: some milliseconds.

    After a million examples were read, it is 130 MB that were texts and the buffers of threads.
    """
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


# ---- How much memory this process may take, kept by the operating system, so that it holds whatever the process
# does.

try:
    import resource
except ImportError:  # Windows
    HAS_LIMITS = False
else:
    HAS_LIMITS = True


def is_enforced() -> bool:
    """Whether the system keeps a limit on the address space; macOS ignores one."""
    return HAS_LIMITS and sys.platform == "linux"


def limit_memory(megabytes: float | None) -> None:
    """Let this process take so much memory beyond what it has now; more is a MemoryError. None lifts the limit.

    Where no system keeps it, nothing is asked for: Windows has no such call, and macOS refuses some limits.
    """
    if not is_enforced():
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = hard
    if megabytes is not None:  # beyond the address space that is taken already
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * os.sysconf("SC_PAGE_SIZE") + int(megabytes * 1e6)
    resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    if megabytes is not None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def limit_time(seconds: float) -> None:
    """Let this process compute so long from now, on all processors, before the system ends it."""
    if not HAS_LIMITS:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    spare = 2  # seconds
    soft = int(used.ru_utime + used.ru_stime + seconds * (os.cpu_count() or 1)) + spare
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


# ---- One process at a time: what several would do at once is done by the first, and the others find it done.


@contextmanager
def one_process(path: Path) -> Iterator[None]:
    """Wait until no other process is within this block for the same file.

    The system lets others in when a process ends, however it ends. Where the file can't be made or locked, as in some
    shared folders, nobody waits. The file stays: removing it would let two processes lock different ones.

    `path` is a file for nothing else, in a folder that exists.

    >>> from tempfile import gettempdir
    >>> with one_process(Path(gettempdir()) / "foldwise-example.lock"):
    ...     print("alone")
    alone
    """
    try:
        file = path.open("ab")
    except OSError:
        yield
        return
    with file:
        _lock(file)
        yield  # closing the file unlocks it


def _lock(file: IO[bytes]) -> None:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
    except OSError:
        return


# ---- Standard output belongs to the answer: what other people's code prints goes to standard error.

STDOUT, STDERR = 1, 2  # File descriptors, as POSIX numbers them.

_foreign_output_lock = threading.Lock()
_inside = 0
_answers: TextIO | None = None


end_at_once = os._exit  # The real one, for code of ours that runs beside a learner's.


def _refuse_to_end(home: int, code: int) -> None:
    if os.getpid() != home:
        end_at_once(code)
    raise SystemExit(code)


@contextlib.contextmanager
def prints_to_stderr() -> Iterator[None]:
    """While learners, scorers and populations run, ``print`` writes to standard error, and they can't end the program.

    ``os._exit(0)`` would look like an answer to whoever waits for the exit code; it becomes a SystemExit, which is
    reported. Processes that were forked meanwhile may end as they like.

    Threads may be inside at the same time (a Dask worker has several): the first one in redirects and the last one out
    restores, which ``contextlib.redirect_stdout`` would get wrong.

    >>> with prints_to_stderr():
    ...     print("progress of a learner")
    """
    global _inside, _answers  # noqa: PLW0603  (sys.stdout is the process's, and so is this)
    with _foreign_output_lock:
        _inside += 1
        if _inside == 1:
            _answers, sys.stdout = sys.stdout, sys.stderr
            os._exit = functools.partial(_refuse_to_end, os.getpid())  # type: ignore[assignment]
    try:
        yield
    finally:
        with _foreign_output_lock:
            _inside -= 1
            if _inside == 0 and _answers is not None:
                sys.stdout, _answers = _answers, None
                os._exit = end_at_once


@contextlib.contextmanager
def answers_alone() -> Iterator[None]:
    """For a whole command: ``sys.stdout`` keeps the real standard output, descriptor 1 becomes standard error.

    Compiled code that prints, and processes started meanwhile, write to the descriptor. Nothing happens where
    ``sys.stdout`` is not that descriptor (a notebook, a test that captures it) or there is no standard error.
    """
    try:
        real = sys.stdout.fileno() == STDOUT and os.fstat(STDERR) is not None
    except (AttributeError, OSError, ValueError):
        real = False
    if not real:
        yield
        return
    usual = sys.stdout
    usual.flush()
    kept = os.dup(STDOUT)
    sys.stdout = open(kept, "w", encoding=usual.encoding, errors=usual.errors, closefd=False)  # noqa: SIM115
    os.dup2(STDERR, STDOUT)
    try:
        yield
    finally:
        try:
            with contextlib.suppress(BrokenPipeError):
                sys.stdout.flush()
        except OSError:  # a full disk: what could not be written must not be tried again when Python ends
            with open(os.devnull, "w") as nowhere:  # noqa: PTH123
                os.dup2(nowhere.fileno(), kept)
            sys.stdout.flush()
            raise
        finally:
            sys.stdout = usual
            os.dup2(kept, STDOUT)
            os.close(kept)
