"""What is said of several models on the same items or one data set: who may be the best, ranks, pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import foldwise
from foldwise.core.formatting import found_in_store, level_text, number_text
from foldwise.core.metric import Unit, direction_words, metric_words
from foldwise.core.types import Interval
from foldwise.core.units import (
    capital,
    difference_text,
    name_list,
    percents,
    pvalue_text,
    score_text,
    shared_decimals,
    span_text,
    with_sign,
)
from foldwise.document.document import (
    MOST,
    Block,
    Drawing,
    DrawnInterval,
    Grid,
    Picture,
)
from foldwise.document.margins import REST
from foldwise.document.plots import CAPTIONS
from foldwise.document.references import citation, cited
from foldwise.document.two_models import effects as effects
from foldwise.document.two_models import evidence as evidence
from foldwise.document.two_models import not_drawn as not_drawn
from foldwise.document.two_models import unit_words

if TYPE_CHECKING:
    from foldwise.comparison.by_metric import MetricComparison
    from foldwise.comparison.comparison import Comparison
    from foldwise.comparison.pair import Pair


MOST_DRAWN = {"models": 60, "strengths": 60, "win_matrix": 40, "model_pairs": 45, "margins": 45}
"""Rows beyond which a plot can't be read."""

MOST_IN_TEXT = 12
"""Rows of the picture in text."""

MOST_GROUPS = 4


_ADJUSTED = {
    "holm": (
        "Holm-adjusted",
        "Holm's adjustment keeps the probability of any false finding at the level, whatever the dependence between "
        "pairs; the intervals, adjusted by Bonferroni, hold for all pairs at once.",
    ),
    "max_t": (
        "max-T-adjusted",
        "The adjustment by the largest statistic (max-T, single-step) uses the joint distribution of all differences: "
        "it keeps the probability of any false finding at the level, and the intervals hold for all pairs at once.",
    ),
}
"""What an adjustment is called, and what it does."""


# ---- The answer.


def title(c: MetricComparison, subject: str) -> str:
    return f"{len(c.names)} {c.kind.called}" + (f" on {subject}" if subject else f" ({c.design})")


def subtitle(c: MetricComparison) -> str:
    """The test of each pair, which pairs, and how they were adjusted."""
    which = "all pairs" if c.control is None else f"each vs {c.control}"
    return f"{c.procedure.title}, {which}, {_ADJUSTED[c.adjustment][0]} for {in_all(len(c.pairs))}"


def in_all(comparisons: int) -> str:
    """How many comparisons were made."""
    return f"{comparisons} comparison{'s' * (comparisons != 1)}"


def answer(c: MetricComparison) -> str:
    if c.control is not None:
        return vs_control(c.control, c.pairs) + small_differences(c)
    first, members = c.ranking[0], list(c.best_set)
    if c.best is not None:
        rest = [name for name in c.ranking if name != c.best]
        others = rest[0] if len(rest) == 1 else f"each of the other {len(rest)}"
        return f"{c.best} is best: better than {others}.{small_differences(c)}"
    if len(members) == 1:
        shown = c.beaten()[first]
        rest = [name for name in c.ranking if name != first and name not in shown]
        return f"{first} is the best of them, though a difference from {name_list(rest)} alone is not shown."
    side = "highest" if c.higher_is_better else "lowest"
    means = c.means
    leaders = [name for name in c.ranking if means[name] == means[first]]
    lead = f"{name_list(leaders)} {'has' if len(leaders) == 1 else 'share'} the {side} {metric_words(c.metric)}"
    if len(members) == len(c.names):
        return f"No {c.kind.called[:-1]} is ruled out as the best; {lead}."
    return f"The best is among {name_list(members)}; {lead}."


def numbers(c: MetricComparison) -> str:
    differing = sum(pair.better is not None for pair in c.pairs)
    first, last = c.ranking[0], c.ranking[-1]
    shown = f"{differing or 'none'} of {len(c.pairs)} pair{'s' * (len(c.pairs) != 1)} differ{'s' * (differing == 1)}"
    return (
        f"{metric_words(c.metric)} from {score_text(c.means[first], c.unit)} ({first}) to "
        f"{score_text(c.means[last], c.unit)} ({last}); {shown}"
    )


