from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from studies import Centroid, Coin, blobs

from foldwise.core.errors import DegenerateData, InvalidInput, UnknownName
from foldwise.core.table import Table
from foldwise.engine import run
from foldwise.resampling import Bootstrap, FiveByTwo, Holdout, KFold, LeaveOneOut, RandomSplits, RepeatedKFold

X, Y = blobs()
PAIR = {"nb": GaussianNB(), "centroid": Centroid()}


def pairs(plan, y, seed):
    return [(s.train, s.test) for s in plan.splits(y, seed=seed)]


@pytest.mark.parametrize("plan", [RepeatedKFold(2, 5), Holdout(), RandomSplits(4), FiveByTwo(), Bootstrap(3)])
def test_scores_equal_cross_val_score_on_the_same_splits(plan):
    result = run(PAIR, X, Y, plan, seed=3)
    for name, estimator in PAIR.items():
        expected = cross_val_score(estimator, X, Y, cv=pairs(plan, Y, 3))
        assert result.scores_of(name).ravel().tolist() == expected.tolist()
    assert result.scores.shape == (2, *plan.shape(Y))


@pytest.mark.parametrize(
    "scoring", ["f1_macro", "balanced_accuracy", "roc_auc_ovr", "neg_log_loss", "matthews_corrcoef"]
)
def test_any_scikit_learn_scorer_gives_its_own_value(scoring):
    plan = KFold(4)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    result = run({"tree": tree}, X, Y, plan, metric=scoring)
    expected = cross_val_score(tree, X, Y, cv=pairs(plan, Y, 0), scoring=scoring)
    assert result.scores_of("tree").ravel() == pytest.approx(expected, rel=1e-12)
    assert result.greater_is_better


def test_regression_defaults_to_r2_and_takes_losses():
    data, target = load_diabetes(return_X_y=True)
    plan = KFold(5, stratified=False)
    learners = {"ols": LinearRegression(), "ridge": Ridge()}
    r2 = run(learners, data, target, plan)
    assert r2.scoring == "r2"
    assert r2.scores_of("ols").ravel() == pytest.approx(
        cross_val_score(LinearRegression(), data, target, cv=pairs(plan, target, 0))
    )
    mse = run(learners, data, target, plan, metric="mse")
    assert not mse.greater_is_better
    assert (mse.scores > 0).all()
    assert mse.classes is None
    assert ((mse.predicted("ols") - target) ** 2).mean() == pytest.approx(mse.scores_of("ols").mean(), rel=0.02)


def test_predictions_are_those_of_cross_val_predict():
    plan = KFold(6)
    result = run(PAIR, X, Y, plan)
    expected = cross_val_predict(GaussianNB(), X, Y, cv=pairs(plan, Y, 0))
    assert result.labels(result.predicted("nb")[0]).tolist() == expected.tolist()
    assert (result.predicted("nb") == result.y).mean() == pytest.approx(result.scores_of("nb").mean())


def test_outcomes_of_plans_that_are_no_partitions_come_by_split():
    result = run(PAIR, X, Y, Bootstrap(3))
    for split, codes, score in zip(result.splits, result.outcomes[0], result.scores[0].ravel(), strict=True):
        assert (codes == result.y[split.test]).mean() == score
    with pytest.raises(InvalidInput, match="tests each example once per run"):
        result.predicted("nb")


def test_chosen_runs_equal_those_of_the_whole_plan():
    plan = RepeatedKFold(4, 3)
    whole, part = run(PAIR, X, Y, plan, seed=1), run(PAIR, X, Y, plan, seed=1, runs=range(2, 4))
    assert part.scores.tolist() == whole.scores[:, 2:].tolist()
    assert part.predicted("nb").tolist() == whole.predicted("nb")[2:].tolist()
    assert part.sizes()[1].tolist() == whole.sizes()[1][2:].tolist()


def test_sizes_are_those_of_the_splits():
    n_train, n_test = run(PAIR, X, Y, RepeatedKFold(2, 3)).sizes()
    assert n_train.tolist() == [[40] * 3] * 2
    assert n_test.tolist() == [[20] * 3] * 2


