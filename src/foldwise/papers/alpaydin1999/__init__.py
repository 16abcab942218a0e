"""alpaydin1999."""

from __future__ import annotations

from foldwise.papers.study import Study

__all__ = ["STUDIES"]

STUDIES: tuple[Study, ...] = ()
