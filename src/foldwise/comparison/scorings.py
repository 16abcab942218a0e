"""What was asked of `compare`: the test, at the training size it is to have, with scores that it can judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from foldwise.core.amounts import Amount, margin_in, rope_in
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import unit_of
from foldwise.core.validation import integer
from foldwise.designs import Procedure, find_procedure
from foldwise.designs.random_splits import DisjointScores
from foldwise.designs.resampled import resampled
from foldwise.evidence.output_columns import read_classes, some

if TYPE_CHECKING:
    from foldwise.engine.scoring import Scorer

    Scorings: TypeAlias = list[str] | list[Scorer] | list[str | Scorer] | tuple[str | Scorer, ...]
    from foldwise.engine.prepared import Prepared


def asked_procedure(test: str, train_size: int | None) -> Procedure:
    """The test of that name; "auto" is the corrected repeated k-fold cv t test.

    Parameters
    ----------
    test
        A name of the catalogue whose evidence learners and data can give.
    train_size
        Training examples in each part, for the test over disjoint parts.
    """
    procedure = find_procedure("corrected_repeated_cv_t" if test == "auto" else test)
    kind = resampled(procedure)
    if train_size is None:
        return procedure
    if not isinstance(kind, DisjointScores):
        raise InvalidInput(f"train_size is for test 'disjoint', got {train_size!r} with test {procedure.name!r}")
    sized = replace(kind, train_size=integer(train_size, "train_size", minimum=1))
    return replace(procedure, kind=sized)


def asked_amounts(
    rope: Amount | None, margin: Amount | None, scorings: Sequence[object], *, classifies: bool
) -> tuple[float | None, float | None]:
    """Region and margin as numbers that hold for every scoring, refused before anything is trained.

    A point is 0.01 of every rate that is scored here, so that one number stands for all of them; what is no rate
    refuses points.
    """
    default = "accuracy" if classifies else "r2"
    metrics = [default if how is None else how if isinstance(how, str) else getattr(how, "__name__", "score")
               for how in scorings]  # fmt: skip
    widths, margins = set[float](), set[float]()
    for metric in metrics:
        if rope is not None:
            widths.add(rope_in(rope, metric=metric, unit=unit_of(metric)))
        if margin is not None:
            margins.add(margin_in(margin, metric=metric, unit=unit_of(metric)))
    return next(iter(widths), None), next(iter(margins), None)


def several_scorings(scoring: object) -> tuple[Any, ...]:
    """The scorings that were asked for, one or several.

    Examples
    --------
    >>> several_scorings("f1"), several_scorings(["roc_auc", "f1"]), several_scorings(None)
    (('f1',), ('roc_auc', 'f1'), (None,))
    """
    if scoring is None or isinstance(scoring, str) or callable(scoring):
        return (scoring,)
    if not isinstance(scoring, Sequence) or not scoring:
        raise InvalidInput(f"metric must be a name, a function, or a list of at least one of them, got {scoring!r}")
    for how in scoring:
        if not (isinstance(how, str) or callable(how)):
            raise InvalidInput(f"metric must list names and functions, got {how!r}")
        if list(scoring).count(how) > 1:
            raise InvalidInput(f"metric must list each metric once, but {how!r} is there more than once")
    return tuple(scoring)


def check_scoring(procedure: Procedure, scoring: object, *, classifies: bool) -> None:
    """Refuse a score that the test can't judge, before anything is trained."""
    kind = resampled(procedure)
    if kind.counts_right_answers and not (classifies and scoring in (None, "accuracy")):
        got = repr(scoring) if classifies else "learners that do regression"
        raise InvalidInput(
            f"metric must be 'accuracy' for test {procedure.name!r}, which compares right and wrong answers, got {got}"
        )
    if kind.by_example:
        from foldwise.engine.result import MEANS

        named = scoring if scoring is not None else "accuracy" if classifies else "r2"
        if named not in MEANS:
            raise InvalidInput(
                f"metric must be a mean over examples that predictions tell ({', '.join(MEANS)}) for test "
                f"{procedure.name!r}, got {named!r}"
            )


def about_positive(study: Prepared, scorings: tuple[Any, ...], positive: object) -> tuple[Prepared, tuple[Any, ...]]:
    """The study with a note on the positive class, and the scorings, those about one class about that one.

    Parameters
    ----------
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
