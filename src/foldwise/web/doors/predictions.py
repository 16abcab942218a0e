"""Two classifiers' predictions on one test set."""

from __future__ import annotations

from typing import Any

from foldwise.core.errors import FoldwiseError, InvalidInput
from foldwise.data import PredictionFile, read_predictions
from foldwise.data.formats import read_sheet
from foldwise.data.sheet import NO_COLUMN
from foldwise.kinds import CLUSTERS, RIGHT_WRONG, Kind
from foldwise.verdict import Comparison, judge_prediction_file
from foldwise.web.doors.base import (
    Door,
    Entry,
    Field,
    Understanding,
    command_words,
    describe,
    judging,
    role_columns,
    tests_for,
)

__all__ = ["DOOR"]

DEFAULTS = {"test": "auto", "alpha": "0.05", "rope": "0.01"}


def look(entry: Entry) -> Understanding:
    """Which column is the truth, which are the classifiers, how many examples of which class."""
    sheet = read_sheet(entry.table)
    file, problem = _read(entry)
    roles = {} if file is None else file.roles
    parts = describe(sheet, roles)
    if file is not None:
        parts["facts"] += _facts(file)
    return Understanding(
        **parts,
        fields=_fields(sheet.header, roles, entry),
        options=(tests_for(_kinds(file), entry.get("test")), *judging(entry)),
        problem=problem,
    )


def answer(entry: Entry) -> Comparison:
    """The comparison, as the command makes it."""
    return judge_prediction_file(
        _chosen(entry),
        test=entry.get("test") or "auto",
        alpha=entry.number("alpha", 0.05),
        rope=entry.number("rope", 0.01),
        margin=entry.optional("margin"),
    )


def command(entry: Entry) -> list[str]:
    """The same on the command line; what the command guesses as the page does is left out."""
    words = ["predictions", entry.filename, *command_words(entry, _guessed(entry), ("truth", "a", "b", "group"))]
    return words + command_words(entry, DEFAULTS, ("test", "alpha", "rope", "margin"))


def _guessed(entry: Entry) -> dict[str, str]:
    """The columns that the command takes without being told."""
    try:
        file = read_predictions(entry.table)
        a, b = file.pair()
    except FoldwiseError:
        return {}
    return {**role_columns(file.roles), "a": a, "b": b}


def _read(entry: Entry) -> tuple[PredictionFile | None, str]:
    """What the file says, as far as it can be read, and what stands in the way of an answer."""
    try:
        file = _chosen(entry)
        file.pair()
    except FoldwiseError as error:
        return None, str(error)
    return file, ""


def _chosen(entry: Entry) -> PredictionFile:
    """The file with two classifiers: those chosen, or else the first ones.

    A column that was just made the truth or the clusters is no longer a classifier, whatever the form still says.
    """
    roles = {name: entry.get(name) for name in ("truth", "group")}
    taken = [column for column in roles.values() if column != NO_COLUMN]
    a, b = (None if entry.get(name) in taken else entry.get(name) for name in ("a", "b"))
    if a is not None and a == b:
        raise InvalidInput(f"the two classifiers must be different columns, but both are {a!r}")
    if a is None or b is None:
        found = read_predictions(entry.table, **roles).names
        a = a or next((name for name in found if name != b), None)
        b = b or next((name for name in found if name != a), None)
    return read_predictions(entry.table, a=a, b=b, **roles)


def _facts(file: PredictionFile) -> tuple[tuple[str, str], ...]:
    facts = [("test examples", f"{file.rows:,}")]
    if file.truth is not None:
        facts.append(("classes", f"{len(file.truth.labels):,}"))
    if file.groups is not None:
        facts.append(("clusters", f"{len(file.groups.labels):,}, so that a cluster-robust test is recommended"))
    if file.truth is not None:
        right = {name: labels.agreeing(file.truth) for name, labels in file.predictions.items()}
        facts += [(f"{name} is right on", f"{count:,} of {file.rows:,}") for name, count in right.items()]
    return tuple(facts)


def _kinds(file: PredictionFile | None) -> tuple[Kind[Any], ...]:
    return (RIGHT_WRONG,) if file is None or file.groups is None else (RIGHT_WRONG, CLUSTERS)


def _fields(header: tuple[str, ...], roles: dict[str, str], entry: Entry) -> tuple[Field, ...]:
    names = tuple((name, name) for name in header if name)
    of_role = {role: [name for name, its in roles.items() if its == role] for role in ("truth", "group", "classifier")}
    first, second, *_ = [*of_role["classifier"], "", ""]
    chosen = {"truth": "".join(of_role["truth"]), "a": first, "b": second, "group": "".join(of_role["group"])}
    labels = {"truth": "True labels", "a": "First classifier", "b": "Second classifier", "group": "Clusters"}
    free = tuple((name, words) for name, words in names if roles.get(name) not in ("truth", "group"))
    fields = []
    for name, label in labels.items():
        choices = free if name in ("a", "b") else names
        value = chosen[name] or entry.get(name) or ""
        hint = "examples that belong together" if name == "group" else ""
        if name == "truth":
            choices = ((NO_COLUMN, "none: the columns are right/wrong marks"), *choices)
        elif name == "group" or not value:
            choices = ((NO_COLUMN if value else "", "none"), *choices)
        fields.append(Field(name=name, label=label, value=value, choices=choices, hint=hint))
    return tuple(fields)


DOOR = Door(
    name="predictions",
    title="Two classifiers' predictions",
    short="Predictions",
    question="Both classified the same test examples: is one of them more accurate?",
    takes="One row per test example: a column with the true label and one per classifier (or no truth, and marks for "
    "right and wrong); a column named group or cluster marks examples that belong together.",
    example="predictions.csv",
    placeholder="truth,model a,model b\nyes,yes,no\nno,no,no\n…",
    look=look,
    answer=answer,
    command=command,
)
