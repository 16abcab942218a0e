"""Judges checked by people: the published package's numbers, identities, and coverage with a biased judge."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldwise import inference as inf
from foldwise.core.errors import InvalidInput


def drawn(seed, n=40, others=300, bias=0.3):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n + others)
    judge = truth + bias + rng.normal(scale=0.7, size=n + others)
    return judge, np.where(np.arange(n + others) < n, truth, np.nan)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_what_the_authors_package_gives(seed):
    import ppi_py

    judge, human = drawn(seed)
    own = np.isfinite(human)
    found = inf.ppi(judge, human)
    theirs = ppi_py.ppi_mean_pointestimate(human[own], judge[own], judge[~own])
    assert found.estimate == pytest.approx(theirs.item(), abs=1e-10)
    low, high = ppi_py.ppi_mean_ci(human[own], judge[own], judge[~own], alpha=0.05)
    assert found.plug_in_error == pytest.approx((high - low).item() / 2 / 1.959963984540054, abs=1e-10)


def test_values_kept_from_the_authors_package():
    """ppi-python 0.2.3, ppi_mean_pointestimate and ppi_mean_ci on these numbers."""
    judge = np.array([1, 1, 0, 1, 0, 1, 1, 0, 1, 1], dtype=float)
    human = np.array([1, 0, 0, 1] + [np.nan] * 6)
    found = inf.ppi(judge, human)
    assert [float(found.estimate), found.weight] == pytest.approx([KEPT[0], KEPT[2]], abs=1e-10)
    assert found.plug_in_error == pytest.approx(KEPT[1], abs=1e-10)


KEPT = (0.47321428571428575, 0.2260092867651275, 0.32142857142857145)


@settings(max_examples=20)
@given(st.integers(0, 1000), st.floats(-3, 3), st.floats(0.1, 4))
def test_scale_and_shift_of_the_people_carry_over(seed, shift, scale):
    judge, human = drawn(seed)
    plain, moved = inf.ppi(judge, human), inf.ppi(judge * scale + shift, human * scale + shift)
    assert moved.weight == pytest.approx(plain.weight)
    assert moved.estimate == pytest.approx(plain.estimate * scale + shift)
    assert moved.standard_error == pytest.approx(plain.standard_error * scale)


def test_a_judge_that_knows_nothing_and_labels_everywhere_are_the_labels_alone():
    judge, human = drawn(1)
    labels = human[np.isfinite(human)]
    for found in (inf.ppi(np.ones(len(judge)), human), inf.ppi(labels, labels), inf.ppi(judge, human, weight=0)):
        assert found.estimate == pytest.approx(labels.mean())
        assert found.worth == pytest.approx(len(labels))


def test_a_good_judge_is_worth_labels():
    judge, human = drawn(2, bias=1.0)
    found = inf.ppi(judge, human)
    assert found.worth > 60 > found.labelled
    assert found.bias == pytest.approx(1.0, abs=0.3)


def test_clusters_of_one_are_no_clusters():
    judge, human = drawn(3)
    plain, alone = inf.ppi(judge, human), inf.ppi(judge, human, groups=np.arange(len(judge)))
    assert alone.standard_error == pytest.approx(plain.standard_error)
    assert alone.df == pytest.approx(plain.df)


def test_the_error_is_the_jackknife_by_loops():
    judge, human = drawn(4, n=12, others=30)
    groups = np.arange(len(judge)) // 3
    found = inf.ppi(judge, human, groups=groups)
    left = np.array([float(inf.ppi(judge[groups != g], human[groups != g]).estimate) for g in np.unique(groups)])
    with_labels, others = left[:4], left[4:]
    assert found.standard_error == pytest.approx(np.sqrt(3 * np.var(with_labels) + 9 * np.var(others)))


@pytest.mark.parametrize("others", [200, 1000])
def test_coverage_with_a_biased_judge(others):
    """2000 samples of 30 labels: 95 % intervals hold the mean of people, whatever the judge's bias."""
    rng = np.random.default_rng(11)
    held = []
    for _ in range(2000):
        truth = rng.random(30 + others) < 0.6
        judge = np.where(truth, rng.random(30 + others) < 0.95, rng.random(30 + others) < 0.4).astype(float)
        found = inf.ppi(judge, np.where(np.arange(30 + others) < 30, truth, np.nan)).confidence_interval(0.95)
        held.append(found.low <= 0.6 <= found.high)
    assert 0.925 <= np.mean(held) <= 0.97  # measured .936 and .933; the plug-in error's hold .912 to .92


def test_rogan_and_gladen_by_hand_and_by_simulation():
    judge = np.array([1] * 9 + [0] + [1] * 2 + [0] * 8 + [1, 1, 0] * 10, dtype=float)
    human = np.array([1] * 10 + [0] * 10 + [np.nan] * 30)
    found = inf.rogan_gladen(judge, human)
    assert (found.sensitivity, found.specificity) == (0.9, 0.8)
    assert found.estimate == pytest.approx((2 / 3 + 0.8 - 1) / 0.7)
    by_hand = (2 / 9 / 30 + found.estimate**2 * 0.09 / 10 + (1 - found.estimate) ** 2 * 0.16 / 10) / 0.49
    assert found.standard_error == pytest.approx(np.sqrt(by_hand))
    rng = np.random.default_rng(14)
    held = []
    for _ in range(2000):
        truth = rng.random(600) < 0.6
        f = np.where(truth, rng.random(600) < 0.9, rng.random(600) < 0.25).astype(float)
        span = inf.rogan_gladen(f, np.where(np.arange(600) < 100, truth, np.nan)).confidence_interval(0.95)
        held.append(span.low <= 0.6 <= span.high)
    assert np.mean(held) == pytest.approx(0.95, abs=0.025)


def test_labels_that_are_no_random_sample_are_seen():
    rng = np.random.default_rng(5)
    judge = rng.random(1000)
    at_random, of_the_best = rng.random(1000) < 0.1, rng.random(1000) < 0.2 * judge
    assert inf.label_sample(judge, np.where(at_random, 1.0, np.nan)).pvalue > 0.01
    assert inf.label_sample(judge, np.where(of_the_best, 1.0, np.nan)).pvalue < 0.001
    assert inf.label_sample(np.ones(10), np.array([1.0, 1.0] + [np.nan] * 8)).pvalue == 1


@pytest.mark.parametrize(
    ("procedure", "judge", "human", "message"),
    [
        ("ppi", [1, 0], [1], "one value per item"),
        ("ppi", [1, 0, 1], [1, np.nan, np.nan], "at least 2"),
        ("ppi", [1, 0, 1], [1, np.inf, 1], "finite"),
        ("rogan_gladen", [0.5, 0, 1], [1, 0, np.nan], "judge must be 1"),
        ("rogan_gladen", [1, 0, 1], [1, 1, np.nan], "at least one item right and one wrong"),
        ("rogan_gladen", [0, 1, 1], [1, 0, np.nan], "better than by chance"),
        ("rogan_gladen", [1, 0], [1, 0], "without a label"),
    ],
)
def test_bad_input_is_named(procedure, judge, human, message):
    with pytest.raises(InvalidInput, match=message):
        getattr(inf, procedure)(judge, human)
