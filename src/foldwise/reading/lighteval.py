"""Details of lighteval: ``details/<model>/<stamp>/details_<task>_<stamp>.parquet``, one row per document."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any

from foldwise.data.frames import parquet_table
from foldwise.reading.collecting import Collector, is_number
from foldwise.reading.reader import Reader
from foldwise.reading.series import Series
from foldwise.reading.source import Source

_NAME = re.compile(r"details_(?P<task>.+)_\d{4}-\d\d-\d\dT[\d.-]+\.parquet")


class Lighteval(Reader):
    """lighteval."""

    name = "lighteval"
    says = "details_<task>_<stamp>.parquet"

    def recognises(self, source: Source) -> bool:
        """By the name of the file."""
        return _NAME.fullmatch(source.stem) is not None and source.head.startswith(b"PAR1")

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """One series per file and metric."""
        for source in sources:
            named = _NAME.fullmatch(source.stem)
            assert named is not None
            found = Collector()
            for row in _rows(source):
                document, values = row.get("doc") or {}, row.get("metric") or row.get("metrics") or {}
                query = str(document.get("query") or row.get("example") or "")
                key = str(document.get("id") or "") or hashlib.sha256(query.encode()).hexdigest()
                for metric, value in values.items():
                    if is_number(value) or value is None:
                        found.add(metric, key, value, content=hashlib.sha256(query.encode()).hexdigest())
            folders = source.path.resolve().parents
            yield from found.series(model=folders[1].name, task=named["task"], source=source.name)


READER = Lighteval()


def _rows(source: Source) -> list[dict[str, Any]]:
    wanted = ("doc", "metric", "metrics", "example")
    rows: list[dict[str, Any]] = parquet_table(source.content(), source.name, columns=wanted).to_pylist()
    return rows
