"""Wide tables through the one door: what rows are follows from their label's name, or is asked for."""

import gzip

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import foldwise as fw
from foldwise.comparison import judge
from foldwise.core.errors import InvalidInput

RNG = np.random.default_rng(5)
SCORES = np.clip(0.7 + 0.1 * RNG.random((8, 1)) + [0.0, 0.03, 0.06] + 0.005 * RNG.random((8, 3)), 0, 1)
MARKS = (RNG.random((60, 3)) < [0.4, 0.6, 0.9]).astype(int)


def write(path, first, labels, values, names=("nb", "c45", "tan"), separator=","):
    rows = [separator.join([str(label), *map(str, row)]) for label, row in zip(labels, values, strict=True)]
    path.write_text("\n".join([separator.join([first, *names]), *rows]))
    return path


def datasets(folder, first="dataset", **options):
    return write(folder / "t.csv", first, [f"d{i}" for i in range(8)], SCORES.round(4), **options)


@pytest.mark.parametrize(("name", "separator"), [("t.csv", ","), ("t.tsv", "\t"), ("accuracy.csv", ";")])
def test_data_sets_by_learners_are_the_table_they_are(tmp_path, name, separator):
    path = write(tmp_path / name, "dataset", [f"d{i}" for i in range(8)], SCORES.round(4), separator=separator)
    found = judge(path)
    assert found.understanding.rows == "tasks"
    assert found.understanding.metric == ("accuracy" if "accuracy" in name else "score")
    other = fw.compare_table(SCORES.round(4), models=("nb", "c45", "tan"), metric=found.understanding.metric)
    assert found.main.best == other.best == "tan"
    assert [pair.pvalue for pair in found.main.pairs] == [pair.pvalue for pair in other.pairs]


def test_items_by_models(tmp_path):
    path = write(tmp_path / "items.csv", "item", range(60), MARKS)
    found = judge(path)
    assert found.understanding.rows == "items"
    assert found.main.means == pytest.approx(dict(zip(("nb", "c45", "tan"), MARKS.mean(axis=0), strict=True)))


def test_folds_by_models(tmp_path):
    path = write(tmp_path / "folds.csv", "fold", range(8), SCORES.round(4), names=("nb", "c45", "tan"))
    assert judge(path, models=["nb", "tan"]).main.design == "8-fold cross-validation"


def test_where_two_readings_are_possible_it_says_so_and_names_the_option(tmp_path):
    path = datasets(tmp_path, first="")
    with pytest.raises(InvalidInput, match=r"data sets \(rows='tasks'\), or test items \(rows='items'\), or splits"):
        judge(path)
    assert judge(path, rows="tasks").main.best == "tan"
    assert judge(path, rows="items", models=["nb", "tan"]).main.test == "paired_t"
    assert judge(path, rows="splits", models=["nb", "tan"]).main.design == "8-fold cross-validation"
    with pytest.raises(InvalidInput, match="must be one of tasks, items, splits, got 'last'"):
        judge(path, rows="last")


def test_the_truth_and_predictions_are_right_and_wrong(tmp_path):
    truth = np.array(["yes", "no"] * 30)
    wrong = np.where(truth == "yes", "no", "yes")
    cells = np.column_stack([truth, *(np.where(MARKS[:, j] == 1, truth, wrong) for j in range(2))])
    path = write(tmp_path / "p.csv", "id", range(60), cells, names=("truth", "nb", "c45"))
    found = judge(path).main
    assert found.pairs[0].means == pytest.approx(MARKS[:, :2].mean(axis=0))
    other = fw.compare_predictions(truth, {"a": cells[:, 1], "b": cells[:, 2]})
    assert (found.test, found.pvalue) == (other.test, other.pvalue)
    path.write_text("truth,a,b\n" + "yes,yes,maybe\nno,yes,no\n" * 5)
    assert judge(path).main.pairs[0].means == (0.5, 0.5)  # text that the truth never is, is a wrong label


def outputs(tmp_path, truth, *models):
    return write(tmp_path / "p.csv", "id", range(len(truth)), np.column_stack([truth, *models]), ("truth", "a", "b"))


@pytest.mark.parametrize("words", [("no", "yes"), ("0", "1"), ("FALSE", "TRUE"), ("0.0", "1.0")])
def test_probabilities_are_compared_by_what_has_a_value_per_item(tmp_path, words):
    rng = np.random.default_rng(3)
    positive = rng.random(50) < 0.5
    a, b = (np.clip(positive * 0.6 + rng.random(50) * w, 0.01, 0.99).round(3) for w in (0.4, 0.6))
    path = outputs(tmp_path, np.where(positive, words[1], words[0]), a, b)
    found = judge(path)
    assert found.understanding.measures == {"": "log_loss"}
    assert not found.understanding.higher_is_better
    assert any("ROC AUC" in note and "foldwise predictions" in note for note in found.understanding.left_out)
    for metric in ("log_loss", "brier"):
        own = judge(path, metric=metric).main
        door = fw.compare_predictions(positive.astype(int), {"a": a, "b": b}, metric=metric)
        assert (own.estimate, own.pairs[0].means) == (pytest.approx(door.estimate), pytest.approx(door.pairs[0].means))


