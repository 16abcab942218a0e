"""The answer to "which of these learners is better?" over several data sets, with everything that led to it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from foldwise.comparison.claims import Claim, found_words
from foldwise.comparison.frames import new_frame
from foldwise.comparison.kept import kept_evidence
from foldwise.comparison.many.effects import LearnerEffect, learner_effects
from foldwise.comparison.pair import Pair
from foldwise.core.decisions import Decision, together
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.metric import Unit, metric_words
from foldwise.core.types import Array, Json
from foldwise.core.units import asked_text, with_sign
from foldwise.designs import DATA_SETS
from foldwise.designs.adjustments import Adjustment
from foldwise.designs.data_sets import OMNIBUS, PAIR_TESTS, DataSets, OmnibusTest, PairwiseTest
from foldwise.designs.pair_models import PAIR_MODELS, Draws, PairModel, PairPosterior
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many._friedman import OmnibusResult
from foldwise.inference.many.blocks import rank_scores
from foldwise.inference.many.signed_ranks import Zeros
from foldwise.inference.several_models import rank_intervals

__all__ = ["ManyComparison"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ManyComparison:
    """Outcome of comparing several learners on several data sets; ``print`` it for a short verdict.

    Attributes
    ----------
    table
        The scores.
    omnibus
        The test of the hypothesis that all learners are the same.
    mean_ranks
        Mean rank of each learner, in the table's order; 1 for the best.
    pairs
        Every pair compared, or every learner against the control.
    cliques
        Groups of learners that the pairwise test does not tell apart, best first; none with a control.
    pair_test, adjusted_by
        The pairwise test, and how its p-values were adjusted; their names are `test` and `adjustment`.
    alpha, rope
        The level, and what counts as practically the same.
    margin
        By how much a candidate may be worse than its baseline, where one was given: each pair has its conclusion.
    control
        The learner that the others were compared with, or None.
    model
        The model behind the probabilities, or None; its name is `bayes`.
    critical_difference
        Nemenyi's, when that is the pairwise test, otherwise None.
    hopeless
        Whether no scores at all could have made a pair significant with this few data sets.
    caveats
        Sentences a careful reader should know.
    zeros
        What the signed-rank test does with differences of 0.
    seed
        Seed of the posterior draws.
    frames
        The package ("polars") of the series or frames that were given, whose frames `to_frame` gives.
    decisions
        What was decided when files or columns were read; `reading` has these with direction and unit.
    """

    layout: ClassVar[str] = "many"
    """Which page shows it."""

    called: ClassVar[str] = "learners"

    table: ScoreTable = field(repr=False)
    omnibus: OmnibusResult
    mean_ranks: Array
    pairs: tuple[Pair, ...]
    cliques: tuple[tuple[str, ...], ...]
    pair_test: PairwiseTest
    adjusted_by: Adjustment
    alpha: float
    rope: float
    control: str | None
    model: PairModel | None
    critical_difference: float | None
    hopeless: bool
    caveats: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    zeros: Zeros = "pratt"
    seed: int = 0
    margin: float | None = None
    frames: str = ""
    subject: str = ""
    repeat: str | None = None

    @property
    def reading(self) -> tuple[Decision, ...]:
        """What was decided on the way to the evidence, and how each decision came about."""
        return together(self.table.decisions, self.decisions)

    @property
    def kind(self) -> DataSets:
        """The kind of evidence it rests on."""
        return DATA_SETS

    @property
    def guarantee(self) -> str:
        """What the tests of pairs guarantee, in a few words, and how they were adjusted."""
        return f"{self.pair_test.guaranteed}; {self.adjusted_by.title}"

    @property
    def estimand(self) -> str:
        """What the answer is about."""
        return self.kind.estimand(self.table)

    @property
    def reason(self) -> str:
        """Why pairs were tested as they were."""
        if self.pair_test.alone:
            return f"{self.kind.because} {self.adjusted_by.keeps}"
        default = PAIR_TESTS[self.kind.recommended].title
        return f"it was asked for; {default}, the default, look at the two learners of a pair alone."

    @property
    def omnibus_test(self) -> OmnibusTest:
        """The test behind `omnibus`."""
        return OMNIBUS[self.omnibus.test]

    @property
    def test(self) -> str:
        """Name of the pairwise test."""
        return self.pair_test.name

    @property
    def adjustment(self) -> str:
        """Name of the adjustment."""
        return self.adjusted_by.name

    @property
    def bayes(self) -> str | None:
        """Name of the model behind the probabilities, or None."""
        return None if self.model is None else self.model.name

    @property
    def evidence_digest(self) -> str:
        """Digest of the scores: equal exactly when the evidence is."""
        return self.table.digest

    @property
    def learners(self) -> tuple[str, ...]:
        """Names of the learners, in the table's order."""
        return self.table.learners

    @property
    def metric(self) -> str:
        """What the scores measure."""
        return self.table.metric

    @property
    def design(self) -> str:
        """How many learners on how many data sets."""
        return f"{len(self.learners)} learners on {self.table.n_datasets} data sets"

    @property
    def shown_unit(self) -> Unit:
        """Scores of a table, and so their differences, are shown as they are given."""
        return "percent" if self.table.unit == "percent" else "own"

    @property
    def ranking(self) -> tuple[str, ...]:
        """Names of the learners from the best mean rank to the worst."""
        return tuple(self.learners[i] for i in np.argsort(self.mean_ranks, kind="stable"))

    @property
    def dataset_ranks(self) -> Array:
        """Rank of each learner on each data set, 1 for the best; NaN where it has no score."""
        return rank_scores(self.table.oriented)

    @property
    def n_comparisons(self) -> int:
        """How many pairs were tested, which is what the p-values are adjusted for."""
        return len(self.pairs)

    @property
    def best(self) -> str | None:
        """The learner that is better than each of the others it was compared with; None when there is none."""
        if self.control is not None:
            return self.control if all(pair.better == self.control for pair in self.pairs) else None
        # not always the one with the best mean rank: a pair is judged by its own differences
        return next((name for name, others in self.beaten().items() if len(others) == len(self.learners) - 1), None)

    @property
    def ordered_pairs(self) -> list[Pair]:
        """The pairs, smallest adjusted p-value first."""
        order = np.lexsort([[pair.pvalue for pair in self.pairs], [pair.adjusted for pair in self.pairs]])
        return [self.pairs[i] for i in order]

    def beaten(self) -> dict[str, list[str]]:
        """For each learner, best mean rank first, those it is shown to be better than, in the same order."""
        place = {name: position for position, name in enumerate(self.ranking)}
        found: dict[str, list[str]] = {name: [] for name in place}
        for pair in self.pairs:
            if pair.better is not None:
                found[pair.better].append(pair.b if pair.better == pair.a else pair.a)
        return {name: sorted(others, key=place.__getitem__) for name, others in found.items()}

    def pair(self, a: str, b: str) -> Pair:
        """The comparison of two learners, in the order in which it was made."""
        for pair in self.pairs:
            if {pair.a, pair.b} == {a, b}:
                return pair
        raise KeyError((a, b))

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

    @property
    def front(self) -> tuple[str, str]:
        """The two learners with the best mean ranks; the control and the best of the others where there is one."""
        if self.control is None:
            return self.ranking[0], self.ranking[1]
        return self.control, next(name for name in self.ranking if name != self.control)

    def effects(self, against: str | None = None) -> tuple[LearnerEffect, ...]:
        """How far each learner is from one, with its interval: from the control, or the one with the best mean rank.

        The intervals against the control hold together; against any other, which the scores themselves may have
        picked, they hold together with those of all pairs.
        """
        other, k = against or self.control or self.ranking[0], len(self.learners)
        comparisons = k - 1 if other == self.control else k * (k - 1) // 2
        return learner_effects(self.table, other, alpha=self.alpha, comparisons=comparisons)

    def claims(self) -> tuple[Claim, ...]:
        """What is claimed of each learner against the control, or of the first of two learners against the second."""
        if self.control is None and len(self.learners) > 2:
            raise InvalidInput(
                f"control must name the baseline that the other {len(self.learners) - 1} learners are held against"
            )
        return tuple(self._claim(pair) for pair in self.pairs)

    def _claim(self, pair: Pair) -> Claim:
        candidate, baseline = (pair.b, pair.a) if pair.a == self.control else (pair.a, pair.b)
        return Claim(
            candidate=candidate,
            baseline=baseline,
            better=pair.better,
            conclusion=pair.conclusion,
            margin="" if self.margin is None else asked_text(self.margin, self.shown_unit),
            found=self._found(pair, turned=candidate == pair.b),
        )

    def _found(self, pair: Pair, *, turned: bool) -> str:
        estimate = -pair.estimate if turned else pair.estimate
        wins, losses = (pair.losses, pair.wins) if turned else (pair.wins, pair.losses)
        words = found_words(f"mean {metric_words(self.metric)}", estimate, None, self.shown_unit, 1 - self.alpha)
        return f"{words}, wins–ties–losses {wins}–{pair.ties}–{losses}, p {with_sign(pair.adjusted)}"

    def matrix(self, what: str) -> Array:
        """K × k matrix of a number of the pairs, such as ``"adjusted"``; NaN where no comparison was made.

        ``"estimate"`` and ``"median"`` change their sign, and wins become losses, below the diagonal.
        """
        index = {name: i for i, name in enumerate(self.learners)}
        out = np.full((len(index), len(index)), np.nan)
        mirror = {"wins": "losses", "losses": "wins"}.get(what, what)
        sign = -1.0 if what in ("estimate", "median") else 1.0
        for pair in self.pairs:
            i, j = index[pair.a], index[pair.b]
            out[i, j], out[j, i] = getattr(pair, what), sign * getattr(pair, mirror)
        return out

    def evidence_frame(self) -> Any:
        """The mean scores, one row per data set, as a table of the kind that was given."""
        columns = dict(zip(self.learners, self.table.means.T, strict=True))
        return new_frame({"data set": list(self.table.datasets), **columns}, like=self.frames)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the learners, in the table's order."""
        return self.table.learners

    @property
    def means(self) -> dict[str, float]:
        """Mean of each learner over the data sets."""
        means = np.nanmean(self.table.means, axis=0)
        return {name: float(mean) for name, mean in zip(self.learners, means, strict=True)}

    @property
    def ranks(self) -> dict[str, tuple[int, int]]:
        """Of each learner the least and the greatest rank that the pairs leave."""
        place = {name: i for i, name in enumerate(self.learners)}
        better = np.zeros((len(place), len(place)), dtype=np.bool_)
        for pair in self.pairs:
            if pair.better is not None and pair.worse is not None:
                better[place[pair.better], place[pair.worse]] = True
        spans = rank_intervals(better)
        return {name: (int(spans.low[i]), int(spans.high[i])) for name, i in place.items()}

    @property
    def best_set(self) -> tuple[str, ...]:
        """The learners that no other is shown to beat, best mean rank first."""
        beaten = {pair.worse for pair in self.pairs}
        return tuple(name for name in self.ranking if name not in beaten)

    def _kept(self) -> Json:
        return kept_evidence(self.table)

    def _content(self) -> dict[str, Json]:
        """All of it but the raw scores, ready for JSON (an infinite statistic becomes None)."""
        return {
            "settings": {
                "of": "data sets",
                "adjust": self.adjustment if self.pair_test.adjustment is None else "holm",
                "omnibus": self.omnibus.test,
                "bayes": self.bayes or "none",
                **{
                    name: getattr(self, name)
                    for name in ("alpha", "rope", "margin", "control", "test", "zeros", "seed")
                },
            },
            "subject": self.subject,
            "repeat": self.repeat,
            "metric": self.table.metric,
            "higher_is_better": bool(self.table.higher_is_better),
            "direction_assumed": self.table.direction_assumed,
            "unit": self.table.unit,
            "means": dict(self.means),
            "best_set": list(self.best_set),
            "ranks": {name: list(span) for name, span in self.ranks.items()},
            "mean_ranks": {name: float(rank) for name, rank in zip(self.learners, self.mean_ranks, strict=True)},
            "ranking": list(self.ranking),
            "best": self.best,
            "omnibus": _omnibus_dict(self.omnibus),
            "test": self.test,
            "adjustment": self.adjustment,
            "alpha": self.alpha,
            "rope": self.rope,
            "margin": self.margin,
            "control": self.control,
            "bayes": self.bayes,
            "n_comparisons": self.n_comparisons,
            "critical_difference": self.critical_difference,
            "hopeless": self.hopeless,
            "seed": self.seed,
            "cliques": [list(clique) for clique in self.cliques],
        }


def _omnibus_dict(result: OmnibusResult) -> dict[str, Json]:
    statistic = float(result.statistic)
    return {
        "test": result.test,
        "statistic": statistic if math.isfinite(statistic) else None,
        "df": int(result.df),
        "df_error": result.df_error,
        "pvalue": float(result.pvalue),
    }
