"""The default answer about learners: by the influence-robust test, with the corrected one beside it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from verb_options import with_options

import foldwise as fw
from foldwise.inference import corrected_repeated_cv_t, influence
from foldwise.learners import create
from foldwise.resampling import RepeatedKFold

RNG = np.random.default_rng(3)
Y = np.tile([0, 1], 60)
X = RNG.normal(size=(120, 3)) + 0.6 * Y[:, None]


def marks(names, X, y, seed, runs=10):
    ids = RepeatedKFold(runs, 10).fold_ids(y, seed=seed)
    return ids, {name: (create(name).cross_predict(X, y, ids) == y).astype(float) for name in names}


@pytest.fixture(scope="module")
def open_case():
    """Two learners that only the corrected test tells apart."""
    rng = np.random.default_rng(2)
    y = np.tile([0, 1], 50)
    return rng.normal(size=(100, 3)) + 0.5 * y[:, None], y


def flat(told):
    return " ".join(str(told).split())


def test_every_number_comes_from_the_influence_test():
    c = fw.compare(["nb", "1nn"], X, Y, random_state=4, margin=0.05)
    ids, right = marks(("nb", "1nn"), X, Y, 4)
    wanted = influence(right["nb"] - right["1nn"], ids, classes=Y)
    assert c.test == "influence"
    assert [c.estimate, c.standard_error, c.pvalue, c.df] == pytest.approx(
        [wanted.estimate, wanted.standard_error, wanted.pvalue, wanted.df]
    )
    for found, level in ((c.interval, 0.95), (c.limits, 0.9)):
        interval = wanted.confidence_interval(level)
        assert [found.low, found.high] == pytest.approx([interval.low, interval.high])
    assert [*c.influence_weight(c.pairs[0])] == pytest.approx([wanted.weight, wanted.weight_error])
    folds = np.array([
        [np.mean((right["nb"] - right["1nn"])[run][row == fold]) for fold in range(10)] for run, row in enumerate(ids)
    ])  # fmt: skip
    assert c.classical.pvalue == pytest.approx(float(corrected_repeated_cv_t(folds).pvalue))
    told = json.loads(json.dumps(c.to_dict()))["classical"]
    assert (told["test"], told["pairs"][0]["pvalue"]) == ("corrected_repeated_cv_t", c.classical.pvalue)
    again = fw.Comparison.from_dict(c.to_dict())
    assert again.parts[0].classical.pvalue == c.classical.pvalue
    assert "as training data an example counts" in flat(c.details())
    assert "as training data" not in flat(c)


def test_where_only_the_corrected_test_finds_a_difference_the_headline_says_open(open_case):
    c = fw.compare({"knn": "1nn", "nb": "nb"}, *open_case, random_state=2)
    assert (c.better, c.best_set, c.classical.better) == (None, ("knn", "nb"), "nb")
    assert c.classical.pvalue < 0.05 < c.pvalue
    assert c.interval.low < 0 < c.interval.high
    assert "nb looks better (corrected t: p = 0.035), but not once the influence of single training" in flat(c)
    assert "so it is open. About 280 examples would settle it" in flat(c)
    assert "(runs='auto')" in flat(c)
    assert "robust to the influence of single training examples" in flat(c.may_claim())
    assert "--test" not in flat(c)
    both = fw.compare({"knn": "1nn", "nb": "nb"}, *open_case, random_state=2, metric=["accuracy", "roc_auc"])
    assert "nb looks better by accuracy and ROC AUC, but not once the influence" in flat(both)
    assert "About 350 examples would settle it with a probability of 80 %" in flat(both)
    assert [part.test for part in both.parts] == ["influence", "influence"]


def test_as_many_examples_as_are_named_would_show_it(open_case):
    """The number is that of the power formula: at it, the standard error times t quantiles is the difference."""
    c = fw.compare({"knn": "1nn", "nb": "nb"}, *open_case, random_state=2)
    needed = c.needed_examples(c.pairs[0])
    power = c.findings.power
    assert power.at(c.estimate * np.sqrt(needed / 100), 0.05) == pytest.approx(0.8, abs=0.03)


def test_three_learners_and_a_control(open_case):
    c = fw.compare(["nb", "1nn", "c45"], *open_case, random_state=2)
    ids, right = marks(("nb", "1nn", "c45"), *open_case, 2)
    for pair in c.pairs:
        wanted = influence(right[pair.a] - right[pair.b], ids, classes=open_case[1])
        assert [pair.estimate, pair.pvalue, pair.df] == pytest.approx([wanted.estimate, wanted.pvalue, wanted.df])
        interval = wanted.confidence_interval(1 - 0.05 / 3)
        assert [pair.low, pair.high] == pytest.approx([interval.low, interval.high])
        assert pair.standard_error == pytest.approx(wanted.standard_error)
        assert [*c.influence_weight(pair)] == pytest.approx([wanted.weight, wanted.weight_error])
        shown = f"{wanted.weight:.2f} ± {wanted.weight_error:.2f}".replace("-", "−")
        assert any(f"{pair.a} − {pair.b}" in line and line.endswith(shown) for line in c.details().splitlines())
    told = fw.compare(
        {"knn": "1nn", "nb": "nb", "tree": "c45"}, *open_case, random_state=2, options=fw.Options(control="nb")
    )
    (first, second) = told.pairs
    assert [first.pvalue, second.pvalue] == pytest.approx([c.pair("nb", "1nn").pvalue, c.pair("nb", "c45").pvalue])
    assert [first.a, second.a] == ["nb", "nb"]
    assert first.estimate == pytest.approx(c.pair("nb", "1nn").estimate)
    assert "corrected t test" in str(c)


def test_several_pairs_that_are_open_are_named():
    rng = np.random.default_rng(9)
    y = np.tile([0, 1], 50)
    found = None
    for seed in range(60):
        X = rng.normal(size=(100, 3)) + 0.55 * y[:, None]
        c = fw.compare({"knn": "1nn", "nb": "nb", "m": "majority"}, X, y, random_state=seed)
        if c.contested:
            found = c
            break
    assert found is not None
    (pair, *_) = found.contested
    assert pair.better is None
    assert f"{pair.a} and {pair.b} differ by the corrected t test, but not once the influence" in flat(found)


def test_losses_and_groups_are_covered():
    y = X @ [1.0, -1.0, 0.5]
    pair = [LinearRegression(), KNeighborsRegressor(1)]
    assert fw.compare(pair, X, y, metric="mse").test == "influence"
    groups = np.repeat(np.arange(30), 4)
    c = fw.compare(["nb", "1nn"], X, Y, groups=groups)
    assert c.test == "influence"
    assert c.df <= 29


@pytest.mark.parametrize("options", [
    {"runs": 9}, {"folds": 5}, {"test": "kfold_cv_t"}, {"test": "round_robin"},
    {"test": "corrected_repeated_cv_t"}, {"groups": np.repeat(np.arange(15), 8)},
])  # fmt: skip
def test_it_is_the_default_where_it_was_measured(options):
    c = fw.compare(["nb", "majority"], X, Y, **with_options(options))
    assert c.test != "influence"
    assert c.classical is None
    said = "The influence of single training examples is not counted: the influence-robust test was measured with"
    unasked = "test" not in options
    assert (said in flat(c), said[1:] in json.dumps(c.to_dict())) == (unasked, unasked)
    assert "corrected t test" not in str(c)


def test_runs_are_added_until_the_robust_verdict_is_settled():
    c = fw.compare(["nb", "1nn"], X, Y, runs="auto", random_state=1)
    assert (c.test, c.better, c.fits) == ("influence", None, 200)
    assert "10 runs settled the verdict" in " ".join(c.caveats)
    many = fw.compare(["nb", "1nn", "c45"], X, Y, runs="auto", random_state=1, metric=["accuracy", "roc_auc"])
    assert [part.test for part in many.parts] == ["influence", "influence"]
    runs = many.parts[0].evidence.shape[0]
    ids, right = marks(("nb", "1nn"), X, Y, 1, runs=runs)
    wanted = influence(right["nb"] - right["1nn"], ids, classes=Y)
    assert many.parts[0].pair("nb", "1nn").pvalue == pytest.approx(float(wanted.pvalue))
    grouped = fw.compare(["nb", "1nn"], X, Y, runs="auto", groups=np.repeat(np.arange(30), 4), random_state=1)
    assert grouped.test == "influence"


def test_other_seeds_give_the_settled_verdict():
    """Among others a hard case, whose p-value is near the level: runs are added."""
    verdicts = [fw.compare(["nb", "1nn"], X, Y, runs="auto", random_state=seed).better for seed in range(4)]
    assert len(set(verdicts)) == 1


@pytest.mark.parametrize(("make", "guarantee"), [
    (lambda: fw.compare(["nb", "1nn"], X, Y, runs=2, folds=4), "approximate; valid for stable learners; measured"),
    (lambda: fw.compare(["nb", "1nn"], X, Y, test="kfold_cv_t", folds=4), "heuristic; measured Type I error up to"),
    (lambda: fw.compare(["nb", "1nn"], X, Y, test="disjoint"), "approximate; parts are independent"),
    (lambda: fw.compare_predictions(Y, {"a": Y, "b": 1 - Y}), "approximate; measured Type I error at most .06"),
    (lambda: fw.compare_predictions(Y, {"a": Y, "b": 1 - Y}, test="mcnemar_exact"), "exact under random sampling of"),
    (lambda: fw.watch({"a": Y, "b": 1 - Y}), "exact under random sampling of items, at every look"),
    (lambda: fw.compare_table({"a": [0.8, 0.9, 0.7], "b": [0.7, 0.8, 0.6], "c": [0.5, 0.6, 0.7]}),
     "approximate; measured Type I error at most .05 (level .05, 15 data sets); Holm-adjusted"),
    (lambda: fw.compare_predictions(Y, {"a": Y, "b": 1 - Y, "c": np.roll(Y, 3)}),
     "approximate; measured Type I error at most .06 (level .05, 100 to 200 items); Holm-adjusted for 3 pairs"),
])  # fmt: skip
@pytest.mark.usefixtures("without_pictures")
def test_every_answer_says_what_its_procedure_guarantees(make, guarantee):
    c = make()
    assert c.guarantee.startswith(guarantee)
    assert c.to_dict()["guarantee"] == c.guarantee
    sentence = f"{c.guarantee[:1].upper()}{c.guarantee[1:]}."
    assert f"Guarantee {sentence}" in " ".join(c.details().split())
    assert sentence in c.to_html()
    assert sentence in " ".join(c.to_markdown().split())
    assert not {"proved", "promise"} & set(c.details().lower().split())
