"""Puts the tests themselves on trial: Type I error, power, replicability, calibration."""

from __future__ import annotations

from foldwise.lab.calibration import Calibration, CalibrationTable, calibrate
from foldwise.lab.damage import Equalised, equalise
from foldwise.lab.design import Design
from foldwise.lab.gather import Resources
from foldwise.lab.populations import find_population, population_names
from foldwise.lab.qq import QQ, qq
from foldwise.lab.rates import Rate, RateTable
from foldwise.lab.rejection import power, type_one_error
from foldwise.lab.replication import ReplicabilityTable, replicability

__all__ = [
    "QQ",
    "Calibration",
    "CalibrationTable",
    "Design",
    "Equalised",
    "Rate",
    "RateTable",
    "ReplicabilityTable",
    "Resources",
    "calibrate",
    "equalise",
    "find_population",
    "population_names",
    "power",
    "qq",
    "replicability",
    "type_one_error",
]
