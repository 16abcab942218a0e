"""Files of votes between models: AlpacaEval, Arena battles, MT-Bench's pairwise judgements, long tables."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldwise.core.decisions import Decision, How
from foldwise.core.errors import InvalidInput
from foldwise.core.roles import NO_COLUMN, normalised, role_of
from foldwise.core.table import is_frame
from foldwise.core.types import Array, Integers
from foldwise.data.formats import read_sheet
from foldwise.data.packed import read_text
from foldwise.reading.reader import json_items, json_object

VOTE_ROLES: dict[str, tuple[str, ...]] = {
    "model_a": ("model_a", "model_1", "generator_1", "left_model", "system_a", "a"),
    "model_b": ("model_b", "model_2", "generator_2", "right_model", "system_b", "b"),
    "winner": ("winner", "vote", "preferred", "outcome", "label", "choice"),
    "preference": ("preference", "score", "rating"),
    "item": ("item", "question_id", "item_id", "prompt_id", "instruction", "prompt", "question", "conversation_id"),
    "annotator": ("annotator", "judge_hash", "judge", "annotator_id", "rater", "user", "user_id", "worker_id"),
    "order": ("order", "first", "shown_first"),
    "weight": ("weight", "weights", "vote_weight"),
    "slice": (),
}
"""The roles of columns of votes, and the names that tell them; those that tell more come first."""

_A = {"a", "model_a", "model_1", "1", "left", "first", "win", "a_wins"}
_B = {"b", "model_b", "model_2", "2", "right", "second", "loss", "b_wins"}
_TIE = {"tie", "draw", "equal", "same", "both_good", "tie_both_good", "ties"}
_BOTH_BAD = {"both_bad", "bothbad", "tie_bothbad", "tie_both_bad", "neither"}
_UNREAD = {"", "error", "nan", "none", "null", "na", "n_a", "invalid"}


_ONE_HOT = ("winner_model_a", "winner_model_b", "winner_tie")
"""Columns of 0 and 1 in place of a winner, as in a published sample of Arena's battles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteRows:
    """Votes as a file has them: one entry per vote."""

    #: model_a … annotator: Names and keys; None where the file has no such column
    model_a: list[str]
    model_b: list[str]
    won: Array  #: 1 for model_a, 0 for model_b, 0.5 for a tie, NaN unread
    item: list[str] | None
    annotator: list[str] | None
    #: 1 where model_a was shown first, −1 where model_b was, 0 where that is not known; None if it never is
    order: Array | None
    both_bad: int  #: How many ties call both bad
    weights: Array | None = None  #: How much each vote counts; None where all count alike
    slices: list[str] | None = None  #: The part that each vote belongs to, where a column of them was named
    decisions: tuple[Decision, ...]  #: Which columns were taken for what

    def part(self, kept: Integers) -> VoteRows:
        """Some of the votes."""

        def those(column: list[str] | None) -> list[str] | None:
            return None if column is None else [column[place] for place in kept]

        def numbers(column: Array | None) -> Array | None:
            return None if column is None else column[kept]

        return VoteRows(
            model_a=those(self.model_a) or [], model_b=those(self.model_b) or [], won=self.won[kept],
            item=those(self.item), annotator=those(self.annotator), order=numbers(self.order), both_bad=0,
            weights=numbers(self.weights), decisions=(),
        )  # fmt: skip


def are_votes(header: Iterable[str]) -> bool:
    """Whether such columns are votes: two models, and who won.

    >>> are_votes(["model_a", "model_b", "winner"]), are_votes(["a", "b", "winner"])
    (True, False)
    """
    words = {normalised(str(name)) for name in header}
    if {"winner", "loser"} <= words:
        return True
    both = all(words & set(VOTE_ROLES[role][:-1]) for role in ("model_a", "model_b"))
    return both and bool(words & {*VOTE_ROLES["winner"], "preference", "g1_winner", _ONE_HOT[0]})


