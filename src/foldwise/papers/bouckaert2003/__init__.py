"""Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests."""

from __future__ import annotations

from foldwise.papers.bouckaert2003.figure1 import FIGURE_1

__all__ = ["STUDIES"]

STUDIES = (FIGURE_1,)
