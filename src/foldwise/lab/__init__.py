"""Puts the tests themselves on trial: Type I error, power, replicability, calibration."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from foldwise.designs import Design
from foldwise.lab.calibration import QQ, Calibration, CalibrationTable, calibrate, qq
from foldwise.lab.gather import Resources
from foldwise.lab.populations import find_population, population_names
from foldwise.lab.rates import Rate, RateTable, ReplicabilityTable, replicability
from foldwise.lab.rejection import PowerCurve, SideBySide, power, power_curve, several_nulls, type_one_error

if TYPE_CHECKING:
    from foldwise.lab.damage import Equalised, equalise
    from foldwise.lab.examination import Examination, examine
    from foldwise.lab.learning_curve import curve

__all__ = [
    "QQ",
    "Calibration",
    "CalibrationTable",
    "Design",
    "Equalised",
    "Examination",
    "PowerCurve",
    "Rate",
    "RateTable",
    "ReplicabilityTable",
    "Resources",
    "SideBySide",
    "calibrate",
    "curve",
    "equalise",
    "examine",
    "find_population",
    "population_names",
    "power",
    "power_curve",
    "qq",
    "replicability",
    "several_nulls",
    "type_one_error",
]

# loaded when first used: simulated learners need no scikit-learn
_LAZY = {
    "Equalised": "damage", "equalise": "damage", "Examination": "examination", "examine": "examination",
    "curve": "learning_curve",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'foldwise.lab' has no attribute {name!r}")
    return getattr(import_module(f"foldwise.lab.{_LAZY[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
