"""Puts the tests themselves on trial: Type I error, power, replicability, calibration."""

from __future__ import annotations

from foldwise.core.lazy import public_names

__getattr__, __dir__, __all__ = public_names(
    __name__,
    {
        "calibration": ("QQ", "Calibration", "CalibrationTable", "calibrate", "qq"),
        "damage": ("Equalised", "equalise"), "examination": ("Examination", "examine"), "gather": ("Resources",),
        "learning_curve": ("curve",), "populations": ("find_population", "population_names"),
        "rates": ("Rate", "RateTable", "ReplicabilityTable", "replicability"),
        "rejection": ("PowerByNumber", "SideBySide", "power", "power_curve", "several_nulls", "type_one_error"),
        "foldwise.designs": ("Design",),
    },
)  # fmt: skip
