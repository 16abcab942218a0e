"""Items are joined by key: order never matters, repeated keys must be trials, and the question must be the same."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldwise.comparison.pairing import pair_items
from foldwise.core.errors import InvalidInput
from foldwise.evidence.missing import MissingRule
from foldwise.reading import ItemRows, Series

NAN = float("nan")


def series(model, values, *, keys=None, trials=None, contents=None, clusters=None):
    keys = [f"q{i}" for i in range(len(values))] if keys is None else keys
    rows = ItemRows(keys=keys, trials=trials, contents=contents, clusters=clusters or {})
    return Series(
        model=model, task="t", metric="acc", rows=rows, values=np.array(values, float), source=f"{model}.jsonl"
    )


@given(st.permutations(range(8)))
@settings(max_examples=20, deadline=None)
def test_the_order_of_lines_never_matters(order):
    a = series("a", [1, 0, 1, 1, 0, 0, 1, 0])
    b = series("b", [[0, 0, 1, 1, 1, 0, 0, 1][i] for i in order], keys=[f"q{i}" for i in order])
    assert pair_items([a, b]).values.tolist() == [[1, 0, 1, 1, 0, 0, 1, 0], [0, 0, 1, 1, 1, 0, 0, 1]]


def test_items_of_one_model_only_are_counted():
    a, b = series("a", [1] * 20), series("b", [0] * 19)
    found = pair_items([a, b])
    assert (found.missing.counts, found.missing.items) == ((0, 1), 1)
    assert found.values.shape == (2, 19)


def test_too_few_common_items_are_refused_unless_they_are_enough():
    a, b = series("a", [1] * 20), series("b", [0] * 10)
    with pytest.raises(
        InvalidInput, match=r"every model must have at least 90% of its values, but 'b' lacks 10 of 20 on t"
    ):
        pair_items([a, b])
    assert pair_items([a, b], inner=True).values.shape == (2, 10)


def test_no_common_item():
    with pytest.raises(InvalidInput, match="no item in common"):
        pair_items([series("a", [1]), series("b", [1], keys=["other"])], inner=True)


def test_a_key_twice_without_trials_is_an_error():
    twice = series("a", [1, 0], keys=["q", "q"])
    with pytest.raises(InvalidInput, match=r"a\.jsonl: item 'q' is there twice"):
        pair_items([twice, series("b", [1], keys=["q"])])


def test_trials_are_averaged_within_the_item():
    a = series("a", [1, 0, 1, 1], keys=["x", "x", "y", "y"], trials=["1", "2", "1", "2"])
    b = series("b", [0, NAN, 0, 1], keys=["y", "x", "x", "y"], trials=["1", "1", "2", "2"])
    found = pair_items([a, b], rule=MissingRule(policy="worst"))
    assert found.keys == ("x", "y")
    assert found.values.tolist() == [[0.5, 1.0], [0.0, 0.5]]
    assert pair_items([a, b], inner=True).keys == ("y",)  # the trial that failed takes its item along, for both


def test_one_key_with_different_questions_is_refused():
    a, b = series("a", [1, 1], contents=["4", "5"]), series("b", [1, 1], contents=["4", "6"])
    with pytest.raises(InvalidInput, match="item 'q1' is not the same question for 'a' and 'b'"):
        pair_items([a, b])


@pytest.mark.parametrize(("missing", "values"), [("drop", [[0.0], [1.0]]), ("worst", [[1, 0], [0, 1]])])
def test_what_is_missing_is_not_wrong_unless_somebody_says_so(missing, values):
    found = pair_items([series("a", [1, 0]), series("b", [NAN, 1])], rule=MissingRule(policy=missing), inner=True)
    assert found.values.tolist() == values
    assert found.missing.counts == (0, 1)


def test_missing_values_can_be_refused():
    with pytest.raises(InvalidInput, match=r"but item 'q0' of 'a' on t is missing \(in all: a 1, b 0\)"):
        pair_items([series("a", [NAN, 0]), series("b", [1, 1])], rule=MissingRule(policy="refuse"))


def test_clusters_are_those_that_are_offered():
    clusters = {"passage": ["p", "p", "q"]}
    found = pair_items([series("a", [1, 0, 1], clusters=clusters), series("b", [1, 1, 1])], groups="passage")
    assert found.groups == ("p", "p", "q")
    other = pair_items([series("a", [1, 0, 1], clusters=clusters), series("b", [1, 1, 1])], groups="subject")
    assert other.groups is None, "clusters of another task"
