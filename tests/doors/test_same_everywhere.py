"""Cases that once gave a wrong verdict, at the command line, on the page and in Python: one answer, the right one."""

from __future__ import annotations

import json

import numpy as np
import pytest
from doors.test_roles import found, refusal, run, write

import foldwise as fw
from foldwise.core.errors import InvalidInput

__all__ = ["run"]


@pytest.fixture
def everywhere(run, reader, tmp_path):
    """What ``foldwise predictions`` and the page's door say of a table; the same but for how to repeat it."""

    def call(header, rows, words=(), fields=None, door="predictions"):
        file = write(tmp_path / "t.csv", header, rows)
        told = found(run, door, file, *words)
        given = {"text": file.read_text(), "filename": "t.csv", **(fields or {})}
        kept = json.loads(reader.post(f"/{door}/report.json", **given).text)
        assert {**kept, "repeat": None} == {**told, "repeat": None}
        return told

    return call


@pytest.mark.parametrize("pairing", ["paired", "unpaired"])
def test_seeds_and_one_large_cluster(everywhere, pairing):
    """Type I error was .19 to .36 with five seeds and clusters of unequal size."""
    rng, sizes = np.random.default_rng(0), [60, *[6] * 8]
    groups = np.repeat(np.arange(len(sizes)), sizes)
    marks = {m: (rng.normal(size=(5, 1)) + rng.normal(size=9)[groups] + rng.normal(size=(5, 108))) for m in "ab"}
    marks = {m: values.round(4) for m, values in marks.items()}
    rows = [
        (f"q{i}", f"g{groups[i]}", s, *(marks[m][s, i] for m in "ab")) for s in range(5) for i in range(len(groups))
    ]
    c = fw.compare_predictions(
        None, marks, options=fw.Options(seeds=pairing), groups=groups, metric="zeal", higher_is_better=True
    )
    words = ["--truth", "none", "--item", "item", "--seed-column", "seed", "--groups", "group", "--metric", "zeal"]
    words += ["--higher-is-better"] + ["--unpaired-seeds"] * (pairing == "unpaired")
    fields = {
        "truth": "none", "item": "item", "seed_column": "seed", "groups": "group", "metric": "zeal",
        "direction": "higher",
    }  # fmt: skip
    fields |= {"unpaired_seeds": "yes"} if pairing == "unpaired" else {}
    told = everywhere(("item", "group", "seed", "a", "b"), rows, words, fields)
    assert told["pvalue"] == pytest.approx(c.pvalue, abs=1e-12)
    assert told["df"] == pytest.approx(c.pairs[0].df)
    assert told["test"] == ("crossed" if pairing == "paired" else "unpaired_seeds")
    assert c.pairs[0].df < 4, "one large cluster is worth few"


@pytest.mark.parametrize("name", ["failure_rate", "miss_rate", "bits_per_byte", "rae", "rrse", "lpips", "nlpd"])
def test_losses_by_their_names(run, on_page, tmp_path, name):
    rng = np.random.default_rng(1)
    rows = [
        (f"q{i}", m, round(x, 4))
        for i in range(40)
        for m, x in zip("ab", rng.random(2) + np.array([0, 0.3]), strict=True)
    ]
    file = write(tmp_path / "t.csv", ("item", "model", name), rows)
    assert found(run, "judge", file)["verdicts"][""]["better"] == "a"
    assert fw.judge(file).main.better == "a"
    assert on_page("judge", file).verdict.startswith("a is better")


@pytest.mark.parametrize(
    ("right", "wrong", "lower"), [(0, 1, True), (100, 0, False), (1, 0, False), ("pass", "fail", 0)]
)
def test_four_errors_to_none_in_any_coding(everywhere, right, wrong, lower):
    """Paired t gave p = .045 where McNemar's test has .0625."""
    rows = [(right, wrong)] * 4 + [(right, right)] * 46
    words = ["--truth", "none"] + ["--lower-is-better"] * bool(lower)
    told = everywhere(("a", "b"), rows, words, {"truth": "none"} | ({"direction": "lower"} if lower else {}))
    marks = {name: [row[place] for row in rows] for place, name in enumerate("ab")}
    c = fw.compare_predictions(None, marks, higher_is_better=False if lower else None)
    for test, better, p in ((told["test"], told["better"], told["pvalue"]), (c.test, c.better, c.pvalue)):
        assert (test, better, p) == ("mcnemar", None, 0.0625)


