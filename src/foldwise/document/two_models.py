"""What is said of two models: who is better, and by how much."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import foldwise
from foldwise.core.formatting import found_in_store, level_text, number_text
from foldwise.core.metric import Unit, direction_words, metric_words
from foldwise.core.units import (
    asked_text,
    capital,
    difference_text,
    limits_text,
    name_list,
    percents,
    probability,
    pvalue_text,
    score_text,
    shared_decimals,
    span_text,
    with_sign,
)
from foldwise.designs.adjustments import ADJUSTMENTS
from foldwise.document.document import (
    Block,
    Drawing,
    DrawnInterval,
    Grid,
    Picture,
)
from foldwise.document.margins import with_conclusion
from foldwise.document.plots import CAPTIONS
from foldwise.document.references import citation, cited

if TYPE_CHECKING:
    from foldwise.comparison.by_metric import MetricComparison
    from foldwise.comparison.comparison import Comparison


# ---- The answer.


def title(c: MetricComparison, subject: str) -> str:
    return f"{c.names[0]} vs {c.names[1]}" + (f" on {subject}" if subject else f" ({c.design})")


def subtitle(c: MetricComparison) -> str:
    """What is not in the title."""
    return c.design if c.subject else c.title


def answer(c: MetricComparison) -> str:
    """What the test says and what is concluded about the margin."""
    return with_conclusion(_answer(c), c)


def _answer(c: MetricComparison) -> str:
    close = ": a close call" if _is_close_call(c) else ""
    if c.better is not None:
        return f"{c.better} is better{reservation(c)}{close}."
    if c.reject and not c.common:
        return "They differ, but not by a common amount."
    if c.contested and c.estimate:
        first = c.names[(c.estimate > 0) != c.higher_is_better]
        return (
            f"{first} looks better, but not once the influence of single training examples is counted, so it is open."
        )
    if c.findings.withheld:
        return f"No verdict: {c.findings.withheld}."
    if never_varies(c):
        return "No verdict: the difference is the same everywhere, so its uncertainty is unknown."
    if c.rope_probabilities is None:
        return f"{c.names[0]} and {c.names[1]} are not distinguishable by these scores."
    if c.practically_same:
        within = "" if c.margin is None else f" (within {_little(c)})"
        return f"{c.names[0]} and {c.names[1]} are practically the same{within}."
    return f"No difference is shown{close}."


def numbers(c: MetricComparison) -> str:
    """Means, difference, interval and p-value; the winner's mean comes first, so that its lead is positive."""
    turned = _turned(c)
    estimate, interval = (-c.estimate if turned else c.estimate), c.interval
    if interval is not None and turned:
        interval = -interval
    first, second = (score_text(mean, c.unit) for mean in c.means.values())
    if c.better is None:
        first, second = f"{first} ({c.names[0]})", f"{second} ({c.names[1]})"
    elif c.better == c.names[1]:
        first, second = second, first
    compared = f" {first} vs {second}" if c.means_belong else ""
    inside = [f"p {with_sign(c.pvalue)}"]
    if interval is not None:
        inside.insert(0, f"{level_text(1 - c.alpha)} CI {span_text(interval, c.unit)}")
    return f"{c.measured_words()}{compared}, a difference of {difference_text(estimate, c.unit)} ({'; '.join(inside)})"


def _turned(c: MetricComparison) -> bool:
    """Whether the answer tells the difference as b − a, so that it is positive; the statistic is turned then, too."""
    return c.better is not None and c.estimate < 0


def never_varies(c: MetricComparison) -> bool:
    """Whether there is a difference that is the same everywhere, so that no test can judge it."""
    return math.isnan(c.findings.statistic) and c.estimate != 0 and not c.findings.withheld


def _is_close_call(c: MetricComparison) -> bool:
    """Whether test and interval, which may use different approximations, disagree; a note says why."""
    return c.interval is not None and c.common and c.reject != (c.interval.low > 0 or c.interval.high < 0)


def reservation(c: MetricComparison) -> str:
    """What must be added to "is better" where the difference is more probably too small to matter than not.

    Without it the sentence would contradict the probabilities below it.
    """
    if c.practically_same:
        return f", but by less than {_little(c)}"
    p = c.rope_probabilities
    return f", but probably by less than {_little(c)}" if p is not None and float(p.equivalent) > 0.5 else ""


