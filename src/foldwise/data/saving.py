"""Write a data set as an ARFF file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.data.arff import to_arff
from foldwise.data.dataset import Column, Dataset

__all__ = ["save_arff"]


def save_arff(dataset: Dataset, path: str | Path) -> Path:
    """Write `dataset` as ARFF, the target last; the file appears whole or not at all.

    Parameters
    ----------
    dataset
        The data set; `load` reads it back with the same hash.
    path
        The file; one that is there is replaced.
    """
    table = dataset.X
    columns = [
        Column(name=name, values=table.values[:, j], categories=table.categories[j])
        for j, name in enumerate(table.names)
    ]
    text = to_arff(dataset.name, [*columns, _goal(dataset)])
    target = Path(path)
    try:
        _write_whole(target, text)
    except OSError as error:
        raise InvalidInput(f"{target} can't be written: {error.strerror or error}") from error
    return target


def _goal(dataset: Dataset) -> Column:
    if dataset.classes is None:
        return Column(name=dataset.target, values=np.asarray(dataset.y, dtype=np.float64))
    return Column.nominal(dataset.target, dataset.y.tolist(), dataset.classes)


def _write_whole(path: Path, text: str) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(temporary).replace(path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise
