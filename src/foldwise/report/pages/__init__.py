"""How each kind of result becomes a page: one file per kind, found by the name of the result's class.

Reports must not load the rooms above them, so that classes are known by name; each file is loaded when it is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from foldwise.report.page import Page

__all__ = ["has_page", "page_of"]

# class of the result -> module of this package with `page(result, *, plots) -> Page`
_PAGES = {
    "Comparison": "comparison",
    "ManyComparison": "many",
    "IntervalSurvey": "survey",
    "ErrorEstimate": "estimate",
    "EstimateSurvey": "estimates",
    "Advice": "advice",
    "PowerPlan": "power_plan",
    "Description": "description",
    "Listing": "listing",
    "RateTable": "rates",
    "ReplicabilityTable": "replicability",
    "CalibrationTable": "calibration",
    "QQ": "qq",
    "PowerCurve": "power_curve",
    "SideBySide": "side_by_side",
    "Examination": "examination",
}


def page_of(result: Any, *, plots: bool = True) -> Page:
    """The page of a result.

    Parameters
    ----------
    result
        Any result object; one of an unknown class is shown by its text.
    plots
        Whether to draw its plots, which takes Matplotlib and a moment.
    """
    module = import_module(f"{__name__}.{_PAGES.get(_kind(result), 'plain')}")
    page = module.page(result, plots=plots)
    assert isinstance(page, Page)
    return page


def has_page(result: Any) -> bool:
    """Whether there is a page made for this kind of result."""
    return _kind(result) in _PAGES


def _kind(result: Any) -> str:
    return next((cls.__name__ for cls in type(result).__mro__ if cls.__name__ in _PAGES), "")
