"""A printed value beside ours, and the one rule that says whether they agree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import number_text
from foldwise.inference._error_interval import error_interval

Verdict = Literal["agree", "differs", "not comparable"]

CONFIDENCE = 0.99
"""Level of our Monte-Carlo intervals; of a hundred correct rows one will therefore 'differ'."""

Z = 2.5758293035489004
"""The normal quantile of CONFIDENCE."""


UNEXPLAINED = "unexplained"
MAY_BE_CHANCE = f"{UNEXPLAINED}; of a hundred rows that are right about one is this far off by chance"
"""What a row says that differs and for which nobody knows the reason: a difference is never left without a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A number as a paper prints it.

    Attributes
    ----------
    text
        Its digits; how many there are says how it was rounded.
    trials
        Number of trials behind it where it is a share and the paper says so, else None.
    unit
        What 1 is printed as: 100 for per cent.
    error
        Its standard error where it is a mean and the paper lets us know it, else 0.

    Examples
    --------
    >>> printed = Printed(text="5.0", unit=100, trials=1000)
    >>> printed.value, printed.rounding
    (5.0, 0.05)
    """

    text: str
    trials: int | None = None
    unit: float = 1.0
    error: float = 0.0

    def __post_init__(self) -> None:
        try:
            Decimal(self.text)
        except InvalidOperation as error:
            raise InvalidInput(f"text must be a number as printed, got {self.text!r}") from error

    @property
    def value(self) -> float:
        """The number."""
        return float(Decimal(self.text))

    @property
    def rounding(self) -> float:
        """Half a unit of the last printed digit."""
        return 0.5 * 10.0 ** int(Decimal(self.text).as_tuple().exponent)

    def reach(self, *, upwards: bool) -> float:
        """How far the paper's own Monte-Carlo error reaches from the printed value, up or down."""
        if self.trials is None:
            return Z * self.error
        share = min(max(self.value / self.unit, 0.0), 1.0)
        limits = error_interval(round(share * self.trials), self.trials, method="wilson", confidence_level=CONFIDENCE)
        return self.unit * float(limits.high - limits.estimate if upwards else limits.estimate - limits.low)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a study: what was printed, what we found, and how the two stand to each other.

    Attributes
    ----------
    label
        What the number is.
    printed
        As the paper has it: a number, a statement, or empty.
    ours
        Our number, or None.
    low, high
        Its 99 % Monte-Carlo interval; None for a computation without chance.
    verdict
        "agree", "differs" or "not comparable".
    difference
        Ours − printed, where both are numbers.
    note
        Why it differs or can't be compared, or what else to know.
    """

    label: str
    printed: str
    ours: float | None
    low: float | None = None
    high: float | None = None
    verdict: Verdict
    difference: float | None = None
    note: str = ""

    @property
    def judgement(self) -> str:
        """The verdict in words, with the size of the difference or the reason.

        Examples
        --------
        >>> Row(label="x", printed="1", ours=3.0, verdict="differs", difference=2.0).judgement
        'differs (by +2)'
        """
        if self.verdict == "differs" and self.difference is not None:
            return f"differs (by {'+' if self.difference > 0 else ''}{number_text(self.difference, 3)})"
        return self.verdict


def of_value(
    label: str,
    printed: Printed,
    ours: float,
    *,
    low: float | None = None,
    high: float | None = None,
    note: str = "",
    why: str = "",
) -> Row:
    r"""Judge a number against a printed one.

    Parameters
    ----------
    label, printed, ours
        What it is, the paper's number and ours.
    low, high
        Our 99 % Monte-Carlo interval; without it ours is exact.
    note
        Added in any case.
    why
        Added only if the two differ: the reason; without it the row says that it is unexplained.

    Notes
    -----
    They agree if :math:`|printed - ours| \le h + \sqrt{a^2 + b^2}`, with h half a unit of the last printed digit,
    a the part of our 99 % interval on the side of the printed value, and b the part of the paper's 99 % interval
    (known where the paper states its number of trials) on the side of ours. Adding the squares of the distances to the
    nearer limits is Newcombe's interval for the difference of two independent estimates [1]_.

    References
    ----------
    .. [1] Newcombe (1998), Interval estimation for the difference between independent proportions, Statistics in
       Medicine 17, method 10.

    Examples
    --------
    >>> of_value("R", Printed(text="0.737"), 0.7366).verdict
    'agree'
    """
    above = printed.value > ours
    a = 0.0 if low is None or high is None else (high - ours if above else ours - low)
    b = printed.reach(upwards=not above)
    # a hair of slack: a value exactly half a digit away must not depend on how binary fractions round
    agree = abs(printed.value - ours) <= (printed.rounding + math.hypot(a, b)) * (1 + 1e-9)
    return Row(
        label=label,
        printed=printed.text,
        ours=ours,
        low=low,
        high=high,
        verdict="agree" if agree else "differs",
        difference=ours - printed.value,
        note=_joined(note, "" if agree else why or (MAY_BE_CHANCE if a or b else UNEXPLAINED)),
    )


def of_share(label: str, printed: Printed, hits: int, trials: int, *, note: str = "", why: str = "") -> Row:
    """Judge a share of our trials (with its Wilson interval) against a printed one.

    Examples
    --------
    >>> of_share("Type I error", Printed(text="5.0", unit=100, trials=1000), 61, 1000).verdict
    'agree'
    """
    limits = error_interval(hits, trials, method="wilson", confidence_level=CONFIDENCE)
    low, ours, high = (printed.unit * float(v) for v in (limits.low, limits.estimate, limits.high))
    return of_value(label, printed, ours, low=low, high=high, note=note, why=why)


def of_mean(label: str, printed: Printed, mean: float, error: float, *, note: str = "", why: str = "") -> Row:
    """Judge a mean with its standard error against a printed one.

    Examples
    --------
    >>> of_mean("accuracy", Printed(text="87.8"), 87.5, 0.2).verdict
    'agree'
    """
    return of_value(label, printed, mean, low=mean - Z * error, high=mean + Z * error, note=note, why=why)


def claim(label: str, statement: str, holds: bool | None, *, ours: float | None = None, why: str = "") -> Row:
    """Judge a statement of the paper; `holds` is None where our trials are too few to tell.

    Examples
    --------
    >>> claim("resampled t", "above 0.05", True, ours=0.43).verdict
    'agree'
    """
    if holds is None:
        return Row(
            label=label,
            printed=statement,
            ours=ours,
            verdict="not comparable",
            note=_joined("too few trials to tell", why),
        )
    return Row(
        label=label,
        printed=statement,
        ours=ours,
        verdict="agree" if holds else "differs",
        note="" if holds else why or UNEXPLAINED,
    )


def unprinted(
    label: str, ours: float | None, why: str, *, low: float | None = None, high: float | None = None, printed: str = ""
) -> Row:
    """A number of ours that can't be compared, and the reason."""
    return Row(label=label, printed=printed, ours=ours, low=low, high=high, verdict="not comparable", note=why)


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


# ---- What a study's figure shows, as plain numbers; `report` draws it.


Kind = Literal["bars", "lines", "points"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One row of bars, one line or one cloud of points.

    Attributes
    ----------
    name
        Its name in the legend; empty for none.
    x
        Numbers, or words for bars.
    y
        Heights.
    low, high
        Ends of error bars, or nothing.
    """

    name: str
    x: tuple[float | str, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """One figure.

    Attributes
    ----------
    name
        Short and unique within the study: part of a file name.
    kind
        How the series are drawn.
    title, x_label, y_label
        Words around it.
    series
        What is drawn.
    level
        Height of a horizontal reference line, or None.
    diagonal
        Whether the line y = x is drawn.
    """

    name: str
    kind: Kind
    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    level: float | None = None
    diagonal: bool = False
