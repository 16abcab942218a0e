"""How the procedures behaved where the truth is known: what `advise` and the documentation cite.

The figures come with the package as `measured.json`, whose stamp says how ``python benchmarks/measuring`` made
it; the rows of ``verbs`` name what made each. ``foldwise lab`` measures any test on any population, and on the user's
own data.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

FILE = Path(__file__).with_name("measured.json")

Stored: TypeAlias = dict[str, Any]
"""A part of the table as it is stored: a share, a source, or a row, whose keys depend on what was measured."""


@cache
def measured_table() -> Stored:
    """The whole table as it is stored."""
    table: Stored = json.loads(FILE.read_text(encoding="utf-8"))
    return table


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A measured share of trials with its 95 % Monte-Carlo interval."""

    #: rate, low, high: The share and its Wilson limits
    rate: float
    low: float
    high: float
    trials: int  #: Number of data sets behind it


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredOn:
    """Where a test was measured."""

    #: key, title: Short name, and what it is in words
    key: str
    title: str
    #: null, effect: Populations without and with a difference, as ``foldwise lab`` takes them
    null: str
    effect: str
    learners: tuple[str, ...]  #: What was trained; nothing where the population simulates its classifiers
    resampled: bool  #: Whether a repetition partitions the same data anew, so that replicability can be measured
    difference: float  #: Mean difference of accuracy, first − second, on the population with one

    @property
    def short(self) -> str:
        """The learners, for a line of text."""
        return " and ".join(self.learners) or "simulated classifiers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """One test on one source, at level 0.05 with 300 examples."""

    source: MeasuredOn  #: Where
    fits: int  #: Trainings, of both learners together
    #: type1, power: Share of data sets in which it finds a difference where there is none, and where there is one
    type1: Share
    power: Share
    #: Share of data sets on which ten partitionings all give the same verdict, the lower of the two populations; None
    #: for simulated classifiers
    consistent: Share | None

    @property
    def exceeds(self) -> bool:
        """Whether the Type I error is above 0.05 beyond its Monte-Carlo error."""
        return self.type1.low > float(measured_table()["stamp"]["alpha"])


@cache
def sources() -> dict[str, MeasuredOn]:
    """The sources by key."""
    return {
        row["key"]: MeasuredOn(**{**row, "learners": tuple(row["learners"])}) for row in measured_table()["sources"]
    }


def behaviour(test: str) -> tuple[Behaviour, ...]:
    """How a test of two learners behaved, source by source; empty for what is not such a test.

    >>> [row.exceeds for row in behaviour("resampled_t")]
    [True, True, True]
    """
    return tuple(_behaviour(row) for row in measured_table()["two_learners"] if row["test"] == test)


def _behaviour(row: Stored) -> Behaviour:
    again = [row[key] for key in ("consistent_null", "consistent_effect") if key in row]
    lowest = min(again, key=lambda share: float(share["rate"])) if again else None
    return Behaviour(
        source=sources()[row["source"]], fits=row["fits"], type1=stored_share(row["type1"]),
        power=stored_share(row["power"]), consistent=None if lowest is None else stored_share(lowest),
    )  # fmt: skip


def stored_share(row: Stored) -> Share:
    """A share as it is stored, without the mean R of a replicability."""
    return Share(rate=row["rate"], low=row["low"], high=row["high"], trials=row["trials"])


def measured_rows(name: str) -> list[Stored]:
    """Every stored row about a test, an interval, an error estimator or a procedure over data sets, with its origin.

    >>> sorted({row["rate"] for row in measured_rows("jeffreys")})
    [0.02, 0.1, 0.3]
    """
    table = measured_table()
    if name == "influence":  # on sources of its own, as published in docs/explanation/influence.md
        return [
            {"test": name, "case": row["title"], "n": row["n"], "type1": row[name]["0.05"]}
            for row in table["influence"]["rows"]
            if not row["pathological"]
        ]
    parts = (table["estimators"], table["many"], table["marks"])
    groups = (table["two_learners"], table["intervals"], *(part["rows"] for part in parts))
    return [{**row, **_where(row)} for rows in groups for row in rows if name in (row.get("test"), row.get("method"))]


def _where(row: Stored) -> Stored:
    """What was drawn, for a row about a test of two learners, an error estimator or a procedure over data sets."""
    table = measured_table()
    if "source" in row:
        source = sources()[row["source"]]
        return {
            "learners": list(source.learners), "null": source.null, "effect": source.effect,
            "difference": source.difference, "n": table["stamp"]["design"]["n"],
        }  # fmt: skip
    if "bias" in row:
        return {"population": table["estimators"]["population"], "n": table["estimators"]["n"]}
    return {"population": table["many"]["population"]} if "type1" in row and "case" not in row else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredLevel:
    """The Type I error of a test in one measured case, at level 0.05."""

    words: str  #: The case
    n: int  #: Items that were tested, or examples of the data set
    rate: float  #: Share of data sets without a difference in which the test finds one


@cache
def measured_levels(name: str) -> tuple[MeasuredLevel, ...]:
    """Every measured Type I error of a test, wherever in the table it is.

    >>> max(case.rate for case in measured_levels("mcnemar_exact"))
    0.0345
    >>> measured_levels("no such test")
    ()
    """
    return tuple(MeasuredLevel(words=words, n=n, rate=share["rate"]) for words, n, share in _levels(name))


def _levels(name: str) -> Iterator[tuple[str, int, Stored]]:
    """(case, n, share of rejections) of each null hypothesis on which a test was measured."""
    table = measured_table()
    design, level, where = table["stamp"]["design"], f"{table['stamp']['alpha']:g}", table["many"]["population"]
    for row in table["two_learners"]:
        if row["test"] == name:  # two fits are those of one holdout, whose test part is what counts
            yield row["source"], design["n"] // design["parts"] if row["fits"] == 2 else design["n"], row["type1"]
    for part in ("many", "marks", "metrics", "verbs"):
        for row in table[part]["rows"]:
            if row["test"] == name:
                yield row.get("case", where), row.get("n", 0), row["type1"]
    for row in table["metrics"]["rows"]:
        if name == "jackknife_t" and "jackknife_type1" in row:
            yield row["case"], row["n"], row["jackknife_type1"]
    grounds = {ground["key"]: ground["n"] for ground in table["algorithms"]["grounds"]}
    for row in table["algorithms"]["rows"]:
        if row["test"] == name:
            yield row["ground"], grounds[row["ground"]], row["type1"][level]
    for row in table["influence"]["rows"]:
        if name == "influence" and not row["pathological"]:
            yield row["key"], row["n"], row["influence"][level]


def measured_intervals(method: str) -> list[Stored]:
    """The coverage of an interval of one error rate, rate by rate."""
    return [row for row in measured_table()["intervals"] if row["method"] == method]


def in_words(name: str) -> str | None:
    """The measured behaviour in a line, or None where nothing was measured.

    >>> in_words("no such test") is None
    True
    """
    table, rows = measured_table(), measured_rows(name)
    if name == "influence":
        return _on_sources(rows)
    if not rows:
        return None
    if "coverage" in rows[0]:
        shares = ", ".join(f"{100 * row['coverage']:.1f}" for row in rows)
        rates = ", ".join(f"{row['rate']:g}" for row in rows)
        return f"a 95 % interval from {rows[0]['n']} examples holds error rates of {rates} in {shares} % of all samples"
    if "bias" in rows[0]:
        parts = [f"{row['bias']:+.3f} for {row['learner']} (RMSE {row['rmse']:.3f})" for row in rows]
        where = f"{table['estimators']['n']} examples of {table['estimators']['population']}"
        return f"bias {' and '.join(parts)} with {where}".replace("-", "−")
    if "source" in rows[0]:
        parts = [f"{row['type1']['rate']:.3f} with {sources()[row['source']].short}" for row in rows]
        return f"Type I error at 0.05: {', '.join(parts)}"
    if "case" in rows[0]:
        parts = [f"{row['type1']['rate']:.3f} with {row['case']}" for row in rows]
        return f"Type I error at 0.05: {', '.join(parts)}"
    (row,) = rows
    where = table["many"]["population"]
    return f"Type I error at 0.05: {row['type1']['rate']:.3f}, power {row['power']['rate']:.2f} ({where})"


def _on_sources(rows: list[Stored]) -> str:
    """On how many sources the influence-robust test is above its level, where most, and the corrected test's count."""
    above = [row for row in rows if row["type1"]["rate"] > 0.06]
    worst = sorted(above, key=lambda row: float(row["type1"]["rate"]), reverse=True)[:3]
    named = "; ".join(f"{row['case']}, {row['n']} examples: {row['type1']['rate']:.2f}" for row in worst)
    kept = [row for row in measured_table()["influence"]["rows"] if not row["pathological"]]
    other = sum(row["corrected_repeated_cv_t"]["0.05"]["rate"] > 0.06 for row in kept)
    return (
        f"Type I error at 0.05 above 0.06 on {len(above)} of {len(rows)} sources, most with {named}; of the corrected "
        f"test, on the same trainings, on {other}"
    )


