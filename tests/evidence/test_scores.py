from __future__ import annotations

import numpy as np
import pytest

from foldwise.core.errors import InvalidInput
from foldwise.designs import kind_of
from foldwise.evidence.scores import Scores


@pytest.mark.parametrize(("shape", "layout", "design"), [
    ((10, 10), "repeated_cv", "10×10-fold cross-validation"),
    ((1, 10), "repeated_cv", "10-fold cross-validation"),
    ((5, 2), "five_by_two", "5×2-fold cross-validation"),
    ((30,), "splits", "30 random splits"),
])  # fmt: skip
def test_the_shape_tells_the_layout(shape, layout, design):
    scores = Scores.build({"a": np.ones(shape), "b": np.zeros(shape)}, n_train=200, n_test=100)
    assert (kind_of(scores).name, scores.design) == (layout, design)
    assert (scores.differences == 1).all()


def test_given_sizes_win_over_the_folds():
    zeros = {"a": np.zeros((2, 10)), "b": np.zeros((2, 10))}
    assert Scores.build(zeros).test_train_ratio == pytest.approx(1 / 9)
    assert Scores.build(zeros, n_train=50, n_test=25).correlation == pytest.approx(1 / 3)


@pytest.mark.parametrize(("a", "b", "options", "message"), [
    ([1, 2], [1, 2, 3], {}, r"one shape, got \(2,\) and \(3,\)"),
    (range(11), range(11), {}, "n_train and n_test are needed for random splits"),
    ([1], [2], {"n_train": 2, "n_test": 1}, "at least 2 are needed, got 1"),
    ([[1], [2]], [[1], [2]], {}, "at least 2 folds"),
    ([1, np.inf], [1, 2], {"n_train": 2, "n_test": 1}, r"scores_a\[1\] is inf"),
    ([1, 2], [1, 2], {"n_train": -2, "n_test": 1}, "n_train must be a number above 0, got -2"),
    ([[[1]]], [[[1]]], {}, r"\(runs, folds\) or \(splits,\)"),
])  # fmt: skip
def test_bad_scores_are_named(a, b, options, message):
    with pytest.raises(InvalidInput, match=message):
        Scores.build({"scores_a": a, "scores_b": b}, called=str, **options)
