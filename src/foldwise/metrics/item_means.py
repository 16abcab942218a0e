"""Metrics that are means of a value per item: accuracy, log loss, Brier score, absolute and squared error."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.metrics.metric import Inexact, Metric, Needs, Output, SumMetric, Truth, ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemMean(SumMetric):
    """The mean of a value per item."""

    item: Callable[[Truth, Output], Array]  #: The value of each item, from the truth and a model's outputs

    def items(self, truth: Truth, output: Output) -> Array:
        return np.asarray(self.item(truth, output), dtype=np.float64)

    def by_item(self, truth: Truth, output: Output) -> Array:
        return self.items(truth, output)

    def contributions(self, truth: Truth, output: Output) -> Array:
        values = self.items(truth, output)
        return np.stack([np.ones_like(values), values], axis=-1)

    def of_sums(self, sums: Inexact, truth: Truth) -> Inexact:
        return np.asarray(sums[..., 1] / sums[..., 0])


def right(truth: Truth, output: Output) -> Array:
    return np.asarray(output == truth.values, dtype=np.float64)


def surprise(truth: Truth, output: Output) -> Array:
    """−log of the probability given to the true class, kept a rounding error away from 0 as scikit-learn does."""
    given = output[np.arange(len(truth)), truth.codes]
    return np.asarray(-np.log(np.clip(given, np.finfo(np.float64).eps, 1)))


def squared_distance(truth: Truth, output: Output) -> Array:
    """Squared distance of the probabilities from the true class; over two classes, halved as is customary."""
    given = output[np.arange(len(truth)), truth.codes]
    distance = (output**2).sum(axis=1) - 2 * given + 1
    return np.asarray(distance / (2 if len(truth.classes) <= 2 else 1))


def relative(truth: Truth, output: Output) -> Array:
    """Absolute error as a share of the true number, which counts as a rounding error at least."""
    return np.asarray(np.abs(output - truth.numbers) / np.maximum(np.abs(truth.numbers), np.finfo(np.float64).eps))


def symmetric(truth: Truth, output: Output) -> Array:
    """Twice the absolute error by the sum of both numbers' sizes, as the M competitions have it; 0 where both are 0.

    >>> symmetric(Truth(values=np.array([1.0, 0.0])), np.array([3.0, 0.0])).tolist()
    [1.0, 0.0]
    """
    return ratio(2 * np.abs(output - truth.numbers), np.abs(truth.numbers) + np.abs(output))


def wrong(truth: Truth, output: Output) -> Array:
    return 1 - right(truth, output)


def distance(truth: Truth, output: Output) -> Array:
    return np.asarray(np.abs(output - truth.numbers))


def square(truth: Truth, output: Output) -> Array:
    return np.asarray((output - truth.numbers) ** 2)


_PINBALL = re.compile(r"(?:pinball|quantile_loss|neg_mean_pinball_loss)(?:@|_)?(0?\.\d+)")


def pinball(name: str) -> ItemMean | None:
    """The loss of a forecast of a quantile, ``pinball@0.9``; None for other names.

    >>> truth = Truth(values=np.array([1.0, 3.0]))
    >>> pinball("pinball@0.9").items(truth, np.array([2.0, 2.0])).round(2).tolist(), pinball("mae")
    ([0.1, 0.9], None)
    """
    found = _PINBALL.fullmatch(name)
    if found is None or not 0 < float(found[1]) < 1:
        return None
    share = float(found[1])

    def loss(truth: Truth, output: Output) -> Array:
        under = truth.numbers - output
        return np.asarray(np.maximum(share * under, (share - 1) * under))

    return _loss(name, Needs.NUMBERS, loss)


def quantile_loss(truth: Truth, output: Output) -> Array:
    """The mean pinball loss over the levels: half of what estimates the CRPS."""
    levels, under = np.array(truth.levels), truth.numbers[:, None] - output
    return np.asarray(np.maximum(levels * under, (levels - 1) * under).mean(axis=1))


def crossing(name: str, forecasts: Array, levels: Sequence[float]) -> list[str]:
    """That a model's forecasts of quantiles are not in the order of their levels: columns may be exchanged."""
    count = int((np.diff(forecasts[:, np.argsort(levels)], axis=1) < 0).any(axis=1).sum())
    told = f"quantiles of {name} cross in {count} of {len(forecasts)} rows: a higher level has the lower forecast"
    return [told] if count else []


def weighted_quantile_loss(truth: Truth, output: Output) -> Array:
    """The same doubled, over the mean size of the true numbers: the mean over items is GluonTS's and fev's WQL."""
    size = float(np.abs(truth.numbers).mean())
    if size == 0:
        raise InvalidInput("truth must not be 0 everywhere for metric 'wql', which divides by its mean size")
    return 2 * quantile_loss(truth, output) / size


def _loss(name: str, needs: Needs, item: Callable[[Truth, Output], Array]) -> ItemMean:
    return ItemMean(name=name, needs=needs, item=item, higher_is_better=False, bounds=(0.0, None))


QUANTILE_METRICS = (
    "pinball", "mean_pinball_loss", "quantile_loss", "wql", "mean_weighted_sum_quantile_loss", "weighted_quantile_loss",
)  # fmt: skip
"""Names of metrics of forecasts of several quantiles."""

METRICS: dict[Metric, tuple[str, ...]] = {
    ItemMean(name="accuracy", needs=Needs.LABELS, item=right): (),
    ItemMean(name="error", needs=Needs.LABELS, item=wrong, higher_is_better=False): ("zero_one_loss",),
    # of single labels, the pooled counts make all three the accuracy
    **{ItemMean(name=f"{name}_micro", needs=Needs.LABELS, item=right): () for name in ("f1", "precision", "recall")},
    _loss("log_loss", Needs.PROBABILITIES, surprise): ("neg_log_loss",),
    _loss("brier", Needs.PROBABILITIES, squared_distance): ("brier_score", "neg_brier_score", "brier_score_loss"),
    _loss("mae", Needs.NUMBERS, distance): (
        "neg_mean_absolute_error", "mean_absolute_error",
    ),
    _loss("mse", Needs.NUMBERS, square): (
        "neg_mean_squared_error", "mean_squared_error",
    ),
    _loss("pinball", Needs.QUANTILES, quantile_loss): QUANTILE_METRICS[1:3],
    _loss("wql", Needs.QUANTILES, weighted_quantile_loss): QUANTILE_METRICS[4:],
    _loss("mape", Needs.NUMBERS, relative): (
        "neg_mean_absolute_percentage_error", "mean_absolute_percentage_error",
    ),
}  # fmt: skip
"""Each metric with the other names that it goes by."""

SMAPE = ItemMean(name="smape", needs=Needs.NUMBERS, item=symmetric, higher_is_better=False, bounds=(0.0, 2.0))
