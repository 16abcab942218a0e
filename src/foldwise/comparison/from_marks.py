"""Two models compared from their marks on the same items: right and wrong, graded answers, losses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.frames import in_kind
from foldwise.comparison.in_time import times_to_use
from foldwise.comparison.pairs import judge_evidence
from foldwise.comparison.told import with_missing
from foldwise.core.amounts import Amount
from foldwise.core.metric import UNNAMED_MARK, Unit
from foldwise.core.validation import two_names
from foldwise.designs.human_labels import JudgedItems, labelled_rows
from foldwise.evidence.items import Items
from foldwise.evidence.mark_input import MarksByItem
from foldwise.evidence.missing import Policy

__all__ = ["UNNAMED_MARK", "compare_marks"]


def compare_marks(
    marks_a: ArrayLike | MarksByItem,
    marks_b: ArrayLike | MarksByItem,
    *,
    test: str = "auto",
    groups: ArrayLike | Mapping[Any, Any] | None = None,
    time: ArrayLike | Mapping[Any, Any] | None = None,
    items: ArrayLike | None = None,
    higher_is_better: bool | None = None,
    metric: str = UNNAMED_MARK,
    unit: Unit | None = None,
    missing: Policy = "refuse",
    bounds: tuple[float, float] | None = None,
    human: Mapping[str, Any] | None = None,
    alpha: float = 0.05,
    rope: Amount | None = None,
    margin: Amount | None = None,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:
    """Compare two models whose answers to the same items were marked.

    Parameters
    ----------
    marks_a, marks_b
        Marks of shape (items,): any numbers, or words for right and wrong (correct and incorrect, pass and fail …); or
        (items, trials) where items were tried several times, not necessarily equally often by both models; or mappings
        from items to their mark or marks, which are paired by the item.
    test
        A name of the catalogue, or "auto": McNemar's mid-p test for right and wrong (1 and 0), else the paired t test
        over items; with `groups` the cluster-robust ones.
    groups
        The cluster of each row, where items come in clusters (several questions about one document …); a mapping from
        items to clusters where the marks are mappings.
    time
        When each row was: numbers, dates, timestamps. Differences of neighbouring times may then be correlated,
        and are compared by the test of Diebold and Mariano in that order; items of one time are one period, and
        averaged. Without it items are independent, and correlation in the order given is checked for.
    items
        The item of each row, where rows are trials: trials of one item are averaged, never taken as independent.
    higher_is_better
        False for losses. Without it the name of the metric tells, and the answer says so where it does not.
    metric
        What the marks measure.
    unit
        ``"percent"``, ``"fraction"`` or ``"own"``; without it percent where a rate by its name goes beyond 1.
    missing
        What to do about missing marks (NaN, None, an item that one mapping lacks): ``"refuse"`` them, ``"drop"`` the
        item for both models, or put the ``"worst"`` possible mark in their place. The answer says how many there were.
    bounds
        What no mark can be below or above, where the metric's name does not tell: ``"worst"`` needs it then.
    human
        By name of the model what people say of its answers, on the scale of the marks, which a judge gave: None or NaN
        where they said nothing. The comparison is then on people's scale.
    alpha
        Significance level.
    rope
        Half-width of the region of practical equivalence, in the marks' own unit; without it 0.01.
    margin
        By how much a may be worse than b, in the marks' own unit: as in `compare_predictions`.
    names
        What to call the models.

    Returns
    -------
    Comparison
        `estimate` is the mean mark of a minus that of b; every item counts once. Where items were tried several times,
        `variance` says how much of the variance comes from the trials, and what more of them would buy.

    Examples
    --------
    >>> c = compare_marks([1] * 38 + [0] * 2, [1] * 20 + [0] * 20)
    >>> c.test, c.better, round(c.estimate, 3)
    ('mcnemar', 'a', 0.45)
    >>> c = compare_marks([0.9, 0.7, 1.0, 0.8], [0.4, 0.5, 0.6, 0.2])
    >>> c.test, c.better, round(c.estimate, 3)
    ('paired_t', 'a', 0.425)
    """
    if human is not None:
        time = None  # items are labelled at random, whatever their time
        items = labelled_rows(items, marks_a)
    used, told = times_to_use(time, clustered=groups is not None, test=test)
    marks = Items.from_marks(
        dict(zip(two_names(names), (marks_a, marks_b), strict=True)),
        items=items,
        groups=groups,
        metric=metric,
        unit=unit,
        higher_is_better=higher_is_better,
        missing=missing,
        bounds=bounds,
        time=used,
    )
    if human is not None:
        marks = JudgedItems.labelled(marks.called(two_names(names)), human, items)
    c = judge_evidence(marks, test=test, alpha=alpha, rope=rope, margin=margin, names=names)
    c = in_kind(with_missing(c, marks.missing, c.names), marks_a, marks_b)
    return Comparison.of(c.replace(caveats=(*told, *c.caveats)) if told else c)
