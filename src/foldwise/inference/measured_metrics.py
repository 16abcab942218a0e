"""How the tests of each metric of predictions behaved where the truth is known."""

from __future__ import annotations

import math
from dataclasses import dataclass

from foldwise.inference.measured import Share, stored_share
from foldwise.inference.measurements import StoredRow, measured_table

__all__ = ["MetricBehaviour", "metric_behaviour", "metric_in_words", "metric_rows", "nearest_behaviour"]

LEVEL = 0.05
FAR = 3.3
"""Standard errors of a rate beyond which it misses its level: by chance one in two thousand does, of hundreds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricBehaviour:
    """One metric in one case, at level 0.05.

    Attributes
    ----------
    metric, test
        What was compared, and by which test.
    case, clusters
        The items in words, and the number of their clusters; 0 where they are independent.
    type1, power
        Share of data sets in which a difference is found where there is none, and where there is one.
    coverage
        Share of data sets whose 95 % interval holds the true difference.
    margin
        Share of data sets in which a model that is worse by exactly the margin is called non-inferior.
    """

    metric: str
    test: str
    case: str
    clusters: int
    type1: Share
    power: Share
    coverage: Share
    margin: Share

    @property
    def misses(self) -> tuple[str, ...]:
        """What is off by more than Monte-Carlo error, in words."""
        found = []
        if _above(self.type1):
            found.append(f"the test rejected a true null hypothesis in {_span(self.type1)} at level {LEVEL:g}")
        if self.coverage.rate < 1 - LEVEL - FAR * _error(self.coverage):
            found.append(f"the 95 % interval held the true difference in {_span(self.coverage)}")
        if _above(self.margin):
            found.append(
                f"a model worse by just the margin was called non-inferior in {_span(self.margin)} at level {LEVEL:g}"
            )
        return tuple(found)


def _above(share: Share) -> bool:
    return share.rate > LEVEL + FAR * _error(share)


def _error(share: Share) -> float:
    """Standard error of a rate that is as it should be."""
    return float((LEVEL * (1 - LEVEL) / share.trials) ** 0.5)


def _span(share: Share) -> str:
    return f"{share.rate:.3f} ({share.low:.3f} to {share.high:.3f}) of {share.trials} data sets"


def metric_rows(name: str) -> list[StoredRow]:
    """The stored rows about a metric, by the first of its names.

    Examples
    --------
    >>> [row["clusters"] for row in metric_rows("f1")]
    [0, 30, 6]
    """
    return [row for row in measured_table()["metrics"]["rows"] if row["metric"] == name]


def metric_behaviour(name: str) -> tuple[MetricBehaviour, ...]:
    """How a metric behaved, case by case; empty for one that was not measured."""
    return tuple(
        MetricBehaviour(
            metric=row["metric"],
            test=row["test"],
            case=row["case"],
            clusters=row["clusters"],
            type1=stored_share(row["type1"]),
            power=stored_share(row["power"]),
            coverage=stored_share(row["coverage_share"]),
            margin=stored_share(row["margin_share"]),
        )
        for row in metric_rows(name)
    )


def nearest_behaviour(name: str, clusters: int | None) -> MetricBehaviour | None:
    """The case that is most like a number of clusters, None for independent items; None if nothing was measured.

    Examples
    --------
    >>> nearest_behaviour("f1", 9).clusters
    6
    """
    rows = [row for row in metric_behaviour(name) if (row.clusters > 0) == (clusters is not None)]
    # twice as many is as far away as half as many
    return min(rows, key=lambda row: abs(math.log(max(row.clusters, 1) / max(clusters or 1, 1))), default=None)


def metric_in_words(name: str) -> str | None:
    """The measured behaviour of a metric in a line, or None where nothing was measured.

    Examples
    --------
    >>> metric_in_words("f1").startswith("Type I error at 0.05: ")
    True
    """
    rows = metric_behaviour(name)
    if not rows:
        return None
    found = [f"{row.type1.rate:.3f} with {row.case}" for row in rows]
    held = ", ".join(f"{100 * row.coverage.rate:.0f}" for row in rows)
    return (
        f"Type I error at 0.05: {', '.join(found)}; 95 % intervals held the true difference in {held} % of "
        f"{rows[0].type1.trials} data sets each"
    )
