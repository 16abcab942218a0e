"""The resampling that `compare` runs for each kind of test, seen in what the answer rests on."""

from __future__ import annotations

import numpy as np
import pytest

import foldwise as fw

N = 60


@pytest.mark.parametrize(("test", "runs", "folds", "shape", "n_test"), [
    ("corrected_repeated_cv_t", 2, 5, (2, 5), N / 5),
    ("corrected_resampled_t", 2, 5, (10,), N / 5),
    ("corrected_resampled_t", 1, 4, (4,), N / 4),
    ("kfold_cv_t", 3, 6, (1, 6), N / 6),
    ("five_by_two_cv_f", 3, 6, (5, 2), N / 2),
])  # fmt: skip
def test_the_folds_decide_the_sizes_of_the_splits(test, runs, folds, shape, n_test):
    rng = np.random.default_rng(0)
    y = np.tile([0, 1], N // 2)
    c = fw.compare(["nb", "majority"], rng.normal(size=(N, 2)) + y[:, None], y, test=test, runs=runs, folds=folds)
    assert c.evidence.a.shape == shape
    assert (c.evidence.n_test, c.evidence.n_train) == (n_test, N - n_test)


@pytest.mark.parametrize("folds", [4, 5])
def test_the_resampled_t_is_corrected_by_the_sizes_that_the_folds_give(folds):
    rng = np.random.default_rng(1)
    y = np.tile([0, 1], N // 2)
    data = rng.normal(size=(N, 2)) + y[:, None], y
    c = fw.compare(["nb", "1nn"], *data, test="corrected_resampled_t", runs=2, folds=folds)
    expected = fw.inference.corrected_resampled_t(c.evidence.differences, test_train_ratio=1 / (folds - 1))
    assert c.pvalue == pytest.approx(float(expected.pvalue), rel=1e-12)
