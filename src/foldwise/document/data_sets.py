"""What is said of learners over data sets: who is best, mean ranks, effects, pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import foldwise
from foldwise.core.formatting import level_text, number_text
from foldwise.core.metric import direction_words, metric_words
from foldwise.core.units import (
    capital,
    difference_text,
    fixed,
    name_list,
    probability,
    pvalue_text,
    shared_decimals,
    with_sign,
)
from foldwise.document.document import (
    MOST,
    Block,
    Drawing,
    DrawnInterval,
    Grid,
    Picture,
    Text,
)
from foldwise.document.margins import REST
from foldwise.document.plots import CAPTIONS
from foldwise.document.references import citation, cited
from foldwise.document.several_models import (
    MOST_IN_TEXT,
    group_rows,
    in_all,
    small_differences,
    vs_control,
)
from foldwise.document.several_models import metrics_headline as metrics_headline
from foldwise.document.several_models import shared_words as shared_words

if TYPE_CHECKING:
    from foldwise.comparison.by_metric import MetricComparison
    from foldwise.comparison.comparison import Comparison
    from foldwise.comparison.pair import Pair
    from foldwise.core.types import Interval


_NAMED = {
    "critical_difference": ("ranks", ("cd", "critical_difference")),
    "pair_matrix": ("pairs", ()),
    "rank_table": ("table", ()),
    "front": ("triangle", ()),
}
"""What people call a plot, and its other names."""

_LIMITS = {
    "ranks": (60, None, "the diagram of mean ranks"),
    "pairs": (30, None, "the matrix of pairs"),
    "table": (30, 60, "the ranks on each data set"),
    "margins": (8, None, "the limits of every pair"),
}
"""Learners and data sets beyond which a plot can't be read, and what it is, for those that can grow too large."""

_DATA = "The others are in the table that was compared."


# ---- The answer.


def title(c: MetricComparison, _subject: str) -> str:
    return c.design


def subtitle(c: MetricComparison) -> str:
    """What was done, with the number of comparisons."""
    how = "pairwise " if c.control is None else f"each vs {c.control}, "
    count = in_all(len(c.pairs))
    return f"{how}{c.procedure.title}, {c.adjusted_by.title} for {count}".replace("not adjusted for", "not adjusted,")


def answer(c: MetricComparison) -> str:
    if c.data_sets.hopeless:
        return (
            f"No answer is possible: with {c.table.n_datasets} data sets and {in_all(len(c.pairs))} even complete "
            "agreement would not be significant."
        )
    if c.control is not None:
        return vs_control(c.control, c.pairs) + small_differences(c)
    if c.best is not None:
        others = c.beaten()[c.best]
        each = others[0] if len(others) == 1 else f"each of the other {len(others)}"
        return f"{c.best} is best: better than {each}.{small_differences(c)}"
    if not any(pair.better for pair in c.pairs):
        return f"No difference is shown between any two learners; {_front(c)}."
    first, shown = c.ranking[0], c.beaten()
    beaten, above = shown[first], [name for name, others in shown.items() if first in others]
    rest = [name for name in c.ranking[1:] if name not in (*beaten, *above)]
    shared = _first(c)[1:]
    together = f" together with {name_list(shared)}" if shared else ""
    both = (("shown to be worse than", above), ("not shown to be better than", rest))
    unproven = " and ".join(f"{words} {name_list(names)}" for words, names in both if names)
    also = f"; it is better than {name_list(beaten)}" if beaten else ""
    return f"{first} has the best mean rank{together}, but is {unproven}{also}.{small_differences(c)}"


def numbers(c: MetricComparison) -> str:
    if c.data_sets.hopeless:
        return ""
    differing = sum(pair.better is not None for pair in c.pairs)
    best, last = ((name, c.data_sets.mean_ranks[c.names.index(name)]) for name in (c.ranking[0], c.ranking[-1]))
    return (
        f"mean ranks from {best[1]:.2f} ({best[0]}) to {last[1]:.2f} ({last[0]}); {differing or 'none'} of "
        f"{len(c.pairs)} pair{'s' * (len(c.pairs) != 1)} differ{'s' * (differing == 1)}"
    )


def _first(c: MetricComparison) -> list[str]:
    return [name for name in c.ranking if c.data_sets.mean_ranks[c.names.index(name)] == c.data_sets.mean_ranks.min()]


def _front(c: MetricComparison) -> str:
    """Who has the best mean rank, which several may share."""
    first = _first(c)
    if len(first) == len(c.names):
        return "all have the same mean rank"
    return f"{name_list(first)} {'has' if len(first) == 1 else 'share'} the best mean rank"


def picture(c: MetricComparison) -> Picture | None:
    """How far each learner is from the control, or from the one with the best mean rank, over data sets."""
    if len(c.names) > MOST_IN_TEXT:
        return None
    effects = {effect.name: effect for effect in c.data_sets.effects()}
    if not effects:
        return None
    against = next(iter(effects.values())).against
    rows = tuple(
        DrawnInterval(
            estimate=float(effects[name].difference),
            low=float(effects[name].interval.low),
            high=float(effects[name].interval.high),
            label=name,
        )
        for name in c.ranking
        if name in effects
    )
    sides = ["worse", "better"] if c.table.higher_is_better else ["better", "worse"]
    left, right = (f"{side} than {against}" for side in sides)
    unit = "points" if c.table.unit == "percent" else ""
    return Picture(rows=rows, left=left, right=right, region=c.rope, unit=unit)


