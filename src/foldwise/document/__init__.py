"""What is said about a result: one `Document` for each kind, which all renderers lay out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from textwrap import shorten
from typing import Any

from foldwise.core.decisions import Decision, assumed_text, code_of, decision_code
from foldwise.core.result import Claimable, Recalled, Result
from foldwise.document.document import Document, Drawing, Facts, Section, with_short_names
from foldwise.document.plots import CAPTIONS

__all__ = ["claim_of", "document_of", "plots_of"]

_KINDS = {
    "comparison": "comparison.comparison", "watch": "watch.watch", "judgement": "judgement.judgement",
    "frontier": "leaderboard.frontier", "leaderboard": "leaderboard.leaderboard", "gate": "judgement.gate",
    "understanding": "judgement.understanding", "estimate": "estimates.estimate", "estimates": "estimates.estimates",
    "survey": "estimates.intervals", "independent_rates": "estimates.independent_rates", "power_plan": "planning.plan",
    "advice": "planning.advice", "rates": "lab.rates", "side_by_side": "lab.several_nulls",
    "replicability": "lab.replicability", "calibration": "lab.calibration", "qq": "lab.qq",
    "power_curve": "lab.power_curve", "examination": "lab.examination", "equalised": "lab.equalised",
    "study": "lab.study", "curve": "data.curve", "data_set": "data.data_set", "description": "data.description",
    "listing": "data.listing", "plain": "data.recalled",
}  # fmt: skip
"""For each kind of result (`Result.page`) the module and function that make its document; a function of the same name
with ``_plots`` names its plots, where there are any."""


_ONE_PLOT: dict[str, tuple[str, dict[str, Any]]] = {
    "watch": ("sequence", {"main": True}), "leaderboard": ("leaderboard", {"main": True, "lead": True}),
    "frontier": ("frontier", {"main": True, "lead": True}), "survey": ("intervals", {}), "power_plan": ("plan", {}),
    "replicability": ("replicability_rates", {}), "calibration": ("calibration", {}), "qq": ("qq", {}),
    "power_curve": ("power_curve", {}),
}  # fmt: skip
"""Results of which there is one plot, and where it stands."""

SHORT = 70  # Characters of a note beside its code.

_CLAIMING = {
    "comparison", "judgement", "gate", "leaderboard", "frontier", "watch", "estimate", "estimates", "survey",
    "independent_rates",
}  # fmt: skip
"""Results of which there is something to claim: `may_claim` has a function of the name of each document."""


def document_of(result: Result, *, assumed: bool = True) -> Document:
    """What a result says.

    Parameters
    ----------
    result
        Any result object.
    assumed
        Whether it says beside the answer what was assumed on the way to it, and in the details what may be claimed;
        parts of another answer do not.
    """
    make = _function(result)
    assert make is not None
    document: Document = make(result)
    if assumed:
        document = with_short_names(document, _models_of(result))
    words = assumed_text(result.reading) if assumed else ""
    claim = claim_of(result) if assumed else None
    if claim is not None:
        headings = [section.heading for section in document.details]
        place = headings.index("Scope") + 1 if "Scope" in headings else len(headings)
        parts = (*document.details[:place], _claims().section(claim), *document.details[place:])
        document = document.replace(details=parts)
    if claim is not None and (codes := _codes(result.reading, document.notes)):
        document = document.replace(details=(*document.details, codes))
    return document.replace(assumed=words, plotted=result.page in _ONE_PLOT or _function(result, "_plots") is not None)


def _models_of(result: Any) -> tuple[str, ...]:
    """The models that an answer is about."""
    for part in (result, getattr(result, "main", None), getattr(result, "answer", None)):
        if models := getattr(part, "models", ()):
            return tuple(models)
    answer = getattr(result, "answer", None)
    places = getattr(result, "places", ()) or getattr(getattr(answer, "main", None), "models", ())
    return tuple(getattr(place, "model", place) for place in places)


def _codes(reading: Iterable[Decision], notes: Iterable[str]) -> Section | None:
    """The codes of decisions and notes, each with the beginning of what it is about."""
    said = [(decision_code(one.what), one.value) for one in reading] + [(code_of(note), note) for note in notes]
    rows = tuple((code, shorten(text, SHORT, placeholder=" …")) for code, text in said if code is not None)
    return Section(heading="Codes (foldwise explain CODE)", blocks=(Facts(rows=rows),)) if rows else None


def claim_of(result: Result) -> Claimable | None:
    """What may be written about an answer and what may not; None of results that claim nothing."""
    if isinstance(result, Recalled) and isinstance(kept := result.content.get("claim"), dict):
        return Claimable(**{name: tuple(said) for name, said in kept.items()})
    make = getattr(_claims(), _KINDS[result.page].partition(".")[2]) if result.page in _CLAIMING else None
    return None if make is None else make(result)


def _claims() -> Any:
    return import_module(f"{__name__}.may_claim")


def plots_of(result: Result) -> dict[str, Drawing]:
    if result.page in _ONE_PLOT:
        name, places = _ONE_PLOT[result.page]
        return {name.removeprefix("replicability_"): Drawing(plot=name, shows=result, caption=CAPTIONS[name], **places)}
    make = _function(result, "_plots")
    return {} if make is None else dict(make(result))


def _function(result: Any, ending: str = "") -> Callable[[Any], Any] | None:
    module, _, name = _KINDS[result.page].partition(".")
    found: Callable[[Any], Any] | None = getattr(import_module(f"{__name__}.{module}"), name + ending, None)
    return found
