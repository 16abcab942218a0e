"""Marks judged: test, interval, probabilities and curve from one distribution, and no certainty without variance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.pairs import judge_evidence
from foldwise.core.errors import InvalidInput
from foldwise.designs import CLUSTERED_MARKS, MARKS, RIGHT_WRONG, kind_of
from foldwise.evidence.items import Items
from foldwise.inference import clustered_t, paired_t

marks = st.integers(0, 20).map(lambda value: value / 20)
pairs = st.lists(st.tuples(marks, marks, st.integers(0, 3)), min_size=2, max_size=25)


def marked(a, b, **options):
    return Items.from_marks({"a": a, "b": b}, **options)


def built(items, *, clusters=False, **options):
    a, b, groups = zip(*items, (0.5, 0.4, 8), (0.3, 0.6, 9), strict=True)
    return marked(a, b, groups=groups if clusters else None, **options)


def test_the_recommended_test_follows_from_the_clusters():
    alone, clustered = built([(1, 0, 1)]), built([(1, 0, 1)], clusters=True)
    assert (kind_of(alone), kind_of(clustered)) == (MARKS, CLUSTERED_MARKS)
    assert judge_evidence(alone).test == "paired_t"
    assert judge_evidence(clustered).test == "clustered_t"
    assert "although they come in clusters" in judge_evidence(clustered, test="paired_t").caveats[0]
    with pytest.raises(InvalidInput, match=r"test 'clustered_t' needs .* the cluster of each item, got 3 items"):
        judge_evidence(alone, test="clustered_t")
    right = marked([1, 0, 1, 1], [1, 1, 0, 0])
    assert kind_of(right) == RIGHT_WRONG
    assert judge_evidence(right, test="paired_t").pvalue == pytest.approx(
        stats.ttest_rel([1, 0, 1, 1], [1, 1, 0, 0]).pvalue
    )


@given(pairs, st.booleans(), st.booleans())
@settings(max_examples=25)
def test_exchanging_the_models_mirrors_everything(items, clusters, higher):
    evidence = built(items, clusters=clusters, higher_is_better=higher)
    swapped = marked(evidence.b, evidence.a, groups=evidence.groups, higher_is_better=higher)
    c, back = judge_evidence(evidence), judge_evidence(swapped)
    assert back.estimate == pytest.approx(-c.estimate)
    assert back.pvalue == pytest.approx(c.pvalue)
    assert (back.better, c.better) in {(None, None), ("a", "b"), ("b", "a")}
    assert back.interval.low == pytest.approx(-c.interval.high)
    assert back.rope_probabilities.a_better == pytest.approx(c.rope_probabilities.b_better)


@given(pairs, st.booleans(), st.sampled_from([0.0, 0.01, 0.2]))
@settings(max_examples=25)
def test_probabilities_interval_and_curve_come_from_one_distribution(items, clusters, rope):
    evidence = built(items, clusters=clusters)
    c = judge_evidence(evidence, rope=rope)
    run = clustered_t(evidence.differences, evidence.groups) if clusters else paired_t(evidence.differences)
    law = stats.t(float(run.df), float(run.estimate), float(run.standard_error))
    assert tuple(c.rope_probabilities.as_tuple()) == pytest.approx(
        (law.sf(rope), law.cdf(rope) - law.cdf(-rope), law.cdf(-rope)), abs=1e-12
    )
    assert (c.interval.low, c.interval.high) == pytest.approx(law.interval(0.95))
    assert c.reject == (0 not in c.interval)
    curve = c.posterior()
    assert curve.density == pytest.approx(law.pdf(curve.difference), rel=1e-9)


@given(st.lists(marks, min_size=1, max_size=20))
@settings(max_examples=25)
def test_a_model_against_itself_shows_nothing(values):
    c = judge_evidence(marked(values, values), test="paired_t")  # right and wrong alone have a test of their own
    assert (c.pvalue, c.better, c.interval, c.rope_probabilities, c.posterior()) == (1.0, None, None, None, None)
    assert math.isnan(c.statistic)
    assert "not distinguishable" in str(Comparison.of(c))


@pytest.mark.parametrize("items", [1, 2, 50])
def test_a_constant_difference_is_no_certainty(items):
    c = judge_evidence(marked(np.full(items, 0.9), np.full(items, 0.8)))
    assert (c.pvalue, c.better, c.interval, c.rope_probabilities) == (1.0, None, None, None)
    assert any("spread" in caveat for caveat in c.caveats)


def test_two_items_have_one_degree_of_freedom_and_say_so():
    c = judge_evidence(marked([0.9, 0.7], [0.5, 0.6]))
    assert (c.df, c.detectable_difference) == (1.0, None)
    assert c.interval.width > 3
    assert any("normally distributed" in caveat for caveat in c.caveats)


def test_power_is_spoken_of_from_twenty_items_on():
    rng = np.random.default_rng(0)
    seen = [judge_evidence(marked(*rng.random((2, n)))).detectable_difference for n in (19, 20)]
    assert seen[0] is None
    assert seen[1] > 0


def test_losses_are_won_by_the_lower():
    c = judge_evidence(marked([0.5, 0.6, 0.4, 0.5], [0.9, 0.8, 0.9, 0.95], metric="log_loss"))
    assert (c.better, c.higher_is_better) == ("a", False)
    assert c.rope_probabilities.a_better > 0.9


def test_what_was_missing_and_unequal_is_said():
    nan = float("nan")
    c = judge_evidence(
        marked([[1, nan], [0, 1], [1, 1]], [[1, 1], [nan, nan], [0, 1]], missing="drop"), names=("x", "y")
    )
    assert any("missing values: x 1, y 2; 2 items left out" in caveat for caveat in c.caveats)
    worst = judge_evidence(marked([1, nan, 1], [1, 1, 0], missing="worst"))
    assert worst.evidence.b.size == 3
    unequal = judge_evidence(marked({"p": [1, 1], "q": 0.5, "r": 1}, {"p": 0, "q": 1, "r": 0}))
    assert any("tried unequally often (1 to 2 trials)" in caveat for caveat in unequal.caveats)


def test_the_answer_names_its_reference_and_draws_every_item():
    c = Comparison.of(judge_evidence(built([(0.2, 0.9, 0)] * 20)))
    assert "Student" in c.reference
    bars = Comparison.of(c).plot("item_differences").axes[0].patches[:-1]  # the last one is the interval
    assert sum(bar.get_height() for bar in bars) == 22
    assert len(Comparison.of(c).to_frame("evidence")) == 22