# ---- Facts and tables.


def facts(c: MetricComparison) -> list[tuple[str, str]]:
    rows = [("are all the same?", _omnibus(c))]
    rows += group_rows(c)
    if not c.table.higher_is_better:
        rows.append(("direction", _direction(c)))
    return rows


def _direction(c: MetricComparison) -> str:
    return direction_words(c.table.metric, c.table.higher_is_better, assumed=c.table.direction == "assumed")


def method_rows(c: MetricComparison) -> list[tuple[str, str]]:
    rows = [
        ("test of each pair", c.procedure.title),
        ("adjustment", c.adjusted_by.title),
        ("comparisons", str(len(c.pairs))),
        ("direction", _direction(c)),
    ]
    if c.data_sets.critical_difference is not None:
        rows.append(("critical difference of mean ranks", f"{c.data_sets.critical_difference:.3f}"))
    return rows


def _omnibus(c: MetricComparison) -> str:
    test = c.data_sets.omnibus_test
    df = f"{c.data_sets.omnibus.df}" + (
        "" if c.data_sets.omnibus.df_error is None else f" and {c.data_sets.omnibus.df_error}"
    )
    value = number_text(float(c.data_sets.omnibus.statistic), 4)
    return f"{test.title} {test.symbol} = {value}, {df} df, p {with_sign(float(c.data_sets.omnibus.pvalue))}"


def _decimals(c: MetricComparison) -> int:
    return min(shared_decimals(c.table.means.ravel().tolist(), 4), 4)


def model_table(c: MetricComparison) -> Grid:
    means = dict(zip(c.names, np.nanmean(c.table.means, axis=0), strict=True))
    ranks = dict(zip(c.names, c.data_sets.mean_ranks, strict=True))
    decimals = _decimals(c)
    rows = [
        (name, f"{ranks[name]:.2f}", fixed(means[name], decimals), name_list(beaten) if beaten else "–")
        for name, beaten in c.beaten().items()
    ]
    return Grid(
        columns=("learner", "mean rank", f"mean {metric_words(c.table.metric)}", "better than"),
        rows=tuple(rows),
        caption="Learners, best mean rank first",
        words=("better than",),
    )


def pair_table(c: MetricComparison) -> Grid:
    decimals = _decimals(c)
    columns = ["pair", "difference", "wins–ties–losses", "p", "adjusted p"]
    if c.data_sets.bayes:
        region = f"{c.rope:g}" if c.table.unit != "percent" else difference_text(c.rope, "percent")
        columns += ["first better", f"within {region}", "second better"]
    return Grid(
        columns=tuple(columns),
        rows=tuple(_pair_row(pair, decimals, chances=c.data_sets.bayes is not None) for pair in c.ordered_pairs[:MOST]),
        more=max(0, len(c.pairs) - MOST),
        caption="Smallest adjusted p-value first",
        rest=REST,
    )


def _pair_row(pair: Pair, decimals: int, *, chances: bool) -> tuple[str, ...]:
    shown: tuple[str, ...] = ("unknown",) * 3 if chances else ()
    if pair.probabilities is not None:
        shown = tuple(probability(float(p)) for p in pair.probabilities.as_tuple())
    return (
        f"{pair.a} − {pair.b}",
        fixed(pair.estimate, decimals),
        f"{pair.wins}–{pair.ties}–{pair.losses}",
        pvalue_text(pair.pvalue),
        pvalue_text(pair.adjusted),
        *shown,
    )


def _chances_note(c: MetricComparison) -> Text | None:
    if c.data_sets.model is None:
        return None
    return Text(
        text="First better, within, second better: the probability that this is what happens most often on data sets "
        f"like these, by {c.data_sets.model.title}; for each pair alone, not adjusted for the number of comparisons."
    )


def effects(c: MetricComparison) -> Grid:
    """How far each learner is from the control, or from the one with the best mean rank."""
    effects = {effect.name: effect for effect in c.data_sets.effects()}
    against, decimals = next(iter(effects.values())).against, _decimals(c)
    rows = tuple(
        (
            name,
            fixed(effects[name].difference, decimals),
            _span(effects[name].interval, decimals),
            fixed(effects[name].effect, 2),
        )
        for name in c.ranking
        if name in effects
    )
    return Grid(
        columns=("learner", "difference", f"{level_text(1 - c.alpha)} CI", "rank-biserial"),
        rows=rows,
        caption=f"{capital(metric_words(c.table.metric))} minus that of {against}: the Hodges–Lehmann estimate over "
        "data sets, simultaneous intervals of Wilcoxon's signed ranks (Bonferroni), and the rank-biserial correlation "
        "(1 where better on every data set, −1 where worse on every one)",
    )


