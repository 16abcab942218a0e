"""Learners with steps in front of them, as text: ``scale+logreg``, ``pca(n_components=5)+svm``."""

from __future__ import annotations

from typing import Any

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.imported import import_named, reason
from foldwise.core.spec import parse_spec
from foldwise.core.types import Estimator
from foldwise.learners.everyday import STEPS

__all__ = ["behind", "describe_made", "split_steps"]


def split_steps(spec: str) -> list[str]:
    """The parts between plus signs, outside brackets and quotes.

    Examples
    --------
    >>> split_steps("scale + svm(C=1e+2)"), split_steps("models.py:gbm()")
    (['scale', 'svm(C=1e+2)'], ['models.py:gbm()'])
    """
    parts, depth, quote = [""], 0, ""
    for character in spec:
        if quote or character in "'\"":
            quote = "" if character == quote else quote or character
        depth += (not quote) * ((character in "([{") - (character in ")]}"))
        if character == "+" and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += character
    stripped = [part.strip() for part in parts]
    if len(stripped) > 1 and not all(stripped):
        raise InvalidInput(f"a learner with steps must be written step+learner, got {spec!r}")
    return stripped


_UNCENTRED = {STEPS["scale"]: "with_mean", STEPS["robust"]: "with_centering"}
"""What keeps a step from shifting attributes: the zeros that a sparse matrix leaves out would no longer be zeros."""

_UNSHIFTED = {STEPS["minmax"]: "sklearn.preprocessing:MaxAbsScaler"}
"""What scales a sparse matrix in place of a step that can't but shift: to at most 1 in size, zeros staying zeros."""


def behind(steps: list[str], learner: Estimator, *, sparse: bool = False) -> Estimator:
    """The learner behind the steps, all of which learn from each training split anew.

    With `sparse` attributes are scaled, but not shifted.
    """
    made = [step for step in (_step(spec, sparse=sparse) for spec in steps) if step is not None]
    if not made:
        return learner
    from sklearn.pipeline import make_pipeline

    pipeline: Estimator = make_pipeline(*made, learner)
    return pipeline


def describe_made(estimator: Any) -> str:
    """What a short name turned out to be, on one line.

    Examples
    --------
    >>> from foldwise.learners.registry import create
    >>> describe_made(create("logreg")), describe_made(create("tree(max_depth=2)"))
    ('LogisticRegression(max_iter=1000) behind StandardScaler()', 'DecisionTreeClassifier(max_depth=2)')
    """
    *front, last = [step for _, step in estimator.steps] if hasattr(estimator, "steps") else [estimator]
    said = " ".join(repr(last).split())
    return f"{said} behind {' and '.join(' '.join(repr(step).split()) for step in front)}" if front else said


def _step(spec: str, *, sparse: bool) -> Any:
    """The transformer that a part names; None for ``raw``."""
    name, given = parse_spec(spec, "step")
    if ":" not in name and name.lower() not in STEPS:
        raise UnknownName("step", name, STEPS)
    path = STEPS.get(name.lower(), name)
    if not path:
        return None
    if sparse and path in _UNCENTRED:
        given = {_UNCENTRED[path]: False, **given}
    elif sparse and path in _UNSHIFTED:
        if given:
            raise InvalidInput(
                f"step {spec!r} shifts attributes, which would fill a sparse X: leave the parameters away to have them "
                "scaled only, or make X dense"
            )
        path = _UNSHIFTED[path]
    found = import_named(path, "step")
    if not isinstance(found, type) or not (hasattr(found, "fit") and hasattr(found, "transform")):
        raise InvalidInput(f"step {spec!r} must be a class with fit and transform; it was not called")
    try:
        return found(**given)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"step {spec!r} does not take these parameters: {reason(error)}") from error
