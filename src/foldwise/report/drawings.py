"""Which plots a comparison has, and what each shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from foldwise.core.errors import UnknownName
from foldwise.evidence.scores import Scores
from foldwise.report import plots
from foldwise.report.style import WIDTH, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from foldwise.verdict.comparison import Comparison

__all__ = ["Drawing", "comparison_figure", "drawings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A plot by name.

    Attributes
    ----------
    plot
        Name of the function in `foldwise.report.plots`.
    caption
        What is to be seen.
    applies
        Whether a comparison has what it shows.
    main
        Whether it is among those that ``Comparison.plot()`` puts side by side.
    """

    plot: str
    caption: str
    applies: Callable[[Any], bool]
    main: bool = False

    def draw(self, c: Comparison, ax: Axes | None) -> Axes:
        """Draw it into the axes given, or new ones."""
        drawn: Axes = getattr(plots, self.plot)(c, ax)
        return drawn


_ALL = {
    "differences": Drawing(
        plot="plot_differences",
        caption="Difference on each split, with the mean (line) and its interval (band).",
        applies=lambda c: isinstance(c.evidence, Scores),
        main=True,
    ),
    "outcomes": Drawing(
        plot="plot_outcomes",
        caption="All test examples; areas are as large as the counts. Only where they disagree is there a difference.",
        applies=lambda c: not isinstance(c.evidence, Scores),
        main=True,
    ),
    "posterior": Drawing(
        plot="plot_posterior",
        caption="How probable each difference is, given the evidence; grey is the region that does not matter.",
        applies=lambda c: c.posterior() is not None,
        main=True,
    ),
    "heat_map": Drawing(
        plot="plot_heat_map",
        caption="Difference on each fold of each run: a row or column of one colour would be suspicious.",
        applies=lambda c: isinstance(c.evidence, Scores) and c.evidence.a.ndim == 2 and len(c.evidence.a) > 1,
    ),
    "power": Drawing(
        plot="plot_power",
        caption="What this design can see: the chance of finding a true difference of each size.",
        applies=lambda c: c.detectable_difference is not None,
    ),
    "replicability": Drawing(
        plot="plot_replicability",
        caption="The verdict of the same test on other partitionings of the same data.",
        applies=lambda c: c.replicability is not None,
    ),
}


def drawings(c: Comparison) -> dict[str, Drawing]:
    """The plots that a comparison has, by name."""
    return {name: drawing for name, drawing in _ALL.items() if drawing.applies(c)}


def comparison_figure(c: Comparison, kind: str | None = None) -> Figure:
    """One plot of a comparison by name, or the main ones side by side."""
    known = drawings(c)
    if kind is not None and kind not in known:
        raise UnknownName("plot", kind, known)
    chosen = [known[kind]] if kind is not None else [drawing for drawing in known.values() if drawing.main]
    if kind is not None:
        alone = chosen[0].draw(c, None).get_figure(root=True)
        assert alone is not None
        return alone
    figure = new_figure(width=WIDTH * len(chosen))
    for drawing, ax in zip(chosen, figure.subplots(1, len(chosen), squeeze=False)[0], strict=True):
        drawing.draw(c, ax)
    return figure
