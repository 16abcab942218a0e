"""Three and more models by any metric: each pair as in the comparison of two."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.designs import kind_of
from foldwise.evidence.outputs import Outputs

RNG = np.random.default_rng(3)
N = 90
TRUTH = RNG.integers(0, 2, N)
HARD = RNG.normal(size=N)
SCORES = {f"m{i}": 1 / (1 + np.exp(-(gain * (2 * TRUTH - 1) + 0.6 * HARD + RNG.normal(size=N))))
          for i, gain in enumerate((1.5, 1.3, 0.2))}  # fmt: skip
LABELS = {name: np.where(scores > 0.5, "yes", "no") for name, scores in SCORES.items()}
WORDS = np.where(TRUTH == 1, "yes", "no")
GROUPS = np.arange(N) % 15
NUMBERS = {name: TRUTH + HARD + 0.3 * k * RNG.normal(size=N) for k, name in enumerate(("a", "b", "c"))}


@pytest.mark.parametrize(("truth", "models", "metric", "options", "test"), [
    (TRUTH, SCORES, "roc_auc", {}, "delong"),
    (TRUTH, SCORES, "roc_auc", {"groups": GROUPS}, "delong"),
    (TRUTH, SCORES, "log_loss", {}, "paired_t"),
    (TRUTH, SCORES, "brier", {"groups": GROUPS}, "clustered_t"),
    (TRUTH, SCORES, "accuracy", {"threshold": 0.4}, "mcnemar"),
    (WORDS, LABELS, "f1", {"positive": "yes"}, "swap_permutation"),
    (WORDS, LABELS, "balanced_accuracy", {"groups": GROUPS}, "swap_permutation"),
    (TRUTH + HARD, NUMBERS, "r2", {}, "swap_permutation"),
    (TRUTH + HARD, NUMBERS, "mae", {}, "paired_t"),
])  # fmt: skip
def test_every_pair_is_that_of_the_comparison_of_two(truth, models, metric, options, test):
    m = fw.compare_predictions(truth, models, metric=metric, **with_options(options))
    assert m.procedure.name == test
    for pair, (a, b) in zip(m.pairs, combinations(models, 2), strict=True):
        c = fw.compare_predictions(
            truth, {a: models[a], b: models[b]}, metric=metric, alpha=0.05 / 3, **with_options(options)
        )
        assert c.test == test
        assert (pair.estimate, pair.pvalue) == pytest.approx((c.estimate, c.pvalue))
        assert (pair.low, pair.high) == pytest.approx((c.interval.low, c.interval.high))
        assert (m.means[a], m.means[b]) == pytest.approx(c.pairs[0].means)
        assert pair.means == pytest.approx(c.pairs[0].means)
        assert (pair.statistic, pair.df) == pytest.approx((c.statistic, c.df))
        assert (pair.standard_error, pair.detectable_difference) == pytest.approx(
            (c.standard_error, c.detectable_difference)
        )
        assert pair.rope_probabilities.as_tuple() == pytest.approx(c.rope_probabilities.as_tuple())
    assert m.higher_is_better == c.higher_is_better
    assert m.ranking[-1] not in m.best_set
    assert m.to_html()


def test_order_of_models_and_items_does_not_matter():
    order = np.random.default_rng(1).permutation(N)
    first = fw.compare_predictions(WORDS, LABELS, metric="f1", options=fw.Options(positive="yes", adjust="max_t"))
    turned = {name: LABELS[name][order] for name in reversed(LABELS)}
    other = fw.compare_predictions(
        WORDS[order], turned, metric="f1", options=fw.Options(positive="yes", adjust="max_t")
    )
    for pair in first.pairs:
        same = other.pair(pair.a, pair.b)
        assert (same.estimate, same.pvalue) == pytest.approx((-pair.estimate, pair.pvalue))
        assert same.adjusted == pytest.approx(pair.adjusted, abs=1e-9)
    assert other.ranks == first.ranks


def test_the_joint_law_of_a_mean_is_that_of_its_items():
    from foldwise.inference.joint_differences import model_means
    from foldwise.metrics.catalogue import known_metric
    from foldwise.metrics.metric import Truth

    truth = Truth(values=TRUTH, classes=("no", "yes"), positive=1)
    said = [(scores > 0.5).astype(np.int64) for scores in SCORES.values()]
    right = np.array([output == TRUTH for output in said], dtype=float)
    for groups in (None, GROUPS):
        evidence = Outputs.build(tuple(SCORES), known_metric("accuracy"), truth, said, groups=groups)
        found, expected = kind_of(evidence).together(evidence), model_means(right, groups)
        assert found.means == pytest.approx(expected.means)
        assert found.covariance == pytest.approx(expected.covariance)


def test_max_t_is_no_stricter_than_bonferroni_and_agrees_with_its_intervals():
    m = fw.compare_predictions(TRUTH, SCORES, metric="roc_auc", options=fw.Options(adjust="max_t"))
    for pair in m.pairs:
        assert pair.pvalue <= pair.adjusted <= min(1, 3 * pair.pvalue)
        assert (pair.adjusted < 0.05) == (not pair.low <= 0 <= pair.high)


def test_models_that_say_the_same_can_not_be_told_apart():
    same = {"a": LABELS["m0"], "b": LABELS["m0"], "c": LABELS["m2"]}
    m = fw.compare_predictions(WORDS, same, metric="f1", options=fw.Options(positive="yes"))
    assert (m.pair("a", "b").adjusted, m.pair("a", "b").better) == (1, None)
    assert {"a", "b"} <= set(m.best_set)
    areas = fw.compare_predictions(TRUTH, {"a": SCORES["m0"], "b": SCORES["m0"], "c": -SCORES["m0"]}, metric="roc_auc")
    assert areas.pair("a", "b").interval is None
    assert any("c ranks worse than chance" in caveat for caveat in areas.caveats)


def test_a_function_is_a_metric():
    def hits(truth, labels):
        return float(np.mean(labels[truth == "yes"] == "yes"))

    few = {name: labels[:30] for name, labels in LABELS.items()}
    m = fw.compare_predictions(
        WORDS[:30], {name: few[name] for name in ("m0", "m2")}, metric=hits, higher_is_better=True
    )
    assert m.metric == "hits"
    assert m.means["m0"] == pytest.approx(hits(WORDS[:30], few["m0"]))


@pytest.mark.parametrize(("truth", "models", "options", "message"), [
    (TRUTH, SCORES, {"metric": "roc_acu"}, "unknown metric 'roc_acu'"),
    (WORDS, LABELS, {"metric": "roc_auc", "positive": "yes"}, r"outputs\['m0'\] must be scores or probabilities"),
    (WORDS, LABELS, {"metric": "f1", "positive": "maybe"}, "maybe"),
    (TRUTH, {"a": SCORES["m0"], "b": SCORES["m1"][1:]}, {"metric": "log_loss"}, r"outputs\['b'\] must be as long as"),
    (np.ones(N, dtype=int), SCORES, {"metric": "roc_auc", "positive": 1}, "at least two classes"),
    (TRUTH, {"a": SCORES["m0"] + 1, "b": SCORES["m1"]}, {"metric": "log_loss"},
     r"outputs\['a'\] must be probabilities"),
])  # fmt: skip
def test_what_is_refused(truth, models, options, message):
    with pytest.raises(InvalidInput, match=message):
        fw.compare_predictions(truth, models, **with_options(options))
