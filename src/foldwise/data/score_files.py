"""Files of scores: data sets × learners, and learners × splits."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput, UnknownName, column, parameter
from foldwise.core.replicates import FOR_SPLITS, refuse_replicate_column
from foldwise.core.roles import ROLES, Columns, Roles, assign_roles, merged, missing_roles, normalised, role_of
from foldwise.core.types import Array
from foldwise.data.column_meaning import with_numbering, without_summaries
from foldwise.data.formats import read_sheet
from foldwise.data.predictions import exactly_two
from foldwise.data.sheet import Sheet, parse_number, some_names
from foldwise.data.text import Readable

# ---- Result tables: data sets × learners.

Rows = Literal["tasks", "models"]  # What the rows of a table are: data sets, or models.


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTable:
    """One score per data set and learner."""

    datasets: tuple[str, ...]  #: Names of the rows
    names: tuple[str, ...]  #: Names of the columns: the learners
    values: Array  #: Scores of shape (data sets, learners); NaN where the file has none
    missing: tuple[tuple[str, str], ...]  #: The (data set, learner) pairs without a score
    source: str  #: What messages call the file
    decisions: tuple[Decision, ...] = ()  #: How columns came to their roles


def read_table(path_or_text: Readable, *, columns: Columns | None = None, rows: Rows | None = None) -> ResultTable:
    r"""Read a table with a column of data sets, whose other columns hold one learner's scores each.

    Parameters
    ----------
    path_or_text
        A file, ``"-"`` for standard input, or the text itself.
    columns
        By role, columns: ``{"task": "data", "model": ["nb", "c45"]}``. Without them the data sets are a column called
        so, or the first one, and every other column of numbers is a learner.
    rows
        ``"models"``: models are in rows, and data sets in columns.

    Returns
    -------
    ResultTable
        A cell that is empty, ?, NA, NaN, none or null is missing; what to do about it is the caller's choice.

    Examples
    --------
    >>> table = read_table("data,nb,c45\niris,0.95,0.94\nwine,0.97,\n")
    >>> table.names, table.missing
    (('nb', 'c45'), (('wine', 'c45'),))
    >>> read_table("model,iris,wine\nnb,0.95,0.97\nc45,0.94,0.9\n", rows="models").names
    ('nb', 'c45')
    """
    sheet = read_sheet(path_or_text)
    roles = assign_roles(sheet.header, columns, source=sheet.source, only=("task", "model", "index"))
    roles = with_numbering(sheet, roles)
    if rows == "models":
        return _transposed(sheet, roles)
    first = roles.get("task") or _first(sheet, roles)
    declared = list(roles.all("model")) if "model" in roles.declared else []
    rest = [name for name in sheet.header[1:] if name not in roles.all("index") or not name]
    learners = declared or [name for name in dict.fromkeys([*_only(sheet.header[0], roles), *rest]) if name != first]
    if not learners:
        raise InvalidInput(f"{sheet.source} needs a column of data-set names and at least one learner, has 1 column")
    if roles.get("task") is None:
        _refuse_models_in_rows(sheet, first)
    if "" in learners:
        where = sheet.header.index("") + 1
        raise InvalidInput(f"{sheet.source}: column {where} must have a learner's name, but its header is empty")
    sheet, summaries = without_summaries(sheet, first)
    if "task" not in roles.declared:
        refuse_replicate_column(first, sheet.source)
    datasets = _unique_labels(sheet, first)
    values = np.column_stack([sheet.numbers(name, allow_missing=True) for name in learners])
    gaps = tuple((datasets[i], learners[j]) for i, j in np.argwhere(np.isnan(values)).tolist())
    return ResultTable(
        datasets=datasets,
        names=tuple(learners),
        values=values,
        missing=gaps,
        source=sheet.source,
        decisions=(
            *(one for one in roles.decisions if one.what in ("task", "model", "numbering")),
            *summaries,
            *sheet.written(learners),
        ),
    )


def _only(first: str, roles: Roles) -> list[str]:
    """The first column, unless it numbers rows."""
    return [] if first in roles.all("index") else [first]


def _first(sheet: Sheet, roles: Roles) -> str:
    """The column of data sets by its place: the first, but a column without a name only if there is no other text."""
    first = sheet.header[0]
    if first in roles.all("index"):
        texts = [name for name in sheet.header[1:] if name and not sheet.is_numeric(name, allow_missing=True)]
        return texts[0] if len(texts) == 1 else first
    return first


def _refuse_models_in_rows(sheet: Sheet, first: str) -> None:
    if role_of(first) == "model":
        raise InvalidInput(
            f"{sheet.source}: column {first!r} names models, so that data sets are the columns "
            f"({some_names(sheet.header[1:])}).\nRead it so with {parameter('rows', 'models')}; if its rows are data "
            f"sets all the same, say {column('task', first)}"
        )


def _transposed(sheet: Sheet, roles: Roles) -> ResultTable:
    """A table whose rows are models, and whose columns are data sets."""
    first = roles.get("model") or sheet.header[0]
    datasets = tuple(name for name in sheet.header if name != first and name not in roles.all("index"))
    names = _unique_labels(sheet, first, what="model")
    values = np.column_stack([sheet.numbers(name, allow_missing=True) for name in datasets]).T
    gaps = tuple((datasets[i], names[j]) for i, j in np.argwhere(np.isnan(values)).tolist())
    told = Decision(what="rows", value="rows are models, and columns data sets", how="declared")
    return ResultTable(
        datasets=datasets, names=names, values=values, missing=gaps, source=sheet.source,
        decisions=(told, *sheet.written(datasets)),
    )  # fmt: skip


def _unique_labels(sheet: Sheet, name: str, what: str = "data set") -> tuple[str, ...]:
    seen: dict[str, int] = {}
    for label, line in zip(sheet.labels(name), sheet.lines, strict=True):
        if label in seen:
            again = f"{sheet.source}, line {line} names {what} {label!r} again (first on line {seen[label]})"
            raise InvalidInput(f"{again}: {FOR_SPLITS}")
        seen[label] = line
    return tuple(seen)


# ---- Score files: what each learner scored on each split, long or wide.

_MAY_BE = ("model", "run", "seed", "fold", "score", "task", "item", "n_train", "n_test", "index")
"""Roles that a column of such a file can have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreFile:
    """The scores in a file, paired by split."""

    #: Per learner an array of shape (runs, folds), or (splits,) when the file doesn't have both
    scores: dict[str, Array]
    #: runs, folds: The labels of the two axes, or None; without runs, `folds` labels the splits if the file names them
    runs: tuple[str, ...] | None
    folds: tuple[str, ...] | None
    metric: str | None  #: The name of the score column of a long file; None for a wide one
    source: str  #: What messages call the file
    #: What each column was taken for: "learner", "run", "fold", "score" (in a wide file: of one learner) or "passed
    #: over"
    roles: dict[str, str]
    decisions: tuple[Decision, ...] = ()  #: How that came about

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the learners."""
        return tuple(self.scores)

    def pair(self, a: str | None = None, b: str | None = None) -> tuple[str, str]:
        """The two learners to compare: those named, and what is left where that is one; an error otherwise."""
        for name in (a, b):
            if name is not None and name not in self.scores:
                raise UnknownName("learner", name, self.names)
        others = [name for name in self.names if name not in (a, b)]
        if len(others) == 1 and (a is None) != (b is None):
            a, b = a or others[0], b or others[0]
        return exactly_two(self.names, "learner", self.source) if a is None or b is None else (a, b)


def read_scores(
    path_or_text: Readable, *, columns: Columns | None = None, learner: str | None = None, run: str | None = None,
    fold: str | None = None, score: str | None = None, gaps: bool = False,
) -> ScoreFile:  # fmt: skip
    r"""Read scores on resampled splits.

    Parameters
    ----------
    path_or_text
        A file, ``"-"`` for standard input, or the text itself.
    columns
        By role (`foldwise.core.roles`), the column that has it: ``{"model": "system", "score": "f1"}``. ``"none"``: no
        column has the role. Other roles are told by the names of columns.
    learner, run, fold, score
        The same for one role each; the learner is the role ``"model"``.
    gaps
        Whether scores may be missing, empty cells and absent rows alike: they are NaN then.

    Returns
    -------
    ScoreFile
        A file with a learner column is long: one row per learner and split. Any other is wide: one row per split,
        one column per learner. A long file without run and fold is paired by the order of its rows.

    Examples
    --------
    >>> long = "learner,run,fold,score\na,1,1,0.5\na,1,2,0.75\nb,1,1,0.25\nb,1,2,0.5\n"
    >>> read_scores(long).scores["a"].tolist()
    [[0.5, 0.75]]
    >>> read_scores("a,b\n0.5,0.25\n0.75,0.5\n").scores["b"].tolist()
    [0.25, 0.5]
    """
    sheet = read_sheet(path_or_text)
    declared = merged(columns, model=learner, run=run, fold=fold, score=score)
    roles = with_numbering(sheet, assign_roles(sheet.header, declared, source=sheet.source, only=_MAY_BE))
    seed = None if "run" in roles.declined else roles.get("seed")
    axes = (roles.get("run") or seed, roles.get("fold"))
    if not names_models(sheet, roles.all("model")):
        sheet, told = without_summaries(sheet, next((name for name in reversed(axes) if name is not None), None))
        return _wide(sheet, axes, replace(roles, decisions=(*roles.decisions, *told)), gaps)
    model = str(roles.get("model"))
    taken = {model, *axes}
    found = roles.get("score")
    left = [name for name in sheet.header if name not in {*roles.taken, *taken}]
    if found is None and len(left) == 1:
        found = left[0]
    if found is None:
        seen = f"column {roles.get('model')!r} names the models; the others are {', '.join(left) or 'no numbers'}"
        raise missing_roles(sheet.source, seen, {"score": next(iter(left), "")})
    metric = found
    cells = _Cells(sheet, axes, roles, gaps)
    cells.add(sheet.column(model), sheet.numbers(metric, allow_missing=gaps), sheet.lines)
    return cells.file(metric, {model: "learner", metric: "score"})


def names_models(sheet: Sheet, columns: Sequence[str]) -> bool:
    """Whether one column names the model of each row; columns of numbers, or several, are models themselves."""
    return len(columns) == 1 and (
        normalised(columns[0]) in ROLES["model"].names or not sheet.is_numeric(columns[0], allow_missing=True)
    )


def _wide(sheet: Sheet, axes: tuple[str | None, str | None], roles: Roles, gaps: bool) -> ScoreFile:
    if "score" in roles.declared:
        raise InvalidInput(f"{sheet.source} has no learner column to go with the score column {roles.get('score')!r}")
    declared = roles.all("model")
    other = roles.taken - {*declared, *roles.all("score"), *roles.ambiguous.get("score", ())}
    learners = [name for name in sheet.header if name not in other]
    if len(declared) > 1:
        learners = list(declared)
    if not learners:
        raise InvalidInput(f"{sheet.source} has no column with scores; it has {sheet.describe_columns()}")
    cells = _Cells(sheet, axes, roles, gaps)
    for name in learners:
        cells.add([name] * len(sheet), sheet.numbers(name, allow_missing=gaps), sheet.lines)
    return cells.file(None, dict.fromkeys(learners, "score"))


class _Cells:
    """Scores by learner, run and fold, on their way from rows to a grid."""

    def __init__(self, sheet: Sheet, axes: tuple[str | None, str | None], roles: Roles, gaps: bool) -> None:
        self._gaps = gaps
        self._source, self._sheet = sheet.source, sheet
        self._decisions = roles.decisions
        self._roles = dict.fromkeys(sheet.header, "passed over") | {
            name: role for name, role in zip(axes, ("run", "fold"), strict=True) if name is not None
        }
        self._named = [name for name in axes if name is not None]
        self._keys = list(zip(*(sheet.labels(name) for name in self._named), strict=True)) if self._named else None
        self._by_learner: dict[str, dict[tuple[str, ...], float]] = {}

    def add(self, learners: Sequence[str], values: Array, lines: Sequence[int]) -> None:
        """Put one score per row in its cell; a second score for the same cell is an error."""
        for i, (learner, value, line) in enumerate(zip(learners, values.tolist(), lines, strict=True)):
            held = self._by_learner.setdefault(learner, {})
            key = (str(len(held)),) if self._keys is None else self._keys[i]
            if key in held:
                raise InvalidInput(f"{self._source}, line {line} gives {self._place(learner, key)} a second score")
            held[key] = value

    def file(self, metric: str | None, roles: dict[str, str]) -> ScoreFile:
        """The complete grid; `roles` are those of the columns that are no axes."""
        axes = [_ordered(key[j] for held in self._by_learner.values() for key in held) for j in range(self._n_axes)]
        shape = tuple(map(len, axes))
        for name, held in self._by_learner.items():
            self._check_complete(name, held, axes)
        grid = list(itertools.product(*axes))
        scores = {
            name: np.array([held.get(key, np.nan) for key in grid]).reshape(shape)
            for name, held in self._by_learner.items()
        }
        both = self._n_axes == 2
        labels = axes[-1] if self._keys is not None else None
        return ScoreFile(
            scores=scores,
            runs=axes[0] if both else None,
            folds=labels,
            metric=metric,
            source=self._source,
            roles=self._roles | roles,
            decisions=(
                *(
                    one
                    for one in self._decisions
                    if one.what in ("model", "run", "seed", "fold", "score", "numbering", "summary")
                ),
                *self._sheet.written(name for name, role in roles.items() if role == "score"),
            ),
        )

    @property
    def _n_axes(self) -> int:
        return max(1, len(self._named))

    def _check_complete(self, name: str, held: dict[tuple[str, ...], float], axes: Sequence[tuple[str, ...]]) -> None:
        """Refuse a learner without a score for every cell, before the grid is laid out: it can be far larger."""
        missing = math.prod(map(len, axes)) - len(held)
        if self._gaps and missing > len(held):
            raise InvalidInput(f"{self._source} has no score for {missing} of {missing + len(held)} splits of {name!r}")
        if missing and not self._gaps:
            first = next(key for key in itertools.product(*axes) if key not in held)
            rest = f" (and {missing - 1} more)" if missing > 1 else ""
            raise InvalidInput(f"{self._source} has no score for {self._place(name, first)}{rest}")

    def _place(self, learner: str, key: tuple[str, ...]) -> str:
        if self._keys is None:
            return f"learner {learner!r}, split {int(key[0]) + 1} of its rows"
        where = ", ".join(f"{name} {label}" for name, label in zip(self._named, key, strict=True))
        return f"learner {learner!r}, {where}"


def _ordered(labels: Iterable[str]) -> tuple[str, ...]:
    """The distinct labels: by value if all are numbers, else in order of appearance."""
    distinct = list(dict.fromkeys(labels))
    values = [parse_number(label) for label in distinct]
    if any(value is None for value in values):
        return tuple(distinct)
    return tuple(label for _, label in sorted(zip(values, distinct, strict=True)))
