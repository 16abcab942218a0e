"""Models scored by a judge on all items and by people on some: compared on the scale of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np

from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Integers, Interval, Json, Labels
from foldwise.core.units import difference_text, score_text, with_sign
from foldwise.designs.guarantee import approximate
from foldwise.designs.kind import Batch, Estimand, Procedure
from foldwise.designs.marks import ItemKind
from foldwise.designs.student import StudentKind, known_power, student_intervals
from foldwise.evidence.evidence import Evidence, EvidenceTable, item_differences
from foldwise.evidence.items import Items
from foldwise.evidence.mark_input import given_marks, right_wrong_scale
from foldwise.inference.human_labels import PredictionPoweredResult, RoganGladenResult, label_sample, ppi, rogan_gladen
from foldwise.inference.joint_differences import ModelMeans
from foldwise.inference.student import StudentResult, student_result

_NONE_YET = "; where nobody has labelled yet, leave the column out (--column human=none)"
FEW = 20  # Labelled items of both models below which the jackknife rests on little.
ENOUGH_FOR_A_SCALE = 10  # Labels all from 0 to 1 that are surely no grades of a judge whose scores go beyond 2.
UNLIKELY = 0.01  # How rarely a random sample of labels is said not to be one.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedItems(Items):
    """A judge's score for each model on each item, and what people say of some of these answers.

    >>> items = Items.from_marks({"a": [1, 1, 0, 1, 1, 0], "b": [1, 0, 0, 1, 0, 0]})
    >>> judged = JudgedItems.of_labels(items, [[1, 0, 0] + [np.nan] * 3, [1, 0, 0] + [np.nan] * 3])
    >>> judged.design, judged.means.round(2).tolist()
    ('6 items scored by a judge, 3 of them labelled by people', [0.33, 0.33])
    """

    human: Array  #: Models × items: the label of people, on the judge's scale; NaN where there is none
    judges: tuple[str, ...] = ()  #: Names of several judges, whose mean the values are
    disputed: int = 0  #: Labels that are means of what several people say, who differ
    by_judge: Array | None = None  #: Judges × models × items: what each of them says; NaN where it said nothing

    @classmethod
    def of_labels(
        cls, items: Items, human: object, judges: Mapping[str, Array] | None = None, *, disputed: int = 0
    ) -> JudgedItems:
        """Check the labels of people beside a judge's scores, or the mean of those of several judges."""
        labels = np.asarray(human, dtype=np.float64)
        if labels.shape != items.values.shape:
            raise InvalidInput(
                f"human must have a label, or NaN, for each model and item, shape {items.values.shape}, got "
                f"{labels.shape}"
            )
        low, high = float(items.values.min()), float(items.values.max())
        if low >= 0 and high <= 1:
            low, high = 0.0, 1.0
        reach = (high - low) / 2 if high > 1 else 0.0
        for name, row in zip(items.names, labels, strict=True):
            known = row[np.isfinite(row)]
            if len(known) < 2:
                raise InvalidInput(
                    f"human must label at least 2 answers of every model, but {name} has {len(known)}{_NONE_YET}"
                )
            strange = known[(known < low - reach) | (known > high + reach)]
            if len(strange):
                raise InvalidInput(
                    f"human labels must be on the judge's scale: its scores go from {low:g} to {high:g}, but a label "
                    f"of {name} is {strange[0]:g}"
                )
        seen = labels[np.isfinite(labels)]
        if high > 2 and len(seen) >= ENOUGH_FOR_A_SCALE and ((seen >= 0) & (seen <= 1)).all():
            raise InvalidInput(
                f"human labels must be on the judge's scale: its scores go from {low:g} to {high:g}, but all labels "
                f"lie between {seen.min():.3g} and {seen.max():.3g}; bring both to one scale first"
            )
        kept = {field.name: getattr(items, field.name) for field in fields(items) if field.init}
        # means of what several people say of right and wrong are shares of them
        shares = (items.right_wrong or items.shares) and high == 1 and seen.min() >= 0 and seen.max() <= 1
        unit = items.unit if shares or right_wrong_scale(seen) is not None else "own"
        declared = items.declared_unit or (unit if items.right_wrong or items.shares else None)
        several: dict[str, Any] = {}
        if judges:
            several = {"judges": tuple(judges), "by_judge": np.array(list(judges.values()))}
        return cls(
            **{**kept, "right_wrong": False, "shares": False, "declared_unit": declared}, human=labels,
            disputed=disputed, **several,
        )  # fmt: skip

    @classmethod
    def labelled(cls, items: Items, human: Any, rows: Any = None) -> JudgedItems:
        """With labels by model: one or more per row (or per item, by name), the mean where an item has several.

        Parameters
        ----------
        items
            The judge's scores, whose items have names where rows were left out or are trials.
        human
            By model the labels of its rows, or a mapping from items to labels.
        """
        if not isinstance(human, Mapping):
            raise InvalidInput('human must map models to labels: human={"a": [1, None, …], "b": […]}')
        missing = next((name for name in items.names if name not in human), None)
        if missing is not None:
            raise InvalidInput(f"human must have labels of every model, but has none of {missing}")
        keys = list(range(items.n)) if items.items is None else items.items.tolist()
        place = {key: at for at, key in enumerate(keys)}
        found, disputed = np.full((len(items.names), items.n), np.nan), 0
        for row, name in enumerate(items.names):
            given = human[name]
            of_items = list(given) if isinstance(given, Mapping) else keys if rows is None else list(rows)
            values = given_marks(
                list(given.values()) if isinstance(given, Mapping) else given, f"human[{name!r}]"
            ).values
            if len(values) != len(of_items):
                raise InvalidInput(
                    f"human[{name!r}] must have a label, or None, for each of the {len(of_items)} rows, got shape "
                    f"{np.shape(given)}"
                )
            at = np.repeat(np.array([place.get(key, -1) for key in of_items], dtype=np.int64), values.shape[1])
            found[row], differ = people_agree(at, values.ravel(), items.n)
            disputed += differ
        return cls.of_labels(items, found, disputed=disputed)

    @property
    def means(self) -> Array:
        return np.array([float(one.estimate) for one in corrected(self)])

    @property
    def design(self) -> str:
        labelled = np.isfinite(self.human).sum(axis=1)
        low, high = int(labelled.min()), int(labelled.max())
        count = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        items = Items.design.fget(self)  # type: ignore[attr-defined]
        if not self.judges:
            return f"{items} scored by a judge, {count} of them labelled by people"
        of_each = f"{items.partition(',')[0]}{items.partition(' each')[2]}"  # judges are the trials of an item
        return f"{of_each} scored by {len(self.judges)} judges, {count} of them labelled by people"

    @property
    def digest(self) -> str:
        return digest([Items.digest.fget(self), self.human])  # type: ignore[attr-defined]

    @property
    def labels(self) -> Array:
        """Of two models the difference of their labels, NaN where people did not label both."""
        return np.asarray(self.human[0] - self.human[1])

    def columns(self) -> dict[str, Labels]:
        told = {f"human label of {name}": row for name, row in zip(self.names, self.human, strict=True)}
        return Items.columns(self) | told

    def table(self) -> EvidenceTable:
        """Per model what the judge says, what people say, and the correction."""
        rows = []
        for said in judged(self):
            bias = difference_text(said["bias"], self.unit) + " ± " + difference_text(said["bias_error"], self.unit)
            rows.append((
                said["model"], *([said["judge"]] if self.judges else []), score_text(said["judge_alone"], self.unit),
                bias, score_text(said["corrected"], self.unit), f"{said['labels']:,}", f"{said['worth']:,.0f}",
            ))  # fmt: skip
        judge = ("judge",) if self.judges else ()
        return EvidenceTable(
            columns=("model", *judge, "judge alone", "judge − people", "corrected", "labels", "worth labels alone"),
            rows=tuple(rows),
            caption=f"{self.design}; judge − people is of the labelled items, ± its standard error",
        )

    def pair(self, i: int, j: int) -> JudgedItems:
        found = Items.pair(self, i, j)
        assert isinstance(found, JudgedItems)
        by_judge = None if self.by_judge is None else self.by_judge[:, [i, j]]
        return replace(found, human=self.human[[i, j]], by_judge=by_judge)


