"""Tests, intervals and Bayesian procedures: arrays in, result objects out.

Every procedure accepts leading batch axes, so that a million experiments are one call, and prints nothing.
"""

from __future__ import annotations

from foldwise.inference.mcnemar import McNemarResult, mcnemar

__all__ = ["McNemarResult", "mcnemar"]
