"""Tables that the first door does not know: which of the others takes them, by the names of their columns."""

from __future__ import annotations

from foldwise.core.errors import FoldwiseError
from foldwise.core.roles import assign_roles
from foldwise.data.formats import read_sheet
from foldwise.data.packed import table_text
from foldwise.data.predictions import read_predictions
from foldwise.data.score_files import read_scores
from foldwise.data.sheet import Sheet
from foldwise.web.doors.base import Submission


def another_door(entry: Submission) -> tuple[str, Submission] | None:
    """The door for a single file that is a table, and the table; None where nobody can tell.

    Only names decide: a column of true labels, or of folds. A guess from numbers alone could be wrong in silence.
    """
    try:
        table = as_table(entry)
        if table is None:
            return None
        sheet = read_sheet(table.table)
        name = _by_truth(sheet, table) or _by_splits(table)
    except FoldwiseError:
        return None
    return None if name is None else (name, table)


def as_table(entry: Submission) -> Submission | None:
    """The only file as the text of a table, as the other doors take it."""
    if len(entry.files) != 1:
        return None
    upload = entry.files[0]
    name = upload.name.rpartition("/")[2]
    return Submission(text=table_text(upload.content, name).replace("\r\n", "\n"), filename=name)


def _by_truth(sheet: Sheet, table: Submission) -> str | None:
    if assign_roles(sheet.header, source=sheet.source, only=("truth",)).get("truth") is None:
        return None
    return "predictions" if read_predictions(table.table).names else None


def _by_splits(table: Submission) -> str | None:
    try:
        file = read_scores(table.table)
    except FoldwiseError:
        return None
    return "scores" if {"run", "fold"} & set(file.roles.values()) and len(file.names) > 1 else None
