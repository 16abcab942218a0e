"""The tables and plots of a comparison: models, pairs, effects, metrics, evidence, and the table for a paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.formatting import level_text
from foldwise.core.metric import metric_words
from foldwise.core.types import Interval
from foldwise.core.units import (
    capital,
    difference_text,
    fixed,
    name_list,
    probability,
    pvalue_text,
    score_text,
    shared_decimals,
    span_text,
)
from foldwise.document import headline
from foldwise.document.document import MOST, Block, Drawing, Grid, Text
from foldwise.document.margins import REST
from foldwise.document.plots import CAPTIONS, by_each_metric

if TYPE_CHECKING:
    from foldwise.comparison.by_metric import MetricComparison
    from foldwise.comparison.comparison import Comparison
    from foldwise.comparison.pair import Pair


def summary(c: MetricComparison) -> tuple[Block, ...]:
    """Of three models and more, and over data sets, all of them, best first."""
    return () if c.is_pair else (model_table(c),)


def model_table(c: MetricComparison) -> Grid:
    what, decimals, beaten = c.called[:-1], score_decimals(c), c.beaten()
    better = {name: name_list(others or ["–"]) for name, others in beaten.items()}
    if c.over is not None:
        means, ranks = (dict(zip(c.names, row, strict=True)) for row in (c.means.values(), c.over.mean_ranks))
        shown = {} if c.table.mixed else {f"mean {metric_words(c.metric)}": means}  # different units have no mean
        rows = [
            (name, f"{ranks[name]:.2f}", *(fixed(of[name], decimals) for of in shown.values()), better[name])
            for name in beaten
        ]
        columns: tuple[str, ...] = (what, "mean rank", *shown, "better than")
        return Grid(columns=columns, rows=tuple(rows), caption="Learners, best mean rank first", words=("better than",))
    limits = np.asarray(c.mean_intervals.low).tolist(), np.asarray(c.mean_intervals.high).tolist()
    spans = {name: Interval(low=low, high=high) for name, low, high in zip(c.names, *limits, strict=True)}
    members = set(c.best_set)
    cells = [
        (
            name,
            rank_words(c, name),
            score_text(c.means[name], c.unit, decimals),
            "unknown" if np.isnan(spans[name].low) else span_text(spans[name], c.unit, decimals),
            "yes" if name in members else "no",
            better[name],
        )
        for name in beaten
    ]
    columns = (what, "rank", metric_words(c.metric), f"{level_text(1 - c.alpha)} CI", "may be best", "better than")
    return Grid(
        columns=columns,
        rows=tuple(cells),
        caption="Best mean first; the interval is that of each mean alone",
        words=("better than",),
        unfolded=len(cells) <= MOST_ROWS["models"],
        rest=REST,
    )


def rank_words(c: MetricComparison, name: str) -> str:
    low, high = c.ranks[name]
    return str(low) if low == high else f"{low} to {high}"


def score_decimals(c: MetricComparison) -> int:
    if c.over is not None:
        return min(shared_decimals(c.table.means.ravel().tolist(), 4), 4)
    return shared_decimals(c.means.values(), 4) if c.unit == "own" else 1


def every_pair(c: MetricComparison) -> tuple[Block, ...]:
    """Of three models and more, and over data sets, every pair, smallest p-value first."""
    if c.is_pair:
        return ()
    if c.over is None:
        columns = ["pair", "difference", f"simultaneous {level_text(1 - c.alpha)} CI", "p", "adjusted p", "better"]
        columns += [] if c.classical is None else ["influence"]
        decimals = shared_decimals((pair.estimate for pair in c.pairs), 3) if c.unit == "own" else 1
    else:
        columns = ["pair", "difference", "wins–ties–losses", "p", "adjusted p"]
        decimals = score_decimals(c)
        if c.over.bayes:
            region = f"{c.rope:g}" if c.unit != "percent" else difference_text(c.rope, "percent")
            columns += ["first better", f"within {region}", "second better"]
    grid = Grid(
        columns=tuple(columns),
        rows=tuple(_pair_row(c, pair, decimals) for pair in c.ordered_pairs[:MOST]),
        more=max(0, len(c.pairs) - MOST),
        caption="Smallest adjusted p-value first",
        words=("better",) if c.over is None else (),
        rest=REST,
    )
    if c.classical is not None:
        told = "what an example counts as training data, of what it counts as test data."
        return grid, Text(lead="Influence:", text=told)
    if c.over is None or c.over.model is None:
        return (grid,)
    note = (
        "First better, within, second better: the probability that this is what happens most often on data sets "
        f"like these, by {c.over.model.title}; for each pair alone, not adjusted for the number of comparisons."
    )
    return grid, Text(text=note)


def _pair_row(c: MetricComparison, pair: Pair, decimals: int) -> tuple[str, ...]:
    who, tests = f"{pair.a} − {pair.b}", (pvalue_text(pair.pvalue), pvalue_text(pair.adjusted))
    if c.over is None:
        interval = "unknown" if pair.interval is None else span_text(pair.interval, c.unit, decimals)
        weight = () if c.classical is None else (influence(c, pair),)
        return who, difference_text(pair.estimate, c.unit, decimals), interval, *tests, pair.better or "–", *weight
    chances: tuple[str, ...] = ("unknown",) * 3 if c.over.bayes else ()
    if pair.probabilities is not None:
        chances = tuple(probability(float(p)) for p in pair.probabilities.as_tuple())
    difference = "–" if c.table.mixed else fixed(pair.estimate, decimals)
    return who, difference, f"{pair.wins}–{pair.ties}–{pair.losses}", *tests, *chances


def influence(c: MetricComparison, pair: Pair) -> str:
    """What an example counts as training data of a pair, of what it counts as test data, with its standard error."""
    found = c.influence_weight(pair)
    return "–" if found is None else f"{fixed(found[0], 2)} ± {found[1]:.2f}"


def effects(c: MetricComparison) -> Grid | None:
    """Over data sets, how far each learner is from the control, or from the one with the best mean rank."""
    if c.over is None or c.table.mixed:
        return None
    found, decimals = {effect.name: effect for effect in c.over.effects()}, score_decimals(c)
    against = next(iter(found.values())).against
    rows = tuple(
        (name, fixed(one.difference, decimals), span_text(one.interval, "own", decimals), fixed(one.effect, 2))
        for name in c.ranking
        if (one := found.get(name)) is not None
    )
    return Grid(
        columns=("learner", "difference", f"{level_text(1 - c.alpha)} CI", "rank-biserial"),
        rows=rows,
        caption=f"{capital(metric_words(c.metric))} minus that of {against}: the Hodges–Lehmann estimate over "
        "data sets, simultaneous intervals of Wilcoxon's signed ranks (Bonferroni), and the rank-biserial correlation "
        "(1 where better on every data set, −1 where worse on every one)",
    )


def evidence(c: MetricComparison) -> tuple[Block, ...]:
    if c.over is None:
        table = c.units_table()
        return (Grid(columns=table.columns, rows=table.rows, caption=capital(table.caption)),)
    decimals = score_decimals(c)
    rows = tuple(
        (name, *("–" if np.isnan(score) else fixed(float(score), decimals) for score in scores))
        for name, scores in zip(c.table.datasets, c.table.means, strict=True)
    )
    rest = "The others are in the table that was compared."
    return (Grid(columns=("data set", *c.names), rows=rows, caption=f"Mean {metric_words(c.metric)}", rest=rest),)


def paper_table(c: MetricComparison) -> Grid:
    """Of two models a table of one row, to which others can be added; of more the models."""
    level = level_text(1 - c.alpha)
    if not c.is_pair:
        table = model_table(c)
        if c.over is not None:
            rows = tuple(row[:-1] for row in table.rows)
            return Grid(columns=table.columns[:-1], rows=rows, caption=f"{capital(headline.subtitle(c))}.")
        rows = tuple((row[0], row[2], row[3], row[1], row[4]) for row in table.rows)
        columns: tuple[str, ...] = (c.called[:-1], c.metric, f"{level} CI", "rank", "may be best")
        return Grid(columns=columns, rows=rows, caption=f"{capital(c.design)}; {headline.subtitle(c)}.")
    p, (a, b) = c.rope_probabilities, c.names
    columns = ("comparison", a, b, f"{a} − {b}", f"{level} CI", "p", f"P({a} better)", "P(same)", f"P({b} better)")
    row = (
        f"{a} vs {b}",
        *_mean_texts(c),
        difference_text(c.estimate, c.unit),
        "–" if c.interval is None else span_text(c.interval, c.unit),
        pvalue_text(c.pvalue),
        *(["–"] * 3 if p is None else (probability(float(share)) for share in p.as_tuple())),
    )
    return Grid(columns=columns, rows=(row,), caption=f"{capital(c.measured_words())}, {c.design}; {c.title}.")


def _mean_texts(c: MetricComparison, decimals: int | None = None) -> tuple[str, ...]:
    """What is compared of each model; dashes where the estimate is no difference of the two."""
    known = not c.is_pair or c.means_belong
    return tuple(score_text(mean, c.unit, decimals) if known else "–" for mean in c.means.values())


def metric_table(m: Comparison) -> Grid:
    first, words = m.parts[0], headline.shared_words(m)
    differing = [f"{sum(pair.better is not None for pair in c.pairs)} of {len(c.pairs)}" for c in m.parts]
    rows: list[tuple[str, ...]]
    columns: tuple[str, ...]
    named: tuple[str, ...] = ()
    if first.over is not None:
        columns = ("p, all the same", "pairs that differ")
        ranks = [[f"{rank:.2f}" for rank in c.data_sets.mean_ranks] for c in m.parts]
        rows = [(*own, pvalue_text(float(c.data_sets.omnibus.pvalue)), count)
                for c, own, count in zip(m.parts, ranks, differing, strict=True)]  # fmt: skip
        caption = f"Mean ranks, 1 is best; {words}"
    else:
        means = [_mean_texts(c, shared_decimals(c.means.values(), 4)) for c in m.parts]
        if first.is_pair:
            columns = ("difference", f"{level_text(1 - m.alpha)} CI", "p", "adjusted p", "better", "test")
            named = ("better", "test")
            caption = f"{capital(m.design)}; p-values {words}"
            rows = [(*own, *_metric_row(m, place)) for place, own in enumerate(means)]
        else:
            columns, named = ("may be best", "pairs that differ"), ("may be best",)
            caption = f"{capital(m.design)}; {words}"
            rows = [(*own, name_list(list(c.best_set)), count)
                    for c, own, count in zip(m.parts, means, differing, strict=True)]  # fmt: skip
    return Grid(
        columns=("metric", *m.models, *columns),
        rows=tuple((metric_words(c.metric), *row) for c, row in zip(m.parts, rows, strict=True)),
        caption=caption, words=named, unfolded=True,
    )  # fmt: skip


def _metric_row(m: Comparison, place: int) -> tuple[str, ...]:
    c = m.parts[place]
    decimals = shared_decimals([c.estimate], 3) if c.unit == "own" else 1
    return (
        difference_text(c.estimate, c.unit, decimals),
        "–" if c.interval is None else span_text(c.interval, c.unit, decimals),
        pvalue_text(c.pvalue),
        pvalue_text((m.adjusted or ())[place]),
        m.better_by(place) or "–",
        c.test,
    )


# ---- Plots.

MOST_ROWS = {"models": 60, "strengths": 60, "win_matrix": 40, "model_pairs": 45, "margins": 45}
"""Rows beyond which a plot of models or pairs can't be read."""

