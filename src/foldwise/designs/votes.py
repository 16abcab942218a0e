"""Votes between models: who is preferred, and how often."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.decisions import Decision
from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Flags, Integers, Interval, Labels
from foldwise.core.units import name_list, with_sign
from foldwise.core.validation import floats
from foldwise.designs.findings import Findings
from foldwise.designs.guarantee import approximate
from foldwise.designs.kind import Batch, PairTests, Procedure
from foldwise.designs.student import StudentKind, known_df, known_power, power_with, student_intervals, student_tests
from foldwise.evidence.evidence import Evidence, EvidenceTable
from foldwise.inference._votes import StrengthsResult, WinRateResult, decisive_votes, strengths_of, win_rate
from foldwise.inference.equivalence import Probabilities, student_posterior
from foldwise.inference.joint_differences import Indices, ModelMeans, pair_variances
from foldwise.inference.student import StudentResult, student_result
from foldwise.inference.time_series import at_least_mcnemar

FEW = 10  # Annotators or items below which the cluster-robust test rests on few independent pieces.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Votes(Evidence):
    """One row per vote between two of the models."""

    #: first, second: Places in `names` of the two models of each vote
    first: Integers
    second: Integers
    #: 1 where the first was preferred, 0 where the second was, 0.5 for a tie; graded preferences lie between
    won: Array
    #: The cluster of each vote: its item, or its annotator; None where votes are independent
    groups: Integers | None = None
    also: Integers | None = None  #: A second clustering that crosses the first
    #: 1 where the first was shown first, −1 where the second was, 0 where that is not known; None if it never is
    order: Array | None = None
    weights: Array | None = None  #: How much each vote counts; None where all count alike
    penalty: float = 0.0  #: On the squares of strengths, where votes alone do not determine them
    both_bad: int = 0  #: How many ties say that both were bad
    unscored: int = 0  #: How many votes had no readable winner and were left out
    #: What `groups` and `also` are, for people: "items", "annotators", or empty
    clustered_by: str = ""
    also_by: str = ""
    said: tuple[Decision, ...] = ()  #: What was decided when the votes were read

    @classmethod
    def build(
        cls, model_a: Sequence[str], model_b: Sequence[str], won: ArrayLike, *, names: tuple[str, ...] | None = None,
        item: Sequence[str] | None = None, annotator: Sequence[str] | None = None, order: ArrayLike | None = None,
        weights: ArrayLike | None = None, penalty: float = 0.0, both_bad: int = 0, said: tuple[Decision, ...] = (),
    ) -> Votes:  # fmt: skip
        """Check votes; NaN in `won` is a vote without a readable winner.

        >>> votes = Votes.build(["x", "x", "y"], ["y", "y", "x"], [1, 0.5, 0])
        >>> votes.names, votes.means.round(3).tolist(), votes.design
        (('x', 'y'), [0.833, 0.167], '3 votes')
        """
        given = floats(won, "winner")
        if not len(model_a) == len(model_b) == len(given):
            raise InvalidInput(
                "model_a, model_b and winner must have one entry per vote, got "
                f"{len(model_a)}, {len(model_b)} and {len(given)}"
            )
        read = np.isfinite(given)
        if not read.any():
            raise InvalidInput("votes must have a readable winner, but none has: they are a model's name, or tie")
        found = tuple(dict.fromkeys(chain.from_iterable(zip(model_a, model_b, strict=True))))
        known = found if names is None else names
        place = {name: i for i, name in enumerate(known)}
        place = {name: place.get(name, -1) for name in found}
        a, b = (np.fromiter(map(place.__getitem__, side), np.int64, len(side)) for side in (model_a, model_b))
        chosen = read & (a >= 0) & (b >= 0)
        if (chosen & (a == b)).any():
            row = int(np.flatnonzero(chosen & (a == b))[0])
            raise InvalidInput(
                f"votes must be between two models, but vote {row + 1} is {model_a[row]} against itself: leave such "
                "votes out"
            )
        if not chosen.any():
            raise InvalidInput(f"no vote is between {' and '.join(known[:2])}")
        groups, also, by, also_by, more = _clusters(item, annotator, chosen, len(known))
        return cls(
            names=known,
            metric="win rate",
            higher_is_better=True,
            declared_unit="fraction",
            first=a[chosen],
            second=b[chosen],
            won=given[chosen],
            groups=groups,
            also=also,
            order=None if order is None else floats(order, "order")[chosen],
            weights=None if weights is None else floats(weights, "weights")[chosen],
            penalty=penalty,
            both_bad=both_bad,
            unscored=int((~read).sum()),
            clustered_by=by,
            also_by=also_by,
            said=(*said, *more),
        )

    @property
    def numbers(self) -> Array:
        return self.means[:, None]

    @property
    def n(self) -> int:
        return len(self.won)

    @property
    def strengths(self) -> StrengthsResult:
        return _fitted(self)

    @property
    def means(self) -> Array:
        """Of two models the share of votes each wins, ties half; of more, its expected share against each other one."""
        if len(self.names) == 2:
            rate = float(np.average((self.differences + 1) / 2, weights=self.weights))
            return np.array([rate, 1 - rate])
        return self.once("expected rates", lambda: expected_rates(self))[0]

    @property
    def differences(self) -> Array:
        """Of two models, 1 where the first is preferred, −1 where the second is, 0 for a tie."""
        return np.where(self.first == 0, 2 * self.won - 1, 1 - 2 * self.won) + 0.0

    @property
    def design(self) -> str:
        clusters = "" if self.groups is None else f" in {int(self.groups.max()) + 1:,} {self.clustered_by}"
        also = "" if self.also is None else f", by {int(self.also.max()) + 1:,} {self.also_by}"
        models = "" if len(self.names) == 2 else f" among {len(self.names)} models"
        return f"{self.n:,} vote{'' if self.n == 1 else 's'}{models}{clusters}{also}"

    @property
    def digest(self) -> str:
        own = [self.first, self.second, self.won, self.groups, self.also, self.order, self.weights]
        return digest([*own, *([self.penalty] if self.penalty else [])])

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return self.said

    def columns(self) -> Mapping[str, Labels]:
        names = np.array(self.names, dtype=object)
        found: dict[str, Labels] = {"model_a": names[self.first], "model_b": names[self.second], "a_wins": self.won}
        extra = {"group": self.groups, "also": self.also, "order": self.order, "weight": self.weights}
        return found | {name: column for name, column in extra.items() if column is not None}

    def table(self) -> EvidenceTable:
        rows = []
        for place, name in enumerate(self.names):
            mine = np.concatenate([self.won[self.first == place], 1 - self.won[self.second == place]])
            counts = (len(mine), int((mine > 0.5).sum()), int((mine == 0.5).sum()), int((mine < 0.5).sum()))
            rows.append((name, *map(str, counts)))
        bad = f"; {self.both_bad} of the ties call both bad" if self.both_bad else ""
        return EvidenceTable(
            columns=("model", "votes", "won", "tied", "lost"), rows=tuple(rows), caption=self.design + bad
        )

    def pair(self, i: int, j: int) -> Votes:
        mine = ((self.first == i) & (self.second == j)) | ((self.first == j) & (self.second == i))
        if not mine.any():
            raise InvalidInput(f"no vote is between {self.names[i]} and {self.names[j]}")
        return replace(
            self,
            names=(self.names[i], self.names[j]),
            first=(self.first[mine] == j).astype(np.int64),
            second=(self.second[mine] == j).astype(np.int64),
            won=self.won[mine],
            groups=None if self.groups is None else np.unique(self.groups[mine], return_inverse=True)[1],
            also=None if self.also is None else np.unique(self.also[mine], return_inverse=True)[1],
            order=None if self.order is None else self.order[mine],
            weights=None if self.weights is None else self.weights[mine],
        )


@lru_cache(maxsize=4)
def _fitted(votes: Votes) -> StrengthsResult:
    return strengths_of(
        votes.names, votes.first, votes.second, votes.won, groups=votes.groups, also=votes.also,
        order=votes.order, weights=votes.weights, penalty=votes.penalty,
    )  # fmt: skip


@lru_cache(maxsize=4)
def expected_rates(votes: Votes) -> tuple[Array, Array, StrengthsResult]:
    """Each model's expected win rate against each of the others, ties half, its covariance, and the strengths.

    The rates follow from the strengths; their covariance is that of the strengths by the delta method, with order
    effects set aside (as if both orders were shown equally often).
    """
    found = votes.strengths
    beta, covariance = found.strengths, found.covariance
    k = len(beta)
    lead = (beta[:, None] - beta) / 2
    tie = np.exp(found.tie[0]) if not np.isnan(found.tie[1]) else 0.0
    up, down = np.exp(lead), np.exp(-lead)
    total = up + down + tie
    win, loss = up / total, down / total
    rate = win + (1 - win - loss) / 2
    # d rate / d lead: (win − loss) is the mean of ±1 outcomes, so that its derivative in lead/… is their variance
    slope = (win + loss - (win - loss) ** 2) / 4
    np.fill_diagonal(rate, 0.0)
    np.fill_diagonal(slope, 0.0)
    # opponents of unknown strength tell nothing about anybody else
    known = np.array([name not in found.alone for name in found.names])
    counted = np.tile(known if known.sum() > 1 else np.ones(k, dtype=np.bool_), (k, 1)) & ~np.eye(k, dtype=np.bool_)
    share = counted / counted.sum(axis=1, keepdims=True)
    slope *= share
    jacobian = np.diag(slope.sum(axis=1)) - slope
    return (rate * share).sum(axis=1), jacobian @ covariance @ jacobian.T, found


def _clusters(
    item: Sequence[str] | None, annotator: Sequence[str] | None, chosen: Flags, k: int
) -> tuple[Integers | None, Integers | None, str, str, tuple[Decision, ...]]:
    """What votes are correlated by: annotators where there are several, items where they repeat, or both.

    The first are those that the few that decide are counted in: items of two models, annotators of more.
    """
    items, raters = (None if given is None else _codes(given, chosen) for given in (item, annotator))
    said = []
    if raters is not None and raters.max() == 0:
        said.append(
            Decision(
                what="annotator",
                value="all votes are by one annotator, and the answer is about its preferences",
                how="from the file",
            )
        )
        raters = None
    elif raters is not None and annotator is not None and (blank := sum(not one for one in annotator)):
        said.append(
            Decision(what="annotator", value=f"{_votes(blank)} of nobody known count as one annotator's",
                     how="from the file")
        )  # fmt: skip
    if items is not None and items.max() + 1 == len(items):
        items = None  # every item has one vote
    if items is not None and items.max() == 0:
        said.append(
            Decision(what="item", value="all votes are on one item, and the answer is about it", how="from the file")
        )
        items = None
    there = [(codes, name) for codes, name in ((items, "items"), (raters, "annotators")) if codes is not None]
    first, second, *_ = [*(there if k == 2 else there[::-1]), (None, ""), (None, "")]
    return first[0], second[0], first[1], second[1], tuple(said)


def _codes(given: Sequence[str], chosen: Flags) -> Integers:
    """The place of each chosen vote's label among the different ones."""
    different = dict.fromkeys(given)
    place = dict(zip(different, range(len(different)), strict=True))
    codes = np.fromiter(map(place.__getitem__, given), np.int64, len(given))
    return np.unique(codes[chosen], return_inverse=True)[1].astype(np.int64)