def are_named_votes(header: Iterable[str], cells: Callable[[str], Iterable[Any]]) -> bool:
    """Whether columns that are called a, b and winner, as those of two models may be, hold names and who won.

    >>> votes = {"a": ["x", "y"], "b": ["y", "x"], "winner": ["x", "tie"]}
    >>> are_named_votes(votes, votes.get), are_named_votes(marks := {**votes, "a": [1, 0], "b": [0, 1]}, marks.get)
    (True, False)
    """
    words = {normalised(str(name)): name for name in header}
    if not {"a", "b", "winner"} <= set(words) or any(role_of(name) == "truth" for name in words):
        return False
    a, b = ([str(cell) for cell in cells(words[side])] for side in "ab")
    if any(text.lstrip("+-.")[:1].isdigit() for text in (*a, *b)):
        return False
    try:
        _won(list(cells(words["winner"])), a, b, "votes")
    except InvalidInput:
        return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Columns:
    """Votes by column, however they were given."""

    header: tuple[str, ...]
    count: int
    cells: Callable[[str], Sequence[Any]]

    def texts(self, name: str) -> list[str]:
        """One column as text."""
        codes, labels = _coded(self.cells(name))
        found: list[str] = np.array(labels, dtype=object)[codes].tolist()
        return found


def read_votes(given: object, *, columns: Mapping[str, str] | None = None) -> VoteRows:
    """Votes from files (JSON list, JSON lines or table), a data frame, a mapping of columns, or a list of rows."""
    if isinstance(given, Mapping):
        named = {
            str(name): column if isinstance(column, list | tuple) else list(column) for name, column in given.items()
        }
        if len({len(column) for column in named.values()}) != 1:
            raise InvalidInput("votes must have columns of one length")
        return _read(_by_column(named), columns, "votes")
    if is_frame(given):
        import narwhals.stable.v1 as nw

        frame = nw.from_native(given, eager_only=True)
        return _read(_by_column({name: frame[name].to_list() for name in frame.columns}), columns, "votes")
    if isinstance(given, (list, tuple)) and given and all(isinstance(one, str | os.PathLike) for one in given):
        return _joined([(os.fspath(one), read_votes(one, columns=columns)) for one in given])
    if isinstance(given, (list, tuple)):
        return vote_rows(given, columns=columns, where="votes")
    content = read_text(given)  # type: ignore[arg-type]
    where = content.source
    begin = content.text.lstrip()[:1]
    if begin == "[":
        return vote_rows(json_items(content.text.encode(), where), columns=columns, where=where)
    if begin == "{":
        by_name = _by_name(content.text)
        if by_name is not None:
            return read_votes(by_name, columns=columns)
        lines = (line for line in content.text.splitlines() if line.strip())
        records = (json_object(line, f"{where}, line {number}") for number, line in enumerate(lines, 1))
        return vote_rows(records, columns=columns, where=where)
    sheet = read_sheet(content)
    return _read(_by_column({name: sheet.column(name) for name in sheet.header if name}), columns, where)


_BY_NAME = re.compile(r'\s*+\{\s*+"[^"]{1,80}"\s*+:\s*+[\[{]')


def _by_name(text: str) -> dict[str, list[Any]] | None:
    """Columns of one JSON object, as data frames write them; None for JSON lines."""
    try:
        found = json.loads(text) if _BY_NAME.match(text) else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not all(isinstance(cells, list | dict) for cells in found.values()):
        return None
    return {name: list(cells.values() if isinstance(cells, dict) else cells) for name, cells in found.items()}


