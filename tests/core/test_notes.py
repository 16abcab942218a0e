"""Codes of notes and decisions: each is found where it is said, and says what to do."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import foldwise as fw
from foldwise.core.decisions import code_of, decision_code, explanations
from foldwise.core.roles import ROLES

ROOT = Path(__file__).parents[2]
JOINED = re.compile(r'"\s*\n\s*f?"')
COMPARED = re.compile(
    r"^\$ foldwise (?:compare|judge|gate|predictions|scores|table|votes)\b(.*?)(?=^\$ |^```)", re.M | re.S
)
BETWEEN = re.compile(r"\{[^{}\n]*\}")


@cache
def source():
    """All strings of the source, those over several lines as one, without what is put in."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src" / "foldwise").rglob("*.py"))
    return BETWEEN.sub("{}", JOINED.sub("", text)).lower()


WORDS = [(code, words) for code, one in explanations().items() for words in one.words]


@pytest.mark.parametrize(("code", "words"), WORDS)
def test_what_a_note_is_known_by_stands_in_the_source(code, words):
    assert words.removeprefix("^").lower() in source(), f"no note says {words!r}: change core/notes.toml ({code})"


def test_every_code_says_what_it_means_when_it_matters_and_what_to_do():
    for code, one in explanations().items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code)
        assert one.words or one.decision
        assert all(text.endswith(".") for text in (one.means, one.matters, one.do))


def test_every_decision_has_a_code():
    made = set(re.findall(r'Decision\(\s*what="([^"]+)"', source())) | set(ROLES)
    without = sorted(what for what in made if decision_code(what) is None)
    assert not without, f"core/notes.toml must explain decisions about {', '.join(without)}"


def test_every_note_of_the_pages_has_a_code():
    """The pages show what real commands print, which is how notes are met."""
    found = []
    for page in (ROOT / "docs").rglob("*.md"):
        for said in COMPARED.findall(page.read_text(encoding="utf-8")):
            found += [" ".join(note.split()) for note in re.findall(r"^  Note: (.+(?:\n {8}\S.*)*)", said, re.M)]
    assert len(found) > 5
    without = [note for note in found if code_of(note) is None]
    assert not without, f"core/notes.toml must explain: {without}"


rng = np.random.default_rng(0)
BITS = rng.integers(0, 2, (2, 200))
NAMED = dict(zip("ab", BITS, strict=True))

NOTES = {
    "few-clusters": lambda: fw.compare_predictions(None, NAMED, groups=np.arange(200) % 6),
    "same-everywhere": lambda: fw.compare_predictions(None, {"a": BITS[0], "b": BITS[0]}),
    "folds-assumed": lambda: fw.compare_scores({"a": [0.8, 0.7, 0.9], "b": [0.7, 0.7, 0.8]}, metric="accuracy"),
    "direction-against-name": lambda: fw.compare_scores(
        {"a": [[0.8, 0.7, 0.9]], "b": [[0.7, 0.7, 0.8]]}, metric="accuracy", higher_is_better=False
    ),
    "unseen-labels": lambda: fw.compare_predictions(["x", "y"] * 20, {"a": ["x"] * 40, "b": ["y"] * 39 + ["Z"]}),
    "serial-order": lambda: fw.compare_predictions(
        None, {"a": np.repeat(rng.integers(0, 2, 40), 10), "b": rng.integers(0, 2, 400)}
    ),
    "scope": lambda: fw.compare_predictions(None, NAMED),
}


@pytest.mark.parametrize("code", NOTES)
def test_a_note_has_its_code_in_json_and_in_the_details(code):
    result = NOTES[code]()
    told = result.to_dict()
    assert len(told["note_codes"]) == len(told["notes"])
    assert code in told["note_codes"]
    assert code == "scope" or f"\n  {code} " in result.details()


def test_decisions_have_theirs():
    told = fw.compare_predictions(None, NAMED).to_dict()["reading"]
    assert {one["what"]: one["code"] for one in told}["direction"] == "direction"
    assert all(one["code"] for one in told)


def test_a_sentence_of_somebody_else_has_none():
    assert code_of("the weather was fine") is None
    assert decision_code("weather") is None