def test_unset_random_states_follow_from_seed_and_split():
    plan = RepeatedKFold(3, 4)
    one, again = (run({"coin": Coin(), "twin": Coin()}, X, Y, plan, seed=5) for _ in range(2))
    assert one.scores.tolist() == again.scores.tolist()
    assert one.scores_of("coin").tolist() == one.scores_of("twin").tolist()
    assert run({"coin": Coin()}, X, Y, plan, seed=6).scores.tolist() != one.scores[:1].tolist()
    assert (
        one.scores_of("coin")[1:].tolist()
        == run({"c": Coin()}, X, Y, plan, seed=5, runs=range(1, 3)).scores[0].tolist()
    )
    fixed = run({"coin": Coin(random_state=7)}, X, Y, KFold(4), seed=5)
    expected = cross_val_score(Coin(random_state=7), X, Y, cv=pairs(KFold(4), Y, 5))
    assert fixed.scores_of("coin").ravel().tolist() == expected.tolist()


def test_random_states_inside_a_pipeline_are_set_too():
    forest = make_pipeline(StandardScaler(), RandomForestClassifier(n_estimators=3))
    one, again = (run({"forest": forest}, X, Y, 3, seed=2).scores.tolist() for _ in range(2))
    assert one == again


def test_the_estimators_given_are_not_touched():
    tree = DecisionTreeClassifier()
    run({"tree": tree}, X, Y, 3)
    assert not hasattr(tree, "tree_")
    assert tree.random_state is None


def test_classes_unseen_in_training_do_not_hurt_the_own_losses():
    y = Y.copy()
    y[0] = "yew"
    result = run({"nb": GaussianNB(var_smoothing=1e-3)}, X, y, LeaveOneOut(), metric="log_loss")
    assert result.scores.max() == pytest.approx(-np.log(np.finfo(float).eps))
    assert result.scores[0, 0, 0] == result.scores.max()


@pytest.mark.parametrize("form", [
    lambda a: a.tolist(),
    pd.DataFrame,
    lambda a: pl.DataFrame(a, schema=list("abcd")),
    lambda a: pl.DataFrame(a, schema=list("abcd")).to_arrow(),
    lambda a: Table.build(a),
])  # fmt: skip
def test_every_form_of_the_examples_gives_the_same_scores(form):
    plan = KFold(4)
    assert (
        run({"nb": GaussianNB()}, form(X), Y, plan).scores.tolist()
        == run({"nb": GaussianNB()}, X, Y, plan).scores.tolist()
    )


def test_sparse_examples():
    tree = DecisionTreeClassifier(random_state=0)
    expected = run({"tree": tree}, X, Y, 4).scores
    assert run({"tree": tree}, sparse.coo_matrix(X), Y, 4).scores.tolist() == expected.tolist()


def test_a_mixed_table_reaches_an_encoder_as_names():
    table = Table.build(np.c_[np.arange(60) % 3], [("a", "b", "c")])
    tree = make_pipeline(OneHotEncoder(), DecisionTreeClassifier(random_state=0))
    assert (run({"tree": tree}, table, np.array(list("xyz") * 20), 4).scores == 1).all()


@pytest.mark.parametrize("target", [
    (np.arange(60) % 3).tolist(),
    (np.arange(60) % 3).astype(float),
    np.array(["x", "y", "z"], dtype=object)[np.arange(60) % 3],
    pd.Series(np.array(["x", "y", "z"])[np.arange(60) % 3]),
    pd.Categorical(np.array(["x", "y", "z"])[np.arange(60) % 3]),
])  # fmt: skip
def test_every_form_of_the_classes_gives_the_same_scores(target):
    assert run(PAIR, X, target, 4).scores.tolist() == run(PAIR, X, np.arange(60) % 3, 4).scores.tolist()


def test_boolean_targets():
    assert run(PAIR, X, np.arange(60) % 2 == 0, 4).classes.tolist() == [False, True]


def test_groups_are_never_on_both_sides():
    groups = np.repeat(np.arange(12), 5)
    result = run(PAIR, X, Y, KFold(3), groups=groups)
    for split in result.splits:
        assert not np.intersect1d(groups[split.train], groups[split.test]).size


