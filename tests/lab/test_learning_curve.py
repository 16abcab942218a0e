"""Does accuracy still rise at the training size: `lab.curve`."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import is_classifier, is_regressor
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsClassifier

from foldwise import lab
from foldwise.core.errors import InvalidInput
from foldwise.engine.learners import learner_of
from foldwise.lab.learning_curve import OnShare


def rings(n, seed=0):
    """Stripes: nearest neighbours need many examples to see them."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(0, 4, size=(n, 2))
    return X, (X.astype(int).sum(axis=1) % 2)


def test_a_learner_that_still_learns_is_said_to():
    c = lab.curve(KNeighborsClassifier(1), *rings(150), share=0.25, runs=3, folds=5)
    assert c.better == "KNeighborsClassifier"
    assert "still gets better from about 30 to 120 training examples" in c.notes[0]
    assert c.notes[0].startswith("accuracy of KNeighborsClassifier")


def test_a_learner_that_knows_all_is_not():
    X = np.random.default_rng(1).normal(size=(100, 1))
    c = lab.curve("majority", X, np.tile(["a", "a", "a", "b"], 25), runs=2, folds=5)
    assert c.better is None
    assert "not shown to change from about 40 to 80" in c.notes[0]


def test_on_all_examples_but_none_it_is_the_learner_itself():
    X, y = rings(120)
    kept, whole = OnShare(KNeighborsClassifier(1), share=0.999), KNeighborsClassifier(1)
    assert (kept.fit(X, y).predict(X) == whole.fit(X, y).predict(X)).all()
    assert kept.estimator_.n_samples_fit_ == 120


@pytest.mark.parametrize(("share", "expected"), [(0.5, (40, 10)), (0.25, (20, 5)), (0.001, (1, 1))])
def test_each_class_gives_its_share_and_at_least_one(share, expected):
    y = np.repeat(["a", "b"], [80, 20])
    rows = OnShare(learner_of("nb"), share=share, random_state=3)._rows(y)
    assert tuple(np.unique(y[rows], return_counts=True)[1]) == expected
    assert len(set(rows)) == len(rows)
    again, other = (OnShare(learner_of("nb"), share=share, random_state=seed)._rows(y) for seed in (3, 4))
    assert (again == rows).all()
    assert share == 0.001 or (other != rows).any()


def test_it_is_of_the_learners_kind():
    assert is_regressor(OnShare(Ridge()))
    assert is_classifier(OnShare(KNeighborsClassifier()))
    X = np.random.default_rng(2).normal(size=(80, 3))
    c = lab.curve(
        "ridge", X, X @ [1.0, 2.0, 3.0] + np.random.default_rng(3).normal(size=80), metric="mse", runs=2, folds=5
    )
    assert c.models == ("ridge", "ridge on 50 %")


def test_areas_under_curves_and_several_metrics():
    X, y = rings(120)
    c = lab.curve("logreg", X, y, metric=["auc", "accuracy"], runs=2, folds=5)
    assert [note.split(" of ")[0] for note in c.notes if "to change from" in note] == ["AUC", "accuracy"]


def test_a_frame_with_text_columns():
    pd = pytest.importorskip("pandas")
    X, y = rings(80)
    frame = pd.DataFrame({"size": X[:, 0], "side": np.where(X[:, 1] > 2, "left", "right")})
    c = lab.curve("logreg", frame, np.where(y, "odd", "even"), runs=2, folds=4)
    assert c.evidence.a.shape == (2, 4)


def test_bad_calls_are_one_sentence():
    with pytest.raises(InvalidInput, match="one learner, got 2"):
        lab.curve(["nb", "c45"], *rings(50))
    with pytest.raises(InvalidInput, match="y must be given"):
        lab.curve("nb", rings(50)[0])
