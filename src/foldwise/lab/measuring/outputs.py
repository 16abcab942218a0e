"""Data sets on which metrics are measured: two models' labels, scores, probabilities and numbers for the same items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from foldwise.core.types import Array, Integers
from foldwise.lab.populations.marks import MarksOfItems
from foldwise.metrics.metric import Metric, Needs, Output, Truth

__all__ = ["CASES", "Case", "Drawn", "draw"]

SHARED, OWN = 0.4, 0.7
"""Standard deviations of the noise that both models share on an item, and of each one's own."""

WORSE = 1.3
"""How much larger the own noise of the worse model is, where one is worse."""

AWAY = 5.0
"""How far from 0 the numbers of a regression are on average: errors are taken relative to them."""

CUTS = {2: (0.7,), 3: (0.5, 0.8)}
"""By number of classes, the shares of items below the borders between them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """How many items there are, and in how many clusters.

    Attributes
    ----------
    title
        What it is, in words.
    n, clusters
        Items, and equal clusters that they come in; 0 where they are independent.
    """

    title: str
    n: int
    clusters: int

    @property
    def groups(self) -> Integers | None:
        """The cluster of each item."""
        return MarksOfItems(clusters=self.clusters).groups(self.n) if self.clusters else None


CASES = (
    Case(title="200 independent items", n=200, clusters=0),
    Case(title="300 items in 30 clusters", n=300, clusters=30),
    Case(title="180 items in 6 clusters", n=180, clusters=6),
)
"""Independent, clustered, few clusters."""

ALIKE = 0.3
"""Correlation of two items of a cluster, in truth and in noise."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """One data set: what is true, and what a and b said of it."""

    truth: Truth
    a: Output
    b: Output


def draw(metric: Metric, case: Case, rng: np.random.Generator, *, worse: bool) -> Drawn:
    """A data set in the form that the metric needs.

    Parameters
    ----------
    metric
        What is to be measured.
    case
        Items and clusters.
    rng
        Source of randomness.
    worse
        Whether b is the worse model; else nothing distinguishes the two, and any metric is the same for both.

    Notes
    -----
    Each item has a normal number, which is the truth of a regression, and by fixed borders the class of 2 or 3. Each
    model sees it with noise, of which a part is common to both. Numbers and noise of a cluster are correlated.
    """
    groups = np.arange(case.n) if case.groups is None else case.groups
    noise = OWN * np.array([[1.0], [WORSE if worse else 1.0]]) * _normal(2, groups, case, rng)
    shared = SHARED * _normal(1, groups, case, rng)
    classes = 2 if metric.one_class or metric.needs is Needs.SCORES else 3
    borders = special.ndtri(CUTS[classes])
    while True:
        number = _normal(1, groups, case, rng)[0]
        codes = np.searchsorted(borders, number)
        if metric.needs is Needs.NUMBERS or len(np.unique(codes)) == classes:
            break  # a class without items has no rate, and is refused
    seen = number + shared + noise
    if metric.needs is Needs.NUMBERS:
        return Drawn(Truth(values=number + AWAY), *(seen + AWAY))
    truth = Truth(values=codes, classes=tuple(range(classes)), positive=1 if classes == 2 else None)
    return Drawn(truth, *(_said(metric, x, borders) for x in seen))


def _normal(rows: int, groups: Integers, case: Case, rng: np.random.Generator) -> Array:
    own = rng.standard_normal((rows, case.n))
    if not case.clusters:
        return own
    common = rng.standard_normal((rows, case.clusters))[:, groups]
    return np.asarray(np.sqrt(ALIKE) * common + np.sqrt(1 - ALIKE) * own)


def _said(metric: Metric, seen: Array, borders: Array) -> Output:
    """Labels by the borders, scores as they are seen, or how probable each class is as seen with the shared noise."""
    if metric.needs is Needs.LABELS:
        return np.searchsorted(borders, seen)
    if metric.needs is Needs.SCORES:
        return seen
    below = special.ndtr((borders - seen[:, None]) / np.hypot(SHARED, OWN))
    edges = np.concatenate([np.zeros((len(seen), 1)), below, np.ones((len(seen), 1))], axis=1)
    return np.diff(edges, axis=1)
