"""Trials of an Optuna study (``study.trials_dataframe()``), where each trial kept its scores on the folds.

Trials adapt to each other, so that values of whole trials can't be compared as if drawn apart. Scores on common folds
can: they are paired, as the candidates of any other search are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.data.sheet import Sheet
from foldwise.reading.reader import Reader
from foldwise.reading.search_results import chosen_among
from foldwise.reading.series import Series, Splits
from foldwise.reading.source import Source, read_source

_OWN = {"number", "state", "datetime_start"}
_FOLD = re.compile(
    r"user_attrs_(?:(?P<before>\w{1,100}?)_)?(?:fold|split|cv)_?(?P<fold>\d++)(?:_(?P<after>\w{1,100}+))?"
)


class Optuna(Reader):
    """Optuna."""

    name = "Optuna"
    says = "trials_dataframe() of a study whose trials keep their folds as user attributes (fold0, fold1 …)"

    def recognises(self, source: Source) -> bool:
        """The columns that every frame of trials has."""
        return set(source.columns) >= _OWN

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """Every trial that was finished, on its folds."""
        for source in sources:
            yield from _trials(read_source(source), left_out)


READER = Optuna()


def _trials(sheet: Sheet, left_out: list[str]) -> Iterator[Series]:
    folds: dict[str, list[tuple[int, str]]] = {}
    for name in sheet.header:
        if found := _FOLD.fullmatch(name):
            folds.setdefault(found["before"] or found["after"] or "score", []).append((int(found["fold"]), name))
    if not folds:
        raise InvalidInput(
            f"{sheet.source} holds trials of one Optuna study, which adapt to each other and can't be compared as if "
            "drawn apart: keep the scores on the folds (trial.set_user_attr('fold0', …)), compare studies with several "
            "seeds, or score the winners on new splits"
        )
    finished = [row for row, state in enumerate(sheet.column("state")) if state == "COMPLETE"]
    if len(finished) < len(sheet):
        left_out.append(f"{sheet.source}: {len(sheet) - len(finished)} trials that were pruned or failed")
    left_out.extend(chosen_among(len(finished), sheet.source))
    labels = _labels(sheet)
    for metric, columns in folds.items():
        values = np.array([sheet.numbers(name, allow_missing=True) for _, name in sorted(columns)])
        for row in finished:
            yield Series(
                model=labels[row],
                task="",
                metric=metric,
                rows=Splits(folds=[str(fold) for fold, _ in sorted(columns)]),
                values=values[:, row],
                source=sheet.source,
            )


def _labels(sheet: Sheet) -> list[str]:
    """The parameters of each trial, with its number where another has the same."""
    names = [name for name in sheet.header if name.startswith("params_")]
    cells = [sheet.column(name) for name in names]
    told = [
        ", ".join(f"{name.removeprefix('params_')}={cell}" for name, cell in zip(names, row, strict=True) if cell)
        for row in zip(*cells, strict=True)
    ] or [""] * len(sheet)
    numbers = sheet.column("number")
    return [
        text if text and told.count(text) == 1 else f"trial {number}" + (f" ({text})" if text else "")
        for text, number in zip(told, numbers, strict=True)
    ]
