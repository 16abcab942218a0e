"""What a learner can take: a table, a data frame, an array, or only what an encoder makes of the data."""

from __future__ import annotations

import numpy as np

from foldwise.core.table import Table
from foldwise.core.tables import BOOLEAN, is_frame
from foldwise.core.types import Estimator
from foldwise.engine.examples import Form
from foldwise.engine.learners import params_of

__all__ = ["is_foreign", "suited"]

MOST_CATEGORIES = 255
"""Categories of one attribute that scikit-learn's histogram gradient boosting takes as they are."""


def suited(estimator: Estimator, X: object, table: Table | None) -> tuple[Estimator, Form]:
    """The estimator as it can take `X`, which is `table` as a table, and the form in which it takes it."""
    if _takes_table(estimator):
        return estimator, "table"
    from foldwise.data.encoding import encode_for  # which loads scikit-learn

    if table is None:
        return estimator, "plain"
    framed = is_frame(X)
    if _selects_columns(estimator) or (framed and _has_unknown_parts(estimator)):
        return estimator, "frame"
    if _takes_categories(estimator, table):
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


def _components(estimator: Estimator) -> list[object]:
    """The estimator, and all estimators and transformers inside it."""
    found = [estimator, *params_of(type(estimator).__name__, estimator).values()]
    return [part for part in found if hasattr(part, "fit") and not isinstance(part, type)]


def _selects_columns(estimator: Estimator) -> bool:
    """Whether a step inside looks at columns by name or kind, so that nothing may be encoded before it."""
    from sklearn.compose import ColumnTransformer
    from sklearn.preprocessing import FunctionTransformer

    for part in _components(estimator):
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


def _has_unknown_parts(estimator: Estimator) -> bool:
    """Whether some part is neither scikit-learn's nor ours: it gets the frame that the user gave."""
    return any(map(is_foreign, _components(estimator)))


def is_foreign(part: object) -> bool:
    """Whether it is neither scikit-learn's nor ours."""
    return type(part).__module__.partition(".")[0] not in ("sklearn", "foldwise")


def _takes_categories(estimator: Estimator, table: Table) -> bool:
    from foldwise.data.frames import to_pandas

    counts = [len(categories) for categories in table.categories if categories is not None]
    by_kind = getattr(estimator, "categorical_features", None) == "from_dtype"
    return by_kind and bool(counts) and max(counts) <= MOST_CATEGORIES and to_pandas(table[:1]) is not None


def _is_complete(table: Table) -> bool:
    return not bool(np.isnan(table.values).any())
