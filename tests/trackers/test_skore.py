"""skore's own reports, compared by what they hold."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine
from sklearn.linear_model import Ridge
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import foldwise as fw
from foldwise.core.errors import InvalidInput

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of its dependencies
    skore = pytest.importorskip("skore", reason="skore is not installed (pip install 'foldwise[skore]')")

MODELS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
X, Y = load_wine(return_X_y=True)


def of_cv(model, splitter, y=Y):
    return skore.CrossValidationReport(model, X=X, y=y, splitter=splitter)


@pytest.fixture(scope="module")
def repeated():
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    return cv, skore.ComparisonReport({name: of_cv(model, cv) for name, model in MODELS.items()})


def test_a_comparison_of_cross_validations_is_what_cross_validate_gives(repeated):
    cv, report = repeated
    found = fw.judge(report)
    own = fw.compare_scores(
        {n: cross_validate(m, X, Y, cv=cv)["test_score"].reshape(2, 5) for n, m in MODELS.items()}, metric="accuracy"
    )
    assert found.main.test == "corrected_repeated_cv_t"
    assert (found.main.estimate, found.main.pvalue) == pytest.approx((own.estimate, own.pvalue))
    assert found.understanding.formats == {"skore report": 1}
    assert "neg_log_loss" in found.understanding.other_metrics


def test_losses_keep_their_direction(repeated):
    found = fw.judge(repeated[1], metric="neg_log_loss")
    assert max(found.main.means.values()) < 0
    assert found.main.higher_is_better


def test_times_are_in_the_answer(repeated):
    found = fw.judge(repeated[1])
    assert set(found.understanding.times["fit"]) == {"nb", "tree"}
    assert "fit time" in str(found)
    assert "score time" in str(found)


def test_compare_takes_reports_and_trains_nothing(repeated):
    c = fw.compare(repeated[1], margin="2pt")
    assert c.pairs[0].estimate == fw.judge(repeated[1]).main.estimate
    assert c.pairs[0].margin == pytest.approx(0.02)
    with pytest.raises(InvalidInput, match="runs is for learners that are trained here"):
        fw.compare(repeated[1], runs=3)


def test_reports_on_one_test_set_are_compared_item_by_item():
    parts = train_test_split(X, Y, random_state=0, test_size=0.5)
    names = dict(zip(("X_train", "X_test", "y_train", "y_test"), parts, strict=True))
    reports = [skore.EstimatorReport(model, **names) for model in MODELS.values()]
    found = fw.compare(reports)
    fitted = {type(m).__name__: m.fit(parts[0], parts[2]).predict(parts[1]) for m in MODELS.values()}
    own = fw.compare_predictions(parts[3], fitted)
    assert found.models == ("GaussianNB", "DecisionTreeClassifier")
    assert (found.estimate, found.pvalue) == (own.estimate, own.pvalue)


def test_regressors_are_compared_by_their_squared_errors():
    features, target = load_diabetes(return_X_y=True)
    parts = train_test_split(features, target, random_state=0)
    names = dict(zip(("X_train", "X_test", "y_train", "y_test"), parts, strict=True))
    models = {"ridge": Ridge(), "tree": DecisionTreeRegressor(random_state=0)}
    c = fw.compare({name: skore.EstimatorReport(model, **names) for name, model in models.items()})
    expected = [np.mean((m.fit(parts[0], parts[2]).predict(parts[1]) - parts[3]) ** 2) for m in models.values()]
    assert list(c.means.values()) == pytest.approx(expected)
    assert c.better == "ridge"


def test_what_can_not_be_paired_is_refused(repeated):
    cv, report = repeated
    nb = report.reports_["nb"]
    with pytest.raises(InvalidInput, match="one report can't be compared"):
        fw.judge(nb)
    with pytest.raises(InvalidInput, match="reports must have different names"):
        fw.judge([nb, nb])
    with pytest.raises(InvalidInput, match="on the same data to be paired, but their y differ"):
        fw.judge({"a": nb, "b": of_cv(GaussianNB(), cv, y=Y[::-1])})
    with pytest.raises(InvalidInput, match="same splits to be paired"):
        fw.judge({"a": nb, "b": of_cv(GaussianNB(), RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=1))})
    with pytest.raises(InvalidInput, match="reports of one kind"):
        fw.judge({"a": nb, "b": nb.reports_[0]})
