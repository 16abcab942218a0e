"""What somebody hears who moves from heading to heading: one title, then parts, none of them skipped."""

from __future__ import annotations

import itertools
import re
from functools import cache

import pytest

from foldwise.web.door_pages import example_text

HEADING = re.compile(r"<h(\d)[^>]*>(.*?)</h\d>", re.DOTALL)
DATA = {name: {"text": example_text(f"{name}.csv")} for name in ("predictions", "scores", "table")}
DATA["interval"] = {"errors": "3", "n": "50"}
PAGES = ["/", *(f"/{door}{more}" for door in DATA for more in ("", "?example=1")), "/advise", "/plan", "/nothing"]


def outline(page):
    """The headings; the first is the page's title, and each is at most one level below the one before."""
    found = [(int(level), text) for level, text in HEADING.findall(page.text)]
    levels = [level for level, _ in found]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert all(text.strip() for _, text in found)
    return found


@pytest.mark.parametrize("address", PAGES)
def test_every_page_has_one_title_and_parts_in_order(visitor, address):
    assert outline(visitor.get(address))


@pytest.fixture(scope="module")
def answer(visitor):
    """The page with the answer at a door, asked for once."""
    return cache(lambda door: visitor.post(f"/{door}", step="answer", **DATA[door]))


@pytest.mark.parametrize("door", DATA)
def test_an_answer_is_a_part_of_the_page(answer, door):
    page = answer(door)
    assert page.verdict
    parts = outline(page)
    titles = [text for level, text in parts if level == 2]
    assert len(titles) == 3
    assert titles[0].startswith("Your data")
    assert titles[1] == "What was understood"
    assert parts[-1] == (3, "Repeat it")


@pytest.mark.parametrize("door", DATA)
def test_a_report_to_keep_has_a_title_of_its_own(visitor, answer, door):
    report = visitor.post(f"/{door}/report.html", **DATA[door])
    (level, title), *rest = outline(report)
    assert (2, title) in outline(answer(door))
    assert level == 1
    assert {level for level, _ in rest} == {2}


def test_a_problem_does_not_disturb_the_order(visitor):
    page = visitor.post("/predictions", step="answer", alpha="many", **DATA["predictions"])
    assert page.alert
    assert outline(page)
