"""A comparison of several models as plain text: the answer in words, the numbers, what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import foldwise
from foldwise.core.formatting import found_in_store, level_text, number_text
from foldwise.core.metric import direction_words, metric_words
from foldwise.core.types import Interval
from foldwise.core.units import (
    capital,
    difference_text,
    name_list,
    pvalue_text,
    score_text,
    sentence,
    shared_decimals,
    span_text,
    with_sign,
)
from foldwise.report.many_margin_text import margin_lines, margin_text, one_sided_note
from foldwise.report.references import citation
from foldwise.report.text import WIDTH, answer_lines
from foldwise.report.words import against_control, small_differences, wrapped

if TYPE_CHECKING:
    from foldwise.verdict.models.comparison import ModelsComparison
    from foldwise.verdict.pair import Pair

__all__ = [
    "ADJUSTED_BY",
    "ADJUSTMENTS",
    "fact_rows",
    "margin_words",
    "mean_span",
    "models_headline",
    "models_reason",
    "models_sentence",
    "models_text",
    "models_title",
    "pair_span",
    "pair_words",
    "procedure_title",
    "rank_text",
]

MOST_PAIRS = 15
MOST_MODELS = 30
MOST_GROUPS = 4

ADJUSTMENTS = {"holm": "Holm-adjusted", "max_t": "max-T-adjusted"}
WHY = {
    "holm": "Holm's adjustment keeps the chance of any false finding at the level, however the pairs depend on each "
    "other; the intervals, adjusted by Bonferroni, hold for all pairs at once.",
    "max_t": "The adjustment by the largest statistic (max-T, single-step) takes from the joint law of all differences "
    "how large the largest gets by chance: it keeps the chance of any false finding at the level, and the intervals "
    "hold for all pairs at once.",
}
ADJUSTED_BY = {
    "holm": ("Holm (1979), Scandinavian Journal of Statistics 6",),
    "max_t": ("Westfall & Young (1993), Wiley", "Hothorn, Bretz & Westfall (2008), Biometrical Journal 50"),
}
"""What it is called, why, and whence, by adjustment."""


def models_text(c: ModelsComparison) -> str:
    """Return the verdict as a person would paste it."""
    title = procedure_title(c)
    left = models_title(c) + (f" on {c.subject}" if c.subject else f" ({c.design})")
    gap = " " * max(3, WIDTH - len(left) - len(title))
    lines = [
        left + gap + title,
        "",
        *answer_lines(models_headline(c), c),
        "",
        *_model_table(c),
        "",
    ]
    facts = fact_rows(c)
    width = max(len(label) for label, _ in facts)
    lines += [f"  {label:<{width}}   {value}" for label, value in facts]
    lines += ["", *_pair_table(c), ""]
    lines += [*margin_lines(c, MOST_PAIRS), "", *wrapped(margin_words(c)), ""] if c.margin is not None else []
    lines += [*wrapped(f"Read this as: {c.kind.estimand(c.evidence, c.procedure)}")]
    lines += wrapped(f"Why this test: {models_reason(c)}")
    lines += wrapped(f"Guarantee: {sentence(c.guarantee)}")
    if c.caveats:
        lines += wrapped("Caveats: " + " ".join(map(sentence, c.caveats)))
    if c.found:
        lines += ["", *wrapped(found_in_store(c.found, c.fits, "fits", c.found_made))]
    if c.repeat:
        lines += ["", f"  repeat: {c.repeat}", "  report: add --html FILE"]
    return "\n".join(lines)


def models_title(c: ModelsComparison) -> str:
    """How many are compared."""
    return f"{len(c.names)} {c.kind.called}"


def procedure_title(c: ModelsComparison) -> str:
    """The test of each pair, which pairs, and how they were adjusted."""
    count = len(c.pairs)
    which = "all pairs" if c.control is None else f"against {c.control}"
    comparisons = f"{count} comparison{'s' * (count != 1)}"
    return f"{c.procedure.title}, {which}, {ADJUSTMENTS[c.adjustment]} for {comparisons}"


def models_headline(c: ModelsComparison) -> str:
    """The answer in a sentence or two, then the numbers that belong to it."""
    differing = sum(pair.better is not None for pair in c.pairs)
    first, last = c.ranking[0], c.ranking[-1]
    means = c.means
    numbers = f"{capital(metric_words(c.metric))} from {score_text(means[first], c.unit)} ({first}) to "
    numbers += f"{score_text(means[last], c.unit)} ({last}); "
    shown = f"{differing or 'none'} of {len(c.pairs)} pair{'s' * (len(c.pairs) != 1)} differ{'s' * (differing == 1)}."
    return f"{_answer(c)}  {numbers}{shown}"


def _answer(c: ModelsComparison) -> str:
    if c.control is not None:
        return against_control(c.control, c.pairs) + small_differences(c.pairs)
    first, members = c.ranking[0], list(c.best_set)
    if c.best is not None:
        rest = [name for name in c.ranking if name != c.best]
        others = rest[0] if len(rest) == 1 else f"each of the other {len(rest)}"
        return f"{c.best} is best: better than {others}.{small_differences(c.pairs)}"
    if len(members) == 1:
        shown = c.beaten()[first]
        rest = [name for name in c.ranking if name != first and name not in shown]
        return f"{first} is the best of them, though a difference from {name_list(rest)} alone is not shown."
    side = "highest" if c.higher_is_better else "lowest"
    leaders = [name for name in c.ranking if c.means[name] == c.means[first]]
    lead = f"{name_list(leaders)} {'has' if len(leaders) == 1 else 'share'} the {side} {metric_words(c.metric)}"
    if len(members) == len(c.names):
        return f"No {c.kind.called[:-1]} is ruled out as the best; {lead}."
    return f"The best is among {name_list(members)}; {lead}."


def fact_rows(c: ModelsComparison) -> list[tuple[str, str]]:
    """What each number is, and the number."""
    rows = [(f"may be best ({_percent(c)} sure)", name_list(list(c.best_set)))]
    if c.omnibus is not None:
        q = c.omnibus
        p = with_sign(float(q.pvalue))
        rows.append(("all the same?", f"Cochran's Q = {number_text(float(q.statistic), 4)}, {q.df} df, p {p}"))
    rows += [("not told apart", name_list(list(group))) for group in c.tie_groups[:MOST_GROUPS]]
    if len(c.tie_groups) > MOST_GROUPS:
        rows.append(("not told apart", f"… and {len(c.tie_groups) - MOST_GROUPS} more such groups"))
    same = [f"{pair.a} and {pair.b}" for pair in c.pairs if pair.practically_same]
    if same:
        rows.append((f"practically the same (within {difference_text(c.rope, c.unit)})", name_list(same)))
    again = [pair.replicability for pair in c.pairs if pair.replicability is not None]
    if again:
        agreed = sum(found.consistent for found in again)
        rows.append(
            ("another partitioning would agree", f"on {agreed} of {len(again)} pairs (all {again[0].repetitions})")
        )
    if c.baseline is not None:
        rows.append((f"{metric_words(c.metric)} of the most frequent class", score_text(c.baseline, c.unit)))
    direction = direction_words(c.metric, c.higher_is_better, assumed=c.evidence.direction_assumed)
    return [*rows, ("direction", direction)]


def _percent(c: ModelsComparison) -> str:
    return level_text(1 - c.alpha)


def _model_table(c: ModelsComparison) -> list[str]:
    called = c.kind.called[:-1]
    width = max(len(called), *(len(name) for name in c.names))
    head = f"{_percent(c)} interval"
    shown, decimals = metric_words(c.metric), mean_decimals(c)
    metric = max(len(shown), 8)
    lines = [f"  {'rank':<7}   {called:<{width}}   {shown:>{metric}}   {head:>16}   may be best   better than"]
    members = set(c.best_set)
    for name, beaten in list(c.beaten().items())[:MOST_MODELS]:
        best = "yes" if name in members else "no"
        lines.append(
            f"  {rank_text(c, name):<7}   {name:<{width}}   {score_text(c.means[name], c.unit, decimals):>{metric}}   "
            f"{mean_span(c, name):>16}   {best:>11}   {name_list(beaten) if beaten else '–'}"
        )
    if len(c.names) > MOST_MODELS:
        lines.append(f"  … and {len(c.names) - MOST_MODELS} more")
    return lines


def mean_decimals(c: ModelsComparison) -> int:
    """Decimals in the columns of means."""
    return shared_decimals(c.means.values(), 4) if c.unit == "own" else 1


def pair_decimals(c: ModelsComparison) -> int:
    """Decimals in the columns of differences."""
    return shared_decimals((pair.estimate for pair in c.pairs), 3) if c.unit == "own" else 1


def rank_text(c: ModelsComparison, name: str) -> str:
    """Between which ranks a model lies."""
    low, high = c.ranks[name]
    return str(low) if low == high else f"{low} to {high}"


def mean_span(c: ModelsComparison, name: str) -> str:
    """The interval of a model's mean alone."""
    place = c.names.index(name)
    low, high = (float(np.asarray(limit)[place]) for limit in (c.mean_intervals.low, c.mean_intervals.high))
    return "unknown" if np.isnan(low) else span_text(Interval(low=low, high=high), c.unit, mean_decimals(c))


