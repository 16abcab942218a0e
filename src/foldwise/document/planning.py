"""Which test to use, and how much is needed for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import foldwise
from foldwise.core.formatting import number_text
from foldwise.core.units import sentence
from foldwise.document.document import Bullets, Document, Facts, Grid, Text, details

if TYPE_CHECKING:
    from foldwise.comparison.advice import Advice
    from foldwise.comparison.power_plan import PowerPlan
    from foldwise.inference.measured import Stored


def advice(a: Advice) -> Document:
    """What to use, why, what it costs and what to run; then how it behaved where the truth is known."""
    grids = (_behaviour(a.figures),) if any("power" in row for row in a.figures) else ()
    return Document(
        title=f"Question {a.question}: {a.asked}",
        headline=f"Use {a.test}.",
        numbers=a.why.rstrip("."),
        tone="decided",
        blocks=(
            Facts(rows=(("cost", f"{a.cost} fits"), ("run", a.command), ("guarantee", sentence(a.guarantee)))),
            *grids,
        ),
        notes=tuple(map(sentence, a.caveats)),
        details=details(measured=Text(text=sentence(a.measured))),
    )


def _behaviour(figures: tuple[Stored, ...]) -> Grid:
    return Grid(
        columns=("measured with", "Type I error", "power", "same verdict again", "data sets"),
        rows=tuple(
            (_learners(row), _span(row["type1"], 3), _power(row), _again(row), str(row["type1"]["trials"]))
            for row in figures
        ),
        caption="At level 0.05, with 95 % Monte-Carlo intervals. Same verdict again: the share of data sets on "
        f"which ten partitions agree.{_drawn(figures)}",
    )


def _drawn(figures: tuple[Stored, ...]) -> str:
    """The populations, where learners were compared on some."""
    if "null" not in figures[0]:
        return ""
    null, effect = (", ".join(dict.fromkeys(str(row[key]) for row in figures)) for key in ("null", "effect"))
    return f" Data sets of {figures[0]['n']} examples without a difference from {null}; with one from {effect}."


def _learners(row: Stored) -> str:
    """What was compared: trained learners, simulated ones, or columns of tables."""
    if "learners" not in row:
        return str(row.get("population", row.get("case", "")))
    return " and ".join(row["learners"]) or "simulated classifiers"


def _span(share: Stored, digits: int) -> str:
    return f"{share['rate']:.{digits}f} ({share['low']:.{digits}f} to {share['high']:.{digits}f})"


def _power(row: Stored) -> str:
    """The power, and the size of the difference that it is about."""
    size = f" at {100 * abs(row['difference']):.1f} points" if "difference" in row else ""
    return _span(row["power"], 2) + size


def _again(row: Stored) -> str:
    shares = [row[key] for key in ("consistent_null", "consistent_effect") if key in row]
    return _span(min(shares, key=lambda share: float(share["rate"])), 2) if shares else "–"


def plan(p: PowerPlan) -> Document:
    """The answer, the curve, and what it assumes."""
    sizes = [size for size, _ in p.curve]
    grid = Grid(
        columns=(p.unit, "power"),
        rows=tuple((str(size), f"{power:.3f}") for size, power in p.curve),
        caption="Power by size",
        mark=sizes.index(p.size) if p.size in sizes else None,
    )
    return Document(
        title="How much is needed?",
        subtitle=f"{p.test}, level {number_text(p.alpha, 4)}",
        headline=p.sentence,
        tone="decided",
        blocks=(grid, *_designs(p), Bullets(lead="Assumes:", items=tuple(map(sentence, p.assumptions)))),
        methods=f"{p.sentence} This was computed with foldwise {foldwise.__version__}.",
    )


def _designs(p: PowerPlan) -> tuple[Grid, ...]:
    """What other numbers of runs need and cost, the cheapest marked; of clusters the cheapest for each size."""
    if not p.designs:
        return ()
    clustered = p.unit == "clusters"
    cheapest = [min((one for one in p.designs if one[1] == per), key=lambda one: one[3])
                for per in dict.fromkeys(one[1] for one in p.designs)]  # fmt: skip
    shown = cheapest if clustered else list(p.designs)
    rows = tuple(
        (*([str(per)] if clustered else []), str(runs), str(size), f"{size * per * runs:,}", number_text(price, 4))
        for runs, per, size, price in shown
    )
    told = "items of each cluster, each with its cheapest number of runs" if clustered else "runs"
    grid = Grid(
        columns=(*(["items of each"] if clustered else []), "runs of each", p.unit, "runs in all", "cost"),
        rows=rows,
        caption=f"The same power with other numbers of {told}; the cheapest is marked",
        mark=min(range(len(shown)), key=lambda place: shown[place][3]),
    )
    return (grid,)
