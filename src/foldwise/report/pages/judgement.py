"""The page of a judgement: the page of its main verdict, with what was understood and the tasks one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from foldwise.report.drawings import Drawing
from foldwise.report.page import Facts, Grid, Page, Section
from foldwise.report.pages import bare_page, drawings_of

if TYPE_CHECKING:
    from foldwise.judging import Judgement

__all__ = ["drawings", "page"]


def page(judgement: Judgement) -> Page:
    """What was understood first, then the verdict, then the tasks."""
    main = bare_page(judgement.main, assumed=False)
    understood = Section(
        heading="What was understood", blocks=(Facts(rows=tuple(judgement.understanding.lines())),), brief=True
    )
    tasks = () if judgement.overall is None else (_by_task(judgement),)
    headline = f"{judgement.disagreement} {main.headline}".strip()
    return replace(main, headline=headline, sections=(understood, *main.sections, *tasks))


def drawings(judgement: Judgement) -> dict[str, Drawing]:
    """Those of the main verdict."""
    return drawings_of(judgement.main)


def _by_task(judgement: Judgement) -> Section:
    pages = {task: bare_page(verdict, assumed=False) for task, verdict in judgement.verdicts.items()}
    rows = tuple((task, one.headline, one.detail) for task, one in pages.items())
    grid = Grid(columns=("task", "verdict", "numbers"), rows=rows, words=("verdict", "numbers"))
    return Section(heading="By task", blocks=(grid,), brief=True)
