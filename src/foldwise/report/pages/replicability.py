"""The page of a replicability study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.drawings import Drawing
from foldwise.report.page import Facts, Grid, Page, Section
from foldwise.report.pages.parts import caveat_sections, study_facts, study_methods

if TYPE_CHECKING:
    from foldwise.lab import ReplicabilityTable

__all__ = ["drawings", "page"]


def page(table: ReplicabilityTable) -> Page:
    """Which test agrees with itself most often, then all of them."""
    best = max(table.rows, key=lambda row: row.rate)
    return Page(
        title="Replicability",
        subtitle=f"{table.population} · {best.trials} data sets, {table.design.repetitions} partitionings each",
        headline=f"{best.test} agrees with itself most often: on {100 * best.rate:.1f} % of the data sets.",
        tone="decided",
        sections=(
            Section(blocks=(_grid(table),), brief=True),
            *caveat_sections(table.caveats),
            Section(heading="What was simulated", blocks=(Facts(rows=study_facts(table)),)),
        ),
        methods=study_methods("how often each test agrees with itself over partitionings", table, best.trials),
    )


def drawings(table: ReplicabilityTable) -> dict[str, Drawing]:
    """Every share with its error."""
    caption = (
        "Share of data sets on which all partitionings give the same verdict, with the error of the simulation (95 %)."
    )
    return {"rates": Drawing(plot="plot_replicability_rates", shows=table, caption=caption)}


def _grid(table: ReplicabilityTable) -> Grid:
    return Grid(
        columns=(
            "test",
            "all agree",
            "95 % interval",
            "at most one differs",
            "R",
            "rejections",
            "fits",
            "difference a − b (points)",
        ),
        rows=tuple(
            (
                row.test,
                f"{row.rate:.3f}",
                f"{row.low:.3f} to {row.high:.3f}",
                f"{row.almost_consistent:.3f}",
                f"{row.R:.3f}",
                f"{row.rejections:.3f}",
                str(row.fits),
                str(row.bias),
            )
            for row in table.rows
        ),
    )
