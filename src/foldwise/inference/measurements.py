"""The stored table of what was measured, as it is in its file."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NotRequired, TypedDict

FILE = Path(__file__).with_name("measured.json")


class StoredShare(TypedDict):
    """A `Share` as it is stored, with the mean R of a replicability."""

    rate: float
    low: float
    high: float
    trials: int
    R: NotRequired[float]


class StoredRow(TypedDict, total=False):
    """What was measured of a test or method, with where that was; which keys there are depends on what it is."""

    test: str
    method: str
    source: str
    fits: int
    type1: StoredShare
    power: StoredShare
    consistent_null: StoredShare
    consistent_effect: StoredShare
    n: int
    rate: float
    coverage: float
    width: float
    learner: str
    bias: float
    bias_error: float
    spread: float
    rmse: float
    learners: list[str]
    null: str
    effect: str
    difference: float
    population: str
    case: str
    runs: int
    coverage_share: StoredShare
    metric: str
    clusters: int
    margin_share: StoredShare
    jackknife_type1: StoredShare


class StoredRows(TypedDict):
    """Rows that come from one population."""

    population: str
    n: NotRequired[int]
    rows: list[StoredRow]


class Stamp(TypedDict):
    """How the table was made."""

    alpha: float
    design: dict[str, int]


class StoredSource(TypedDict):
    """A `Source` as it is stored."""

    key: str
    title: str
    null: str
    effect: str
    learners: list[str]
    resampled: bool
    difference: float


class StoredGround(TypedDict):
    """Where tests of algorithms were measured."""

    key: str
    title: str
    learner: str
    n: int
    null: str
    effect: str
    pathological: bool


class GroundRow(TypedDict):
    """A test of algorithms on one ground: Type I error by level, power, and trainings of each learner."""

    ground: str
    test: str
    trainings: int
    type1: dict[str, StoredShare]
    power: StoredShare
    consistent_null: NotRequired[StoredShare]
    consistent_effect: NotRequired[StoredShare]
    settled: NotRequired[StoredShare]
    consistent_settled: NotRequired[StoredShare]


class StoredGrounds(TypedDict):
    """All tests of algorithms on all grounds."""

    seed: int
    grounds: list[StoredGround]
    rows: list[GroundRow]


class StoredInfluence(TypedDict):
    """Type I error by test and level on one source, and power where that of the corrected test is one half, over it."""

    key: str
    title: str
    n: int
    half: str
    pathological: bool
    corrected_repeated_cv_t: dict[str, StoredShare]
    influence: dict[str, StoredShare]
    round_robin: NotRequired[dict[str, StoredShare]]
    relative_power: dict[str, float]


class StoredSearch(TypedDict):
    """The influence-robust test on the sources that it was chosen and judged on."""

    seed: int
    rows: list[StoredInfluence]


class MeasuredTable(TypedDict):
    """The whole table."""

    stamp: Stamp
    sources: list[StoredSource]
    two_learners: list[StoredRow]
    intervals: list[StoredRow]
    estimators: StoredRows
    many: StoredRows
    marks: StoredRows
    metrics: StoredRows
    algorithms: StoredGrounds
    influence: StoredSearch


@cache
def measured_table() -> MeasuredTable:
    """The whole table as it is stored."""
    table: MeasuredTable = json.loads(FILE.read_text(encoding="utf-8"))
    return table