def pair_span(c: ModelsComparison, pair: Pair) -> str:
    """The simultaneous interval of a pair."""
    return "unknown" if pair.interval is None else span_text(pair.interval, c.unit, pair_decimals(c))


def _pair_table(c: ModelsComparison) -> list[str]:
    shown = c.ordered_pairs[:MOST_PAIRS]
    width = max(len(f"{pair.a} − {pair.b}") for pair in shown)
    head = f"simultaneous {_percent(c)} interval"
    lines = [f"  {'pair':<{width}}   {'difference':>12}   {head}   {'p':>8}   {'adjusted':>8}"]
    for pair in shown:
        name, difference = f"{pair.a} − {pair.b}", difference_text(pair.estimate, c.unit, pair_decimals(c))
        p, adjusted = pvalue_text(pair.pvalue), pvalue_text(pair.adjusted)
        lines.append(
            f"  {name:<{width}}   {difference:>12}   {pair_span(c, pair):>{len(head)}}   {p:>8}   {adjusted:>8}"
        )
    if len(c.pairs) > len(shown):
        lines.append(f"  … and {len(c.pairs) - len(shown)} more pairs with larger p-values")
    return lines


def pair_words(c: ModelsComparison, pair: Pair, candidate: str) -> str:
    """The numbers of a pair in a few words, as candidate − baseline."""
    turned = candidate == pair.b
    estimate = -pair.estimate if turned else pair.estimate
    span = (
        "" if pair.interval is None else f", interval {span_text(-pair.interval if turned else pair.interval, c.unit)}"
    )
    return (
        f"{metric_words(c.metric)} differs by {difference_text(estimate, c.unit)}{span}, p {pvalue_text(pair.adjusted)}"
    )


