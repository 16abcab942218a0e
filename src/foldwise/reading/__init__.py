"""Readers of results that already exist: logs of harnesses, exports of trackers, tables; all give `Series`."""

from __future__ import annotations

from foldwise.core.lazy import public_names

__getattr__, __dir__, __all__ = public_names(
    __name__,
    {
        "archives": ("opened_archives",), "catalogue": ("READERS", "read_sources"), "reader": ("Reader", "Reading"),
        "series": ("READINGS", "ItemRows", "LabelledRows", "Rows", "Series", "SplitRows", "WholeTask"),
        "source": ("SourceFile", "find_sources"),
    },
)  # fmt: skip
