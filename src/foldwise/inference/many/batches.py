"""Large work in parts that fit the processor's cache, on as many processors as there are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

__all__ = ["in_batches"]

T = TypeVar("T")

NUMBERS = 200_000
"""Numbers that one part holds: with fewer, threads wait for the interpreter; with more, for the memory."""

FEW = 25
"""Parts that are not worth a second thread."""

MOST_THREADS = 2


def in_batches(work: Callable[[slice], T], count: int, *, width: int) -> Iterator[T]:
    """Do `work` on `count` rows of `width` numbers, part by part; results come in the order of the rows.

    Threads, not processes: NumPy lets go of the interpreter while it computes, and nothing has to be copied.

    Examples
    --------
    >>> list(in_batches(lambda part: part, 5, width=100_000))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    size = max(1, NUMBERS // max(1, width))
    parts = [slice(start, min(count, start + size)) for start in range(0, count, size)]
    threads = min(MOST_THREADS, os.cpu_count() or 1)
    if len(parts) < FEW or threads == 1:
        yield from map(work, parts)
        return
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(work, parts)
