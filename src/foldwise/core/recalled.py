"""A result that was kept as JSON and is read again: all it said and, where its evidence was kept, all it can show."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from foldwise.core.decisions import Decision, decisions_from
from foldwise.core.errors import InvalidInput
from foldwise.core.result import SCHEMA, Result
from foldwise.core.types import Json

__all__ = ["Recalled", "recall"]


RESTORERS = {"judgement": "foldwise.judging.restoring"}
"""Modules of rooms above that judge again what is no verdict by itself."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Recalled(Result):
    """What `to_dict` of a result wrote; every key is an attribute.

    Where the evidence was kept, it is judged again when somebody asks for a picture, a page or anything else that the
    keys do not say.

    Attributes
    ----------
    kind
        Which kind of result it was: `result` in JSON.
    content
        Everything else it consists of.
    """

    kind: str
    content: Mapping[str, Json]
    _whole: list[Result | None] = field(default_factory=list, repr=False)  # judged once, when it is asked for

    def _content(self) -> Mapping[str, Json]:
        return self.content

    @property
    def reading(self) -> tuple[Decision, ...]:
        """As it was kept."""
        kept: Any = self.content.get("reading", ())
        try:
            return decisions_from(kept)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise _damaged(self.kind, error) from error

    def to_dict(self) -> dict[str, Json]:
        """The same as the result itself wrote."""
        return {"schema": SCHEMA, "result": self.kind, **copy.deepcopy(dict(self.content))}

    def stands_for(self) -> Result:
        """The result itself, judged again from its evidence; this one where that can't be."""
        if not self._whole:
            restoring = import_module(RESTORERS.get(self.kind, "foldwise.verdict.restoring"))
            try:
                self._whole.append(restoring.restore(self.kind, self.content))
            except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
                raise _damaged(self.kind, error) from error
        return self._whole[0] or self

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            if name in self.content:
                return self.content[name]
            whole = self.stands_for()
            if whole is not self and hasattr(whole, name):
                return getattr(whole, name)
        raise AttributeError(f"this {self.kind} has no {name!r}; it has {', '.join(self.content)}")

    def __str__(self) -> str:
        whole = self.stands_for()
        if whole is not self:
            return str(whole)
        width = max(map(len, self.content), default=0)
        lines = [f"  {name:<{width}}   {_brief(value)}" for name, value in self.content.items() if value is not None]
        return "\n".join([f"{self.kind.replace('_', ' ')}, read from JSON", "", *lines])


def recall(kept: Mapping[str, Json], kind: str | None = None) -> Recalled:
    """The result that a dictionary describes.

    Parameters
    ----------
    kept
        What `to_dict` gave, or the same read from JSON.
    kind
        What it must be, or None for any.

    Examples
    --------
    >>> recall({"schema": SCHEMA, "result": "comparison", "pvalue": 0.02}).pvalue
    0.02
    """
    if not isinstance(kept, Mapping) or "schema" not in kept or not isinstance(kept.get("result"), str):
        raise InvalidInput("a result must be a dictionary with the keys 'schema' and 'result', as to_dict writes it")
    if kept["schema"] != SCHEMA:
        raise InvalidInput(f"schema must be {SCHEMA!r}, which this version reads, got {kept['schema']!r}")
    found = str(kept["result"])
    if kind not in (None, found):
        raise InvalidInput(f"result must be {kind!r} here, got {found!r}")
    return Recalled(kind=found, content={k: copy.deepcopy(v) for k, v in kept.items() if k not in ("schema", "result")})


def _damaged(kind: str, error: Exception) -> InvalidInput:
    """One sentence for all that can be wrong with what somebody changed by hand or cut off."""
    said = str(error) if isinstance(error, InvalidInput) else f"{type(error).__name__}: {error}"
    return InvalidInput(f"a {kind.replace('_', ' ')} must be as to_dict wrote it, but this one is damaged: {said}")


def _brief(value: object, longest: int = 90) -> str:
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
