"""Plots of result objects: ``plot_…(result, ax=None)`` draws into the axes given or new ones, and computes nothing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

# plot -> module of this package that draws it; loaded when first used, as Matplotlib is
_PLOTS = {
    "plot_calibration": "calibration",
    "plot_critical_difference": "critical_difference",
    "plot_differences": "differences",
    "plot_estimates": "estimates",
    "plot_heat_map": "heat_map",
    "plot_intervals": "intervals",
    "plot_outcomes": "outcomes",
    "plot_pair_matrix": "pair_matrix",
    "plot_plan": "plan",
    "plot_posterior": "posterior",
    "plot_power": "power",
    "plot_power_curve": "power_curve",
    "plot_qq": "qq",
    "plot_rank_table": "rank_table",
    "plot_rates": "rates",
    "plot_replicability": "replicability",
    "plot_replicability_rates": "rates",
    "plot_triangle": "triangle",
}

__all__ = list(_PLOTS)


def __getattr__(name: str) -> Any:
    if name not in _PLOTS:
        raise AttributeError(f"module 'foldwise.report.plots' has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLOTS[name]}"), name)
