"""What a results store keeps, and what it promises.

A *series* is one learner (class, parameters, versions) on one data set under one plan and seed; its rows are splits.
Everything is addressed by content: data by a digest of all values, learners by class, parameters and package versions,
plans by their key, which leaves the number of runs out. A third learner, more runs or another scoring therefore find
everything that is already there.

The contract, which ``tests/engine/test_store_contract.py`` checks:

1. `series` returns the same number for the same key, for ever, in every process.
2. `record` is atomic: after it returns, all its rows survive the death of the process; before, none is visible.
3. A row, once recorded, never changes: recording it again is no error and has no effect. A score under another
   scoring is added to the row.
4. `recall` returns rows in the order of their splits, exactly as recorded: predictions and scores bit for bit.
5. Any number of processes may read and write the same store at the same time.
6. A file that is not a store, is damaged, or comes from a newer version is refused and left as it is; what SQLite can
   recover (a transaction that was cut short) is recovered.
7. Each row has a checksum that is looked at when it is read: a flipped bit is an error, never another number. A value
   that its scoring can't have is refused on the way in and on the way out.
8. Each row tells when it was made and by which versions.
9. A file that is deleted, renamed, replaced or cut off while it is in use is noticed by the next `record` or `confirm`.
10. A file that can't be written can be read.
11. Outputs (probabilities and the like), once recorded, never change either, and have checksums of their own.
12. Rows are counted and added up in the transaction that records them, so that a listing of millions reads none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from foldwise.core.types import Labels

# The least and the greatest value that a scoring can have; None where there is no such.
Bounds = tuple[float | None, float | None]

Row = tuple[Any, ...]  # A row of a table, as SQLite gives it.


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesKey:
    """What a series is addressed by, and what it is called."""

    #: data, learner: Digests
    data: str
    learner: str
    #: plan, seed: The plan's key, and the seed
    plan: str
    seed: int
    #: What people and exports want to read: ``data`` and ``learner`` names, ``class``, ``params``, ``versions``,
    #: ``examples``, ``attributes``, ``classes`` (their number, 0 for regression) and ``folds`` per run
    labels: dict[str, str | int]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Record:
    """One split of a series."""

    #: series, split: Where it belongs
    series: int
    split: int
    #: n_train, n_test: Sizes of the split
    n_train: int
    n_test: int
    seconds: float  #: Time of the fit
    outcomes: Labels  #: Predictions for the test examples: class codes, or numbers for regression
    #: In the unit of the scoring it is recorded or recalled under; None if that scoring was never recorded
    score: float | None
    #: Probabilities and the like, as bytes; on the way in only, `Store.outputs` has them on the way out
    outputs: bytes | None = None
    #: made, origin: When it was made, in seconds since 1970, and the versions that made it, as JSON; by default now,
    #: and here
    made: int = 0
    origin: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSeries:
    """A series as listings show it: its key, how many splits it has, and the mean of each score."""

    id: int
    data: str
    data_digest: str
    learner: str
    learner_digest: str
    class_name: str
    params: str
    versions: str
    plan: str
    seed: int
    folds: int
    splits: int
    scores: dict[str, float]
