"""foldwise: is one learning algorithm really better than another, and how far can the answer be trusted?

The public names are loaded when first used, so that ``import foldwise`` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# public name -> module that defines it (a module maps to itself)
_PUBLIC = {
    "inference": "foldwise.inference",
    "lab": "foldwise.lab",
    "Comparison": "foldwise.verdict",
    "compare": "foldwise.verdict",
    "compare_learners": "foldwise.verdict",
    "compare_marks": "foldwise.verdict",
    "compare_models": "foldwise.verdict",
    "compare_predictions": "foldwise.verdict",
    "compare_scores": "foldwise.verdict",
    "compare_seeds": "foldwise.verdict",
    "compare_many": "foldwise.verdict",
    "compare_on_data_sets": "foldwise.verdict",
    "judge": "foldwise.judging",
    "Judgement": "foldwise.judging",
    "ManyByMetrics": "foldwise.verdict",
    "ManyComparison": "foldwise.verdict",
    "MetricsComparison": "foldwise.verdict",
    "ModelsByMetrics": "foldwise.verdict",
    "ModelsComparison": "foldwise.verdict",
    "ScoreTable": "foldwise.evidence.score_table",
    "watch": "foldwise.verdict",
    "Watch": "foldwise.verdict",
    "estimate_error": "foldwise.estimation",
    "ErrorEstimate": "foldwise.estimation",
    "plan": "foldwise.planning",
    "advise": "foldwise.planning",
    "load": "foldwise.data",
    "Dataset": "foldwise.data",
    "FoldwiseError": "foldwise.core.errors",
    "InvalidInput": "foldwise.core.errors",
}

__all__ = ["__version__", *_PUBLIC]  # noqa: PLE0604 (the keys are strings)


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'foldwise' has no attribute {name!r}")
    module = import_module(_PUBLIC[name])
    return module if _PUBLIC[name] == f"foldwise.{name}" else getattr(module, name)


def __dir__() -> list[str]:
    return sorted(__all__)
