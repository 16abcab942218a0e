"""Results of the AutoML benchmark (AMLB): ``results.csv``, one row per task, framework, constraint and fold.

A fold without a result has failed, and `info` says why. The seed is another one on every fold, so that it is no run.
The metric follows from the task; AMLB negates losses (``neg_logloss``), so that higher is better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from foldwise.data.sheet import RowCells, Sheet
from foldwise.reading.long_table import Layout, series_of
from foldwise.reading.reader import Reader
from foldwise.reading.series import Series
from foldwise.reading.source import Source, read_source

_OWN = {"task", "framework", "constraint", "fold", "result", "metric"}
_MODEL = "model"


class Amlb(Reader):
    """The AutoML benchmark."""

    name = "AMLB"
    says = "results.csv with task, framework, constraint, fold, result, metric"

    def recognises(self, source: Source) -> bool:
        return set(source.columns) >= _OWN

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """The result of every framework on every task."""
        layout = Layout(model=_MODEL, values=("result",), task="task", fold="fold", metric="metric")
        for source in sources:
            for one in series_of(_with_model(read_source(source)), layout):
                failed = one.missing.get("empty", 0)
                yield replace(one, missing={"failed": failed} if failed else {})


READER = Amlb()


def _with_model(sheet: Sheet) -> Sheet:
    """The sheet with a column for the model: the framework, with its constraint where there are several."""
    frameworks, constraints = sheet.column("framework"), sheet.column("constraint")
    several = len(set(constraints)) > 1
    models = [
        f"{framework} ({constraint})" if several else framework
        for framework, constraint in zip(frameworks, constraints, strict=True)
    ]
    header = tuple(f"{name}_" if name == _MODEL else name for name in sheet.header)
    rows = [(*row, model) for row, model in zip(sheet.rows, models, strict=True)]
    return replace(sheet, header=(*header, _MODEL), cells=RowCells(rows))
