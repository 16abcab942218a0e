"""What is compiled ahead is what is called."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace

import numba
import numpy as np
import pytest

from foldwise.core import compile as compiling
from foldwise.learners import C45, c45
from foldwise.learners.tree import fit
from foldwise.learners.tree.fit import compiled_tools


def test_the_kernels_are_called_with_the_types_that_they_are_compiled_for(monkeypatch):
    called, kernels = {}, compiled_tools()

    def listening(kernel):
        def call(*given):
            called.setdefault(kernel, set()).add(tuple(map(numba.typeof, given)))
            return kernel(*given)

        return call

    names = ("prune", "collapse", "probabilities", "decide")
    tools = kernels._replace(**{name: listening(getattr(kernels, name)) for name in names})
    monkeypatch.setattr(c45, "tools_for", lambda seconds, exact: tools)
    rng = np.random.default_rng(0)
    X, y = rng.random((40, 3)), rng.integers(0, 2, 40)
    for missing in (False, True):
        X[0, 0] = np.nan if missing else X[0, 0]
        C45().fit(X, y).predict(X)
        C45().cross_predict(X, y, rng.integers(0, 3, (1, 40)))
    expected = {kernel: {tuple(map(numba.typeof, given))} for kernel, given in fit.arguments()}
    assert called == expected


@pytest.fixture
def started(monkeypatch):
    """The programs that a helper would run."""
    programs = []

    def start(command, **_):
        programs.append(command[-1])
        return SimpleNamespace(returncode=None, wait=lambda seconds: programs.append(seconds))

    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(fit.os, "cpu_count", lambda: 2)
    fit._helper.cache_clear()
    yield programs
    fit._helper.cache_clear()


def test_a_helper_is_started_once_and_waited_for(started, monkeypatch):
    monkeypatch.setattr(compiling, "lacks_code", lambda kernel: True)
    fit.begin()
    fit.begin()
    assert started == [fit._PROGRAM]
    fit.finish()
    assert started == [fit._PROGRAM, fit._PATIENCE]


@pytest.mark.parametrize(("lacking", "processors"), [(False, 2), (True, 1)])
def test_no_helper_where_the_code_is_there_or_the_processor_is_alone(started, monkeypatch, lacking, processors):
    monkeypatch.setattr(compiling, "lacks_code", lambda kernel: lacking)
    monkeypatch.setattr(fit.os, "cpu_count", lambda: processors)
    fit.begin()
    fit.finish()
    assert started == []


def test_trees_are_compiled_here_where_no_process_can_be_started(started, monkeypatch):
    def refuse(*_, **__):
        raise OSError("no more processes")

    monkeypatch.setattr(compiling, "lacks_code", lambda kernel: True)
    monkeypatch.setattr(subprocess, "Popen", refuse)
    fit.begin()
    fit.finish()
    assert (started, fit._helper()) == ([], None)
