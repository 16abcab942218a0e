"""On the page columns get their roles by drop-downs, which the command below the answer repeats."""

from __future__ import annotations

import random
import re

import pytest

DRAW = random.Random(4)
SHARES = {"new": 0.9, "old": 0.3}
LONG = "Case No,who,right\n" + "".join(
    f"q{i},{name},{int(DRAW.random() < share)}\n" for i in range(40) for name, share in SHARES.items()
)
HUMAN = "item,judge,human\n" + "".join(f"q{i},{int(i % 4 > 0)},{i % 2 if i % 5 == 0 else ''}\n" for i in range(60))
ONE_EACH = [
    (f"{name}.csv", "id,correct\n" + "".join(f"{i},{int(DRAW.random() < share)}\n" for i in range(40)))
    for name, share in SHARES.items()
]
ROWS = "model,iris,wine,glass,car\nnb,0.9,0.8,0.7,0.6\nrf,0.95,0.9,0.8,0.7\n"


def packed(page):
    return re.search(r'name="files" value="([^"]*)"', page.text)[1]


def test_columns_are_given_roles_by_drop_downs_that_the_command_repeats(reader):
    first = reader.post("/judge", file=("t.csv", LONG), step="answer")
    assert "“Column: model”" in first.alert, "the page speaks of its fields"
    assert "--column" not in first.alert
    said = {"column_item": "Case No", "column_model": "who", "column_score": "right"}
    answer = reader.post("/judge", files=packed(first), step="answer", **said)
    assert answer.verdict.startswith("new is better")
    assert answer.command == "foldwise judge t.csv --column=model=who '--column=item=Case No' --column=score=right"
    assert answer.chosen("column_item") == "Case No"


@pytest.mark.parametrize("name", ["prompt_id", "id", "question", "qid", "problem_id", "instance_id", "task_id"])
def test_items_are_known_by_the_names_of_their_columns(reader, name):
    page = reader.post(
        "/judge", file=("t.csv", LONG.replace("Case No,who,right", f"{name},model,score")), step="answer"
    )
    assert page.facts()["items"] == "40"
    assert page.verdict.startswith("new is better")


def test_two_files_with_one_model_each_are_compared(reader):
    page = reader.post("/judge", dropped=ONE_EACH, step="answer")
    assert page.facts()["models"] == "new, old"
    assert page.verdict.startswith("new is better")


def test_models_in_rows_are_a_choice(reader):
    page = reader.post("/judge", file=("t.csv", ROWS), step="answer")
    assert "has one row per model" in page.alert
    again = reader.post("/judge", files=packed(page), step="answer", rows="models")
    assert again.facts()["tasks"] == "iris, wine, glass, car"
    assert again.command == "foldwise judge t.csv --rows=models"


def test_people_are_no_model(reader):
    page = reader.post("/judge", file=("t.csv", HUMAN), step="answer")
    assert "looks like a judge checked by people" in page.alert
    door = reader.post("/predictions", file=("t.csv", HUMAN), step="answer")
    assert "looks like a judge checked by people" in door.alert
    assert "Column: human" in door.text


def test_the_door_of_predictions_repeats_the_columns_too(reader):
    text = "task,truth,nb,rf\n" + "".join(f"t{i % 2},x,{'xy'[i % 3 == 0]},{'xy'[i % 2]}\n" for i in range(40))
    page = reader.post("/predictions", file=("p.csv", text), step="answer")
    assert "has 2 tasks (column 'task')" in page.alert
    answer = reader.post("/predictions", text=text, filename="p.csv", step="answer", column_task="none")
    assert answer.command == "foldwise predictions p.csv --column=task=none"
