from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import get_scorer_names

from foldwise.core.metric import is_loss, is_rate, resolve_direction, unit_of


@pytest.mark.parametrize("name", [
    "error", "error rate", "rmse", "RMSE", "mae", "mse", "log_loss", "Log-Loss", "logLoss", "brier", "brier_score",
    "loss", "val_loss", "perplexity", "cross entropy", "nll", "neg_log_likelihood", "negative log-likelihood",
    "MeanSquaredError", "wMAPE", "top_5_error", "dice_loss", "accuracy drop", "1 - AUC", "1−accuracy", "max_error",
    "Percent_incorrect", "false_positive_rate", "WER", "kl_divergence", "failure_rate", "miss_rate", "bits_per_byte",
    "rae", "rrse", "lpips", "nlpd",
])  # fmt: skip
def test_names_of_losses(name):
    assert is_loss(name) is True


@pytest.mark.parametrize("name", [
    "accuracy", "auc", "F1-score", "nDCG", "mAP", "pass@1", "R^2", "BLEU", "win rate", "brier_skill_score",
    "error reduction", "negative predictive value", "true_negative_rate", "mean_test_score", "1 - error",
    "test_score", "v_measure_score", "success_rate",
    "neg_mean_squared_error", "negative mean squared error", "d2_log_loss_score",
    "make_scorer(mean_squared_error, greater_is_better=False)",
])  # fmt: skip
def test_names_of_gains(name):
    assert is_loss(name) is False


@pytest.mark.parametrize("name", ["", "foo", "value", "x-yyy", "β", "score", "zeal score", "mark", "grade", "measure"])
def test_names_that_do_not_tell(name):
    assert is_loss(name) is None


def test_whatever_scikit_learn_calls_a_scorer_is_better_higher():
    assert [name for name in get_scorer_names() if is_loss(name) is not False] == []


@given(st.text(max_size=30))
def test_any_name_has_a_direction_and_a_unit(name):
    higher, how = resolve_direction(name, None)
    assert how in ("by its name", "assumed")
    assert higher or how != "assumed"
    assert unit_of(name, [0.5]) in ("fraction", "own")
    assert resolve_direction(name, not higher) == (not higher, "declared")


def test_rates_are_those_that_come_in_percent():
    assert all(is_rate(name) for name in ("accuracy", "error_rate", "F1 macro", "roc_auc", "WER", "win rate"))
    assert not any(is_rate(name) for name in ("rmse", "mean_squared_error", "perplexity", "log_loss", "foo"))
    assert unit_of("accuracy", [[99.0, np.nan]]) == "percent"
    assert unit_of("accuracy", [450.0]) == "own"
    assert unit_of("rmse", [45.0]) == "own"


@given(
    st.sampled_from(["score", "mark", "rating", "accuracy", "correctness"]), st.lists(st.integers(1, 10), min_size=2)
)
def test_grades_are_never_percent(name, grades):
    assert unit_of(name, grades) in (("own",) if max(grades) > 1 else ("own", "fraction"))


@given(st.lists(st.floats(-1e3, 1e3), min_size=1))
def test_values_alone_never_make_percentages(values):
    assert unit_of("score", values) == "own"
    assert unit_of("score", values, "percent") == "percent"
