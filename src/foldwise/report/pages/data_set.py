"""The page of a data set: that of its description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.pages import description

if TYPE_CHECKING:
    from foldwise.data.dataset import Dataset
    from foldwise.report.drawings import Drawing
    from foldwise.report.page import Page

__all__ = ["drawings", "page"]


def page(data: Dataset) -> Page:
    """How large it is, then its classes."""
    return description.page(data.describe())


def drawings(data: Dataset) -> dict[str, Drawing]:
    """How many examples each class has."""
    return description.drawings(data.describe())
