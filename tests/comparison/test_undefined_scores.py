"""A score that is undefined on a test fold gets no number in its place, whatever the score."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.metrics import make_scorer, precision_score
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import DegenerateData, FitFailed

RNG = np.random.default_rng(0)
X = RNG.normal(size=(100, 2))
FIVE = np.repeat([1, 0], [5, 95])
ONE, ZERO = (DummyClassifier(strategy="constant", constant=label) for label in (1, 0))
OF_POSITIVES = ["recall", "precision", "f1", "jaccard", "average_precision"]
OF_CLASSES = ["roc_auc", "auc", "balanced_accuracy", "f1_macro", "recall_macro"]


def dummies(scoring, y=FIVE, **options):
    return fw.compare({"one": ONE, "zero": ZERO}, X, y, metric=scoring, **with_options({"runs": 2, **options}))


@pytest.mark.parametrize("scoring", OF_POSITIVES)
def test_folds_without_a_positive_are_refused_and_counted(scoring):
    with pytest.raises(
        DegenerateData,
        match=rf"metric '{scoring}' is undefined on 10 of the 20 test sets, which have no example of class '1' "
        r"\(there are 5\): use at most 5 folds \(folds=5\), or a score .* such as accuracy",
    ):
        dummies(scoring)


@pytest.mark.parametrize("scoring", OF_CLASSES)
def test_folds_that_lack_a_class_are_refused_by_scores_of_every_class(scoring):
    with pytest.raises(DegenerateData, match=r"on 10 of the 20 test sets, which lack a class \(class '1' has 5 exam"):
        dummies(scoring)


def test_chance_corrected_scores_need_two_classes():
    with pytest.raises(DegenerateData, match=r"'matthews_corrcoef' is undefined .* which have one class only"):
        dummies("matthews_corrcoef")


def test_the_number_of_folds_that_is_named_gives_the_truth():
    assert dummies("recall", folds=5).estimate == 1
    assert dummies(["accuracy", "f1_weighted"]).parts[0].estimate == pytest.approx(-0.9)


def test_a_difference_that_never_varies_is_no_verdict_and_says_why():
    """Five positives are too few to decide, too: all right vs all wrong has p = 2 · 0.5⁵ = 0.0625."""
    c = dummies("recall", folds=5)
    assert (c.pairs[0].means, c.better, c.pvalue, c.interval) == ((1, 0), None, 1, None)
    said = "No verdict: the difference is the same everywhere, so its uncertainty is unknown. Recall 1 (one) vs 0"
    assert said in " ".join(str(c).split())
    assert any("compare the predictions of single examples instead" in caveat for caveat in c.caveats)
    both = dummies(["recall", "accuracy"], folds=5)
    assert "No verdict by recall and accuracy: the difference is the same everywhere." in str(both)


def test_labels_and_the_named_positive_class_count():
    y = np.where(FIVE == 1, "ill", "well")
    with pytest.raises(DegenerateData, match=r"no example of class 'ill' \(there are 5\)"):
        fw.compare(["gnb", "dummy"], X, y, metric="recall", runs=1, options=fw.Options(positive="ill"))
    assert (
        fw.compare(["gnb", "dummy"], X, y, metric="recall", runs=1, options=fw.Options(positive="well")).metric
        == "recall"
    )


def test_a_single_positive_has_no_number_of_folds():
    with pytest.raises(DegenerateData, match=r"\(there is 1\): no split has it in every test set; use a score"):
        dummies("recall", np.repeat([1, 0], [1, 99]))


def test_groups_and_brought_splits_are_looked_at_as_they_are():
    groups = np.arange(100) // 5  # all positives in one group
    with pytest.raises(DegenerateData, match=r"on 8 of the 10 test sets, .* use larger test sets"):
        dummies("recall", groups=groups, folds=5)
    rows = np.arange(100)
    with pytest.raises(DegenerateData, match=r"on 1 of the 2 test sets"):
        dummies("recall", runs=None, cv=[(rows[50:], rows[:50]), (rows[:50], rows[50:])])


def test_precision_without_a_predicted_positive_is_undefined_unless_somebody_says_what_it_is():
    with pytest.raises(FitFailed, match=r"learner 'zero' .* 'precision' is undefined .* \(no predicted samples\)"):
        dummies("precision", folds=5)
    said = make_scorer(precision_score, zero_division=0)
    assert dummies(said, folds=5).estimate == pytest.approx(0.05)
    with pytest.raises(FitFailed, match="is undefined on this test set"):
        dummies(make_scorer(precision_score), folds=5)


def test_three_learners_and_several_data_sets_keep_the_rule(tmp_path):
    with pytest.raises(DegenerateData, match="'recall' is undefined on 10 of the 20"):
        fw.compare({"one": ONE, "zero": ZERO, "nb": "gnb"}, X, FIVE, metric="recall", runs=2)
    lines = [f"{a},{b},{y}" for (a, b), y in zip(X.round(3), FIVE, strict=True)]
    (tmp_path / "rare.csv").write_text("\n".join(["u,v,y", *lines]))
    data = fw.load(tmp_path / "rare.csv")
    with pytest.raises(DegenerateData, match="'balanced_accuracy' is undefined on 5 of the 10 test sets of rare"):
        fw.compare(["gnb", "dummy"], [data, data], metric="balanced_accuracy", runs=1)


def test_r2_needs_enough_values_that_vary():
    x = RNG.normal(size=(20, 1))
    y = x[:, 0] + RNG.normal(size=20)
    learners = LinearRegression(), DummyRegressor()
    with pytest.raises(DegenerateData, match=r"'r2' is undefined on 20 of the 20 .* use at most 3 folds .* mse"):
        fw.compare(learners, x, y, runs=2)
    assert abs(fw.compare(learners, x, y, runs=2, folds=3).estimate) < 2
    assert fw.compare(learners, x, y, runs=2, metric="mse").metric == "mse"
    flat = np.zeros(60)
    flat[:4] = 1.5
    with pytest.raises(DegenerateData, match="values that are all the same"):
        fw.compare(learners, RNG.normal(size=(60, 1)), flat, runs=2)
