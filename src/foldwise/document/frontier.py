"""Cost and quality: who is on the frontier, and the cheapest that is nearly the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import foldwise
from foldwise.core.formatting import level_text, number_text
from foldwise.core.metric import metric_words
from foldwise.core.units import asked_text, name_list, score_text
from foldwise.document.document import Bullets, Document, Drawing, Facts, Grid, Text, details
from foldwise.document.plots import CAPTIONS

if TYPE_CHECKING:
    from foldwise.comparison.costs import Frontier

ASSUMES = (
    "the items, or clusters of them, are independent draws from those that matter",
    "mean quality and mean cost are about normally distributed together: many items, no far outliers in cost",
)


def frontier(f: Frontier) -> Document:
    """Who is on it; then every model."""
    return Document(
        title=f"{len(f.models)} models by {f.cost} and {metric_words(f.metric)} ({f.design})",
        subtitle=f"joint law of all means, level {f.alpha:g} for everything shown",
        headline=_headline(f),
        tone="decided" if any(one != "undecided" for one in f.found.status) else "open",
        blocks=(_table(f), *_facts(f)),
        details=details(
            method=Text(
                text="A model is dominated where some other is shown to be better and cheaper, and on the frontier "
                "where it is shown to be better or cheaper than each of the others. Differences of quality and cost "
                f"are shown beyond {number_text(f.found.critical, 3)} standard errors: the {level_text(1 - f.alpha)} "
                "quantile of the largest of all of them by chance, from draws of their joint law."
            ),
            assumptions=Bullets(items=ASSUMES),
            what_was_understood=Facts(rows=f.understood),
        ),
        provenance=(("seed", str(f.seed)),),
        methods=f"{_headline(f)} This was found from {f.design} by the joint law of mean {metric_words(f.metric)} and "
        f"mean {f.cost}, at level {f.alpha:g} for all statements together, using foldwise {foldwise.__version__}.",
        table=_table(f),
    )


def frontier_plots(f: Frontier) -> dict[str, Drawing]:
    return {"frontier": Drawing(plot="frontier", shows=f, caption=CAPTIONS["frontier"], main=True, lead=True)}


def _headline(f: Frontier) -> str:
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


def _facts(f: Frontier) -> tuple[Facts, ...]:
    open_ones = [name for name, one in zip(f.models, f.found.status, strict=True) if one == "undecided"]
    return (Facts(rows=(("undecided", name_list(open_ones)),)),) if open_ones else ()


def _table(f: Frontier) -> Grid:
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
