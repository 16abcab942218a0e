"""The answer to files of any kind: what was understood, a verdict per task, and one over tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from foldwise.core.result import Result
from foldwise.core.types import Json
from foldwise.judging.understanding import Understanding
from foldwise.verdict.claims import Claim
from foldwise.verdict.comparison import Comparison
from foldwise.verdict.many.comparison import ManyComparison
from foldwise.verdict.models.comparison import ModelsComparison

__all__ = ["Judgement", "Verdict"]

Verdict: TypeAlias = Comparison | ModelsComparison | ManyComparison
"""What a door answers."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Judgement(Result):
    """What the files say about the models in them.

    Attributes
    ----------
    understanding
        What was read, and how.
    verdicts
        A comparison per task; the name is empty where there is one task without a name.
    overall
        The comparison over tasks, where there are several.
    """

    page: ClassVar[str] = "judgement"

    understanding: Understanding
    verdicts: dict[str, Verdict]
    overall: Verdict | None = None

    @property
    def main(self) -> Verdict:
        """The verdict that answers: over tasks where there are several, else the only one."""
        return self.overall if self.overall is not None else next(iter(self.verdicts.values()))

    def claims(self) -> tuple[Claim, ...]:
        """What the main verdict says of each candidate against the baseline."""
        return self.main.claims()

    def _content(self) -> dict[str, Json]:
        """Understanding and verdicts as their own `to_dict` has them."""
        return {
            "understood": self.understanding.to_dict(),
            "verdicts": {task: verdict.to_dict() for task, verdict in self.verdicts.items()},
            "overall": None if self.overall is None else self.overall.to_dict(),
        }

    def __str__(self) -> str:
        parts = [str(self.understanding)]
        if self.overall is not None:
            parts.append(str(self.overall))
            parts.append("\n".join(["By task", *(f"  {task}: {first_line(v)}" for task, v in self.verdicts.items())]))
        else:
            parts.append(str(self.main))
        return "\n\n".join(parts)


def first_line(verdict: Result) -> str:
    """The headline of a verdict: its first line that is indented, below the title."""
    lines = [line.strip() for line in str(verdict).splitlines() if line.strip()]
    return lines[1] if len(lines) > 1 else lines[0]
