"""Learners compared by a round robin: the answer is that of the test on tables made by hand, at every door."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from verb_options import with_options

import foldwise as fw
from foldwise.comparison.adding_runs import Budget, RunsRule, add_runs, growth_of
from foldwise.core.errors import InvalidInput
from foldwise.designs import find_procedure
from foldwise.designs.round_robin import FIRST_DEALINGS
from foldwise.inference import round_robin
from foldwise.resampling import RoundRobin

RNG = np.random.default_rng(7)
Y = np.tile([0, 1], 30)
X = RNG.normal(size=(60, 3)) + 0.8 * Y[:, None]
PAIR = GaussianNB(), DecisionTreeClassifier(random_state=0)


def accuracy(estimator, rows, truth):
    return np.mean(estimator.predict(rows) == truth)


def area(estimator, rows, truth):
    return roc_auc_score(truth, estimator.predict_proba(rows)[:, 1])


def tables(a, b, X, y, plan, seed, score):
    """d[dealing, left out, tested] by fit and predict, split by split."""
    blocks, found = {}, {}
    for split in plan.splits(y, seed=seed):
        dealing = split.run // plan.rounds
        names = blocks.setdefault(dealing, {})
        c = names.setdefault(tuple(split.test), len(names))
        other = np.setdiff1d(np.arange(len(y)), np.concatenate([split.train, split.test]))
        o = names.setdefault(tuple(other), len(names))
        fitted = [e.fit(X[split.train], y[split.train]) for e in (a, b)]
        found[dealing, o, c] = np.subtract(*(score(e, X[split.test], y[split.test]) for e in fitted))
    d = np.zeros((plan.dealings, plan.blocks, plan.blocks))
    for place, value in found.items():
        d[place] = value
    return d


@pytest.mark.parametrize(("scoring", "score"), [(None, accuracy), ("roc_auc", area)])
def test_the_answer_is_that_of_the_test_on_tables_made_by_hand(scoring, score):
    c = fw.compare(PAIR, X, Y, test="round_robin", metric=scoring, random_state=3)
    plan = RoundRobin(dealings=6, blocks=6)  # as many as there are if nobody says
    result = round_robin(tables(*PAIR, X, Y, plan, 3, score))
    assert [c.estimate, c.statistic, c.pvalue, c.df] == pytest.approx(
        [result.estimate, result.statistic, result.pvalue, result.df], rel=1e-9
    )
    interval = result.confidence_interval()
    assert [c.interval.low, c.interval.high] == pytest.approx([interval.low, interval.high], rel=1e-9)
    assert (c.fits, c.evidence.n_train) == (180, 40)
    assert c.design == "round-robin cross-validation of 6 blocks, 6 dealings"


def test_regressors_and_groups():
    y = X @ [1.0, -1.0, 0.5] + 0.1 * RNG.normal(size=60)
    groups = np.repeat(np.arange(12), 5)
    c = fw.compare([LinearRegression(), DecisionTreeRegressor(random_state=0)], X, y, groups=groups,
                   test="round_robin", folds=4, metric="mse")  # fmt: skip
    assert (c.metric, c.higher_is_better) == ("mse", False)
    assert c.estimate < 0
    assert c.rope_probabilities.a_better > 0.9


def test_few_groups_have_one_dealing():
    groups = np.repeat(np.arange(4), 15)
    c = fw.compare(PAIR, X, Y, groups=groups, test="round_robin", folds=4)
    assert c.evidence.dealings == 1
    assert "only 1 of the 6 dealings asked for is a partition of its own, because there are 4 groups" in c.caveats[0]
    auto = fw.compare(PAIR, X, Y, groups=groups, test="round_robin", folds=4, runs="auto")
    assert "more dealings would repeat what is there" in auto.caveats[0]


def test_swapped_learners_mirror_the_answer():
    there, back = (fw.compare(pair, X, Y, test="round_robin", folds=4) for pair in (PAIR, PAIR[::-1]))
    assert there.pvalue == pytest.approx(back.pvalue)
    assert there.interval.low == pytest.approx(-back.interval.high)
    assert there.rope_probabilities.a_better == pytest.approx(back.rope_probabilities.b_better)


def test_a_learner_against_itself_is_bounded_by_the_examples():
    c = fw.compare({"one": "1nn", "two": "1nn"}, X, Y, test="round_robin", folds=4)
    assert (c.better, c.pvalue, c.estimate) == (None, 1, 0)
    assert c.interval.low < 0 < c.interval.high
    assert "right and wrong on the same 60 examples" in c.caveats[0]


def test_dealings_are_added_until_the_verdict_is_settled(tmp_path):
    store = tmp_path / "r.db"
    c = fw.compare(
        ["nb", "majority"], X, Y, test="round_robin", folds=4, runs="auto", options=fw.Options(max_runs=30, store=store)
    )
    dealings = c.evidence.dealings
    assert FIRST_DEALINGS <= dealings <= 30 / 1.5  # a dealing trains as often as one run and a half
    assert f"{dealings} dealings" in c.caveats[0]
    again = fw.compare(
        ["nb", "majority"], X, Y, test="round_robin", folds=4, runs=dealings, options=fw.Options(store=store)
    )
    assert (again.pvalue, again.found, again.fits) == (c.pvalue, c.fits, c.fits)


def test_a_margin_is_settled_too():
    rng = np.random.default_rng(2)
    d = np.broadcast_to(rng.normal(0.1, 0.05, size=(40, 1, 6)), (40, 6, 6)) + rng.normal(0, 0.02, size=(40, 6, 6))
    growth = growth_of(find_procedure("round_robin"), folds=6, alpha=0.05)
    score = lambda wanted: [(d[wanted], 0 * d[wanted])]  # noqa: E731
    (plain,) = add_runs(score, growth, budget=Budget(max_runs=100))
    result = round_robin(plain.scores[0])
    edge = float(result.estimate - 2.015 * result.standard_error)  # near a one-sided limit
    (asked,) = add_runs(score, growth, budget=Budget(max_runs=100), rule=RunsRule(margin=edge))
    assert len(plain.scores[0]) < len(asked.scores[0]) <= 40


def test_given_scores_of_blocks_are_judged_too():
    d = np.random.default_rng(1).normal(0.1, 0.05, size=(2, 5, 5))
    c = fw.compare_scores({"a": 0.5 + d, "b": np.full_like(d, 0.5)}, metric="accuracy")
    assert (c.test, c.better) == ("round_robin", "a")
    assert c.pvalue == pytest.approx(float(round_robin(d).pvalue))
    constant = fw.compare_scores({"a": np.full((1, 4, 4), 0.6), "b": np.full((1, 4, 4), 0.5)})
    assert (constant.pvalue, constant.interval, constant.rope_probabilities) == (1, None, None)
    assert "the variance is unknown" in " ".join(constant.caveats)
    with pytest.raises(InvalidInput, match=r"\(dealings, g, g\) with at least 3 blocks, got \(2, 5, 4\)"):
        fw.compare_scores({"a": d[..., :4], "b": d[..., :4]})
    with pytest.raises(InvalidInput, match="test 'round_robin' needs scores of shape"):
        fw.compare_scores({"a": np.ones((3, 4)), "b": np.zeros((3, 4))}, test="round_robin")


def test_everything_that_a_comparison_shows():
    c = fw.compare(PAIR, X, Y, test="round_robin", folds=4, runs=2)
    page, told = c.to_html(), json.loads(json.dumps(c.to_dict()))
    assert "not yet peer-reviewed" in c.details()
    assert "Mean difference without each block" in page
    assert (told["test"], told["fits"]) == ("round_robin", 24)
    frame = c.evidence.columns()
    assert len(frame["difference"]) == 2 * 4 * 3
    for name in ("deletions", "block_map"):
        assert c.plot(name).axes
    shown = c.plot("block_map").axes[0].collections[0].get_array()  # two squares of four blocks side by side
    assert (shown.shape, np.isfinite(shown.filled(np.nan)).sum()) == ((4, 9), 2 * 4 * 3)
    assert shown[1, 5] == pytest.approx(100 * c.evidence.tables[1, 1, 0])
    filled = c.plot("deletions").axes[0].collections[-1].get_offsets()[:, 1]
    assert filled[0] == pytest.approx(100 * c.evidence.tables[0, 0].sum() / 3)


@pytest.mark.parametrize(("options", "message"), [
    ({"folds": 5}, "folds must be an even number, because each round pairs all of them, got 5"),
    ({"folds": 2}, "folds must be a whole number of at least 4, got 2"),
    ({"runs": 0}, "runs must be a whole number of at least 1, got 0"),
    ({"test": "round_robin:calibrated"}, "after 'round_robin:' must stand 'df=NUMBER'"),
    ({"test": "round_robin:df=0"}, "with a number above 0, got 'df=0'"),
    ({"folds": 62}, "blocks must be at most the number of examples, 60, got 62"),
])  # fmt: skip
def test_what_can_not_be_done_is_one_sentence(options, message):
    with pytest.raises(InvalidInput, match=message):
        fw.compare(["nb", "1nn"], X, Y, **with_options({"test": "round_robin", **options}))


def test_other_degrees_of_freedom():
    plain, more = (fw.compare(PAIR, X, Y, test=f"round_robin{df}", folds=4, runs=2) for df in ("", ":df=18"))
    assert (plain.statistic, more.df) == (more.statistic, 18)
    assert 3 <= plain.df <= 6
    assert more.pvalue < plain.pvalue


def test_groups_bound_the_degrees_of_freedom():
    groups = np.arange(len(Y)) % 6
    free, bound = (fw.compare(PAIR, X, Y, test="round_robin", folds=4, runs=5, groups=g) for g in (None, groups))
    assert (free.evidence.pieces, bound.evidence.pieces) == (len(Y), 6)
    assert bound.df <= 5
