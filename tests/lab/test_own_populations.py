"""Populations made from the user's own data, functions and learners."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from foldwise import lab
from foldwise.core.errors import FitFailed, InvalidInput
from foldwise.core.random import stream
from foldwise.core.table import Table
from foldwise.data import load
from foldwise.designs import ONE_CV, REPEATED_CV, Design
from foldwise.engine import run
from foldwise.lab.populations import Null, find_population
from foldwise.lab.populations.from_data import Exchange, Finite
from foldwise.lab.populations.population import Sample
from foldwise.lab.rates import LevelJudgement
from foldwise.lab.training import RandomErrors, evidence_from_learners, is_random, predict_folds
from foldwise.learners import NaiveBayes
from foldwise.resampling import RepeatedKFold

TREE = "sklearn.tree:DecisionTreeClassifier(max_depth=1, random_state=0)"


def lopsided(n, rng):
    return rng.random((n, 2)), (rng.random(n) < 0.2).astype(int)


def test_exchanged_labels_are_uniform_and_independent_of_the_attributes():
    iris = load("sklearn:iris")
    few = (np.asarray(iris.X)[:110], iris.y[:110])  # 50, 50 and 10 of the three classes
    population = Exchange(data=few)
    counts = np.zeros((2, 3))
    for trial in range(300):
        sample = population.draw(100, stream(trial, "x"))
        large = (sample.X.values[:, 2] > 3).astype(int)
        np.add.at(counts, (large, sample.y), 1)
    assert stats.chisquare(counts.sum(axis=0)).pvalue > 0.001
    assert stats.chi2_contingency(counts).pvalue > 0.001


def test_an_exchanged_data_set_keeps_its_rows():
    population = Exchange(data="sklearn:iris")
    sample = population.draw(150, stream(0, "x"))
    assert (np.sort(sample.X.values, axis=0) == np.sort(population.whole.X.values, axis=0)).all()


def test_lopsided_classes_do_not_break_the_exchanged_null():
    # a learner that always says the larger class would be better if labels were only permuted
    X, y = lopsided(400, np.random.default_rng(0))
    table = lab.type_one_error("mcnemar", Exchange(data=(X, y)), learners=("majority", TREE), trials=150, n=200)
    assert table.rows[0].rejections <= stats.binom.interval(0.999, 150, 0.05)[1]


def test_functions_are_populations():
    table = lab.type_one_error("mcnemar", lopsided, learners=("majority", TREE), trials=20, n=60)
    assert table.population == "lopsided"
    assert table.rows[0].trials == 20


@pytest.mark.parametrize(("function", "message"), [
    (lambda n, rng: rng.random((n, 2)), "must return a pair .X, y., got ndarray"),
    (lambda n, rng: (rng.random((n - 1, 2)), np.zeros(n)), r"got \(299, 2\) and \(300,\)"),
    (lambda n, rng: (rng.random(n), np.zeros(n)), r"X of shape \(300, columns\)"),
    (lambda n, rng: (rng.random((n, 2)), np.zeros((n, 1))), r"y of shape \(300,\)"),
])  # fmt: skip
def test_functions_that_return_the_wrong_shape_are_refused(function, message):
    with pytest.raises(InvalidInput, match=message):
        lab.type_one_error("mcnemar", function, learners=("majority", "majority"), trials=10)


def test_populations_by_path_are_imported():
    assert find_population(f"{lopsided.__module__}:lopsided").name == "lopsided"
    with pytest.raises(InvalidInput, match="can't be imported"):
        find_population("numpy.random:nothing")


def test_data_sets_come_by_name_as_objects_or_as_arrays():
    iris = load("sklearn:iris")
    named, loaded, arrays = (
        Finite(data=data).whole for data in ("sklearn:iris", iris, (np.asarray(iris.X), np.asarray(iris.y)))
    )
    for other in (loaded, arrays):
        assert (named.X.values == other.X.values).all()
        assert (named.y == other.y).all()
    assert Finite(data="sklearn:iris").content == Finite(data=iris).content
    assert repr(Finite(data=(iris.X, iris.y))) == "Finite(data='data')"


@pytest.mark.parametrize(("data", "message"), [
    ((np.zeros((3, 2)),), "got 1 things"),
    ((np.zeros((3, 2)), np.zeros(4)), r"one label for each of the 3 rows of X, got shape \(4,\)"),
    ("sklearn:diabetes-regression", "needs a data set with classes"),
])  # fmt: skip
def test_data_that_are_no_examples_are_refused(data, message):
    with pytest.raises(InvalidInput, match=message):
        _ = Exchange(data=data).whole


def test_exchange_refuses_more_examples_than_there_are():
    with pytest.raises(InvalidInput, match="n must be at most the 150 examples of 'sklearn:iris', got 151"):
        Exchange(data="sklearn:iris").draw(151, stream(0, "x"))


def test_a_learner_against_itself_differs_by_its_seed_alone():
    forest = ExtraTreesClassifier(n_estimators=3)
    table = lab.type_one_error("mcnemar", "seeds(data='sklearn:iris')", learners=(forest,), trials=25, n=60)
    again = lab.type_one_error("mcnemar", "seeds(data='sklearn:iris')", learners=(forest,), trials=25, n=60)
    assert table == again
    assert table.rows[0].judgement is LevelJudgement.OPEN  # 25 trials show little
    assert table.null is Null.EXACT


@pytest.mark.parametrize(("learners", "message"), [
    (("majority",), "needs a learner with a random_state, got Majority"),
    ((), "compares one learner with itself, got 0"),
    ((TREE, TREE), "compares one learner with itself, got 2"),
])  # fmt: skip
def test_seeds_need_one_random_learner(learners, message):
    with pytest.raises(InvalidInput, match=message):
        lab.type_one_error("mcnemar", "seeds(data='sklearn:iris')", learners=learners, trials=10)


def test_every_training_of_a_random_learner_gets_its_own_numbers():
    sample = Finite(data="sklearn:iris").draw(60, stream(0, "x"))
    ids = np.arange(60)[None] % 2
    twice = np.repeat(ids, 40, axis=0)
    stump = DecisionTreeClassifier(splitter="random", max_depth=1)
    runs = predict_folds(stump, sample, twice, seed=5)
    assert (runs != runs[0]).any()  # the same split forty times: only the learner's own numbers differ
    assert (runs == predict_folds(stump, sample, twice, seed=5)).all()
    assert (runs != predict_folds(stump, sample, twice, seed=6)).any()
    assert is_random(stump)


def test_nominal_and_missing_values_are_encoded_for_other_libraries():
    rng = np.random.default_rng(0)
    values = np.column_stack([rng.integers(0, 3, 40), rng.random(40)])
    values[3] = np.nan
    sample = Sample(X=Table.build(values, [("a", "b", "c"), None]), y=(values[:, 0] == 1).astype(int))
    predicted = predict_folds(DecisionTreeClassifier(random_state=0), sample, np.arange(40)[None] % 4, seed=0)
    assert (predicted[0] == sample.y).mean() > 0.9


def test_a_learner_that_fails_is_named():
    class Broken(DecisionTreeClassifier):
        def fit(self, X, y):
            raise ValueError("no such thing")

    sample = Finite(data="sklearn:iris").draw(20, stream(0, "x"))
    with pytest.raises(FitFailed, match=r"learner Broken.* failed on 10 training examples: no such thing"):
        predict_folds(Broken(), sample, np.arange(20)[None] % 2, seed=0)


@pytest.mark.parametrize("learner", [
    DecisionTreeClassifier(splitter="random", max_depth=1),
    RandomErrors(NaiveBayes(), rate=0.2),
    NaiveBayes(),
], ids=["random", "errors", "plain"])  # fmt: skip
def test_what_a_test_sees_does_not_depend_on_which_others_are_asked_for(learner):
    source = Finite(data="sklearn:iris")
    samples = [source.views(source.draw(60, stream(trial, "x"))) for trial in range(3)]
    design = Design(n=60, runs=3, folds=5)

    def evidence(*kinds):
        return evidence_from_learners(samples, (learner, NaiveBayes()), kinds, design, [1, 2, 3])

    both = evidence(ONE_CV, REPEATED_CV)
    assert (both[ONE_CV] == evidence(ONE_CV)[ONE_CV]).all()
    assert (both[REPEATED_CV] == evidence(REPEATED_CV)[REPEATED_CV]).all()
    assert (both[ONE_CV] == both[REPEATED_CV][:, :, 0]).all()


@pytest.mark.parametrize("path", ["os:system", "os:popen", "subprocess:run", "numpy:save", "shutil:rmtree"])
def test_a_function_that_is_not_the_users_is_no_population(path):
    with pytest.raises(InvalidInput, match=f"population '{path}' must be a function of your own module"):
        find_population(path)


def test_a_learner_that_answers_for_too_few_examples_is_named():
    class Short(DecisionTreeClassifier):
        def predict(self, X):
            return super().predict(X)[:1]

    sample = Finite(data="sklearn:iris").draw(20, stream(0, "x"))
    with pytest.raises(FitFailed, match=r"learner Short.* predict returned shape \(1,\) for 10 test examples"):
        predict_folds(Short(), sample, np.arange(20)[None] % 2, seed=0)


@settings(max_examples=15)
@given(st.integers(0, 2**31), st.sampled_from([1, 3]))
def test_the_lab_and_the_engine_fit_alike(seed, runs):
    sample = Finite(data="sklearn:iris").draw(45, stream(seed, "x"))
    learner, plan = KNeighborsClassifier(1), RepeatedKFold(runs, 3)
    found = run({"it": learner}, sample.X, sample.y, plan, seed=seed)
    ids = plan.fold_ids(sample.y, seed=seed)
    assert (found.labels(found.predicted("it")) == predict_folds(learner, sample, ids, seed)).all()
