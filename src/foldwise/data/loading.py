"""`load`: a data set by name, path or OpenML id."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

import numpy as np

from foldwise.core.categories import no_number
from foldwise.core.errors import DataNotFound, InvalidInput, UnknownName
from foldwise.data.attributes import MISSING, as_numbers, choose_columns
from foldwise.data.catalogue import BUILT_IN, KNOWN, canonical, load_builtin
from foldwise.data.dataset import DataColumn, Dataset, Task, assemble
from foldwise.data.formats import read_sheet, suffixes
from foldwise.data.formats.arff import parse_arff
from foldwise.data.packed import without_packing
from foldwise.data.sheet import Sheet, parse_number
from foldwise.data.text import is_file, read_bytes

MOST_UNPACKED = 256_000_000  # Bytes that a compressed file may hold: a few kilobytes can unpack to any number.


def load(
    name_or_path: str | Path, *, target: str | None = None, data_dir: str | Path | None = None,
    task: Task | None = None, drop: Sequence[str] = (), groups: str | None = None, keep: Sequence[str] = (),
) -> Dataset:  # fmt: skip
    """Load a data set.

    Parameters
    ----------
    name_or_path
        A file (.arff, .arff.gz, .parquet, or a table in any of the formats of `data.formats`, such as .csv); the name
        of a file in `data_dir`, without the ending; a data set that comes with scikit-learn (iris, wine,
        breast_cancer, digits, diabetes-regression); or ``"openml:61"``, ``"openml:iris"``. ``"sklearn:iris"`` means
        scikit-learn's whatever the folder holds.
    target
        The target column by name, ``"first"`` or ``"last"``. None takes the papers' class column where the name is
        known, else a column named class, target, label or y, else the last.
    data_dir
        The folder to look in; None takes the environment variable ``FOLDWISE_DATA``.
    task
        ``"classification"`` or ``"regression"`` where the file leaves it open.
    drop
        Columns to leave out: keys, or what is not known at the time of prediction.
    groups
        The column that says which examples belong together (patients, authors, machines): it is no attribute, and
        `compare` never trains on a group that it tests.
    keep
        Columns that stay although they look like identifiers, dates or text that is different in every row, which are
        left out otherwise; `Dataset.decisions` names them.

    Returns
    -------
    Dataset
        Nominal attributes and missing values are kept as they are.

    Examples
    --------
    >>> iris = load("sklearn:iris")
    >>> iris.X.shape, iris.classes
    ((150, 4), ('setosa', 'versicolor', 'virginica'))
    """
    if not isinstance(name_or_path, (str, Path)):
        raise InvalidInput(f"name_or_path must be a name or a path, got {type(name_or_path).__name__}")
    found, declared = _load(name_or_path, target, data_dir, task)
    return choose_columns(found, drop=drop, groups=groups, keep=keep, declared=declared)


_Loaded = tuple[Dataset, Collection[str] | None]  # A data set, and the columns that its source declares; None for all.


def _load(name_or_path: str | Path, target: str | None, data_dir: str | Path | None, task: Task | None) -> _Loaded:
    text = str(name_or_path)
    scheme, _, key = text.partition(":")
    if scheme == "openml" and key:
        from foldwise.data.catalogue import fetch_openml

        return fetch_openml(key, target=target, task=task), None
    if scheme == "sklearn" and key:
        if key not in BUILT_IN:
            raise UnknownName("scikit-learn data set", key, BUILT_IN)
        return load_builtin(key), None
    if isinstance(name_or_path, Path) or _looks_like_path(text):
        return _load_file(Path(text), target, task)
    return _load_named(canonical(text), target, data_folder(data_dir), task)


def file_of(name: str, *, data_dir: str | Path | None = None) -> Path | None:
    """The file that `load` would read for a name or path, or None where it would read none."""
    if _looks_like_path(name):
        return Path(name)
    folder = data_folder(data_dir)
    return None if folder is None else _file_in(folder, canonical(name))


def data_folder(data_dir: str | Path | None = None) -> Path | None:
    """The folder to look in: `data_dir`, else the environment's, else None."""
    chosen = data_dir if data_dir is not None else os.environ.get("FOLDWISE_DATA") or None
    if chosen is None:
        return None
    folder = Path(chosen)
    if not folder.is_dir():
        origin = "data_dir" if data_dir is not None else "FOLDWISE_DATA"
        raise DataNotFound(f"{origin} must be a folder, but there is none at {folder}")
    return folder


