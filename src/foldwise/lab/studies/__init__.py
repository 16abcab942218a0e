"""Every study that `foldwise reproduce` runs: the papers', and our own of all their tests on all their populations."""

from __future__ import annotations

from foldwise.lab.studies.registry import PAPERS, all_studies, find_studies

__all__ = ["PAPERS", "all_studies", "find_studies"]
