"""A printed value beside ours and the one rule that says whether they agree; and what a study's figure shows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import number_text
from foldwise.inference.error_rates import error_interval

Verdict = Literal["agree", "differs", "not comparable", "not printed"]
VERDICTS: tuple[Verdict, ...] = ("agree", "differs", "not comparable", "not printed")

CONFIDENCE = 0.99  # Level of our Monte-Carlo intervals; of a hundred correct rows one will therefore 'differ'.

Z = 2.5758293035489004  # The normal quantile of CONFIDENCE.


UNEXPLAINED = "unexplained"
# What a row says that differs and for which nobody knows the reason: a difference is never left without a word.
MAY_BE_CHANCE = f"{UNEXPLAINED}; of a hundred rows that are right about one is this far off by chance"


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A number as a paper prints it.

    >>> printed = Printed(text="5.0", unit=100, trials=1000)
    >>> printed.value, printed.rounding
    (5.0, 0.05)
    """

    text: str  #: Its digits; how many there are says how it was rounded
    trials: int | None = None  #: Number of trials behind it where it is a share and the paper says so, else None
    unit: float = 1.0  #: What 1 is printed as: 100 for per cent
    error: float = 0.0  #: Its standard error where it is a mean and the paper lets us know it, else 0

    def __post_init__(self) -> None:
        try:
            Decimal(self.text)
        except InvalidOperation as error:
            raise InvalidInput(f"text must be a number as printed, got {self.text!r}") from error

    @property
    def value(self) -> float:
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
    """One line of a study: what was printed, what we found, and how the two stand to each other."""

    label: str  #: What the number is
    printed: str  #: As the paper has it: a number, a statement, or empty
    ours: float | None  #: Our number, or None
    #: low, high: Its 99 % Monte-Carlo interval; None for a computation without chance
    low: float | None = None
    high: float | None = None
    #: "agree", "differs", "not comparable" (printed, but of something else than ours) or "not printed"
    verdict: Verdict
    rule: str = ""  #: When the two agree: the tolerance of a number, what must hold for a statement
    difference: float | None = None  #: Ours − printed, where both are numbers
    note: str = ""  #: Why it differs or can't be compared, or what else to know

    @property
    def judgement(self) -> str:
        """The verdict in words, with the size of the difference or the reason.

        >>> Row(label="x", printed="1", ours=3.0, verdict="differs", difference=2.0).judgement
        'differs (by +2)'
        """
        if self.verdict == "differs" and self.difference is not None:
            return f"differs (by {'+' if self.difference > 0 else ''}{number_text(self.difference, 3)})"
        return self.verdict


def of_value(
    label: str, printed: Printed, ours: float, *, low: float | None = None, high: float | None = None, note: str = "",
    why: str = "",
) -> Row:  # fmt: skip
    r"""Judge a number against a printed one.

    `label`, `printed`, `ours`: what it is, the paper's number and ours. `low`, `high`: our 99 % Monte-Carlo interval;
    without it ours is exact. `note`, `why`: said in any case; said only if the two differ: the reason, without which
    the row says that it is unexplained.

    They agree if :math:`|printed - ours| \le h + \sqrt{a^2 + b^2}`, with h half a unit of the last printed digit,
    a the part of our 99 % interval on the side of the printed value, and b the part of the paper's 99 % interval
    (known where the paper states its number of trials) on the side of ours. Adding the squares of the distances to the
    nearer limits is Newcombe's interval for the difference of two independent estimates (Newcombe 1998).

    Newcombe (1998), Interval estimation for the difference between independent proportions, Statistics in Medicine 17,
    method 10.

    >>> row = of_value("R", Printed(text="0.737"), 0.7366)
    >>> row.verdict, row.rule
    ('agree', 'within 0.0005')
    """
    above = printed.value > ours
    a = 0.0 if low is None or high is None else (high - ours if above else ours - low)
    b = printed.reach(upwards=not above)
    tolerance = printed.rounding + math.hypot(a, b)
    # a hair of slack: a value exactly half a digit away must not depend on how binary fractions round
    agree = abs(printed.value - ours) <= tolerance * (1 + 1e-9)
    return Row(
        label=label, printed=printed.text, ours=ours, low=low, high=high, verdict="agree" if agree else "differs",
        rule=f"within {number_text(tolerance, 2)}", difference=ours - printed.value,
        note=_joined(note, "" if agree else why or (MAY_BE_CHANCE if a or b else UNEXPLAINED)),
    )  # fmt: skip


def of_share(label: str, printed: Printed, hits: int, trials: int, *, note: str = "", why: str = "") -> Row:
    """Judge a share of our trials (with its Wilson interval) against a printed one.

    >>> of_share("Type I error", Printed(text="5.0", unit=100, trials=1000), 61, 1000).verdict
    'agree'
    """
    low, high = limits99(hits, trials)
    ours, unit = printed.unit * hits / trials, printed.unit
    return of_value(label, printed, ours, low=unit * low, high=unit * high, note=note, why=why)


