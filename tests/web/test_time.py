"""The order of time on the page: its field, and the command that it echoes."""

from __future__ import annotations

import re

DAYS = [f"2024-01-{day:02d}" for day in range(1, 31)]
LABELS = "date,truth,alpha,beta\n" + "".join(f"{day},x,x,{'xy'[i % 3 == 0]}\n" for i, day in enumerate(DAYS))
LOSSES = "date,alpha,beta\n" + "".join(f"{day},0.{i % 7},0.{i % 5}\n" for i, day in enumerate(DAYS))


def test_a_date_is_the_time_and_can_be_declined(reader):
    page = reader.post("/predictions", text=LABELS, step="look")
    assert page.roles() == {"date": "time", "truth": "truth", "alpha": "classifier", "beta": "classifier"}
    assert page.chosen("time") == ""
    assert "found: date" in page.text
    assert page.facts()["periods"].startswith("30 in order of time")
    page = reader.post("/predictions", text=LABELS, filename="x.csv", step="answer", time="date")
    assert "30 periods in order of time" in page.text
    assert page.command == "foldwise predictions x.csv"
    page = reader.post("/predictions", text=LABELS, filename="x.csv", step="answer", time="none")
    assert "periods in order of time" not in page.text
    assert page.command == "foldwise predictions x.csv --time=none"


def test_judge_takes_the_time_of_a_table(reader):
    page = reader.post("/judge", file=("loss.csv", LOSSES.encode()), step="answer")
    assert "30 periods in order of time" in page.text
    named = LOSSES.replace("date", "tag")
    asked = reader.post("/judge", file=("loss.csv", named.encode()), step="answer")
    assert "may be data sets, or test items" in asked.alert
    files = re.search(r'name="files" value="([^"]*)"', asked.text)[1]
    page = reader.post("/judge", files=files, step="answer", column_time="tag")
    assert "30 periods in order of time" in page.text
    assert page.command == "foldwise judge loss.csv --column=time=tag"
