from __future__ import annotations

import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import special, stats

from foldwise.core.errors import DegenerateVariance, InvalidInput, UnknownName
from foldwise.inference import clustered_difference, max_t
from foldwise.inference.joint_differences import joint_differences, model_means, pair_variances

TRANSCRIPT = Path(__file__).parents[1] / "reference" / "models.tsv"
FEW = 4000
"""Draws where what is tested does not depend on their number."""


def marks():
    i = np.arange(1, 41)
    return np.array([(i**2 % 17) / 16 + 0.15, ((i**2 + 3 * i) % 17) / 16, (i**2 % 17 + i % 3) / 18, (i % 11) / 20])


def right():
    i = np.arange(1, 61)
    return np.array([i % 5 != 0, (i % 5 != 0) & (i % 7 != 0), (i % 2 == 0) | (i % 9 == 0)])


def transcript(name):
    """The values that R wrote under this name."""
    lines = (line.split("\t") for line in TRANSCRIPT.read_text(encoding="utf-8").splitlines() if "#" not in line)
    return np.array([float(value) for key, value in lines if key.partition("[")[0] == name])


values = st.tuples(st.integers(2, 4), st.integers(3, 9)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, 3))
)


@pytest.mark.parametrize("family", ["Tukey", "Dunnett"])
@pytest.mark.parametrize("data", [marks, right])
def test_agrees_with_multcomp(data, family):
    name, control = f"{data.__name__}.{family}", 0 if family == "Dunnett" else None
    found = model_means(data())
    law = joint_differences(found.means, found.covariance, control=control)
    errors = np.sqrt(pair_variances(found.covariance)[law.first, law.second])
    statistic = (found.means[law.first] - found.means[law.second]) / errors
    assert statistic == pytest.approx(transcript(f"{name}.statistic"), rel=1e-9)
    adjusted = law.adjust(2 * special.ndtr(-np.abs(statistic)))
    assert adjusted == pytest.approx(transcript(f"{name}.adjusted"), abs=0.003)  # five Monte-Carlo errors at 0.26
    assert -special.ndtri(law.level(0.05) / 2) == pytest.approx(transcript(f"{name}.critical")[0], abs=0.02)


def test_independent_models_are_tukeys_studentised_range():
    law = joint_differences(np.zeros(5), np.eye(5))
    sizes = np.array([1.5, 2.728, 3.5])
    expected = stats.studentized_range.sf(sizes * np.sqrt(2), 5, np.inf)
    errors = np.sqrt(expected * (1 - expected) / len(law.largest))
    found = law.adjust(2 * special.ndtr(-sizes))
    assert (np.abs(found - expected) < 4 * errors + 1e-5).all()


@given(values)
@settings(max_examples=25)
def test_a_pair_alone_is_the_paired_t_test(data):
    result = max_t(data, draws=FEW)
    for i, j, error, p in zip(result.first, result.second, result.standard_error, result.pvalue, strict=True):
        difference = (data[i] - data[j]).astype(float)
        if np.ptp(difference) == 0:
            assert (error, p) == (0, 1)
        else:
            assert error == pytest.approx(difference.std(ddof=1) / np.sqrt(len(difference)))
            assert p == pytest.approx(stats.ttest_1samp(difference, 0).pvalue)


@given(values, st.data())
@settings(max_examples=25)
def test_a_pair_alone_is_the_cluster_robust_test(data, draw):
    groups = np.array(draw.draw(st.lists(st.integers(0, 3), min_size=data.shape[1], max_size=data.shape[1])))
    groups[:2] = 0, 1
    result = max_t(data, groups=groups, draws=FEW)
    for i, j, error in zip(result.first, result.second, result.standard_error, strict=True):
        reference = clustered_difference((data[i] - data[j]).astype(float), groups)
        assert error == pytest.approx(float(reference.standard_error), abs=1e-9)
        assert result.df == pytest.approx(float(reference.df))


