"""Independent error rates: do they differ? And what the usual mistakes would say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from foldwise.comparison.claims import Claim, found_words
from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import LEAST_PVALUE, number_text
from foldwise.core.result import Result
from foldwise.core.types import Interval
from foldwise.core.validation import fraction, numbers
from foldwise.inference.independent_samples import outside_interval, standard_error_rule, two_rates, unpaired_t
from foldwise.inference.many._adjust import adjust
from foldwise.inference.student import paired_t


@dataclass(frozen=True, slots=True, kw_only=True)
class RatePair:
    """Two rates and what is said of their difference."""

    #: a, b: What they are called: "3/50", or "sample 1"
    a: str
    b: str
    #: estimate, low, high: Difference a − b and its interval
    estimate: float
    low: float
    high: float
    #: pvalue, adjusted: Of the test, and adjusted for the number of pairs by Holm's method
    pvalue: float
    adjusted: float
    textbook: float | None = None  #: p of the textbook test, where the exact one decides
    #: By name of a common mistake, whether it would call the rates different
    mistakes: Mapping[str, bool] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RateComparison(Result):
    """Outcome of `compare_rates` or `compare_rate_samples`; ``print`` it."""

    page: ClassVar[str] = "independent_rates"

    rates: Mapping[str, float]  #: The rates by what they are called
    pairs: tuple[RatePair, ...]  #: All pairs
    #: test, alpha: Which test decides, and its level
    test: str
    alpha: float
    #: guarantee, caveats: How far it can be trusted, and what a careful reader should know
    guarantee: str
    caveats: tuple[str, ...]

    def claims(self) -> tuple[Claim, ...]:
        """What is claimed of the first rate, the candidate, against the second; an error rate is better lower."""
        pair = self.pairs[0]
        lower = pair.a if pair.estimate < 0 else pair.b
        limits = Interval(low=pair.low, high=pair.high)
        found = found_words("error rate", pair.estimate, limits, "fraction", 1 - self.alpha)
        better = lower if pair.adjusted < self.alpha else None
        return (Claim(candidate=pair.a, baseline=pair.b, better=better, found=found),)


INDEPENDENT = (
    "The test sets must be independent: for models tested on the same examples use foldwise predictions, which is far "
    "more powerful there."
)
MISTAKES = "one rate outside the other's interval", "two standard errors apart"


def compare_rates(counts: Sequence[tuple[int, int]], *, alpha: float = 0.05) -> RateComparison:
    """Compare error rates that were measured on independent test sets.

    Parameters
    ----------
    counts
        Per test set the number of errors and of examples, two or more.
    alpha
        Significance level, also of the intervals.

    Notes
    -----
    The exact test of `foldwise.inference.two_rates` decides; intervals are those dual to the textbook test. The two
    mistakes of [1]_, section 3.1, are shown where they would decide otherwise.

    References
    ----------
    .. [1] Martin & Hirschberg (1996), Small sample statistics for classification error rates II.

    Examples
    --------
    >>> compare_rates([(3, 50), (7, 60)]).pairs[0].adjusted > 0.05
    True
    """
    level = fraction(alpha, "alpha")
    if len(counts) < 2:
        raise InvalidInput(f"counts must have two or more rates, got {len(counts)}")
    tests, names = [], [f"{m}/{M}" for m, M in counts]
    names = [name if names.count(name) == 1 else f"{name} ({place})" for place, name in enumerate(names, 1)]
    for i, j in combinations(range(len(counts)), 2):
        both = (*counts[i], *counts[j])
        book = two_rates(*both)
        limits = book.confidence_interval(1 - level)
        wrong = (outside_interval(*both, confidence_level=1 - level), standard_error_rule(*both))
        tests.append({
            "a": names[i], "b": names[j], "estimate": float(book.estimate), "low": float(limits.low),
            "high": float(limits.high), "pvalue": max(float(two_rates(*both, method="exact").pvalue), LEAST_PVALUE),
            "textbook": max(float(book.pvalue), LEAST_PVALUE),
            "mistakes": {name: bool(found.reject) for name, found in zip(MISTAKES, wrong, strict=True)},
        })  # fmt: skip
    return RateComparison(
        rates={name: m / M for name, (m, M) in zip(names, counts, strict=True)},
        pairs=_adjusted(tests),
        test="exact test of two independent rates" + (", Holm" if len(tests) > 1 else ""),
        alpha=level,
        guarantee="approximate; exact for the pooled rate, which is estimated",
        caveats=(INDEPENDENT,),
    )


def compare_rate_samples(
    a: ArrayLike, b: ArrayLike, *, paired: bool, alpha: float = 0.05, names: tuple[str, str] = ("a", "b")
) -> RateComparison:
    """Compare two algorithms by their error rates on several independent samples (§3.3 of the report).

    Parameters
    ----------
    a, b
        Error rates of each, one per sample.
    paired
        Whether both were trained on the same samples; the formula for the other case is then a mistake.
    alpha, names
        Significance level, and what they are called.

    Examples
    --------
    >>> c = compare_rate_samples([0.20, 0.25, 0.22, 0.30], [0.18, 0.20, 0.21, 0.24], paired=True)
    >>> print(f"{c.pairs[0].pvalue:.4f}")
    0.0605
    """
    level, first, second = fraction(alpha, "alpha"), numbers(a, "a", min_ndim=1), numbers(b, "b", min_ndim=1)
    if first.ndim != 1 or second.ndim != 1 or len(first) < 2 or len(first) != len(second):
        raise InvalidInput(f"a and b must be as many rates, two or more, got {first.shape} and {second.shape}")
    found: Any = paired_t(first, second) if paired else unpaired_t(first, second)
    other: Any = unpaired_t(first, second) if paired else None
    limits = found.confidence_interval(1 - level)
    mistakes = {} if other is None else {"the formula for unpaired samples": bool(other.pvalue < level)}
    p = max(float(found.pvalue), LEAST_PVALUE)
    pair = RatePair(
        a=names[0], b=names[1], estimate=float(found.estimate), low=float(limits.low), high=float(limits.high),
        pvalue=p, adjusted=p, mistakes=mistakes,
    )  # fmt: skip
    words = "paired t over samples" if paired else "unpaired t over samples"
    return RateComparison(
        rates={names[0]: float(first.mean()), names[1]: float(second.mean())},
        pairs=(pair,),
        test=f"{words}, {number_text(float(np.asarray(found.df)), 3)} df",
        alpha=level,
        guarantee="approximate; samples are independent and differences about normal",
        caveats=("Each rate must come from a sample of its own: the folds of a cross-validation are not samples.",),
    )


def _adjusted(tests: Sequence[dict[str, Any]]) -> tuple[RatePair, ...]:
    pvalues = [test["pvalue"] for test in tests]
    adjusted = np.asarray(adjust(pvalues, method="holm")) if len(tests) > 1 else pvalues
    return tuple(RatePair(**test, adjusted=float(p)) for test, p in zip(tests, adjusted, strict=True))


Form = Literal["counts", "samples"]


def parse_rates(given: Sequence[str]) -> tuple[Form, list[Any]]:
    """Read ``3/50`` as counts and ``0.1,0.2`` as the rates of several samples; all must be of one form."""
    forms = {"counts" if "/" in text else "samples" for text in given}
    if len(given) < 2 or len(forms) != 1:
        raise InvalidInput(
            "rates must be two or more, all as ERRORS/N such as 3/50, or all as rates on several samples such as "
            f"0.1,0.2,0.15; got {' '.join(given) or 'nothing'}"
        )
    (form,) = forms
    try:
        if form == "samples":
            return "samples", [list(map(float, text.split(","))) for text in given]
        pairs = [tuple(map(int, text.split("/"))) for text in given]
    except ValueError as error:
        raise InvalidInput(f"rates must be ERRORS/N or numbers with commas, got {' '.join(given)}") from error
    if any(len(pair) != 2 for pair in pairs):
        raise InvalidInput(f"rates must be ERRORS/N, got {' '.join(given)}")
    if (more := next((text for text, (errors, n) in zip(given, pairs, strict=True) if errors > n), None)) is not None:
        raise InvalidInput(f"rates must have at most N errors, as ERRORS/N, got {more}")
    return "counts", pairs
