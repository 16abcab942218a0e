"""The page says beside its answer what was assumed on the way to it, as the command does."""

from __future__ import annotations

WIDE = "item,nb,tree\n" + "".join(f"q{i},{10 + i % 3},{14 + i % 5}\n" for i in range(40))
GRADES = "item,nb,tree\n" + "".join(f"q{i},{1 + i % 4},{2 + i * 7 % 4}\n" for i in range(40))
ERRORS = "a,b\n" + "1,0\n" * 9 + "0,0\n" * 30


def test_an_assumed_direction_stands_beside_the_answer(reader):
    page = reader.post("/judge", file=("t.csv", WIDE), step="answer")
    assert page.verdict.startswith("tree is better")
    assert "Assumed: higher score is better" in page.text
    loss = reader.post("/judge", file=("rmse.csv", WIDE), step="answer")
    assert loss.verdict.startswith("nb is better")
    assert "Assumed" not in loss.text


def test_grades_are_no_percentages(reader):
    page = reader.post("/judge", file=("t.csv", GRADES), step="answer")
    assert page.verdict.startswith("tree is better")
    assert "2.5 %" not in page.text


def test_what_1_stands_for_is_said_and_can_be_turned(reader):
    page = reader.post("/predictions", text=ERRORS, filename="t.csv", truth="none", step="answer")
    assert page.verdict.startswith("a is better")
    assert "1 is right and 0 is wrong" in page.text
    turned = reader.post("/predictions", text=ERRORS, filename="t.csv", truth="none", direction="lower", step="answer")
    assert turned.verdict.startswith("b is better")
    assert "McNemar" in turned.text
