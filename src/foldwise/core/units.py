"""Scores, differences, intervals and probabilities as people write them, each in its unit.

Nothing here has an exponent, a p-value is never 0 and a probability never certainty.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from foldwise.core.formatting import NOISE, number_text
from foldwise.core.metric import Unit
from foldwise.core.types import Interval

_MOST_DECIMALS = 6
_LEVELS = (0.1, 0.05, 0.025, 0.01, 0.005, 0.001)
_MOST_DIGITS = 6


def shared_decimals(values: Iterable[float], digits: int) -> int:
    """How many decimals show the largest of the values to so many significant digits.

    >>> shared_decimals([0.95, 0.7], 4), shared_decimals([12.3, 0.2], 4), shared_decimals([], 4)
    (4, 2, 4)
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    if largest < NOISE:
        return digits
    return min(max(digits - 1 - math.floor(math.log10(largest)), 0), _MOST_DECIMALS) if largest >= 1 else digits


def fixed(value: float, decimals: int) -> str:
    """A number with so many decimals, and no minus before a zero.

    >>> fixed(0.5, 3), fixed(-0.0001, 2), fixed(-1.25, 1)
    ('0.500', '0.00', '−1.2')
    """
    if not math.isfinite(value):
        return number_text(value, 3)
    text = f"{value:.{decimals}f}"
    return (text.removeprefix("-") if float(text) == 0 else text).replace("-", "−")


def span(low: float | None, high: float | None) -> str:
    """An interval to four significant digits; nothing where there is none.

    >>> span(-1.25e-16, 6.356), span(None, None)
    ('0 to 6.356', '')
    """
    return "" if low is None or high is None else f"{number_text(low, 4)} to {number_text(high, 4)}"


def percents(unit: Unit) -> float:
    """By what to multiply a score to show it: fractions are read as percentages.

    >>> percents("fraction"), percents("percent")
    (100.0, 1.0)
    """
    return 100.0 if unit == "fraction" else 1.0


def score_text(value: float, unit: Unit, decimals: int | None = None) -> str:
    """A mean score in its unit: rates as percentages; others with so many decimals, for a column.

    >>> score_text(0.724, "fraction"), score_text(72.4, "percent"), score_text(1.5, "own")
    ('72.4 %', '72.4 %', '1.5')
    """
    if unit != "own":
        return f"{percents(unit) * value:.1f} %"
    return number_text(value, 4) if decimals is None else fixed(value, decimals)


def scores_text(values: Sequence[float], unit: Unit) -> list[str]:
    """Mean scores that stand side by side, with the same decimals: enough to tell them apart, none for whole numbers.

    >>> scores_text([8.298, 16.998], "own"), scores_text([0.724, 0.7], "fraction"), scores_text([3.0, 4.0], "own")
    (['8.30', '17.00'], ['72.4 %', '70.0 %'], ['3', '4'])
    >>> scores_text([1000.12, 1000.21], "own")
    ['1000.12', '1000.21']
    """
    finite = [value for value in values if math.isfinite(value)]
    if unit != "own" or all(value == round(value) for value in finite):
        return [score_text(value, unit) for value in values]
    spread = max(finite) - min(finite)
    apart = -math.floor(math.log10(spread)) if spread > NOISE else 0  # the first digit of what lies between them
    decimals = min(max(shared_decimals(finite, 4), apart), _MOST_DECIMALS)
    return [score_text(value, unit, decimals) for value in values]


def difference_text(value: float, unit: Unit, decimals: int | None = None) -> str:
    """A difference in its unit: percentage points for rates; with so many decimals, for a column.

    >>> difference_text(0.01, "fraction"), difference_text(0.5, "percent"), difference_text(0.01, "own")
    ('1 point', '0.5 points', '0.01')
    """
    points = percents(unit) * value
    if decimals is not None:
        return fixed(points, decimals) + ("" if unit == "own" else " points")
    if unit == "own":
        return number_text(value, 3)
    digits = fixed(points, 1).removesuffix(".0") if abs(points) >= 0.1 else number_text(points, 2)
    return f"{digits} point" + ("" if digits in ("1", "−1") else "s")


def asked_text(value: float, unit: Unit) -> str:
    """A margin or region in its unit, with all the digits that somebody gave it.

    >>> asked_text(0.01, "fraction"), asked_text(0.0025, "fraction"), asked_text(0.0125, "own")
    ('1 point', '0.25 points', '0.0125')
    """
    digits = number_text(percents(unit) * value, 6)
    return digits if unit == "own" else f"{digits} point" + ("" if digits == "1" else "s")


