"""Prediction files with a column for each class of a model."""

from __future__ import annotations

import pytest

from foldwise.core.errors import InvalidInput
from foldwise.data import read_predictions
from foldwise.data.column_meaning import class_columns

TEXT = "truth,nb:a,nb:b,tree_a,tree_b,old\na,0.9,0.1,0.6,0.4,a\nb,0.2,0.8,0.5,0.5,a\n"


def test_columns_of_every_class_are_one_model():
    file = read_predictions(TEXT)
    assert file.names == ("nb", "tree", "old")
    assert file.classes == ["a", "b"]
    assert file.scores["nb"].tolist() == [[0.9, 0.1], [0.2, 0.8]]
    assert list(file.predictions["old"]) == ["a", "a"]
    assert file.roles["tree_b"] == "classifier"


def test_two_such_models_are_chosen_by_name():
    file = read_predictions(TEXT, a="tree", b="nb")
    assert (file.pair(), file.predictions) == (("tree", "nb"), {})
    assert file.roles["old"] == "passed over"
    assert read_predictions(TEXT, a="old", b="nb").pair() == ("old", "nb")


@pytest.mark.parametrize(
    ("columns", "models"),
    [
        (["m:a", "m:b"], ["m"]),
        (["m:b", "other", "m:a"], ["m"]),
        (["m:a", "m_b"], []),
        (["m_a", "m_c"], []),
        (["a", "b"], []),
        ([":a", ":b"], []),
        (["x_y_a", "x_y_b", "x_a", "x_b"], ["x_y", "x"]),
        (["n:a", "n:b", "m_a", "m_b"], ["n", "m"]),
    ],
)
def test_only_all_classes_of_the_truth_make_a_model(columns, models):
    assert list(class_columns(["a", "b"], columns)) == models


def test_one_class_makes_none():
    assert class_columns(["a"], ["m_a"]) == {}


def test_text_among_the_scores_is_told_with_its_line():
    with pytest.raises(InvalidInput, match=r"line 3.*nb:b|nb:b.*line 3"):
        read_predictions("truth,nb:a,nb:b,old\na,0.9,0.1,a\nb,0.2,much,a\n")
