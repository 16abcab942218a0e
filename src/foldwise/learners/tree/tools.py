"""The kernels of trees as they are called from Python: compiled, or for small work as plain functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from foldwise.learners.notice import has_code, tell_ahead
from foldwise.learners.patience import PATIENCE
from foldwise.learners.tree.arrays import survey
from foldwise.learners.tree.crossed import decide_folds
from foldwise.learners.tree.grow import grow
from foldwise.learners.tree.predict import decide, probabilities
from foldwise.learners.tree.prune import collapse, prune
from foldwise.learners.tree.terms import terms

__all__ = ["PLAIN", "Tools", "compiled_tools", "seconds_to_fit", "seconds_to_predict", "tools_for"]

_LOADED, _COMPILED = 1.0, 10.0
"""Seconds that it takes to have the kernels: where their code is on the disk, and where it is not."""
_VISIT, _ATTRIBUTE, _ROW = 1e-6, 3e-4, 2e-5
"""Seconds without kernels per attribute of a row at a node, per attribute of a tree, and per prediction."""


class Tools(NamedTuple):
    """What it takes to learn trees and to predict by them."""

    survey: Callable[..., Any]
    terms: Callable[..., Any]
    grow: Callable[..., Any]
    collapse: Callable[..., Any]
    prune: Callable[..., Any]
    probabilities: Callable[..., Any]
    decide: Callable[..., Any]
    decide_folds: Callable[..., Any]


PLAIN = Tools(survey, terms, grow, collapse, prune, probabilities, decide, decide_folds)
"""The functions themselves."""


@cache
def compiled_tools() -> Tools:
    """Kernels made of the functions."""
    tell_ahead(grow.__module__)
    from foldwise.learners.compile import compiled

    return Tools._make(map(compiled, PLAIN))


def tools_for(seconds: float, *, exact: bool = True) -> Tools:
    """The tools for work that takes so many seconds without kernels.

    Parameters
    ----------
    seconds
        About how long.
    exact
        Whether all functions within are the same to the bit in Python and in kernels, which log Γ need not be.
    """
    price = _LOADED if _is_compiled() else _COMPILED
    if exact and PATIENCE.lasts(seconds / price):
        return PLAIN
    return compiled_tools()


def seconds_to_fit(rows: int, attributes: int) -> float:
    """How long a tree takes without kernels, about: every row is seen at every level."""
    return attributes * (rows * float(np.log2(rows + 1)) * _VISIT + _ATTRIBUTE)


def seconds_to_predict(rows: int) -> float:
    """How long predictions take without kernels, about."""
    return rows * _ROW


@cache
def _is_compiled() -> bool:
    """Whether the code of the largest kernel lies on the disk."""
    return has_code(grow.__module__)
