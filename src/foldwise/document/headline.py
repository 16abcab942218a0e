"""What a comparison found, in a sentence or two: title, answer, numbers and the picture beside them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from foldwise.comparison.by_metric import MOST_TIMES
from foldwise.core.formatting import level_text
from foldwise.core.metric import Unit, metric_words
from foldwise.core.types import Interval
from foldwise.core.units import (
    asked_text,
    capital,
    difference_text,
    name_list,
    percents,
    scores_text,
    span_text,
    with_sign,
)
from foldwise.document.document import DrawnInterval, Picture
from foldwise.document.margins import with_conclusion

if TYPE_CHECKING:
    from foldwise.comparison.by_metric import MetricComparison
    from foldwise.comparison.comparison import Comparison
    from foldwise.comparison.pair import Pair

SAME_SAID = "practically the same"  # What is said of models whose difference is shown not to matter.
MOST_IN_TEXT = 12  # Rows of the picture in text.


def title(c: MetricComparison, subject: str) -> str:
    if c.over is not None:
        return f"{c.names[0]} vs {c.names[1]}{c.design.removeprefix('2 learners')}" if len(c.names) == 2 else c.design
    who = f"{c.names[0]} vs {c.names[1]}" if c.is_pair else f"{len(c.names)} {c.called}"
    return who + (f" on {subject}" if subject else f" ({c.design})")


def subtitle(c: MetricComparison) -> str:
    """What is not in the title: the test, which pairs, and how they were adjusted."""
    if c.is_pair:
        return c.design if c.subject else c.title
    if len(c.pairs) == 1:
        return c.title[:-1] if c.title.endswith("tests") else c.title
    vs, how = f"each vs {c.control}", adjusted_words(c)
    if c.over is None:
        return f"{c.title}, {'all pairs' if c.control is None else vs}, {how}"
    return f"pairwise {c.title}, {how}" if c.control is None else f"{vs}, {c.title}, {how}"


def adjusted_words(c: MetricComparison) -> str:
    count = counted(len(c.pairs), "comparison")
    return f"not adjusted, {count}" if c.adjustment == "none" else f"{c.adjusted_by.title} for {count}"


def counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


# ---- The answer.


def answer(c: MetricComparison) -> str:
    """What the test says; of two models also what is concluded about the margin."""
    if c.is_pair:
        return with_conclusion(_of_two(c), c)
    return _of_several(c) + _contested(c)


def _of_several(c: MetricComparison) -> str:
    if c.over is not None and c.over.hopeless:
        count = counted(len(c.pairs), "comparison")
        return (
            f"No answer is possible: with {c.table.n_datasets} data sets and {count} even complete agreement would not "
            "be significant."
        )
    if len(c.pairs) == 1:
        better = c.pairs[0].better
        return ("No difference is shown." if better is None else f"{better} is better.") + _small_differences(c)
    if c.control is not None:
        return _vs_control(c.control, c.pairs) + _small_differences(c)
    if c.best is not None:
        rest = [name for name in c.ranking if name != c.best]
        others = rest[0] if len(rest) == 1 else f"each of the other {len(rest)}"
        return f"{c.best} is best: better than {others}.{_small_differences(c)}"
    return _by_ranks(c) if c.over is not None else _by_best_set(c)


def _of_two(c: MetricComparison) -> str:
    close = ": a close call" if _is_close_call(c) else ""
    if c.better is not None:
        return f"{c.better} is better{reservation(c)}{close}."
    if c.reject and not c.common:
        return "They differ, but not by a common amount."
    if c.contested:
        return _contested(c).lstrip()
    if c.findings.withheld:
        return f"No verdict: {c.findings.withheld}."
    if never_varies(c):
        return "No verdict: the difference is the same everywhere, so its uncertainty is unknown."
    if c.rope_probabilities is None:
        return f"{c.names[0]} and {c.names[1]} are not distinguishable by these scores."
    if c.practically_same:
        within = "" if c.margin is None else f" (within {_little(c)})"
        return f"{c.names[0]} and {c.names[1]} are {SAME_SAID}{within}."
    return f"No difference is shown{close}."


def _contested(c: MetricComparison) -> str:
    """Pairs that the classical test tells apart and the influence-robust one does not, and what would settle them."""
    if not c.contested or c.classical is None:
        return ""
    if c.is_pair:
        looks = f"{c.classical.better} looks better (corrected t: p {with_sign(c.classical.pvalue)})"
        counted_in = f"is counted (p {with_sign(c.pvalue)})"
    else:
        looks = (
            name_list([f"{pair.a} and {pair.b}" for pair in c.contested], most=3) + " differ by the corrected t test"
        )
        counted_in = "is counted"
    told = f" {looks}, but not once the influence of single training examples {counted_in}, so it is open."
    needed = [c.needed_examples(pair) for pair in c.contested]
    told += _needed(needed)
    if any(c.depends_on_runs(pair) for pair in c.contested):
        told += f" More runs may settle it{', too' if None not in needed else ''} (runs='auto', --runs auto)."
    return told


def _needed(needed: list[int | None]) -> str:
    """How many examples would settle what is open, if the differences stay as they are."""
    known = [count for count in needed if count is not None]
    if len(known) < len(needed):
        return f" Not even {MOST_TIMES} times as many examples would settle it, if the difference stays as it is."
    return (
        f" About {max(known):,} examples would settle it with a probability of 80 %, if the difference stays as it is."
    )


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
    return f", but probably by less than {_little(c)}" if _probably_small(c.pairs[0]) else ""


def _little(c: MetricComparison) -> str:
    """What a difference is less than that is too small to matter: in numbers where a margin says what matters, too."""
    return "matters in practice" if c.margin is None else asked_text(c.rope, c.unit)


def _vs_control(control: str, pairs: Iterable[Pair]) -> str:
    """Who is better than the control, who is worse, and for whom no difference is shown."""
    groups: dict[str, list[str]] = {"better": [], "worse": [], "open": []}
    for pair in pairs:
        groups["open" if pair.better is None else "worse" if pair.better == control else "better"].append(pair.b)
    parts = [
        f"{name_list(names)} {'is' if len(names) == 1 else 'are'} {side} than {control}"
        for side, names in groups.items()
        if names and side != "open"
    ]
    if groups["open"]:
        parts.append(f"{'n' if parts else 'N'}o difference from {control} is shown for {name_list(groups['open'])}")
    return "; ".join(parts) + "."


def _small_differences(c: MetricComparison) -> str:
    """Which of the differences that are shown are (over data sets also: are probably) too small to matter."""
    shown = [pair for pair in c.pairs if pair.better is not None]
    sure = [pair for pair in shown if pair.practically_same]
    probable = [pair for pair in shown if c.over is not None and pair not in sure and _probably_small(pair)]
    return "".join(
        f" The difference between {name_list([f'{pair.a} and {pair.b}' for pair in pairs], most=3)} {verb} less than "
        "matters in practice."
        for pairs, verb in ((sure, "is"), (probable, "is probably"))
        if pairs
    )


def _probably_small(pair: Pair) -> bool:
    """Whether the difference is more probably too small to matter than not."""
    chances = pair.rope_probabilities
    return chances is not None and float(chances.equivalent) > 0.5


def _by_best_set(c: MetricComparison) -> str:
    """Who may be the best, where nobody is shown to be better than all others."""
    first, members = c.ranking[0], list(c.best_set)
    if len(members) == 1:
        shown = c.beaten()[first]
        rest = [name for name in c.ranking if name != first and name not in shown]
        return f"{first} is the best of them, though a difference from {name_list(rest)} alone is not shown."
    leads = _shared_lead([name for name in c.ranking if c.means[name] == c.means[first]])
    lead = f"{leads} the {'highest' if c.higher_is_better else 'lowest'} {metric_words(c.metric)}"
    if len(members) == len(c.names):
        return f"No {c.called[:-1]} is ruled out as the best; {lead}."
    return f"The best is among {name_list(members)}; {lead}."


def _by_ranks(c: MetricComparison) -> str:
    ranks = c.data_sets.mean_ranks
    first, *shared = (name for name in c.ranking if ranks[c.names.index(name)] == ranks.min())
    if not any(pair.better for pair in c.pairs):
        all_the_same = len(shared) == len(c.names) - 1
        lead = "all have the same mean rank" if all_the_same else f"{_shared_lead([first, *shared])} the best mean rank"
        return f"No difference is shown between any two learners; {lead}."
    beaten, above = c.beaten()[first], [name for name, others in c.beaten().items() if first in others]
    rest = [name for name in c.ranking[1:] if name not in (*beaten, *above)]
    together = f" together with {name_list(shared)}" if shared else ""
    both = (("shown to be worse than", above), ("not shown to be better than", rest))
    unproven = " and ".join(f"{words} {name_list(names)}" for words, names in both if names)
    also = f"; it is better than {name_list(beaten)}" if beaten else ""
    return f"{first} has the best mean rank{together}, but is {unproven}{also}.{_small_differences(c)}"


def _shared_lead(names: list[str]) -> str:
    return f"{name_list(names)} {'has' if len(names) == 1 else 'share'}"


# ---- Its numbers.


def numbers(c: MetricComparison) -> str:
    """Of two models means, difference, interval and p-value; of more how far the best is from the worst."""
    if c.is_pair:
        return _numbers_of_two(c)
    first, last = c.ranking[0], c.ranking[-1]
    if c.over is None:
        ends, what = scores_text([c.means[name] for name in (first, last)], c.unit), metric_words(c.metric)
    else:
        ranks = dict(zip(c.names, c.over.mean_ranks, strict=True))
        ends, what = [f"{ranks[name]:.2f}" for name in (first, last)], "mean ranks"
        if c.over.hopeless:
            return ""
        if len(c.pairs) == 1:
            return _numbers_of_two_on_data_sets(c, c.pairs[0])
    differing = sum(pair.better is not None for pair in c.pairs)
    return (
        f"{what} from {ends[0]} ({first}) to {ends[1]} ({last}); {differing or 'none'} of "
        f"{counted(len(c.pairs), 'pair')} differ{'s' * (differing == 1)}"
    )


def _numbers_of_two(c: MetricComparison) -> str:
    """The winner's mean comes first, so that its lead is positive."""
    turned = _turned(c)
    estimate, interval = _turn(turned, c.estimate, c.interval)
    first, second = scores_text(list(c.means.values()), c.unit)
    if c.better is None:
        first, second = f"{first} ({c.names[0]})", f"{second} ({c.names[1]})"
    elif c.better == c.names[1]:
        first, second = second, first
    compared = f" {first} vs {second}" if c.means_belong else ""
    inside = [f"p {with_sign(c.pvalue)}"]
    if interval is not None:
        inside.insert(0, interval_text(interval, c))
    return f"{c.measured_words()}{compared}, a difference of {difference_text(estimate, c.unit)} ({'; '.join(inside)})"


