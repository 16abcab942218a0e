"""Plots of result objects: ``plot_…(result, ax=None)`` draws into the axes given or new ones, and computes nothing.

The file ``name.py`` draws ``plot_name``; it is loaded when first used, as Matplotlib is.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [f"plot_{module.name}" for module in iter_modules(__path__) if not module.name.startswith("_")]


def caption(name: str) -> str:
    """What is to be seen on a plot of a comparison, as its file says."""
    words: str = import_module(f"{__name__}.{name}").CAPTION
    return words


def called(name: str) -> str:
    """What people call a plot: as its file says, else by the name of the file."""
    words: str = getattr(import_module(f"{__name__}.{name}"), "CALLED", name)
    return words


def also_called(name: str) -> tuple[str, ...]:
    """Other names that people know a plot by."""
    names: tuple[str, ...] = getattr(import_module(f"{__name__}.{name}"), "ALSO", ())
    return names


def __getattr__(name: str) -> Callable[..., Axes]:
    if name not in __all__:
        raise AttributeError(f"module 'foldwise.report.plots' has no attribute {name!r}")
    plot: Callable[..., Axes] = getattr(import_module(f"{__name__}.{name.removeprefix('plot_')}"), name)
    return plot
