from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from foldwise.core.errors import DegenerateVariance, InvalidInput, UnknownName
from foldwise.inference import (
    corrected_resampled_t,
    explicit_df,
    explicit_df_corrected,
    kfold_cv_t,
    repeated_cv_parts,
)

values = st.integers(-30, 30).map(lambda k: k / 30)
sample = hnp.arrays(float, st.sampled_from([2, 5, 10]), elements=values).filter(lambda x: np.ptp(x) > 0)
batch = hnp.arrays(float, (6, 5), elements=values).map(lambda x: x + np.array([0.01, 0, 0, 0, 0]))


@given(sample)
def test_nominal_df_is_the_plain_test(x):
    ours, plain = explicit_df(x).test(), kfold_cv_t(x)
    assert (ours.statistic, ours.pvalue) == pytest.approx((plain.statistic, plain.pvalue), rel=1e-12)


@given(sample)
def test_corrected_form_differs_from_nadeau_and_bengio_by_the_factor_of_methods(x):
    n = len(x)
    literal = explicit_df_corrected(x, test_train_ratio=1 / 9).test()
    usual = corrected_resampled_t(x, test_train_ratio=1 / 9)
    assert literal.statistic * np.sqrt((n - 1) / n) == pytest.approx(usual.statistic, rel=1e-12)
    assert literal.df == usual.df


@given(batch, st.sampled_from(["two-sided", "less", "greater"]), st.sampled_from([0.01, 0.05, 0.3]))
def test_rejects_is_a_pvalue_below_alpha(x, alternative, alpha):
    parts, df = explicit_df(x), np.arange(2, 101.0)[:, None]
    pvalue = parts.test(df, alternative=alternative).pvalue
    clear = np.abs(pvalue - alpha) > 1e-12
    assert (parts.rejects(df, alpha=alpha, alternative=alternative) == (pvalue < alpha))[clear].all()


@given(batch)
def test_many_df_at_once_equal_one_by_one(x):
    parts = explicit_df_corrected(x, test_train_ratio=0.5)
    together = parts.test(np.array([[2.0], [7.0], [40.0]]))
    assert together.pvalue.shape == together.df.shape == together.estimate.shape == (3, 6)
    for row, df in enumerate([2, 7, 40]):
        assert together.pvalue[row] == pytest.approx(parts.test(df).pvalue, rel=1e-13)


@given(sample)
def test_rejection_grows_with_df(x):
    statistic = np.abs(explicit_df(x).test(np.arange(2, 101.0)).statistic)
    assert (np.diff(statistic) >= 0).all()


def test_ratio_may_differ_between_experiments():
    x = np.random.default_rng(0).normal(size=(2, 5))
    parts = explicit_df_corrected(x, test_train_ratio=[0.1, 0.5])
    assert parts.sigma[1] == pytest.approx(explicit_df_corrected(x[1], test_train_ratio=0.5).sigma)


def test_parts_of_repeated_cv_reject_like_their_test():
    x = np.random.default_rng(0).normal(0.2, 1, size=(50, 10, 10))
    parts = repeated_cv_parts(x, variant="sorted_runs")
    df = np.arange(2, 101.0)[:, None]
    assert (parts.rejects(df) == (parts.test(df).pvalue < 0.05)).all()


def test_degenerate_variance():
    x = np.array([[0.0, 0, 0], [0.1, 0.1, 0.1], [-0.1, -0.1, -0.1]])
    parts = explicit_df(x)
    assert parts.rejects(5).tolist() == [False, True, True]
    assert parts.rejects(5, alternative="less").tolist() == [False, False, True]
    with pytest.warns(DegenerateVariance):
        assert parts.test(5).pvalue.tolist() == [1, 0, 0]


@pytest.mark.parametrize(("call", "message"), [
    (lambda p: p.test(0), "df must be above 0, got 0"),
    (lambda p: p.test(np.inf), "df must be finite"),
    (lambda p: p.rejects([2, -3]), "df must be above 0, got -3"),
    (lambda p: p.rejects(3, alpha=1), "alpha must be strictly between 0 and 1"),
])  # fmt: skip
def test_bad_values_are_named(call, message):
    with pytest.raises(InvalidInput, match=message):
        call(explicit_df([0.1, 0.2, 0.4]))


def test_unknown_alternative():
    with pytest.raises(UnknownName, match="did you mean 'less'"):
        explicit_df([0.1, 0.2]).rejects(3, alternative="les")


def test_bad_samples_and_ratios():
    with pytest.raises(InvalidInput, match="at least 2 differences"):
        explicit_df([0.1])
    with pytest.raises(InvalidInput, match="test_train_ratio must be"):
        explicit_df_corrected([0.1, 0.2], test_train_ratio=0)
