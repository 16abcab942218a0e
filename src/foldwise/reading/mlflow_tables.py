"""Answers that MLflow evaluated: ``eval_results_table.json``, and tables of ``mlflow.genai.evaluate``.

Rows have no key of their own: they are joined by what was asked, and the target proves that it is the same question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from foldwise.core.errors import InvalidInput
from foldwise.data.sheet import Sheet, parse_number
from foldwise.reading.collecting import Collector
from foldwise.reading.reader import Reader
from foldwise.reading.series import Series
from foldwise.reading.source import Source, read_source

_SCORE = re.compile(r"(?P<metric>.+?)(?:/v\d+)?/(?:score|value)")
_TARGETS = ("target", "targets", "ground_truth", "expectations", "expected", "expected_response", "label")
_ASKED = ("inputs", "input", "question", "request", "prompt")
_WORDS = {"true": 1.0, "yes": 1.0, "pass": 1.0, "false": 0.0, "no": 0.0, "fail": 0.0, "": None}
_TABLE = "eval_results_table"


class MlflowTables(Reader):
    """MLflow's evaluated answers."""

    name = "MLflow evaluation"
    says = "eval_results_table.json, one per model, with <metric>/score"

    def recognises(self, source: Source) -> bool:
        """What was asked, and scores."""
        return is_evaluation(source)

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """One series per table and score."""
        named = [_name(source) for source in sources]
        for source, model in zip(sources, named, strict=True):
            if named.count(model) > 1:
                raise InvalidInput(
                    f"{source.name} must be named after its model, because another table is {model!r} too"
                )
            yield from evaluated(read_source(source), model, left_out)


READER = MlflowTables()


def _name(source: Source) -> str:
    """What the person called the file, or its folder."""
    stem = source.stem.partition(".")[0]
    return stem if stem != _TABLE else source.path.absolute().parent.name


def is_evaluation(source: Source) -> bool:
    """Whether it is a table of what was asked, with scores."""
    asked = {name.lower() for name in source.columns} & set(_ASKED)
    return bool(asked) and any(_SCORE.fullmatch(name) for name in source.columns)


def evaluated(sheet: Sheet, model: str, left_out: list[str]) -> Iterator[Series]:
    """One series per score of a table."""
    asked, target = sheet.guess(_ASKED), sheet.guess(_TARGETS)
    assert asked is not None
    keys = sheet.column(asked)
    targets = None if target is None else sheet.column(target)
    collected = Collector()
    for name in sheet.header:
        found = _SCORE.fullmatch(name)
        if found is None:
            continue
        values = [_number(cell) for cell in sheet.column(name)]
        if any(value == _NOT_ONE for value in values):
            left_out.append(f"{sheet.source}: {name} (no numbers)")
            continue
        for row, (key, value) in enumerate(zip(keys, values, strict=True)):
            collected.add(found["metric"], key, value, content=None if targets is None else targets[row])
    yield from collected.series(model=model, task="", source=sheet.source)


_NOT_ONE = float("inf")
"""Stands for text that is no score."""


def _number(cell: str) -> float | None:
    if cell.lower() in _WORDS:
        return _WORDS[cell.lower()]
    found = parse_number(cell)
    return _NOT_ONE if found is None else found
