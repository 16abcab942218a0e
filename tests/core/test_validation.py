from __future__ import annotations

import numpy as np
import pytest

from foldwise.core import validation
from foldwise.core.errors import FoldwiseError, InvalidInput, MissingDependency, UnknownName


@pytest.mark.parametrize(("call", "message"), [
    (lambda: validation.numbers([[1, np.nan]], "x"), r"x must be finite, but x\[0, 1\] is nan"),
    (lambda: validation.numbers([1, [2]], "x"), "x must be an array of numbers of one shape"),
    (lambda: validation.numbers([1], "x", min_ndim=2), r"x must have at least 2 axes, got shape \(1,\)"),
    (lambda: validation.counts([1, -2], "n"), r"n must be whole numbers of at least 0, but n\[1\] is -2"),
    (lambda: validation.flag("no", "pruned"), "pruned must be True or False, got 'no'"),
    (lambda: validation.flag(2, "pruned"), "pruned must be True or False, got 2"),
    (lambda: validation.fraction(1, "alpha"), "alpha must be strictly between 0 and 1, got 1"),
    (lambda: validation.fraction(1.1, "share", closed=True), "share must be from 0 to 1, got 1.1"),
    (lambda: validation.fraction(None, "alpha"), "alpha must be a number, got None"),
    (lambda: validation.positive(np.inf, "n"), "n must be a number above 0, got inf"),
    (lambda: validation.not_negative(-0.1, "rope"), "rope must be a number of at least 0, got -0.1"),
    (lambda: validation.integer(2.0, "folds", minimum=2), "folds must be a whole number of at least 2, got 2.0"),
    (lambda: validation.integer(True, "folds", minimum=0), "folds must be a whole number"),
    (lambda: validation.one_of("exac", "method", ["exact"]), "unknown method 'exac': did you mean 'exact'"),
])  # fmt: skip
def test_messages_name_parameter_rule_and_value(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()


def test_what_is_allowed_comes_back_as_plain_numbers():
    assert validation.integer(np.int64(3), "folds", minimum=2) == 3
    assert validation.fraction(1, "share", closed=True) == 1.0
    assert validation.counts(3, "n").dtype == np.float64


def test_the_tree_has_one_root_and_familiar_branches():
    assert issubclass(InvalidInput, (FoldwiseError, ValueError))
    assert issubclass(MissingDependency, ImportError)
    assert "pip install 'foldwise[cluster]'" in str(MissingDependency("A cluster", "cluster"))
    assert "did you mean" not in str(UnknownName("test", "zzzz", ["mcnemar"]))


def test_a_message_lists_a_few_of_very_many_names():
    message = str(UnknownName("learner", "x", map(str, range(100_000))))
    assert message.endswith("… and 99,940 more")
    assert len(message) < 1000
