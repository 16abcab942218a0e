from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from foldwise.core.errors import InvalidInput
from foldwise.inference import betting_evidence, confidence_sequence

GOLDEN = np.arange(1, 301) * 0.6180339887498949 % 1
SEQUENCES = {
    "graded": GOLDEN**2,
    "right_wrong": np.where(GOLDEN < 0.15, 0.0, np.where(GOLDEN < 0.4, 1.0, 0.5)),
    "constant": np.full(300, 0.5),
}
differences = hnp.arrays(float, st.integers(1, 60), elements=st.integers(-8, 8).map(lambda k: k / 8))


@pytest.fixture(scope="module")
def confseq():
    """Name → value of tests/reference/confidence_sequence.tsv, which its generator wrote with the package confseq."""
    text = (Path(__file__).parents[1] / "reference" / "confidence_sequence.tsv").read_text(encoding="utf-8")
    return {name: float(value) for name, value in (row.split("\t") for row in text.splitlines()[1:])}


@pytest.mark.parametrize("name", SEQUENCES)
def test_the_capital_is_that_of_confseq(confseq, name):
    for m in (0.2, 0.5, 0.7):
        found = betting_evidence(SEQUENCES[name], value=m, bounds=(0, 1)).evalue
        for t in (1, 20, 100, 300):
            assert found[t - 1] == pytest.approx(confseq[f"{name}.capital[{m}][{t}]"], rel=1e-9)


@pytest.mark.parametrize("name", SEQUENCES)
def test_the_limits_are_those_of_confseq(confseq, name):
    """Its limits are the outermost points of a grid of 20,000 that are not ruled out."""
    found = confidence_sequence(SEQUENCES[name], bounds=(0, 1), looks=[20, 100, 300])
    for place, t in enumerate((20, 100, 300)):
        assert found.low[place] == pytest.approx(confseq[f"{name}.low[{t}]"], abs=1.1 / 20_000)
        assert found.high[place] == pytest.approx(confseq[f"{name}.high[{t}]"], abs=1.1 / 20_000)


@settings(max_examples=25)
@given(differences, st.sampled_from([0.05, 0.2]), st.sampled_from([-0.5, -0.1, 0.0, 0.3]))
def test_the_interval_is_dual_to_the_evidence(x, alpha, value):
    every = np.arange(1, len(x) + 1)
    found = confidence_sequence(x, alpha=alpha, looks=every)
    p = betting_evidence(x, value=value, alpha=alpha).pvalue
    clear = (np.abs(found.low - value) > 1e-8) & (np.abs(found.high - value) > 1e-8)
    inside = (found.low <= value) & (value <= found.high)
    assert np.array_equal(inside[clear], (p > alpha)[clear])


@settings(max_examples=25)
@given(differences)
def test_turned_round_it_is_mirrored(x):
    there, back = confidence_sequence(x), confidence_sequence(-x)
    assert np.allclose(there.low, -back.high, atol=1e-9)
    assert np.allclose(there.high, -back.low, atol=1e-9)
    evidence = betting_evidence(x), betting_evidence(-x)
    assert np.allclose(evidence[0].evalue, evidence[1].evalue, rtol=1e-9)


@settings(max_examples=25)
@given(differences, st.integers(1, 60))
def test_what_comes_later_changes_nothing_that_was_said(x, cut):
    """Limits never widen, and those at a look are the same whatever follows."""
    whole = confidence_sequence(x, looks=np.arange(1, len(x) + 1))
    assert (np.diff(whole.low) >= 0).all()
    assert (np.diff(whole.high) <= 0).all()
    part = confidence_sequence(x[:cut], looks=np.arange(1, len(x[:cut]) + 1))
    assert np.allclose(part.low, whole.low[:cut], atol=1e-9)
    assert np.allclose(part.high, whole.high[:cut], atol=1e-9)


@settings(max_examples=25)
@given(differences)
def test_fewer_looks_leave_the_limits_where_they_are(x):
    all_looks = confidence_sequence(x, looks=np.arange(1, len(x) + 1))
    some = confidence_sequence(x)
    assert np.allclose(some.low, all_looks.low[some.looks - 1], atol=1e-9)
    assert np.allclose(some.estimate, all_looks.estimate[some.looks - 1])


