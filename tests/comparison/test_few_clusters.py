"""What the cluster-robust comparison of predictions is worth with few clusters, measured."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

import foldwise as fw
from foldwise.inference import clustered_outcomes, detectable_difference, student_power

TRIALS = 2000

SHAPES = {
    "equal": lambda g: np.full(g, 10),
    "one with half of the items": lambda g: np.array([10 * (g - 1)] + [10] * (g - 1)),
    "falling by a third": lambda g: np.maximum(2, 60 * 0.7 ** np.arange(g)).astype(int),
}


def equal_models(clusters, shape, alike, discordance, rng):
    """Differences of two equally good models in many test sets, and the cluster of each item."""
    groups = np.repeat(np.arange(clusters), SHAPES[shape](clusters))
    # the share of a cluster's disagreements that the first model wins: fair, anything, all or nothing
    lean = {
        "independent": lambda size: np.full(size, 0.5),
        "alike": rng.random,
        "on one side": lambda size: rng.integers(0, 2, size).astype(float),
    }[alike]((TRIALS, clusters))
    side = np.where(rng.random((TRIALS, len(groups))) < lean[:, groups], 1, -1)
    return np.where(rng.random(side.shape) < discordance, side, 0), groups


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("clusters", [2, 3, 4, 5, 6, 8, 10])
def test_type_i_error(clusters, shape):
    rng = np.random.default_rng(clusters)
    rates = {}
    for alike in ("independent", "alike", "on one side"):
        for discordance in (0.05, 0.3, 0.9):
            differences, groups = equal_models(clusters, shape, alike, discordance, rng)
            rates[alike, discordance] = (clustered_outcomes(differences, groups).pvalue < 0.05).mean()
    # the figures of the caveat and of docs/explanation/mcnemar.md, with three Monte-Carlo standard errors
    bound = 0.0 if clusters < 5 else 0.07 if shape == "equal" else 0.09
    assert max(rates.values()) <= bound + 3 * np.sqrt(bound * (1 - bound) / TRIALS), rates
    independent = max(rate for (alike, _), rate in rates.items() if alike == "independent")
    assert independent <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / TRIALS)


def real_power(clusters, quantiles):
    """Quantiles, over samples, of the true power at the difference that a sample says is seen with power 0.8."""
    df = clusters - 1
    ratio = np.sqrt(special.chdtri(df, 1 - np.asarray(quantiles)) / df)  # estimated over true standard error
    return student_power(detectable_difference(1.0, df) * ratio, 1.0, df)


def test_why_few_clusters_get_no_detectable_difference():
    assert real_power(5, (0.05, 0.95)) == pytest.approx((0.25, 0.99), abs=0.02)
    assert real_power(20, (0.05, 0.95)) == pytest.approx((0.53, 0.94), abs=0.02)


@pytest.mark.parametrize(("clusters", "given"), [(5, False), (19, False), (20, True), (40, True)])
def test_the_detectable_difference_is_given_from_twenty_clusters_on(clusters, given):
    c = comparison(clusters, 12)
    assert (c.detectable_difference is not None) == given
    assert (c.power_curve() is not None) == given
    assert any("too uncertain to compute power" in caveat for caveat in c.caveats) != given


def test_the_detectable_difference_is_detected_four_times_in_five():
    rng = np.random.default_rng(7)
    groups = np.repeat(np.arange(40), 25)

    def judged(difference):
        lean = np.clip(0.5 + difference + rng.normal(0, 0.12, (1500, 40)), 0, 1)[:, groups]
        side = np.where(rng.random(lean.shape) < lean, 1, -1)
        # half of the items are disagreements, so that the true difference is 2 · difference / 2
        return clustered_outcomes(np.where(rng.random(lean.shape) < 0.5, side, 0), groups)

    promised = float(detectable_difference(np.median(judged(0.0).standard_error), 39))
    power = (judged(promised).pvalue < 0.05).mean()
    assert power == pytest.approx(0.8, abs=0.03 + 3 * np.sqrt(0.16 / 1500))


def comparison(clusters, size, *, shift=0.1, seed=1, **options):
    """Two models on clusters of equal size."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, clusters * size)
    a = np.where(rng.random(truth.size) < 0.7 + shift, truth, (truth + 1) % 3)
    b = np.where(rng.random(truth.size) < 0.7, truth, (truth + 1) % 3)
    return fw.compare_predictions(truth, {"a": a, "b": b}, groups=np.repeat(np.arange(clusters), size), **options)


def test_the_probabilities_respect_the_clusters():
    rng = np.random.default_rng(4)
    groups = np.repeat(np.arange(12), 100)
    # a wins 8 of 100 in half of the clusters, b in the other: no difference on the whole, and none is excluded
    wins = np.repeat(rng.permutation([8, -8] * 6), 100) * 1
    right_a, right_b = np.ones(1200, dtype=int), np.ones(1200, dtype=int)
    place = np.tile(np.arange(100), 12)
    right_b[(wins > 0) & (place < 8)] = 0
    right_a[(wins < 0) & (place < 8)] = 0
    truth = np.tile([1, 2], 600)
    c = fw.compare_predictions(truth, {"a": truth * right_a, "b": truth * right_b}, groups=groups)
    assert c.interval.high > 0.04
    assert c.rope_probabilities.equivalent < 0.4
    assert "practically the same" not in str(c).partition("\n  p ")[0]
    result = clustered_outcomes(c.evidence.differences, c.evidence.groups)
    assert c.rope_probabilities.as_tuple() == pytest.approx(result.probabilities(0.01).as_tuple())


@pytest.mark.parametrize(("clusters", "alpha", "needed"), [(2, 0.05, 5), (4, 0.05, 5), (3, 0.2, None), (6, 0.01, 7)])
def test_too_few_clusters_say_so(clusters, alpha, needed):
    c = comparison(clusters, 30, shift=0.3, alpha=alpha)
    said = [caveat for caveat in c.caveats if "can't show a difference" in caveat]
    assert [f"at least {needed} are needed" in caveat for caveat in said] == ([True] if needed else [])
    if needed:
        assert c.better is None


def test_clusters_all_alike_say_so():
    truth = np.tile([0, 1], 20)
    wrong = np.where(np.arange(40) % 5 == 0, 1 - truth, truth)
    c = fw.compare_predictions(truth, {"a": truth, "b": wrong}, groups=np.repeat(range(8), 5))
    assert any("differ by less than independent examples would" in caveat for caveat in c.caveats)
    assert c.interval.low < c.estimate < c.interval.high
