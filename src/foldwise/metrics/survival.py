"""How well risk scores order the times of events that are partly censored: Harrell's and Uno's C-index.

The truth is one number per item: its time, with a minus sign where it was censored (nothing had happened by then), as
XGBoost writes it; the minus sign of 0 counts too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.table import is_frame
from foldwise.core.types import Array, Flags, Integers, Labels
from foldwise.core.validation import numbers
from foldwise.metrics.metric import Metric, Needs, Output, Truth
from foldwise.metrics.weighable import Weighable, WeightMetric

# ---- Times and events as people give them.

HAPPENED = frozenset({"1", "1.0", "true", "yes", "event", "dead", "died", "death", "deceased", "1:deceased"})
CENSORED = frozenset({"0", "0.0", "false", "no", "censored", "alive", "living", "0:living"})
"""Words for an event and for none by that time, in lower case; the last of each are cBioPortal's."""

CALL = "compare_predictions({'time': […], 'event': […]}, {'a': risk_a, 'b': risk_b}, metric='c_index')"


def signed_times(time: ArrayLike, event: ArrayLike) -> Array:
    """The truth that metrics of survival take.

    >>> signed_times([5, 8, 0], [1, 0, "alive"]).tolist()
    [5.0, -8.0, -0.0]
    """
    times, said = numbers(time, "time"), [str(one).strip().lower() for one in np.asarray(event).tolist()]
    if times.ndim != 1 or len(times) != len(said):
        raise InvalidInput(f"time and event must have one value for each item, got {times.shape} and {len(said)}")
    if (times < 0).any():
        raise InvalidInput(f"time must not be negative, got {times[times < 0][0]:g}")
    if strange := next((one for one in said if one not in HAPPENED | CENSORED), None):
        raise InvalidInput(f"event must be 1 (it happened at that time) or 0 (censored), got {strange!r}")
    happened = np.array([one in HAPPENED for one in said])
    if not happened.any():
        raise InvalidInput("event must be 1 for at least one item: without an event nothing can be ordered")
    return np.where(happened, times, -times)


def survival_rows(given: Any) -> Labels:
    """Time and event of each item, as rows of one array, from a mapping, a frame or scikit-survival's array.

    >>> survival_rows({"time": [5, 8], "event": [True, False]}).tolist()
    [(5.0, True), (8.0, False)]
    """
    names: list[str] = []
    if isinstance(given, Mapping) or is_frame(given):
        names = list(map(str, given if isinstance(given, Mapping) else given.columns))
    elif getattr(getattr(given, "dtype", None), "names", None):
        names = list(given.dtype.names)
    flags = [name for name in names if getattr(given[name], "dtype", np.dtype(float)).kind == "b"]
    by_name = {"time", "event"} <= set(names)
    if not by_name and (len(names) != 2 or len(flags) != 1):
        raise InvalidInput(f"truth must have time and event for a C-index: {CALL}")
    event = "event" if by_name else flags[0]
    time = "time" if by_name else next(name for name in names if name != event)
    signed = signed_times(given[time], given[event])
    return np.array(
        list(zip(np.abs(signed).tolist(), events_of(signed).tolist(), strict=True)),
        dtype=[("time", float), ("event", bool)],
    )


# ---- Weight that lies beyond a query in one coordinate and before it in another.


class Beyond:
    """Of points (x, place): for each query the weight of those among the first so many places with x at least as asked.

    The x are taken apart bit by bit from the highest one: at each bit those with 1 go behind those with 0, both in
    their order (a wavelet matrix). Where the bit of the query is 0, all points with 1 in its range have a larger x and
    are added at once; it goes on with the half that has its bit. All positions depend on the points and queries only,
    so that weights cost one cumulative sum for each bit.
    """

    def __init__(self, x: Integers, first: Integers, least: Integers) -> None:
        """`x` of the points by place; `first` and `least` of each query: how many places, and the least x."""
        order, low, high = np.arange(len(x)), np.zeros_like(first), first
        bits = max(int(max(x.max(initial=0), least.max(initial=0))).bit_length(), 1)
        self._steps: list[tuple[Integers, Integers, Integers]] = []
        for bit in range(bits - 1, -1, -1):
            ones = (x[order] >> bit) & 1
            before = np.concatenate([[0], np.cumsum(ones)])
            zeros = len(x) - int(before[-1])
            order = np.concatenate([order[ones == 0], order[ones == 1]])
            asked = ((least >> bit) & 1).astype(bool)
            up_low, up_high = zeros + before[low], zeros + before[high]
            self._steps.append((order, np.where(asked, 0, up_low), np.where(asked, 0, up_high)))
            low, high = np.where(asked, up_low, low - before[low]), np.where(asked, up_high, high - before[high])
        self._steps.append((order, low, high))  # those with exactly the x that was asked

    def of(self, weights: Array) -> Array:
        """The sums for weights of shape (batch, points), of shape (batch, queries)."""
        found = np.zeros((len(weights), len(self._steps[0][1])))
        cumulated = np.zeros((len(weights), weights.shape[1] + 1))
        for order, low, high in self._steps:
            np.cumsum(weights[:, order], axis=1, out=cumulated[:, 1:])
            found += cumulated[:, high] - cumulated[:, low]
        return found


