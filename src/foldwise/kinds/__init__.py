"""Kinds of evidence: each owns all that is particular to it."""

from foldwise.kinds.balanced_5x2 import BALANCED_5X2
from foldwise.kinds.catalogue import KINDS, find_procedure, kind_of, procedure_names
from foldwise.kinds.crossed import CROSSED
from foldwise.kinds.cv_examples import CV_EXAMPLES
from foldwise.kinds.data_sets import DATA_SETS
from foldwise.kinds.design import Design, Shape
from foldwise.kinds.disjoint import DISJOINT
from foldwise.kinds.entry import Entry
from foldwise.kinds.findings import Findings
from foldwise.kinds.five_by_two import FIVE_BY_TWO
from foldwise.kinds.guarantee import Guarantee
from foldwise.kinds.halved_splits import HALVED_SPLITS
from foldwise.kinds.kind import Basis, Kind, PairTests
from foldwise.kinds.marks import CLUSTERED_MARKS, MARKS, TASK_MARKS
from foldwise.kinds.metrics import METRICS
from foldwise.kinds.nested_cv import NESTED_CV
from foldwise.kinds.one_cv import ONE_CV
from foldwise.kinds.procedure import Batch, Estimand, Procedure
from foldwise.kinds.random_splits import RANDOM_SPLITS
from foldwise.kinds.ranking import RANKING
from foldwise.kinds.repeated_cv import REPEATED_CV
from foldwise.kinds.resampled import Resampled
from foldwise.kinds.right_wrong import CLUSTERS, RIGHT_WRONG
from foldwise.kinds.round_robin import ROUND_ROBIN
from foldwise.kinds.time_order import TIME_ORDER, TIME_SPLITS
from foldwise.kinds.unpaired_seeds import UNPAIRED_SEEDS

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
