"""What a terminal shows: the words of the pipe, in colour, in lines that fit."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from report.samples import from_counts

import foldwise as fw
from foldwise.document import document_of
from foldwise.document.document import Document, DrawnInterval, Grid, Picture, Section, Snippet
from foldwise.inference import interval_survey
from foldwise.render.text import coloured, drawn, plain

EXAMPLES = Path(__file__).parents[2] / "examples"
CODE = re.compile(r"\x1b\[[0-9;]*m")
COLOUR = re.compile(r"\x1b\[[0-9;]*\b3[0-7]m")


@pytest.mark.parametrize("details", [False, True])
def test_a_terminal_says_what_a_pipe_says(scored, predicted, details):
    for result in (scored, predicted, fw.load("iris"), fw.plan("mcnemar", difference=0.1, discordance=0.2)):
        document = document_of(result)
        on_terminal = CODE.sub("", coloured(document, details=details))
        in_pipe = plain(document, details=details, door="command line")
        assert [line.rstrip() for line in on_terminal.split("\n")] == in_pipe.split("\n")


def test_the_brief_answer_has_headline_picture_facts_and_the_way_to_more(scored):
    text = str(scored)
    for part in ("No difference is shown: accuracy", "├", "●", "in practice", "detectable", ".details(): method"):
        assert part in text
    for part in ("Guarantee", "Why this test", "Assumptions", "Bouckaert, R. R."):
        assert part not in text
        assert part in scored.details()
    assert "repeat" in scored.details()


def test_every_line_fits_the_window(scored):
    document = document_of(scored)
    for width in (60, 80, 110, 300):
        lines = CODE.sub("", coloured(document, width=width)).split("\n")
        prose = [line for line in lines if "--details" not in line]
        assert max(map(len, prose)) <= min(width, 110)


def test_the_assumption_is_said_in_the_brief_answer():
    c = fw.compare_predictions(None, {"a": [1.0, 2.0, 3.0, 5.0], "b": [0.5, 1.0, 2.0, 4.1]}, metric="zeal")
    for text in (str(c), c.details(), c.to_markdown(), c._repr_html_(), c.to_html()):
        assert "Assumed: higher zeal is better" in text


def test_colour_says_how_it_ended(predicted):
    assert COLOUR.search(coloured(document_of(predicted)))


def test_tables_mark_the_row_to_use():
    out = plain(document_of(interval_survey(3, 50)))
    assert re.search(r"→ jeffreys +1\.7 % +15\.2 % +use this one", out)


@pytest.mark.parametrize("name", ["[red]x[/red]", "[/]", "\x1b[31mred\x07", "a\nb"])
def test_names_are_neither_markup_nor_control_sequences(name):
    c = from_counts(names=(name, "b"))
    out = coloured(document_of(c), details=True)
    assert "\x1b[31m" not in out
    assert "\x07" not in out
    if name.isprintable():
        assert name in out


def test_long_tables_and_snippets():
    rows = tuple((str(i), "x") for i in range(100))
    blocks = (Grid(columns=("a", "b"), rows=rows, words=("b",)), Snippet(label="", text="as it is"))
    document = Document(title="t", blocks=blocks, details=(Section(heading="More", blocks=blocks),))
    assert "… and 70 more rows" in plain(document)
    assert "… and 40 more rows" in plain(document, details=True)
    assert "as it is" in plain(document)


ROWS = ((4.5, 2.3, 6.6), (-0.5, -2.0, 1.0), (0.0, 0.0, 0.0), (1e-9, -1e9, 1e9), (3.0, None, None),
        (0.2, -float("inf"), 1.0))  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("region", [0.0, 0.01, 1.0, 1e6])
def test_a_picture_has_its_estimate_between_its_limits(row, region):
    estimate, low, high = row
    picture = Picture(rows=(DrawnInterval(estimate=estimate, low=low, high=high),), left="b", right="a", region=region)
    for width in (30, 108):
        line = drawn(picture, width=width)[0]
        assert line.count("●") == 1
        place = line.index("●")
        if low is not None and estimate not in (low, high):
            assert max(line.find("├"), line.find("←")) <= place
            assert "┤" not in line[:place]
        assert all(len(each) <= width + 4 for each in drawn(picture, width=width))


def test_several_intervals_are_below_each_other_on_one_scale():
    rows = (
        DrawnInterval(estimate=-1.0, low=-2.0, high=0.0, label="x"),
        DrawnInterval(estimate=-3.0, low=-4.0, high=-2.0, label="longer"),
    )
    first, second, *_, sides = drawn(Picture(rows=rows, left="worse than y", right="better than y", region=0.5))
    assert first.index("├") == second.index("┤")
    assert sides.strip() == "← worse than y   better than y →"


def on_a_terminal(*args, **environment):
    """What a command prints when its output is a terminal."""
    ours, theirs = pty.openpty()
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    env |= {"TERM": "xterm-256color", "COLUMNS": "100"} | environment
    done = subprocess.Popen([sys.executable, "-m", "foldwise", *map(str, args)], stdout=theirs, env=env)
    os.close(theirs)
    chunks = []
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # Linux ends a closed terminal with an error
            break
        if not chunk:
            break
        chunks.append(chunk)
    os.close(ours)
    assert done.wait() == 0
    return b"".join(chunks).decode()


def test_terminals_get_colour_unless_the_user_wants_none():
    args = ["predictions", EXAMPLES / "predictions.csv"]
    shown = on_a_terminal(*args)
    assert COLOUR.search(shown)
    plain_text = on_a_terminal(*args, NO_COLOR="1")
    assert not CODE.search(plain_text)
    assert "No difference is shown: " in plain_text
    assert "--details: method" in plain_text
