"""Errors travel between processes as they are."""

from __future__ import annotations

import pickle

import pytest

from foldwise.core import errors

RAISED = [
    errors.UnknownName("learner", "nbb", ["nb", "c45"]),
    errors.MissingDependency("reading Excel", "excel"),
    errors.InvalidInput("runs must be at least 1, got 0"),
    errors.StoreError("store 's.db' does not exist"),
    errors.DegenerateData("there is nothing to compare"),
]


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
def test_an_error_of_a_worker_arrives_with_its_kind_and_message(error):
    found = pickle.loads(pickle.dumps(error))
    assert type(found) is type(error)
    assert str(found) == str(error)
    assert found.args == error.args


def test_every_error_of_ours_is_tried_or_takes_its_message():
    own = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.FoldwiseError)]
    assert {kind for kind in own if "__init__" in vars(kind)} <= {type(error) for error in RAISED}
