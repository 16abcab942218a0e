from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.inference import applicability, error_interval

samples = st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(("errors", "n", "hodges_lehmann", "anderson_sclove", "mendenhall"), [
    (20, 40, True, True, True),  # Mε(1−ε) = 10 exactly
    (19, 40, False, True, True),  # 9.975
    (5, 10, False, True, True),
    (4, 1000, False, False, True),  # 0.004 − 2·0.001996 = 0.000008
    (0, 50, False, False, False),
    (50, 50, False, False, False),
])  # fmt: skip
def test_rules_by_hand(errors, n, hodges_lehmann, anderson_sclove, mendenhall):
    rules = applicability(errors, n)
    assert (rules.hodges_lehmann, rules.anderson_sclove) == (hodges_lehmann, anderson_sclove)
    assert rules.mendenhall == mendenhall


@given(samples)
def test_mendenhall_is_what_keeps_two_standard_errors_inside(sample):
    errors, n = sample
    rate = errors / n
    reach = 2 * np.sqrt(rate * (1 - rate) / n)
    if min(abs(rate - reach), abs(1 - rate - reach)) > 1e-12:
        assert applicability(errors, n).mendenhall == (rate - reach > 0 and rate + reach < 1)


@given(samples)
def test_hodges_and_lehmann_are_the_strictest(sample):
    rules = applicability(*sample)
    # Mε(1−ε) ≥ 10 implies that both counts exceed 10
    assert not rules.hodges_lehmann or (rules.anderson_sclove and rules.mendenhall and rules.enough_errors)
    assert rules.textbook == rules.hodges_lehmann


@given(st.integers(0, 9), st.integers(0, 10**6))
def test_fewer_than_ten_errors_never_allow_the_textbook(errors, more):
    assert not applicability(errors, errors + more + 1).textbook


def test_results_carry_the_rules():
    assert error_interval([3, 300], 1000).applicability.textbook.tolist() == [False, True]