def vs_control(control: str, pairs: Iterable[Any]) -> str:
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


def small_differences(c: MetricComparison) -> str:
    """Which of the differences that are shown are (over data sets also: are probably) too small to matter."""
    shown = [pair for pair in c.pairs if pair.better is not None]
    sure = [pair for pair in shown if pair.practically_same]
    probable = [pair for pair in shown if pair not in sure and probably_small(pair)]
    return "".join(
        f" The difference between {name_list([f'{pair.a} and {pair.b}' for pair in pairs], most=3)} {verb} less than "
        "matters in practice."
        for pairs, verb in ((sure, "is"), (probable, "is probably"))
        if pairs
    )


def probably_small(pair: Pair) -> bool:
    """Whether a difference over data sets is more probably too small to matter than not."""
    return pair.probabilities is not None and float(pair.probabilities.equivalent) > 0.5


def picture(c: MetricComparison) -> Picture | None:
    """Each model minus the one with the best mean, or the control, with simultaneous intervals."""
    reference = c.control or c.ranking[0]
    others = [name for name in c.ranking if name != reference]
    if len(others) > MOST_IN_TEXT:
        return None
    rows = []
    for name in others:
        pair = c.pair(name, reference)
        estimate, interval = pair.estimate, pair.interval
        if pair.a != name:
            estimate, interval = -estimate, None if interval is None else -interval
        low, high = (None, None) if interval is None else (float(interval.low), float(interval.high))
        scale = percents(c.unit)
        rows.append(DrawnInterval(estimate=scale * estimate, low=None if low is None else scale * low,
                        high=None if high is None else scale * high, label=name))  # fmt: skip
    sides = ["worse", "better"] if c.higher_is_better else ["better", "worse"]
    left, right = (f"{side} than {reference}" for side in sides)
    return Picture(rows=tuple(rows), left=left, right=right, region=percents(c.unit) * c.rope, unit=unit_words(c.unit))


# ---- Facts and tables.


def _level(c: MetricComparison) -> str:
    return level_text(1 - c.alpha)


def facts(c: MetricComparison) -> list[tuple[str, str]]:
    rows = [(f"may be best ({_level(c)} confidence)", name_list(list(c.best_set)))]
    rows += group_rows(c)
    same = [f"{pair.a} and {pair.b}" for pair in c.pairs if pair.practically_same]
    if same:
        rows.append((f"practically the same (within {difference_text(c.rope, c.unit)})", name_list(same)))
    again = [pair.replicability for pair in c.pairs if pair.replicability is not None]
    if again:
        agreed = sum(found.consistent for found in again)
        rows.append(
            ("other partitions", f"same verdict on {agreed} of {len(again)} pairs (all {again[0].repetitions})")
        )
    if not c.higher_is_better:
        rows.append(("direction", direction_words(c.metric, c.higher_is_better, assumed=c.direction == "assumed")))
    return [*rows, *c.kind.facts(c.evidence, c.procedure)]


def group_rows(c: MetricComparison) -> list[tuple[str, str]]:
    """Models of which no two are shown to differ, as far as they can be read."""
    rows = [("not distinguishable", name_list(list(group))) for group in c.tie_groups[:MOST_GROUPS]]
    if len(c.tie_groups) > MOST_GROUPS:
        rows.append(("not distinguishable", f"… and {len(c.tie_groups) - MOST_GROUPS} more such groups"))
    return rows


def method_rows(c: MetricComparison) -> list[tuple[str, str]]:
    rows = [("test of each pair", c.procedure.title), ("adjustment", _ADJUSTED[c.adjustment][0])]
    if c.omnibus is not None:
        rows.append(("are all the same?", f"Cochran's Q = {_omnibus(c)}"))
    if c.baseline is not None:
        rows.append((f"{metric_words(c.metric)} of the most frequent class", score_text(c.baseline, c.unit)))
    rows.append(("direction", direction_words(c.metric, c.higher_is_better, assumed=c.direction == "assumed")))
    rows.append(("evidence", c.design))
    return rows + ([("store", found_in_store(c.found, c.fits, "fits", c.found_made))] if c.found else [])


def _omnibus(c: MetricComparison) -> str:
    assert c.omnibus is not None
    return f"{number_text(float(c.omnibus.statistic), 4)}, {c.omnibus.df} df, p {with_sign(float(c.omnibus.pvalue))}"


