"""The p-values of every test in every trial, from shared evidence."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.core.types import Array
from foldwise.inference.catalogue import PLANS, Needs, Procedure, find_procedure, procedure_names
from foldwise.lab.design import Design
from foldwise.lab.evidence import Evidence

__all__ = ["choose_tests", "needs_of", "pvalues"]

PAPERS_TESTS = (
    "mcnemar",
    "difference_of_proportions",
    "resampled_t",
    "kfold_cv_t",
    "five_by_two_cv_t",
    "five_by_two_cv_f",
    "corrected_resampled_t",
    "corrected_repeated_cv_t",
    "use_all_data:df=10",
)
"""The tests of the five papers: what "all" means."""


def choose_tests(names: str | Sequence[str]) -> tuple[Procedure, ...]:
    """The procedures of these names; "all" stands for the tests of the papers."""
    wanted = [names] if isinstance(names, str) else list(names)
    if not wanted:
        raise InvalidInput(f"tests must name at least one of: all, {', '.join(procedure_names())}")
    expanded = [name for given in wanted for name in (PAPERS_TESTS if given == "all" else (given,))]
    procedures = tuple(find_procedure(name) for name in dict.fromkeys(expanded))
    for procedure in procedures:
        if procedure.needs == "clusters":
            raise InvalidInput(f"test '{procedure.name}' needs {PLANS['clusters']}, which no population draws")
    return procedures


def needs_of(procedures: Sequence[Procedure]) -> frozenset[Needs]:
    """The kinds of evidence that these tests need."""
    return frozenset(procedure.needs for procedure in procedures)


def pvalues(procedure: Procedure, evidence: Evidence, design: Design, alpha: float = 0.05) -> Array:
    """p-values of shape (trials, repetitions); alpha matters to calibrated degrees of freedom only."""
    array = evidence[procedure.needs]
    with warnings.catch_warnings():
        # among thousands of simulated trials a constant difference is an outcome, not an accident
        warnings.simplefilter("ignore", DegenerateVariance)
        if procedure.needs == "table":
            result = procedure.run(*np.moveaxis(array, -1, 0))
        else:
            result = procedure.run(array, design.ratio(procedure.needs), alpha)
    return np.asarray(result.pvalue, dtype=np.float64)
