"""A comparison of many learners as plain text: the answer in words, the numbers, what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import foldwise
from foldwise.core.formatting import number_text
from foldwise.core.metric import direction_words, metric_words
from foldwise.core.units import (
    difference_text,
    fixed,
    name_list,
    probability,
    pvalue_text,
    sentence,
    shared_decimals,
    with_sign,
)
from foldwise.report.many_margin_text import margin_lines, margin_note
from foldwise.report.references import citation
from foldwise.report.text import WIDTH, answer_lines
from foldwise.report.words import against_control, small_differences, wrapped

if TYPE_CHECKING:
    from foldwise.verdict.many.comparison import ManyComparison
    from foldwise.verdict.pair import Pair

__all__ = [
    "many_direction",
    "many_headline",
    "many_sentence",
    "many_text",
    "omnibus_text",
    "probabilities_note",
    "procedure_title",
    "region_text",
]

MOST_PAIRS = 15
MOST_LEARNERS = 30


def many_text(c: ManyComparison) -> str:
    """Return the verdict as a person would paste it."""
    left = f"{len(c.learners)} learners on {c.table.n_datasets} data sets"
    gap = " " * max(3, WIDTH - len(left) - len(procedure_title(c)))
    lines = [
        left + gap + procedure_title(c),
        "",
        *answer_lines(many_headline(c), c),
        "",
        *_learner_table(c),
        "",
    ]
    lines += [f"  all the same?   {omnibus_text(c)}", f"  direction       {many_direction(c)}", "", *_pair_table(c), ""]
    lines += [*margin_lines(c, MOST_PAIRS), "", *wrapped(margin_note(c)), ""] if c.margin is not None else []
    lines += wrapped(f"Read this as: {c.estimand}")
    lines += wrapped(f"Why this test: {c.reason}")
    lines += wrapped(f"Guarantee: {sentence(c.guarantee)}")
    if c.caveats:
        lines += wrapped("Caveats: " + " ".join(s[:1].upper() + s[1:] + "." for s in c.caveats))
    return "\n".join(lines)


def procedure_title(c: ManyComparison) -> str:
    """What was done, with the number of comparisons."""
    how = "pairwise " if c.control is None else f"against {c.control}, "
    count = _comparisons(c)
    return f"{how}{c.pair_test.title}, {c.adjusted_by.title} for {count}".replace("not adjusted for", "not adjusted,")


def _comparisons(c: ManyComparison) -> str:
    return f"{c.n_comparisons} comparison" + ("" if c.n_comparisons == 1 else "s")


def many_headline(c: ManyComparison) -> str:
    """The answer in a sentence or two."""
    if c.hopeless:
        return (
            f"No answer is possible: with {c.table.n_datasets} data sets and {_comparisons(c)} even "
            "complete agreement would not be significant."
        )
    if c.control is not None:
        return against_control(c.control, c.pairs) + _small(c)
    if c.best is not None:
        return f"{c.best} is best: better than {_each_of(c.beaten()[c.best])}.{_small(c)}"
    first = c.ranking[0]
    shown = c.beaten()
    beaten, above = shown[first], [name for name, others in shown.items() if first in others]
    if not any(pair.better for pair in c.pairs):
        return f"No difference is shown between any two learners; {_front(c)}."
    rest = [name for name in c.ranking[1:] if name not in (*beaten, *above)]
    shared = _first(c)[1:]
    together = f" together with {name_list(shared)}" if shared else ""
    both = (("shown to be worse than", above), ("not shown to be better than", rest))
    unproven = f"{first} has the best mean rank{together}, but is " + " and ".join(
        f"{words} {name_list(names)}" for words, names in both if names
    )
    differing = sum(pair.better is not None for pair in c.pairs)
    return (
        unproven
        + (f"; it is better than {name_list(beaten)}" if beaten else "")
        + (f".  {differing} of {c.n_comparisons} pairs {'differs' if differing == 1 else 'differ'}.")
        + _small(c)
    )


def _small(c: ManyComparison) -> str:
    """Which differences are too small to matter: first those where it is sure, then those where it is probable."""
    sure = [pair for pair in c.pairs if pair.probabilities is not None and pair.probabilities.equivalent >= 1 - c.alpha]
    known = {(pair.a, pair.b) for pair in sure}
    rest = [pair for pair in c.pairs if (pair.a, pair.b) not in known]
    return small_differences(sure) + small_differences(rest, sure=False)


def _first(c: ManyComparison) -> list[str]:
    return [name for name in c.ranking if c.mean_ranks[c.learners.index(name)] == c.mean_ranks.min()]


def _front(c: ManyComparison) -> str:
    """Who has the best mean rank, which several may share."""
    first = _first(c)
    if len(first) == len(c.learners):
        return "all have the same mean rank"
    return f"{name_list(first)} {'has' if len(first) == 1 else 'share'} the best mean rank"


def _each_of(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"each of the other {len(names)}"


def _learner_table(c: ManyComparison) -> list[str]:
    means = dict(zip(c.learners, np.nanmean(c.table.means, axis=0), strict=True))
    ranks = dict(zip(c.learners, c.mean_ranks, strict=True))
    width = max(len("learner"), *(len(name) for name in c.learners))
    title, decimals = f"mean {metric_words(c.table.metric)}", min(shared_decimals(means.values(), 4), 4)
    wide = max(12, len(title))
    lines = [f"  {'mean rank':>9}   {'learner':<{width}}   {title:>{wide}}   better than"]
    for name, beaten in list(c.beaten().items())[:MOST_LEARNERS]:
        others = name_list(beaten) if beaten else "–"
        lines.append(f"  {ranks[name]:>9.2f}   {name:<{width}}   {fixed(means[name], decimals):>{wide}}   {others}")
    if len(ranks) > MOST_LEARNERS:
        lines.append(f"  … and {len(ranks) - MOST_LEARNERS} more")
    return lines


def _pair_table(c: ManyComparison) -> list[str]:
    shown = c.ordered_pairs[:MOST_PAIRS]
    width = max(len(f"{pair.a} − {pair.b}") for pair in shown)
    lines = [_pair_header(c, width)]
    decimals = shared_decimals([pair.estimate for pair in c.pairs], 3)
    lines += [_pair_line(pair, width, decimals, chances=c.bayes is not None) for pair in shown]
    if len(c.pairs) > len(shown):
        lines.append(f"  … and {len(c.pairs) - len(shown)} more pairs with larger p-values")
    return lines + (["", *wrapped(probabilities_note(c))] if c.bayes else [])


def probabilities_note(c: ManyComparison) -> str:
    """What the three columns of probabilities are."""
    assert c.model is not None
    return (
        "First better, within, second better: how probable it is that this is what happens most often on data sets "
        f"like these, by {c.model.title}; for each pair alone, not adjusted for the number of comparisons."
    )


def _pair_header(c: ManyComparison, width: int) -> str:
    chances = f"   {'first better':>12}   {f'within {region_text(c)}':>14}   {'second better':>13}" if c.bayes else ""
    return f"  {'pair':<{width}}   {'difference':>10}   wins–ties–losses   {'p':>8}   {'adjusted':>8}{chances}"


def region_text(c: ManyComparison) -> str:
    """What does not matter, in the unit of the differences beside it."""
    return f"{c.rope:g}" if c.table.unit != "percent" else difference_text(c.rope, "percent")


def _pair_line(pair: Pair, width: int, decimals: int, *, chances: bool) -> str:
    name = f"{pair.a} − {pair.b}"
    record = f"{pair.wins}–{pair.ties}–{pair.losses}"
    difference = fixed(pair.estimate, decimals)
    first = same = second = "unknown"
    if pair.probabilities is not None:
        first, same, second = (probability(float(p)) for p in pair.probabilities.as_tuple())
    columns = f"   {first:>12}   {same:>14}   {second:>13}" if chances else ""
    p, adjusted = pvalue_text(pair.pvalue), pvalue_text(pair.adjusted)
    return f"  {name:<{width}}   {difference:>10}   {record:>16}   {p:>8}   {adjusted:>8}{columns}"


def omnibus_text(c: ManyComparison) -> str:
    """The omnibus test in a line."""
    test = c.omnibus_test
    df = f"{c.omnibus.df}" + ("" if c.omnibus.df_error is None else f" and {c.omnibus.df_error}")
    value = number_text(float(c.omnibus.statistic), 4)
    return f"{test.title} {test.symbol} = {value}, {df} df, p {with_sign(float(c.omnibus.pvalue))}"


def many_direction(c: ManyComparison) -> str:
    """Which direction is better."""
    return direction_words(c.table.metric, c.table.higher_is_better, assumed=c.table.direction_assumed)


def many_sentence(c: ManyComparison) -> str:
    """How the comparison was made and what it found, ready to paste."""
    found = sum(pair.better is not None for pair in c.pairs)
    pairs = "all pairs" if c.control is None else f"every learner with {c.control}"
    test = f"{c.pair_test.title} ({citation(c.pair_test.reference)})"
    return (
        f"We compared {len(c.learners)} learners by {metric_words(c.table.metric)} on {c.table.n_datasets} data "
        "sets using foldwise "
        f"{foldwise.__version__}. The omnibus test gave {omnibus_text(c)}. We compared {pairs} by {test}, "
        f"{c.adjusted_by.title} for {_comparisons(c)} at level {c.alpha:g}; {found} of them showed a "
        f"difference. {many_headline(c).replace('.  ', '. ')}"
    )
