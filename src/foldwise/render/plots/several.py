"""Plots of several models on the same items, and of margins of every pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.labels import number_of
from foldwise.core.metric import metric_words
from foldwise.core.units import percents
from foldwise.designs.votes import Votes
from foldwise.document.comparison_tables import rank_words
from foldwise.render.style import (
    INK,
    RULE,
    SAME,
    A,
    B,
    dress,
    estimate_row,
    named_rows,
    new_axes,
    new_figure,
    plain,
    told_apart,
    whole_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.comparison.board import Leaderboard
    from foldwise.comparison.by_metric import MetricComparison
    from foldwise.comparison.comparison import Comparison
    from foldwise.comparison.costs import Frontier
    from foldwise.inference._votes import StrengthsResult


_NAME = 16  # Characters of a name beside two panels.


def plot_models(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """Each model's difference from the leading one, or the control, and the ranks that it may have."""
    ax, ranks = _panels(len(c.names), len(c.names)) if ax is None else (dress(ax), None)
    reference = c.control or c.ranking[0]
    ax.axvline(0, color=INK, linewidth=0.9, linestyle="--")
    for place, name in enumerate(c.ranking):
        colour = A if name in c.best_set else SAME
        estimate, limits = _from_reference(c, name, reference)
        estimate_row(ax, place, estimate, limits, colour, dot="D" if name == reference else "o")
        if ranks is not None:
            low, high = c.ranks[name]
            ranks.plot([low - 0.3, high + 0.3], [place, place], color=colour, linewidth=6, solid_capstyle="butt")
    short = dict(zip(c.ranking, told_apart(c.ranking, limit=_NAME), strict=True))
    named_rows(ax, [short[name] + ("" if ranks is not None else f" ({rank_words(c, name)})") for name in c.ranking])
    unit = "" if c.unit == "own" else " (points)"
    ax.set_xlabel(f"{plain(c.metric, limit=20)}, minus {short[reference]}{unit}")
    return ax


MOST_LINES = 8  # Models that are told apart by their lines.


def plot_slices(m: Comparison, ax: Axes | None = None) -> Axes:
    """Each model's mean on each slice with its interval: the loss by horizon, where slices are horizons."""
    if m.slices is None:
        raise InvalidInput("plot_slices needs a comparison with slices")
    labels = list(m.slices.verdicts)
    moments = [number_of(label) for label in labels]
    known = [one for one in moments if one is not None]
    labels = sorted(labels, key=lambda label: number_of(label) or 0.0) if len(known) == len(labels) else labels
    parts = [m.slices.verdicts[label].parts[0] for label in labels]
    names = [name for name in parts[0].ranking if name in m.models][:MOST_LINES]
    ax, scale = new_axes(ax, width=max(4.6, 1.6 + 0.45 * len(labels))), percents(parts[0].unit)
    for row, (name, short) in enumerate(zip(names, told_apart(names, limit=_NAME), strict=True)):
        places = [part.names.index(name) for part in parts]
        means = np.array([float(part.evidence.means[at]) for part, at in zip(parts, places, strict=True)]) * scale
        spans = [part.mean_intervals for part in parts]
        limits = np.array(
            [[np.asarray(one.low)[at], np.asarray(one.high)[at]] for one, at in zip(spans, places, strict=True)]
        )
        colour = (A, B, INK)[row] if row < 3 else f"C{row}"
        x = np.arange(len(labels)) + (row - (len(names) - 1) / 2) * 0.6 / max(len(names), 2)
        ax.vlines(x, limits[:, 0] * scale, limits[:, 1] * scale, color=colour, linewidth=2, alpha=0.5)
        ax.plot(x, means, "o-", color=colour, markersize=4, linewidth=1, label=short)
    ax.set_xticks(range(len(labels)), told_apart(labels, limit=12), rotation=30 if len(labels) > 8 else 0)
    unit = "" if parts[0].unit == "own" else " (%)"
    ax.set(xlabel=m.slices.column, ylabel=plain(metric_words(parts[0].metric), limit=24) + unit)
    ax.legend(frameon=False, fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=min(len(names), 4))
    return ax


