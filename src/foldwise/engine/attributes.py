"""Which columns of a frame or an array are attributes: the rule of files, unless a learner asks for a column itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldwise.core.code import is_own
from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput
from foldwise.core.table import BOOLEAN, Table, as_table, is_frame
from foldwise.core.types import Estimator
from foldwise.data.attributes import left_out, listed, looks_like_no_attribute
from foldwise.data.dataset import Dataset
from foldwise.data.frames import numbers_in_text, replace_columns
from foldwise.engine.examples import Form
from foldwise.engine.learners import params_of

MOST_CATEGORIES = 255  # Categories of one attribute that scikit-learn's histogram gradient boosting takes as they are.


def suited(estimator: Estimator, X: object, table: Table | None) -> tuple[Estimator, Form]:
    """The estimator as it can take `X`, which is `table` as a table, and the form in which it takes it."""
    if _takes_table(estimator):
        return estimator, "table"
    from foldwise.data.encoding import encode_for  # which loads scikit-learn

    if table is None:
        return estimator, "plain"
    framed = is_frame(X)
    # whether some part is neither scikit-learn's nor ours: it gets the frame that the user gave
    if _selects_columns(estimator) or (framed and any(map(is_foreign, components(estimator)))):
        return estimator, "frame"
    from foldwise.data.frames import to_pandas

    counts = [len(categories) for categories in table.categories if categories is not None]
    by_kind = getattr(estimator, "categorical_features", None) == "from_dtype"
    if by_kind and bool(counts) and max(counts) <= MOST_CATEGORIES and to_pandas(table[:1]) is not None:
        return estimator, "typed"
    if framed and all(categories in (None, BOOLEAN) for categories in table.categories) and _is_complete(table):
        return estimator, "frame"
    ready = encode_for(estimator, table)
    if ready is not estimator:
        return ready, "table"
    return estimator, "frame" if framed else "plain"


def _takes_table(estimator: Estimator) -> bool:
    if getattr(estimator, "accepts_table", False):
        return True
    steps = getattr(estimator, "steps", [])  # a pipeline takes what its first step takes
    return bool(steps and getattr(steps[0][1], "accepts_table", False))


def components(estimator: Estimator) -> list[object]:
    found = [estimator, *params_of(type(estimator).__name__, estimator).values()]
    return [part for part in found if hasattr(part, "fit") and not isinstance(part, type)]


def _selects_columns(estimator: Estimator) -> bool:
    """Whether a step inside looks at columns by name or kind, so that nothing may be encoded before it."""
    from sklearn.compose import ColumnTransformer
    from sklearn.preprocessing import FunctionTransformer

    for part in components(estimator):
        free = isinstance(part, FunctionTransformer) and not part.validate
        if free or isinstance(part, ColumnTransformer) or (hasattr(part, "transform") and _encodes(part)):
            return True
    return False


def _encodes(transformer: object) -> bool:
    from sklearn.utils import get_tags

    try:
        tags = get_tags(transformer).input_tags
    except (AttributeError, TypeError):  # no scikit-learn transformer: nothing is known
        return False
    return bool(tags.categorical or tags.string)


def is_foreign(part: object) -> bool:
    """Whether it is neither scikit-learn's nor ours."""
    return type(part).__module__.partition(".")[0] not in ("sklearn", "foldwise")


def _is_complete(table: Table) -> bool:
    return not bool(np.isnan(table.values).any())


# Where scikit-learn has it: it is recognised without being imported.
COLUMN_TRANSFORMER = "sklearn.compose._column_transformer"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChosenColumns:
    X: Any  #: As it was given, without the columns that are no attributes
    table: Table | None  #: The same as a table; None where it has no nominal columns and no names
    decisions: tuple[Decision, ...] = ()  #: What was left out, kept or read in another way than it is typed


def choose_attributes(X: object, learners: Mapping[str, Estimator], keep: Sequence[str] = ()) -> ChosenColumns:
    """Leave out identifiers, dates and text that is different in every row, as `load` does for files.

    A table stays as it is. A column that a learner selects by name stays, and all do where one may look at any; so do
    those in `keep`.
    """
    listed(keep, "keep")
    if not is_frame(X) and not (isinstance(X, np.ndarray) and X.dtype.kind in "OUS"):
        if keep:
            raise InvalidInput(f"keep must be columns of a data frame, but X is {type(X).__name__}, got {keep!r}")
        return ChosenColumns(X=X, table=X if isinstance(X, Table) else None)
    whole = as_table(X, dates=True)
    for name in keep:
        if name not in whole.names:
            raise InvalidInput(f"keep must be columns of X ({', '.join(whole.names[:30])}), got {name!r}")
    wanted = {name: _Wanted.by(estimator, X, whole) for name, estimator in learners.items()}
    named = {column for one in wanted.values() for column in one.columns}
    coded = zip(whole.names, zip(whole.values.T, whole.categories, strict=True), strict=True)
    opaque = next((name for name, one in wanted.items() if one.any_column), None)
    numbers, read = ({}, {}) if opaque is not None else numbers_in_text(X, coded, {*keep, *named})
    table = _with_numbers(whole, numbers)
    staying = {*keep, *(whole.names if opaque is not None else named)}
    gone = left_out(table, staying, declared=())
    if len(gone) == len(whole.names):
        raise InvalidInput(f"X has no attribute: {'; '.join(map(str, gone.values()))}")
    out = [j for j, name in enumerate(whole.names) if name in gone]
    kept = _kept(table, wanted, {*keep, *gone})
    return ChosenColumns(
        X=replace_columns(X, numbers, out),
        table=_without(table, out),
        decisions=(*gone.values(), *kept, *(said for name, said in read.items() if name not in gone)),
    )