_NAMED = {
    "critical_difference": ("ranks", ("cd", "critical_difference")),
    "pair_matrix": ("pairs", ()),
    "rank_table": ("table", ()),
    "front": ("triangle", ()),
}
"""Over data sets, what people call a plot, and its other names."""

_LIMITS = {
    "ranks": (60, None, "the diagram of mean ranks"), "pairs": (30, None, "the matrix of pairs"),
    "table": (30, 60, "the ranks on each data set"), "margins": (8, None, "the limits of every pair"),
}  # fmt: skip
"""Learners and data sets beyond which a plot can't be read, and what it is, for those that can grow too large."""


def comparison_plots(m: Comparison) -> dict[str, Drawing]:
    """The plots by name; by several metrics all at a glance, or the main one of each."""
    first = m.parts[0]
    if len(m.parts) == 1:
        sliced = m.slices is not None and len(m.slices.verdicts) <= MOST_ROWS["models"]
        by_slice = {"slices": Drawing(plot="slices", shows=m, caption=CAPTIONS["slices"], main=True)} if sliced else {}
        return drawings(first) | by_slice
    if first.is_pair:
        return {"metrics": Drawing(plot="metrics", shows=m, caption=CAPTIONS["metrics"], main=True)}
    main = "ranks" if first.over is not None else "models"
    return by_each_metric(main, {c.metric: drawings(c)[main] for c in m.parts})


