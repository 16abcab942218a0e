"""What the kinds of evidence share that are numbers of models on the same items, right and wrong among them."""

from __future__ import annotations

import numpy as np

from foldwise.core.metric import direction_caveats, metric_words, unit_caveats
from foldwise.core.types import Interval
from foldwise.designs.kind import Kind, Procedure
from foldwise.evidence.items import Items
from foldwise.inference._serial_correlation import serial_correlation
from foldwise.inference.joint_differences import ModelMeans, model_means

FIXED = "the models were fixed before they saw the test examples: nothing was tuned on them"
"""What all tests of fitted models assume."""

ALIKE_SHOWN = 3
"""Groups of models with the same numbers everywhere that a caveat names."""

IN_ORDER = 0.001
"""How rarely items in random order are said to be correlated."""


class ItemKind(Kind[Items]):
    """Fitted models on one set of items."""

    limit = "one test set: the answer is about these fitted models, not about the algorithms that trained them"

    def together(self, evidence: Items) -> ModelMeans:
        """Over items, or over clusters; one item alone shows no spread."""
        if evidence.n == 1:
            k = len(evidence.names)
            return ModelMeans(means=evidence.means, covariance=np.zeros((k, k)), df=0.0, units=1)
        return model_means(evidence.values, evidence.groups)

    def caveats(self, evidence: Items, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:
        caveats = [*_serial(evidence), *_unseen(evidence), *_alike(evidence)]
        if evidence.missing is not None:
            caveats.append(evidence.missing.words(evidence.names))
        caveats += direction_caveats(evidence.metric, evidence.higher_is_better)
        return caveats + unit_caveats(evidence.unit, rope, evidence.values)


def fitted(names: tuple[str, ...]) -> str:
    """The models, as an answer about fitted models calls them."""
    return "these two fitted models" if len(names) == 2 else "these fitted models"


def clusters_in(evidence: Items) -> int | None:
    """Number of clusters; None where items are independent."""
    return None if evidence.groups is None else int(evidence.groups.max()) + 1


def scaled_interval(found: Interval, factor: float) -> Interval:
    """Intervals in another unit, turned where the factor is negative."""
    ends = factor * np.asarray(found.low) + 0.0, factor * np.asarray(found.high) + 0.0
    low, high = ends if factor > 0 else ends[::-1]
    return Interval(low=low, high=high)


def _serial(evidence: Items) -> list[str]:
    """A sentence where neighbours are correlated beyond chance and neither clusters nor times account for it."""
    if evidence.groups is not None or evidence.times is not None or evidence.tasks is not None:
        return []  # tasks that differ make neighbours alike
    found = serial_correlation(evidence.values)
    if found.pvalue > IN_ORDER:
        return []
    return [
        f"neighbouring items are correlated in the order given (lag-1 autocorrelation {found.correlation:.2f}): if "
        "rows are in order of time, name it (time, --time), and if neighbours belong together, name their clusters "
        "(groups, --groups); taken as independent, they make p and interval too certain"
    ]


def _unseen(evidence: Items) -> list[str]:
    """Of which models how many predictions are labels that never occur in the truth; none where nobody counted."""
    return [
        f"{count} prediction{'s' * (count != 1)} of {name} {'are labels' if count != 1 else 'is a label'} that "
        f"never occur{'s' * (count == 1)} in the truth; counted as wrong"
        for name, count in zip(evidence.names, evidence.unseen, strict=bool(evidence.unseen))
        if count
    ]


def _alike(evidence: Items) -> list[str]:
    """Of more than two models, those that do the same on every item; of two, the kinds say what that means."""
    found: dict[bytes, list[str]] = {}
    for name, row in zip(evidence.names, evidence.values, strict=True):
        found.setdefault(row.tobytes(), []).append(name)
    groups = [names for names in found.values() if len(names) > 1 and len(evidence.names) > 2]
    metric = metric_words(evidence.metric)
    return [
        f"{', '.join(names[:-1])} and {names[-1]} have the same {metric} on every item"
        for names in groups[:ALIKE_SHOWN]
    ]