def test_one_large_cluster_and_five_small_ones_are_not_equivalent(everywhere):
    """The interval was 0.0246 to 0.0246, and "a is equivalent to b" at a difference of .238."""
    draw = np.random.default_rng(0)
    truth, groups = draw.integers(0, 2, 400), np.repeat(np.arange(6), [350, *[10] * 5])
    a, b = (np.where(draw.random(400) < wrong, 1 - truth, truth) for wrong in (0.15, 0.4))
    words = ("--metric", "f1", "--groups", "group", "--alpha", "0.005", "--margin", "0.03")
    fields = {"metric": "f1", "groups": "group", "alpha": "0.005", "margin": "0.03"}
    told = everywhere(("truth", "a", "b", "group"), zip(truth, a, b, groups, strict=True), words, fields)
    c = fw.compare_predictions(truth, {"a": a, "b": b}, metric="f1", groups=groups, alpha=0.005, margin=0.03)
    assert told["conclusion"] == c.conclusion == "undecided"
    low, high = told["interval"]["low"], told["interval"]["high"]
    assert low < told["estimate"] < high
    assert (low, high) == pytest.approx((c.interval.low, c.interval.high))


@pytest.mark.parametrize("metric", ["recall", "precision", "f1"])
def test_eight_positives_and_one_discordant_item(everywhere, metric):
    truth = np.repeat([1, 0], [8, 392])
    a = truth.copy()
    b = truth.copy()
    a[0] = 0
    words = ("--metric", metric, "--margin", "0.05")
    told = everywhere(("truth", "a", "b"), zip(truth, a, b, strict=True), words, {"metric": metric, "margin": "0.05"})
    c = fw.compare_predictions(truth, {"a": a, "b": b}, metric=metric, margin=0.05)
    assert told["conclusion"] == c.conclusion == "undecided"
    note = "8 of 400 items" if metric == "recall" else "few items decide this metric"
    assert note in " ".join(told["notes"])
    assert note in " ".join(c.notes)


def test_sizes_that_no_cross_validation_has(run, reader, tmp_path):
    """Ten folds with 100 training and 900 test examples."""
    rows = [(fold, 0.7 + fold / 90, 0.8 - fold / 80) for fold in range(10)]
    file = write(tmp_path / "t.csv", ("fold", "a", "b"), rows)
    words = ("--metric", "accuracy", "--n-train", 100, "--n-test", 900)
    assert "must fit 10 folds" in refusal(run, "scores", file, *words)
    assert "must fit 10 folds" in refusal(run, "judge", file, "--n-train", 100, "--n-test", 900)
    fields = {"metric": "accuracy", "n_train": "100", "n_test": "900"}
    page = reader.post("/scores", text=file.read_text(), filename="t.csv", step="answer", **fields)
    assert "must fit 10 folds" in page.alert
    with pytest.raises(InvalidInput, match="must fit 10 folds"):
        fw.compare_scores(
            {"a": [row[1] for row in rows], "b": [row[2] for row in rows]}, runs=1, n_train=100, n_test=900
        )


def test_a_level_is_never_called_certainty(run, on_page, tmp_path):
    rng = np.random.default_rng(0)
    file = write(tmp_path / "t.csv", ("a", "b"), rng.normal(size=(30, 2)).round(3).tolist())
    page = on_page("predictions", file, truth="none", alpha="0.00001").text
    out = run("predictions", file, "--truth", "none", "--alpha", "0.00001")[1]
    for said in (page, out):
        assert "(99.999 %" in " ".join(said.split())
        assert "(100 %" not in said


def test_a_pvalue_is_never_zero(everywhere):
    rows = [(i % 2, i % 2, 1 - i % 2) for i in range(4000)]
    told = everywhere(("truth", "a", "b"), rows)
    c = fw.compare_predictions(*([row[0] for row in rows], {m: [r[k] for r in rows] for k, m in ((1, "a"), (2, "b"))}))
    assert told["pvalue"] == c.pvalue > 0
