"""The ten repeated-cv tests and their calibrated degrees of freedom."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from foldwise.core.errors import DegenerateVariance, InvalidInput, UnknownName
from foldwise.inference import (
    VARIANTS,
    calibrated_df,
    corrected_repeated_cv_t,
    repeated_cv,
    repeated_cv_parts,
    repeated_cv_test,
)
from foldwise.inference.repeated_cv import CALIBRATABLE, NOT_CALIBRATABLE, calibration_stamp

FIGURE_1 = np.array([[3.33, 10, -6.66], [6.66, 3.33, 0], [6.66, -10, -3.33]])
ORDER_FREE = [v for v in VARIANTS if not v.startswith("runs")]
every_variant = pytest.mark.parametrize("variant", VARIANTS)
normal = hnp.arrays(np.int64, st.sampled_from([(2, 2), (3, 4), (5, 3)]), elements=st.integers(-1000, 1000)).map(
    # a fixed small tilt keeps every group's variance above 0, so that all variants are regular
    lambda x: x / 1000 + np.random.default_rng(3).normal(0, 1e-3, size=x.shape)
)


def test_figure_1_of_the_paper():
    # bouckaert2003 Figure 1; the scan drops the sign of −2.22
    for variant, means in [
        ("folds", [2.22, 3.33, -2.22]),
        ("runs", [5.55, 1.11, -3.33]),
        ("sorted_runs", [-5.55, 1.11, 7.77]),
    ]:
        parts = repeated_cv_parts(FIGURE_1, variant=variant)
        assert parts.sigma == pytest.approx(np.std(means, ddof=1), abs=5e-3)
        assert parts.estimate == pytest.approx(np.mean(means), abs=5e-3)


@every_variant
def test_nominal_degrees_of_freedom(variant):
    # METHODS: the table of the ten tests, for 3 runs of 5 folds
    expected = {
        "use_all_data": 14, "folds": 2, "folds_averaged_var": 2, "runs": 4, "runs_averaged_var": 4, "sorted_runs": 4,
        "sorted_runs_averaged_var": 4, "folds_averaged_t": 4, "runs_averaged_t": 2, "sorted_runs_averaged_t": 2,
    }  # fmt: skip
    x = np.random.default_rng(0).normal(size=(3, 5))
    assert repeated_cv_test(x, variant=variant).df == expected[variant]


@given(x=normal)
def test_swapping_the_learners_mirrors_everything(x):
    for variant in VARIANTS:
        there, back = repeated_cv_test(x, variant=variant), repeated_cv_test(-x, variant=variant)
        assert there.statistic == pytest.approx(-back.statistic, rel=1e-9, abs=1e-12)
        assert there.pvalue == pytest.approx(back.pvalue, rel=1e-8)


@given(x=normal, seed=st.integers(0, 5))
def test_order_of_folds_within_a_run_matters_not(x, seed):
    for variant in ORDER_FREE:
        shuffled = np.random.default_rng(seed).permuted(x, axis=1)
        before, after = repeated_cv_test(x, variant=variant), repeated_cv_test(shuffled, variant=variant)
        assert after.statistic == pytest.approx(before.statistic, rel=1e-9, abs=1e-12)


@given(x=normal, seed=st.integers(0, 5))
def test_order_of_runs_matters_not(x, seed):
    for variant in VARIANTS:
        shuffled = np.random.default_rng(seed).permutation(x)
        before, after = repeated_cv_test(x, variant=variant), repeated_cv_test(shuffled, variant=variant)
        assert after.statistic == pytest.approx(before.statistic, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("variant", sorted(set(VARIANTS) - set(ORDER_FREE)))
def test_runs_variants_do_depend_on_the_folds_order_but_not_on_their_numbers(variant):
    x = np.random.default_rng(1).normal(size=(4, 5))
    before = repeated_cv_test(x, variant=variant).statistic
    one_run_turned = x.copy()
    one_run_turned[0] = x[0, ::-1]
    assert repeated_cv_test(one_run_turned, variant=variant).statistic != pytest.approx(before, rel=1e-6)
    assert repeated_cv_test(x[:, ::-1], variant=variant).statistic == pytest.approx(before, rel=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@given(x=normal, level=st.sampled_from([0.5, 0.9, 0.95]))
def test_interval_excludes_zero_exactly_when_the_test_rejects(alternative, x, level):
    for variant in VARIANTS:
        result = repeated_cv_test(x, variant=variant, alternative=alternative)
        if abs(result.pvalue - (1 - level)) > 1e-12:
            assert (0 not in result.confidence_interval(level)) == (result.pvalue < 1 - level)


@given(x=normal)
def test_limits_of_the_interval_are_just_rejected(x):
    for variant in VARIANTS:
        # the stronger duality: testing x − limit gives exactly p = 1 − level
        interval = repeated_cv_test(x, variant=variant).confidence_interval(0.9)
        for limit in (interval.low, interval.high):
            assert repeated_cv_test(x - limit, variant=variant).pvalue == pytest.approx(0.1, rel=1e-4)


@given(x=hnp.arrays(float, (3, 4, 3), elements=st.integers(-30, 30).map(lambda k: k / 30)))
@settings(max_examples=40)
@pytest.mark.filterwarnings("ignore::foldwise.core.errors.DegenerateVariance")
def test_batched_equals_looped(x):
    for variant in VARIANTS:
        batched = repeated_cv_test(x, variant=variant)
        for place in range(3):
            single = repeated_cv_test(x[place], variant=variant)
            assert batched.statistic[place] == pytest.approx(single.statistic, rel=1e-12)
            assert batched.pvalue[place] == pytest.approx(single.pvalue, rel=1e-12)


@every_variant
def test_df_may_be_an_array(variant):
    x = np.random.default_rng(2).normal(0.3, 1, size=(3, 4, 5))
    df = np.arange(2, 101.0)[:, None]
    batched = repeated_cv_test(x, variant=variant, df=df)
    assert batched.pvalue.shape == (99, 3)
    assert batched.pvalue[7] == pytest.approx(repeated_cv_test(x, variant=variant, df=9).pvalue, rel=1e-13)


@every_variant
def test_a_learner_against_itself_is_no_evidence(variant):
    result = repeated_cv_test(np.zeros((10, 10)), variant=variant)
    assert (result.statistic, result.pvalue, result.estimate) == (0, 1, 0)


@every_variant
@pytest.mark.parametrize("value", [0.1, -1 / 3])
def test_constant_differences_reject_with_a_warning(variant, value):
    with pytest.warns(DegenerateVariance, match="variance estimate is 0"):
        result = repeated_cv_test(np.full((7, 10), value), variant=variant)
    assert (result.statistic, result.pvalue) == (np.sign(value) * np.inf, 0)


@pytest.mark.parametrize("variant", ["folds", "runs"])
def test_equal_group_means_are_equal_despite_rounding(variant):
    # all run means and all fold means are 0.2 on paper, but not in floating point
    x = np.array([[0.1, 0.2, 0.3], [0.3, 0.1, 0.2], [0.2, 0.3, 0.1]])
    with pytest.warns(DegenerateVariance):
        result = repeated_cv_test(x, variant=variant)
    assert (result.standard_error, result.pvalue) == (0, 0)


@pytest.mark.parametrize("variant", ["folds", "runs"])
def test_group_means_of_zero_are_no_evidence_despite_rounding(variant):
    x = np.array([[0.1, 0.2, -0.3], [-0.3, 0.1, 0.2], [0.2, -0.3, 0.1]])
    result = repeated_cv_test(x, variant=variant)
    assert (result.statistic, result.pvalue) == (0, 1)


def test_runs_without_variance_of_their_own():
    x = np.array([[0.1] * 4, [0.2] * 4, [-0.3] * 4])
    result = repeated_cv_test(x, variant="folds_averaged_var")
    assert (result.statistic, result.pvalue) == (0, 1)
    with pytest.warns(DegenerateVariance):
        assert repeated_cv_test(x + 0.1, variant="folds_averaged_var").statistic == np.inf


def test_averaged_t_counts_an_indistinguishable_run_as_zero():
    x = np.array([[0.1, 0.3, 0.2], [0.0, 0.0, 0.0]])
    alone = repeated_cv_test(np.array([x[0], x[0]]), variant="folds_averaged_t")
    result = repeated_cv_test(x, variant="folds_averaged_t")
    assert result.statistic == pytest.approx(alone.statistic / 2)
    assert result.estimate == pytest.approx(0.2)


@pytest.mark.parametrize(("constants", "sign"), [((0.1,), 1), ((-0.1,), -1), ((0.1, -0.3), -1), ((0.1, 0.0), 1)])
def test_averaged_t_lets_runs_without_variance_decide(constants, sign):
    x = np.array([[-0.1, 0.3, 0.2]] + [[c] * 3 for c in constants])
    with pytest.warns(DegenerateVariance):
        result = repeated_cv_test(x, variant="folds_averaged_t")
    assert (result.statistic, result.pvalue) == (sign * np.inf, 0)


def test_averaged_t_opposite_runs_without_variance_cancel():
    x = np.array([[0.1, 0.3, 0.2], [0.1, 0.1, 0.1], [-0.1, -0.1, -0.1]])
    alone = repeated_cv_test(np.array([x[0], x[0]]), variant="folds_averaged_t")
    assert repeated_cv_test(x, variant="folds_averaged_t").statistic == pytest.approx(alone.statistic / 3)


def test_averaged_t_is_the_limit_of_vanishing_variances():
    x = np.array([[0.1, 0.3, 0.2], [0.1, 0.1, 0.1], [-0.3, -0.3, -0.3]])
    tilt = np.array([[0, 0, 0], [-1, 0, 1], [-1, 0, 1]])
    near = [repeated_cv_test(x + eps * tilt, variant="folds_averaged_t").statistic for eps in (1e-3, 1e-6, 1e-9)]
    assert near[0] > near[1] > near[2]
    with pytest.warns(DegenerateVariance):
        assert repeated_cv_test(x, variant="folds_averaged_t").statistic == -np.inf


@given(x=normal)
def test_use_all_data_is_the_uncorrected_test(x):
    # the correction is all that sets bouckaertfrank2004's test apart: undo it with a vanishing ratio
    corrected = corrected_repeated_cv_t(x, test_train_ratio=1e-300)
    assert repeated_cv_test(x).pvalue == pytest.approx(corrected.pvalue, rel=1e-11)


def test_the_papers_recommendation_and_ours_agree():
    # bouckaert2003 section 6 recommends 10 degrees of freedom for 10×10; section 4 finds "constantly circa 11"
    x = np.random.default_rng(0).normal(0.1, 1, size=(10, 10))
    calibrated = repeated_cv_test(x, df="calibrated")
    assert 10 <= calibrated.df <= 11
    assert calibrated.pvalue == repeated_cv_test(x, df=calibrated.df).pvalue > repeated_cv_test(x).pvalue


@pytest.mark.parametrize("variant", CALIBRATABLE)
@pytest.mark.parametrize("alpha", [0.01, 0.025, 0.05, 0.1])
def test_calibrated_values_are_circa_eleven(variant, alpha):
    # the same section: constant over higher numbers of runs, and over levels "mostly within 1 difference"
    found = [calibrated_df(variant, runs=runs, folds=10, alpha=alpha) for runs in range(10, 101)]
    assert 8 <= min(found) <= max(found) <= 13
    assert max(found[20:]) - min(found[20:]) <= 1


def test_the_table_covers_its_schemes_and_says_how_it_was_made():
    assert set(CALIBRATABLE) | set(NOT_CALIBRATABLE) == set(VARIANTS)
    for folds, alpha, variant in product((5, 10, 20), (0.01, 0.025, 0.05, 0.1), CALIBRATABLE):
        assert all(calibrated_df(variant, runs=runs, folds=folds, alpha=alpha) >= 2 for runs in range(5, 101))
    stamp = calibration_stamp()
    assert stamp["learners"] == ["nb", "c45"]
    assert (stamp["n"], stamp["trials"], stamp["seed"]) == (300, 2000, 2003)


@pytest.mark.parametrize("variant", NOT_CALIBRATABLE)
def test_some_variants_cant_be_calibrated(variant):
    with pytest.raises(InvalidInput, match=f"impossible for variant '{variant}': no df gives it its level"):
        repeated_cv_test(np.eye(10), variant=variant, df="calibrated")


@pytest.mark.parametrize(("shape", "alpha"), [((101, 5), 0.05), ((10, 4), 0.05), ((10, 10), 0.002), ((10, 10), 0.3)])
def test_schemes_that_the_table_does_not_cover(shape, alpha):
    x = np.random.default_rng(0).normal(size=shape)
    known = "known for 2 to 100 runs of 5, 10, 20 folds at alpha from 0.005 to 0.2"
    message = rf"{known}, got {shape[0]} runs of {shape[1]} folds"
    with pytest.raises(InvalidInput, match=message):
        repeated_cv_test(x, df="calibrated", alpha=alpha)


def test_a_level_between_two_stored_ones_has_the_smaller_of_their_numbers():
    for variant, runs in product(CALIBRATABLE, range(5, 101)):
        around = [calibrated_df(variant, runs=runs, folds=20, alpha=alpha) for alpha in (0.05, 0.1)]
        assert calibrated_df(variant, runs=runs, folds=20, alpha=0.07) == min(around)


def test_a_scheme_without_a_calibrated_value_is_refused(monkeypatch):
    table = {"runs": [2, 3], "df": {"5": {"0.05": {"sorted_runs": "0 7"}}}}
    monkeypatch.setattr(repeated_cv, "_table", lambda: table)
    assert calibrated_df("sorted_runs", runs=3, folds=5) == 7
    with pytest.raises(InvalidInput, match=r"impossible for 2 runs of 5 folds at alpha = 0.05: no df gives variant"):
        calibrated_df("sorted_runs", runs=2, folds=5)


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"variant": "use_all"}, UnknownName, "did you mean 'use_all_data'"),
    ({"df": "calibrate"}, UnknownName, "did you mean 'calibrated'"),
    ({"df": 0}, InvalidInput, "df must be above 0, got 0"),
    ({"df": [3, -1]}, InvalidInput, "df must be above 0, got -1"),
    ({"df": np.nan}, InvalidInput, "df must be finite"),
    ({"alternative": "lesser"}, UnknownName, "did you mean 'less'"),
])  # fmt: skip
def test_bad_options_are_named(options, error, message):
    with pytest.raises(error, match=message):
        repeated_cv_test(FIGURE_1, **options)


@every_variant
@pytest.mark.parametrize(("x", "message"), [
    ([0.1, 0.2], r"shape \(\.\.\., runs, folds\), got shape \(2,\)"),
    ([[0.1, 0.2]], r"at least 2 runs and 2 folds, got shape \(1, 2\)"),
    ([[0.1], [0.2]], r"at least 2 runs and 2 folds, got shape \(2, 1\)"),
    ([[0.1]], "at least 2 differences"),
    ([[0.1, 0.2], [0.3, np.nan]], r"x\[1, 1\] is nan"),
])  # fmt: skip
def test_bad_matrices_are_refused(variant, x, message):
    with pytest.raises(InvalidInput, match=message):
        repeated_cv_test(x, variant=variant)
