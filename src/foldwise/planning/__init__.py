"""Before the experiment: which test to use, and how many examples, runs or data sets it needs."""

from __future__ import annotations

from foldwise.planning.advise import Advice, advise
from foldwise.planning.plan import PowerPlan, plan

__all__ = ["Advice", "PowerPlan", "advise", "plan"]
