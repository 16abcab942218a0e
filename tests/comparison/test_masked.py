"""A mask says what is not there: no door may lose it."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import foldwise as fw
from foldwise import inference as inf
from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table

MASKED = np.ma.array([0.8, 99.0, 0.7, 0.9], mask=[False, True, False, False])
PLAIN = np.array([0.7, 0.8, 0.6, 0.9])
LABELS = np.ma.array([0, 1, 0, 1], mask=[False, False, True, False])
X = np.arange(12.0).reshape(4, 3)


@pytest.mark.parametrize("call", [
    lambda: fw.compare_scores({"a": MASKED, "b": PLAIN}, n_train=90, n_test=10),
    lambda: fw.compare_scores({"a": [MASKED, MASKED], "b": [PLAIN, PLAIN]}),
    lambda: fw.compare_predictions(LABELS, {"a": [0, 1, 0, 1], "b": [0, 1, 1, 1]}),
    lambda: fw.compare_predictions([0, 1, 0, 1], {"a": LABELS, "b": [0, 1, 1, 1]}),
    lambda: fw.compare_predictions([0, 1, 0, 1], {"a": [0, 1, 1, 1], "b": [0, 1, 1, 1]}, groups=LABELS),
    lambda: fw.compare([GaussianNB(), "majority"], X, LABELS, folds=2),
    lambda: fw.compare([GaussianNB(), "majority"], X, [0, 1, 0, 1], groups=LABELS, folds=2),
    lambda: fw.compare([GaussianNB(), "majority"], np.ma.masked_equal(X, 4), [0, 1, 0, 1], runs=1, folds=2),
    lambda: fw.compare_table([MASKED, MASKED]),
    lambda: fw.estimate_error("majority", X, LABELS, folds=2),
    lambda: inf.corrected_resampled_t(MASKED, test_train_ratio=0.1),
    lambda: inf.corrected_repeated_cv_t([MASKED, MASKED]),
    lambda: inf.correlated_bayesian_t(MASKED, correlation=0.1, rope=0.01),
    lambda: inf.mcnemar(MASKED, 3),
    lambda: inf.error_interval(np.ma.array([3, 4], mask=[True, False]), 10),
    lambda: inf.wilcoxon_signed_rank(MASKED, PLAIN),
])  # fmt: skip
def test_masked_values_are_refused(call):
    with pytest.raises(InvalidInput, match=r"must not have masked values, but \w+\[.*\] is masked"):
        call()


def test_a_mask_that_hides_nothing_is_no_matter():
    open_mask = np.ma.array(PLAIN, mask=False)
    c = fw.compare_scores({"a": open_mask, "b": PLAIN - 0.1 * np.arange(4)}, n_train=90, n_test=10)
    assert c.pairs[0].means[0] == pytest.approx(PLAIN.mean())


def test_tables_take_masked_cells_as_missing():
    scores = np.ma.array(np.random.default_rng(0).random((6, 3)), mask=np.arange(18).reshape(6, 3) == 4)
    as_nan = scores.filled(np.nan)
    assert inf.skillings_mack(scores).statistic == inf.skillings_mack(as_nan).statistic
    with pytest.raises(InvalidInput, match="there is none for learner 2 on data set 2"):
        fw.compare_table(scores)
    assert np.isnan(Table.build(np.ma.masked_equal(X, 4)).values[1, 1])
