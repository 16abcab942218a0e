"""The page of a QQ study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.drawings import Drawing
from foldwise.report.page import Facts, Grid, Page, Section
from foldwise.report.pages.parts import caveat_sections, study_facts, study_methods

if TYPE_CHECKING:
    from foldwise.lab import QQ

__all__ = ["drawings", "page"]


def page(result: QQ) -> Page:
    """Whether the p-values could be uniform, then where they are not."""
    word = "could be" if result.uniform else "are not"
    rows = tuple((f"{row['level']:g}", f"{row['rate']:.3f}") for row in result.rows())
    return Page(
        title=f"p-values of {result.test}",
        subtitle=f"{result.population} · {len(result.observed)} trials",
        headline=f"They {word} uniform.",
        detail=f"Largest distance {result.distance:.3f}, 5 % bound {result.bound:.3f}. Bias {result.bias} points.",
        tone="decided" if result.uniform else "open",
        sections=(
            Section(blocks=(Grid(columns=("p below", "share of trials"), rows=rows),), brief=True),
            *caveat_sections(result.caveats),
            Section(heading="What was simulated", blocks=(Facts(rows=study_facts(result)),)),
        ),
        methods=study_methods(f"the p-values of {result.test}", result, len(result.observed)),
    )


def drawings(result: QQ) -> dict[str, Drawing]:
    """The p-values over what they should be."""
    caption = "Observed p-values over expected ones; below the diagonal the test rejects too often; grey: mere chance."
    return {"qq": Drawing(plot="plot_qq", shows=result, caption=caption)}
