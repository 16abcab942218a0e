"""What there is over data sets besides the pairs: mean ranks, the test that all are the same, effects, caveats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import special

from foldwise.comparison.pair import Pair
from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.metric import is_forecast_loss, metric_words
from foldwise.core.types import Array, Interval, Json
from foldwise.designs.adjustments import ADJUSTMENTS, Adjustment
from foldwise.designs.data_sets import (
    DATA_SETS,
    OMNIBUS,
    PAIR_MODELS,
    Draws,
    OmnibusTest,
    PairModel,
    PairPosterior,
    PairwiseTest,
    shared_scores,
)
from foldwise.designs.marks import MOST_SKILLS, baseline_of
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many._pairwise import least_pvalue, median_limits, rank_biserial
from foldwise.inference.many.blocks import paired_differences, rank_scores
from foldwise.inference.many.mean_ranks import OmnibusResult
from foldwise.inference.many.signed_ranks import Zeros, middle_pair_mean


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OverDataSets:
    """What a comparison over data sets has besides its pairs."""

    table: ScoreTable = field(repr=False)  #: The scores
    omnibus: OmnibusResult  #: The test of the hypothesis that all learners are the same
    mean_ranks: Array  #: Mean rank of each learner, in the table's order; 1 for the best
    #: alpha, rope, seed, control, zeros: As in the comparison; what the signed-rank test does with differences of 0
    alpha: float
    rope: float
    seed: int
    control: str | None
    model: PairModel | None  #: The model behind the probabilities, or None; its name is `bayes`
    critical_difference: float | None  #: Nemenyi's, when that is the pairwise test, otherwise None
    hopeless: bool  #: Whether no scores at all could have made a pair significant with this few data sets
    zeros: Zeros = "pratt"

    @property
    def learners(self) -> tuple[str, ...]:
        """Names of the learners, in the table's order."""
        return self.table.learners

    @property
    def omnibus_test(self) -> OmnibusTest:
        return OMNIBUS[self.omnibus.test]

    @property
    def bayes(self) -> str | None:
        """Name of the model behind the probabilities, or None."""
        return None if self.model is None else self.model.name

    @property
    def ranking(self) -> tuple[str, ...]:
        """Names of the learners from the best mean rank to the worst."""
        return tuple(self.learners[i] for i in np.argsort(self.mean_ranks, kind="stable"))

    @property
    def dataset_ranks(self) -> Array:
        """Rank of each learner on each data set, 1 for the best; NaN where it has no score."""
        return rank_scores(self.table.oriented)

    @property
    def front(self) -> tuple[str, str]:
        """The two learners with the best mean ranks; the control and the best of the others where there is one."""
        if self.control is None:
            return self.ranking[0], self.ranking[1]
        return self.control, next(name for name in self.ranking if name != self.control)

    def posterior(self, a: str | None = None, b: str | None = None) -> PairPosterior:
        """Posterior draws of the three answers for two learners, by default the best two, or control and best.

        By the model of `bayes`; by the signed rank when there is none.
        """
        first, second = self.front if a is None or b is None else (a, b)
        for name in (first, second):
            if name not in self.learners:
                raise UnknownName("learner", name, self.learners)
        model = self.model or PAIR_MODELS["signed_rank"]
        i, j = self.learners.index(first), self.learners.index(second)
        return model.posterior(self.table, i, j, Draws(rope=self.rope, seed=self.seed))

    def effects(self, against: str | None = None) -> tuple[LearnerEffect, ...]:
        """How far each learner is from one, with its interval: from the control, or the one with the best mean rank.

        The intervals against the control hold together; against any other, which the scores themselves may have
        picked, they hold together with those of all pairs.
        """
        other, k = against or self.control or self.ranking[0], len(self.learners)
        comparisons = k - 1 if other == self.control else k * (k - 1) // 2
        return learner_effects(self.table, other, alpha=self.alpha, comparisons=comparisons)

    def skill(self, metric: str) -> list[tuple[str, str]]:
        """Of losses of forecasts skill scores and win rates over tasks, as leaderboards have them, with intervals.

        Skill is 1 less the geometric mean of the loss as a share of the baseline's, each share between 0.01 and 100;
        the win rate is over tasks and other models, ties a half. Both have Student's interval over tasks.
        """
        losses = self.table.means
        if self.table.higher_is_better or not is_forecast_loss(metric) or len(losses) < 3 or not (losses > 0).all():
            return []
        found, base, names = [], baseline_of(self.learners, self.control), self.learners
        t = float(special.stdtrit(len(losses) - 1, 0.975)) / np.sqrt(len(losses))
        order = sorted(range(len(names)), key=lambda place: self.mean_ranks[place])[:MOST_SKILLS]
        for place in order:
            if base is None or names[place] == base:
                continue
            shares = np.clip(losses[:, place] / losses[:, names.index(base)], 0.01, 100.0)
            mean, half = float(np.log(shares).mean()), t * float(np.log(shares).std(ddof=1))
            size, low, high = (100 * (1 - np.exp(of)) for of in (mean, mean + half, mean - half))
            word, (low, high) = ("lower", (low, high)) if size >= 0 else ("higher", (-high, -low))
            text = f"{abs(size):.3g} % {word} loss than {base} (95 % CI {low:.3g} to {high:.3g} %)"
            found.append((f"skill of {names[place]}", text.replace("-", "−")))
        for place in order if len(names) > 2 else order[:1]:
            others = np.delete(losses, place, axis=1)
            own = losses[:, [place]]
            wins = np.where(own == others, 0.5, own < others).mean(axis=1)
            rate, half = float(wins.mean()), t * float(wins.std(ddof=1))
            reach = f" (95 % CI {100 * max(rate - half, 0):.0f} % to {100 * min(rate + half, 1):.0f} %)" if half else ""
            found.append(("win rate", f"{names[place]} is better than another on {100 * rate:.0f} % of tasks{reach}"))
        return found

    def settings(self) -> dict[str, Json]:
        return {"omnibus": self.omnibus.test, "bayes": self.bayes or "none", "zeros": self.zeros}

    def to_dict(self) -> dict[str, Json]:
        """All of it but the raw scores, ready for JSON (an infinite statistic becomes None)."""
        return {
            "mean_ranks": dict(zip(self.learners, self.mean_ranks.tolist(), strict=True)),
            "bayes": self.bayes,
            "critical_difference": self.critical_difference,
            "hopeless": self.hopeless,
        }


