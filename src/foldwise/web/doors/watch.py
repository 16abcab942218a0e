"""Two models' results as far as they have come in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from foldwise.comparison.from_stream import Watch, watch_prediction_file
from foldwise.core.errors import FoldwiseError, InvalidInput
from foldwise.data.packed import read_so_far
from foldwise.web.doors import predictions
from foldwise.web.doors.base import Door, Field, Preview, Submission, command_words, judging, role_words
from foldwise.web.doors.predictions import chosen_file, guessed_columns, held_file

COLUMNS = ("truth", "a", "b", "groups", "item")
DEFAULTS = {"alpha": "0.05"}


def look(entry: Submission) -> Preview:
    """Which column is the truth, which are the two models, and how to judge."""
    found = predictions.look(_so_far(entry))
    alpha, _, margin = judging(entry)
    held = (option for option in found.options if option.name in ("candidate", "baseline"))
    problem = found.problem
    try:
        held_file(_so_far(entry))[0].pair()
    except FoldwiseError as error:
        problem = problem or error.said("page")
    return replace(
        found,
        facts=tuple((name, value.partition(",")[0] if name == "clusters" else value) for name, value in found.facts),
        fields=tuple(field for field in found.fields if field.name in COLUMNS),
        options=(_more(entry), *_bounds(entry), *_largest(entry, found), *held, alpha, margin),
        problem=problem,
    )


def answer(entry: Submission) -> Watch:
    file, _ = held_file(_so_far(entry))
    return watch_prediction_file(file, **_options(entry))


def command(entry: Submission) -> list[str]:
    words = ["watch", entry.filename, *command_words(entry, guessed_columns(entry), COLUMNS)]
    low, high = _bounded(entry)
    words += [] if (low, high) == (0, 1) else ["--bounds", f"{low!r}", f"{high!r}"]
    words += command_words(entry, {}, ("largest_cluster",))
    words += ["--complete"] if _is_complete(entry) else []
    words += role_words(chosen_file(_so_far(entry)).names, entry)
    return words + command_words(entry, DEFAULTS, ("alpha", "margin"))


def _so_far(entry: Submission) -> Submission:
    """The lines that are complete, as the command reads them."""
    return replace(entry, text=read_so_far(entry.table, complete=_is_complete(entry)).text)


def _options(entry: Submission) -> dict[str, Any]:
    return {
        "bounds": _bounded(entry), "alpha": entry.number("alpha", 0.05), "margin": entry.amount("margin"),
        "largest_cluster": entry.whole("largest_cluster"), "complete": _is_complete(entry),
    }  # fmt: skip


def _is_complete(entry: Submission) -> bool:
    return entry.get("complete") is not None


def _bounded(entry: Submission) -> tuple[float, float]:
    low, high = entry.number("low", 0.0), entry.number("high", 1.0)
    if not low < high:
        raise InvalidInput(f"the least mark must be below the largest, got {low:g} and {high:g}")
    return low, high


def _more(entry: Submission) -> Field:
    choices = (("", "more may come: unfinished lines and clusters wait"), ("yes", "nothing more comes"))
    return entry.field("complete", "What is there", choices=choices)


def _bounds(entry: Submission) -> tuple[Field, Field]:
    hint = "known beforehand: 0 and 1 for right and wrong"
    return (
        entry.field("low", "Least mark possible", default="0", kind="number", hint=hint),
        entry.field("high", "Largest mark possible", default="1", kind="number", hint=hint),
    )


def _largest(entry: Submission, found: Preview) -> tuple[Field, ...]:
    """How large a cluster can be, where there are clusters."""
    if not any(name == "clusters" for name, _ in found.facts):
        return ()
    hint = "known beforehand; left empty, none is taken to have more than twice as many as the largest before it"
    value = entry.get("largest_cluster") or ""
    return (Field(name="largest_cluster", label="Most items in a cluster", kind="number", value=value, hint=hint),)


DOOR = Door(
    name="watch", title="Results that are coming in", short="Watch",
    question="Two models are being tested item by item: how far are we, and may we stop?",
    takes="As predictions, in the order in which the items came, which must be independent of the answers.",
    example="predictions.csv", placeholder="truth,model a,model b\nyes,yes,no\nno,no,no\n…", look=look, answer=answer,
    command=command,
)  # fmt: skip
