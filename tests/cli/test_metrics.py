"""Metrics of predictions on the command line: the same answers as in Python, one sentence where there is none."""

from __future__ import annotations

import json

import numpy as np
import pytest

import foldwise as fw

RNG = np.random.default_rng(8)
TRUE = RNG.random(60) < 0.4
WORDS = np.where(TRUE, "yes", "no")
NEW, OLD = (np.round(1 / (1 + np.exp(-(gain * (TRUE - 0.5) + RNG.normal(size=60)))), 3) for gain in (2.5, 0.5))
THREE = np.array(["cat", "dog", "eel"])[np.arange(60) % 3]
NB, TREE = (np.round(RNG.dirichlet(np.ones(3), 60), 4) for _ in range(2))
Y = np.round(RNG.normal(5, 1, 60), 3)
M1, M2 = (np.round(Y + RNG.normal(0, spread, 60), 3) for spread in (0.4, 1.0))


def table(**columns):
    rows = zip(*columns.values(), strict=True)
    return ",".join(columns) + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


SCORES = table(truth=WORDS, new=NEW, old=OLD)
BY_CLASS = table(
    truth=THREE,
    **{f"nb:{c}": NB[:, i] for i, c in enumerate(("cat", "dog", "eel"))},
    **{f"tree_{c}": TREE[:, i] for i, c in enumerate(("cat", "dog", "eel"))},
)
NUMBERS = table(y=Y, m1=M1, m2=M2)
LABELS = table(truth=THREE, a=RNG.permutation(THREE), b=THREE)


@pytest.fixture
def asked(run, tmp_path):
    """Ask about a text; the answer as JSON, or the sentence on stderr."""

    def ask(text, *words, code=0):
        file = tmp_path / "data.csv"
        file.write_text(text, encoding="utf-8")
        found, out, err = run("predictions", file, "--json", *words)
        assert found == code
        return json.loads(out) if code == 0 else err.strip()

    return ask


def same(answer, comparison):
    expected = comparison.to_dict()
    for key in ("test", "estimate", "pvalue", "interval", "means", "metric", "rope_probabilities", "better"):
        assert answer[key] == expected[key], key


@pytest.mark.parametrize("metric", ["roc_auc", "f1", "log_loss"])
def test_scores_of_the_positive_class(asked, metric):
    expected = fw.compare_predictions(WORDS, {"new": NEW, "old": OLD}, metric=metric, options=fw.Options(threshold=0.3))
    same(asked(SCORES, "--metric", metric, "--positive", "yes", "--threshold", "0.3"), expected)


def test_several_metrics_are_rows(asked):
    expected = fw.compare_predictions(WORDS, {"new": NEW, "old": OLD}, metric=["f1", "brier", "accuracy"])
    answer = asked(SCORES, "--metric", "f1", "brier", "accuracy")
    assert answer["result"] == "comparison"
    assert answer["adjust_metrics"] == "holm"
    assert [pair["adjusted"] for pair in answer["pairs"]] == list(expected.adjusted)
    for row, c in zip(answer["by_metric"], expected.parts, strict=True):
        assert (row["metric"], row["pvalue"]) == (c.metric, c.pvalue)
    plain = asked(SCORES, "--metric", "f1,brier", "--unadjusted")
    assert [pair["adjusted"] for pair in plain["pairs"]] == [pair["pvalue"] for pair in plain["pairs"]]


def test_scores_by_class(asked):
    expected = fw.compare_predictions(THREE, {"nb": NB, "tree": TREE}, metric="roc_auc_ovo")
    same(asked(BY_CLASS, "--metric", "roc_auc_ovo"), expected)
    same(
        asked(BY_CLASS, "--metric", "auc"),
        fw.compare_predictions(THREE, {"nb": NB, "tree": TREE}, metric="roc_auc_ovr"),
    )
    most = np.array(["cat", "dog", "eel"])
    same(asked(BY_CLASS), fw.compare_predictions(THREE, {"nb": most[NB.argmax(1)], "tree": most[TREE.argmax(1)]}))


def test_numbers(asked):
    for metric in ("rmse", "mae"):
        expected = fw.compare_predictions(Y, {"m1": M1, "m2": M2}, metric=metric)
        same(asked(NUMBERS, "--metric", metric), expected)


def test_labels_with_clusters(asked):
    grouped = table(truth=WORDS, a=np.where(NEW > 0.5, "yes", "no"), b=np.where(OLD > 0.5, "yes", "no"),
                    group=np.arange(60) % 7)  # fmt: skip
    expected = fw.compare_predictions(
        WORDS,
        dict(zip("ab", (np.where(p > 0.5, "yes", "no") for p in (NEW, OLD)), strict=True)),
        metric="f1",
        groups=np.arange(60) % 7,
    )
    same(asked(grouped, "--metric", "f1"), expected)


def test_a_pipeline_stops_at_a_metric(asked):
    sentence = asked(SCORES, "--metric", "roc_auc", "f1", "--a", "old", "--b", "new", "--fail-if", "worse", code=1)
    assert sentence.startswith("foldwise: old is worse than new: by ROC AUC (ROC AUC differs by")
    assert "F1 differs by" in sentence


def test_the_report_and_the_repeated_command_hold_all_metrics(run, tmp_path):
    (tmp_path / "p.csv").write_text(SCORES)
    code, out, _ = run(
        "predictions", tmp_path / "p.csv", "--metric", "f1", "roc_auc", "--details", "--html", tmp_path / "p.html"
    )
    assert code == 0
    assert "--metric f1 roc_auc" in out
    page = (tmp_path / "p.html").read_text()
    assert "DeLong" in page
    assert "swap permutation" in page
    assert "plot_metrics" in page or "<svg" in page
    code, out, _ = run("predictions", tmp_path / "p.csv", "--metric", "f1", "roc_auc", "--markdown")
    assert "| ROC AUC |" in out


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (SCORES, ["--metric", "f11"], "unknown metric 'f11': did you mean 'f1'?"),
        (
            SCORES,
            ["--metric", "f1", "--positive", "maybe"],
            "positive must be a class that occurs in truth ('no', 'yes')",
        ),
        (SCORES, ["--metric", "rmse"], "truth must be numbers, but holds labels such as"),
        (
            SCORES.replace("yes", "cat").replace("no", "dog"),
            ["--metric", "roc_auc"],
            "--positive must name the",
        ),
        (
            LABELS,
            ["--metric", "roc_auc", "--positive", "cat"],
            "'a' must be scores or probabilities for metric 'roc_auc'",
        ),
        (SCORES.replace(f"{NEW[0]}", "1.7", 1), ["--metric", "log_loss"], "'new' must be probabilities from 0 to 1"),
        (
            table(truth=THREE, a=THREE, b=THREE, c=THREE),
            ["--metric", "f1_macro", "f1_macro"],
            "metric must name each metric once, but 'f1_macro' is there more than once",
        ),
        (
            table(a=[1] * 5, b=[0] * 5),
            ["--truth", "none", "--metric", "f1", "mcc"],
            "metrics take the truth and one row per",
        ),
        (BY_CLASS, ["--metric", "log_loss", "--test", "delong"], "test 'delong' needs the scores of both models"),
    ],
)
def test_bad_input_is_told_in_a_sentence(asked, text, words, message):
    sentence = asked(text, *words, code=2)
    assert message in sentence
    assert sentence.count("\n") == 0
