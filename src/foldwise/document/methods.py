"""How a comparison was made, ready to paste into a paper; why by this test, and what is cited."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import foldwise
from foldwise.core.formatting import level_text, number_text
from foldwise.core.metric import metric_words
from foldwise.core.units import asked_text, difference_text, limits_text, name_list, probability, span_text, with_sign
from foldwise.designs.adjustments import ADJUSTMENTS
from foldwise.document.comparison_tables import rank_words
from foldwise.document.headline import adjusted_words, answer, metrics_headline, shared_words, subtitle
from foldwise.document.references import cited

if TYPE_CHECKING:
    from foldwise.comparison.by_metric import MetricComparison
    from foldwise.comparison.comparison import Comparison

MOST = 5  # Pairs that are named one by one.
_USING = f"using foldwise {foldwise.__version__}"


def methods_sentence(c: MetricComparison) -> str:
    """How the comparison was made and what it found."""
    if c.is_pair:
        return _of_two(c)
    won = [f"{pair.better} over {pair.worse}" for pair in c.pairs if pair.better is not None]
    found, which = len(won), f" ({', '.join(won)})" if 0 < len(won) <= MOST else ""
    others = "every other" if c.over is None else "every learner"
    pairs = "all pairs" if c.control is None else f"{others} with {c.control}"
    test, sources = f"{c.title}{cited(c.sources)}", cited(c.adjusted_by.references)
    if c.over is not None:
        adjusted = adjusted_words(c) + sources
        return (
            f"We compared {len(c.names)} learners by {metric_words(c.metric)} on {c.table.n_datasets} data sets "
            f"{_USING}. The omnibus test{cited((c.over.omnibus_test.reference,))} gave {omnibus_text(c)}. We compared "
            f"{pairs} by {test}, {adjusted} at level {c.alpha:g}; {found} of them showed a difference. {answer(c)}"
            f"{_margin_sentence(c)}"
        )
    subject = f" on {c.subject}" if c.subject else ""
    omnibus = (
        "" if c.omnibus is None else f" Cochran's Q{cited((_COCHRAN,))} was {omnibus_text(c).replace(', ', ' (', 1)})."
    )
    spans = ", ".join(f"{name} {rank_words(c, name)}" for name in c.ranking)
    best = cited(c.kind.best_references) if c.control is None else ""
    return (
        f"We compared {len(c.names)} {c.called}{subject} by {metric_words(c.metric)} ({c.design}) {_USING}: "
        f"{pairs} by {test}, {c.adjusted_by.title} for {len(c.pairs)} comparisons{sources} at level {c.alpha:g}, with "
        f"simultaneous intervals.{omnibus} {found or 'None'} of the pairs showed a difference{which}. The "
        f"{level_text(1 - c.alpha)} confidence set of the best{best} was {name_list(list(c.best_set))}; the "
        f"simultaneous rank intervals{cited((RANKS,))} were {spans}.{_margin_sentence(c)}"
    )


def omnibus_text(c: MetricComparison) -> str:
    """The test that all are the same, over data sets with its name."""
    test = c.omnibus if c.over is None else c.over.omnibus
    assert test is not None
    found = f"{number_text(float(test.statistic), 4)}, {test.df}"
    if c.over is None:
        return f"{found} df, p {with_sign(float(test.pvalue))}"
    error, known = c.over.omnibus.df_error, c.over.omnibus_test
    within = "" if error is None else f" and {error}"
    return f"{known.title} {known.symbol} = {found}{within} df, p {with_sign(float(test.pvalue))}"


def _of_two(c: MetricComparison) -> str:
    a, b = c.names
    subject = f" on {c.subject}" if c.subject else ""
    span = "" if c.interval is None else (
        f"{level_text(1 - c.alpha)} confidence interval {span_text(c.interval, c.unit)}, "
    )  # fmt: skip
    # tests named after a person go without an article
    test = c.title if "'s " in c.title else f"the {c.title}"
    return (
        f"We compared {a} and {b}{subject} by {metric_words(c.metric)} ({c.design}) with {test}{cited(c.sources)} "
        f"at level {c.alpha:g}, {_USING}. The "
        f"{_estimated(c)} {a} − {b} was {difference_text(c.estimate, c.unit)} ({span}{statistic_text(c)}, "
        f"p {with_sign(c.pvalue)}).{_margin_sentence(c)}{_posterior_sentence(c)}"
    )


def statistic_text(c: MetricComparison) -> str:
    """The statistic of a − b with its letter and degrees of freedom."""
    if math.isnan(c.findings.statistic):
        return c.findings.withheld or "the differences do not vary, so there is nothing to test"
    value = f"{c.symbol} = {number_text(c.findings.statistic, 4)}"
    if c.df is None:
        return value
    df = " and ".join(f"{d:.4g}" for d in c.df) if isinstance(c.df, tuple) else f"{c.df:.4g}"
    return f"{value}, {df} df"


def _estimated(c: MetricComparison) -> str:
    """What the estimate is: the mean difference, unless the test has another."""
    estimand = c.procedure.estimand
    if estimand is None or not (estimand.called or estimand.how):
        return "mean difference"
    return f"difference of the {estimand.called}s" if c.means_belong else estimand.how or estimand.called


def _margin_sentence(c: MetricComparison) -> str:
    if c.margin is None:
        return ""
    margin = f"a margin of {asked_text(c.margin, c.shown_unit)}{cited((_MARGIN,))}"
    if not c.is_pair:
        told = [
            f"{pair.candidate} vs {pair.baseline} {pair.conclusion}"
            + ("" if pair.lead is None else f" ({limits_text(pair.lead, c.shown_unit, c.margin)})")
            for pair in c.ordered_pairs
            if pair.conclusion is not None
        ]
        more = f"; {len(told) - MOST} more are in the table" if len(told) > MOST else ""
        return f" With {margin} the conclusions were: {'; '.join(told[:MOST])}{more}." if told else ""
    limits = "" if c.limits is None else f" ({limits_text(c.limits, c.unit, c.margin)})"
    return (
        f" By its one-sided {level_text(c.limits_level)} limits{limits} and {margin}, the "
        f"conclusion about {c.names[0]} vs {c.names[1]} was: {c.conclusion}."
    )


def _posterior_sentence(c: MetricComparison) -> str:
    p, (a, b) = c.rope_probabilities, c.names
    if p is None:
        return ""
    a_better, same, b_better = (probability(float(share)) for share in p.as_tuple())
    return (
        f" With a region of practical equivalence of ±{asked_text(c.rope, c.unit)}{cited((_REGION,))}, the posterior "
        f"probability that {a} is better was {a_better}, that both are practically equivalent {same}, and that {b} is "
        f"better {b_better}."
    )


def metrics_sentence(m: Comparison) -> str:
    first, metrics = m.parts[0], name_list(list(map(metric_words, m.metrics)))
    who = f"We compared {name_list(list(m.models))}"
    if first.is_pair:
        tests = name_list(list(dict.fromkeys(f"{c.title}{cited(c.sources)}" for c in m.parts)))
        holm = f"adjusted by Holm's method{cited(ADJUSTMENTS['holm'].references)}"
        found = " ".join(map(_found, m.parts, m.adjusted or ()))
        return (
            f"{who} by {metrics} ({m.design}) with {tests} at level {m.alpha:g}, p-values "
            f"{holm if m.shared else 'not adjusted for their number'}, {_USING}. {found}"
        )
    sources = [cited((*c.sources, *c.adjusted_by.references)) for c in m.parts]
    if first.over is not None:
        how = f"on {first.table.n_datasets} data sets by {metrics}, {subtitle(first)}{sources[0]}"
    else:
        each = (f"{metric_words(c.metric)} with {subtitle(c)}{of}" for c, of in zip(m.parts, sources, strict=True))
        how = f"({m.design}) by {name_list(list(dict.fromkeys(each)))}"
    return f"{who} {how}, {shared_words(m)}, {_USING}. {metrics_headline(m)}"


def _found(c: MetricComparison, adjusted: float) -> str:
    span = "" if c.interval is None else f", {level_text(1 - c.alpha)} CI {span_text(c.interval, c.unit)}"
    return (
        f"{metric_words(c.metric)} differed by {difference_text(c.estimate, c.unit)}{span} (p {with_sign(adjusted)})."
    )


# ---- Why this test, and what is cited.

_KEEPS = {
    "holm": "Holm's adjustment keeps the probability of any false finding at the level, whatever the dependence "
    "between pairs; the intervals, adjusted by Bonferroni, hold for all pairs at once.",
    "max_t": "The adjustment by the largest statistic (max-T, single-step) uses the joint distribution of all "
    "differences: it keeps the probability of any false finding at the level, and the intervals hold for all pairs at "
    "once.",
}
"""What an adjustment does."""


def reason(c: MetricComparison) -> str:
    """Why the test was chosen; of three models and more why pairs were tested as they were."""
    if c.is_pair or c.over is not None:
        return c.reason
    best = f"{c.kind.best_because}{cited(c.kind.best_references)}"
    if c.control is not None:
        best = f"cannot be ruled out as the best by the pairs with {c.control}, which are the only ones compared"
    why = c.kind.because
    why = why if why.endswith(".") else f"{why}{cited(c.sources)}."
    return f"{why} {_KEEPS[c.adjustment]} May be best: {best}."


def references(c: MetricComparison) -> tuple[str, ...]:
    """Where everything that an answer rests on is written."""
    found = list(c.sources)
    if c.over is not None:
        found += [c.over.omnibus_test.reference, *c.adjusted_by.references]
        found += [] if c.over.model is None else [c.over.model.reference]
    elif not c.is_pair:
        best = c.kind.best_references if c.control is None else ()
        found += [*c.adjusted_by.references, *best, RANKS, *([_COCHRAN] if c.omnibus else [])]
    elif c.rope_probabilities is not None:
        found.append(_REGION)
    return (*found, *([_MARGIN] if c.margin is not None else []))


RANKS = "Al Mohamad, Goeman & van Zwet (2022), Biometrics 78"
_COCHRAN = "Cochran (1950), Biometrika 37"
_MARGIN = "Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15"
_REGION = "Benavoli, Corani, Demšar & Zaffalon (2017), Journal of Machine Learning Research 18"
