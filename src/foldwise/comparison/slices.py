"""Verdicts by task and by slice, adjusted for their number; whether the difference is the same in all slices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.pair import Pair
from foldwise.comparison.pairing import Paired
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.formatting import LEAST_PVALUE
from foldwise.core.result import told
from foldwise.core.roles import normalised
from foldwise.core.types import Array, Integers, Json
from foldwise.designs.human_labels import JudgedItems
from foldwise.designs.readers import Readings
from foldwise.designs.votes import Votes
from foldwise.evidence.evidence import item_differences
from foldwise.evidence.items import Items
from foldwise.evidence.outputs import Outputs
from foldwise.inference.clusters import clustered_t
from foldwise.inference.human_labels import ppi
from foldwise.inference.many._adjust import adjust as adjust_pvalues
from foldwise.inference.several_means import equal_means
from foldwise.inference.student import moments
from foldwise.reading.series import ItemRows, Series

LEAST = 5  # Items (or clusters) below which a slice gets no verdict.


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """Whether the difference of two models is the same in all slices."""

    a: str
    b: str
    statistic: float
    df: tuple[float, float]
    pvalue: float
    adjusted: float  #: For the number of pairs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Slices:
    """What was found in the slices of one column."""

    column: str
    verdicts: Mapping[str, Comparison]  #: By slice, at levels that hold for all slices together
    interactions: tuple[Interaction, ...]
    left_out: tuple[str, ...] = ()  #: Sentences on slices that are too small

    def to_dict(self, overall: Comparison) -> dict[str, Json]:
        """All of it but the evidence, ready for JSON; `overall` is the comparison on all items."""
        return {
            "column": self.column,
            "sentence": self.sentence(overall, overall.alpha),
            "verdicts": {
                label: {name: value for name, value in verdict.to_dict().items() if name != "evidence"}
                for label, verdict in self.verdicts.items()
            },
            **told(self, "interactions", "left_out"),
        }

    def sentence(self, overall: Comparison, alpha: float) -> str:
        """Where the answer differs from that on all items, as a further sentence; nothing where none is shown."""
        won = {(pair.better, pair.worse) for pair in overall.pairs if pair.better is not None}
        against: dict[tuple[str, str], list[str]] = {}
        alone: dict[tuple[str, str], list[str]] = {}
        for label, verdict in self.verdicts.items():
            for pair in verdict.pairs:
                if pair.better is None or pair.worse is None or (pair.better, pair.worse) in won:
                    continue
                turned = (pair.worse, pair.better) in won
                (against if turned else alone).setdefault((pair.better, pair.worse), []).append(label)
        told = [f"worse on {_listed(where)}: {who} is better there" for (who, _), where in against.items()]
        several = len(overall.models) > 2
        for (who, other), where in alone.items():
            than = f" than {other}" if several else ""
            told.append(f"{who} is better{than} on {_listed(where)}")
        if told:
            return "; ".join(told)
        differing = [one for one in self.interactions if one.adjusted < alpha]
        if not differing:
            return ""
        pairs = "" if not several else f" of {differing[0].a} and {differing[0].b}"
        return f"the difference{pairs} depends on {self.column}"

    def of_board(self, models: Sequence[str], alpha: float) -> dict[str, Any]:
        """What a leaderboard says of them: means, who shares the first place, and how many pairs differ by slice."""
        differing = sum(one.adjusted < alpha for one in self.interactions)
        count = len(self.interactions)
        told = (
            f"the difference of {differing:,} of {count:,} pairs depends on {self.column}"
            if differing
            else f"no pair is shown to differ otherwise by {self.column}"
        )
        return {
            "column": self.column,
            "means": {label: [float(c.means[name]) for name in models] for label, c in self.verdicts.items()},
            "first": {label: list(c.best_set) for label, c in self.verdicts.items()},
            "told": f"{told} (Welch's tests, adjusted)",
            "left_out": list(self.left_out),
        }


def _listed(labels: Sequence[str]) -> str:
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"


def slice_column(series: Sequence[Series], wanted: str) -> str:
    """The name of the column that is meant, of those that the files have."""
    rows = [one.rows for one in series if isinstance(one.rows, ItemRows)]
    there = dict.fromkeys(name for one in rows for name in one.clusters)
    found = wanted if wanted in there else next((n for n in there if normalised(n) == normalised(wanted)), None)
    if found is None:
        raise UnknownName("slice", wanted, there)
    return found


def judge_slices(
    column: str, labels: Sequence[str], count: Callable[[Integers], int],
    verdict: Callable[[Integers, float], Comparison], alpha: float,
) -> Slices:  # fmt: skip
    """The verdict on the items of each slice, and the test that the difference is the same in all.

    `count` is how many items, or clusters of them, some rows are; `verdict` the comparison on them at a level.
    """
    labels = [label or "(empty)" for label in labels]
    names = list(dict.fromkeys(labels))
    if len(names) < 2:
        raise InvalidInput(
            f"slice must name a column with at least two values, but {column!r} is {names[0]!r} everywhere"
        )
    place = {name: at for at, name in enumerate(names)}
    codes = np.array([place[label] for label in labels])
    parts = {name: np.flatnonzero(codes == at) for at, name in enumerate(names)}
    kept = [name for name in names if count(parts[name]) >= LEAST]
    if len(kept) < 2:
        raise InvalidInput(
            f"slice must have at least two values with {LEAST} items or clusters each, but {column!r} has {len(kept)} "
            f"of {len(names)}: put numbers into ranges first"
        )
    failed: dict[str, str] = {}

    def tried(name: str, level: float) -> Comparison:
        try:
            return verdict(parts[name], level)
        except InvalidInput as error:  # one class only, no event, nothing to divide by: all items have a verdict
            failed[name] = str(error)
            raise

    while True:
        try:
            verdicts, _ = judge_each([name for name in kept if name not in failed], tried, alpha)
            break
        except InvalidInput:
            if len(kept) - len(failed) < 2:
                raise
    few = [name for name in names if name not in kept]
    left = [f"{column} {_listed(few)}: fewer than {LEAST} items or clusters, no verdict"] if few else []
    left += [f"{column} {name}: no verdict, because {message}" for name, message in failed.items()]
    return Slices(column=column, verdicts=verdicts, interactions=_interactions(verdicts), left_out=tuple(left))


def part_of(whole: Paired, kept: Integers) -> Paired:
    rows = whole.rows
    return replace(
        whole,
        rows=replace(
            rows,
            models=tuple(one.of(kept) for one in rows.models),
            items=None if rows.items is None else rows.items[kept],
            groups=None if rows.groups is None else rows.groups[kept],
            times=None if rows.times is None else rows.times[kept],
        ),
        groups=None if whole.groups is None else tuple(whole.groups[at] for at in kept),
        human=None if whole.human is None else whole.human[:, kept],
        disputed=0,  # which is told of all items
        judges={name: said[:, kept] for name, said in whole.judges.items()},
        forecasts=None if whole.forecasts is None else whole.forecasts[:, kept],
        condition=None if whole.condition is None else whole.condition[kept],
        counts=None if whole.counts is None else whole.counts[:, kept],
    )


def _interactions(verdicts: Mapping[str, Comparison]) -> tuple[Interaction, ...]:
    """The test of each pair of models by each metric, adjusted for their number."""
    found = []
    for pairs in zip(*(verdict.pairs for verdict in verdicts.values()), strict=True):
        moved = [_moments(verdict, pair) for verdict, pair in zip(verdicts.values(), pairs, strict=True)]
        estimate, variance, units, df = (np.array(column) for column in zip(*moved, strict=True))
        if not (variance > 0).any():
            continue
        # a slice without any spread is no certainty: it gets that of all
        pooled = float((variance * units).sum() / len(units))
        variance = np.where(variance > 0, variance, pooled / units)
        found.append((pairs[0].a, pairs[0].b, equal_means(estimate, np.sqrt(variance), df)))
    if not found:
        return ()
    pvalues = [max(float(test.pvalue), LEAST_PVALUE) for _, _, test in found]
    adjusted = adjust_pvalues(pvalues, method="holm")
    return tuple(
        Interaction(a=a, b=b, statistic=test.statistic, df=test.df, pvalue=own, adjusted=float(p))
        for (a, b, test), own, p in zip(found, pvalues, adjusted, strict=True)
    )


def _moments(verdict: Comparison, pair: Pair) -> tuple[float, float, float, float]:
    """Mean difference of two models on a slice, its variance, number of units and degrees of freedom."""
    part = next(one for one in verdict.parts if one.metric == pair.metric)
    evidence = part.evidence
    assert isinstance(evidence, Items | Outputs | Readings | Votes)  # what has slices
    # ratios of sums, areas under curves, votes, items in order of time: the test's own standard error
    if not isinstance(evidence, Items) or evidence.times is not None:
        error, df = (0.0 if one is None else float(np.max(one)) for one in (pair.standard_error, pair.df))
        return pair.estimate, error**2, float(evidence.n), df if 0 < df < np.inf else evidence.n - 1.0
    i, j = part.names.index(pair.a), part.names.index(pair.b)
    x: Array = item_differences(evidence.values[i], evidence.values[j])
    if isinstance(evidence, JudgedItems):
        found = ppi(x, evidence.human[i] - evidence.human[j], groups=evidence.groups)
        return float(found.estimate), float(found.standard_error) ** 2, float(found.labelled), float(found.df)
    if evidence.groups is not None:
        test = clustered_t(x, evidence.groups)
        return float(test.estimate), float(test.standard_error) ** 2, float(evidence.groups.max() + 1), float(test.df)
    moved = moments(x)
    return float(moved.mean), float(moved.variance) / len(x), float(len(x)), len(x) - 1.0


def judge_each(
    tasks: Sequence[str], verdict: Callable[[str, float], Comparison], alpha: float
) -> tuple[dict[str, Comparison], list[str]]:
    """A verdict for each task, at the level that Holm's procedure gives it, and what is said about that.

    The smallest p-value is judged at alpha / T, the next at alpha / (T - 1) … until one is not below its level; that
    one and the others are judged at the level where it stopped. Interval and claim of a task are of one level;
    conclusions about a margin are all of level alpha / T. Of three and more models, whose pairs are adjusted within the
    task already, every task gets alpha / T.
    """
    count = len(tasks)
    first = {task: verdict(task, alpha / count) for task in tasks}
    if count < 2:
        return first, []
    told = "claims by task hold together: their levels are adjusted for {} tasks ({})"
    pvalues = {task: one.pvalue for task, one in first.items() if len(one.pairs) == 1}
    if len(pvalues) < count:
        return first, [told.format(count, "Bonferroni")]
    levels: dict[str, float] = {}
    level, stopped = alpha / count, False
    for place, task in enumerate(sorted(tasks, key=lambda task: pvalues[task])):
        if not stopped:
            level = alpha / (count - place)
            stopped = pvalues[task] >= level
        levels[task] = level
    found = {
        task: one if levels[task] == alpha / count else _with_limits(verdict(task, levels[task]), one)
        for task, one in first.items()
    }
    margin = any(len(one.pairs) == 1 and one.margin is not None for one in first.values())
    each = [f"conclusions about the margin by task: each at level {alpha:g}/{count} (Bonferroni)"] if margin else []
    return found, [told.format(count, "Holm"), *each]


def _with_limits(found: Comparison, first: Comparison) -> Comparison:
    """With the limits of the first: Holm's steps go by p-values of no difference, not by those about a margin."""
    if len(found.pairs) != 1:
        return found
    (part,), pair = found.parts, first.pairs[0]
    part = part.with_pairs(lambda own: replace(own, limits=pair.limits, conclusion=pair.conclusion))
    return replace(found, parts=(part.replace(limits_alpha=first.limits_alpha),))
