"""The two approximations of martinhirschberg1996 against exact quantiles, on the grid the report used."""

from __future__ import annotations

import numpy as np
import pytest

from foldwise.inference import error_interval, error_rates

# M = 10, 20 … 200 and m = 0 … M/2
SIZES, ERRORS = map(np.array, zip(*((M, m) for M in range(10, 201, 10) for m in range(M // 2 + 1)), strict=True))


def deviations(method):
    ours, exact = error_interval(ERRORS, SIZES, method=method), error_interval(ERRORS, SIZES)
    return np.abs(ours.low - exact.low), np.abs(ours.high - exact.high)


def largest(deviation):
    worst = int(np.argmax(deviation))
    return SIZES[worst], ERRORS[worst], deviation[worst]


def test_equation_5_deviates_most_at_two_errors_in_ten():
    deviation = np.maximum(*deviations("approximate_beta"))
    size, errors, worst = largest(deviation)
    # the report prints 0.017 at m = 3: the value is right, the place is not
    assert (size, errors) == (10, 2)
    assert worst == pytest.approx(0.01706, abs=5e-6)
    # the report: below 0.27/M
    assert (SIZES * deviation).max() == pytest.approx(0.259, abs=5e-4)


def test_appendix_formulas_deviate_as_stated():
    low, high = deviations("abramowitz_stegun")
    size, errors, worst = largest(high)
    assert (size, errors) == (10, 4)
    assert worst == pytest.approx(0.0046, abs=5e-5)
    # the report prints 0.0033, which is its own bound 0.00078 + 1/M² at this place; the formula gives 0.00316
    size, errors, worst = largest(low)
    assert (size, errors) == (20, 5)
    assert worst == pytest.approx(0.00316, abs=5e-6)
    assert (low <= 0.00078 + 1 / SIZES**2.0).all()


def test_the_handbook_formula_is_accurate_where_the_report_uses_it():
    low, high = deviations("abramowitz_stegun")
    assert np.maximum(low, high)[ERRORS > 5].max() < 0.0005


def test_the_corrected_constant_makes_the_limit_without_errors_right_to_four_digits():
    sizes = np.arange(10, 201, 10)
    ours, exact = error_interval(0, sizes, method="abramowitz_stegun"), error_interval(0, sizes)
    assert np.abs(ours.high - exact.high).max() < 0.0005
    # as printed, with b₂ negative, the limit at M = 100 would not even be a rate
    log_n = np.log(100)
    assert np.exp(0.132893 - 0.539755 * log_n + 0.093773 * log_n**2 + 0.00657 * log_n**3) > 1


@pytest.mark.parametrize("level", [0.9, 0.99])
def test_the_handbook_formula_serves_other_levels(level):
    errors, n = np.array([6, 20, 50, 94]), 100
    ours = error_interval(errors, n, method="abramowitz_stegun", confidence_level=level)
    exact = error_interval(errors, n, confidence_level=level)
    assert ours.low == pytest.approx(exact.low, abs=6e-4)
    assert ours.high == pytest.approx(exact.high, abs=6e-4)


def test_limits_stay_within_the_scale_far_below_the_sizes_they_were_fitted_to():
    sizes = np.arange(1, 10)
    for m in range(10):
        result = error_interval(np.minimum(m, sizes), sizes, method="abramowitz_stegun")
        assert (result.low >= 0).all()
        assert (result.high <= 1).all()


def test_mirrored_halves_meet():
    low, high = error_rates.approximate_beta(np.array(10.0), np.array(20.0), 0.95)
    assert low + high == pytest.approx(1)
