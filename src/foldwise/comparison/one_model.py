"""One model on a test set: its metric with an interval, by the same evidence and designs as comparisons have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from foldwise.comparison.by_metric import MetricComparison
from foldwise.comparison.comparison import Comparison
from foldwise.comparison.error_estimate import ErrorEstimate, EstimateSurvey
from foldwise.comparison.from_file import judge_prediction_file
from foldwise.comparison.predictions import compare_predictions
from foldwise.core.amounts import Amount, level_in
from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Interval
from foldwise.core.units import name_list
from foldwise.core.validation import fraction
from foldwise.data.predictions import PredictionFile
from foldwise.designs.metrics import spread_of_function
from foldwise.designs.readers import Readings
from foldwise.evidence.items import Items
from foldwise.evidence.missing import Policy
from foldwise.evidence.outputs import Outputs
from foldwise.inference.error_rates import IntervalSurvey, error_interval
from foldwise.metrics.function import FunctionMetric
from foldwise.reading.rankings import is_qrels

if TYPE_CHECKING:
    from foldwise.comparison.judging import Given

AGAIN = " (again)"  # What stands behind the model's name where evidence wants a second one: the model itself.

OF_TWO = ("both models", "difference", "probabilities", "detectable", "McNemar", "p is ", "practical equivalence",
          "p supposes")  # fmt: skip
"""Words of caveats that are about two models."""


Bars: TypeAlias = Amount | Mapping[str, Amount]  # What the metric should reach, or by its name each of several.


def estimate_predictions(
    truth: Any,
    outputs: Any,
    *,
    name: str = "model",
    confidence_level: float = 0.95,
    bar: Bars | None = None,
    **asked: Any,
) -> ErrorEstimate | EstimateSurvey:
    """Estimate one or more metrics of one model on items like those of its test set, with intervals.

    Parameters
    ----------
    truth, outputs
        What is true of each item and what the model said, as `compare_predictions` takes them, by its name or alone;
        without a truth marks, or columns of counts.
    name
        What to call the model.
    confidence_level
        Level of the interval, of each of several metrics by itself.
    bar
        What the metric should reach: ``0.9``, ``"90%"``; of several metrics by name, ``{"f1": 0.8}``. The result's
        `finding` is "passed" where a one-sided limit of level `confidence_level` shows that the model is at least as
        good, "failed" where it is shown to be worse, else "inconclusive".
    asked
        metric, groups, time, items, higher_is_better, missing and options of `compare_predictions`.

    Returns
    -------
    ErrorEstimate or EstimateSurvey
        The survey for a list of metrics, with one of the other kind for each.

    Notes
    -----
    The interval is that of each model's mean in a comparison: Jeffreys' for right and wrong answers, Student's with the
    cluster-robust standard error for clusters, the long-run one in order of time, and for metrics that are no means the
    jackknife's. Of any other function, a median say, the standard error is that of resamples of items or clusters; of a
    maximum they tell nothing, and there is no interval. To ask of several bars whether all are reached needs no
    adjustment (Berger 1982).

    Examples
    --------
    >>> found = estimate_predictions(["x", "y"] * 20, ["x", "y"] * 18 + ["y", "x"] * 2, bar="75%")
    >>> found.estimate, [round(float(limit), 3) for limit in (found.interval.low, found.interval.high)], found.finding
    (0.9, [0.78, 0.965], 'passed')
    """
    level = fraction(confidence_level, "confidence_level")
    if truth is not None and not is_qrels(truth) and isinstance(outputs, Mapping) and len(outputs) == 1:
        ((name, outputs),) = outputs.items()
    both = {name: outputs, name + AGAIN: outputs}
    return _of_one(compare_predictions(truth, both, alpha=1 - level, **asked), level, bar)


def estimate_prediction_file(
    file: PredictionFile, *, confidence_level: float = 0.95, bar: Bars | None = None, **asked: Any
) -> ErrorEstimate | EstimateSurvey:
    """The same of a file with one model; `asked` is what `judge_prediction_file` takes."""
    level = fraction(confidence_level, "confidence_level")
    return _of_one(judge_prediction_file(file.doubled(AGAIN), alpha=1 - level, **asked), level, bar)


def estimate_files(
    given: Given,
    *,
    groups: str | None = None,
    missing: Policy | None = None,
    confidence_level: float = 0.95,
    bar: Amount | None = None,
    **asked: Any,
) -> ErrorEstimate | EstimateSurvey:
    """Estimate the metric of the one model in files, on items like theirs, with its interval.

    Parameters
    ----------
    given
        Files, folders or Python objects as `judge` takes them, with one model: logs of a harness or an agent, a table.
    groups, missing
        As in `judge`.
    confidence_level, bar
        As in `estimate_predictions`.
    asked
        metric (``"pass^3"`` of runs, too), columns, models, tasks, higher_is_better and options of `judge`.

    Returns
    -------
    ErrorEstimate

    Examples
    --------
    >>> import pandas as pd
    >>> runs = pd.DataFrame({"model": "solo", "item": [i // 4 for i in range(80)], "trial": [i % 4 for i in range(80)]})
    >>> found = estimate_files(runs.assign(success=[int(i % 5 > 0) for i in range(80)]), metric="pass^4")
    >>> round(found.estimate, 3), found.design
    (0.2, '20 test examples, 4 trials each')
    """
    level = fraction(confidence_level, "confidence_level")
    # the readers of all formats, which a table of predictions does not need
    from foldwise.comparison.judging import decide, understand_files

    understood = understand_files(given, twice=AGAIN, groups=groups, **asked)
    if understood.understanding.rows != "items" or len(understood.understanding.models) > 2:
        names = ", ".join(name for name in understood.understanding.models if not name.endswith(AGAIN))
        raise InvalidInput(
            f"given must hold one model's values of items, got {names} on {understood.understanding.rows}: judge "
            "compares models"
        )
    found = _of_one(decide(understood, groups=groups, missing=missing, alpha=1 - level).main, level, bar)
    if not isinstance(found, ErrorEstimate) or not (others := understood.understanding.passed_over):
        return found
    return found.replace(
        caveats=(*found.caveats, f"passed over, because their format is not known: {name_list(others)}")
    )


def counts_against_bar(survey: IntervalSurvey, bar: Amount) -> ErrorEstimate:
    """Whether an error rate that was counted is shown not to exceed a bar, by the interval that the survey names.

    >>> from foldwise.inference import interval_survey
    >>> counts_against_bar(interval_survey(3, 50), "15%").finding
    'passed'
    """
    chosen, level = survey.chosen, survey.chosen.confidence_level
    prior = chosen.prior if chosen.method == "beta" else None
    found = error_interval(
        survey.errors, survey.n, method=chosen.method, confidence_level=max(2 * level - 1, 1e-9), prior=prior
    )
    return ErrorEstimate(
        learner=f"{survey.errors} of {survey.n}", estimate=survey.errors / survey.n, errors=survey.errors,
        tested=survey.n, interval=Interval(low=float(chosen.low), high=float(chosen.high)), confidence_level=level,
        method="predictions", title=f"{chosen.method} interval", design=f"{survey.n} test examples", metric="error",
        n=survey.n, seed=0, caveats=survey.caveats, bar=level_in(bar, "bar", metric="error", unit="fraction"),
        limits=Interval(low=float(found.low), high=float(found.high)) if level > 0.5 else None,
    )  # fmt: skip


def read_bars(given: Sequence[str]) -> dict[str, Amount] | str | None:
    """Bars as people write them, ``f1=0.8``; a single one may be without the name of its metric.

    Examples
    --------
    >>> read_bars(["90%"]), read_bars(["f1=0.8", "accuracy=90%"])
    ('90%', {'f1': '0.8', 'accuracy': '90%'})
    """
    if len(given) == 1 and "=" not in given[0]:
        return given[0]
    if nameless := next((one for one in given if "=" not in one), None):
        raise InvalidInput(f"bar must say of which metric it is (--bar f1=0.8), got {nameless!r}")
    parts = [one.rpartition("=") for one in given]
    return {metric.strip(): value for metric, _, value in parts} or None


def holds_one(file: PredictionFile) -> bool:
    """Whether a file has one model, beside a truth that is not merely the first column, or marks, or counts."""
    assumed = any(one.what == "truth" and one.how == "assumed" for one in file.decisions)
    return len(file.names) == 1 and not assumed and file.seeds is None


def _of_one(c: Comparison, level: float, bar: Bars | None) -> ErrorEstimate | EstimateSurvey:
    bars = bar if isinstance(bar, Mapping) else {} if bar is None else {c.parts[0].metric: bar}
    metrics = [part.metric for part in c.parts]
    if not isinstance(bar, Mapping) and bar is not None and len(c.parts) > 1:
        raise InvalidInput(f"bar must say of which metric it is (--bar {metrics[0]}={bar}), of {len(metrics)}")
    if strange := [name for name in bars if name not in metrics]:
        raise InvalidInput(f"bar must be of a metric that is asked for ({', '.join(metrics)}), got {strange[0]!r}")
    rows = tuple(_by_metric(part, level, bars.get(part.metric)) for part in c.parts)
    return rows[0] if len(rows) == 1 else EstimateSurvey(rows=rows)


def _by_metric(part: MetricComparison, level: float, bar: Amount | None) -> ErrorEstimate:
    name, evidence = part.names[0], part.evidence
    assert isinstance(evidence, Items | Outputs | Readings)  # what predictions and marks make

    def interval(at: float) -> Interval | None:
        found = part.kind.mean_intervals(evidence, part.procedure, at)
        low, high = (float(np.asarray(limit).ravel()[0]) for limit in (found.low, found.high))
        return Interval(low=low, high=high) if np.isfinite([low, high]).all() else None

    shown = interval(level)
    told = [one for one in part.caveats if one != part.kind.limit and not any(word in one for word in OF_TWO)]
    told = [one for one in told if not one.startswith(name + AGAIN)]  # which says of the copy what is said of it
    nothing = () if shown is not None else (_why_none(evidence),)
    return ErrorEstimate(
        learner=name,
        estimate=float(evidence.means[0]),
        interval=shown,
        confidence_level=level,
        errors=None,
        tested=None,
        method="predictions",
        title="one model on a test set",
        design=evidence.design,
        metric=evidence.metric,
        n=int(evidence.n),
        seed=0,
        unit=evidence.unit,
        sources=() if shown is None else part.alone_sources or part.sources,
        decisions=tuple(_alone(part.reading)),
        caveats=(*nothing, *(_without_again(one) for one in told)),
        higher_is_better=evidence.higher_is_better,
        bar=None if bar is None else level_in(bar, "bar", metric=evidence.metric, unit=evidence.unit),
        limits=interval(2 * level - 1) if bar is not None and level > 0.5 else None,
    )


def _why_none(evidence: Items | Outputs | Readings) -> str:
    by_function = isinstance(evidence, Outputs) and isinstance(evidence.measure, FunctionMetric)
    if by_function and spread_of_function(evidence)[1][0]:
        return (
            "no interval: resamples of the items are all on one side of the value, as those of a maximum are, and "
            "don't tell how far other items would take it to the other"
        )
    return "no interval: nothing is known of how the metric varies over such items"


def _alone(decisions: Iterable[Decision]) -> Iterable[Decision]:
    for one in decisions:
        if one.what != "candidate":
            yield replace(one, value=_without_again(one.value))


def _without_again(text: str) -> str:
    """The text without what it says of the second model."""
    return re.sub(rf"(, | and )[^,;]*?{re.escape(AGAIN)}( \d+)?", "", text)
