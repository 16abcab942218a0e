"""Several learners on several data sets: a table of scores, its tests, and models of which is practically better."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.metric import direction_caveats, metric_words, unit_caveats
from foldwise.core.replicates import FOR_ITEMS
from foldwise.core.types import Array, Flags, Interval
from foldwise.designs.adjustments import NEMENYI, Adjustment
from foldwise.designs.cross_validation import REPEATED_CV
from foldwise.designs.findings import ASKED, Findings, Power
from foldwise.designs.guarantee import (
    BENAVOLI,
    CORANI,
    DEMSAR,
    FRIEDMAN,
    GARCIA,
    IMAN_DAVENPORT,
    QUADE,
    SKILLINGS_MACK,
    approximate,
    exact,
    unmeasured,
)
from foldwise.designs.kind import Basis, Entry
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many._pairwise import PairTest, median_limits, sign_pvalue
from foldwise.inference.many.bayesian import (
    RegionPosterior,
    bayesian_sign_test,
    dirichlet_weights,
    region_posterior,
    signed_rank_shares,
)
from foldwise.inference.many.blocks import mean_ranks, paired_differences
from foldwise.inference.many.hierarchical import HierarchicalResult, hierarchical_correlated_t
from foldwise.inference.many.mean_ranks import (
    OmnibusResult,
    critical_difference,
    friedman,
    friedman_aligned,
    iman_davenport,
    quade,
    rank_standard_error,
    skillings_mack,
)
from foldwise.inference.many.signed_ranks import Zeros, signed_rank_sums
from foldwise.inference.many.wilcoxon import wilcoxon_power

if TYPE_CHECKING:
    from foldwise.core.types import Array
    from foldwise.engine.result import RunResult
    from foldwise.resampling.plan import Plan


DRAWS = 10_000

PairPosterior: TypeAlias = RegionPosterior | HierarchicalResult


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draws:
    rope: float  #: Half-width of the region of practical equivalence
    seed: int  #: Of the draws
    #: Draws of the signed-rank weights that all pairs of a table share; None where each pair has its own data sets
    weights: Array | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairModel:
    #: name, title, reference: The name users give, what people call it, and where it comes from
    name: str
    title: str
    reference: str
    #: Of the three regions, for the learners in two columns of a table
    posterior: Callable[[ScoreTable, int, int, Draws], PairPosterior]
    needs_splits: bool = False  #: Whether it takes the scores of every split, with their sizes
    shares_weights: bool = False  #: Whether all pairs of a complete table share their draws

    def draws(self, table: ScoreTable, *, rope: float, seed: int) -> Draws:
        """What the posteriors of all pairs of this table are drawn with."""
        shared = self.shares_weights and not table.missing
        weights = dirichlet_weights(table.n_datasets, DRAWS, seed=seed) if shared else None
        return Draws(rope=rope, seed=seed, weights=weights)


def shared_scores(table: ScoreTable, i: int, j: int) -> tuple[Array, Array]:
    """Scores, higher being better, of two learners on the data sets that both have.

    >>> shared_scores(ScoreTable.of([[0.9, np.nan], [0.8, 0.7]]), 0, 1)
    (array([0.8]), array([0.7]))
    """
    both = shared_data_sets(table, i, j)
    return table.oriented[both, i], table.oriented[both, j]


def shared_data_sets(table: ScoreTable, i: int, j: int) -> Flags:
    """On which data sets both learners have a score; there must be one."""
    a, b = table.oriented[:, i], table.oriented[:, j]
    both = ~(np.isnan(a) | np.isnan(b))
    if not both.any():
        raise InvalidInput(f"{table.learners[i]} and {table.learners[j]} have no data set in common")
    return both


def _signed_rank(table: ScoreTable, i: int, j: int, draws: Draws) -> PairPosterior:
    a, b = shared_scores(table, i, j)
    weights = dirichlet_weights(len(a), DRAWS, seed=draws.seed) if draws.weights is None else draws.weights
    return region_posterior(signed_rank_shares(paired_differences(a, b), weights, draws.rope), rope=draws.rope)


def _sign(table: ScoreTable, i: int, j: int, draws: Draws) -> PairPosterior:
    a, b = shared_scores(table, i, j)
    return bayesian_sign_test(a, b, rope=draws.rope, seed=draws.seed)


def _hierarchical(table: ScoreTable, i: int, j: int, draws: Draws) -> PairPosterior:
    ratio = table.test_train_ratio
    assert ratio is not None  # refused before
    x = (table.values[:, i] - table.values[:, j]) * (1 if table.higher_is_better else -1)
    return hierarchical_correlated_t(x, correlation=ratio / (1 + ratio), rope=draws.rope, seed=draws.seed)


PAIR_MODELS = {
    model.name: model
    for model in (
        PairModel(
            name="signed_rank", title="the Bayesian signed-rank test", reference=f"{BENAVOLI}, section 4.2",
            posterior=_signed_rank, shares_weights=True,
        ),
        PairModel(name="sign", title="the Bayesian sign test", reference=f"{BENAVOLI}, section 4.1", posterior=_sign),
        PairModel(
            name="hierarchical", title="the hierarchical correlated t model", reference=CORANI, posterior=_hierarchical,
            needs_splits=True,
        ),
    )
}  # fmt: skip
"""By name; the first is what "auto" takes."""


# ---- Several learners on several data sets: a table of scores, in which the data set is the unit.


class DataSets(Basis):
    """Data sets × learners, or data sets × learners × splits."""

    name = "data_sets"
    words = "the score of every learner on every data set"
    assumes = (
        "the data sets are independent of each other, and drawn as those are that the answer is to hold for",
        "every data set counts once, whatever its size, and its learners were scored in the same way",
    )
    plots: ClassVar[tuple[str, ...]] = ("critical_difference", "pair_matrix", "front", "rank_table")
    recommended = "wilcoxon"
    because = "it compares the two learners of a pair only; with tests on mean ranks the others matter too."
    limit = "the answer is about data sets like these; it holds as far as they represent others"
    called: ClassVar[str] = "learners"

    def estimand(self, table: ScoreTable) -> str:
        side = "higher" if table.higher_is_better else "lower"
        return (
            f"over data sets like these, the better learner of a pair has the {side} {metric_words(table.metric)} "
            "more often, or by "
            "more, than chance explains."
        )

    def caveats(self, table: ScoreTable, rope: float) -> list[str]:
        """What the scores themselves make one notice."""
        return [
            *direction_caveats(table.metric, table.higher_is_better),
            *unit_caveats(table.unit, rope, table.values),
            *_about_columns(table),
        ]

    def findings(
        self, table: ScoreTable, test: PairwiseTest, i: int, j: int, *, alpha: float, pvalue: float, zeros: Zeros
    ) -> Findings:
        """What the test finds of the learners in two columns alone, besides its p-value; `alpha` is its level."""
        sign = 1.0 if table.higher_is_better else -1.0
        x = paired_differences(*shared_scores(table, i, j))  # higher is better
        limits = None if test.limits is None else test.limits(sign * x, alpha=alpha / 2)
        spread = float(np.std(x, ddof=1)) if len(x) > 1 else 0.0
        return Findings(
            estimate=sign * float(x.mean()) + 0.0,
            statistic=test.statistic(table, i, j, x, zeros),
            df=None,
            pvalue=pvalue,
            interval=limits if limits is not None and math.isfinite(limits.low) else None,
            power=None if test.power is None or spread == 0 else NormalShiftPower(test.power, len(x), spread),
        )

    # evidence to be made

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        return REPEATED_CV.plan(runs=runs, folds=folds, stratified=stratified)

    def from_runs(self, results: Iterable[RunResult], datasets: Sequence[str]) -> tuple[ScoreTable, ...]:
        """By each scoring the table of what the engine delivers for each data set: as many runs as all of them have.

        One result is looked at after the other, so that the predictions of one data set are kept at a time.
        """
        scores, sizes = [], []
        for result in results:
            scores.append([by.scores for by in (result, *result.also)])
            sizes.append([float(part.mean()) for part in result.sizes()])
        least = min(parts[0].shape[1] for parts in scores)
        return tuple(
            ScoreTable.of(
                np.stack([part[:, :least].reshape(len(part), -1) for part in of_one]),
                learners=by.names,
                datasets=datasets,
                higher_is_better=by.greater_is_better,
                n_train=[n_train for n_train, _ in sizes],
                n_test=[n_test for _, n_test in sizes],
                metric=by.scoring,
            )
            for by, of_one in zip((result, *result.also), zip(*scores, strict=True), strict=True)
        )


DATA_SETS = DataSets()


@dataclass(frozen=True, slots=True, kw_only=True)
class OmnibusTest(Entry):
    run: Callable[[ScoreTable | Array], OmnibusResult]  #: Runs it on a table
    takes_gaps: bool = False  #: Whether cells may be empty


@dataclass(frozen=True, slots=True, kw_only=True)
class PairwiseTest(Entry):
    """A test of two of the learners; `foldwise.inference.many.pairwise` runs it under its name."""

    name: PairTest  #: The name users give
    choice: str  #: What a list of choices calls it
    alone: bool = True  #: Whether it looks at the two learners of a pair alone, so that cells of others may be empty
    assumes: tuple[str, ...] = ()  #: Sentences that must hold besides those of the kind
    adjustment: Adjustment | None = None  #: The adjustment that it brings along; None where p-values are to be adjusted
    all_pairs: bool = False  #: Whether it is for the comparisons of all pairs only
    #: From the numbers of learners and data sets to the difference of mean ranks that is significant, where one number
    #: serves for all pairs
    critical_difference: Callable[..., float] | None = None
    #: From the differences of two learners to one-sided limits for their middle; None where it bounds no difference
    limits: Callable[..., Interval] | None = None
    #: Of two columns of a table, whose differences (higher is better) are at hand, with what becomes of zeros
    statistic: Callable[[ScoreTable, int, int, Array, Zeros], float]
    #: From the number of data sets, the true difference in standard deviations and the level; None where it depends on
    #: the other learners
    power: Callable[[int, float, float], float] | None = None


@dataclass(frozen=True, slots=True)
class NormalShiftPower(Power):
    """Of a test of `n` differences over data sets that are normal with this standard deviation."""

    power: Callable[[int, float, float], float]
    n: int
    deviation: float

    def detectable(self, alpha: float) -> float | None:
        shift = _shift_seen(self.power, self.n, alpha)
        return None if shift is None else self.deviation * shift

    def at(self, differences: Array, alpha: float) -> Array:
        return np.array([self.power(self.n, abs(float(d)) / self.deviation, alpha) for d in np.atleast_1d(differences)])


_CERTAIN = 40.0  # Standard deviations beyond which every difference has the same sign.


@lru_cache(maxsize=256)
def _shift_seen(power: Callable[[int, float, float], float], n: int, alpha: float) -> float | None:
    """The difference in standard deviations that is found with power 0.8."""
    from scipy import optimize  # with `import foldwise` it would be loaded for everyone

    if power(n, _CERTAIN, alpha) < ASKED:
        return None
    return float(optimize.brentq(lambda shift: power(n, shift, alpha) - ASKED, 0.0, _CERTAIN, xtol=1e-6))


def _signed_rank_power(n: int, shift: float, alpha: float) -> float:
    return wilcoxon_power(n, shift, alpha=alpha)


def _sign_power(n: int, shift: float, alpha: float) -> float:
    """The probability of as few or as many wins, each of probability Φ(shift), as the test rejects with."""
    wins = np.arange(n // 2 + 1)
    few = int(np.count_nonzero(sign_pvalue(wins, n - wins) < alpha)) - 1
    if few < 0:
        return 0.0
    return float(special.bdtr(few, n, special.ndtr(shift)) + special.bdtrc(n - few - 1, n, special.ndtr(shift)))


def _positive_ranks(_table: ScoreTable, _i: int, _j: int, x: Array, zeros: Zeros) -> float:
    return float(signed_rank_sums(x[None], zeros).plus[0])


def _wins(_table: ScoreTable, _i: int, _j: int, x: Array, _zeros: Zeros) -> float:
    return float(np.count_nonzero(x > 0))


def _rank_distance(table: ScoreTable, i: int, j: int, _x: Array, _zeros: Zeros) -> float:
    """How far ahead the first is by its mean rank, in standard errors."""
    ranks = mean_ranks(table.oriented)
    return float((ranks[j] - ranks[i]) / rank_standard_error(table.n_datasets, table.n_learners))


def _studentised(table: ScoreTable, i: int, j: int, x: Array, zeros: Zeros) -> float:
    return math.sqrt(2) * abs(_rank_distance(table, i, j, x, zeros))


_DEPENDS = "mean ranks depend on all learners in the table, so a pair's outcome changes with the others"

OMNIBUS = {
    name: OmnibusTest(
        name=name, title=title, kind=DATA_SETS, symbol=symbol, reference=reference, run=run,
        guarantee=approximate(counted="data sets"), takes_gaps=name == "skillings_mack",
    )
    for name, title, symbol, reference, run in (
        ("friedman", "Friedman", "χ²", FRIEDMAN, friedman),
        ("iman_davenport", "Iman–Davenport", "F", IMAN_DAVENPORT, iman_davenport),
        ("friedman_aligned", "Friedman on aligned ranks", "χ²", GARCIA, friedman_aligned),
        ("quade", "Quade", "F", QUADE, quade),
        ("skillings_mack", "Skillings–Mack", "χ²", SKILLINGS_MACK, skillings_mack),
    )
}  # fmt: skip
"""Are all learners the same? By name."""

PAIR_TESTS: dict[str, PairwiseTest] = {
    entry.name: entry
    for entry in (
        PairwiseTest(
            name="wilcoxon", title="Wilcoxon signed-rank tests", kind=DATA_SETS, symbol="T",
            reference=f"{DEMSAR}, section 3.1.3",
            guarantee=approximate(counted="data sets", known_as="wilcoxon_signed_rank"),
            choice="Wilcoxon's signed ranks",
            assumes=("the differences of two learners over the data sets lie symmetrically about their middle",),
            limits=partial(median_limits, test="wilcoxon"), statistic=_positive_ranks, power=_signed_rank_power,
        ),
        PairwiseTest(
            name="sign", title="sign tests", kind=DATA_SETS, symbol="wins", reference=f"{DEMSAR}, section 3.1.4",
            guarantee=exact("random sampling of data sets"), choice="sign test",
            limits=partial(median_limits, test="sign"), statistic=_wins, power=_sign_power,
        ),
        PairwiseTest(
            name="ranks", title="mean-rank tests", kind=DATA_SETS, symbol="z", reference=f"{DEMSAR}, section 3.2.2",
            guarantee=unmeasured("depends on the other learners, Type I error not measured"), warning=_DEPENDS,
            choice="mean ranks", alone=False, statistic=_rank_distance,
        ),
        PairwiseTest(
            name="nemenyi", title="Nemenyi's test", kind=DATA_SETS, symbol="q", reference=f"{DEMSAR}, section 3.2.2",
            guarantee=approximate(counted="data sets"), warning=_DEPENDS,
            choice="Nemenyi's mean ranks, with critical difference", alone=False, adjustment=NEMENYI,
            statistic=_studentised, critical_difference=critical_difference, all_pairs=True,
        ),
    )
}  # fmt: skip
"""Which of two is better? By name."""

PROCEDURES: tuple[Entry, ...] = (*OMNIBUS.values(), *PAIR_TESTS.values())


def _about_columns(table: ScoreTable) -> list[str]:
    found = []
    if np.isin(table.means, (0.0, 1.0)).all():
        found.append(
            f"all scores are 0 or 1: rows that are test items, not data sets, are no evidence here; {FOR_ITEMS}"
        )
    copies = _alike(table.datasets, table.values.reshape(table.n_datasets, -1), constant=False)
    if copies:
        found.append(
            f"{copies[0]} and {copies[1]} have the same scores throughout; if they are one data set, it counts twice"
        )
    if table.constant_learners:
        found.append(f"{', '.join(table.constant_learners)}: the same score on every data set")
    twins = _alike(table.learners, table.means.T, constant=True)
    if twins:
        found.append(f"{twins[0]} and {twins[1]} have the same scores throughout")
    if table.missing:
        count = f"{len(table.missing)} cell" + (" is" if len(table.missing) == 1 else "s are")
        found.append(f"{count} missing; each pair is compared on the data sets both have")
    return found


def _alike(names: tuple[str, ...], rows: Array, *, constant: bool) -> tuple[str, str] | None:
    """Two names with the same scores, which may be `constant` or must not."""
    seen: dict[bytes, str] = {}
    for name, row in zip(names, rows, strict=True):
        key = np.ascontiguousarray(row).tobytes()
        if key in seen and (constant or not np.all(row == row[0])):
            return seen[key], name
        seen[key] = name
    return None
