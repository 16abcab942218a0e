"""The page of an advice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.units import sentence
from foldwise.report.page import Bullets, Facts, Grid, Page, Section, Text

if TYPE_CHECKING:
    from foldwise.inference.measurements import StoredRow, StoredShare
    from foldwise.planning import Advice

__all__ = ["page"]


def page(advice: Advice) -> Page:
    """What to use and why, what it costs, how it behaved, and what to run."""
    facts = Facts(rows=(("cost", f"{advice.cost} fits"), ("run", advice.command)))
    measured = Text(lead="Measured:", text=sentence(advice.measured))
    guarantee = Text(lead="Guarantee:", text=sentence(advice.guarantee))
    grids = [_grid(advice.figures)] if any("power" in row for row in advice.figures) else []
    know = [Section(heading="To know besides", blocks=(Bullets(items=advice.caveats),), brief=True)]
    return Page(
        title=f"Question {advice.question}",
        subtitle=advice.asked,
        headline=f"Use {advice.test}.",
        detail=sentence(advice.why),
        tone="decided",
        sections=(
            Section(blocks=(facts, measured, guarantee), brief=True),
            *(Section(heading="Where the truth is known", blocks=(grid,), brief=True) for grid in grids),
            *(know if advice.caveats else []),
        ),
    )


def _grid(figures: tuple[StoredRow, ...]) -> Grid:
    return Grid(
        columns=("measured with", "Type I error", "power", "same verdict again", "data sets"),
        rows=tuple(
            (_learners(row), _span(row["type1"], 3), _span(row["power"], 2), _again(row),
             str(row["type1"]["trials"]))
            for row in figures
        ),
        caption="At level 0.05, with 95 % Monte-Carlo intervals. Same verdict again: the share of data sets on "
        f"which ten partitionings agree.{_drawn(figures)}",
    )  # fmt: skip


def _drawn(figures: tuple[StoredRow, ...]) -> str:
    """The populations, where learners were compared on some."""
    if "null" not in figures[0]:
        return ""
    null, effect = (", ".join(dict.fromkeys(str(row[key]) for row in figures)) for key in ("null", "effect"))
    return f" Data sets of {figures[0]['n']} examples without a difference from {null}; with one from {effect}."


def _learners(row: StoredRow) -> str:
    """What was compared: trained learners, simulated ones, or columns of tables."""
    if "learners" not in row:
        return str(row.get("population", row.get("case", "")))
    return " and ".join(row["learners"]) or "simulated classifiers"


def _span(share: StoredShare, digits: int) -> str:
    return f"{share['rate']:.{digits}f} ({share['low']:.{digits}f} to {share['high']:.{digits}f})"


def _again(row: StoredRow) -> str:
    shares = [row[key] for key in ("consistent_null", "consistent_effect") if key in row]
    return _span(min(shares, key=lambda share: float(share["rate"])), 2) if shares else "–"
