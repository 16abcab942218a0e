"""A judgement of files: what was understood, then its main verdict, and the tasks one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.document import document_of, plots_of
from foldwise.document.document import Document, Drawing, Facts, Grid, Text

if TYPE_CHECKING:
    from foldwise.comparison.judgement import Judgement
    from foldwise.comparison.understanding import Understanding

__all__ = ["judgement", "judgement_plots", "understanding"]


def understanding(found: Understanding) -> Document:
    """What the files are."""
    return Document(title="What was understood", blocks=(Facts(rows=tuple(found.lines())),))


def judgement(j: Judgement) -> Document:
    """What was understood first, then the verdict, then the tasks."""
    main = document_of(j.main, assumed=False)
    headline = f"{j.disagreement} {main.headline}".strip()
    tasks = () if j.overall is None else (_by_task(j),)
    understood = Text(text="What was understood:"), Facts(rows=tuple(j.understanding.lines()))
    return main.replace(headline=headline, blocks=(*main.blocks, *tasks, *understood))


def judgement_plots(j: Judgement) -> dict[str, Drawing]:
    """Those of the main verdict."""
    return plots_of(j.main)


def _by_task(j: Judgement) -> Grid:
    told = {task: document_of(verdict, assumed=False) for task, verdict in j.verdicts.items()}
    rows = tuple((task, one.headline, one.detail) for task, one in told.items())
    return Grid(columns=("task", "verdict", "numbers"), rows=rows, words=("verdict", "numbers"), caption="By task")
