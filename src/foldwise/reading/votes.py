"""Files of votes between models: AlpacaEval, Arena battles, MT-Bench's pairwise judgements, long tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldwise.core.decisions import Decision, How
from foldwise.core.errors import InvalidInput
from foldwise.core.roles import normalised
from foldwise.core.table import is_frame
from foldwise.core.types import Array
from foldwise.data.formats import read_sheet
from foldwise.data.wrapped import read_text
from foldwise.reading.reader import json_items, json_object

__all__ = ["VOTE_ROLES", "VoteRows", "read_votes", "vote_rows"]

VOTE_ROLES: dict[str, tuple[str, ...]] = {
    "model_a": ("model_a", "model_1", "generator_1", "left_model", "system_a", "a"),
    "model_b": ("model_b", "model_2", "generator_2", "right_model", "system_b", "b"),
    "winner": ("winner", "vote", "preferred", "outcome", "label", "choice"),
    "preference": ("preference", "score", "rating"),
    "item": ("item", "question_id", "item_id", "prompt_id", "instruction", "prompt", "question", "conversation_id"),
    "annotator": ("annotator", "judge_hash", "judge", "annotator_id", "rater", "user", "user_id", "worker_id"),
    "order": ("order", "first", "shown_first"),
}
"""The roles of columns of votes, and the names that tell them; those that tell more come first."""

_A = {"a", "model_a", "model_1", "1", "left", "first", "win", "a_wins"}
_B = {"b", "model_b", "model_2", "2", "right", "second", "loss", "b_wins"}
_TIE = {"tie", "draw", "equal", "same", "both_good", "tie_both_good", "ties"}
_BOTH_BAD = {"both_bad", "bothbad", "tie_bothbad", "tie_both_bad", "neither"}
_UNREAD = {"", "error", "nan", "none", "null", "na", "n_a", "invalid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteRows:
    """Votes as a file has them: one entry per vote; `won` is 1 for model_a, 0 for model_b, 0.5 for a tie, NaN unread.

    Attributes
    ----------
    model_a, model_b, item, annotator
        Names and keys; None where the file has no such column.
    order
        1 where model_a was shown first, −1 where model_b was, 0 where that is not known; None if it never is.
    both_bad
        How many ties call both bad.
    decisions
        Which columns were taken for what.
    """

    model_a: list[str]
    model_b: list[str]
    won: Array
    item: list[str] | None
    annotator: list[str] | None
    order: Array | None
    both_bad: int
    decisions: tuple[Decision, ...]


def read_votes(given: object, *, columns: Mapping[str, str] | None = None) -> VoteRows:
    """Votes from a file (JSON list, JSON lines or table), a data frame, a mapping of columns, or a list of rows."""
    if isinstance(given, Mapping):
        names, cells = list(given), [list(column) for column in given.values()]
        if len({len(column) for column in cells}) != 1:
            raise InvalidInput("votes must have columns of one length")
        rows = (dict(zip(names, row, strict=True)) for row in zip(*cells, strict=True))
        return vote_rows(rows, columns=columns, where="votes")
    if is_frame(given):
        import narwhals.stable.v1 as nw

        return vote_rows(nw.from_native(given, eager_only=True).rows(named=True), columns=columns, where="votes")
    if isinstance(given, (list, tuple)):
        return vote_rows(given, columns=columns, where="votes")
    content = read_text(given)  # type: ignore[arg-type]
    where = content.source
    begin = content.text.lstrip()[:1]
    if begin == "[":
        return vote_rows(json_items(content.text.encode(), where), columns=columns, where=where)
    if begin == "{":
        lines = (line for line in content.text.splitlines() if line.strip())
        records = (json_object(line, f"{where}, line {number}") for number, line in enumerate(lines, 1))
        return vote_rows(records, columns=columns, where=where)
    sheet = read_sheet(content)
    rows = (dict(zip(sheet.header, row, strict=True)) for row in sheet.rows)
    return vote_rows(rows, columns=columns, where=where)


def vote_rows(rows: Iterable[Mapping[str, Any]], *, columns: Mapping[str, str] | None = None, where: str) -> VoteRows:
    """Read votes from records: a row of a table, or an object of a JSON list.

    Parameters
    ----------
    rows
        The records.
    columns
        Columns that somebody declared, by role (`VOTE_ROLES`).
    where
        What messages call the source.

    Examples
    --------
    >>> found = vote_rows([{"model_a": "x", "model_b": "y", "winner": "tie"}], where="votes")
    >>> found.won.tolist(), found.both_bad
    ([0.5], 0)
    """
    records = list(rows)
    if not records:
        raise InvalidInput(f"{where} must have votes, but it is empty")
    if any(not isinstance(record, Mapping) for record in records):
        raise InvalidInput(f"{where} must be a list of objects, one per vote")
    header = tuple(dict.fromkeys(str(name) for record in records[:100] for name in record))
    if {"g1_winner", "g2_winner"} <= set(header):
        return _both_ways(records, where)
    chosen, decisions = _roles(header, dict(columns or {}), where)
    a, b = ([_text(record.get(chosen[role])) for record in records] for role in ("model_a", "model_b"))
    won, both_bad = _won(records, chosen, a, b, where)
    order = None
    if "order" in chosen:
        order = np.array([_order(_text(r.get(chosen["order"])), x, y) for r, x, y in zip(records, a, b, strict=True)])
    keys = {role: [_text(record.get(chosen[role])) for record in records] for role in chosen}
    item = keys.get("item")
    for name in header:  # the same question in another turn or data set is another item
        if item is not None and normalised(name) in ("turn", "dataset") and name not in chosen.values():
            item = [f"{key}, {name} {_text(record.get(name))}" for key, record in zip(item, records, strict=True)]
    return VoteRows(
        model_a=a, model_b=b, won=won, item=item, annotator=keys.get("annotator"), order=order, both_bad=both_bad,
        decisions=decisions,
    )  # fmt: skip


def _roles(
    header: tuple[str, ...], declared: dict[str, str], where: str
) -> tuple[dict[str, str], tuple[Decision, ...]]:
    unknown = sorted(set(declared) - set(VOTE_ROLES))
    if unknown:
        raise InvalidInput(f"columns of votes must be roles among {', '.join(VOTE_ROLES)}, got {unknown[0]!r}")
    missing = next((name for name in declared.values() if name not in header), None)
    if missing is not None:
        raise InvalidInput(f"{where} has no column {missing!r}; its columns are {', '.join(header[:12])}")
    words = {normalised(name): name for name in reversed(header)}
    chosen: dict[str, str] = {}
    decisions = []
    for role, names in VOTE_ROLES.items():
        name = declared.get(role) or next((words[word] for word in names if word in words), None)
        if name is None or (name in chosen.values() and role not in declared):
            continue
        chosen[role] = name
        how: How = "declared" if role in declared else "by its name"
        decisions.append(
            Decision(what=role, value=f"column {name!r} is the {role}", how=how, change=f"columns ({role}=…)")
        )
    if "winner" in chosen and "preference" in chosen:
        del chosen["preference" if "preference" not in declared else "winner"]
    lacking = [role for role in ("model_a", "model_b") if role not in chosen]
    if not {"winner", "preference"} & set(chosen):
        lacking.append("winner")
    if lacking:
        raise InvalidInput(
            f"{where} must have columns for {', '.join(lacking)}; its columns are {', '.join(header[:12])}. Name them: "
            f"columns={{'{lacking[0]}': '…'}} (--column {lacking[0]}=…)"
        )
    kept = tuple(decision for decision in decisions if decision.what in chosen)
    return chosen, kept


def _won(
    records: list[Mapping[str, Any]], chosen: dict[str, str], a: list[str], b: list[str], where: str
) -> tuple[Array, int]:
    """1, 0, 0.5 or NaN per vote, and how many ties call both bad."""
    if "preference" in chosen:
        return _graded([record.get(chosen["preference"]) for record in records], where), 0
    won, both_bad = np.full(len(records), np.nan), 0
    for place, (record, x, y) in enumerate(zip(records, a, b, strict=True)):
        said = _text(record.get(chosen["winner"]))
        word = normalised(said).replace("(", "").replace(")", "").strip("_")
        if said in (x, y):
            won[place] = float(said == x)
        elif word in _A:
            won[place] = 1.0
        elif word in _B:
            won[place] = 0.0
        elif word in _TIE or word in _BOTH_BAD:
            won[place] = 0.5
            both_bad += word in _BOTH_BAD
        elif word not in _UNREAD:
            raise InvalidInput(
                f"{where}, vote {place + 1}: the winner must be {x}, {y}, model_a, model_b, tie or both_bad, got "
                f"{said!r}"
            )
    return won, both_bad


def _graded(cells: list[Any], where: str) -> Array:
    """Preferences from 1 (the first wins) to 2 (the second wins), as AlpacaEval writes them, or from 0 to 1."""
    found = np.full(len(cells), np.nan)
    for place, cell in enumerate(cells):
        try:
            found[place] = math.nan if cell is None else float(cell)
        except (TypeError, ValueError):
            if normalised(_text(cell)) not in _UNREAD:
                raise InvalidInput(
                    f"{where}, vote {place + 1}: the preference must be a number from 1 to 2, got {_text(cell)!r}"
                ) from None
    known = found[np.isfinite(found)]
    if len(known) and (known.min() < 1 or known.max() > 2):
        bad = known[(known < 1) | (known > 2)][0]
        raise InvalidInput(f"{where}: a preference must lie between 1 (the first wins) and 2 (the second), got {bad:g}")
    return 2.0 - found


def _order(said: str, a: str, b: str) -> float:
    word = normalised(said)
    if said == a or word in _A:
        return 1.0
    return -1.0 if said == b or word in _B else 0.0


def _both_ways(records: list[Mapping[str, Any]], where: str) -> VoteRows:
    """MT-Bench's pairs: each was judged twice, with the two answers exchanged, which are two votes of one item."""
    a: list[str] = []
    b: list[str] = []
    item: list[str] = []
    won: list[float] = []
    order: list[float] = []
    judges: list[str] = []
    for place, record in enumerate(records):
        names = _text(record.get("model_1")), _text(record.get("model_2"))
        if "" in names:
            raise InvalidInput(f"{where}, record {place + 1} must name model_1 and model_2")
        key = _text(record.get("question_id", place)) + (f", turn {record['turn']}" if "turn" in record else "")
        for column, shown in (("g1_winner", 1.0), ("g2_winner", -1.0)):
            said = normalised(_text(record.get(column)))
            values = {"model_1": 1.0, "model_2": 0.0, "tie": 0.5}
            if said not in values and said not in _UNREAD:
                raise InvalidInput(
                    f"{where}, record {place + 1}: {column} must be model_1, model_2, tie or error, got {said!r}"
                )
            a.append(names[0])
            b.append(names[1])
            item.append(key)
            won.append(values.get(said, math.nan))
            order.append(shown)
            judges.append(_text(record.get("judge")))
    said_of = Decision(what="order", value="each pair was judged in both orders", how="from the file")
    return VoteRows(
        model_a=a, model_b=b, won=np.array(won), item=item, annotator=judges if any(judges) else None,
        order=np.array(order), both_bad=0, decisions=(said_of,),
    )  # fmt: skip


def _text(cell: object) -> str:
    """A cell as text; lists such as ["gpt-4", "pair-v2"] joined, nothing as an empty one."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    return " ".join(map(str, cell)) if isinstance(cell, (list, tuple)) else str(cell)
