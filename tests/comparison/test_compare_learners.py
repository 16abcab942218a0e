from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from verb_options import with_options

import foldwise as fw
from foldwise.comparison.pairs import judge_evidence
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.evidence.scores import Scores
from foldwise.inference import adjust as adjust_pvalues

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 4))
Y = (X[:, 0] + 0.7 * RNG.normal(size=90) > 0).astype(int)
LEARNERS = {"nb": "nb", "3nn": "3nn", "guess": "majority"}
SMALL = {"runs": 3, "folds": 5}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Three learners, and the store that their fits are in."""
    store = tmp_path_factory.mktemp("kept") / "fits.sqlite"
    return fw.compare(LEARNERS, X, Y, options=fw.Options(store=store), **SMALL), store


def test_every_pair_is_that_of_the_comparison_of_two_and_its_fits_are_shared(made):
    m, store = made
    assert (m.fits, m.found) == (3 * 15, 0)
    pairs = []
    for a, b in combinations(LEARNERS, 2):
        c = fw.compare({a: LEARNERS[a], b: LEARNERS[b]}, X, Y, options=fw.Options(store=store), alpha=0.05 / 3, **SMALL)
        assert (c.fits, c.found) == (30, 30)
        pair = m.pair(a, b)
        assert (pair.estimate, pair.pvalue) == pytest.approx((c.estimate, c.pvalue))
        assert (pair.low, pair.high) == pytest.approx((c.interval.low, c.interval.high))
        pairs.append(c.pvalue)
    assert [pair.adjusted for pair in m.pairs] == pytest.approx(adjust_pvalues(pairs))


def test_a_store_makes_it_resumable_and_takes_one_more_learner(made):
    m, store = made
    again = fw.compare(LEARNERS, X, Y, options=fw.Options(store=store), **SMALL)
    assert (again.fits, again.found) == (45, 45)
    assert again.pairs == m.pairs
    assert again.found_made is not None
    more = fw.compare(LEARNERS | {"1nn": "1nn"}, X, Y, options=fw.Options(store=store), **SMALL)
    assert (more.fits, more.found) == (60, 45)
    assert more.pair("nb", "3nn").pvalue == m.pair("nb", "3nn").pvalue


def test_best_and_ranks_follow_from_the_pairs(made):
    m, _ = made
    assert m.best_set == tuple(name for name in m.ranking if name != "guess")
    assert m.ranks == {"nb": (1, 2), "3nn": (1, 2), "guess": (3, 3)}
    assert m.tie_groups == (m.best_set,)
    assert m.omnibus is None
    assert m.baseline == pytest.approx(m.means["guess"])
    assert "3 learners (3×5-fold cross-validation)" in str(m)
    assert "learner" in str(m)
    assert "no other is shown to be better" in " ".join(m.details().split())


def test_max_t_and_a_control(made):
    _, store = made
    joint = fw.compare(LEARNERS, X, Y, options=fw.Options(store=store, adjust="max_t"), **SMALL)
    assert all(pair.pvalue <= pair.adjusted <= min(1, 3 * pair.pvalue) for pair in joint.pairs)
    m = fw.compare(LEARNERS, X, Y, options=fw.Options(store=store, control="guess"), margin=0.05, **SMALL)
    assert [(pair.a, pair.b) for pair in m.pairs] == [("guess", "nb"), ("guess", "3nn")]
    assert m.pair("guess", "nb").conclusion == "superior"
    assert all((pair.conclusion == "superior") == (pair.lead.low > 0.05) for pair in m.pairs)


def test_the_order_of_learners_does_not_matter(made):
    m, store = made
    other = fw.compare(dict(reversed(LEARNERS.items())), X, Y, options=fw.Options(store=store), **SMALL)
    assert other.found == 45
    for pair in m.pairs:
        same = other.pair(pair.a, pair.b)
        assert same.a == pair.b
        assert (same.estimate, same.pvalue) == pytest.approx((-pair.estimate, pair.pvalue))
    assert other.ranks == m.ranks


def test_other_partitionings_are_counted_pair_by_pair(made):
    _, store = made
    m = fw.compare(LEARNERS, X, Y, **SMALL, options=fw.Options(replicate=2, store=store))
    assert [pair.replicability.repetitions for pair in m.pairs] == [2, 2, 2]
    assert "other partitions" in str(m)
    json.dumps(m.to_dict(), allow_nan=False)


def test_learners_with_the_same_predictions_can_not_be_told_apart():
    twice = {"a": DummyClassifier(), "b": DummyClassifier(), "nb": GaussianNB()}
    m = fw.compare(twice, X, Y, runs=2, folds=5)
    pair = m.pair("a", "b")
    assert (pair.estimate, pair.adjusted, pair.interval, pair.better) == (0, 1, None, None)
    assert m.to_dict()["pairs"][0]["interval"] is None
    assert m.plot() is not None


def test_losses_have_their_direction():
    y = X[:, 0] + 0.1 * X[:, 1]
    learners = {"line": LinearRegression(), "ridge": Ridge(alpha=500.0), "mean": DummyRegressor()}
    m = fw.compare(learners, X, y, metric="rmse", runs=2, folds=5)
    assert not m.higher_is_better
    assert m.ranking == ("line", "ridge", "mean")
    assert m.best == "line"
    assert m.pair("line", "mean").estimate < 0


def test_few_groups_bound_the_degrees_of_freedom():
    groups = np.arange(90) // 18
    m = fw.compare(LEARNERS, X, Y, groups=groups, runs=1, folds=5)
    assert any("5 independent pieces" in caveat for caveat in m.caveats) or m.evidence.pieces == 5
    c = fw.compare(["nb", "majority"], X, Y, groups=groups, runs=1, folds=5, alpha=0.05 / 3)
    assert m.pair("nb", "guess").pvalue == pytest.approx(c.pvalue)


@pytest.mark.parametrize(("learners", "options", "error", "message"), [
    (["nb"], {}, InvalidInput, "models must be at least two, got 1"),
    ({"nb": "nb"}, {}, InvalidInput, "models must have at least two entries"),
    ("nb", {}, InvalidInput, "models must be a list of two or more, or a dict"),
    (["nb", "nb", "3nn"], {}, InvalidInput, "learners must be different, got 'nb' more than once"),
    (["nb", "3nn", "noone"], {}, InvalidInput, "unknown learner 'noone'"),
    (LEARNERS, {"control": "c45"}, UnknownName, "unknown control 'c45'"),
    (LEARNERS, {"adjust": "tukey"}, UnknownName, "unknown adjust"),
    (LEARNERS, {"margin": -1}, InvalidInput, "margin must be a number above 0"),
    (LEARNERS, {"rope": -1}, InvalidInput, "rope must be a number of at least 0"),
    (LEARNERS, {"runs": 0}, InvalidInput, "runs must be a whole number of at least 1"),
    (LEARNERS, {"replicate": 1}, InvalidInput, "replicate must be a whole number of at least 2"),
])  # fmt: skip
def test_what_is_refused(learners, options, error, message):
    with pytest.raises(error, match=message):
        fw.compare(learners, X, Y, **with_options({"runs": 1, "folds": 2} | options))


def test_scores_that_do_not_fit_their_names_are_refused():
    with pytest.raises(InvalidInput, match=r"values of each of at least two models, got 3 for 2 names"):
        Scores(names=("a", "b"), values=np.ones((3, 1, 5)), metric="accuracy", higher_is_better=True)


def test_constant_differences_show_nothing():
    scores = np.array([np.full((1, 5), 0.8), np.full((1, 5), 0.6), np.linspace(0.1, 0.5, 5)[None]])
    m = judge_evidence(Scores.build(dict(zip("abc", scores, strict=True)), metric="accuracy"))
    assert m.pair("a", "b").better is None
    assert m.best_set[:2] == ("a", "b")
    assert any("the spread of the difference of a and b is unknown" in caveat for caveat in m.caveats)
