"""Under what a result is kept: what must change it, and what must not."""

from __future__ import annotations

import sys
import types

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from studies import Centroid, blobs

from foldwise.core.digest import identify
from foldwise.core.table import Table
from foldwise.engine.cache import scoring_digest, series_key, versions_of
from foldwise.engine.examples import Examples
from foldwise.engine.learners import check_learners
from foldwise.engine.scoring import resolve_scoring
from foldwise.resampling import KFold

X, Y = blobs()
ACCURACY = resolve_scoring(None, "classification", 3)


def digest_of(X, y=Y, groups=None, task="classification"):
    return Examples.build(X, y, task, groups).digest()


def key_of(estimator, name="a"):
    (learner,) = check_learners({name: (estimator, "plain")}, ACCURACY)
    examples = Examples.build(X, Y, "classification")
    return series_key(learner, examples, "digest", plan=KFold(4), seed=0, folds=4, data_name="trees")


FORMS = [
    X,
    X.astype(np.float32),
    pd.DataFrame(X),
    pd.DataFrame(X, columns=list("abcd")),
    pl.DataFrame(X, schema=list("wxyz")),
    sparse.csr_matrix(X),
    Table.build(X),
    Table.build(X, names=list("abcd")),
    Table.build(np.abs(X).round() % 2, [("no", "yes")] * 4),
    Table.build(np.abs(X).round() % 2, [("yes", "no")] * 4),
]


def test_different_examples_have_different_digests():
    digests = [digest_of(form) for form in FORMS]
    assert len(set(digests)) == len(FORMS)
    assert digests == [digest_of(form) for form in FORMS]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: type(form).__name__)
def test_one_changed_value_changes_the_digest(form):
    if isinstance(form, Table):
        values = form.values.copy()
        values[3, 1] = 1 - values[3, 1]
        changed = Table.build(values, form.categories, form.names)
    else:
        dense = form.toarray() if sparse.issparse(form) else np.array(form)
        dense[3, 1] += 1
        changed = {
            pd.DataFrame: lambda a: pd.DataFrame(a, columns=getattr(form, "columns", None)),
            pl.DataFrame: lambda a: pl.DataFrame(a, schema=form.columns),
            sparse.csr_matrix: sparse.csr_matrix,
            np.ndarray: lambda a: a,
        }[type(form)](dense)
    assert digest_of(changed) != digest_of(form)


def test_targets_and_groups_count():
    base = digest_of(X)
    assert digest_of(X, np.roll(Y, 1)) != base
    assert digest_of(X, groups=np.arange(60) % 5) != base
    assert digest_of(X, np.arange(60.0), task="regression") != digest_of(X, np.arange(60), task="regression")


def test_order_in_memory_does_not_count():
    assert digest_of(np.asfortranarray(X)) == digest_of(X)


def test_the_key_of_a_learner_follows_its_parameters_not_its_name():
    assert key_of(GaussianNB(), "a").learner == key_of(GaussianNB(), "b").learner
    assert key_of(GaussianNB()).learner != key_of(GaussianNB(var_smoothing=1e-3)).learner
    deep = [make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=d)) for d in (2, 3)]
    assert key_of(deep[0]).learner != key_of(deep[1]).learner


def test_labels_say_what_a_reader_wants_to_know():
    labels = key_of(GaussianNB(), "nb").labels
    assert (labels["learner"], labels["data"], labels["class"]) == ("nb", "trees", "sklearn.naive_bayes.GaussianNB")
    assert (labels["examples"], labels["attributes"], labels["classes"], labels["folds"]) == (60, 4, 3, 4)


def test_versions_name_every_package_inside(monkeypatch):
    package = types.ModuleType("treekit")
    package.__version__ = "1.2"
    monkeypatch.setitem(sys.modules, "treekit", package)
    kind = type("Tree", (DecisionTreeClassifier,), {"__module__": "treekit.trees"})
    assert set(versions_of(identify(make_pipeline(StandardScaler(), kind())))) == {"sklearn", "treekit"}
    before = key_of(make_pipeline(StandardScaler(), kind())).learner
    package.__version__ = "1.3"
    assert key_of(make_pipeline(StandardScaler(), kind())).learner != before


def test_a_class_without_a_version_counts_by_its_source():
    versions = versions_of(identify(Centroid()))
    assert set(versions) == {"numpy", "sklearn", "own code"}
    assert len(versions["own code"]) == 16


def test_scorings_of_one_name_but_other_meaning_differ():
    one, other = (resolve_scoring(f, "classification", 3) for f in (lambda e, X, y: 1.0, lambda e, X, y: 2.0))
    assert one.name == other.name
    assert scoring_digest(one) != scoring_digest(other)
    assert scoring_digest(ACCURACY) == scoring_digest(resolve_scoring("accuracy", "classification", 2))
    assert scoring_digest(ACCURACY) != scoring_digest(resolve_scoring("error", "classification", 2))
