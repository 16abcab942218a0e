"""Several models' outputs on one test set, and the metric by which they are compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.core.digest import digest
from foldwise.core.formatting import number_text
from foldwise.core.metric import Unit, unit_of
from foldwise.core.types import Array, Integers, Labels
from foldwise.evidence.evidence import EvidenceTable
from foldwise.evidence.measured_outputs import MeasuredOutputs
from foldwise.evidence.outputs import Outputs
from foldwise.metrics.function import measure
from foldwise.metrics.metric import Metric, Output, Truth
from foldwise.metrics.statistic import Statistic

__all__ = ["ModelOutputs"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelOutputs(MeasuredOutputs):
    """What several models said of the same items: labels, scores, probabilities or numbers.

    Attributes
    ----------
    names
        What the models are called.
    measure
        The metric.
    truth, outputs
        What is true of each item and what each model said, in the form that the metric needs.
    statistic
        The metric of all of them, with the effect of each unit on it.
    groups
        Index of the cluster that each item belongs to, or None when the items are independent.
    direction_assumed
        Whether the direction is only assumed, because neither the metric's name nor anybody said so.
    unseen
        Of each model, how many predictions are labels that never occur in the truth.
    """

    names: tuple[str, ...]
    measure: Metric
    truth: Truth
    outputs: tuple[Output, ...]
    statistic: Statistic
    groups: Integers | None = None
    direction_assumed: bool = False
    unseen: tuple[int, ...] = ()

    @classmethod
    def build(
        cls,
        names: tuple[str, ...],
        metric: Metric,
        truth: Truth,
        outputs: list[Output],
        *,
        groups: Integers | None = None,
        direction_assumed: bool = False,
        unseen: tuple[int, ...] = (),
    ) -> ModelOutputs:
        """Measure all models."""
        return cls(
            names=names,
            measure=metric,
            truth=truth,
            outputs=tuple(outputs),
            statistic=measure(metric, truth, outputs, groups),
            groups=groups,
            direction_assumed=direction_assumed,
            unseen=unseen,
        )

    def pair(self, i: int, j: int) -> Outputs:
        """The outputs of two of the models, as they are compared alone."""
        return Outputs.build(
            self.measure,
            self.truth,
            [self.outputs[i], self.outputs[j]],
            groups=self.groups,
            direction_assumed=self.direction_assumed,
        )

    @property
    def unit(self) -> Unit:
        """Fractions, or the metric's own unit."""
        return unit_of(self.metric, self.means)

    @property
    def means(self) -> Array:
        """The metric of each model on all items."""
        return self.statistic.values

    @property
    def digest(self) -> str:
        """Equal exactly when metric, truth, outputs and clusters are."""
        return digest([self.metric, self.truth.positive, self.truth.values, *self.outputs, self.groups])

    def columns(self) -> dict[str, Labels]:
        """One row per item."""
        columns: dict[str, Labels] = {"truth": self.truth.values}
        for name, output in zip(self.names, self.outputs, strict=True):
            if output.ndim == 2:
                columns |= {f"{name}:{label}": output[:, i] for i, label in enumerate(self.truth.classes)}
            else:
                columns[name] = output
        return columns if self.groups is None else columns | {"group": self.groups}

    def table(self) -> EvidenceTable:
        """The metric of each model."""
        rows = tuple((name, number_text(float(value), 4)) for name, value in zip(self.names, self.means, strict=True))
        counts = np.bincount(self.truth.codes, minlength=len(self.truth.classes)) if self.truth.classes else ()
        classes = ", ".join(f"{label}: {count}" for label, count in zip(self.truth.classes, counts, strict=True))
        caption = self.design + (f" ({classes})" if classes else "")
        return EvidenceTable(columns=("model", self.metric), rows=rows, caption=caption)
