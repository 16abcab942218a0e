"""Calibration curves: the Type I error of a test by its degrees of freedom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.style import COLOURS, INK, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.lab import Calibration, CalibrationTable

__all__ = ["plot_calibration"]

DASHES = ("-", "--", ":", "-.")
"""Told apart without colour; colours alone would not do for more than seven curves."""


def plot_calibration(table: CalibrationTable, ax: Axes | None = None) -> Axes:
    """One curve per row of the table, the nominal levels dashed, and a dot at the calibrated degrees of freedom.

    Parameters
    ----------
    table
        Outcome of a calibration.
    ax
        Where to draw; new axes if None.
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
