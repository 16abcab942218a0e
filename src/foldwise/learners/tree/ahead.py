"""The first tree on a machine: one process compiles how it is grown, another meanwhile what comes after.

numba compiles one kernel at a time in a process, but what a process has compiled lies on the disk for all others.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np

from foldwise.learners.tree.arrays import Columns, Rows, Rule, new_tree
from foldwise.learners.tree.route import crossing
from foldwise.learners.tree.tools import compiled_tools

__all__ = ["arguments", "begin", "compile_rest", "finish"]

_PROGRAM = "from foldwise.learners.tree.ahead import compile_rest; compile_rest()"
_PATIENCE = 120.0
"""Seconds after which a helper that has not come to an end is waited for no longer."""


def arguments() -> list[tuple[Any, tuple[Any, ...]]]:
    """The kernels that are needed once a tree is grown, with arguments of the types that they are called with."""
    whole, real, flags, rows = np.zeros(1, np.int64), np.zeros(1), np.zeros(1, np.bool_), np.zeros(1, np.uint32)
    data = Columns(np.zeros((1, 1)), whole, flags, True, np.zeros(1, np.uint16), 1, real, whole)
    rule = Rule(2.0, False, 0.0, True, True, True, 0.25, 0.5, np.zeros((1, 1)))
    tree, way, pile = new_tree(1, 1), crossing(1, 2), np.zeros((1, 3), np.int64)
    tools = compiled_tools()
    return [
        (tools.prune, (data, tree, 1, Rows(rows, real), 1, rule, way, pile)),
        (tools.probabilities, (tree, data.cells, whole, rows)),
        (tools.collapse, (tree, 1)),
        (tools.decide, (data.cells,)),
    ]


def compile_rest() -> None:
    """Compile the kernels for those types without calling them, and keep the code on the disk."""
    from numba import typeof

    for kernel, given in arguments():
        kernel.compile(tuple(map(typeof, given)))


@cache
def _helper() -> subprocess.Popen[bytes] | None:
    """The process that compiles the rest, started once; None where it would be of no use."""
    from foldwise.learners.compile import lacks_code

    if (os.cpu_count() or 1) < 2 or not sys.executable or not lacks_code(compiled_tools().prune):
        return None
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    nothing = subprocess.DEVNULL
    with suppress(OSError):  # without a helper everything is compiled here
        return subprocess.Popen(  # noqa: S603  # our own program
            [sys.executable, "-c", _PROGRAM], env=environment, stdin=nothing, stdout=nothing, stderr=nothing
        )
    return None


def begin() -> None:
    """Let what comes after growing be compiled, if that was never done on this machine."""
    _helper()


def finish() -> None:
    """Wait until it is compiled."""
    helper = _helper()
    if helper is not None and helper.returncode is None:
        with suppress(subprocess.TimeoutExpired):
            helper.wait(_PATIENCE)
