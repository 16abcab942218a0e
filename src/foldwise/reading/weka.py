"""Results of Weka's Experimenter, CSV or ARFF: ``Key_Dataset, Key_Run, Key_Fold, Key_Scheme, …`` and the measures.

Many data sets in one file are the rule; a learner is its scheme with its options; the sizes of the splits are there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from foldwise.core.errors import InvalidInput
from foldwise.data.sheet import RowCells, Sheet
from foldwise.reading.long_table import Layout, series_of
from foldwise.reading.reader import Reader
from foldwise.reading.series import Series
from foldwise.reading.source import Source, read_source

_DATA, _RUN, _FOLD = "Key_Dataset", "Key_Run", "Key_Fold"
_SCHEME, _OPTIONS = "Key_Scheme", "Key_Scheme_options"
_TRAIN, _TEST = "Number_of_training_instances", "Number_of_testing_instances"
_MEASURES = (
    "Percent_correct", "Kappa_statistic", "Area_under_ROC", "Area_under_PRC", "F_measure", "Matthews_correlation",
    "Correlation_coefficient", "Mean_absolute_error", "Root_mean_squared_error", "Relative_absolute_error",
    "Root_relative_squared_error", "Percent_incorrect", "IR_precision", "IR_recall", "Weighted_avg_area_under_ROC",
    "Weighted_avg_F_measure",
)  # fmt: skip
"""What is worth comparing, the usual one first."""


class WekaExperimenter(Reader):
    """Weka's Experimenter."""

    name = "Weka Experimenter"
    says = "CSV and ARFF files with Key_Dataset, Key_Run, Key_Scheme"

    def recognises(self, source: Source) -> bool:
        """The keys among the first names."""
        return b"Key_Dataset" in source.head and b"Key_Scheme" in source.head

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """Every measure of every learner on every data set."""
        for source in sources:
            yield from _series(_unquoted(read_source(source)))


READER = WekaExperimenter()


def _series(sheet: Sheet) -> Iterator[Series]:
    names = set(sheet.header)
    if not {_DATA, _RUN, _SCHEME} <= names:
        raise InvalidInput(f"{sheet.source} must have the columns {_DATA}, {_RUN} and {_SCHEME} of the Experimenter")
    named = _with_model(sheet)
    layout = Layout(
        model="model",
        task=_DATA,
        run=_RUN,
        fold=_FOLD if _FOLD in names else None,
        values=tuple(name for name in _MEASURES if name in names),
        n_train=_TRAIN if _TRAIN in names else None,
        n_test=_TEST if _TEST in names else None,
    )
    yield from series_of(named, layout)


def _with_model(sheet: Sheet) -> Sheet:
    """The sheet with a column for the learner: the scheme's last word, with options where one scheme has several."""
    schemes = sheet.column(_SCHEME)
    options = sheet.column(_OPTIONS) if _OPTIONS in sheet.positions else [""] * len(sheet)
    short = [scheme.rpartition(".")[2] for scheme in schemes]
    variants: dict[str, set[tuple[str, str]]] = {}
    for word, scheme, option in zip(short, schemes, options, strict=True):
        variants.setdefault(word, set()).add((scheme, option))
    models = [
        word if len(variants[word]) == 1 else f"{word} {option}".strip()
        for word, option in zip(short, options, strict=True)
    ]
    rows = [(*row, model) for row, model in zip(sheet.rows, models, strict=True)]
    return replace(sheet, header=(*sheet.header, "model"), cells=RowCells(rows))


def _unquoted(sheet: Sheet) -> Sheet:
    """Weka quotes with ' where a cell has blanks."""
    rows = [tuple(_plain(cell) for cell in row) for row in sheet.rows]
    return replace(sheet, cells=RowCells(rows))


def _plain(cell: str) -> str:
    quoted = len(cell) > 1 and cell[0] == cell[-1] == "'"
    return cell[1:-1].replace("\\'", "'") if quoted else cell
