from __future__ import annotations

import numpy as np
import pytest

from foldwise.comparison import estimate_error
from foldwise.core.table import Table
from foldwise.lab.papers import Task
from foldwise.lab.papers.martinhirschberg1996 import neighbours
from foldwise.lab.papers.study import do_trials
from foldwise.lab.populations.artificial import Gaussian, possible_boundaries
from foldwise.learners import NearestNeighbours


@pytest.fixture
def sample():
    return Gaussian(inherent_error=0.2).draw(30, np.random.default_rng(5))


@pytest.mark.parametrize("k", [1, 3])
def test_true_errors_are_those_of_the_learner(sample, k):
    population = Gaussian(inherent_error=0.2)
    learner = NearestNeighbours(k=k).fit(sample.X, sample.y)
    slow = population.true_error(
        lambda x: learner.predict(Table.build(x[:, None])), possible_boundaries(sample.X.values[:, 0])
    )
    assert neighbours._true_errors(population, sample)[(1, 3).index(k)] == pytest.approx(slow, rel=1e-12)


@pytest.mark.parametrize("k", [1, 3])
def test_bootstrap_votes_are_those_of_the_learner(sample, k):
    rng = np.random.default_rng(0)
    copies = rng.multinomial(30, np.full(30, 1 / 30), size=20)
    votes = neighbours._vote(sample.X.values[:, 0], sample.y, copies, k)
    for count, vote in zip(copies, votes, strict=True):
        rows = np.repeat(np.arange(30), count)
        learner = NearestNeighbours(k=k).fit(sample.X[rows], sample.y[rows])
        outside = count == 0
        assert (learner.predict(sample.X[outside]) == vote[outside]).all()


def test_bootstrap_votes_look_further_where_the_nearest_thirty_are_not_in_the_sample():
    x = np.arange(60.0)
    y = np.r_[np.zeros(30), np.ones(30)].astype(int)
    copies = np.zeros((1, 60), dtype=int)
    copies[0, -1] = 60
    assert neighbours._vote(x, y, copies, 1).tolist() == [[1] * 60]


@pytest.mark.parametrize(("name", "method"), [("loo", "loo"), ("632b", "bootstrap632")])
def test_estimates_agree_with_the_estimators_of_the_library(sample, name, method):
    found = neighbours._one("20", 30, 100, np.random.default_rng(5))
    for learner, ours in zip(("1nn", "3nn"), found[name], strict=True):
        theirs = estimate_error(learner, sample.X, sample.y, method=method).estimate
        assert ours == pytest.approx(theirs, abs=1e-12 if name == "loo" else 0.02)


def test_studies_share_one_simulation(monkeypatch):
    done = []
    monkeypatch.setattr(neighbours, "do_trials", lambda *asked: done.append(asked) or do_trials(*asked))
    first, again = (neighbours.simulate(Task(scale="smoke", seed=3)) for _ in range(2))
    assert len(done) == 1
    for key, case in first.items():
        assert np.array_equal(case.errors["ter"], again[key].errors["ter"])


def test_folds_are_balanced_and_not_stratified():
    folds = neighbours.random_folds(25, 10, 4, np.random.default_rng(0))
    counts = np.stack([np.bincount(row, minlength=10) for row in folds])
    assert set(counts.ravel().tolist()) == {2, 3}


def test_where_all_rules_are_equally_bad_no_difference_is_left():
    case = neighbours.simulate(Task(scale="smoke", seed=3))[20, "50"]
    assert (case.differences("ter") == 0).all()
