"""Two models' outputs on one test set, and the metric by which they are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from foldwise.core.digest import array_digest, digest
from foldwise.core.formatting import number_text
from foldwise.core.metric import Unit, unit_of
from foldwise.core.types import Array, Integers, Labels
from foldwise.evidence.evidence import EvidenceTable
from foldwise.evidence.measured_outputs import MeasuredOutputs
from foldwise.metrics.function import measure
from foldwise.metrics.metric import Metric, Output, Truth
from foldwise.metrics.statistic import Statistic

__all__ = ["Outputs"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outputs(MeasuredOutputs):
    """What two models said of the same items: labels, scores, probabilities or numbers.

    Attributes
    ----------
    measure
        The metric.
    truth, a, b
        What is true of each item and what each model said, in the form that the metric needs.
    groups
        Index of the cluster that each item belongs to, or None when the items are independent.
    statistic
        The metric of both, ready to be resampled; of b and a where `turned`.
    turned
        Whether b comes first in the statistic: which does depends on the outputs alone, so that exchanging the models
        mirrors every answer exactly, random draws and all.
    direction_assumed
        Whether the direction is only assumed, because neither the metric's name nor anybody said so.
    unseen
        How many predictions of a and of b are labels that never occur in the truth.
    """

    measure: Metric
    truth: Truth
    a: Output
    b: Output
    groups: Integers | None
    statistic: Statistic
    turned: bool
    direction_assumed: bool = False
    unseen: tuple[int, int] = (0, 0)

    @classmethod
    def build(
        cls,
        metric: Metric,
        truth: Truth,
        outputs: Sequence[Output],
        *,
        groups: Integers | None = None,
        direction_assumed: bool = False,
        unseen: tuple[int, int] = (0, 0),
    ) -> Outputs:
        """Measure two models; the statistic has them in an order of its own."""
        a, b = outputs
        turned = _comes_second(metric, truth, a, b)
        return cls(
            measure=metric,
            truth=truth,
            a=a,
            b=b,
            groups=groups,
            statistic=measure(metric, truth, [b, a] if turned else [a, b], groups),
            turned=turned,
            direction_assumed=direction_assumed,
            unseen=unseen,
        )

    @property
    def unit(self) -> Unit:
        """Fractions, or the metric's own unit."""
        return unit_of(self.metric, self.means)

    @property
    def means(self) -> tuple[float, float]:
        """The metric of a and of b on all items."""
        first, second = map(float, self.statistic.values)
        return (second, first) if self.turned else (first, second)

    @property
    def differences(self) -> Array:
        """Per unit of each kind, its share of the difference a − b: the mean over all units is the difference."""
        effects = self.statistic.effects[0] - self.statistic.effects[1]
        values = self.statistic.values[0] - self.statistic.values[1] + self.statistic.units * effects
        return np.asarray(-values if self.turned else values)

    @property
    def digest(self) -> str:
        """Equal exactly when metric, truth, outputs and clusters are."""
        return digest([self.metric, self.truth.positive, self.truth.values, self.a, self.b, self.groups])

    def columns(self, names: tuple[str, str]) -> dict[str, Labels]:
        """One row per item."""
        columns = {"truth": self._shown(self.truth.values)}
        for name, output in zip(names, (self.a, self.b), strict=True):
            if output.ndim == 2:
                columns |= {f"{name}:{label}": output[:, i] for i, label in enumerate(self.truth.classes)}
            else:
                columns[name] = self._shown(output)
        return columns if self.groups is None else columns | {"group": self.groups}

    def table(self, names: tuple[str, str]) -> EvidenceTable:
        """What a person wants to see of it: by class, how often it was said, or what was said of it on average."""
        if not self.truth.classes:
            return self._spread(names)
        rows = []
        for code, label in enumerate(self.truth.classes):
            true = self.truth.values == code
            said = [self._said(output, true, code) for output in (self.a, self.b)]
            rows.append((str(label), str(int(true.sum())), *(cell for cells in said for cell in cells)))
        if self._labelled:
            columns = tuple(f"{word} {name}" for name in names for word in ("said by", "right by"))
            return EvidenceTable(columns=("class", "true", *columns), rows=tuple(rows))
        caption = "mean score of the items of each class" + (", by the class itself" if self.a.ndim == 2 else "")
        return EvidenceTable(columns=("class", "true", *names), rows=tuple(rows), caption=caption)

    @property
    def _labelled(self) -> bool:
        return self.a.dtype.kind in "iu"

    def _said(self, output: Output, true: Labels, code: int) -> tuple[str, ...]:
        if self._labelled:
            return str(int((output == code).sum())), str(int((true & (output == code)).sum()))
        scores = output[true, code] if output.ndim == 2 else output[true]
        return (number_text(float(scores.mean()), 4) if len(scores) else "–",)

    def _spread(self, names: tuple[str, str]) -> EvidenceTable:
        series = (self.truth.numbers, self.a, self.b)
        words = (("mean", np.mean), ("standard deviation", np.std), ("least", np.min), ("largest", np.max))
        rows = tuple((word, *(number_text(float(of(x)), 4) for x in series)) for word, of in words)
        return EvidenceTable(columns=("", "truth", *names), rows=rows)

    def _shown(self, values: Labels) -> Labels:
        if not self.truth.classes or values.dtype.kind not in "iu":
            return values
        return np.array(self.truth.classes, dtype=object)[values]


def _comes_second(metric: Metric, truth: Truth, a: Output, b: Output) -> bool:
    """Whether a comes after b: by the metric, or else by what was said of which truth; not by the order of items."""
    first, second = metric.value(truth, a), metric.value(truth, b)
    return _content(truth, a) < _content(truth, b) if first == second else first < second


def _content(truth: Truth, output: Output) -> str:
    together = np.column_stack([truth.values, output])
    return array_digest(together[np.lexsort(together.T)])
