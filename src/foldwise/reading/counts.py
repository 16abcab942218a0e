"""Series of counts made one: the errors and the words of a model become the series of its word error rate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.metric import UNNAMED
from foldwise.core.types import Flags
from foldwise.metrics.counts import (
    NAMED,
    CountMetric,
    asks_for_counts,
    count_metric,
    count_metric_in,
    counted_metrics,
    counts_by_model,
    no_truth,
    only_counts,
)
from foldwise.reading.series import ItemRows, Series, gaps


def counted_series(series: Sequence[Series], metric: str | None) -> tuple[list[Series], CountMetric] | None:
    """The series of a metric of counts, of all that was read, and the metric; None where it has values of its own."""
    if metric is None or not asks_for_counts(metric) or any(metric in (one.metric, one.measure) for one in series):
        return None
    found = list(_made(series, metric)) or list(_made(_by_model(series, metric), metric))
    if not found:
        count_metric(metric, dict.fromkeys(one.metric for one in series))  # which says what is needed
        raise InvalidInput(f"metric {metric!r} takes counts of single items, but the values are of splits or data sets")
    first = found[0]
    for one, known in found:
        if known.formula != first[1].formula:
            raise InvalidInput(
                f"metric {metric!r} must be of the same counts for all models, but {first[0].model!r} has "
                f"{first[1].formula} and {one.model!r} {known.formula}"
            )
    return [one for one, _ in found], first[1]


def unasked_metric(series: Sequence[Series]) -> str | None:
    """The metric of counts that all columns of all models are the counts of, where nobody asked for any."""
    if all(one.metric == UNNAMED and isinstance(one.rows, ItemRows) for one in series):  # columns taken for models
        return only_counts(list(dict.fromkeys(one.model for one in series)))
    columns = [set(parts) for parts in _together(series).values()]
    if not columns or any(one != columns[0] for one in columns):
        return None
    return next((name for name in counted_metrics(sorted(columns[0])) if _whole(name, columns[0])), None)


def offered_metrics(series: Sequence[Series]) -> list[str]:
    columns = [set(parts) for parts in _together(series).values()]
    return counted_metrics(sorted(set.intersection(*columns))) if columns else []


def _whole(name: str, columns: set[str]) -> bool:
    found = count_metric_in(name, sorted(columns))
    return found is not None and set(found.columns) == columns


def _together(series: Sequence[Series]) -> dict[tuple[str, str, str], dict[str, Series]]:
    found: dict[tuple[str, str, str], dict[str, Series]] = {}
    for one in series:
        if isinstance(one.rows, ItemRows) and not one.variant:
            found.setdefault((one.model, one.task, one.source), {})[one.metric] = one
    return found


def _made(series: Sequence[Series], metric: str) -> Iterator[tuple[Series, CountMetric]]:
    for parts in _together(series).values():
        known = count_metric_in(metric, list(parts))
        if known is None:
            continue
        chosen = [parts[column] for column in known.columns]
        first = chosen[0]
        if any(len(one.values) != len(first.values) for one in chosen):
            raise InvalidInput(f"{first.source}: all counts of {first.model!r} must be of the same items")
        table = np.column_stack([one.values for one in chosen])
        if metric in NAMED and (table < 0).any():
            raise InvalidInput(
                f"{first.source}: counts behind {metric} of {first.model!r} must not be negative, got "
                f"{np.nanmin(table):g}"
            )
        there: Flags = np.asarray(~np.isnan(table).any(axis=1))
        values = np.where(there, known.of_sums(np.where(there[:, None], table, 1.0), no_truth(len(table))), np.nan)
        counts = tuple(np.where(there, column, np.nan) for column in table.T)
        gone = gaps(np.where(there, 0.0, np.nan), "no counts")
        yield replace(first, metric=metric, values=values, parts=counts, missing=gone), known


def _by_model(series: Sequence[Series], metric: str) -> list[Series]:
    """Columns of a wide table that were taken for models, ``a_errors``, as the counts of a model."""
    found = []
    for task in dict.fromkeys(one.task for one in series):
        columns = {one.model: one for one in series if one.task == task and one.metric == UNNAMED}
        for model, parts in counts_by_model(metric, columns).items():
            found += [replace(columns[column], model=model, metric=count) for count, column in parts.items()]
    return found
