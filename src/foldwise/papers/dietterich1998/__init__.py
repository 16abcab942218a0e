"""Dietterich (1998), Approximate statistical tests for comparing supervised classification learning algorithms."""

from __future__ import annotations

from foldwise.papers.dietterich1998.failure import SECTION_7
from foldwise.papers.dietterich1998.figure2 import FIGURE_2
from foldwise.papers.dietterich1998.simulated import FIGURE_5, FIGURE_6, SECTION_5

__all__ = ["STUDIES"]

STUDIES = (
    FIGURE_2,
    FIGURE_5,
    SECTION_5,
    FIGURE_6,
    SECTION_7,
)