def test_numbers_are_compared_by_their_errors(tmp_path):
    rng = np.random.default_rng(4)
    truth = rng.normal(size=40).round(3)
    a, b = (truth + (rng.normal(size=40) * sd).round(3) for sd in (0.1, 1.0))
    path = outputs(tmp_path, truth, a, b)
    assert judge(path).understanding.other_metrics == ("mae",)
    found = judge(path, metric="mae").main
    assert found.pairs[0].means == pytest.approx((np.abs(a - truth).mean(), np.abs(b - truth).mean()))
    assert (judge(path).main.better, found.better) == ("a", "a")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("cat,0.3,0.2\ndog,0.4,0.1", "the positive class is unknown: .* --metric log_loss --positive (cat|dog)"),
        ("1,1,0.2\n0,0,0.1", "outputs of one kind, but 'a' has labels and 'b' numbers such as 0.[12]"),
        ("1,3.5,-2.5\n0,1.5,-0.5", "'a' must hold the predicted labels, probabilities of one of two classes, or num"),
        ("1,7,8\n2,8,7\n3,9,9", "must hold the predicted labels, .* got '[78]'"),
        ("red,0.5,0.6\ngreen,0.4,0.3\nblue,0.1,0.7", "column 'truth' must hold numbers"),
    ],
)
def test_outputs_of_no_clear_kind_are_refused_with_what_they_are(tmp_path, rows, message):
    (tmp_path / "p.csv").write_text(f"truth,a,b\n{rows}\n")
    with pytest.raises(InvalidInput, match=message):
        judge(tmp_path)


def test_a_direction_that_nobody_tells_can_be_said(tmp_path):
    path = datasets(tmp_path)
    assert judge(path).main.best == "tan"
    assert judge(path, higher_is_better=False).main.best == "nb"


def test_a_table_beside_logs_is_passed_over(tmp_path):
    datasets(tmp_path)
    (tmp_path / "long.csv").write_text(
        "model,item,correct\n" + "\n".join(f"{m},{i},{i % 2}" for m in "ab" for i in range(9))
    )
    assert judge(tmp_path).understanding.passed_over == ("t.csv",)


def test_gaps_leave_data_sets_out_and_repeated_names_are_refused(tmp_path):
    path = datasets(tmp_path)
    lines = path.read_text().splitlines()
    lines[4] = ",".join(["d3", "", *lines[4].split(",")[2:]])
    path.write_text("\n".join(lines))
    found = judge(path)
    assert any("1 task left out for all models" in note for note in found.understanding.left_out)
    path.write_text(path.read_text().replace("d4,", "d5,"))
    with pytest.raises(InvalidInput, match="one row per data set, but 'd5' has 2"):
        judge(path)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_wide_frames(make):
    frame = make({"dataset": [f"d{i}" for i in range(8)], "nb": SCORES[:, 0], "tan": SCORES[:, 2]})
    assert fw.judge(frame).main.best == "tan"


def test_names_in_pandas_index_are_labels():
    frame = pd.DataFrame(SCORES, columns=["nb", "c45", "tan"], index=pd.Index([f"d{i}" for i in range(8)], name="task"))
    assert fw.judge(frame).main.best == "tan"


def test_packed_and_spreadsheets(tmp_path):
    text = datasets(tmp_path).read_bytes()
    (tmp_path / "t.csv").unlink()
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text))
    one = judge(tmp_path).main
    (tmp_path / "t.csv.gz").unlink()
    frame = pd.DataFrame(SCORES.round(4), columns=["nb", "c45", "tan"])
    frame.insert(0, "dataset", [f"d{i}" for i in range(8)])
    frame.to_parquet(tmp_path / "t.parquet")
    assert [pair.pvalue for pair in judge(tmp_path).main.pairs] == [pair.pvalue for pair in one.pairs]


def test_numbers_without_labels_are_items_or_splits(tmp_path):
    (tmp_path / "n.csv").write_text("a,b\n" + "\n".join(f"0.{i},0.{i + 1}" for i in range(1, 8)))
    with pytest.raises(InvalidInput, match=r"test items \(rows='items'\), or splits of one data set \(rows='splits'\)"):
        judge(tmp_path)
