"""Everything that people hold tables of scores in, as a `ScoreTable`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.metric import UNNAMED, Unit
from foldwise.core.replicates import refuse_repeated, refuse_replicate_column
from foldwise.core.types import Array
from foldwise.evidence.score_table import ScoreTable

__all__ = ["as_score_table"]


def as_score_table(
    table: Any,
    *,
    learners: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    higher_is_better: bool | None = None,
    n_train: ArrayLike | None = None,
    n_test: ArrayLike | None = None,
    metric: str = UNNAMED,
    unit: Unit | None = None,
) -> ScoreTable:
    """Return `table` as a `ScoreTable`.

    Parameters
    ----------
    table
        A `ScoreTable`, which knows its own names and direction; an array of data sets × learners (× splits); a
        mapping of learners to scores; or a pandas, polars or pyarrow frame with one column per learner, in which a
        column of text (or a pandas index of text) names the data sets.
    learners, datasets, higher_is_better, n_train, n_test, metric, unit
        As in `ScoreTable`.

    Examples
    --------
    >>> as_score_table({"nb": [0.9, 0.8], "c45": [0.7, 0.9]}).learners
    ('nb', 'c45')
    """
    if isinstance(table, ScoreTable):
        if higher_is_better is not None and bool(higher_is_better) != table.higher_is_better:
            raise InvalidInput("higher_is_better contradicts the table's own direction; leave it out")
        return table
    if _is_frame(table):
        table, named = _from_frame(table)
        datasets = named if datasets is None else datasets
    return ScoreTable.of(
        table,
        learners=learners,
        datasets=datasets,
        higher_is_better=higher_is_better,
        n_train=n_train,
        n_test=n_test,
        metric=metric,
        unit=unit,
    )


def _is_frame(table: object) -> bool:
    if isinstance(table, (np.ndarray, Mapping, Sequence)):
        return False
    from foldwise.core.table import is_frame

    return is_frame(table)


def _from_frame(frame: Any) -> tuple[dict[str, Array], list[str] | None]:
    """Columns of numbers by name, and the names of the rows if a column or index has them."""
    import narwhals.stable.v1 as nw

    wrapped = nw.from_native(frame, eager_only=True)
    numeric = [name for name in wrapped.columns if wrapped[name].dtype.is_numeric()]
    text = [name for name in wrapped.columns if name not in numeric]
    for name in text:
        refuse_replicate_column(str(name))
    if len(text) > 1:
        raise InvalidInput(
            f"table must have one column of numbers per learner and at most one of names, "
            f"but {', '.join(map(repr, text))} hold no numbers"
        )
    scores = {str(name): _column(wrapped[name]) for name in numeric}
    if text:
        return scores, [str(name) for name in wrapped[text[0]].to_list()]
    return scores, _index_names(frame)


def _column(series: Any) -> Array:
    return np.array([np.nan if value is None else value for value in series.to_list()], dtype=np.float64)


def _index_names(frame: Any) -> list[str] | None:
    """Labels of a pandas index that is more than a count of the rows; one level alone may name the data sets."""
    index = getattr(frame, "index", None)
    if index is None or not len(index):
        return None
    for name in index.names:
        refuse_replicate_column(str(name or ""))
    if index.nlevels > 1:
        refuse_repeated(list(index.get_level_values(0)), what=str(index.names[0] or "data set"))
        return [" ".join(map(str, label)) for label in index]
    refuse_repeated(list(index))
    return list(index) if all(isinstance(label, str) for label in index) else None