def test_two_models_need_no_adjustment():
    result = max_t(marks()[:2])
    assert result.adjusted == pytest.approx(result.pvalue)
    interval, reference = result.confidence_interval(), stats.ttest_rel(*marks()[:2]).confidence_interval()
    assert (interval.low[0], interval.high[0]) == pytest.approx((reference.low, reference.high))


@given(values, st.sampled_from(["gaussian", "sign_flip"]), st.sampled_from([0.01, 0.05, 0.2]))
@settings(max_examples=25)
def test_intervals_exclude_zero_exactly_when_the_adjusted_p_value_is_below_the_level(data, method, alpha):
    result = max_t(data, method=method, draws=FEW)
    interval = result.confidence_interval(1 - alpha)
    outside = (interval.low > 1e-9) | (interval.high < -1e-9)
    assert (outside == (result.adjusted < alpha)).all()
    assert (result.adjusted >= result.pvalue - 1e-12).all()
    assert (result.adjusted <= np.minimum(1, len(result.pvalue) * result.pvalue) + 1e-12).all()


@given(values, st.randoms(), st.sampled_from(["gaussian", "sign_flip"]))
@settings(max_examples=25)
def test_order_of_models_and_items_does_not_matter(data, random, method):
    rows, columns = (random.sample(range(size), size) for size in data.shape)
    first = max_t(data, method=method, draws=512)  # up to nine items all flips are taken
    other = max_t(data[rows][:, columns], method=method, draws=512)
    for i, j, estimate, adjusted in zip(other.first, other.second, other.estimate, other.adjusted, strict=True):
        pair = {rows[i], rows[j]}
        (place,) = (n for n, both in enumerate(zip(first.first, first.second, strict=True)) if set(both) == pair)
        assert abs(estimate) == pytest.approx(abs(first.estimate[place]))
        assert adjusted == pytest.approx(first.adjusted[place], abs=0.06 if method == "gaussian" else 1e-9)


def test_the_same_numbers_in_another_order_have_the_same_draws():
    first, other = max_t(marks()), max_t(marks()[[2, 0, 3, 1]][:, ::-1])
    places = np.array([2, 0, 3, 1])
    known = zip(places[other.first], places[other.second], other.adjusted, strict=True)
    pairs = {frozenset((i, j)): p for i, j, p in known}
    for i, j, p in zip(first.first, first.second, first.adjusted, strict=True):
        assert pairs[frozenset((i, j))] == pytest.approx(p, abs=1e-12)


@given(values, st.integers(1, 3))
@settings(max_examples=20)
def test_all_sign_flips_are_those_of_a_plain_loop(data, clusters):
    groups = np.arange(data.shape[1]) % (clusters + 1)
    for given_groups in (None, groups):
        result = max_t(data, groups=given_groups, method="sign_flip", draws=512)
        assert result.exact
        largest, alone = _enumerated(data, given_groups, result)
        for place, t in enumerate(np.abs(result.statistic)):
            if result.standard_error[place] > 0:
                assert result.adjusted[place] == pytest.approx(np.mean(largest >= t - 1e-9))
                assert result.pvalue[place] == pytest.approx(np.mean(alone[:, place] >= t - 1e-9))


def _enumerated(data, groups, result):
    labels = np.arange(data.shape[1]) if groups is None else groups
    signs = np.array(list(product((1.0, -1.0), repeat=len(np.unique(labels)))))
    flipped = data * signs[:, np.unique(labels, return_inverse=True)[1]][:, None]
    differences = flipped[:, result.first] - flipped[:, result.second]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)
        sizes = np.abs(clustered_difference(differences, labels).statistic)
    return sizes.max(axis=1), sizes


def test_random_flips_come_near_to_all_of_them():
    data = marks()[:3, :12]
    everything = max_t(data, method="sign_flip", draws=2**12)
    drawn = max_t(data, method="sign_flip", draws=2**12 - 1)
    assert everything.exact
    assert not drawn.exact
    assert drawn.adjusted == pytest.approx(everything.adjusted, abs=0.03)


