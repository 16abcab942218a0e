"""A result's pictures by name: which plot draws each, of what, and what is to be seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.report import plots
from foldwise.report.style import WIDTH, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Drawing", "draw"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """One picture.

    Attributes
    ----------
    plot
        Name of the function in `foldwise.report.plots`.
    shows
        The object it draws: the result, or a part of it.
    caption
        What is to be seen.
    main
        Whether it is among those that ``result.plot()`` puts side by side.
    on_page
        Whether a page shows it; what nobody could read there is drawn only when it is asked for.
    lead
        Whether a page puts it beside the answer; where none is called so, it is the first main one.
    also
        Other names by which people may ask for it.
    """

    plot: str
    shows: object
    caption: str
    main: bool = False
    on_page: bool = True
    lead: bool = False
    also: tuple[str, ...] = ()

    def on(self, ax: Axes | None, **options: object) -> Axes:
        """Draw it into the axes given, or new ones, with options of that plot."""
        drawn: Axes = getattr(plots, self.plot)(self.shows, ax, **options)
        return drawn

    def alone(self, **options: object) -> Figure:
        """A figure of its own."""
        figure = self.on(None, **options).get_figure(root=True)
        assert figure is not None
        return figure


def draw(known: Mapping[str, Drawing], kind: str | None = None, **options: object) -> Figure:
    """One of the pictures by name, or the main ones side by side (the first, where none is called so)."""
    if kind is not None:
        return _named(known, kind).alone(**options)
    if options:
        raise InvalidInput(f"options of a plot ({', '.join(options)}) need its name, which is one of {_names(known)}")
    chosen = [drawing for drawing in known.values() if drawing.main] or list(known.values())[:1]
    if len(chosen) == 1:
        return chosen[0].alone()
    figure = new_figure(width=WIDTH * len(chosen))
    for drawing, ax in zip(chosen, figure.subplots(1, len(chosen), squeeze=False)[0], strict=True):
        drawing.on(ax)
    return figure


def _named(known: Mapping[str, Drawing], kind: str) -> Drawing:
    found = known.get(kind) or next((drawing for drawing in known.values() if kind in drawing.also), None)
    if found is None:
        raise UnknownName("plot", kind, known)
    return found


def _names(known: Mapping[str, Drawing]) -> str:
    return ", ".join(known)
