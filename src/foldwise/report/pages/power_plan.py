"""The page of a plan: power, size and detectable difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import foldwise
from foldwise.core.units import sentence
from foldwise.report.drawings import Drawing
from foldwise.report.page import Bullets, Grid, Page, Section

if TYPE_CHECKING:
    from foldwise.planning import PowerPlan

__all__ = ["drawings", "page"]


def page(plan: PowerPlan) -> Page:
    """The answer, the curve, and what it rests on."""
    sizes = [size for size, _ in plan.curve]
    grid = Grid(
        columns=(plan.unit, "power"),
        rows=tuple((str(size), f"{power:.3f}") for size, power in plan.curve),
        caption="Power by size",
        mark=sizes.index(plan.size) if plan.size in sizes else None,
    )
    return Page(
        title="How much is needed?",
        subtitle=f"{plan.test} · level {plan.alpha:g}",
        headline=plan.sentence,
        tone="decided",
        sections=(
            Section(blocks=(grid,), brief=True),
            Section(
                heading="What it rests on", blocks=(Bullets(items=tuple(map(sentence, plan.assumptions))),), brief=True
            ),
        ),
        methods=f"{plan.sentence} This was computed with foldwise {foldwise.__version__}.",
    )


def drawings(plan: PowerPlan) -> dict[str, Drawing]:
    """Power by size."""
    caption = "Power by size at this difference; the dot is the plan."
    return {"plan": Drawing(plot="plot_plan", shows=plan, caption=caption)}
