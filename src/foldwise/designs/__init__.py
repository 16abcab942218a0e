"""Kinds of evidence: each owns all that is particular to it."""

from foldwise.designs.catalogue import KINDS, find_procedure, kind_of, procedure_names
from foldwise.designs.cross_validation import CORRECTED, FIVE_BY_TWO, INFLUENCE_CV, ONE_CV, REPEATED_CV
from foldwise.designs.crossed import CROSSED, UNPAIRED_SEEDS
from foldwise.designs.data_sets import DATA_SETS
from foldwise.designs.examples import BALANCED_5X2, CV_EXAMPLES, NESTED_CV
from foldwise.designs.findings import Findings
from foldwise.designs.guarantee import Guarantee
from foldwise.designs.kind import Basis, Batch, Entry, Estimand, Kind, PairTests, Procedure
from foldwise.designs.marks import CLUSTERED_MARKS, MARKS, TASK_MARKS
from foldwise.designs.metrics import METRICS, RANKING
from foldwise.designs.random_splits import DISJOINT, HALVED_SPLITS, RANDOM_SPLITS
from foldwise.designs.resampled import Design, Resampled, Shape
from foldwise.designs.right_wrong import CLUSTERS, RIGHT_WRONG
from foldwise.designs.round_robin import ROUND_ROBIN
from foldwise.designs.time_order import TIME_ORDER, TIME_SPLITS

__all__ = [
    "BALANCED_5X2", "CLUSTERED_MARKS", "CLUSTERS", "CORRECTED", "CROSSED", "CV_EXAMPLES", "DATA_SETS", "DISJOINT",
    "FIVE_BY_TWO", "HALVED_SPLITS", "INFLUENCE_CV", "KINDS", "MARKS", "METRICS", "NESTED_CV", "ONE_CV",
    "RANDOM_SPLITS", "RANKING", "REPEATED_CV", "RIGHT_WRONG", "ROUND_ROBIN", "TASK_MARKS", "TIME_ORDER",
    "TIME_SPLITS", "UNPAIRED_SEEDS", "Basis", "Batch", "Design", "Entry", "Estimand", "Findings", "Guarantee", "Kind",
    "PairTests", "Procedure", "Resampled", "Shape", "find_procedure", "kind_of", "procedure_names",
]  # fmt: skip
