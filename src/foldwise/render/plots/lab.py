"""Plots of what the lab measured, of plans, estimates and data sets, and the charts of studies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from foldwise.render.style import COLOURS, INK, RULE, SAME, A, B, named_rows, new_axes, plain, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from foldwise.comparison.error_estimate import EstimateSurvey
    from foldwise.comparison.power_plan import PowerPlan
    from foldwise.data.dataset import Description
    from foldwise.designs.findings import Curve
    from foldwise.inference.error_rates import IntervalSurvey
    from foldwise.lab.calibration import QQ, Calibration, CalibrationTable
    from foldwise.lab.papers.rows import Chart, PlottedSeries
    from foldwise.lab.rates import RateTable, ReplicabilityTable
    from foldwise.lab.rejection import PowerByNumber


def rate_bars(
    labels: Sequence[str], limits: Sequence[tuple[float, float, float]], colours: list[str], ax: Axes | None
) -> Axes:
    """Horizontal bars, the first on top, with error bars from low to high."""
    ax = new_axes(ax, height=0.9 + 0.28 * len(labels))
    places = range(len(labels))
    rates = [rate for rate, _, _ in limits]
    # the limits may miss the rate by rounding; an error bar must not be negative
    reach = [[max(rate - low, 0) for rate, low, _ in limits], [max(high - rate, 0) for rate, _, high in limits]]
    ax.barh(places, rates, height=0.65, color=colours, alpha=0.85, linewidth=0)
    ax.errorbar(rates, places, xerr=reach, fmt="none", ecolor=INK, elinewidth=1, capsize=2.5)
    ax.set_xlim(0, None)
    named_rows(ax, [plain(label, limit=34) for label in labels])
    return ax


def plot_rates(table: RateTable, ax: Axes | None = None) -> Axes:
    """How often each test rejects; for Type I errors the nominal levels are dashed, and tests above theirs orange.

    `table` is the outcome of a Type I error or power study.
    """
    levels = sorted({row.alpha for row in table.rows})
    labels = [row.test if len(levels) == 1 else f"{row.test}, level {row.alpha:g}" for row in table.rows]
    type_one = table.study == "type1"
    colours = [B if row.judgement == "broken" else A for row in table.rows]
    limits = [(row.rate, row.low, row.high) for row in table.rows]
    ax = rate_bars(labels, limits, colours, ax)
    for level in levels if type_one else ():
        ax.axvline(level, color=INK, linewidth=1, linestyle="--")
    ax.set_xlabel("Type I error" if type_one else "power")
    if not type_one:
        ax.set_xlim(0, 1)
    return ax


def plot_replicability_rates(table: ReplicabilityTable, ax: Axes | None = None) -> Axes:
    """On what share of the data sets all partitionings agree, for each test.

    `table` is the outcome of a replicability study.
    """
    limits = [(row.rate, row.low, row.high) for row in table.rows]
    ax = rate_bars([row.test for row in table.rows], limits, [A] * len(limits), ax)
    ax.set(xlabel="share of data sets on which all partitionings agree", xlim=(0, 1))
    return ax


def plot_qq(result: QQ, ax: Axes | None = None) -> Axes:
    """Observed p-values over expected ones; below the diagonal the test rejects too often; the band is chance.

    `result` is the outcome of a QQ study.
    """
    ax = new_axes(ax, height=3.6)
    expected = list(result.expected)
    low, high = [max(p - result.bound, 0) for p in expected], [min(p + result.bound, 1) for p in expected]
    ax.fill_between(expected, low, high, color=INK, alpha=0.12, linewidth=0, label="could be uniform")
    ax.plot([0, 1], [0, 1], color=INK, linewidth=0.9, linestyle="--")
    ax.plot(expected, result.observed, color=A if result.uniform else B, linewidth=1.6, label=plain(result.test))
    ax.set(xlabel="p expected if there is no difference", ylabel="p observed", xlim=(0, 1), ylim=(0, 1))
    ax.set_aspect("equal")
    return ax


DASHES = ("-", "--", ":", "-.")  # Told apart without colour; colours alone would not do for more than seven curves.


def plot_calibration(table: CalibrationTable, ax: Axes | None = None) -> Axes:
    """One curve per row of the table, the nominal levels dashed, and a dot at the calibrated degrees of freedom.

    `table` is the outcome of a calibration.
    """
    ax = new_axes(ax, height=3.0 + 0.16 * ((len(table.rows) + 1) // 2))
    low, high = table.df_range
    for level in sorted({row.alpha for row in table.rows}):
        ax.axhline(level, color=INK, linewidth=0.9, linestyle="--")
    for i, row in enumerate(table.rows):
        colour, dashes = COLOURS[i % 6], DASHES[(i // 6) % len(DASHES)]
        ax.plot(
            range(low, high + 1), row.curve, color=colour, linestyle=dashes, linewidth=1.4, label=_label(table, row)
        )
        if row.df:
            ax.plot([row.df], [row.rate], marker="o", markersize=4.5, color=colour, linestyle="none")
    ax.set(xlabel="degrees of freedom", ylabel="Type I error", xlim=(low, high), ylim=(0, None))
    # below the axes: the curves leave no corner free
    ax.legend(frameon=False, fontsize=7.5, labelcolor=INK, loc="upper center", bbox_to_anchor=(0.45, -0.2), ncols=2)
    return ax


def _label(table: CalibrationTable, row: Calibration) -> str:
    words = [plain(row.test, limit=30)]
    if len({other.runs for other in table.rows}) > 1:
        words.append(f"{row.runs} runs")
    if len({other.alpha for other in table.rows}) > 1:
        words.append(f"level {row.alpha:g}")
    return ", ".join(words) + (f" ({row.df} df)" if row.df else " (none)")


def plot_power_curve(curve: PowerByNumber, ax: Axes | None = None) -> Axes:
    """One line per test, with the error of the simulation.

    `curve` is the outcome of a power study over n or runs.
    """
    ax = new_axes(ax, width=6.4)
    for i, rates in enumerate(curve.curves):
        middle = np.array([rate.rate for rate in rates])
        reach = np.array([[rate.rate - rate.low for rate in rates], [rate.high - rate.rate for rate in rates]])
        colour = COLOURS[i % len(COLOURS)]
        ax.errorbar(curve.values, middle, yerr=np.maximum(reach, 0), color=colour, marker="o", markersize=4,
                    linewidth=1.4, capsize=2, label=plain(rates[0].test),
                    linestyle="-" if i < len(COLOURS) else "--")  # fmt: skip
    words = {"n": "examples", "runs": "runs of cross-validation"}
    ax.set(xlabel=words[curve.over], ylabel="power", ylim=(0, 1.02))
    whole_numbers(ax.xaxis)
    ax.legend(frameon=False, fontsize=7.5, labelcolor=INK)
    return ax


def plot_plan(plan: PowerPlan, ax: Axes | None = None) -> Axes:
    """Power over the number of examples, runs or data sets; the dot is the plan.

    `plan` is the outcome of `foldwise.plan`.
    """
    ax = new_axes(ax)
    sizes, powers = zip(*plan.curve, strict=True)
    ax.axhline(plan.alpha, color=RULE, linewidth=0.8, linestyle=":")
    ax.plot(sizes, powers, color=A, linewidth=1.8)
    ax.plot([plan.size], [plan.power], marker="o", color=INK, markersize=5, linestyle="none")
    ax.annotate(f"{plan.size:,} {plan.unit}:\npower {plan.power:.2f}", (plan.size, plan.power), xytext=(8, -6),
                textcoords="offset points", va="top", fontsize=9, color=INK)  # fmt: skip
    ax.set_xscale("log")
    ax.set(xlabel=plain(plan.unit), ylabel="chance of finding it", ylim=(0, 1.02), xlim=(sizes[0], sizes[-1]))
    _round_ticks(ax, sizes[0], sizes[-1])
    return ax


def _round_ticks(ax: Axes, low: int, high: int) -> None:
    """Whole numbers such as 50, 100, 200 on a logarithmic axis, not powers of ten."""
    from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

    steps = [digit * 10**power for power in range(9) for digit in (1, 2, 5)]
    inside = [step for step in steps if low <= step <= high]
    ax.xaxis.set_major_locator(FixedLocator(inside or [low, high]))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def plot_intervals(survey: IntervalSurvey, ax: Axes | None = None) -> Axes:
    """Each method's interval as a line: the one to use in blue, those that do not apply dotted; observed rate dashed.

    `survey` is all intervals for one error rate.
    """
    rows = [row for row in survey.rows if row.low is not None and row.high is not None]
    ax = new_axes(ax, height=0.9 + 0.26 * len(rows))
    ax.axvline(100 * float(survey.chosen.estimate), color=INK, linewidth=0.9, linestyle="--")
    for place, row in enumerate(rows):
        assert row.low is not None
        assert row.high is not None
        chosen = row.method == survey.chosen.method
        ax.plot(
            [100 * row.low, 100 * row.high], [place, place], color=A if chosen else SAME,
            linewidth=3 if chosen else 1.8, linestyle="-" if row.applicable else ":", marker="|", markersize=8,
            label=row.method,
        )  # fmt: skip
    named_rows(ax, [row.method.replace("_", " ") for row in rows])
    ax.set_xlabel("error rate (%)")
    return ax


def plot_estimates(survey: EstimateSurvey, ax: Axes | None = None) -> Axes:
    """Each estimate as a dot with its interval, where it has one; the recommended estimator, the first, in blue.

    `survey` is one learner's error by several estimators.
    """
    ax = new_axes(ax, width=6.4, height=0.9 + 0.28 * len(survey.rows))
    scale = 100 if survey.rows[0].metric == "error" else 1
    for place, row in enumerate(survey.rows):
        colour = A if place == 0 else SAME
        if row.interval is not None:
            limits = [scale * float(row.interval.low), scale * float(row.interval.high)]
            ax.plot(limits, [place, place], color=colour, linewidth=1.8, marker="|", markersize=8)
        ax.plot([scale * row.estimate], [place], color=colour, marker="o", markersize=5, linestyle="none",
                label=row.method)  # fmt: skip
    named_rows(ax, [plain(row.title, limit=42) for row in survey.rows])
    ax.set_xlabel("error rate (%)" if scale == 100 else survey.rows[0].metric)
    return ax


def plot_curve(curve: Curve, ax: Axes | None = None) -> Axes:
    """The curve as a line.

    `curve` is as `Comparison.posterior` and `Comparison.power_curve` return it.
    """
    ax = new_axes(ax)
    ax.plot(curve.difference, curve.height, color=A, linewidth=1.8)
    ax.set(xlabel="difference a − b", ylabel=curve.axis, ylim=(0, None))
    return ax


def plot_classes(data: Description, ax: Axes | None = None) -> Axes:
    """One bar per class, in the declared order.

    `data` is a data set with classes.
    """
    counts = data.class_counts or {}
    ax = new_axes(ax, height=0.9 + 0.28 * len(counts))
    ax.barh(range(len(counts)), list(counts.values()), height=0.65, color=A, alpha=0.85, linewidth=0)
    named_rows(ax, [plain(label, limit=34) for label in counts])
    ax.set_xlabel("examples")
    return ax


MARKERS = "os^Dv<>pX*hP"


def draw_chart(chart: Chart) -> Figure:
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
        ax.errorbar(_numbers(series), series.y, yerr=_reach(series), fmt=MARKERS[i % len(MARKERS)], markersize=3,
                    elinewidth=0.6, color=_colour(i), label=series.name)  # fmt: skip


def _diagonal(ax: Axes) -> None:
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    ends = [max(left, bottom), min(right, top)]
    ax.plot(ends, ends, color=RULE, linewidth=1.2, zorder=0)


def _numbers(series: PlottedSeries) -> list[float]:
    return [float(x) for x in series.x]


def _reach(series: PlottedSeries) -> list[list[float]] | None:
    if not series.low:
        return None
    below = [max(y - low, 0.0) for y, low in zip(series.y, series.low, strict=True)]
    return [below, [max(high - y, 0.0) for y, high in zip(series.y, series.high, strict=True)]]


def _colour(i: int) -> str:
    return COLOURS[i % len(COLOURS)]
