"""``runs="auto"`` for several learners: every pair is settled by the rule of two, at the level it is held to."""

from __future__ import annotations

import pickle
from itertools import combinations

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from verb_options import with_options

import foldwise as fw
from foldwise.comparison.adding_runs import Budget, RunsRule, add_runs, growth_of
from foldwise.core.errors import InvalidInput, LimitExceeded
from foldwise.designs import find_procedure
from foldwise.designs.resampled import FIRST_RUNS

GROWTH = growth_of(find_procedure("corrected_repeated_cv_t"), folds=10, alpha=0.05)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 4))
Y = (X[:, 0] + 0.7 * RNG.normal(size=90) > 0).astype(int)
LEARNERS = {"nb": "nb", "3nn": "3nn", "guess": "majority"}
AUTO = {"runs": "auto", "folds": 5, "max_runs": 25}


def scorer(*means, spread=0.1, seed=0, folds=10, most=10**6):
    """Learners whose scores vary independently around their means; remembers what was asked for."""
    asked = []

    def score(runs):
        asked.append(runs)
        noise = [[np.random.default_rng([seed, run, who]).normal(0, spread, folds) for run in runs if run < most]
                 for who in range(len(means))]  # fmt: skip
        return [np.reshape(noise, (len(means), -1, folds)) + np.reshape(means, (-1, 1, 1))]

    return score, asked


def rule(count, **options):
    asked = {"control": None, "adjust": "holm", "margin": None, "seed": 0, **options}
    return RunsRule(names=tuple("abcdef"[:count]), **asked)


def settle(*means, budget=None, seed=0, growth=GROWTH, most=10**6, **options):
    score, asked = scorer(*means, seed=seed, most=most)
    (found,) = add_runs(score, growth, budget=budget or Budget(max_runs=40), rule=rule(len(means), **options))
    return found, asked


def test_clear_differences_need_no_more_than_the_first_runs():
    found, asked = settle(0.9, 0.5, 0.1)
    assert asked == [range(FIRST_RUNS)]
    assert found.open == []
    assert found.caveat == (
        "10 runs settled the verdicts on all 3 pairs: on each of them another partitioning would practically always "
        "give the same, on all at once a little less surely"
    )


@pytest.mark.parametrize("adjust", ["holm", "max_t"])
@pytest.mark.parametrize("margin", [None, 0.05])
@pytest.mark.parametrize(("difference", "seed"), [(0.3, 0), (0.1, 2), (0.105, 0)])
def test_of_two_learners_it_is_the_rule_of_two(difference, seed, margin, adjust):
    pair, asked = settle(difference, 0.0, seed=seed, margin=margin, adjust=adjust)
    score, _ = scorer(difference, 0.0, seed=seed)
    (two,) = add_runs(score, GROWTH, budget=Budget(max_runs=40), rule=RunsRule(margin=margin))
    assert np.array_equal(pair.scores, two.scores)
    assert pair.stabilities == two.stabilities
    assert [run for runs in asked for run in runs] == list(range(len(two.scores[0])))


def test_the_pair_that_takes_longest_decides_for_all():
    found, asked = settle(0.9, 0.105, 0.0)
    (alone,) = add_runs(lambda runs: [scorer(0.9, 0.105, 0.0)[0](runs)[0][1:]], GROWTH, budget=Budget(max_runs=40))
    assert found.scores.shape == (3, 40, 10)
    assert [run for runs in asked for run in runs] == list(range(40))
    assert [pair for pair, _ in found.open] == [("b", "c")]
    # the two clear ones are rejected, so that Holm holds the third to the whole level, as if it were alone
    assert found.open[0][1] == alone.stabilities[0]


def test_the_answer_names_what_is_not_settled():
    found, _ = settle(0.9, 0.105, 0.0)
    distance = float(found.open[0][1].distance)
    assert found.caveat == (
        "after 40 runs 1 of 3 verdicts depends on the partitioning, by the standard errors between statistic and "
        f"threshold (2.6 would settle each): b and c {distance:.1f}; the other 2 are settled"
    )


