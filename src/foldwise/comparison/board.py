"""Leaderboards: every model with its mean, its interval and the ranks that the data leave; where a new one enters."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from foldwise.comparison.by_metric import MetricComparison
from foldwise.comparison.comparison import Comparison
from foldwise.comparison.judgement import Judgement
from foldwise.comparison.judging import Given, judge
from foldwise.comparison.options import Options
from foldwise.comparison.results import new_frame
from foldwise.core.decisions import Decision, decisions_from
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.metric import Unit
from foldwise.core.result import Result, ready, told
from foldwise.core.types import Array, Flags, Json
from foldwise.evidence.items import Items, task_means
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many._adjust import adjust as adjust_pvalues
from foldwise.inference.several_models import rank_intervals


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    model: str
    mean: float
    low: float  #: Lower end of the interval of this mean alone; NaN where there is none
    high: float
    #: first, last: Ranks that all pairs together leave; 1 is best
    first: int
    last: int
    #: alone_first, alone_last: Ranks that pairs without adjustment leave
    alone_first: int
    alone_last: int
    may_be_best: bool
    better_than: int  #: How many it is shown to be better than
    worse_than: int

    @property
    def ranks(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Leaderboard(Result):
    """All models of a comparison, best mean first, with the ranks that the data leave.

    Examples
    --------
    >>> marks = {"a": [1] * 40, "b": [1, 1, 1, 0] * 10, "c": [1, 0] * 20}
    >>> from foldwise.comparison import compare_predictions
    >>> board = Leaderboard.of(compare_predictions(None, marks))
    >>> [(place.model, place.ranks) for place in board.places]
    [('a', '1'), ('b', '2'), ('c', '3')]
    """

    page: ClassVar[str] = "leaderboard"

    metric: str
    unit: Unit
    design: str
    alpha: float
    guarantee: str
    limit: str  #: What the answer is about, and what it is not
    n_comparisons: int  #: Pairs that the ranks are adjusted for
    places: tuple[Place, ...]
    #: test, adjusted, sources: By which test, adjusted how, and where these and the means' intervals come from
    test: str
    adjusted: str
    sources: tuple[str, ...]
    by_task: Mapping[str, tuple[float, ...]]  #: By task the mean of each model, in the order of `places`
    slices: Mapping[str, Any] | None = None  #: What was found by `slices`: column, means, interactions
    entry: Place | None = None  #: Where a new submission enters: its ranks by the pairs with it alone
    subject: str = ""
    repeat: str | None = None
    notes: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    understood: tuple[tuple[str, str], ...] = ()  #: What was read, as label and text
    comparison: Comparison | None = field(default=None, repr=False)  #: None where the board was read from JSON

    @classmethod
    def of(cls, found: Comparison | Judgement, *, new: str | None = None) -> Leaderboard:
        """The board of a comparison by one metric, or of a judgement's main verdict."""
        judged = found if isinstance(found, Judgement) else None
        c = found.main if isinstance(found, Judgement) else found
        if len(c.metrics) > 1:
            raise InvalidInput(f"a leaderboard is by one metric, got {', '.join(c.metrics)}: choose one")
        if c.control is not None:
            raise InvalidInput("a leaderboard compares all pairs: leave out the control; new names a new model")
        if new is not None and new not in c.models:
            raise UnknownName("new", new, c.models)
        places, part = _places(c), c.parts[0]
        order = [c.models.index(place.model) for place in places]
        tasks = _task_means(found, c)
        return cls(
            metric=c.metric,
            unit=part.shown_unit if tasks and part.over is not None else part.unit,
            design=c.design,
            alpha=c.alpha,
            guarantee=c.guarantee,
            limit=part.kind.limit,
            n_comparisons=len(c.pairs),
            places=places,
            test=part.title,
            adjusted=part.adjusted_by.title if len(c.pairs) > 1 else "",
            sources=(
                *part.sources,
                *(part.adjusted_by.references if len(c.pairs) > 1 else ()),
                *(() if all(math.isnan(place.low) for place in places) else part.alone_sources),
            ),
            by_task={task: tuple(float(means[i]) for i in order) for task, means in tasks.items()},
            slices=None if c.slices is None else c.slices.of_board([place.model for place in places], c.alpha),
            entry=None if new is None else _entry(c, new, places),
            subject=c.subject,
            repeat=c.repeat,
            notes=tuple(text for text in c.notes if text != part.kind.limit and "Holm's adjusted" not in text),
            decisions=tuple(found.reading),
            understood=() if judged is None else tuple(judged.understanding.lines()),
            comparison=c,
        )

    @property
    def first(self) -> tuple[str, ...]:
        """The models that share the first place: those that may be the best."""
        return tuple(place.model for place in self.places if place.may_be_best)

    def rows(self) -> list[dict[str, Any]]:
        """One row per model, as CSV and frames have them."""
        sliced = {} if self.slices is None else self.slices["means"]
        return [
            {
                "ranks": place.ranks,
                **asdict(place),
                **{name: means[at] for name, means in {**self.by_task, **sliced}.items()},
            }
            for at, place in enumerate(self.places)
        ]

    def to_frame(self) -> Any:
        """One row per model."""
        rows = self.rows()
        return new_frame({name: [row[name] for row in rows] for name in rows[0]}, like="")

    def to_csv(self) -> str:
        """One line per model; an interval that is unknown is empty."""
        text, rows = io.StringIO(), self.rows()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(rows[0])
        for row in rows:
            writer.writerow("" if isinstance(cell, float) and math.isnan(cell) else cell for cell in row.values())
        return text.getvalue()

    def _content(self) -> dict[str, Json]:
        kept = told(self, *_KEPT, "sources", "first", "by_task", "slices", "notes", "understood")
        entry = None if self.entry is None else _ready(self.entry)
        return {**kept, "places": [_ready(place) for place in self.places], "entry": entry}

    @classmethod
    def restored(cls, kept: Mapping[str, Any]) -> Leaderboard:
        """The board that `to_dict` wrote."""
        return cls(
            **{name: kept[name] for name in (*_KEPT, "slices")},
            places=tuple(map(_place, kept["places"])),
            by_task={task: tuple(means) for task, means in kept["by_task"].items()},
            sources=tuple(kept["sources"]),
            entry=None if kept["entry"] is None else _place(kept["entry"]),
            notes=tuple(kept["notes"]),
            decisions=decisions_from(kept.get("reading", ())),
            understood=tuple((label, text) for label, text in kept["understood"]),
        )