# ---- How large the differences are.


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerEffect(Shown):
    """One learner against the one that all are compared with."""

    #: name, against: Which two
    name: str
    against: str
    #: The Hodges–Lehmann estimate of `name` − `against`: the median of the means of all pairs of differences
    difference: float
    #: Of Wilcoxon's signed ranks, for all that may be asked for (Bonferroni); unbounded with too few data sets
    interval: Interval
    #: Rank-biserial correlation, from −1, where `name` is worse everywhere, to 1, where it is better everywhere
    effect: float
    datasets: int  #: On how many data sets both have a score


def learner_effects(table: ScoreTable, against: str, *, alpha: float, comparisons: int) -> tuple[LearnerEffect, ...]:
    """Each of the other learners against one, in the table's order, with intervals that hold for so many comparisons.

    >>> table = ScoreTable.of([[0.9, 0.8], [0.7, 0.5], [0.8, 0.75]], learners=["a", "b"])
    >>> learner_effects(table, "b", alpha=0.25, comparisons=1)[0].effect
    1.0
    """
    if against not in table.learners:
        raise UnknownName("against", against, table.learners)
    others = [name for name in table.learners if name != against]
    j, tail = table.learners.index(against), alpha / (2 * comparisons)
    sign = 1.0 if table.higher_is_better else -1.0
    found = []
    for name in others:
        gain = paired_differences(*shared_scores(table, table.learners.index(name), j))  # above 0 is better
        found.append(
            LearnerEffect(
                name=name,
                against=against,
                difference=sign * middle_pair_mean(gain) + 0.0,
                interval=median_limits(sign * gain, test="wilcoxon", alpha=tail),
                effect=rank_biserial(gain),
                datasets=len(gain),
            )
        )
    return tuple(found)


