"""Every kind of evidence, and every test of two learners by name.

The same names serve ``test=``, ``--tests`` and JSON. A repeated-cv variant may carry its degrees of freedom:
``use_all_data:calibrated`` or ``use_all_data:df=10``.
"""

from __future__ import annotations

from typing import Any

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.evidence.evidence import Evidence
from foldwise.kinds import (
    balanced_5x2,
    clustered_marks,
    clusters,
    crossed,
    crossed_trainings,
    cv_examples,
    data_sets,
    disjoint,
    five_by_two,
    halved_splits,
    marks,
    metrics,
    nested_cv,
    one_cv,
    random_splits,
    ranking,
    repeated_cv,
    right_wrong,
    round_robin,
    task_marks,
    time_order,
    time_splits,
    unpaired_seeds,
)
from foldwise.kinds.kind import Kind
from foldwise.kinds.procedure import Procedure

__all__ = [
    "BALANCED_5X2",
    "CLUSTERED_MARKS",
    "CLUSTERS",
    "CROSSED",
    "CV_EXAMPLES",
    "DATA_SETS",
    "DISJOINT",
    "FIVE_BY_TWO",
    "HALVED_SPLITS",
    "KINDS",
    "MARKS",
    "METRICS",
    "NESTED_CV",
    "ONE_CV",
    "RANDOM_SPLITS",
    "RANKING",
    "REPEATED_CV",
    "RIGHT_WRONG",
    "ROUND_ROBIN",
    "TASK_MARKS",
    "TIME_ORDER",
    "TIME_SPLITS",
    "UNPAIRED_SEEDS",
    "find_procedure",
    "kind_of",
    "procedure_names",
]

_MODULES = (
    right_wrong,
    clusters,
    task_marks,
    marks,
    clustered_marks,
    time_order,
    time_splits,
    crossed,
    unpaired_seeds,
    ranking,
    metrics,
    random_splits,
    halved_splits,
    one_cv,
    five_by_two,
    repeated_cv,
    round_robin,
    balanced_5x2,
    nested_cv,
    cv_examples,
    disjoint,
    crossed_trainings,
)
"""One file per kind, with its `KIND` and its `PROCEDURES`."""

KINDS: tuple[Kind[Any], ...] = tuple(module.KIND for module in _MODULES)
"""Every kind of evidence about two learners."""

MARKS, CLUSTERED_MARKS, TASK_MARKS = marks.KIND, clustered_marks.KIND, task_marks.KIND
TIME_ORDER, TIME_SPLITS = time_order.KIND, time_splits.KIND
CROSSED, UNPAIRED_SEEDS = crossed.KIND, unpaired_seeds.KIND
RANKING, METRICS = ranking.KIND, metrics.KIND
RIGHT_WRONG, CLUSTERS, RANDOM_SPLITS = right_wrong.KIND, clusters.KIND, random_splits.KIND
ONE_CV, FIVE_BY_TWO, REPEATED_CV = one_cv.KIND, five_by_two.KIND, repeated_cv.KIND
DATA_SETS = data_sets.KIND
ROUND_ROBIN = round_robin.KIND
BALANCED_5X2, NESTED_CV, CV_EXAMPLES = balanced_5x2.KIND, nested_cv.KIND, cv_examples.KIND
HALVED_SPLITS, DISJOINT = halved_splits.KIND, disjoint.KIND

_CATALOGUE: dict[str, Procedure] = {procedure.name: procedure for module in _MODULES for procedure in module.PROCEDURES}


def find_procedure(spec: str) -> Procedure:
    """Return the test of that name; ``name:calibrated`` and ``name:df=10`` set a variant's degrees of freedom.

    Examples
    --------
    >>> find_procedure("corrected_repeated_cv_t").kind.name
    'repeated_cv'
    >>> find_procedure("use_all_data:df=10").title
    'repeated cv test, use all data, 10 df'
    """
    name, _, option = str(spec).partition(":")
    if name not in _CATALOGUE:
        raise UnknownName("test", spec, _CATALOGUE)
    procedure = _CATALOGUE[name]
    if not option:
        return procedure
    if procedure.with_option is None:
        raise InvalidInput(f"only the repeated-cv variants and round_robin take degrees of freedom, got {spec!r}")
    return procedure.with_option(procedure, option)


def procedure_names() -> tuple[str, ...]:
    """Names of all tests, in the order of the catalogue."""
    return tuple(_CATALOGUE)


def kind_of(evidence: Evidence) -> Kind[Any]:
    """The kind that the evidence is by itself."""
    return next(kind for kind in KINDS if kind.natural(evidence))
