"""Models in order of time: losses of forecasts, marks or right/wrong answers of successive periods or splits."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import partial
from typing import ClassVar

import numpy as np

from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.core.time_order import moments_in_time
from foldwise.core.types import Array, Interval
from foldwise.core.units import with_sign
from foldwise.designs.findings import Findings
from foldwise.designs.guarantee import approximate, unmeasured
from foldwise.designs.kind import Batch, Procedure, on_data
from foldwise.designs.marks import FIXED, NORMAL, MarkKind, fitted, skill
from foldwise.designs.student import known_power, student_intervals
from foldwise.evidence.evidence import Evidence, item_differences
from foldwise.evidence.items import Items
from foldwise.evidence.mark_input import right_wrong_scale
from foldwise.inference.forecast_tests import model_confidence_set, superior_predictive_ability
from foldwise.inference.student import StudentResult
from foldwise.inference.time_series import (
    LongRun,
    at_least_mcnemar,
    diebold_mariano,
    independent_stretches,
    needed_stretches,
)
from foldwise.metrics.catalogue import known_metric

FEW_STRETCHES = 20  # Independent stretches below which an answer says how many there are.
NO_VERDICT = "too few independent stretches of time"  # Why there is no verdict.
BOUNDS = {"fraction": (0.0, 1.0), "percent": (0.0, 100.0)}  # Between which values a mean lies, by its unit.


class TimeOrder(MarkKind):
    """Values of one period after the other; those of one time were averaged."""

    name = "time_order"
    plots: ClassVar[tuple[str, ...]] = ("cumulative", "item_differences")
    units = "independent stretches of time"
    words = "the marks of both models in order of time"
    assumes = (
        "differences may be correlated with those of neighbouring periods; their mean and spread do not change over "
        "time, and correlation fades well within the series",
        FIXED,
        NORMAL.replace("many items", "many periods"),
    )
    recommended = "diebold_mariano"
    simulated = False
    because = (
        "values of neighbouring periods are correlated, and the standard error accounts for it (Diebold & Mariano "
        "1995), by few cosines with Student's distribution on as many degrees of freedom (Lazarus, Lewis, Stock & "
        "Watson 2018), the fewer the longer correlation lasts; its 95 % interval is never narrower than that of the "
        "paired t test."
    )
    limit = "one stretch of time: the answer is about these models on periods like these, as long as nothing changes"
    # the joint law of leads would need the long-run covariance of all pairs, of which few cosines tell little
    best_by_pairs = True
    best_because = "those that no other is shown to beat, by all pairs adjusted"
    best_references = ()

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, Items) and evidence.times is not None and not evidence.splits

    def findings(self, evidence: Items, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """No verdict where the differences are too slow for their number."""
        found = super().findings(evidence, procedure, alpha=alpha, rope=rope)
        slow = found.probabilities is None and np.ptp(evidence.differences) > 0
        return replace(found, withheld=NO_VERDICT) if slow else found

    def result(self, evidence: Items, procedure: Procedure, batch: Batch) -> StudentResult:
        """With p not below McNemar's where values are right and wrong."""
        found = super().result(evidence, procedure, replace(batch, noisy=_hides(evidence)))
        return found if right_wrong_scale(evidence.values) is None else at_least_mcnemar(found, batch.data)

    def mean_intervals(self, evidence: Items, procedure: Procedure, level: float) -> Interval:
        """By the same long-run variance; shares lie between 0 and 1, or 100."""
        found = student_intervals(
            MarkKind.result(self, evidence, procedure, Batch(data=evidence.values, noisy=_hides(evidence))), level
        )
        low, high = BOUNDS.get(evidence.unit, (-np.inf, np.inf))
        return Interval(low=np.clip(found.low, low, high), high=np.clip(found.high, low, high))

    def facts(self, evidence: Items, procedure: Procedure, control: str | None = None) -> list[tuple[str, str]]:
        """By how much smaller the loss is, and on how many periods; of several also the model confidence set, or
        whether any is better than the control.
        """
        found = skill(evidence, control, partial(_reach, procedure, _hides(evidence)), "periods")
        if len(evidence.names) > 2:
            found += _confidence_set(evidence) if control is None else _superior(evidence, control)
        return found

    def guaranteed(self, evidence: Items, procedure: Procedure) -> str:
        """Of values that stand for what periods add to a metric of all items, what was measured of those."""
        if not evidence.whole:
            return procedure.guaranteed
        if procedure.name != "diebold_mariano":
            return unmeasured("Type I error not measured for metrics of all items").words(procedure.name)
        counts = known_metric(evidence.metric) is None
        of = "word error rates" if counts else "RMSE, R², F1, MCC and Youden's index"
        known = "diebold_mariano_counts" if counts else "diebold_mariano_metrics"
        return approximate(f"{TO_95}, of {of}", counted="periods", known_as=known).words(procedure.name)

    def estimand(self, evidence: Items, procedure: Procedure) -> str:
        once = evidence.averaged and not evidence.whole
        each = ", each period counting once however many items it has" if once else ""
        return (
            f"over periods like these, {procedure.difference_words(evidence.metric, evidence.names, 'mean')}{each}; it "
            f"is about {fitted(evidence.names).replace('fitted ', '')} as they were used."
        )

    def caveats(self, evidence: Items, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:
        found = super().caveats(evidence, procedure, alpha=alpha, rope=rope)
        return [*_correlated(evidence), *_hidden(evidence, procedure), *found]


class TimeSplits(TimeOrder):
    """Values of tested examples, or of whole splits, in order of time; the models changed from split to split."""

    name = "time_splits"
    words = "scores of time-ordered splits, each test set behind its training set"
    assumes = (
        TimeOrder.assumes[0],
        "training sets overlap, and what they have in common affects all splits alike",
        TimeOrder.assumes[2],
    )
    recommended = "diebold_mariano_splits"
    because = (
        "the splits follow each other in time, so that tested examples are in order of time and neighbours may be "
        "correlated; the standard error accounts for that (Diebold & Mariano 1995), by few cosines (Lazarus, Lewis, "
        "Stock & Watson 2018)."
    )
    limit = "one stretch of time: the answer is about learners trained anew as here, as long as nothing changes"

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, Items) and evidence.times is not None and evidence.splits > 0

    def estimand(self, evidence: Items, procedure: Procedure) -> str:
        over = "splits" if evidence.n == evidence.splits else "periods"
        difference = procedure.difference_words(evidence.metric, evidence.names, "mean")
        return f"over {over} like these, {difference}, trained anew on what came before each split."


