from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.designs import find_procedure, procedure_names
from foldwise.inference import corrected_repeated_cv_t, correlated_bayesian_t, detectable_difference
from foldwise.render.html import to_html

RNG = np.random.default_rng(7)
A = 0.84 + 0.04 * RNG.standard_normal((10, 10))
B = 0.77 + 0.04 * RNG.standard_normal((10, 10))
matrices = arrays(np.float64, (4, 5), elements=st.integers(0, 20).map(lambda k: k / 20))


@pytest.mark.parametrize(("shape", "n_train", "test"), [
    ((10, 10), 900, "corrected_repeated_cv_t"),
    ((1, 10), 900, "corrected_repeated_cv_t"),
    ((5, 2), 100, "five_by_two_cv_f"),
    ((30,), 200, "corrected_resampled_t"),
])  # fmt: skip
def test_auto_takes_the_recommended_test_and_says_why(shape, n_train, test):
    a, b = RNG.random(shape), RNG.random(shape)
    c = fw.compare_scores({"a": a, "b": b}, n_train=n_train, n_test=100)
    assert c.test == test
    assert c.reason in " ".join(c.details().split())
    assert c.caveats


def test_the_numbers_are_those_of_the_procedures():
    c = fw.compare_scores({"a": A, "b": B}, n_train=90, n_test=10, rope=0.02)
    result = corrected_repeated_cv_t(A - B, test_train_ratio=1 / 9)
    assert c.pvalue == result.pvalue
    assert c.df == 99
    assert c.interval == result.confidence_interval(0.95)
    posterior = correlated_bayesian_t((A - B).ravel(), correlation=0.1, rope=0.02)
    assert c.rope_probabilities.a_better == posterior.probabilities.a_better
    assert c.detectable_difference == pytest.approx(detectable_difference(result.standard_error, 99))
    assert c.pairs[0].means == pytest.approx((A.mean(), B.mean()))


@given(matrices, matrices, st.booleans())
def test_swapping_mirrors_everything(a, b, higher):
    c = fw.compare_scores({"a": a, "b": b}, higher_is_better=higher)
    swapped = fw.compare_scores({"a": b, "b": a}, higher_is_better=higher)
    assert swapped.estimate == pytest.approx(-c.estimate, abs=1e-15)
    assert swapped.pvalue == pytest.approx(c.pvalue)
    assert (swapped.interval is None) == (c.interval is None) == (c.rope_probabilities is None)
    if c.interval is None:
        return
    assert swapped.interval.low == pytest.approx(-c.interval.high, abs=1e-12)
    assert swapped.better == {"a": "b", "b": "a", None: None}[c.better]
    assert swapped.rope_probabilities.a_better == pytest.approx(c.rope_probabilities.b_better)


@given(matrices)
def test_a_learner_against_itself_is_never_different(a):
    c = fw.compare_scores({"a": a, "b": a})
    assert (c.pvalue, c.better, c.estimate, c.interval, c.rope_probabilities) == (1, None, 0, None, None)
    assert any("same score on every split" in caveat for caveat in c.caveats)


def test_losses_turn_the_winner_not_the_estimate():
    c = fw.compare_scores({"a": A, "b": B}, higher_is_better=True)
    loss = fw.compare_scores({"a": A, "b": B}, higher_is_better=False, metric="error")
    assert c.better == "a"
    assert loss.better == "b"
    assert loss.estimate == c.estimate
    assert loss.rope_probabilities.b_better == c.rope_probabilities.a_better


SHAPES = {"kfold_cv_t": (1, 4), "five_by_two_cv_t": (5, 2), "five_by_two_cv_f": (5, 2), "resampled_t": (6,)}
SHAPES["corrected_resampled_t"] = (2,)
# what `compare` alone makes, from learners, has its degenerate cases in tests/inference
GIVEN = {"splits", "kfold", "five_by_two", "repeated_cv"}
NO_VARIANCE = [name for name in procedure_names() if find_procedure(name).kind.name in GIVEN]
PICTURED = {find_procedure(name).kind.name: name for name in NO_VARIANCE}.values()
"""One of each kind of evidence, which has its pictures."""


@pytest.mark.parametrize("gain", [0.0, 0.1, -0.1])
@pytest.mark.parametrize("test", NO_VARIANCE)
def test_scores_that_do_not_vary_can_not_tell(test, gain):
    a = np.resize([0.8, 0.9, 0.7], SHAPES.get(test, (3, 4)))  # 0.9 − 0.8 is not 0.8 − 0.7 in the last bit
    n_train = 10 * (a.shape[-1] - 1)  # what so many folds of 10 leave; random splits may have any size
    c = fw.compare_scores({"a": a + gain, "b": a}, test=test, n_train=n_train, n_test=10)
    assert (c.pvalue, c.better, c.reject) == (1, None, False)
    assert (c.interval, c.rope_probabilities, c.detectable_difference) == (None, None, None)
    assert c.estimate == pytest.approx(gain)
    said = "No verdict: the difference is the same everywhere, so its uncertainty is unknown."
    assert str(c).splitlines()[2].strip().startswith(said if gain else "a and b are not distinguishable")
    assert "99.9" not in str(c) + (to_html(c) if gain > 0 else "")
    assert "practically" not in str(c)
    told = json.loads(json.dumps(c.to_dict(), allow_nan=False))
    assert [told[key] for key in ("statistic", "interval", "rope_probabilities", "better")] == [None] * 4
    assert any("on every split" in caveat for caveat in c.caveats)


