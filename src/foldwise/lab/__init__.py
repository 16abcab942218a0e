"""Puts the tests themselves on trial: Type I error, power, replicability, calibration."""
