"""Martin & Hirschberg (1996), Small sample statistics for classification error rates II."""

from __future__ import annotations

from foldwise.lab.papers.martinhirschberg1996.intervals import (
    FIGURE_1,
    FIGURE_2,
    FIGURE_3,
    FIGURE_4,
    SECTION_2,
    TABLE_5,
)
from foldwise.lab.papers.martinhirschberg1996.paired import TABLE_10, TABLE_11, TABLE_12, TABLE_15
from foldwise.lab.papers.martinhirschberg1996.single import FIGURE_6, FIGURE_7, FIGURE_14, FIGURE_16
from foldwise.lab.papers.martinhirschberg1996.trees import TABLE_13

__all__ = ["STUDIES"]

STUDIES = (
    SECTION_2,
    FIGURE_1,
    FIGURE_2,
    FIGURE_3,
    FIGURE_4,
    TABLE_5,
    FIGURE_6,
    FIGURE_7,
    TABLE_10,
    TABLE_11,
    TABLE_12,
    TABLE_13,
    FIGURE_14,
    TABLE_15,
    FIGURE_16,
)
