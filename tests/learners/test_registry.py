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
        ("os:getcwd", "learner 'os:getcwd' must be a class with fit and predict"),
        ("sklearn.preprocessing:StandardScaler", "must have fit and predict, but the class StandardScaler has not"),
        ("builtins:int(x='a', base=40)", "must have fit and predict, but the class int has not"),
        ("9999999999nn", "must have at most 9 digits"),
        ("1" * 20_000 + "nn", "at most 10,000 characters, got 20,002"),
        (f"nb(x={'[' * 400}{']' * 400})", "nested too deeply|must be name=value"),
        (f"nb(x={'-' * 9000}1)", "nested too deeply|must be name=value"),
        ("nb(x='\0')", "must be name=value"),
    ],
)
def test_what_is_no_learner(spec, message):
    with pytest.raises(InvalidInput, match=message):
        create(spec)


@pytest.mark.parametrize("call", [
    "os:system(command='touch {}')", "os:popen(cmd='touch {}')", "os:mkdir(path='{}')", "pathlib:Path.touch",
    "subprocess:run(args=['touch', '{}'])", "subprocess:Popen(args=['touch', '{}'])",
    "subprocess:check_output(args=['touch', '{}'])", "shutil:copy(src='/dev/null', dst='{}')",
    "builtins:open(file='{}', mode='w')", "pathlib:Path(a='{}')", "joblib:dump(value=1, filename='{}')",
    "numpy:save(file='{}', arr=1)", "sqlite3:connect(database='{}')", "_posixsubprocess:fork_exec",
])  # fmt: skip
def test_what_is_no_learner_is_not_even_called(tmp_path, call):
    trace = tmp_path / "trace"
    with pytest.raises(InvalidInput, match=r"must have fit and predict|it was not called|can't be imported"):
        create(call.format(trace))
    assert list(tmp_path.iterdir()) == []


OWN = """
import os
from os import system as borrowed
from sklearn.tree import DecisionTreeClassifier

def tree(depth=2):
    return DecisionTreeClassifier(max_depth=depth)

def number():
    return 3

class Odd(Exception):
    def __str__(self):
        raise RuntimeError

class Raises:
    def __init__(self):
        raise Odd
    def fit(self, X, y): ...
    def predict(self, X): ...
"""


def test_functions_of_a_users_own_module_are_called(tmp_path, monkeypatch):
    (tmp_path / "foldwise_own_learners.py").write_text(OWN)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert create("foldwise_own_learners:tree(depth=4)").max_depth == 4
    with pytest.raises(InvalidInput, match="must have fit and predict, but it is a int"):
        create("foldwise_own_learners:number")
    with pytest.raises(InvalidInput, match="it was not called"):
        create("foldwise_own_learners:borrowed(command='true')")
    with pytest.raises(InvalidInput, match="can't be made: Odd: Odd"):
        create("foldwise_own_learners:Raises")


@pytest.mark.parametrize("text", ["raise RuntimeError('no')", "def f(:", "import no_such_module_at_all", "1 / 0"])
def test_a_module_that_can_not_be_imported_is_one_sentence(tmp_path, monkeypatch, text):
    (tmp_path / "foldwise_broken_module.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(InvalidInput, match="learner 'foldwise_broken_module:X' can't be imported"):
        create("foldwise_broken_module:X")


def test_wrong_parameter():
    with pytest.raises(InvalidInput, match="does not take these parameters: Majority"):
        create("majority(depth=3)")


def test_not_a_learner_at_all():
    with pytest.raises(InvalidInput, match=r"must be written name or name\(param=value\), got ''"):
        create("")


def test_known_names_are_sorted():
    assert known_names() == sorted(known_names())
    assert "nb" in known_names()
