"""The papers' tables and figures as runnable studies, with the printed values beside ours."""

from __future__ import annotations

from foldwise.lab.papers.rows import Chart, Printed, Row, Series
from foldwise.lab.papers.study import Findings, Scale, Study, StudyResult, Task

__all__ = [
    "Chart", "Findings", "Printed", "Row", "Scale", "Series", "Study", "StudyResult", "Task",
]  # fmt: skip
