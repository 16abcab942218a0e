"""Tables of numeric and nominal columns with missing values, and how whatever people bring becomes one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Flags, Integers, Labels
from foldwise.core.validation import missing_as_nan

# ---- A table of numeric and nominal columns with missing values: what our learners accept as it is.

Kind = Literal["numeric", "nominal"]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Rows of numeric and nominal values, indexed by row like a NumPy array.

    >>> table = Table.build(np.array([[1.5, 0], [2.5, 1]]), [None, ("no", "yes")])
    >>> table.shape, table.kinds
    ((2, 2), ('numeric', 'nominal'))
    >>> np.asarray(table).tolist()
    [[1.5, 'no'], [2.5, 'yes']]
    """

    values: Array  #: float64 of shape (rows, columns); a nominal value is the index of its category; missing is NaN
    #: Per column the names of the nominal values, or None for a numeric column
    categories: tuple[tuple[str, ...] | None, ...]
    names: tuple[str, ...]  #: Names of the columns

    @classmethod
    def build(
        cls, values: ArrayLike, categories: Sequence[Sequence[str] | None] | None = None,
        names: Sequence[str] | None = None,
    ) -> Table:  # fmt: skip
        """Check and build a table; without `categories` all columns are numeric."""
        array = np.asarray(missing_as_nan(values), dtype=np.float64)
        if array.ndim != 2:
            raise InvalidInput(f"a table needs two axes (rows, columns), got shape {array.shape}")
        width = array.shape[1]
        kept = tuple(None if c is None else tuple(map(str, c)) for c in categories or [None] * width)
        titles = tuple(map(str, names)) if names is not None else tuple(f"x{j}" for j in range(width))
        if len(kept) != width or len(titles) != width:
            raise InvalidInput(f"{width} columns, but {len(kept)} categories and {len(titles)} names")
        if np.isinf(array).any():
            row, column = np.argwhere(np.isinf(array))[0]
            raise InvalidInput(f"values must not be infinite, but row {row} of column {titles[column]!r} is")
        for column, labels, title in zip(array.T, kept, titles, strict=True):
            if labels is None:
                continue
            bad = ~np.isnan(column) & ~((column >= 0) & (column < len(labels)) & (column == np.floor(column)))
            if bad.any():
                raise InvalidInput(
                    f"column {title!r} has {len(labels)} categories, but row {int(np.argmax(bad))} has code "
                    f"{column[bad][0]:g}"
                )
        return cls(array, kept, titles)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return tuple("numeric" if c is None else "nominal" for c in self.categories)

    @property
    def n_values(self) -> NDArray[np.int64]:
        """Per column the number of categories; 0 for a numeric column."""
        return np.array([0 if c is None else len(c) for c in self.categories], dtype=np.int64)

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape[0], self.values.shape[1]

    @property
    def ndim(self) -> int:
        return 2

    def __len__(self) -> int:
        return int(self.values.shape[0])

    def __getitem__(self, rows: slice | Integers | Flags) -> Table:
        """The chosen rows (a slice, indices or a mask) as a table."""
        return Table(np.atleast_2d(self.values[rows]), self.categories, self.names)

    def copy(self) -> Table:
        return Table(self.values.copy(), self.categories, self.names)

    def columns(self, chosen: slice) -> Table:
        return Table(self.values[:, chosen], self.categories[chosen], self.names[chosen])

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Labels:
        """float64 when all columns are numeric; otherwise objects, with category names and None for missing."""
        if all(c is None for c in self.categories):
            return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)
        decoded = np.empty(self.shape, dtype=object)
        for j, names in enumerate(self.categories):
            column = self.values[:, j]
            if names is None:
                decoded[:, j] = column
            else:
                decoded[:, j] = [None if np.isnan(v) else names[int(v)] for v in column]
        return decoded if dtype is None else decoded.astype(dtype)


# ---- Whatever people bring (arrays, lists, data frames of any package) as a `Table`: the only place that decides
# how.

Categories = tuple[str, ...] | None
Coded = tuple[Array, Categories]  # Numbers with None, or codes with their categories; NaN is missing.

BOOLEAN = ("False", "True")  # The categories of a column of truth values, whether both occur or not.


def as_table(X: object, schema: Table | None = None, *, dates: bool = False) -> Table:
    """Return `X` as a table; with `schema`, in the columns and categories of that table.

    Of a data frame or an array of two axes numbers become numeric columns; booleans, text and mixed columns become
    nominal ones, their categories being the values that occur, sorted. Columns that declare categories (pandas'
    Categorical, polars' Enum) keep these, whether they occur or not. None and NaN are missing; so is a nominal value
    that `schema`, the table a learner was fitted on, does not have, and any value of a column that had none at all.
    `dates` makes columns of dates nominal, as text such as 2024-01-31 is; otherwise they are refused.

    >>> table = as_table(np.array([[1.5, "no"], [2.5, "yes"]], dtype=object))
    >>> table.kinds
    ('numeric', 'nominal')
    >>> as_table(np.array([[3.5, "perhaps"]], dtype=object), table).values.tolist()
    [[3.5, nan]]
    """
    if isinstance(X, Table):
        table = X
    else:
        columns, found = _columns(X, dates=dates)
        values = np.column_stack([v for v, _ in columns]) if columns else np.empty((0, 0))
        table = Table.build(values, [c for _, c in columns], found)
    return table if schema is None or table.categories == schema.categories else _conform(table, schema)