TIME_ORDER, TIME_SPLITS = TimeOrder(), TimeSplits()
KINDS = (TIME_ORDER, TIME_SPLITS)


UNEVEN = 6  # Gaps this many times as long as the median are told: weekends and holidays of daily data are shorter.
MOST_DRAWN = 50_000_000  # Periods times draws of the model confidence set.


def _reach(procedure: Procedure, noisy: bool, x: Array) -> float | None:
    """Half the width of the 95 % interval of a mean in order of time; None where it can't be told."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)
        found: StudentResult = procedure.run(Batch(data=x, noisy=noisy))
    if not float(found.standard_error) > 0:
        return None
    interval = found.confidence_interval(0.95)
    return float(interval.high - interval.low) / 2


def _losses(evidence: Items) -> tuple[Array, int]:
    """Losses by model, and how often they can be drawn; no draws where all models are the same."""
    losses = evidence.values if not evidence.higher_is_better else -evidence.values
    same = np.ptp(losses - losses[0], axis=1).max() == 0
    return losses, 0 if same else int(np.clip(MOST_DRAWN // losses.shape[1], 100, 2000))


def _superior(evidence: Items, control: str) -> list[tuple[str, str]]:
    """Whether any model is better than the control."""
    losses, draws = _losses(evidence)
    if not draws or evidence.n < 3:
        return []
    place = evidence.names.index(control)
    found = superior_predictive_ability(losses[place], np.delete(losses, place, axis=0), draws=draws)
    best = [name for name in evidence.names if name != control][found.best]
    told = f"{best} is the best of the others, and" if found.statistic > 0 else "none of the others has a lower loss:"
    p = f"p {with_sign(found.pvalue)}" if found.pvalue > 0 else f"p < {1 / draws:.2g}"
    return [("better than " + control, f"{told} that none is better has {p} (Hansen 2005)")]


def _confidence_set(evidence: Items) -> list[tuple[str, str]]:
    losses, draws = _losses(evidence)
    if not draws:
        return []
    found = model_confidence_set(losses, draws=draws).members(0.95)
    names = [name for name, member in zip(evidence.names, found, strict=True) if member]
    return [("model confidence set", f"{', '.join(names)} (95 %; Hansen, Lunde & Nason 2011)")]


def _correlated(evidence: Items) -> list[str]:
    """That items were averaged, and that periods are worth few independent ones."""
    values, averaged = evidence.values, evidence.averaged
    models, periods = values.shape
    uneven = _uneven(evidence)
    said = [f"{averaged} items were averaged by their time, and each of the {periods} periods counts once"]
    caveats = said if averaged and not evidence.whole else []
    x = item_differences(*(values[side] for side in np.triu_indices(models, 1)))
    x = x[np.ptp(x, axis=1) > 0]
    worth = independent_stretches(x) if len(x) else np.array([np.inf])
    needed = needed_stretches(x) if len(x) else np.array([0.0])
    none = int((worth < needed).sum())
    if none:
        pairs = "" if models == 2 else f" of {none} of the {models * (models - 1) // 2} pairs"
        caveats.append(
            f"no verdict{pairs}: neighbouring periods are so alike that {periods} are worth fewer than "
            f"{needed[worth < needed].max():g} independent ones; longer series or clusters of them (--groups) tell more"
        )
    elif worth.min() < FEW_STRETCHES:
        caveats.append(
            f"neighbouring periods are alike: {periods} of them are worth about {worth.min():.0f} independent ones"
        )
    return caveats + uneven


ENOUGH_PERIODS = 400
"""Periods from which slow changes behind noisy counts are seen."""

HIDDEN = "counts of single periods are noisy, and hide how slowly what is behind them changes: "

TO_95 = "autocorrelation to .95"


def _hidden(evidence: Items, procedure: Procedure) -> tuple[str, ...]:
    if not _hides(evidence):
        return ()
    allowed = "with that few periods a correlation of .95 from one to the next is allowed for, whatever is seen"
    return (
        HIDDEN
        + (
            allowed
            if procedure.name.startswith("diebold_mariano:") or procedure.name == "diebold_mariano"
            else "where that lasts for dozens of periods, p is too small"
        ),
    )


def _hides(evidence: Items) -> bool:
    """Whether values are what noisy counts of each period add to a ratio: no metric of the catalogue."""
    return evidence.whole and evidence.n < ENOUGH_PERIODS and known_metric(evidence.metric) is None


def _uneven(evidence: Items) -> list[str]:
    """That periods are far from equally long, which the test takes them to be."""
    if evidence.times is None or len(evidence.times) < 3:
        return []
    try:
        gaps = np.diff(moments_in_time(evidence.times.tolist()))
    except InvalidInput:
        return []
    usual, longest = float(np.median(gaps)), float(gaps.max())
    if not usual > 0 or longest < UNEVEN * usual:
        return []
    return [
        f"periods are not equally long (the longest gap is {longest / usual:.0f} times the median): their order "
        "counts, as if they were"
    ]


def _at_horizon(procedure: Procedure, option: str) -> Procedure:
    """The test of forecasts several periods ahead: ``diebold_mariano_hln:horizon=4``."""
    digits = option.removeprefix("horizon=")
    ahead = int(digits) if digits.isdecimal() and len(digits) < 7 and option != digits else 0
    if ahead < 1:
        raise InvalidInput(f"after '{procedure.name}:' must stand 'horizon=H' with H from 1, got {option!r}")
    method: LongRun = "cosine"
    if procedure.name != "diebold_mariano":
        method = "hln" if procedure.name.endswith("hln") else "fixed_b"
    return replace(
        procedure,
        name=f"{procedure.name}:horizon={ahead}",
        title=f"{procedure.title}, horizon {ahead}",
        run=on_data(partial(diebold_mariano, method=method, horizon=ahead), noisy="noisy"),
        note=procedure.note and f"it allows for correlation over {ahead - 1} periods, and no more",
    )


HORIZON_SAID = "; of forecasts H periods ahead say horizon=H behind its name and a colon"

PROCEDURES = (
    Procedure(
        name="diebold_mariano", title="Diebold-Mariano test with cosine estimator", kind=TIME_ORDER,
        run=on_data(diebold_mariano, noisy="noisy"),
        reference="Lazarus, Lewis, Stock & Watson (2018), Journal of Business & Economic Statistics 36",
        also=("Diebold & Mariano (1995), Journal of Business & Economic Statistics 13",),
        power=known_power,
        guarantee=approximate(TO_95, counted="periods"),
        with_option=_at_horizon,
    ),
    Procedure(
        name="diebold_mariano_fixed_b", title="Diebold-Mariano test with fixed-b critical values", kind=TIME_ORDER,
        run=on_data(partial(diebold_mariano, method="fixed_b")),
        reference="Kiefer & Vogelsang (2005), Econometric Theory 21", power=known_power, guarantee=approximate(),
        with_option=_at_horizon,
    ),
    Procedure(
        name="diebold_mariano_hln",
        title="Diebold-Mariano test as Harvey, Leybourne & Newbold have it",
        kind=TIME_ORDER,
        run=on_data(partial(diebold_mariano, method="hln")),
        reference="Harvey, Leybourne & Newbold (1997), International Journal of Forecasting 13",
        power=known_power,
        guarantee=approximate(),
        note=f"it allows for no correlation of neighbouring periods{HORIZON_SAID}",
        with_option=_at_horizon,
    ),
    Procedure(
        name="clark_west", title="Clark-West test of nested models", kind=TIME_ORDER, run=on_data(diebold_mariano),
        reference="Clark & West (2007), Journal of Econometrics 138", power=known_power, guarantee=approximate(),
    ),
    Procedure(
        name="diebold_mariano_splits", title="Diebold-Mariano test over time-ordered splits", kind=TIME_SPLITS,
        run=on_data(diebold_mariano),
        reference="Diebold & Mariano (1995), Journal of Business & Economic Statistics 13", power=known_power,
        guarantee=approximate("training-set overlap ignored", counted="splits"),
    ),
)  # fmt: skip