# ---- The metric.


@dataclass(frozen=True, slots=True, kw_only=True)
class CIndex(WeightMetric):
    r"""Share of the comparable pairs in which the item with the earlier event has the higher risk; ties count half.

    A pair is comparable if the earlier time is that of an event; an item censored at the very time of an event lived
    longer. By Uno, pairs count :math:`\hat G(t-)^{-2}`, where t is the earlier time and G the probability, by Kaplan
    and Meier, not to be censored by then; only events before `until` count. The effects of the items include that on G.
    """

    uno: bool = False  #: Whether pairs are weighted by the probability of being seen (Uno et al. 2011)
    until: float | None = None  #: Time before which events count; all without it

    def weighable(self, truth: Truth, output: Output) -> Weighable:
        return _Concordance(truth.numbers, np.asarray(output, dtype=np.float64), self)


class _Concordance(Weighable):
    """The C-index of one model."""

    def __init__(self, signed: Array, risk: Array, metric: CIndex) -> None:
        self._censored: Flags = np.signbit(signed)
        self._levels, self._level = np.unique(np.abs(signed), return_inverse=True)
        self._uno = metric.uno
        counted = ~self._censored
        if metric.until is not None:
            counted &= np.abs(signed) < metric.until
        self._events = np.flatnonzero(counted)
        # an item comes after the events of a time if it was seen longer, or censored then
        self._after = 2 * self._level + self._censored
        self._least = 2 * self._level[self._events] + 1
        self._by_after = np.argsort(self._after, kind="stable")
        self._from = np.searchsorted(self._after[self._by_after], self._least)
        self._up_to = np.searchsorted(np.sort(self._least), self._after, side="right")
        self._risk = risk
        if not (self._from < len(signed)).any():
            raise InvalidInput(
                f"no two items can be compared for metric {metric.name!r}: an event must come before the time of "
                "another item" + ("" if metric.until is None else f", and before {metric.until:g}")
            )

    @cached_property
    def _later(self) -> tuple[Integers, Beyond, Beyond]:
        """Of each event the items after it with a lower risk, and with a lower or equal one."""
        order = np.argsort(self._risk, kind="stable")
        ascending, of_events = self._risk[order], self._risk[self._events]
        sides = (np.searchsorted(ascending, of_events, side=side) for side in ("left", "right"))
        lower, equal = (Beyond(self._after[order], first, self._least) for first in sides)
        return order, lower, equal

    @cached_property
    def _earlier(self) -> tuple[Integers, Beyond, Beyond]:
        """Of each item the events before it with a higher risk, and with a higher or equal one."""
        order = np.argsort(-self._risk[self._events], kind="stable")
        descending = -self._risk[self._events][order]
        sides = (np.searchsorted(descending, -self._risk, side=side) for side in ("left", "right"))
        most = 2 * len(self._levels)
        higher, equal = (Beyond(most - self._least[order], first, most - self._after) for first in sides)
        return order, higher, equal

    def values(self, weights: Array) -> Array:
        above, below, _ = self._sums(weights)
        return np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)

    def _sums(self, weights: Array) -> tuple[Array, Array, tuple[Array, Array, Array, Array]]:
        """Weight of the concordant and of all comparable pairs; and by event its weight, and those after it."""
        order, lower, equal = self._later
        placed = weights[:, order]
        right = (lower.of(placed) + equal.of(placed)) / 2
        all_after = _from_the_end(weights[:, self._by_after])[:, self._from]
        seen = self._seen(weights)[0] if self._uno else np.ones((len(weights), len(self._events)))
        of_event = weights[:, self._events] * seen
        return (of_event * right).sum(axis=1), (of_event * all_after).sum(axis=1), (of_event, seen, right, all_after)

    def effects(self, weights: Array) -> Array:
        """As the earlier item of its pairs, as the later one, and by what it does to the weights of Uno's pairs."""
        above, below, (of_event, seen, right, all_after) = self._sums(weights)
        share = (above / below)[:, None]
        order, higher, equal = self._earlier
        placed = of_event[:, order]
        rights = (higher.of(placed) + equal.of(placed)) / 2
        by_time = np.argsort(self._least, kind="stable")
        before = np.concatenate([np.zeros((len(weights), 1)), np.cumsum(of_event[:, by_time], axis=1)], axis=1)
        found = rights - share * before[:, self._up_to]
        lead = right - share * all_after
        found[:, self._events] += seen * lead
        if self._uno:
            found -= 2 * self._through_censoring(weights, of_event * lead)
        return np.asarray(found / below[:, None])

    def _seen(self, weights: Array) -> tuple[Array, Array, Array]:
        """G(t−)⁻² of each event; and by time who is at risk of being censored, and of these who is not."""
        k = len(self._levels)
        by_level = np.zeros((2, len(weights), k))
        for part, there in enumerate((~self._censored, self._censored)):
            for row, of in zip(by_level[part], weights, strict=True):
                row[:] = np.bincount(self._level[there], weights=of[there], minlength=k)
        events, censored = by_level
        at_risk = _from_the_end(events + censored)[:, :k] - events  # events come before censoring
        left = at_risk - censored
        left[left <= 1e-12 * at_risk] = 0.0
        stays = np.divide(left, at_risk, out=np.ones_like(left), where=at_risk > 0)
        g = np.concatenate([np.ones((len(weights), 1)), np.cumprod(stays, axis=1)[:, :-1]], axis=1)
        seen = np.divide(1.0, g**2, out=np.zeros_like(g), where=g > 0)
        return seen[:, self._level[self._events]], at_risk, left

    def _through_censoring(self, weights: Array, leads: Array) -> Array:
        """Σ over events of their lead times the derivative of log G by the weight of each item."""
        _, at_risk, left = self._seen(weights)
        k = len(self._levels)
        by_level = np.array([
            np.bincount(self._level[self._events], weights=row, minlength=k) for row in leads
        ])  # fmt: skip
        later = _from_the_end(by_level)[:, 1:]  # of the events after each time
        alive = np.divide(1.0, left, out=np.zeros_like(left), where=left > 0)
        hazard = np.where(left > 0, alive - np.divide(1.0, at_risk, out=np.zeros_like(left), where=at_risk > 0), 0.0)
        past = np.concatenate([np.zeros((len(weights), 1)), np.cumsum(hazard * later, axis=1)], axis=1)
        found = past[:, self._level + self._censored]
        found[:, self._censored] -= (alive * later)[:, self._level[self._censored]]
        return np.asarray(found)


