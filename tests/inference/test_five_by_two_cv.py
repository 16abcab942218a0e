from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from mlxtend.evaluate import combined_ftest_5x2cv, paired_ttest_5x2cv
from scipy import special

from foldwise.core.errors import DegenerateVariance, EmptyInterval, InvalidInput
from foldwise.inference import five_by_two_cv_f, five_by_two_cv_t

values = st.integers(-30, 30).map(lambda k: k / 30)
matrix = hnp.arrays(float, (5, 2), elements=values)
with_variance = matrix.filter(lambda x: np.any(x[:, 0] != x[:, 1]))


class Prepared:
    """An estimator whose score on each call is prepared, so that mlxtend meets the differences we choose."""

    def __init__(self, scores):
        self.scores = iter(scores)

    def fit(self, X, y):
        return self


def mlxtend(test, x):
    x = np.asarray(x)
    first, second = Prepared(x.ravel()), Prepared(np.zeros(10))
    return test(first, second, np.zeros((8, 1)), np.arange(8), scoring=lambda e, _X, _y: next(e.scores), random_seed=0)


@pytest.mark.parametrize("seed", range(5))
def test_agree_with_mlxtend(seed):
    x = np.random.default_rng(seed).normal(0.02, 0.03, size=(5, 2))
    t, f = five_by_two_cv_t(x), five_by_two_cv_f(x)
    assert (t.statistic, t.pvalue) == pytest.approx(mlxtend(paired_ttest_5x2cv, x), rel=1e-11)
    assert (f.statistic, f.pvalue) == pytest.approx(mlxtend(combined_ftest_5x2cv, x), rel=1e-11)


def test_thresholds_printed_in_the_papers():
    # dietterich1998 §3.5: reject if |t| > 2.571; alpaydin1999 §3: reject if f > 4.74
    assert -special.stdtrit(5, 0.025) == pytest.approx(2.571, abs=5e-4)
    assert special.fdtri(10, 5, 0.95) == pytest.approx(4.74, abs=5e-3)
    base = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]) / np.sqrt(0.5)  # every s² is 1
    for first, rejects in [(2.57, False), (2.58, True)]:
        x = base.copy()
        x[0] = first, first + np.sqrt(2)
        assert (five_by_two_cv_t(x).pvalue < 0.05) == rejects


@given(with_variance)
def test_f_is_the_mean_of_the_ten_squared_t(x):
    # alpaydin1999 §3: the numerator and denominator of f sum what the ten statistics hold
    assert five_by_two_cv_f(x).statistic == pytest.approx((five_by_two_cv_t(x).statistics ** 2).mean(), rel=1e-12)


@given(with_variance)
def test_swapping_the_learners_mirrors_everything(x):
    there, back = five_by_two_cv_t(x), five_by_two_cv_t(-x)
    assert there.pvalue == back.pvalue
    assert there.statistics.tolist() == (-back.statistics).tolist()
    assert there.confidence_interval(0.9) == -back.confidence_interval(0.9)
    assert five_by_two_cv_f(x).pvalue == five_by_two_cv_f(-x).pvalue


def test_t_depends_on_the_order_and_f_does_not():
    x = np.array([[0.05, 0.01], [0.03, 0.04], [0.02, 0.06], [0.01, 0.02], [0.04, 0.00]])
    assert five_by_two_cv_t(x).pvalue != five_by_two_cv_t(x[::-1]).pvalue
    assert five_by_two_cv_t(x).pvalue != five_by_two_cv_t(x[:, ::-1]).pvalue
    assert five_by_two_cv_f(x).pvalue == pytest.approx(five_by_two_cv_f(x[::-1]).pvalue, rel=1e-12)


@given(with_variance, st.permutations(range(5)), st.lists(st.booleans(), min_size=5, max_size=5))
def test_f_ignores_the_order_and_t_permutes_with_it(x, order, flips):
    moved = np.array([row[::-1] if flip else row for row, flip in zip(x[order], flips, strict=True)])
    assert five_by_two_cv_f(moved).statistic == pytest.approx(five_by_two_cv_f(x).statistic, rel=1e-12)
    ours, theirs = five_by_two_cv_t(x).statistics.ravel(), five_by_two_cv_t(moved).statistics.ravel()
    assert np.sort(theirs) == pytest.approx(np.sort(ours), rel=1e-12)