def test_where_pairs_are_many_the_least_settled_are_named():
    found, _ = settle(0.2, 0.16, 0.12, 0.08, 0.04, 0.0, budget=Budget(max_runs=10))
    assert len(found.open) > 5
    assert f"and {len(found.open) - 5} more" in found.caveat
    distances = [float(stability.distance) for _, stability in found.open]
    assert distances == sorted(distances)


def test_a_control_leaves_the_other_pairs_alone():
    close, _ = settle(0.9, 0.105, 0.0)
    control, asked = settle(0.9, 0.105, 0.0, control="a")
    assert control.pairs == (("a", "b"), ("a", "c"))
    assert asked == [range(10)]
    assert len(close.scores[0]) == 40


def test_levels_are_those_of_the_adjustment():
    """A pair that is just rejected alone is not among six, and which threshold counts is seen in the stability."""
    thresholds = {
        (adjust, count): settle(*[0.0] * count, adjust=adjust, budget=Budget(max_runs=10))[0].stabilities[0].threshold
        for adjust in ("holm", "max_t")
        for count in (2, 3, 4)
    }
    for adjust in ("holm", "max_t"):
        assert thresholds[adjust, 2] < thresholds[adjust, 3] < thresholds[adjust, 4]
    assert thresholds["max_t", 2] == thresholds["holm", 2]
    assert all(thresholds["max_t", count] < thresholds["holm", count] for count in (3, 4))


def test_a_learner_with_itself_is_settled_as_no_different():
    same = np.random.default_rng(0).normal(0.8, 0.1, (10, 10))
    (found,) = add_runs(lambda _: [np.stack([same, same, same - 0.5])], GROWTH, budget=Budget(), rule=rule(3))
    assert found.open == []
    assert found.stabilities[0].statistic == 0
    assert found.stabilities[0].pvalue == 1


def test_time_and_partitions_end_it():
    late, asked = settle(0.105, 0.0, 0.0, budget=Budget(max_seconds=1e-9))
    assert asked == [range(10)]
    assert late.open
    few, _ = settle(0.105, 0.0, 0.0, most=4)
    assert few.stabilities is None
    assert few.caveat.startswith("only 4 different partitions were found")
    some, _ = settle(0.105, 0.0, 0.0, most=13)
    assert (some.complete, some.scores.shape) == (True, (3, 13, 10))
    assert some.caveat.startswith("only 13 different partitions were found")

    def stops(runs):
        if runs.start:
            raise LimitExceeded("no time")
        return scorer(0.105, 0.0, 0.0)[0](runs)

    (stopped,) = add_runs(stops, GROWTH, budget=Budget(), rule=rule(3))
    assert stopped.scores.shape == (3, 10, 10)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    store = tmp_path_factory.mktemp("auto") / "fits.sqlite"
    return fw.compare(LEARNERS, X, Y, **with_options({"store": store, **AUTO})), store


def test_two_learners_have_the_answer_of_compare(made):
    _, store = made
    options = {"store": store, "runs": "auto", "folds": 5, "max_runs": 40}
    c = fw.compare({"nb": "nb", "3nn": "3nn"}, X, Y, **with_options(options))
    (pair,) = fw.compare({"nb": "nb", "3nn": "3nn"}, X, Y, **with_options(options)).pairs
    assert c.evidence.a.shape[0] > 10
    assert (pair.estimate, pair.pvalue, pair.better) == (c.estimate, c.pvalue, c.better)
    assert (pair.low, pair.high) == pytest.approx((c.interval.low, c.interval.high))


def test_the_caveat_of_two_is_the_same_sentence():
    options = {"runs": "auto", "folds": 5, "max_runs": 10}
    c = fw.compare({"nb": "nb", "guess": "majority"}, X, Y, **with_options(options))
    m = fw.compare({"nb": "nb", "guess": "majority"}, X, Y, **with_options(options))
    assert c.caveats[0] in m.caveats
    assert "settled the verdict" in c.caveats[0]