def plot_strengths(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """The strengths behind votes with their intervals, the strongest first."""
    found = _strengths(c)
    span = found.intervals(1 - c.alpha)
    low, high = np.asarray(span.low), np.asarray(span.high)
    order = np.argsort(-found.strengths, kind="stable")
    ax = new_axes(ax, height=1.1 + 0.28 * len(order))
    ax.axvline(0, color=INK, linewidth=0.9, linestyle="--")
    for at, place in enumerate(order.tolist()):
        colour = A if found.names[place] in c.best_set else SAME
        estimate_row(ax, at, found.strengths[place], [low[place], high[place]], colour)
    named_rows(ax, told_apart([found.names[place] for place in order]))
    ax.set_xlabel("strength")
    return ax


def _strengths(c: MetricComparison) -> StrengthsResult:
    if not isinstance(c.evidence, Votes):
        raise InvalidInput("strengths are of votes, but this comparison has none")
    return c.evidence.strengths


MOST_CELLS = 14  # Models up to which each cell of the win matrix has its number.


def plot_win_matrix(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """Who wins how often against whom: rows against columns, the strongest first."""
    found = _strengths(c)
    order = np.argsort(-found.strengths, kind="stable")
    wins = found.wins[np.ix_(order, order)]
    met = wins + wins.T
    with np.errstate(invalid="ignore"):
        share = np.where(met > 0, 100 * wins / met, np.nan)
    k = len(order)
    ax = new_axes(ax, width=1.6 + (0.32 if k <= MOST_CELLS else 0.13) * k, height=1.6 + 0.3 * k)
    ax.set_facecolor(RULE)
    ax.imshow(share, vmin=0, vmax=100, cmap="PuOr_r", aspect="auto", alpha=0.85)
    names = told_apart([found.names[place] for place in order], limit=15)
    font = 8 if k <= MOST_CELLS else 6.5
    ax.set_xticks(range(k), names, rotation=90, fontsize=font)
    ax.set_yticks(range(k), names, fontsize=font)
    for row, column in np.argwhere(met > 0) if k <= MOST_CELLS else ():
        ax.text(column, row, f"{share[row, column]:.0f}", ha="center", va="center", fontsize=8, color=INK)
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    ax.set_xlabel("votes (%) that the row\nwins against the column")
    return ax


def plot_frontier(f: Frontier, ax: Axes | None = None) -> Axes:
    ax = new_axes(ax, height=3.8)
    scale, quality, cost = percents(f.unit), f.quality, f.found.cost
    up = quality if f.higher_is_better else -quality
    order = np.argsort(cost, kind="stable")
    best = [i for n, i in enumerate(order) if n == 0 or up[i] > up[order[:n]].max()]
    ax.step(cost[best], scale * quality[best], where="post", color=RULE, linewidth=1)
    for i, name in enumerate(told_apart(f.models, limit=18)):
        status = f.found.status[i]
        colour = A if status == "on it" else SAME
        ax.plot(cost[i], scale * quality[i], "o", color=colour, markersize=6,
                markerfacecolor="none" if status == "undecided" else colour)  # fmt: skip
        near = any(0 <= cost[i] - cost[j] < 0.15 * np.ptp(cost) and abs(up[i] - up[j]) < 0.06 * np.ptp(up)
                   for j in range(len(cost)) if j != i)  # fmt: skip
        ax.annotate(name, (cost[i], scale * quality[i]), xytext=(5, -11 if near else 4), textcoords="offset points",
                    fontsize=8.5, color=INK)  # fmt: skip
    ax.margins(x=0.12, y=0.12)
    ax.set_xlabel(plain(f.cost))
    ax.set_ylabel(plain(metric_words(f.metric), limit=20) + ("" if f.unit == "own" else " (%)"))
    return ax


MOST_DRAWN = 60  # Lines of a leaderboard that can be read; of more the best are drawn, and the new one.


def plot_leaderboard(b: Leaderboard, ax: Axes | None = None) -> Axes:
    """Each model's mean with its interval, and the ranks that it may have."""
    new = None if b.entry is None else b.entry.model
    drawn = [place for at, place in enumerate(b.places) if at < MOST_DRAWN or place.model == new]
    most = max(place.last for place in drawn)
    ax, ranks = _panels(len(drawn), most) if ax is None else (dress(ax), None)
    scale = percents(b.unit)
    for at, place in enumerate(drawn):
        colour = B if place.model == new else A if place.may_be_best else SAME
        estimate_row(ax, at, scale * place.mean, [scale * place.low, scale * place.high], colour)
        if ranks is not None:
            ends = [place.first - 0.3, place.last + 0.3]
            ranks.plot(ends, [at, at], color=colour, linewidth=6, solid_capstyle="butt")
    names = told_apart([place.model for place in drawn], limit=_NAME)
    ranges = ["" if ranks is not None else f" ({place.ranks})" for place in drawn]
    named_rows(ax, [name + extent for name, extent in zip(names, ranges, strict=True)])
    ax.set_xlabel(f"{plain(metric_words(b.metric), limit=20)}" + ("" if b.unit == "own" else " (%)"))
    return ax


def _panels(rows: int, most: int) -> tuple[Axes, Axes]:
    """Two panels side by side: values, and ranks up to so many."""
    figure = new_figure(height=1.1 + 0.28 * rows)
    ax, ranks = figure.subplots(1, 2, sharey=True, width_ratios=(2, 1))
    for axes in (ax, ranks):
        dress(axes)
    ranks.set_xlabel("rank")
    ranks.set_xlim(0.4, most + 0.6)
    whole_numbers(ranks.xaxis)
    ranks.grid(axis="x", color=RULE, linewidth=0.5)
    ranks.spines["left"].set_visible(False)
    ranks.tick_params(axis="y", length=0)
    ax.locator_params(axis="x", nbins=5)
    ranks.locator_params(axis="x", nbins=6)
    return ax, ranks


def _from_reference(c: MetricComparison, name: str, reference: str) -> tuple[float, list[float]]:
    """How much the model differs from the reference, and between what limits, as the axis shows it."""
    if name == reference:
        return 0.0, []
    pair, scale = c.pair(name, reference), percents(c.unit)
    sign = scale if pair.a == name else -scale
    return sign * pair.estimate, [] if pair.interval is None else [sign * pair.low, sign * pair.high]


_LETTER = 0.075  # Inches of a letter in the names beside the axis.


def plot_model_pairs(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """The difference of each pair, the better mean first, as a point and a line: blue where it is shown."""
    pairs = c.ordered_pairs
    short = dict(zip(c.names, told_apart(c.names, limit=15), strict=True))
    ahead = [(pair.estimate >= 0) == c.higher_is_better for pair in pairs]
    sides = [(pair.a, pair.b) if up else (pair.b, pair.a) for pair, up in zip(pairs, ahead, strict=True)]
    names = [f"{short[first]} − {short[second]}" for first, second in sides]
    ax = new_axes(ax, width=2.6 + _LETTER * max(24, *map(len, names)), height=1.0 + 0.24 * len(pairs))
    ax.axvline(0, color=INK, linewidth=0.9, linestyle="--")
    for place, (pair, up) in enumerate(zip(pairs, ahead, strict=True)):
        scale, colour = percents(c.unit) * (1 if up else -1), SAME if pair.better is None else A
        limits = [] if pair.interval is None else [scale * pair.low, scale * pair.high]
        estimate_row(ax, place, scale * pair.estimate, limits, colour, size=4.5)
    named_rows(ax, names, size=8)
    ax.set_xlabel(f"difference of {plain(metric_words(c.metric), limit=20)}" + ("" if c.unit == "own" else " (points)"))
    return ax


COLOURS = {"superior": A, "inferior": B}


def plot_margins(c: Any, ax: Axes | None = None) -> Axes:
    """A line for each pair, candidate − baseline, over the region within the margin; limits beyond all are cut off.

    `c` is a comparison of several learners with a margin.
    """
    if c.margin is None:
        raise InvalidInput("there is no picture of the margin without one: give margin")
    ax, scale = new_axes(ax, height=1.1 + 0.3 * len(c.ordered_pairs)), percents(c.shown_unit)
    ax.axvspan(-c.margin * scale, c.margin * scale, color=SAME, alpha=0.25, linewidth=0, label="margin")
    ax.axvline(0, color=RULE, linewidth=1)
    leads = [pair.lead for pair in c.ordered_pairs]
    ends = np.array([[np.nan, np.nan] if lead is None else [lead.low, lead.high] for lead in leads]) * scale
    reach = 1.2 * max(c.margin * scale, *np.abs(ends[np.isfinite(ends)]).tolist(), 0.0)
    for place, (pair, (low, high)) in enumerate(zip(c.ordered_pairs, np.clip(ends, -reach, reach), strict=True)):
        colour = COLOURS.get(str(pair.conclusion), INK)
        ax.plot([low, high], [place, place], color=colour, linewidth=3, solid_capstyle="butt", label=pair.conclusion)
    short = dict(zip(c.names, told_apart(c.names, limit=14), strict=True))
    names = [f"{short[pair.candidate]} − {short[pair.baseline]}" for pair in c.ordered_pairs]
    named_rows(ax, names)
    ax.set(xlim=(-reach, reach), xlabel=plain(c.metric) + ("" if c.shown_unit == "own" else " (points)"))
    return ax
