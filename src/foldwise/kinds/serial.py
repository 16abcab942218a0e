"""What is said where items that are taken as independent resemble their neighbours in the order given."""

from __future__ import annotations

import numpy as np

from foldwise.evidence.marks import Marks
from foldwise.evidence.models import ModelValues
from foldwise.evidence.outcomes import Outcomes
from foldwise.inference._serial_correlation import serial_correlation

__all__ = ["serial_caveats"]

LEVEL = 0.001
"""How rarely items in random order are said to be correlated."""


def serial_caveats(evidence: Marks | Outcomes | ModelValues) -> list[str]:
    """A sentence where neighbours are correlated beyond chance and neither clusters nor times account for it."""
    if evidence.groups is not None:
        return []
    if not isinstance(evidence, Outcomes) and (evidence.times is not None or evidence.tasks is not None):
        return []  # tasks that differ make neighbours alike
    if isinstance(evidence, ModelValues):
        values = evidence.values
    elif isinstance(evidence, Marks):
        values = np.array([evidence.a, evidence.b])
    else:
        values = np.array([evidence.correct_a, evidence.correct_b], dtype=np.float64)
    found = serial_correlation(values)
    if found.pvalue > LEVEL:
        return []
    return [
        f"neighbouring items are correlated in the order given (lag-1 autocorrelation {found.correlation:.2f}): if "
        "rows are in order of time, name it (time, --time), and if neighbours belong together, name their clusters "
        "(groups, --group); taken as independent, they make p and interval too certain"
    ]
