from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.inference import adjust as adjust_pvalues
from foldwise.inference import cochran_q

GROUPS = np.arange(60) % 12


def marks(*accuracies, n=60, seed=0):
    """Models that are right so often, the more alike the nearer they are."""
    luck = np.random.default_rng(seed)
    hard = luck.random(n)
    return {f"m{i}": (hard + 0.3 * luck.random(n)) / 1.3 < accuracy for i, accuracy in enumerate(accuracies)}


outcomes = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.tuples(*[st.booleans()] * k), min_size=6, max_size=25)
).map(lambda rows: {f"m{i}": list(column) for i, column in enumerate(zip(*rows, strict=True))})  # fmt: skip


@pytest.mark.parametrize("groups", [None, GROUPS])
def test_every_pair_is_that_of_the_comparison_of_two(groups):
    models = marks(0.9, 0.8, 0.75, 0.4)
    m = fw.compare_predictions(None, models, groups=groups)
    pairs = [
        fw.compare_predictions(None, {"a": models[a], "b": models[b]}, groups=groups, alpha=0.05 / 6)
        for a, b in combinations(models, 2)
    ]
    assert [pair.pvalue for pair in m.pairs] == pytest.approx([c.pvalue for c in pairs])
    assert [pair.estimate for pair in m.pairs] == pytest.approx([c.estimate for c in pairs])
    assert [(pair.low, pair.high) for pair in m.pairs] == [
        pytest.approx((c.interval.low, c.interval.high)) for c in pairs
    ]
    assert [pair.adjusted for pair in m.pairs] == pytest.approx(adjust_pvalues([c.pvalue for c in pairs]))


@given(outcomes.filter(lambda models: len(models) == 2), st.sampled_from(["holm", "max_t"]))
@settings(max_examples=20)
def test_two_models_are_the_comparison_of_two(models, adjust):
    m, c = (
        fw.compare_predictions(None, models, options=fw.Options(adjust=adjust)),
        fw.compare_predictions(None, dict(zip(tuple(models), models.values(), strict=True))),
    )
    (pair,) = m.pairs
    assert (pair.pvalue, pair.adjusted) == pytest.approx((c.pvalue, c.pvalue))
    assert (pair.low, pair.high) == pytest.approx((c.interval.low, c.interval.high))
    assert pair.better == c.better


@given(outcomes, st.randoms(), st.sampled_from(["holm", "max_t"]))
@settings(max_examples=15, deadline=None)
def test_neither_order_nor_names_matter(models, random, adjust):
    names, n = list(models), len(models["m0"])
    turned, rows = random.sample(names, len(names)), random.sample(range(n), n)
    first = fw.compare_predictions(None, models, options=fw.Options(adjust=adjust))
    other = fw.compare_predictions(
        None, {f"x {name}": [models[name][i] for i in rows] for name in turned}, options=fw.Options(adjust=adjust)
    )
    for pair in first.pairs:
        same = other.pair(f"x {pair.a}", f"x {pair.b}")
        sign = 1 if same.a == f"x {pair.a}" else -1
        assert same.estimate == pytest.approx(sign * pair.estimate)
        assert same.adjusted == pytest.approx(pair.adjusted, abs=0.01)  # max-T: models alike in all but their place
    assert other.ranks == {f"x {name}": span for name, span in first.ranks.items()}


@given(outcomes, st.sampled_from(["holm", "max_t"]))
@settings(max_examples=20, deadline=None)
def test_what_is_said_fits_together(models, adjust):
    m = fw.compare_predictions(None, models, options=fw.Options(adjust=adjust))
    k = len(models)
    assert m.ranking[0] in m.best_set
    for name, (low, high) in m.ranks.items():
        assert 1 <= low <= high <= k
        assert high == k - len(m.beaten()[name])
    for pair in m.pairs:
        assert pair.pvalue <= pair.adjusted <= 1
        assert pair.low <= pair.estimate <= pair.high
        assert (pair.better is not None) == (pair.adjusted < 0.05)
        if adjust == "max_t" and pair.better is not None:
            assert pair.worse not in m.best_set
    assert (m.best is not None) == any(len(others) == k - 1 for others in m.beaten().values())