def _mean_decimals(c: MetricComparison) -> int:
    return shared_decimals(c.means.values(), 4) if c.unit == "own" else 1


def _pair_decimals(c: MetricComparison) -> int:
    return shared_decimals((pair.estimate for pair in c.pairs), 3) if c.unit == "own" else 1


def _rank(c: MetricComparison, name: str) -> str:
    """Between which ranks a model lies."""
    low, high = c.ranks[name]
    return str(low) if low == high else f"{low} to {high}"


def model_table(c: MetricComparison) -> Grid:
    members, means, unit, decimals = set(c.best_set), c.means, c.unit, _mean_decimals(c)
    limits = np.asarray(c.mean_intervals.low).tolist(), np.asarray(c.mean_intervals.high).tolist()
    spans = {name: Interval(low=low, high=high) for name, low, high in zip(c.names, *limits, strict=True)}
    rows = [
        (
            name,
            _rank(c, name),
            score_text(means[name], unit, decimals),
            "unknown" if np.isnan(spans[name].low) else span_text(spans[name], unit, decimals),
            "yes" if name in members else "no",
            name_list(beaten or ["–"]),
        )
        for name, beaten in c.beaten().items()
    ]
    return Grid(
        columns=(c.kind.called[:-1], "rank", metric_words(c.metric), f"{_level(c)} CI", "may be best", "better than"),
        rows=tuple(rows),
        caption="Best mean first; the interval is that of each mean alone",
        words=("better than",),
        unfolded=len(rows) <= MOST_DRAWN["models"],
        rest=REST,
    )


def pair_table(c: MetricComparison) -> Grid:
    decimals = _pair_decimals(c)
    return Grid(
        columns=("pair", "difference", f"simultaneous {_level(c)} CI", "p", "adjusted p", "better"),
        rows=tuple(_pair_row(pair, c.unit, decimals) for pair in c.ordered_pairs[:MOST]),
        more=max(0, len(c.pairs) - MOST),
        caption="Smallest adjusted p-value first",
        words=("better",),
        rest=REST,
    )


def _pair_row(pair: Pair, unit: Unit, decimals: int) -> tuple[str, ...]:
    return (
        f"{pair.a} − {pair.b}",
        difference_text(pair.estimate, unit, decimals),
        "unknown" if pair.interval is None else span_text(pair.interval, unit, decimals),
        pvalue_text(pair.pvalue),
        pvalue_text(pair.adjusted),
        pair.better or "–",
    )


def summary(c: MetricComparison) -> tuple[Block, ...]:
    return (model_table(c),)


def every_pair(c: MetricComparison) -> tuple[Block, ...]:
    return (pair_table(c),)


def drawings(c: MetricComparison) -> dict[str, Drawing]:
    """The models with their ranks, every pair, and the margin where there is one."""
    rows = {"models": len(c.names), **dict.fromkeys(c.kind.plots_of(c.evidence), len(c.names))}
    rows["model_pairs"] = len(c.pairs)
    if c.margin is not None:
        rows["margins"] = len(c.pairs)
    return {
        name: Drawing(
            plot=name, shows=c, caption=CAPTIONS[name], on_page=count <= MOST_DRAWN[name], main=name == "models"
        )
        for name, count in rows.items()
    }


# ---- Method and paper.


def reason(c: MetricComparison) -> str:
    """Why pairs were tested as they were."""
    best = f"{c.kind.best_because}{cited(c.kind.best_references)}"
    if c.control is not None:
        best = f"cannot be ruled out as the best by the pairs with {c.control}, which are the only ones compared"
    why = c.kind.because
    why = why if why.endswith(".") else f"{why} ({citation(c.procedure.reference)})."
    return f"{why} {_ADJUSTED[c.adjustment][1]} May be best: {best}."


def references(c: MetricComparison) -> tuple[str, ...]:
    sources = [c.procedure.reference, *c.adjusted_by.references, *c.kind.best_references]
    return tuple(sources)


