"""Bouckaert & Frank (2004), Evaluating the replicability of significance tests for comparing learning algorithms."""

from __future__ import annotations

from foldwise.lab.papers.bouckaertfrank2004.counts import TABLE_1_SUMMARIES
from foldwise.lab.papers.bouckaertfrank2004.table5 import TABLE_5
from foldwise.lab.papers.bouckaertfrank2004.tables import SECTION_4_3, TABLE_1, TABLE_2, TABLE_3, TABLE_4

__all__ = ["STUDIES"]

STUDIES = (
    TABLE_1_SUMMARIES,
    TABLE_1,
    TABLE_2,
    SECTION_4_3,
    TABLE_3,
    TABLE_4,
    TABLE_5,
)