OPPOSITE = 0.5 + np.array([[0.1, 0.1], [-0.1, -0.1], [0.1, 0.1], [-0.1, -0.101], [0.1, 0.102]])


@pytest.mark.usefixtures("without_pictures")
def test_replications_of_opposite_sign_name_no_winner():
    c = fw.compare_scores({"a": OPPOSITE, "b": np.full((5, 2), 0.5)}, test="five_by_two_cv_f")
    assert c.reject
    assert (c.better, c.better, c.interval, c.common) == (None, None, None, False)
    assert c.detectable_difference is None
    for text in (str(c), c.to_html()):
        assert "They differ, but not by a common amount" in text
        assert "is better." not in text
    told = json.loads(json.dumps(c.to_dict(), allow_nan=False))
    assert (told["better"], told["interval"], told["common"], told["reject"]) == (None, None, False, True)
    assert any("names no winner" in caveat for caveat in c.caveats)


def test_replications_that_agree_name_one():
    c = fw.compare_scores({"a": np.abs(OPPOSITE - 0.5) + 0.5, "b": np.full((5, 2), 0.5)}, test="five_by_two_cv_f")
    assert (c.better, c.common) == ("a", True)
    assert c.interval.low > 0


@pytest.mark.parametrize(("test", "shape"), [
    ("resampled_t", (30,)),
    ("kfold_cv_t", (1, 10)),
    ("kfold_cv_t", (10,)),
    ("use_all_data", (10, 10)),
    ("folds", (10, 10)),
])  # fmt: skip
def test_unsound_tests_run_by_name_and_say_what_is_wrong(test, shape):
    c = fw.compare_scores({"a": RNG.random(shape), "b": RNG.random(shape)}, test=test, n_train=90, n_test=10)
    assert c.test == test
    assert any("Type I error" in caveat or "differences that are not there" in caveat for caveat in c.caveats)


def test_a_variant_with_calibrated_degrees_of_freedom_carries_no_warning():
    c = fw.compare_scores({"a": A, "b": B}, test="use_all_data:df=10")
    assert c.df == 10
    assert not any("not there" in caveat for caveat in c.caveats)


@pytest.mark.parametrize(("options", "message"), [
    ({"test": "five_by_two_cv_t"}, r"'five_by_two_cv_t' needs scores.*got 10×10-fold cross-validation"),
    ({"test": "mcnemar"}, "needs the predictions of both classifiers"),
    ({"test": "corrected_resampled_t"}, r"needs scores of shape \(splits,\)"),
    ({"alpha": 0}, "alpha must be strictly between 0 and 1, got 0"),
    ({"alpha": "small"}, "alpha must be a number, got 'small'"),
    ({"rope": -1}, "rope must be a number of at least 0, got -1"),
    ({"test": "use_all_data:many"}, "must stand 'calibrated' or 'df=NUMBER'"),
    ({"test": "mcnemar:df=3"}, "only the repeated-cv variants"),
])  # fmt: skip
def test_bad_input_is_one_sentence(options, message):
    with pytest.raises(InvalidInput, match=message):
        fw.compare_scores({"a": A, "b": B}, **with_options(options))


def test_an_unknown_test_suggests_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'kfold_cv_t'"):
        fw.compare_scores({"a": A, "b": B}, test="kfold_cv")


def test_the_text_gives_the_answer_first_and_the_winner_first():
    text = str(fw.compare_scores({"nb": B, "tree": A}, metric="accuracy"))
    assert text.splitlines()[0].startswith("nb vs tree (10×10-fold cross-validation)")
    assert text.splitlines()[2].startswith(
        f"  tree is better: accuracy {100 * A.mean():.1f} % vs {100 * B.mean():.1f} %, a difference of"
    )


def test_percentages_with_the_default_rope_are_pointed_out():
    c = fw.compare_scores({"a": 100 * A, "b": 100 * B}, metric="accuracy")
    assert (c.rope, c.unit) == (1, "percent")
    assert fw.compare_scores({"a": 100 * A, "b": 100 * B}).unit == "own"  # never from values alone
    kept = fw.compare_scores({"a": 100 * A, "b": 100 * B}, rope=0.01, metric="accuracy")
    assert any("up to 0.01 points" in caveat for caveat in kept.caveats)
    lengths = fw.compare_scores({"a": 100 * A, "b": 100 * B}, metric="mae")
    assert any("own unit" in caveat for caveat in lengths.caveats)


def test_scores_become_a_frame():
    frame = fw.compare_scores({"nb": A, "tree": B}).to_frame("evidence")
    assert list(frame.columns) == ["run", "fold", "nb", "tree", "difference"]
    assert len(frame) == 100
    splits = fw.compare_scores({"a": A[0], "b": B[0]}, n_train=9, n_test=1).to_frame("evidence")
    assert list(splits.columns) == ["split", "a", "b", "difference"]
