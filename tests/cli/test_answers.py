"""``--json``, ``--markdown`` and ``--html``, which may be given together, and name a file or print."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foldwise.cli.main import COMMANDS

FILE = Path(__file__).parents[2] / "examples" / "predictions.csv"


def test_all_forms_are_written_in_one_run_beside_the_text(run, tmp_path, without_pictures):
    names = {"--json": "a.json", "--markdown": "a.md", "--html": "a.html"}
    code, out, err = run("predictions", FILE, *(word for at in names.items() for word in (at[0], tmp_path / at[1])))
    assert (code, err) == (0, "")
    assert "No difference is shown" in out
    printed = run("predictions", FILE, "--json")[1]
    assert json.loads((tmp_path / "a.json").read_text())["pairs"] == json.loads(printed)["pairs"]
    assert (tmp_path / "a.md").read_text() == run("predictions", FILE, "--markdown")[1]
    assert "<html" in (tmp_path / "a.html").read_text()


@pytest.mark.parametrize("words", [
    ("--json", "{file}"), ("{file}", "--json"), ("{file}", "--json", "-"), ("--json=-", "{file}"),
], ids=" ".join)  # fmt: skip
def test_a_word_before_the_input_is_the_input(run, words):
    assert json.loads(run("predictions", *(word.format(file=FILE) for word in words))[1])["result"] == "comparison"


def test_of_any_number_of_inputs_a_file_is_named_by_its_ending_or_with_an_equals_sign(run, tmp_path):
    out = tmp_path / "out.json"
    assert run("rates", "3/50", "--json", "7/60")[0] == 0
    assert json.loads(run("rates", "3/50", "--json", "7/60")[1])["result"]
    assert "3/50" not in run("rates", "3/50", "7/60", "--json", out)[1][:1]
    assert json.loads(out.read_text()) == json.loads(run("rates", "3/50", "7/60", "--json")[1])
    assert run("rates", "3/50", "7/60", f"--json={tmp_path / 'plain'}")[0] == 0
    assert (tmp_path / "plain").read_text() == out.read_text()


@pytest.mark.parametrize(("words", "message"), [
    (["--json", "--markdown"], "only one can be printed"),
    (["--json=/no/such/folder/a.json"], "the folder '/no/such/folder' of 'a.json' does not exist"),
    ([f"--json={FILE}"], "must not be a file that FILE names"),
    (["--json={0}/x", "--markdown={0}/x"], "--markdown must not be a file that --json names"),
])  # fmt: skip
def test_what_can_not_be_written_is_refused_before_anything_is(run, tmp_path, words, message):
    before = FILE.read_bytes()
    code, out, err = run("predictions", FILE, *(word.format(tmp_path) for word in words))
    assert (code, out) == (2, "")
    assert message in err
    assert (FILE.read_bytes(), list(tmp_path.iterdir())) == (before, [])


def test_every_command_that_answers_takes_them(run):
    for name in COMMANDS:
        if name not in ("serve", "data", "store", "lab"):  # a page; groups of commands
            told = run(name, "--help")[1]
            assert [option in told for option in ("--json", "--markdown", "--html", "--details")] == [True] * 4, name


def test_a_file_that_may_be_an_input_is_never_overwritten(run, tmp_path):
    held = tmp_path / "b.json"
    held.write_text("[]")
    code, _, err = run("judge", tmp_path / "a.json", "--json", held)
    assert (code, held.read_text()) == (2, "[]")
    assert f"--json would overwrite '{held}': write --json={held}" in err
