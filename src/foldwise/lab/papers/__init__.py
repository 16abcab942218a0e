"""The papers' tables and figures as runnable studies, with the printed values beside ours."""

from __future__ import annotations

from foldwise.lab.papers.rows import Chart, PlottedSeries, Printed, Row
from foldwise.lab.papers.study import Findings, Scale, Study, StudyResult, Task

__all__ = [
    "Chart", "Findings", "PlottedSeries", "Printed", "Row", "Scale", "Study", "StudyResult", "Task",
]  # fmt: skip
