"""The papers' learners with scikit-learn's interface, and whole-cross-validation kernels.

The names are loaded when first used, so that listing the learners needs neither scikit-learn nor numba. Classes that
are taken from here are scikit-learn's estimators in every respect; learners by name do without loading it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from foldwise.learners.registry import learner_classes

# public name -> module that defines it; every learner that has a short name is public
_PUBLIC = learner_classes() | {
    "Learner": "foldwise.learners.base", "create": "foldwise.learners.registry",
    "known_names": "foldwise.learners.registry", "train_many": "foldwise.learners.perceptrons",
}  # fmt: skip

__all__ = list(_PUBLIC)


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'foldwise.learners' has no attribute {name!r}")
    from foldwise.learners.scikit import derive_from_scikit_learn

    derive_from_scikit_learn()
    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
