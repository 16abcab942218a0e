"""What stands in cells where there should be a number: at every door it is read as missing, or refused by its line."""

from __future__ import annotations

import json
import random

import pytest
from doors.test_roles import found, refusal, run, write

import foldwise as fw
from foldwise.core.errors import InvalidInput

__all__ = ["run"]

DRAW = random.Random(2)
MARKS = [[int(DRAW.random() < share) for share in (0.85, 0.6, 0.6)] for _ in range(60)]
NO_VALUE = ("", "NaN", "n/a", "#N/A", "<NA>", "None", "-", "–")


def damaged(cell):
    """Three models, of which `a` has this cell on some items."""
    return [
        (f"q{i}", *(cell if i % 11 == 3 and k == 0 else mark for k, mark in enumerate(row)))
        for i, row in enumerate(MARKS)
    ]


def in_rows(rows):
    return [(key, model, mark) for key, *marks in rows for model, mark in zip("abc", marks, strict=True)]


@pytest.fixture(params=["wide", "long"])
def write_form(request, tmp_path):
    def call(cell):
        rows = damaged(cell)
        header, rows = (
            (("id", *"abc"), rows) if request.param == "wide" else (("id", "model", "correct"), in_rows(rows))
        )
        return write(tmp_path / f"{request.param}.csv", header, rows)

    return call


def test_what_stands_for_no_value_is_missing(run, write_form):
    answers = [found(run, "judge", write_form(cell)) for cell in NO_VALUE]
    assert len({json.dumps(one["verdicts"]) for one in answers}) == 1
    assert answers[0]["understood"]["models"] == ["a", "b", "c"]
    assert any("a 6, b 0, c 0" in note for note in answers[0]["understood"]["left_out"])


@pytest.mark.parametrize("cell", ["inf", "failed", "??"])
def test_a_model_with_strange_cells_does_not_vanish(run, reader, write_form, cell):
    """It was left out of a table of three models as if it were no column of numbers, and the others were compared."""
    file = write_form(cell)
    said = refusal(run, "judge", file)
    assert "must hold" in said
    assert repr(cell) in said
    assert "leave the cell empty where there is no value" in said
    with pytest.raises(InvalidInput, match="leave the cell empty"):
        fw.judge(file)
    page = reader.post("/judge", file=(file.name, file.read_text()), step="answer")
    assert repr(cell) in page.alert
    if file.name == "wide.csv":
        assert repr(cell) in refusal(run, "predictions", only_marks(file), "--truth", "none")
        assert fw.judge(file, columns={"model": ["b", "c"]}).understanding.models == ("b", "c")


def only_marks(file):
    rows = [line.split(",")[1:] for line in file.read_text().strip().splitlines()[1:]]
    return write(file.with_name(f"marks-{file.stem}.csv"), "abc", rows)


FAILURES = ("timeout", "ERROR: rate limit", "[no answer]", "RuntimeError: killed (9)")


@pytest.mark.parametrize("cell", FAILURES)
def test_a_cell_that_says_that_a_model_failed_asks_for_a_policy(run, on_page, reader, write_form, cell):
    """To leave such items out favours the model that failed: nobody does it unasked, and a policy is that of gaps."""
    gaps = write_form("")
    gaps = gaps.rename(gaps.with_name("gaps.csv"))
    file = write_form(cell)
    page = reader.post("/judge", file=(file.name, file.read_text()), step="answer")
    for said in (refusal(run, "judge", file), page.alert):
        assert f"{cell!r} in column" in said
        assert "says that the model failed there" in said
    with pytest.raises(InvalidInput, match="missing='worst'"):
        fw.judge(file)
    for policy in ("drop", "worst"):
        told, expected = (found(run, "judge", path, "--missing", policy)["verdicts"][""] for path in (file, gaps))
        assert told["pairs"] == expected["pairs"]
        assert fw.judge(file, missing=policy).main.to_dict()["pairs"] == expected["pairs"]
        page = on_page("judge", file, missing=policy)
        assert page.verdict == on_page("judge", gaps, missing=policy).verdict
    if file.name == "long.csv":
        return
    wide, empty = only_marks(file), only_marks(gaps)
    asked = ("--truth", "none", "--missing", "worst")
    marks, expected = (found(run, "predictions", path, *asked) for path in (wide, empty))
    assert marks["pairs"] == expected["pairs"]
    assert "is missing" in refusal(run, "predictions", wide, "--truth", "none")
    rows = [line.split(",") for line in wide.read_text().strip().split("\n")[1:]]
    given = dict(zip("abc", zip(*rows, strict=True), strict=True))
    assert fw.compare_predictions(None, given, missing="worst").means == pytest.approx(marks["means"])


