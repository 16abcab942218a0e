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


@pytest.mark.parametrize("cell", ["timeout", "ERROR: rate limit", "inf", "failed"])
def test_a_model_that_failed_on_some_items_does_not_vanish(run, reader, write_form, cell):
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
    rest = {"columns": {"model": ["b", "c"]}} if file.name == "wide.csv" else {}
    if rest:
        assert fw.judge(file, **rest).understanding.models == ("b", "c")


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
