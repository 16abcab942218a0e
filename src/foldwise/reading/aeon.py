"""Result files of aeon and the UCR archive: ``<estimator>_<measure>.csv``, data sets in rows, resamples in columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from foldwise.reading.reader import Reader
from foldwise.reading.series import Series, Whole
from foldwise.reading.source import Source, read_source

_NAME = re.compile(
    r"(?P<estimator>.+)_(?P<measure>accuracy|balacc|balancedaccuracy|auroc|f1|nll|logloss|mse|rmse|mae)\.csv",
    re.IGNORECASE,
)


class Aeon(Reader):
    name = "aeon"
    says = "<estimator>_<measure>.csv with a row per data set and a column per resample"

    def recognises(self, source: Source) -> bool:
        """The file's name, and columns that are numbered."""
        names = source.columns if _NAME.fullmatch(source.stem) else ()
        return len(names) > 1 and all(name.strip().isdecimal() for name in names[1:])

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """The mean over the resamples, for every data set."""
        for source in sources:
            named = _NAME.fullmatch(source.stem)
            assert named is not None
            sheet = read_source(source)
            values = np.array([sheet.numbers(name, allow_missing=True) for name in sheet.header[1:]])
            for row, task in enumerate(sheet.column(sheet.header[0])):
                whole = values[:, row]
                if np.isnan(whole).any():
                    left_out.append(f"{source.name}: {task}, which lacks some resample")
                    continue
                yield Series(
                    model=named["estimator"],
                    task=task,
                    metric=named["measure"],
                    rows=Whole(),
                    values=np.array([whole.mean()]),
                    source=source.name,
                )


READER = Aeon()