def limits99(hits: int, trials: int) -> tuple[float, float]:
    """The 99 % Monte-Carlo interval (Wilson's) of a share of our trials."""
    found = error_interval(hits, trials, method="wilson", confidence_level=CONFIDENCE)
    return float(found.low), float(found.high)


def of_spread(
    label: str, printed: Printed, shares: Sequence[float], trials: int, *, note: str = "", why: str = ""
) -> Row:
    """Judge the range of shares over populations that may stand for the paper's, each of so many of our trials.

    Ours is the median; its interval reaches from the lower limit of the smallest to the upper limit of the largest.

    >>> of_spread("consistent", Printed(text="80.9", unit=100, trials=1000), [0.6, 0.7, 0.85], 200).verdict
    'agree'
    """
    unit, ordered = printed.unit, sorted(shares)
    low, high = (limits99(round(ordered[place] * trials), trials)[side] for place, side in ((0, 0), (-1, 1)))
    return of_value(
        label, printed, unit * float(np.median(ordered)), low=unit * low, high=unit * high, note=note, why=why
    )


def of_mean(label: str, printed: Printed, mean: float, error: float, *, note: str = "", why: str = "") -> Row:
    """Judge a mean with its standard error against a printed one.

    >>> of_mean("accuracy", Printed(text="87.8"), 87.5, 0.2).verdict
    'agree'
    """
    return of_value(label, printed, mean, low=mean - Z * error, high=mean + Z * error, note=note, why=why)


def claim(
    label: str, statement: str, holds: bool | None, *, rule: str, ours: float | None = None, why: str = ""
) -> Row:
    """Judge a statement of the paper; `holds` is None where our trials are too few to tell.

    `rule`: what must hold of our number for the statement to agree.

    >>> claim("resampled t", "above 0.05", True, rule="above 0.05", ours=0.43).verdict
    'agree'
    """
    verdict: Verdict = "not comparable" if holds is None else "agree" if holds else "differs"
    note = _joined("too few trials to tell", why) if holds is None else "" if holds else why or UNEXPLAINED
    return Row(label=label, printed=statement, ours=ours, verdict=verdict, rule=rule, note=note)


def measured(
    label: str, ours: float | None, note: str = "", *, low: float | None = None, high: float | None = None
) -> Row:
    """A number of ours beside which nothing is printed in our copy of the paper, be it in a figure only."""
    return Row(label=label, printed="", ours=ours, low=low, high=high, verdict="not printed", note=note)


def incomparable(row: Row, why: str) -> Row:
    """The row of a printed number that is not of the same thing as ours, and the reason."""
    return replace(row, verdict="not comparable", rule="", difference=None, note=why)


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


# ---- What a study's figure shows, as plain numbers; `report` draws it.

Kind = Literal["bars", "lines", "points"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlottedSeries:
    """One row of bars, one line or one cloud of points, with a name in the legend and perhaps error bars."""

    name: str
    x: tuple[float | str, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """One figure; `name` is part of a file name, `level` the height of a line and `diagonal` the line y = x."""

    name: str
    kind: Kind
    title: str
    x_label: str
    y_label: str
    series: tuple[PlottedSeries, ...]
    level: float | None = None
    diagonal: bool = False


def chart(
    name: str, kind: Kind, title: str, labels: tuple[str, str], series: Mapping[str, Sequence[Any]], **more: Any
) -> Chart:
    """A figure from arrays: per series x, y and, where there are error bars, their low and high ends.

    >>> chart("square", "lines", "Squares", ("n", "n²"), {"": ([1, 2], [1, 4])}).series[0].y
    (1, 4)
    """
    parts = ("x", "y", "low", "high")
    made = tuple(
        PlottedSeries(
            name=title, **{part: tuple(np.asarray(v).tolist()) for part, v in zip(parts, values, strict=False)}
        )
        for title, values in series.items()
    )
    return Chart(name=name, kind=kind, title=title, x_label=labels[0], y_label=labels[1], series=made, **more)


FEWEST = 8  # Printed numbers of a study from which on a picture of them says more than the rows do.


def beside_the_print(rows: Sequence[Row]) -> tuple[Chart, ...]:
    """All printed numbers of a study beside ours, with our intervals; nothing where there are few.

    >>> rows = [of_value("x", Printed(text=str(i)), i + (i == 3)) for i in range(9)]
    >>> [(series.name, series.x) for series in beside_the_print(rows)[0].series][1]
    ('differs', (3.0,))
    """
    points: dict[str, list[tuple[float, float, float, float]]] = {"agree": [], "differs": []}
    for row in rows:
        if row.difference is not None and row.ours is not None and row.verdict in points:
            low, high = (row.ours if limit is None else limit for limit in (row.low, row.high))
            points[row.verdict].append((row.ours - row.difference, row.ours, low, high))
    if sum(map(len, points.values())) < FEWEST:
        return ()
    series = {verdict: list(np.array(found).round(9).T) for verdict, found in points.items() if found}
    title = "Printed numbers beside ours, with 99 % Monte-Carlo intervals"
    return (chart("printed", "points", title, ("printed", "ours"), series, diagonal=True),)
