"""Slices at judge and page: the verdict on each, the test that all are alike, and the headline."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

import foldwise as fw
from foldwise import inference as inf
from foldwise.core.errors import FoldwiseError, InvalidInput

CHANCE = {"new": {"easy": 0.95, "medium": 0.8, "hard": 0.25}, "old": {"easy": 0.7, "medium": 0.5, "hard": 0.5}}


def written(folder, seed=0, n=300, chance=CHANCE, cluster=False):
    rng = np.random.default_rng(seed)
    kinds = list(next(iter(chance.values())))
    of = rng.integers(0, len(kinds), n if not cluster else n // 3)
    of = of if not cluster else np.repeat(of, 3)
    values = {m: (rng.random(n) < np.array([chance[m][kinds[k]] for k in of])).astype(int) for m in chance}
    with (folder / "t.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["model", "item", "score", "difficulty", *(["group"] if cluster else [])])
        for name, marks in values.items():
            rows.writerows(
                [name, f"q{i}", marks[i], kinds[of[i]], *([f"g{i // 3}"] if cluster else [])] for i in range(n)
            )
    return folder / "t.csv", np.array(kinds)[of], values


def test_each_slice_is_judged_by_itself_and_the_headline_says_where_the_answer_turns(run, on_page, tmp_path):
    file, of, values = written(tmp_path, seed=1)
    found = json.loads(run("judge", file, "--slice", "difficulty", "--json")[1])
    slices = found["slices"]
    assert set(slices["verdicts"]) == {"easy", "medium", "hard"}
    for label, verdict in slices["verdicts"].items():
        mine = of == label
        alone = fw.compare_predictions(None, {name: marks[mine] for name, marks in values.items()})
        assert verdict["pairs"][0]["estimate"] == pytest.approx(alone.estimate)
        assert verdict["pairs"][0]["pvalue"] == pytest.approx(alone.pvalue)
    text = " ".join(run("judge", file, "--slice", "difficulty")[1].split())
    assert "new is better overall, but worse on hard: old is better there" in text
    page = on_page("judge", file, slice="difficulty")
    assert page.command == "foldwise judge t.csv --slice=difficulty"
    assert "worse on hard" in page.text


def test_the_interaction_is_welchs_test_of_the_differences(tmp_path):
    """R: oneway.test(d ~ slice), on d = new - old of this file, gives the same F by Welch's formula."""
    file, of, values = written(tmp_path, seed=3)
    (one,) = fw.judge(file, slices="difficulty").slices.interactions
    d = (values["new"] - values["old"]).astype(float)
    parts = [d[of == label] for label in dict.fromkeys(of)]
    n, m, v = (np.array([f(p) for p in parts]) for f in (len, np.mean, lambda p: p.var(ddof=1)))
    w = n / v
    common = (w * m).sum() / w.sum()
    lam = ((1 - w / w.sum()) ** 2 / (n - 1)).sum()
    f = (w * (m - common) ** 2).sum() / 2 / (1 + 2 * 1 / 8 * lam)
    assert one.statistic == pytest.approx(f)
    assert one.df == pytest.approx((2, 8 / (3 * lam)))


def test_equal_means_of_two_is_welchs_t():
    from scipy import stats

    rng = np.random.default_rng(1)
    a, b = rng.normal(0, 1, 30), rng.normal(0.5, 2, 20)
    found = inf.equal_means([a.mean(), b.mean()], [stats.sem(a), stats.sem(b)], [29, 19])
    assert found.pvalue == pytest.approx(stats.ttest_ind(a, b, equal_var=False).pvalue)


def test_wide_tables_clusters_and_three_models(tmp_path):
    chance = CHANCE | {"base": {"easy": 0.5, "medium": 0.5, "hard": 0.2}}
    file, _, _ = written(tmp_path, chance=chance, cluster=True)
    found = fw.judge(file, slices="difficulty")
    assert len(found.slices.interactions) == 3
    assert all("clusters" in verdict.design for verdict in found.slices.verdicts.values())
    wide = tmp_path / "wide.csv"
    wide.write_text(
        "new,old,language\n" + "\n".join(f"{i % 3 > 0:d},{i % 2:d},{'de' if i % 5 else 'en'}" for i in range(80))
    )
    found = fw.judge(wide, rows="items", slices="Language")
    assert set(found.slices.verdicts) == {"de", "en"}
    assert found.main.models == ("new", "old")