_KEPT = (
    "metric",
    "unit",
    "design",
    "alpha",
    "guarantee",
    "limit",
    "n_comparisons",
    "test",
    "adjusted",
    "subject",
    "repeat",
)
"""Fields that are kept as they are."""


def leaderboard(given: Given | Comparison | Judgement, *, new: str | None = None, **options: Any) -> Leaderboard:
    """Put all models on a board, with the ranks that the data leave.

    Parameters
    ----------
    given
        What `judge` takes; or a comparison or judgement that there is already.
    new
        A new submission among the models: where it enters the board of the others.
    **options
        As `judge` takes them: columns, metric, models, tasks, options …

    Returns
    -------
    Leaderboard
        `places`, `first`; ``print`` it, or `to_csv`, `report`, `to_markdown`.

    Examples
    --------
    >>> rows = {"model": ["a", "b", "c"] * 30, "item": [i // 3 for i in range(90)], "score": [1, 0, 0, 1, 1, 0] * 15}
    >>> import pandas as pd
    >>> board = leaderboard(pd.DataFrame(rows), new="b")
    >>> board.first, board.entry.ranks
    (('a',), '2')
    """
    if isinstance(given, Comparison | Judgement):
        if options:
            raise InvalidInput(f"{next(iter(options))} is for files, but a comparison was given")
        return Leaderboard.of(given, new=new)
    few = replace(options.pop("options", None) or Options(), each_task=False)
    return Leaderboard.of(judge(given, options=few, **options), new=new)


def _ready(place: Place) -> dict[str, Json]:
    return ready(place) | {"ranks": place.ranks}  # type: ignore[no-any-return]


def _place(kept: Mapping[str, Any]) -> Place:
    cells: dict[str, Any] = {name: math.nan if cell is None else cell for name, cell in kept.items() if name != "ranks"}
    return Place(**cells)


def _places(c: Comparison) -> tuple[Place, ...]:
    """Every model, best mean first; those of one mean in the order given."""
    part = c.parts[0]
    place = {name: i for i, name in enumerate(c.models)}
    better = _matrix(place, ((pair.better, pair.worse) for pair in c.pairs))
    alone = _matrix(place, ((pair.a, pair.b) if _first_wins(part, pair.estimate) else (pair.b, pair.a)
                            for pair in c.pairs if pair.pvalue < c.alpha and pair.estimate))  # fmt: skip
    unadjusted = rank_intervals(alone)
    low, high = (np.asarray(limit) for limit in (part.mean_intervals.low, part.mean_intervals.high))
    means, ranks, best = c.means, c.ranks, set(c.best_set)
    sign = -1.0 if part.higher_is_better else 1.0
    order = sorted(c.models, key=lambda name: (sign * means[name], ranks[name], place[name]))
    return tuple(
        Place(
            model=name, mean=float(means[name]), low=float(low[place[name]]), high=float(high[place[name]]),
            first=ranks[name][0], last=ranks[name][1], alone_first=int(unadjusted.low[place[name]]),
            alone_last=int(unadjusted.high[place[name]]), may_be_best=name in best,
            better_than=int(better[place[name]].sum()), worse_than=int(better[:, place[name]].sum()),
        )
        for name in order
    )  # fmt: skip


def _first_wins(part: MetricComparison, estimate: float) -> bool:
    return bool((estimate > 0) == part.higher_is_better)


def _matrix(place: Mapping[str, int], shown: Any) -> Flags:
    out = np.zeros((len(place), len(place)), dtype=np.bool_)
    for won, lost in shown:
        if won is not None:
            out[place[won], place[lost]] = True
    return out


def _entry(c: Comparison, new: str, places: tuple[Place, ...]) -> Place:
    """The ranks of one model by the pairs with it alone, adjusted for these: fewer than all pairs of the board."""
    part = c.parts[0]
    mine = [pair for pair in c.pairs if new in (pair.a, pair.b)]
    adjusted = adjust_pvalues([pair.pvalue for pair in mine], method="holm")
    won, lost = 0, 0
    for pair, p in zip(mine, adjusted, strict=True):
        if p < c.alpha and pair.estimate:
            ahead = pair.a if _first_wins(part, pair.estimate) else pair.b
            won, lost = won + (ahead == new), lost + (ahead != new)
    own = next(place for place in places if place.model == new)
    return replace(own, first=1 + lost, last=len(c.models) - won, better_than=won, worse_than=lost)


def _task_means(found: Comparison | Judgement, c: Comparison) -> dict[str, Array]:
    """The mean of each model on each task, where there are several."""
    evidence = c.parts[0].evidence
    if isinstance(evidence, ScoreTable):
        return dict(zip(evidence.datasets, evidence.means, strict=True))
    if isinstance(found, Judgement) and isinstance(evidence, Items) and evidence.tasks is not None:
        by_task = task_means(evidence.values, evidence.tasks)
        if by_task.shape[1] == len(found.understanding.tasks):
            return dict(zip(found.understanding.tasks, by_task.T, strict=True))
    return {}
