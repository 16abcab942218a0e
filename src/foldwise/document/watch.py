"""A comparison that is watched while items come in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import foldwise
from foldwise.core.formatting import level_text, number_text
from foldwise.core.metric import direction_words, metric_words
from foldwise.core.units import (
    asked_text,
    difference_text,
    limits_text,
    percents,
    pvalue_text,
    scores_text,
    sentence,
    span_text,
)
from foldwise.document.document import Document, Facts, Grid, Picture, Text, Tone, details
from foldwise.document.headline import drawn_interval, unit_words
from foldwise.document.margins import with_conclusion
from foldwise.document.references import cited, full_reference

if TYPE_CHECKING:
    from foldwise.comparison.from_stream import Watch

_REFERENCE = "Waudby-Smith & Ramdas (2024), Journal of the Royal Statistical Society B 86"


def watch(w: Watch) -> Document:
    """Whether one may stop, and the limits so far; then the method, its guarantee and the limits on the way."""
    return Document(
        title=f"{w.models[0]} vs {w.models[1]} ({w.evidence.design} so far)",
        subtitle="confidence sequence by betting",
        headline=with_conclusion(_answer(w), w),
        numbers=_numbers(w),
        tone=_tone(w),
        picture=_picture(w),
        blocks=(Facts(rows=tuple(_facts(w))),),
        notes=tuple(map(sentence, w.caveats)),
        details=details(
            method=(
                Text(lead="What is estimated:", text=_reading(w)),
                Facts(rows=(("direction", _direction(w)), ("evidence now", f"{number_text(w.evalue, 3)} : 1"))),
            ),
            guarantee=Text(text=sentence(w.guarantee)),
            limits_on_the_way=_limits(w),
            references=Text(text=full_reference(_REFERENCE)),
        ),
        command=w.repeat,
        methods=_methods_sentence(w),
        table=_limits(w),
    )


def watch_line(w: Watch) -> str:
    span = "no single difference fits" if w.interval is None else span_text(w.interval, w.unit)
    ahead = "" if w.forecast is None else f", about {w.forecast:,} needed at this difference"
    return f"{w.items:,} items: {difference_text(w.estimate, w.unit)} ({span}), p {pvalue_text(w.pvalue)}{ahead}"


def _answer(w: Watch) -> str:
    if w.interval is None:
        return "No single difference fits all items: it seems to have changed while they came in."
    if w.better is not None:
        return f"You may stop: {w.better} is better."
    return "You may stop." if w.may_stop else "Go on: no difference is shown yet."


def _numbers(w: Watch) -> str:
    if w.means is None:
        return "no items count yet"
    first, second = (f"{mean} ({name})" for mean, name in zip(scores_text(w.means, w.unit), w.models, strict=True))
    span = "" if w.interval is None else f" ({level_text(1 - w.alpha)} CI {span_text(w.interval, w.unit)})"
    return f"{metric_words(w.metric)} {first} vs {second}, a difference of {difference_text(w.estimate, w.unit)}{span}"


def _tone(w: Watch) -> Tone:
    if w.better is not None:
        return "decided"
    return "same" if w.may_stop else "open"


def _picture(w: Watch) -> Picture | None:
    if w.interval is None or w.means is None:
        return None
    row = drawn_interval(w.estimate, w.interval, unit=w.unit)
    left, right = w.models[::-1] if w.higher_is_better else w.models
    region = 0.0 if w.margin is None else percents(w.unit) * w.margin
    return Picture(rows=(row,), left=f"{left} better", right=f"{right} better", region=region, unit=unit_words(w.unit))


def _facts(w: Watch) -> list[tuple[str, str]]:
    waiting = f", {w.stream.waiting:,} more waiting until they are complete" if w.stream.waiting else ""
    clusters = f" in {w.stream.n:,} clusters" if w.stream.clusters else ""
    rows = [("items that count", f"{w.items:,}{clusters}{waiting}")]
    if w.shown_after is not None:
        rows.append(("difference shown after", f"{w.shown_after:,} items"))
    elif w.forecast is not None:
        rows.append(("items needed", f"about {w.forecast:,}, if the difference stays as it is"))
    rows.append(("anytime-valid p", pvalue_text(w.pvalue)))
    if w.conclusion is not None and w.margin is not None:
        limits = "unknown" if w.limits is None else f"{limits_text(w.limits, w.unit, w.margin)} (one-sided)"
        rows.append((f"margin {asked_text(w.margin, w.unit)}", f"{w.conclusion}; limits {limits}"))
    if not w.higher_is_better:
        rows.append(("direction", _direction(w)))
    return rows


def _direction(w: Watch) -> str:
    return direction_words(w.metric, w.higher_is_better, assumed=w.evidence.direction == "assumed")


def _reading(w: Watch) -> str:
    unit = "items in clusters" if w.stream.clusters else "items"
    return (
        f"The mean difference {w.models[0]} − {w.models[1]} over {unit} like these. With probability "
        f"{level_text(1 - w.alpha)} it lies within the interval at every moment from the first item on. You may look "
        "as often as you like, and stop at any time."
    )


def _limits(w: Watch) -> Grid:
    found = w.sequence
    rows = zip(w.items_at(found.looks).tolist(), found.estimate, found.low, found.high, strict=True)
    return Grid(
        columns=("items", "difference", "low", "high"),
        rows=tuple((f"{items:,}", *(number_text(value, 4) for value in values)) for items, *values in rows),
        caption=f"Limits of {metric_words(w.metric)}, {w.models[0]} − {w.models[1]}",
    )


def _methods_sentence(w: Watch) -> str:
    span = "" if w.interval is None else f" (confidence sequence {span_text(w.interval, w.unit)})"
    return (
        f"We compared {w.models[0]} and {w.models[1]} by {metric_words(w.metric)} on {w.evidence.design}, in the "
        f"order in which they came, with a betting confidence sequence of level {level_text(1 - w.alpha)}"
        f"{cited((_REFERENCE,))}, which is valid at any stopping time, using foldwise {foldwise.__version__}. The mean "
        f"difference was {difference_text(w.estimate, w.unit)}{span}."
    )