def check_kept(dataset: Dataset, learners: Mapping[str, Estimator], keep: Sequence[str]) -> None:
    """Refuse to keep columns of a data set, which has chosen its own, and learners that select one it left out."""
    if keep:
        raise InvalidInput(f"keep must be given to load where X is a data set, got {keep!r}")
    for name, estimator in learners.items() if dataset.decisions else ():
        for column in sorted(_Wanted.by(estimator, None, dataset.X).missing):
            for said in dataset.decisions:
                if said.value.startswith(f"column {column!r} left out"):
                    raise InvalidInput(f"learner {name!r} selects column {column!r}, which it does not get: {said}")


def _kept(table: Table, wanted: Mapping[str, _Wanted], settled: set[str]) -> Iterator[Decision]:
    """What to say of columns that stay because a learner selects them, unless all do so by name."""
    for column, (what, _) in looks_like_no_attribute(table, declared=()).items():
        users = [name for name, one in wanted.items() if column in one.columns]
        if column in settled or len(users) == len(wanted):
            continue
        who = f"{users[0]!r} selects it" if users else f"{next(n for n in wanted if wanted[n].any_column)!r} may use it"
        yield Decision(
            what="column", value=f"column {column!r} kept, although it is {what}: {who}", how="assumed",
            change="leave it out of X",
        )  # fmt: skip


def _with_numbers(table: Table, numbers: Mapping[int, Any]) -> Table:
    if not numbers:
        return table
    values = table.values.copy()
    for j, column in numbers.items():
        values[:, j] = column
    return Table(values, tuple(None if j in numbers else c for j, c in enumerate(table.categories)), table.names)


def _without(table: Table, out: Sequence[int]) -> Table:
    if not out:
        return table
    kept = [j for j in range(len(table.names)) if j not in out]
    return Table(table.values[:, kept], tuple(table.categories[j] for j in kept), tuple(table.names[j] for j in kept))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """The columns that a learner selects by name, and whether it may look at any, by position or in code."""

    columns: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()
    any_column: bool = False

    @classmethod
    def by(cls, estimator: Estimator, X: object, table: Table) -> _Wanted:
        names: set[str] = set()
        any_column = False
        for part in _first_to_see(estimator):
            for columns in _selections(part, X):
                if columns is None:
                    any_column = True
                else:
                    names |= set(columns)
        known = frozenset(table.names)
        return cls(columns=known & names, missing=frozenset(names - known), any_column=any_column)


def _first_to_see(estimator: object) -> Iterator[Any]:
    """The estimators and transformers inside that get the columns as they are, not what others made of them."""
    yield estimator
    if type(estimator).__module__ == COLUMN_TRANSFORMER:
        return
    steps = getattr(estimator, "steps", None)
    if isinstance(steps, list):  # of a pipeline the first step sees the columns
        inner = [step for _, step in steps if hasattr(step, "fit")][:1]
    else:
        values = estimator.get_params(deep=False).values() if hasattr(estimator, "get_params") else ()
        lists = [value for value in values if isinstance(value, list)]  # of a union, or of estimators that vote
        named = [one[1] for value in lists for one in value if isinstance(one, tuple) and len(one) > 1]
        inner = [part for part in (*values, *named) if hasattr(part, "fit") and not isinstance(part, type)]
    for part in inner:
        yield from _first_to_see(part)


def _selections(part: Any, X: Any) -> Iterator[list[str] | None]:
    """Lists of the columns that an estimator or transformer selects; None for columns that can't be known by name."""
    kind = type(part)
    if kind.__module__ == COLUMN_TRANSFORMER:
        yield from (_named(columns, X) for _, _, columns in part.transformers)
    elif kind.__name__ == "FunctionTransformer" and not is_foreign(part):
        yield [] if part.validate or part.func is None or isinstance(part.func, np.ufunc) else None
    elif is_foreign(part) and (hasattr(part, "transform") or is_own(kind.__module__)):
        yield None
    else:
        for name, value in part.get_params(deep=False).items() if hasattr(part, "get_params") else ():
            if name == "categorical_features" and not isinstance(value, str) and value is not None:
                yield _named(value, X)
            elif isinstance(value, (list, tuple)) and value and all(isinstance(one, str) for one in value):
                yield list(value)


def _named(columns: Any, X: Any) -> list[str] | None:
    """The names that a selection of columns consists of; None where it goes by position."""
    from sklearn.compose import make_column_selector

    if isinstance(columns, make_column_selector) and columns.pattern is None and columns.dtype_include is None:
        return []  # whatever is no number, say: nobody asked for this column
    if callable(columns):
        if not hasattr(X, "iloc"):
            return []
        found = _named(columns(X), X)
        if not isinstance(columns, make_column_selector) or columns.pattern is not None or found is None:
            return found
        return [name for name in found if X[name].dtype.kind == "M"]  # numbers by kind, but dates on purpose
    if isinstance(columns, slice):
        ends = [end for end in (columns.start, columns.stop) if end is not None]
        if any(not isinstance(end, str) for end in ends) or not hasattr(X, "loc"):
            return None if ends else []
        return [str(name) for name in X.loc[:, columns].columns] if ends else []
    names = [columns] if isinstance(columns, str) else np.atleast_1d(columns).tolist()
    return names if all(isinstance(name, str) for name in names) else None
