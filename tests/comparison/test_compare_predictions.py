from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.inference import clustered_outcomes, mcnemar, paired_difference

triples = st.lists(st.tuples(*[st.sampled_from("xyz")] * 3), min_size=2, max_size=60)


def predicted(columns, names=("a", "b"), **options):
    truth, a, b = columns
    return fw.compare_predictions(truth, dict(zip(names, (a, b), strict=True)), **with_options(options))


def from_counts(n00, n01, n10, n11):
    """Truth and predictions with these counts of outcomes."""
    right_a = np.array([0] * n00 + [0] * n01 + [1] * n10 + [1] * n11)
    right_b = np.array([0] * n00 + [1] * n01 + [0] * n10 + [1] * n11)
    truth = np.arange(len(right_a)) % 2
    return truth, np.where(right_a, truth, 1 - truth), np.where(right_b, truth, 1 - truth)


def test_auto_is_midp_with_tangos_interval():
    c = predicted(from_counts(10, 5, 20, 65))
    assert c.test == "mcnemar"
    assert c.pvalue == mcnemar(5, 20, method="midp").pvalue
    assert c.estimate == pytest.approx(0.15)
    errors = paired_difference(10, 5, 20, 65, method="tango").confidence_interval(0.95)
    assert (c.interval.low, c.interval.high) == pytest.approx((-errors.high, -errors.low))
    assert (c.better, c.pairs[0].means) == ("a", pytest.approx((0.85, 0.70)))
    assert c.rope_probabilities.a_better > 0.95


@given(triples)
def test_swapping_mirrors_everything(rows):
    truth, a, b = zip(*rows, strict=True)
    c, swapped = fw.compare_predictions(truth, {"a": a, "b": b}), fw.compare_predictions(truth, {"a": b, "b": a})
    assert swapped.estimate == -c.estimate
    assert swapped.pvalue == c.pvalue
    assert swapped.interval.low == pytest.approx(-c.interval.high, abs=1e-9)
    assert swapped.better == {"a": "b", "b": "a", None: None}[c.better]
    assert swapped.rope_probabilities.a_better == pytest.approx(c.rope_probabilities.b_better, abs=1e-9)
    assert swapped.detectable_difference == c.detectable_difference


@given(st.lists(st.tuples(st.sampled_from("xy"), st.sampled_from("xy")), min_size=1, max_size=40))
def test_a_classifier_against_itself_is_never_different(rows):
    truth, a = zip(*rows, strict=True)
    c = fw.compare_predictions(truth, {"a": a, "b": a})
    assert (c.pvalue, c.better, c.estimate) == (1, None, 0)
    assert 0 in c.interval
    assert any("no evidence of a difference" in caveat for caveat in c.caveats)


def test_clusters_use_the_cluster_robust_test():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 60)
    a, b = truth ^ (rng.random(60) < 0.2), truth ^ (rng.random(60) < 0.4)
    groups = np.repeat(np.arange(12), 5)
    c = fw.compare_predictions(truth, {"a": a, "b": b}, groups=groups)
    reference = clustered_outcomes((a == truth).astype(float) - (b == truth), groups)
    assert c.test == "clustered_difference"
    assert (c.pvalue, c.df) == (reference.pvalue, reference.df)
    assert "in 12 clusters" in c.design
    by_name = fw.compare_predictions(truth, {"a": a, "b": b}, groups=groups, test="mcnemar")
    assert any("come in clusters" in caveat for caveat in by_name.caveats)


def test_the_unsound_test_warns_and_keeps_the_sign_of_the_estimate():
    c = predicted(from_counts(10, 5, 20, 65), test="difference_of_proportions")
    assert c.statistic > 0
    assert any("independent although" in caveat for caveat in c.caveats)


def test_unseen_labels_are_counted():
    c = fw.compare_predictions(["x", "y", "y"], {"first": ["x", "q", "q"], "second": ["x", "y", "y"]})
    assert any("2 predictions of first are labels that never occur" in caveat for caveat in c.caveats)


@pytest.mark.parametrize("method", ["mcnemar", "mcnemar_exact", "mcnemar_corrected", "mcnemar_uncorrected"])
def test_all_forms_of_mcnemar_run_by_name(method):
    c = predicted(from_counts(1, 3, 12, 40), test=method)
    reference = mcnemar(3, 12, method=method.partition("_")[2] or "midp")
    assert c.pvalue == reference.pvalue
    assert c.detectable_difference > 0


@pytest.mark.parametrize(("arguments", "options", "message"), [
    (([1, 0], [1, 0], [1]), {}, r"outputs\['b'\] must be as long as truth"),
    (([1, 0], [1, 0], [1, 1]), {"test": "kfold_cv_t"}, "needs scores of shape"),
    (([1, 0], [1, 0], [1, 1]), {"test": "clustered_difference"}, "the cluster of each example"),
    (([1, 0], [1, 0], [1, 1]), {"alpha": 1.5}, "alpha must be strictly between 0 and 1"),
])  # fmt: skip
def test_bad_input_is_one_sentence(arguments, options, message):
    with pytest.raises(InvalidInput, match=message):
        predicted(arguments, **options)


def test_the_dictionary_is_json_and_the_frame_has_the_examples():
    c = predicted(from_counts(1, 2, 3, 4), ("left", "right"))
    assert json.loads(json.dumps(c.to_dict(), allow_nan=False))["models"] == ["left", "right"]
    assert len(c.to_frame("evidence")) == 10
