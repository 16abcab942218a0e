from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import random_array
from sklearn.base import is_classifier, is_regressor
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import foldwise as fw
from foldwise.core.errors import FitFailed, InvalidInput, UnknownName
from foldwise.engine import prepare, run
from foldwise.engine.learners import make_learners
from foldwise.learners import create, known_names
from foldwise.learners.registry import EVERYDAY, STEPS, split_steps


@pytest.mark.parametrize("name", [*EVERYDAY, "knn3"])
def test_every_short_name_makes_what_each_task_asks_for(name):
    entry = EVERYDAY.get(name, EVERYDAY["knn"])
    for task, place, is_it in (
        ("classification", entry.classifier, is_classifier),
        ("regression", entry.regressor, is_regressor),
    ):
        if place is None:
            with pytest.raises(InvalidInput, match=f"learner '{name}' is for .*, but the target asks for {task}"):
                create(name, task)
        else:
            learner = create(name, task)
            assert is_it(learner)
            assert hasattr(learner, "steps") == entry.scaled


def test_a_number_in_the_name_counts_neighbours():
    assert create("knn7").steps[-1][1].n_neighbors == 7
    with pytest.raises(InvalidInput, match="at most 9 digits"):
        create("knn1234567890")


@pytest.mark.parametrize("step", [step for step in STEPS if step != "raw"])
def test_steps_stand_in_front_and_replace_the_scaling(step):
    steps = create(f"{step}+svm(C=1e+2)").steps
    assert len(steps) == 2
    assert steps[-1][1].C == 100


def test_raw_leaves_the_scaling_out():
    assert isinstance(create("raw+svm"), SVC)


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("scal+svm", UnknownName, "unknown step 'scal': did you mean 'scale'"),
        ("scale+", InvalidInput, "must be written step"),
        ("scale(no=1)+svm", InvalidInput, "does not take these parameters"),
        ("os:system+svm", InvalidInput, "must be a class with fit and transform; it was not called"),
        ("logrg", UnknownName, "did you mean 'logreg'"),
    ],
)
def test_bad_steps_are_one_sentence(spec, error, message):
    with pytest.raises(error, match=message):
        create(spec)


@settings(max_examples=25)
@given(st.lists(st.sampled_from(["scale", "pca(n_components=2)", "a:B(x='+')", "f(y=[1, (2+0)])"]), min_size=1))
def test_steps_fall_apart_at_the_outer_plus_signs_only(parts):
    assert split_steps(" + ".join(parts)) == parts


def test_scaling_learns_from_the_training_split_alone():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)) * [1, 100, 0.01], rng.integers(0, 2, 40)
    by_hand = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    scores = run({"name": "logreg", "hand": by_hand}, X, y, 4).scores
    assert (scores[0] == scores[1]).all()


def test_the_target_decides_what_a_name_means():
    def kinds(learners, y, asked=None):
        made = make_learners({name: name for name in learners}, np.asarray(y), asked)
        return {"classification" if is_classifier(m) else "regression" for m in made.values()}

    whole, many = [0, 1] * 15, list(range(30))
    assert kinds(["rf", "gb"], ["a", "b"]) == {"classification"}
    assert kinds(["rf", "gb"], [0.5, 1.0]) == {"regression"}
    assert kinds(["rf", "gb"], whole) == {"classification"}
    assert kinds(["rf", "gb"], many) == {"regression"}
    assert kinds(["rf", "lasso"], whole) == {"regression"}
    assert kinds(["rf", "logreg"], many) == {"classification"}
    assert kinds(["rf", "gb"], whole, "regression") == {"regression"}
    with pytest.raises(InvalidInput, match="learner 'logreg' is for classification, but the target asks for regres"):
        kinds(["rf", "logreg"], [0.5, 1.0])


def test_the_answer_says_what_a_short_name_stands_for():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), ["a", "b"] * 15
    c = fw.compare(["logreg", "dummy"], X, y, runs=1, folds=3)
    said = "learners: logreg is LogisticRegression(max_iter=1000) after StandardScaler(); dummy is DummyClassifier(), "
    assert said + "fitted in each training split" in c.caveats
    assert prepare({"nb": "nb", "own": SVC()}, X, y).notes == ()


