"""Kinds of evidence: one file each, which owns all that is particular to it."""

from foldwise.kinds.catalogue import (
    BALANCED_5X2,
    CLUSTERED_MARKS,
    CLUSTERS,
    CROSSED,
    CV_EXAMPLES,
    DATA_SETS,
    DISJOINT,
    FIVE_BY_TWO,
    HALVED_SPLITS,
    KINDS,
    MARKS,
    METRICS,
    NESTED_CV,
    ONE_CV,
    RANDOM_SPLITS,
    RANKING,
    REPEATED_CV,
    RIGHT_WRONG,
    ROUND_ROBIN,
    TIME_ORDER,
    TIME_SPLITS,
    UNPAIRED_SEEDS,
    find_procedure,
    kind_of,
    procedure_names,
)
from foldwise.kinds.design import Design, Shape
from foldwise.kinds.entry import Entry
from foldwise.kinds.findings import Findings
from foldwise.kinds.guarantee import Guarantee
from foldwise.kinds.kind import Basis, Kind
from foldwise.kinds.procedure import Batch, Estimand, Procedure
from foldwise.kinds.resampled import Resampled
from foldwise.kinds.several import MANY_KINDS

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
    "MANY_KINDS",
    "MARKS",
    "METRICS",
    "NESTED_CV",
    "ONE_CV",
    "RANDOM_SPLITS",
    "RANKING",
    "REPEATED_CV",
    "RIGHT_WRONG",
    "ROUND_ROBIN",
    "TIME_ORDER",
    "TIME_SPLITS",
    "UNPAIRED_SEEDS",
    "Basis",
    "Batch",
    "Design",
    "Entry",
    "Estimand",
    "Findings",
    "Guarantee",
    "Kind",
    "Procedure",
    "Resampled",
    "Shape",
    "find_procedure",
    "kind_of",
    "procedure_names",
]
