"""Numbers and moments as people write them."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

# ---- One number as people write it: a few digits and no exponent.

NOISE = 1e-12  # What is smaller is what rounding leaves of a zero.
LEAST_PVALUE = sys.float_info.min  # A p-value too small for a number is at most this: none is 0.


def number_text(value: float, digits: int) -> str:
    """A number to so many significant digits, without an exponent and without zeros at its end.

    >>> number_text(0.0000708, 3), number_text(-1.48e-17, 3), number_text(1234567.0, 4), number_text(0.5, 3)
    ('0.0000708', '0', '1235000', '0.5')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if math.isnan(value):
        return "unknown"
    if abs(value) < NOISE:
        return "0"
    if abs(value) >= 1e15:
        mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
        return f"{mantissa} × 10^{int(power)}".replace("-", "−")
    rounded = float(f"{value:.{digits - 1}e}")
    return np.format_float_positional(rounded, trim="-").replace("-", "−")


def level_text(level: float) -> str:
    """A confidence level in percent, with as many digits as it takes not to be called certainty.

    >>> level_text(0.95), level_text(0.99999)
    ('95 %', '99.999 %')
    """
    texts = [f"{100 * level:.{digits}g}" for digits in range(4, 18)]
    return f"{next((text for text in texts if text != '100'), texts[-1])} %"


# ---- Moments as people and files write them.


def moment(made: int) -> str:
    """Seconds since 1970 as people write them.

    >>> moment(0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(made, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def found_in_store(found: int, total: int, what: str, made: tuple[str, str] | None) -> str:
    """How many results came from a store, and from when they are.

    >>> found_in_store(3, 4, "fits", (moment(0), moment(60)))
    '3 of 4 fits were found in the store, made from 1970-01-01T00:00:00Z to 1970-01-01T00:01:00Z'
    """
    first, last = made or ("", "")
    when = f", made {first}" if first == last else f", made from {first} to {last}"
    return f"{found} of {total} {what} were found in the store{when if first else ''}"


# ---- Names that are too long to be read again and again.


def short_names(names: Sequence[str], *, limit: int, mark: str = "…") -> list[str]:
    """Names of at most `limit` characters where they are longer: without the beginning that they share, up to a whole
    part, and brackets that were opened there; what is still too long without its middle.

    >>> steps = "Pipeline(ColumnTransformer(num, cat), {})"
    >>> models = [steps.format(name) for name in ("LogisticRegression(C=1)", "LogisticRegression(C=10)", "SVC()")]
    >>> short_names(models, limit=30)
    ['…LogisticRegression(C=1)', '…LogisticRegression(C=10)', '…SVC()']
    >>> short_names(models[:2], limit=16), short_names(models, limit=16)
    (['…C=1', '…C=10'], ['…LogisticR…(C=1)', '…Logistic…(C=10)', '…SVC()'])
    """
    shown = list(names)
    groups: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        if len(name) > limit:
            groups.setdefault(_PART.findall(name)[0], []).append(place)
    for places in groups.values():
        alike = sorted({names[place] for place in places})
        for place in places:
            shown[place] = (
                names[place] if len(alike) == 1 else mark + _rest(names[place], _cut(alike, limit - len(mark)))
            )
    return [name if len(name) <= limit else _without_middle(name, limit) for name in shown]


_PART = re.compile(r"\w+(?:\.\w+)*|\W")  # Words and numbers, and what stands between them.
_OPEN = {")": "(", "]": "[", "}": "{"}


def _cut(names: Sequence[str], limit: int) -> int:
    """Where the beginning that all share ends: as early as what is left fits, else as late as it is shared."""
    parts = [_PART.findall(name) for name in names]
    shared = 0
    while shared < min(map(len, parts)) - 1 and len({own[shared] for own in parts}) == 1:
        shared += 1
    ends = [len("".join(parts[0][: at + 1])) for at in range(shared) if _is_end(parts[0], at)]
    left = [(end, [_rest(name, end) for name in names]) for end in ends]
    whole = [(end, rests) for end, rests in left if all(rests)]
    return next((end for end, rests in whole if max(map(len, rests)) <= limit), whole[-1][0] if whole else 0)


def _is_end(parts: Sequence[str], at: int) -> bool:
    """Whether a part is no word, and the next one is: a name may begin there."""
    return parts[at][0] in "([{ ,/+|:-_=" and parts[at] not in "=" and parts[at + 1][0].isalnum()


def _rest(name: str, cut: int) -> str:
    """What follows the cut, without the brackets at its end that were opened before; empty where others were, too."""
    rest, depth = name[cut:], 0
    for at, letter in enumerate(rest):
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0:
            return "" if rest[at:].strip(")]}") else rest[:at]
    return rest


def _without_middle(name: str, limit: int) -> str:
    """Its beginning and its last parts."""
    name = name.removesuffix("()")
    if len(name) <= limit:
        return name
    starts = [found.start() for found in re.finditer(r"\W(?=\w)", name) if len(name) - found.start() <= limit // 2]
    tail = name[starts[0] :] if starts else ""
    return f"{name[: limit - 1 - len(tail)].rstrip()}…{tail}"
