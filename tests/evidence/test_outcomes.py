from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput
from foldwise.evidence.labels import coded
from foldwise.evidence.outcomes import Outcomes

triples = st.lists(st.tuples(*[st.sampled_from("xyz")] * 3), min_size=1, max_size=40)


@given(triples)
def test_the_four_counts_partition_the_examples(rows):
    truth, a, b = zip(*rows, strict=True)
    outcomes = Outcomes.from_predictions(truth, a, b)
    assert outcomes.n00 + outcomes.n01 + outcomes.n10 + outcomes.n11 == outcomes.n == len(rows)
    assert outcomes.differences.sum() == outcomes.n10 - outcomes.n01


@given(triples)
def test_swapping_the_classifiers_swaps_the_disagreements(rows):
    truth, a, b = zip(*rows, strict=True)
    outcomes, swapped = Outcomes.from_predictions(truth, a, b), Outcomes.from_predictions(truth, b, a)
    assert (outcomes.n01, outcomes.n10) == (swapped.n10, swapped.n01)
    assert (outcomes.differences == -swapped.differences).all()


def test_unseen_labels_count_as_errors():
    outcomes = Outcomes.from_predictions(["x", "y"], ["x", "q"], ["x", "y"])
    assert (outcomes.n01, outcomes.unseen) == (1, (1, 0))


def test_text_never_equals_a_number():
    assert Outcomes.from_predictions([1, 2, "x"], ["1", "2", "x"], [1, 2, "x"]).n01 == 0
    mixed = np.array([1, 2, "x"], dtype=object)
    assert Outcomes.from_predictions(mixed, np.array(["1", "2", "x"], dtype=object), mixed).n01 == 2


def test_groups_become_indices():
    outcomes = Outcomes.from_predictions([1, 2, 1], [1, 2, 2], [1, 1, 1], groups=["q", "p", "q"])
    assert outcomes.groups.tolist() == [1, 0, 1]


@pytest.mark.parametrize(("arguments", "message"), [
    (([1, 2], [1], [1, 2]), r"pred_a must be as long as y_true \(2\), got 1"),
    (([], [], []), "y_true must be a non-empty list of labels"),
    (([1.0, np.nan], [1, 1], [1, 1]), r"y_true\[1\] is missing"),
    ((["x", "y"], ["x", None], ["x", "y"]), r"pred_a\[1\] is missing"),
    (([[1]], [[1]], [[1]]), "got shape"),
])  # fmt: skip
def test_bad_predictions_are_named(arguments, message):
    with pytest.raises(InvalidInput, match=message):
        Outcomes.from_predictions(*arguments)


def test_one_cluster_is_refused():
    with pytest.raises(InvalidInput, match="at least two clusters"):
        Outcomes.from_predictions([1, 2], [1, 2], [2, 2], groups=["p", "p"])


values = st.sampled_from(["a", "1", 1, 1.0, True, 0, False, "b", 2, 2.5])


@given(st.lists(st.tuples(values, values, values), min_size=1, max_size=20))
def test_coded_labels_are_equal_where_python_says_so(rows):
    columns = [np.array(column, dtype=object) for column in zip(*rows, strict=True)]
    distinct, (truth, a, b) = coded(*columns)
    assert (truth == a).tolist() == [t == p for t, p, _ in rows]
    assert (truth == b).tolist() == [t == p for t, _, p in rows]
    assert [distinct[code] for code in a] == columns[1].tolist()
