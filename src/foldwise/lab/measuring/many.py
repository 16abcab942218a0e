"""Procedures over several data sets: how often they find a difference that is not there, and one that is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from foldwise.core.random import stream
from foldwise.core.types import Array, Flags, Json
from foldwise.inference.many._pairwise import PairTest, pairwise
from foldwise.inference.many._sign_test import sign_test
from foldwise.inference.many.bayesian_sign import bayesian_sign_test, bayesian_signed_rank
from foldwise.inference.many.wilcoxon import wilcoxon_signed_rank
from foldwise.kinds.adjustments import ADJUSTMENTS
from foldwise.kinds.data_sets import OMNIBUS, PAIR_TESTS, OmnibusTest
from foldwise.lab.measuring.two_learners import share

__all__ = ["PROCEDURES", "measure_many"]

ALPHA = 0.05
SURE = 0.95
DATASETS, LEARNERS = 15, 5
NOISE, SHIFT = 0.02, 0.02
"""Scale of a learner's own luck on a data set (Student, 3 df), and by how much the first is better: two points each."""

TABLES = 1000
DRAWS = 1000


def measure_many(*, tables: int = TABLES, seed: int) -> dict[str, Json]:
    """Share of tables on which each procedure finds any difference.

    Parameters
    ----------
    tables
        Number of tables of `DATASETS` × `LEARNERS` scores.
    seed
        Repeats the numbers.

    Returns
    -------
    dict
        What was drawn, and one row per procedure. ``type1``: all learners alike, any finding is false (for pairs: the
        familywise error); ``power``: the first learner is better, found in its comparison with the second.
    """
    rng = stream(seed, "many")
    null = 0.1 * rng.standard_normal((tables, DATASETS, 1)) + NOISE * rng.standard_t(3, (tables, DATASETS, LEARNERS))
    effect = null + SHIFT * (np.arange(LEARNERS) == 0)
    rows: list[Json] = [
        {"test": name, "type1": share(find(null, False)), "power": share(find(effect, True))}
        for name, find in PROCEDURES.items()
    ]
    drawn = f"{DATASETS} data sets × {LEARNERS} learners, noise {NOISE:g} × Student(3), one learner {SHIFT:g} better"
    return {"population": drawn, "tables": tables, "rows": rows}


_Finds = Callable[[Array, bool], Flags]


def _omnibus(test: OmnibusTest) -> _Finds:
    if test.takes_gaps:  # where they may be elsewhere in each table, it takes one at a time
        return lambda tables, _: np.array([float(test.run(table).pvalue) < ALPHA for table in tables])
    return lambda tables, _: np.asarray(test.run(tables).pvalue) < ALPHA


def _pair(test: Callable[..., Any]) -> _Finds:
    return lambda tables, _: np.asarray(test(tables[..., 0], tables[..., 1]).pvalue) < ALPHA


def _all_pairs(test: PairTest, adjustment: str = "none") -> _Finds:
    adjust = PAIR_TESTS[test].adjustment or ADJUSTMENTS[adjustment]

    def find(tables: Array, first_pair: bool) -> Flags:
        p = [adjust.run(pairwise(t, test=test).pvalues, LEARNERS) for t in tables]
        found = np.array(p) < ALPHA
        return found[:, 0] if first_pair else np.asarray(found.any(axis=1))

    return find


def _bayesian(test: Callable[..., Any]) -> _Finds:
    def find(tables: Array, _: bool) -> Flags:
        found = [test(t[:, 0], t[:, 1], rope=0.01, draws=DRAWS).probabilities for t in tables]
        return np.array([max(float(p.a_better), float(p.b_better)) > SURE for p in found])

    return find


PROCEDURES: dict[str, _Finds] = {
    "wilcoxon_signed_rank": _pair(wilcoxon_signed_rank),
    "sign_test": _pair(sign_test),
    **{name: _omnibus(test) for name, test in OMNIBUS.items()},
    "wilcoxon + holm": _all_pairs("wilcoxon", "holm"),
    "wilcoxon + shaffer": _all_pairs("wilcoxon", "shaffer"),
    "wilcoxon + bergmann_hommel": _all_pairs("wilcoxon", "bergmann_hommel"),
    "wilcoxon, unadjusted": _all_pairs("wilcoxon"),
    "nemenyi": _all_pairs("nemenyi"),
    "bayesian_signed_rank": _bayesian(bayesian_signed_rank),
    "bayesian_sign_test": _bayesian(bayesian_sign_test),
}
"""By name; the Bayesian ones find a difference where one learner is better by more than one point with probability
above 0.95."""
