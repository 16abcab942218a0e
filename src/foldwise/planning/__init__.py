"""How many examples, runs or data sets are needed: power, sample size and detectable difference."""

from __future__ import annotations

from foldwise.planning.plan import PowerPlan, plan

__all__ = ["PowerPlan", "plan"]
