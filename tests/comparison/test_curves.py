from __future__ import annotations

import numpy as np
import pytest
from report.samples import from_counts, from_scores
from scipy import integrate

import foldwise as fw


def area(curve, low, high):
    inside = (curve.difference >= low) & (curve.difference <= high)
    return integrate.trapezoid(curve.density[inside], curve.difference[inside])


@pytest.mark.parametrize("c", [
    from_scores(),
    from_scores((25,)),
    from_scores(metric="loss", higher_is_better=False),
    from_counts(),
    from_counts(100, 40, 60, 800, rope=0.02),
    from_counts(100, 40, 60, 800, rope=0.02, groups=np.arange(1000) % 40),
    from_counts(100, 40, 60, 800, rope=0.05, groups=np.arange(1000) % 7),
    from_counts(10, 4, 12, 80, rope=0.05, groups=np.arange(106) % 3),
], ids=["repeated cv", "splits", "loss", "predictions", "many", "40 groups", "7 groups", "3 groups"])  # fmt: skip
def test_the_areas_under_the_posterior_are_the_probabilities(c):
    curve, p = c.posterior(), c.rope_probabilities
    right, left = (p.a_better, p.b_better) if c.higher_is_better else (p.b_better, p.a_better)
    assert area(curve, -np.inf, -c.rope) == pytest.approx(left, abs=2e-3)
    assert area(curve, -c.rope, c.rope) == pytest.approx(p.equivalent, abs=2e-3)
    assert area(curve, c.rope, np.inf) == pytest.approx(right, abs=2e-3)


@pytest.mark.parametrize("c", [
    from_scores(),
    from_scores((5, 2)),
    from_scores((25,), alpha=0.01),
    from_counts(),
    from_counts(test="mcnemar_exact", alpha=0.1),
    from_counts(groups=np.arange(100) // 4),
], ids=["repeated cv", "five by two", "splits", "mcnemar", "exact", "clusters"])  # fmt: skip
def test_the_power_at_the_detectable_difference_is_four_fifths(c):
    curve = c.power_curve()
    assert np.interp(c.detectable_difference, curve.difference, curve.power) == pytest.approx(0.8, abs=2e-3)
    assert curve.difference[0] == 0
    assert (np.diff(curve.power) > -1e-12).all()


def test_the_power_of_a_t_test_without_a_difference_is_its_level():
    assert from_scores(alpha=0.02).power_curve().power[0] == pytest.approx(0.02)


def test_swapping_mirrors_the_posterior():
    c, swapped = from_counts(10, 5, 20, 65), from_counts(10, 20, 5, 65)
    assert np.allclose(c.posterior().difference, -swapped.posterior().difference[::-1])
    assert np.allclose(c.posterior().density, swapped.posterior().density[::-1])


def test_the_power_of_the_f_test_is_its_own():
    rng = np.random.default_rng(1)
    c = fw.compare_scores(
        {"a": 0.7 + rng.normal(0.02, 0.05, (5, 2)), "b": np.full((5, 2), 0.7)}, test="five_by_two_cv_f"
    )
    curve = c.power_curve()
    assert np.interp(c.detectable_difference, curve.difference, curve.power) == pytest.approx(0.8, abs=2e-3)
    assert curve.power[0] == pytest.approx(0.0334, abs=1e-4)


def test_constant_differences_have_no_curves():
    c = fw.compare_scores({"a": [0.7, 0.7], "b": [0.5, 0.5]}, n_train=2, n_test=1)
    assert c.posterior() is None
    assert c.power_curve() is None


def test_no_disagreement_gives_a_finite_curve():
    curve = from_counts(3, 0, 0, 40).posterior()
    assert np.isfinite(curve.density).all()
    assert area(curve, -1, 1) == pytest.approx(1, abs=0.1)


def test_the_digest_of_the_evidence_tells_evidence_apart():
    assert from_counts().evidence_digest == from_counts(names=("x", "y")).evidence_digest
    assert from_counts().evidence_digest != from_counts(n01=6).evidence_digest
    assert from_scores().evidence_digest != from_scores(gain=0.1).evidence_digest
