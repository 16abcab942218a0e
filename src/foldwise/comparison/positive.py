"""The class that a score of one class is about: the one that is named, or whose name says so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from foldwise.core.errors import InvalidInput
from foldwise.evidence.output_columns import read_classes, some

if TYPE_CHECKING:
    from foldwise.engine.prepared import Prepared

__all__ = ["about_positive"]


def about_positive(study: Prepared, scorings: tuple[Any, ...], positive: object) -> tuple[Prepared, tuple[Any, ...]]:
    """The study with a note on the positive class, and the scorings, those about one class about that one.

    Parameters
    ----------
    study
        Learners and data.
    scorings
        As `compare` takes them; only names are about one class.
    positive
        The class that was named, or None: then the one called 1, true, yes or positive.
    """
    from foldwise.engine.scoring import ABOUT_ONE_CLASS, positive_scorer

    present = study.examples.present()
    asking = next((how for how in scorings if isinstance(how, str) and how in ABOUT_ONE_CLASS), None)
    if positive is None and (present is None or len(present) != 2 or asking is None):
        return study, scorings
    if present is None or len(present) != 2:
        found = "learners that do regression" if present is None else f"{len(present)} classes"
        raise InvalidInput(f"positive is for two classes, got {positive!r} with {found}")
    truth = read_classes(present, positive=positive)
    if truth.positive is None:
        raise InvalidInput(
            f"positive (--positive) must name the class that metric {asking!r} is about, one of "
            f"{some(present.tolist())}"
        )
    label = truth.classes[truth.positive]
    if asking is None:
        return study, scorings
    plain = present.dtype.kind in "iufb" and label == 1  # scikit-learn takes it for the positive one, too
    about = (how if plain or how not in ABOUT_ONE_CLASS else positive_scorer(how, label) for how in scorings)
    return replace(study, notes=(*study.notes, f"the positive class is {label}")), tuple(about)
