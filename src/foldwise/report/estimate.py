"""An estimated error as plain text."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import foldwise
from foldwise.core.formatting import found_in_store, level_text
from foldwise.core.metric import metric_words, unit_of
from foldwise.core.units import capital, score_text, sentence
from foldwise.report.text import WIDTH

if TYPE_CHECKING:
    from foldwise.estimation.result import ErrorEstimate

__all__ = ["estimate_figure", "estimate_headline", "estimate_methods", "estimate_stored", "estimate_text"]


def estimate_text(e: ErrorEstimate) -> str:
    """The estimate as a person would paste it: the figure first, then what it is made of, then the caveats."""
    left = e.learner + (f" on {e.subject}" if e.subject else "")
    gap = " " * max(3, WIDTH - len(left) - len(e.title))
    lines = [left + gap + e.title, "", f"  {estimate_headline(e)}", f"  How: {e.design}.", ""]
    width = max(map(len, e.components), default=0)
    lines += [f"  {name.replace('_', ' '):<{width}}   {estimate_figure(name, e)}" for name in e.components]
    lines += [""] if e.components else []
    caveats = "Caveats: " + " ".join(map(sentence, e.caveats))
    lines += textwrap.wrap(caveats, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    if e.found:
        lines += ["", f"  {estimate_stored(e)}"]
    if e.repeat:
        lines += ["", f"  repeat: {e.repeat}"]
    return "\n".join(lines)


def estimate_stored(e: ErrorEstimate) -> str:
    """How many fits came from the store, and from when they are."""
    return f"{found_in_store(e.found, e.fits, 'fits', e.found_made)}."


def estimate_headline(e: ErrorEstimate) -> str:
    """The figure in one sentence."""
    name = "Error rate" if e.metric == "error" else capital(metric_words(e.metric))
    counts = f" ({e.errors} of {e.tested})" if e.errors is not None else ""
    span = ""
    if e.interval is not None:
        low, high = (
            score_text(float(limit), unit_of(e.metric)).removesuffix(" %")
            for limit in (e.interval.low, e.interval.high)
        )
        span = f", {level_text(e.confidence_level)} interval {low} to {high} %"
    return f"{name} {score_text(e.estimate, unit_of(e.metric))}{counts}{span}."


def estimate_figure(name: str, e: ErrorEstimate) -> str:
    """One of the figures that an estimate is made of."""
    value = e.components[name]
    return f"{value:.3f}" if name == "overfitting" else score_text(value, unit_of(e.metric))


def estimate_methods(e: ErrorEstimate) -> str:
    """How the error was estimated and what was found, ready to paste."""
    subject = f" on {e.subject}" if e.subject else ""
    return (
        f"The {metric_words(e.metric)} of {e.learner}{subject} was estimated by {e.title} ({e.design}) using foldwise "
        f"{foldwise.__version__} (seed {e.seed}). {estimate_headline(e)}"
    )
