"""Models compared by a ratio of sums: word error rate, span F1, IoU, BLEU, from counts of each item or from texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.metric_evidence import ordered
from foldwise.comparison.pairs import Adjust, judge_evidence
from foldwise.core.categories import Categories
from foldwise.core.decisions import Decision, How
from foldwise.core.errors import InvalidInput
from foldwise.core.labels import categories, group_index
from foldwise.core.metric import Unit, metric_words, resolve_direction
from foldwise.core.types import Array, Flags, Integers
from foldwise.evidence.missing import MissingRule, MissingValues, settle_missing
from foldwise.evidence.outputs import Outputs
from foldwise.metrics.counts import NAMED, CountMetric, asks_for_counts, count_metric, no_truth, undefined
from foldwise.metrics.item_means import QUANTILE_METRICS
from foldwise.metrics.survival import asks_for_survival
from foldwise.metrics.texts import FROM_TEXTS, text_counts


def given_counts(truth: Any, outputs: Mapping[str, Any], metric: object) -> dict[str, dict[str, Any]] | None:
    """Columns of counts of each model, where these (or texts beside reference texts) are what was given; else None."""
    if isinstance(metric, list | tuple):
        counts_asked(metric)
    if not isinstance(metric, str) or not asks_for_counts(metric):
        return None
    if truth is not None:
        if metric not in FROM_TEXTS:
            raise InvalidInput(
                f"metric {metric!r} takes counts of each item, and no truth: compare_predictions(None, "
                "{'a': {'errors': […], 'words': […]}, 'b': …})"
            )
        references = list(truth)
        return {name: text_counts(metric, references, list(said), name) for name, said in outputs.items()}
    found = {name: _columns(given) for name, given in outputs.items()}
    return None if all(one is None for one in found.values()) else {n: one or {} for n, one in found.items()}


def counts_asked(metrics: Sequence[object]) -> str | None:
    """The metric of counts among those that were asked for, which must be alone."""
    found = next((str(one) for one in metrics if asks_for_counts(one)), None)
    if found is not None and len(metrics) > 1:
        raise InvalidInput(f"metric {found!r} takes counts of each item, and must be asked for alone")
    return found


def columns_asked(metrics: Sequence[object]) -> str | None:
    """The metric of counts, of quantiles or of survival, whose columns a file is looked through for.

    Empty where another metric was asked for, None where none was.
    """
    special = (str(one) for one in metrics if one in QUANTILE_METRICS or asks_for_survival(one))
    return counts_asked(metrics) or next(special, "" if metrics else None)


def _columns(given: Any) -> dict[str, Any] | None:
    """Columns by name; None where what was given has none, or has one number under each name."""
    names = getattr(given, "columns", None)
    if names is not None and not isinstance(given, Mapping):
        return {str(name): given[name] for name in names}
    if isinstance(given, Mapping) and given and all(np.ndim(one) == 1 for one in given.values()):
        return {str(name): one for name, one in given.items()}
    if np.ndim(given) == 3 and len({*np.shape(given)[1:]}) == 1:  # a confusion matrix of each item
        cells = np.asarray(given)
        return {f"confusion_{t}_{s}": cells[:, t, s] for t, s in np.ndindex(cells.shape[1:])}
    return None


def compare_counts(
    outputs: Mapping[str, Mapping[str, Any]], metric: str, *, groups: ArrayLike | Categories | None = None,
    items: ArrayLike | Categories | None = None, time: ArrayLike | Categories | None = None,
    higher_is_better: bool | None = None, missing: str = "refuse", control: str | None = None, adjust: Adjust = "holm",
    test: str = "auto", seed: int = 0, **judged: Any,
) -> Comparison:  # fmt: skip
    """Compare two or more models by a function of sums of counts, a name of `foldwise.metrics.counts` or a formula.

    Where rows are trials of items, the items are clusters.
    """
    common = [name for name in next(iter(outputs.values())) if all(name in columns for columns in outputs.values())]
    known = count_metric(metric, common, higher_is_better=higher_is_better)
    tables = {name: _table(columns, known, name) for name, columns in outputs.items()}
    lengths = {name: len(table) for name, table in tables.items()}
    if len(set(lengths.values())) > 1:
        raise InvalidInput(f"all models must have counts of the same items, got rows: {_listed(lengths)}")
    rule = MissingRule(policy=missing, metric=known.name, higher_is_better=known.higher_is_better)  # type: ignore[arg-type]
    tables, kept, lost = _settled(tables, rule)
    direction: How = "by its name" if metric in NAMED else resolve_direction(metric, higher_is_better)[1]
    clusters = _left(groups if groups is not None else items, kept, "groups")
    evidence = counts_evidence(
        known,
        tables,
        groups=None if clusters is None else group_index(categories(clusters, "groups")),
        missing=lost,
        direction=direction,
    )
    in_order, told = ordered(evidence, _left(time, kept, "time"), test)
    found = judge_evidence(in_order, control=control, adjust=adjust, seed=seed, test=test, **judged)
    return Comparison.of(found).noting(*told).deciding([formula_decision(known)])


OFF = 1e-9  # By how much rounding may miss a bound.

_UNITS: dict[str, Unit] = {
    **dict.fromkeys(("wer", "cer"), "fraction"), **dict.fromkeys(("bleu", "chrf", "chrf++", "ter"), "percent"),
}  # fmt: skip
"""Metrics that people write in percent: those that are shares, and those that are percentages already."""


def counts_evidence(
    metric: CountMetric, tables: Mapping[str, Array], *, groups: Integers | None = None,
    missing: MissingValues | None = None, direction: How = "by its name",
) -> Outputs:  # fmt: skip
    """Counts of each item, shape (items, counts) by model, as evidence."""
    n = len(next(iter(tables.values())))
    for name, table in tables.items():
        # without any, a gain is 0 as seqeval has it; a loss of 0 would be the best there is
        if not metric.higher_is_better and (below := undefined(metric, table.sum(axis=0))):
            raise InvalidInput(f"{metric.name} of {name!r} divides by {below}, which is 0 in all {n} items together")
    found = Outputs.build(
        tuple(tables), metric, no_truth(n), list(tables.values()), groups=groups, direction=direction,
        declared_unit=_UNITS.get(metric.name),
    )  # fmt: skip
    for name, value in zip(found.names, found.means.tolist(), strict=True):
        for bound, side in zip(metric.bounds, (-1, 1), strict=True):
            if bound is not None and side * (value - bound) > OFF:
                word = "above" if side > 0 else "below"
                raise InvalidInput(
                    f"{metric.name} of {name!r} is {value:g}, and can't be {word} {bound:g}: its "
                    f"counts can't be those of {metric.says}"
                )
    return replace(found, missing=missing)


def formula_decision(metric: CountMetric) -> Decision:
    return Decision(
        what="formula",
        value=f"{metric_words(metric.name)} is {metric.says}, of the sums over items",
        how="by its name",
        change="metric='COLUMN / COLUMN' (--metric)",
    )


def _table(columns: Mapping[str, Any], metric: CountMetric, name: str) -> Array:
    """The counts that the metric needs, one column each."""
    found = []
    for column in metric.columns:
        try:
            values = np.asarray(columns[column], dtype=np.float64)
        except (TypeError, ValueError):
            raise InvalidInput(f"{column} of {name!r} must be numbers, one per item") from None
        if np.isinf(values).any() or (metric.name in NAMED and (values < 0).any()):
            wrong = values[np.isinf(values) | (values < 0)][0]
            raise InvalidInput(f"{column} of {name!r} must be counts, finite and not negative, got {wrong:g}")
        found.append(values)
    lengths = {column: len(values) for column, values in zip(metric.columns, found, strict=True)}
    if len(set(lengths.values())) > 1:
        raise InvalidInput(f"all counts of {name!r} must be of the same items, got rows: {_listed(lengths)}")
    if not lengths or min(lengths.values()) < 2:
        raise InvalidInput(f"at least two items are needed, got {min(lengths.values(), default=0)}")
    return np.column_stack(found)


def _settled(
    tables: dict[str, Array], rule: MissingRule
) -> tuple[dict[str, Array], Flags | None, MissingValues | None]:
    gone: dict[str, Flags] = {
        name: np.asarray(np.isnan(table).any(axis=1, keepdims=True)) for name, table in tables.items()
    }
    if not any(flags.any() for flags in gone.values()):
        return tables, None, None
    if rule.policy == "worst":
        raise InvalidInput(
            f"missing='worst' needs a worst possible value, and counts behind {metric_words(rule.metric)} have none: "
            "leave items out with missing='drop' (--missing drop)"
        )
    n = len(next(iter(tables.values())))
    settled = settle_missing(
        {name: np.zeros((n, 1)) for name in tables}, rule, gone=gone,
        place=lambda name, where: f"a count of {name!r} on item {int(where[0])}",
    )  # fmt: skip
    if settled.kept.sum() < 2:
        raise InvalidInput("fewer than two items have counts of every model: missing='drop' leaves nothing to compare")
    return {name: table[settled.kept] for name, table in tables.items()}, settled.kept, settled.missing


def _left(labels: ArrayLike | Categories | None, kept: Flags | None, name: str) -> ArrayLike | Categories | None:
    """The labels of the items that are left."""
    if labels is None or kept is None:
        return labels
    every = labels if isinstance(labels, Categories) else list(np.asarray(labels, dtype=object))
    if len(every) != len(kept):
        raise InvalidInput(f"{name} must have one label for each of the {len(kept)} items, got {len(every)}")
    return Categories.of([str(one) for one, there in zip(every, kept.tolist(), strict=True) if there])


def _listed(lengths: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in lengths.items())
