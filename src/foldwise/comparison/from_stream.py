"""Two models watched while their results come in: how far are we, and may we stop?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from foldwise.comparison.claims import Claim, found_words
from foldwise.comparison.from_file import refuse_without_truth
from foldwise.comparison.pair import Forwarded
from foldwise.comparison.pairs import margin_of
from foldwise.comparison.results import new_frame, with_decisions, with_missing
from foldwise.core.amounts import Amount
from foldwise.core.decisions import Decision, together
from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import LEAST_PVALUE
from foldwise.core.labels import labels
from foldwise.core.metric import UNNAMED_MARK, Unit, metric_words
from foldwise.core.result import Result, ready, told
from foldwise.core.types import Array, Integers, Interval, Json
from foldwise.core.units import asked_text
from foldwise.core.validation import fraction, integer
from foldwise.data.predictions import PredictionFile
from foldwise.designs.guarantee import exact
from foldwise.evidence.evidence import Evidence, named_models
from foldwise.evidence.items import Items
from foldwise.evidence.mark_input import MarksByItem
from foldwise.evidence.missing import Policy
from foldwise.evidence.sequence import Stream, check_contiguous
from foldwise.inference.anytime_valid import ConfidenceSequence, betting_evidence, confidence_sequence
from foldwise.inference.equivalence import Conclusion, conclusion

ORDER = (
    "the order of the items is part of the method: it holds if they come in an order that is independent of the "
    "answers, such as a random one; a file that was sorted or selected afterwards shows nothing"
)
ONCE = "each cluster is one bet, by the number of its items, and counts only when the next one has begun"
SIZES = Decision(
    what="cluster sizes",
    value="no cluster has more than twice as many items as the largest before it",
    how="assumed",
    change="largest_cluster (--largest-cluster)",
)


def watch(
    marks: Mapping[str, ArrayLike | MarksByItem],
    *wrong: object,
    groups: ArrayLike | Mapping[Any, Any] | None = None,
    items: ArrayLike | None = None,
    higher_is_better: bool | None = None,
    metric: str = UNNAMED_MARK,
    missing: Policy = "refuse",
    bounds: tuple[float, float] = (0.0, 1.0),
    alpha: float = 0.05,
    margin: Amount | None = None,
    largest_cluster: int | None = None,
    complete: bool = False,
) -> Watch:
    """Look at two models' marks as far as they are there, as often as you like, and stop when you may.

    Parameters
    ----------
    marks
        By the names of the two models, their marks in the order in which they came, as `compare_predictions` takes
        them: right and wrong, or numbers within the bounds.
    groups, items
        The cluster of each row, and the item of each row where rows are trials: one bet is made on each cluster (or
        item), when all of it is there; its rows must follow each other. A cluster counts by the number of its items, so
        that the difference is the mean over items, as in `compare_predictions`.
    higher_is_better, metric, missing
        As in `compare_predictions`.
    bounds
        Lowest and highest possible mark, known beforehand.
    alpha
        The probability of ever being wrong, at most, however often one looks.
    margin
        By how much the first may be worse than the second: one may then also stop when it is known to be superior,
        non-inferior, equivalent or inferior, as in `compare_predictions`.
    largest_cluster
        Most items that a cluster can have, known beforehand. Without it the first cluster, and clusters more
        than twice as large as every one before them, are counted but not bet on.
    complete
        Whether nothing more comes, so that the last cluster (or item) counts, too.

    Returns
    -------
    Watch
        `may_stop` says whether something is shown, `interval` bounds the difference at all times together.

    Examples
    --------
    >>> found = watch({"a": [1, 1, 1, 0, 1, 1] * 20, "b": [0, 1, 0, 0, 1, 1] * 20})
    >>> found.may_stop, found.better, found.shown_after
    (True, 'a', 27)
    """
    if wrong or not isinstance(marks, Mapping) or len(marks) != 2:
        raise InvalidInput(CALL)
    first_name, second_name = named_models(marks, "marks")
    marks = dict(zip((first_name, second_name), marks.values(), strict=True))
    if items is not None:
        check_contiguous(items, "items")
    first = groups is not None and _is_one(groups)  # one cluster is evidence of nothing, but more are to come
    evidence = Items.from_marks(
        marks, called=_called, items=items, groups=None if first else groups, metric=metric,
        higher_is_better=higher_is_better, missing=missing, bounds=bounds,
    )  # fmt: skip
    clusters = np.zeros(evidence.n, dtype=np.int64) if first else evidence.groups
    stream = Stream.of(evidence.differences, clusters, trials=items is not None, complete=complete)
    width, largest = _checked(bounds, evidence), _checked_size(largest_cluster, stream)
    fraction(alpha, "alpha")
    asked = margin_of(margin, evidence, alpha, largest=width)
    x, reach = stream.differences, (-width, width)
    sizes: dict[str, Any] = {"weights": stream.sizes, "heaviest": largest} if stream.clusters else {}
    shown = betting_evidence(x, bounds=reach, alpha=alpha, **sizes) if stream.n else None
    when = np.flatnonzero(shown.pvalue <= alpha) if shown is not None else np.array([], dtype=np.int64)
    counted = [one[: stream.counted] for one in (evidence.a, evidence.b)]
    found = Watch(
        models=(first_name, second_name),
        evidence=evidence,
        means=(float(counted[0].mean()), float(counted[1].mean())) if stream.n else None,
        stream=stream,
        sequence=_sequence(x, reach, alpha, sizes),
        evalue=1.0 if shown is None else float(shown.evalue[-1]),
        pvalue=1.0 if shown is None else max(float(shown.pvalue[-1]), LEAST_PVALUE),
        shown_after=int(stream.items[when[0]]) if len(when) else None,
        larger=shown is not None and bool(shown.larger[-1]),
        alpha=alpha,
        margin=asked,
        limits=None if asked is None else _sequence(x, reach, 2 * alpha, sizes).interval,
        caveats=(ORDER, *((ONCE,) if stream.clusters else ()), *_unbet(stream, largest)),
        decisions=(SIZES,) if stream.clusters and largest is None else (),
    )
    return with_missing(found, evidence.missing, found.models)


CALL = 'marks must be a dict of two models: watch({"a": a, "b": b})'


def _called(name: str) -> str:
    return f"marks[{name!r}]"


def _is_one(groups: ArrayLike | Mapping[Any, Any]) -> bool:
    names = list(groups.values()) if isinstance(groups, Mapping) else groups
    return len(set(labels(names, "groups").tolist())) == 1


def watch_prediction_file(file: PredictionFile, **options: Any) -> Watch:
    """Watch the two classifiers of a file, by labels or, where it has no truth, by marks."""
    return with_decisions(_watch_file(file, **options), file.decisions)


def _watch_file(file: PredictionFile, **options: Any) -> Watch:
    names = file.pair()
    words: dict[str, Any] = {"groups": file.groups, "items": file.items, **options}
    if file.truth is None:
        refuse_without_truth(file, options.get("metric"))
        return watch({name: file.column(name) for name in names}, **words)
    right = Items.from_predictions(file.truth, {name: file.predictions[name] for name in names}).right
    return watch(dict(zip(names, right, strict=True)), **{"metric": "accuracy", **words})


def _checked(bounds: tuple[float, float], marks: Items) -> float:
    """How far apart two marks can be, if the bounds hold."""
    low, high = map(float, bounds)
    if not (np.isfinite([low, high]).all() and low < high):
        raise InvalidInput(f"bounds must be two numbers, the smaller first, got {bounds!r}")
    for name, values in zip(map(_called, marks.names), (marks.a, marks.b), strict=True):
        beyond = values[(values < low) | (values > high)]
        if len(beyond):
            raise InvalidInput(
                f"{name} must lie within the bounds {low:g} and {high:g}, which must be known beforehand, got "
                f"{beyond[0]:g}: give bounds (--bounds)"
            )
    return high - low


def _checked_size(largest: int | None, stream: Stream) -> int | None:
    if largest is None:
        return None
    integer(largest, "largest_cluster", minimum=1)
    if stream.n and stream.sizes.max() > largest:
        raise InvalidInput(
            f"largest_cluster must be at least the size of every cluster, got {largest} and a cluster of "
            f"{stream.sizes.max()} items"
        )
    return largest


def _unbet(stream: Stream, largest: int | None) -> list[str]:
    """Where what is assumed of the sizes of clusters did not hold."""
    if not stream.clusters or largest is not None:
        return []
    before = np.maximum.accumulate(stream.sizes)[:-1]
    beyond = int((stream.sizes[1:] > 2 * before).sum())
    if not beyond:
        return []
    return [
        f"{beyond} cluster{'s' * (beyond != 1)} had more than twice as many items as every one before, so that no bet "
        "could be made: the interval holds only if such sizes say nothing of the difference; set largest_cluster "
        "(--largest-cluster) to the most items that a cluster can have"
    ]


def _sequence(x: Array, reach: tuple[float, float], alpha: float, sizes: dict[str, Any]) -> ConfidenceSequence:
    if len(x):
        return confidence_sequence(x, bounds=reach, alpha=alpha, **sizes)
    nothing = np.zeros(1)  # nothing is known yet
    return ConfidenceSequence(
        looks=np.zeros(1, dtype=np.int64), estimate=nothing, low=nothing + reach[0], high=nothing + reach[1],
        alpha=alpha,
    )  # fmt: skip


# ---- The answer.


FURTHEST = 1000  # A forecast beyond so many times what there is says nothing.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Watch(Result):
    """Where a comparison stands that is looked at while items come in; ``print`` it for a short answer."""

    page: ClassVar[str] = "watch"

    models: tuple[str, str]  #: The two models, a and b
    evidence: Evidence = field(repr=False)  #: Outcomes or marks as far as there are any
    #: Mean of each model over the items that count, whose difference is `estimate`; None before there are any
    means: tuple[float, float] | None
    stream: Stream = field(repr=False)  #: The observations in the order in which they came
    #: The limits of a − b at growing numbers of observations, valid at all of them together
    sequence: ConfidenceSequence = field(repr=False)
    #: evalue, pvalue: Evidence against no difference now, and the anytime-valid p-value
    evalue: float
    pvalue: float
    shown_after: int | None  #: After how many items the difference was shown; None where it is not
    larger: bool  #: Whether the evidence speaks for a − b above 0
    alpha: float  #: The probability of ever being wrong, at most
    #: margin, limits: The margin, where one was given, and the one-sided limits of level 1 − alpha that `conclusion`
    #: rests on
    margin: float | None = None
    limits: Interval | None = None
    caveats: tuple[str, ...] = ()  #: Sentences a careful reader should know
    #: What was decided when files or columns were read; `reading` has these with direction and unit
    decisions: tuple[Decision, ...] = ()
    repeat: str | None = None  #: The command that looks again, when there is one

    @property
    def reading(self) -> tuple[Decision, ...]:
        """What was decided on the way to the evidence, and how each decision came about."""
        return together(self.evidence.decisions, self.decisions)

    @property
    def estimate(self) -> float:
        """Mean of a − b over the items that count, in the marks' own unit."""
        return float(self.sequence.estimate[-1])

    interval = Forwarded[Interval | None](
        "sequence", "The limits so far; None where no single difference fits what came first and what came later."
    )

    @property
    def guarantee(self) -> str:
        """What the confidence sequence guarantees, in a few words."""
        units = "clusters" if self.stream.clusters else "items"
        words = f"{exact(f'random sampling of {units}').words('confidence_sequence')}, at every look"
        assumed = any(one.what == "cluster sizes" for one in self.decisions)
        return f"{words}, if the sizes of clusters are as assumed" if assumed else words

    higher_is_better = Forwarded[bool]("evidence", "False for losses.")
    metric = Forwarded[str]("evidence", "What is measured.")
    unit = Forwarded[Unit]("evidence", "The unit of the marks.")

    @property
    def items(self) -> int:
        """How many items count so far."""
        return self.stream.counted

    def items_at(self, observations: Integers) -> Integers:
        """How many items there were at these numbers of observations."""
        return np.append(0, self.stream.items)[observations]

    @property
    def better(self) -> str | None:
        """Name of the one that is shown to be better; None where no difference is shown."""
        if self.pvalue > self.alpha or self.interval is None:
            return None
        return self.models[self.larger != self.higher_is_better]

    @property
    def conclusion(self) -> Conclusion | None:
        """Whether a is superior, non-inferior, equivalent or inferior to b by the margin, where one was given."""
        if self.margin is None:
            return None
        return conclusion(self.limits, margin=self.margin, higher_is_better=self.higher_is_better)

    def claims(self) -> tuple[Claim]:
        """What is claimed of a, the candidate, against b, the baseline, so far."""
        words = metric_words(self.metric)
        found = found_words(words, self.estimate, self.interval, self.unit, 1 - self.alpha)
        claim = Claim(
            candidate=self.models[0],
            baseline=self.models[1],
            better=self.better,
            conclusion=self.conclusion,
            margin="" if self.margin is None else asked_text(self.margin, self.unit),
            found=f"{found} so far",
        )
        return (claim,)

    @property
    def may_stop(self) -> bool:
        """Whether something is shown: a difference or, where a margin was given, a conclusion about it."""
        return self.better is not None or self.conclusion not in (None, "undecided")

    @property
    def forecast(self) -> int | None:
        """About how many items it takes to show a difference, if it stays as it is; None where that is not foreseeable.

        The distance of the limits from the estimate shrinks with the root of the number of observations.
        """
        interval, estimate = self.interval, self.estimate
        if self.better is not None or interval is None or estimate == 0 or not self.stream.n:
            return None
        reach = estimate - float(interval.low) if estimate > 0 else float(interval.high) - estimate
        factor = (reach / abs(estimate)) ** 2
        return math.ceil(self.items * factor) if 1 < factor < FURTHEST else None

    def _content(self) -> dict[str, Json]:
        names = ("models", "items", "may_stop", "better", "estimate", "evalue", "pvalue", "alpha", "shown_after",
                 "forecast", "margin", "conclusion", "means", "metric", "higher_is_better", "unit", "guarantee",
                 "caveats", "repeat")  # fmt: skip
        limits = {name: _with_level(getattr(self, name), 1 - self.alpha) for name in ("interval", "limits")}
        sequence = {"observations": self.sequence.looks, **told(self.sequence, "estimate", "low", "high")}
        own = {"observations": self.stream.n, **told(self.stream, "clusters", "waiting"), "sequence": ready(sequence)}
        return {**told(self, *names), **limits, **own, "design": self.evidence.design}

    def to_frame(self) -> Any:
        """The limits at growing numbers of observations as a table."""
        found = self.sequence
        columns = {"observations": found.looks, "estimate": found.estimate, "low": found.low, "high": found.high}
        return new_frame(columns)


def _with_level(found: Interval | None, level: float) -> dict[str, float] | None:
    return None if found is None else {"low": float(found.low), "high": float(found.high), "level": level}