@settings(max_examples=10)
@given(hnp.arrays(float, (3, 20), elements=st.sampled_from([-1.0, 0.0, 0.5, 1.0])))
def test_batched_is_looped(x):
    batch = betting_evidence(x)
    for row, sequence in enumerate(x):
        one = betting_evidence(sequence)
        assert np.array_equal(batch.evalue[row], one.evalue)
        assert np.array_equal(batch.pvalue[row], one.pvalue)


def test_bounds_scale():
    x = SEQUENCES["graded"]
    unit, points = confidence_sequence(x, bounds=(0, 1)), confidence_sequence(1 + 4 * x, bounds=(1, 5))
    assert np.allclose(points.low, 1 + 4 * unit.low)
    assert np.allclose(points.estimate, 1 + 4 * unit.estimate)


def test_all_short_sequences_enumerated():
    """Every sequence of nine fair differences, with its probability: the level holds whenever one stops."""
    alpha, law = 0.2, {-1.0: 0.3, 0.0: 0.4, 1.0: 0.3}
    x = np.array(list(itertools.product(law, repeat=9)))
    probability = np.prod(np.vectorize(law.get)(x), axis=1)
    found = betting_evidence(x, alpha=alpha)
    rejected = probability[found.pvalue[:, -1] <= alpha].sum()
    assert 0 < rejected <= alpha
    assert (probability @ found.evalue <= 1 + 1e-12).all()  # at each time


def test_no_difference_is_never_shown_where_there_is_none():
    found = betting_evidence(np.zeros(5000))
    assert (found.pvalue == 1).all()
    interval = confidence_sequence(np.zeros(5000)).interval
    assert interval.low == pytest.approx(-interval.high)
    assert 0 < interval.high < 0.002  # but n equal items bound the difference


@pytest.mark.slow
@pytest.mark.parametrize("name", ["right_wrong", "graded", "rare"])
def test_coverage_over_all_times(name):
    """1500 sequences of 1000: the mean is ever outside in at most 5 %; measured .029, .025, .012 (± .004) with 4000."""
    rng, shape = np.random.default_rng(5), (1500, 1000)
    laws = {"right_wrong": ([0.1, 0.78, 0.12], 0.02), "rare": ([0.01, 0.98, 0.01], 0.0)}
    if name == "graded":
        x, mean = rng.beta(2, 2, shape) - rng.beta(2, 3, shape), 0.1
    else:
        x, mean = rng.choice([-1.0, 0.0, 1.0], p=laws[name][0], size=shape), laws[name][1]
    ever = (betting_evidence(x, value=mean).pvalue[:, -1] <= 0.05).mean()
    assert ever <= 0.05 + 3 * (0.05 * 0.95 / len(x)) ** 0.5
    assert ever > 0.002  # it is no empty promise


def test_a_mean_that_changes_fits_nowhere():
    x = np.r_[np.full(400, 0.5), np.full(4000, -0.5)]
    assert confidence_sequence(x).interval is None


def test_one_observation():
    found = confidence_sequence([1.0])
    assert (found.looks.tolist(), found.low.tolist(), found.high.tolist()) == ([1], [-1.0], [1.0])


@pytest.mark.parametrize(("options", "message"), [
    ({"x": []}, "x must hold at least one observation"),
    ({"x": [0.5, 1.5]}, "x must lie within the bounds -1 and 1, got 1.5"),
    ({"x": [0.5, float("nan")]}, "x must be finite"),
    ({"x": [[0.5], [0.1]]}, r"x must have shape \(n,\)"),
    ({"x": [0.5], "bounds": (1, 0)}, "bounds must be two numbers, the smaller first"),
    ({"x": [0.5], "alpha": 0}, "alpha must be strictly between 0 and 1"),
    ({"x": [0.5, 0.1], "looks": [2, 1]}, "looks must be growing whole numbers from 1 to 2"),
    ({"x": [0.5, 0.1], "looks": [3]}, "looks must be growing whole numbers from 1 to 2"),
])  # fmt: skip
def test_bad_input(options, message):
    with pytest.raises(InvalidInput, match=message):
        confidence_sequence(**options)


def test_a_value_beyond_the_bounds_is_refused():
    with pytest.raises(InvalidInput, match="value must lie between the bounds -1 and 1, got 1"):
        betting_evidence([0.5], value=1)
