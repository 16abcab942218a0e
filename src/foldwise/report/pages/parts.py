"""Parts that several pages share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from foldwise.report import plots as all_plots
from foldwise.report.page import Bullets, Plot, Section
from foldwise.report.svg import figure_svg
from foldwise.report.text import sentence

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["caveat_sections", "drawn", "plot_sections", "study_facts"]


def drawn(plot: Callable[[Any], Axes], result: Any, caption: str) -> Plot:
    """One plot of a result with what it shows."""
    figure = plot(result).get_figure(root=True)
    assert figure is not None
    return Plot(svg=figure_svg(figure, plot.__name__, description=caption), caption=caption)


def plot_sections(result: Any, plots: bool, **captions: str) -> tuple[Section, ...]:
    """A section with the plots of these names, or nothing when no plots are wanted."""
    if not plots:
        return ()
    blocks = tuple(drawn(getattr(all_plots, name), result, caption) for name, caption in captions.items())
    return (Section(blocks=blocks),)


def caveat_sections(caveats: tuple[str, ...]) -> tuple[Section, ...]:
    """A section with the caveats, where there are any."""
    return (
        (Section(heading="Caveats", blocks=(Bullets(items=tuple(map(sentence, caveats))),), brief=True),)
        if caveats
        else ()
    )


def study_facts(result: Any) -> tuple[tuple[str, str], ...]:
    """What was simulated: the facts that all studies of the lab share."""
    design = result.design
    learners = " vs ".join(result.learners) or "simulated by the population"
    sizes = f"{design.n} examples, {design.runs} runs, {design.folds} folds, {design.splits} random splits"
    return (("population", result.population), ("learners", learners), ("design", sizes), ("seed", str(result.seed)))
