"""What may be written about an answer, what belongs to it, and what may not be written: derived from what was found."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from foldwise.core.decisions import assumed
from foldwise.core.formatting import level_text
from foldwise.core.metric import metric_words
from foldwise.core.result import Claimable, Result
from foldwise.core.units import asked_text, difference_text, limits_text, name_list, sentence, span_text, with_sign
from foldwise.designs.guarantee import interval_guarantee
from foldwise.document.document import Bullets, Section
from foldwise.document.headline import never_varies
from foldwise.document.margins import conclusion_sentence

if TYPE_CHECKING:
    from foldwise.comparison.board import Leaderboard
    from foldwise.comparison.by_metric import MetricComparison
    from foldwise.comparison.comparison import Comparison
    from foldwise.comparison.costs import Frontier
    from foldwise.comparison.error_estimate import ErrorEstimate, EstimateSurvey
    from foldwise.comparison.from_stream import Watch
    from foldwise.comparison.gates import Gate
    from foldwise.comparison.judgement import Judgement
    from foldwise.comparison.pair import Pair
    from foldwise.comparison.rates import RateComparison
    from foldwise.comparison.slices import Slices
    from foldwise.inference.error_rates import IntervalSurvey

MOST = 5  # Pairs that are named one by one.

_COUNTED = re.compile(r"[\d,]+ (test example|item|vote|period)s\b")


def section(claim: Claimable) -> Section:
    lists = (("You may write:", claim.may), ("State with it:", claim.with_it), ("You may not write:", claim.may_not))
    return Section(
        heading="What you may claim", blocks=tuple(Bullets(lead=lead, items=items) for lead, items in lists if items)
    )


def comparison(m: Comparison) -> Claimable:
    """Of every metric what it shows and what not, at the adjusted level; then what holds for all of them."""
    may, may_not = [], []
    pairs = iter(m.pairs)  # at the adjusted level, metric by metric
    for c in m.parts:
        own = list(islice(pairs, len(c.pairs)))
        may += list(_shown(c, own))
        may_not += list(_not_shown(c, own))
    first = m.parts[0]
    if len(m.parts) > 1 and any(pair.better for pair in m.pairs):
        may_not.append("“better” without the metric: each sentence holds for its metric only.")
    may_not.append(f"That it holds beyond this comparison: {first.kind.limit.partition(': ')[2] or first.kind.limit}.")
    with_it = [f"Assumed: {one.value}; confirm it first." for one in assumed(m.reading)]
    return Claimable(
        may=tuple(may), with_it=(*with_it, sentence(f"the guarantee of the test: {m.guarantee}")),
        may_not=tuple(dict.fromkeys(may_not)),
    )  # fmt: skip


def judgement(j: Judgement) -> Claimable:
    """That of the main verdict; of several tasks, where it is not shown."""
    claim = comparison(j.main)
    if j.slices is not None:
        may, may_not = _by_slice(j.main, j.slices)
        claim = Claimable(may=(*claim.may, *may), with_it=claim.with_it, may_not=(*may_not, *claim.may_not))
    told = {task: verdict for task, verdict in j.verdicts.items() if j.overall is not None}
    if not told or not any(pair.better for pair in j.main.pairs):
        return claim
    open_ = [task for task, verdict in told.items() if not _agrees(j.main, verdict)]
    if not open_:
        return claim
    said = f"That it holds on every task: it is not shown on {name_list(open_, most=MOST)} alone."
    return Claimable(may=claim.may, with_it=claim.with_it, may_not=(said, *claim.may_not))


def _by_slice(main: Comparison, slices: Slices) -> tuple[list[str], list[str]]:
    """What is shown on each slice at the level of all of them, and where the whole answer is not shown."""
    may, may_not, open_ = [], [], []
    for label, verdict in slices.verdicts.items():
        own = verdict.replace(subject=f"{slices.column} {label}").parts[0]
        may += [said for said in _shown(own, own.pairs) if any(pair.better or pair.conclusion for pair in own.pairs)]
        if not _agrees(main, verdict):
            open_.append(label)
    if open_ and any(pair.better for pair in main.pairs):
        may_not.append(f"That it holds for every {slices.column}: not shown for {name_list(open_, most=MOST)} alone.")
    for one in slices.interactions:
        depends = f"the difference of {one.a} and {one.b} depends on {slices.column}"
        numbers = f"(Welch's F test, {'p' if one.adjusted == one.pvalue else 'adjusted p'} {with_sign(one.adjusted)})"
        if one.adjusted < main.alpha:
            may.append(f"{depends[0].upper()}{depends[1:]} {numbers}.")
        else:
            may_not.append(f"That {depends}: not shown {numbers}.")
    return may, may_not


def _agrees(main: Comparison, verdict: Comparison) -> bool:
    """Whether all that the main verdict shows is shown here, too."""
    shown = {(pair.better, pair.worse) for pair in verdict.pairs}
    return all((pair.better, pair.worse) in shown for pair in main.pairs if pair.better is not None)


def gate(g: Gate) -> Claimable:
    """That of the answer behind it, and what the gate's finding does not say."""
    from foldwise.comparison.judgement import Judgement

    claim = judgement(g.answer) if isinstance(g.answer, Judgement) else comparison(g.answer)
    more: tuple[str, ...] = ()
    if g.finding == "inconclusive":
        more = ("That the gate failed, or passed: it is inconclusive, and more evidence may go either way.",)
    elif g.finding == "passed" and any(
        one.conclusion is None and one.better != one.candidate for one in g.claims()
    ):  # fmt: skip
        more = ("That passing shows the candidate to be as good: it is not shown to be worse; name a margin to show "
                "more.",)  # fmt: skip
    may = (*claim.may, sentence(g.reason)) if g.by_task is not None else claim.may
    return Claimable(may=may, with_it=claim.with_it, may_not=(*more, *claim.may_not))


