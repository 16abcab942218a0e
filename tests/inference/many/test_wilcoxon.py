from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.inference.many._pairwise import sign_test
from foldwise.inference.many.wilcoxon import wilcoxon_signed_rank

ZEROS = ["pratt", "drop", "split"]
SIDES = ["two-sided", "less", "greater"]
X = [0.83, 1.41, -0.52, 2.20, 0.27, 1.75, -1.13, 3.04, 0.61, 1.96, 2.51, -0.08]
grades = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=9)


def against_zero(d, **options):
    return wilcoxon_signed_rank(d, np.zeros_like(d), **options)


@pytest.mark.parametrize(("side", "r_side"), [(s, s.replace("-", ".")) for s in SIDES])
def test_exact_agrees_with_r_and_so_does_the_interval(side, r_side, r_values):
    result = against_zero(X, alternative=side)
    assert result.method == "exact"
    assert result.statistic == r_values[f"exact.{r_side}.statistic"]
    assert result.pvalue == pytest.approx(r_values[f"exact.{r_side}.pvalue"], rel=1e-12)
    interval = result.confidence_interval(0.9)
    assert interval.low == pytest.approx(r_values[f"exact.{r_side}.low"])
    assert interval.high == pytest.approx(r_values[f"exact.{r_side}.high"])
    assert result.estimate == pytest.approx(r_values["exact.estimate"])


@pytest.mark.parametrize(("fixture", "name"), [("demsar", "thousandths"), ("tied", "tied")])
def test_normal_approximation_with_ties_and_zeros_agrees_with_r(fixture, name, r_values, request):
    table = request.getfixturevalue(fixture)
    for i, j in combinations(range(table.shape[1]), 2):
        key = f"{name}.wilcoxon[{i},{j}]"
        for correction, which in [(True, "corrected"), (False, "uncorrected")]:
            result = wilcoxon_signed_rank(
                table[:, i], table[:, j], zeros="drop", method="normal", correction=correction
            )
            assert result.statistic == r_values[f"{key}.statistic"]
            assert result.pvalue == pytest.approx(r_values[f"{key}.{which}"], rel=1e-9)
        assert sign_test(table[:, i], table[:, j]).pvalue == pytest.approx(r_values[f"{key}.sign"], rel=1e-9)


@pytest.mark.parametrize(("zeros", "scipy_zeros"), [("pratt", "pratt"), ("drop", "wilcox"), ("split", "zsplit")])
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("correction", [True, False])
def test_normal_approximation_agrees_with_scipy(zeros, scipy_zeros, side, correction, rng):
    a, b = rng.integers(0, 9, size=(2, 60))
    options = {"alternative": side, "correction": correction}
    result = wilcoxon_signed_rank(a, b, zeros=zeros, method="normal", **options)
    reference = stats.wilcoxon(a, b, zero_method=scipy_zeros, method="asymptotic", **options)
    assert result.pvalue == pytest.approx(reference.pvalue, rel=1e-9)


def test_demsars_example_of_the_sums_of_ranks(demsar):
    # section 3.1.3: C4.5 against C4.5+m, zeros split: R+ = 93, R− = 12
    result = wilcoxon_signed_rank(demsar[:, 1], demsar[:, 0], zeros="split")
    assert result.statistic == 93
    assert wilcoxon_signed_rank(demsar[:, 0], demsar[:, 1], zeros="split").statistic == 12
    assert result.pvalue < 0.05


@pytest.mark.parametrize("n", [5, 25, 50])
def test_exact_agrees_with_scipy(n, rng):
    a, b = rng.normal(size=(2, n))
    assert wilcoxon_signed_rank(a, b).pvalue == pytest.approx(stats.wilcoxon(a, b, method="exact").pvalue, rel=1e-10)


@given(grades, st.sampled_from(ZEROS), st.sampled_from(SIDES))
def test_exact_with_ties_and_zeros_is_the_enumerated_permutation_test(pairs, zeros, side):
    a, b = np.array(pairs, dtype=float).T
    d = a - b
    if zeros == "drop":
        d = d[d != 0]
    ranks = stats.rankdata(np.abs(d))
    free = np.ones(len(d), dtype=bool) if zeros == "split" else d != 0
    signs = np.array(list(product([-1, 1], repeat=int(free.sum())))).reshape(2 ** int(free.sum()), -1)
    null = signs @ ranks[free] / 2
    observed = (np.sign(d) * ranks).sum() / 2
    extreme = {"two-sided": np.abs(null) >= abs(observed), "greater": null >= observed, "less": null <= observed}[side]
    expected = extreme.mean() if free.any() else 1.0
    result = wilcoxon_signed_rank(a, b, zeros=zeros, alternative=side)
    assert result.pvalue == pytest.approx(expected, rel=1e-12)
    assert result.excess == observed


