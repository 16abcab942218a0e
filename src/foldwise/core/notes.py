"""Notes and decisions by their codes: what they mean, when they change the decision, and what to do."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from foldwise.core.types import Json


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
            code=code,
            means=entry["means"],
            matters=entry["matters"],
            do=entry["do"],
            words=tuple(entry.get("words", ())),
            decision=tuple(entry.get("decision", ())),
        )
        for code, entry in found.items()
    }


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
