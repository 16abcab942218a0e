"""A comparison that is watched, as plain text: may we stop, what is known, how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.formatting import level_text, number_text
from foldwise.core.metric import direction_words, metric_words
from foldwise.core.units import (
    asked_text,
    capital,
    difference_text,
    limits_text,
    pvalue_text,
    score_text,
    sentence,
    span_text,
)
from foldwise.report.margin_text import conclusion_sentence
from foldwise.report.text import WIDTH, answer_lines, laid_out, with_conclusion
from foldwise.report.words import wrapped

if TYPE_CHECKING:
    from foldwise.verdict.watch_result import Watch

__all__ = [
    "WATCH_TITLE",
    "watch_found",
    "watch_headline",
    "watch_line",
    "watch_reading",
    "watch_rows",
    "watch_text",
    "watch_title",
]

WATCH_TITLE = "confidence sequence by betting"
"""What is done, in words."""


def watch_text(w: Watch) -> str:
    """Return the answer as a person would paste it."""
    left = watch_title(w)
    lines = [left + " " * max(3, WIDTH - len(left) - len(WATCH_TITLE)) + WATCH_TITLE, ""]
    lines += [
        *answer_lines(watch_headline(w), w),
        "",
        *laid_out(watch_rows(w)),
        "",
        *wrapped(f"Read this as: {watch_reading(w)}"),
        *wrapped(f"Guarantee: {sentence(w.guarantee)}"),
    ]
    lines += wrapped("Caveats: " + " ".join(map(sentence, w.caveats)))
    return "\n".join([*lines, *(["", f"  look again: {w.repeat}"] if w.repeat else [])])


def watch_title(w: Watch) -> str:
    """Who is compared, and how much there is so far."""
    return f"{w.models[0]} vs {w.models[1]} ({w.evidence.design} so far)"


def watch_headline(w: Watch) -> str:
    """The answer in a few sentences."""
    answer = _answer(w)
    if w.conclusion is not None and w.margin is not None:
        margin = asked_text(w.margin, w.unit)
        asked = conclusion_sentence(w.conclusion, *w.models, margin, better=w.better)
        answer = with_conclusion(answer, asked, w)
    if w.means is None:
        return f"{answer}  No items count yet."
    first, second = (f"{score_text(mean, w.unit)} ({name})" for mean, name in zip(w.means, w.models, strict=True))
    span = "" if w.interval is None else f", {level_text(1 - w.alpha)} interval {span_text(w.interval, w.unit)}"
    numbers = (
        f"{capital(metric_words(w.metric))} {first} against {second}: {difference_text(w.estimate, w.unit)}{span}."
    )
    return f"{answer}  {numbers}"


def _answer(w: Watch) -> str:
    if w.interval is None:
        return "No single difference fits all items: it seems to have changed while they came in."
    if w.better is not None:
        return f"You may stop: {w.better} is better."
    return "You may stop." if w.may_stop else "Go on: no difference is shown yet."


def watch_line(w: Watch) -> str:
    """Where it stands, in one line."""
    span = "no single difference fits" if w.interval is None else span_text(w.interval, w.unit)
    ahead = "" if w.forecast is None else f", about {w.forecast:,} needed as it looks"
    return f"{w.items:,} items: {difference_text(w.estimate, w.unit)} ({span}), p {pvalue_text(w.pvalue)}{ahead}"


def watch_rows(w: Watch) -> list[tuple[str, str]]:
    """What each number is, and the number."""
    waiting = f", {w.stream.waiting:,} more waiting until they are complete" if w.stream.waiting else ""
    bets = f" in {w.stream.n:,} clusters" if w.stream.clusters else ""
    rows = [("items that count", f"{w.items:,}{bets}{waiting}")]
    if w.shown_after is not None:
        rows.append(("difference shown after", f"{w.shown_after:,} items"))
    elif w.forecast is not None:
        rows.append(("items it may take, if the difference stays", f"about {w.forecast:,}"))
    rows.append(
        ("p, however often one looks", f"{pvalue_text(w.pvalue)}   (evidence now {number_text(w.evalue, 3)} : 1)")
    )
    if w.conclusion is not None and w.margin is not None:
        limits = "unknown" if w.limits is None else f"{limits_text(w.limits, w.unit, w.margin)}   (one-sided)"
        rows.append((f"{w.models[0]} against {w.models[1]}, margin {asked_text(w.margin, w.unit)}", w.conclusion))
        rows.append((f"limits of {w.models[0]} − {w.models[1]}", limits))
    direction = direction_words(w.metric, w.higher_is_better, assumed=w.evidence.direction_assumed)
    return [*rows, ("direction", direction)]


def watch_found(w: Watch) -> str:
    """The difference with its interval, in a few words."""
    span = "" if w.interval is None else f", {level_text(1 - w.alpha)} interval {span_text(w.interval, w.unit)}"
    return f"{metric_words(w.metric)} differs by {difference_text(w.estimate, w.unit)}{span} so far"


def watch_reading(w: Watch) -> str:
    """What the interval means."""
    unit = "items in clusters" if w.stream.clusters else "items"
    return (
        f"with probability {level_text(1 - w.alpha)} the mean difference {w.models[0]} − {w.models[1]} over {unit} "
        "like these lies within the interval at every moment from the first item on, so that looking often and "
        "stopping whenever one likes does no harm."
    )
