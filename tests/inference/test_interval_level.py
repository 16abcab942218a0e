"""The level that an interval for an error rate has, where it is not the one asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from foldwise.core.errors import InvalidInput
from foldwise.inference import error_interval, interval_survey


@pytest.mark.parametrize("method", ["jeffreys", "uniform"])
@pytest.mark.parametrize("asked", [0.9, 0.95])
def test_a_limit_at_the_end_of_the_scale_leaves_one_tail(method, asked):
    found = error_interval([0, 1, 25, 49, 50], 50, method=method, confidence_level=asked)
    one_sided = (1 + asked) / 2
    assert found.level == pytest.approx([one_sided, asked, asked, asked, one_sided], abs=1e-12)
    assert found.confidence_level == asked


@given(st.integers(1, 80).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.99))
def test_the_level_is_the_posteriors_share_between_the_limits(counts, asked):
    m, n = counts
    found = error_interval(m, n, confidence_level=asked)
    posterior = stats.beta(m + 0.5, n - m + 0.5)
    assert found.level == pytest.approx(posterior.cdf(found.high) - posterior.cdf(found.low), abs=1e-9)


def test_methods_without_a_prior_have_the_level_asked_for():
    assert error_interval([0, 3], 50, method="wilson").level == pytest.approx([0.95, 0.95])


def test_formulas_tell_how_far_from_their_level_they_are():
    found = error_interval([2, 12, 20], 60, method="approximate_beta")
    assert found.level == pytest.approx([0.9215, 0.9489, 0.9497], abs=1e-4)


def test_the_survey_says_the_level_without_errors_and_without_right_answers():
    none, all_wrong, some = (interval_survey(m, 50).details() for m in (0, 50, 3))
    assert "(97.5 % interval)" in none
    assert "the interval has a level of 97.5 %, not 95 %" in " ".join(none.split())
    assert "with probability 97.5 %" in " ".join(none.split())
    assert "With no right answer the upper limit is 1" in " ".join(all_wrong.split())
    assert "(95 % interval)" in some
    assert "97.5" not in some
    assert interval_survey(0, 50).to_dict()["interval"]["level"] == pytest.approx(0.975)


def test_formulas_for_few_errors_are_refused_beyond_the_sizes_they_were_fitted_to():
    assert error_interval(3, 200, method="abramowitz_stegun").high == pytest.approx(
        error_interval(3, 200).high, rel=0.02
    )
    for errors in (3, 9_998):
        with pytest.raises(InvalidInput, match=r"n must be at most 200 for method 'abramowitz_stegun' .* got 10000"):
            error_interval(errors, 10_000, method="abramowitz_stegun")
    # with more errors the handbook's formula serves at any size
    wide, exact = error_interval(80, 10_000, method="abramowitz_stegun"), error_interval(80, 10_000)
    assert wide.high == pytest.approx(exact.high, rel=1e-3)
    (row,) = [row for row in interval_survey(3, 10_000).rows if row.method == "abramowitz_stegun"]
    assert (row.low, row.applicable, row.note) == (None, False, "defined for up to 200 only")
