"""The other candidates as tests of `compare` and of the lab: the numbers of fit and predict, whoever runs them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from verb_options import with_options

import foldwise as fw
from foldwise import inference as inf
from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.designs import BALANCED_5X2, CV_EXAMPLES, DISJOINT, HALVED_SPLITS, NESTED_CV, Design
from foldwise.designs.crossed import CROSSED_TRAININGS
from foldwise.designs.resampled import UNUSED
from foldwise.lab import type_one_error
from foldwise.lab.populations import find_population
from foldwise.lab.populations.two_kinds import TwoKinds
from foldwise.lab.training import _trial, predict_folds
from foldwise.learners import create
from foldwise.resampling import BalancedFiveByTwo, CrossedParts, DisjointParts, HalvedSplits, KFold, NestedKFold

RNG = np.random.default_rng(5)
Y = np.tile([0, 1], 40)
X = RNG.normal(size=(80, 3)) + 0.7 * Y[:, None]
PAIR = GaussianNB(), DecisionTreeClassifier(random_state=0)
NAMES = ("balanced_5x2_mcnemar", "nested_cv", "cv_clt", "conservative_z", "disjoint", "crossed_trainings")
KINDS = {"balanced_5x2_mcnemar": BALANCED_5X2, "nested_cv": NESTED_CV, "cv_clt": CV_EXAMPLES,
         "conservative_z": HALVED_SPLITS, "disjoint": DISJOINT, "crossed_trainings": CROSSED_TRAININGS}  # fmt: skip


def right(split):
    """Which test examples each of the pair gets right."""
    fitted = [e.fit(X[split.train], Y[split.train]) for e in PAIR]
    return [e.predict(X[split.test]) == Y[split.test] for e in fitted]


def gains(split):
    a, b = right(split)
    return a.astype(float) - b


def test_cv_clt_by_hand():
    c = fw.compare(PAIR, X, Y, test="cv_clt", folds=4, random_state=2)
    d = np.concatenate([gains(split) for split in KFold(4).splits(Y, seed=2)])
    assert [c.estimate, c.statistic, c.pvalue] == pytest.approx(
        [d.mean(), float(inf.cv_clt(d).statistic), float(inf.cv_clt(d).pvalue)]
    )
    assert c.df is None
    assert any("leaves out what another training set would change" in caveat for caveat in c.caveats)
    assert c.fits == 8


def test_nested_cv_by_hand():
    c = fw.compare(PAIR, X, Y, test="nested_cv", folds=4, runs=2, random_state=2)
    inner, outer, spread, naive = [], [], [], []
    plan = NestedKFold(2, folds=4)
    for repetition in range(2):
        splits = [s for s in plan.splits(Y, seed=2) if s.run // 4 == repetition]
        first, rest = splits[:4], splits[4:]
        every = [(s, gains(s)) for s in rest]
        for fold in first:
            within = [g for s, g in every if not np.isin(fold.test, s.train).any() and set(s.test) != set(fold.test)]
            own = gains(fold)
            inner.append(np.concatenate(within).mean())
            outer.append(own.mean())
            spread.append(own.var(ddof=1) / len(own))
        naive.append(np.concatenate([g for _, g in every]).std(ddof=1) / np.sqrt(80))
    wanted = inf.nested_cv(*(np.reshape(part, (2, 4)) for part in (inner, outer, spread)), naive)
    assert [c.estimate, c.statistic, c.pvalue] == pytest.approx(
        [float(wanted.estimate), float(wanted.statistic), float(wanted.pvalue)]
    )
    assert (c.fits, c.evidence.n_train) == (2 * 2 * (4 + 6), 40)


def test_balanced_5x2_by_hand():
    c = fw.compare(PAIR, X, Y, test="balanced_5x2_mcnemar", random_state=2)
    tables = []
    for split in BalancedFiveByTwo().splits(Y, seed=2):
        a, b = right(split)
        tables.append([(~a & ~b).sum(), (~a & b).sum(), (a & ~b).sum(), (a & b).sum()])
    wanted = inf.balanced_5x2_mcnemar(tables)
    assert [c.estimate, c.statistic, c.pvalue] == pytest.approx([wanted.estimate, wanted.statistic, wanted.pvalue])
    assert (c.interval.low, c.interval.high) == pytest.approx(tuple(
        float(limit) for limit in (wanted.confidence_interval().low, wanted.confidence_interval().high)
    ))  # fmt: skip
    assert (c.fits, c.df) == (20, 1)


def test_conservative_z_by_hand():
    c = fw.compare(PAIR, X, Y, test="conservative_z", runs=2, folds=8, random_state=2)
    plan = HalvedSplits(halvings=2, splits_each=15, test_fraction=1 / 8)
    x = np.array([gains(split).mean() for split in plan.splits(Y, seed=2)]).reshape(5, 15)
    wanted = inf.conservative_z(x[0], x[1:].reshape(2, 2, 15))
    assert [c.estimate, c.statistic] == pytest.approx([float(wanted.estimate), float(wanted.statistic)])
    assert c.estimate == pytest.approx(c.pairs[0].means[0] - c.pairs[0].means[1])
    assert c.design == "15 random splits, and 15 of each half of 2 halvings"


def test_disjoint_by_hand():
    c = fw.compare(PAIR, X, Y, test="disjoint", random_state=1, options=fw.Options(train_size=3))
    x = [gains(split).mean() for split in DisjointParts(train_size=3).splits(80, seed=1)]
    wanted = inf.disjoint(x)
    assert [c.estimate, c.statistic, c.df] == pytest.approx([np.mean(x), float(wanted.statistic), len(x) - 1])
    assert c.guarantee == "approximate; parts are independent, whatever the learners"
    assert f"gives p = {float(wanted.sign_pvalue):.2g}" in " ".join(c.caveats)
    assert c.evidence.n_train == 3


def test_crossed_trainings_by_hand():
    c = fw.compare(PAIR, X, Y, test="crossed_trainings", runs=4, random_state=2)
    x = [gains(split) for split in CrossedParts(4).splits(Y, seed=2)]
    wanted = inf.crossed(x).student
    assert [c.estimate, c.statistic, c.df] == pytest.approx(
        [np.mean(x), float(wanted.statistic), float(wanted.df)], rel=1e-9
    )
    assert (c.fits, c.evidence.n_train, c.design) == (8, 10, "4 training sets × 40 items")
    assert [source.name for source in c.variance.sources] == ["training sets", "items", "training sets with items"]
    assert "4 training sets say little about how much training sets vary" in " ".join(c.caveats)


FEWER = {"conservative_z": {"runs": 2}}
"""Halvings, each of which takes as many trainings as another test."""


@pytest.mark.parametrize("test", NAMES)
def test_every_one_mirrors_shows_and_says_itself(test):
    options = {"test": test, "folds": 4, **FEWER.get(test, {})}
    there, back = (fw.compare(pair, X, Y, **with_options(options)) for pair in (PAIR, PAIR[::-1]))
    assert there.pvalue == pytest.approx(back.pvalue)
    assert there.estimate == pytest.approx(-back.estimate)
    assert there.interval.low == pytest.approx(-back.interval.high)
    assert there.rope_probabilities.a_better == pytest.approx(back.rope_probabilities.b_better)
    told = json.loads(json.dumps(there.to_dict(), allow_nan=False))
    assert told["test"] == test
    assert there.title in there.to_html()
    assert there.plot().axes
    assert len(next(iter(there.evidence.columns().values())))
    assert test == "crossed_trainings" or there.detectable_difference > 0


@pytest.mark.parametrize("test", NAMES)
def test_a_learner_against_itself_shows_nothing(test):
    c = fw.compare({"one": "nb", "two": "nb"}, X, Y, test=test, folds=4, **FEWER.get(test, {}))
    assert (c.better, c.pvalue, c.estimate) == (None, 1, 0)


@pytest.mark.parametrize("test", ["nested_cv", "cv_clt", "crossed_trainings"])
def test_losses_of_regressors(test):
    y = X @ [1.0, -1.0, 0.5] + 0.1 * RNG.normal(size=80)
    pair = LinearRegression(), DecisionTreeRegressor(random_state=0)
    c = fw.compare(pair, X, y, test=test, folds=4, metric="mse")
    assert (c.better, c.higher_is_better) == ("LinearRegression", False)
    with pytest.raises(InvalidInput, match=f"metric must be a mean over examples .* for test '{test}', got 'r2'"):
        fw.compare(pair, X, y, test=test)


@pytest.mark.parametrize(("options", "message"), [
    ({"test": "cv_clt", "metric": "roc_auc"}, "got 'roc_auc'"),
    ({"test": "balanced_5x2_mcnemar", "metric": "error"}, "which compares right and wrong answers, got 'error'"),
    ({"test": "kfold_cv_t", "train_size": 9}, "train_size is for test 'disjoint', got 9 with test 'kfold_cv_t'"),
    ({"test": "disjoint", "train_size": 4}, "so at most 3 for 80 examples, got 4"),
    ({"test": "crossed_trainings", "runs": 21}, "training_sets must be at most 20, .* got 21"),
    ({"test": "nested_cv", "folds": 5}, "folds must be an even number"),
    ({"test": "cv_clt", "runs": "auto"}, "runs='auto' works with"),
])  # fmt: skip
def test_what_can_not_be_done_is_one_sentence(options, message):
    with pytest.raises(InvalidInput, match=message):
        fw.compare(PAIR, X, Y, **with_options(options))


# ---- in the lab


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_the_labs_cost_is_that_of_the_plan(kind):
    design = Design(n=80, folds=4, nestings=2)
    usual = {"nested_cv": 2, "conservative_z": 10, "crossed_trainings": 5}.get(kind.recommended, 1)
    plan = kind.plan(runs=usual, folds=4, stratified=False)
    assert kind.trainings(design) == len({split.training for split in plan.splits(80, seed=0)})


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_a_trial_of_the_lab_is_what_fit_and_predict_give(kind):
    design, population = Design(n=80, folds=4, nestings=1), find_population("symmetric-halves")
    sample = population.draw(80, stream(0, "x"))
    views, pair = population.views(sample), (create("nb"), create("nb"))
    shape = kind.shape(design)
    ids = kind.fold_ids(sample.y, shape, 9)
    gained = []
    for learner, view in zip(pair, views, strict=True):
        hits = np.zeros(ids.shape, dtype=bool)
        for run, row in enumerate(ids):
            for fold in range(row.max() + 1):
                train = (row != fold) & (row != UNUSED)
                fitted = learner.fit(view.X[train], view.y[train], classes=np.unique(sample.y))
                hits[run, row == fold] = fitted.predict(view.X[row == fold]) == view.y[row == fold]
        gained.append(hits)
    np.testing.assert_allclose(_trial(views, pair, kind, shape, 9), kind.measured(ids, tuple(gained)), atol=1e-15)


def test_examples_without_a_part_in_a_run_are_not_trained_on():
    sample = find_population("gaussian").draw(40, stream(1, "y"))
    ids = np.full((2, 40), UNUSED)
    ids[0, :10], ids[0, 10:14] = -1, 0
    ids[1, 20:30], ids[1, 30:34] = -1, 0
    found = predict_folds(create("1nn"), sample, ids, seed=0)
    for row, train, test in ((0, slice(0, 10), slice(10, 14)), (1, slice(20, 30), slice(30, 34))):
        fitted = create("1nn").fit(sample.X[train], sample.y[train], classes=np.unique(sample.y))
        assert np.array_equal(found[row, test], fitted.predict(sample.X[test]))


def test_the_lab_puts_them_all_on_trial(monkeypatch):
    monkeypatch.setattr(TwoKinds, "block", 10)  # no more trials than are asked for
    table = type_one_error(list(NAMES), "two-kinds", trials=10, n=80, folds=4)
    assert [row.test for row in table.rows] == list(NAMES)
    assert all(row.low < 0.5 for row in table.rows)
