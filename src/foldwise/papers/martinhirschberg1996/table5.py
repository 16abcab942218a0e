"""Table 5: exact against approximate significance levels for two independent error rates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foldwise.inference import two_rates
from foldwise.papers.rows import Printed, Row, claim, of_value
from foldwise.papers.study import Findings, Study, Task

__all__ = ["COUNTS", "PRINTED", "TABLE_5"]

Integers = NDArray[np.int64]

# rows: normal level < 90, [90, 95), [95, 99), ≥ 99 %; columns: exact level; N = 10
COUNTS = ((66, 2, 0, 0), (0, 0, 0, 0), (4, 1, 12, 0), (1, 1, 10, 24))

# by N: decision accuracy at 90, 95, 99 %, and conspicuous errors of type I, in per cent (type II is 0 throughout)
PRINTED = {
    10: ("94", "94", "90", "4.1"),
    20: ("97", "93", "96", "1.8"),
    30: ("97", "94", "96", "1.2"),
    50: ("98", "96", "98", "0.8"),
    100: ("98", "97", "99", "0.5"),
}
WHAT = ("accuracy at 90 %", "accuracy at 95 %", "accuracy at 99 %", "conspicuous errors")
SLIP = "the print has a slip, see above"
NOTE = (
    "The print has a slip: both levels are symmetric in (m1, m2), yet its counts are not. It comes out exactly if each "
    "cell whose normal level is in [90, 95) keeps the class of the cell visited before it (a stale loop variable). "
    "Computed correctly there are no conspicuous errors. Both are shown."
)


def _table5(task: Task) -> Findings:
    rows: list[Row] = []
    raw = {}
    for n, printed in PRINTED.items():
        normal, exact = _classes(n)
        right, stale = _cross(normal, exact), _cross(_stale(normal), exact)
        raw[str(n)] = {"computed": right.tolist(), "with the slip": stale.tolist()}
        for what, text, ours, slipped in zip(WHAT, printed, _summary(right), _summary(stale), strict=True):
            rows.append(of_value(f"N = {n}, {what}", Printed(text=text), ours, why=SLIP))
            rows.append(of_value(f"N = {n}, {what}, with the slip", Printed(text=text), slipped))
    counts = raw["10"]["with the slip"] == [list(line) for line in COUNTS]
    rows.append(claim("N = 10, all sixteen counts, with the slip", "as printed", counts))
    symmetric = raw["10"]["computed"] == [[61, 0, 0, 0], [10, 4, 0, 0], [0, 0, 12, 0], [0, 0, 10, 24]]
    rows.append(claim("N = 10, all sixteen counts, computed", "as printed", False if symmetric else None, why=SLIP))
    return Findings(rows=tuple(rows), raw=raw, notes=(NOTE,))


def _classes(n: int) -> tuple[Integers, Integers]:
    """Class of the normal and of the exact level for all (m1, m2), row by row."""
    m1, m2 = np.divmod(np.arange((n + 1) ** 2), n + 1)
    normal, exact = (two_rates(m1, n, m2, n, method=how).level for how in ("textbook", "exact"))
    return np.digitize(normal, [0.9, 0.95, 0.99]), np.digitize(exact, [0.9, 0.95, 0.99])


def _cross(rows: Integers, columns: Integers) -> Integers:
    table = np.zeros((4, 4), dtype=np.int64)
    np.add.at(table, (rows, columns), 1)
    return table


def _stale(rows: Integers) -> Integers:
    """The slip: a level in [90, 95) keeps the class of the cell before it."""
    kept = rows.copy()
    for i in range(1, len(kept)):
        if kept[i] == 1:
            kept[i] = kept[i - 1]
    return kept


def _summary(table: Integers) -> tuple[float, float, float, float]:
    """Decision accuracy at the three levels, and conspicuous errors, in per cent."""
    wrong = [int(table[:k, k:].sum() + table[k:, :k].sum()) for k in (1, 2, 3)]
    total = int(table.sum())
    first, second, third = (100 * (1 - count / total) for count in wrong)
    return first, second, third, 100 * int(table[2:, 0].sum()) / total


TABLE_5 = Study(
    key="martinhirschberg1996/table5",
    title="Exact against approximate significance levels for two rates",
    reference="Table 5 and section 3.2",
    compute=_table5,
    seconds=(0.2, 0.2),
)
