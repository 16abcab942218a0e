"""DeLong's test against pROC, MLstatkit and Obuchowski's formulas, and what must hold of it whatever the data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldwise import inference as inf
from foldwise.core.errors import InvalidInput
from foldwise.metrics.catalogue import known_metric
from foldwise.metrics.function import measure
from foldwise.metrics.metric import Truth

REFERENCE = Path(__file__).parents[1] / "reference"


def transcript(name):
    lines = (REFERENCE / name).read_text(encoding="utf-8").splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return {key: np.array(values, dtype=float) for key, *values in rows}


R, MLSTATKIT = transcript("delong.txt"), transcript("mlstatkit.txt")


def case(name):
    return R[f"{name}.y"], R[f"{name}.a"], R[f"{name}.b"]


@pytest.mark.parametrize("name", ["plain", "ties", "rare", "reversed", "separated"])
def test_two_classes_are_as_proc_has_them(name):
    result = inf.delong(*case(name))
    z, p, low, high, error = R[f"{name}.test"]
    interval = result.confidence_interval(0.95)
    assert [result.area_a, result.area_b] == pytest.approx(R[f"{name}.areas"], rel=1e-12)
    found = [result.statistic, result.pvalue, interval.low, interval.high, result.standard_error]
    assert found == pytest.approx([z, p, low, high, error], rel=1e-10)
    assert result.df == np.inf


@pytest.mark.parametrize("name", MLSTATKIT)
def test_two_classes_are_as_mlstatkit_has_them(name):
    z, p = MLSTATKIT[name]  # it subtracts a from b
    result = inf.delong(*case(name))
    assert [-result.statistic, result.pvalue] == pytest.approx([z, p], rel=1e-10)


@pytest.mark.parametrize("name", ["plain", "ties"])
def test_clusters_are_as_obuchowski_has_them(name):
    a, b, variance_a, variance_b, covariance = R[f"{name}.clustered"]
    result = inf.delong(*case(name), groups=R[f"{name}.group"])
    assert [result.area_a, result.area_b] == pytest.approx([a, b])
    assert result.standard_error == pytest.approx(np.sqrt(variance_a + variance_b - 2 * covariance), rel=1e-12)
    assert result.clusters == 12
    assert 4 < result.df < 11


def several():
    return R["classes.y"], *(R[f"classes.{model}"].reshape(-1, 3) for model in "ab")


def test_all_pairs_of_classes_are_as_proc_and_the_jackknife_have_them():
    result = inf.delong(*several(), scheme="ovo")
    area_a, area_b, error = R["classes.ovo"]
    assert [result.area_a, result.area_b] == pytest.approx([area_a, area_b], rel=1e-12)
    assert [result.area_a, result.area_b] == pytest.approx(R["classes.handtill"], rel=1e-12)
    assert result.standard_error == pytest.approx(error, rel=1e-10)


def test_each_class_against_the_rest_is_as_proc_and_nearly_as_the_jackknife_has_it():
    result = inf.delong(*several(), scheme="ovr")
    area_a, area_b, error = R["classes.ovr"]
    assert [result.area_a, result.area_b] == pytest.approx([area_a, area_b], rel=1e-12)
    # to the jackknife within classes their sizes are fixed, which differs by less than a hundredth here
    assert error < result.standard_error < 1.01 * error
    weighted = inf.delong(*several(), scheme="ovr", weighted=True)
    assert [weighted.area_a, weighted.area_b] == pytest.approx(R["classes.weighted"], rel=1e-12)


@pytest.mark.parametrize("name", ["roc_auc_ovr", "roc_auc_ovr_weighted", "roc_auc_ovo", "roc_auc_ovo_weighted"])
def test_placements_are_the_effects_of_the_items_on_the_metric(name):
    y, a, b = several()
    truth = Truth(values=y.astype(int), classes=(0, 1, 2))
    effects = measure(known_metric(name), truth, [a, b], np.arange(len(y))).effects
    scaled = np.repeat([40 / 39, 30 / 29, 20 / 19], [40, 30, 20])[np.argsort(np.argsort(y, kind="stable"))]
    error = np.sqrt((scaled * (effects[0] - effects[1]) ** 2).sum())
    result = inf.delong(y, a, b, scheme=name.split("_")[2], weighted=name.endswith("weighted"))
    assert result.standard_error == pytest.approx(error, rel=1e-10)


# ---- what must hold

scored = st.lists(st.tuples(st.integers(0, 1), st.integers(-4, 4), st.integers(-4, 4)), min_size=6, max_size=30)


def columns(rows):
    # at least two of each class, so that both have a spread
    return np.array([*rows, (0, 0, 1), (1, 2, 0), (0, 1, 1), (1, 0, 3)], dtype=float).T


@settings(max_examples=25)
@given(scored)
def test_models_exchanged_mirror_the_answer(rows):
    y, a, b = columns(rows)
    one, two = inf.delong(y, a, b), inf.delong(y, b, a)
    assert (one.estimate, one.standard_error, one.pvalue) == pytest.approx(
        (-two.estimate, two.standard_error, two.pvalue), abs=1e-12
    )


@settings(max_examples=25)
@given(scored)
def test_only_the_order_of_the_scores_counts_and_classes_may_be_exchanged(rows):
    y, a, b = columns(rows)
    one, two, turned = inf.delong(y, a, b), inf.delong(y, np.exp(a), 3 * b), inf.delong(1 - y, -a, -b)
    assert one.standard_error == two.standard_error
    assert (turned.estimate, turned.standard_error) == pytest.approx((one.estimate, one.standard_error), abs=1e-12)


@settings(max_examples=25)
@given(scored, st.randoms(use_true_random=False))
def test_the_order_of_the_items_and_clusters_of_one_change_nothing(rows, random):
    y, a, b = columns(rows)
    order = random.sample(range(len(y)), len(y))
    one, two = inf.delong(y, a, b), inf.delong(y[order], a[order], b[order])
    single = inf.delong(y, a, b, groups=np.arange(len(y)))
    assert (two.estimate, two.standard_error) == pytest.approx((one.estimate, one.standard_error), abs=1e-12)
    assert single.standard_error == pytest.approx(one.standard_error, abs=1e-12)


@settings(max_examples=25)
@given(scored)
def test_the_interval_excludes_no_difference_exactly_when_the_test_rejects_it(rows):
    result = inf.delong(*columns(rows))
    if not result.degenerate:
        assert (0 in result.confidence_interval(0.9)) == (result.pvalue >= 0.1)


def test_two_classes_by_their_own_columns_are_the_binary_area():
    y, a, b = case("plain")
    both = inf.delong(y, np.column_stack([-a, a]), np.column_stack([-b, b]), scheme="ovr")
    one = inf.delong(y, a, b)
    assert both.estimate == pytest.approx(one.estimate)
    assert both.standard_error == pytest.approx(one.standard_error, rel=0.02)


# ---- without evidence, and bad input


@pytest.mark.parametrize("scores", [[1.0, 2, 3, 4], [1.0, 1, 1, 1]])
def test_the_same_order_in_both_is_no_evidence(scores):
    result = inf.delong([0, 0, 1, 1], scores, [10 * s for s in scores])
    assert (result.estimate, result.standard_error, result.pvalue) == (0, 0, 1)
    assert result.degenerate


def test_separated_one_way_and_the_other_has_no_spread():
    result = inf.delong([0, 0, 1, 1], [1, 2, 3, 4], [4, 3, 2, 1])
    assert (result.estimate, result.standard_error) == (1, 0)
    assert result.degenerate


def test_one_item_of_a_class_has_no_known_spread():
    result = inf.delong([0, 0, 0, 1], [1, 3, 2, 2.5], [2, 1, 4, 1.5])
    assert result.standard_error == np.inf
    assert result.pvalue == 1


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([1, 1], [1, 2], [2, 1]), {}, "truth must hold every class for an area under the ROC curve, but 0 is absent"),
        (([0, 1, 2], [1, 2, 3], [1, 2, 3]), {}, "truth must hold numbers of classes from 0 to 1, got 2"),
        (([0, 1], [1, 2, 3], [1, 2, 3]), {}, r"scores_a must have shape \(2,\) for truth of shape \(2,\), got \(3,\)"),
        (([0, 1], [1, np.nan], [1, 2]), {}, r"scores_a must be finite, but scores_a\[1\] is nan"),
        (([0, 1], [[1, 2], [2, 1]], [1, 2]), {"scheme": "ovr"}, "scores_b must have shape"),
        (([0, 1, 1], [1, 2, 3], [3, 2, 1]), {"groups": [1, 1, 1]}, "groups must hold at least 2 different groups"),
    ],
)
def test_bad_input_is_told_in_a_sentence(arguments, options, message):
    with pytest.raises(InvalidInput, match=message):
        inf.delong(*arguments, **options)


@pytest.mark.slow
def test_the_level_is_kept_where_two_models_are_equally_good():
    rng, rejected, trials = np.random.default_rng(3), 0, 600
    for _ in range(trials):
        y = rng.random(120) < 0.3
        common = rng.normal(size=120)
        a, b = (y + common + rng.normal(size=120) for _ in range(2))
        rejected += inf.delong(y, a, b).pvalue < 0.05
    assert abs(rejected / trials - 0.05) < 3 * np.sqrt(0.05 * 0.95 / trials)
