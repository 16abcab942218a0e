"""Readers × cases: what several readers said of the same cases with each modality, compared over new ones of both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.categories import Categories
from foldwise.core.decisions import Decision
from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import number_text
from foldwise.core.labels import categories, distinct_labels, group_index, number_of
from foldwise.core.metric import check_scales, direction_caveats, resolve_direction, unit_caveats
from foldwise.core.types import Array, Flags, Integers, Interval, Labels
from foldwise.designs.guarantee import approximate
from foldwise.designs.kind import Batch, Procedure
from foldwise.designs.student import KNOWN_SPREAD, NO_POWER, StudentKind, known_power, student_intervals
from foldwise.evidence.evidence import Evidence, EvidenceTable
from foldwise.evidence.given_outputs import read_classes
from foldwise.evidence.mark_input import given_marks
from foldwise.evidence.missing import MissingRule, Policy, settle_missing
from foldwise.inference.crossed_designs import VarianceSource, VarianceSplit
from foldwise.inference.joint_differences import ModelMeans
from foldwise.inference.roc_areas import FEW_READERS, Covariance, case_effects, obuchowski_rockette
from foldwise.inference.student import StudentResult

Column: TypeAlias = ArrayLike | Categories  # A value for each row.
Named: TypeAlias = tuple[list[object], Integers]  # The different names, and the number of each row.

OF_AREA = ("roc_auc", "auc", "auroc")
OF_SIDE = {"sensitivity": True, "recall": True, "tpr": True, "specificity": False, "tnr": False}
"""Metrics of the cases of one side: whether of those that are positive."""

AREA = Decision(
    what="metric",
    value="what is compared is the mean over readers of the area under the ROC curve",
    how="assumed",
    change="metric='sensitivity@3' (--metric sensitivity@3)",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Readings(Evidence):
    """Scores of readers × cases by modality, and which cases are positive where an area under ROC curves is asked.

    >>> scores = {"ct": [3, 1, 5, 2], "mri": [4, 2, 5, 1]}
    >>> found = Readings.build([1, 0, 1, 0], scores, ["r1", "r1", "r2", "r2"], ["c1", "c2", "c1", "c2"])
    >>> found.design, found.means.tolist()
    ('2 readers × 2 cases (1 positive)', [1.0, 1.0])
    """

    scores: Array  #: Modalities × readers × cases
    positive: Flags | None  #: The positive cases; None where the metric is the mean of the scores
    readers: tuple[str, ...]  #: Their names
    groups: Integers | None = None  #: The cluster of each case

    @classmethod
    def build(
        cls, truth: Column | None, outputs: Mapping[str, Column], readers: Column, cases: Column, *,
        groups: Column | None = None, metric: str | None = None, positive: object = None,
        threshold: float | None = None, higher_is_better: bool | None = None, missing: Policy = "refuse",
    ) -> Readings:  # fmt: skip
        """From rows of one reader and case each, with the score by each modality and the truth of the case.

        Without a truth scores are marks, whose mean is compared. With one, the metric is the area under the ROC curve,
        or sensitivity, specificity or accuracy of scores from `threshold` on (0.5 of scores that are 0 and 1).
        """
        who, what = (_named(column, name) for column, name in ((readers, "readers"), (cases, "items")))
        columns = {name: given_marks(values, f"outputs[{name!r}]").values[:, 0] for name, values in outputs.items()}
        lengths = {"readers": len(who[1]), "items": len(what[1]), **{name: len(one) for name, one in columns.items()}}
        if len(set(lengths.values())) > 1:
            told = ", ".join(f"{name} {count}" for name, count in lengths.items())
            raise InvalidInput(f"readers, items and scores must have one row for each reader and case, got {told}")
        if len(who[0]) < 2:
            raise InvalidInput(
                f"at least two readers are needed, got {who[0][0]!r}: one reader's scores are compared as those of a "
                "model, without a column of readers"
            )
        table = _crossed(columns, who, what)
        rule = MissingRule(policy=missing, metric=metric or "mark")
        if missing == "worst":
            raise InvalidInput("missing='worst' is not for readers and cases: leave cases out with missing='drop'")
        settled = settle_missing(
            table, rule, unit="case",
            place=lambda name, where: f"the score of case {what[0][int(where[0])]!r} by reader "
            f"{who[0][int(where[1])]!r} with {name!r}",
        )  # fmt: skip
        if settled.kept.sum() < 2:
            raise InvalidInput("fewer than two cases were scored by every reader with every modality")
        scores = np.stack([part[settled.kept].T for part in settled.values])
        kept = settled.kept
        clusters = None if groups is None else _of_case(categories(groups, "groups"), what[1], "cluster", what[0])[kept]
        true = None if truth is None else read_classes(truth, positive=positive)
        if true is not None:
            side = _of_case(np.asarray(true.is_positive), what[1], "truth", what[0]).astype(bool)[kept]
            metric = metric or OF_AREA[0]
            check_scales(metric, dict(zip(outputs, scores, strict=True)))
            scores, is_positive, within = _measured(scores, side, metric, threshold)
            clusters = None if clusters is None else clusters[within]
        else:
            is_positive = None
        higher, direction = resolve_direction(metric or "mark", higher_is_better)
        return cls(
            names=tuple(outputs), metric=metric or "mark", higher_is_better=higher, direction=direction, scores=scores,
            positive=is_positive, readers=tuple(map(str, who[0])), missing=settled.missing,
            groups=None if clusters is None else group_index(clusters),
        )  # fmt: skip

    def pair(self, i: int, j: int) -> Readings:
        names = self.names[i], self.names[j]
        return replace(self, names=names, scores=self.scores[[i, j]], missing=self.missing_of(i, j))

    @property
    def estimates(self) -> Array:
        """Of each reader with each modality, modalities × readers."""
        return self.once("estimates", lambda: case_effects(self.scores, self.positive, self.groups)[0])

    @property
    def numbers(self) -> Array:
        return self.estimates

    @property
    def means(self) -> Array:
        return np.asarray(self.estimates.mean(axis=1))

    @property
    def differences(self) -> Array:
        """Of two modalities, by reader."""
        return np.asarray(self.estimates[0] - self.estimates[1])

    @property
    def n(self) -> int:
        """Number of cases that count."""
        return int(self.scores.shape[-1])

    @property
    def units(self) -> int:
        """Number of cases, or of clusters of them."""
        return self.n if self.groups is None else int(self.groups.max()) + 1

    @property
    def design(self) -> str:
        sides = "" if self.positive is None else f" ({int(self.positive.sum())} positive)"
        clusters = "" if self.groups is None else f" in {self.units} clusters"
        return f"{len(self.readers)} readers × {self.n} cases{sides}{clusters}"

    @property
    def digest(self) -> str:
        return digest([self.metric, self.scores, self.positive, self.readers, self.groups])

    def columns(self) -> dict[str, Labels]:
        reader, case = np.indices(self.scores.shape[1:]).reshape(2, -1)
        found: dict[str, Labels] = {"reader": np.array(self.readers, dtype=object)[reader], "case": case}
        if self.positive is not None:
            found["positive"] = self.positive[case]
        if self.groups is not None:
            found["group"] = self.groups[case]
        return found | {name: part.ravel() for name, part in zip(self.names, self.scores, strict=True)}

    def table(self) -> EvidenceTable:
        rows = zip(self.readers, *self.estimates.tolist(), strict=True)
        told = tuple((reader, *(number_text(value, 4) for value in values)) for reader, *values in rows)
        return EvidenceTable(columns=("reader", *self.names), rows=told, caption=f"{self.metric} of each reader")


def _named(column: Column, name: str) -> Named:
    """The different names in the order in which they come, and the number of each row."""
    distinct, codes = distinct_labels(categories(column, name))
    first = np.unique(codes, return_index=True)[1]
    order = np.argsort(first)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return [distinct[at] for at in order.tolist()], place[codes]


def _crossed(columns: Mapping[str, Array], who: Named, what: Named) -> dict[str, Array]:
    """Cases × readers by modality; NaN where something is missing."""
    shape = (len(what[0]), len(who[0]))
    cell = what[1] * shape[1] + who[1]
    counts = np.bincount(cell, minlength=shape[0] * shape[1])
    if counts.max() > 1:
        case, reader = divmod(int(np.argmax(counts)), shape[1])
        raise InvalidInput(
            f"each reader must have scored a case once, but {who[0][reader]!r} has case {what[0][case]!r} "
            f"{counts.max()} times"
        )
    found = {}
    for name, values in columns.items():
        table = np.full(shape[0] * shape[1], np.nan)
        table[cell] = values
        found[name] = table.reshape(shape)
    return found


def _of_case(values: Iterable[object], of_row: Integers, noun: str, cases: Sequence[object]) -> Labels:
    """The value of each case, which must be the same in all of its rows."""
    column = np.asarray(list(values), dtype=object)
    first = np.unique(of_row, return_index=True)[1]
    found = column[first]
    strange = np.flatnonzero(found[of_row] != column)
    if len(strange):
        raise InvalidInput(f"a case must have one {noun}, but case {cases[of_row[strange[0]]]!r} has several")
    return found


def _measured(
    scores: Array, positive: Flags, metric: str, threshold: float | None
) -> tuple[Array, Flags | None, Flags]:
    """The scores whose mean, or area, is the metric; the positive cases, of an area; and the cases that count."""
    every = np.ones(len(positive), dtype=bool)
    sides = {True: positive, False: ~positive}
    for side, word in ((True, "positive"), (False, "negative")):
        of_side = OF_SIDE.get(metric.partition("@")[0])
        if not sides[side].any() and (metric in OF_AREA or of_side is side):
            raise InvalidInput(f"truth must hold {word} cases for metric {metric!r}, but there is none")
    if metric in OF_AREA:
        return scores, positive, every
    metric, at, said_at = metric.partition("@")
    if at:
        threshold = number_of(said_at)
    if metric not in OF_SIDE and metric != "accuracy":
        raise InvalidInput(
            f"metric must be roc_auc, sensitivity, specificity or accuracy for readers and cases with a truth, got "
            f"{metric!r}; without a truth scores are marks"
        )
    if threshold is None and not np.isin(scores, (0.0, 1.0)).all():
        raise InvalidInput(
            f"threshold must say from which score on a case counts as positive, as in {metric}@3 or with --threshold: "
            f"scores go from {scores.min():g} to {scores.max():g}"
        )
    said = scores >= (0.5 if threshold is None else threshold)
    right = (said == positive).astype(np.float64)
    within = sides[OF_SIDE[metric]] if metric in OF_SIDE else every
    return right[..., within], None, within


# ---- The kind and its tests.

FEW_CASES = 10  # Cases of a side below which little is known of how much they vary.


class ReadersCases(StudentKind[Readings]):
    """All readers scored all cases with every modality."""

    name = "readers"
    called = "modalities"
    words = "the scores of several readers on the same cases with each modality"
    recommended = "obuchowski_rockette"
    because = (
        "readers and cases are both samples: the spread of the readers' differences and the covariance that they have "
        "because they read the same cases both count"
    )
    plots: ClassVar[tuple[str, ...]] = ("differences",)
    assumes = (
        "the readers are a random sample of such readers, and the cases, or clusters of them, of such cases",
        "every reader scored every case with every modality, without knowing the truth or the other score",
    )
    limit = "one study: the answer is about readers and cases like these, read as they were here"

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, Readings)

    def batch(self, evidence: Readings, alpha: float) -> Batch:
        return Batch(data=evidence.differences, alpha=alpha, groups=evidence.groups, given=evidence)

    def estimand(self, evidence: Readings, procedure: Procedure) -> str:
        difference = procedure.difference_words(evidence.metric, evidence.names, "mean", of="modality")
        return f"over readers and cases like these, {difference}."

    def analysed(self, evidence: Readings, procedure: Procedure, batch: Batch) -> tuple[StudentResult, VarianceSplit]:
        result = self.result(evidence, procedure, batch)
        r = len(evidence.readers)
        readers = float(evidence.differences.var(ddof=1)) / r
        cases = max(float(result.standard_error) ** 2 - readers, 0.0)
        word = "cases" if evidence.groups is None else "clusters"
        sources = (
            VarianceSource(name="readers", variance=readers * r, adds=readers, over=("readers",)),
            VarianceSource(name=word, variance=cases * evidence.units, adds=cases, over=(word,)),
        )
        return result, VarianceSplit(standard_error=float(result.standard_error), sources=sources)

    def about(self, evidence: Readings, procedure: Procedure, result: StudentResult) -> list[str]:
        caveats = []
        if len(evidence.readers) < FEW_READERS:
            caveats.append(
                f"{len(evidence.readers)} readers say little about how much readers vary, so that the interval is wide"
            )
        sides = [evidence.units] if evidence.positive is None else np.bincount(evidence.positive.astype(int)).tolist()
        if min(sides) < FEW_CASES:
            caveats.append(f"a side has only {min(sides)} cases, so that the law behind p and interval is rough")
        if not result.degenerate and result.df < KNOWN_SPREAD - 1e-6:
            caveats.append(NO_POWER.format("readers"))
        return caveats

    def caveats(self, evidence: Readings, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:
        caveats = []
        if len(evidence.names) == 2 and not (evidence.scores[0] != evidence.scores[1]).any():
            caveats.append("all scores are the same with both: either they are the same or these cases can't tell")
        if evidence.positive is not None:
            caveats += [
                f"{name} ranks worse than chance ({value:.3g}): perhaps its scores are of the other side"
                for name, value in zip(evidence.names, evidence.means.tolist(), strict=True)
                if value < 0.5
            ]
        caveats += direction_caveats(evidence.metric, evidence.higher_is_better)
        return caveats + unit_caveats(evidence.unit, rope, evidence.means)

    def together(self, evidence: Readings) -> ModelMeans:
        """Means over readers, with the covariance that readers and cases give them."""
        values, effects = case_effects(evidence.scores, evidence.positive, evidence.groups)
        r = values.shape[1]
        of_readers = np.atleast_2d(np.cov(values)) / r
        total = effects.sum(axis=1)
        each = sum(effects[:, reader] @ effects[:, reader].T for reader in range(r))
        of_cases = (total @ total.T - each) / (r * (r - 1))
        # what the estimate would make negative is no variance
        weights, vectors = np.linalg.eigh(of_cases)
        of_cases = (vectors * np.maximum(weights, 0.0)) @ vectors.T
        return ModelMeans(means=evidence.means, covariance=of_readers + of_cases, df=r - 1.0, units=r)

    def mean_intervals(self, evidence: Readings, procedure: Procedure, level: float) -> Interval:
        values, effects = case_effects(evidence.scores, evidence.positive, evidence.groups)
        covariance = effects @ np.swapaxes(effects, -1, -2)
        found = student_intervals(obuchowski_rockette(values, covariance, cases=evidence.units), level)
        bounds = (0.0, 1.0) if evidence.positive is not None or evidence.unit == "fraction" else (-np.inf, np.inf)
        return Interval(low=np.maximum(found.low, bounds[0]), high=np.minimum(found.high, bounds[1]))


READERS = ReadersCases()
KINDS = (READERS,)


def _compared(batch: Batch, covariance: Covariance) -> StudentResult:
    evidence = batch.given
    assert isinstance(evidence, Readings)
    values, effects = case_effects(evidence.scores, evidence.positive, evidence.groups, covariance)
    apart = effects[0] - effects[1]
    return obuchowski_rockette(values[0] - values[1], apart @ apart.T, cases=evidence.units)


def run_unbiased(batch: Batch) -> StudentResult:
    """With covariances from placements."""
    return _compared(batch, "unbiased")


def run_jackknife(batch: Batch) -> StudentResult:
    """With covariances from leaving out cases."""
    return _compared(batch, "jackknife")


PROCEDURES = (
    Procedure(
        name="obuchowski_rockette", title="Obuchowski-Rockette test over readers and cases", kind=READERS,
        run=run_unbiased, reference="Obuchowski & Rockette (1995), Communications in Statistics B24",
        guarantee=approximate(counted="readers"), power=known_power,
    ),
    Procedure(
        name="dorfman_berbaum_metz", title="Dorfman-Berbaum-Metz test over readers and cases", kind=READERS,
        run=run_jackknife, reference="Dorfman, Berbaum & Metz (1992), Investigative Radiology 27",
        guarantee=approximate(counted="readers", known_as="obuchowski_rockette"), power=known_power,
    ),
)  # fmt: skip
