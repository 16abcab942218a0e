"""What is taken for labels, what for marks, and what is refused with a sentence that says where it belongs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.evidence.items import Items

rng = np.random.default_rng(1)
TRUTH = rng.integers(0, 2, 50)
PROBABILITIES = rng.random(50).round(3)
LABELS = 1 - TRUTH


@pytest.mark.parametrize(("truth", "a", "message"), [
    (TRUTH, PROBABILITIES, r"outputs\['a'\] must be predicted labels, but holds numbers such as 0.* [(]metric='"),
    # a forest is sure of most examples: some probabilities of 0 and 1 do not make labels
    (TRUTH, np.where(np.arange(50) == 3, 0.8, TRUTH),
     r"outputs\['a'\] must be predicted labels, but holds numbers such as 0.8"),
    (TRUTH, rng.normal(size=50), "turn probabilities into labels first"),
    (np.where(TRUTH, "yes", "no"), PROBABILITIES, r"outputs\['a'\] must be predicted labels"),
    (rng.normal(size=50), rng.normal(size=50), "truth must be class labels, but holds 50 different numbers"),
    (TRUTH, np.column_stack([PROBABILITIES, 1 - PROBABILITIES]), r"shape \(50, 2\).*argmax"),
    (TRUTH, TRUTH.astype(str),
     r"outputs\['a'\] must be labels written as in truth, but holds '0' where truth has 0: write them alike"),
    (np.where(TRUTH, "yes", "no"), TRUTH, r"written as in truth \(no, yes\), but none of its labels \(0, 1\)"),
    (TRUTH, np.where(TRUTH, "yes", "no"), r"written as in truth \(0, 1\), but none of its labels \(no, yes\)"),
], ids=["probabilities", "few", "logits", "text", "regression", "columns", "text of 0", "coded", "words"])  # fmt: skip
def test_what_is_no_prediction_is_refused(truth, a, message):
    other = np.asarray(truth)
    with pytest.raises(InvalidInput, match=message):
        fw.compare_predictions(truth, {"a": a, "b": other})
    with pytest.raises(InvalidInput, match=message.replace(r"outputs\['a'\]", r"outputs\['b'\]")):
        fw.compare_predictions(truth, {"a": other, "b": a})


@pytest.mark.parametrize(("truth", "a"), [
    ([0.5, 1.0, 1.5, 0.5, 1.0, 1.5], [0.5, 0.5, 1.5, 0.5, 1.0, 1.0]),  # ratings
    (["42", "7", "3.5", "9", "1", "12"], ["42", "7", "3.25", "9", "x", "11"]),  # open answers, one not whole
    ([1, 2, 3, 4, 1, 2], [1, 2, 3, 2.5, 1, 2]),  # one odd answer
    (["x", "y", "x"], ["q", "q", "q"]),  # labels that never occur
    ([3, 3, 3], [3, 4, 4]),  # one class only
    (["yes", "yes"], ["yes", "no"]),
])  # fmt: skip
def test_unusual_labels_are_labels(truth, a):
    assert Items.from_predictions(truth, {"a": a, "b": truth}).n == len(truth)


@pytest.mark.parametrize(("right", "wrong"), [(1, 0), (True, False), (1.0, 0.0), ("1", "0"), ("correct", "incorrect")])
def test_a_truth_of_ones_is_asked_for_marks(right, wrong):
    a, b = [right, wrong, right, right], [right, right, wrong, wrong]
    with pytest.raises(
        InvalidInput, match=r"look like marks .* compare_predictions\(None, …\) \(foldwise predictions --truth none\)"
    ):
        fw.compare_predictions([right] * 4, {"a": a, "b": b})
    c = fw.compare_predictions(None, {"a": a, "b": b})
    assert (c.pairs[0].means, c.metric) == ((0.75, 0.5), "accuracy")


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_marks_are_what_the_labels_would_say(rows):
    a, b = zip(*rows, strict=True)
    truth = np.arange(len(rows)) % 3
    labels = [np.where(right, truth, 7) for right in (a, b)]
    marked, labelled = (
        fw.compare_predictions(None, {"a": a, "b": b}),
        fw.compare_predictions(truth, dict(zip("ab", labels, strict=True))),
    )
    assert (marked.pvalue, marked.interval, marked.means) == (labelled.pvalue, labelled.interval, labelled.means)


@pytest.mark.parametrize(("a", "message"), [
    (["A", "B", "A"], r"outputs\['a'\]\[0\] is A: labels go with their truth to compare_predictions"),
    ([1, None, 0], r"outputs\['a'\]\[1\] is missing"),
    ([1, 0], r"outputs\['b'\] must have as many rows as outputs\['a'\] \(2\), got 3"),
])  # fmt: skip
def test_what_is_no_mark_is_refused(a, message):
    with pytest.raises(InvalidInput, match=message):
        fw.compare_predictions(None, {"a": a, "b": [1, 0, 1]})


@pytest.mark.parametrize("masked", ["truth", "pred_a", "pred_b", "groups"])
def test_masked_values_are_missing(masked):
    columns = {name: np.array([0, 1, 1, 0]) for name in ("truth", "pred_a", "pred_b", "groups")}
    columns[masked] = np.ma.array(columns[masked], mask=[False, False, True, False])
    truth, a, b, groups = columns.values()
    said = {"pred_a": r"outputs\['a'\]", "pred_b": r"outputs\['b'\]"}.get(masked, masked)
    with pytest.raises(InvalidInput, match=rf"{said} must not have masked values, but {said}\[2\] is masked"):
        fw.compare_predictions(truth, {"a": a, "b": b}, groups=groups)


def test_a_mask_that_hides_nothing_does_no_harm():
    values = np.ma.array([0, 1, 1, 0])
    assert fw.compare_predictions(values, {"a": values, "b": values}).estimate == 0
    with pytest.raises(InvalidInput, match=r"outputs\['a'\]\[0\] is missing"):
        fw.compare_predictions(None, {"a": np.ma.array([True, False], mask=[True, False]), "b": [True, False]})
