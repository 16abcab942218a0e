"""What leaderboards and frontiers of cost and quality say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import foldwise
from foldwise.core.formatting import level_text, number_text
from foldwise.core.metric import Unit, metric_words
from foldwise.core.types import Interval
from foldwise.core.units import (
    asked_text,
    capital,
    name_list,
    score_text,
    scores_text,
    sentence,
    shared_decimals,
    span_text,
)
from foldwise.document.document import Bullets, Document, Facts, Grid, Text, details
from foldwise.document.methods import RANKS as RANKS_BY
from foldwise.document.references import cited, listed

if TYPE_CHECKING:
    from foldwise.comparison.board import Leaderboard, Place
    from foldwise.comparison.costs import Frontier

MOST_TASKS = 6  # Tasks whose means stand in the table: all of them are in CSV and JSON.
MOST_DRAWN = 60  # Rows beyond which a plot can't be read.


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
            method=Text(text=f"{capital(b.guarantee)}. {RANKS}"), what_was_understood=Facts(rows=b.understood),
            scope=Text(text=sentence(b.limit)), references=listed((*b.sources, RANKS_BY)),
        ),
        command=b.repeat,
        methods=_methods_sentence(b),
        table=_table(b),
    )  # fmt: skip


def _methods_sentence(b: Leaderboard) -> str:
    spans = ", ".join(f"{place.model} {place.ranks}" for place in b.places[:MOST_TASKS])
    adjusted = f", {b.adjusted}" if b.adjusted else ""
    return (
        f"We ranked {len(b.places)} models by {metric_words(b.metric)} ({b.design}), {b.n_comparisons:,} "
        f"pair{'s' * (b.n_comparisons != 1)} compared by {b.test}{adjusted}{cited(b.sources)} at level {b.alpha:g}, "
        f"using foldwise {foldwise.__version__}. The simultaneous rank intervals of the best{cited((RANKS_BY,))} were "
        f"{spans}."
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
    best, worst = scores_text([top.mean, last.mean], b.unit)
    return f"{metric_words(b.metric)} from {best} ({top.model}) to {worst} ({last.model})"


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


ASSUMES = (
    "the items, or clusters of them, are independent draws from those that matter",
    "mean quality and mean cost are about normally distributed together: many items, no far outliers in cost",
)


_JOINT = ("Hothorn, Bretz & Westfall (2008), Biometrical Journal 50",)


def frontier(f: Frontier) -> Document:
    """Who is on it; then every model."""
    return Document(
        title=f"{len(f.models)} models by {f.cost} and {metric_words(f.metric)} ({f.design})",
        subtitle=f"joint law of all means, level {f.alpha:g} for everything shown",
        headline=frontier_headline(f),
        tone="decided" if any(one != "undecided" for one in f.found.status) else "open",
        blocks=(_frontier_table(f), *_frontier_facts(f)),
        details=details(
            method=Text(
                text="A model is dominated where some other is shown to be better and cheaper, and on the frontier "
                "where it is shown to be better or cheaper than each of the others. Differences of quality and cost "
                f"are shown beyond {number_text(f.found.critical, 3)} standard errors: the {level_text(1 - f.alpha)} "
                "quantile of the largest of all of them by chance, from draws of their joint law."
            ),
            assumptions=Bullets(items=ASSUMES),
            what_was_understood=Facts(rows=f.understood),
            references=listed(_JOINT),
        ),
        provenance=(("seed", str(f.seed)),),
        methods=f"{frontier_headline(f)} This was found from {f.design} by the joint law of mean "
        f"{metric_words(f.metric)} and mean {f.cost}{cited(_JOINT)}, at level {f.alpha:g} for all statements "
        f"together, using foldwise {foldwise.__version__}.",
        table=_frontier_table(f),
    )


def frontier_headline(f: Frontier) -> str:
    said = []
    if f.margin is not None:
        within = asked_text(f.margin, f.unit)
        said.append(
            f"No model is shown to be within {within} of all others."
            if f.choice is None
            else f"{f.choice} is the cheapest that is worse than no other by more than {within}."
        )
    out = [name for name, one in zip(f.models, f.found.status, strict=True) if one == "dominated"]
    parts = [f"{name_list(list(f.on_it))} {'is' if len(f.on_it) == 1 else 'are'} on the frontier"] if f.on_it else []
    parts += [f"{name_list(out)} {'is' if len(out) == 1 else 'are'} dominated"] if out else []
    said.append("; ".join(parts) + "." if parts else "Which models are on the frontier is undecided.")
    return " ".join(said)


def _frontier_facts(f: Frontier) -> tuple[Facts, ...]:
    open_ones = [name for name, one in zip(f.models, f.found.status, strict=True) if one == "undecided"]
    return (Facts(rows=(("undecided", name_list(open_ones)),)),) if open_ones else ()


def _frontier_table(f: Frontier) -> Grid:
    order = np.argsort(f.found.cost, kind="stable").tolist()
    near = f.found.near_best
    rows = []
    for i in order:
        who = [f.models[j] for j in np.flatnonzero(f.found.better[:, i] & f.found.cheaper[:, i])]
        cells = [f.models[i], number_text(float(f.found.cost[i]), 4), score_text(float(f.quality[i]), f.unit),
                 f.found.status[i], f"{100 * f.found.probability[i]:.0f} %", name_list(who or ["–"])]  # fmt: skip
        rows.append((*cells, *([] if near is None else ["yes" if near[i] else "not shown"])))
    columns = ["model", f.cost, metric_words(f.metric), "frontier", "undominated in", "dominated by"]
    return Grid(
        columns=(*columns, *([] if near is None else ["near the best"])),
        rows=tuple(rows),
        caption="Cheapest first; undominated in this share of draws of the joint law",
        words=("dominated by",),
    )