def test_short_names_are_listed():
    assert {"logreg", "rf", "gb", "hgb", "svm", "knn5", "ridge", "lasso", "dummy"} <= set(known_names())


@pytest.fixture
def sparse():
    """A sparse matrix, in a form whose rows can't be cut, and two classes."""
    X = random_array((80, 20), density=0.2, random_state=0, format="coo")
    return X, np.array(["a", "b"])[(X.tocsr()[:, :5].sum(axis=1) > 0.3).astype(int)]


@pytest.mark.parametrize("name", ["logreg", "svm", "linsvm", "knn5", "ridge", "robust+logreg", "tree"])
def test_sparse_attributes_are_scaled_but_not_shifted(name, sparse):
    (found,) = prepare({name: name}, *sparse).learners.values()
    dense = prepare({name: name}, sparse[0].toarray(), sparse[1]).learners[name][0]
    shifts = {"with_mean", "with_centering"}
    scaler = found[0].steps[0][1].get_params() if name != "tree" else {}
    assert [scaler[key] for key in shifts & scaler.keys()] == [False] * (name != "tree")
    assert not [value for key, value in dense.get_params().items() if key.split("__")[-1] in shifts and not value]
    assert np.isfinite(run({name: name}, *sparse, 3).scores).all()


def test_the_answer_says_that_sparse_attributes_were_not_shifted(sparse):
    c = fw.compare(["logreg", "knn5"], *sparse, runs=2, folds=3)
    assert "StandardScaler(with_mean=False)" in " ".join(str(c).split())
    unscaled = ["scale(with_mean=False)+logreg", "scale(with_mean=False)+knn5"]
    assert c.estimate == fw.compare(unscaled, *sparse, runs=2, folds=3).estimate


@pytest.mark.parametrize(("name", "steps"), [
    ("minmax+logreg", ["MaxAbsScaler"]),
    ("pca(n_components=3)+rf", ["PCA"]),
    ("minmax+pca(n_components=3)+svm", ["MaxAbsScaler", "PCA"]),
    ("pca+gnb", ["PCA"]),
    ("quantile(n_quantiles=20)+knn5", ["QuantileTransformer"]),
    ("poly+logreg", ["PolynomialFeatures"]),
])  # fmt: skip
def test_every_step_takes_sparse_attributes(name, steps, sparse):
    found = prepare({name: name}, *sparse).learners[name][0]
    assert [type(step).__name__ for _, step in found.steps[:-1]] == steps
    assert np.isfinite(run({name: name}, *sparse, 3).scores).all()
    c = fw.compare([name, "dummy"], *sparse, runs=2, folds=3)
    assert f"after {steps[0]}(" in " ".join(c.caveats)


def test_attributes_that_are_not_negative_are_scaled_the_same_sparse_or_dense():
    X = random_array((60, 8), density=0.5, random_state=1, format="csr")  # every attribute has a 0, the least
    y = np.array(["a", "b"])[(X[:, :3].sum(axis=1) > 0.7).astype(int)]
    assert (X.toarray().min(axis=0) == 0).all()
    each = [fw.compare(["minmax+knn5", "dummy"], data, y, runs=2, folds=3).estimate for data in (X, X.toarray())]
    assert each[0] == pytest.approx(each[1])


def test_a_step_that_must_shift_is_refused_in_a_sentence(sparse):
    with pytest.raises(InvalidInput, match="shifts attributes, which would fill a sparse X: leave the parameters away"):
        fw.compare(["minmax(feature_range=(1, 2))+svm", "dummy"], *sparse, runs=1, folds=3)


@pytest.mark.parametrize("name", ["nb", "c45", "1nn", "gnb", "hgb", "lda"])
def test_learners_that_need_a_dense_matrix_say_so(name, sparse):
    with pytest.raises(FitFailed, match=rf"learner '{name}' failed .* dense data is required. Use '.toarray\(\)'"):
        fw.compare([name, "dummy"], *sparse, runs=1, folds=3)


def test_what_is_said_about_shifting_counts_for_sparse_attributes_too(sparse):
    with pytest.raises(FitFailed, match="with_mean=False"):
        fw.compare(["scale(with_mean=True)+svm", "tree"], *sparse, runs=2, folds=3)
