"""The page of a QQ study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.page import Facts, Grid, Page, Section
from foldwise.report.pages.parts import plot_sections, study_facts

if TYPE_CHECKING:
    from foldwise.lab import QQ

__all__ = ["page"]


def page(result: QQ, *, plots: bool = True) -> Page:
    """Whether the p-values could be uniform, then where they are not."""
    word = "could be" if result.uniform else "are not"
    caption = "Observed p-values over expected ones; below the diagonal the test rejects too often; grey: mere chance."
    rows = tuple((f"{row['level']:g}", f"{row['rate']:.3f}") for row in result.rows())
    return Page(
        title=f"p-values of {result.test}",
        subtitle=f"{result.population} · {len(result.observed)} trials",
        headline=f"They {word} uniform.",
        detail=f"Largest distance {result.distance:.3f}, 5 % bound {result.bound:.3f}.",
        tone="decided" if result.uniform else "open",
        sections=(
            Section(blocks=(Grid(columns=("p below", "share of trials"), rows=rows),), brief=True),
            *plot_sections(result, plots, plot_qq=caption),
            Section(heading="What was simulated", blocks=(Facts(rows=study_facts(result)),)),
        ),
    )
