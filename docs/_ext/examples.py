"""Runs the code of the pages as a reader would: each page from top to bottom, in a folder with the example files.

A ``python`` block is executed in the page's namespace; a ``text`` block right below it shows what it prints, and an
image below it the figure that its last line is, as in a notebook. In a ``console`` block every line after ``$`` is a
foldwise command, followed by what it prints. Output that is not shown is not compared; a line with nothing but … stands
for any lines. A picture is compared by its words and numbers: where lines end is up to the version of Matplotlib.
``sh`` blocks are for installing things and are not run.

``python docs/_ext/examples.py [PAGE …]`` writes what the code prints into the pages, and what it draws beside them.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1]
EXAMPLES = DOCS.parent / "examples"
LOGS = DOCS.parent / "tests" / "reference" / "harnesses"
"""Logs that real harnesses wrote."""
RESULTS = tuple(DOCS.parent / "tests" / "reference" / name for name in ("experimenter", "searches", "trackers"))
"""Results that Weka's Experimenter, scikit-learn's searches, MLflow and Optuna wrote."""
FENCE = re.compile(r"^```(?P<kind>[a-z]+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
IMAGE = re.compile(r"\s*!\[[^\]]*\]\((?P<file>[^)]+\.svg)\)")
ELLIPSIS = "…"


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A piece of output on a page.

    Attributes
    ----------
    code
        What is to print it.
    expected
        What the page shows; None where it shows nothing.
    span
        Where that stands in the page's text.
    image
        The picture below the code, named from the page.
    """

    code: str
    expected: str | None
    span: tuple[int, int]
    image: str | None = None


@dataclass(frozen=True, kw_only=True)
class Output:
    """What a piece of code printed, and the figure that its last line is, if it is one."""

    printed: str
    figure: Any = None

    def drawn(self, image: str) -> str:
        """The figure as the text of a file."""
        from foldwise.render.plot import figure_file

        if self.figure is None:
            raise ValueError(f"{image} stands below code whose last line is no figure")
        return figure_file(self.figure, Path(image).stem)


def pages() -> list[Path]:
    """Every page with code in it."""
    found = sorted(page for page in DOCS.rglob("*.md") if "_build" not in page.parts)
    return [page for page in found if pieces(page)]


def pieces(page: Path) -> list[Shown]:
    """The code of a page."""
    return list(_pieces(page.read_text(encoding="utf-8")))


def run_page(page: Path, folder: Path) -> Iterator[tuple[Shown, Output]]:
    """Run a page's code in `folder`; yields each piece of code with what came of it."""
    found = pieces(page)
    shutil.copytree(EXAMPLES, folder / "examples")
    shutil.copytree(LOGS, folder / "logs")
    for results in RESULTS:
        shutil.copytree(results, folder / "results" / results.name)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    before = Path.cwd()
    os.chdir(folder)
    try:
        for piece in found:
            yield piece, (_command if piece.code.startswith("$ ") else _python)(piece.code, namespace)
    finally:
        os.chdir(before)


def matches(expected: str, printed: str) -> bool:
    """Whether the page shows what was printed; a line … stands for any lines."""
    parts = [re.escape(part) for part in re.split(rf"^[ ]*{ELLIPSIS}\n", _trimmed(expected), flags=re.MULTILINE)]
    return re.fullmatch("(?:.*\n)*?".join(parts), _trimmed(printed)) is not None


def words(picture: str) -> list[str]:
    """What is written in an SVG file."""
    return sorted(re.findall(r"<text[^>]*>([^<]*)</text>", picture))


def _trimmed(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.strip("\n").split("\n"))


def _pieces(text: str) -> Iterator[Shown]:
    fences = list(FENCE.finditer(text))
    for place, fence in enumerate(fences):
        if fence["kind"] == "python":
            after = fences[place + 1] if place + 1 < len(fences) else None
            below = after is not None and after["kind"] == "text" and not text[fence.end() : after.start()].strip()
            where = after.span("body") if below and after is not None else (0, 0)
            image = IMAGE.match(text, after.end() if below and after is not None else fence.end())
            yield Shown(
                code=fence["body"],
                expected=text[slice(*where)] if below else None,
                span=where,
                image=image["file"] if image else None,
            )
        elif fence["kind"] == "console":
            yield from _commands(fence["body"], fence.start("body"))


def _commands(body: str, offset: int) -> Iterator[Shown]:
    starts = [found.start() for found in re.finditer(r"^\$ ", body, re.MULTILINE)]
    for start, stop in zip(starts, [*starts[1:], len(body)], strict=True):
        line, _, output = body[start:stop].partition("\n")
        span = (offset + start + len(line) + 1, offset + stop)
        yield Shown(code=line, expected=output if output.strip() else None, span=span)


def _python(code: str, namespace: dict[str, Any]) -> Output:
    tree, last = ast.parse(code), None
    if isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)  # type: ignore[attr-defined]
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "<page>", "exec"), namespace)
        value = None if last is None else eval(compile(last, "<page>", "eval"), namespace)
    return Output(printed=printed.getvalue(), figure=value if hasattr(value, "savefig") else None)


def _command(line: str, _namespace: dict[str, Any]) -> Output:
    from foldwise.cli.main import main

    name, *words = shlex.split(line.removeprefix("$ "), comments=True)
    if name != "foldwise":
        raise ValueError(f"a console block runs foldwise only, got {line!r}")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            main(words)
        except SystemExit as left:
            if left.code:
                raise ValueError(f"{line!r} failed") from left
    return Output(printed=printed.getvalue())


def rewrite(page: Path) -> None:
    """Write what the code prints into the page, except where it shows only a part of it, and its pictures."""
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        ran = list(run_page(page, Path(folder)))
    for piece, output in reversed(ran):
        if piece.expected is not None and not matches(piece.expected, output.printed):
            text = text[: piece.span[0]] + _trimmed(output.printed) + text[piece.span[1] :]
        if piece.image is not None:
            picture = page.parent / piece.image
            picture.parent.mkdir(exist_ok=True)
            picture.write_text(output.drawn(piece.image), encoding="utf-8")
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for chosen in [Path(name) for name in sys.argv[1:]] or pages():
        rewrite(chosen)
