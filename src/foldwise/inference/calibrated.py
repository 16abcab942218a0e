"""Calibrated degrees of freedom of the repeated-cv tests: those at which a test holds its level.

The values are the ones that Bouckaert's paper prints. Its Figure 2, which has the rest, did not survive; what is kept
here are its statements in words. `CALIBRATED` is all that a table from another source would have to replace.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from types import MappingProxyType

from foldwise.core.errors import InvalidInput
from foldwise.core.validation import fraction, integer, one_of

__all__ = ["CALIBRATED", "NOT_CALIBRATABLE", "calibrated_df"]

Scheme = tuple[int, int, float, str]
"""runs, folds, alpha, variant"""

_HOLDING = (
    "use_all_data",
    "folds_averaged_var",
    "folds_averaged_t",
    "runs_averaged_var",
    "runs_averaged_t",
    "sorted_runs",
)
NOT_CALIBRATABLE = ("folds", "runs", "sorted_runs_averaged_var", "sorted_runs_averaged_t")
"""Variants that no degrees of freedom give their level (bouckaert2003 section 4, last two paragraphs)."""

# Section 4: "The df's for [the six] are all constantly circa 11", "constant over higher numbers of runs", "constant for
# different significance level (mostly within 1 difference)"; numbers of runs from the text beside Figure 2. At 5 runs
# the paper finds too few distinct levels to calibrate.
_RUNS = (10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100)
_FOLDS = 10
_LEVELS = (0.01, 0.05, 0.10)
_CIRCA = {(runs, _FOLDS, alpha, name): 11.0 for runs, alpha, name in product(_RUNS, _LEVELS, _HOLDING)}
# Section 6: "using the 10 time repeated 10 fold cross validation test where all 100 individual accuracies are used to
# estimate the mean and variance and with 10 degrees of freedom for binary data".
_RECOMMENDED = {(10, _FOLDS, alpha, "use_all_data"): 10.0 for alpha in _LEVELS}

CALIBRATED: Mapping[Scheme, float] = MappingProxyType(_CIRCA | _RECOMMENDED)
"""Degrees of freedom by scheme; found with naive Bayes and C4.5 on 300 examples of 10 independent binary attributes."""


def calibrated_df(variant: str, *, runs: int, folds: int, alpha: float = 0.05) -> float:
    """Degrees of freedom at which a repeated-cv test holds its level.

    Parameters
    ----------
    variant
        One of the variants of `repeated_cv_test`.
    runs, folds
        The scheme of cross-validation.
    alpha
        The level.

    Returns
    -------
    float
        Refused with `InvalidInput` where no value is known, or where none exists.

    References
    ----------
    .. [1] Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests, ICML, sections 4
       and 6.

    Examples
    --------
    >>> calibrated_df("use_all_data", runs=10, folds=10)
    10.0
    """
    one_of(variant, "variant", (*_HOLDING, *NOT_CALIBRATABLE))
    integer(runs, "runs", minimum=2)
    integer(folds, "folds", minimum=2)
    level = fraction(alpha, "alpha")
    if variant in NOT_CALIBRATABLE:
        raise InvalidInput(f"df='calibrated' is impossible for variant {variant!r}: no df gives it its level")
    found = CALIBRATED.get((runs, folds, level, variant))
    if found is None:
        raise InvalidInput(
            f"df='calibrated' is known for {_known()}, got {runs} runs of {folds} folds at alpha = {level:g}"
        )
    return found


def _known() -> str:
    """The schemes of the table as a phrase."""
    runs, folds, levels, _ = (sorted(set(column)) for column in zip(*CALIBRATED, strict=True))
    parts = (f"{', '.join(f'{value:g}' for value in values)}" for values in (runs, folds, levels))
    return "{} runs of {} folds at alpha = {}".format(*parts)
