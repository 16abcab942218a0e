"""Plots of the evidence about two models: splits, items, outcomes, seeds, blocks."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.units import percents
from foldwise.designs.readers import Readings
from foldwise.evidence.items import Items
from foldwise.evidence.scores import BlockScores, Scores
from foldwise.evidence.seed_marks import SeedMarks
from foldwise.render.plots.comparison import difference_label, note_winners
from foldwise.render.style import INK, RULE, SAME, A, B, new_axes, plain, told_apart, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.comparison.by_metric import MetricComparison
    from foldwise.core.types import Array


def _mean_and_band(c: MetricComparison, span: Callable[..., object], line: Callable[..., object]) -> None:
    """The mean as a line, over zero and its interval, across the axis of differences."""
    scale = percents(c.unit)
    if c.interval is not None:
        low, high = float(c.interval.low) * scale, float(c.interval.high) * scale
        span(low, high, color=INK, alpha=0.15, linewidth=0, label="interval")
    line(0, color=RULE, linewidth=1)
    line(c.estimate * scale, color=INK, linewidth=1.4, label="mean")


def plot_differences(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """Each split's difference a − b as a dot (one column per run), the mean as a line, its interval as a band.

    `c` is a comparison from scores, or of modalities over readers, each of whom is a dot.
    """
    if not isinstance(c.evidence, Scores | Readings):
        raise InvalidInput("plot_differences needs a comparison from scores, got one from predictions")
    read = isinstance(c.evidence, Readings)
    ax, scale = new_axes(ax), percents(c.unit)
    x = c.evidence.differences * scale
    runs = np.indices(x.shape)[0].ravel() + 1 if x.ndim == 2 and len(x) > 1 else np.arange(x.size) + 1
    wins = (x.ravel() > 0) == c.higher_is_better
    _mean_and_band(c, ax.axhspan, ax.axhline)
    colours = np.where(x.ravel() == 0, INK, np.where(wins, A, B)).tolist()
    ax.scatter(runs, x.ravel(), s=16, c=colours, alpha=0.75, linewidths=0, label="readers" if read else "splits")
    whole_numbers(ax.xaxis)
    ax.set_xlabel("run" if x.ndim == 2 and len(x) > 1 else "fold" if x.ndim == 2 else "reader" if read else "split")
    note_winners(ax, c)
    return ax


BARS = 40  # Most bars, an even number: none of them reaches over 0.


def plot_item_differences(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """A histogram of the differences a − b on the items, the mean as a line, its interval as a band.

    `c` is a comparison from marks.
    """
    if not isinstance(c.evidence, Items):
        raise InvalidInput(f"plot_item_differences needs a comparison from marks, got one from {c.design}")
    ax, scale = new_axes(ax), percents(c.unit)
    x = c.evidence.differences * scale
    reach = float(np.abs(x).max()) or 1.0
    left, right = (A, B) if not c.higher_is_better else (B, A)
    edges = np.linspace(-reach, reach, BARS + 1)
    for part, colour in ((x[x < 0], left), (x[x > 0], right)):
        ax.hist(part, bins=edges.tolist(), color=colour, alpha=0.75)
    equal = int((x == 0).sum())
    if equal:
        ax.bar(0, equal, width=reach / BARS, color=SAME, label=f"equal on {equal}")
    _mean_and_band(c, ax.axvspan, ax.axvline)
    ax.set(xlabel=difference_label(c), ylabel="items")
    return ax


def plot_cumulative(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """The sum of the differences a − b up to each period, and the band in which it stays where there is none.

    `c` is a comparison in order of time.
    """
    if not isinstance(c.evidence, Items) or c.evidence.times is None:
        raise InvalidInput(f"plot_cumulative needs a comparison in order of time, got one from {c.design}")
    ax, scale = new_axes(ax), percents(c.unit)
    x = c.evidence.differences * scale
    periods = np.arange(1, len(x) + 1)
    if c.interval is not None:
        half = (float(c.interval.high) - float(c.interval.low)) / 2 * scale * np.sqrt(len(x) * periods)
        ax.fill_between(periods, -half, half, color=INK, alpha=0.15, linewidth=0, label="no difference")
    total = np.cumsum(x)
    ax.axhline(0, color=RULE, linewidth=1)
    ax.plot(periods, total, color=A if (total[-1] > 0) == c.higher_is_better else B, linewidth=1.4)
    words = [re.sub(r"[T ]00:00(:00(\.0+)?)?$", "", str(time)) for time in c.evidence.times]
    shown = 4 if max(map(len, words)) <= len("2024-01-31") else 2
    marks = np.unique(np.linspace(0, len(x) - 1, shown).round().astype(int))
    ax.set_xticks(periods[marks], [words[place] for place in marks])
    ax.set(xlabel="", ylabel="sum of differences\n" + " − ".join(told_apart(c.names, limit=16)))
    return ax


GAP = 0.012  # Between the tiles, as a share of the side.


def plot_outcomes(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """All test examples as a square of four tiles whose areas are the counts; only two of them tell a from b.

    `c` is a comparison from predictions.
    """
    if not isinstance(c.evidence, Items) or not c.evidence.right_wrong:
        raise InvalidInput("plot_outcomes needs a comparison from predictions, got one from scores")
    from matplotlib.patches import Rectangle

    ax = new_axes(ax)
    a, b = told_apart(c.names, limit=18)
    # left column: they agree; right column: they disagree; in each, right (or a right) above
    n00, n01, n10, n11 = c.evidence.cells
    agree, disagree = n11 + n00, n10 + n01
    tiles = [
        _Tile("both right", n11, 0, agree, SAME, top=True),
        _Tile("both wrong", n00, 0, agree, SAME, top=False),
        _Tile(f"only {a} right", n10, agree, disagree, A, top=True),
        _Tile(f"only {b} right", n01, agree, disagree, B, top=False),
    ]
    for i, tile in enumerate(tiles):
        height = tile.count / max(tile.column, 1)
        corner = tile.left / c.evidence.n, 1 - height if tile.top else 0.0
        size = max(tile.column / c.evidence.n - GAP, 0), max(height - GAP, 0)
        ax.add_patch(Rectangle(corner, *size, facecolor=tile.colour, alpha=0.8, linewidth=0, label=tile.label))
        # counts beside the square, because a tile may be too small for its own
        y, colour = 0.86 - 0.24 * i, INK if tile.colour == SAME else tile.colour
        ax.text(1.05, y, f"{tile.count}", color=INK, fontsize=13, va="bottom")
        ax.text(1.05, y - 0.02, tile.label, color=colour, fontsize=9, va="top")
    ax.set(xlim=(0, 1.75), ylim=(0, 1), xticks=[], yticks=[], aspect="equal")
    for spine in ax.spines.values():
        spine.set_visible(False)
    return ax


@dataclass(frozen=True, slots=True)
class _Tile:
    """One cell of the table: its count, and the column of the square it is a part of."""

    label: str
    count: int
    left: int
    column: int
    colour: str
    top: bool


def plot_seeds(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """A dot for each training of each model, at its mean over the items; paired seeds are joined by a line.

    `c` is a comparison of several seeds.
    """
    if not isinstance(c.evidence, SeedMarks):
        raise InvalidInput(f"plot_seeds needs a comparison of several seeds, got one from {c.design}")
    ax, scale = new_axes(ax), percents(c.unit)
    means = [part.mean(axis=1) * scale for part in c.evidence.values]
    if c.evidence.paired:
        ax.plot([0, 1], np.array(means), color=RULE, linewidth=0.8)
    for place, (values, colour) in enumerate(zip(means, (A, B), strict=True)):
        ax.scatter(np.full(len(values), place), values, s=18, c=colour, alpha=0.75, linewidths=0)
        ax.hlines(float(values.mean()), place - 0.12, place + 0.12, color=INK, linewidth=1.4)
    ax.set_xticks([0, 1], told_apart(c.names, limit=24))
    ax.set(xlim=(-0.5, 1.5), ylabel=plain(c.metric, limit=30) + ("" if c.unit == "own" else " (%)"))
    return ax


SHADES = 41
"""Colours of the map; beyond 50 the bar beside it would become a bitmap. Odd, so that no difference has no colour."""


def draw_map(c: MetricComparison, x: Array, ax: Axes) -> None:
    """Draw differences a − b, in the unit that is shown, as colours: none has no colour, each learner has a hue.

    Shades differ in how much of the paper shows through, so that large differences stand out on dark pages too.
    """
    from matplotlib.colors import ListedColormap, to_rgba

    reach = float(np.nanmax(np.abs(x))) or 1.0
    ends = (B, A) if c.higher_is_better else (A, B)
    shares = np.linspace(-1, 1, SHADES)
    colours = ListedColormap([to_rgba(ends[int(share > 0)], alpha=abs(share)) for share in shares], name="foldwise")
    edges = [np.arange(size + 1) + 0.5 for size in x.shape]
    mesh = ax.pcolormesh(edges[1], edges[0], x, cmap=colours, vmin=-reach, vmax=reach, linewidth=0)
    bar = ax.figure.colorbar(mesh, ax=ax, shrink=0.85)
    bar.outline.set_visible(False)
    bar.ax.tick_params(colors=INK, labelsize=8, length=2)
    assert bar.solids is not None
    bar.solids.set(edgecolor="none", linewidth=0)  # edges would overlap, and show through each other
    bar.set_label(difference_label(c), color=INK, fontsize=9)
    ax.invert_yaxis()
    for axis in (ax.xaxis, ax.yaxis):
        whole_numbers(axis)


def plot_heat_map(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """The difference a − b on each fold of each run as a colour: none has no colour, each learner has a hue.

    `c` is a comparison from the scores of a cross-validation.
    """
    if not isinstance(c.evidence, Scores) or len(c.evidence.shape) != 2:
        raise InvalidInput("plot_heat_map needs a comparison from scores of shape (runs, folds)")
    ax = new_axes(ax)
    draw_map(c, c.evidence.differences * percents(c.unit), ax)
    ax.set(xlabel="fold", ylabel="run")
    return ax


def plot_block_map(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """The difference a − b on each block with each other one left out, as a colour; a square for each dealing.

    `c` is a comparison from a round robin.
    """
    if not isinstance(c.evidence, BlockScores):
        raise InvalidInput("plot_block_map needs a comparison from a round robin")
    ax = new_axes(ax)
    x = np.where(c.evidence.apart, c.evidence.tables, np.nan) * percents(c.unit)
    across = math.ceil(math.sqrt(1.5 * len(x)))  # squares on paper that is wider than high
    draw_map(c, _side_by_side(x, across), ax)
    ax.set(xlabel="block tested", ylabel="block left out")
    if len(x) > 1:
        _frame(ax, len(x), c.evidence.blocks, across)
    return ax


def _side_by_side(tables: Array, across: int) -> Array:
    """Tables in rows of so many, with a gap of one block around each."""
    down = math.ceil(len(tables) / across)
    framed = np.pad(tables, ((0, down * across - len(tables)), (0, 1), (0, 1)), constant_values=np.nan)
    size = framed.shape[-1]
    rows = framed.reshape(down, across, size, size).swapaxes(1, 2)
    return rows.reshape(down * size, across * size)[:-1, :-1]


def _frame(ax: Axes, dealings: int, blocks: int, across: int) -> None:
    """A line around each square in place of the numbers of blocks."""
    from matplotlib.patches import Rectangle

    ax.set(xticks=[], yticks=[], aspect="equal")
    ax.spines[:].set_visible(False)
    for dealing in range(dealings):
        down, right = divmod(dealing, across)
        corner = right * (blocks + 1) + 0.5, down * (blocks + 1) + 0.5
        line = Rectangle(corner, blocks, blocks, fill=False, edgecolor=INK, linewidth=0.5, alpha=0.4, clip_on=False)
        ax.add_patch(line)


def plot_deletions(c: MetricComparison, ax: Axes | None = None) -> Axes:
    """Per block the mean difference with it left out, and on it, one dealing after the other.

    `c` is a comparison from a round robin.
    """
    if not isinstance(c.evidence, BlockScores):
        raise InvalidInput("plot_deletions needs a comparison from a round robin")
    ax, scale, g = new_axes(ax), percents(c.unit), c.evidence.blocks
    without, on = (c.evidence.tables.sum(axis=axis).ravel() * scale / (g - 1) for axis in (2, 1))
    place = np.arange(without.size) + 1
    _mean_and_band(c, ax.axhspan, ax.axhline)
    ax.scatter(place, on, s=16, facecolors="none", edgecolors=B, linewidths=0.8, label="tested")
    ax.scatter(place, without, s=16, c=A, alpha=0.75, linewidths=0, label="left out")
    whole_numbers(ax.xaxis)
    ax.set_xlabel("block")
    ax.legend(frameon=False, fontsize=8)
    note_winners(ax, c)
    return ax
