"""Under what name a study's results are kept: digests of data, learners and scorings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from foldwise.core.digest import Identity, digest, identify
from foldwise.engine.examples import Examples
from foldwise.engine.learners import Learner
from foldwise.engine.scoring import Scoring
from foldwise.engine.store import SeriesKey
from foldwise.resampling import Plan

__all__ = ["scoring_digest", "series_key", "unseen_caveats", "versions_of"]


def series_key(
    learner: Learner, examples: Examples, data_digest: str, *, plan: Plan, seed: int, folds: int, data_name: str
) -> SeriesKey:
    """The key of one learner's series, with what listings show about it."""
    identity = identify(learner.estimator)
    described = identity.described
    params = described.get("params", described) if isinstance(described, Mapping) else described
    kind = type(learner.estimator)
    labels: dict[str, str | int] = {
        "data": data_name,
        "examples": len(examples),
        "attributes": int(examples.X.shape[1]),
        "classes": 0 if examples.classes is None else len(examples.classes),
        "learner": learner.name,
        "class": f"{kind.__module__}.{kind.__qualname__}",
        "params": json.dumps(params, sort_keys=True),
        "versions": json.dumps(versions_of(identity), sort_keys=True),
        "folds": folds,
    }
    return SeriesKey(data=data_digest, learner=identity.digest, plan=plan.key, seed=seed, labels=labels)


def versions_of(identity: Identity) -> dict[str, str]:
    """Versions of the installed packages something comes from, and one digest for the user's own code behind it."""
    own = {"own code": digest(identity.code)[:16]} if identity.code else {}
    return {**identity.packages, **own}


def scoring_digest(scoring: Scoring) -> str:
    """Digest of a scoring: its name, and what the scorer is and does."""
    return digest([scoring.name, scoring.greater_is_better, scoring.scorer])


def unseen_caveats(store: Any, things: Any) -> tuple[str, ...]:
    """What of these a store can't tell from another of its kind, as a caveat; nothing without a store."""
    unseen = () if store is None else identify(things).unseen
    if not unseen:
        return ()
    names = ", ".join(name.replace(":", ".") for name in unseen)
    return (
        f"the store can't look into {names}: if it changes, old results are served for it, so use another store then",
    )
