"""``cv_results_`` of scikit-learn's searches, saved as a table: one row per candidate, its folds in columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from foldwise.data.sheet import Sheet
from foldwise.reading.reader import Reader
from foldwise.reading.series import Series, Splits
from foldwise.reading.source import Source, read_source

_SPLIT = re.compile(r"split(\d+)_test_(.+)")
_HALVING = "iter"


class SearchResults(Reader):
    """A search of scikit-learn."""

    name = "scikit-learn search"
    says = "cv_results_ of GridSearchCV, RandomizedSearchCV or a halving search, saved as a table"

    def recognises(self, source: Source) -> bool:
        """Parameters, and scores on numbered splits."""
        names = source.columns
        return "params" in names and any(_SPLIT.fullmatch(name) for name in names)

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """One series per candidate and scorer."""
        for source in sources:
            sheet = read_source(source)
            yield from candidates(_columns(sheet), source.name, left_out)


READER = SearchResults()


def is_split(name: str) -> bool:
    """Whether a column holds scores on one split."""
    return _SPLIT.fullmatch(name) is not None


def _columns(sheet: Sheet) -> dict[str, Sequence[object]]:
    found: dict[str, Sequence[object]] = {"params": sheet.column("params")}
    if _HALVING in sheet.positions:
        found[_HALVING] = sheet.column(_HALVING)
    for name in sheet.header:
        if _SPLIT.fullmatch(name):
            found[name] = sheet.numbers(name, allow_missing=True).tolist()
    return found


def candidates(results: Mapping[str, Sequence[object]], source: str, left_out: list[str]) -> Iterator[Series]:
    """The candidates of a search, from ``cv_results_`` itself or from its table.

    Candidates of a halving search are comparable within one iteration only, so that the last one with several is taken;
    candidates that could not be fitted on some split are left out.
    """
    keep = _last_round(results, source, left_out)
    scorers: dict[str, list[tuple[int, str]]] = {}
    for name in results:
        if found := _SPLIT.fullmatch(name):
            scorers.setdefault(found[2], []).append((int(found[1]), name))
    columns_of_all = [name for columns in scorers.values() for _, name in columns]
    scored = ~np.isnan(np.array([[float(str(score)) for score in results[name]] for name in columns_of_all])).any(
        axis=0
    )
    if not scored[keep].all():
        left_out.append(f"{source}: {int((~scored & keep).sum())} candidates that could not be fitted on some split")
    keep &= scored
    left_out.extend(chosen_among(int(keep.sum()), source))
    for scorer, columns in scorers.items():
        for row in np.flatnonzero(keep).tolist():
            values = np.array([float(str(results[name][row])) for _, name in sorted(columns)])
            yield Series(
                model=_label(results["params"][row]),
                task="",
                metric=scorer,
                rows=Splits(folds=[str(split) for split, _ in sorted(columns)]),
                values=values,
                # scorers of a search are greater for better, also those of losses, which they negate
                higher_is_better=True,
                source=source,
            )


def _last_round(results: Mapping[str, Sequence[object]], source: str, left_out: list[str]) -> NDArray[np.bool_]:
    """Which candidates were compared last, together with others."""
    count = len(results["params"])
    if _HALVING not in results:
        return np.full(count, True)
    rounds = np.array([int(str(value)) for value in results[_HALVING]])
    several = [number for number in np.unique(rounds) if (rounds == number).sum() > 1]
    keep: NDArray[np.bool_] = rounds == (several[-1] if several else rounds.max())
    left_out.append(
        f"{source}: of a halving search the candidates of iteration {int(rounds[keep][0])} are taken, the last with "
        f"several; {count - int(keep.sum())} rows of other iterations are not"
    )
    return keep


def chosen_among(count: int, source: str) -> list[str]:
    """What must be said of the best of several candidates on the folds on which it was chosen."""
    if count < 3:
        return []
    return [
        f"{source}: the best of {count} candidates was chosen on these folds, so that its mean is too good; all pairs "
        "are judged together"
    ]


def _label(params: object) -> str:
    """The parameters as people write them: ``C=1.0, kernel=rbf``."""
    if isinstance(params, Mapping):
        return ", ".join(f"{key}={value}" for key, value in params.items()) or "default"
    return re.sub(r"'(\w+)': ", r"\1=", str(params).strip("{}")) or "default"
