"""Draw a study's chart: bars, lines or points, with error bars, a level and a diagonal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.report.style import COLOURS, RULE, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from foldwise.lab.papers.rows import Chart, Series

__all__ = ["draw_chart"]

MARKERS = "os^Dv<>pX*hP"


def draw_chart(chart: Chart) -> Figure:
    """Return the chart as a Matplotlib figure.

    Parameters
    ----------
    chart
        What is to be drawn; nothing is computed here.
    """
    many = len(chart.series) > 5 or sum(len(series.x) for series in chart.series) > 40
    ax = new_axes(None, width=6.4 if many or chart.kind == "bars" else 5.2, height=3.8)
    {"bars": _bars, "lines": _lines, "points": _points}[chart.kind](ax, chart)
    if chart.level is not None:
        ax.axhline(chart.level, color=RULE, linewidth=1.2, linestyle="--", zorder=0)
    if chart.diagonal:
        _diagonal(ax)
    ax.set(
        title=plain(chart.title, limit=70), xlabel=plain(chart.x_label, limit=60), ylabel=plain(chart.y_label, limit=60)
    )
    if any(series.name for series in chart.series):
        ax.legend(frameon=False, fontsize=7.5, ncols=2 if len(chart.series) > 4 else 1)
    figure = ax.get_figure()
    assert figure is not None
    return figure  # type: ignore[return-value]


def _bars(ax: Axes, chart: Chart) -> None:
    words = list(dict.fromkeys(str(x) for series in chart.series for x in series.x))
    width = 0.8 / len(chart.series)
    for i, series in enumerate(chart.series):
        places = np.array([words.index(str(x)) for x in series.x]) - 0.4 + (i + 0.5) * width
        ax.bar(places, series.y, width * 0.92, color=_colour(i), label=series.name, yerr=_reach(series), capsize=1.5,
               error_kw={"linewidth": 0.8})  # fmt: skip
    rotate = max(map(len, words)) * len(words) > 70
    ax.set_xticks(range(len(words)), [plain(word) for word in words], rotation=25 if rotate else 0,
                  ha="right" if rotate else "center", fontsize=8)  # fmt: skip


def _lines(ax: Axes, chart: Chart) -> None:
    for i, series in enumerate(chart.series):
        ax.errorbar(_numbers(series), series.y, yerr=_reach(series), color=_colour(i), marker=MARKERS[i % len(MARKERS)],
                    markersize=3.5, linewidth=1.1, capsize=1.5, elinewidth=0.6, label=series.name,
                    linestyle="-" if i < len(COLOURS) else "--")  # fmt: skip


def _points(ax: Axes, chart: Chart) -> None:
    for i, series in enumerate(chart.series):
        ax.plot(
            _numbers(series), series.y, MARKERS[i % len(MARKERS)], markersize=3, color=_colour(i), label=series.name
        )


def _diagonal(ax: Axes) -> None:
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    ends = [max(left, bottom), min(right, top)]
    ax.plot(ends, ends, color=RULE, linewidth=1.2, zorder=0)


def _numbers(series: Series) -> list[float]:
    return [float(x) for x in series.x]


def _reach(series: Series) -> list[list[float]] | None:
    if not series.low:
        return None
    below = [max(y - low, 0.0) for y, low in zip(series.y, series.low, strict=True)]
    return [below, [max(high - y, 0.0) for y, high in zip(series.y, series.high, strict=True)]]


def _colour(i: int) -> str:
    return COLOURS[i % len(COLOURS)]