def is_frame(X: object) -> bool:
    """Whether `X` is an eager data frame of a package that narwhals knows."""
    if isinstance(X, (Table, np.ndarray, list, tuple)) or not hasattr(X, "columns"):
        return False
    import narwhals.stable.v1 as nw

    try:
        return isinstance(nw.from_native(X, eager_only=True, pass_through=True), nw.DataFrame)
    except nw.exceptions.DuplicateError as error:
        raise InvalidInput(f"columns of a frame must have different names: {' '.join(str(error).split())}") from error


def _columns(X: object, *, dates: bool) -> tuple[list[Coded], list[str] | None]:
    if not is_frame(X):
        return [_code(column) for column in _array(X).T], None
    named = frame_columns(X, dates=dates)
    return [coded for _, coded in named], [name for name, _ in named]


def frame_columns(frame: object, *, dates: bool = False) -> list[tuple[str, Coded]]:
    """The columns of a pandas, polars or pyarrow frame: names, and numbers or codes with their categories."""
    import narwhals.stable.v1 as nw

    native = nw.from_native(frame, eager_only=True)
    return [(str(column.name), _frame_column(column, dates=dates)) for column in native.iter_columns()]


def _array(X: object) -> Labels:
    array = np.asarray(X)
    if array.dtype.kind in "US" and not isinstance(X, np.ndarray):
        array = np.asarray(X, dtype=object)  # NumPy turned the numbers of a mixed list into text
    if array.ndim != 2:
        raise InvalidInput(f"X needs two axes (examples, attributes), got shape {array.shape}")
    return array


def _frame_column(column: Any, *, dates: bool) -> Coded:
    kind = column.dtype
    is_date = type(kind).__name__ in ("Date", "Datetime")
    if (kind.is_temporal() and not (dates and is_date)) or kind.is_nested():
        raise InvalidInput(f"X must have numbers, booleans or text, but column {column.name!r} is {kind}")
    missing = column.is_null().to_numpy().astype(bool)
    if kind.is_numeric():
        filled = column.fill_null(0) if missing.any() else column
        values = np.array(filled.to_numpy(), dtype=np.float64)
        values[missing] = np.nan
        return values, None
    cells = np.array(column.to_list(), dtype=object)
    cells[missing] = None
    if is_date:
        return _code(np.array([None if cell is None else cell.isoformat() for cell in cells.tolist()], dtype=object))
    name = type(kind).__name__
    # a polars Categorical shares its categories with every other frame of the process
    if name == "Enum" or (name == "Categorical" and not column.implementation.is_polars()):
        declared = tuple(dict.fromkeys(_text(value) for value in column.cat.get_categories().to_list()))
        return _lookup(cells, declared), declared
    return (_lookup(cells, BOOLEAN), BOOLEAN) if name == "Boolean" else _code(cells)


def _code(column: Labels) -> Coded:
    """Numbers with None, or codes with their categories in sorted order; objects that are all missing have none."""
    if column.dtype.kind in "iuf":
        return column.astype(np.float64), None
    if column.dtype.kind == "b":
        return column.astype(np.float64), BOOLEAN
    if column.dtype.kind not in "OUS":
        raise InvalidInput(f"X must have numbers, booleans or text, got dtype {column.dtype}")
    cells = column.tolist()
    kinds = set(map(type, cells))
    if str in kinds and kinds <= {str, type(None)}:  # most columns: nothing to find out cell by cell
        texts = sorted(set(cells) - {None})
        index = {text: float(code) for code, text in enumerate(texts)} | {None: np.nan}
        return np.fromiter(map(index.__getitem__, cells), np.float64, len(cells)), tuple(texts)
    present = [value for value in column if not is_missing(value)]
    if not present:
        return np.full(len(column), np.nan), ()
    if all(isinstance(value, (int, float, np.number)) and not isinstance(value, bool) for value in present):
        return np.array([np.nan if is_missing(v) else float(v) for v in column]), None
    if all(isinstance(value, (bool, np.bool_)) for value in present):
        return _lookup(column, BOOLEAN), BOOLEAN
    categories = tuple(sorted({_text(value) for value in present}))
    return _lookup(column, categories), categories


def _lookup(column: Labels, categories: tuple[str, ...]) -> Array:
    index = {name: float(code) for code, name in enumerate(categories)}
    return np.array([np.nan if is_missing(v) else index[_text(v)] for v in column], dtype=np.float64)


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def is_missing(value: object) -> bool:
    """Whether `value` is None, NaN or pandas' NA."""
    if value is None or type(value).__name__ == "NAType":
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def _conform(table: Table, schema: Table) -> Table:
    if table.shape[1] != schema.shape[1]:
        raise InvalidInput(f"X has {table.shape[1]} features, but the learner was fitted on {schema.shape[1]}")
    values = np.empty(table.shape)
    for j, (mine, wanted) in enumerate(zip(table.categories, schema.categories, strict=True)):
        column = table.values[:, j]
        if mine != wanted and not np.isnan(column).all():
            column = _recode(column, mine, wanted, schema.names[j])
        values[:, j] = column
    return Table(values, schema.categories, schema.names)


def _recode(column: Array, mine: Categories, wanted: Categories, name: str) -> Array:
    if wanted == ():  # no value was known, so that none can be told apart
        return np.full_like(column, np.nan)
    if mine is None or wanted is None:
        was, now = ("nominal", "numeric") if mine is None else ("numeric", "nominal")
        raise InvalidInput(f"column {name!r} was {was} when the learner was fitted, but is {now} now")
    index = {text: float(code) for code, text in enumerate(wanted)}
    codes = np.array([index.get(text, np.nan) for text in mine] + [np.nan])
    return codes[np.where(np.isnan(column), len(mine), column).astype(np.int64)]
