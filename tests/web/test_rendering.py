from __future__ import annotations

import hashlib
import json

import pytest

from foldwise.web.door_pages import example_text
from foldwise.web.rendering import STATIC, sentence
from foldwise.web.uploads import plain_name


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("the text is empty", "The text is empty."),
        ("which one?", "Which one?"),
        ("two\n  lines", "Two lines."),
        ("", ""),
        ("x" * 1000, "X" + "x" * 398 + "…"),
    ],
)
def test_a_message_as_a_sentence(message, shown):
    assert sentence(message) == shown


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("scores.csv", "scores.csv"),
        ("/etc/passwd", "passwd"),
        ("C:\\data\\my scores.csv", "my scores.csv"),
        ("--help", "help"),
        ("größe (2).csv", "größe (2).csv"),
        ('a"b\n;$(x).csv', "a_b___(x).csv"),
        ("..", ""),
        ("x" * 200, "x" * 80),
    ],
)
def test_the_name_of_a_file_is_harmless(given, kept):
    assert plain_name(given) == kept


@pytest.mark.parametrize("door", ["predictions", "scores", "table"])
def test_the_examples_are_there(door):
    assert example_text(f"{door}.csv").count("\n") > 10


def test_what_is_carried_of_others_is_what_was_recorded():
    carried = json.loads((STATIC / "vendored.json").read_text(encoding="utf-8"))
    assert set(carried) == {path.name for path in STATIC.glob("*.min.*")}
    for name, known in carried.items():
        content = (STATIC / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == known["sha256"]
        assert f'version:"{known["version"]}"'.encode() in content


def test_htmx_comes_with_its_licence():
    assert (STATIC / "htmx.min.js").read_text(encoding="utf-8").startswith("var htmx=")
    assert "Zero-Clause BSD" in (STATIC / "htmx.LICENSE.txt").read_text(encoding="utf-8")
