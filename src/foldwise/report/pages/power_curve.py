"""The page of a power curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.drawings import Drawing
from foldwise.report.page import Facts, Grid, Page, Section
from foldwise.report.pages.parts import caveat_sections, study_facts, study_methods

if TYPE_CHECKING:
    from foldwise.lab import PowerCurve

__all__ = ["drawings", "page"]


def page(curve: PowerCurve) -> Page:
    """Which test sees most at the largest value, the curves, and all rates."""
    last = max((rates[-1] for rates in curve.curves), key=lambda rate: rate.rate)
    grid = Grid(
        columns=("test", *(f"{curve.over} = {value}" for value in curve.values)),
        rows=tuple((rates[0].test, *(f"{rate.rate:.3f}" for rate in rates)) for rates in curve.curves),
    )
    return Page(
        title="Power",
        subtitle=f"{curve.population} · {last.trials} trials · level {last.alpha:g}",
        headline=f"With {curve.over} = {curve.values[-1]}, {last.test} finds the difference most often: in "
        f"{100 * last.rate:.1f} % of the trials.",
        tone="decided",
        sections=(
            Section(blocks=(grid,), brief=True),
            *caveat_sections(curve.caveats),
            Section(heading="What was simulated", blocks=(Facts(rows=study_facts(curve)),)),
        ),
        methods=study_methods(f"the power of each test by {curve.over}", curve, last.trials),
    )


def drawings(curve: PowerCurve) -> dict[str, Drawing]:
    """Power over what was varied."""
    caption = "How often each test finds the difference, with the error of the simulation (95 %)."
    return {"power_curve": Drawing(plot="plot_power_curve", shows=curve, caption=caption)}