def _numbers_of_two_on_data_sets(c: MetricComparison, pair: Pair) -> str:
    """Means over the data sets, on how many each won, and the p-value; the leader comes first."""
    first, second = c.ranking
    if pair.better == second:
        first, second = second, first
    means = scores_text([c.means[name] for name in (first, second)], c.unit)
    compared = "" if c.table.mixed else f"mean {metric_words(c.metric)} {means[0]} ({first}) vs {means[1]} ({second}); "
    won, lost = (pair.wins, pair.losses) if pair.a == first else (pair.losses, pair.wins)
    tied = f", {counted(pair.ties, 'tie')}" if pair.ties else ""
    return f"{compared}{first} is better on {won} data sets, {second} on {lost}{tied} (p {with_sign(pair.pvalue)})"


def interval_text(interval: Interval, c: MetricComparison) -> str:
    return f"{level_text(1 - c.alpha)} CI {span_text(interval, c.unit)}"


def _turned(c: MetricComparison) -> bool:
    """Whether the answer tells the difference as b − a, so that it is positive; the statistic is turned then, too."""
    return c.better is not None and c.estimate < 0


def _turn(turned: bool, estimate: float, interval: Interval | None) -> tuple[float, Interval | None]:
    return (-estimate, None if interval is None else -interval) if turned else (estimate, interval)


