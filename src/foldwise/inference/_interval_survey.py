"""Every interval for one error rate side by side, with the one to use and why some must not be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import level_text
from foldwise.core.result import Result
from foldwise.core.types import Json
from foldwise.core.validation import integer
from foldwise.inference._error_interval import INTERVAL_METHODS, ErrorInterval, Method, error_interval
from foldwise.inference.rate_intervals import EMPIRICAL_PRIOR, FITTED_UP_TO, Applicability

RECOMMENDED: Method = "jeffreys"
TEXTBOOK: tuple[Method, ...] = ("textbook", "textbook_continuity")
"""Normal approximations, with rules of their own for when they apply."""
"""The method to use unless there is a reason for another."""

CAVEATS = (
    "the test examples must be independent draws from the source that the classifier will meet, and must not have "
    "been used to build it",
    "for k-fold cross-validation give all errors over the folds and the size of the data set; the binomial "
    "distribution is then a good heuristic, not a theorem",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyRow:
    """One method's answer."""

    method: Method  #: Name of the method
    #: low, high: Its limits, or None where the method is not defined at this level
    low: float | None
    high: float | None
    applicable: bool  #: False where the method must not be the answer
    note: str  #: What it is, or why it must not be used


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalSurvey(Result):
    """All intervals for m errors in n test examples."""

    page: ClassVar[str] = "survey"

    #: errors, n: The counts
    errors: int
    n: int
    chosen: ErrorInterval  #: The interval to use
    rows: tuple[SurveyRow, ...]  #: One row per method, in the order of `INTERVAL_METHODS`
    caveats: tuple[str, ...]  #: What the answer takes for granted, as sentences

    def _content(self) -> dict[str, Json]:
        chosen = self.chosen
        rules = chosen.applicability
        return {
            "errors": self.errors,
            "n": self.n,
            "estimate": float(chosen.estimate),
            "confidence_level": chosen.confidence_level,
            "recommended": RECOMMENDED,
            "method": chosen.method,
            "interval": {"low": float(chosen.low), "high": float(chosen.high), "level": float(chosen.level)},
            "mean": float(chosen.mean),
            "mode": float(chosen.mode),
            "variance": float(chosen.variance),
            "prior": None if chosen.prior is None else list(chosen.prior),
            "applicability": {name: bool(getattr(rules, name)) for name in (*Applicability.__slots__, "textbook")},
            "intervals": [{name: getattr(row, name) for name in SurveyRow.__slots__} for row in self.rows],
            "caveats": list(self.caveats),
        }


def interval_survey(
    errors: int,
    n: int,
    *,
    method: Method = RECOMMENDED,
    confidence_level: float = 0.95,
    prior: tuple[float, float] | None = None,
) -> IntervalSurvey:
    """Compute every interval of `error_interval` for one error rate.

    Parameters
    ----------
    errors, n
        Number of errors and of test examples.
    method
        The one to use as the answer.
    confidence_level
        Level of the intervals.
    prior
        (u, v) for the method ``"beta"``; the report's empirical Be(1, 3.67) unless given.

    Examples
    --------
    >>> survey = interval_survey(3, 50)
    >>> round(float(survey.chosen.low), 3), round(float(survey.chosen.high), 3)
    (0.017, 0.152)
    >>> [row.method for row in survey.rows if not row.applicable]
    ['textbook', 'textbook_continuity']
    """
    integer(errors, "errors", minimum=0)
    weights = EMPIRICAL_PRIOR if prior is None else prior
    # the posterior for the prior given exists at any level: it checks everything but the method
    posterior = error_interval(errors, n, method="beta", confidence_level=confidence_level, prior=weights)
    chosen = posterior
    if method != "beta":
        chosen = error_interval(errors, n, method=method, confidence_level=confidence_level)
    rows = tuple(_row(errors, n, name, chosen, weights) for name in INTERVAL_METHODS)
    return IntervalSurvey(errors=int(errors), n=int(n), chosen=chosen, rows=rows, caveats=_caveats(chosen))


def _row(errors: int, n: int, method: Method, chosen: ErrorInterval, prior: tuple[float, float]) -> SurveyRow:
    weights = prior if method == "beta" else None
    try:
        result = error_interval(errors, n, method=method, confidence_level=chosen.confidence_level, prior=weights)
    except InvalidInput:
        # everything else has been checked: what is left is a formula fitted to 95 % and to few examples only
        note = "defined for 95 % only" if chosen.confidence_level != 0.95 else f"defined for up to {FITTED_UP_TO} only"
        return SurveyRow(method=method, low=None, high=None, applicable=False, note=note)
    applicable, note = _judgement(errors, method, chosen.applicability, prior)
    return SurveyRow(method=method, low=float(result.low), high=float(result.high), applicable=applicable, note=note)


def _judgement(errors: int, method: Method, rules: Applicability, prior: tuple[float, float]) -> tuple[bool, str]:
    if method == "beta":
        return True, f"prior Be({prior[0]:g}, {prior[1]:g})"
    if method not in TEXTBOOK or rules.textbook:
        return True, _NOTES[method]
    if not rules.enough_errors:
        return False, f"not applicable: {errors} error{'s' if errors != 1 else ''}, fewer than 10"
    return False, "not applicable: too few errors or right answers for a normal approximation"


def _caveats(chosen: ErrorInterval) -> tuple[str, ...]:
    if chosen.prior is not None and chosen.estimate in (0, 1):
        end = "no error the lower limit is 0" if chosen.estimate == 0 else "no right answer the upper limit is 1"
        held, asked = (level_text(float(level)) for level in (chosen.level, chosen.confidence_level))
        return (f"with {end}, and the other alone decides: the interval has a level of {held}, not {asked}", *CAVEATS)
    if chosen.method in TEXTBOOK and not chosen.applicability.textbook:
        return ("the textbook interval was asked for, but its own rules of applicability forbid it here", *CAVEATS)
    return CAVEATS


_NOTES = {
    "jeffreys": "quantiles of the posterior for Jeffreys' prior",
    "uniform": "quantiles of the posterior when every rate is equally likely beforehand",
    "approximate_beta": "formula that approximates jeffreys",
    "abramowitz_stegun": "formula that approximates jeffreys",
    "clopper_pearson": "never below its level, therefore wide",
    "wilson": "the rates that the score test accepts",
    "agresti_coull": "the textbook form after adding pseudo-examples",
    "textbook": "normal approximation",
    "textbook_continuity": "normal approximation with continuity correction",
}
