"""The error of one model: an estimate, several estimates side by side, the intervals for a count of errors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import foldwise
from foldwise.core.formatting import found_in_store, level_text
from foldwise.core.metric import metric_words, unit_of
from foldwise.core.units import capital, name_list, pvalue_text, score_text, sentence
from foldwise.designs.adjustments import ADJUSTMENTS
from foldwise.designs.guarantee import interval_guarantee
from foldwise.document.document import Document, Drawing, Facts, Grid, Text, Tone, details
from foldwise.document.plots import CAPTIONS
from foldwise.document.references import cited, listed
from foldwise.inference.error_rates import IntervalSurvey, SurveyRow

if TYPE_CHECKING:
    from foldwise.comparison.claims import Finding
    from foldwise.comparison.error_estimate import ErrorEstimate, EstimateSurvey
    from foldwise.comparison.rates import RateComparison


def estimate(e: ErrorEstimate) -> Document:
    facts = [(name.replace("_", " "), _component(name, e)) for name in e.components]
    facts.append(("how", f"{e.design}."))
    if e.bar is not None:
        facts.append(("bar", f"{bar_words(e)}."))
    if e.found:
        facts.append(("store", f"{found_in_store(e.found, e.fits, 'fits', e.found_made)}."))
    return Document(
        title=e.learner + (f" on {e.subject}" if e.subject else ""),
        subtitle=e.title,
        headline=_gated(e.finding, estimate_headline(e)),
        tone=_TONES[e.finding],
        blocks=(Facts(rows=tuple(facts)),),
        notes=tuple(sentence(one, [e.learner]) for one in e.caveats),
        details=details(references=listed(e.sources)),
        command=e.repeat,
        provenance=(*(() if e.method == "predictions" else (("seed", str(e.seed)),)), ("examples", str(e.n))),
        methods=_methods_sentence(e),
    )


_TONES: dict[Finding | None, Tone] = {
    None: "same", "passed": "decided", "failed": "failed", "inconclusive": "open",
}  # fmt: skip


def _gated(finding: Finding | None, headline: str) -> str:
    return headline if finding is None else f"Gate {finding}: {headline}"


def bar_words(e: ErrorEstimate) -> str:
    """What was asked, and the one-sided limit that answers."""
    unit, wanted = e.unit or unit_of(e.metric), "at least" if e.higher_is_better else "at most"
    if e.limits is None or e.bar is None:
        return f"{wanted} {score_text(e.bar or 0.0, unit)}: nothing is known of the spread"
    low, high = float(e.limits.low), float(e.limits.high)
    side = (low if e.higher_is_better else high) if e.finding != "failed" else high if e.higher_is_better else low
    shown = {"passed": "shown", "failed": "shown to be missed", "inconclusive": "not shown"}[e.finding or "passed"]
    limit = "lower" if side == low else "upper"
    return (
        f"{wanted} {score_text(e.bar, unit)} {shown}: one-sided {level_text(e.confidence_level)} {limit} limit "
        f"{score_text(side, unit)}"
    )


def estimate_headline(e: ErrorEstimate) -> str:
    name = "Error rate" if e.metric == "error" else capital(metric_words(e.metric))
    counts = f" ({e.errors} of {e.tested})" if e.errors is not None else ""
    span = ""
    unit = e.unit or unit_of(e.metric)
    if e.interval is not None:
        low, high = (score_text(float(limit), unit) for limit in (e.interval.low, e.interval.high))
        span = f", {level_text(e.confidence_level)} CI {low.removesuffix(' %')} to {high}"
    return f"{name} {score_text(e.estimate, unit)}{counts}{span}."


def _component(name: str, e: ErrorEstimate) -> str:
    value = e.components[name]
    if name in ("training_sets", "train_size"):
        return f"{value:.0f}"
    return f"{value:.3f}" if name == "overfitting" else score_text(value, unit_of(e.metric))


def _methods_sentence(*rows: ErrorEstimate) -> str:
    """How one model was estimated, by one metric or by several."""
    e = rows[0]
    subject, metrics = f" on {e.subject}" if e.subject else "", [metric_words(row.metric) for row in rows]
    told = " ".join(map(estimate_headline, rows))
    if e.method == "predictions":
        where = f"on {e.design}"
        spans = cited(list(dict.fromkeys(one for row in rows for one in row.sources)))
        how = f", with intervals{spans}" if spans else ""
        seed = ""
    else:
        where, how, seed = f"by {e.title}{cited(e.sources)} ({e.design})", "", f" (seed {e.seed})"
    bars = f" Whether all bars are reached was asked at level {1 - e.confidence_level:.4g} of each{cited(_BARS)}."
    return (
        f"The {name_list(metrics)} of {e.learner}{subject} {'were' if len(rows) > 1 else 'was'} estimated {where}{how} "
        f"using foldwise {foldwise.__version__}{seed}. {told}"
        + (bars if sum(row.bar is not None for row in rows) > 1 else "")
    )


_BARS = ("Berger (1982), Technometrics 24",)  # That several bars, all of which are to be reached, need no adjustment.


# ---- Several estimates.


def estimates(survey: EstimateSurvey) -> Document:
    """The recommended estimate in words, all of them as a table, and how each is biased; or each metric."""
    first = survey.rows[0]
    if len({row.metric for row in survey.rows}) > 1:
        return _by_metric(survey)
    grid = Grid(
        columns=("estimator", "estimate", "CI", "how"),
        rows=tuple(
            (row.title, score_text(row.estimate, unit_of(row.metric)), _interval(row), row.design)
            for row in survey.rows
        ),
        words=("how",),
        mark=0,
    )
    biases = tuple(dict.fromkeys(caveat for row in survey.rows for caveat in row.caveats))
    return Document(
        title=first.learner + (f" on {first.subject}" if first.subject else ""),
        subtitle="every error estimator",
        headline=f"{capital(first.title)}: {estimate_headline(first)}",
        tone="same",
        blocks=(grid,),
        notes=tuple(map(sentence, biases)),
        details=details(references=listed([one for row in survey.rows for one in row.sources])),
        provenance=(("seed", str(first.seed)), ("examples", str(first.n))),
        methods=_methods_sentence(first),
    )


def _by_metric(survey: EstimateSurvey) -> Document:
    first, gated = survey.rows[0], survey.finding is not None
    rows = tuple(
        (metric_words(row.metric), score_text(row.estimate, row.unit or unit_of(row.metric)), _interval(row))
        + ((bar_words(row) if row.bar is not None else "–",) if gated else ())
        for row in survey.rows
    )
    columns = ("metric", "estimate", f"{level_text(first.confidence_level)} CI", *(["bar"] if gated else []))
    caption = f"{capital(first.design)}; each interval holds by itself"
    return Document(
        title=first.learner + (f" on {first.subject}" if first.subject else ""),
        subtitle=f"{first.title}, {len(rows)} metrics",
        headline=_gated(survey.finding, " ".join(map(estimate_headline, survey.rows))),
        tone=_TONES[survey.finding],
        blocks=(Grid(columns=columns, rows=rows, words=("bar",) if gated else (), caption=caption, unfolded=True),),
        notes=tuple(dict.fromkeys(sentence(one, [row.learner]) for row in survey.rows for one in row.caveats)),
        details=details(references=listed([one for row in survey.rows for one in row.sources])),
        command=first.repeat,
        provenance=(("examples", str(first.n)),),
        methods=_methods_sentence(*survey.rows),
    )


def estimates_plots(survey: EstimateSurvey) -> dict[str, Drawing]:
    if len({row.metric for row in survey.rows}) > 1:
        return {}
    return {"estimates": Drawing(plot="estimates", shows=survey, caption=CAPTIONS["estimates"])}


def _interval(row: ErrorEstimate) -> str:
    if row.interval is None:
        return "–"
    low, high = (
        score_text(float(limit), row.unit or unit_of(row.metric)) for limit in (row.interval.low, row.interval.high)
    )
    return f"{low} to {high}"


# ---- The intervals for a count of errors.


def intervals(survey: IntervalSurvey) -> Document:
    """The interval to use in words, then all of them."""
    errors, n = survey.errors, survey.n
    methods = [row.method for row in survey.rows]
    grid = Grid(
        columns=("method", "low", "high", "note"),
        rows=tuple((row.method, *_limits(survey, row), _note(survey, row)) for row in survey.rows),
        words=("note",),
        mark=methods.index(survey.chosen.method),
        unfolded=True,
    )
    return Document(
        title=f"{errors} error{'s' * (errors != 1)} in {n} test example{'s' * (n != 1)}",
        subtitle=f"{survey.chosen.method.replace('_', ' ')} interval",
        headline=survey_headline(survey),
        tone="same",
        blocks=(grid,),
        notes=tuple(map(sentence, survey.caveats)),
        details=details(
            meaning=Text(text=_meaning(survey)),
            guarantee=Text(text=sentence(interval_guarantee(survey.chosen.method))),
            textbook_interval=Text(text=_rules(survey)),
            references=listed(_INTERVALS[survey.chosen.method]),
        ),
        methods=f"{survey_headline(survey)} The {survey.chosen.method.replace('_', ' ')} interval"
        f"{cited(_INTERVALS[survey.chosen.method])} was computed with foldwise {foldwise.__version__}.",
    )


_BROWN = "Brown, Cai & DasGupta (2001), Statistical Science 16"
_REPORT = "Martin & Hirschberg (1996), Small sample statistics for classification error rates II"
_INTERVALS = {
    **dict.fromkeys(("uniform", "beta", "approximate_beta", "abramowitz_stegun", "textbook_continuity"), (_REPORT,)),
    "jeffreys": (_BROWN,), "textbook": (_REPORT,),
    "wilson": ("Wilson (1927), Journal of the American Statistical Association 22",),
    "agresti_coull": ("Agresti & Coull (1998), The American Statistician 52",),
    "clopper_pearson": ("Clopper & Pearson (1934), Biometrika 26",),
}  # fmt: skip
"""Where the intervals for a count of errors come from."""


def survey_headline(survey: IntervalSurvey) -> str:
    chosen, decimals = survey.chosen, _decimals(survey)
    return (
        f"The true error rate is probably between {_percent(float(chosen.low), decimals)} and "
        f"{_percent(float(chosen.high), decimals)} ({level_text(float(chosen.level))} interval); observed were "
        f"{_percent(float(chosen.estimate), decimals)}."
    )


def _meaning(survey: IntervalSurvey) -> str:
    if survey.chosen.prior is None:
        level = f"{100 * survey.chosen.confidence_level:.4g}"
        return f"Of 100 intervals made in this way about {level} contain the true error rate."
    u, v = survey.chosen.prior
    return (
        f"With the prior Be({u:g}, {v:g}), the true error rate lies in the interval with "
        f"probability {level_text(float(survey.chosen.level))}; its mean is "
        f"{_percent(float(survey.chosen.mean), _decimals(survey))}."
    )


def _rules(survey: IntervalSurvey) -> str:
    """What the rules of thumb say about the textbook interval."""
    rules = survey.chosen.applicability
    holding = {
        "Hodges–Lehmann": rules.hodges_lehmann, "Anderson–Sclove": rules.anderson_sclove,
        "Mendenhall": rules.mendenhall, "fewer than 10 errors": rules.enough_errors,
    }  # fmt: skip
    against = [name for name, holds in holding.items() if not holds]
    return f"Ruled out by {', '.join(against)}." if against else "Allowed by all rules of thumb."


def _limits(survey: IntervalSurvey, row: SurveyRow) -> tuple[str, str]:
    if row.low is None or row.high is None:
        return "–", "–"
    return _percent(row.low, _decimals(survey)), _percent(row.high, _decimals(survey))


def _note(survey: IntervalSurvey, row: SurveyRow) -> str:
    chosen = row.method == survey.chosen.method
    return f"use this one: {row.note}" if chosen and row.applicable else row.note


def _decimals(survey: IntervalSurvey) -> int:
    """As many as show the width of the interval to two digits, at least one."""
    width = 100 * float(survey.chosen.high - survey.chosen.low)
    return min(max(1 - math.floor(math.log10(width)), 1), 8) if width > 0 else 1


def _percent(rate: float, decimals: int) -> str:
    return f"{100 * rate:.{decimals}f} %".replace("-", "−")


# ---- Independent error rates.


def independent_rates(found: RateComparison) -> Document:
    """What is decided of each pair, all pairs, and the mistakes that would decide otherwise."""
    said, otherwise = [], []
    for pair in found.pairs:
        rejected, lower = pair.adjusted < found.alpha, pair.a if pair.estimate < 0 else pair.b
        said.append(f"{pair.a} vs {pair.b}: {f'{lower} is lower' if rejected else 'no difference is shown'}.")
        for name, reject in (pair.mistakes or {}).items():
            if reject != rejected:
                otherwise.append(f"Common mistake, {name}: would decide otherwise for {pair.a} vs {pair.b}.")
    grid = Grid(
        columns=("pair", "difference (points)", level_text(1 - found.alpha) + " CI", "p", "adjusted p", "textbook p"),
        rows=tuple(
            (
                f"{pair.a} vs {pair.b}", _points(pair.estimate), f"{_points(pair.low)} to {_points(pair.high)}",
                pvalue_text(pair.pvalue), pvalue_text(pair.adjusted),
                "–" if pair.textbook is None else pvalue_text(pair.textbook),
            )
            for pair in found.pairs
        ),
        unfolded=True,
    )  # fmt: skip
    sources = ["Student (1908), Biometrika 6" if found.test.startswith("paired") else _REPORT]
    sources += ADJUSTMENTS["holm"].references if len(found.pairs) > 1 else ()
    rates = ", ".join(f"{name} ({_percent(rate, 1)})" for name, rate in found.rates.items())
    return Document(
        title=f"Error rates {rates}",
        subtitle=found.test,
        headline=" ".join(said),
        blocks=(grid,),
        notes=(*otherwise, *found.caveats),
        details=details(guarantee=Text(text=sentence(found.guarantee)), references=listed(sources)),
        methods=f"Error rates {rates} were compared by the {found.test}{cited(sources)} using foldwise "
        f"{foldwise.__version__}. " + " ".join(said),
    )


def _points(difference: float) -> str:
    return f"{100 * difference:.1f}".replace("-", "−")
