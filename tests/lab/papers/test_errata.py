"""Each erratum that is found by running a study is found by it; the code on the page is run with the other pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from foldwise.lab.studies import all_studies, find_studies

PAGE = (Path(__file__).parents[3] / "docs" / "errata.md").read_text(encoding="utf-8")
KEYS = list(dict.fromkeys(re.findall(r"`foldwise\s+reproduce\s+(\S+)`", PAGE)))
FAST = 1.0
"""Seconds that a study may take to be run here; the others are those of docs/reproduction.md."""


def test_every_command_on_the_page_names_a_study():
    assert len(KEYS) >= 9
    assert set(KEYS) <= {study.key for study in all_studies()}


@pytest.mark.parametrize("key", [key for key in KEYS if find_studies(key)[0].seconds[0] <= FAST])
def test_the_study_differs_from_the_print_and_says_why(key):
    differing = [row for row in find_studies(key)[0].run("quick").rows if row.verdict == "differs"]
    assert differing
    assert all(row.note and "unexplained" not in row.note for row in differing)
