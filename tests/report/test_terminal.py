from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from report.samples import from_counts
from rich.console import Console

from foldwise.inference import interval_survey
from foldwise.report.page import Grid, Page, Section, Snippet
from foldwise.report.pages import page_of
from foldwise.report.terminal import print_page

EXAMPLES = Path(__file__).parents[2] / "examples"
COLOUR = re.compile(r"\x1b\[[0-9;]*\b3[0-7]m")


def printed(page, **options):
    file = io.StringIO()
    print_page(page, Console(file=file, width=100, highlight=False, **options))
    return file.getvalue()


def test_the_verdict_has_the_words_of_the_plain_text(scored):
    out = " ".join(printed(page_of(scored, plots=False)).split())
    plain = " ".join(str(scored).split())
    patterns = r"No difference is shown\..*?6\.1\.", r"Read this as: .*?models\.", r"Why this test: .*?PAKDD\)\."
    for pattern in patterns:
        assert re.search(pattern, plain).group() in out
    assert "repeat: foldwise compare nb c45 --data vehicle --seed 7" in out


def test_colour_says_how_it_ended(predicted):
    assert COLOUR.search(printed(page_of(predicted, plots=False), force_terminal=True, color_system="standard"))


def test_tables_mark_the_row_to_use():
    out = printed(page_of(interval_survey(3, 50), plots=False))
    assert re.search(r"jeffreys +1\.7 % +15\.2 % +use this one", out)


@pytest.mark.parametrize("name", ["[red]x[/red]", "[/]", "\x1b[31mred\x07", "a\nb"])
def test_names_are_neither_markup_nor_control_sequences(name):
    c = from_counts(names=(name, "b"))
    out = printed(page_of(c, plots=False), force_terminal=True, color_system=None)
    assert "\x1b[31m" not in out
    assert "\x07" not in out
    if name.isprintable():
        assert name in out


def test_long_tables_and_snippets():
    rows = tuple((str(i), "x") for i in range(100))
    blocks = (Grid(columns=("a", "b"), rows=rows, words=("b",)), Snippet(label="", text="as it is"))
    out = printed(Page(title="t", subtitle="", headline="", sections=(Section(blocks=blocks, brief=True),)))
    assert "… and 40 more rows" in out
    assert "as it is" in out


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
    assert COLOUR.search(on_a_terminal(*args))
    plain = on_a_terminal(*args, NO_COLOR="1")
    assert not COLOUR.search(plain)
    assert "No difference is shown." in plain
