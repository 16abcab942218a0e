"""Right and wrong are right and wrong in whatever coding: the same verdict at every door."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import foldwise as fw

CODINGS = {
    "0 and 1": (lambda right: right * 1.0, {}),
    "errors": (lambda right: 1.0 - right, {"metric": "error"}),
    "0 and 1, lower is better": (lambda right: 1.0 - right, {"higher_is_better": False}),
    "0 and 100": (lambda right: right * 100.0, {"metric": "score"}),
    "0 and 100, errors": (lambda right: 100.0 - right * 100, {"metric": "error rate"}),
    "words": (lambda right: np.where(right, "pass", "fail"), {}),
}
outcomes = st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=12, max_size=60)


def _columns(drawn):
    return [np.array(column) for column in zip(*drawn, strict=True)]


def _two(drawn, coding, **options):
    a, b, _ = _columns(drawn)
    code, words = CODINGS[coding]
    return fw.compare_predictions(None, {"a": code(a), "b": code(b)}, **words, **options)


def _side(c):
    """Estimate and interval as differences of right answers in shares of 1."""
    ends = np.array([c.estimate, c.interval.low, c.interval.high]) / c.evidence.factor
    return ends[0], *sorted(ends[1:])


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("clustered", [False, True])
@given(drawn=outcomes)
def test_two_models_get_the_same_verdict_in_every_coding(coding, clustered, drawn):
    groups = {"groups": np.arange(len(drawn)) // 2} if clustered else {}
    plain, coded = _two(drawn, "0 and 1", **groups), _two(drawn, coding, **groups)
    assert (coded.test, coded.better, coded.pvalue) == (plain.test, plain.better, plain.pvalue)
    assert _side(coded) == pytest.approx(_side(plain), abs=1e-12)
    assert coded.rope_probabilities.as_tuple() == pytest.approx(plain.rope_probabilities.as_tuple(), abs=1e-9)
    assert coded.estimate == pytest.approx(coded.pairs[0].means[0] - coded.pairs[0].means[1], abs=1e-9)


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("clustered", [False, True])
@given(drawn=outcomes)
def test_three_models_get_the_same_verdict_in_every_coding(coding, clustered, drawn):
    groups = {"groups": np.arange(len(drawn)) // 2} if clustered else {}
    code, words = CODINGS[coding]
    plain = fw.compare_predictions(None, dict(zip("abc", _columns(drawn), strict=True)), **groups)
    coded = fw.compare_predictions(None, dict(zip("abc", map(code, _columns(drawn)), strict=True)), **words, **groups)
    assert [(p.better, p.adjusted) for p in coded.pairs] == [(p.better, p.adjusted) for p in plain.pairs]
    assert coded.best_pvalues == pytest.approx(plain.best_pvalues, abs=1e-4)  # a lead may round across one draw
    assert (coded.best_set, coded.ranks) == (plain.best_set, plain.ranks)
    estimates = [pair.estimate / coded.evidence.factor for pair in coded.pairs]
    assert estimates == pytest.approx([pair.estimate for pair in plain.pairs], abs=1e-12)


def test_four_errors_to_none_are_no_proof_in_any_coding():
    right_a, right_b = np.ones(50, bool), np.r_[np.zeros(4, bool), np.ones(46, bool)]
    for coding, (code, words) in CODINGS.items():
        c = fw.compare_predictions(None, {"a": code(right_a), "b": code(right_b)}, **words)
        assert (c.test, c.better, c.pvalue) == ("mcnemar", None, 0.0625), coding


def test_the_detectable_difference_and_the_margin_are_in_the_unit_of_the_marks():
    rng = np.random.default_rng(3)
    a, b = rng.random(300) < 0.8, rng.random(300) < 0.7
    share = fw.compare_predictions(None, {"a": a * 1.0, "b": b * 1.0}, margin=0.02, metric="accuracy")
    points = fw.compare_predictions(None, {"a": a * 100.0, "b": b * 100.0}, margin=2, metric="accuracy")
    assert points.detectable_difference == pytest.approx(100 * share.detectable_difference)
    assert (points.conclusion, points.unit, share.unit) == (share.conclusion, "percent", "fraction")
    curve, whole = share.posterior(), points.posterior()
    assert np.trapezoid(whole.density, whole.difference) == pytest.approx(np.trapezoid(curve.density, curve.difference))


def test_that_1_is_right_is_said_to_be_assumed_unless_somebody_says_it(run, tmp_path):
    file = tmp_path / "marks.csv"
    file.write_text("a,b\n" + "1,0\n" * 9 + "1,1\n" * 20)
    code, out, _ = run("predictions", file, "--truth", "none")
    assert code == 0
    assert "Assumed: 1 is right and 0 is wrong (if not: --lower-is-better)." in " ".join(out.split())
    code, out, _ = run("predictions", file, "--truth", "none", "--json")
    direction = next(one for one in json.loads(out)["reading"] if one["what"] == "direction")
    assert (code, direction["how"]) == (0, "assumed")
    code, out, _ = run("predictions", file, "--truth", "none", "--lower-is-better")
    assert code == 0
    assert "b is better" in out
    assert "Assumed" not in out
    assert "Assumed" not in str(fw.compare_predictions(None, {"a": ["pass", "fail"], "b": ["fail", "pass"]}))