@given(with_variance, st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_t_interval_excludes_zero_exactly_when_the_test_rejects(x, level):
    result = five_by_two_cv_t(x)
    if abs(result.pvalue - (1 - level)) > 1e-12:
        assert (0 not in result.confidence_interval(level)) == (result.pvalue < 1 - level)


@given(with_variance, st.sampled_from([0.5, 0.9, 0.95, 0.99]), st.integers(-40, 40))
@pytest.mark.filterwarnings("ignore::foldwise.core.errors.EmptyInterval")
def test_f_interval_holds_exactly_the_differences_not_rejected(x, level, k):
    delta = k / 37
    interval = five_by_two_cv_f(x).confidence_interval(level)
    pvalue = five_by_two_cv_f(x - delta).pvalue
    if abs(pvalue - (1 - level)) > 1e-12:
        assert (delta not in interval) == (pvalue < 1 - level)


def test_f_interval_may_be_empty_but_never_silently():
    x = np.array([[0.9, 0.91], [-0.9, -0.9], [0.5, 0.5], [-0.5, -0.51], [0.0, 0.0]])
    result = five_by_two_cv_f(x)
    with pytest.warns(EmptyInterval, match="rejects every difference at level 0.05 in 1 of 1 experiments"):
        interval = result.confidence_interval(0.95)
    assert np.isnan([interval.low, interval.high]).all()
    assert all(five_by_two_cv_f(x - delta).pvalue < 0.05 for delta in np.linspace(-1, 1, 81))


@given(hnp.arrays(float, (3, 5, 2), elements=values))
def test_batched_equals_looped(x):
    x[..., 0, 0] += 0.01
    t, f = five_by_two_cv_t(x), five_by_two_cv_f(x)
    for place in range(3):
        single_t, single_f = five_by_two_cv_t(x[place]), five_by_two_cv_f(x[place])
        assert t.statistics[place] == pytest.approx(single_t.statistics, rel=1e-13)
        assert t.pvalue[place] == pytest.approx(single_t.pvalue, rel=1e-13)
        assert (f.statistic[place], f.estimate[place]) == pytest.approx((single_f.statistic, single_f.estimate))


def test_a_learner_against_itself_is_no_evidence():
    t, f = five_by_two_cv_t(np.zeros((5, 2))), five_by_two_cv_f(np.zeros((5, 2)))
    assert (t.statistic, t.pvalue, f.statistic, f.pvalue) == (0, 1, 0, 1)
    assert (t.pvalues == 1).all()
    assert (f.confidence_interval().low, f.confidence_interval().high) == (-np.inf, np.inf)


@pytest.mark.parametrize("value", [0.1, -1 / 3])
def test_constant_differences_reject_with_a_warning(value):
    x = np.full((5, 2), value)
    with pytest.warns(DegenerateVariance, match="p = 0 is not credible"):
        t = five_by_two_cv_t(x)
    with pytest.warns(DegenerateVariance, match="the two differences of every run are the same"):
        f = five_by_two_cv_f(x)
    assert (t.statistic, t.pvalue, f.statistic, f.pvalue) == (np.sign(value) * np.inf, 0, np.inf, 0)
    for result in (t, f):
        with pytest.warns(DegenerateVariance, match="there is no interval"):
            interval = result.confidence_interval()
        assert np.isnan([interval.low, interval.high]).all()


def test_first_difference_zero_without_variance_is_no_evidence_for_t():
    x = np.full((5, 2), 0.1)
    x[0] = 0
    result = five_by_two_cv_t(x)
    assert (result.statistic, result.pvalue) == (0, 1)
    assert np.isinf(result.statistics[1:]).all()


def test_estimates():
    x = np.array([[0.05, 0.01], [0.03, 0.04], [0.02, 0.06], [0.01, 0.02], [0.04, 0.00]])
    t = five_by_two_cv_t(x)
    assert (t.estimate, t.mean, five_by_two_cv_f(x).estimate) == (0.05, x.mean(), x.mean())


def test_one_sided_t():
    x = np.array([[0.05, 0.01], [0.03, 0.04], [0.02, 0.06], [0.01, 0.02], [0.04, 0.00]])
    assert five_by_two_cv_t(x, alternative="greater").pvalue == pytest.approx(five_by_two_cv_t(x).pvalue / 2)
    assert five_by_two_cv_t(-x, alternative="less").pvalue == pytest.approx(five_by_two_cv_t(x).pvalue / 2)


@pytest.mark.parametrize("test", [five_by_two_cv_t, five_by_two_cv_f])
@pytest.mark.parametrize("shape", [(10, 10), (2, 5), (10,), ()])
def test_other_shapes_are_refused_with_the_shape_needed(test, shape):
    with pytest.raises(InvalidInput, match=r"x must have shape \(\.\.\., 5, 2\), got shape \(") as caught:
        test(np.ones(shape))
    assert str(shape) in str(caught.value)


@pytest.mark.parametrize("test", [five_by_two_cv_t, five_by_two_cv_f])
@pytest.mark.parametrize(("bad", "message"), [
    (np.nan, r"x\[2, 1\] is nan"),
    (-np.inf, r"x\[2, 1\] is -inf"),
    (1e200, "small enough to be squared"),
])  # fmt: skip
def test_what_is_not_finite_is_refused_with_its_position(test, bad, message):
    x = np.zeros((5, 2))
    x[2, 1] = bad
    with pytest.raises(InvalidInput, match=message):
        test(x)