class VoteKind(StudentKind[Votes]):
    name = "votes"
    words = "votes between two models at a time"
    assumes = (
        "the votes, or the clusters of them (items, annotators), are independent draws from those that matter",
        "of more than two models: who wins depends on one strength of each model (Bradley-Terry)",
    )
    plots: ClassVar[tuple[str, ...]] = ()
    recommended = "bradley_terry"
    because = "each vote compares two models directly; strengths join the votes of all pairs"
    limit = "one set of votes: the answer is about preferences of such annotators on such items, not about correctness"

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, Votes)

    def estimand(self, evidence: Votes, procedure: Procedure) -> str:
        if len(evidence.names) == 2:
            a, b = evidence.names
            return f"over votes like these, the share that prefers {a} minus the share that prefers {b}, ties half"
        return (
            "over votes like these, each model's expected win rate against the other models here, each counted once, "
            "ties half; another set of opponents gives other rates, but the same order"
        )

    def caveats(self, evidence: Votes, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:
        found = [one.value for one in evidence.said if one.what in _TOLD and one.how == "from the file"]
        if evidence.unscored:
            were = "was" if evidence.unscored == 1 else "were"
            found.append(f"{_votes(evidence.unscored)} without a readable winner {were} left out, not taken for ties")
        if evidence.both_bad:
            one = evidence.both_bad == 1
            found.append(f"{_votes(evidence.both_bad)} call{'s' * one} both answers bad and count{'s' * one} as a tie")
        if evidence.penalty and len(evidence.names) > 2:
            found.append(f"strengths are drawn towards each other by penalty {evidence.penalty:g}")
        for groups, called in ((evidence.groups, evidence.clustered_by), (evidence.also, evidence.also_by)):
            count = 0 if groups is None else int(groups.max()) + 1
            if groups is not None and count < FEW:
                found.append(f"few {called} ({count}): p and interval are approximate")
        if len(evidence.names) > 2 and (alone := evidence.strengths.alone):
            found.append(
                f"all votes about {name_list(list(alone))} are by one of the {evidence.clustered_by or 'voters'}: "
                "strength and taste can't be separated there, the interval is as wide as can be, and the rates of the "
                "others leave it out"
            )
        position = _first_shown(evidence)
        if position is not None and float(position.pvalue) < 0.05:
            told = f"{100 * position.rate:.0f} % of the votes (p {with_sign(float(position.pvalue))})"
            found.append(f"position bias: the model shown first wins {told}")
        if len(evidence.names) == 2 and evidence.order is not None and (known := evidence.order != 0).any():
            ahead = float(((evidence.order[known] > 0) == (evidence.first[known] == 0)).mean())
            if max(ahead, 1 - ahead) > MOSTLY:
                found.append(
                    f"{evidence.names[0 if ahead > 0.5 else 1]} was shown first in {100 * max(ahead, 1 - ahead):.0f} % "
                    "of the votes: how good it is can't be told from an advantage of the first place"
                )
        return found

    def facts(self, evidence: Votes, procedure: Procedure, control: str | None = None) -> list[tuple[str, str]]:
        """Wins and ties, position, circles among majorities, and the few votes that decide who is first."""
        rows = []
        if len(evidence.names) == 2:
            x = evidence.differences
            wins = f"{evidence.names[0]} {(x > 0).sum():,}   {evidence.names[1]} {(x < 0).sum():,}"
            rows.append(("votes won", f"{wins}   ties {(x == 0).sum():,}"))
        position = _first_shown(evidence)
        if position is not None:
            rows.append(("shown first", f"wins {100 * position.rate:.1f} % (p {with_sign(float(position.pvalue))})"))
        try:
            found = evidence.strengths
        except InvalidInput:  # a model that never loses: of two there is a rate all the same
            return rows
        if len(evidence.names) > 2:
            rows.append(("majorities", _circles(found)))
        rows.append(("few that decide", _decisive(evidence, found)))
        return rows

    def plots_of(self, evidence: Votes) -> tuple[str, ...]:
        """Of more than two models their strengths, and who wins how often against whom."""
        return () if len(evidence.names) == 2 else ("strengths", "win_matrix")

    # two models

    def batch(self, evidence: Votes, alpha: float) -> Batch:
        return Batch(data=evidence.differences, alpha=alpha, groups=evidence.groups, given=evidence)

    def findings(self, evidence: Votes, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        found = super().findings(evidence, procedure, alpha=alpha, rope=rope)
        tied = "" if evidence.differences.any() else f"{_votes(evidence.n)}, and all are ties"
        return replace(found, interval=found.interval and _within(found.interval), withheld=tied)

    together_found = 256

    def findings_of(
        self, evidence: Votes, procedure: Procedure, first: Indices, second: Indices, *, alpha: float, rope: float
    ) -> list[Findings]:
        """Of more than two models from their strengths, as their tests: not every two need have met."""
        if len(evidence.names) == 2:
            return super().findings_of(evidence, procedure, first, second, alpha=alpha, rope=rope)
        rates, covariance, found = evidence.once("expected rates", lambda: expected_rates(evidence))
        # asked for pair by pair: the errors of all are made once
        error = evidence.once("errors of pairs", lambda: np.sqrt(pair_variances(covariance)))
        errors, df = error[first, second], np.minimum(found.df[first], found.df[second])
        # no spread is no certainty: no interval, and p is 1
        every = student_result(rates[first] - rates[second], np.where(errors == 0, 1.0, errors), df, warn=False)
        spans = _within(every.confidence_interval(1 - alpha))
        chances = student_posterior(every, rope=rope).probabilities.as_tuple()
        columns = every.estimate, every.statistic, df, every.pvalue, spans.low, spans.high, errors, *chances
        return [
            Findings(estimate=estimate, statistic=math.nan, df=known_df(own), pvalue=1.0)
            if error == 0
            else Findings(
                estimate=estimate,
                statistic=statistic,
                df=known_df(own),
                pvalue=pvalue,
                standard_error=error,
                interval=Interval(low=low, high=high),
                power=power_with(error, own),
                probabilities=Probabilities(a_better=a, equivalent=same, b_better=b),
            )
            for estimate, statistic, own, pvalue, low, high, error, a, same, b in np.array(columns).T.tolist()
        ]

    # all pairs

    def tests(self, evidence: Votes, procedure: Procedure, first: Indices, second: Indices) -> PairTests:
        """Differences of expected win rates, whose errors are those of the strengths."""
        if len(evidence.names) == 2:
            return _all_within(super().tests(evidence, procedure, first, second))
        rates, covariance, found = evidence.once("expected rates", lambda: expected_rates(evidence))
        error, df = np.sqrt(pair_variances(covariance))[first, second], np.minimum(found.df[first], found.df[second])
        return _all_within(student_tests(student_result(rates[first] - rates[second], error, df, warn=False)))

    def together(self, evidence: Votes) -> ModelMeans:
        if len(evidence.names) == 2:
            result = win_rate(
                (evidence.differences + 1) / 2, groups=evidence.groups, also=evidence.also, weights=evidence.weights
            )
            variance = float(result.standard_error) ** 2
            covariance = variance * np.array([[1.0, -1.0], [-1.0, 1.0]])
            return ModelMeans(means=evidence.means, covariance=covariance, df=float(result.df), units=evidence.n)
        rates, covariance, found = evidence.once("expected rates", lambda: expected_rates(evidence))
        return ModelMeans(means=rates, covariance=covariance, df=float(np.median(found.df)), units=found.clusters)

    def mean_intervals(self, evidence: Votes, procedure: Procedure, level: float) -> Interval:
        joint = self.together(evidence)
        error = np.sqrt(np.diagonal(joint.covariance))
        df = joint.df if len(evidence.names) == 2 else evidence.strengths.df
        span = student_intervals(student_result(joint.means, error, df, warn=False), level)
        return Interval(low=np.clip(span.low, 0, 1), high=np.clip(span.high, 0, 1))


def _within(interval: Interval) -> Interval:
    """Rates differ by no more than 100 points."""
    found = Interval(low=np.clip(interval.low, -1, 1), high=np.clip(interval.high, -1, 1))
    return found.floats() if np.ndim(found.low) == 0 else found


def _all_within(tests: PairTests) -> PairTests:
    return replace(tests, intervals=lambda level: _within(tests.intervals(level)))


VOTES = VoteKind()
KINDS = (VOTES,)


def _run(batch: Batch) -> StudentResult:
    """The t test of the difference of two win rates; of votes that are independent never below the mid-p sign test."""
    votes = batch.given
    x: Array = batch.data
    also, weights = (votes.also, votes.weights) if isinstance(votes, Votes) else (None, None)
    rate = win_rate((x + 1) / 2, groups=batch.groups, also=also, weights=weights)
    found = student_result(2 * np.asarray(rate.estimate), 2 * np.asarray(rate.standard_error), rate.df, warn=False)
    if weights is not None or not np.isin(x, (-1, 0, 1)).all():
        return found
    if batch.groups is None:
        return at_least_mcnemar(found, x, unanimous=True)
    if abs(float(found.estimate)) < 1:
        return found
    pieces = min(len(np.unique(codes)) for codes in (batch.groups, also) if codes is not None)
    # all agree: a cluster is one vote, and mid-p of one vote less is the exact sign test's p, which never is too small
    return at_least_mcnemar(found, np.full(pieces - 1, x[0]), unanimous=True)


def _first_shown(evidence: Votes) -> WinRateResult | None:
    """How often the model shown first wins, where that is known of some votes."""
    order = evidence.order
    if order is None or (known := order != 0).sum() < 2:
        return None
    first_wins = np.where(order[known] > 0, evidence.won[known], 1 - evidence.won[known])
    groups = None if evidence.groups is None else evidence.groups[known]
    weights = None if evidence.weights is None else evidence.weights[known]
    if groups is not None and len(np.unique(groups)) < 2:
        return None
    return win_rate(first_wins, groups=groups, weights=weights)


def _circles(found: StrengthsResult) -> str:
    """Whether majorities are transitive: x beats y and y beats z, but z beats x."""
    ahead = (found.wins > found.wins.T).astype(np.float64)
    met = ((found.wins + found.wins.T) > 0).astype(np.float64)
    paths = ahead @ ahead
    circles, triples = round(float((paths * ahead.T).sum()) / 3), round(float(((met @ met) * met).sum()) / 6)
    if not triples:
        return "no three models met each other"
    if not circles:
        return f"transitive: none of {triples:,} triples of models goes round in a circle"
    x, z = map(int, np.argwhere((paths > 0) & (ahead.T > 0))[0])
    y = int(np.flatnonzero((ahead[x] > 0) & (ahead[:, z] > 0))[0])
    names = found.names
    rest = f", such as {names[x]} over {names[y]} over {names[z]} over {names[x]}"
    return f"{circles:,} of {triples:,} triples of models go{'es' * (circles == 1)} round in a circle{rest}"


def _decisive(evidence: Votes, found: StrengthsResult) -> str:
    """How few votes (or annotators, items), left out, change who is first in a new fit."""
    few = evidence.once("decisive votes", lambda: decisive_votes(found))
    alone = evidence.groups is None or found.clusters == evidence.n  # an annotator each is a vote each
    units = "votes" if alone else evidence.clustered_by
    if not few.left_out:
        return f"no tenth of the {units} was found without which {few.second} passes {few.top}"
    count = len(few.left_out)
    share = f"{count:,} of {found.clusters:,} {units} ({100 * few.share:.2g} %)"
    fewest = "no fewer do" if few.fewest else "fewer may do"
    return f"without {share} {few.second} passes {few.top} (fitted anew; {fewest})"


def _votes(count: int) -> str:
    return f"{count:,} vote{'s' * (count != 1)}"


MOSTLY = 0.9
"""Share of votes with one model first beyond which its strength can't be told from that of the first place."""

_TOLD = ("annotator", "item", "itself")  # Decisions of the reading that change the answer.

PROCEDURES = (
    Procedure(
        name="bradley_terry", title="win rates from votes (Bradley-Terry with ties)", kind=VOTES, run=_run,
        reference="Davidson (1970), Journal of the American Statistical Association 65",
        also=("Bradley & Terry (1952), Biometrika 39",),
        guarantee=approximate(counted="annotators"), power=known_power,
    ),
)  # fmt: skip
