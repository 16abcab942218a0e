"""Readers × cases against the published analyses of VanDyke et al., loops, and what must hold whatever the scores.

The published numbers are those that MRMCaov 0.3.0 prints for the data of VanDyke et al. (1993), 5 readers and 114 cases
(45 positive), in its manuscript for the Journal of Statistical Software (docs/jss of its repository): areas with
DeLong's and the jackknife's covariances, sensitivity of ratings from 3 on. The data are not ours to keep; on them, this
code gives all the digits that are printed below.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import foldwise as fw
from foldwise import inference as inf
from foldwise.core.errors import InvalidInput
from foldwise.inference.roc_areas import case_effects

APART = [-0.02818035, -0.04653784, -0.01787440, -0.02624799, -0.10016103]  # of the five readers, CINE MRI − SE MRI
CINE, SE = [0.9196457, 0.8587762, 0.9038647, 0.9731079, 0.8297907], [0.9478261, 0.9053140, 0.9217391, 0.9993559, 0.9299517]  # fmt: skip # noqa: E501


def compound(size, variance, covariance):
    return np.full((size, size), covariance) + (variance - covariance) * np.eye(size)


def with_moments(mean, mean_square):
    """Five differences with this mean and these mean squares of modality by reader, half the variance."""
    x = np.array([-2.0, -1, 0, 1, 2])
    return mean + x * np.sqrt(2 * mean_square / x.var(ddof=1))


@pytest.mark.parametrize(
    ("x", "cov2", "cov3", "error", "df", "limits", "t", "p"),
    [
        # areas, DeLong's covariances
        (APART, 0.0003395265, 0.0002358497, 0.0206825, 15.06611, (-0.0878671960, 0.0002665519), -2.117747, 0.05123303),
        # areas, unbiased covariances
        (APART, 0.000339065, 0.0002356148, 0.02067154, 15.03418, (-0.0878519409, 0.0002512968), -2.118871, 0.0511618),
        # sensitivity, whose single readers are not printed
        (with_moments(-0.09777778, 0.001802469), 0.00101459, 0.0006604938, 0.03780451, 15.71732,
         (-0.1780371, -0.0175185), -2.586405, 0.02008822),
        # binormal areas
        (with_moments(-0.04056698, 0.0009478898), 0.000311605, 0.00019377, 0.02479568, 10.51789,
         (-0.09544867, 0.01431471), -1.63605, 0.1313682),
    ],
)  # fmt: skip
def test_published_analyses_of_modalities(x, cov2, cov3, error, df, limits, t, p):
    found = inf.obuchowski_rockette(x, compound(5, 0.001, 2 * (cov2 - cov3)))
    interval = found.confidence_interval()
    assert [float(found.standard_error), float(found.df)] == pytest.approx([error, df], rel=1e-5)
    assert [interval.low, interval.high] == pytest.approx(limits, abs=2e-7)
    assert [float(found.statistic), float(found.pvalue)] == pytest.approx([t, p], rel=1e-5)


@pytest.mark.parametrize(
    ("x", "cov2", "error", "df", "limits"),
    [
        (CINE, 0.0004775239, 0.03307642, 12.59597, (0.8253461, 0.9687280)),
        (SE, 0.0002015292, 0.02150464, 12.56530, (0.8942155, 0.9874592)),
    ],
)
def test_published_intervals_of_one_modality(x, cov2, error, df, limits):
    found = inf.obuchowski_rockette(x, compound(5, 0.002, cov2))
    interval = found.confidence_interval()
    assert [float(found.standard_error), float(found.df)] == pytest.approx([error, df], rel=1e-5)
    assert [interval.low, interval.high] == pytest.approx(limits, abs=1e-6)


def study(seed, readers=4, n=30, levels=None):
    rng = np.random.default_rng(seed)
    positive = np.arange(n) % 3 == 0
    scores = 1.2 * positive + rng.normal(0, 0.7, n) + rng.normal(0, 0.8, (2, readers, n))
    return np.round(scores, 6) if levels is None else np.clip(np.round(scores + 2), 1, levels), positive


def area(y, s):
    up, down = s[y], s[~y]
    return ((up[:, None] > down) + 0.5 * (up[:, None] == down)).mean()


@pytest.mark.parametrize("levels", [None, 5])
def test_covariances_are_those_of_placements_and_of_leaving_out_cases(levels):
    scores, y = study(1, levels=levels)
    n, m = len(y), int(y.sum())
    values, effects = case_effects(scores, y)
    flat = scores.reshape(8, n)
    assert values.ravel() == pytest.approx([area(y, s) for s in flat])
    above = np.array([[((s[c] > s[~y]) + 0.5 * (s[c] == s[~y])).mean() for c in np.flatnonzero(y)] for s in flat])
    below = np.array([[((s[y] > s[c]) + 0.5 * (s[y] == s[c])).mean() for c in np.flatnonzero(~y)] for s in flat])
    delong = np.cov(above) / m + np.cov(below) / (n - m)
    joint = effects.reshape(8, -1)
    assert joint @ joint.T == pytest.approx(delong, abs=1e-14)
    left = np.array([[area(np.delete(y, c), np.delete(s, c)) for c in range(n)] for s in flat])
    apart = left - left.mean(axis=1, keepdims=True)
    jackknife = (n - 1) / n * apart @ apart.T
    joint = case_effects(scores, y, None, "jackknife")[1].reshape(8, -1)
    assert joint @ joint.T == pytest.approx(jackknife, abs=1e-14)
    marks = (scores > 1).astype(float)
    values, effects = case_effects(marks, None)
    joint = effects.reshape(8, -1)
    assert joint @ joint.T == pytest.approx(np.cov(marks.reshape(8, n)) / n, abs=1e-14)


def test_each_case_its_own_cluster_is_nearly_the_same_and_copies_of_cases_are_not_more():
    scores, y = study(2)
    n = len(y)
    alone = case_effects(scores, None, np.arange(n))[1]
    plain = case_effects(scores, None)[1]
    assert (alone**2).sum() == pytest.approx((plain**2).sum())
    twice = case_effects(np.concatenate([scores, scores], axis=-1), None, np.tile(np.arange(n), 2))[1]
    assert (twice**2).sum() == pytest.approx((plain**2).sum())


def rows(scores, y):
    _, r, n = scores.shape
    truth = None if y is None else np.tile(y, r).astype(int)
    return (
        truth,
        {"ct": scores[0].ravel(), "mri": scores[1].ravel()},
        np.repeat(np.arange(r), n),
        np.tile(np.arange(n), r),
    )


def compared(scores, y, order=None, **options):
    truth, outputs, readers, cases = rows(scores, y)
    order = np.arange(len(cases)) if order is None else order
    named = options.pop("options", fw.Options())
    return fw.compare_predictions(
        None if truth is None else truth[order],
        {name: values[order] for name, values in outputs.items()},
        items=cases[order],
        options=replace(named, readers=readers[order]),
        **options,
    )


@given(st.integers(0, 2**32 - 1), st.sampled_from(["roc_auc", "sensitivity@1", None]), st.booleans())
def test_exchanged_modalities_mirror_the_answer_and_the_order_of_rows_changes_nothing(seed, metric, jackknife):
    scores, y = study(seed, readers=3, n=18, levels=4)
    test = "dorfman_berbaum_metz" if jackknife else "auto"
    y = None if metric is None else y
    one = compared(scores, y, metric=metric, test=test)
    other = compared(scores[::-1], y, metric=metric, test=test)
    assert (one.estimate, one.pvalue) == (pytest.approx(-other.estimate), pytest.approx(other.pvalue))
    shuffled = compared(scores, y, np.random.default_rng(seed).permutation(54), metric=metric, test=test)
    assert (shuffled.estimate, shuffled.pvalue) == (pytest.approx(one.estimate), pytest.approx(one.pvalue))
    same = compared(scores[[0, 0]], y, metric=metric, test=test)
    assert (same.estimate, same.pvalue, same.better, same.interval) == (0, 1, None, None)


def test_the_verb_says_what_the_procedure_finds_and_reads_its_json_again():
    scores, y = study(3)
    c = compared(scores, y)
    values, effects = case_effects(scores, y)
    apart = effects[0] - effects[1]
    found = inf.obuchowski_rockette(values[0] - values[1], apart @ apart.T, cases=30)
    assert (c.estimate, c.pvalue, c.test) == (float(found.estimate), float(found.pvalue), "obuchowski_rockette")
    assert fw.Comparison.from_dict(c.to_dict()).pvalue == c.pvalue
    assert c.design == "4 readers × 30 cases (10 positive)"
    # degrees of freedom never exceed those of the cases
    assert inf.obuchowski_rockette([0.1] * 5, compound(5, 0.01, 0.01), cases=20).df == 19
    # readers that agree by chance are no certainty where they are few
    assert inf.obuchowski_rockette([0.1] * 2, compound(2, 0.01, 0.01), cases=20).df == 1
    few, many = (inf.obuchowski_rockette([0.1, 0.2, 0.15], compound(3, 0.1, c)).df for c in (1e-6, 1e-2))
    assert 2 <= few < 2.1 < many < 6


def test_more_than_two_modalities_and_one_alone():
    scores, y = study(4)
    third = scores[0] + np.random.default_rng(0).normal(0, 1, scores[0].shape)
    truth, outputs, readers, cases = rows(scores, y)
    c = fw.compare_predictions(
        truth, {**outputs, "film": third.ravel()}, items=cases, options=fw.Options(readers=readers, adjust="max_t")
    )
    assert len(c.pairs) == 3
    one = fw.estimate_predictions(truth, outputs["ct"], items=cases, options=fw.Options(readers=readers))
    values, effects = case_effects(scores[:1], y)
    expected = inf.obuchowski_rockette(values[0], effects[0] @ effects[0].T, cases=30).confidence_interval()
    assert (one.interval.low, one.interval.high) == pytest.approx((expected.low, min(expected.high, 1.0)))


def given_rows(**change):
    scores, y = study(5, readers=2, n=12, levels=5)
    truth, outputs, readers, cases = rows(scores, y)
    return {"truth": truth, "outputs": outputs, "readers": readers, "cases": cases, **change}


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({"readers": np.zeros(24)}, {}, "at least two readers are needed"),
        ({"cases": None}, {}, "readers need the case of each row"),
        ({"cases": np.zeros(24)}, {}, "each reader must have scored a case once"),
        ({"truth": np.arange(24) % 2}, {"metric": "roc_auc"}, None),
        ({"truth": np.arange(24) // 12}, {}, "a case must have one truth"),
        ({"truth": np.zeros(24, dtype=int)}, {"options": fw.Options(positive=1)}, "positive"),
        ({}, {"metric": "sensitivity"}, "as in sensitivity@3"),
        ({}, {"metric": "f1"}, "must be roc_auc, sensitivity, specificity or accuracy"),
        ({}, {"metric": ["roc_auc", "accuracy"]}, "by one metric"),
        ({"readers": np.arange(5)}, {}, "one row for each reader and case"),
        ({}, {"missing": "worst"}, "leave cases out with missing='drop'"),
    ],
)
def test_bad_input_is_named(change, options, message):
    data = given_rows(**change)
    options = dict(options)
    named = replace(options.pop("options", fw.Options()), readers=data["readers"])
    call = lambda: fw.compare_predictions(data["truth"], data["outputs"], items=data["cases"], options=named, **options)  # noqa: E731
    if message is None:
        assert call().pvalue <= 1
        return
    with pytest.raises(InvalidInput, match=message):
        call()


def test_cases_that_a_reader_lacks_are_refused_or_left_out_for_all():
    data = given_rows()
    kept = np.arange(24) != 5
    part = {
        "truth": data["truth"][kept],
        "outputs": {name: values[kept] for name, values in data["outputs"].items()},
        "items": data["cases"][kept],
        "options": fw.Options(readers=data["readers"][kept]),
    }
    with pytest.raises(InvalidInput, match="the score of case 5 by reader 0"):
        fw.compare_predictions(**part)
    assert fw.compare_predictions(**part, missing="drop").design == "2 readers × 11 cases (4 positive)"


def test_constant_scores_show_nothing():
    scores, y = study(6)
    c = compared(np.ones_like(scores), y)
    assert (c.estimate, c.pvalue, c.better, c.interval) == (0, 1, None, None)


@pytest.mark.parametrize(
    ("x", "covariance", "message"),
    [([0.1], [[0.1]], "at least 2 readers"), ([0.1, 0.2], [[0.1]], "of shape"), ([0.1, np.nan], np.eye(2), "finite")],
)
def test_arrays_are_checked(x, covariance, message):
    with pytest.raises(InvalidInput, match=message):
        inf.obuchowski_rockette(x, covariance)


def test_batches_are_single_experiments():
    rng = np.random.default_rng(0)
    x, c = rng.normal(size=(3, 4)), rng.normal(size=(3, 4, 4))
    c = c @ np.swapaxes(c, -1, -2) / 40
    many = inf.obuchowski_rockette(x, c)
    assert many.pvalue == pytest.approx([float(inf.obuchowski_rockette(*one).pvalue) for one in zip(x, c, strict=True)])
