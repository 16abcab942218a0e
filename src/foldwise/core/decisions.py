"""Decisions of the reading: what a column is, which direction is better, in which unit, what becomes of missing values.

Every one is made once, on the way from a file or an array to the evidence, and is kept with how it came about, so that
an answer can print those that nobody confirmed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from foldwise.core.notes import decision_code
from foldwise.core.types import Json

How = Literal["declared", "from the file", "by its name", "assumed"]
"""Said by the user; said by the file's own format; told by the name of a column or metric; nobody said it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One thing that was decided when the evidence was made.

    >>> print(Decision(what="direction", value="higher zeal is better", how="assumed", change="--lower-is-better"))
    higher zeal is better (assumed; --lower-is-better if not)
    """

    what: str  #: The role or property: "direction", "unit", "item", "missing", "order", "candidate" …
    value: str  #: What was decided, as a person reads it: "higher zeal is better", "column 'prompt_id'"
    how: How  #: How it came about
    #: The parameter and, in brackets, the option that says otherwise: "higher_is_better (--lower-is-better)"; empty
    #: where nothing could
    change: str = ""

    def __str__(self) -> str:
        change = f"; {self.change} if not" if self.change and self.how != "declared" else ""
        return f"{self.value} ({self.how}{change})"


def assumed(decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """Those that nobody confirmed, each once: what every answer prints."""
    return tuple(dict.fromkeys(one for one in decisions if one.how == "assumed"))


def assumed_text(decisions: Iterable[Decision]) -> str:
    """What nobody confirmed in a sentence; empty where there is nothing.

    >>> assumed_text([Decision(what="direction", value="higher zeal is better", how="assumed", change="--lower")])
    'Assumed: higher zeal is better (if not: --lower).'
    """
    found = [f"{one.value} (if not: {_listed(one.change)})" if one.change else one.value for one in assumed(decisions)]
    return f"Assumed: {'; '.join(found)}." if found else ""


def _listed(change: str) -> str:
    """Parameter and option side by side, without brackets in brackets."""
    parameter, bracket, option = change.partition(" (--")
    return f"{parameter}, --{option.removesuffix(')')}" if bracket else change


def together(own: Iterable[Decision], said: Iterable[Decision]) -> tuple[Decision, ...]:
    """What was decided, those that somebody `said` more about instead of one's own about the same."""
    said = tuple(said)
    known = {one.what for one in said}
    return (*(one for one in own if one.what not in known), *said)


def decisions_to(decisions: Iterable[Decision]) -> list[Json]:
    return [
        {"what": one.what, "value": one.value, "how": one.how, "change": one.change, "code": decision_code(one.what)}
        for one in decisions
    ]


def decisions_from(kept: Iterable[Mapping[str, str]]) -> tuple[Decision, ...]:
    fields = ("what", "value", "how", "change")
    return tuple(Decision(**{name: one[name] for name in fields if name in one}) for one in kept)  # type: ignore[arg-type]  # how is one of four words
