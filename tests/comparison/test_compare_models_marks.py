"""Three and more models by their marks: each pair as in the comparison of two."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import InvalidInput

GROUPS = np.arange(40) % 8
NAN = float("nan")


def marks(*means, n=40, seed=0):
    rng = np.random.default_rng(seed)
    hard = rng.normal(size=n)
    return {f"m{i}": hard + rng.normal(mean, 1, n) for i, mean in enumerate(means)}


@pytest.mark.parametrize(("groups", "test"), [(None, "paired_t"), (GROUPS, "clustered_t")])
@pytest.mark.parametrize("metric", ["mark", "log_loss"])
def test_every_pair_is_that_of_the_comparison_of_two(groups, test, metric):
    models = marks(1.5, 1.2, 0)
    m = fw.compare_predictions(None, models, groups=groups, metric=metric)
    assert m.procedure.name == test
    for pair, (a, b) in zip(m.pairs, combinations(models, 2), strict=True):
        c = fw.compare_predictions(None, {a: models[a], b: models[b]}, groups=groups, metric=metric, alpha=0.05 / 3)
        assert c.test == test
        assert (pair.estimate, pair.pvalue) == pytest.approx((c.estimate, c.pvalue))
        assert (pair.low, pair.high) == pytest.approx((c.interval.low, c.interval.high))
    first, last = ("m2", "m0") if metric == "log_loss" else ("m0", "m2")
    assert m.ranking[0] == first
    assert m.pair("m0", "m2").better == first
    assert last not in m.best_set
    assert m.omnibus is None


def test_right_and_wrong_as_marks_is_right_and_wrong():
    right = {name: values > 0 for name, values in marks(1.5, 1, 0).items()}
    as_marks = fw.compare_predictions(None, {name: values.astype(float) for name, values in right.items()})
    labels = fw.compare_predictions(["yes"] * 20 + ["no"] * 20, {
        name: np.where(values == (np.arange(40) < 20), "yes", "no") for name, values in right.items()
    })  # fmt: skip
    assert as_marks.metric == "accuracy"
    assert as_marks.pairs == labels.pairs


def test_trials_are_averaged_within_their_item():
    models = marks(1.5, 1.2, 0, n=20)
    trials = {name: np.stack([values - 0.1, values + 0.1], axis=1) for name, values in models.items()}
    one, several = (
        fw.compare_predictions(None, models, metric="mark"),
        fw.compare_predictions(None, trials, metric="mark"),
    )
    assert several.design == "20 items, 2 trials each"
    assert [pair.pvalue for pair in several.pairs] == pytest.approx([pair.pvalue for pair in one.pairs])
    rows = {name: values.ravel() for name, values in trials.items()}
    named = fw.compare_predictions(None, rows, metric="mark", items=np.repeat(np.arange(20), 2))
    assert [pair.pvalue for pair in named.pairs] == pytest.approx([pair.pvalue for pair in one.pairs])


def test_missing_marks_are_refused_dropped_or_the_worst():
    models = {"a": [0.5, NAN, 0.2, 0.4], "b": [0.1, 0.2, 0.3, 0.1], "c": [0.9, 0.8, 0.9, NAN]}
    with pytest.raises(
        InvalidInput, match=r"outputs\['a'\]\[1\] is missing \(in all: outputs\['a'\] 1, outputs\['b'\] 0"
    ):
        fw.compare_predictions(None, models)
    dropped = fw.compare_predictions(None, models, missing="drop")
    assert dropped.evidence.n == 2
    assert "missing values: a 1, b 0, c 1; 2 items left out for all models" in " ".join(dropped.caveats)
    assert fw.compare_predictions(None, models, missing="worst", options=fw.Options(bounds=(0, 1))).means[
        "a"
    ] == pytest.approx(1.1 / 4)


def test_models_that_can_not_be_told_apart():
    values = np.linspace(0, 1, 12)
    m = fw.compare_predictions(None, {"a": values, "b": values, "shifted": values + 0.3, "flat": np.full(12, 0.1)})
    assert m.pair("a", "b").interval is None
    assert m.pair("a", "b").adjusted == 1
    assert m.pair("a", "shifted").better is None
    assert set(m.best_set) >= {"shifted", "a", "b"}
    assert any("difference of a and shifted" in caveat for caveat in m.caveats)
    assert m.to_dict()["mean_intervals"]["flat"] is None
    assert "unknown" in str(m)
    assert m.to_html()


def test_one_item_and_few_items_say_so():
    one = fw.compare_predictions(None, {"a": [0.5], "b": [0.2], "c": [0.1]})
    assert one.best_set == ("a", "b", "c")
    assert all(pair.better is None for pair in one.pairs)
    assert any("one item shows no spread" in caveat for caveat in one.caveats)
    few = fw.compare_predictions(None, {"a": [0.5, 0.1, 0.4], "b": [0.2, 0.3, 0.1], "c": [0.1, 0.1, 0.9]})
    assert any("few items" in caveat for caveat in few.caveats)


def test_models_with_mappings_are_paired_by_their_items():
    first = fw.compare_predictions(None, {"a": {"p": 0.1, "q": 0.9, "r": 0.4}, "b": {"r": 0.2, "q": 0.3, "p": 0.1}})
    plain = fw.compare_predictions(None, {"a": [0.1, 0.9, 0.4], "b": [0.1, 0.3, 0.2]})
    assert first.pairs == plain.pairs


@pytest.mark.parametrize(("truth", "options", "message"), [
    (["x"] * 40, {"items": list(range(40))}, "for marks, but truth is given"),
    (None, {"options": fw.Options(positive="x")}, "metric must be what the marks measure"),
    (None, {"metric": max}, "metric must be what the marks measure"),
    (None, {"groups": [1] * 40}, "at least two clusters"),
])  # fmt: skip
def test_what_is_refused(truth, options, message):
    with pytest.raises(InvalidInput, match=message):
        fw.compare_predictions(truth, marks(1, 0), **with_options(options))
