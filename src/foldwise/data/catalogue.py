"""Data sets by name: those of scikit-learn, of the papers, and of OpenML."""

from __future__ import annotations

import csv
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from foldwise.core.errors import DataNotFound, InvalidInput
from foldwise.data.dataset import DataColumn, Dataset, Task, assemble

# ---- The data sets that come with scikit-learn.

BUILT_IN = {
    "breast_cancer": "load_breast_cancer", "diabetes-regression": "load_diabetes", "digits": "load_digits",
    "iris": "load_iris", "wine": "load_wine",
}  # fmt: skip
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

    >>> load_builtin("iris").classes
    ('setosa', 'versicolor', 'virginica')
    """
    columns = _from_file(name) or _from_loader(name)
    provenance = f"scikit-learn {version('scikit-learn')}, {BUILT_IN[name]}"
    return assemble(columns, target="last", name=name, provenance=provenance)


def _from_file(name: str) -> list[DataColumn] | None:
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
    columns = [DataColumn(name=each, values=values) for each, values in zip(names, attributes, strict=True)]
    return [*columns, DataColumn(name="target", values=codes, categories=tuple(classes))]


def _from_loader(name: str) -> list[DataColumn]:
    from sklearn import datasets

    bunch = getattr(datasets, BUILT_IN[name])()
    values, labels = np.asarray(bunch.target, dtype=np.float64), bunch.get("target_names")
    categories = None if labels is None else tuple(map(str, labels))
    return [*_features(bunch), DataColumn(name="target", values=values, categories=categories)]


# ---- The papers' data sets: file names, class columns, OpenML ids, and which paper uses what.

_ALPAYDIN, _BOUCKAERT_FRANK = "alpaydin1999", "bouckaertfrank2004"
_DIETTERICH, _MARTIN_HIRSCHBERG = "dietterich1998", "martinhirschberg1996"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownDataSet:
    """What is known of a data set before it is read."""

    name: str  #: The name on the command line; the file is this name with ``.arff`` or ``.arff.gz``
    target: str  #: The class column
    openml: int | None = None  #: Its id on OpenML, or None if it isn't known
    #: Whether the id was checked against a stored answer of OpenML; the others are from the literature
    verified: bool = False
    aliases: tuple[str, ...] = ()  #: What the papers call it
    papers: tuple[str, ...] = (_BOUCKAERT_FRANK,)  #: Keys of the papers that use it


_ALL = (
    # OpenML 2 keeps the missing values that Weka's anneal turns into a category; OpenML 1 is Weka's, but withdrawn
    KnownDataSet(name="anneal", target="class", openml=2, verified=True),
    KnownDataSet(name="arrhythmia", target="class", openml=5),
    KnownDataSet(name="audiology", target="class", openml=7),
    KnownDataSet(name="autos", target="symboling", openml=9),
    KnownDataSet(name="balance-scale", target="class", openml=11),
    KnownDataSet(name="breast-cancer", target="Class", openml=13),
    KnownDataSet(name="breast-w", target="Class", openml=15, aliases=("wisconsin breast cancer",)),
    KnownDataSet(name="colic", target="surgical_lesion", openml=27, aliases=("horse-colic",)),
    KnownDataSet(name="credit-a", target="class", openml=29, aliases=("credit-rating",)),
    KnownDataSet(name="credit-g", target="class", openml=31, aliases=("german credit",)),
    KnownDataSet(name="diabetes", target="class", openml=37, aliases=("pima-diabetes", "pima"),
          papers=(_BOUCKAERT_FRANK, _DIETTERICH)),
    KnownDataSet(name="ecoli", target="class", openml=39),
    KnownDataSet(name="glass", target="Type", openml=41, papers=(_BOUCKAERT_FRANK, _ALPAYDIN)),
    KnownDataSet(name="heart-h", target="num", openml=51, aliases=("hungarian heart disease",)),
    KnownDataSet(name="heart-statlog", target="class", openml=53),
    KnownDataSet(name="hepatitis", target="Class", openml=55),
    KnownDataSet(name="ionosphere", target="class", openml=59),
    KnownDataSet(name="iris", target="class", openml=61, verified=True, papers=(_BOUCKAERT_FRANK, _ALPAYDIN)),
    KnownDataSet(name="labor", target="class", openml=4),
    KnownDataSet(name="lymph", target="class", openml=10, aliases=("lymphography",)),
    KnownDataSet(name="primary-tumor", target="class", openml=171),
    KnownDataSet(name="sonar", target="Class", openml=40),
    KnownDataSet(name="soybean", target="class", openml=42),
    KnownDataSet(name="vehicle", target="Class", openml=54),
    KnownDataSet(name="vote", target="Class", openml=56),
    KnownDataSet(name="vowel", target="Class", openml=307, papers=(_BOUCKAERT_FRANK, _ALPAYDIN)),
    KnownDataSet(name="zoo", target="type", openml=62, verified=True),
    KnownDataSet(name="zoo-noanimal", target="type"),
    KnownDataSet(name="letter", target="class", openml=6, aliases=("letter recognition",), papers=(_DIETTERICH,)),
    KnownDataSet(name="wine", target="class", openml=187, papers=(_ALPAYDIN,)),
    KnownDataSet(name="optdigits", target="class", openml=28, papers=(_ALPAYDIN,)),
    KnownDataSet(name="pendigits", target="class", openml=32, papers=(_ALPAYDIN,)),
    KnownDataSet(name="ann-thyroid", target="class", aliases=("thyroid",), papers=(_ALPAYDIN,)),
    KnownDataSet(name="contact-lenses", target="contact-lenses", aliases=("contact lenses",),
                 papers=(_MARTIN_HIRSCHBERG,)),
)  # fmt: skip

KNOWN: dict[str, KnownDataSet] = {known.name: known for known in _ALL}  # The data sets by name.

_ALIASES = {alias.replace(" ", "-"): known.name for known in _ALL for alias in known.aliases}


def canonical(name: str) -> str:
    """The registry's name for what a paper calls `name`; an unknown name comes back as it is.

    >>> canonical("German Credit"), canonical("mine")
    ('credit-g', 'mine')
    """
    lowered = name.lower()
    return _ALIASES.get(lowered.replace(" ", "-"), lowered if lowered in KNOWN else name)


# ---- Data sets from OpenML, through scikit-learn's fetcher (which keeps a cache).

Fetcher = Callable[..., Any]  # `sklearn.datasets.fetch_openml`, or what stands for it; it returns a bunch.


def fetch_openml(
    key: str | int, *, target: str | None = None, task: Task | None = None, name: str | None = None,
    fetcher: Fetcher | None = None,
) -> Dataset:  # fmt: skip
    """Fetch a data set from OpenML.

    Parameters
    ----------
    key
        Its id or its name; a name means the active version.
    target
        The target column; None takes the one OpenML names.
    task
        Whether the target is a class or a number; None lets its type decide.
    name
        What to call it; None takes OpenML's name.
    fetcher
        In place of `sklearn.datasets.fetch_openml`.

    Returns
    -------
    Dataset
        With the id and version in its provenance.
    """
    by_id = str(key).isdigit()
    query: dict[str, str | int] = {"data_id": int(key)} if by_id else {"name": str(key), "version": "active"}
    if target is not None:
        query["target_column"] = target
    bunch = _ask(fetcher or _sklearn_fetcher(), str(key), query)
    if not hasattr(bunch.data, "shape") or not isinstance(bunch.data, np.ndarray):
        raise InvalidInput(f"OpenML data set {str(key)!r} is sparse, which is not supported")
    details = bunch.details
    title = name or str(details["name"])
    provenance = f"OpenML {details['id']}, {details['name']} version {details['version']}"
    return assemble(
        [*_features(bunch), _openml_goal(bunch, str(key))], target="last", name=title, provenance=provenance, task=task
    )


def _sklearn_fetcher() -> Fetcher:
    from sklearn import datasets

    fetcher: Fetcher = datasets.fetch_openml
    return fetcher


def _ask(fetcher: Fetcher, key: str, query: dict[str, str | int]) -> Any:
    """One request; nominal values come as codes into `categories`, without pandas."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="A network error occurred")  # the error itself follows
            return fetcher(**query, as_frame=False, parser="liac-arff", n_retries=1, delay=0.5)
    except OSError as error:  # URLError, HTTPError, timeouts
        reason = getattr(error, "reason", None) or error
        raise DataNotFound(
            f"OpenML data set {key!r} can't be fetched ({reason}): check the connection, or put its file into a "
            "folder and name that by data_dir or FOLDWISE_DATA"
        ) from error
    except (ValueError, KeyError) as error:  # no such id, name or target column
        raise DataNotFound(
            f"OpenML has no data set {key!r} as asked: {(str(error).splitlines() or [type(error).__name__])[0]}"
        ) from error


def _features(bunch: Any) -> list[DataColumn]:
    categories = bunch.get("categories") or {}
    return [
        DataColumn(
            name=str(feature),
            values=np.asarray(values, dtype=np.float64),
            categories=tuple(map(str, categories[feature])) if feature in categories else None,
        )
        for feature, values in zip(bunch.feature_names, bunch.data.T, strict=True)
    ]


def _openml_goal(bunch: Any, key: str) -> DataColumn:
    if not bunch.target_names or np.ndim(bunch.target) != 1:
        raise InvalidInput(f"OpenML data set {key!r} needs one target column, got {bunch.target_names!r}: say which")
    name = str(bunch.target_names[0])
    if np.asarray(bunch.target).dtype.kind in "fiu":
        return DataColumn(name=name, values=np.asarray(bunch.target, dtype=np.float64))
    declared = (bunch.get("categories") or {}).get(name)
    return DataColumn.nominal(name, [None if label is None else str(label) for label in bunch.target], declared)