def test_a_column_of_answers_is_no_model(run, tmp_path):
    draw = random.Random(3)
    rows = [
        (f"q{i}", draw.choice(["42", "about 40", f"I think {i}", str(i)]), draw.randint(0, 1), draw.randint(0, 1))
        for i in range(40)
    ]
    file = write(tmp_path / "t.csv", ("id", "answer", "new", "old"), rows)
    assert found(run, "judge", file)["understood"]["models"] == ["new", "old"]


@pytest.mark.parametrize("door", ["judge", "scores", "table"])
def test_errors_that_may_be_sizes_are_no_percentages(run, tmp_path, door):
    draw = random.Random(4)
    rows = [(f"d{i}", round(draw.uniform(0.3, 2.1), 2), round(draw.uniform(0.3, 2.1), 2)) for i in range(12)]
    if door == "scores":
        rows = [(i, *row[1:]) for i, row in enumerate(rows)]
    header = ("fold" if door == "scores" else "dataset", "nb", "rf")
    for top in (1, 1.2, 40):
        file = write(
            tmp_path / "error.csv", header, [(name, *(round(top * v / 2.1, 3) for v in row)) for name, *row in rows]
        )
        options = ["--metric", "error"] if door != "judge" else []
        options += ["--runs", "1"] if door == "scores" else []
        answer = found(run, door, file, *options)
        answer = answer["verdicts"][""] if door == "judge" else answer
        assert answer["unit"] == {1: "fraction", 1.2: "own", 40: "percent"}[top]
        told = run(door, file, *options)[1]
        assert ("Assumed: error is in percent" in told) == (top == 40)


SCORES = [(f"d{i}", round(DRAW.uniform(0.6, 0.9), 3), round(DRAW.uniform(0.7, 0.9), 3)) for i in range(12)]


@pytest.mark.parametrize("name", ["Average", "mean", "Mean rank", "Total", "avg."])
@pytest.mark.parametrize("door", ["judge", "table", "scores"])
def test_a_row_that_summarises_the_others_is_no_data_set_and_no_fold(run, tmp_path, door, name):
    """As tables in papers end: it counted as one more data set, item or fold."""
    rows = [(i if door == "scores" else key, *values) for i, (key, *values) in enumerate(SCORES)]
    header = ("fold" if door == "scores" else "dataset", "nb", "rf")
    options = ["--runs", "1"] if door == "scores" else []
    answers = []
    for last in ([], [(name, 0.8, 0.7), ("Std", 0.1, 0.1)]):
        file = write(tmp_path / "t.csv", header, [*rows, *last])
        answers.append(found(run, door, file, *options))
    plain, other = [one["verdicts"][""] for one in answers] if door == "judge" else answers
    told = " ".join(run(door, file, *options)[1].split())
    assert f"rows {name!r}, 'Std' of column {header[0]!r}: summaries of the others, left out" in told
    for key in ("pvalue", "estimate", "pairs", "omnibus"):
        assert plain.get(key) == other.get(key)