# ---- The picture.


def picture(c: MetricComparison) -> Picture | None:
    """The interval of the difference of two, or of each from the control or the best, over what does not matter."""
    if c.is_pair:
        turned = _turned(c)
        ahead = c.higher_is_better != turned
        left, right = (f"{name} better" for name in (c.names[::-1] if ahead else c.names))
        row = drawn_interval(*_turn(turned, c.estimate, c.interval), unit=c.unit)
        return Picture(rows=(row,), left=left, right=right, region=percents(c.unit) * c.rope, unit=unit_words(c.unit))
    if len(c.names) > MOST_IN_TEXT + (c.over is None) or (c.over is not None and c.table.mixed):
        return None
    found: dict[str, tuple[float, Interval | None]] = {}
    if c.over is None:
        against = c.control or c.ranking[0]
        for name in c.ranking:
            if name != against:
                pair = c.pair(name, against)
                found[name] = _turn(pair.a != name, pair.estimate, pair.interval)
    else:
        effects = {effect.name: effect for effect in c.over.effects()}
        found = {name: (effects[name].difference, effects[name].interval) for name in c.ranking if name in effects}
        against = next(iter(effects.values())).against
    rows = tuple(drawn_interval(*one, unit=c.shown_unit, label=name) for name, one in found.items())
    left, right = (f"{side} than {against}" for side in ("worse", "better")[:: 1 if c.higher_is_better else -1])
    unit, region = unit_words(c.shown_unit), percents(c.shown_unit) * c.rope
    return Picture(rows=rows, left=left, right=right, region=region, unit=unit)