def _joined(files: Sequence[tuple[str, VoteRows]]) -> VoteRows:
    """The votes of several files: an item or annotator of one name is the same in all of them."""
    if len(files) == 1:
        return files[0][1]
    own = [path for path, part in files if part.model_a == part.model_b]  # AlpacaEval has its baseline, too
    parts = [part for _, part in files if part.model_a != part.model_b] or [files[0][1]]
    some = f"{own[0]}{f' and {len(own) - 1} more' if len(own) > 1 else ''}" if own else ""
    said = Decision(what="itself", value=f"votes of a model against itself are left out ({some})", how="from the file")

    def column(name: str, lacking: Callable[[int, int], list[Any]]) -> list[Any] | None:
        found = [getattr(part, name) for part in parts]
        if all(one is None for one in found):
            return None
        sizes = enumerate(len(part.won) for part in parts)
        return [cell for one, (at, n) in zip(found, sizes, strict=True)
                for cell in (lacking(at, n) if one is None else one)]  # fmt: skip

    order, weights = column("order", lambda _, n: [0.0] * n), column("weights", lambda _, n: [1.0] * n)
    return VoteRows(
        model_a=[name for part in parts for name in part.model_a],
        model_b=[name for part in parts for name in part.model_b], won=np.concatenate([part.won for part in parts]),
        item=column("item", lambda at, n: [f"vote {row + 1} of file {at + 1}" for row in range(n)]),
        annotator=column("annotator", lambda _, n: [""] * n), order=None if order is None else np.array(order),
        weights=None if weights is None else np.array(weights), both_bad=sum(part.both_bad for part in parts),
        decisions=(*dict.fromkeys(one for part in parts for one in part.decisions), *((said,) if own else ())),
    )  # fmt: skip


def vote_rows(rows: Iterable[Mapping[str, Any]], *, columns: Mapping[str, str] | None = None, where: str) -> VoteRows:
    """Read votes from records, objects of a JSON list, whose `columns` somebody declared by role (`VOTE_ROLES`).

    >>> found = vote_rows([{"model_a": "x", "model_b": "y", "winner": "tie"}], where="votes")
    >>> found.won.tolist(), found.both_bad
    ([0.5], 0)
    """
    records = list(rows)
    if any(not isinstance(record, Mapping) for record in records):
        raise InvalidInput(f"{where} must be a list of objects, one per vote")
    header = tuple(dict.fromkeys(str(name) for record in records[:100] for name in record))
    if {"g1_winner", "g2_winner"} <= set(header):
        return _both_ways(records, where, columns)
    table = _Columns(header=header, count=len(records), cells=lambda name: [record.get(name) for record in records])
    return _read(table, columns, where)


def _by_column(columns: Mapping[str, Sequence[Any]]) -> _Columns:
    return _Columns(header=tuple(columns), count=len(next(iter(columns.values()), ())), cells=columns.__getitem__)


def _read(table: _Columns, columns: Mapping[str, str] | None, where: str) -> VoteRows:
    if not table.count:
        raise InvalidInput(f"{where} must have votes, but it is empty")
    if {"g1_winner", "g2_winner"} <= set(table.header):
        rows = zip(*(table.cells(name) for name in table.header), strict=True)
        return _both_ways([dict(zip(table.header, row, strict=True)) for row in rows], where, columns)
    table = _usual(table, where)
    chosen, decisions = _roles(table.header, dict(columns or {}), where)
    a, b = table.texts(chosen["model_a"]), table.texts(chosen["model_b"])
    for role, side in (("model_a", a), ("model_b", b)):
        blank = next((name for name in set(side) if not name.strip()), None)
        if blank is not None:
            raise InvalidInput(f"{where}, vote {side.index(blank) + 1}: column {chosen[role]!r} must name a model")
    if "preference" in chosen:
        won, both_bad = _graded(table.cells(chosen["preference"]), where), 0
    else:
        won, both_bad = _won(table.cells(chosen["winner"]), a, b, where)
    order = None
    if "order" in chosen:
        order = _order(table.cells(chosen["order"]), a, b, where, declared="order" in (columns or {}))
        if order is None:
            decisions = tuple(one for one in decisions if one.what != "order")
    item, annotator = (table.texts(chosen[role]) if role in chosen else None for role in ("item", "annotator"))
    for name in table.header:  # the same question in another turn or data set is another item
        if item is not None and normalised(name) in ("turn", "dataset") and name not in chosen.values():
            item = [f"{key}, {name} {part}" for key, part in zip(item, table.texts(name), strict=True)]
    return VoteRows(
        model_a=a, model_b=b, won=won, item=item, annotator=annotator, order=order, both_bad=both_bad,
        weights=_weights(table.cells(chosen["weight"]), where) if "weight" in chosen else None, decisions=decisions,
        slices=table.texts(chosen["slice"]) if "slice" in chosen else None,
    )  # fmt: skip


