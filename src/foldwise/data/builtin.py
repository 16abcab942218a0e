"""The data sets that come with scikit-learn."""

from __future__ import annotations

import csv
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from foldwise.data.dataset import Column, Dataset, assemble

__all__ = ["BUILT_IN", "load_builtin"]

BUILT_IN = {
    "breast_cancer": "load_breast_cancer",
    "diabetes-regression": "load_diabetes",
    "digits": "load_digits",
    "iris": "load_iris",
    "wine": "load_wine",
}
"""Our name and scikit-learn's loader; its diabetes is a regression, unlike the papers' diabetes."""

_TRAITS = (
    "radius", "texture", "perimeter", "area", "smoothness", "compactness", "concavity", "concave points", "symmetry",
    "fractal dimension",
)  # fmt: skip
_WINE = [
    "alcohol", "malic_acid", "ash", "alcalinity_of_ash", "magnesium", "total_phenols", "flavanoids",
    "nonflavanoid_phenols", "proanthocyanins", "color_intensity", "hue", "od280/od315_of_diluted_wines", "proline",
]  # fmt: skip
_FILES = {
    "breast_cancer": (
        "breast_cancer.csv",
        [*(f"mean {t}" for t in _TRAITS), *(f"{t} error" for t in _TRAITS), *(f"worst {t}" for t in _TRAITS)],
    ),
    "iris": ("iris.csv", [f"{part} {side} (cm)" for part in ("sepal", "petal") for side in ("length", "width")]),
    "wine": ("wine_data.csv", _WINE),
}
"""Files that we read ourselves, which spares loading scikit-learn, and the attributes, which they do not name."""


def load_builtin(name: str) -> Dataset:
    """Load one of scikit-learn's data sets; `name` is a key of `BUILT_IN`.

    Examples
    --------
    >>> load_builtin("iris").classes
    ('setosa', 'versicolor', 'virginica')
    """
    columns = _from_file(name) or _from_loader(name)
    provenance = f"scikit-learn {version('scikit-learn')}, {BUILT_IN[name]}"
    return assemble(columns, target="last", name=name, provenance=provenance)


def _from_file(name: str) -> list[Column] | None:
    """The columns as scikit-learn's file has them: examples, attributes and classes in the first line, then rows."""
    found = find_spec("sklearn")
    if name not in _FILES or found is None or found.origin is None:
        return None
    file, names = _FILES[name]
    path = Path(found.origin).parent / "datasets" / "data" / file
    if not path.is_file():  # in an archive, or moved by a later version
        return None
    with path.open(encoding="utf-8", newline="") as lines:
        (_, _, *classes), *rows = csv.reader(lines)
    *attributes, codes = np.array(rows, dtype=np.float64).T
    columns = [Column(name=each, values=values) for each, values in zip(names, attributes, strict=True)]
    return [*columns, Column(name="target", values=codes, categories=tuple(classes))]


def _from_loader(name: str) -> list[Column]:
    from sklearn import datasets

    bunch = getattr(datasets, BUILT_IN[name])()
    columns = [
        Column(name=str(feature), values=np.asarray(values, dtype=np.float64))
        for feature, values in zip(bunch.feature_names, bunch.data.T, strict=True)
    ]
    return [*columns, _goal(bunch)]


def _goal(bunch: Any) -> Column:
    values = np.asarray(bunch.target, dtype=np.float64)
    labels = bunch.get("target_names")
    return Column(name="target", values=values, categories=None if labels is None else tuple(map(str, labels)))
