"""The answer to files of any kind: what was understood, a verdict per task, and one over tasks."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any, ClassVar

from foldwise.comparison.claims import Claim
from foldwise.comparison.comparison import Comparison
from foldwise.comparison.evidence_json import MOST_NUMBERS, amount
from foldwise.comparison.results import new_frame
from foldwise.comparison.series_choice import Chosen
from foldwise.comparison.slices import Slices
from foldwise.core.decisions import Decision, How, decisions_to, together
from foldwise.core.errors import InvalidInput
from foldwise.core.files import write_whole
from foldwise.core.metric import (
    UNNAMED,
    Unit,
    check_unit,
    declared_unit,
    direction_words,
    is_loss,
    repeated_runs,
    resolve_direction,
)
from foldwise.core.result import Result
from foldwise.core.roles import ROLES
from foldwise.core.types import Json
from foldwise.evidence.items import said_of
from foldwise.reading.every_eval_ever import instance_lines
from foldwise.reading.reader import Reading
from foldwise.reading.series import ItemRows, Series, SplitRows

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


# ---- What was understood, which is said before any verdict.


_SHOWN = 12  # Names in a line.


@dataclass(frozen=True, slots=True, kw_only=True)
class Understanding(Result):
    """What the files hold, as they were read."""

    page: ClassVar[str] = "understanding"

    formats: dict[str, int]  #: Formats with their number of files
    #: models, tasks: Names, in the order of the files
    models: tuple[str, ...]
    tasks: tuple[str, ...]
    rows: str  #: What the values belong to: "items", "splits" or "tasks"
    size: dict[str, int]  #: How many there are of these, by task ("" where there is one task without a name)
    measures: dict[str, str]  #: What is compared on each task: the metric, with its filter after a comma
    #: higher_is_better, direction_from: The direction, and how it came about: "declared", "from the file", "by its
    #: name" or "assumed"
    higher_is_better: bool
    direction_from: How
    unit: Unit | None  #: The unit, where a person or percent signs in the files say it; else None
    other_metrics: tuple[str, ...]  #: What could be compared instead, as ``--metric`` takes it
    clusters: tuple[str, ...]  #: Names of columns that say which items belong together, of which ``--groups`` takes one
    trials: int  #: Trials of an item, 1 where there are none
    differing: dict[str, dict[str, str]]  #: Settings in which the models differ: name, and value by model
    #: left_out, passed_over: What no series holds, and files of no known format
    left_out: tuple[str, ...]
    passed_over: tuple[str, ...]
    #: How the columns of tables came to their roles, and what the way numbers are written says
    columns: tuple[Decision, ...] = ()
    #: Who is candidate and who baseline, and who said so; None where all of several are compared with each other
    candidate: Decision | None = None
    #: Mean seconds of a fit and of its scoring ("fit", "score"), by model, where the results have them
    times: dict[str, dict[str, float]] = field(default_factory=dict)
    #: noun, timed: What people call an item, and whether items have times
    noun: str = "item"
    timed: bool = False

    def _content(self) -> dict[str, Json]:
        candidate = None if self.candidate is None else decisions_to([self.candidate])[0]
        return {**super(Understanding, self)._content(), "columns": decisions_to(self.columns), "candidate": candidate}

    @property
    def metric(self) -> str:
        """The metric of all tasks; a word for all where they have different ones."""
        metrics = {measure.partition(",")[0] for measure in self.measures.values()}
        return metrics.pop() if len(metrics) == 1 else UNNAMED

    def metric_of(self, task: str) -> str:
        """The metric of one task, without its filter."""
        return self.measures[task].partition(",")[0]

    @property
    def said_direction(self) -> bool | None:
        """The direction where somebody or some name says it; None where it is assumed, so that the verdict says so."""
        return None if self.direction_from == "assumed" else self.higher_is_better

    @property
    def reading(self) -> tuple[Decision, ...]:
        """The direction, which files may say, and the roles of columns."""
        words = direction_words(self.metric, self.higher_is_better)
        change = "higher_is_better=False (--lower-is-better)"
        return (Decision(what="direction", value=words, how=self.direction_from, change=change), *self.columns)

    def lines(self) -> list[tuple[str, str]]:
        """What a person reads, as a label and a text each."""
        direction = "higher is better" if self.higher_is_better else "lower is better"
        choice = f"; also there: {_some(self.other_metrics)} (--metric)" if self.other_metrics else ""
        told = f" ({self.direction_from}{'; --lower-is-better if not' if self.direction_from == 'assumed' else ''})"
        found = [
            ("format", ", ".join(f"{name} ({count} file{'s' * (count > 1)})" for name, count in self.formats.items())),
            ("models", _some(self.models)),
            ("tasks", _some([task for task in self.tasks if task])),
            (said_of(self.noun, self.rows), _sizes(self.size) if self.rows != "tasks" else ""),
            ("metric", f"{_measures(self.measures)}, {direction}{told}{choice}"),
            ("trials", _trials(self.trials, self.metric)),
            ("clusters", f"available: {_some(self.clusters)} (--groups)" if self.clusters else ""),
            *((f"{what} time", ", ".join(f"{name} {mean:.2g} s" for name, mean in by_model.items()))
              for what, by_model in self.times.items()),
            *(("differs", f"{key}: {', '.join(f'{text} ({model})' for model, text in values.items())}")
              for key, values in self.differing.items()),
            *(("column", str(one)) for one in self.columns if one.how == "assumed" or one.what not in ROLES),
            *(("note", text) for text in self.left_out[:_SHOWN]),
            ("passed over", f"{_some(self.passed_over, 3)} (no known format)" if self.passed_over else ""),
        ]  # fmt: skip
        return [(label, text) for label, text in found if text]


def understand(reading: Reading, chosen: Chosen, *, declared: bool = False, unit: Unit | None = None) -> Understanding:
    """Say what the chosen series are; `declared` if the user gave their direction, `unit` if he said it."""
    series = chosen.series
    first = series[0]
    said = next((one.higher_is_better for one in series if one.higher_is_better is not None), None)
    unknown = any(one.higher_is_better is None and is_loss(one.metric) is None for one in series)
    direction_from: How = (
        "declared" if declared else "assumed" if unknown else "from the file" if said is not None else "by its name"
    )
    items = [one.rows for one in series if isinstance(one.rows, ItemRows)]
    return Understanding(
        formats=reading.formats,
        models=tuple(name for name in chosen.roles.names if any(one.model == name for one in series)),
        tasks=tuple(dict.fromkeys(one.task for one in series)),
        rows="items" if items else "splits" if isinstance(first.rows, SplitRows) else "tasks",
        size={one.task: one.rows.distinct if isinstance(one.rows, ItemRows) else one.rows.count
              for one in reversed(series)},
        measures={one.task: one.measure for one in series},
        higher_is_better=_direction(series),
        direction_from=direction_from,
        unit=check_unit(unit) or declared_unit(decision for one in series for decision in one.decisions),
        other_metrics=chosen.others,
        clusters=tuple(dict.fromkeys(name for rows in items for name in rows.clusters)),
        trials=max((_most_trials(rows) for rows in items), default=1),
        differing=_differing(series),
        left_out=(*reading.left_out, *chosen.left_out),
        passed_over=reading.passed_over,
        columns=tuple(dict.fromkeys(decision for one in series for decision in one.decisions)),
        candidate=chosen.roles.decision,
        times=_times(series),
        timed=any(rows.times is not None for rows in items),
        noun=next((rows.noun for rows in items), "item"),
    )  # fmt: skip


def _times(series: Sequence[Series]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, list[float]]] = {}
    for one in series:
        for what, seconds in one.times.items():
            found.setdefault(what, {}).setdefault(one.model, []).append(seconds)
    return {what: {name: fmean(each) for name, each in models.items()} for what, models in found.items()}


def _direction(series: Sequence[Series]) -> bool:
    known = {one.measure: resolve_direction(one.metric, one.higher_is_better)[0] for one in series}
    if len(set(known.values())) > 1:
        up, down = (next(name for name, higher in known.items() if higher is way) for way in (True, False))
        raise InvalidInput(
            f"all tasks must be measured in one direction, but higher is better by {up} and lower by {down}: choose "
            "one with metric"
        )
    return next(iter(known.values()))


def _measures(measures: dict[str, str]) -> str:
    by_measure: dict[str, list[str]] = {}
    for task, measure in measures.items():
        by_measure.setdefault(measure, []).append(task)
    if len(by_measure) == 1:
        return next(iter(by_measure))
    return "; ".join(f"{measure} ({_some(tasks)})" for measure, tasks in by_measure.items())


def _trials(most: int, metric: str) -> str:
    averaged = "" if repeated_runs(metric) else ", averaged within it"
    return f"up to {most} of an item{averaged}" if most > 1 else ""


def _most_trials(rows: ItemRows) -> int:
    if rows.trials is None:
        return 1
    return min(len(set(rows.trials)), max(Counter(rows.keys).values()))


def _differing(series: Sequence[Series]) -> dict[str, dict[str, str]]:
    """Settings that some model was run with and another was not, on the same task."""
    found: dict[str, dict[str, str]] = {}
    by_task: dict[str, list[Series]] = {}
    for one in series:
        by_task.setdefault(one.task, []).append(one)
    for beside in by_task.values():
        for key in dict.fromkeys(key for one in beside for key in one.settings):
            values = {one.model: one.settings[key] for one in beside if key in one.settings}
            if len(set(values.values())) > 1:
                found.setdefault(key, values)
    return found


def _sizes(size: dict[str, int]) -> str:
    counts = list(size.values())
    return f"{counts[0]:,}" if len(counts) == 1 else f"{sum(counts):,} in {len(counts)} tasks"


def _some(names: Sequence[str], most: int = _SHOWN) -> str:
    more = f" … and {len(names) - most} more" if len(names) > most else ""
    comma = "; " if any(", " in name for name in names) else ", "  # names of candidates are lists themselves
    return comma.join(names[:most]) + more
