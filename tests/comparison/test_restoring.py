"""Results that were kept as JSON have their pictures again, from the evidence that was kept with them."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
from verb_options import with_options

import foldwise as fw
from foldwise.comparison import Comparison
from foldwise.comparison.evidence_json import MOST_NUMBERS, kept_evidence, read_evidence
from foldwise.core.errors import InvalidInput
from foldwise.core.result import Recalled, Result
from foldwise.document import plots_of
from foldwise.evidence.items import Items

RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 2, 40)
P, Q = RNG.random(40), np.clip(RNG.random(40) * 0.5 + TRUTH * 0.4, 0, 1)
SCORES = RNG.random((3, 8, 4))


def many(**options):
    return fw.compare_table(SCORES[0], models=list("wxyz"), **with_options({"bayes": "none", **options}))


MAKERS = {
    "scores": lambda: fw.compare_scores({"a": SCORES[0], "b": SCORES[1]}, n_train=60, n_test=20, margin=0.1),
    "predictions": lambda: fw.compare_predictions(TRUTH, {"a": P > 0.5, "b": Q > 0.5}, groups=np.arange(40) // 2),
    "a metric": lambda: fw.compare_predictions(TRUTH, {"a": P, "b": Q}, metric="roc_auc"),
    "metrics": lambda: fw.compare_predictions(TRUTH, {"a": P, "b": Q}, metric=["brier", "f1"]),
    "marks": lambda: fw.compare_predictions(None, {"a": dict(enumerate(P)), "b": dict(enumerate(Q))}),
    "seeds": lambda: fw.compare_predictions(
        None, {"a": P.reshape(4, 10), "b": Q.reshape(4, 10)}, options=fw.Options(seeds="paired")
    ),
    "models": lambda: fw.compare_predictions(
        TRUTH, {"p": P > 0.5, "q": Q > 0.5, "r": P + Q > 1}, options=fw.Options(control="p")
    ),
    "models by metrics": lambda: fw.compare_predictions(
        TRUTH, {"p": P, "q": Q}, metric=["roc_auc", "f1"], options=fw.Options(adjust_metrics="none")
    ),
    "table": lambda: many(test="nemenyi"),
    "tables": lambda: Comparison(
        parts=(many().parts[0], many(metric="auc", margin=0.1).parts[0]), alpha=0.05, adjust_metrics="none"
    ),
}


@cache
def made(name):
    return MAKERS[name]()


@pytest.mark.parametrize("name", MAKERS)
def test_what_was_kept_says_and_shows_what_the_result_did(name):
    result = made(name)
    kept = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    again = Result.from_dict(kept)
    assert again.to_dict() == kept
    assert str(again) == str(result)
    assert plots_of(again).keys() == plots_of(result).keys() != set()
    assert again.methods() == result.methods()
    assert type(again) is type(result)


def test_it_is_drawn_and_asked_for_more_than_its_keys_say(tmp_path):
    c = made("scores")
    again = fw.Comparison.from_dict(json.loads(json.dumps(c.to_dict())))
    assert again.plot().axes[0].get_title() == c.plot().axes[0].get_title()
    assert len(again.posterior().difference) == len(c.posterior().difference)
    assert again.to_html() == c.to_html()
    with pytest.raises(AttributeError, match="colour"):
        again.colour  # noqa: B018


def test_numbers_come_back_to_the_bit():
    evidence = made("scores").evidence
    again = read_evidence(json.loads(json.dumps(kept_evidence(evidence))))
    assert again.digest == evidence.digest
    assert np.array_equal(again.a, evidence.a)
    gaps = fw.ScoreTable.of(np.where(SCORES[0] > 0.9, np.nan, SCORES[0]))
    assert np.array_equal(read_evidence(kept_evidence(gaps)).values, gaps.values, equal_nan=True)


def test_what_is_too_much_or_of_ones_own_is_not_kept():
    many_items = np.zeros(MOST_NUMBERS // 2 + 1, dtype=bool)
    assert kept_evidence(Items.from_right(("a", "b"), [many_items, many_items])) is None

    def own(truth, said):
        return float(np.mean(truth == (said > 0.5)))

    c = fw.compare_predictions(TRUTH, {"a": P, "b": Q}, metric=own, higher_is_better=True)
    assert "evidence" not in c.to_dict()
    with pytest.raises(InvalidInput, match="there is no picture of this result"):
        Result.from_dict(c.to_dict()).plot()


def test_what_does_not_follow_from_the_evidence_is_not_drawn():
    """What was kept counts."""
    kept = made("scores").to_dict()
    kept["pairs"][0]["pvalue"] = 0.9
    again = Result.from_dict(kept)
    assert isinstance(again, Recalled)
    assert again.to_dict() == kept
    assert "read from JSON" in str(again)


@pytest.mark.parametrize("name", ["scores", "models", "metrics", "table"])
@pytest.mark.parametrize(
    "change",
    [
        {"evidence": {"of": "os.system"}},
        {"evidence": {"of": "Scores", "a": 1}},
        {"evidence": {"metrics": [1]}},
        {"settings": {}, "by_metric": [{"settings": {}}]},
        {"settings": {"of": "two models", "test": "no_such_test"}, "by_metric": 3},
        {"pairs": 1e400},
        {"alpha": "high"},
    ],
)
def test_what_is_damaged_is_refused_in_a_sentence(name, change):
    with pytest.raises(InvalidInput):
        Result.from_dict({**made(name).to_dict(), **change})


def test_the_scale_of_a_settled_test_is_read_not_guessed():
    X, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 2
    c = fw.compare(["gnb", "dummy"], X, y, runs="auto", folds=3, options=fw.Options(max_runs=12))
    kept = json.loads(json.dumps(c.to_dict()))
    assert kept["settings"]["settled"] == {"folds": 3, "limit": None}
    again = Result.from_dict(kept)
    assert (again.pvalue, again.interval) == (c.pvalue, c.interval)


def test_older_files_without_evidence_are_read():
    kept = made("models").to_dict()
    del kept["evidence"]
    assert list(Result.from_dict(kept).best_set) == kept["best_set"]
