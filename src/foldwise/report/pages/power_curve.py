"""The page of a power curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.page import Facts, Grid, Page, Section
from foldwise.report.pages.parts import plot_sections, study_facts

if TYPE_CHECKING:
    from foldwise.lab import PowerCurve

__all__ = ["page"]


def page(curve: PowerCurve, *, plots: bool = True) -> Page:
    """Which test sees most at the largest value, the curves, and all rates."""
    last = max((rates[-1] for rates in curve.curves), key=lambda rate: rate.rate)
    grid = Grid(
        columns=("test", *(f"{curve.over} = {value}" for value in curve.values)),
        rows=tuple((rates[0].test, *(f"{rate.rate:.3f}" for rate in rates)) for rates in curve.curves),
    )
    caption = "How often each test finds the difference, with the error of the simulation (95 %)."
    return Page(
        title="Power",
        subtitle=f"{curve.population} · {last.trials} trials · level {last.alpha:g}",
        headline=f"With {curve.over} = {curve.values[-1]}, {last.test} finds the difference most often: in "
        f"{100 * last.rate:.1f} % of the trials.",
        tone="decided",
        sections=(
            Section(blocks=(grid,), brief=True),
            *plot_sections(curve, plots, plot_power_curve=caption),
            Section(heading="What was simulated", blocks=(Facts(rows=study_facts(curve)),)),
        ),
    )
