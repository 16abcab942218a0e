"""The page of an examination of tests on the user's data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import foldwise
from foldwise.core.formatting import number_text
from foldwise.report.drawings import Drawing
from foldwise.report.page import Facts, Grid, Page, Section
from foldwise.report.pages.parts import caveat_sections

if TYPE_CHECKING:
    from foldwise.lab import Examination

__all__ = ["drawings", "page"]

CAPTION = "How often each test finds a difference that is not there, with the error of the simulation (95 %)."


def page(found: Examination) -> Page:
    """Which test to use, then every test's Type I errors, power and cost."""
    names = _names(found)
    return Page(
        title=f"Which test to trust on {found.data}",
        subtitle=f"{' vs '.join(found.learners)} · {found.n} examples · level {number_text(found.alpha, 4)}",
        headline=found.sentence(),
        tone="decided" if found.recommended else "open",
        sections=(
            Section(blocks=(_grid(found, names),), brief=True),
            *caveat_sections(found.caveats),
            Section(heading="What was simulated", blocks=(Facts(rows=_facts(found)),)),
        ),
        methods=_methods(found),
    )


def drawings(found: Examination) -> dict[str, Drawing]:
    """The Type I errors under each null hypothesis."""
    return {
        name: Drawing(plot="plot_rates", shows=null, caption=f"Null hypothesis “{name}”. {CAPTION}")
        for name, null in zip(_names(found), found.nulls, strict=True)
    }


def _names(found: Examination) -> list[str]:
    return [null.population.partition("(")[0].lower() for null in found.nulls]


def _methods(found: Examination) -> str:
    trials = found.nulls[0].rows[0].trials
    return (
        f"To choose a test for {' and '.join(found.learners)} on {found.data}, we measured the Type I error of each "
        f"candidate at level {number_text(found.alpha, 4)} on {trials} data sets of {found.n} examples under each of "
        f"these null hypotheses: {', '.join(_names(found))}, using foldwise {foldwise.__version__} (seed {found.seed})."
    )


def _grid(found: Examination, names: list[str]) -> Grid:
    rows = tuple(
        (
            row.test,
            *(f"{rate:.3f}" for rate in row.rates),
            "unknown" if row.power is None else f"{row.power:.3f}",
            str(row.fits),
            row.judgement.words(row.high),
        )
        for row in found.rows
    )
    tests = [row.test for row in found.rows]
    mark = tests.index(found.recommended) if found.recommended else None
    columns = ("test", *(f"Type I error, {name}" for name in names), "power", "fits", "verdict")
    return Grid(columns=columns, rows=rows, mark=mark, words=("verdict",))


def _facts(found: Examination) -> tuple[tuple[str, str], ...]:
    names = dict(zip("ab", found.learners, strict=True))
    damage = [
        f"{names[match.damaged]} by {match.method} ({number_text(match.amount, 3)}) at {match.n_train} training "
        "examples"
        for match in (found.equalised.matches if found.equalised else ())
    ]
    shared = (("data", found.data), ("learners", " vs ".join(found.learners)), ("seed", str(found.seed)))
    return (*shared, *((("made equal by damaging", "; ".join(damage)),) if damage else ()))
