"""Several disjoint training sets of one size, all tested on the same examples: Dietterich's question 5."""

from __future__ import annotations

import numpy as np
import pytest
from verb_options import with_options

import foldwise as fw
from foldwise import inference as inf
from foldwise.comparison import estimate_error
from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.lab.populations.bayes_net import BayesNet
from foldwise.learners import NaiveBayes
from foldwise.resampling.random_splits import CrossedParts

POPULATION = BayesNet(set=3)


def sample(n, seed=0):
    drawn = POPULATION.draw(n, stream(seed, "delve", n))
    return drawn.X, drawn.y


def test_it_is_the_crossed_analysis_of_the_losses():
    X, y = sample(400)
    found = estimate_error("nb", X, y, method="delve", repeats=6, random_state=3, options=fw.Options(train_size=30))
    splits = CrossedParts(6, 30).splits(len(y), seed=3)
    assert len(set(np.concatenate([one.train for one in splits]).tolist())) == 6 * 30  # disjoint
    assert all(len(one.train) == 30 and len(one.test) == 400 - 180 for one in splits)
    losses = np.array([NaiveBayes().fit(X[s.train], y[s.train]).predict(X[s.test]) != y[s.test] for s in splits]) * 1.0
    expected = inf.crossed(losses).student
    limits = expected.confidence_interval(0.95)
    assert found.estimate == pytest.approx(losses.mean())
    assert (found.interval.low, found.interval.high) == pytest.approx((limits.low, limits.high))
    assert (found.components["training_sets"], found.components["train_size"]) == (6, 30)
    assert found.components["lowest_set"] == losses.mean(axis=1).min()
    assert found.fits == 6


@pytest.mark.slow
def test_its_interval_holds_the_expected_error_of_that_size():
    # 60 data sets of 600: five training sets of 40
    true = np.mean(
        [POPULATION.true_error(NaiveBayes().fit(*sample(40, seed)).predict(POPULATION.cases())) for seed in range(400)]
    )
    found = [
        estimate_error("nb", *sample(600, 1000 + i), method="delve", repeats=5, options=fw.Options(train_size=40))
        for i in range(60)
    ]
    held = np.mean([true in one.interval for one in found])
    assert held >= 0.85  # 0.95 less 3.5 standard errors
    off = np.array([one.estimate for one in found]) - true
    assert abs(off.mean()) < 4 * off.std() / np.sqrt(len(off))


def test_without_a_size_half_of_the_examples_are_cut_into_five():
    X, y = sample(100)
    found = estimate_error("nb", X, y, method="delve")
    assert (found.components["training_sets"], found.components["train_size"]) == (5, 10)


def test_with_a_size_as_many_sets_as_there_are_examples_for_up_to_ten():
    X, y = sample(200)
    assert (
        estimate_error("majority", X, y, method="delve", options=fw.Options(train_size=30)).components["training_sets"]
        == 3
    )
    assert (
        estimate_error("majority", X, y, method="delve", options=fw.Options(train_size=5)).components["training_sets"]
        == 10
    )


def test_without_any_error_there_is_no_interval_of_width_nought():
    found = estimate_error("1nn", np.repeat([0.0, 1.0], 40)[:, None], np.repeat(["a", "b"], 40), method="delve")
    assert found.estimate == 0
    assert found.interval is None


def test_numbers_are_judged_by_their_squared_errors():
    from sklearn.linear_model import LinearRegression

    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    found = estimate_error(
        LinearRegression(), X, X @ [1, 2] + rng.normal(size=300), method="delve", options=fw.Options(train_size=20)
    )
    assert found.metric == "mean squared error"
    assert found.interval.low < 1.2 < found.interval.high + 0.3


@pytest.mark.parametrize(("options", "message"), [
    ({"method": "delve", "train_size": 80, "repeats": 3}, "train_size must be at most 16"),
    ({"method": "delve", "train_size": 1}, "train_size must be a whole number of at least 2"),
    ({"method": "kfold", "train_size": 20}, "train_size must go with method 'delve', got method 'kfold'"),
    ({"method": "delve", "repeats": 1}, "repeats must be at least 2 training sets"),
])  # fmt: skip
def test_what_is_refused(options, message):
    X, y = sample(100)
    with pytest.raises(InvalidInput, match=message):
        estimate_error("nb", X, y, **with_options(options))


def test_question_five_is_answered_by_it():
    answer = fw.advise(question=5)
    assert answer.test == "delve"
    assert "--method delve --train-size" in answer.command
    assert "bias" in answer.measured
