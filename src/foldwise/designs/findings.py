"""What a test, its interval and its probabilities say about one comparison."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from foldwise.core.types import Interval
from foldwise.designs.curves import Power
from foldwise.inference.probabilities import Probabilities
from foldwise.inference.variance_split import VarianceSplit

LEAST = sys.float_info.min
"""A p-value too small for a number is at most this: none is 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The numbers of a comparison, as a − b in the metric's own unit."""

    estimate: float  #: The difference, as the test estimates it
    #: statistic, df, pvalue: As the test gives them; NaN where the evidence leaves it nothing to say. A p-value is at
    #: least `LEAST`
    statistic: float
    df: float | tuple[float, float] | None
    pvalue: float
    interval: Interval | None = None  #: Confidence interval of level 1 − alpha, or None where there is none
    common: bool = True  #: Whether some common difference fits the evidence: if not, the test names no winner
    #: Those that the region of practical equivalence leaves; None where nothing can be told
    probabilities: Probabilities | None = None
    power: Power | None = None  #: What the design can see, or None where that is not known
    standard_error: float | None = None  #: Of the estimate, where the test has one; else None
    variance: VarianceSplit | None = None  #: Where the variance comes from, where the evidence can tell; else None
    caveats: tuple[str, ...] = ()  #: What a reader should know of these numbers
    withheld: str = ""  #: Why there is no verdict although the differences vary; else empty

    def __post_init__(self) -> None:
        object.__setattr__(self, "pvalue", max(self.pvalue, LEAST))