def _little(c: MetricComparison) -> str:
    """What a difference is less than that is too small to matter: in numbers where a margin says what matters, too."""
    return "matters in practice" if c.margin is None else asked_text(c.rope, c.unit)


def picture(c: MetricComparison) -> Picture:
    """The interval of the difference that the answer tells, over the region that does not matter."""
    turned, scale = _turned(c), percents(c.unit)
    interval = None if c.interval is None else -c.interval if turned else c.interval
    above_is_a = c.higher_is_better != turned
    left, right = c.names[::-1] if above_is_a else c.names
    row = DrawnInterval(
        estimate=scale * (-c.estimate if turned else c.estimate),
        low=None if interval is None else scale * float(interval.low),
        high=None if interval is None else scale * float(interval.high),
    )
    return Picture(
        rows=(row,), left=f"{left} better", right=f"{right} better", region=scale * c.rope, unit=unit_words(c.unit)
    )


def unit_words(unit: Unit) -> str:
    """What differences are counted in; nothing for a metric's own unit."""
    return "" if unit == "own" else "points"


# ---- The facts.


def facts(c: MetricComparison) -> list[tuple[str, str]]:
    rows = []
    if c.margin is not None and c.conclusion is not None:
        limits = "limits unknown" if c.limits is None else (
            f"limits {limits_text(c.limits, c.unit, c.margin)} (one-sided, each of level {level_text(c.limits_level)})"
        )  # fmt: skip
        rows.append((f"margin {asked_text(c.margin, c.unit)}", f"{c.conclusion}; {limits}"))
    if c.robust_pvalue is not None and c.reject:
        rows.append(("robust check", _robust_text(c, c.robust_pvalue)))
    if c.rope_probabilities is not None:
        rows.append(("in practice", _in_practice(c)))
    if c.replicability is not None:
        rows.append(("other partitions", f"same verdict: {c.replicability}"))
    if c.detectable_difference is not None:
        rows.append(("detectable", f"{difference_text(c.detectable_difference, c.unit)} (80 % power)"))
    if c.variance is not None:
        shares = ", ".join(f"{one.name} {100 * c.variance.share(one.name):.0f} %" for one in c.variance.sources)
        rows.append(("standard error", f"{_error_text(c.variance.standard_error, c.unit)} (variance: {shares})"))
    if not c.higher_is_better:
        rows.append(("direction", direction_words(c.metric, c.higher_is_better, assumed=c.direction == "assumed")))
    return [*rows, *c.kind.facts(c.evidence, c.procedure)]


def _in_practice(c: MetricComparison) -> str:
    """How probable it is that the difference matters."""
    p, region = c.rope_probabilities, asked_text(c.rope, c.unit)
    assert p is not None
    a, same, b = (float(share) for share in p.as_tuple())
    within = f"within {region}: {probability(same)}"
    if c.better is None:
        first, second = c.names
        return f"{first} better by more than {region}: {probability(a)}   {within}   {second} better: {probability(b)}"
    won, lost = (a, b) if c.better == c.names[0] else (b, a)
    worse = f"   worse: {probability(lost)}" if lost >= 0.001 else ""
    return f"better by more than {region}: {probability(won)}   {within}{worse}"


def _error_text(value: float, unit: Unit) -> str:
    """A standard error in its unit, to three digits: rows of them are compared."""
    return number_text(percents(unit) * value, 3) + ("" if unit == "own" else " points")


def method_rows(c: MetricComparison) -> list[tuple[str, str]]:
    """The test with its numbers, and what it was made from."""
    span = "" if c.interval is None else f"   ({level_text(1 - c.alpha)} CI {span_text(c.interval, c.unit)})"
    rows = [
        ("test", c.title),
        (
            c.procedure.difference_words(c.metric, c.names).removeprefix("the "),
            f"{difference_text(c.estimate, c.unit)}{span}",
        ),
        ("p", f"{pvalue_text(c.pvalue)}   ({statistic_text(c)})"),
    ]
    if c.variance is not None:
        rows += [
            (f"standard error with {outlook.words}", _error_text(outlook.standard_error, c.unit))
            for outlook in c.variance.outlooks
        ]
    if c.baseline is not None:
        rows.append((f"{metric_words(c.metric)} of the most frequent class", score_text(c.baseline, c.unit)))
    rows.append(("direction", direction_words(c.metric, c.higher_is_better, assumed=c.direction == "assumed")))
    rows.append(("evidence", c.design))
    return rows + ([("store", found_in_store(c.found, c.fits, "fits", c.found_made))] if c.found else [])


