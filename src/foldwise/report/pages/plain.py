"""The page of a result that has none of its own: its text as it is."""

from __future__ import annotations

from foldwise.core.result import Result
from foldwise.report.page import Page, Section, Snippet

__all__ = ["page"]


def page(result: Result) -> Page:
    """The first line of the text as title, all of it below."""
    text = str(result)
    first = next((line.strip() for line in text.splitlines() if line.strip()), type(result).__name__)
    title, _, rest = first.partition("   ")
    return Page(
        title=title,
        subtitle=rest.strip(),
        headline="",
        sections=(Section(blocks=(Snippet(label="", text=text),), brief=True),),
        command=getattr(result, "repeat", None),
    )