# ---- Of other answers.


def leaderboard(b: Leaderboard) -> Claimable:
    """The first place and the ranks; no order that the ranks leave open."""
    by, level = metric_words(b.metric), level_text(1 - b.alpha)
    ranks = ", ".join(f"{place.model} {place.ranks}" for place in b.places[:MOST])
    more = "; the rest are in the table" if len(b.places) > MOST else ""
    first = name_list(b.first, most=MOST)
    alone = "was first alone" if len(b.first) == 1 else "shared the first place"
    may_not = []
    if len(b.first) > 1:
        may_not.append(f"“{b.places[0].model} is the best by {by}”: {len(b.first) - 1} more may be.")
    close = next((pair for pair in pairwise(b.places) if pair[1].first <= pair[0].last), None)
    if close is not None:
        may_not.append(
            f"That a model is better than the next one because its mean is higher: the ranks of {close[0].model} and "
            f"{close[1].model} overlap, and so may others."
        )
    return Claimable(
        may=(f"On {b.design} {first} {alone} of {len(b.places)} models by {by} (simultaneous {level} rank intervals, "
             f"{b.n_comparisons:,} pairs adjusted: {ranks}{more}).",),
        with_it=_with(b, b.guarantee),
        may_not=(*may_not, f"That it holds beyond these models and items: {b.limit.partition(': ')[2] or b.limit}."),
    )  # fmt: skip


def frontier(f: Frontier) -> Claimable:
    from foldwise.document.leaderboard import ASSUMES, frontier_headline

    open_ones = [name for name, one in zip(f.models, f.found.status, strict=True) if one == "undecided"]
    kept = (f"That {name_list(open_ones, most=MOST)} {'is' if len(open_ones) == 1 else 'are'} on the frontier, or "
            "dominated: undecided.",) if open_ones else ()  # fmt: skip
    return Claimable(
        may=(f"On {f.design}, by mean {f.cost} and {metric_words(f.metric)} at level {f.alpha:g} for all statements "
             f"together: {frontier_headline(f)}",),
        with_it=_with(f, f"approximate; {ASSUMES[1]}"),
        may_not=(*kept, f"That it holds at another {f.cost}: it is the mean over these items."),
    )  # fmt: skip