# ---- What a reader should know, and whether anything could have come out of it.

FEW = 10

MOST_PAIRS = 1_000_000  # Comparisons whose results fit into memory.


def least_adjusted(table: ScoreTable, test: PairwiseTest, adjustment: Adjustment, *, control: int | None) -> float:
    """The smallest adjusted p-value that any scores in a table of this size could give.

    Examples
    --------
    >>> from foldwise.designs.data_sets import PAIR_TESTS
    >>> table = ScoreTable.of(np.ones((4, 9)))
    >>> least_adjusted(table, PAIR_TESTS["wilcoxon"], ADJUSTMENTS["holm"], control=None)
    1.0
    """
    k = table.n_learners
    pairs = k * (k - 1) // 2 if control is None else k - 1
    if pairs > MOST_PAIRS:
        raise InvalidInput(
            f"{k:,} learners make {pairs:,} comparisons, more than the {MOST_PAIRS:,} that are made at once: choose "
            "fewer, or a control to compare the others with"
        )
    least = least_pvalue(table.n_datasets, k, test=test.name)
    # the first step of adjustments for all pairs, Shaffer's and Bergmann and Hommel's, is Holm's
    first = ADJUSTMENTS["holm"] if adjustment.all_pairs else adjustment
    return float(first.run(np.full(pairs, least), k).min())


def gather_caveats(
    table: ScoreTable, pairs: Sequence[Pair], *, rope: float, test: PairwiseTest, adjustment: Adjustment,
    bayes: tuple[str, PairModel | None], hopeless: bool, omnibus: list[str],
) -> tuple[str, ...]:  # fmt: skip
    found = [
        *_about_size(table, hopeless),
        *DATA_SETS.caveats(table, rope),
        *_about_means(table, pairs),
        *omnibus,
        *_about_procedure(table, test, adjustment),
    ]
    unknown = [f"{pair.a} and {pair.b}" for pair in pairs if bayes[1] is not None and pair.probabilities is None]
    if unknown:
        found.append(
            f"on no data set do the differences between {unknown[0]} vary from split to split"
            f"{f' (nor for {len(unknown) - 1} more pairs)' if unknown[1:] else ''}: their probabilities are unknown"
        )
    if hopeless and bayes[1] is not None:
        found.append("the probabilities were asked for, but with this few data sets no test could confirm them")
    if bayes[0] == "auto" and bayes[1] is None and not hopeless:
        found.append(
            "the table is too large for probabilities of practical equivalence; ask for bayes='signed_rank' (--bayes "
            "signed_rank), which takes long"
        )
    return (*found, DATA_SETS.limit)


def _about_size(table: ScoreTable, hopeless: bool) -> list[str]:
    n = table.n_datasets
    if hopeless:
        return [f"with {n} data sets and this many comparisons no scores whatever could be significant: add data sets"]
    return [f"{n} data sets are few: only large and regular differences can be shown"] if n < FEW else []


def _about_means(table: ScoreTable, pairs: Sequence[Pair]) -> list[str]:
    """Tests of signs and ranks count data sets: who wins more often may still lose on average."""
    sign = 1 if table.higher_is_better else -1
    against = [pair for pair in pairs if pair.better is not None and sign * pair.lead_of_better < 0]
    if not against:
        return []
    first = against[0]
    other = first.b if first.better == first.a else first.a
    rest = f" (and so for {len(against) - 1} more)" if len(against) > 1 else ""
    return [
        f"{first.better} is better than {other} on more data sets or at larger ranks, but its mean "
        f"{metric_words(table.metric)} is "
        f"{'lower' if sign > 0 else 'higher'} by {abs(first.estimate):.3g}: where {other} wins, it wins by more{rest}"
    ]


def _about_procedure(table: ScoreTable, test: PairwiseTest, adjustment: Adjustment) -> list[str]:
    found = [said for said in (test.warning, adjustment.caveat) if said is not None]
    if table.n_splits > 1 and table.test_train_ratio is None:
        found.append("splits are averaged; give n_train and n_test for each data set's own uncertainty to count")
    return found
