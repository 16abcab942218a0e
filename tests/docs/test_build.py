"""The documentation builds without a warning, and its reference is complete."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from inspect import ismodule
from pathlib import Path

import pytest

from foldwise.cli.main import COMMANDS
from foldwise.inference.measured import behaviour

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SPHINX = "import gc, sys; gc.disable(); from sphinx.cmd.build import main; sys.exit(main(sys.argv[1:]))"
"""What ``python -m sphinx`` does, in three quarters of the time: its many small objects live to the end anyway."""


def test_the_documentation_builds_without_a_warning(tmp_path):
    """One test, because every process of a parallel run would build anew for each of several."""
    for package in ("sphinx", "furo", "myst_parser"):
        pytest.importorskip(package, reason="needs pip install 'foldwise[docs]'")
    # entries of every name in the side bar, and typographic quotation marks, take a fifth of the time
    spared = ["-D", "toc_object_entries=0", "-D", "smartquotes=0"]
    command = [
        sys.executable,
        "-c",
        SPHINX,
        "-q",
        "-W",
        "--keep-going",
        *spared,
        "-b",
        "html",
        str(DOCS),
        str(tmp_path),
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    assert done.returncode == 0, done.stderr
    pages = {
        page.relative_to(tmp_path).as_posix(): page.read_text(encoding="utf-8") for page in tmp_path.rglob("*.html")
    }
    check_that_measured_values_come_from_the_stored_table(pages)
    check_that_the_reproduction_has_its_figures(pages)
    check_that_no_page_needs_a_network(pages)
    check_that_the_reference_has_every_public_name(pages)
    check_that_the_search_works_from_a_file(tmp_path, pages["search.html"])


def check_that_the_search_works_from_a_file(site, page):
    """The index is a script beside the page, which needs no server."""
    scripts = [re.sub(r"\?.*", "", name) for name in re.findall(r'<script[^>]+src="([^"]+)"', page)]
    assert "searchindex.js" in scripts
    assert all((site / name).is_file() for name in scripts)
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert index.startswith("Search.setIndex(")
    assert "mcnemar" in index
    chromium = shutil.which("chromium")
    if chromium is None:
        return
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    asked = f"{(site / 'search.html').as_uri()}?q=McNemar"
    done = subprocess.run(
        [chromium, *options, "--virtual-time-budget=20000", "--dump-dom", asked],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert 'href="explanation/mcnemar.html"' in done.stdout


def check_that_measured_values_come_from_the_stored_table(pages):
    for one in behaviour("corrected_repeated_cv_t"):
        shown = f"{one.type1.rate:.3f} ({one.type1.low:.3f}–{one.type1.high:.3f})"
        assert shown in pages["explanation/corrected_repeated_cv.html"]


def check_that_the_reproduction_has_its_figures(pages):
    assert "ours beside theirs" in pages["reproduction.html"]
    assert len(set(re.findall(r"_images/[\w.-]+\.svg", pages["reproduction.html"]))) > 10


def check_that_no_page_needs_a_network(pages):
    for name, text in pages.items():
        assert not re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="https?:', text), name
    assert "<math" in pages["explanation/five_by_two.html"]


def check_that_the_reference_has_every_public_name(pages):
    from foldwise_docs import names_of  # which needs Sphinx

    text = "".join(text for name, text in pages.items() if name.startswith("reference/"))
    shown = {name.rpartition(".")[2] for name in re.findall(r'<dt class="sig[^>]+id="([\w.]+)"', text)}
    for room in rooms_of_the_reference():
        module = import_module(room)
        public = {n for n in names_of(module) if n != "__version__" and not ismodule(getattr(module, n))}
        assert public <= shown, room


def rooms_of_the_reference():
    pages = [page.read_text(encoding="utf-8") for page in (DOCS / "reference").glob("*.rst")]
    return {re.search(r"^\.\. public:: (\S+)", text, re.MULTILINE)[1] for text in pages}


def test_the_reference_has_every_room_that_users_import_from():
    rooms = {"inference", "lab", "learners", "resampling", "data", "engine", "comparison"}
    assert {f"foldwise.{room}" for room in rooms} <= rooms_of_the_reference()


def test_every_command_has_its_options_on_a_page():
    text = (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")
    shown = {name.split()[0] for name in re.findall(r"\{command-help\} (.+)", text)}
    assert shown == set(COMMANDS)
