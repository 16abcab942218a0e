"""Data and learners that the engine's tests share; a module, so that worker processes can import it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import threading
import time
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


def blobs(n=60, classes=3, seed=1):
    """Overlapping classes: scores that differ from split to split."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    return rng.normal(size=(n, 4)) + 0.7 * y[:, None], np.array(["ash", "elm", "oak", "yew"])[y]


class Centroid(ClassifierMixin, BaseEstimator):
    """Nearest class mean: a small honest learner."""

    def __init__(self, pause=0.0):
        self.pause = pause

    def fit(self, X, y):
        time.sleep(self.pause)
        self.classes_ = np.unique(y)
        self.means_ = np.array([X[y == c].mean(axis=0) for c in self.classes_])
        return self

    def predict(self, X):
        return self.classes_[((X[:, None] - self.means_) ** 2).sum(axis=2).argmin(axis=1)]


class Coin(Centroid):
    """Guesses, by its random_state."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.random.default_rng(self.random_state).choice(self.classes_, len(X))


class Gated(Centroid):
    """Makes `free` fits, counted over all processes by a file in `folder`; the others wait for a file 'open' there.

    So a test can do what it does to a study in the middle of it, however slowly the test runs.
    """

    def __init__(self, folder="", free=0):
        self.folder = folder
        self.free = free

    def fit(self, X, y):
        self.pause = 0
        fits, gate = Path(self.folder) / "fits", Path(self.folder) / "open"
        with fits.open("ab") as file:
            file.write(b".")
        while fits.stat().st_size > self.free and not gate.exists():
            time.sleep(0.01)
        return super().fit(X, y)


class Assassin(Centroid):
    """Kills its process `times` times, counted by files in `folder`."""

    def __init__(self, folder="", times=1):
        self.folder = folder
        self.times = times

    def fit(self, X, y):
        self.pause = 0
        for number in range(self.times):
            try:
                # exclusive creation: two workers that get here together can't both take the same number
                (Path(self.folder) / str(number)).touch(exist_ok=False)
            except FileExistsError:
                continue
            os.kill(os.getpid(), 9)
        return super().fit(X, y)


class Failing(Centroid):
    """Fails in the chosen way whenever the marked example is tested."""

    def __init__(self, how="raise", mark=0.0):
        self.how = how
        self.mark = mark

    def fit(self, X, y):
        self.pause = 0
        self.seen_ = (X[:, 0] == self.mark).any()
        if not self.seen_ and self.how == "raise":
            raise RuntimeError("out of luck\nand of patience")
        return super().fit(X, y)

    def predict(self, X):
        predictions = super().predict(X)
        if self.seen_:
            return predictions
        return {
            "short": predictions[1:],
            "unknown": np.array(["fir"] * len(X)),
            "number": np.full(len(X), np.nan),
            "matrix": predictions[:, None],
        }[self.how]


def say_stuck():
    """Give this process a name by which `OfTheStuck` knows that it will never come back."""
    if sys.platform == "linux":
        set_name = 15  # PR_SET_NAME in <sys/prctl.h>
        ctypes.CDLL(None).prctl(set_name, b"stuck")


class OfTheStuck(threading.Timer):
    """A worker's timer that starts when the worker is stuck: on a busy machine an honest fit may take long as well."""

    def run(self):
        name = Path(f"/proc/{self.function.__self__._popen.pid}/comm")
        with contextlib.suppress(OSError):  # the process is gone
            while sys.platform == "linux" and name.read_text() != "stuck\n" and not self.finished.wait(0.02):
                pass
        super().run()


class Stuck(Failing):
    """Never comes back from a fit without the marked example: compiled code that keeps the interpreter to itself."""

    def fit(self, X, y):
        if not (X[:, 0] == self.mark).any():
            say_stuck()
            if self.how == "forks" and os.fork() == 0:
                time.sleep(600)
            while True:
                ctypes.PyDLL(None).sleep(600)  # unlike Python's own sleep it lets no other thread run
        return super().fit(X, y)


class Ends(Centroid):
    """Ends in some way in its first fit."""

    def __init__(self, how="exit"):
        super().__init__()
        self.how = how

    def fit(self, X, y):
        if self.how == "exit":
            os._exit(0)
        if self.how == "sys":
            sys.exit(0)
        raise {"generator": GeneratorExit, "base": BaseException}[self.how]("no more")


class Doubles(Centroid):
    """Forks in every fit and goes on in both processes, noting each fit in a file."""

    def __init__(self, notes=""):
        super().__init__()
        self.notes = notes

    def fit(self, X, y):
        with Path(self.notes).open("a") as file:
            file.write(f"{os.getpid()}\n")
        os.fork()
        return super().fit(X, y)


class Hungry(Failing):
    """Takes more and more memory in a fit without the marked example."""

    def fit(self, X, y):
        held = []
        while not (X[:, 0] == self.mark).any():
            if self.how == "killed" and len(held) > 3:  # what the system does when no memory is left
                os.kill(os.getpid(), 9)
            held.append(np.ones(4_000_000))
        return super().fit(X, y)


class SlowKernel(Centroid):
    """A kernel that hangs, except on the one run whose first example is in the fold `pause`."""

    def cross_predict(self, X, y, ids):
        if len(ids) > 1 or ids[0, 0] != self.pause:
            say_stuck()
            time.sleep(600)
        return np.repeat(np.asarray(y)[None], len(ids), axis=0)


class Countdown:
    """A progress that calls a function after some fits."""

    def __init__(self, fits, action):
        self.left, self.action = fits, action

    def start(self, *, total, found):
        pass

    def advance(self, fits):
        self.left -= fits
        if self.left <= 0 and self.action:
            self.action()
            self.action = None

    def stop(self):
        assert self.action is None
