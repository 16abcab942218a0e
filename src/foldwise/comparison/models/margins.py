"""What a margin says of each pair of several models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from foldwise.comparison.pair import Pair
from foldwise.core.types import Interval
from foldwise.inference.margins import conclusion

__all__ = ["with_margin"]


def with_margin(
    pairs: Sequence[Pair], limits: Interval, *, margin: float, higher_is_better: bool, control: str | None
) -> tuple[Pair, ...]:
    """The pairs with their limits and conclusions.

    Parameters
    ----------
    pairs
        What is known of the pairs.
    limits
        One-sided limits of each: of level 1 − α/m for m pairs (Bonferroni), whatever way p-values are adjusted.
    margin
        The largest difference that does not matter.
    higher_is_better
        False for losses.
    control
        The baseline; without one, the second model of each pair is.
    """
    out = []
    for pair, low, high in zip(pairs, np.asarray(limits.low), np.asarray(limits.high), strict=True):
        span = None if np.isnan(low) else Interval(low=float(low), high=float(high))
        candidate = pair.b if pair.a == control else pair.a
        found = conclusion(
            span if span is None or candidate == pair.a else -span,
            margin=margin,
            higher_is_better=higher_is_better,
        )
        out.append(replace(pair, margin=margin, limits=span, candidate=candidate, conclusion=found))
    return tuple(out)
