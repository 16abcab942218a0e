"""Several models from the best to the worst: differences with simultaneous intervals, and ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.units import percents
from foldwise.report.models_text import rank_text
from foldwise.report.style import INK, RULE, SAME, A, dress, new_figure, plain, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.models.comparison import ModelsComparison

__all__ = ["plot_models"]


def plot_models(c: ModelsComparison, ax: Axes | None = None) -> Axes:
    """Each model's difference from the leading one, or the control, and the ranks that it may have.

    Parameters
    ----------
    c
        The comparison.
    ax
        Where to draw; the ranks then stand behind the names. A new figure with a panel for the ranks if None.
    """
    ax, ranks = _panels(c) if ax is None else (dress(ax), None)
    reference = c.control or c.ranking[0]
    ax.axvline(0, color=INK, linewidth=0.9, linestyle="--")
    for place, name in enumerate(c.ranking):
        colour = A if name in c.best_set else SAME
        estimate, limits = _from_reference(c, name, reference)
        ax.plot(limits, [place] * len(limits), color=colour, linewidth=2, solid_capstyle="butt")
        ax.plot([estimate], [place], "D" if name == reference else "o", color=colour, markersize=5)
        if ranks is not None:
            low, high = c.ranks[name]
            ranks.plot([low - 0.3, high + 0.3], [place, place], color=colour, linewidth=6, solid_capstyle="butt")
    names = [plain(name) + ("" if ranks is not None else f" ({rank_text(c, name)})") for name in c.ranking]
    ax.set_yticks(range(len(names)), names, fontsize=8.5)
    ax.set_ylim(len(names) - 0.4, -0.6)
    unit = "" if c.unit == "own" else " (points)"
    ax.set_xlabel(f"{plain(c.metric, limit=20)}, minus {plain(reference, limit=20)}{unit}")
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax


def _panels(c: ModelsComparison) -> tuple[Axes, Axes]:
    """Two panels side by side: differences, and ranks."""
    figure = new_figure(width=6.6, height=1.1 + 0.28 * len(c.names))
    ax, ranks = figure.subplots(1, 2, sharey=True, width_ratios=(2, 1))
    for axes in (ax, ranks):
        dress(axes)
    ranks.set_xlabel("rank")
    ranks.set_xlim(0.4, len(c.names) + 0.6)
    whole_numbers(ranks.xaxis)
    ranks.grid(axis="x", color=RULE, linewidth=0.5)
    ranks.spines["left"].set_visible(False)
    ranks.tick_params(axis="y", length=0)
    return ax, ranks


def _from_reference(c: ModelsComparison, name: str, reference: str) -> tuple[float, list[float]]:
    """How much the model differs from the reference, and between what limits, as the axis shows it."""
    if name == reference:
        return 0.0, []
    pair, scale = c.pair(name, reference), percents(c.unit)
    sign = scale if pair.a == name else -scale
    return sign * pair.estimate, [] if pair.interval is None else [sign * pair.low, sign * pair.high]
