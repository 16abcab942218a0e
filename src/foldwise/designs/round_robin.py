"""Two learners on blocks of which every pair was left out of a training: a round robin."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Flags, Integers, Labels
from foldwise.designs.guarantee import FOLDWISE, STABLE, approximate, heuristic
from foldwise.designs.kind import Batch, Procedure
from foldwise.designs.resampled import Design, Growth, Shape
from foldwise.designs.scores import ONE_SOURCE, AlgorithmKind
from foldwise.designs.student import StudentKind, quietly
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.scores import BlockScores
from foldwise.inference._round_robin import round_robin
from foldwise.inference.stability import dealing_stability
from foldwise.inference.student import StudentResult
from foldwise.resampling.round_robin import adjacent, even_blocks, partners

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult
    from foldwise.resampling.plan import Plan

FIRST_DEALINGS = 6  # Dealings to begin with, the default: with fewer their own spread is hardly known.


class RoundRobinScores(StudentKind[BlockScores], AlgorithmKind[BlockScores]):
    """Every pair of blocks is left out of one training, and both are tested; several dealings into blocks."""

    name = "round_robin"
    words = "scores of shape (dealings, blocks, blocks) from a round robin, in which every pair of blocks is left out"
    assumes = (
        ONE_SOURCE,
        "the effect of leaving out a block tells that of another sample, as the jackknife takes it",
        "the mean difference over the blocks is about normally distributed",
    )
    plots = ("deletions", "block_map")
    recommended = "round_robin"
    because = "leaving out two blocks shows how strongly learners depend on single examples, which folds can't show"
    grows_with = "dealings"
    own_sizes = ("blocks", "dealings")
    by_fold = True
    usual_runs = 6
    usual_folds = 6
    partition = "dealing"

    def growth(self, procedure: Procedure, *, folds: int, alpha: float, limit: int | None) -> Growth | None:
        plain = procedure.name == PROCEDURES[0].name
        df = None if plain else float(procedure.run(Batch(data=np.eye(folds))).df)  # given, for whatever differences
        stability = partial(dealing_stability, df=df, pieces=limit)
        return Growth(
            procedure=procedure, partition=self.partition, first=FIRST_DEALINGS, cost=(folds - 1) / 2, alpha=alpha,
            stability=stability,
        )  # fmt: skip

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, BlockScores)

    def batch(self, evidence: BlockScores, alpha: float) -> Batch:
        return Batch(data=evidence.tables, alpha=alpha, pieces=evidence.pieces)

    def noticed(self, evidence: BlockScores, procedure: Procedure) -> list[str]:
        if len(evidence.names) > 2:
            return []
        if not evidence.differences.any():
            return ["both learners have the same score on every block: either they are the same or the data can't tell"]
        if quietly(procedure, self.batch(evidence, 0.05)).degenerate:
            return [
                "no block differs from the others, so that the variance is unknown, and with it whether the difference "
                "is chance"
            ]
        return []

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        from foldwise.resampling.round_robin import RoundRobin

        return RoundRobin(dealings=runs, blocks=even_blocks(folds, "folds"), stratified=stratified)

    def from_run(self, result: RunResult, groups: Labels | None, pieces: int | None) -> BlockScores:
        scores = {name: _tables(_by_block(result.scores_of(place))) for place, name in enumerate(result.names)}
        return BlockScores.build(
            scores,
            n_train=float(result.sizes()[0].mean()),
            higher_is_better=result.greater_is_better,
            metric=result.scoring,
            pieces=len(result.y) if groups is None else len(np.unique(groups)),
        )

    def shape(self, design: Design) -> Shape:
        blocks = design.blocks
        if blocks > design.n:
            raise InvalidInput(f"blocks must be at most n = {design.n}, got {blocks}")
        return Shape(design.dealings * (blocks - 1), blocks, blocks, "round robin")

    def ratio(self, design: Design) -> float:
        return 1 / (design.blocks - 2)

    def n_train(self, design: Design) -> int:
        return design.n - 2 * math.ceil(design.n / design.blocks)

    def drawn(self, data: Array, design: Design, alpha: float) -> Batch:
        return Batch(data=data, ratio=self.ratio(design), alpha=alpha, pieces=design.n)

    def arranged(self, x: Array) -> Array:
        """Differences by round and tested block, as tables: (..., dealings, g, g)."""
        return _tables(x)

    def measured(self, ids: Integers, right: tuple[Flags, Flags]) -> Array:
        """The differences of accuracy on each block with another left out."""
        blocks = _blocks_of(ids)
        gained = right[0].astype(np.float64) - right[1]
        g = int(blocks.max()) + 1
        dealt = np.repeat(blocks, g - 1, axis=0)
        x = [
            np.bincount(row, values, g) / np.bincount(row, minlength=g)
            for row, values in zip(dealt, gained, strict=True)
        ]
        return _tables(np.array(x))

    def numbers(self, design: Design) -> int:
        return design.dealings * design.blocks**2

    def mean_difference(self, data: Array) -> Array:
        g = data.shape[-1]
        return np.asarray(data.reshape(len(data), -1).mean(axis=1) * g / (g - 1))


def _by_block(scores: Array) -> Array:
    """What the plan's folds scored, (runs, g), in the order of the blocks."""
    g = scores.shape[1]
    ordered = np.empty_like(scores)
    for run, row in enumerate(scores):
        ordered[run, adjacent(g)[run % (g - 1)]] = row
    return ordered


