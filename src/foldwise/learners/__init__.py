"""The papers' learners with scikit-learn's interface, and whole-cross-validation kernels.

The names are loaded when first used, so that listing the learners needs neither scikit-learn nor numba.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# public name -> module that defines it
_PUBLIC = {
    "C45": "foldwise.learners.c45",
    "Learner": "foldwise.learners.base",
    "LinearPerceptron": "foldwise.learners.perceptrons",
    "Majority": "foldwise.learners.majority",
    "MultilayerPerceptron": "foldwise.learners.perceptrons",
    "NaiveBayes": "foldwise.learners.naive_bayes",
    "NearestNeighbours": "foldwise.learners.nearest_neighbours",
    "TAN": "foldwise.learners.tan",
    "VotedPerceptron": "foldwise.learners.voted_perceptron",
    "create": "foldwise.learners.registry",
    "known_names": "foldwise.learners.registry",
    "train_many": "foldwise.learners.perceptrons",
}

__all__ = list(_PUBLIC)


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'foldwise.learners' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