def available(data_dir: str | Path | None = None) -> dict[str, str]:
    """The names that `load` accepts now and where each would come from."""
    found = dict.fromkeys(BUILT_IN, "scikit-learn")
    folder = data_folder(data_dir)
    for path in sorted(folder.iterdir()) if folder else []:
        suffix = _suffix(path.name)
        if suffix and path.name != "PROVENANCE.csv":
            found[path.name.removesuffix(suffix)] = path.name
    return dict(sorted(found.items()))


def _load_named(name: str, target: str | None, folder: Path | None, task: Task | None) -> _Loaded:
    path = None if folder is None else _file_in(folder, name)
    if path is not None:
        return _load_file(path, target, task)
    if name in BUILT_IN:
        return load_builtin(name), None
    if name not in KNOWN:
        raise UnknownName("data set", name, {*KNOWN, *available(folder)})
    known = KNOWN[name]
    where = f"not in {folder}" if folder else "no folder was given (data_dir or FOLDWISE_DATA)"
    advice = f"use openml:{known.openml} where there is internet, or " if known.openml else ""
    raise DataNotFound(f"data set {name!r} is not here: {where}; {advice}put {name}.arff into such a folder")


def _file_in(folder: Path, name: str) -> Path | None:
    return next((path for path in (folder / (name + suffix) for suffix in SUFFIXES) if is_file(path)), None)


def _load_file(path: Path, target: str | None, task: Task | None) -> _Loaded:
    suffix = _suffix(path.name)
    if suffix is None:
        raise InvalidInput(f"{path.name} must end with one of {', '.join(SUFFIXES)} to be read as a data set")
    name = path.name.removesuffix(suffix)
    columns = SUFFIXES[suffix](path)
    if target is None and name in KNOWN and KNOWN[name].target in [column.name for column in columns]:
        target = KNOWN[name].target
    guess = not suffix.startswith(".arff")
    found = assemble(columns, target=target, name=name, provenance=f"file {path.name}", task=task, guess_task=guess)
    return found, {column.name for column in columns if column.declared}


def _suffix(filename: str) -> str | None:
    return next((suffix for suffix in SUFFIXES if filename.lower().endswith(suffix)), None)


def _looks_like_path(text: str) -> bool:
    return _suffix(text) is not None or os.sep in text or is_file(Path(text))


def _read_arff(path: Path) -> list[DataColumn]:
    raw = without_packing(read_bytes(path), path.name, most=MOST_UNPACKED)
    if b"\0" in raw:
        raise InvalidInput(f"{path.name} is a binary file, not ARFF text")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")  # Weka's older files
    return parse_arff(text, path.name)[1]


def _read_sheet(path: Path) -> list[DataColumn]:
    sheet = read_sheet(path)
    return [_column(sheet, name) for name in filter(None, sheet.header)]  # a column without a name is a row index


def _column(sheet: Sheet, name: str) -> DataColumn:
    """A column is numeric if everything in it that isn't missing is a number."""

    def parse(cell: str, row: int) -> float:
        value = np.nan if cell in MISSING or no_number(cell) else parse_number(cell, decimal_comma=sheet.decimal_comma)
        if value is None:
            raise _Nominal
        return value

    try:
        values = sheet.parsed(name, parse)
    except _Nominal:
        values = np.full(1, np.nan)
    found = sheet.categories(name) if np.isnan(values).all() else None
    if found is None or set(found.labels) <= MISSING:  # "none" and nothing else is a category
        return DataColumn(name=name, values=values)
    kept = tuple(sorted(label for label in found.labels if label not in MISSING))
    code = {label: float(i) for i, label in enumerate(kept)}
    values = np.array([code.get(label, np.nan) for label in found.labels])[found.codes]
    numbers = as_numbers(name, values, kept, source=sheet.source, decimal_comma=sheet.decimal_comma)
    return (
        DataColumn(name=name, values=values, categories=kept)
        if numbers is None
        else DataColumn(name=name, values=numbers)
    )


class _Nominal(Exception):
    """A cell that is no number."""


def _read_parquet(path: Path) -> list[DataColumn]:
    from foldwise.data.frames import read_parquet

    read_bytes(path, most=4)  # the same sentence as for any other file that isn't there
    return read_parquet(path)


SUFFIXES: dict[str, Callable[[Path], list[DataColumn]]] = {
    **dict.fromkeys((".arff", ".arff.gz"), _read_arff),  # with its categories, which a table has not
    **dict.fromkeys((suffix for suffix in suffixes() if suffix != ".arff"), _read_sheet),
    ".parquet": _read_parquet,
}
"""Endings of the files that `load` reads, and their readers."""
