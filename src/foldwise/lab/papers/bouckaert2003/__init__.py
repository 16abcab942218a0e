"""Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests."""

from __future__ import annotations

from foldwise.lab.papers.bouckaert2003.figures import FIGURE_1, FIGURE_2, FIGURE_4
from foldwise.lab.papers.bouckaert2003.replication import STUDY_5, STUDY_6
from foldwise.lab.papers.bouckaert2003.tables import STUDY_2, STUDY_3, STUDY_4, STUDY_7

__all__ = ["STUDIES"]

STUDIES = (
    FIGURE_1,
    FIGURE_2,
    STUDY_2,
    STUDY_3,
    FIGURE_4,
    STUDY_4,
    STUDY_5,
    STUDY_6,
    STUDY_7,
)