def methods_sentence(c: MetricComparison) -> str:
    """How the comparison was made and what it found, ready to paste."""
    found = sum(pair.better is not None for pair in c.pairs)
    pairs = "all pairs" if c.control is None else f"every other with {c.control}"
    subject = f" on {c.subject}" if c.subject else ""
    omnibus = "" if c.omnibus is None else f" Cochran's Q was {_omnibus(c).replace(', ', ' (', 1)})."
    spans = ", ".join(f"{name} {_rank(c, name)}" for name in c.ranking)
    best = cited(c.kind.best_references) if c.control is None else ""
    name, sources = _ADJUSTED[c.adjustment][0], c.adjusted_by.references
    return (
        f"We compared {len(c.names)} {c.kind.called}{subject} by {metric_words(c.metric)} ({c.design}) using foldwise "
        f"{foldwise.__version__}: {pairs} by {c.procedure.title} ({citation(c.procedure.reference)}), "
        f"{name} for {len(c.pairs)} comparisons{cited(sources)} at level {c.alpha:g}, with "
        f"simultaneous intervals.{omnibus} {found or 'None'} of the pairs showed a difference. The {_level(c)} "
        f"confidence set of the best{best} was {name_list(list(c.best_set))}; the "
        f"simultaneous rank intervals were {spans}."
    )


def paper_table(c: MetricComparison) -> Grid:
    rows = tuple((row[0], row[2], row[3], row[1], row[4]) for row in model_table(c).rows)
    columns = (c.kind.called[:-1], c.metric, f"{_level(c)} CI", "rank", "may be best")
    return Grid(columns=columns, rows=rows, caption=f"{capital(c.design)}; {subtitle(c)}.")


# ---- Several metrics.


def shared_words(m: Any) -> str:
    """Whether the level is shared among the metrics."""
    if not m.shared:
        return f"each at level {m.alpha:g}, not adjusted for their number"
    return f"each at level {m.alpha:g}/{len(m)} (Bonferroni)"


def metrics_headline(m: Any) -> str:
    """Who is best by which metrics, in a sentence; of models or of learners on data sets."""
    # over data sets a difference is known to be small as more probable than not, on one by its interval
    probably = "probably " if m.tasks else ""
    parts = []
    for name in m.models:
        for small in (False, True):
            won = [metric_words(c.metric) for c in m.parts if c.best == name and _hardly(c, name) == small]
            if won:
                less = f", but {probably}by less than matters in practice" if small else ""
                parts.append(f"{name} is best by {name_list(won)}{less}")
    left = [metric_words(metric) for metric, best in ((c.metric, c.best) for c in m.parts) if best is None]
    if left:
        parts.append(
            f"{'n' if parts else 'N'}o {m.parts[0].called.removesuffix('s')} is shown to be best by {name_list(left)}"
        )
    return f"{'; '.join(parts)}."


def _hardly(c: Any, name: str) -> bool:
    """Whether the lead of the best over some other is too small to matter."""
    return any(pair.practically_same or probably_small(pair) for pair in c.pairs if name in (pair.a, pair.b))


def metric_table(m: Comparison) -> Grid:
    rows = [
        (
            metric_words(c.metric),
            *(score_text(c.means[name], c.unit, shared_decimals(c.means.values(), 4)) for name in m.models),
            name_list(list(c.best_set)),
            f"{_differing(c.pairs)} of {len(c.pairs)}",
        )
        for c in m.parts
    ]
    columns = ("metric", *m.models, "may be best", "pairs that differ")
    caption = f"{capital(m.design)}; {shared_words(m)}"
    return Grid(columns=columns, rows=tuple(rows), caption=caption, words=("may be best",), unfolded=True)


def _differing(pairs: Sequence[Pair]) -> int:
    return sum(pair.better is not None for pair in pairs)


def metrics_sentence(m: Comparison) -> str:
    """How the comparison was made and what it found, ready to paste."""
    sources = [cited((c.procedure.reference, *c.adjusted_by.references)) for c in m.parts]
    each = [f"{metric_words(c.metric)} with {subtitle(c)}{of}" for c, of in zip(m.parts, sources, strict=True)]
    tests = name_list(list(dict.fromkeys(each)))
    return (
        f"We compared {name_list(list(m.models))} ({m.design}) by {tests}, {shared_words(m)}, using foldwise "
        f"{foldwise.__version__}. {metrics_headline(m)}"
    )
