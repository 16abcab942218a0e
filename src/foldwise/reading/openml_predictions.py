"""Predictions of OpenML runs, as ARFF or CSV: ``repeat, fold, row_id, prediction, correct`` (or ``truth``).

Two runs of one task have the same splits, so that any two files of one task are paired by row; repeats are trials.
Columns are matched by name, because clients order them differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from foldwise.core.errors import InvalidInput
from foldwise.data.sheet import parse_number
from foldwise.reading.collecting import Collector
from foldwise.reading.reader import Reader
from foldwise.reading.series import Series
from foldwise.reading.source import Source, read_source

_NEEDED = {"repeat", "fold", "row_id", "prediction"}


class OpenMLPredictions(Reader):
    """Predictions of OpenML."""

    name = "OpenML predictions"
    says = "ARFF or CSV with repeat, fold, row_id, prediction and correct or truth: one file per run of a task"

    def recognises(self, source: Source) -> bool:
        """The columns that OpenML asks for."""
        return set(source.columns) >= _NEEDED

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """Right or wrong on every row, or its squared error where the target is a number."""
        for source in sources:
            yield from _series(source)


READER = OpenMLPredictions()


def _series(source: Source) -> Iterator[Series]:
    sheet = read_source(source)
    true = sheet.guess(["correct", "truth"])
    if true is None:
        raise InvalidInput(f"{sheet.source} must have a column correct or truth; it has {sheet.describe_columns()}")
    confidences = [name for name in sheet.header if name.startswith("confidence.")]
    columns = [sheet.column(name) for name in ("row_id", "repeat", "prediction", true)]
    found = Collector()
    for row, repeat, said, truth in zip(*columns, strict=True):
        number, wanted = (None, None) if confidences else (parse_number(said), parse_number(truth))
        if not confidences and true == "truth" and number is not None and wanted is not None:
            metric, value = "squared_error", (number - wanted) ** 2
        else:
            metric, value = "accuracy", float(said == truth)
        found.add(metric, row, value, trial=repeat, content=truth)
    model = source.stem.removesuffix(".arff").removesuffix(".csv")
    yield from found.series(model=model, task="", source=source.name)
