"""Two models compared from several trainings of each, marked on the same items."""

from __future__ import annotations

from numpy.typing import ArrayLike

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.pairs import judge_evidence
from foldwise.comparison.told import with_missing
from foldwise.core.amounts import Amount
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import repeated_runs
from foldwise.core.validation import two_names
from foldwise.evidence.missing import Policy
from foldwise.evidence.seed_marks import SeedMarks

__all__ = ["compare_seeds"]


def compare_seeds(
    marks_a: ArrayLike,
    marks_b: ArrayLike,
    *,
    paired: bool = True,
    groups: ArrayLike | None = None,
    test: str = "auto",
    higher_is_better: bool | None = None,
    metric: str = "mark",
    missing: Policy = "refuse",
    bounds: tuple[float, float] | None = None,
    alpha: float = 0.05,
    rope: Amount | None = None,
    margin: Amount | None = None,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:
    """Compare two models that were trained several times each, over new seeds and new items.

    Parameters
    ----------
    marks_a, marks_b
        Marks of shape (seeds, items): a row for each training, a column for each test item; numbers, or words for right
        and wrong.
    paired
        Whether row i of both was trained with the same seed, so that the same luck (order of the data, initial weights)
        may have met both. If not, each model's seeds are a sample of their own, and there may be more of one.
    groups
        The cluster of each item, where items come in clusters (several questions about one document …): clusters then
        take the items' place (CR2, with its degrees of freedom), each counting by its items.
    test
        A name of the catalogue, or "auto": the crossed analysis, or that of unpaired seeds.
    higher_is_better
        False for losses. Without it the name of the metric tells, and the answer says so where it does not.
    metric
        What the marks measure.
    missing
        What to do about missing marks (NaN, None): ``"refuse"`` them, ``"drop"`` the item, or put the ``"worst"``
        possible mark in their place.
    bounds
        What no mark can be below or above, where the metric's name does not tell: ``"worst"`` needs it then.
    alpha
        Significance level.
    rope
        Half-width of the region of practical equivalence, in the marks' own unit; without it 0.01.
    margin
        In the marks' own unit: asks whether a, the candidate, is superior, non-inferior, equivalent or inferior to b,
        the baseline (`MetricComparison.conclusion`).
    names
        What to call the models.

    Returns
    -------
    Comparison
        `variance` says how much of the variance comes from seeds and from items, and what more of each would buy.

    Examples
    --------
    >>> c = compare_seeds([[1, 1, 0, 1], [1, 1, 1, 1], [1, 0, 1, 1]], [[0, 1, 0, 0], [0, 1, 0, 1], [0, 0, 1, 0]])
    >>> c.test, round(c.estimate, 3), c.better
    ('crossed', 0.5, None)
    """
    if repeated_runs(metric) is not None:
        raise InvalidInput(f"{metric} is about runs of one model, but rows have seeds: name them as trials of items")
    evidence = SeedMarks.build(
        dict(zip(two_names(names), (marks_a, marks_b), strict=True)),
        paired=paired,
        metric=metric,
        higher_is_better=higher_is_better,
        missing=missing,
        bounds=bounds,
        groups=groups,
    )
    c = judge_evidence(evidence, test=test, alpha=alpha, rope=rope, margin=margin, names=names)
    return Comparison.of(with_missing(c, evidence.missing, c.names))