# ---- How the tests of each metric of predictions behaved where the truth is known.

LEVEL = 0.05
FAR = 3.3
"""Standard errors of a rate beyond which it misses its level: by chance one in two thousand does, of hundreds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricBehaviour:
    """One metric in one case, at level 0.05."""

    #: metric, test: What was compared, and by which test
    metric: str
    test: str
    #: case, clusters: The items in words, and the number of their clusters; 0 where they are independent
    case: str
    clusters: int
    #: type1, power: Share of data sets in which a difference is found where there is none, and where there is one
    type1: Share
    power: Share
    coverage: Share  #: Share of data sets whose 95 % interval holds the true difference
    margin: Share  #: Share of data sets in which a model that is worse by exactly the margin is called non-inferior

    @property
    def misses(self) -> tuple[str, ...]:
        """What is off by more than Monte-Carlo error, in words."""
        found = []
        if _above(self.type1):
            found.append(f"the test rejected a true null hypothesis in {_span(self.type1)} at level {LEVEL:g}")
        if self.coverage.rate < 1 - LEVEL - FAR * _error(self.coverage):
            found.append(f"the 95 % interval held the true difference in {_span(self.coverage)}")
        if _above(self.margin):
            found.append(
                f"a model worse by just the margin was called non-inferior in {_span(self.margin)} at level {LEVEL:g}"
            )
        return tuple(found)


def _above(share: Share) -> bool:
    return share.rate > LEVEL + FAR * _error(share)


def _error(share: Share) -> float:
    """Standard error of a rate that is as it should be."""
    return float((LEVEL * (1 - LEVEL) / share.trials) ** 0.5)


def _span(share: Share) -> str:
    return f"{share.rate:.3f} ({share.low:.3f} to {share.high:.3f}) of {share.trials} data sets"


def metric_rows(name: str) -> list[Stored]:
    """The stored rows about a metric, by the first of its names.

    >>> [row["clusters"] for row in metric_rows("f1")]
    [0, 30, 6]
    """
    return [row for row in measured_table()["metrics"]["rows"] if row["metric"] == name]


def verb_rows(test: str) -> list[Stored]:
    """The stored rows about a test that was measured through the verbs.

    >>> max(row["type1"]["rate"] for row in verb_rows("bradley_terry")) <= 0.1
    True
    """
    return [row for row in measured_table()["verbs"]["rows"] if row["test"] == test]


def metric_behaviour(name: str) -> tuple[MetricBehaviour, ...]:
    """How a metric behaved, case by case; empty for one that was not measured."""
    return tuple(
        MetricBehaviour(
            metric=row["metric"], test=row["test"], case=row["case"], clusters=row["clusters"],
            type1=stored_share(row["type1"]), power=stored_share(row["power"]),
            coverage=stored_share(row["coverage_share"]), margin=stored_share(row["margin_share"]),
        )
        for row in metric_rows(name)
    )  # fmt: skip


def nearest_behaviour(name: str, clusters: int | None) -> MetricBehaviour | None:
    """The case that is most like a number of clusters, None for independent items; None if nothing was measured.

    >>> nearest_behaviour("f1", 9).clusters
    6
    """
    rows = [row for row in metric_behaviour(name) if (row.clusters > 0) == (clusters is not None)]
    # twice as many is as far away as half as many
    return min(rows, key=lambda row: abs(math.log(max(row.clusters, 1) / max(clusters or 1, 1))), default=None)


def metric_in_words(name: str) -> str | None:
    """The measured behaviour of a metric in a line, or None where nothing was measured.

    >>> metric_in_words("f1").startswith("Type I error at 0.05: ")
    True
    """
    rows = metric_behaviour(name)
    if not rows:
        return None
    found = [f"{row.type1.rate:.3f} with {row.case}" for row in rows]
    held = ", ".join(f"{100 * row.coverage.rate:.0f}" for row in rows)
    return (
        f"Type I error at 0.05: {', '.join(found)}; 95 % intervals held the true difference in {held} % of "
        f"{rows[0].type1.trials} data sets each"
    )