def margin_words(c: ModelsComparison) -> str:
    """What the conclusions about the margin rest on."""
    together = ", for all pairs together" if len(c.pairs) > 1 else ""
    return (
        f"The margin is {margin_text(c)}; the limits are those of the mean difference, candidate − baseline, one-sided "
        f"and each of level {_percent(c)}{together}.{one_sided_note(c)}"
    )


def models_reason(c: ModelsComparison) -> str:
    """Why pairs were tested as they were."""
    return f"{c.kind.because} ({citation(c.procedure.reference)}). {WHY[c.adjustment]} May be best: {_may_be_best(c)}."


def _may_be_best(c: ModelsComparison) -> str:
    """What keeps a model in the set of the best: the same as what leaves it rank 1."""
    if c.control is not None:
        return f"cannot be ruled out as the best by the pairs with {c.control}, which are the only ones compared"
    return f"{c.kind.best_because}{_cited(c)}"


def _cited(c: ModelsComparison) -> str:
    sources = "; ".join(map(citation, c.kind.best_references))
    return f" ({sources})" if sources else ""


def models_sentence(c: ModelsComparison) -> str:
    """How the comparison was made and what it found, ready to paste."""
    found = sum(pair.better is not None for pair in c.pairs)
    pairs = "all pairs" if c.control is None else f"every other with {c.control}"
    subject = f" on {c.subject}" if c.subject else ""
    omnibus = ""
    if c.omnibus is not None:
        p = with_sign(float(c.omnibus.pvalue))
        omnibus = f" Cochran's Q was {number_text(float(c.omnibus.statistic), 4)} ({c.omnibus.df} df, p {p})."
    spans = ", ".join(f"{name} {rank_text(c, name)}" for name in c.ranking)
    test = citation(c.procedure.reference)
    adjusted = "; ".join(map(citation, ADJUSTED_BY[c.adjustment]))
    return (
        f"We compared {models_title(c)}{subject} by {metric_words(c.metric)} ({c.design}) using foldwise "
        f"{foldwise.__version__}: "
        f"{pairs} by {c.procedure.title} ({test}), {ADJUSTMENTS[c.adjustment]} for "
        f"{len(c.pairs)} comparisons ({adjusted}) at level {c.alpha:g}, with simultaneous intervals."
        f"{omnibus} {found or 'None'} of the pairs showed a difference. The {_percent(c)} confidence set of the best"
        f"{_cited(c) if c.control is None else ''} was {name_list(list(c.best_set))}; the simultaneous rank intervals "
        f"were {spans}."
    )
