"""A leaderboard: who shares the first place, every model with its ranks, and where a new one enters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import foldwise
from foldwise.core.formatting import level_text
from foldwise.core.metric import Unit, metric_words
from foldwise.core.types import Interval
from foldwise.core.units import capital, name_list, score_text, sentence, shared_decimals, span_text
from foldwise.document.document import Document, Drawing, Facts, Grid, Text, details
from foldwise.document.plots import CAPTIONS

if TYPE_CHECKING:
    from foldwise.comparison.board import Leaderboard, Place

MOST_TASKS = 6
"""Tasks whose means stand in the table: all of them are in CSV and JSON."""

MOST_DRAWN = 60
"""Rows beyond which a plot can't be read."""


RANKS = (
    "A model's ranks go from 1 + the number shown to be better than it to the number of models less those shown to be "
    "worse; they hold for all models together."
)


def leaderboard(b: Leaderboard) -> Document:
    """The board; how it was made is what its comparison says."""
    return Document(
        title=f"Leaderboard: {len(b.places)} models" + (f" on {b.subject}" if b.subject else ""),
        subtitle=b.design,
        headline=_headline(b),
        numbers=_numbers(b),
        tone="decided" if len(b.first) < len(b.places) else "open",
        blocks=(_table(b), Facts(rows=tuple(_facts(b)))),
        notes=tuple(map(sentence, b.notes)),
        details=details(
            method=Text(text=f"{capital(b.guarantee)}. {RANKS}"),
            what_was_understood=Facts(rows=b.understood),
            scope=Text(text=sentence(b.limit)),
        ),
        command=b.repeat,
        methods=_methods_sentence(b),
        table=_table(b),
    )  # fmt: skip


def leaderboard_plots(b: Leaderboard) -> dict[str, Drawing]:
    return {"leaderboard": Drawing(plot="leaderboard", shows=b, caption=CAPTIONS["leaderboard"], main=True, lead=True)}


def _methods_sentence(b: Leaderboard) -> str:
    spans = ", ".join(f"{place.model} {place.ranks}" for place in b.places[:MOST_TASKS])
    return (
        f"We ranked {len(b.places)} models by {metric_words(b.metric)} ({b.design}), all {b.n_comparisons:,} pairs "
        f"adjusted at level {b.alpha:g}, using foldwise {foldwise.__version__}. The simultaneous rank intervals of the "
        f"best were {spans}."
    )


def _headline(b: Leaderboard) -> str:
    first = list(b.first)
    board = (
        f"{first[0]} is first alone."
        if len(first) == 1
        else f"{len(first)} of {len(b.places)} models share the first place: {name_list(first)}."
    )
    if len(first) == len(b.places):
        every = "Both" if len(first) == 2 else f"All {len(first)}"
        board = f"{every} models share the first place: none is shown to be behind."
    if b.entry is None:
        return board
    place = b.entry
    rest = len(b.places) - 1 - place.better_than - place.worse_than
    ranks = f"at {place.ranks}" if place.first != place.last else f"as number {place.first}"
    return (
        f"{place.model} enters {ranks} of {len(b.places)}: better than {place.better_than}, worse than "
        f"{place.worse_than}, not distinguishable from {rest}. {board}"
    )


def _numbers(b: Leaderboard) -> str:
    top, last = b.places[0], b.places[-1]
    return (
        f"{metric_words(b.metric)} from {score_text(top.mean, b.unit)} ({top.model}) to "
        f"{score_text(last.mean, b.unit)} ({last.model})"
    )


def _facts(b: Leaderboard) -> list[tuple[str, str]]:
    pairs = b.n_comparisons
    level = level_text(1 - b.alpha)
    rows = [("ranks", f"hold for all models together ({level}; adjusted for {pairs:,} pair{'s' * (pairs != 1)})")]
    alone = sum(place.alone_first == 1 for place in b.places)
    by_chance = b.alpha * pairs
    if pairs > 1:
        rows.append(
            (
                "without adjustment",
                f"{'one model would be first alone' if alone == 1 else f'{alone} models would share the first place'}, "
                f"but then of {pairs:,} pairs of equal models {by_chance:,.3g} would differ by chance",
            )
        )
    if b.entry is not None:
        rows.append(("the new one", f"its ranks are adjusted for the {len(b.places) - 1} pairs with it alone"))
    if len(b.by_task) > MOST_TASKS:
        rows.append(("tasks", f"{len(b.by_task)}; their means are in --csv and --json"))
    if b.slices is not None:
        rows += [(f"first on {label}", name_list(who)) for label, who in b.slices["first"].items()]
        rows.append((f"by {b.slices['column']}", b.slices["told"]))
    return rows


def _table(b: Leaderboard) -> Grid:
    unit = b.unit
    decimals = shared_decimals([place.mean for place in b.places], 4) if unit == "own" else 1
    intervals = any(not np.isnan(place.low) for place in b.places)
    tasks = {**b.by_task, **({} if b.slices is None else b.slices["means"])}
    tasks = tasks if len(tasks) <= MOST_TASKS else {}
    rows = []
    for row, place in enumerate(b.places):
        cells = [place.ranks, place.model, score_text(place.mean, unit, decimals)]
        cells += [_span(place, unit, decimals)] if intervals else []
        rows.append((*cells, *(score_text(means[row], unit, decimals) for means in tasks.values())))
    columns = [
        "rank",
        "model",
        metric_words(b.metric),
        *([f"{level_text(1 - b.alpha)} CI"] if intervals else []),
        *tasks,
    ]
    at = None if b.entry is None else [place.model for place in b.places].index(b.entry.model)
    return Grid(
        columns=tuple(columns),
        rows=tuple(rows),
        caption="Best mean first; the interval is that of each mean alone" if intervals else "Best mean first",
        words=("model",),
        mark=at,
        unfolded=len(rows) <= MOST_DRAWN,
        rest="All of them are in --csv and --json.",
    )


def _span(place: Place, unit: Unit, decimals: int) -> str:
    if np.isnan(place.low):
        return "unknown"
    return span_text(Interval(low=place.low, high=place.high), unit, decimals)
