"""The page of a calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.drawings import Drawing
from foldwise.report.page import Facts, Grid, Page, Section
from foldwise.report.pages.parts import caveat_sections, study_facts, study_methods

if TYPE_CHECKING:
    from foldwise.lab import CalibrationTable

__all__ = ["drawings", "page"]


def page(table: CalibrationTable) -> Page:
    """The degrees of freedom of every test, then the curves."""
    found = sum(row.df > 0 for row in table.rows)
    return Page(
        title="Calibrated degrees of freedom",
        subtitle=f"{table.population} · {table.trials} trials",
        headline=f"{found} of {len(table.rows)} tests keep their level with some degrees of freedom.",
        tone="decided" if found == len(table.rows) else "open",
        sections=(
            Section(blocks=(_grid(table),), brief=True),
            *caveat_sections(table.caveats),
            Section(heading="What was simulated", blocks=(Facts(rows=study_facts(table)),)),
        ),
        methods=study_methods("the degrees of freedom at which each test keeps its level", table, table.trials),
    )


def drawings(table: CalibrationTable) -> dict[str, Drawing]:
    """The Type I error by degrees of freedom."""
    caption = "Type I error by degrees of freedom; dashed: the level; dots: the calibrated degrees of freedom."
    return {"calibration": Drawing(plot="plot_calibration", shows=table, caption=caption)}


def _grid(table: CalibrationTable) -> Grid:
    rows = []
    for row in table.rows:
        scheme = str(row.runs), str(row.folds), f"{row.alpha:g}"
        df = str(row.df) if row.df else "none"
        rows.append((row.test, *scheme, df, str(row.nominal_df), f"{row.rate:.3f}", str(row.bias)))
    columns = ("test", "runs", "folds", "level", "calibrated df", "nominal df", "Type I error", "bias a − b (points)")
    return Grid(columns=columns, rows=tuple(rows))
