"""What every result that a person can get has in common: it prints, shows itself, and can be kept and read again."""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

import numpy as np

from foldwise.core.decisions import Decision, decisions_from, decisions_to
from foldwise.core.display import OwnText
from foldwise.core.errors import InvalidInput
from foldwise.core.lazy import provided
from foldwise.core.types import Json

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCHEMA = "foldwise/2"  # Version of what `Result.to_dict` writes: it changes when a key changes its name or its meaning.


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimable:
    """What may be written about an answer, what belongs to it, and what may not be written; each a sentence."""

    may: tuple[str, ...]  #: What is shown, with its numbers
    with_it: tuple[str, ...] = ()  #: What must be said with it: what was assumed, and how far the test can be trusted
    may_not: tuple[str, ...] = ()  #: What the answer might seem to say and does not show, with the reason

    def __str__(self) -> str:
        return str(_presenter().claimable(self))

    def to_dict(self) -> dict[str, Json]:
        return told(self, "may", "with_it", "may_not")


def ready(value: Any) -> Any:
    """A value ready for JSON: records as their fields, arrays and tuples as lists, what is not finite as None.

    >>> ready((1.5, float("nan"), Claimable(may=("a",))))
    [1.5, None, {'may': ['a'], 'with_it': [], 'may_not': []}]
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if value is None or isinstance(value, str | int):  # most of all values of many pairs
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if is_dataclass(value):
        record: type = type(value)
        return {name: ready(getattr(value, name)) for name in _names(record)}
    if isinstance(value, Mapping):
        return {name: ready(one) for name, one in value.items()}
    return [ready(one) for one in value] if isinstance(value, list | tuple) else value


@cache
def _names(record: type) -> tuple[str, ...]:
    """The fields that records of a class are made of."""
    return tuple(one.name for one in fields(record) if one.init)


def told(record: Any, *names: str) -> dict[str, Json]:
    """These attributes of a record, ready for JSON."""
    return {name: ready(getattr(record, name)) for name in names}


class Result(OwnText):
    """Base of comparisons, estimates, studies, plans, data sets: one contract for all of them.

    A subclass names its kind (`page`, under which `foldwise.document` says what it says) and what it consists of
    (`_content`); everything else follows.
    """

    __slots__ = ()

    page: ClassVar[str] = "plain"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "__repr__" not in cls.__dict__:  # where each dataclass would show all of its fields
            cls.__repr__ = Result.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        """The answer on a line."""
        return f"<{type(self).__name__}: {self.headline.rstrip('.')}>"

    def _content(self) -> Mapping[str, Json]:
        """What `to_dict` writes of it: every field, where nothing else is said."""
        content: dict[str, Json] = ready(self)
        return content

    def _kept(self) -> Json:
        """The evidence, ready for JSON, where it is small enough to be kept with the result; None elsewhere."""
        return None

    @property
    def reading(self) -> tuple[Decision, ...]:
        """What was decided on the way to the evidence, and how each decision came about."""
        decided: tuple[Decision, ...] = getattr(self, "decisions", ())
        return decided

    def replace(self, **changes: Any) -> Self:
        """The same with other words around it: subject, repeat, more caveats."""
        changed: Self = replace(self, **changes)  # type: ignore[type-var]  # every result is a dataclass
        return changed

    def to_dict(self) -> dict[str, Json]:
        """All of it, ready for JSON: `schema` is the version of these keys, `result` the kind of result.

        `reading` has what was decided on the way to the evidence, where there was something to decide; `claim` what
        `may_claim` says, where there is something to claim.
        `evidence` is there where the result can be drawn again from it: see `from_dict`.
        """
        kept = self._kept()
        evidence = {} if kept is None else {"evidence": kept}
        reading = {"reading": decisions_to(self.reading)} if self.reading else {}
        claimed = _presenter().claim_of(self)
        claim = {} if claimed is None else {"claim": claimed.to_dict()}
        return {"schema": SCHEMA, "result": self.page, **self._content(), **claim, **reading, **evidence}

    @classmethod
    def from_dict(cls, kept: Mapping[str, Json]) -> Result:
        """The result that `to_dict` wrote, also by way of JSON.

        ``Result.from_dict`` takes any kind of result, ``Comparison.from_dict`` comparisons only. What comes back writes
        the same dictionary again. With its `evidence` it is judged again, and is what it was, a Comparison with its
        pictures, page and paper kit; leaderboards and frontiers are kept whole. Of other results the keys are
        attributes.
        """
        return recall(kept, None if cls is Result or cls.page == "plain" else cls.page)

    def __str__(self) -> str:
        return str(_presenter().plain(self))

    def details(self) -> str:
        """The answer with all that led to it: method, assumptions, guarantee, scope, references, tables."""
        return str(_presenter().plain(self, details=True))

    @property
    def verdict(self) -> str:
        """The answer with its numbers, in a sentence or two."""
        return str(_presenter().verdict(self))

    @property
    def headline(self) -> str:
        """The answer without its numbers."""
        return str(_presenter().headline(self))

    def to_html(self) -> str:
        """The whole report as one self-contained HTML page."""
        return str(_presenter().to_html(self))

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write the HTML page to a file, as a whole or not at all."""
        _presenter().keep(self, path)

    def plot(self, kind: str | None = None, **options: object) -> Figure:
        """The main plot, or one by name with its own options; a wrong name is answered with those there are.

        The Matplotlib figure belongs to no window; ``result.plot().savefig("out.png")`` writes it.
        """
        figure: Figure = _presenter().figure(self, kind, **options)
        return figure

    def methods(self) -> str:
        """What to write into the methods section of a paper."""
        return str(_presenter().methods(self))

    def may_claim(self) -> Claimable:
        """What you may write about the answer, and what you may not; a plan claims nothing."""
        found: Claimable = _presenter().may_claim(self)
        return found

    def to_latex(self) -> str:
        """The main table for LaTeX (packages booktabs and graphicx)."""
        return str(_presenter().latex_table(self))

    def bibtex(self) -> str:
        """BibTeX of all that the answer cites, and of this package."""
        return str(_presenter().bibtex(self))

    def paper(self, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
        """Write what a paper needs into a folder; returns the files.

        The methods paragraph with its citations, BibTeX, the tables for LaTeX, every plot as SVG and PDF, and a
        document that has all of it; for learners on data sets also the whole table of scores, how large the differences
        are with their intervals, and the critical-difference diagram as TikZ.
        """
        files: tuple[Path, ...] = _presenter().paper(self, folder)
        return files

    def to_markdown(self) -> str:
        """The answer for a comment on a pull request, with its details folded."""
        return str(_presenter().to_markdown(self))

    def _repr_html_(self) -> str:
        return str(_presenter().brief_html(self))

    def _repr_pretty_(self, printer: IPythonPrinter, cycle: bool) -> None:
        """What IPython shows where there is no HTML: the answer, not the fields it is made of."""
        printer.text(str(self))


class IPythonPrinter(Protocol):
    """What IPython hands to objects that print themselves."""

    def text(self, text: str) -> None:
        """Take some text."""


def _presenter() -> ModuleType:
    """What shows results: it is above them, and is looked up when a person asks for it."""
    return provided("present")


# ---- A result that was kept as JSON and is read again: all it said and, where its evidence was kept, all it shows.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Recalled(Result):
    """What `to_dict` of a result wrote, where it can't be judged again from its evidence; every key is an attribute."""

    kind: str  #: Which kind of result it was: `result` in JSON
    content: Mapping[str, Json]  #: Everything else it consists of

    def _content(self) -> Mapping[str, Json]:
        return self.content

    @property
    def reading(self) -> tuple[Decision, ...]:
        kept: Any = self.content.get("reading", ())
        try:
            return decisions_from(kept)
        except _DAMAGE as error:
            raise _damaged(self.kind, error) from error

    def __repr__(self) -> str:
        said = str(self.content.get("verdict", "")).split(": ")[0].split(". ")[0][:120]
        return f"<{self.kind} that was kept{said and ': '}{said}>"

    def to_dict(self) -> dict[str, Json]:
        return {"schema": SCHEMA, "result": self.kind, **copy.deepcopy(dict(self.content))}

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self.content:
            return self.content[name]
        raise AttributeError(f"this {self.kind} has no {name!r}; it has {', '.join(self.content)}")


JUDGED_AGAIN = ("comparison", "judgement", "leaderboard", "frontier")
"""Results that come back as what they were: from their evidence, or since their dictionary has all of them."""


def recall(kept: Mapping[str, Json], kind: str | None = None) -> Result:
    """The result that a dictionary describes.

    `kept` is what `to_dict` gave; a result of another `kind` is refused. What is judged again is read through once, so
    that whatever is damaged in it is one sentence, wherever it would be met.

    >>> recall({"schema": SCHEMA, "result": "comparison", "pvalue": 0.02}).to_dict()["pvalue"]
    0.02
    """
    if not isinstance(kept, Mapping) or "schema" not in kept or not isinstance(kept.get("result"), str):
        raise InvalidInput("a result must be a dictionary with the keys 'schema' and 'result', as to_dict writes it")
    if kept["schema"] != SCHEMA:
        raise InvalidInput(f"schema must be {SCHEMA!r}, which this version reads, got {kept['schema']!r}")
    found = str(kept["result"])
    if kind not in (None, found):
        raise InvalidInput(f"result must be {kind!r} here, got {found!r}")
    content = {k: copy.deepcopy(v) for k, v in kept.items() if k not in ("schema", "result")}
    try:
        whole: Result | None = provided("restore").restore(found, content) if found in JUDGED_AGAIN else None
        if whole is not None:
            whole.details()
    except _DAMAGE as error:
        raise _damaged(found, error) from error
    return whole or Recalled(kind=found, content=content)


_DAMAGE = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError)


def _damaged(kind: str, error: Exception) -> InvalidInput:
    """One sentence for all that can be wrong with what somebody changed by hand or cut off."""
    said = str(error) if isinstance(error, InvalidInput) else f"{type(error).__name__}: {error}"
    return InvalidInput(f"a {kind.replace('_', ' ')} must be as to_dict wrote it, but this one is damaged: {said}")
