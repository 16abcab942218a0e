"""Models of one table are measured alike: what a name, a percent sign or a neighbour tells is not passed over."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from doors.test_roles import found, refusal, write

import foldwise as fw
from foldwise.core.errors import InvalidInput

DRAW = random.Random(9)
MARKS = [[int(DRAW.random() < share) for share in (0.85, 0.5)] for _ in range(60)]
SHARES = [[round(DRAW.uniform(0.7, 0.8), 3), round(DRAW.uniform(0.72, 0.82), 3)] for _ in range(20)]


def wide(path, rows, *names, first="item"):
    return write(path, (first, *names), [(f"q{i}", *row) for i, row in enumerate(rows)])


def refused_at_every_door(run, reader, file, message, *options, doors=("judge", "predictions")):
    """The same sentence at the command line, on the page and in Python."""
    for door in doors:
        words = ("--truth", "none") if door == "predictions" else ()
        assert message in " ".join(refusal(run, door, file, *words, *options).split())
        fields = {"truth": "none"} if door == "predictions" else {}
        given = {"text": file.read_text(), "filename": file.name}
        given = {"file": (file.name, file.read_text())} if door == "judge" else given
        page = reader.post(f"/{door}", step="answer", **given, **fields)
        assert page.alert is not None
        assert message in " ".join(page.alert.replace("Models must", "models must").split())
    with pytest.raises(InvalidInput) as error:
        fw.judge(file)
    assert message in " ".join(str(error.value).split())


@pytest.mark.parametrize("name", ["b_PassFail", "pass_fail_results", "a_vs_b_TRUE", "no_error_here", "lossless"])
@pytest.mark.parametrize("words", [("pass", "fail"), ("True", "False"), (1, 0), ("✓", "✗")])
def test_a_file_that_is_called_something_is_no_metric(run, on_page, tmp_path, name, words):
    """``b_PassFail.csv`` was a loss "by its name", and the worse model won by 35 points."""
    file = wide(tmp_path / f"{name}.csv", [[words[1 - mark] for mark in row] for row in MARKS], "new", "old")
    assert found(run, "judge", file)["verdicts"][""]["better"] == "new"
    assert fw.judge(file).main.better == "new"
    assert on_page("judge", file).verdict.startswith("new is better")


@pytest.mark.parametrize("name", ["rmse", "RMSE_wide", "log_loss_by_fold", "test_error"])
def test_a_file_that_is_called_like_a_loss_holds_it(run, tmp_path, name):
    file = wide(tmp_path / f"{name}.csv", [[a + 3, b + 2] for a, b in SHARES], "new", "old", first="dataset")
    answer = found(run, "judge", file)["verdicts"][""]
    assert (answer["best"], answer["higher_is_better"]) == ("old", False)


@pytest.mark.parametrize("form", ["{}_loss", "loss-{}", "{} error", "latency_{}"])
def test_the_metric_that_all_columns_are_called_after(run, on_page, tmp_path, form):
    """``a_loss`` and ``b_loss`` were scores of which higher ones are better."""
    names = [form.format(model) for model in ("new", "old")]
    file = wide(tmp_path / "t.csv", [[b, a + 0.3] for a, b in SHARES], *names)
    better = names[0]
    answers = [found(run, "judge", file)["verdicts"][""], found(run, "predictions", file, "--truth", "none")]
    columns = dict(zip(names, np.array([[b, a + 0.3] for a, b in SHARES]).T, strict=True))
    answers.append(fw.compare_predictions(None, columns).to_dict())
    for answer in answers:
        assert (answer["better"], answer["higher_is_better"]) == (better, False)
        assert [one["how"] for one in answer["reading"] if one["what"] == "direction"] == ["by its name"]
    assert on_page("judge", file).verdict.startswith(f"{better} is better")


def test_ranks_are_better_the_lower_they_are():
    assert fw.compare_predictions(None, {"a": [1, 2, 1, 1] * 9, "b": [2, 1, 3, 2] * 9}, metric="rank").better == "a"


def test_percent_in_one_column_and_fractions_in_another(run, reader, tmp_path):
    """82.1 % lost against 0.83, or rather won by 81 points."""
    signs = wide(tmp_path / "signs.csv", [[f"{100 * a:.1f}%", b] for a, b in SHARES], "new", "old", first="dataset")
    message = "'new' has percentages, and 'old' numbers without"
    refused_at_every_door(run, reader, signs, message, doors=("judge",))
    assert message in refusal(run, "table", signs)
    plain = wide(tmp_path / "plain.csv", [[round(100 * a, 1), b] for a, b in SHARES], "new", "old")
    refused_at_every_door(run, reader, plain, "models must be measured alike")
    table = wide(tmp_path / "table.csv", [[round(100 * a, 1), b] for a, b in SHARES], "new", "old", first="dataset")
    assert "measured alike" in refusal(run, "table", table)
    a, b = np.array(SHARES).T
    for compare in (
        lambda: fw.compare_predictions(None, {"new": 100 * a, "old": b}),
        lambda: fw.compare_scores({"a": 100 * a, "b": b}, n_train=90, n_test=10),
        lambda: fw.compare_table({"new": 100 * a, "old": b}),
    ):
        with pytest.raises(InvalidInput, match="measured alike"):
            compare()


def test_some_percent_signs_in_a_column(run, reader, tmp_path):
    rows = [
        (f"d{i}", m, f"{100 * v:.1f}%" if i % 2 else v)
        for i, row in enumerate(SHARES)
        for m, v in zip("ab", row, strict=True)
    ]
    file = write(tmp_path / "t.csv", ("dataset", "model", "accuracy"), rows)
    refused_at_every_door(run, reader, file, "numbers without a percent sign", doors=("judge",))


def test_unbounded_losses_may_be_a_hundred_times_as_large():
    a, b = np.array(SHARES).T
    assert fw.compare_predictions(None, {"new": 100 * a, "old": b}, metric="rmse").better == "old"


@pytest.mark.parametrize("form", ["confidence_{}", "{}_tokens"])
def test_what_is_told_of_models_is_no_model(run, reader, tmp_path, form):
    rows = [[*row, round(DRAW.random(), 2), round(DRAW.random(), 2)] for row in MARKS]
    file = wide(tmp_path / "t.csv", rows, "new", "old", form.format("new"), form.format("old"))
    refused_at_every_door(run, reader, file, "look like something else about the others")
    assert fw.judge(file, columns={"model": ["new", "old"]}).main.better == "new"


def test_numbers_beside_answers_are_no_model(run, reader, tmp_path):
    file = wide(tmp_path / "t.csv", [[*row, DRAW.randint(10, 400)] for row in MARKS], "new", "old", "tokens")
    assert "measured alike" in refusal(run, "judge", file)
    assert "measured alike" in refusal(run, "predictions", file, "--truth", "none")


@pytest.mark.parametrize("sentinel", [-1, -999])
def test_a_number_that_may_stand_for_no_value_is_said_to_count(run, on_page, tmp_path, sentinel):
    rows = [[sentinel if i % 13 == 0 else a, b] for i, (a, b) in enumerate(MARKS)]
    file = wide(tmp_path / "t.csv", rows, "new", "old")
    told = f"{sentinel} counts as a value (5 of new)"
    for door, *options in (("judge",), ("predictions", "--truth", "none")):
        assert told in " ".join(run(door, file, *options)[1].split())
    assert told in " ".join(on_page("judge", file).markup.text.split())
    columns = dict(zip(("new", "old"), np.array(rows).T, strict=True))
    assert [one.value for one in fw.compare_predictions(None, columns).reading if one.what == "sentinel"] == [told]
    assert not [
        one
        for one in fw.compare_predictions(None, {"a": [-1, 1, -1, 1], "b": [1, 1, -1, -1]}).reading
        if one.what == "sentinel"
    ]


def test_train_and_test_rows_that_are_pooled_are_named(run, on_page, tmp_path):
    rows = [(f"q{i}", ("train", "test")[i % 2], *row) for i, row in enumerate(MARKS)]
    file = write(tmp_path / "t.csv", ("item", "split", "new", "old"), rows)
    told = "rows of all parts of column 'split' count (train, test)"
    for door, *options in (("judge",), ("predictions", "--truth", "none")):
        assert told in " ".join(run(door, file, *options)[1].split())
    assert told in " ".join(on_page("judge", file).markup.text.split())
    assert told in [one.value for one in fw.judge(file).reading]
    only = write(tmp_path / "only.csv", ("item", "split", "new", "old"), [(q, "test", *row) for q, _, *row in rows])
    assert "all parts" not in run("judge", only)[1]


@pytest.mark.parametrize(
    "words",
    [("yes", "no"), ("Y", "N"), ("T", "F"), ("ja", "nein"), ("✔", "✘"), ("solved", "unsolved"), ("WAHR", "FALSCH")],
)
def test_words_for_right_and_wrong_where_the_column_asks(run, tmp_path, words):
    rows = [
        (f"q{i}", m, words[1 - mark])
        for i, row in enumerate(MARKS)
        for m, mark in zip(("new", "old"), row, strict=True)
    ]
    file = write(tmp_path / "t.csv", ("item", "model", "is_correct"), rows)
    answer = found(run, "judge", file)["verdicts"][""]
    expected = fw.compare_predictions(
        None, dict(zip(("new", "old"), np.array(MARKS).T, strict=True)), metric="is_correct"
    )
    assert (answer["better"], answer["pvalue"]) == ("new", expected.pvalue)


@pytest.mark.parametrize("door", ["judge", "predictions"])
def test_texts_beside_labels_are_no_model(run, on_page, tmp_path, door):
    """A column of texts was a third model, which was never right."""
    rows = [
        (f"text {i} of all", "xy"[i % 2], *("xy"[i % 2] if mark else "yx"[i % 2] for mark in row))
        for i, row in enumerate(MARKS)
    ]
    file = write(tmp_path / "t.csv", ("text", "label", "new", "old"), rows)
    answer = json.loads(run(door, file, "--json")[1])
    assert (answer["understood"]["models"] if door == "judge" else answer["models"]) == ["new", "old"]
    assert on_page(door, file).verdict.startswith("new is better")


def test_labels_that_are_numbers_have_one_spelling_at_judge(run, tmp_path):
    rows = [(i % 3, f"{i % 3 if a else (i + 1) % 3}.0", i % 3 if b else (i + 1) % 3) for i, (a, b) in enumerate(MARKS)]
    file = write(tmp_path / "t.csv", ("truth", "new", "old"), rows)
    answers = [found(run, "judge", file)["verdicts"][""], found(run, "predictions", file)]
    assert answers[0]["means"] == answers[1]["means"]
    assert answers[0]["better"] == "new"


def test_rows_that_are_folds_are_no_items(run, reader, tmp_path):
    file = write(tmp_path / "t.csv", ("fold", "new", "old"), [(i, *row) for i, row in enumerate(SHARES[:10])])
    assert "every row is a fold or seed of its own" in refusal(run, "predictions", file, "--truth", "none")
    page = reader.post("/predictions", text=file.read_text(), filename="t.csv", truth="none", step="answer")
    assert "every row is a fold or seed of its own" in page.alert
    assert fw.judge(file).main.design == "10-fold cross-validation"
    assert run("predictions", file, "--truth", "none", "--column", "fold=none")[0] == 0


def test_a_thousand_or_one(run, reader, tmp_path):
    lines = ["item;new;old", *(f"q{i};{900 + i};{'1.05' if i % 2 else '1.10'}{i % 10}" for i in range(20))]
    file = tmp_path / "t.csv"
    file.write_text("\n".join([*lines, "q20;1.000;980"]) + "\n")
    refused_at_every_door(run, reader, file, "a thousand times as much")


def scores(*more):
    draw = random.Random(4)
    rows = [[round(draw.uniform(0.7, 0.8), 3), round(draw.uniform(0.78, 0.9), 3)] for _ in range(12)]
    return [[*row, *(make(row) for make in more)] for row in rows]


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("n", lambda row: 1000 + int(1e4 * row[0])),
        ("instances", lambda row: 40 + int(1e3 * row[1])),
        ("p-value", lambda row: round(row[0] / 9, 3)),
        ("improvement", lambda row: round(row[1] - row[0], 3)),
        ("gain over old", lambda row: round(row[1] - row[0], 3)),
    ],
)
def test_what_a_table_says_besides_is_no_model(run, on_page, tmp_path, name, make):
    """``n`` was the best of three models: better than each of the others."""
    file = wide(tmp_path / "t.csv", scores(make), "old", "new", name, first="dataset")
    assert found(run, "judge", file)["understood"]["models"] == ["old", "new"]
    assert repr(name) in run("judge", file)[1]
    assert fw.judge(file).understanding.models == ("old", "new")
    assert on_page("judge", file).verdict.startswith("new is better.")


def test_sizes_by_an_unknown_name_are_refused(run, reader, tmp_path):
    file = wide(tmp_path / "t.csv", scores(lambda row: int(1e4 * row[0])), "old", "new", "kB", first="dataset")
    refused_at_every_door(run, reader, file, "measured alike", doors=("judge", "table"))


def test_means_and_spreads_side_by_side_are_refused(run, reader, tmp_path):
    rows = [[a, 0.02, b, 0.03] for a, b in scores()]
    file = wide(tmp_path / "t.csv", rows, "old_mean", "old_std", "new_mean", "new_std", first="dataset")
    refused_at_every_door(run, reader, file, "2 models by 2 metrics", doors=("judge",))


@pytest.mark.parametrize(
    ("name", "higher"),
    [("zeal ↓", False), ("zeal ↑", True), ("zeal (lower is better)", False), ("Zeal (higher=better)", True)],
)
def test_the_direction_that_a_header_says(run, on_page, tmp_path, name, higher):
    rows = [(f"q{i}", m, v) for i, row in enumerate(SHARES) for m, v in zip("ab", row, strict=True)]
    file = write(tmp_path / "t.csv", ("item", "model", name), rows)
    answer = found(run, "judge", file)["verdicts"][""]
    page = on_page("judge", file)
    assert f"{'higher' if higher else 'lower'} is better (by its name)" in page.facts()["metric"]
    assert fw.judge(file).main.to_dict()["higher_is_better"] == higher
    assert answer["higher_is_better"] == higher
    assert [one["how"] for one in answer["reading"] if one["what"] == "direction"] == ["by its name"]


def test_tasks_on_different_scales_have_no_mean(run, on_page, tmp_path):
    """Accuracy and BLEU, both in a column `score`: 20.9 vs 20.3."""
    draw = random.Random(5)
    rows = [
        (task, f"q{i}", m, round(draw.random() * top, 2))
        for task, top in (("qa", 1), ("mt", 100), ("sum", 1), ("nli", 1), ("sql", 100), ("math", 1))
        for i in range(30)
        for m in "ab"
    ]
    file = write(tmp_path / "t.csv", ("task", "item", "model", "score"), rows)
    for out in (run("judge", file)[1], on_page("judge", file).text):
        assert "tasks are measured in different units, which have no mean" in " ".join(out.split())
    assert fw.judge(file).overall.tasks or "sign" in fw.judge(file).overall.details()


def test_indices_in_another_order_are_refused():
    frames = pytest.importorskip("pandas")
    truth = frames.Series(list("xyxyxyyx"))
    with pytest.raises(InvalidInput, match=r"outputs\['a'\] has the index of truth in another order"):
        fw.compare_predictions(truth, {"a": truth.iloc[::-1], "b": truth})
    assert fw.compare_predictions(truth, {"a": truth.iloc[::-1].to_numpy(), "b": truth}).means["a"] == 0.5


def test_gaps_among_decimal_commas_are_gaps(tmp_path):
    """``n/a`` made a column of numbers one of categories, one for each number."""
    frames = pytest.importorskip("pandas")
    draw = np.random.default_rng(6)
    x = draw.normal(size=120)
    text = [f"{value:.2f}".replace(".", ",") if i % 9 else "n/a" for i, value in enumerate(x)]
    y = (x + draw.normal(size=120) > 0).astype(int)
    plain = [float(one.replace(",", ".")) if one != "n/a" else np.nan for one in text]
    answers = [
        fw.compare({"a": "logreg", "b": "nb"}, frames.DataFrame({"x": column, "z": x}), y, random_state=0)
        for column in (text, plain)
    ]
    assert answers[0].estimate == answers[1].estimate
    (tmp_path / "t.csv").write_text("x;y\n" + "".join(f"{one};{label}\n" for one, label in zip(text, y, strict=True)))
    assert fw.load(tmp_path / "t.csv", target="y").feature_kinds == ("numeric",)


def test_decimal_commas_in_a_frame_are_read_as_in_a_file(run, tmp_path):
    frames = pytest.importorskip("pandas")
    rows = [(f"q{i}", *(f"{v:.3f}".replace(".", ",") for v in row)) for i, row in enumerate(SHARES)]
    frame = frames.DataFrame(rows, columns=["item", "new", "old"])
    (tmp_path / "t.csv").write_text("item;new;old\n" + "".join(";".join(row) + "\n" for row in rows))
    assert fw.judge(frame).main.to_dict()["pairs"] == found(run, "judge", tmp_path / "t.csv")["verdicts"][""]["pairs"]
    gaps = frame.assign(new=["n/a" if i == 3 else v for i, v in enumerate(frame["new"])])
    told = fw.judge(gaps, missing="drop").understanding.left_out
    assert "1 item left out" in " ".join(told)
