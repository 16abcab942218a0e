"""Kinds of evidence: each owns all that is particular to it."""

from foldwise.kinds.balanced_5x2 import BALANCED_5X2
from foldwise.kinds.catalogue import KINDS, find_procedure, kind_of, procedure_names
from foldwise.kinds.cross_validation import FIVE_BY_TWO, ONE_CV, REPEATED_CV
from foldwise.kinds.crossed import CROSSED, UNPAIRED_SEEDS
from foldwise.kinds.data_sets import DATA_SETS
from foldwise.kinds.examples import CV_EXAMPLES, NESTED_CV
from foldwise.kinds.findings import Findings
from foldwise.kinds.guarantee import Guarantee
from foldwise.kinds.kind import Basis, Batch, Entry, Estimand, Kind, PairTests, Procedure
from foldwise.kinds.marks import CLUSTERED_MARKS, MARKS, TASK_MARKS
from foldwise.kinds.metrics import METRICS
from foldwise.kinds.random_splits import DISJOINT, HALVED_SPLITS, RANDOM_SPLITS
from foldwise.kinds.ranking import RANKING
from foldwise.kinds.resampled import Design, Resampled, Shape
from foldwise.kinds.right_wrong import CLUSTERS, RIGHT_WRONG
from foldwise.kinds.round_robin import ROUND_ROBIN
from foldwise.kinds.time_order import TIME_ORDER, TIME_SPLITS

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
    "Basis",
    "Batch",
    "Design",
    "Entry",
    "Estimand",
    "Findings",
    "Guarantee",
    "Kind",
    "PairTests",
    "Procedure",
    "Resampled",
    "Shape",
    "find_procedure",
    "kind_of",
    "procedure_names",
]