def test_bad_slices_get_a_sentence(run, tmp_path):
    file, _, _ = written(tmp_path)
    with pytest.raises(FoldwiseError, match="nothing"):
        fw.judge(file, slices="nothing")
    lines = file.read_text().splitlines()
    (tmp_path / "one.csv").write_text(
        "\n".join([lines[0], *(",".join([*x.split(",")[:3], "easy"]) for x in lines[1:])])
    )
    code, _, err = run("judge", tmp_path / "one.csv", "--slice", "difficulty")
    assert (code, "at least two values" in err) == (2, True)
    few = [*(",".join([*x.split(",")[:3], f"d{n % 300}"]) for n, x in enumerate(lines[1:]))]
    (tmp_path / "few.csv").write_text("\n".join([lines[0], *few]))
    with pytest.raises(InvalidInput, match="at least two values with 5 items"):
        fw.judge(tmp_path / "few.csv", slices="difficulty")


def test_slices_that_are_alike_rarely_differ(tmp_path):
    """400 studies of two models, equally far apart in four slices: the interaction at level .05, and any reversal."""
    rng = np.random.default_rng(5)
    found = []
    for _ in range(400):
        of = rng.integers(0, 4, 160)
        hard = rng.random(160)
        marks = {
            name: (hard + rng.normal(0, 0.3, 160) < level).astype(int) for name, level in (("a", 0.7), ("b", 0.55))
        }
        d = (marks["a"] - marks["b"]).astype(float)
        parts = [d[of == k] for k in range(4)]
        found.append(inf.equal_means([p.mean() for p in parts], [p.std(ddof=1) / len(p) ** 0.5 for p in parts],
                                     [len(p) - 1 for p in parts]).pvalue < 0.05)  # fmt: skip
    assert np.mean(found) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


