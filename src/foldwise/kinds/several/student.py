"""t-type tests of many pairs: nothing can be told where a difference does not vary."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from foldwise.core.errors import DegenerateVariance
from foldwise.core.types import Interval
from foldwise.inference.student import StudentResult
from foldwise.kinds.several.basis import PairTests

__all__ = ["constant_known", "student_intervals", "student_tests"]


@contextmanager
def constant_known() -> Iterator[None]:
    """No warning of differences that do not vary: a caveat says it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)
        yield


def student_tests(result: StudentResult) -> PairTests:
    """The tests of pairs in a batch."""
    known = np.asarray(result.standard_error) > 0
    return PairTests(
        estimate=np.asarray(result.estimate),
        pvalue=np.where(known, result.pvalue, 1.0),
        known=known,
        intervals=lambda level: student_intervals(result, level),
    )


def student_intervals(result: StudentResult, level: float) -> Interval:
    """The intervals of a batch; NaN where nothing varies."""
    with constant_known():
        found = result.confidence_interval(level)
    known = np.asarray(result.standard_error) > 0
    return Interval(low=np.where(known, found.low, np.nan), high=np.where(known, found.high, np.nan))
