"""What was decided on the way to the evidence, and codes of decisions and notes that `foldwise explain` knows."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What one kind of note or decision means."""

    code: str  #: Short and stable
    #: means, matters, do: What it says, when it changes the decision, what to do about it
    means: str
    matters: str
    do: str
    words: tuple[str, ...] = ()  #: Of a note, words of which one stands in its sentence; behind ``^`` at its beginning
    decision: tuple[str, ...] = ()  #: Of decisions, what they are about: `Decision.what`

    def to_dict(self) -> dict[str, Json]:
        return {"code": self.code, "means": self.means, "matters": self.matters, "do": self.do}


@cache
def explanations() -> dict[str, Explanation]:
    found = tomllib.loads((files("foldwise.core") / "notes.toml").read_text(encoding="utf-8"))
    return {
        code: Explanation(
            code=code, means=entry["means"], matters=entry["matters"], do=entry["do"],
            words=tuple(entry.get("words", ())), decision=tuple(entry.get("decision", ())),
        )
        for code, entry in found.items()
    }  # fmt: skip


def code_of(note: str) -> str | None:
    """The code of a note's sentence; None of one that the table does not know.

    >>> code_of("few clusters: p, interval and probabilities hold only as far as their means are about normal")
    'few-clusters'
    """
    said = f"^{note[:1].lower()}{note[1:]}"
    return next((one.code for one in explanations().values() if any(words in said for words in one.words)), None)


def decision_code(what: str) -> str | None:
    """The code of a decision about this.

    >>> decision_code("sentinel")
    'unit'
    """
    return next((one.code for one in explanations().values() if what in one.decision), None)