def drawn_interval(estimate: float, interval: Interval | None, *, unit: Unit, label: str = "") -> DrawnInterval:
    scale = percents(unit)
    low, high = (None, None) if interval is None else (scale * float(interval.low), scale * float(interval.high))
    return DrawnInterval(estimate=scale * float(estimate), low=low, high=high, label=label)


def unit_words(unit: Unit) -> str:
    """What differences are counted in; nothing for a metric's own unit."""
    return "" if unit == "own" else "points"


# ---- Several metrics.


def metrics_headline(m: Comparison) -> str:
    """Who is better, or best, by which metrics, in a sentence."""
    pair = m.parts[0].is_pair
    parts = []
    for name in m.models:
        won = [c for place, c in enumerate(m.parts) if name == (m.better_by(place) if pair else c.best)]
        less = [reservation(c) if pair else _hardly(c, name) for c in won]
        for small in sorted(set(less), key=lambda words: (words != "", less.index(words))):
            by = [metric_words(c.metric) for c, words in zip(won, less, strict=True) if words == small]
            parts.append(f"{name} is {'better' if pair else 'best'} by {name_list(by)}{small}")
    looks = [m.looks_better_by(place) if pair else None for place in range(len(m))]
    for name in m.models:
        by = [metric_words(c.metric) for c, found in zip(m.parts, looks, strict=True) if found == name]
        if by:
            parts.append(
                f"{name} looks better by {name_list(by)}, but not once the influence of single training examples is "
                "counted, so it is open"
            )
    left = [
        c for place, c in enumerate(m.parts)
        if looks[place] is None and (m.better_by(place) if pair else c.best) is None
    ]  # fmt: skip
    open_words = "no difference is shown by {}" if pair else f"no {m.parts[0].called[:-1]} is shown to be best by {{}}"
    for words, fixed in ((open_words, False), ("no verdict by {}: the difference is the same everywhere", True)):
        by = [metric_words(c.metric) for c in left if (pair and never_varies(c)) == fixed]
        if by:
            parts.append((words if parts else capital(words)).format(name_list(by)))
    share = m.alpha / len(m) if m.shared else m.alpha
    needed = [c.needed_examples(c.pairs[0], share) for c, found in zip(m.parts, looks, strict=True) if found]
    return f"{'; '.join(parts)}.{_needed(needed) if needed else ''}"


def _hardly(c: MetricComparison, name: str) -> str:
    """What to add where the lead of the best over some other is too small to matter."""
    own = [pair for pair in c.pairs if name in (pair.a, pair.b)]
    if not any(pair.practically_same or (c.over is not None and _probably_small(pair)) for pair in own):
        return ""
    # over data sets a difference is known to be small as more probable than not, on one by its interval
    return f", but {'' if c.over is None else 'probably '}by less than matters in practice"


def shared_words(m: Comparison) -> str:
    """Whether the metrics share the level, by adjusted p-values of two models or by its part for each."""
    if m.parts[0].is_pair:
        return f"Holm-adjusted for {len(m)}" if m.shared else "not adjusted"
    if not m.shared:
        return f"each at level {m.alpha:g}, not adjusted for their number"
    return f"each at level {m.alpha:g}/{len(m)} (Bonferroni)"