def test_a_row_in_the_middle_is_what_its_name_says(run, tmp_path):
    rows = [*SCORES[:3], ("total", 0.8, 0.7), *SCORES[3:]]
    file = write(tmp_path / "t.csv", ("dataset", "nb", "rf"), rows)
    assert "total" in found(run, "judge", file)["understood"]["tasks"]


@pytest.mark.parametrize(("name", "form"), [
    ("mean", lambda a, b: round((a + b) / 2, 2)), ("diff", lambda a, b: b - a), ("Total", lambda a, b: a + b),
])  # fmt: skip
def test_a_column_that_is_computed_from_the_others_is_no_model(run, tmp_path, name, form):
    rows = [(key, *pair, form(*pair)) for key, *pair in in_columns(MARKS)]
    file = write(tmp_path / "t.csv", ("item", "new", "old", name), rows)
    answer = found(run, "judge", file)["understood"]
    assert answer["models"] == ["new", "old"]
    assert any(one["what"] == "summary" and one["how"] == "assumed" for one in answer["columns"])
    assert fw.judge(file, columns={"model": ["new", name]}).understanding.models == ("new", name)
    other = write(tmp_path / "o.csv", ("item", "new", "old", name), [(*row[:3], i % 2) for i, row in enumerate(rows)])
    assert fw.judge(other).understanding.models == ("new", "old", name), "called so, and a model all the same"


def in_columns(marks):
    return [(f"q{i}", row[0], row[1]) for i, row in enumerate(marks)]


def test_columns_that_describe_items_are_no_models(run, reader, tmp_path):
    """The difficulty of an item was the best of three models."""
    rows = [(*row[:1], 1 + i % 9, *row[1:]) for i, row in enumerate(in_columns(MARKS))]
    file = write(tmp_path / "t.csv", ("item", "difficulty", "new", "old"), rows)
    said = refusal(run, "judge", file)
    assert "'new' and 'old' hold 0 and 1, and 'difficulty' numbers from 1 to 9" in said
    with pytest.raises(InvalidInput, match="models of one table must be measured alike"):
        fw.judge(file)
    page = reader.post("/judge", file=(file.name, file.read_text()), step="answer")
    assert "measured alike" in page.alert
    named = ["--column", "model=new", "--column", "model=old"]
    assert found(run, "judge", file, *named)["understood"]["models"] == ["new", "old"]


def test_two_metrics_of_each_model_are_not_four_models(run, tmp_path):
    rows = [(key, a, b, 1.5 + a, 2.5 + b) for key, a, b in in_columns(MARKS)]
    for header in (
        ("gpt_score", "opus_score", "gpt_latency", "opus_latency"),
        ("acc gpt", "acc opus", "cost gpt", "cost opus"),
    ):
        file = write(tmp_path / "t.csv", ("item", *header), rows)
        assert "2 models by 2 metrics" in refusal(run, "judge", file)
    sizes = ("resnet_small", "vit_small", "resnet_large", "vit_large")
    file = write(tmp_path / "s.csv", ("item", *sizes), [(key, a, b, b, a) for key, a, b in in_columns(MARKS)])
    assert tuple(found(run, "judge", file)["understood"]["models"]) == sizes


@pytest.mark.parametrize(
    ("truth", "output"), [("expected", "predicted"), ("gold", "prediction"), ("label", "response")]
)
def test_outputs_in_a_long_table_are_compared_with_the_truth(run, tmp_path, truth, output):
    """A truth in numbers was a metric, by which all models were equal; then such tables were refused."""
    rows = [(f"q{i}", model, i % 4, (i * k) % 4) for i in range(30) for k, model in enumerate("ab", 1)]
    file = write(tmp_path / "t.csv", ("item", "model", truth, output), rows)
    understood = found(run, "judge", file)
    assert understood["understood"]["measures"] == {"": "accuracy"}
    assert understood["verdicts"][""]["pairs"][0]["means"] == pytest.approx([1.0, 8 / 30])
    scored = write(tmp_path / "s.csv", ("item", "model", truth, "correct"), [(*row[:3], row[3] % 2) for row in rows])
    answer = found(run, "judge", scored)["understood"]
    assert answer["measures"] == {"": "correct"}
    assert answer["other_metrics"] == []


