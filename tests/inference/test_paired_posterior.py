from __future__ import annotations

from importlib import import_module
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput
from foldwise.inference import paired_posterior

cell = st.integers(0, 2000)
tables = st.tuples(cell, cell, cell, cell).filter(any)
ropes = st.sampled_from([0.0, 0.001, 0.01, 0.1, 0.5])


def test_agrees_with_integrate_of_r(rates):
    for side in ("above", "below"):
        for table, probability in rates(f"posterior_{side}"):
            assert getattr(paired_posterior(*table), side) == pytest.approx(probability, abs=1e-9)


@pytest.mark.parametrize("table", [(0, 0, 0, 1), (0, 1, 0, 3), (5, 10, 25, 60), (0, 4, 900, 20), (300, 20, 25, 6000)])
def test_agrees_with_draws_from_the_dirichlet(table):
    draws = np.random.default_rng(2).dirichlet(np.array(table) + 0.5, size=400_000)
    difference = draws[:, 1] - draws[:, 2]
    posterior = paired_posterior(*table, rope=0.02)
    # 400,000 draws: a standard error of at most 0.0008
    assert posterior.above == pytest.approx((difference > 0.02).mean(), abs=0.004)
    assert posterior.within == pytest.approx((np.abs(difference) <= 0.02).mean(), abs=0.004)
    assert posterior.mean == pytest.approx(difference.mean(), abs=0.004)


@pytest.mark.slow
@pytest.mark.parametrize("table", [
    (0, 50_300, 50_000, 900_000), (10**6, 3000, 0, 10**6), (0, 10**6, 0, 100), (0, 9900, 100, 990_000),
])  # fmt: skip
def test_large_tables_agree_with_a_fine_grid(table):
    # the same integral as P(Δ > r) = E[P(d > r/(2u − 1) | u)], over a fine grid of u instead of d
    from scipy import special

    n00, n01, n10, n11 = table
    rope = abs(n01 - n10) / sum(table) * 0.999 + 1e-5
    q = (np.arange(200_000) + 0.5) / 200_000
    u = special.betaincinv(max(n01, n10) + 0.5, min(n01, n10) + 0.5, q)
    limit = np.minimum(rope / np.maximum(2 * u - 1, 1e-300), 1)
    expected = special.betaincc(n01 + n10 + 1, n00 + n11 + 1, limit).mean()
    posterior = paired_posterior(*table, rope=rope)
    assert max(posterior.above, posterior.below) == pytest.approx(expected, abs=2e-6)


@given(tables, ropes)
def test_probabilities_sum_to_one_and_swap_mirrors(table, rope):
    n00, n01, n10, n11 = table
    posterior, swapped = paired_posterior(*table, rope=rope), paired_posterior(n00, n10, n01, n11, rope=rope)
    assert posterior.above + posterior.within + posterior.below == pytest.approx(1, abs=1e-8)
    assert (posterior.above, posterior.below) == (swapped.below, swapped.above)
    assert posterior.mean == -swapped.mean


@given(tables)
def test_a_wider_region_holds_more(table):
    within = [paired_posterior(*table, rope=rope).within for rope in (0.0, 0.005, 0.02, 0.3)]
    assert all(small <= large + 1e-8 for small, large in pairwise(within))


@given(cell, st.integers(1, 2000), ropes)
def test_a_classifier_against_itself_has_no_winner(wrong, right, rope):
    posterior = paired_posterior(wrong, 0, 0, right, rope=rope)
    assert posterior.above == posterior.below <= 0.5


@given(st.lists(tables, min_size=1, max_size=6), ropes)
def test_batched_equals_looped(several, rope):
    batched = paired_posterior(*np.array(several).T, rope=rope)
    assert batched.above == pytest.approx([paired_posterior(*one, rope=rope).above for one in several], abs=1e-13)


def test_a_batch_larger_than_one_slice(monkeypatch):
    table = [(np.arange(60) % k).reshape(3, 20) for k in (7, 11, 13)]
    whole = paired_posterior(*table, 40).above
    # the package exports the function under the module's name
    monkeypatch.setattr(import_module("foldwise.inference.paired_tables"), "SLICE", 7)
    assert paired_posterior(*table, 40).above == pytest.approx(whole, abs=1e-15)


@pytest.mark.parametrize("rope", [-0.1, 1.0, np.nan, "wide"])
def test_bad_rope_is_named(rope):
    with pytest.raises(InvalidInput, match="rope must be"):
        paired_posterior(1, 2, 3, 4, rope=rope)
