"""Plots of a comparison of two models: the answer, its margin, its posterior, its power."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foldwise.core.errors import DegenerateData, InvalidInput
from foldwise.core.metric import metric_words
from foldwise.core.units import difference_text, percents, probability, span_text
from foldwise.designs.findings import PosteriorCurve
from foldwise.document.headline import SAME_SAID
from foldwise.inference.equivalence import Probabilities
from foldwise.render.style import (
    INK,
    RULE,
    SAME,
    A,
    B,
    estimate_row,
    named_rows,
    new_axes,
    plain,
    told_apart,
    whole_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.comparison.by_metric import MetricComparison
    from foldwise.comparison.comparison import Comparison
    from foldwise.comparison.from_stream import Watch

_LONGEST_LABEL = 38  # Characters beside a plot of the usual height.


def difference_label(c: MetricComparison | Watch) -> str:
    """What the axis of differences shows; long names in a line of their own."""
    unit = "" if c.unit == "own" else " (points)"
    metric, names = plain(c.metric, limit=20), " − ".join(told_apart(c.models, limit=_LONGEST_LABEL // 2 - 2))
    fits = len(metric) + len(names) + len(unit) <= _LONGEST_LABEL
    return f"{metric}, {names}{unit}" if fits else f"{metric}{unit}\n{names}"


def note_winners(ax: Axes, c: MetricComparison | Watch) -> None:
    """Name the axis of differences, and say above it who is better on which side of zero."""
    above, below = told_apart(c.models if c.higher_is_better else c.models[::-1], limit=20)
    ax.set_ylabel(difference_label(c))
    ax.set_title(f"above 0: {above} better\nbelow 0: {below} better", loc="left", fontsize=9, color=INK)


def side_words(ax: Axes, c: MetricComparison) -> None:
    """Say above the axes of differences who is better on which side of zero."""
    a, b = zip(told_apart(c.names, limit=16), (A, B), strict=True)
    left, right = (b, a) if c.higher_is_better else (a, b)
    for (name, colour), place, align in ((left, 0.0, "left"), (right, 1.0, "right")):
        ax.text(
            place, 1.03, f"{name} better", transform=ax.transAxes, ha=align, va="bottom", fontsize=8.5, color=colour
        )


_ROOM = 0.08  # Empty space on either side, as a share of what is shown.

_LINE_ENDS, _NEAREST = 0.68, 0.3

"""Where zero ends below the words, and how near their middle may come to a side, as shares of the axes."""


def plot_effect(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """The estimate with its interval, over zero and the region of practical equivalence.

    `c` is a comparison of two learners; what has no interval is drawn as a dot alone.
    """
    ax, scale = new_axes(ax, height=2.1), percents(c.unit)
    colour = INK if c.better is None else A if c.better == c.names[0] else B
    limits = _limits(c, scale)
    if c.rope > 0:
        ax.axvspan(-c.rope * scale, c.rope * scale, color=SAME, alpha=0.25, linewidth=0, label="does not matter")
    ax.axvline(0, ymax=_LINE_ENDS, color=INK, linewidth=0.9, linestyle="--", label="zero")
    if limits:
        ax.plot(limits, [0, 0], color=colour, linewidth=3.5, solid_capstyle="butt", label="interval")
    ax.plot([c.estimate * scale], [0], marker="o", markersize=9, color=colour, linestyle="none", label="difference")
    low, high = _reach([*limits, c.estimate * scale, 0.0], c)
    ax.set(xlabel=difference_label(c), yticks=[], ylim=(-1, 1.4), xlim=(low, high))
    ax.spines["left"].set_visible(False)
    place = min(max((c.estimate * scale - low) / (high - low), _NEAREST), 1 - _NEAREST)
    ax.text(place, 0.8, _words(c), transform=ax.transAxes, ha="center", va="center", color=INK, fontsize=9.5)
    side_words(ax, c)
    return ax


def _limits(c: MetricComparison, scale: float) -> list[float]:
    if c.interval is None:
        return []
    found = [float(c.interval.low) * scale, float(c.interval.high) * scale]
    return found if all(map(math.isfinite, found)) else []


def _reach(shown: list[float], c: MetricComparison) -> tuple[float, float]:
    """From end to end, with the region as far as it does not dwarf the interval."""
    spread = max(shown) - min(shown)
    rope = min(c.rope * percents(c.unit), max(2 * spread, *map(abs, shown))) or 1.0
    low, high = min(*shown, -rope), max(*shown, rope)
    room = _ROOM * (high - low)
    return low - room, high + room


def _words(c: MetricComparison) -> str:
    span = "" if c.interval is None else f"   ({span_text(c.interval, c.unit)})"
    return plain(difference_text(c.estimate, c.unit) + span, limit=60)


def plot_margin(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """The estimate with its interval and its one-sided limits, over the region within the margin.

    `c` is a comparison with a margin.
    """
    if c.margin is None:
        raise InvalidInput("there is no picture of the margin without one: give margin")
    ax, scale = new_axes(ax, height=1.9), percents(c.unit)
    ax.axvspan(-c.margin * scale, c.margin * scale, color=SAME, alpha=0.25, linewidth=0, label="margin")
    ax.axvline(0, color=RULE, linewidth=1)
    _line(ax, c, "interval", width=1.2, scale=scale)
    _line(ax, c, "limits", width=3.5, scale=scale)
    ax.plot([c.estimate * scale], [0], marker="o", markersize=6, color=INK, label="difference")
    side_words(ax, c)
    ax.text(0.5, 1.03, str(c.conclusion), transform=ax.transAxes, ha="center", va="bottom", fontsize=9.5, color=INK)
    ax.set(xlabel=difference_label(c), yticks=[], ylim=(-1, 1))
    ax.spines["left"].set_visible(False)
    return ax


def _line(ax: Axes, c: MetricComparison, name: str, *, width: float, scale: float) -> None:
    found = getattr(c, name)
    if found is None or not all(math.isfinite(limit) for limit in (found.low, found.high)):
        return
    ends = [float(found.low) * scale, float(found.high) * scale]
    ax.plot(ends, [0, 0], color=INK, linewidth=width, solid_capstyle="butt", label=name)


def plot_posterior(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """Posterior density of a − b in three colours: one learner better, practically the same, the other better.

    `c` is a comparison whose posterior is not a single point.
    """
    curve, p = c.posterior(), c.rope_probabilities
    if not isinstance(curve, PosteriorCurve) or p is None:
        raise DegenerateData("all differences are the same, so that their variance and the posterior are unknown")
    ax, scale = new_axes(ax), percents(c.unit)
    x, y = curve.difference * scale, curve.density / scale
    for region in _regions(c, p, c.rope * scale):
        inside = (x >= region.low) & (x <= region.high)
        ax.fill_between(x, y, where=inside.tolist(), color=region.colour, alpha=0.75, linewidth=0, label=region.name)
        words = f"{region.name}\n{probability(region.share)}"
        colour = INK if region.colour == SAME else region.colour
        ax.text(region.place, 1.03, words, transform=ax.transAxes, ha=region.align, va="bottom", fontsize=8.5,
                color=colour)  # fmt: skip
    ax.plot(x, y, color=INK, linewidth=1)
    ax.axvline(0, color=RULE, linewidth=0.8)
    ax.set(xlabel=difference_label(c), yticks=[], ylim=(0, None), xlim=(x[0], x[-1]))
    ax.spines["left"].set_visible(False)
    return ax


@dataclass(frozen=True, slots=True)
class _Region:
    """A part of the axis of differences, and who wins there."""

    name: str
    share: float
    colour: str
    low: float
    high: float
    align: str

    @property
    def place(self) -> float:
        return {"left": 0.0, "center": 0.5, "right": 1.0}[self.align]


def _regions(c: MetricComparison, p: Probabilities, rope: float) -> list[_Region]:
    a, b = told_apart(c.names, limit=14)
    sides = [(b, float(p.b_better), B), (a, float(p.a_better), A)]
    if not c.higher_is_better:
        sides.reverse()
    (left, left_share, left_colour), (right, right_share, right_colour) = sides
    return [
        _Region(f"{left} better", left_share, left_colour, -math.inf, -rope, "left"),
        _Region(SAME_SAID, float(p.equivalent), SAME, -rope, rope, "center"),
        _Region(f"{right} better", right_share, right_colour, rope, math.inf, "right"),
    ]


GOAL = 0.8  # The power that the detectable difference is about.


def plot_power(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """Probability of finding a difference by its size; the detectable one, found with power 0.8, is marked.

    `c` is a comparison with a detectable difference.
    """
    curve = c.power_curve()
    if curve is None or c.detectable_difference is None:
        raise DegenerateData("the differences do not vary, so that nothing is known about the power of the design")
    ax, scale = new_axes(ax), percents(c.unit)
    x = curve.difference * scale
    ax.axhline(c.alpha, color=RULE, linewidth=0.8, linestyle=":")
    ax.plot(x, curve.power, color=A, linewidth=1.8)
    if c.detectable_difference <= curve.difference[-1]:
        ax.plot([c.detectable_difference * scale], [GOAL], marker="o", color=INK, markersize=5, linestyle="none")
        words = f"{difference_text(c.detectable_difference, c.unit)}:\nfound 4 times in 5"
        ax.annotate(words, (c.detectable_difference * scale, GOAL), xytext=(8, -4), textcoords="offset points",
                    va="top", fontsize=9, color=INK)  # fmt: skip
    unit = "" if c.unit == "own" else " (points)"
    ax.set(xlabel=f"true difference of {plain(c.metric, limit=20)}{unit}", ylabel="chance of finding it")
    ax.set(ylim=(0, 1.02), xlim=(0, x[-1]))
    return ax


def plot_replicability(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """One tile per partitioning, in the colour of its verdict; the first is the one reported.

    `c` is a comparison made with `replicate`.
    """
    if c.replicability is None:
        raise InvalidInput("plot_replicability needs verdicts over partitionings; compare with replicate=10")
    ax = new_axes(ax, height=1.5)
    verdicts: tuple[str | None, ...] = c.replicability.verdicts
    colours = {"a": A, "b": B, None: SAME}
    ax.bar(range(1, len(verdicts) + 1), 1, width=0.85, color=[colours[v] for v in verdicts], linewidth=0)
    ax.set(yticks=[], ylim=(0, 1), xlabel="partitioning", xlim=(0.4, len(verdicts) + 0.6))
    whole_numbers(ax.xaxis)
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    a, b = told_apart(c.names, limit=16)
    words = {"a": f"{a} better", "b": f"{b} better", None: "no difference"}
    counted = [f"{words[v]}: {verdicts.count(v)}" for v in words if v in verdicts]
    ax.set_title(" · ".join(counted), loc="left", fontsize=9, color=INK)
    return ax


def plot_metrics(m: Comparison, ax: Axes | None = None) -> Axes:
    """The difference by each metric as a point and its interval as a line, in half-widths of that interval."""
    ax = new_axes(ax, width=5.4, height=1.1 + 0.3 * len(m))
    ax.axvline(0, color=INK, linewidth=0.9, linestyle="--")
    for place, c in enumerate(m.parts):
        better, sign = m.better_by(place), 1 if c.higher_is_better else -1
        colour = SAME if better is None else A if better == m.models[0] else B
        if c.interval is None:
            ax.plot([0], [place], "x", color=colour, markersize=5)
            continue
        low, high = float(c.interval.low), float(c.interval.high)
        scale = sign / ((high - low) / 2)
        estimate_row(ax, place, scale * c.estimate, [scale * low, scale * high], colour, size=4.5)
    named_rows(ax, [plain(metric_words(metric), limit=22) for metric in m.metrics], size=8)
    a, b = told_apart(m.models, limit=16)
    ax.set_xlabel(f"← {b} better · half-widths of the interval · {a} better →")
    return ax


LATE = 50  # The limits of the first 50th part of the items may be cut off: they begin at everything that is possible.


def plot_sequence(w: Watch, ax: Axes | None = None) -> Axes:
    """The estimate as a line and the limits as a band by the number of items, with a line at no difference.

    `w` is a comparison that is watched.
    """
    ax, scale, found = new_axes(ax), percents(w.unit), w.sequence
    if w.margin is not None:
        ax.axhspan(-w.margin * scale, w.margin * scale, color=SAME, alpha=0.25, linewidth=0, label="margin")
    ax.axhline(0, color=INK, linewidth=1)
    items = w.items_at(found.looks)
    ax.fill_between(items, found.low * scale, found.high * scale, color=A, alpha=0.25, linewidth=0, label="limits")
    ax.plot(items, found.estimate * scale, color=A, linewidth=1.6, label="difference")
    if w.shown_after is not None:
        ax.axvline(w.shown_after, color=RULE, linewidth=1, linestyle="--", label="shown")
    if items[0] > 0:
        _counts_by_factors(ax)
        late = items >= items[-1] / LATE
        ends = [*found.low[late], *found.high[late], 0.0]
        ax.set(xlim=(items[0], max(items[-1], items[0] + 1)), ylim=_around(min(ends) * scale, max(ends) * scale))
    ax.set_xlabel("items")
    note_winners(ax, w)
    return ax


def _around(low: float, high: float) -> tuple[float, float]:
    air = 0.08 * (high - low)
    return low - air, high + air


def _counts_by_factors(ax: Axes) -> None:
    """Whole numbers on a logarithmic axis, as plain text."""
    from matplotlib.ticker import NullFormatter, StrMethodFormatter

    ax.set_xscale("log")
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    ax.xaxis.set_minor_formatter(NullFormatter())
