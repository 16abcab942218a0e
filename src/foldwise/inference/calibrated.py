"""Calibrated degrees of freedom of the repeated-cv tests: those at which a test holds its level.

The values come with the package as `calibrated_df.json`, which ``python -m foldwise.lab.measuring calibrated`` made:
as in Bouckaert's paper, with naive Bayes and C4.5 on data sets of 300 examples whose class nothing predicts. The paper
itself recommends 10 degrees of freedom for `use_all_data` at 10×10, and finds "circa 11" for all six tests.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TypedDict

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Json
from foldwise.core.validation import fraction, integer, one_of

__all__ = ["CALIBRATABLE", "NOT_CALIBRATABLE", "calibrated_df", "calibration_stamp"]

FILE = "calibrated_df.json"

CALIBRATABLE = (
    "use_all_data",
    "folds_averaged_var",
    "folds_averaged_t",
    "runs_averaged_var",
    "runs_averaged_t",
    "sorted_runs",
)
"""Variants to which degrees of freedom can give their level."""

NOT_CALIBRATABLE = ("folds", "runs", "sorted_runs_averaged_var", "sorted_runs_averaged_t")
"""Variants to which none do (bouckaert2003 section 4, last two paragraphs)."""


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
        Refused with `InvalidInput` where no value is known, or where none exists; nothing is interpolated.

    Notes
    -----
    The calibrated value is the largest df whose Type I error, on data without a difference, is at most alpha [1]_. For
    other learners or sizes of data set calibrate with `foldwise.lab.calibrate`.

    References
    ----------
    .. [1] Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests, ICML, sections 4
       and 6.

    Examples
    --------
    >>> 9 <= calibrated_df("use_all_data", runs=10, folds=10) <= 11
    True
    """
    one_of(variant, "variant", (*CALIBRATABLE, *NOT_CALIBRATABLE))
    integer(runs, "runs", minimum=2)
    integer(folds, "folds", minimum=2)
    level = fraction(alpha, "alpha")
    if variant in NOT_CALIBRATABLE:
        raise InvalidInput(f"df='calibrated' is impossible for variant {variant!r}: no df gives it its level")
    known = _table()
    first, last = known["runs"]
    values = known["df"].get(str(folds), {}).get(f"{level:g}", {}).get(variant)
    if values is None or not first <= runs <= last:
        raise InvalidInput(
            f"df='calibrated' is known for {_known()}, got {runs} runs of {folds} folds at alpha = {level:g}"
        )
    found = float(values.split()[runs - first])
    if found == 0:
        raise InvalidInput(
            f"df='calibrated' is impossible for {runs} runs of {folds} folds at alpha = {level:g}: no df gives "
            f"variant {variant!r} its level"
        )
    return found


def calibration_stamp() -> dict[str, Json]:
    """How the table was made: population, learners, n, trials, seed, version.

    Examples
    --------
    >>> calibration_stamp()["learners"]
    ['nb', 'c45']
    """
    return dict(_table()["stamp"])


class _Table(TypedDict):
    """What the file holds: values of df as text, run after run, by folds, level and variant."""

    stamp: dict[str, Json]
    runs: tuple[int, int]
    df: dict[str, dict[str, dict[str, str]]]


@cache
def _table() -> _Table:
    table: _Table = json.loads(files("foldwise.inference").joinpath(FILE).read_text(encoding="utf-8"))
    return table


def _known() -> str:
    """The schemes of the table as a phrase."""
    known = _table()
    folds, levels = ", ".join(known["df"]), ", ".join(next(iter(known["df"].values())))
    return f"{known['runs'][0]} to {known['runs'][1]} runs of {folds} folds at alpha = {levels}"
