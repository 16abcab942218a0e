"""What was measured of a test with learners or metrics like these, where it is worse than the level."""

from __future__ import annotations

import re

from foldwise.core.types import Estimator, Integers
from foldwise.inference.measured import Behaviour, behaviour, nearest_behaviour

# what a class is called, ours or scikit-learn's -> the kind of learner, and the measured learner that stands for it
_KINDS = (
    (r"NearestNeighbours|KNeighbors", "nearest neighbours", "1nn"),
    (r"C45|DecisionTree|ExtraTree(?!s)", "trees", "c45"),
    (r"NaiveBayes|NB$", "naive Bayes", "nb"),
)

MOST_NEIGHBOURS = 7
"""Neighbours up to which learners were measured to be alike; with 25 the level is kept (explanation/influence)."""


def kind_of_learner(learner: object) -> str | None:
    """The name of the measured learner of the same kind; None where none was measured.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> kind_of_learner(make_pipeline(StandardScaler(), KNeighborsClassifier()))
    '1nn'
    """
    while steps := getattr(learner, "steps", None):
        learner = steps[-1][1]  # the last step of a pipeline is the one that learns
    name = type(learner).__name__
    if getattr(learner, "n_neighbors", getattr(learner, "k", 1)) > MOST_NEIGHBOURS:
        return None
    return next((measured for pattern, _, measured in _KINDS if re.search(pattern, name)), None)


def measured_caveat(test: str, a: Estimator, b: Estimator) -> str | None:
    """A sentence with the Type I error that the test had with such learners, where it exceeded its level; else None.

    The measurement of this very pair comes first; then one with a learner of the kind of either, the worst.
    """
    kinds = {kind for kind in (kind_of_learner(a), kind_of_learner(b)) if kind is not None}
    rows = [row for row in behaviour(test) if row.source.learners]
    same = [row for row in rows if set(row.source.learners) == kinds]
    # naive Bayes is stable, and stands beside an unstable learner in every source: it makes no pair alike
    alike = [row for row in rows if (kinds - {"nb"}) & set(row.source.learners)]
    above = [row for row in same or alike if row.exceeds]
    if not above:
        return None
    return _sentence(max(above, key=lambda row: row.type1.rate), kinds, test, this_pair=bool(same))


def _sentence(row: Behaviour, kinds: set[str], test: str, *, this_pair: bool) -> str:
    rate, source = row.type1, row.source
    shared = next(kind for _, kind, name in _KINDS if name in kinds & set(source.learners) - {"nb"})
    who = "with this kind of pair" if this_pair else f"with {shared}"
    return (
        f"{who} this test rejects a true null hypothesis too often: Type I error {rate.rate:.3f} at level 0.05 "
        f"({rate.low:.3f} to {rate.high:.3f}; {test} with {source.short} on {rate.trials} data sets of 300 examples "
        f"from {source.null}), so a p-value just below 0.05 shows little"
    )


def metric_caveats(metric: str, groups: Integers | None) -> tuple[str, ...]:
    """A sentence with what was measured of a metric's test with about as many clusters, where it missed its level."""
    row = nearest_behaviour(metric, None if groups is None else int(groups.max()) + 1)
    if row is None or not row.misses:
        return ()
    return (f"measured on simulated data of {row.case}: {'; '.join(row.misses)}",)
