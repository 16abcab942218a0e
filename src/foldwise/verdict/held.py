"""A candidate held against a baseline: what two learners of several have in common, whatever they were scored on."""

from __future__ import annotations

from foldwise.core.types import Interval

__all__ = ["Held"]


class Held:
    """Base of pairs that a margin was asked of: `limits` are those of a − b, `candidate` is one of the two names."""

    __slots__ = ()

    a: str
    b: str
    limits: Interval | None
    candidate: str | None

    @property
    def baseline(self) -> str:
        """The one that the candidate is held against."""
        return self.a if self.candidate == self.b else self.b

    @property
    def lead(self) -> Interval | None:
        """The limits for candidate − baseline."""
        return self.limits if self.limits is None or self.candidate == self.a else -self.limits