def people_agree(at: Integers, labels: Array, n: int) -> tuple[Array, int]:
    """The mean label of each of n items, NaN without any, and on how many of them people differ.

    `at` is the item of each label, −1 for none.
    """
    known = (at >= 0) & np.isfinite(labels)
    count = np.bincount(at[known], minlength=n)
    total, squares = (np.bincount(at[known], weights=labels[known] ** power, minlength=n) for power in (1, 2))
    with np.errstate(invalid="ignore"):
        mean = total / np.where(count > 0, count, np.nan)
        spread = squares / count - mean**2
    return mean, int((spread > 1e-9 * (1 + mean**2)).sum())


def labelled_rows(items: Any, marks: Any) -> Any:
    """The item of each row, numbered where nobody names them: so that labels stay beside the rows that count."""
    return items if items is not None or isinstance(marks, Mapping) else np.arange(len(marks))


def corrected(evidence: JudgedItems) -> list[PredictionPoweredResult]:
    """The mean of each model on the scale of people."""
    return [
        ppi(f, y, groups=evidence.groups, tasks=evidence.tasks)
        for f, y in zip(evidence.values, evidence.human, strict=True)
    ]


ALL_JUDGES = "mean of all"


def judged(evidence: JudgedItems) -> list[dict[str, Any]]:
    """Of each model what a judge says, how far that is from people, and what the labels are worth with it.

    Of several judges each is told by itself, on the items that it scored, after their mean, which the verdict takes.
    """
    mean = zip(evidence.names, evidence.values, corrected(evidence), strict=True)
    found = [_of_judge(ALL_JUDGES if evidence.judges else "", name, values, one) for name, values, one in mean]
    for judge, said in zip(evidence.judges, () if evidence.by_judge is None else evidence.by_judge, strict=True):
        for name, values, labels in zip(evidence.names, said, evidence.human, strict=True):
            there = np.isfinite(values)
            groups, tasks = (None if part is None else part[there] for part in (evidence.groups, evidence.tasks))
            try:
                one = ppi(values[there], labels[there], groups=groups, tasks=tasks)
            except InvalidInput:  # people saw hardly any answer that this judge scored
                continue
            found.append(_of_judge(judge, name, values[there], one))
    return found