def _usual(table: _Columns, where: str) -> _Columns:
    """Winner and loser in columns of their own, or 0 and 1 for each outcome, as model_a, model_b and winner."""
    words = {normalised(name): name for name in table.header}
    if {"winner", "loser"} <= set(words) and not set(words) & {*VOTE_ROLES["model_a"], *VOTE_ROLES["model_b"]}:
        made = {"model_a": table.cells(words["winner"]), "model_b": table.cells(words["loser"]),
                "winner": ["model_a"] * table.count}  # fmt: skip
        gone = {words["winner"], words["loser"]}
    elif {*_ONE_HOT[:2]} <= set(words) and "winner" not in words:
        sides = [(side, [_text(cell) for cell in table.cells(words[side])]) for side in _ONE_HOT if side in words]
        said = [[side.removeprefix("winner_") for side, cells in sides if cells[row] in ("1", "1.0", "True")]
                for row in range(table.count)]  # fmt: skip
        if (wrong := next((row for row, found in enumerate(said) if len(found) > 1), None)) is not None:
            raise InvalidInput(f"{where}, vote {wrong + 1}: one of {', '.join(_ONE_HOT)} must be 1, got {said[wrong]}")
        made, gone = {"winner": [found[0] if found else "" for found in said]}, set(_ONE_HOT)
    else:
        return table
    header = (*(name for name in table.header if name not in gone), *made)
    return _Columns(
        header=header, count=table.count, cells=lambda name: made[name] if name in made else table.cells(name)
    )


def _coded(cells: Sequence[Any]) -> tuple[Integers, list[str]]:
    """The place of each cell among the different ones, and these as text."""
    try:
        different = dict.fromkeys(cells)
    except TypeError:  # a list, such as a judge with its prompt
        cells = [_text(cell) for cell in cells]
        different = dict.fromkeys(cells)
    place = dict(zip(different, range(len(different)), strict=True))
    return np.fromiter(map(place.__getitem__, cells), np.int64, len(cells)), [_text(cell) for cell in place]


def _roles(
    header: tuple[str, ...], declared: dict[str, str], where: str
) -> tuple[dict[str, str], tuple[Decision, ...]]:
    unknown = sorted(set(declared) - set(VOTE_ROLES))
    if unknown:
        raise InvalidInput(f"columns of votes must be roles among {', '.join(VOTE_ROLES)}, got {unknown[0]!r}")
    missing = next((name for name in declared.values() if name not in (*header, NO_COLUMN)), None)
    if missing is not None:
        raise InvalidInput(f"{where} has no column {missing!r}; its columns are {', '.join(header[:12])}")
    words = {normalised(name): name for name in reversed(header)}
    chosen: dict[str, str] = {}
    decisions = []
    for role, names in VOTE_ROLES.items():
        name = declared.get(role) or next((words[word] for word in names if word in words), None)
        if name in (None, NO_COLUMN) or (name in chosen.values() and role not in declared):
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


