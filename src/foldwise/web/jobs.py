"""What a worker process is asked to do; arguments and answers pass a pipe, so they are plain."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from foldwise.core.errors import FoldwiseError
from foldwise.core.result import Result
from foldwise.planning import plan
from foldwise.report.html import body_html, page_html
from foldwise.report.page import Page
from foldwise.report.pages import page_of
from foldwise.web.doors import DOORS
from foldwise.web.doors.base import Entry, Understanding, shell

__all__ = ["Visit", "download", "load_everything", "plan_html", "visit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What came of a visit: what was understood, and the report if there is one.

    Attributes
    ----------
    understanding
        What was made of the data.
    report
        The report as HTML, escaped where it was made.
    problem
        Why there is no report although one was asked for, in a sentence.
    """

    understanding: Understanding
    report: str = ""
    problem: str = ""


def load_everything() -> None:
    """Load Matplotlib now, which the first report would wait for."""
    from foldwise.report.style import new_axes

    new_axes(None)


def visit(door: str, entry: Entry, answer: bool) -> Visit:
    """Look at the data and, if that is wanted and possible, answer."""
    understanding = DOORS[door].look(entry)
    if not answer or understanding.problem:
        return Visit(understanding=understanding)
    try:
        report = body_html(_page(door, entry)[0])
    except FoldwiseError as error:
        return Visit(understanding=understanding, problem=str(error))
    return Visit(understanding=understanding, report=report)


def download(door: str, entry: Entry, kind: str) -> str:
    """The report as a file: a self-contained page, or JSON with the keys of the command line."""
    page, result = _page(door, entry)
    if kind == "html":
        return page_html(page)
    return json.dumps(result.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)


def plan_html(options: dict[str, Any]) -> str:
    """The answer to "how many examples or runs do I need", with its curve."""
    given = {name: value for name, value in options.items() if value is not None}
    words = ["plan", *(f"--{name}={value}" for name, value in given.items())]
    return body_html(replace(page_of(plan(**given)), command=shell(words)))


def _page(door: str, entry: Entry) -> tuple[Page, Result]:
    result = DOORS[door].answer(entry)
    return replace(page_of(result), command=shell(DOORS[door].command(entry))), result
