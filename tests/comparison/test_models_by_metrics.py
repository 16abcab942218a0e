"""Three and more models compared by several metrics at once."""

from __future__ import annotations

import numpy as np
import pytest
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import metric_words

rng = np.random.default_rng(4)
TRUTH = rng.integers(0, 2, 120)
SAID = {
    name: np.where(rng.random(120) < skill, TRUTH, 1 - TRUTH)
    for name, skill in zip("abc", (0.95, 0.8, 0.6), strict=True)
}
METRICS = ["f1", "accuracy", "balanced_accuracy"]


@pytest.fixture(scope="module")
def both():
    return fw.compare_predictions(TRUTH, SAID, metric=METRICS, options=fw.Options(positive=1, control="c"))


def test_each_metric_is_what_it_is_alone_at_its_share_of_the_level(both):
    for name in METRICS:
        alone = fw.compare_predictions(
            TRUTH, SAID, metric=name, alpha=0.05 / 3, options=fw.Options(positive=1, control="c")
        )
        assert both[name].to_dict() == alone.to_dict()
    with pytest.raises(KeyError):
        both["mcc"]


def test_the_level_is_shared_or_not_and_the_answer_says_which(both):
    whole = fw.compare_predictions(TRUTH, SAID, metric=METRICS, options=fw.Options(positive=1, adjust_metrics="none"))
    assert {c.alpha for c in whole.parts} == {0.05}
    assert "each at level 0.05, not adjusted for their number" in str(whole)
    assert "each at level 0.05/3 (Bonferroni)" in str(both)
    assert (both.adjust_metrics, whole.adjust_metrics, both.alpha) == ("bonferroni", "none", 0.05)


def test_one_row_for_each_metric_with_who_may_be_best(both):
    lines = [line.split("  ")[1] for line in str(both).splitlines() if line.startswith("  ") and "of 2" in line]
    assert lines == [metric_words(name) for name in METRICS]
    assert [both[metric].best_set for metric in both.metrics] == [c.best_set for c in both.parts]
    assert both.to_dict()["by_metric"][both.metrics.index("f1")]["best_set"] == list(both["f1"].best_set)


def test_every_metric_and_pair_is_claimed_and_in_the_frame(both):
    assert len(both.claims()) == len(both.to_frame()) == 6
    assert [claim.found.split(" differs")[0] for claim in both.claims()[::2]] == [metric_words(n) for n in METRICS]


def test_caveats_of_some_metrics_name_them():
    groups = np.arange(120) // 20
    m = fw.compare_predictions(TRUTH, SAID, metric=["f1", "accuracy"], groups=groups, options=fw.Options(positive=1))
    said = [c for c in m["f1"].caveats if c not in m["accuracy"].caveats]
    assert said
    assert all(f"F1: {text}" in m.notes for text in said)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"metric": ["f1", "f1"], "positive": 1},
            "metric must name each metric once, but 'f1' is there more than once",
        ),
        ({"metric": []}, "metric must name at least one metric, got an empty list"),
        ({"metric": ["f1", "mcc"], "adjust_metrics": "holm"}, "adjust_metrics must be 'bonferroni' or 'none'"),
    ],
)
def test_bad_input_is_told_in_a_sentence(arguments, message):
    with pytest.raises(InvalidInput, match=message):
        fw.compare_predictions(TRUTH, SAID, **with_options(arguments))


def test_marks_have_one_metric():
    with pytest.raises(InvalidInput, match="metric must be one where truth is None"):
        fw.compare_predictions(None, {name: said == TRUTH for name, said in SAID.items()}, metric=["a", "b"])


def test_a_lead_that_does_not_matter_is_said_so():
    truth = np.zeros(4000, dtype=int)
    near = {"a": truth, "b": np.r_[np.ones(12, dtype=int), truth[12:]]}
    m = fw.compare_predictions(truth, near, metric=["accuracy", "f1_macro"], options=fw.Options(adjust_metrics="none"))
    assert "a is better by accuracy, but by less than matters in practice" in m.verdict