def _span(interval: Interval, decimals: int) -> str:
    return f"{fixed(float(interval.low), decimals)} to {fixed(float(interval.high), decimals)}"


def evidence(c: MetricComparison) -> tuple[Block, ...]:
    decimals = _decimals(c)
    rows = tuple(
        (name, *("–" if np.isnan(score) else fixed(float(score), decimals) for score in scores))
        for name, scores in zip(c.table.datasets, c.table.means, strict=True)
    )
    grid = Grid(columns=("data set", *c.names), rows=rows, caption=f"Mean {metric_words(c.table.metric)}", rest=_DATA)
    return (grid,)


def _readable(c: MetricComparison, name: str) -> bool:
    if name == "triangle":
        return c.data_sets.bayes is not None and c.pair(*c.data_sets.front).probabilities is not None
    if name not in _LIMITS:
        return True
    most, datasets, _ = _LIMITS[name]
    return len(c.names) <= most and (datasets is None or c.table.n_datasets <= datasets)


def not_drawn(c: MetricComparison) -> Text | None:
    had = drawings(c)
    missing = [words for name, (_, _, words) in _LIMITS.items() if name in had and not had[name].on_page]
    if not missing:
        return None
    size = f"{len(c.names)} learners on {c.table.n_datasets} data sets"
    text = f"{name_list(missing)}, which can't be read with {size}. Their numbers are in the tables. {REST}"
    return Text(lead="Not drawn:", text=text)


def summary(c: MetricComparison) -> tuple[Block, ...]:
    return (model_table(c),)


def every_pair(c: MetricComparison) -> tuple[Block, ...]:
    note = _chances_note(c)
    return (pair_table(c), *([] if note is None else [note]))


def reason(c: MetricComparison) -> str:
    return c.reason


def drawings(c: MetricComparison) -> dict[str, Drawing]:
    """Ranks, pairs, the two learners at the front, and the margin where there is one."""
    margins = ("margins",) if c.margin is not None else ()
    found = {}
    for plot in (*c.kind.plots, *margins):
        name, also = _NAMED.get(plot, (plot, ()))
        found[name] = Drawing(
            plot=plot,
            shows=c,
            caption=CAPTIONS[plot],
            on_page=_readable(c, name),
            main=plot == c.kind.plots[0],
            also=also,
        )
    return found


# ---- For a paper.


def references(c: MetricComparison) -> tuple[str, ...]:
    sources = (
        c.procedure.reference,
        c.data_sets.omnibus_test.reference,
        *c.adjusted_by.references,
        *([c.data_sets.model.reference] if c.data_sets.model else []),
    )
    return tuple(sources)


def methods_sentence(c: MetricComparison) -> str:
    """How the comparison was made and what it found, ready to paste."""
    found = sum(pair.better is not None for pair in c.pairs)
    pairs = "all pairs" if c.control is None else f"every learner with {c.control}"
    test = f"{c.procedure.title} ({citation(c.procedure.reference)})"
    adjusted = f"{c.adjusted_by.title} for {in_all(len(c.pairs))}{cited(c.adjusted_by.references)}"
    adjusted = adjusted.replace("not adjusted for", "not adjusted,")
    return (
        f"We compared {len(c.names)} learners by {metric_words(c.table.metric)} on {c.table.n_datasets} data sets "
        f"using foldwise {foldwise.__version__}. The omnibus test{cited((c.data_sets.omnibus_test.reference,))} gave "
        f"{_omnibus(c)}. We compared {pairs} by {test}, {adjusted} at level {c.alpha:g}; {found} of them showed a "
        f"difference. {answer(c)}"
    )


def paper_table(c: MetricComparison) -> Grid:
    table = model_table(c)
    rows = tuple(row[:3] for row in table.rows)
    return Grid(columns=table.columns[:3], rows=rows, caption=f"{capital(subtitle(c))}.")


# ---- Several metrics.


def metric_table(m: Comparison) -> Grid:
    rows = [
        (
            metric_words(c.metric),
            *(f"{rank:.2f}" for rank in c.data_sets.mean_ranks),
            pvalue_text(float(c.data_sets.omnibus.pvalue)),
            f"{sum(pair.better is not None for pair in c.pairs)} of {len(c.pairs)}",
        )
        for c in m.parts
    ]
    columns = ("metric", *m.models, "p, all the same", "pairs that differ")
    return Grid(columns=columns, rows=tuple(rows), caption=f"Mean ranks, 1 is best; {shared_words(m)}", unfolded=True)


def metrics_sentence(m: Comparison) -> str:
    """How the comparison was made and what it found, ready to paste."""
    first = m.parts[0]
    metrics = name_list([metric_words(metric) for metric in m.metrics])
    sources = cited((first.procedure.reference, *first.adjusted_by.references))
    return (
        f"We compared {name_list(list(m.models))} on {first.table.n_datasets} data sets by {metrics}, "
        f"{subtitle(first)}{sources}, {shared_words(m)}, using foldwise "
        f"{foldwise.__version__}. {metrics_headline(m)}"
    )