def watch(w: Watch) -> Claimable:
    a, b, by = *w.models, metric_words(w.metric)
    level = level_text(1 - w.alpha)
    points = "" if w.unit == "own" else " points"
    span = "" if w.interval is None else f"; {level} confidence sequence {span_text(w.interval, w.unit)}{points}"
    numbers = f"({a} − {b} {difference_text(w.estimate, w.unit)}{span}; anytime-valid p {with_sign(w.pvalue)})"
    shown = f"no difference between {a} and {b} was shown"
    may_not = [f"That {a} and {b} are equal by {by}: a difference may show with more items."]
    if w.better is not None:
        shown = f"{w.better} was better than {b if w.better == a else a}"
        may_not = [
            f"That {w.better} is better by {difference_text(abs(w.estimate), w.unit)}: the limits say by how much."
        ]
    return Claimable(
        may=(f"After {w.items:,} items, with limits that hold whenever one looks, {shown} by {by} {numbers}.",),
        with_it=_with(w, w.guarantee),
        may_not=(*may_not, "That it holds for items unlike those that came in, or if the models change meanwhile."),
    )


_OTHERS = "That it holds for examples from another source."
_ONE_MODEL = (
    "That it is better, or worse, than another model whose number is known: compare both on the same examples.",
    _OTHERS,
)


def estimate(e: ErrorEstimate) -> Claimable:
    return _of_estimates([e], e)


def estimates(survey: EstimateSurvey) -> Claimable:
    """Of several metrics every one; of several estimators of one error the one to use."""
    rows = survey.rows
    by_metric = len({row.metric for row in rows}) > 1
    claim = _of_estimates(rows if by_metric else rows[:1], rows[0])
    if by_metric:
        return claim
    return replace(
        claim, may_not=("The smallest of the estimates: which one is told was chosen beforehand.", *claim.may_not)
    )


def _of_estimates(rows: Sequence[ErrorEstimate], first: ErrorEstimate) -> Claimable:
    from foldwise.document.estimates import bar_words, estimate_headline

    where = f" on {first.subject}" if first.subject else ""
    may = [f"{first.learner}{where} ({row.design}): {estimate_headline(row)}" for row in rows]
    reached = [
        f"{metric_words(row.metric)} of {first.learner} {bar_words(row)}." for row in rows if row.finding == "passed"
    ]
    may_not = [f"That {metric_words(row.metric)} is {bar_words(row)}." for row in rows if row.finding == "inconclusive"]
    if len(rows) > 1:
        may_not.append("That all the intervals hold together: each holds by itself.")
    if any(row.interval is None for row in rows):
        may_not.append("How precise a number without an interval is: its spread is unknown.")
    with_it = [sentence(one, [row.learner]) for row in rows for one in row.caveats]
    return Claimable(
        may=(*may, *(sentence(one) for one in reached)),
        with_it=tuple(dict.fromkeys((*_with(first, ""), *with_it))),
        may_not=(*may_not, *_ONE_MODEL),
    )


def intervals(survey: IntervalSurvey) -> Claimable:
    from foldwise.document.estimates import survey_headline

    return Claimable(
        may=(f"{survey.errors} of {survey.n:,} test examples were wrong. {survey_headline(survey)}",),
        with_it=(*_with(survey, interval_guarantee(survey.chosen.method)), *map(sentence, survey.caveats)),
        may_not=(
            f"“The error rate is {survey.errors / survey.n:.1%}” without its interval.".replace("%", " %"),
            _ONE_MODEL[0],
        ),
    )


def independent_rates(found: RateComparison) -> Claimable:
    may, open_ = [], []
    level = f"{'unadjusted ' * (len(found.pairs) > 1)}{level_text(1 - found.alpha)} CI"
    for pair in found.pairs:
        span = f"{level} {100 * pair.low:.1f} to {100 * pair.high:.1f}; {found.test}, p {with_sign(pair.adjusted)}"
        numbers = f"({pair.a} − {pair.b} {100 * pair.estimate:.1f} points, {span})".replace("-", "−")
        if pair.adjusted < found.alpha:
            lower, other = (pair.a, pair.b) if pair.estimate < 0 else (pair.b, pair.a)
            may.append(f"The error rate of {lower} was lower than that of {other} {numbers}.")
        else:
            may.append(f"No difference between the error rates of {pair.a} and {pair.b} was shown {numbers}.")
            open_.append(f"That {pair.a} and {pair.b} have the same error rate: a difference may have been missed.")
    return Claimable(
        may=tuple(may),
        with_it=(*_with(found, found.guarantee), *map(sentence, found.caveats)),
        may_not=(*open_, _OTHERS),
    )


