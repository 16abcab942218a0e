"""All code of the documentation runs, and prints what the pages show."""

from __future__ import annotations

import re

import examples
import pytest

PAGES = {page.relative_to(examples.DOCS).with_suffix("").as_posix(): page for page in examples.pages()}


@pytest.mark.parametrize("name", PAGES)
def test_the_code_of_a_page_prints_what_the_page_shows(name, tmp_path):
    for piece, output in examples.run_page(PAGES[name], tmp_path):
        if piece.expected is not None:
            assert examples.matches(piece.expected, output.printed), f"{piece.code}\nprinted:\n{output.printed}"
        if piece.image is not None:
            kept = (PAGES[name].parent / piece.image).read_text(encoding="utf-8")
            assert examples.words(output.drawn(piece.image)) == examples.words(kept), piece.image


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


def test_every_picture_is_drawn_by_the_code_above_it():
    """One that lost its code would stay as it is for ever."""
    shown = {
        (page.parent / piece.image).resolve()
        for page in PAGES.values()
        for piece in examples.pieces(page)
        if piece.image is not None
    }
    assert shown == set((examples.DOCS / "pictures").glob("*.svg"))


def test_a_picture_is_written_beside_its_page_and_compared_by_its_words(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "```python\nimport foldwise as fw\n"
        "print(2)\nfw.plan('mcnemar', difference=0.3, discordance=0.4).plot()\n```\n\n"
        "```text\n2\n```\n\n![power](pictures/power.svg)\n"
    )
    examples.rewrite(page)
    (piece,) = examples.pieces(page)
    assert (piece.expected, piece.image) == ("2\n", "pictures/power.svg")
    kept = (tmp_path / "pictures" / "power.svg").read_text()
    assert "test examples" in examples.words(kept)
    assert examples.words(kept.replace(">test examples<", ">size<")) != examples.words(kept)


def test_an_image_below_code_that_draws_nothing_is_an_error(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 1\n```\n\n![x](x.svg)\n")
    with pytest.raises(ValueError, match=r"x\.svg stands below code whose last line is no figure"):
        examples.rewrite(page)


def test_outputs_are_written_into_a_page(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 2\nprint(x)\n```\n\n```text\nwrong\n```\n\n```python\nprint(3)\n```\n")
    examples.rewrite(page)
    assert page.read_text() == "```python\nx = 2\nprint(x)\n```\n\n```text\n2\n```\n\n```python\nprint(3)\n```\n"
