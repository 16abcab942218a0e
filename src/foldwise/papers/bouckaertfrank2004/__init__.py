"""Bouckaert & Frank (2004), Evaluating the replicability of significance tests for comparing learning algorithms."""

from __future__ import annotations

from foldwise.papers.bouckaertfrank2004.counts import TABLE_1_SUMMARIES

__all__ = ["STUDIES"]

STUDIES = (TABLE_1_SUMMARIES,)
