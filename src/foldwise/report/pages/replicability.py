"""The page of a replicability study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.page import Facts, Grid, Page, Section
from foldwise.report.pages.parts import plot_sections, study_facts

if TYPE_CHECKING:
    from foldwise.lab import ReplicabilityTable

__all__ = ["page"]


def page(table: ReplicabilityTable, *, plots: bool = True) -> Page:
    """Which test agrees with itself most often, then all of them."""
    best = max(table.rows, key=lambda row: row.rate)
    caption = (
        "Share of data sets on which all partitionings give the same verdict, with the error of the simulation (95 %)."
    )
    return Page(
        title="Replicability",
        subtitle=f"{table.population} · {best.trials} data sets, {table.design.repetitions} partitionings each",
        headline=f"{best.test} agrees with itself most often: on {100 * best.rate:.1f} % of the data sets.",
        tone="decided",
        sections=(
            Section(blocks=(_grid(table),), brief=True),
            *plot_sections(table, plots, plot_replicability_rates=caption),
            Section(heading="What was simulated", blocks=(Facts(rows=study_facts(table)),)),
        ),
    )


def _grid(table: ReplicabilityTable) -> Grid:
    return Grid(
        columns=("test", "all agree", "95 % interval", "at most one differs", "R", "rejections", "fits"),
        rows=tuple(
            (
                row.test,
                f"{row.rate:.3f}",
                f"{row.low:.3f} to {row.high:.3f}",
                f"{row.almost_consistent:.3f}",
                f"{row.R:.3f}",
                f"{row.rejections:.3f}",
                str(row.fits),
            )
            for row in table.rows
        ),
    )
