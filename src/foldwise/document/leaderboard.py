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

__all__ = ["leaderboard", "leaderboard_plots"]

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
    c = b.comparison
    limit = c.parts[0].kind.limit
    return Document(
        title=f"Leaderboard: {len(b.places)} models" + (f" on {c.subject}" if c.subject else ""),
        subtitle=c.design,
        headline=_headline(b),
        numbers=_numbers(b),
        tone="decided" if len(b.first) < len(b.places) else "open",
        blocks=(_table(b), Facts(rows=tuple(_facts(b)))),
        notes=tuple(sentence(text) for text in c.notes if text != limit and "Holm's adjusted" not in text),
        details=details(
            method=Text(text=f"{capital(c.guarantee)}. {RANKS}"),
            what_was_understood=Facts(rows=tuple([] if b.understanding is None else b.understanding.lines())),
            scope=Text(text=sentence(limit)),
        ),
        command=c.repeat,
        methods=_methods_sentence(b),
        table=_table(b),
    )  # fmt: skip


def leaderboard_plots(b: Leaderboard) -> dict[str, Drawing]:
    """Means with intervals, and ranks."""
    return {"leaderboard": Drawing(plot="leaderboard", shows=b, caption=CAPTIONS["leaderboard"], main=True, lead=True)}


def _methods_sentence(b: Leaderboard) -> str:
    """How the board was made, ready to paste."""
    c = b.comparison
    spans = ", ".join(f"{place.model} {place.ranks}" for place in b.places[:MOST_TASKS])
    return (
        f"We ranked {len(b.places)} models by {metric_words(c.metric)} ({c.design}), all {len(c.pairs):,} pairs "
        f"adjusted at level {c.alpha:g}, using foldwise {foldwise.__version__}. The simultaneous rank intervals of the "
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
        board = f"All {len(first)} models share the first place: none is shown to be behind."
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
    top, last, unit = b.places[0], b.places[-1], _unit(b)
    return (
        f"{metric_words(b.comparison.metric)} from {score_text(top.mean, unit)} ({top.model}) to "
        f"{score_text(last.mean, unit)} ({last.model})"
    )


def _unit(b: Leaderboard) -> Unit:
    found: Unit = b.comparison.parts[0].shown_unit if b.by_task and not _of_items(b) else b.comparison.parts[0].unit
    return found


def _of_items(b: Leaderboard) -> bool:
    return b.comparison.parts[0].over is None


def _facts(b: Leaderboard) -> list[tuple[str, str]]:
    pairs = len(b.comparison.pairs)
    level = level_text(1 - b.comparison.alpha)
    rows = [("ranks", f"hold for all models together ({level}; adjusted for {pairs:,} pair{'s' * (pairs != 1)})")]
    alone = sum(place.alone_first == 1 for place in b.places)
    by_chance = b.comparison.alpha * pairs
    if pairs > 1:
        rows.append(
            (
                "without adjustment",
                f"{alone} model{'s' * (alone != 1)} would share the first place, but then of {pairs:,} pairs of equal "
                f"models {by_chance:,.3g} would differ by chance",
            )
        )
    if b.entry is not None:
        rows.append(("the new one", f"its ranks are adjusted for the {len(b.places) - 1} pairs with it alone"))
    if len(b.by_task) > MOST_TASKS:
        rows.append(("tasks", f"{len(b.by_task)}; their means are in --csv and --json"))
    return rows


def _table(b: Leaderboard) -> Grid:
    unit, c = _unit(b), b.comparison
    decimals = shared_decimals([place.mean for place in b.places], 4) if unit == "own" else 1
    intervals = any(not np.isnan(place.low) for place in b.places)
    tasks = dict(list(b.by_task.items())) if len(b.by_task) <= MOST_TASKS else {}
    rows = []
    for row, place in enumerate(b.places):
        cells = [place.ranks, place.model, score_text(place.mean, unit, decimals)]
        cells += [_span(place, unit, decimals)] if intervals else []
        rows.append((*cells, *(score_text(means[row], unit, decimals) for means in tasks.values())))
    columns = [
        "rank",
        "model",
        metric_words(c.metric),
        *([f"{level_text(1 - c.alpha)} CI"] if intervals else []),
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
