"""The documentation builds without a warning, and its reference is complete."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from inspect import ismodule
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The built pages."""
    for package in ("sphinx", "furo", "myst_parser"):
        pytest.importorskip(package, reason="needs pip install 'foldwise[docs]'")
    out = tmp_path_factory.mktemp("docs")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", str(DOCS), str(out)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    assert done.returncode == 0, done.stderr
    return out


def test_the_pages_are_built(built):
    for page in ("index", "tutorial", "howto/language_models", "explanation/calibrated", "reference/inference_scores"):
        assert (built / f"{page}.html").stat().st_size > 5000


def test_measured_values_come_from_the_stored_table(built):
    from foldwise.planning.measured import behaviour

    text = (built / "explanation" / "corrected_repeated_cv.html").read_text(encoding="utf-8")
    for one in behaviour("corrected_repeated_cv_t"):
        assert f"{one.type1.rate:.3f} ({one.type1.low:.3f}–{one.type1.high:.3f})" in text


def test_the_reproduction_is_a_page_with_its_figures(built):
    text = (built / "reproduction.html").read_text(encoding="utf-8")
    assert "ours beside theirs" in text
    assert len(set(re.findall(r"_images/[\w.-]+\.svg", text))) > 10


def test_the_pages_need_no_network(built):
    for page in ("index", "explanation/five_by_two", "reference/inference_many"):
        text = (built / f"{page}.html").read_text(encoding="utf-8")
        assert not re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="https?:', text)
    assert "<math" in (built / "explanation" / "five_by_two.html").read_text(encoding="utf-8")


def rooms_of_the_reference():
    pages = [page.read_text(encoding="utf-8") for page in (DOCS / "reference").glob("*.rst")]
    return {re.search(r"^\.\. public:: (\S+)", text, re.MULTILINE)[1] for text in pages}


def test_the_reference_has_every_public_name(built):
    names = set()
    for page in (built / "reference").glob("*.html"):
        names |= set(re.findall(r'<dt class="sig[^>]+id="([\w.]+)"', page.read_text(encoding="utf-8")))
    shown = {name.rpartition(".")[2] for name in names}
    for room in rooms_of_the_reference():
        module = import_module(room)
        public = {n for n in module.__all__ if n != "__version__" and not ismodule(getattr(module, n))}
        assert public <= shown, room


def test_the_reference_has_every_room_that_users_import_from():
    rooms = {"inference", "lab", "learners", "resampling", "data", "engine", "estimation", "planning", "verdict"}
    assert {f"foldwise.{room}" for room in rooms} <= rooms_of_the_reference()


def test_every_command_has_its_options_on_a_page():
    from foldwise.cli.main import COMMANDS

    text = (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")
    shown = {name.split()[0] for name in re.findall(r"\{command-help\} (.+)", text)}
    assert shown == set(COMMANDS)
