"""The page of independent error rates: every pair, and the mistakes that would decide otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import foldwise
from foldwise.report.page import Grid, Page, Section, Text
from foldwise.report.pages.parts import caveat_sections

if TYPE_CHECKING:
    from foldwise.estimation.rates import RateComparison

__all__ = ["page"]


def page(found: RateComparison) -> Page:
    """The pairs in a table below what is decided."""
    lines = [line.strip() for line in str(found).splitlines()]
    grid = Grid(
        columns=("pair", "difference", "low", "high", "p", "adjusted p"),
        rows=tuple(
            (f"{pair.a} vs {pair.b}", *(f"{value:.4g}" for value in
             (pair.estimate, pair.low, pair.high, pair.pvalue, pair.adjusted)))
            for pair in found.pairs
        ),
    )  # fmt: skip
    mistakes = tuple(Text(text=line) for line in lines if line.startswith("common mistake"))
    decided = " ".join(f"{line.partition(';')[0]}." for line in lines if " vs " in line)
    return Page(
        title=lines[0],
        subtitle=found.test,
        headline=decided,
        sections=(
            Section(blocks=(grid, *mistakes, Text(lead="Guarantee:", text=f"{found.guarantee}.")), brief=True),
            *caveat_sections(found.caveats),
        ),
        methods=f"{lines[0]}. {decided} By the {found.test}, computed with foldwise {foldwise.__version__}.",
    )
