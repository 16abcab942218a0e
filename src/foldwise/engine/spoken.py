"""What learners are called in answers: as people say them, without the modules they come from."""

from __future__ import annotations

from collections.abc import Sequence

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Estimator

__all__ = ["name_learners", "spoken"]

LONGEST = 60
"""Characters of a name with its parameters."""


def spoken(learner: Estimator | str) -> str:
    """What to call a learner: a specification without its modules, an estimator by its class, a pipeline by its steps.

    Examples
    --------
    >>> spoken("sklearn.svm:SVC(C=2)"), spoken("models.py:gbm()"), spoken("pca+sklearn.svm:SVC")
    ('SVC(C=2)', 'gbm', 'pca+SVC')
    """
    if isinstance(learner, str):
        from foldwise.learners.pipelines import split_steps

        return "+".join(_without_module(step) for step in split_steps(learner))
    steps = getattr(learner, "steps", None)
    if isinstance(steps, list) and steps:
        return " + ".join(spoken(step) for _, step in steps if hasattr(step, "fit"))
    return type(learner).__name__


def name_learners(
    learners: Sequence[Estimator | str], names: Sequence[str] | None = None
) -> dict[str, Estimator | str]:
    """Learners under the names given, or as people say them; two that are called the same get (a), (b).

    Names that are given stand as they are. Estimators of one class are told apart by their parameters.
    """
    labels = _labels(learners) if names is None else list(names)
    if len(labels) != len(learners):
        raise InvalidInput(f"names must be one for each of the {len(learners)} learners, got {labels!r}")
    if names is None and len(labels) == 2 and labels[0] == labels[1]:
        labels = [f"{label} ({letter})" for label, letter in zip(labels, "ab", strict=True)]
    repeated = [label for label in labels if labels.count(label) > 1]
    if repeated:
        raise InvalidInput(f"learners must be different, got {repeated[0]!r} more than once")
    return dict(zip(labels, learners, strict=True))


def _labels(learners: Sequence[Estimator | str]) -> list[str]:
    """The shortest way of saying each that no other shares: in short, with parameters, in full."""
    short = [spoken(learner) for learner in learners]
    longer = [_with_parameters(learner) for learner in learners]
    labels = [full if short.count(brief) > 1 else brief for brief, full in zip(short, longer, strict=True)]
    return labels if len(set(labels)) == len(labels) or len(set(longer)) < len(longer) else longer


def _with_parameters(learner: Estimator | str) -> str:
    if isinstance(learner, str):
        return learner
    try:
        said = " ".join(repr(learner).split()).removesuffix("()")
    except Exception:  # noqa: BLE001 - a learner that can't say what it is has its class for a name
        return spoken(learner)
    return said if len(said) <= LONGEST and "object at 0x" not in said else spoken(learner)


def _without_module(spec: str) -> str:
    name, bracket, given = spec.partition("(")
    return name.rpartition(":")[2] + (bracket + given if given.strip(" )") else "")
