"""Labels that may be numbers, labels that may be exchanged, keys that are written apart: never read in silence."""

from __future__ import annotations

import json
import random

import pytest
from doors.test_roles import found, refusal, run, write

import foldwise as fw
from foldwise.core.errors import InvalidInput

__all__ = ["run"]


def ages(seed=0, n=200):
    draw = random.Random(seed)
    true = [draw.randint(18, 80) for _ in range(n)]
    return true, [t + draw.randint(-6, 6) for t in true], [t + draw.randint(-9, 9) for t in true]


def answers(seed=0, n=300, shares=(0.9, 0.75), among=1000):
    draw = random.Random(seed)
    true = [draw.randrange(among) for _ in range(n)]
    return true, *([t if draw.random() < share else draw.randrange(among) for t in true] for share in shares)


def test_ages_are_no_labels_unless_somebody_says_so(run, reader, tmp_path):
    true, a, b = ages()
    file = write(tmp_path / "ages.csv", ("truth", "a", "b"), zip(true, a, b, strict=True))
    said = refusal(run, "predictions", file)
    assert "different numbers" in said
    assert "--metric rmse" in said
    assert "--metric accuracy" in said
    page = reader.post("/predictions", text=file.read_text(), filename="ages.csv", step="answer")
    assert "different numbers" in page.alert
    with pytest.raises(InvalidInput, match="metric='rmse'"):
        fw.compare_predictions(true, {"a": a, "b": b})
    assert found(run, "predictions", file, "--metric", "rmse")["better"] == "a"
    assert found(run, "predictions", file, "--metric", "accuracy")["metric"] == "accuracy"
    assert fw.compare_predictions(true, {"a": a, "b": b}, metric="accuracy").metrics == ("accuracy",)
    with pytest.raises(InvalidInput, match="must hold the predicted labels"):
        fw.judge(file)


def test_answers_that_are_numbers_are_labels_and_the_answer_says_so(run, reader, tmp_path):
    true, a, b = answers()
    file = write(tmp_path / "t.csv", ("truth", "a", "b"), zip(true, a, b, strict=True))
    told = found(run, "predictions", file)
    assert told["better"] == "a"
    (one,) = [one for one in told["reading"] if one["what"] == "labels"]
    assert one["how"] == "assumed"
    page = reader.post("/predictions", text=file.read_text(), filename="t.csv", step="answer")
    assert "numbers are labels" in page.text
    assert "numbers are labels" in str(fw.compare_predictions(true, {"a": a, "b": b}))
    assert "numbers are labels" not in str(fw.compare_predictions(true, {"a": a, "b": b}, metric="accuracy"))


@pytest.mark.parametrize("among", [10, 1000])
def test_classes_that_are_numbers_need_no_word(among):
    true, a, b = answers(among=among)
    if among == 1000:  # every number that is predicted is one of the truth
        a, b = ([p if p in set(true) else true[0] for p in column] for column in (a, b))
    assert not [one for one in fw.compare_predictions(true, {"a": a, "b": b}).reading if one.what == "labels"]


@pytest.mark.parametrize("door", ["predictions", "judge"])
def test_exchanged_labels_are_named(run, reader, tmp_path, door):
    draw = random.Random(3)
    true = [draw.choice(("yes", "no")) for _ in range(100)]
    other = {"yes": "no", "no": "yes"}
    good = [t if draw.random() < 0.9 else other[t] for t in true]
    mirrored = [other[t] if draw.random() < 0.92 else t for t in true]
    file = write(tmp_path / "t.csv", ("truth", "good", "mirrored"), zip(true, good, mirrored, strict=True))
    said = json.dumps(found(run, door, file))
    assert "two labels may be exchanged" in said
    assert said.count("may be exchanged") == 1, "nothing is said of the other model"
    page = reader.post("/judge", dropped=[("t.csv", file.read_text())], step="answer")
    assert "two labels may be exchanged" in page.text
    assert "may be exchanged" in str(fw.compare_predictions(true, {"good": good, "mirrored": mirrored}))


def test_a_bad_model_is_not_called_mirrored():
    """Few items, a majority class that one never says, and classes by chance are no mirror image."""
    draw = random.Random(4)
    few = ["x", "y"] * 4
    always = ["y"] * 97 + ["x"] * 3
    chance = [draw.choice("xy") for _ in range(200)]
    for true, said in (
        (few, ["y", "x"] * 4),
        (always, ["x"] * 100),
        (chance, [draw.choice("xy") for _ in range(200)]),
    ):
        assert "exchanged" not in str(fw.compare_predictions(true, {"a": said, "b": true}))


@pytest.mark.parametrize(("first", "second"), [("Q{}", "q{}"), ("{}", "{}.0"), ("item {}", "item  {}")])
def test_keys_that_are_written_apart_are_named(run, reader, tmp_path, first, second):
    files = [
        write(tmp_path / f"{name}.csv", ("id", "correct"), [(form.format(i), int(i % k > 0)) for i in range(40)])
        for name, form, k in (("new", first, 5), ("old", second, 3))
    ]
    said = refusal(run, "judge", *files)
    assert f"{first.format(0)!r} for new and {second.format(0)!r} for old" in said
    with pytest.raises(InvalidInput, match="write keys alike"):
        fw.judge(files)
    page = reader.post("/judge", dropped=[(file.name, file.read_text()) for file in files], step="answer")
    assert "write keys alike" in page.alert


def test_a_row_without_the_key_is_named(run, reader, tmp_path):
    whole = "".join(json.dumps({"id": f"q{i}", "correct": i % 3}) + "\n" for i in range(20))
    texts = {"new": whole, "old": whole.replace('"id": "q3", ', "")}
    files = []
    for name, text in texts.items():
        files.append(tmp_path / f"{name}.jsonl")
        files[-1].write_text(text)
    assert "old.jsonl, line 4 lacks the key 'id'" in refusal(run, "judge", *files)
    with pytest.raises(InvalidInput, match="line 4 lacks the key 'id'"):
        fw.judge(files)
    page = reader.post("/judge", dropped=[(file.name, file.read_text()) for file in files], step="answer")
    assert "lacks the key" in page.alert
