"""The page of one learner's estimated error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.estimate import estimate_figure, estimate_headline, estimate_methods, estimate_stored
from foldwise.report.page import Facts, Page, Section, Text
from foldwise.report.pages.parts import caveat_sections

if TYPE_CHECKING:
    from foldwise.estimation.result import ErrorEstimate

__all__ = ["page"]


def page(e: ErrorEstimate) -> Page:
    """The figure, then what it is made of."""
    facts = Facts(rows=tuple((name.replace("_", " "), estimate_figure(name, e)) for name in e.components))
    how = Text(lead="How:", text=f"{e.design}.")
    stored = (Text(text=estimate_stored(e)),) if e.found else ()
    return Page(
        title=e.learner,
        subtitle=" · ".join(part for part in (e.subject, e.title) if part),
        headline=estimate_headline(e),
        tone="decided",
        sections=(
            Section(blocks=(*((facts,) if e.components else ()), how, *stored), brief=True),
            *caveat_sections(e.caveats),
        ),
        command=e.repeat,
        provenance=(("seed", str(e.seed)), ("examples", str(e.n))),
        methods=estimate_methods(e),
    )
