"""Alpaydın (1999), Combined 5×2 cv F test for comparing supervised classification learning algorithms."""

from __future__ import annotations

from foldwise.lab.papers.alpaydin1999.tables import FIGURE_1, FIGURE_2, STUDY_1, STUDY_2, STUDY_3

__all__ = ["STUDIES"]

STUDIES = (
    STUDY_1,
    STUDY_2,
    STUDY_3,
    FIGURE_1,
    FIGURE_2,
)
