"""What a worker process is asked to do; arguments and answers pass a pipe, so they are plain."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from foldwise.comparison.power_plan import PowerPlan, plan
from foldwise.core.errors import FoldwiseError
from foldwise.core.result import Result
from foldwise.data.packed import table_text
from foldwise.render.html import Page, body_html, page_html, page_of
from foldwise.render.paper import paper_zip
from foldwise.render.plot import picture_file
from foldwise.web.doors import DOORS, FIRST
from foldwise.web.doors.base import PASTED, Preview, Submission, pasted_name, shell, with_slider
from foldwise.web.doors.other_door import another_door
from foldwise.web.limits import Limits
from foldwise.web.live_example import small_answer  # noqa: F401  # a job, which is found by its name
from foldwise.web.uploads import check_files, pack, plain_name, taken, unpack


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What came of a visit: what was understood, and the report if there is one."""

    understanding: Preview  #: What was made of the data
    #: door, entry: The door that took them, and as what, where it is another one than was asked
    door: str
    entry: Submission | None = None
    report: str = ""  #: The report as HTML, escaped where it was made
    problem: str = ""  #: Why there is no report although one was asked for, in a sentence


def load_everything() -> None:
    """Load Matplotlib now, which the first report would wait for."""
    from foldwise.render.style import new_axes

    new_axes(None)


def take_in(options: dict[str, str], brought: list[tuple[str, bytes]], limits: Limits, several: bool) -> Submission:
    """What a form brought, unpacked and decoded within the limits.

    Parameters
    ----------
    several
        Whether the door takes any number of files, whatever they are; else it takes one table, and several files go
        to the first door.
    """
    entry = _files(options, brought, limits) if several or len(brought) > 1 else _table(options, brought, limits)
    try:
        limits.check(entry.table)
        check_files(entry.files, limits)
    except FoldwiseError as error:
        return replace(entry, refused=error.said("page"))
    return entry


def _table(options: dict[str, str], brought: list[tuple[str, bytes]], limits: Limits) -> Submission:
    text, filename, packed = (options.pop(name, "") for name in ("text", "filename", "files"))
    if packed and not brought:  # from the first door, where files are not told apart
        brought = [(upload.name, upload.content) for upload in unpack(packed, limits)]
    if brought:
        name, raw = brought[0]
        filename = plain_name(name)
        text = table_text(raw, filename, most=limits.data_bytes)
        options = {}  # the columns of another file mean nothing here
    return Submission(text=text.replace("\r\n", "\n"), filename=plain_name(filename) or PASTED, options=options)


def _files(options: dict[str, str], brought: list[tuple[str, bytes]], limits: Limits) -> Submission:
    text, filename, packed, paths = (options.pop(name, "") for name in ("text", "filename", "files", "paths"))
    whole = paths.replace("\r\n", "\n").split("\n")  # browsers end the lines of a form with both
    if text.strip() and not brought:
        brought = [(filename or pasted_name(text), text.encode())]
    elif paths and len(whole) == len(brought):  # a browser sends files of a folder without the folder
        brought = [(path, raw) for path, (_, raw) in zip(whole, brought, strict=True)]
    if brought:
        files, options = taken(brought, limits), {}
    else:
        files = unpack(packed, limits) if packed else ()
    return Submission(files=files, packed=pack(files) if files else "", options=options)


def visit(door: str, entry: Submission, answer: bool) -> Visit:
    """Look at the data and, if that is wanted and possible, answer."""
    if entry.files and not DOORS[door].several:
        door = FIRST.name
    understanding = DOORS[door].look(entry)
    found = Visit(understanding=understanding, door=door, entry=replace(entry, folder="") if entry.files else None)
    asked = [field for field in understanding.fields if not field.name.startswith("column_")]
    lost = understanding.problem and not asked  # nothing that the person could choose but what columns are
    if lost and DOORS[door].several and (other := another_door(entry)) is not None:
        name, entry = other
        door, understanding = name, DOORS[name].look(entry)
        found = Visit(understanding=understanding, door=door, entry=entry)
    if not answer or understanding.problem:
        return found
    try:
        result = DOORS[door].answer(entry)
        report = body_html(_page(door, entry, result), save_at=f"/{door}/picture")
    except FoldwiseError as error:
        return replace(found, problem=error.said("page"))
    ranged = replace(understanding, options=with_slider(understanding.options, result))
    return replace(found, report=report, understanding=ranged)


def download(door: str, entry: Submission, kind: str) -> str | bytes:
    """The report as a file: a self-contained page, JSON with the keys of the command line, or the paper kit."""
    if kind == "html":
        return page_html(_page(door, entry, DOORS[door].answer(entry)))
    result = DOORS[door].answer(entry)  # without its pictures, which take most of the time
    if kind == "zip":
        return paper_zip(result)
    return json.dumps(result.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)


def picture(door: str, entry: Submission, name: str, kind: str) -> bytes:
    return picture_file(DOORS[door].answer(entry), name, kind)


def plan_picture(options: dict[str, Any], name: str, kind: str) -> bytes:
    return picture_file(_plan(options), name, kind)


def plan_html(options: dict[str, Any]) -> str:
    """The answer to "how many examples or runs do I need", with its curve."""
    words = ["plan", *(f"--{name}={value}" for name, value in options.items() if value is not None)]
    return body_html(page_of(_plan(options), command=shell(words)), save_at="/plan/picture")


def _plan(options: dict[str, Any]) -> PowerPlan:
    return plan(**{name: value for name, value in options.items() if value is not None})


def _page(door: str, entry: Submission, result: Result) -> Page:
    return page_of(result, command=shell(DOORS[door].command(entry)), python=DOORS[door].python(entry))
