"""Few clusters, few items that decide a metric, and the edges of scores: never more certain than the evidence."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import foldwise as fw
from foldwise.core.errors import InvalidInput

LABELLED = ["f1", "precision", "matthews_corrcoef", "balanced_accuracy", "cohen_kappa", "jaccard"]


def rare(n=400, positives=8, missed=1):
    """A model that finds all positives, and one that misses some."""
    truth = np.zeros(n, dtype=int)
    truth[:positives] = 1
    b = truth.copy()
    b[:missed] = 0
    return truth, truth.copy(), b


# ---- clusters


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from([*LABELLED, "average_precision"]),
    st.lists(st.integers(2, 40) | st.just(350), min_size=2, max_size=7),
    st.integers(0, 1000),
)
def test_intervals_hold_their_estimate_widen_and_agree_with_the_test(metric, sizes, seed):
    draw = np.random.default_rng(seed)
    n, groups = sum(sizes), np.repeat(np.arange(len(sizes)), sizes)
    truth = np.arange(n) % 2
    if metric == "average_precision":
        a, b = draw.normal(truth, 1), draw.normal(truth, 2)
    else:
        a, b = (np.where(draw.random(n) < wrong, 1 - truth, truth) for wrong in (0.15, 0.4))
    before = None
    for alpha in (0.2, 0.05, 0.005):
        c = fw.compare_predictions(truth, {"a": a, "b": b}, metric=metric, groups=groups, alpha=alpha, margin=0.05)
        if c.interval is None:  # the models order the items alike, and nothing is known of the spread
            assert c.pvalue == 1
            continue
        assert c.interval.low <= c.estimate <= c.interval.high
        assert (c.pvalue < alpha) == (0 not in c.interval)
        assert c.conclusion != "equivalent" or abs(c.estimate) < 0.05
        if before is not None:
            assert c.interval.low <= before.low
            assert before.high <= c.interval.high
        before = c.interval


def test_one_large_cluster_and_five_small_ones_show_no_equivalence():
    draw = np.random.default_rng(0)
    truth, groups = draw.integers(0, 2, 400), np.repeat(np.arange(6), [350, *[10] * 5])
    a, b = (np.where(draw.random(400) < wrong, 1 - truth, truth) for wrong in (0.15, 0.4))
    c = fw.compare_predictions(truth, {"a": a, "b": b}, metric="f1", groups=groups, alpha=0.005, margin=0.03)
    assert c.estimate > 0.2
    assert c.interval.width > 1
    assert c.conclusion == "undecided"


# ---- items that decide


@pytest.mark.parametrize("groups", [None, np.arange(400) % 4], ids=["items", "clusters"])
def test_recall_is_the_accuracy_of_the_positives(groups):
    truth, a, b = rare()
    c = fw.compare_predictions(truth, {"a": a, "b": b}, metric="recall", margin=0.05, groups=groups)
    within = None if groups is None else groups[:8]
    marked = fw.compare_predictions(None, {"a": a[:8], "b": b[:8]}, margin=0.05, groups=within)
    assert (c.test, c.pvalue, c.interval, c.limits) == (marked.test, marked.pvalue, marked.interval, marked.limits)
    assert c.rope_probabilities == marked.rope_probabilities
    assert c.rope_probabilities.b_better > 0.1
    assert (c.conclusion, c.metric) == ("undecided", "recall")
    assert "recall is the accuracy on the 8 of 400 items that are 1" in c.caveats


def test_specificity_is_the_accuracy_of_the_others_and_several_models_are_compared_alike():
    truth, a, b = rare()
    c = fw.compare_predictions(truth, {"a": 1 - a, "b": 1 - b}, metric="specificity", options=fw.Options(positive=0))
    assert c.pvalue == fw.compare_predictions(None, {"a": 1 - a[:8], "b": 1 - b[:8]}).pvalue
    several = fw.compare_predictions(truth, {"a": a, "b": b, "c": a}, metric="recall")
    alone = fw.compare_predictions(None, {"a": a[:8], "b": b[:8], "c": a[:8]})
    assert [pair.adjusted for pair in several.pairs] == [pair.adjusted for pair in alone.pairs]


def test_positives_of_one_cluster_are_refused_in_a_sentence():
    truth, a, b = rare()
    with pytest.raises(InvalidInput, match="at least two clusters with items that decide the metric, but all 8"):
        fw.compare_predictions(truth, {"a": a, "b": b}, metric="recall", groups=np.arange(400) // 40)


@pytest.mark.parametrize("metric", LABELLED)
def test_one_discordant_item_among_few_positives_shows_nothing(metric):
    truth, a, b = rare()
    c = fw.compare_predictions(truth, {"a": a, "b": b}, metric=metric, margin=0.05)
    turned = fw.compare_predictions(truth, {"a": b, "b": a}, metric=metric, margin=0.05)
    assert c.conclusion == turned.conclusion == "undecided"
    assert c.rope_probabilities.b_better > 0.05
    assert any(caveat.startswith("few items decide this metric") for caveat in c.caveats)


def simulated(draw, n, positives):
    """B errs where a does, but for one in ten, and on one in ten items more."""
    truth = (draw.random(n) < positives).astype(int)
    share = np.where(truth == 1, 1, positives)
    a = np.where(draw.random(n) < 0.2 * share, 1 - truth, truth)
    b = np.where((draw.random(n) < 0.1 * share) & (a == truth), 1 - truth, a)
    return truth, a, np.where((a != truth) & (draw.random(n) < 0.1), truth, b)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["recall", "precision", "f1"])
def test_a_model_worse_by_the_margin_is_rarely_called_non_inferior(metric):
    draw = np.random.default_rng(0)
    truth, a, b = simulated(draw, 1_000_000, 0.04)
    population = fw.compare_predictions(truth, {"a": a, "b": b}, metric=metric, test="jackknife_t")
    called = 0
    for _ in range(60):
        truth, a, b = simulated(draw, 200, 0.04)
        if truth.sum() < 2 or a.sum() + b.sum() == 0:
            continue
        c = fw.compare_predictions(truth, {"a": b, "b": a}, metric=metric, margin=population.estimate, test="auto")
        called += c.conclusion in ("non-inferior", "equivalent", "superior")
    assert called <= 3  # 60 × .05; of these data sets BCa intervals called it in 4 (recall, F1) and 6 (precision)


# ---- the edges of scores


def halved(seed):
    draw = np.random.default_rng(seed)
    return 0.8 + draw.normal(0.02, 0.02, (5, 2)), 0.8 + draw.normal(0, 0.02, (5, 2))


@pytest.mark.parametrize("seed", range(8))
def test_probabilities_of_the_combined_f_test_are_those_of_its_interval(seed):
    a, b = halved(seed)
    c = fw.compare_scores({"a": a, "b": b})
    if c.interval is None:
        return
    for limit in (c.interval.low, c.interval.high):
        beyond = fw.compare_scores({"a": a - limit, "b": b}, rope=0).rope_probabilities
        side = beyond.b_better if limit == c.interval.low else beyond.a_better
        assert side == pytest.approx(0.025, abs=1e-9)


def test_a_pvalue_is_never_zero():
    draw = np.random.default_rng(0)
    truth = draw.integers(0, 2, 20_000)
    c = fw.compare_predictions(
        truth, {"a": truth + 0.01 * draw.normal(size=20_000), "b": draw.normal(size=20_000)}, metric="average_precision"
    )
    assert 0 < c.pvalue < 1e-300
    assert json.loads(json.dumps(c.to_dict()))["pvalue"] > 0
    assert "normal limit" in c.details()


def test_nor_is_that_of_a_pair_of_several_models():
    draw = np.random.default_rng(0)
    truth = draw.integers(0, 2, 5_000)
    m = fw.compare_predictions(truth, {"a": truth, "b": 1 - truth, "c": draw.integers(0, 2, 5_000)})
    assert all(0 < pair.pvalue <= pair.adjusted for pair in m.pairs)
    assert min(pair["pvalue"] for pair in json.loads(json.dumps(m.to_dict()))["pairs"]) > 0


def test_a_level_is_never_called_certainty():
    draw = np.random.default_rng(0)
    text = str(fw.compare_scores({"a": draw.normal(size=10), "b": draw.normal(size=10)}, alpha=1e-5))
    assert "99.999 % CI" in text
    assert "100 % CI" not in text


def test_numbers_too_small_to_be_squared_are_refused():
    a, b = halved(0)
    with pytest.raises(InvalidInput, match="scores must not all be below 1e-100 in size"):
        fw.compare_scores({"a": 1e-200 * a, "b": 1e-200 * b})
    with pytest.raises(InvalidInput, match="marks must not all be below 1e-100 in size"):
        fw.compare_predictions(None, {"a": 1e-200 * a[0], "b": 1e-200 * b[0]})
    with pytest.raises(InvalidInput, match="marks must not all be below 1e-100 in size"):
        fw.compare_predictions(None, {"a": 1e-200 * a[0], "b": 1e-200 * b[0], "c": 1e-200 * a[1]})
    small = fw.compare_scores({"a": 1e-90 * a, "b": 1e-90 * b}, rope=1e-92)
    assert small.pvalue == pytest.approx(fw.compare_scores({"a": a, "b": b}).pvalue)


@pytest.mark.parametrize(("n_train", "n_test"), [(100, 900), (500, 500)])
def test_sizes_that_no_cross_validation_has_are_refused(n_train, n_test):
    a = np.linspace(0.7, 0.8, 10)
    with pytest.raises(InvalidInput, match=r"must fit 10 folds, where n_train is at least 9 times n_test"):
        fw.compare_scores({"a": a, "b": a[::-1]}, runs=1, n_train=n_train, n_test=n_test)


@pytest.mark.parametrize(("folds", "n"), [(3, 101), (10, 105), (7, 20)])
def test_sizes_fit_their_folds_but_for_rounding(folds, n):
    a = np.linspace(0.7, 0.8, folds)
    for n_test in (n // folds, -(-n // folds), n / folds):
        c = fw.compare_scores({"a": a, "b": a[::-1]}, runs=1, n_train=n - n_test, n_test=n_test)
        assert c.evidence.test_train_ratio == pytest.approx(n_test / (n - n_test))


def test_random_splits_have_any_sizes():
    a = np.linspace(0.7, 0.8, 10)
    assert fw.compare_scores({"a": a, "b": a[::-1]}, n_train=100, n_test=900).design == "10 random splits"


@pytest.mark.parametrize("models", ["ab", "abc"])
def test_a_fold_that_is_missing_is_one_of_those_that_the_sizes_tell(tmp_path, models):
    rows = [f"{m},{fold},{0.7 + 0.01 * (fold * ord(m) % 7)}" for m in models for fold in range(10)]
    file = tmp_path / "t.csv"
    file.write_text("\n".join(["model,fold,accuracy", *rows[:-1]]), encoding="utf-8")
    found = fw.judge(file, options=fw.Options(runs=1, n_train=90, n_test=10)).main
    assert "9-fold cross-validation" in found.details()
    with pytest.raises(InvalidInput, match="must fit 10 folds"):
        fw.judge(file, options=fw.Options(runs=1, n_train=60, n_test=10))


def test_a_fold_that_is_left_out_is_one_of_them_too():
    a, b = np.linspace(0.7, 0.8, 20).reshape(2, 10), np.linspace(0.8, 0.6, 20).reshape(2, 10)
    a[0, 3] = np.nan
    for scores in ((a, b), (a.ravel(), b.ravel())):
        c = fw.compare_scores(list(scores), runs=2, n_train=90, n_test=10, missing="drop")
        assert c.evidence.test_train_ratio == pytest.approx(1 / 9)
        assert c.evidence.a.size < 20