def _won(cells: Sequence[Any], a: list[str], b: list[str], where: str) -> tuple[Array, int]:
    """1, 0, 0.5 or NaN per vote, and how many ties call both bad."""
    codes, said = _coded(cells)
    words = [normalised(text).replace("(", "").replace(")", "").strip("_") for text in said]
    values = np.array([1.0 if word in _A else 0.0 if word in _B else 0.5 if word in _TIE | _BOTH_BAD else np.nan
                       for word in words])  # fmt: skip
    won = values[codes]
    known = np.array([word in _A | _B | _TIE | _BOTH_BAD | _UNREAD for word in words])
    models = {*a, *b}
    named = np.array([text in models for text in said])
    read = known[codes]
    for place in np.flatnonzero(named[codes]).tolist():
        text = said[codes[place]]
        if text in (a[place], b[place]):
            won[place], read[place] = float(text == a[place]), True
    if not read.all():
        place = int(np.flatnonzero(~read)[0])
        raise InvalidInput(
            f"{where}, vote {place + 1}: the winner must be {a[place]}, {b[place]}, model_a, model_b, tie or both_bad, "
            f"got {_short(said[codes[place]])}"
        )
    both_bad = np.array([word in _BOTH_BAD for word in words])[codes] & (won == 0.5)
    return won, int(both_bad.sum())


def _weights(cells: Sequence[Any], where: str) -> Array:
    try:
        found = np.array([float(cell) for cell in cells])
    except (TypeError, ValueError):
        found = np.array([np.nan])
    if not (np.isfinite(found) & (found > 0)).all():
        raise InvalidInput(f"{where}: the weight of a vote must be a number above 0")
    return found


def _graded(cells: Sequence[Any], where: str) -> Array:
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


def _order(cells: Sequence[Any], a: list[str], b: list[str], where: str, *, declared: bool) -> Array | None:
    """1 where model_a was shown first, −1 where model_b was, 0 where that is not known.

    None where the column is called so and holds something else, such as the number of a row.
    """
    codes, said = _coded(cells)
    words = [normalised(text) for text in said]
    order = np.array([1.0 if word in _A else -1.0 if word in _B else 0.0 for word in words])[codes]
    read = np.array([word in _A | _B | _UNREAD for word in words])[codes]
    models = {*a, *b}
    named = np.array([text in models for text in said])
    for place in np.flatnonzero(named[codes]).tolist():
        text = said[codes[place]]
        order[place] = 1.0 if text == a[place] else -1.0 if text == b[place] else order[place]
        read[place] = text in (a[place], b[place])
    if not read.all():
        if not declared and read.mean() < MOST_UNREADABLE:
            return None
        place = int(np.flatnonzero(~read)[0])
        raise InvalidInput(
            f"{where}, vote {place + 1}: the order must be {a[place]}, {b[place]}, model_a or model_b, the one shown "
            f"first, got {_short(said[codes[place]])}"
        )
    return order


MOST_UNREADABLE = 0.5  # Share of readable cells below which a column called order is about something else.


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")


def _both_ways(records: list[Mapping[str, Any]], where: str, columns: Mapping[str, str] | None = None) -> VoteRows:
    """MT-Bench's pairs: each was judged twice, with the two answers exchanged, which are two votes of one item."""
    a: list[str] = []
    b: list[str] = []
    item: list[str] = []
    won: list[float] = []
    order: list[float] = []
    judges: list[str] = []
    parts: list[str] = []
    sliced = (columns or {}).get("slice")
    if sliced is not None and not any(sliced in record for record in records):
        raise InvalidInput(f"{where} has no column {sliced!r}; its columns are {', '.join(list(records[0])[:12])}")
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
            parts.append("" if sliced is None else _text(record.get(sliced)))
    said_of = Decision(what="order", value="each pair was judged in both orders", how="from the file")
    return VoteRows(
        model_a=a, model_b=b, won=np.array(won), item=item, annotator=judges if any(judges) else None,
        order=np.array(order), both_bad=0, decisions=(said_of,), slices=None if sliced is None else parts,
    )  # fmt: skip


def _text(cell: object) -> str:
    """A cell as text; lists such as ["gpt-4", "pair-v2"] joined, nothing as an empty one."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    return " ".join(map(str, cell)) if isinstance(cell, (list, tuple)) else str(cell)
