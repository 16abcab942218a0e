from __future__ import annotations

import pytest
from sklearn.tree import DecisionTreeClassifier

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.learners import Majority, create, known_names
from foldwise.learners.registry import _resolve


def test_short_name():
    assert isinstance(create("majority"), Majority)
    assert isinstance(create(" Majority "), Majority)


def test_numbers_in_names_set_the_parameter():
    assert _resolve("3nn") == ("foldwise.learners.nearest_neighbours:NearestNeighbours", {"k": 3})
    assert _resolve("mlp20") == ("foldwise.learners.perceptrons:MultilayerPerceptron", {"hidden": 20})


def test_any_class_with_literal_parameters():
    tree = create("sklearn.tree:DecisionTreeClassifier(max_depth=3, criterion='entropy')")
    assert isinstance(tree, DecisionTreeClassifier)
    assert (tree.max_depth, tree.criterion) == (3, "entropy")


def test_unknown_name_suggests_the_nearest():
    with pytest.raises(UnknownName, match="unknown learner 'majorty': did you mean 'majority'"):
        create("majorty")


@pytest.mark.parametrize(
    "spec",
    [
        "sklearn.tree:DecisionTreeClassifier(max_depth=__import__('os'))",
        "sklearn.tree:DecisionTreeClassifier(3)",
        "sklearn.tree:DecisionTreeClassifier(**{'max_depth': 3})",
        "sklearn.tree:DecisionTreeClassifier(max_depth=)",
    ],
)
def test_only_literals_are_taken(spec):
    with pytest.raises(InvalidInput, match="must be name=value with literal values"):
        create(spec)


@pytest.mark.parametrize("spec", ["sklearn.tree:Nothing", "no_such_module:Thing", ":Thing"])
def test_what_cannot_be_imported(spec):
    with pytest.raises(InvalidInput, match="can't be imported"):
        create(spec)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("math:pi", "learner 'math:pi' must be a class, but it is a float"),
        ("os:getcwd", "learner 'os:getcwd' must have fit and predict, but it is a str"),
        ("sklearn.preprocessing:StandardScaler", "must have fit and predict, but it is a StandardScaler"),
        ("builtins:int(x='a', base=40)", "does not take these parameters"),
    ],
)
def test_what_is_no_learner(spec, message):
    with pytest.raises(InvalidInput, match=message):
        create(spec)


def test_wrong_parameter():
    with pytest.raises(InvalidInput, match="does not take these parameters: Majority"):
        create("majority(depth=3)")


def test_not_a_learner_at_all():
    with pytest.raises(InvalidInput, match=r"must be written name or name\(param=value\), got ''"):
        create("")


def test_known_names_are_sorted():
    assert known_names() == sorted(known_names())
    assert "nb" in known_names()
