"""The page of a calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.page import Facts, Grid, Page, Section
from foldwise.report.pages.parts import plot_sections, study_facts

if TYPE_CHECKING:
    from foldwise.lab import CalibrationTable

__all__ = ["page"]


def page(table: CalibrationTable, *, plots: bool = True) -> Page:
    """The degrees of freedom of every test, then the curves."""
    found = sum(row.df > 0 for row in table.rows)
    caption = "Type I error by degrees of freedom; dashed: the level promised; dots: the calibrated degrees of freedom."
    return Page(
        title="Calibrated degrees of freedom",
        subtitle=f"{table.population} · {table.trials} trials",
        headline=f"{found} of {len(table.rows)} tests keep their level with some degrees of freedom.",
        tone="decided" if found == len(table.rows) else "open",
        sections=(
            Section(blocks=(_grid(table),), brief=True),
            *plot_sections(table, plots, plot_calibration=caption),
            Section(heading="What was simulated", blocks=(Facts(rows=study_facts(table)),)),
        ),
    )


def _grid(table: CalibrationTable) -> Grid:
    rows = []
    for row in table.rows:
        scheme = str(row.runs), str(row.folds), f"{row.alpha:g}"
        rows.append((row.test, *scheme, str(row.df) if row.df else "none", str(row.nominal_df), f"{row.rate:.3f}"))
    columns = ("test", "runs", "folds", "level", "calibrated df", "nominal df", "Type I error")
    return Grid(columns=columns, rows=tuple(rows))