WORDS = {"True": "False", "pass": "FAIL", "right": "wrong", "1": "0"}


@pytest.mark.parametrize("yes", WORDS)
@pytest.mark.parametrize("form", ["wide", "long"])
def test_words_for_right_and_wrong_are_marks(run, reader, tmp_path, yes, form):
    """As pandas writes booleans: such columns held no numbers, so that there were no models."""
    rows = [(key, *(yes if mark else WORDS[yes] for mark in row)) for key, *row in in_columns(MARKS)]
    header = ("id", "new", "old")
    if form == "long":
        header = ("id", "model", "correct")
        rows = [(key, name, mark) for key, *row in rows for name, mark in zip(("new", "old"), row, strict=True)]
    file = write(tmp_path / "t.csv", header, rows)
    expected = fw.judge(write(tmp_path / "n.csv", ("id", "new", "old"), in_columns(MARKS))).main
    answer = found(run, "judge", file)["verdicts"][""]
    assert (answer["pvalue"], answer["unit"]) == (expected.pvalue, expected.to_dict()["unit"])
    assert fw.judge(file).main.better == expected.better
    assert reader.post("/judge", file=(file.name, file.read_text()), step="answer").verdict.startswith("new is better")


def test_booleans_of_frames_are_marks():
    pandas = pytest.importorskip("pandas", reason="the frame is one of pandas")
    frame = pandas.DataFrame(in_columns(MARKS), columns=["id", "new", "old"])
    expected = fw.judge(frame).main.pvalue
    given = {
        "bool": frame.astype({"new": bool, "old": bool}),
        "nullable": frame.astype({"new": "boolean", "old": "Int64"}),
        "index": frame.astype({"new": bool, "old": bool}).set_index("id"),
        "melted": frame.astype({"new": bool, "old": bool}).melt("id", var_name="model", value_name="correct"),
        "category": frame.replace({"new": {1: "pass", 0: "fail"}, "old": {1: "pass", 0: "fail"}}).astype("category"),
    }
    assert {name: fw.judge(one).main.pvalue for name, one in given.items()} == dict.fromkeys(given, expected)


def test_a_remark_in_words_beside_marks_is_no_model(tmp_path):
    rows = [(key, a + i % 3, b + i % 2, "pass") for i, (key, a, b) in enumerate(in_columns(MARKS))]
    file = write(tmp_path / "t.csv", ("id", "new", "old", "status"), rows)
    assert fw.judge(file).understanding.models == ("new", "old")


@pytest.mark.parametrize("given", [[{"id": 1, "a": 2}], ([1, 2], [3, 4]), 7])
def test_what_is_no_file_and_no_frame_is_one_sentence(given):
    with pytest.raises(InvalidInput, match="given must be files or folders, a data frame"):
        fw.judge(given)


def test_true_of_an_error_is_no_right_answer(run, tmp_path):
    """The column says what is true; only words such as pass and fail say by themselves which direction is better."""
    rows = [(key, name, "false" if mark else "true") for key, *row in in_columns(MARKS)
            for name, mark in zip(("new", "old"), row, strict=True)]  # fmt: skip
    answer = found(run, "judge", write(tmp_path / "t.csv", ("id", "model", "error"), rows))["verdicts"][""]
    assert (answer["better"], answer["higher_is_better"]) == ("new", False)
    wide = [(key, *("false" if mark else "true" for mark in row)) for key, *row in in_columns(MARKS)]
    answer = found(run, "judge", write(tmp_path / "w.csv", ("id", "new", "old"), wide))["verdicts"][""]
    assert any(one["what"] == "direction" and one["how"] == "assumed" for one in answer["reading"])
