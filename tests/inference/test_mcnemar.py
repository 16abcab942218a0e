from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.inference import mcnemar

METHODS = ["corrected", "uncorrected", "exact", "midp"]
small = st.integers(0, 200)


@pytest.mark.parametrize(("n01", "n10"), [(10, 25), (1, 0), (7, 9), (3, 40), (120, 131)])
@pytest.mark.parametrize(("method", "options"), [
    ("corrected", {"exact": False, "correction": True}),
    ("uncorrected", {"exact": False, "correction": False}),
    ("exact", {"exact": True}),
])  # fmt: skip
def test_agrees_with_statsmodels(n01, n10, method, options):
    reference = statsmodels_mcnemar([[5, n01], [n10, 5]], **options)
    result = mcnemar(n01, n10, method=method)
    assert result.statistic == pytest.approx(reference.statistic, rel=1e-12)
    assert result.pvalue == pytest.approx(reference.pvalue, rel=1e-10)


@pytest.mark.parametrize("method", ["corrected", "uncorrected", "exact"])
def test_agrees_with_r(rates, method):
    # mcnemar.test with and without correction, binom.test
    for (_, n01, n10, _), pvalue in rates(f"mcnemar_{method}"):
        assert mcnemar(n01, n10, method=method).pvalue == pytest.approx(pvalue, rel=1e-10)


def test_published_midp():
    # Cavo et al. 2012, in Fagerland, Lydersen & Laake's R package contingencytables
    assert mcnemar(6, 16, method="midp").pvalue == pytest.approx(0.034690, abs=5e-7)


def test_dietterich_section_5_tables():
    # both have a difference of 20 points; McNemar tells them apart (dietterich1998 §5)
    assert mcnemar(40, 60, method="corrected").pvalue > 0.05
    assert mcnemar(0, 20, method="corrected").pvalue < 0.001


@given(small, small, st.sampled_from(METHODS))
def test_swap_changes_nothing_but_the_share(n01, n10, method):
    result, swapped = mcnemar(n01, n10, method=method), mcnemar(n10, n01, method=method)
    assert result.pvalue == swapped.pvalue
    assert result.estimate == pytest.approx(1 - swapped.estimate)


@given(small, st.sampled_from(METHODS))
def test_equal_disagreements_never_reject(n, method):
    assert mcnemar(n, n, method=method).pvalue > 0.5


@given(small, small)
def test_midp_lies_below_exact_and_is_a_probability(n01, n10):
    midp = mcnemar(n01, n10, method="midp").pvalue
    assert 0 < midp <= 1
    assert midp <= mcnemar(n01, n10, method="exact").pvalue


@pytest.mark.parametrize("method", METHODS)
def test_no_disagreement_is_no_evidence(method):
    assert mcnemar(0, 0, method=method).pvalue == 1


@given(st.lists(st.tuples(small, small), min_size=1, max_size=20), st.sampled_from(METHODS))
def test_batched_equals_looped(pairs, method):
    n01, n10 = np.array(pairs).T
    batched = mcnemar(n01, n10, method=method).pvalue
    assert batched.tolist() == [mcnemar(a, b, method=method).pvalue for a, b in pairs]


@pytest.mark.parametrize(("n01", "message"), [
    (-1, r"n01 must be whole numbers of at least 0, but n01 is -1"),
    (1.5, r"n01 is 1.5"),
    ([3, np.nan], r"n01\[1\] is nan"),
    ("many", r"n01 must be an array of numbers"),
])  # fmt: skip
def test_bad_counts_are_named(n01, message):
    with pytest.raises(InvalidInput, match=message):
        mcnemar(n01, 3)


def test_unknown_method_suggests_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'exact'"):
        mcnemar(1, 2, method="exac")
