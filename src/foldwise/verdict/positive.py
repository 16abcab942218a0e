"""The class that a score of one class is about: the one that is named, or whose name says so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from foldwise.core.errors import InvalidInput
from foldwise.evidence.true_classes import read_classes, some

if TYPE_CHECKING:
    from foldwise.engine import Prepared

__all__ = ["about_positive"]


def about_positive(study: Prepared, scoring: Any, positive: object) -> tuple[Prepared, Any]:
    """The study with a note on the positive class, and the scoring that is about it.

    Parameters
    ----------
    study
        Learners and data.
    scoring
        As `compare` takes it; only names are about one class.
    positive
        The class that was named, or None: then the one called 1, true, yes or positive.
    """
    from foldwise.engine.positive import ABOUT_ONE_CLASS, positive_scorer

    present = study.examples.present()
    if positive is None and (present is None or len(present) != 2 or scoring not in ABOUT_ONE_CLASS):
        return study, scoring
    if present is None or len(present) != 2:
        found = "learners that do regression" if present is None else f"{len(present)} classes"
        raise InvalidInput(f"positive is for two classes, got {positive!r} with {found}")
    truth = read_classes(present, positive=positive)
    if truth.positive is None:
        raise InvalidInput(
            f"positive (--positive) must name the class that scoring {scoring!r} is about, one of "
            f"{some(present.tolist())}"
        )
    label = truth.classes[truth.positive]
    told = replace(study, notes=(*study.notes, f"the positive class is {label}"))
    if not isinstance(scoring, str) or scoring in ("accuracy", "error", "log_loss", "brier"):
        return (study, scoring) if scoring is None or isinstance(scoring, str) else (told, scoring)
    plain = present.dtype.kind in "iufb" and label == 1  # scikit-learn takes it for the positive one, too
    return told, scoring if plain else positive_scorer(scoring, label)
