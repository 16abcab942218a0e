"""Dietterich (1998), Approximate statistical tests for comparing supervised classification learning algorithms."""

from __future__ import annotations

from foldwise.lab.papers.dietterich1998.curves import FIGURE_3, FIGURE_8
from foldwise.lab.papers.dietterich1998.failure import FIGURE_2, SECTION_7
from foldwise.lab.papers.dietterich1998.realistic import FIGURE_2 as FIGURE_2_EXP6
from foldwise.lab.papers.dietterich1998.realistic import FIGURE_7, POWER, SECTION_3_4
from foldwise.lab.papers.dietterich1998.simulated import FIGURE_5, FIGURE_6, SECTION_5

__all__ = ["STUDIES"]

STUDIES = (
    SECTION_3_4,
    FIGURE_2,
    FIGURE_2_EXP6,
    FIGURE_3,
    FIGURE_5,
    SECTION_5,
    FIGURE_6,
    FIGURE_7,
    FIGURE_8,
    *POWER,
    SECTION_7,
)
