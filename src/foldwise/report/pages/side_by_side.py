"""The page of several null hypotheses side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.page import Bullets, Grid, Page, Section
from foldwise.report.pages.parts import study_methods

if TYPE_CHECKING:
    from foldwise.lab import SideBySide

__all__ = ["page"]


def page(result: SideBySide) -> Page:
    """Which tests are not shown to exceed their level on any population, then all rates."""
    rows = result.tables[0].rows
    kept = [row.test for place, row in enumerate(rows) if not result.exceeding(place)]
    titles = tuple(f"({number}) {table.population}" for number, table in enumerate(result.tables, 1))
    grid = Grid(
        columns=("test", "level", *(f"({number})" for number in range(1, len(titles) + 1)), "above its level on"),
        rows=tuple(
            (
                row.test,
                f"{row.alpha:g}",
                *(f"{table.rows[place].rate:.3f}" for table in result.tables),
                str(len(result.exceeding(place)) or "none"),
            )
            for place, row in enumerate(rows)
        ),
    )
    words = ", ".join(dict.fromkeys(kept)) or "no test"
    return Page(
        title="Type I error",
        subtitle=f"{len(titles)} populations without a difference · {rows[0].trials} trials each",
        headline=f"Not shown to exceed its level on any of them: {words}.",
        tone="decided" if kept else "open",
        sections=(
            Section(blocks=(grid,), brief=True),
            Section(heading="Populations", blocks=(Bullets(items=titles),)),
        ),
        methods=" ".join(
            study_methods("the Type I error of each test", table, table.rows[0].trials) for table in result.tables
        ),
    )