def drawings(c: MetricComparison) -> dict[str, Drawing]:
    """Those of its kind of evidence, and those that every comparison may have."""
    if c.over is not None:
        plots = (*c.kind.plots, *(("margins",) if c.margin is not None else ()))
        named = {plot: _NAMED.get(plot, (plot, ())) for plot in plots}
        return {
            name: Drawing(plot=plot, shows=c, caption=CAPTIONS[plot], on_page=_readable(c, name),
                          main=plot == plots[0], also=also)
            for plot, (name, also) in named.items()
        }  # fmt: skip
    own = c.kind.plots_of(c.evidence)
    if not c.is_pair:
        rows = {"models": len(c.names), **dict.fromkeys(own, len(c.names)), "model_pairs": len(c.pairs)}
        rows |= {} if c.margin is None else {"margins": len(c.pairs)}
        return {
            name: Drawing(plot=name, shows=c, caption=CAPTIONS[name], on_page=n <= MOST_ROWS[name],
                          main=name == "models")
            for name, n in rows.items()
        }  # fmt: skip
    margin = ("margin",) if c.margin is not None else ()
    posterior = ("posterior",) if c.posterior() is not None else ()
    power = ("power",) if c.detectable_difference is not None else ()
    again = ("replicability",) if c.replicability is not None else ()
    main = (*own[:1], *margin, *posterior)
    return {
        name: Drawing(plot=name, shows=c, caption=CAPTIONS[name], main=name in main, lead=name == "effect")
        for name in ("effect", *main, *own[1:], *power, *again)
    }


def _readable(c: MetricComparison, name: str) -> bool:
    if name == "triangle":
        return c.data_sets.bayes is not None and c.pair(*c.data_sets.front).probabilities is not None
    if name not in _LIMITS:
        return True
    most, datasets, _ = _LIMITS[name]
    return len(c.names) <= most and (datasets is None or c.table.n_datasets <= datasets)


def not_drawn(c: MetricComparison) -> Text | None:
    """Which plots over data sets are too large to be read."""
    had = {} if c.over is None else drawings(c)
    missing = [words for name, (_, _, words) in _LIMITS.items() if name in had and not had[name].on_page]
    if not missing:
        return None
    size = f"{len(c.names)} learners on {c.table.n_datasets} data sets"
    text = f"{name_list(missing)}, which can't be read with {size}. Their numbers are in the tables. {REST}"
    return Text(lead="Not drawn:", text=text)
