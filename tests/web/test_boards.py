"""The page's doors for leaderboards and for cost and quality say what the commands say, and name the command."""

from __future__ import annotations

import json

import pytest
from web.test_roles import packed

import foldwise as fw
from foldwise.core.result import Result
from foldwise.web.door_pages import example_text

BOARD = example_text("board.csv")


def brought(reader, door, text=BOARD, name="board.csv", **fields):
    page = reader.post(f"/{door}", dropped=[(name, text)], step="answer")
    return reader.post(f"/{door}", files=packed(page), step="answer", **fields) if fields else page


def report(reader, door, page, **fields):
    return reader.post(f"/{door}/report.json", files=packed(page), **fields).text


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("boards") / "board.csv"
    path.write_text(BOARD)
    return path


def test_the_board_is_that_of_the_command(reader, file):
    page = brought(reader, "leaderboard")
    assert page.alert is None
    assert page.command == "foldwise leaderboard board.csv"
    assert "3 of 6 models share the first place" in page.text
    asked = {"new": "tuned", "adjust": "max_t", "slice": "difficulty"}
    page = brought(reader, "leaderboard", **asked)
    assert page.command == "foldwise leaderboard board.csv --slice=difficulty --new=tuned --adjust=max_t"
    found = Result.from_dict(json.loads(report(reader, "leaderboard", page, **asked)))
    board = fw.leaderboard(file, new="tuned", options=fw.Options(adjust="max_t"), slices="difficulty")
    assert found.places == board.places
    assert found.entry == board.entry
    assert "tuned enters at" in page.text


def test_what_is_asked_of_two_models_is_not_asked_of_a_board(reader):
    page = brought(reader, "leaderboard")
    for name in ("candidate", "baseline", "margin", "rope", "test"):
        assert f'name="{name}"' not in page.text
    for name in ("new", "adjust", "slice", "missing", "alpha"):
        assert f'name="{name}"' in page.text


def test_votes_make_a_board_on_the_page(reader):
    votes = "model_a,model_b,winner\n" + "x,y,model_a\ny,z,model_a\nx,z,model_a\nz,x,model_a\n" * 12 + "y,x,y\n" * 6
    page = brought(reader, "leaderboard", votes, "votes.csv")
    assert page.alert is None
    assert "Leaderboard: 3 models on votes.csv" in page.text


def test_the_frontier_is_that_of_the_command(reader, file):
    page = brought(reader, "frontier")
    assert page.alert is None
    assert page.chosen("cost") == "cost"
    asked = {"margin": "8pt", "metric": "correct"}
    page = brought(reader, "frontier", **asked)
    assert page.command == "foldwise frontier board.csv --cost=cost --metric=correct --margin=8pt" or page.command == (
        "foldwise frontier board.csv --metric=correct --margin=8pt"
    )
    found = Result.from_dict(json.loads(report(reader, "frontier", page, **asked)))
    same = fw.frontier(file, metric="correct", margin="8pt")
    assert (str(found), found.choice) == (str(same), same.choice)
    assert same.headline in page.text


def test_bad_questions_get_a_sentence_on_the_page(reader):
    without = "\n".join(line.rpartition(",")[0].rpartition(",")[0] for line in BOARD.splitlines())
    page = brought(reader, "frontier", without)
    assert "No metric is called like a cost" in page.alert
    assert "--" not in page.alert
    page = brought(reader, "leaderboard", new="nobody")
    assert "nobody" in page.alert
    assert "There is nothing to look at" in reader.post("/leaderboard", step="look").alert


@pytest.mark.parametrize("door", ["leaderboard", "frontier"])
def test_the_example_answers(reader, door):
    page = reader.get(f"/{door}?example=1")
    assert page.alert is None
    page = reader.post(f"/{door}", files=packed(page), step="answer")
    assert f"foldwise {door} board.csv" in page.text
