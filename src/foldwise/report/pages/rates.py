"""The page of a Type I error or power study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.drawings import Drawing
from foldwise.report.page import Bullets, Facts, Grid, Page, Section, Tone
from foldwise.report.pages.parts import caveat_sections, study_facts, study_methods

if TYPE_CHECKING:
    from foldwise.lab import RateTable

__all__ = ["drawings", "page"]

CAPTIONS = {
    "type1": "How often each test finds a difference that is not there, with the error of the simulation (95 %); "
    "dashed: its level; orange: it exceeds its level.",
    "power": "How often each test finds a difference that is there, with the error of the simulation (95 %).",
}


def page(table: RateTable) -> Page:
    """Which tests keep their level, or find the difference, then all rates."""
    name = {"type1": "Type I error", "power": "Power"}[table.study]
    measured = {"type1": "the Type I error of each test", "power": "the power of each test"}[table.study]
    headline, tone = _answer(table)
    known = tuple(dict.fromkeys(f"{row.test}: {row.warning}." for row in table.rows if row.warning))
    return Page(
        title=name,
        subtitle=f"{table.population} · {table.rows[0].trials} trials",
        headline=headline,
        tone=tone,
        sections=(
            Section(blocks=(_grid(table, name),), brief=True),
            *((Section(heading="Known weaknesses", blocks=(Bullets(items=known),)),) if known else ()),
            *caveat_sections(table.caveats),
            Section(heading="What was simulated", blocks=(Facts(rows=study_facts(table)),)),
        ),
        methods=study_methods(measured, table, table.rows[0].trials),
    )


def drawings(table: RateTable) -> dict[str, Drawing]:
    """Every rate with its error."""
    return {"rates": Drawing(plot="plot_rates", shows=table, caption=CAPTIONS[table.study])}


_HEADLINES = {
    "no_null": "The learners differ, so that these are no Type I errors",
    "broken": "Above their level",
    "open": "Too few trials to tell",
}


def _answer(table: RateTable) -> tuple[str, Tone]:
    if table.study == "power":
        best = max(table.rows, key=lambda row: row.rate)
        return f"{best.test} finds the difference most often: in {100 * best.rate:.1f} % of the trials.", "decided"
    tests = {what: list(dict.fromkeys(r.test for r in table.rows if r.judgement == what)) for what in _HEADLINES}
    said = [f"{words}: {', '.join(tests[what])}." for what, words in _HEADLINES.items() if tests[what]]
    if said:
        return " ".join(said), "open"
    return "All tests keep their level.", "decided"


def _grid(table: RateTable, name: str) -> Grid:
    rows = []
    for row in table.rows:
        numbers = f"{row.alpha:g}", f"{row.rate:.3f}", f"{row.low:.3f} to {row.high:.3f}", str(row.bias), str(row.fits)
        rows.append((row.test, *numbers, row.verdict)[: 6 if table.study == "power" else 7])
    difference = "difference a − b (points)" if table.study == "power" else "bias a − b (points)"
    columns = ("test", "level", name, "95 % interval", difference, "fits", "verdict")
    return Grid(columns=columns[: len(rows[0])], rows=tuple(rows), words=("verdict",))