def _of_judge(judge: str, model: str, values: Array, one: PredictionPoweredResult) -> dict[str, Any]:
    return {
        "judge": judge, "model": model, "judge_alone": float(values.mean()), "bias": one.bias,
        "bias_error": one.bias_error, "corrected": float(one.estimate), "weight": one.weight, "labels": one.labelled,
        "judged": one.judged, "worth": one.worth,
    }  # fmt: skip


class HumanLabels(StudentKind[Items], ItemKind):
    """A judge's scores on all items, corrected by labels of people on some."""

    name = "human_labels"
    words = "a judge's score of every item, and labels of people on some of them"
    assumes = (
        "the labelled items are a random sample of all items; items, or clusters of them, are independent draws",
        "people's labels are what counts; the judge may be wrong in any way, by model too",
        "the models were fixed before they saw these items",
    )
    plots: ClassVar[tuple[str, ...]] = ()
    recommended = "ppi"
    because = (
        "people's labels say how wrong the judge is, and its scores of all items make the estimate more precise than "
        "the labels alone"
    )
    limit = "one set of items and of labels: the answer is about these fitted models and about such people"

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, JudgedItems) and evidence.times is None

    def estimand(self, evidence: Items, procedure: Procedure) -> str:
        difference = procedure.difference_words(evidence.metric, evidence.names)
        return f"over items like these, {difference}, if people labelled all of them"

    def caveats(self, evidence: Items, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:
        assert isinstance(evidence, JudgedItems)
        return [
            *_chosen(evidence),
            *_disputed(evidence),
            *_few(evidence),
            *super().caveats(evidence, procedure, alpha=alpha, rope=rope),
        ]

    def facts(self, evidence: Items, procedure: Procedure, control: str | None = None) -> list[tuple[str, str]]:
        """What the judge says by itself, how biased it is by model, and what the labels are worth with it."""
        assert isinstance(evidence, JudgedItems)
        found, unit = corrected(evidence), evidence.unit
        judge = "   ".join(
            f"{name} {score_text(float(mean), unit)}"
            for name, mean in zip(evidence.names, evidence.values.mean(axis=1), strict=True)
        )
        bias = "   ".join(
            f"{name} {_signed(one.bias, evidence)} ± {difference_text(one.bias_error, unit)}"
            for name, one in zip(evidence.names, found, strict=True)
        )
        people = "   ".join(
            f"{name} {score_text(float(one.estimate), unit)}" for name, one in zip(evidence.names, found, strict=True)
        )
        rows = [("judge alone", judge), ("judge − people", bias)]
        if len(evidence.names) == 2:
            both = _ppi(evidence)
            rows[1] = ("judge − people", f"{bias}{_favours(evidence, both)}")
            rows = [("each corrected", people), *rows, ("labels", _worth(both, "both models"))]
        else:
            rows.append(("labels", _worth(found[0], evidence.names[0])))
        return [*rows, *_by_judge(evidence)]

    def told(self, evidence: Items) -> dict[str, Json]:
        """Bias and worth of each judge for each model."""
        assert isinstance(evidence, JudgedItems)
        return {"judges": [dict(one) for one in judged(evidence)]}

    # two models

    def batch(self, evidence: Items, alpha: float) -> Batch:
        """The evidence itself: its tests need scores and labels."""
        return Batch(data=evidence.differences, alpha=alpha, groups=evidence.groups, given=evidence)

    # all pairs

    def together(self, evidence: Items) -> ModelMeans:
        """Corrected means, and their covariance over the units that move them."""
        assert isinstance(evidence, JudgedItems)
        found = corrected(evidence)
        shares = np.array([one.shares for one in found])
        means = np.array([float(one.estimate) for one in found])
        df = min(float(one.df) for one in found)
        return ModelMeans(means=means, covariance=shares @ shares.T, df=df, units=shares.shape[1])

    def mean_intervals(self, evidence: Items, procedure: Procedure, level: float) -> Interval:
        assert isinstance(evidence, JudgedItems)
        found = corrected(evidence)
        estimate, error, df = (np.array([float(getattr(one, part)) for one in found])
                               for part in ("estimate", "standard_error", "df"))  # fmt: skip
        return student_intervals(student_result(estimate, error, df, warn=False), level)


HUMAN_LABELS = HumanLabels()
KINDS = (HUMAN_LABELS,)


def _given(evidence: Evidence | None) -> JudgedItems:
    assert isinstance(evidence, JudgedItems)
    common = int(np.isfinite(evidence.labels).sum())
    if common < 2:
        a, b = evidence.names
        raise InvalidInput(f"human must label at least 2 items of both {a} and {b}, but labels of both are on {common}")
    return evidence


def _ppi(given: Evidence | None) -> PredictionPoweredResult:
    evidence = _given(given)
    judge = item_differences(*evidence.values)
    return ppi(judge, evidence.labels, groups=evidence.groups, tasks=evidence.tasks)


def _rogan_gladen(given: Evidence | None) -> StudentResult:
    """The difference of two corrected rates, whose errors are correlated because the items are the same."""
    evidence = _given(given)
    if evidence.tasks is not None:
        raise InvalidInput("test 'rogan_gladen' is for items of one task; ppi takes several")
    scale = right_wrong_scale(np.concatenate([evidence.values, np.nan_to_num(evidence.human)]))
    if scale is None:
        raise InvalidInput(
            "test 'rogan_gladen' needs scores and labels of right (1) and wrong (0), not means of several people's; "
            "ppi takes any"
        )
    a, b = (rogan_gladen(f / scale, y / scale, groups=evidence.groups)
            for f, y in zip(evidence.values, evidence.human, strict=True))  # fmt: skip
    error = scale * np.sqrt(((a.shares - b.shares) ** 2).sum())
    difference = scale * (float(a.estimate) - float(b.estimate))
    return student_result(np.asarray(difference), np.asarray(error), min(float(a.df), float(b.df)), warn=False)


def _rates(evidence: JudgedItems) -> tuple[float, float]:
    scale = right_wrong_scale(evidence.values) or 1.0
    first, second = (float(rogan_gladen(f / scale, y / scale).estimate) * scale
                     for f, y in zip(evidence.values, evidence.human, strict=True))  # fmt: skip
    return first, second


def _worth(found: PredictionPoweredResult | RoganGladenResult, whose: str) -> str:
    assert isinstance(found, PredictionPoweredResult)
    return (
        f"{found.labelled:,} of {found.judged:,} items of {whose}; with the judge worth {found.worth:,.0f} labels alone"
    )


def _by_judge(evidence: JudgedItems) -> list[tuple[str, str]]:
    """Of several judges each: how far it is from people for each model, and what the labels are worth with it alone."""
    rows, said = [], judged(evidence) if evidence.judges else []
    for judge in evidence.judges:
        mine = [one for one in said if one["judge"] == judge]
        bias = "   ".join(
            f"{one['model']} {_signed(one['bias'], evidence)} ± {difference_text(one['bias_error'], evidence.unit)}, "
            f"{one['labels']:,} labels worth {one['worth']:,.0f}"
            for one in mine
        )
        rows.append((f"{judge} − people", bias or "people labelled hardly any answer that it scored"))
    return rows


def _favours(evidence: JudgedItems, both: PredictionPoweredResult) -> str:
    """Whom the judge favours, where it is shown to favour one."""
    if not both.bias_error > 0:
        return ""
    test = student_result(np.asarray(both.bias), np.asarray(both.bias_error), both.labelled - 1.0, warn=False)
    if not float(test.pvalue) < 0.05:
        return ""
    first = (both.bias > 0) == evidence.higher_is_better
    return f"   (the judge favours {evidence.names[0 if first else 1]}, p {with_sign(float(test.pvalue))})"


def _signed(value: float, evidence: JudgedItems) -> str:
    text = difference_text(value, evidence.unit)
    return text if value < 0 else f"+{text}"


def _disputed(evidence: JudgedItems) -> list[str]:
    if not evidence.disputed:
        return []
    return [
        f"several people labelled an answer, and the mean of their labels counts: they differ on {evidence.disputed:,} "
        f"of {int(np.isfinite(evidence.human).sum()):,} labelled answers"
    ]


def _few(evidence: JudgedItems) -> list[str]:
    fewest = int(np.isfinite(evidence.human).sum(axis=1).min())
    return [f"few human labels ({fewest}): p and interval are approximate"] if fewest < FEW else []


def _chosen(evidence: JudgedItems) -> list[str]:
    """That labelled items do not look like a random sample of all."""
    said = []
    for name, values, row in zip(evidence.names, evidence.values, evidence.human, strict=True):
        found = label_sample(values, row)
        if found.pvalue < UNLIKELY / len(evidence.names):
            least, most = float(found.share.min()), float(found.share.max())
            said.append(
                f"labelled answers of {name} are no random sample by the judge's score (p {with_sign(found.pvalue)}): "
                f"{100 * least:.0f} % to {100 * most:.0f} % of its tenths are labelled; then estimate and interval may "
                "be wrong"
            )
    return said


def run_ppi(batch: Batch) -> StudentResult:
    return _ppi(batch.given)


def run_rogan_gladen(batch: Batch) -> StudentResult:
    return _rogan_gladen(batch.given)


PROCEDURES: Sequence[Procedure] = (
    Procedure(
        name="ppi", title="prediction-powered t test (PPI++)", kind=HUMAN_LABELS, run=run_ppi,
        reference="Angelopoulos, Duchi & Zrnic (2023), arXiv", guarantee=approximate(counted="labels"),
        power=known_power,
        estimand=Estimand(called="difference by people's labels", how="corrected by people's labels"),
    ),
    Procedure(
        name="rogan_gladen", title="difference of rates corrected by Rogan and Gladen", kind=HUMAN_LABELS,
        run=run_rogan_gladen, reference="Rogan & Gladen (1978), American Journal of Epidemiology 107",
        guarantee=approximate(counted="labels"), power=known_power,
        estimand=Estimand(called="corrected", of_each=_rates),
    ),
)  # fmt: skip
