from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from foldwise.core.errors import InvalidInput
from foldwise.inference import anytime_mcnemar, mcnemar

small = st.integers(0, 60)
paths = st.lists(st.booleans(), min_size=1, max_size=60)


def looks(path):
    only_a = np.cumsum(path)
    return only_a, np.arange(1, len(path) + 1) - only_a


@pytest.mark.parametrize(("n01", "n10"), [(0, 1), (3, 9), (25, 10), (40, 40)])
def test_evidence_is_the_mixture_likelihood_ratio(n01, n10):
    # ∫ θ^b (1−θ)^c / (½)^(b+c) dArcsine(θ), with θ = sin²φ to remove the poles of the mixing density
    def ratio(phi):
        return (2 * np.sin(phi) ** 2) ** n01 * (2 * np.cos(phi) ** 2) ** n10 * 2 / np.pi

    expected = integrate.quad(ratio, 0, np.pi / 2, epsrel=1e-12)[0]
    assert anytime_mcnemar(n01, n10).evalue == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("m", [1, 5, 40])
def test_mean_evidence_is_one_under_the_null_hypothesis(m):
    b = np.arange(m + 1)
    evidence = np.array([anytime_mcnemar(k, m - k).evalue for k in b])
    assert (stats.binom.pmf(b, m, 0.5) * evidence).sum() == pytest.approx(1)


@pytest.mark.slow
def test_looking_after_every_disagreement_keeps_the_level():
    # exact: the probability that 200 fair coin tosses ever reach p ≤ α, by following all paths that have not
    alive, crossed = np.array([1.0]), 0.0
    for m in range(1, 201):
        alive = (np.append(alive, 0) + np.append(0, alive)) / 2
        b = np.arange(m + 1)
        stop = np.array([anytime_mcnemar(k, m - k).evalue for k in b]) >= 20
        crossed += alive[stop].sum()
        alive = np.where(stop, 0, alive)
    assert 0.005 < crossed <= 0.05


@given(paths)
def test_pvalue_never_rises_and_remembers_the_best_look(path):
    result = anytime_mcnemar(*looks(path))
    assert (np.diff(result.pvalue) <= 0).all()
    assert result.pvalue[-1] == pytest.approx(min(1, 1 / result.evalue.max()))


@given(small, small)
def test_swap_changes_nothing_and_the_fixed_size_test_is_sharper(n01, n10):
    result = anytime_mcnemar(n01, n10)
    assert result.pvalue == pytest.approx(anytime_mcnemar(n10, n01).pvalue)
    assert mcnemar(n01, n10).pvalue <= result.pvalue + 1e-12


@given(st.lists(st.lists(st.booleans(), min_size=12, max_size=12), min_size=1, max_size=5))
def test_batched_equals_looped(several):
    batched = anytime_mcnemar(*map(np.array, zip(*map(looks, several), strict=True)))
    for row, path in zip(batched.pvalue, several, strict=True):
        assert row == pytest.approx(anytime_mcnemar(*looks(path)).pvalue)


def test_no_disagreement_and_overwhelming_evidence():
    assert (anytime_mcnemar(0, 0).evalue, anytime_mcnemar(0, 0).pvalue) == (1, 1)
    result = anytime_mcnemar(2000, 0)
    assert result.evalue == np.inf
    assert result.pvalue == 0


@pytest.mark.parametrize(("n01", "n10", "message"), [
    ([1, 2, 1], [0, 0, 0], r"n01 must not fall from one look to the next, got \[1\.0, 2\.0, 1\.0\]"),
    ([1, 2], [0, 0, 0], r"n01 and n10 must have the same shape, got \(2,\) and \(3,\)"),
    (-1, 0, "n01 must be whole numbers of at least 0"),
])  # fmt: skip
def test_bad_looks_are_named(n01, n10, message):
    with pytest.raises(InvalidInput, match=message):
        anytime_mcnemar(n01, n10)
