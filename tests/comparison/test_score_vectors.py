"""Vectors of scores as `cross_val_score` gives them."""

import numpy as np
import pytest

import foldwise as fw
from foldwise.core.errors import InvalidInput

A = np.array([0.80, 0.82, 0.79, 0.84, 0.81, 0.83, 0.80, 0.82, 0.85, 0.79])
B = A - np.array([0.05, 0.02, 0.06, 0.03, 0.04, 0.05, 0.01, 0.06, 0.03, 0.04])


def test_a_short_vector_is_one_cross_validation_and_says_so():
    c = fw.compare_scores({"a": A[:5], "b": B[:5]})
    assert (c.design, c.pvalue) == (
        "5-fold cross-validation",
        fw.compare_scores({"a": A[None, :5], "b": B[None, :5]}).pvalue,
    )
    assert any("taken for one 5-fold cross-validation" in text for text in c.caveats)
    assert not any("taken for one" in text for text in fw.compare_scores({"a": A[:5], "b": B[:5]}, runs=1).caveats)


def test_runs_tell_how_a_vector_groups():
    assert (
        fw.compare_scores({"a": A, "b": B}, runs=2).pvalue
        == fw.compare_scores({"a": A.reshape(2, 5), "b": B.reshape(2, 5)}).pvalue
    )


def test_what_is_known_of_random_splits_wins():
    assert fw.compare_scores({"a": A, "b": B}, n_train=90, n_test=10).test == "corrected_resampled_t"


def test_a_repeated_cross_validation_is_never_taken_for_a_single_one():
    with pytest.raises(InvalidInput, match="or runs for a repeated cross-validation"):
        fw.compare_scores({"a": np.tile(A, 5), "b": np.tile(B, 5)})
    with pytest.raises(InvalidInput, match="runs must divide the 10 scores"):
        fw.compare_scores({"a": A, "b": B}, runs=3)
    with pytest.raises(InvalidInput, match="runs must be 2"):
        fw.compare_scores({"a": A.reshape(2, 5), "b": B.reshape(2, 5)}, runs=5)
