"""The examples of the doors, one click away."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

from foldwise.web.doors.base import Door, Entry
from foldwise.web.limits import Limits
from foldwise.web.uploads import pack, taken

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One of the examples on the first screen: the door that answers it, what it is called, and what it shows."""

    door: str
    title: str
    words: str


EXAMPLES = (
    Example(door="judge", title="Logs of two language models", words="lm-evaluation-harness, two tasks, 70 questions"),
    Example(door="predictions", title="Predictions on a test set", words="two classifiers, 190 examples"),
    Example(door="scores", title="Scores of a cross-validation", words="two learners, 10 × 10 folds"),
    Example(door="table", title="Learners on many data sets", words="Demšar’s table: four learners, 14 data sets"),
)


def example_entry(door: Door) -> Entry:
    """The example of a door as somebody would have brought it."""
    if "=" in door.example:
        return Entry(options=dict(parse_qsl(door.example)))
    if door.several:
        files = taken([(door.example, example_bytes(door.example))], Limits())
        return Entry(files=files, packed=pack(files))
    return Entry(text=example_text(door.example), filename=door.example)


def example_text(name: str) -> str:
    return example_bytes(name).decode("utf-8")


@cache
def example_bytes(name: str) -> bytes:
    """An example: beside this file in an installed package, else in the source's folder of examples."""
    folders = (_HERE / "examples", _HERE.parents[2] / "examples")
    path = next(folder / name for folder in folders if (folder / name).is_file())
    return path.read_bytes()
