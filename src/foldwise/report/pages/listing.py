"""The page of a list."""

from __future__ import annotations

from foldwise.report.listing import Listing
from foldwise.report.page import Grid, Page, Section, Text

__all__ = ["page"]


def page(listing: Listing) -> Page:
    """All rows, whatever they are."""
    grid = Grid(columns=listing.columns, rows=listing.rows, words=listing.columns, unfolded=True)
    return Page(
        title=listing.title,
        subtitle=listing.subtitle,
        headline="",
        sections=(Section(blocks=(grid if listing.rows else Text(text=listing.empty),), brief=True),),
    )