def test_max_t_is_less_strict_than_bonferroni_where_models_resemble_each_other():
    models = marks(0.9, 0.89, 0.88, 0.7, n=300)
    holm, joint = (fw.compare_predictions(None, models, options=fw.Options(adjust=how)) for how in ("holm", "max_t"))
    assert joint.level > holm.level
    for narrow, wide in zip(joint.pairs, holm.pairs, strict=True):
        assert narrow.high - narrow.low < wide.high - wide.low


def test_a_control_is_compared_with_every_other():
    models = marks(0.9, 0.6, 0.55, n=300)
    m = fw.compare_predictions(None, models, options=fw.Options(control="m1"))
    assert [(pair.a, pair.b) for pair in m.pairs] == [("m1", "m0"), ("m1", "m2")]
    every = fw.compare_predictions(None, models)
    assert m.pairs[0].estimate == -every.pair("m0", "m1").estimate
    assert m.pairs[0].better == "m0"
    assert m.tie_groups == ()
    assert m.level == 0.05 / 2
    assert m.ranks["m1"][0] == 2
    assert str(m).count("m0 is better than m1") == 1


def test_cochrans_q_is_the_omnibus_of_independent_items_only():
    models = marks(0.9, 0.8, 0.7)
    assert fw.compare_predictions(None, models).omnibus.pvalue == cochran_q(list(models.values())).pvalue
    assert fw.compare_predictions(None, models, groups=GROUPS).omnibus is None


def test_labels_are_compared_with_the_truth():
    truth = np.array(["x", "y", "z"])[np.arange(60) % 3]
    models = {name: np.where(right, truth, "w") for name, right in marks(0.9, 0.6, 0.3).items()}
    m = fw.compare_predictions(truth, models)
    assert [pair.pvalue for pair in m.pairs] == [
        p.pvalue for p in fw.compare_predictions(None, marks(0.9, 0.6, 0.3)).pairs
    ]
    assert m.baseline == pytest.approx(1 / 3)
    assert any("of m2 are labels that never occur in the truth" in caveat for caveat in m.caveats)


def test_the_answer_in_words():
    clear = fw.compare_predictions(None, marks(0.95, 0.5, 0.2, n=400))
    assert str(clear).splitlines()[2].startswith("  m0 is best: better than each of the other 2. Accuracy from ")
    assert clear.best == "m0"
    open_ = fw.compare_predictions(None, marks(0.8, 0.79, 0.78))
    assert "No model is ruled out as the best" in str(open_)
    assert open_.best is None
    assert open_.best_set == open_.ranking
    assert open_.tie_groups == (open_.ranking,)
    mixed = fw.compare_predictions(None, marks(0.9, 0.89, 0.3, n=200)).details()
    assert "The best is among m0 and m1; m0 has the highest accuracy" in mixed
    assert "model" in mixed
    assert "simultaneous 95 % CI" in mixed


def test_identical_models_are_not_certainly_the_same():
    right = [1, 0, 1, 1] * 10
    m = fw.compare_predictions(None, {"a": right, "b": right, "c": right})
    assert all(pair.adjusted == 1 and pair.low < 0 < pair.high for pair in m.pairs)
    assert m.best_set == ("a", "b", "c")
    assert set(m.ranks.values()) == {(1, 3)}
    assert m.omnibus.pvalue == 1
    assert m.caveats[0] == "a, b and c have the same accuracy on every item"


