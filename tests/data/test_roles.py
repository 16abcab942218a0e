from __future__ import annotations

import pytest

from foldwise.core.errors import InvalidInput
from foldwise.data import read_predictions, read_scores


def test_the_roles_of_the_columns_of_predictions():
    roles = read_predictions("id,cluster,nb,truth,tree\n1,x,a,a,b\n2,y,b,b,b\n").roles
    assert roles == {
        "id": "passed over",
        "cluster": "group",
        "nb": "classifier",
        "truth": "truth",
        "tree": "classifier",
    }


def test_the_roles_of_the_columns():
    long = read_scores("id,model,fold,repeat,auc,note\n1,a,1,1,0.5,x\n2,b,1,1,0.6,y\n")
    assert long.roles == {
        "id": "passed over", "model": "learner", "fold": "fold", "repeat": "run", "auc": "score", "note": "passed over",
    }  # fmt: skip
    assert read_scores("split,a,b\n1,0.5,0.6\n2,0.4,0.3\n").roles == {"split": "fold", "a": "score", "b": "score"}


@pytest.mark.parametrize(("a", "b", "pair"), [("z", "x", ("z", "x")), ("x", "y", ("x", "y")), ("y", "y", ("y", "y"))])
def test_the_pair_that_is_named(a, b, pair):
    assert read_scores("x,y,z\n1,2,3\n4,5,6\n").pair(a, b) == pair


def test_one_name_is_enough_where_two_learners_are():
    file = read_scores("x,y\n1,2\n4,5\n")
    assert file.pair("y") == ("y", "x")
    assert file.pair(None, "x") == ("y", "x")


def test_one_name_of_three_is_not_enough():
    with pytest.raises(InvalidInput, match="say which two to compare"):
        read_scores("x,y,z\n1,2,3\n4,5,6\n").pair("z")


def test_a_learner_that_is_not_there():
    with pytest.raises(InvalidInput, match="unknown learner 'w'"):
        read_scores("x,y,z\n1,2,3\n4,5,6\n").pair("w", "x")
