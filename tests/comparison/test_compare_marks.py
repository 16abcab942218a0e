"""Marks at the façade: right and wrong keep their tests, everything else is a mean of differences."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import InvalidInput

answers = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=5, max_size=40)


@given(answers)
@settings(max_examples=12)
def test_accuracy_as_marks_is_accuracy_as_labels(rows):
    a, b = map(list, zip(*rows, (True, False), (False, True), strict=True))
    truth = ["x"] * (len(a) - 1) + ["y"]
    labels = [[t if right else "z" for t, right in zip(truth, marks, strict=True)] for marks in (a, b)]
    labelled = fw.compare_predictions(truth, dict(zip("ab", labels, strict=True)))
    as_marks = fw.compare_predictions(None, {"a": a, "b": b}, test="paired_t", metric="accuracy")
    assert as_marks.pairs[0].means == pytest.approx(labelled.pairs[0].means)
    assert as_marks.estimate == pytest.approx(labelled.estimate, abs=1e-15)
    assert as_marks.unit == labelled.unit == "fraction"
    assert (
        fw.compare_predictions(None, {"a": a, "b": b}).pvalue == labelled.pvalue
    )  # right and wrong stay what they are


def test_the_larger_the_sample_the_nearer_are_both_tests():
    rng = np.random.default_rng(1)
    base = rng.random(4000)
    a, b = base + rng.normal(0, 0.2, 4000) > 0.3, base + rng.normal(0, 0.2, 4000) > 0.35
    tango, student = (
        fw.compare_predictions(None, {"a": a, "b": b}),
        fw.compare_predictions(None, {"a": a, "b": b}, test="paired_t"),
    )
    assert (tango.test, student.test) == ("mcnemar", "paired_t")
    assert student.interval.low == pytest.approx(tango.interval.low, abs=2e-4)
    assert student.rope_probabilities.equivalent == pytest.approx(tango.rope_probabilities.equivalent, abs=0.01)


@pytest.mark.parametrize(("marks", "options", "test"), [
    ([1, 0, 1, 1], {}, "mcnemar"),
    ([[1], [0], [1], [1]], {}, "mcnemar"),  # one trial is no trials
    (["pass", "fail", "pass", "pass"], {}, "mcnemar"),
    ([1, 0, 1, 1], {"groups": "xxyy"}, "clustered_difference"),
    ([1, 0, 1, 1], {"metric": "pass rate"}, "mcnemar"),
    ([1, 0, 1, 1], {"metric": "error"}, "mcnemar"),
    ([[1, 0], [0, 0], [1, 1], [1, 0]], {}, "paired_t"),
    ([1, 0, 1, 0.5], {}, "paired_t"),
    ([1, 0, 1, 0.5], {"groups": "xxyy"}, "clustered_t"),
    ([2, 0, 2, 2], {}, "paired_t"),
])  # fmt: skip
def test_which_test_marks_get(marks, options, test):
    options = {name: list(value) if name == "groups" else value for name, value in options.items()}
    assert fw.compare_predictions(None, {"a": marks, "b": [0, 1, 1, 0]}, **with_options(options)).test == test


def test_a_name_for_the_share_of_right_answers_is_kept():
    c = fw.compare_predictions(None, {"a": [1, 0, 1, 1], "b": [0, 1, 1, 0]}, metric="pass rate")
    assert (c.metric, c.unit) == ("pass rate", "fraction")


def test_missing_answers_are_counted_whatever_the_test():
    c = fw.compare_predictions(None, {"x": [1, None, 1, 0, 1], "y": [0, 1, 1, 1, None]}, missing="drop")
    assert c.test == "mcnemar"
    assert "missing values: x 1, y 1; 2 items left out for all models" in c.caveats[0]
    worst = fw.compare_predictions(None, {"a": [1, None, 1, 0, 1], "b": [0, 1, 1, 1, None]}, missing="worst")
    assert worst.pairs[0].means == (0.6, 0.6)
    with pytest.raises(InvalidInput, match=r"outputs\['a'\]\[1\] is missing"):
        fw.compare_predictions(None, {"a": [1, None], "b": [1, 0]})


def tried(rng, items=80, trials=5, spread=0.2, noise=0.3):
    """Marks of both models whose variance between items and within them is known."""
    gain = rng.normal(0.05, spread, (items, 1))
    return gain + rng.normal(0, noise, (items, trials)), rng.normal(0, noise, (items, trials))


def test_the_variance_is_split_into_items_and_trials():
    a, b = tried(np.random.default_rng(2), items=4000)
    c = fw.compare_predictions(None, {"a": a, "b": b})
    items, trials = c.variance.sources
    assert items.variance == pytest.approx(0.04, rel=0.1)
    assert trials.variance == pytest.approx(2 * 0.09, rel=0.02)
    # METHODS: Var(d) = (Var_data + Var_pred/K)/n
    assert c.variance.standard_error**2 == pytest.approx((items.variance + trials.variance / 5) / 4000)
    assert c.variance.share("items") + c.variance.share("trials") == pytest.approx(1)


def test_more_trials_and_items_buy_what_is_foretold():
    rng = np.random.default_rng(3)
    errors = {}
    for items, trials in ((200, 4), (200, 8), (400, 4)):
        errors[items, trials] = np.mean([
            fw.compare_predictions(None, dict(zip("ab", tried(rng, items, trials), strict=True))).variance
            .standard_error for _ in range(20)
        ])  # fmt: skip
    split = [fw.compare_predictions(None, dict(zip("ab", tried(rng, 200, 4), strict=True))).variance for _ in range(20)]
    assert np.mean([one.with_more(trials=2) for one in split]) == pytest.approx(errors[200, 8], rel=0.05)
    assert np.mean([one.with_more(items=2) for one in split]) == pytest.approx(errors[400, 4], rel=0.05)


@pytest.mark.usefixtures("without_pictures")
def test_the_split_is_in_the_words_the_page_and_the_json():
    a, b = tried(np.random.default_rng(4))
    c = fw.compare_predictions(None, {"old": a, "new": b})
    assert "standard error with twice as many trials" in c.details()
    assert "(variance: items" in c.details()
    kept = json.loads(json.dumps(c.to_dict()))["variance"]
    assert [source["name"] for source in kept["sources"]] == ["items", "trials"]
    assert [(row["more"], row["factor"]) for row in kept["outlook"]] == [
        ("items", 2), ("items", 4), ("trials", 2), ("trials", None)
    ]  # fmt: skip
    assert "endlessly many trials" in c.to_html()


def test_no_variance_between_items_promises_no_certainty():
    rng = np.random.default_rng(0)
    split = fw.compare_predictions(None, {"a": rng.random((30, 4)), "b": rng.random((30, 4))}).variance
    assert split.sources[0].adds == 0
    assert [row.words for row in split.outlooks] == [
        "twice as many items", "four times as many items", "twice as many trials"
    ]  # fmt: skip


def test_clusters_take_the_place_of_items_in_the_split():
    a, b = tried(np.random.default_rng(5))
    c = fw.compare_predictions(None, {"a": a, "b": b}, groups=np.arange(80) // 2)
    assert (c.test, c.variance.units) == ("clustered_t", ("clusters", "trials"))
    assert fw.compare_predictions(None, {"a": a[:, 0], "b": b[:, 0]}).variance is None
    assert (
        fw.compare_predictions(None, {"a": a, "b": b[:, :1]}).variance is None
    )  # b was tried once: how it varies is not known


@given(st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_order_of_items_and_of_trials_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    a, b = tried(rng, items=12, trials=3)
    order = rng.permutation(12)
    c, other = (
        fw.compare_predictions(None, {"a": a, "b": b}),
        fw.compare_predictions(None, {"a": rng.permuted(a, axis=1)[order], "b": rng.permuted(b, axis=1)[order]}),
    )
    assert (other.pvalue, other.estimate) == pytest.approx((c.pvalue, c.estimate), rel=1e-9)
    assert other.variance.share("trials") == pytest.approx(c.variance.share("trials"), rel=1e-6)


def test_trials_are_never_independent_items():
    rng = np.random.default_rng(6)
    a, b = tried(rng, items=10, trials=50, spread=0.3, noise=0.05)
    c = fw.compare_predictions(None, {"a": a.ravel(), "b": b.ravel()}, items=np.repeat(range(10), 50))
    assert c.df == 9
    assert c.pvalue > 50 * fw.compare_predictions(None, {"a": a.ravel(), "b": b.ravel()}).pvalue
