"""Files of votes between models: AlpacaEval, Arena battles, MT-Bench's pairwise judgements, long tables."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from foldwise.core.categories import Categories
from foldwise.core.decisions import Decision, How
from foldwise.core.errors import InvalidInput
from foldwise.core.roles import NO_COLUMN, normalised, role_of
from foldwise.core.table import is_frame
from foldwise.core.types import Array, Flags, Integers
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
_WON = dict.fromkeys(_A, 1.0) | dict.fromkeys(_B, 0.0) | dict.fromkeys(_TIE | _BOTH_BAD, 0.5)
_WON |= dict.fromkeys(_UNREAD, math.nan)
_FIRST = dict.fromkeys(_A, 1.0) | dict.fromkeys(_B, -1.0) | dict.fromkeys(_UNREAD, 0.0)
"""What a word for a winner stands for, and one for the model that was shown first."""


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

        def those(column: Any) -> Any:
            return column[kept] if isinstance(column, np.ndarray) else column and [column[place] for place in kept]

        columns = ("model_a", "model_b", "won", "item", "annotator", "order", "weights")
        chosen = {name: those(getattr(self, name)) for name in columns}
        return replace(self, **chosen, slices=None, both_bad=0, decisions=())


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


Values: TypeAlias = Sequence[Any]  # The cells of one column.

Cells: TypeAlias = Mapping[str, Values]  # Votes by column, however they were given.


def read_votes(given: object, *, columns: Mapping[str, str] | None = None) -> VoteRows:
    """Votes from files (JSON list, JSON lines or table), a data frame, a mapping of columns, or a list of rows.

    `columns`: columns that somebody declared, by role (`VOTE_ROLES`).

    >>> found = read_votes([{"model_a": "x", "model_b": "y", "winner": "tie"}])
    >>> found.won.tolist(), found.both_bad
    ([0.5], 0)
    """
    if isinstance(given, (list, tuple)) and given and all(isinstance(one, str | os.PathLike) for one in given):
        return _joined([(os.fspath(one), read_votes(one, columns=columns)) for one in given])
    cells, where = _by_column(given)
    if not cells or not len(next(iter(cells.values()))):
        raise InvalidInput(f"{where} must have votes, but it is empty")
    return _read(cells, columns or {}, where)


def _by_column(given: object) -> tuple[Cells, str]:
    """The votes by column, and what messages call them."""
    if isinstance(given, Mapping):
        named = {
            str(name): column if isinstance(column, list | tuple) else list(column) for name, column in given.items()
        }
        if len({len(column) for column in named.values()}) > 1:
            raise InvalidInput("votes must have columns of one length")
        return named, "votes"
    if is_frame(given):
        import narwhals.stable.v1 as nw

        frame = nw.from_native(given, eager_only=True)
        return {name: frame[name].to_list() for name in frame.columns}, "votes"
    if isinstance(given, (list, tuple)):
        return _of_records(given, "votes"), "votes"
    content = read_text(given)  # type: ignore[arg-type]
    where, begin = content.source, content.text.lstrip()[:1]
    if begin == "[":
        return _of_records(json_items(content.text.encode(), where), where), where
    if begin == "{":
        if (by_name := _by_name(content.text)) is not None:
            return _by_column(by_name)
        lines = (line for line in content.text.splitlines() if line.strip())
        return _of_records((json_object(line, f"{where}, line {n}") for n, line in enumerate(lines, 1)), where), where
    sheet = read_sheet(content)
    return {name: sheet.column(name) for name in sheet.header if name}, where


def _of_records(rows: Iterable[object], where: str) -> Cells:
    given = list(rows)
    records = [record for record in given if isinstance(record, Mapping)]
    if len(records) < len(given):
        raise InvalidInput(f"{where} must be a list of objects, one per vote")
    names = dict.fromkeys(name for record in records[:100] for name in record)
    return {str(name): [record.get(name) for record in records] for name in names}


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
        slices=column("slices", lambda _, n: [""] * n),
        decisions=(*dict.fromkeys(one for part in parts for one in part.decisions), *((said,) if own else ())),
    )  # fmt: skip


def _read(given: Cells, columns: Mapping[str, str], where: str) -> VoteRows:
    cells = _usual(given, where)
    chosen, decisions = _roles(tuple(cells), dict(columns), where)
    said = {role: cells[name] for role, name in chosen.items()}
    a, b = (list(_coded(said[side])) for side in ("model_a", "model_b"))
    for role, side in (("model_a", a), ("model_b", b)):
        blank = next((name for name in set(side) if not name.strip()), None)
        if blank is not None:
            raise InvalidInput(f"{where}, vote {side.index(blank) + 1}: column {chosen[role]!r} must name a model")
    graded = "preference" in said
    won, both_bad = (_graded(said["preference"], where), 0) if graded else _won(said["winner"], a, b, where)
    if not graded and (unclear := _unclear(said["winner"], a, b)):
        told = f"winner {unclear!r} is the model of this name, wherever it stands"
        decisions = (*decisions, Decision(what="winner", value=told, how="assumed", change="rename the model"))
    order = _order(said["order"], a, b, where, declared="order" in columns) if "order" in said else None
    if order is None:
        decisions = tuple(one for one in decisions if one.what != "order")
    if set(given) >= _BOTH_WAYS:
        decisions = (Decision(what="order", value="each pair was judged in both orders", how="from the file"),)
    item, annotator, part = (list(_coded(said[role])) if role in said else None for role in _LABELS)
    for name in cells:  # the same question in another turn or data set is another item
        if item is not None and normalised(name) in ("turn", "dataset") and name not in chosen.values():
            item = [f"{key}, {name} {label}" for key, label in zip(item, _coded(cells[name]), strict=True)]
    return VoteRows(
        model_a=a, model_b=b, won=won, item=item, annotator=annotator if annotator and any(annotator) else None,
        order=order, both_bad=both_bad, weights=_weights(said["weight"], where) if "weight" in said else None,
        decisions=decisions, slices=part,
    )  # fmt: skip


_LABELS = ("item", "annotator", "slice")
_BOTH_WAYS = {"g1_winner", "g2_winner"}
"""Columns of MT-Bench's pairs: each was judged twice, with the two answers exchanged, which are two votes of one item.
"""


def _usual(cells: Cells, where: str) -> Cells:
    """Other forms of winners as model_a, model_b and winner: two verdicts, winner and loser, or 0 and 1 for each."""
    words, count = {normalised(name): name for name in cells}, len(next(iter(cells.values())))
    made: dict[str, Values]
    if set(cells) >= _BOTH_WAYS:
        rows = {"question_id": range(count)} | {name: cells[name] for name in cells if name not in _BOTH_WAYS}
        made = {name: [cell for cell in column for _ in range(2)] for name, column in rows.items()}
        pairs = zip(cells["g1_winner"], cells["g2_winner"], strict=True)
        return {**made, "winner": [cell for pair in pairs for cell in pair], "order": ["model_a", "model_b"] * count}
    if {"winner", "loser"} <= set(words) and not set(words) & {*VOTE_ROLES["model_a"], *VOTE_ROLES["model_b"]}:
        made = {"model_a": cells[words["winner"]], "model_b": cells[words["loser"]], "winner": ["model_a"] * count}
        gone = {words["winner"], words["loser"]}
    elif {*_ONE_HOT[:2]} <= set(words) and "winner" not in words:
        sides = [(side.removeprefix("winner_"), list(map(_text, cells[words[side]]))) for side in _ONE_HOT
                 if side in words]  # fmt: skip
        said = [[side for side, own in sides if own[row] in ("1", "1.0", "True")] for row in range(count)]
        if (wrong := next((row for row, found in enumerate(said) if len(found) > 1), None)) is not None:
            raise InvalidInput(f"{where}, vote {wrong + 1}: one of {', '.join(_ONE_HOT)} must be 1, got {said[wrong]}")
        made, gone = {"winner": [found[0] if found else "" for found in said]}, set(_ONE_HOT)
    else:
        return cells
    return {name: column for name, column in cells.items() if name not in gone} | made


def _coded(cells: Values) -> Categories:
    """Each different cell as text, once."""
    try:
        found = Categories.of(cells)
    except TypeError:  # a list, such as a judge with its prompt
        return Categories.of(map(_text, cells))
    return Categories(found.codes, tuple(map(_text, found.labels)))


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


def _sided(cells: Values, a: list[str], b: list[str], values: Mapping[str, float]) -> tuple[Array, Categories, Flags]:
    """What the word or the model in each cell stands for, the cells, and which of them could be read."""
    said = _coded(cells)
    words = [normalised(text).replace("(", "").replace(")", "").strip("_") for text in said.labels]
    found = np.array([values.get(word, np.nan) for word in words])[said.codes]
    read = np.array([word in values for word in words])[said.codes]
    models = {*a, *b}
    for place in np.flatnonzero(np.array([text in models for text in said.labels])[said.codes]).tolist():
        if (text := said[place]) in (a[place], b[place]):
            found[place], read[place] = values["a" if text == a[place] else "b"], True
    return found, said, read


def _won(cells: Values, a: list[str], b: list[str], where: str) -> tuple[Array, int]:
    """1, 0, 0.5 or NaN per vote, and how many ties call both bad."""
    won, said, read = _sided(cells, a, b, _WON)
    if not read.all():
        place = int(np.flatnonzero(~read)[0])
        raise InvalidInput(
            f"{where}, vote {place + 1}: the winner must be {a[place]}, {b[place]}, model_a, model_b, tie or both_bad, "
            f"got {_short(said[place])}"
        )
    bad = [normalised(text).replace("(", "").replace(")", "").strip("_") in _BOTH_BAD for text in said.labels]
    return won, int((np.array(bad)[said.codes] & (won == 0.5)).sum())


def _unclear(cells: Values, a: list[str], b: list[str]) -> str:
    """A model whose name is a word for the other side, or for a tie: a winner of this name may mean either."""
    words = {name: word for name in {*a, *b} if (word := normalised(name)) in _A | _B | _TIE | _BOTH_BAD}
    if not words:
        return ""
    rows = (
        (name, x if words[name] in _A else y if words[name] in _B else None)
        for name, x, y in zip(cells, a, b, strict=True)
        if name in words and name in (x, y)
    )
    return next((name for name, meant in rows if meant != name), "")


def _weights(cells: Values, where: str) -> Array:
    try:
        found = np.array([float(cell) for cell in cells])
    except (TypeError, ValueError):
        found = np.array([np.nan])
    if not (np.isfinite(found) & (found > 0)).all():
        raise InvalidInput(f"{where}: the weight of a vote must be a number above 0")
    return found


def _graded(cells: Values, where: str) -> Array:
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


def _order(cells: Values, a: list[str], b: list[str], where: str, *, declared: bool) -> Array | None:
    """1 where model_a was shown first, −1 where model_b was, 0 where that is not known.

    None where the column is called so and holds something else, such as the number of a row.
    """
    order, said, read = _sided(cells, a, b, _FIRST)
    if not read.all():
        if not declared and read.mean() < MOST_UNREADABLE:
            return None
        place = int(np.flatnonzero(~read)[0])
        raise InvalidInput(
            f"{where}, vote {place + 1}: the order must be {a[place]}, {b[place]}, model_a or model_b, the one shown "
            f"first, got {_short(said[place])}"
        )
    return order


MOST_UNREADABLE = 0.5  # Share of readable cells below which a column called order is about something else.


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")


def _text(cell: object) -> str:
    """A cell as text; lists such as ["gpt-4", "pair-v2"] joined, nothing as an empty one."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    return " ".join(map(str, cell)) if isinstance(cell, (list, tuple)) else str(cell)
