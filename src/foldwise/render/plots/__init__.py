"""Plots of result objects: ``plot_…(result, ax=None)`` draws into the axes given or new ones, and computes nothing.

A file is loaded when one of its plots is first used, as Matplotlib is.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FILES = {
    "comparison": ("effect", "margin", "posterior", "power", "replicability", "metrics", "sequence"),
    "evidence": ("differences", "cumulative", "item_differences", "outcomes", "seeds", "heat_map", "block_map",
                 "deletions"),
    "several": ("frontier", "leaderboard", "models", "slices", "model_pairs", "margins", "strengths", "win_matrix"),
    "data_sets": ("critical_difference", "pair_matrix", "rank_table", "triangle", "front"),
    "lab": ("rates", "replicability_rates", "qq", "calibration", "power_curve", "plan", "intervals", "estimates",
            "curve", "classes"),
}  # fmt: skip
"""What each file draws."""

__all__ = [f"plot_{name}" for names in _FILES.values() for name in names]


def __getattr__(name: str) -> Callable[..., Axes]:
    file = next((file for file, names in _FILES.items() if name.removeprefix("plot_") in names), None)
    if file is None or not name.startswith("plot_"):
        raise AttributeError(f"module 'foldwise.render.plots' has no attribute {name!r}")
    plot: Callable[..., Axes] = getattr(import_module(f"{__name__}.{file}"), name)
    return plot
