"""Under what name a study's results are kept: digests of data, learners and scorings."""

from __future__ import annotations

import hashlib
import inspect
import json
import sys
from typing import Any

from foldwise.core.digest import canonical, digest
from foldwise.engine.examples import Examples
from foldwise.engine.learners import Learner
from foldwise.engine.scoring import Scoring
from foldwise.engine.store import SeriesKey
from foldwise.resampling import Plan

__all__ = ["scoring_digest", "series_key", "versions_of"]


def series_key(
    learner: Learner, examples: Examples, data_digest: str, *, plan: Plan, seed: int, folds: int, data_name: str
) -> SeriesKey:
    """The key of one learner's series, with what listings show about it."""
    described = canonical(learner.estimator)
    versions = versions_of(learner.estimator)
    kind = type(learner.estimator)
    labels = {
        "data": data_name,
        "examples": len(examples),
        "attributes": int(examples.X.shape[1]),
        "classes": 0 if examples.classes is None else len(examples.classes),
        "learner": learner.name,
        "class": f"{kind.__module__}.{kind.__qualname__}",
        "params": json.dumps(described.get("params", described), sort_keys=True),
        "versions": json.dumps(versions, sort_keys=True),
        "folds": folds,
    }
    return SeriesKey(data=data_digest, learner=digest([described, versions]), plan=plan.key, seed=seed, labels=labels)


def versions_of(estimator: Any) -> dict[str, str]:
    """Version of each package the estimator and the estimators inside it come from.

    A class whose package has no version (a script's own) stands for itself by a digest of its source.
    """
    parts = [estimator, *estimator.get_params(deep=True).values()]
    kinds = {type(part) for part in parts if hasattr(part, "get_params") and not isinstance(part, type)}
    return dict(sorted(_version(kind) for kind in kinds))


def scoring_digest(scoring: Scoring) -> str:
    """Digest of a scoring: its name, and what the scorer is."""
    return digest([scoring.name, scoring.greater_is_better, scoring.scorer])


def _version(kind: type) -> tuple[str, str]:
    package = kind.__module__.partition(".")[0]
    version = getattr(sys.modules.get(package), "__version__", None)
    if version is not None:
        return package, str(version)
    try:
        source = inspect.getsource(kind)
    except (OSError, TypeError):
        source = ""
    return f"{kind.__module__}.{kind.__qualname__}", hashlib.blake2b(source.encode(), digest_size=8).hexdigest()