def _from_the_end(weights: Array) -> Array:
    """Of each place the sum from there to the end, with a 0 behind the last."""
    sums = np.cumsum(weights[:, ::-1], axis=1)[:, ::-1]
    return np.concatenate([sums, np.zeros((len(weights), 1))], axis=1)


_UNTIL = re.compile(r"(?P<name>c_index_uno|uno_c_index|uno_c|c_index_ipcw)@(?P<until>\d*\.?\d+)")


def uno_until(name: str) -> CIndex | None:
    """Uno's C-index of events before a time, ``c_index_uno@365``; None for other names."""
    found = _UNTIL.fullmatch(name)
    return None if found is None else CIndex(name=name, needs=Needs.RISKS, uno=True, until=float(found["until"]))


METRICS: dict[Metric, tuple[str, ...]] = {
    CIndex(name="c_index", needs=Needs.RISKS): ("cindex", "c-index", "concordance_index", "harrell_c"),
    CIndex(name="c_index_uno", needs=Needs.RISKS, uno=True): ("uno_c_index", "uno_c", "c_index_ipcw"),
}
"""Each metric with the other names that it goes by."""


def asks_for_survival(metric: object) -> bool:
    """Whether a name is that of a metric of survival.

    >>> [asks_for_survival(name) for name in ("c_index", "c_index_uno@365", "accuracy")]
    [True, True, False]
    """
    if not isinstance(metric, str):
        return isinstance(metric, CIndex)
    return any(metric in (one.name, *others) for one, others in METRICS.items()) or uno_until(metric) is not None


def events_of(signed: Labels) -> Flags:
    """Which items had their event, by the sign of their times."""
    return np.asarray(~np.signbit(signed))
