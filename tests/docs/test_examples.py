"""All code of the documentation runs, and prints what the pages show."""

from __future__ import annotations

import re

import examples
import pytest

PAGES = {page.relative_to(examples.DOCS).with_suffix("").as_posix(): page for page in examples.pages()}


@pytest.mark.parametrize("name", PAGES)
def test_the_code_of_a_page_prints_what_the_page_shows(name, tmp_path):
    for piece, printed in examples.run_page(PAGES[name], tmp_path):
        if piece.expected is not None:
            assert examples.matches(piece.expected, printed), f"{piece.code}\nprinted:\n{printed}"


def test_the_pages_with_code_are_there():
    assert {"index", "tutorial", "howto/language_models", "howto/mlxtend_baycomp", "explanation/mcnemar"} <= set(PAGES)


def test_code_that_is_not_run_only_installs_and_starts_things():
    allowed = re.compile(r"(pip install|make|dask (scheduler|worker)|foldwise serve) ?")
    for page in examples.DOCS.rglob("*.md"):
        blocks = [f["body"] for f in examples.FENCE.finditer(page.read_text(encoding="utf-8")) if f["kind"] == "sh"]
        for line in filter(None, "".join(blocks).splitlines()):
            assert allowed.match(line), f"{page.name}: {line}"


@pytest.mark.parametrize(("expected", "printed", "same"), [
    ("a\nb\n", "a  \nb\n\n", True),
    ("a\n…\nd\n", "a\nb\nc\nd\n", True),
    ("a\n…\n", "a\n", True),
    ("…\nb\n", "a\nb\n", True),
    ("a\n…\nd\n", "a\nb\nc\n", False),
    ("a b\n", "a c\n", False),
])  # fmt: skip
def test_shown_and_printed_text_are_compared_line_by_line(expected, printed, same):
    assert examples.matches(expected, printed) is same


def test_a_failing_command_fails_the_page(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```console\n$ foldwise interval 5 3\n```\n")
    with pytest.raises(ValueError, match="failed"):
        list(examples.run_page(page, tmp_path / "run"))


def test_outputs_are_written_into_a_page(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 2\nprint(x)\n```\n\n```text\nwrong\n```\n\n```python\nprint(3)\n```\n")
    examples.rewrite(page)
    assert page.read_text() == "```python\nx = 2\nprint(x)\n```\n\n```text\n2\n```\n\n```python\nprint(3)\n```\n"
