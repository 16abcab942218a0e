"""The page of a comparison that is watched while items come in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import foldwise
from foldwise.core.formatting import level_text, number_text
from foldwise.core.metric import metric_words
from foldwise.core.units import difference_text, sentence, span_text
from foldwise.report import plots
from foldwise.report.drawings import Drawing
from foldwise.report.page import Facts, Grid, Page, Section, Text, Tone
from foldwise.report.pages.parts import caveat_sections
from foldwise.report.watch_text import WATCH_TITLE, watch_headline, watch_reading, watch_rows, watch_title

if TYPE_CHECKING:
    from foldwise.verdict.watch_result import Watch

__all__ = ["drawings", "page"]

REFERENCE = "Waudby-Smith & Ramdas (2024), Journal of the Royal Statistical Society B 86"


def page(w: Watch) -> Page:
    """Whether one may stop, the numbers, the limits on the way."""
    answer, _, detail = watch_headline(w).partition("  ")
    meaning = (
        Text(lead="Read this as:", text=watch_reading(w)),
        Text(lead="Guarantee:", text=sentence(w.guarantee)),
    )
    return Page(
        title=watch_title(w),
        subtitle=WATCH_TITLE,
        headline=answer,
        detail=detail,
        tone=_tone(w),
        sections=(
            Section(blocks=(Facts(rows=tuple(watch_rows(w))), *meaning), brief=True),
            *caveat_sections(w.caveats),
            Section(heading="On the way", blocks=(_limits(w),)),
            Section(heading="Where it comes from", blocks=(Text(text=f"{REFERENCE}."),)),
        ),
        command=w.repeat,
        methods=_methods(w),
        table=_limits(w),
    )


def drawings(w: Watch) -> dict[str, Drawing]:
    """The limits by the number of items."""
    return {"sequence": Drawing(plot="plot_sequence", shows=w, caption=plots.caption("sequence"), main=True)}


def _tone(w: Watch) -> Tone:
    if w.better is not None:
        return "decided"
    return "same" if w.may_stop else "open"


def _limits(w: Watch) -> Grid:
    found = w.sequence
    rows = zip(w.items_at(found.looks).tolist(), found.estimate, found.low, found.high, strict=True)
    return Grid(
        columns=("items", "difference", "low", "high"),
        rows=tuple((f"{items:,}", *(_number(value) for value in values)) for items, *values in rows),
        caption=f"Limits of {metric_words(w.metric)}, {w.models[0]} − {w.models[1]}",
    )


def _number(value: float) -> str:
    return number_text(value, 4)


def _methods(w: Watch) -> str:
    span = "" if w.interval is None else f" (confidence sequence {span_text(w.interval, w.unit)})"
    return (
        f"We compared {w.models[0]} and {w.models[1]} by {metric_words(w.metric)} on {w.evidence.design}, in the "
        "order in which they "
        f"came, with a betting confidence sequence of level {level_text(1 - w.alpha)} ({REFERENCE}), which is valid "
        f"at any stopping time, using foldwise {foldwise.__version__}. The mean difference was "
        f"{difference_text(w.estimate, w.unit)}{span}."
    )
