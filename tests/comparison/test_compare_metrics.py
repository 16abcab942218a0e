"""Two models compared by metrics of labels, scores, probabilities and numbers."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.metrics import function, statistic, weighable
from foldwise.metrics.catalogue import metric_names

rng = np.random.default_rng(0)
N = 80
TRUE = rng.random(N) < 0.4
WORDS = np.where(TRUE, "yes", "no")
A, B = (1 / (1 + np.exp(-(gain * (TRUE - 0.5) + rng.normal(size=N)))) for gain in (3.0, 0.5))
GROUPS = np.arange(N) % 9
Y = rng.normal(10, 1, N)
PREDICTED = [Y + rng.normal(0, spread, N) for spread in (0.3, 1.0)]
THREE = rng.permutation(np.arange(90) % 3)
BY_CLASS = [rng.dirichlet(1 + gain * np.eye(3)[0], 90) for gain in (1.0, 1.0)]
BY_CLASS[0] = np.array([np.roll(row, c) for row, c in zip(BY_CLASS[0], THREE, strict=True)])

LABELS = [
    "f1",
    "f1_macro",
    "f1_weighted",
    "precision",
    "recall",
    "balanced_accuracy",
    "matthews_corrcoef",
    "cohen_kappa",
]
SCORES = ["roc_auc", "average_precision", "log_loss", "brier"]
NUMBERS = ["rmse", "mae", "mse", "r2", "spearman"]
TESTS = {"accuracy": "mcnemar", "recall": "mcnemar", "roc_auc": "delong",
         "log_loss": "paired_t", "brier": "paired_t", "mae": "paired_t",
         "mse": "paired_t"}  # fmt: skip
CLUSTERED = {"mcnemar": "clustered_difference", "paired_t": "clustered_t"}


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    """What is tested here does not depend on how many there are."""
    monkeypatch.setattr(statistic, "MOST_DRAWS", 2000)
    monkeypatch.setattr(weighable, "MOST_DRAWS", 400)
    monkeypatch.setattr(weighable, "LEAST_DRAWS", 400)
    monkeypatch.setattr(function, "DRAWS", 120)
    monkeypatch.setattr(function, "LEFT_OUT", 40)


def predicted(columns, **options):
    truth, a, b = columns
    return fw.compare_predictions(truth, {"a": a, "b": b}, **with_options(options))


def compared(metric, **options):
    if metric in NUMBERS:
        return fw.compare_predictions(
            Y, dict(zip("ab", PREDICTED, strict=True)), metric=metric, **with_options(options)
        )
    return fw.compare_predictions(WORDS, {"a": A, "b": B}, metric=metric, **with_options(options))


def parts(c):
    """What two answers must have in common, in the order a, b."""
    p = c.rope_probabilities
    return [*c.pairs[0].means, c.estimate, c.interval.low, c.interval.high, c.pvalue, p.a_better, p.b_better]


def turned(found):
    a, b, estimate, low, high, p, a_better, b_better = found
    return [b, a, -estimate, -high, -low, p, b_better, a_better]


@pytest.mark.parametrize("metric", [*LABELS, *SCORES, *NUMBERS])
def test_every_metric_has_a_verdict_whose_parts_agree(metric):
    c = compared(metric)
    assert c.test == TESTS.get(metric, "swap_permutation")
    assert c.metric == metric
    assert c.estimate == pytest.approx(c.pairs[0].means[0] - c.pairs[0].means[1])
    assert c.better == "a"
    assert c.interval.low <= c.estimate <= c.interval.high
    assert 0 not in c.interval
    assert c.rope_probabilities.a_better > 0.9
    if metric != "rmse":  # of squared errors, a few large ones decide
        assert c.detectable_difference > 0
    json.dumps(c.to_dict(), allow_nan=False)
    assert "a is better" in str(c)


@pytest.mark.parametrize("metric", ["accuracy", "f1", *SCORES, "rmse", "spearman"])
def test_clusters_are_respected(metric):
    options = {"groups": GROUPS} | ({"threshold": 0.5} if metric == "accuracy" else {})
    c = compared(metric, **options)
    plain = TESTS.get(metric, "swap_permutation")
    assert c.test == CLUSTERED.get(plain, plain)
    assert "9 clusters" in c.design
    assert c.detectable_difference is None


@pytest.mark.parametrize("metric", ["f1", "matthews_corrcoef", *SCORES, "rmse", "mae", "spearman"])
@pytest.mark.parametrize("groups", [None, GROUPS], ids=["items", "clusters"])
def test_models_exchanged_mirror_the_answer_to_the_last_bit(metric, groups):
    pair = PREDICTED if metric in NUMBERS else [A, B]
    truth = Y if metric in NUMBERS else WORDS
    one, two = (
        fw.compare_predictions(truth, dict(zip("ab", order, strict=True)), metric=metric, groups=groups)
        for order in (pair, pair[::-1])
    )
    assert parts(two) == pytest.approx(turned(parts(one)), rel=1e-12, abs=1e-12)
    assert {one.better, two.better} in ({"a", "b"}, {None})


@pytest.mark.parametrize("metric", ["f1", "roc_auc", "average_precision", "rmse"])
def test_the_order_of_the_items_changes_nothing(metric):
    order = np.random.default_rng(4).permutation(N)
    columns = (Y, *PREDICTED) if metric in NUMBERS else (WORDS, A, B)
    one, two = (predicted([c[o] for c in columns], metric=metric) for o in (np.arange(N), order))
    assert parts(two) == pytest.approx(parts(one), rel=1e-9)


@pytest.mark.parametrize("metric", ["f1", "accuracy", *SCORES, "rmse", "spearman"])
def test_a_model_against_itself_shows_nothing(metric):
    truth, same = (Y, PREDICTED[0]) if metric in NUMBERS else (WORDS, A)
    c = fw.compare_predictions(
        truth, {"a": same, "b": same}, metric=metric, options=fw.Options(threshold=None if metric in NUMBERS else 0.5)
    )
    assert (c.estimate, c.pvalue, c.better) == (0, 1, None)
    assert not c.practically_same or metric == "accuracy"
    assert any("same" in caveat for caveat in c.caveats)


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.booleans())
def test_accuracy_of_labels_is_accuracy_of_marks(seed, clustered):
    draw = np.random.default_rng(seed)
    truth, a, b = draw.integers(0, 3, (3, 40))
    groups = np.arange(40) % 8 if clustered else None
    plain = fw.compare_predictions(truth, {"a": a, "b": b}, groups=groups)
    marks = fw.compare_predictions(None, {"a": (a == truth).astype(int), "b": (b == truth).astype(int)}, groups=groups)
    listed = fw.compare_predictions(truth, {"a": a, "b": b}, metric=["accuracy"], groups=groups)["accuracy"]
    for other in (marks, listed):
        assert (other.estimate, other.pvalue, other.interval) == (plain.estimate, plain.pvalue, plain.interval)
    assert listed.baseline == plain.baseline


@settings(max_examples=10)
@given(st.integers(0, 10_000))
def test_other_names_of_the_classes_change_nothing(seed):
    draw = np.random.default_rng(seed)
    truth, a, b = draw.integers(0, 2, (3, 40))
    truth[:2] = 0, 1
    words = np.array(["cold", "warm"])
    one = fw.compare_predictions(truth, {"a": a, "b": b}, metric="f1")
    two = fw.compare_predictions(
        words[truth], {"a": words[a], "b": words[b]}, metric="f1", options=fw.Options(positive="warm")
    )
    assert (one.estimate, one.pvalue, one.interval) == (two.estimate, two.pvalue, two.interval)
    other = fw.compare_predictions(1 - truth, {"a": 1 - a, "b": 1 - b}, metric="f1", options=fw.Options(positive=0))
    assert other.estimate == pytest.approx(one.estimate)
    assert other.pvalue == pytest.approx(one.pvalue, abs=0.08)  # the draws come in another order


# ---- forms of outputs


def test_scores_may_be_of_one_class_or_of_both():
    one = fw.compare_predictions(WORDS, {"a": A, "b": B}, metric="log_loss")
    both = fw.compare_predictions(
        WORDS, dict(zip("ab", (np.stack([1 - p, p], axis=1) for p in (A, B)), strict=True)), metric="log_loss"
    )
    turned_round = fw.compare_predictions(
        WORDS,
        dict(zip("ab", (np.stack([p, 1 - p], axis=1) for p in (A, B)), strict=True)),
        metric="log_loss",
        options=fw.Options(classes=["yes", "no"]),
    )
    other = fw.compare_predictions(
        WORDS, {"a": 1 - A, "b": 1 - B}, metric="log_loss", options=fw.Options(positive="no")
    )
    assert one.estimate == pytest.approx(sk.log_loss(TRUE, A) - sk.log_loss(TRUE, B))
    assert [both.estimate, turned_round.estimate, other.estimate] == pytest.approx([one.estimate] * 3)


@pytest.mark.parametrize(
    "metric", ["roc_auc_ovr", "roc_auc_ovo", "roc_auc_ovr_weighted", "log_loss", "f1_macro", "auc"]
)
def test_several_classes_have_a_column_each(metric):
    c = fw.compare_predictions(THREE, dict(zip("ab", BY_CLASS, strict=True)), metric=metric)
    assert c.better == "a"
    assert c.test == ("delong" if "auc" in metric else "paired_t" if metric == "log_loss" else "swap_permutation")
    if metric == "f1_macro":
        expected = sk.f1_score(THREE, BY_CLASS[0].argmax(1), average="macro")
        assert c.pairs[0].means[0] == pytest.approx(expected)


@pytest.mark.parametrize("threshold", [0.3, 0.5])
def test_a_threshold_makes_labels_of_scores(threshold):
    c = fw.compare_predictions(WORDS, {"a": A, "b": B}, metric="f1", options=fw.Options(threshold=threshold))
    assert c.pairs[0].means[0] == pytest.approx(sk.f1_score(TRUE, threshold <= A))
    by_hand = fw.compare_predictions(
        WORDS, dict(zip("ab", (np.where(p >= threshold, "yes", "no") for p in (A, B)), strict=True)), metric="f1"
    )
    assert (c.estimate, c.pvalue, c.interval) == (by_hand.estimate, by_hand.pvalue, by_hand.interval)
    assert f"an item counts as yes from a score of {threshold:g} on" in c.caveats[0]
    both = np.stack([1 - A, A], axis=1), np.stack([1 - B, B], axis=1)
    assert (
        fw.compare_predictions(
            WORDS, dict(zip("ab", both, strict=True)), metric="f1", options=fw.Options(threshold=threshold)
        ).estimate
        == c.estimate
    )


def test_accuracy_at_a_threshold_is_mcnemars():
    c = fw.compare_predictions(WORDS, {"a": A, "b": B}, options=fw.Options(threshold=0.3))
    assert (c.test, c.metric) == ("mcnemar", "accuracy")
    assert c.pairs[0].means[0] == pytest.approx(((A >= 0.3) == TRUE).mean())
    assert c.baseline == pytest.approx(max(TRUE.mean(), 1 - TRUE.mean()))


def test_one_of_several_classes_can_be_the_positive_one():
    c = fw.compare_predictions(
        THREE, dict(zip("ab", BY_CLASS, strict=True)), metric="recall", options=fw.Options(positive=2)
    )
    assert c.pairs[0].means[0] == pytest.approx(sk.recall_score(THREE == 2, BY_CLASS[0].argmax(1) == 2))
    assert any(f"accuracy on the {(THREE == 2).sum()} of {len(THREE)} items that are 2" in said for said in c.caveats)


def test_a_function_and_any_scorer_of_scikit_learn_are_metrics():
    def share_found(y, p):
        return float(np.mean((y == "yes") & (p == "yes")))

    labels = [np.where(p >= 0.5, "yes", "no") for p in (A, B)]
    c = fw.compare_predictions(WORDS, dict(zip("ab", labels, strict=True)), metric=share_found)
    assert (c.metric, c.test, c.direction) == ("share_found", "swap_permutation", "assumed")
    assert c.pairs[0].means[0] == pytest.approx(np.mean(TRUE & (A >= 0.5)))
    assert "Assumed: higher share found is better" in str(c)
    said = fw.compare_predictions(
        WORDS, dict(zip("ab", labels, strict=True)), metric=share_found, higher_is_better=True
    )
    assert said.direction == "declared"
    median = fw.compare_predictions(Y, dict(zip("ab", PREDICTED, strict=True)), metric="neg_median_absolute_error")
    assert median.metric == "median_absolute_error"
    assert median.pairs[0].means[0] == pytest.approx(sk.median_absolute_error(Y, PREDICTED[0]))
    assert median.better == "a"


@pytest.mark.parametrize("test", ["jackknife_t", "swap_permutation"])
def test_any_metric_can_be_resampled_if_that_is_asked_for(test):
    for metric in ("roc_auc", "brier", "accuracy"):
        c = fw.compare_predictions(WORDS, {"a": A, "b": B}, metric=metric, test=test, options=fw.Options(threshold=0.5))
        standard = fw.compare_predictions(WORDS, {"a": A, "b": B}, metric=metric, options=fw.Options(threshold=0.5))
        assert c.test == test
        assert c.estimate == pytest.approx(standard.estimate)
        assert c.interval.low == pytest.approx(standard.interval.low, abs=0.3 * standard.interval.width)


def test_labels_that_the_truth_does_not_have_are_counted():
    c = fw.compare_predictions(["x", "y"] * 20, {"a": ["x", "y"] * 20, "b": ["x", "z"] * 20}, metric="f1_macro")
    assert c.pairs[0].means[1] == pytest.approx(
        sk.f1_score(["x", "y"] * 20, ["x", "z"] * 20, average="macro", zero_division=0)
    )
    assert "20 of b's predictions are labels that never occur in the truth" in c.caveats


def test_scores_the_wrong_way_round_are_noticed():
    c = fw.compare_predictions(WORDS, {"a": A, "b": -A}, metric="roc_auc")
    assert any(caveat.startswith("b ranks worse than chance") for caveat in c.caveats)


@pytest.mark.parametrize("metric", ["f1", "precision", "matthews_corrcoef"])
def test_test_and_interval_agree(metric):
    for seed in range(30):
        draw = np.random.default_rng(seed)
        truth, a = draw.integers(0, 2, (2, 14))
        truth[:2] = 0, 1
        for alpha in (0.2, 0.05, 0.03125):
            c = fw.compare_predictions(truth, {"a": truth, "b": a}, metric=metric, alpha=alpha)
            assert (c.pvalue < alpha) == (0 not in c.interval)
            assert c.estimate in c.interval


# ---- several metrics


def test_several_metrics_are_rows_that_are_adjusted_or_not():
    metrics = ["f1", "roc_auc", "log_loss", "accuracy"]
    m = fw.compare_predictions(WORDS, {"new": A, "old": B}, metric=metrics)
    alone = [
        fw.compare_predictions(WORDS, {"a": A, "b": B}, metric=one, options=fw.Options(threshold=0.5))
        for one in metrics
    ]
    assert m.metrics == tuple(metrics)
    assert [c.pvalue for c in m.parts] == [c.pvalue for c in alone]
    assert list(m.adjusted) == pytest.approx(fw.inference.adjust([c.pvalue for c in alone]).tolist())
    assert [pair.better for pair in m.pairs] == ["new"] * 4
    assert "Holm-adjusted for 4" in str(m)
    plain = fw.compare_predictions(WORDS, {"a": A, "b": B}, metric=metrics, options=fw.Options(adjust_metrics="none"))
    assert list(plain.adjusted) == [c.pvalue for c in alone]
    assert "not adjusted" in str(plain)
    assert m.to_dict()["by_metric"][1]["test"] == "delong"
    assert [pair["adjusted"] for pair in m.to_dict()["pairs"]] == list(m.adjusted)
    assert list(m.to_frame()["metric"]) == metrics


def test_of_several_metrics_the_adjusted_level_decides():
    draw = np.random.default_rng(5)
    a, b = draw.normal(TRUE * 1.6, 1), draw.normal(TRUE * 1.0, 1)
    m = fw.compare_predictions(TRUE, {"a": a, "b": b}, metric=["roc_auc", "average_precision"], alpha=0.1)
    place = int(np.argmax(m.adjusted))
    assert m.parts[place].pvalue < 0.1 < m.adjusted[place]
    assert m.parts[place].better == "a"
    assert m.better_by(place) is None
    assert m.claims()[place].better is None


# ---- what is refused

BAD = [
    ((WORDS, 2 * A, B), {"metric": "log_loss"}, r"outputs\['a'\] must be probabilities from 0 to 1, but holds"),
    ((THREE, BY_CLASS[0] * 0.5, BY_CLASS[1]), {"metric": "log_loss"},
     r"outputs\['a'\] must be probabilities that sum to 1 over"),
    (([1] * N, A, B), {"metric": "roc_auc", "positive": 1},
     "truth must hold at least two classes for metric 'roc_auc'"),
    ((WORDS, A, B), {"metric": "f1", "positive": "maybe"},
     r"positive must be a class that occurs in truth \('no', 'yes'\)"),
    ((np.where(TRUE, "cat", "dog"), A, B), {"metric": "roc_auc"},
     "positive must name the class that metric 'roc_auc' is"),
    ((THREE, THREE, THREE[::-1]), {"metric": "f1"}, r"must name the class that metric 'f1' is about, one of 0, 1, 2"),
    ((WORDS, np.where(A > 0.5, np.nan, A), B), {"metric": "roc_auc"},
     r"outputs\['a'\] must be finite, but outputs\['a'\]\[\d+\] is nan"),
    ((WORDS, WORDS, B), {"metric": "roc_auc"},
     r"outputs\['a'\] must be scores or probabilities for metric 'roc_auc', but holds"),
    ((WORDS, A[:-1], B), {"metric": "roc_auc"}, r"outputs\['a'\] must be as long as truth \(80\), got 79"),
    ((THREE, BY_CLASS[0][:, :2], BY_CLASS[1]), {"metric": "roc_auc_ovr"},
     "must have one column for each of the 3 classes"),
    ((THREE, A[:90], B), {"metric": "log_loss"}, r"outputs\['a'\] must be as long"),
    ((THREE, *(p[:, 0] for p in BY_CLASS)), {"metric": "f1_macro"},
     "must be labels, or have a number for each class"),
    ((WORDS, 5 * A, B), {"metric": "f1"},
     r"threshold must say from which score on an item is positive"),
    ((WORDS, A, B), {"metric": "rmse"}, "truth must be numbers, but holds labels such as"),
    ((Y, *PREDICTED), {"metric": ["rmse", "f1"]}, "metric 'rmse' is for numbers, but truth holds classes"),
    ((Y, PREDICTED[0], BY_CLASS[0][:80]), {"metric": "rmse"},
     r"outputs\['b'\] must be one number per item, shape \(80,\)"),
    ((WORDS, A, B), {"metric": ["f1", "f1"]}, "metric must name each metric once, but 'f1' is there more than once"),
    ((WORDS, A, B), {"metric": []}, "metric must name at least one metric"),
    ((WORDS, A, B), {"metric": "f1", "groups": [1] * N}, "groups must name at least two clusters"),
    ((WORDS, A, B), {"metric": "f1", "test": "delong"},
     "test 'delong' needs the scores of both models on one test set"),
    ((THREE, *BY_CLASS), {"metric": "log_loss", "classes": [0, 1]},
     "classes must name every class of truth, but '2' is"),
    ((THREE, *(np.insert(p, 3, 0.0, 1) for p in BY_CLASS)), {"metric": "roc_auc_ovr", "classes": [0, 1, 2, 3]},
     "truth must hold every class for metric 'roc_auc_ovr', but 3 never occurs"),
]  # fmt: skip


@pytest.mark.parametrize(("columns", "options", "message"), BAD)
def test_bad_input_is_told_in_a_sentence(columns, options, message):
    with pytest.raises(InvalidInput, match=message) as caught:
        predicted(columns, **options)
    assert "\n" not in str(caught.value)


def test_an_unknown_metric_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="unknown metric 'roc_acu': did you mean 'roc_auc'"):
        fw.compare_predictions(WORDS, {"a": A, "b": B}, metric="roc_acu")


def test_no_metric_is_left_out_of_these_tests():
    asked = {*LABELS, *SCORES, *NUMBERS, "accuracy", "roc_auc_ovr", "roc_auc_ovo", "roc_auc_ovr_weighted"}
    same_family = {"error", "mape", "explained_variance", "pearson", "specificity", "roc_auc_ovo_weighted"}
    same_family |= {"pinball", "wql", "c_index", "c_index_uno"}  # whose truth is of another form
    families = ("jaccard", "f1_", "precision_", "recall_")
    assert not {n for n in metric_names() if n not in asked | same_family and not n.startswith(families)}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: fw.compare_predictions([0, 1] * 4, {"a": [1.7] + [0.5] * 7, "b": [0.5] * 8}, metric="brier"),
            r"outputs\['a'\] must be probabilities from 0 to 1, but holds 1.7 for item 0",
        ),
        (
            lambda: fw.compare_predictions(["cat"] * 8, {"a": [0.5] * 8, "b": [0.4] * 8}, metric="roc_auc"),
            "truth must hold at least two classes for metric 'roc_auc', but all are 'cat'",  # not: name the positive
        ),
        (
            lambda: fw.compare_predictions(None, {"a": {"p": 1, "q": 0.5}, "b": {"r": 1, "s": 0}}),
            r"outputs\['a'\] and outputs\['b'\] must have items in common, but no item has a mark of both",
        ),
    ],
)
def test_the_first_thing_that_is_wrong_is_told(make, message):
    with pytest.raises(InvalidInput, match=message):
        make()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_difference_of_two_medians_is_as_uncertain_as_resamples_say(seed):
    """Leaving out one item at a time told .15 where resamples have .18."""
    rng = np.random.default_rng(seed)
    y = rng.normal(size=60)
    a, b = y + rng.normal(size=60), y + 1.5 * rng.normal(size=60)
    c = fw.compare_predictions(y, {"a": a, "b": b}, metric="median_absolute_error")
    errors = np.abs(y - np.stack([a, b]))
    drawn = np.median(errors[:, rng.integers(0, 60, (4000, 60))], axis=2)
    assert (c.interval.high - c.interval.low) / 2 > 1.96 * 0.93 * (drawn[0] - drawn[1]).std()
