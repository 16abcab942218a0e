"""How often each test rejects: the result of a Type I error or power study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

from foldwise.core.result import Result
from foldwise.core.types import Json
from foldwise.inference.error_interval import error_interval
from foldwise.kinds import Design
from foldwise.lab.bias import Bias
from foldwise.lab.judgement import Judgement, judge, null_fails
from foldwise.lab.populations.null import Null

__all__ = ["Rate", "RateTable", "bias_sentence", "monte_carlo_rate", "wilson"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """One test at one level.

    Attributes
    ----------
    test, alpha
        The test's name and its nominal level.
    rate, low, high
        Share of trials in which it rejects, with its 95 % Wilson interval (the Monte-Carlo error).
    rejections, trials
        The counts behind it.
    fits
        Trainings, of both learners together, that the test costs.
    warning
        What is known to be wrong with the test, or None.
    bias
        Mean difference a − b in what the test saw: the true difference in a study of power, 0 under a true null.
    judgement
        Whether it keeps its level, as far as the trials tell; None in a study of power.
    """

    test: str
    alpha: float
    rate: float
    low: float
    high: float
    rejections: int
    trials: int
    fits: int
    warning: str | None
    bias: Bias
    judgement: Judgement | None

    @property
    def verdict(self) -> str:
        """The judgement in words; empty in a study of power."""
        return "" if self.judgement is None else self.judgement.words(self.high)


@dataclass(frozen=True, slots=True, kw_only=True)
class RateTable(Result):
    """Rejection rates of several tests on one population.

    Attributes
    ----------
    study
        "type1" or "power".
    population, learners
        What was drawn, and what was trained on it.
    design
        Sizes of the resampling.
    seed
        Repeats the study exactly.
    null
        Whether the null hypothesis holds on the population.
    rows
        One `Rate` per test and level.
    caveats
        What to know besides.
    """

    page: ClassVar[str] = "rates"

    study: str
    population: str
    learners: tuple[str, ...]
    design: Design
    seed: int
    null: Null
    rows: tuple[Rate, ...]
    caveats: tuple[str, ...] = ()

    def _content(self) -> Mapping[str, Json]:
        """All of it, ready for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        title = {"type1": "Type I error", "power": "Power"}[self.study]
        learned = f", {' vs '.join(self.learners)}" if self.learners else ""
        width = max(len(row.test) for row in self.rows)
        word = "difference" if self.study == "power" else "bias"
        lines = [f"{title} on {self.population}{learned} ({self.design.n} examples, {self.rows[0].trials} trials)", ""]
        for row in self.rows:
            line = f"  {row.test:<{width}}  alpha {row.alpha:g}   {row.rate:.3f}  ({row.low:.3f} to {row.high:.3f})"
            lines.append(f"{line}   {word} {row.bias} points   {row.fits:>3} fits   {row.verdict}".rstrip())
        return "\n".join([*lines, *(f"\n  {caveat}" for caveat in self.caveats)])


def monte_carlo_rate(
    test: str,
    alpha: float,
    rejections: int,
    trials: int,
    *,
    fits: int,
    warning: str | None,
    bias: Bias,
    null: Null | None = None,
) -> Rate:
    """A rejection rate with its Wilson interval, judged if a null hypothesis is claimed."""
    low, high = wilson(rejections, trials)
    return Rate(
        test=test,
        alpha=alpha,
        rate=rejections / trials,
        low=low,
        high=high,
        rejections=rejections,
        trials=trials,
        fits=fits,
        warning=warning,
        bias=bias,
        judgement=None if null is None else judge(low, high, alpha, bias=bias, null=null),
    )


def bias_sentence(biases: Sequence[tuple[str, float, Bias]], null: Null) -> str | None:
    """What the largest bias of a study means for its rates, from (test, level, bias) of each; None if there is none."""
    found = [one for one in biases if one[2].beyond_error and null is not Null.EXACT]
    if not found:
        return None
    test, alpha, bias = max(found, key=lambda one: one[2].reached(one[1]))
    what = f"The learners differ by {bias} points (a − b, with its s.e.) on the folds of {test}"
    effect = f"a test that keeps {alpha:g} would reject in {bias.reached(alpha):.3f} of the trials"
    if null_fails(alpha, bias=bias, null=null):
        return f"{what}: the null hypothesis does not hold, and such a rate is no Type I error ({effect})."
    return f"{what}: the null hypothesis holds nearly ({effect})."


def wilson(count: int, trials: int) -> tuple[float, float]:
    """95 % limits of a simulated share: its Monte-Carlo error."""
    interval = error_interval(count, trials, method="wilson")
    return float(interval.low), float(interval.high)