def span_text(interval: Interval, unit: Unit, decimals: int | None = None) -> str:
    """An interval of differences in its unit, both limits with the same decimals; with so many, for a column.

    >>> span_text(Interval(low=0.00337, high=0.0937), "own"), span_text(Interval(low=5.47, high=11.93), "own")
    ('0.0034 to 0.0937', '5.5 to 11.9')
    >>> span_text(Interval(low=0.0002, high=3.0), "own"), span_text(Interval(low=0.01, high=0.021), "fraction")
    ('0.0002 to 3.00', '1.0 to 2.1')
    """
    limits = [float(limit) * percents(unit) for limit in (interval.low, interval.high)]
    if decimals is None and unit == "own":
        largest = max((abs(limit) for limit in limits if math.isfinite(limit)), default=0.0)
        shown = 2 - math.floor(math.log10(largest)) if largest > NOISE else 3
        texts = [fixed(limit, max(shown, 0)) for limit in limits]
        # a limit beside 0 stays beside it
        texts = [number_text(limit, 1) if _read(text) == 0 else text for limit, text in zip(limits, texts, strict=True)]
        return " to ".join(texts)
    return " to ".join(fixed(limit, 1 if decimals is None else decimals) for limit in limits)


def limits_text(limits: Interval, unit: Unit, margin: float) -> str:
    """Limits in their unit, with as many digits as show on which side of the margin they lie.

    >>> limits_text(Interval(low=-0.0098, high=0.023), "fraction", 0.01)
    '−0.98 to 2.30'
    """
    ends, edge = [float(limit) * percents(unit) for limit in (limits.low, limits.high)], margin * percents(unit)
    tries = [[number_text(end, 3 + more) if unit == "own" else fixed(end, 1 + more) for end in ends]
             for more in range(_MOST_DIGITS)]  # fmt: skip
    sides = [_sides(end, edge) for end in ends]
    clear = (texts for texts in tries if [_sides(_read(text), edge) for text in texts] == sides)
    return " to ".join(next(clear, tries[0]))


def _sides(value: float, edge: float) -> tuple[bool, bool, bool, bool]:
    return value > edge, value < edge, value > -edge, value < -edge


def _read(text: str) -> float:
    return float(text.replace("−", "-").replace("∞", "inf"))


def pvalue_text(p: float) -> str:
    """A p-value to two significant digits, never as 0; to more where two would make it a usual level.

    >>> pvalue_text(0.01234), pvalue_text(1e-9), pvalue_text(1.0), pvalue_text(0.04996)
    ('0.012', '< 0.0001', '1', '0.04996')
    """
    if p < 1e-4:
        return "< 0.0001"
    texts = [f"{p:.{digits}g}" for digits in range(2, _MOST_DIGITS + 1)]
    return next((text for text in texts if float(text) not in _LEVELS), texts[0])


def with_sign(pvalue: float) -> str:
    """A p-value as it stands behind its letter.

    >>> with_sign(0.012), with_sign(1e-9)
    ('= 0.012', '< 0.0001')
    """
    text = pvalue_text(pvalue)
    return text if text.startswith("<") else f"= {text}"


def probability(p: float) -> str:
    """A probability as a percentage, never as certainty.

    >>> probability(0.5), probability(0.9999), probability(0.00001)
    ('50.0 %', '> 99.9 %', '< 0.1 %')
    """
    if p > 0.999:
        return "> 99.9 %"
    return "< 0.1 %" if p < 0.001 else f"{100 * p:.1f} %"


def capital(text: str) -> str:
    """The text with a capital first letter, unless its first word is written as names are.

    >>> capital("accuracy"), capital("nDCG@10 of all"), capital("my_loss is lower")
    ('Accuracy', 'nDCG@10 of all', 'my_loss is lower')
    """
    return text if re.match(r"[a-z]+[A-Z_^@]", text) else text[:1].upper() + text[1:]


def sentence(text: str, names: Iterable[str] = ()) -> str:
    """The text as a sentence; one of these names at its beginning stays as it is.

    >>> sentence("arima is taken for the larger"), sentence("arima's errors are alike", ["arima"])
    ('Arima is taken for the larger.', "arima's errors are alike.")
    """
    named = any(re.match(rf"{re.escape(name)}(?!\w)", text) for name in names)
    return (text if named else capital(text)) + ("" if text.endswith((".", "!", "?")) else ".")


def name_list(names: Sequence[str], *, most: int = 6) -> str:
    """Names in a sentence; many are counted.

    >>> name_list(["a", "b", "c"]), name_list(list("abcdefgh"), most=3)
    ('a, b and c', 'a, b, c and 5 others')
    """
    if len(names) > most + 1:
        return ", ".join(names[:most]) + f" and {len(names) - most} others"
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + f" and {names[-1]}"