def _tables(x: Array) -> Array:
    """Values by round and tested block as (..., dealings, g, g), with 0 on the diagonal."""
    g = x.shape[-1]
    rounds = x.reshape(*x.shape[:-2], -1, g - 1, g)
    tables = np.zeros((*rounds.shape[:-2], g, g))
    for place, met in enumerate(partners(g)):
        tables[..., met, np.arange(g)] = rounds[..., place, :]
    return tables


def _blocks_of(ids: Integers) -> Integers:
    """The block of each example in each dealing, from the pairs that it was left out with: two rounds tell it."""
    pairs = int(ids.max()) + 1
    g = 2 * pairs
    found = np.empty((pairs, pairs), dtype=np.int64)
    first, second = (np.minimum(np.arange(g), partners(g)[place]) for place in (0, 1))
    ranks = [np.unique(lower, return_inverse=True)[1] for lower in (first, second)]
    found[ranks[0], ranks[1]] = np.arange(g)
    return found[ids[:: g - 1], ids[1 :: g - 1]]


ROUND_ROBIN = RoundRobinScores()
KINDS = (ROUND_ROBIN,)


def _run(df: float | None, batch: Batch) -> StudentResult:
    return round_robin(batch.data, df=df, pieces=batch.pieces)


def _with_df(procedure: Procedure, option: str) -> Procedure:
    """The test with other degrees of freedom: ``df=NUMBER``."""
    try:
        df = float(option.removeprefix("df=")) if option.startswith("df=") else math.nan
    except ValueError:
        df = math.nan
    if not df > 0:
        raise InvalidInput(f"after '{procedure.name}:' must stand 'df=NUMBER' with a number above 0, got {option!r}")
    return replace(
        procedure, name=f"{procedure.name}:{option}", title=f"{procedure.title}, {df:g} df", run=partial(_run, df),
        guarantee=heuristic("chosen df"),
    )  # fmt: skip


PROCEDURES = (
    Procedure(
        name="round_robin", title="round-robin test", kind=ROUND_ROBIN, run=partial(_run, None), reference=FOLDWISE,
        guarantee=approximate(STABLE, counted="sources"), with_option=_with_df,
        note="the round-robin test is our own and not yet peer-reviewed: its Type I error was measured, not derived",
    ),
)  # fmt: skip