def test_a_control_is_compared_with_all_others_and_costs_less():
    result, every = max_t(marks(), control=2), max_t(marks())
    assert result.first.tolist() == [2, 2, 2]
    assert result.second.tolist() == [0, 1, 3]
    assert result.estimate[2] == every.estimate[5]
    assert result.adjusted[2] <= every.adjusted[5]
    assert result.critical(0.05) < every.critical(0.05)


def test_swapping_two_models_mirrors():
    first, other = max_t(marks()), max_t(marks()[[1, 0, 2, 3]])
    assert first.estimate[0] == -other.estimate[0]
    assert first.confidence_interval().low[0] == pytest.approx(-other.confidence_interval().high[0])


def test_a_common_shift_of_all_models_changes_nothing():
    shift = np.linspace(0, 5, 40)
    assert max_t(marks() + shift).adjusted == pytest.approx(max_t(marks()).adjusted, abs=0.003)


@pytest.mark.parametrize("method", ["gaussian", "sign_flip"])
def test_models_without_differing_differences_can_not_be_told_apart(method):
    data = np.array([[0.1] * 20, [0.1] * 20, [0.3] * 20, np.arange(20) / 20])
    result = max_t(data, method=method, draws=FEW)
    assert result.adjusted[:2].tolist() == [1, 1]
    assert np.isinf(result.confidence_interval().width[:2]).all()
    assert np.isfinite(result.confidence_interval().width[2:]).sum() >= 1


def test_constant_differences_count_as_comparisons():
    varying = np.random.default_rng(0).normal(size=(2, 30))
    plain = max_t(varying)
    with_constant = max_t(np.vstack([varying, varying[0] + 1.0]))
    assert with_constant.critical(0.05) > plain.critical(0.05) + 0.1


def test_few_flips_reject_nothing():
    result = max_t([[1, 2, 3], [0, 0, 1]], method="sign_flip")
    assert result.adjusted.tolist() == [0.25]
    assert np.isinf(result.confidence_interval(0.9).width).all()


@pytest.mark.parametrize(("options", "message"), [
    ({"values": [[1, 0]]}, "at least 2 × 2"),
    ({"values": [[1], [0]]}, "at least 2 × 2"),
    ({"values": np.zeros((2, 3, 4))}, r"shape \(models, items\)"),
    ({"control": 4}, "control must be a row of values, 0 to 3, got 4"),
    ({"control": -1}, "control must be a whole number of at least 0"),
    ({"groups": [1] * 40}, "at least 2 different groups"),
    ({"draws": 10}, "draws must be a whole number of at least 100"),
    ({"values": [[1, np.nan], [0, 1]]}, "must be finite"),
])  # fmt: skip
def test_what_is_refused(options, message):
    with pytest.raises(InvalidInput, match=message):
        max_t(**({"values": marks()} | options))
    with pytest.raises(UnknownName, match="method"):
        max_t(marks(), method="magic")


def test_a_level_needs_enough_draws():
    with pytest.raises(InvalidInput, match="for so few draws"):
        max_t(marks(), draws=100).confidence_interval(0.999)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["gaussian", "sign_flip"])
def test_the_chance_of_any_false_finding_is_the_level(method):
    # two of the four models are equal to each other, two more to each other: three false claims are possible in a pair
    rng = np.random.default_rng(1)
    trials, false = 500, 0
    for trial in range(trials):
        common = rng.normal(size=40)
        data = common + rng.normal(size=(4, 40)) * np.array([[1], [2], [1], [1]]) + np.array([[0], [0], [0], [2.0]])
        result = max_t(data, method=method, draws=500, seed=trial)
        null = (result.first < 3) & (result.second < 3)
        false += bool((result.adjusted[null] < 0.05).any())
    assert false / trials < 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / trials)
    assert false / trials > 0.01
