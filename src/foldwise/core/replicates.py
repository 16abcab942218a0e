"""Rows that are runs, folds, seeds or test items of a data set, and not data sets: how they are recognised and refused.

Taking them for data sets multiplies the evidence by their number: the error that the unit of analysis guards against.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from foldwise.core.errors import InvalidInput
from foldwise.core.roles import ROLES, normalised

_SPLITS = frozenset(name for role in ("run", "seed", "fold", "trial") for name in ROLES[role].names)
_WORDS = "|".join(sorted((word[::-1] for word in _SPLITS), key=len, reverse=True))
_MARKED = re.compile(rf"\d++[\W_]*+(?:{_WORDS})(?:$|[\W_]++)(?P<key>.*)", re.IGNORECASE | re.DOTALL)
"""A label that is read from its end, so that no run of characters is tried from each of its places."""

FOR_SPLITS = (
    "scores on runs, folds or seeds of one data set are for compare_scores (foldwise scores); with several data sets, "
    "average them within each first, or give compare_table an array of data sets × learners × splits"
)
FOR_ITEMS = "outcomes of test items are for compare_predictions (foldwise predictions)"


def refuse_replicate_column(name: str, source: str = "table") -> None:
    """Refuse a column whose name says that rows are parts of data sets.

    >>> refuse_replicate_column("data set")
    >>> refuse_replicate_column("Seed")
    Traceback (most recent call last):
        ...
    foldwise.core.errors.InvalidInput: table must have one row per data set, but its column 'Seed' tells of splits: ...
    """
    word = normalised(name)
    if word in _SPLITS or word.rstrip("s") in _SPLITS:
        raise InvalidInput(
            f"{source} must have one row per data set, but its column {name!r} tells of splits: {FOR_SPLITS}"
        )
    if not {word, word.rstrip("s")}.isdisjoint(ROLES["item"].names):
        raise InvalidInput(
            f"{source} must have one row per data set, but its column {name!r} tells of test items: {FOR_ITEMS}"
        )


def refuse_replicate_labels(labels: Iterable[str], source: str = "table") -> None:
    """Refuse labels such as "fold 1", "fold 2", or "iris seed 0", "iris seed 1".

    >>> refuse_replicate_labels(["monks-1", "monks-2", "iris"])
    >>> refuse_replicate_labels(["iris seed 0", "iris seed 1"])
    Traceback (most recent call last):
        ...
    foldwise.core.errors.InvalidInput: table must have one row per data set, but 'iris seed 0' and 'iris seed 1' are ...
    """
    first: dict[str, str] = {}
    for label in labels:
        marked = _MARKED.match(label.strip()[::-1])
        if marked is None:
            continue
        key = marked["key"][::-1].lower()
        if key in first:
            both = f"{first[key]!r} and {label!r}"
            raise InvalidInput(f"{source} must have one row per data set, but {both} are parts of one: {FOR_SPLITS}")
        first[key] = label


def refuse_repeated(labels: Sequence[object], source: str = "table", *, what: str = "data set") -> None:
    """Refuse labels of data sets that come more than once.

    >>> refuse_repeated(["iris", "wine"])
    >>> refuse_repeated(["iris", "iris"])
    Traceback (most recent call last):
        ...
    foldwise.core.errors.InvalidInput: table must have one row per data set, but 'iris' has 2: ...
    """
    twice = [(label, count) for label, count in Counter(labels).items() if count > 1]
    if twice:
        label, count = twice[0]
        raise InvalidInput(f"{source} must have one row per {what}, but {label!r} has {count}: {FOR_SPLITS}")