@pytest.mark.parametrize("adjust", ["holm", "max_t"])
def test_all_right_and_all_wrong(adjust):
    n = 50
    m = fw.compare_predictions(
        None, {"right": [1] * n, "also": [1] * n, "wrong": [0] * n}, options=fw.Options(adjust=adjust)
    )
    assert m.pair("right", "also").adjusted == 1
    assert m.pair("right", "wrong").better == "right"
    assert m.pair("right", "wrong").low < 1
    assert m.best_set == ("right", "also")
    assert m.ranks["wrong"] == (3, 3)


def test_one_item_shows_nothing():
    m = fw.compare_predictions(None, {"a": [1], "b": [0], "c": [0]})
    assert all(pair.better is None and pair.high - pair.low > 1 for pair in m.pairs)
    assert m.best_set == ("a", "b", "c")


def test_few_clusters_show_nothing_and_say_so():
    models = {"a": [1] * 40, "b": [0] * 40, "c": [1, 0] * 20}
    m = fw.compare_predictions(None, models, groups=np.arange(40) // 10)
    assert not any(pair.better for pair in m.pairs)
    assert "4 clusters can't show a difference between any two of these models at level 0.017" in " ".join(m.caveats)
    assert "at least 6 are needed" in " ".join(m.caveats)


def test_wholly_equal_clusters_leave_an_interval():
    m = fw.compare_predictions(
        None, {"a": [1] * 40, "b": [1] * 20 + [0] * 20}, groups=np.arange(40) // 5, options=fw.Options(adjust="holm")
    )
    low, high = m.mean_intervals.low[0], m.mean_intervals.high[0]
    assert low < 0.9
    assert high == pytest.approx(1)


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"control": "m9"}, UnknownName, "unknown control 'm9': did you mean 'm2'"),
    ({"adjust": "tukey"}, UnknownName, "unknown adjust 'tukey'"),
    ({"alpha": 1}, InvalidInput, "alpha must be strictly between 0 and 1"),
    ({"rope": -1}, InvalidInput, "rope must be a number of at least 0"),
    ({"random_state": -1}, InvalidInput, "random_state must be"),
    ({"groups": [0] * 60}, InvalidInput, "at least two clusters, got one"),
])  # fmt: skip
def test_what_is_refused(options, error, message):
    with pytest.raises(error, match=message):
        fw.compare_predictions(None, marks(0.9, 0.8, 0.7), **with_options(options))


def test_json_has_the_names_that_others_rely_on():
    content = json.loads(json.dumps(fw.compare_predictions(None, marks(0.9, 0.6, 0.3)).to_dict(), allow_nan=False))
    keys = {
        "a",
        "b",
        "means",
        "estimate",
        "interval",
        "statistic",
        "pvalue",
        "adjusted",
        "better",
        "rope_probabilities",
    }
    assert keys <= content["pairs"][0].keys()
    assert content["best_set"][0] == content["ranking"][0] == "m0"
    assert content["ranks"]["m0"][0] == 1
    assert content["result"] == "comparison"


def test_the_same_seed_gives_the_same_draws():
    models = marks(0.9, 0.85, 0.8)
    first, again, other = (
        fw.compare_predictions(None, models, options=fw.Options(adjust="max_t"), random_state=seed)
        for seed in (1, 1, 2)
    )
    assert first.to_dict() == again.to_dict()
    assert first.pairs[0].adjusted != other.pairs[0].adjusted
    assert first.pairs[0].adjusted == pytest.approx(other.pairs[0].adjusted, abs=0.01)


def test_pairs_as_a_table():
    frame = fw.compare_predictions(None, marks(0.9, 0.6, 0.3)).to_frame()
    assert list(frame["a"]) == ["m0", "m0", "m1"]


def test_models_that_are_practically_the_same():
    right = np.arange(4000) % 5 != 0
    nearly = right.copy()
    nearly[:4] = ~nearly[:4]
    m = fw.compare_predictions(None, {"a": right, "b": nearly, "c": ~right})
    assert m.pair("a", "b").practically_same
    assert not m.pair("a", "c").practically_same
    assert "practically the same (within 1 point)" in str(m)
