"""Wide tables: a column per model, and a row per data set, item or split.

Such a table is taken for one only where nothing else is known of a file, because any table of numbers looks like it.
The name of the column with the labels tells what rows are; where it does not, the person must, for data sets that are
items, or folds that are data sets, would be answered wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from foldwise.core.errors import FoldwiseError, InvalidInput
from foldwise.core.metric import UNNAMED, is_loss
from foldwise.core.replicates import FOLD_NAMES, RUN_NAMES
from foldwise.core.types import Array
from foldwise.data.sheet import Sheet
from foldwise.reading.long_table import CLUSTERS, ITEMS, TASKS
from foldwise.reading.reader import Reader
from foldwise.reading.series import Items, Labelled, Rows, Series, Splits
from foldwise.reading.source import Source
from foldwise.reading.tables import read_beginning, read_source
from foldwise.reading.wide_outputs import measured_outputs

__all__ = ["READER", "wide_series"]

_TRUTH = ("truth", "y_true", "label", "target", "actual", "y", "gold", "true", "reference")
_INDEX = ("", "unnamed: 0", "index", "name", "id", "row")
"""Labels of which nobody knows whether they are of data sets or of items."""
_SIZES = ("n_train", "n_test")


class WideTable(Reader):
    """A table with a column per model."""

    name = "wide table"
    says = (
        "any such table with a row per data set, item or fold and a column per model, or with the truth and predictions"
    )

    def recognises(self, source: Source) -> bool:
        """At least two columns that may be models, as far as the first rows tell."""
        if len(source.columns) < 2:
            return False
        try:
            sheet = read_beginning(source)
            return len(_models(sheet, _labels(sheet))) > 1
        except FoldwiseError:
            return False

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """One series per model, or per model and data set."""
        for source in sources:
            yield from wide_series(read_source(source), left_out, name=source.path.stem)


READER = WideTable()


def wide_series(sheet: Sheet, left_out: list[str], *, name: str = "") -> Iterator[Series]:
    """The series in a wide table; a file that is called like a metric holds it."""
    taken = _labels(sheet)
    models = _models(sheet, taken)
    if len(models) < 2:
        raise InvalidInput(
            f"{sheet.source} must have a column of numbers for each of at least two models; it has "
            f"{sheet.describe_columns()}"
        )
    passed = [column for column in sheet.header if column not in {*models, *taken.values()}]
    if passed:
        left_out.append(f"{sheet.source}: {', '.join(passed[:8])} (no numbers of a model)")
    rows = _rows(sheet, taken)
    for metric, model, values in _measured(sheet, taken.get("truth"), models, left_out, name):
        gaps = int(np.isnan(values).sum())
        yield Series(
            model=model,
            task="",
            metric=metric,
            rows=rows,
            values=values,
            missing={"empty": gaps} if gaps else {},
            source=sheet.source,
        )


def _measured(
    sheet: Sheet, truth: str | None, models: Sequence[str], left_out: list[str], name: str
) -> Iterator[tuple[str, str, Array]]:
    """Metric, model and values."""
    if truth is not None:
        yield from measured_outputs(sheet, truth, models, left_out)
        return
    for model in models:
        yield name if is_loss(name) is not None else UNNAMED, model, sheet.numbers(model, allow_missing=True)


def _labels(sheet: Sheet) -> dict[str, str]:
    """Columns that are no models, by what they tell."""
    kinds = {
        "task": TASKS,
        "item": ITEMS,
        "run": RUN_NAMES,
        "fold": FOLD_NAMES,
        "truth": _TRUTH,
        "index": _INDEX,
        "n_train": _SIZES[:1],
        "n_test": _SIZES[1:],
        **{name: (name,) for name in CLUSTERS},
    }
    found = {kind: column for kind, names in kinds.items() if (column := sheet.guess(names)) is not None}
    first = sheet.header[0]
    if not {"task", "item", "run", "fold", "truth", "index"} & set(found) and not _is_numeric(sheet, first):
        found["index"] = first  # text that nobody knows: labels of something
    return found


def _models(sheet: Sheet, taken: dict[str, str]) -> list[str]:
    free = [name for name in sheet.header if name and name not in taken.values()]
    return free if "truth" in taken else [name for name in free if _is_numeric(sheet, name)]


def _is_numeric(sheet: Sheet, name: str) -> bool:
    try:
        return not bool(np.isnan(sheet.numbers(name, allow_missing=True)).all())
    except InvalidInput:
        return False


def _rows(sheet: Sheet, taken: dict[str, str]) -> Rows:
    def cells(kind: str) -> list[str]:
        return sheet.column(taken[kind])

    numbered = [str(row + 1) for row in range(len(sheet))]
    clusters = {name: sheet.column(taken[name]) for name in CLUSTERS if name in taken}
    if "item" in taken or "truth" in taken:
        return Items(keys=cells("item") if "item" in taken else numbered, clusters=clusters)
    if "task" in taken and not {"run", "fold"} & set(taken):
        return Labelled(labels=cells("task"), readings=("tasks",))
    if "task" in taken:
        raise InvalidInput(
            f"{sheet.source} has splits of several data sets in rows and models in columns: make it long, with one "
            "column of models"
        )
    if "run" in taken or "fold" in taken:
        both = "run" in taken and "fold" in taken
        sizes = {name: float(sheet.numbers(taken[name]).mean()) for name in _SIZES if name in taken}
        fold = "fold" if "fold" in taken else "run"
        return Splits(
            folds=cells(fold),
            runs=cells("run") if both else None,
            n_train=sizes.get("n_train"),
            n_test=sizes.get("n_test"),
            seeds=taken[fold].strip().lower() == "seed",
        )
    if "index" in taken:
        return Labelled(labels=cells("index"), readings=("tasks", "items", "splits"), clusters=clusters)
    return Labelled(labels=numbered, readings=("items", "splits"), clusters=clusters)
