"""What a reader of a comparison of many learners should know, and whether anything could have come out of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.metric import direction_caveats, unit_caveats
from foldwise.core.replicates import FOR_ITEMS
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many import least_pvalue
from foldwise.inference.many.pairwise import PairTest
from foldwise.verdict.many.pair_comparison import PairComparison
from foldwise.verdict.many.pairs import adjusted_pvalues

__all__ = ["gather_caveats", "least_adjusted"]

FEW = 10

MOST_PAIRS = 1_000_000
"""Comparisons whose results fit into memory."""


def least_adjusted(table: ScoreTable, *, posthoc: PairTest, adjustment: str, control: int | None) -> float:
    """The smallest adjusted p-value that any scores in a table of this size could give.

    Examples
    --------
    >>> least_adjusted(ScoreTable.of(np.ones((4, 9))), posthoc="wilcoxon", adjustment="holm", control=None)
    1.0
    """
    k = table.n_learners
    pairs = k * (k - 1) // 2 if control is None else k - 1
    if pairs > MOST_PAIRS:
        raise InvalidInput(
            f"{k:,} learners make {pairs:,} comparisons, more than the {MOST_PAIRS:,} that are made at once: choose "
            "fewer, or a control to compare the others with"
        )
    least = least_pvalue(table.n_datasets, k, test=posthoc)
    method = "holm" if adjustment in ("shaffer", "bergmann_hommel") else adjustment
    # Shaffer's and Bergmann and Hommel's first step is Holm's
    return float(adjusted_pvalues(np.full(pairs, least), k, posthoc=posthoc, method=method).min())


def gather_caveats(
    table: ScoreTable,
    pairs: Sequence[PairComparison],
    *,
    rope: float,
    posthoc: str,
    adjustment: str,
    bayes: tuple[str, str | None],
    hopeless: bool,
) -> tuple[str, ...]:
    """Sentences, the gravest first."""
    found = [
        *_about_size(table, hopeless),
        *direction_caveats(table.metric, table.higher_is_better, assumed=table.direction_assumed),
        *unit_caveats(table.metric, table.unit, rope, table.values),
        *_about_means(table, pairs),
        *_about_columns(table),
        *_about_procedure(table, posthoc, adjustment),
    ]
    unknown = [f"{pair.a} and {pair.b}" for pair in pairs if bayes[1] is not None and pair.probabilities is None]
    if unknown:
        found.append(
            f"on no data set do the differences between {unknown[0]} vary from split to split"
            f"{f' (nor for {len(unknown) - 1} more pairs)' if unknown[1:] else ''}: their probabilities are unknown"
        )
    if hopeless and bayes[1] is not None:
        found.append("the probabilities were asked for, but with this few data sets no test could bear them out")
    if bayes[0] == "auto" and bayes[1] is None and not hopeless:
        found.append(
            "the table is too large for probabilities of practical equivalence; ask for bayes='signed_rank' (--bayes "
            "signed_rank) and for patience"
        )
    found.append("the answer is about data sets like these; it holds as far as they stand for others")
    return tuple(found)


def _about_size(table: ScoreTable, hopeless: bool) -> list[str]:
    n = table.n_datasets
    if hopeless:
        return [f"with {n} data sets and this many comparisons no scores whatever could be significant: add data sets"]
    return [f"{n} data sets are few: only large and regular differences can be shown"] if n < FEW else []


def _about_means(table: ScoreTable, pairs: Sequence[PairComparison]) -> list[str]:
    """Tests of signs and ranks count data sets: who wins more often may still lose on average."""
    sign = 1 if table.higher_is_better else -1
    against = [pair for pair in pairs if pair.better is not None and sign * pair.lead_of_better < 0]
    if not against:
        return []
    first = against[0]
    other = first.b if first.better == first.a else first.a
    rest = f" (and so for {len(against) - 1} more)" if len(against) > 1 else ""
    return [
        f"{first.better} is better than {other} on more data sets or at larger ranks, but its mean {table.metric} is "
        f"{'lower' if sign > 0 else 'higher'} by {abs(first.estimate):.3g}: where {other} wins, it wins by more{rest}"
    ]


def _about_columns(table: ScoreTable) -> list[str]:
    found = []
    if np.isin(table.means, (0.0, 1.0)).all():
        found.append(
            f"all scores are 0 or 1: rows that are test items, not data sets, are no evidence here; {FOR_ITEMS}"
        )
    copies = _copies(table)
    if copies:
        found.append(
            f"{copies[0]} and {copies[1]} have the same scores throughout; if they are one data set, it counts twice"
        )
    if table.constant_learners:
        found.append(f"{', '.join(table.constant_learners)}: the same score on every data set")
    twins = _twins(table)
    if twins:
        found.append(f"{twins[0]} and {twins[1]} have the same scores throughout")
    if table.missing:
        count = f"{len(table.missing)} cell" + (" is" if len(table.missing) == 1 else "s are")
        found.append(f"{count} missing; each pair is compared on the data sets both have")
    return found


def _copies(table: ScoreTable) -> tuple[str, str] | None:
    """Two data sets with the same scores, which are not all alike."""
    seen: dict[bytes, str] = {}
    for name, row in zip(table.datasets, table.values.reshape(table.n_datasets, -1), strict=True):
        key = row.tobytes()
        if key in seen and not np.all(row == row[0]):
            return seen[key], name
        seen[key] = name
    return None


def _twins(table: ScoreTable) -> tuple[str, str] | None:
    seen: dict[bytes, str] = {}
    for name, column in zip(table.learners, table.means.T, strict=True):
        key = np.ascontiguousarray(column).tobytes()
        if key in seen:
            return seen[key], name
        seen[key] = name
    return None


def _about_procedure(table: ScoreTable, posthoc: str, adjustment: str) -> list[str]:
    found = []
    if posthoc in ("ranks", "nemenyi"):
        found.append("mean ranks depend on all learners in the table, so a pair's outcome changes with the others")
    if adjustment in ("bh", "by") and posthoc != "nemenyi":
        found.append("the share of false findings is controlled, not the chance of any")
    if adjustment == "none" and posthoc != "nemenyi":
        found.append("p-values are not adjusted: with many comparisons some are small by chance")
    if table.n_splits > 1 and table.test_train_ratio is None:
        found.append("splits are averaged; give n_train and n_test for each data set's own uncertainty to count")
    return found