def _with(result: Result, guarantee: str) -> tuple[str, ...]:
    """What was assumed, and how far it can be trusted."""
    said = [f"Assumed: {one.value}; confirm it first." for one in assumed(result.reading)]
    return (*said, *([sentence(f"the guarantee: {guarantee}")] if guarantee else []))


# ---- By one metric.


def _where(c: MetricComparison) -> str:
    subject = f" ({c.subject})" if c.subject else ""
    if _COUNTED.match(c.design):
        return f"On these {c.design}{subject}"
    return f"In this comparison, {c.design}{subject},"


def _shown(c: MetricComparison, pairs: Sequence[Pair]) -> Iterator[str]:
    """What is shown of each pair, those that differ first; many are counted."""
    won = [pair for pair in pairs if pair.better is not None]
    named = won[:MOST] if won or len(pairs) > 1 or _only_by_limits(pairs[0]) else pairs
    yield from (f"{_where(c)} {_found(c, pair)} ({_numbers(c, pair)})." for pair in named)
    if len(won) > MOST:
        yield f"… and so on for {len(won) - MOST} more pairs: the table of pairs has their numbers."
    if not won and len(pairs) > 1:
        yield (
            f"{_where(c)} no difference in {metric_words(c.metric)} was shown between any two of the {len(c.names)} "
            f"{c.called} ({c.title}, {c.adjusted_by.title})."
        )
    for pair in pairs[:MOST]:
        if c.margin is not None and pair.conclusion is not None and pair.candidate is not None:
            numbers = "" if pair in named else f" ({_numbers(c, pair)})"
            yield f"{_where(c)}, by {metric_words(c.metric)}{numbers}: {_concluded(c, pair)}"


def _only_by_limits(pair: Pair) -> bool:
    """Whether the limits show that one is better by more than the margin, and the two-sided test does not."""
    return pair.better is None and pair.conclusion in ("superior", "inferior")


def _found(c: MetricComparison, pair: Pair) -> str:
    if pair.better is not None:
        small = f", by less than {asked_text(c.rope, c.shown_unit)}" if pair.practically_same else ""
        return f"{pair.better} was better than {pair.worse} by {_measured(c)}{small}"
    both = f"{pair.a} and {pair.b}"
    if c.is_pair and c.findings.withheld:
        return f"there is no verdict about {both} by {_measured(c)}"
    if c.is_pair and never_varies(c):
        return f"the difference of {both} by {_measured(c)} was the same everywhere, so that its uncertainty is unknown"
    if c.is_pair and pair.adjusted < c.alpha and not c.common:
        return f"{both} differed by {_measured(c)}, but not by a common amount"
    if pair.practically_same:
        return f"{both} differed by less than {asked_text(c.rope, c.shown_unit)} by {_measured(c)}"
    sure = " that is robust to the influence of single training examples" if pair in c.contested else ""
    return f"no difference{sure} between {both} was shown by {_measured(c)}"


def _measured(c: MetricComparison) -> str:
    return metric_words(c.metric) if c.over is not None else c.measured_words()


def _numbers(c: MetricComparison, pair: Pair) -> str:
    """Difference, better − worse where one is better, interval, test and p-value."""
    turned = pair.better == pair.b
    first, second = (pair.b, pair.a) if turned else (pair.a, pair.b)
    parts = [f"{first} − {second} {difference_text(-pair.estimate if turned else pair.estimate, c.shown_unit)}"]
    if c.over is not None and c.table.mixed:
        parts = []
    if c.over is None and (interval := pair.interval) is not None:
        interval = -interval if turned else interval
        wide = "" if c.is_pair else "simultaneous "
        parts.append(f"{wide}{level_text(1 - c.alpha)} CI {span_text(interval, c.shown_unit)}")
    if pair.wins is not None:
        wins, losses = (pair.losses, pair.wins) if turned else (pair.wins, pair.losses)
        parts.append(f"wins–ties–losses {wins}–{pair.ties}–{losses}")
    adjusted = "adjusted p" if pair.adjusted != pair.pvalue else "p"
    return "; ".join([*parts, f"{c.title}, {adjusted} {with_sign(pair.adjusted)}"])