def as_predictions(folder, of, values):
    """The same answers as a file of predictions: right where the mark is 1."""
    with (folder / "predictions.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["truth", *values, "difficulty"])
        for i, kind in enumerate(of):
            truth = "xy"[i % 2]
            rows.writerow([truth, *("yx"[(i + int(marks[i])) % 2] for marks in values.values()), kind])
    return folder / "predictions.csv"


def test_predictions_a_gate_and_a_board_have_the_slices_of_judge(run, on_page, tmp_path):
    file, of, values = written(tmp_path, seed=1)
    judged = json.loads(run("judge", file, "--slice", "difficulty", "--json")[1])["slices"]
    labels = as_predictions(tmp_path, of, values)
    found = json.loads(run("predictions", labels, "--slice", "difficulty", "--json")[1])["slices"]
    for label, verdict in judged["verdicts"].items():
        for name in ("estimate", "pvalue", "interval", "better"):
            assert found["verdicts"][label]["pairs"][0][name] == verdict["pairs"][0][name]
    for one, other in zip(found["interactions"], judged["interactions"], strict=True):
        assert (one["statistic"], one["pvalue"]) == pytest.approx((other["statistic"], other["pvalue"]))
    assert found["sentence"] == judged["sentence"]
    text = " ".join(run("predictions", labels, "--slice", "difficulty")[1].split())
    assert "new is better overall, but worse on hard: old is better there" in text
    page = on_page("predictions", labels, slice="difficulty")
    assert page.command == "foldwise predictions predictions.csv --slice=difficulty"
    assert "worse on hard" in page.text
    gate = run("gate", file, "--candidate", "new", "--baseline", "old", "--slice", "difficulty")
    assert gate[0] == 0
    assert "By difficulty: worse on hard: old is better there." in " ".join(gate[1].split())
    board = json.loads(run("leaderboard", file, "--slice", "difficulty", "--json")[1])
    assert board["slices"]["means"]["hard"] == pytest.approx(
        [values[place["model"]][of == "hard"].mean() for place in board["places"]]
    )
    assert board["slices"]["first"]["hard"] == ["old"]
    assert "the difference of 1 of 1 pairs depends on difficulty" in " ".join(
        run("leaderboard", file, "--slice", "difficulty")[1].split()
    )


def test_slices_of_arrays_are_those_of_the_file(tmp_path):
    _, of, values = written(tmp_path, seed=2)
    truth = np.array(["x", "y"] * 150)
    said = {name: np.where(marks == 1, truth, "z") for name, marks in values.items()}
    for given in (said, {name: column.tolist() for name, column in said.items()}):
        c = fw.compare_predictions(truth, given, slices=of)
        assert c.slices.column == "slice"
        for label, verdict in c.slices.verdicts.items():
            mine = of == label
            alone = fw.compare_predictions(truth[mine], {name: np.array(column)[mine] for name, column in said.items()})
            assert verdict.pvalue == alone.pvalue
    marks = fw.compare_predictions(None, values, slices=of, groups=np.arange(300) // 3)
    assert marks.slices.interactions[0].pvalue < 1
    with pytest.raises(InvalidInput, match="slices must have one label per row, 300, got 3"):
        fw.compare_predictions(truth, said, slices=["a", "b", "c"])


def test_sums_have_slices_too(run, tmp_path):
    """Word errors of two systems: by slice the ratio of sums, and Welch's test of the differences of ratios."""
    rng = np.random.default_rng(4)
    n, noisy = 240, np.arange(240) % 2
    words = rng.integers(5, 20, n)
    errors = {"a": rng.binomial(words, 0.1 + 0.25 * noisy), "b": rng.binomial(words, 0.2)}
    lines = ["a_errors,a_words,b_errors,b_words,place"]
    lines += [f"{errors['a'][i]},{words[i]},{errors['b'][i]},{words[i]},{'street' if noisy[i] else 'studio'}"
              for i in range(n)]  # fmt: skip
    (tmp_path / "wer.csv").write_text("\n".join(lines))
    code, out, err = run(
        "predictions", tmp_path / "wer.csv", "--metric", "errors / words", "--slice", "place", "--json"
    )
    assert (code, err) == (0, "")
    slices = json.loads(out)["slices"]
    for label, of in (("street", 1), ("studio", 0)):
        mine = noisy == of
        expected = [errors[name][mine].sum() / words[mine].sum() for name in "ab"]
        assert slices["verdicts"][label]["pairs"][0]["means"] == pytest.approx(expected)
    assert slices["interactions"][0]["pvalue"] < 1e-6


def test_a_slice_is_a_property_of_items(run, tmp_path):
    """The label of an item that differs by model is refused, and the items that have none are a slice of their own."""
    file, _, _ = written(tmp_path)
    lines = file.read_text().splitlines()
    torn = [line.replace(",hard", ",easy") if line.startswith("new") else line for line in lines]
    (tmp_path / "torn.csv").write_text("\n".join(torn))
    code, _, err = run("judge", tmp_path / "torn.csv", "--slice", "difficulty")
    assert (code, "an item must have one difficulty, but item 'q" in err) == (2, True)
    blank = [line.replace(",hard", ",") for line in lines]
    (tmp_path / "blank.csv").write_text("\n".join(blank))
    assert set(fw.judge(tmp_path / "blank.csv", slices="difficulty").slices.verdicts) == {"easy", "medium", "(empty)"}


def test_a_slice_without_a_value_is_left_out_and_named():
    rng = np.random.default_rng(0)
    truth = np.where(np.arange(90) < 30, 1, rng.integers(0, 2, 90))
    scores = {name: truth + rng.normal(0, spread, 90) for name, spread in (("a", 1), ("b", 2))}
    c = fw.compare_predictions(truth, scores, metric="roc_auc", slices=["x"] * 30 + ["y"] * 30 + ["z"] * 30)
    assert list(c.slices.verdicts) == ["y", "z"]
    assert any("slice x: no verdict, because truth must hold at least two classes" in note for note in c.notes)
