from __future__ import annotations

import numpy as np
import pytest

from foldwise.core.errors import InvalidInput
from foldwise.evidence.models import ModelValues

TRUTH = ["x", "y", "y", "z", "x", "y"]
MODELS = {"a": TRUTH, "b": ["x"] * 6, "c": ["x", "y", "y", "y", "new", "x"]}


def test_who_was_right_on_which_item():
    found = ModelValues.from_predictions(TRUTH, MODELS)
    assert found.values.tolist() == [[1] * 6, [1, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 0]]
    assert found.unseen == (0, 0, 1)
    assert found.majority == 0.5
    assert (found.metric, found.higher_is_better, found.unit, found.design) == (
        "accuracy",
        True,
        "fraction",
        "6 test examples",
    )


def test_labels_and_marks_say_the_same():
    labels = ModelValues.from_predictions(TRUTH, MODELS, groups=[1, 1, 2, 2, 3, 3])
    marks = {"a": [True] * 6, "b": [1, 0, 0, 0, 1, 0], "c": ["right", "right", "right", "wrong", "wrong", "wrong"]}
    found = ModelValues.from_marks(marks, groups=["p", "p", "q", "q", "r", "r"])
    assert found.values.tolist() == labels.values.tolist()
    assert found.digest == labels.digest
    assert found.majority is None
    assert found.design == "6 test examples in 3 clusters"


def test_what_a_person_wants_to_see():
    table = ModelValues.from_predictions(TRUTH, MODELS).table()
    assert table.columns[0] == "model"
    assert table.rows == (("a", "6", "0", "2", "0"), ("b", "2", "4", "0", "2"), ("c", "3", "3", "0", "1"))
    assert "all models are right on 1, none on 0" in table.caption


def test_columns_are_one_row_per_item():
    columns = ModelValues.from_predictions(TRUTH, MODELS, groups=[1, 1, 2, 2, 3, 3]).columns()
    assert list(columns) == ["a", "b", "c", "group"]
    assert columns["group"].tolist() == [0, 0, 1, 1, 2, 2]


def test_the_digest_follows_the_outcomes():
    same = ModelValues.from_predictions(TRUTH, MODELS).digest
    assert ModelValues.from_predictions(np.array(TRUTH), MODELS).digest == same
    assert ModelValues.from_predictions(TRUTH, MODELS | {"c": TRUTH}).digest != same


@pytest.mark.parametrize(("truth", "models", "options", "message"), [
    (TRUTH, [TRUTH, TRUTH], {}, "models must map names to what each of them is"),
    (TRUTH, {"a": TRUTH}, {}, "models must have at least two entries, got 1"),
    (TRUTH, {"a": TRUTH, "": TRUTH}, {}, "must all have a name, but number 2 has none"),
    (TRUTH, {1: TRUTH, "1": TRUTH}, {}, "must have different names, but '1' occurs more than once"),
    (TRUTH, {"a": TRUTH, "b": TRUTH[1:]}, {}, r"models\['b'\] must be as long as y_true \(6\), got 5"),
    (TRUTH, {"a": TRUTH, "b": [None, *TRUTH[1:]]}, {}, r"models\['b'\] must not have missing labels"),
    (TRUTH, {"a": TRUTH, "b": [0.1, 0.7, 0.3, 0.2, 0.9, 0.4]}, {}, r"models\['b'\] must be predicted labels"),
    (TRUTH, MODELS, {"groups": [1, 2]}, r"groups must name the cluster of each item \(6\), got 2"),
    (TRUTH, MODELS, {"groups": [1] * 6}, "at least two clusters, got one"),
])  # fmt: skip
def test_what_is_refused(truth, models, options, message):
    with pytest.raises(InvalidInput, match=message):
        ModelValues.from_predictions(truth, models, **options)


def test_marks_of_unequal_length_are_refused():
    with pytest.raises(InvalidInput, match=r"models\['b'\] must have as many rows as models\['a'\] \(2\), got 3"):
        ModelValues.from_marks({"a": [1, 0], "b": [1, 0, 1]})