def _concluded(c: MetricComparison, pair: Pair) -> str:
    """The conclusion with the limits that it rests on."""
    assert c.margin is not None
    assert pair.conclusion is not None
    assert pair.candidate is not None
    margin = asked_text(c.margin, c.shown_unit)
    said = conclusion_sentence(pair.conclusion, pair.candidate, pair.baseline, margin, better=pair.better)
    if pair.lead is None:
        return said
    limits = limits_text(pair.lead, c.shown_unit, c.margin)
    level = level_text(c.limits_level)
    return f"{said[:-1]} (one-sided {level} limits of {pair.candidate} − {pair.baseline}: {limits})."


# ---- What is not shown.


def _not_shown(c: MetricComparison, pairs: Sequence[Pair]) -> Iterator[str]:
    """Of two models what the numbers might seem to say; of more which pairs are open."""
    by = f" by {metric_words(c.metric)}"
    if len(pairs) == 1:
        yield from _not_of(c, pairs[0], by)
        return
    unsettled = [pair for pair in pairs if pair.better is None and not _only_by_limits(pair)]
    if unsettled:
        named = name_list([f"{pair.a} and {pair.b}" for pair in unsettled[:MOST]], most=MOST)
        more = f" and {len(unsettled) - MOST} more pairs" if len(unsettled) > MOST else ""
        yield f"That one is better{by}, of {named}{more}: no difference is shown."
    first = c.ranking[0]
    others = [name for name in c.best_set if name != first]
    if c.best is None and others:
        yield f"“{first} is the best{by}”: {name_list(others, most=MOST)} may be, too."
    same = [pair for pair in unsettled if not pair.practically_same and pair.conclusion != "equivalent"]
    if same:
        yield f"That models without a shown difference are equal{by}: it may have been missed."
    for pair in [pair for pair in pairs if pair.better is not None][:MOST]:
        yield from _not_more(c, pair, by)


def _not_of(c: MetricComparison, pair: Pair, by: str) -> Iterator[str]:
    if pair.better is not None:
        yield from _not_more(c, pair, by)
        return
    if _only_by_limits(pair):
        return
    yield f"“{pair.a} is better than {pair.b}{by}”, or the reverse: not shown (p {with_sign(pair.adjusted)})."
    if pair.conclusion == "undecided" and c.margin is not None:
        yield (
            f"“{pair.candidate} is not worse than {pair.baseline}{by} by {asked_text(c.margin, c.shown_unit)} or "
            "more”: undecided."
        )
    if pair.practically_same or pair.conclusion == "equivalent":
        yield f"“{pair.a} and {pair.b} are the same{by}”: smaller differences are not ruled out."
    else:
        span = ""
        if c.over is None and pair.interval is not None:
            points = "" if c.shown_unit == "own" else " points"
            limits = span_text(pair.interval, c.shown_unit)
            span = f" (the interval of {pair.a} − {pair.b} has differences of {limits}{points})"
        yield f"“{pair.a} and {pair.b} are equal{by}”: a difference may have been missed{span}."


def _not_more(c: MetricComparison, pair: Pair, by: str) -> Iterator[str]:
    """That the lead is larger than is shown: by the margin where there is one, else by the region that matters."""
    said, small = f"“{pair.better} is better than {pair.worse}{by} by more than", ""
    if c.margin is not None and pair.conclusion is not None:
        shown, most = pair.conclusion == ("superior" if pair.better == pair.candidate else "inferior"), c.margin
    else:
        least, most = _least_lead(c, pair), c.rope
        shown = most == 0 or least > most
        small = f": the lead may be as small as {difference_text(least, c.shown_unit)}" if least > 0 else ""
    if not shown:
        yield f"{said} {asked_text(most, c.shown_unit)}”: not shown{small}."


def _least_lead(c: MetricComparison, pair: Pair) -> float:
    """The end of the interval at which the better one leads by least; NaN where there is no interval."""
    interval = pair.interval
    if interval is None:
        return math.nan
    upwards = (pair.better == pair.a) == c.higher_is_better
    return float(interval.low) if upwards else -float(interval.high)
