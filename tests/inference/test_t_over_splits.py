"""resampled_t, kfold_cv_t, corrected_resampled_t and corrected_repeated_cv_t: one statistic, four variances."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from foldwise.core.errors import DegenerateVariance, InvalidInput, UnknownName
from foldwise.inference import corrected_repeated_cv_t, corrected_resampled_t, kfold_cv_t, resampled_t


def repeated(x, **options):
    """The repeated cv test on a flat sample: the last axis becomes runs of 2 folds, whose order does not matter."""
    x = np.asarray(x)
    return corrected_repeated_cv_t(x.reshape(*x.shape[:-1], -1, 2), **options)


TESTS = {
    "resampled_t": resampled_t,
    "kfold_cv_t": kfold_cv_t,
    "corrected_resampled_t": partial(corrected_resampled_t, test_train_ratio=1 / 9),
    "corrected_repeated_cv_t": repeated,
}
every_test = pytest.mark.parametrize("test", TESTS.values(), ids=TESTS.keys())
# differences of accuracies on 30 test examples: ties, zeros and values that binary fractions can't hold
values = st.integers(-30, 30).map(lambda k: k / 30)
sample = hnp.arrays(float, st.sampled_from([2, 4, 10]), elements=values)
spread_out = sample.filter(lambda x: np.ptp(x) > 0)


@given(x=spread_out)
def test_swapping_the_learners_mirrors_everything(x):
    for test in TESTS.values():
        there, back = test(x), test(-x)
        assert there.pvalue == back.pvalue
        assert there.statistic == -back.statistic
        assert there.confidence_interval(0.9) == -back.confidence_interval(0.9)


@given(x=spread_out)
def test_one_sided_pvalues_are_complementary_and_swap(x):
    for test in TESTS.values():
        less, greater = test(x, alternative="less").pvalue, test(x, alternative="greater").pvalue
        assert less + greater == pytest.approx(1, abs=1e-14)
        assert test(-x, alternative="less").pvalue == greater
        assert test(x).pvalue == pytest.approx(2 * min(less, greater), rel=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@given(x=spread_out, level=st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_interval_excludes_zero_exactly_when_the_test_rejects(alternative, x, level):
    for test in TESTS.values():
        result = test(x, alternative=alternative)
        if abs(result.pvalue - (1 - level)) > 1e-12:
            assert (0 not in result.confidence_interval(level)) == (result.pvalue < 1 - level)


@given(x=spread_out, seed=st.integers(0, 5))
def test_order_changes_nothing(x, seed):
    for test in TESTS.values():
        shuffled = np.random.default_rng(seed).permutation(x)
        assert test(shuffled).statistic == pytest.approx(test(x).statistic, rel=1e-9, abs=1e-12)


@given(x=hnp.arrays(float, st.sampled_from([(3, 4), (2, 3, 10), (1, 2)]), elements=values))
def test_batched_equals_looped(x):
    x[..., 0] += 0.01  # never all the same
    for test in TESTS.values():
        batched = test(x)
        for place in np.ndindex(x.shape[:-1]):
            single = test(x[place])
            assert [batched.statistic[place], batched.pvalue[place], batched.standard_error[place]] == pytest.approx(
                [single.statistic, single.pvalue, single.standard_error], rel=1e-13
            )
            assert batched.df[place] == single.df


@every_test
@pytest.mark.parametrize("n", [2, 6, 10])
def test_a_learner_against_itself_is_no_evidence(test, n):
    result = test(np.zeros(n))
    assert (result.statistic, result.pvalue, result.estimate) == (0, 1, 0)
    interval = result.confidence_interval(0.95)
    assert (interval.low, interval.high) == (-np.inf, np.inf)


@every_test
@pytest.mark.parametrize("value", [0.1, -0.1, 1 / 3, 1e-9, 1e9])
@pytest.mark.parametrize("n", [2, 6, 10, 100])
def test_constant_differences_reject_with_a_warning(test, value, n):
    with pytest.warns(DegenerateVariance, match="variance estimate is 0"):
        result = test(np.full(n, value))
    assert (result.statistic, result.pvalue, result.standard_error) == (np.sign(value) * np.inf, 0, 0)
    assert result.estimate == value


@every_test
def test_one_sided_constant_differences(test):
    with pytest.warns(DegenerateVariance):
        assert test(np.full(4, 0.1), alternative="less").pvalue == 1
    with pytest.warns(DegenerateVariance):
        assert test(np.full(4, 0.1), alternative="greater").pvalue == 0


@every_test
def test_constant_experiments_do_not_disturb_others(test):
    x = np.array([[0.1, 0.1, 0.1, 0.1], [0.1, 0.2, 0.1, 0.3], [0, 0, 0, 0]])
    with pytest.warns(DegenerateVariance):
        batched = test(x)
    assert batched.pvalue.tolist() == [0, test(x[1]).pvalue, 1]


@every_test
def test_means_far_from_zero_keep_their_digits(test):
    # the variance must not come from the difference of two huge sums
    x = np.array([1e8 + 1, 1e8 + 2, 1e8 + 3, 1e8 + 4])
    assert test(x).standard_error == pytest.approx(test(x - 1e8).standard_error, rel=1e-12)


@every_test
@pytest.mark.parametrize(("x", "message"), [
    ([1.0, 2.0, np.nan, 1.0], r"x must be finite, but x\[.*\] is nan"),
    ([[1.0, 2.0], [np.inf, 1.0]], r"x must be finite, but x\[1, .*0\] is inf"),
    ([1e200, -1e200], r"x must be small enough to be squared, but its largest value is 1e\+200"),
    (["many", "few"], "x must be an array of numbers"),
])  # fmt: skip
def test_what_is_not_finite_is_refused_with_its_position(test, x, message):
    with pytest.raises(InvalidInput, match=message):
        test(x)


@pytest.mark.parametrize("test", list(TESTS.values())[:3], ids=list(TESTS)[:3])
@pytest.mark.parametrize("x", [[0.1], [[0.1], [0.2]], 0.1, np.empty((0,))])
def test_one_split_has_no_variance(test, x):
    with pytest.raises(InvalidInput, match="at least 2 differences"):
        test(x)


@pytest.mark.parametrize(("x", "message"), [
    ([[0.1]], "at least 2 differences"),
    ([0.1, 0.2], r"must have shape \(\.\.\., runs, folds\), got shape \(2,\)"),
    ([[0.1], [0.2]], "at least 2 folds unless test_train_ratio is given"),
])  # fmt: skip
def test_repeated_cv_needs_runs_and_folds(x, message):
    with pytest.raises(InvalidInput, match=message):
        corrected_repeated_cv_t(x)


@pytest.mark.parametrize("ratio", [0, -0.1, [0.1, 0]])
@pytest.mark.parametrize("test", [corrected_resampled_t, corrected_repeated_cv_t])
def test_ratio_must_be_above_zero(test, ratio):
    with pytest.raises(InvalidInput, match="test_train_ratio must be test size / training size, above 0, got"):
        test([[0.1, 0.2], [0.3, 0.1]], test_train_ratio=ratio)


def test_position_is_that_of_the_matrix_given():
    x = np.zeros((4, 3, 5))
    x[2, 1, 4] = np.nan
    with pytest.raises(InvalidInput, match=r"x\[2, 1, 4\] is nan"):
        corrected_repeated_cv_t(x)


def test_ratio_must_be_finite():
    with pytest.raises(InvalidInput, match="test_train_ratio must be finite"):
        corrected_resampled_t([0.1, 0.2], test_train_ratio=np.inf)


def test_ratio_may_differ_between_experiments():
    x = np.random.default_rng(0).normal(size=(3, 5))
    ratios = np.array([0.1, 0.5, 1.0])
    batched = corrected_resampled_t(x, test_train_ratio=ratios)
    looped = [corrected_resampled_t(a, test_train_ratio=r).pvalue for a, r in zip(x, ratios, strict=True)]
    assert batched.pvalue == pytest.approx(looped, rel=1e-13)


@given(x=hnp.arrays(float, (3, 4), elements=values).filter(lambda x: np.ptp(x) > 0))
def test_repeated_cv_is_corrected_resampling_with_the_folds_ratio(x):
    repeated_cv = corrected_repeated_cv_t(x)
    assert repeated_cv == corrected_resampled_t(x.ravel(), test_train_ratio=1 / 3)
    assert repeated_cv == corrected_repeated_cv_t(x, test_train_ratio=1 / 3)


@given(x=spread_out)
def test_the_correction_never_makes_a_result_more_significant(x):
    plain, corrected = resampled_t(x), corrected_resampled_t(x, test_train_ratio=1 / 9)
    assert corrected.pvalue >= plain.pvalue


def test_unknown_alternative():
    with pytest.raises(UnknownName, match="did you mean 'greater'"):
        resampled_t([1, 2], alternative="greter")


@pytest.mark.parametrize("level", [0, 1, 1.5, -0.1])
def test_level_out_of_range(level):
    with pytest.raises(InvalidInput, match="confidence_level must be strictly between 0 and 1"):
        resampled_t([1, 2]).confidence_interval(level)