def test_runs_do_not_manufacture_significance(made):
    """The pairs are judged at the scale of ten runs, however many there are: as two are."""
    m, store = made
    runs = m.evidence.values.shape[1]
    assert runs > 10
    for a, b in combinations(LEARNERS, 2):
        plain = fw.compare({a: LEARNERS[a], b: LEARNERS[b]}, X, Y, options=fw.Options(store=store), runs=runs, folds=5)
        pair = m.pair(a, b)
        assert pair.estimate == pytest.approx(plain.estimate)
        assert pair.pvalue > plain.pvalue


def test_the_order_of_learners_mirrors_the_answer(made):
    m, store = made
    turned = fw.compare(dict(reversed(LEARNERS.items())), X, Y, **with_options({"store": store, **AUTO}))
    assert turned.evidence.values.shape == m.evidence.values.shape
    assert turned.best_set == m.best_set
    assert turned.ranks == m.ranks
    for pair in m.pairs:
        other = turned.pair(pair.a, pair.b)
        assert (other.a, other.b, other.better) == (pair.b, pair.a, pair.better)
        found = (other.estimate, other.pvalue, other.low, other.high)
        assert found == pytest.approx((-pair.estimate, pair.pvalue, -pair.high, -pair.low))


def test_resumed_is_uninterrupted(made, tmp_path):
    m, _ = made
    store = tmp_path / "half.sqlite"
    half = fw.compare(LEARNERS, X, Y, **with_options({"store": store, **AUTO, "max_runs": 10}))
    again = fw.compare(LEARNERS, X, Y, **with_options({"store": store, **AUTO}))
    assert half.fits == again.found > 0
    assert again.fits == m.fits > half.fits
    assert again.pairs == m.pairs
    assert [c for c in again.caveats if "store" not in c] == [c for c in m.caveats if "store" not in c]


def test_a_learner_three_times_is_never_different_from_itself(made):
    _, store = made
    m = fw.compare({"x": "nb", "y": "nb", "z": "nb"}, X, Y, **with_options({"store": store, **AUTO}))
    assert m.evidence.values.shape[1] == 10
    assert all((pair.better, pair.pvalue) == (None, 1.0) for pair in m.pairs)
    assert any("settled the verdicts on all 3 pairs" in c for c in m.caveats)


def test_several_scorings_settle_together_at_their_share_of_the_level(made):
    _, store = made
    options = {**AUTO, "max_runs": 15, "store": store}
    m = fw.compare(LEARNERS, X, Y, metric=["accuracy", "f1"], **with_options(options))
    shapes = {c.evidence.values.shape for c in m.parts}
    assert len(shapes) == 1
    assert [c.alpha for c in m.parts] == [0.025, 0.025]
    assert all(any("runs" in caveat for caveat in c.caveats) for c in m.parts)


def test_it_can_be_kept_and_read_again(made):
    m, _ = made
    assert type(m).from_dict(m.to_dict()).to_dict() == m.to_dict()
    assert str(type(m).from_dict(m.to_dict())) == str(m)
    assert pickle.loads(pickle.dumps(m)).pairs == m.pairs


def test_a_control_margin_and_replication(made):
    _, store = made
    m = fw.compare(
        LEARNERS,
        X,
        Y,
        margin=0.05,
        **with_options({"store": store, "control": "guess", **AUTO, "replicate": 2}),
    )
    assert [pair.a for pair in m.pairs] == ["guess", "guess"]
    assert all(pair.conclusion is not None for pair in m.pairs)
    assert all(len(pair.replicability.verdicts) == 2 for pair in m.pairs)


@pytest.mark.parametrize(("options", "message"), [
    ({"runs": "auto", "max_runs": 5}, "max_runs must be a whole number of at least 10, got 5"),
    ({"runs": "auto", "max_seconds": 0}, "max_seconds must be a number above 0, got 0"),
    ({"runs": "several"}, "runs must be a whole number of at least 1, got 'several'"),
    ({"runs": "auto", "folds": 1}, "folds must be"),
    ({"runs": "auto", "adjust": "none"}, "unknown adjust 'none'"),
])  # fmt: skip
def test_bad_input_is_one_sentence(options, message):
    with pytest.raises(InvalidInput, match=message):
        fw.compare({"a": GaussianNB(), "b": "nb", "c": "1nn"}, X, Y, **with_options(options))
