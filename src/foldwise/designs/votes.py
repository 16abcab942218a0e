"""Votes between models: who is preferred, and how often."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.decisions import Decision
from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.labels import labels
from foldwise.core.types import Array, Integers, Interval, Labels
from foldwise.core.validation import floats
from foldwise.designs.guarantee import approximate
from foldwise.designs.kind import Batch, PairTests, Procedure
from foldwise.designs.student import StudentKind, known_power, student_intervals, student_tests
from foldwise.evidence.evidence import Evidence, EvidenceTable
from foldwise.inference._diebold_mariano import at_least_mcnemar
from foldwise.inference._votes import StrengthsResult, strengths, win_rate
from foldwise.inference.joint_differences import Indices, ModelMeans, pair_variances
from foldwise.inference.student import StudentResult, student_result

FEW = 10
"""Annotators or items below which the cluster-robust test rests on few independent pieces."""


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
    also: Integers | None = None  #: A second clustering that crosses the first, for two models: annotators beside items
    #: 1 where the first was shown first, −1 where the second was, 0 where that is not known; None if it never is
    order: Array | None = None
    both_bad: int = 0  #: How many ties say that both were bad
    unscored: int = 0  #: How many votes had no readable winner and were left out
    clustered_by: str = ""  #: What `groups` are, for people: "items", "annotators", or empty
    said: tuple[Decision, ...] = ()  #: What was decided when the votes were read

    @classmethod
    def build(
        cls,
        model_a: ArrayLike,
        model_b: ArrayLike,
        won: ArrayLike,
        *,
        names: tuple[str, ...] | None = None,
        item: ArrayLike | None = None,
        annotator: ArrayLike | None = None,
        order: ArrayLike | None = None,
        both_bad: int = 0,
        said: tuple[Decision, ...] = (),
    ) -> Votes:
        """Check votes; NaN in `won` is a vote without a readable winner.

        >>> votes = Votes.build(["x", "x", "y"], ["y", "y", "x"], [1, 0.5, 0])
        >>> votes.names, votes.means.round(3).tolist(), votes.design
        (('x', 'y'), [0.833, 0.167], '3 votes')
        """
        a, b = labels(model_a, "model_a"), labels(model_b, "model_b")
        given = floats(won, "winner")
        if not len(a) == len(b) == len(given):
            raise InvalidInput(
                f"model_a, model_b and winner must have one entry per vote, got {len(a)}, {len(b)} and {len(given)}"
            )
        read = np.isfinite(given)
        if not read.any():
            raise InvalidInput("votes must have a readable winner, but none has: they are a model's name, or tie")
        a_text, b_text = np.asarray(a).astype(str), np.asarray(b).astype(str)
        found = tuple(dict.fromkeys(name for pair in zip(a_text, b_text, strict=True) for name in map(str, pair)))
        known = found if names is None else names
        place = {name: i for i, name in enumerate(known)}
        chosen = read & np.array([x in place and y in place for x, y in zip(a_text, b_text, strict=True)])
        i, j = (np.array([place[str(name)] for name in column[chosen]], dtype=np.int64) for column in (a_text, b_text))
        if (i == j).any():
            row = int(np.flatnonzero(chosen)[np.flatnonzero(i == j)[0]])
            raise InvalidInput(f"votes must be between two models, but vote {row + 1} is {a_text[row]} against itself")
        groups, also, by, more = _clusters(item, annotator, chosen, len(known))
        return cls(
            names=known,
            metric="win rate",
            higher_is_better=True,
            declared_unit="fraction",
            first=i,
            second=j,
            won=given[chosen],
            groups=groups,
            also=also,
            order=None if order is None else floats(order, "order")[chosen],
            both_bad=both_bad,
            unscored=int((~read).sum()),
            clustered_by=by,
            said=(*said, *more),
        )

    @property
    def numbers(self) -> Array:
        return self.means[:, None]

    @property
    def n(self) -> int:
        """Number of votes."""
        return len(self.won)

    @property
    def strengths(self) -> StrengthsResult:
        """Strengths of the models from all votes."""
        names = np.array(self.names)
        return strengths(names[self.first], names[self.second], self.won, groups=self.groups, order=self.order)

    @property
    def means(self) -> Array:
        """Of two models the share of votes each wins, ties half; of more, its expected share against each other one."""
        if len(self.names) == 2:
            rate = float(np.where(self.first == 0, self.won, 1 - self.won).mean())
            return np.array([rate, 1 - rate])
        return expected_rates(self)[0]

    @property
    def differences(self) -> Array:
        """Of two models, 1 where the first is preferred, −1 where the second is, 0 for a tie."""
        return np.where(self.first == 0, 2 * self.won - 1, 1 - 2 * self.won) + 0.0

    @property
    def design(self) -> str:
        clusters = "" if self.groups is None else f" in {int(self.groups.max()) + 1} {self.clustered_by}"
        also = "" if self.also is None else f", by {int(self.also.max()) + 1} annotators"
        models = "" if len(self.names) == 2 else f" among {len(self.names)} models"
        return f"{self.n:,} vote{'' if self.n == 1 else 's'}{models}{clusters}{also}"

    @property
    def digest(self) -> str:
        return digest([self.first, self.second, self.won, self.groups, self.also, self.order])

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return self.said

    def columns(self) -> Mapping[str, Labels]:
        names = np.array(self.names, dtype=object)
        found: dict[str, Labels] = {"model_a": names[self.first], "model_b": names[self.second], "a_wins": self.won}
        extra = {"group": self.groups, "annotator": self.also, "order": self.order}
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
        )


def expected_rates(votes: Votes) -> tuple[Array, Array, StrengthsResult]:
    """Each model's expected win rate against each of the others, ties half, its covariance, and the strengths.

    The rates follow from the strengths; their covariance is that of the strengths by the delta method, with order
    effects set aside (as if both orders were shown equally often).
    """
    found = votes.strengths
    # strengths are in the order of sorted names
    where = [found.names.index(name) for name in votes.names]
    beta, covariance = found.strengths[where], found.covariance[np.ix_(where, where)]
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
    jacobian = (np.diag(slope.sum(axis=1)) - slope) / (k - 1)
    return rate.sum(axis=1) / (k - 1), jacobian @ covariance @ jacobian.T, found


def _clusters(
    item: ArrayLike | None, annotator: ArrayLike | None, chosen: Array, k: int
) -> tuple[Integers | None, Integers | None, str, tuple[Decision, ...]]:
    """What votes are correlated by: annotators where there are several, items where they repeat, of two models both."""
    items, raters = (
        None
        if given is None
        else np.unique(np.asarray(given).astype(str)[chosen], return_inverse=True)[1].astype(np.int64)
        for given in (item, annotator)
    )
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
    if items is not None and items.max() + 1 == len(items):
        items = None  # every item has one vote
    if items is not None and items.max() == 0:
        items = None
    if raters is not None and items is not None and k == 2:
        return items, raters, "items", tuple(said)
    if raters is not None:
        return raters, None, "annotators", tuple(said)
    return items, None, "" if items is None else "items", tuple(said)


class VoteKind(StudentKind[Votes]):
    """Preferences between two models at a time."""

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
        found = [one.value for one in evidence.said if one.what == "annotator" and one.how == "from the file"]
        if evidence.unscored:
            found.append(f"{evidence.unscored} votes without a readable winner were left out; they are not ties")
        if evidence.both_bad:
            found.append(f"{evidence.both_bad} votes call both answers bad; they count as ties")
        for groups, called in ((evidence.groups, evidence.clustered_by), (evidence.also, "annotators")):
            count = 0 if groups is None else int(groups.max()) + 1
            if groups is not None and count < FEW:
                found.append(f"few {called} ({count}): p and interval are approximate")
        if evidence.order is not None:
            found += _position(evidence)
        return found

    # two models

    def batch(self, evidence: Votes, alpha: float) -> Batch:
        return Batch(data=evidence.differences, alpha=alpha, groups=evidence.groups, given=evidence)

    # all pairs

    def tests(self, evidence: Votes, procedure: Procedure, first: Indices, second: Indices) -> PairTests:
        """Differences of expected win rates, whose errors are those of the strengths."""
        if len(evidence.names) == 2:
            return super().tests(evidence, procedure, first, second)
        rates, covariance, found = expected_rates(evidence)
        error = np.sqrt(pair_variances(covariance))[first, second]
        return student_tests(student_result(rates[first] - rates[second], error, found.df, warn=False))

    def together(self, evidence: Votes) -> ModelMeans:
        if len(evidence.names) == 2:
            result = win_rate((evidence.differences + 1) / 2, groups=evidence.groups, also=evidence.also)
            variance = float(result.standard_error) ** 2
            covariance = variance * np.array([[1.0, -1.0], [-1.0, 1.0]])
            return ModelMeans(means=evidence.means, covariance=covariance, df=float(result.df), units=evidence.n)
        rates, covariance, found = expected_rates(evidence)
        return ModelMeans(means=rates, covariance=covariance, df=found.df, units=found.clusters)

    def mean_intervals(self, evidence: Votes, procedure: Procedure, level: float) -> Interval:
        joint = self.together(evidence)
        error = np.sqrt(np.diagonal(joint.covariance))
        span = student_intervals(student_result(joint.means, error, joint.df, warn=False), level)
        return Interval(low=np.clip(span.low, 0, 1), high=np.clip(span.high, 0, 1))


VOTES = VoteKind()
KINDS = (VOTES,)


def _run(batch: Batch) -> StudentResult:
    """The t test of the difference of two win rates; of votes that are independent never below the mid-p sign test."""
    votes = batch.given
    x: Array = batch.data
    also = votes.also if isinstance(votes, Votes) else None
    rate = win_rate((x + 1) / 2, groups=batch.groups, also=also)
    found = student_result(2 * np.asarray(rate.estimate), 2 * np.asarray(rate.standard_error), rate.df, warn=False)
    hard = bool(np.isin(x, (-1, 0, 1)).all())
    return at_least_mcnemar(found, x) if hard and batch.groups is None else found


def _position(evidence: Votes) -> list[str]:
    """Whether the model shown first wins more often."""
    order = evidence.order
    assert order is not None
    known = order != 0
    if known.sum() < 2:
        return []
    first_wins = np.where(order[known] > 0, evidence.won[known], 1 - evidence.won[known])
    groups = None if evidence.groups is None else evidence.groups[known]
    if groups is not None and len(np.unique(groups)) < 2:
        return []
    found = win_rate(first_wins, groups=groups)
    if not found.pvalue < 0.05:
        return []
    return [f"position bias: the model shown first wins {100 * found.rate:.0f} % of the votes (p = {found.pvalue:.2g})"]


PROCEDURES = (
    Procedure(
        name="bradley_terry",
        title="win rates from votes (Bradley-Terry with ties)",
        kind=VOTES,
        run=_run,
        reference="Davidson (1970), Journal of the American Statistical Association 65",
        guarantee=approximate(counted="clusters", cited=(0.07, "5 annotators of 20 votes")),
        power=known_power,
    ),
)