@given(grades, st.sampled_from(ZEROS))
def test_swap_mirrors(pairs, zeros):
    a, b = np.array(pairs, dtype=float).T / 7
    result, swapped = wilcoxon_signed_rank(a, b, zeros=zeros), wilcoxon_signed_rank(b, a, zeros=zeros)
    assert result.pvalue == swapped.pvalue
    assert result.excess == -swapped.excess
    assert result.estimate == -swapped.estimate


@given(grades)
def test_a_learner_against_itself_is_never_significant(pairs):
    a = np.array(pairs, dtype=float)[:, 0]
    for zeros in ZEROS:
        assert wilcoxon_signed_rank(a, a.copy(), zeros=zeros).pvalue == 1
    assert sign_test(a, a.copy()).pvalue == 1


@given(st.lists(st.lists(st.integers(0, 5), min_size=6, max_size=6), min_size=1, max_size=6), st.sampled_from(ZEROS))
def test_batched_equals_looped(rows, zeros):
    a = np.array(rows, dtype=float) / 10
    b = np.full(6, 0.2)
    assert wilcoxon_signed_rank(a, b, zeros=zeros).pvalue.tolist() == [
        wilcoxon_signed_rank(row, b, zeros=zeros).pvalue for row in a
    ]
    assert sign_test(a, b).pvalue.tolist() == [sign_test(row, b).pvalue for row in a]


def test_a_batch_may_hold_exact_and_normal_ones():
    a = np.zeros((2, 60))
    a[0, :10] = np.arange(1, 11)
    a[1] = np.arange(1, 61)
    result = wilcoxon_signed_rank(a, np.zeros(60), zeros="drop")
    assert result.method.tolist() == ["exact", "normal"]
    assert result.pvalue[0] == 2 / 2**10
    assert result.n.tolist() == [10, 60]


def test_decimals_that_are_equal_on_paper_tie():
    # 0.3 − 0.2 is not 0.2 − 0.1 in binary; on paper the four differences are equal and all ranks 2.5
    result = wilcoxon_signed_rank([0.3, 0.2, 0.9, 0.6], [0.2, 0.1, 0.8, 0.5])
    assert result.differences.tolist() == [0.1] * 4
    assert result.pvalue == 2 / 2**4
    tiny = wilcoxon_signed_rank([3e-305, 2e-305, 9e-305, 6e-305], [2e-305, 1e-305, 8e-305, 5e-305])
    assert tiny.pvalue == result.pvalue
    scaled = wilcoxon_signed_rank([300.0, 200.0, 900.0, 600.0], [200.0, 100.0, 800.0, 500.0])
    assert scaled.pvalue == result.pvalue


@given(
    st.lists(st.floats(-3, 3, allow_subnormal=False).map(lambda v: round(v, 6)), min_size=6, max_size=12, unique_by=abs)
)
def test_interval_is_dual_to_the_test(d):
    d = np.array(d)
    interval = against_zero(d).confidence_interval(0.9)
    shift = 1e-5 / 3
    for edge, outward in [(interval.low, -1), (interval.high, 1)]:
        assert against_zero(d - (edge + outward * shift)).pvalue <= 0.1 + 1e-12
        assert against_zero(d - (edge - outward * shift)).pvalue > 0.1 or interval.width < 2 * shift


def test_too_few_data_sets_for_any_interval():
    interval = against_zero([0.1, 0.2, 0.3]).confidence_interval(0.95)
    assert (interval.low, interval.high) == (-np.inf, np.inf)


def test_sign_test_agrees_with_scipy_and_its_interval_is_exact(rng):
    a, b = rng.normal(size=(2, 17))
    wins = int((a > b).sum())
    for side in SIDES:
        reference = stats.binomtest(wins, 17, alternative=side)
        result = sign_test(a, b, alternative=side)
        assert result.pvalue == pytest.approx(reference.pvalue, rel=1e-10)
        expected = reference.proportion_ci(0.95, method="exact")
        interval = result.confidence_interval(0.95)
        assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))


def test_bad_input_is_named():
    with pytest.raises(InvalidInput, match="same data sets, got 2 and 3"):
        wilcoxon_signed_rank([1, 2], [1, 2, 3])
    with pytest.raises(InvalidInput, match=r"b\[1\] is nan"):
        wilcoxon_signed_rank([1, 2], [1, np.nan])
    with pytest.raises(InvalidInput, match="at least 1 axes"):
        sign_test(1, 2)
    with pytest.raises(InvalidInput, match="same data sets, got 0 and 0"):
        sign_test([], [])
    with pytest.raises(UnknownName, match="did you mean 'pratt'"):
        wilcoxon_signed_rank([1, 2], [2, 1], zeros="prat")
    with pytest.raises(UnknownName, match="unknown alternative"):
        sign_test([1, 2], [2, 1], alternative="bigger")
