"""The posterior of the difference, cut by the region of practical equivalence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from foldwise.core.errors import DegenerateData
from foldwise.core.units import percents, probability
from foldwise.inference.probabilities import Probabilities
from foldwise.report.plots._units import difference_label
from foldwise.report.style import INK, RULE, SAME, A, B, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foldwise.verdict.two_models import TwoModels

__all__ = ["CAPTION", "plot_posterior"]

CAPTION = "How probable each difference is, given the evidence; grey is the region that does not matter."


def plot_posterior(c: TwoModels, ax: Axes | None = None) -> Axes:
    """Posterior density of a − b in three colours: one learner better, practically the same, the other better.

    Parameters
    ----------
    c
        A comparison whose posterior is not a single point.
    ax
        Where to draw; new axes if None.
    """
    curve = c.posterior()
    p = c.rope_probabilities
    if curve is None or p is None:
        raise DegenerateData("all differences are the same, so that their variance and the posterior are unknown")
    ax, scale = new_axes(ax), percents(c.unit)
    x, y = curve.difference * scale, curve.density / scale
    for region in _regions(c, p, c.rope * scale):
        inside = (x >= region.low) & (x <= region.high)
        ax.fill_between(x, y, where=inside.tolist(), color=region.colour, alpha=0.75, linewidth=0, label=region.name)
        words = f"{region.name}\n{probability(region.share)}"
        style: dict[str, Any] = {
            "va": "bottom",
            "fontsize": 8.5,
            "color": INK if region.colour == SAME else region.colour,
        }
        ax.text(region.place, 1.03, words, transform=ax.transAxes, ha=region.align, **style)
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


def _regions(c: TwoModels, p: Probabilities, rope: float) -> list[_Region]:
    sides = [(c.names[1], float(p.b_better), B), (c.names[0], float(p.a_better), A)]
    if not c.higher_is_better:
        sides.reverse()
    (left, left_share, left_colour), (right, right_share, right_colour) = sides
    return [
        _Region(f"{plain(left, limit=14)} better", left_share, left_colour, -math.inf, -rope, "left"),
        _Region("practically the same", float(p.equivalent), SAME, -rope, rope, "center"),
        _Region(f"{plain(right, limit=14)} better", right_share, right_colour, rope, math.inf, "right"),
    ]
