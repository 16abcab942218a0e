"""The page of a curve behind a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.formatting import number_text
from foldwise.report.drawings import Drawing
from foldwise.report.page import Grid, Page, Section

if TYPE_CHECKING:
    from foldwise.kinds.curves import Curve

__all__ = ["drawings", "page"]

STEP = 10
"""Every how many points one stands in the table."""


def page(curve: Curve) -> Page:
    """The curve as a table."""
    points = list(zip(curve.difference, curve.height, strict=True))[::STEP]
    rows = tuple((number_text(float(x), 4), number_text(float(y), 4)) for x, y in points)
    return Page(
        title=curve.title,
        subtitle="",
        headline="",
        sections=(Section(blocks=(Grid(columns=("difference a − b", curve.axis), rows=rows),), brief=True),),
    )


def drawings(curve: Curve) -> dict[str, Drawing]:
    """The curve as a line."""
    return {"curve": Drawing(plot="plot_curve", shows=curve, caption=f"{curve.title}.")}
