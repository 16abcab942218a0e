"""What two or more models said of the same items, and the metric by which they are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.categories import Categories
from foldwise.core.decisions import How
from foldwise.core.digest import array_digest, digest
from foldwise.core.formatting import number_text
from foldwise.core.metric import Unit
from foldwise.core.types import Array, Integers, Labels
from foldwise.evidence.evidence import Evidence, EvidenceTable
from foldwise.evidence.items import Items
from foldwise.evidence.sequence import in_time
from foldwise.metrics.function import measure
from foldwise.metrics.metric import Metric, Needs, Output, SumMetric, Truth
from foldwise.metrics.ranking import Auc
from foldwise.metrics.statistic import Statistic
from foldwise.metrics.survival import events_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outputs(Evidence):
    """Labels, scores, probabilities or numbers of models on the items of one truth."""

    measure: Metric  #: The metric
    #: truth, outputs: What is true of each item and what each model said, in the form that the metric needs
    truth: Truth
    outputs: tuple[Output, ...]
    #: The metric of all of them, with the effect of each unit on it, ready to be resampled; of b and a where `turned`.
    #: None of the areas under two ROC curves, whose own test needs none, until somebody asks for it
    measured: Statistic | None
    areas: Array | None = None  #: Those areas
    #: Of two models, whether b comes first in the statistic: which does depends on the outputs alone, so that
    #: exchanging the models mirrors every answer exactly, random draws and all
    turned: bool = False
    #: Index of the cluster that each item belongs to, or None when the items are independent
    groups: Integers | None = None
    unseen: tuple[int, ...] = ()  #: Of each model, how many predictions are labels that never occur in the truth

    @classmethod
    def build(
        cls, names: Sequence[str], metric: Metric, truth: Truth, outputs: Sequence[Output], *,
        groups: Integers | None = None, direction: How = "by its name", declared_unit: Unit | None = None,
        unseen: tuple[int, ...] = (),
    ) -> Outputs:  # fmt: skip
        """Measure all models; the statistic has two of them in an order of its own."""
        pair = len(outputs) == 2
        values = np.array([metric.value(truth, output) for output in outputs] if pair else [])
        turned = pair and _comes_second(values, truth, *outputs)
        areas = values if pair and isinstance(metric, Auc) else None
        return cls(
            names=tuple(names),
            metric=metric.name,
            higher_is_better=metric.higher_is_better,
            measure=metric,
            truth=truth,
            outputs=tuple(outputs),
            measured=measure(metric, truth, list(outputs[:: -1 if turned else 1]), groups) if areas is None else None,
            areas=areas,
            turned=turned,
            groups=groups,
            direction=direction,
            declared_unit=declared_unit,
            unseen=unseen,
        )

    def in_time(self, time: ArrayLike | Categories) -> Items | None:
        """The periods in order of time, each with what it adds to the metric; None where that is not known.

        A smooth function of sums over items is about linear. With ψ_t, what the items of period t add by its
        derivatives (they sum to 0), M + T·ψ_t are T values whose mean is M, and whose long-run variance is that of M.
        """
        metric = self.measure
        if not isinstance(metric, SumMetric):
            return None
        n, values = len(self.truth), []
        for output, value in zip(self.outputs, self.means.tolist(), strict=True):
            added = metric.contributions(self.truth, output)
            values.append(value + n * (added @ metric.gradient(added.sum(axis=0), self.truth)))
        found = in_time(np.array(values), time)
        # a mean over the items of a period counts by their share among all
        share = found.counts * (len(found.counts) / n)
        means = self.means[:, None]
        return Items(
            names=self.names, values=means + (found.values - means) * share, right_wrong=False, metric=self.metric,
            higher_is_better=self.higher_is_better, direction=self.direction, declared_unit=self.unit,
            missing=self.missing, times=found.times, averaged=found.averaged, whole=True, unseen=self.unseen,
        )  # fmt: skip

    def pair(self, i: int, j: int) -> Outputs:
        return Outputs.build(
            (self.names[i], self.names[j]),
            self.measure,
            self.truth,
            [self.outputs[i], self.outputs[j]],
            groups=self.groups,
            direction=self.direction,
            declared_unit=self.declared_unit,
            unseen=(self.unseen[i], self.unseen[j]) if self.unseen else (),
        )

    @property
    def n(self) -> int:
        return len(self.truth)

    @property
    def statistic(self) -> Statistic:
        if self.measured is not None:
            return self.measured
        outputs = list(self.outputs[:: -1 if self.turned else 1])
        return self.once("statistic", lambda: measure(self.measure, self.truth, outputs, self.groups))

    @property
    def alike(self) -> bool:
        """Of two models, whether nothing that matters tells them apart."""
        return not (self.statistic.differ if self.areas is None else self.a != self.b).any()

    @property
    def numbers(self) -> Array:
        return self.areas if self.areas is not None else self.statistic.values[:: -1 if self.turned else 1]

    @property
    def means(self) -> Array:
        return self.numbers

    @property
    def effects(self) -> Array:
        """Of each unit of each kind, on the metric of each model."""
        return self.statistic.effects[:: -1 if self.turned else 1]

    @property
    def differences(self) -> Array:
        """Of two models, per unit its share of the difference a − b: the mean over all units is the difference."""
        effects = self.statistic.effects[0] - self.statistic.effects[1]
        values = self.statistic.values[0] - self.statistic.values[1] + self.statistic.units * effects
        return np.asarray(-values if self.turned else values)

    @property
    def a(self) -> Output:
        return self.outputs[0]

    @property
    def b(self) -> Output:
        return self.outputs[1]

    @property
    def design(self) -> str:
        clusters = "" if self.groups is None else f" in {int(self.groups.max()) + 1} clusters"
        events = f", {int(events_of(self.truth.values).sum())} with an event" if self._timed else ""
        return f"{self.n} test example{'' if self.n == 1 else 's'}{events}{clusters}"

    @property
    def digest(self) -> str:
        return digest([self.metric, self.truth.positive, self.truth.values, *self.outputs, self.groups])

    def columns(self) -> dict[str, Labels]:
        parts = self.measure.parts(self.truth)
        columns = {} if self._counted else {"truth": self._shown(self.truth.values)}
        if self._timed:
            columns = {"time": np.abs(self.truth.numbers), "event": events_of(self.truth.values)}
        for name, output in zip(self.names, self.outputs, strict=True):
            if output.ndim == 2:
                columns |= {f"{name}:{label}": output[:, i] for i, label in enumerate(parts)}
            else:
                columns[name] = self._shown(output)
        return columns if self.groups is None else columns | {"group": self.groups}

    def table(self) -> EvidenceTable:
        """By class, how often it was said, or what was said of it on average; of many models their metric alone."""
        if self._counted:
            sums = np.array([output.sum(axis=0) for output in self.outputs]).T.tolist()
            rows = [
                (str(part), *(number_text(one, 6) for one in of))
                for part, of in zip(self.measure.parts(self.truth), sums, strict=True)
            ]
            return EvidenceTable(columns=("sum of", *self.names), rows=tuple(rows))
        if len(self.names) > 2 or self._timed:
            return self._measured()
        if not self.truth.classes:
            return self._spread()
        rows = []
        for code, label in enumerate(self.truth.classes):
            true = self.truth.values == code
            said = [self._said(output, true, code) for output in self.outputs]
            rows.append((str(label), str(int(true.sum())), *(cell for cells in said for cell in cells)))
        if self._labelled:
            columns = tuple(f"{word} {name}" for name in self.names for word in ("said by", "right by"))
            return EvidenceTable(columns=("class", "true", *columns), rows=tuple(rows))
        caption = "mean score of the items of each class" + (", by the class itself" if self.a.ndim == 2 else "")
        return EvidenceTable(columns=("class", "true", *self.names), rows=tuple(rows), caption=caption)

    def _measured(self) -> EvidenceTable:
        rows = tuple((name, number_text(float(value), 4)) for name, value in zip(self.names, self.means, strict=True))
        counts = np.bincount(self.truth.codes, minlength=len(self.truth.classes)) if self.truth.classes else ()
        classes = ", ".join(f"{label}: {count}" for label, count in zip(self.truth.classes, counts, strict=True))
        caption = self.design + (f" ({classes})" if classes else "")
        return EvidenceTable(columns=("model", self.metric), rows=rows, caption=caption)

    @property
    def _counted(self) -> bool:
        return self.measure.needs is Needs.COUNTS

    @property
    def _timed(self) -> bool:
        return self.measure.needs is Needs.RISKS

    @property
    def _labelled(self) -> bool:
        return self.a.dtype.kind in "iu"

    def _said(self, output: Output, true: Labels, code: int) -> tuple[str, ...]:
        if self._labelled:
            return str(int((output == code).sum())), str(int((true & (output == code)).sum()))
        scores = output[true, code] if output.ndim == 2 else output[true]
        return (number_text(float(scores.mean()), 4) if len(scores) else "–",)

    def _spread(self) -> EvidenceTable:
        series = (self.truth.numbers, *self.outputs)
        words = (("mean", np.mean), ("standard deviation", np.std), ("least", np.min), ("largest", np.max))
        rows = tuple((word, *(number_text(float(of(x)), 4) for x in series)) for word, of in words)
        return EvidenceTable(columns=("", "truth", *self.names), rows=rows)

    def _shown(self, values: Labels) -> Labels:
        if not self.truth.classes or values.dtype.kind not in "iu":
            return values
        return np.array(self.truth.classes, dtype=object)[values]


def _comes_second(values: Array, truth: Truth, a: Output, b: Output) -> bool:
    """Whether a comes after b: by the metric, or else by what was said of which truth; not by the order of items."""
    first, second = values.tolist()
    return _content(truth, a) < _content(truth, b) if first == second else first < second


def _content(truth: Truth, output: Output) -> str:
    together = np.column_stack([truth.values, output])
    return array_digest(together[np.lexsort(together.T)])