def _robust_text(c: MetricComparison, p: float) -> str:
    """Whether the answer stays when the influence of single training examples is counted."""
    holds = "does not hold" if c.contested else "holds"
    return f"{holds} when the influence of single training examples is counted (p {with_sign(p)})"


def statistic_text(c: MetricComparison) -> str:
    """The statistic of a − b with its letter and degrees of freedom."""
    if math.isnan(c.findings.statistic):
        return c.findings.withheld or "the differences do not vary, so there is nothing to test"
    value = f"{c.symbol} = {number_text(c.findings.statistic, 4)}"
    if c.df is None:
        return value
    df = " and ".join(f"{d:.4g}" for d in c.df) if isinstance(c.df, tuple) else f"{c.df:.4g}"
    return f"{value}, {df} df"


def reason(c: MetricComparison) -> str:
    return c.reason


def summary(_c: MetricComparison) -> tuple[Block, ...]:
    return ()


def every_pair(_c: MetricComparison) -> tuple[Block, ...]:
    return ()


def effects(_c: MetricComparison) -> None:
    """The headline has them."""


def not_drawn(_c: MetricComparison) -> None:
    """All plots can be read."""


def references(c: MetricComparison) -> tuple[str, ...]:
    return (c.reference,)


def evidence(c: MetricComparison) -> tuple[Block, ...]:
    table = c.units_table()
    return (Grid(columns=table.columns, rows=table.rows, caption=capital(table.caption)),)


def drawings(c: MetricComparison) -> dict[str, Drawing]:
    """The plots of its kind of evidence, and those that every comparison of two may have."""
    own = c.kind.plots_of(c.evidence)
    margin = ("margin",) if c.margin is not None else ()
    posterior = ("posterior",) if c.posterior() is not None else ()
    power = ("power",) if c.detectable_difference is not None else ()
    again = ("replicability",) if c.replicability is not None else ()
    main = (*own[:1], *margin, *posterior)
    return {
        name: Drawing(plot=name, shows=c, caption=CAPTIONS[name], main=name in main, lead=name == "effect")
        for name in ("effect", *main, *own[1:], *power, *again)
    }


# ---- For a paper.


def methods_sentence(c: MetricComparison) -> str:
    """How the comparison was made and what it found, ready to paste."""
    a, b = c.names
    level = level_text(1 - c.alpha)
    subject = f" on {c.subject}" if c.subject else ""
    span = f"{level} confidence interval {span_text(c.interval, c.unit)}, " if c.interval is not None else ""
    # tests named after a person go without an article
    test = c.title if "'s " in c.title else f"the {c.title}"
    return (
        f"We compared {a} and {b}{subject} by {metric_words(c.metric)} ({c.design}) with {test} "
        f"({citation(c.reference)}) at level {c.alpha:g}, using foldwise {foldwise.__version__}. The "
        f"{_estimated(c)} {a} − {b} was {difference_text(c.estimate, c.unit)} ({span}{statistic_text(c)}, "
        f"p {with_sign(c.pvalue)}).{_margin_sentence(c)}{_posterior_sentence(c)}"
    )


def _estimated(c: MetricComparison) -> str:
    """What the estimate is: the mean difference, unless the test has another."""
    estimand = c.procedure.estimand
    if estimand is None or not (estimand.called or estimand.how):
        return "mean difference"
    return f"difference of the {estimand.called}s" if c.means_belong else estimand.how or estimand.called


def _margin_sentence(c: MetricComparison) -> str:
    if c.margin is None:
        return ""
    limits = "" if c.limits is None else f" ({limits_text(c.limits, c.unit, c.margin)})"
    return (
        f" By its one-sided {level_text(c.limits_level)} limits{limits} and a margin of "
        f"{asked_text(c.margin, c.unit)}, the conclusion about {c.names[0]} vs {c.names[1]} was: {c.conclusion}."
    )


def _posterior_sentence(c: MetricComparison) -> str:
    p, (a, b) = c.rope_probabilities, c.names
    if p is None:
        return ""
    a_better, same, b_better = (probability(float(share)) for share in p.as_tuple())
    return (
        f" With a region of practical equivalence of ±{asked_text(c.rope, c.unit)}, the posterior probability "
        f"that {a} is better was {a_better}, that both are practically equivalent "
        f"{same}, and that {b} is better {b_better}."
    )


