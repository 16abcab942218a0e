"""A table in any format goes through the commands and the page, which say the same of it."""

from __future__ import annotations

import json
import shlex

import pytest
from data.tables_to_write import PREDICTIONS, SCORES, TABLE, as_csv, written

from foldwise.data.formats import FORMATS

WHOLE = [row for row in TABLE if None not in row.values()]


@pytest.mark.parametrize("found", FORMATS, ids=lambda found: found.name)
@pytest.mark.parametrize(("door", "rows"), [("predictions", PREDICTIONS), ("scores", SCORES), ("table", WHOLE)])
def test_the_command_and_the_page_read_it_alike(run, reader, tmp_path, monkeypatch, found, door, rows):
    name = f"mine{found.suffixes[0]}"
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(written(found, rows), encoding="utf-8")
    (tmp_path / "plain.csv").write_text(as_csv(rows), encoding="utf-8")
    page = reader.post(f"/{door}/report.json", file=(name, written(found, rows)))
    assert page.status == 200, page.alert
    code, out, err = run(door, name, "--json")
    assert (code, err) == (0, "")
    told, plain = json.loads(out), json.loads(run(door, "plain.csv", "--json")[1])
    assert told | {"repeat": ""} == plain | {"repeat": ""} == json.loads(page.text) | {"repeat": ""}


@pytest.mark.parametrize("found", FORMATS, ids=lambda found: found.name)
def test_the_page_shows_the_command_that_reads_the_file(run, reader, tmp_path, monkeypatch, found):
    name = f"mine{found.suffixes[0]}"
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(written(found, PREDICTIONS), encoding="utf-8")
    page = reader.post("/predictions", file=(name, written(found, PREDICTIONS)), step="answer")
    assert (page.status, page.alert) == (200, None)
    assert page.command == f"foldwise predictions {name}"
    assert run(*shlex.split(page.command)[1:])[0] == 0


@pytest.mark.parametrize("found", FORMATS, ids=lambda found: found.name)
def test_the_page_offers_it(reader, found):
    text = reader.get("/predictions").text
    assert f"{found.name}" in text
    assert all(suffix in text for suffix in found.suffixes)
