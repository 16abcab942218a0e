"""What was asked of `compare`: the test, at the training size it is to have, with a score that it can judge."""

from __future__ import annotations

from dataclasses import replace

from foldwise.core.errors import InvalidInput
from foldwise.core.validation import integer
from foldwise.kinds import Procedure, find_procedure
from foldwise.kinds.disjoint import DisjointScores
from foldwise.kinds.examples import ExampleKind
from foldwise.kinds.resampled import resampled

__all__ = ["asked_procedure", "check_scoring"]


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


def check_scoring(procedure: Procedure, scoring: object, *, classifies: bool) -> None:
    """Refuse a score that the test can't judge, before anything is trained.

    Parameters
    ----------
    procedure
        The test.
    scoring
        A name, a function, or None for accuracy or R².
    classifies
        Whether the learners are classifiers.
    """
    kind = resampled(procedure)
    if kind.counts_right_answers and not (classifies and scoring in (None, "accuracy")):
        got = repr(scoring) if classifies else "learners that do regression"
        raise InvalidInput(
            f"scoring must be 'accuracy' for test {procedure.name!r}, which compares right and wrong answers, got {got}"
        )
    if isinstance(kind, ExampleKind):
        from foldwise.engine.per_example import MEANS

        named = scoring if scoring is not None else "accuracy" if classifies else "r2"
        if named not in MEANS:
            raise InvalidInput(
                f"scoring must be a mean over examples that predictions tell ({', '.join(MEANS)}) for test "
                f"{procedure.name!r}, got {named!r}"
            )