def paper_table(c: MetricComparison) -> Grid:
    """The comparison as a table of one row, to which others can be added."""
    p, interval = c.rope_probabilities, c.interval
    a, b = c.names
    columns = ("comparison", a, b, f"{a} − {b}", f"{level_text(1 - c.alpha)} CI", "p", f"P({a} better)", "P(same)",
               f"P({b} better)")  # fmt: skip
    row = (
        f"{a} vs {b}",
        *_mean_texts(c),
        difference_text(c.estimate, c.unit),
        "–" if interval is None else span_text(interval, c.unit),
        pvalue_text(c.pvalue),
        *(["–"] * 3 if p is None else (probability(float(share)) for share in p.as_tuple())),
    )
    return Grid(columns=columns, rows=(row,), caption=f"{capital(c.measured_words())}, {c.design}; {c.title}.")


def _mean_texts(c: MetricComparison, decimals: int | None = None) -> tuple[str, ...]:
    """What the test compares of each model; dashes where the estimate is no difference of the two."""
    return tuple(score_text(mean, c.unit, decimals) if c.means_belong else "–" for mean in c.means.values())


# ---- Several metrics.


def shared_words(m: Comparison) -> str:
    """Whether p-values are adjusted for the number of metrics."""
    return f"Holm-adjusted for {len(m)}" if m.shared else "not adjusted"


def metric_drawings(m: Comparison) -> dict[str, Drawing]:
    """All metrics at a glance."""
    return {"metrics": Drawing(plot="metrics", shows=m, caption=CAPTIONS["metrics"], main=True)}


def metrics_headline(m: Comparison) -> str:
    """Who is better by which metrics, in a sentence."""
    parts = []
    for name in m.models:
        won = [c for place, c in enumerate(m.parts) if m.better_by(place) == name]
        for small in ("", *dict.fromkeys(reservation(c) for c in won if reservation(c))):
            by = [metric_words(c.metric) for c in won if reservation(c) == small]
            if by:
                parts.append(f"{name} is better by {name_list(by)}{small}")
    left = [c for place, c in enumerate(m.parts) if m.better_by(place) is None]
    for fixed, words in (
        (False, "no difference is shown by {}"),
        (True, "no verdict by {}: the difference is the same everywhere"),
    ):
        by = [metric_words(c.metric) for c in left if never_varies(c) == fixed]
        if by:
            parts.append((words if parts else capital(words)).format(name_list(by)))
    return f"{'; '.join(parts)}."


def metric_table(m: Comparison) -> Grid:
    head = ("metric", *m.models, "difference", f"{level_text(1 - m.alpha)} CI", "p", "adjusted p", "better", "test")
    rows = []
    for place, c in enumerate(m.parts):
        decimals = shared_decimals([c.estimate], 3) if c.unit == "own" else 1
        rows.append((
            metric_words(c.metric),
            *_mean_texts(c, shared_decimals(c.means.values(), 4)),
            difference_text(c.estimate, c.unit, decimals),
            "–" if c.interval is None else span_text(c.interval, c.unit, decimals),
            pvalue_text(c.pvalue),
            pvalue_text((m.adjusted or ())[place]),
            m.better_by(place) or "–",
            c.test,
        ))  # fmt: skip
    return Grid(columns=head, rows=tuple(rows), caption=f"{capital(m.design)}; p-values {shared_words(m)}",
                words=("better", "test"), unfolded=True)  # fmt: skip


def metrics_sentence(m: Comparison) -> str:
    """How the comparison was made and what it found, ready to paste."""
    a, b = m.models
    tests = name_list(list(dict.fromkeys(f"{c.title} ({citation(c.reference)})" for c in m.parts)))
    adjusted = (
        f"adjusted by Holm's method{cited(ADJUSTMENTS['holm'].references)}"
        if m.shared
        else "not adjusted for their number"
    )
    found = " ".join(map(_found, m.parts, m.adjusted or ()))
    return (
        f"We compared {a} and {b} by {name_list(list(map(metric_words, m.metrics)))} ({m.design}) with {tests} at "
        f"level {m.alpha:g}, p-values {adjusted}, using foldwise {foldwise.__version__}. {found}"
    )


def _found(c: MetricComparison, adjusted: float) -> str:
    span = "" if c.interval is None else f", {level_text(1 - c.alpha)} CI {span_text(c.interval, c.unit)}"
    return (
        f"{metric_words(c.metric)} differed by {difference_text(c.estimate, c.unit)}{span} (p {with_sign(adjusted)})."
    )
