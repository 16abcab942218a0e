"""The answer to files of any kind: what was understood, a verdict per task, and one over tasks."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from foldwise.comparison.claims import Claim
from foldwise.comparison.comparison import Comparison
from foldwise.comparison.evidence_json import MOST_NUMBERS, amount
from foldwise.comparison.results import new_frame
from foldwise.comparison.slices import Slices
from foldwise.comparison.understanding import Understanding
from foldwise.core.decisions import Decision, together
from foldwise.core.errors import InvalidInput
from foldwise.core.files import write_whole
from foldwise.core.result import Result
from foldwise.core.types import Json
from foldwise.reading.every_eval_ever import instance_lines
from foldwise.reading.series import Series

COLUMNS = ("task", "a", "b", "estimate", "low", "high", "pvalue", "adjusted", "better")  # Of a table of all pairs.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Judgement(Result):
    """What the files say about the models in them."""

    page: ClassVar[str] = "judgement"

    understanding: Understanding  #: What was read, and how
    verdicts: dict[str, Comparison]  #: A comparison per task; the name is empty where there is one task without a name
    overall: Comparison | None = None  #: The comparison over tasks, where there are several
    series: tuple[Series, ...] = field(default=(), repr=False)  #: What was compared, as it was read
    #: The package of the frame that was given ("polars"), whose frames `to_frame` gives; empty where there was none
    frames: str = ""

    @property
    def main(self) -> Comparison:
        """The verdict that answers: over tasks where there are several, else the only one."""
        return self.overall if self.overall is not None else next(iter(self.verdicts.values()))

    @property
    def slices(self) -> Slices | None:
        """What was found on each value of a column, where that was asked for."""
        return self.main.slices

    @property
    def reading(self) -> tuple[Decision, ...]:
        """What was decided on the way to the evidence of the main verdict."""
        own = self.main.reading  # which tells what an assumed direction means of right and wrong answers
        coded = any(one.what == "direction" and one.how == "assumed" for one in own)
        return together(own, (one for one in self.understanding.reading if not (coded and one.what == "direction")))

    def decided(self, *decisions: Decision | None) -> Judgement:
        """The same with more decisions that its main verdict rests on."""
        main = self.main.deciding([one for one in decisions if one is not None])
        if self.overall is not None:
            return replace(self, overall=main)
        return replace(self, verdicts=dict.fromkeys(self.verdicts, main))

    def claims(self) -> tuple[Claim, ...]:
        """What is said of each candidate against the baseline: over tasks, and on each of several, adjusted."""
        if self.overall is None:
            return self.main.claims()
        by_task = [replace(claim, task=task) for task, verdict in self.verdicts.items() for claim in verdict.claims()]
        return (*self.main.claims(), *by_task)

    @property
    def disagreement(self) -> str:
        """Which model is shown to be better on which tasks, where tasks point in different directions; else empty.

        Of three and more models a pair disagrees where each of the two is shown to be better than the other somewhere.
        """
        shown: dict[tuple[str, str], list[str]] = {}
        for task, verdict in self.verdicts.items():
            for better, worse in _shown(verdict):
                shown.setdefault((better, worse), []).append(task)
        torn = [(pair, tasks) for pair, tasks in shown.items() if pair[::-1] in shown]
        several = len(self.understanding.models) > 2
        told = "; ".join(
            f"{better} is better{f' than {worse}' if several else ''} on {', '.join(tasks)}"
            for (better, worse), tasks in torn
        )
        return f"Tasks disagree: {told}." if torn else ""

    def to_frame(self) -> Any:
        """Every pair of models on every task, and over tasks, as a table of the kind that was given."""
        every = {**self.verdicts, **self._over_tasks}
        rows = [{"task": task, **pair.row()} for task, verdict in every.items() for pair in verdict.pairs]
        return new_frame({name: [row[name] for row in rows] for name in COLUMNS}, like=self.frames)

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write the items that were compared as instances of Every Eval Ever (JSON Lines), for other tools to read."""
        if self.understanding.rows != "items":
            raise InvalidInput(f"export is for values of items, but these belong to {self.understanding.rows}")
        if not self.series:
            raise InvalidInput("export is for a judgement of files, but this one was read from JSON")
        library = ", ".join(self.understanding.formats)
        return write_whole(path, "".join(f"{line}\n" for line in instance_lines(self.series, library=library)))

    @property
    def _over_tasks(self) -> dict[str, Comparison]:
        return {} if self.overall is None else {"over tasks": self.overall}

    def _content(self) -> dict[str, Json]:
        """Understanding and verdicts as their own `to_dict` has them."""
        return {
            "understood": self.understanding.to_dict(),
            "verdicts": {task: _said(verdict) for task, verdict in self.verdicts.items()},
            "overall": None if self.overall is None else _said(self.overall),
            "disagreement": self.disagreement,
            **({} if self.slices is None else {"slices": self.slices.to_dict(self.main)}),
        }

    def _kept(self) -> Json:
        """The evidence of all verdicts, where it is little enough taken together."""
        verdicts = {task: verdict.to_dict().get("evidence") for task, verdict in self.verdicts.items()}
        overall = None if self.overall is None else self.overall.to_dict().get("evidence")
        kept: dict[str, Json] = {"verdicts": verdicts, "overall": overall}
        missing = None in verdicts.values() or (overall is None and self.overall is not None)
        return None if missing or amount(kept) > MOST_NUMBERS else kept


def _shown(verdict: Comparison) -> list[tuple[str, str]]:
    return [(pair.better, pair.worse) for pair in verdict.pairs if pair.better is not None and pair.worse is not None]


def _said(verdict: Result) -> dict[str, Json]:
    """A verdict without its evidence, which the judgement keeps for all of them or for none, and its slices."""
    return {name: value for name, value in verdict.to_dict().items() if name not in ("evidence", "slices")}
