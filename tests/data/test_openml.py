from __future__ import annotations

import functools
from urllib.error import URLError

import numpy as np
import pytest
from sklearn import datasets
from sklearn.utils import Bunch

from foldwise.core.errors import DataNotFound, InvalidInput
from foldwise.data import KNOWN, fetch_openml, load

# scikit-learn's own tests come with answers of OpenML, shortened to some rows
stored = pytest.importorskip(
    "sklearn.datasets.tests.test_openml", reason="scikit-learn was installed without its tests"
)
FETCHER = functools.partial(datasets.fetch_openml, cache=False)


def answer(**changes):
    bunch = Bunch(
        data=np.array([[1.5, 0], [np.nan, 1], [2, np.nan]]),
        target=np.array(["yes", None, "no"], dtype=object),
        feature_names=["size", "colour"],
        target_names=["play"],
        categories={"colour": ["red", "blue"], "play": ["yes", "no", "maybe"]},
        details={"id": "99", "name": "shop", "version": "2"},
    )
    bunch.update(changes)
    return lambda **query: bunch


def test_conversion():
    data = fetch_openml(99, fetcher=answer())
    assert (data.name, data.target, data.classes) == ("shop", "play", ("yes", "no", "maybe"))
    assert data.X.categories == (None, ("red", "blue"))
    np.testing.assert_array_equal(data.X.values, [[1.5, 0], [2, np.nan]])
    assert data.y.tolist() == ["yes", "no"]
    assert data.provenance == "OpenML 99, shop version 2; 1 rows without a target left out"


def test_numeric_target():
    data = fetch_openml("shop", fetcher=answer(target=np.array([0.5, 1, 2])), name="mine")
    assert (data.name, data.task, data.y.tolist()) == ("mine", "regression", [0.5, 1, 2])


def test_what_is_asked(monkeypatch):
    asked = []

    def fetcher(**query):
        asked.append({name: query.get(name) for name in ("data_id", "name", "version", "target_column")})
        return answer()()

    monkeypatch.setattr(datasets, "fetch_openml", fetcher)
    load("openml:61")
    load("openml:iris", target="play")
    assert asked == [
        {"data_id": 61, "name": None, "version": None, "target_column": None},
        {"data_id": None, "name": "iris", "version": "active", "target_column": "play"},
    ]


@pytest.mark.parametrize("name", ["anneal", "iris", "zoo"])
def test_verified_ids_against_stored_answers(name, monkeypatch):
    known = KNOWN[name]
    assert known.verified
    stored._monkey_patch_webbased_functions(monkeypatch, known.openml, gzip_response=False)
    data = fetch_openml(known.openml, fetcher=FETCHER)
    assert (data.name, data.target) == (known.name, known.target)
    assert data.provenance.startswith(f"OpenML {known.openml}, {name} version")


def test_only_those_ids_are_called_verified():
    assert {known.name for known in KNOWN.values() if known.verified} == {"anneal", "iris", "zoo"}


def test_no_connection(monkeypatch):
    def unreachable(*args, **kwargs):
        raise URLError("no route to host")

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", unreachable)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    with pytest.raises(DataNotFound, match=r"'61' can't be fetched \(no route to host\): check"):
        fetch_openml(61, fetcher=FETCHER)


def test_unknown_id(monkeypatch):
    def fetcher(**query):
        raise ValueError("No active dataset nowhere found.\nmore")

    with pytest.raises(
        DataNotFound, match=r"^OpenML has no data set 'nowhere' as asked: No active dataset nowhere found\.$"
    ):
        fetch_openml("nowhere", fetcher=fetcher)


def test_sparse_and_many_targets():
    with pytest.raises(InvalidInput, match="OpenML data set '99' is sparse, which is not supported"):
        fetch_openml(99, fetcher=answer(data=object()))
    with pytest.raises(InvalidInput, match=r"'99' needs one target column, got \['a', 'b'\]: say which"):
        fetch_openml(99, fetcher=answer(target=np.zeros((3, 2)), target_names=["a", "b"]))
    with pytest.raises(InvalidInput, match="needs one target column"):
        fetch_openml(99, fetcher=answer(target=None, target_names=[]))