def test_warnings_are_counted_by_learner():
    data, target = load_breast_cancer(return_X_y=True)
    from sklearn.linear_model import LogisticRegression

    result = run({"nb": GaussianNB(), "lr": LogisticRegression(max_iter=2)}, data, target, 4)
    assert not result.warnings["nb"]
    assert sum(result.warnings["lr"].values()) == 4
    assert next(iter(result.warnings["lr"])).startswith("ConvergenceWarning: lbfgs failed to converge")


def test_progress_is_told_of_every_fit():
    class Log:
        def __init__(self):
            self.seen = []

        def start(self, *, total, found):
            self.seen.append(("start", total, found))

        def advance(self, fits):
            self.seen.append(fits)

        def stop(self):
            self.seen.append("stop")

    log = Log()
    run(PAIR, X, Y, RepeatedKFold(3, 5), progress=log)
    assert log.seen[0] == ("start", 30, 0)
    assert sum(log.seen[1:-1]) == 30
    assert log.seen[-1] == "stop"


@pytest.mark.parametrize(("change", "error", "message"), [
    ({"y": Y[:-1]}, InvalidInput, "X and y must have the same length, got 60 and 59"),
    ({"X": X[:, 0]}, InvalidInput, r"X must have two axes \(examples, attributes\), got shape \(60,\)"),
    ({"y": ["a"] * 60}, DegenerateData, "y must have at least 2 classes, but all 60 examples are 'a'"),
    ({"y": [None, *Y[1:]]}, InvalidInput, r"y must not have missing values, but y\[0\] is None"),
    ({"y": np.r_[np.nan, np.ones(59)]}, InvalidInput, r"missing values, but y\[0\] is nan"),
    ({"y": np.linspace(0, 1, 60)}, InvalidInput, "y must be classes for classifiers, got 0.0169"),
    ({"y": np.zeros((60, 2))}, InvalidInput, r"y must have one axis with at least 2 examples, got shape \(60, 2\)"),
    ({"learners": {}}, InvalidInput, "learners must be a dict of at least one name and estimator"),
    ({"learners": [GaussianNB()]}, InvalidInput, "learners must be a dict"),
    ({"learners": {"nb": GaussianNB}}, InvalidInput, "'nb' must be an object, but GaussianNB is a class"),
    ({"learners": {"nb": object()}}, InvalidInput, "scikit-learn's interface, but it lacks fit, predict, get_params"),
    ({"learners": {"nb": GaussianNB(), "ols": LinearRegression()}}, InvalidInput, "'nb' does classification, 'ols'"),
    ({"learners": {"ols": LinearRegression()}}, InvalidInput, "y must be numbers for regression, got <U3 values"),
    ({"metric": "acuracy"}, UnknownName, "unknown metric 'acuracy': did you mean 'accuracy'"),
    ({"metric": "mse"}, InvalidInput, "metric 'mse' is for regression, but the learners do classification"),
    ({"metric": "log_loss"}, InvalidInput, "needs predict_proba, which learner 'centroid' does not have"),
    ({"metric": "roc_auc_ovr"}, InvalidInput, "which learner 'centroid' does not have"),
    ({"seed": -1}, InvalidInput, "seed must be a whole number of at least 0, got -1"),
    ({"n_jobs": 0}, InvalidInput, "n_jobs must be a whole number other than 0, or None, got 0"),
    ({"runs": range(3)}, InvalidInput, r"runs must be increasing and within range\(0, 1\), got range\(0, 3\)"),
    ({"on_error": "ignore"}, UnknownName, "unknown on_error 'ignore'"),
    ({"progress": 3}, InvalidInput, "progress must be None, True, False or have start, advance and stop, got 3"),
    ({"plan": 70}, InvalidInput, "folds must be at most the number of examples, 60, got 70"),
    ({"groups": [1, 2]}, InvalidInput, r"groups must have one value per example, shape \(60,\)"),
])  # fmt: skip
def test_bad_input_is_named(change, error, message):
    given = {"learners": PAIR, "X": X, "y": Y, "plan": 4, **change}
    with pytest.raises(error, match=message):
        run(given.pop("learners"), given.pop("X"), given.pop("y"), given.pop("plan"), **given)


def test_an_unknown_learner_of_a_result_suggests_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'centroid'"):
        run(PAIR, X, Y, 3).scores_of("centriod")
