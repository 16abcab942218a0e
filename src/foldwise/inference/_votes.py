"""Votes between models: the rate at which one wins, and the strengths of many (Bradley–Terry with ties by Davidson)."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Flags, Integers, Interval
from foldwise.core.validation import fraction, numbers
from foldwise.inference.joint_differences import one_thread, pair_variances
from foldwise.inference.student import StudentResult, fields_of, student_result

if TYPE_CHECKING:
    from scipy import sparse

# ---- Two models: the rate at which the first wins, a tie being half a win.


@dataclass(frozen=True, slots=True, kw_only=True)
class WinRateResult(StudentResult):
    """Outcome of `win_rate`: `estimate` is the rate minus one half, so that 0 is no preference."""

    rate: float  #: Share of the votes that the first model wins; ties count half
    #: wins, ties, losses: Votes above, at and below one half
    wins: int
    ties: int
    losses: int


def win_rate(
    votes: ArrayLike, *, groups: ArrayLike | None = None, also: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> WinRateResult:  # fmt: skip
    r"""Test whether one of two models is preferred.

    Parameters
    ----------
    votes
        1 where the first model wins, 0 where the second does, 0.5 for a tie; graded preferences lie between.
    groups
        The cluster of each vote (its item, or its annotator).
    also
        A second clustering that crosses the first, where items and annotators both repeat.
    weights
        How much each vote counts, above 0.

    Notes
    -----
    The t test of the mean against one half; in clusters with the cluster-robust variance and degrees of freedom from
    the number of clusters, one less where these are fewer than five: the means of three or four annotators with
    strong tastes lie near 0 and 1, not along a normal law, and agree by chance too often. Two clusterings are joined
    as :math:`V_1+V_2-V_{12}`, never below the larger of the two [1]_, with the smaller degrees of freedom.

    References
    ----------
    .. [1] Cameron, Gelbach & Miller (2011), Robust inference with multiway clustering, Journal of Business & Economic
       Statistics 29.

    Examples
    --------
    >>> found = win_rate([1, 1, 0.5, 0, 1, 1])
    >>> round(found.rate, 3), found.ties
    (0.75, 1)
    """
    given = numbers(votes, "votes")
    if given.ndim != 1 or len(given) == 0:
        raise InvalidInput(f"votes must be one number per vote, got shape {given.shape}")
    outside = given[(given < 0) | (given > 1)]
    if len(outside):
        raise InvalidInput(
            f"votes must lie between 0 (the second wins) and 1 (the first wins), got {outside[0]:g}; preferences from "
            "1 to 2 are read by subtracting 1"
        )
    n = len(given)
    scale = np.ones(n) if weights is None else numbers(weights, "weights")
    if scale.shape != (n,) or (scale <= 0).any():
        raise InvalidInput("weights must be one number above 0 per vote")
    scale = scale * n / scale.sum()
    rate = float((scale * given).mean())
    left = scale * (given - rate)
    if also is not None and groups is None:
        raise InvalidInput("also must come with groups: it is the second clustering")
    if groups is None:
        variance, df = (float(left @ left) / (n * (n - 1)), float(_df_of(n))) if n > 1 else (0.0, 0.0)
    else:
        first = _codes(groups, n, "groups")
        variance, df = _cluster_variance(left, first, scale)
        if also is not None:
            second = _codes(also, n, "also")
            other, other_df = _cluster_variance(left, second, scale)
            both, _ = _cluster_variance(left, first * (int(second.max()) + 1) + second, scale)
            variance, df = max(variance + other - both, variance, other), min(df, other_df)
    found = student_result(np.asarray(rate - 0.5), np.asarray(np.sqrt(variance)), df, warn=False)
    return WinRateResult(
        **fields_of(found), rate=rate, wins=int((given > 0.5).sum()),
        ties=int((given == 0.5).sum()), losses=int((given < 0.5).sum()),
    )  # fmt: skip


def _codes(labels: ArrayLike, n: int, name: str) -> Integers:
    given = np.asarray(labels)
    if given.shape != (n,):
        raise InvalidInput(f"{name} must name one group per vote, shape ({n},), got shape {given.shape}")
    return np.unique(given, return_inverse=True)[1].astype(np.int64)


def _cluster_variance(left: Array, codes: Integers, scale: Array) -> tuple[float, float]:
    """Variance of the mean over clusters, each freed of its own share in the mean, and the effective number − 1."""
    index = np.unique(codes, return_inverse=True)[1]
    share = np.bincount(index, weights=scale) / len(left)
    if len(share) < 2:
        raise InvalidInput("groups must hold at least 2 different groups, got 1")
    sums = np.bincount(index, weights=left)
    return float((sums**2 / (1 - share)).sum()) / len(left) ** 2, float(_df_of(1 / (share**2).sum()))


def _df_of(clusters: float | Array) -> Array:
    """Degrees of freedom of so many clusters of equal size: of fewer than five the t law is too narrow by about one."""
    count: Array = np.asarray(clusters, dtype=np.float64)
    return np.asarray(np.maximum(count - 1 - np.clip(5 - count, 0, 1), 1.0))


# ---- Many models: strengths from wins, losses and ties.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StrengthsResult(Shown):
    """Strengths of k models."""

    names: tuple[str, ...]  #: The models, in the order of everything below
    strengths: Array  #: Log-strengths, of mean 0: a model that is stronger by 1 wins 2.7 times as often as it loses
    covariance: Array = field(repr=False)  #: Of the strengths: the sandwich over clusters of votes
    df: Array  #: Degrees of freedom of each strength: effective number of clusters of its votes, less one
    #: Models all of whose votes are in one cluster, so that nothing tells their strength from its taste
    alone: tuple[str, ...]
    #: tie, first: Log of Davidson's tie parameter, and the advantage of the model shown first, with their standard
    #: errors (0 and NaN where there are no ties, or no order was given)
    tie: tuple[float, float]
    first: tuple[float, float]
    #: k × k: weight of the votes in which the row's model beats the column's; a tie is half for both
    wins: Array = field(repr=False)
    #: votes, clusters: Number of votes, and of independent pieces of them
    votes: int
    clusters: int
    fit: _Fit = field(repr=False)

    def differences(self) -> tuple[Array, Array]:
        """K × k: strength of the row's model minus the column's, and the standard errors of these."""
        return self.strengths[:, None] - self.strengths, np.sqrt(pair_variances(self.covariance))

    def intervals(self, confidence_level: float = 0.95) -> Interval:
        """Of each strength against the mean of all."""
        level = fraction(confidence_level, "confidence_level")
        reach = -special.stdtrit(self.df, (1 - level) / 2) * np.sqrt(np.diagonal(self.covariance))
        return Interval(low=self.strengths - reach, high=self.strengths + reach)


def strengths(
    model_a: ArrayLike, model_b: ArrayLike, votes: ArrayLike, *, groups: ArrayLike | None = None,
    also: ArrayLike | None = None, order: ArrayLike | None = None, weights: ArrayLike | None = None,
    penalty: float = 0.0,
) -> StrengthsResult:  # fmt: skip
    r"""Estimate the strengths of models from votes between pairs of them.

    Parameters
    ----------
    model_a, model_b
        Names of the two models of each vote.
    votes
        1 where `model_a` wins, 0 where `model_b` does, 0.5 for a tie; a graded preference p counts as p of a win and
        1 − p of a loss.
    groups
        The cluster of each vote (its item, or its annotator).
    also
        A second clustering that crosses the first, where items and annotators both repeat.
    order
        1 where `model_a` was shown first, −1 where `model_b` was, 0 where that is not known.
    weights
        How much each vote counts, above 0.
    penalty
        Subtract this times the sum of squared strengths from the log-likelihood. 0 asks for the plain estimate, which
        does not exist where votes do not connect the models, or where one never loses.

    Notes
    -----
    i beats j with probability :math:`\pi_i/(\pi_i+\pi_j+\nu\sqrt{\pi_i\pi_j})` and ties with probability
    :math:`\nu\sqrt{\pi_i\pi_j}/(\dots)` [1]_; being shown first multiplies a strength [2]_. In logarithms it is a
    multinomial logit, whose likelihood is concave: Newton's method finds its top. Variances are sandwiches over the
    clusters, so that they hold for correlated votes and for graded preferences. The score of a cluster is divided by
    :math:`\sqrt{1-h}`, h its share of the information on a strength, and :math:`1/\sum h^2-1` are the degrees of
    freedom (one less of fewer than five), as in `win_rate`: with one annotator who gave half of the votes there is
    little more than that annotator. Two clusterings are joined as :math:`V_{12}+(V_1-V_{12})_++(V_2-V_{12})_+`
    (positive parts of matrices). With a penalty the inverse information is joined likewise, so that the interval of a
    model that never loses is not too narrow.

    References
    ----------
    .. [1] Davidson (1970), On extending the Bradley–Terry model to accommodate ties in paired comparison experiments,
       Journal of the American Statistical Association 65.
    .. [2] Davidson & Beaver (1977), On extending the Bradley–Terry model to incorporate within-pair order effects,
       Biometrics 33.

    Examples
    --------
    >>> found = strengths(["x"] * 4 + ["y"] * 4, ["y"] * 4 + ["z"] * 4, [1, 1, 1, 0, 1, 0.5, 0.5, 0])
    >>> found.names, found.strengths.round(2).tolist()
    (('x', 'y', 'z'), [1.02, -0.51, -0.51])
    """
    first, second = np.asarray(model_a).astype(str), np.asarray(model_b).astype(str)
    n = np.size(votes)
    for name, column in (("model_a", first), ("model_b", second)):
        if column.shape != (n,):
            raise InvalidInput(f"{name} must name one model per vote ({n}), got shape {column.shape}")
    names, codes = np.unique(np.concatenate([first, second]), return_inverse=True)
    return strengths_of(
        tuple(map(str, names)), codes[:n].astype(np.int64), codes[n:].astype(np.int64), votes, groups=groups,
        also=also, order=order, weights=weights, penalty=penalty,
    )  # fmt: skip


def strengths_of(
    names: tuple[str, ...], a: Integers, b: Integers, votes: ArrayLike, *, groups: ArrayLike | None = None,
    also: ArrayLike | None = None, order: ArrayLike | None = None, weights: ArrayLike | None = None,
    penalty: float = 0.0,
) -> StrengthsResult:  # fmt: skip
    """`strengths` of models that are given by their places in `names`; the result is in this order."""
    ballots = _ballots(names, a, b, votes, groups, order, weights)
    if penalty < 0:
        raise InvalidInput(f"penalty must be 0 or more, got {penalty!r}")
    if not ballots.counts[:, :2].any():
        raise InvalidInput("votes must have a winner here and there, but all are ties: nothing tells the models apart")
    if penalty == 0:
        _refuse_unconnected(ballots.names, ballots.wins())
    known = ballots.counts[:, :2][ballots.order != 0]
    ahead = np.where(ballots.order[ballots.order != 0] > 0, known[:, 0], known[:, 1]).sum()
    if len(known) == len(ballots.a) and ahead in (0, known.sum()):
        where = "first" if ahead else "second"
        raise InvalidInput(
            f"the model shown {where} wins every vote, so that nothing tells strength from place: leave the order out "
            "(--column order=none), or take votes with answers in both orders"
        )
    fitted = _Fit(ballots, penalty)
    k = len(ballots.names)
    with one_thread(k):
        fitted.climb()
        bread: Array = np.linalg.inv(fitted.hessian).astype(np.float64)
    clusters = ballots.cluster
    found = _sandwich(fitted, bread, clusters)
    if also is not None:
        if groups is None:
            raise InvalidInput("also must come with groups: it is the second clustering")
        second = _codes(also, len(ballots.a), "also")
        other = _sandwich(fitted, bread, second)
        both = _sandwich(fitted, bread, _codes(clusters * (int(second.max()) + 1) + second, len(ballots.a), "also"))
        found = _Sandwich(
            both.covariance + _positive(found.covariance - both.covariance)
            + _positive(other.covariance - both.covariance),
            np.minimum(found.df, other.df), found.alone | other.alone, found.clusters,
        )  # fmt: skip
    if penalty > 0:  # scores say nothing of what the penalty alone holds, such as a model that never loses
        found = replace(found, covariance=bread + _positive(found.covariance - bread))
    # nothing is known of the strength of such a model: a standard deviation of 5 is odds of 150 to 1
    full = found.covariance + np.diag(25.0 * found.alone)
    # strengths are told as differences from their mean
    k = len(ballots.names)
    centre = np.eye(k) - 1 / k
    errors = np.sqrt(np.diagonal(full))
    tie = (float(fitted.theta[k]), float(errors[k])) if fitted.has_ties else (0.0, float("nan"))
    place = k + fitted.has_ties
    first = (float(fitted.theta[place]), float(errors[place])) if fitted.has_order else (0.0, float("nan"))
    return StrengthsResult(
        names=ballots.names, strengths=fitted.theta[:k] - fitted.theta[:k].mean(),
        covariance=centre @ full[:k, :k] @ centre, df=found.df[:k],
        alone=tuple(np.array(ballots.names)[found.alone[:k]].tolist()), tie=tie, first=first, wins=ballots.wins(),
        votes=len(ballots.a), clusters=found.clusters, fit=fitted,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Sandwich:
    """Covariance of all parameters over clusters of votes."""

    covariance: Array
    df: Array  # of each parameter
    alone: Flags  # parameters about which one cluster has all information
    clusters: int


def _sandwich(fitted: _Fit, bread: Array, clusters: Integers) -> _Sandwich:
    """The inverse Hessian on both sides of how the scores of whole clusters vary."""
    scores, information = fitted.by_cluster(clusters)
    if scores.shape[0] < 2:
        raise InvalidInput("groups must hold at least 2 different groups, got 1")
    share = information.multiply(1 / np.asarray(information.sum(axis=0))).tocsr()
    squares = np.asarray(share.multiply(share).sum(axis=0)).ravel()
    left = 1 - share.data  # both have an entry for each cluster and parameter that meet, in one order
    scores.data = np.where(left > 1e-9, scores.data / np.sqrt(np.maximum(left, 1e-9)), 0.0)
    meat = np.asarray((scores.T @ scores).todense())
    return _Sandwich(bread @ meat @ bread, _df_of(1 / squares), squares > 1 - 1e-9, scores.shape[0])


def _positive(symmetric: Array) -> Array:
    """The part of a symmetric matrix that belongs to its positive eigenvalues."""
    values, vectors = np.linalg.eigh((symmetric + symmetric.T) / 2)
    return np.asarray((vectors * np.maximum(values, 0.0)) @ vectors.T)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Ballots:
    """Checked votes: indices of the models, the weight of a win of a, of b and of a tie, order, cluster."""

    names: tuple[str, ...]
    a: Integers
    b: Integers
    counts: Array  # votes × (a wins, b wins, tie)
    order: Array
    cluster: Integers

    def wins(self) -> Array:
        """K × k weights, a tie being half a win of both."""
        k = len(self.names)
        out = np.zeros(k * k)
        half = self.counts[:, 2] / 2
        out += np.bincount(self.a * k + self.b, weights=self.counts[:, 0] + half, minlength=k * k)
        out += np.bincount(self.b * k + self.a, weights=self.counts[:, 1] + half, minlength=k * k)
        return out.reshape(k, k)


def _ballots(
    names: tuple[str, ...], a: Integers, b: Integers, votes: ArrayLike, groups: ArrayLike | None,
    order: ArrayLike | None, weights: ArrayLike | None,
) -> _Ballots:  # fmt: skip
    given = numbers(votes, "votes")
    n = len(given)
    outside = given[(given < 0) | (given > 1)]
    if len(outside):
        raise InvalidInput(f"votes must lie between 0 (model_b wins) and 1 (model_a wins), got {outside[0]:g}")
    if (a == b).any():
        place = int(np.flatnonzero(a == b)[0])
        raise InvalidInput(f"model_a and model_b must differ, but vote {place} is {names[a[place]]!r} against itself")
    scale = np.ones(n) if weights is None else numbers(weights, "weights")
    if scale.shape != (n,) or (scale <= 0).any():
        raise InvalidInput("weights must be one number above 0 per vote")
    tied = given == 0.5
    counts = np.stack([np.where(tied, 0, given), np.where(tied, 0, 1 - given), tied], axis=1) * scale[:, None]
    shown = np.zeros(n) if order is None else numbers(order, "order")
    if shown.shape != (n,) or not np.isin(shown, (-1, 0, 1)).all():
        raise InvalidInput("order must be 1 (model_a first), -1 (model_b first) or 0 (not known) per vote")
    cluster = np.arange(n) if groups is None else _codes(groups, n, "groups")
    return _Ballots(names=names, a=a, b=b, counts=counts, order=shown, cluster=cluster)


PENALTY = "give a penalty, such as 0.1 (--penalty 0.1, options=fw.Options(penalty=0.1))"


def _refuse_unconnected(names: tuple[str, ...], wins: Array) -> None:
    """Ford's condition: from every model a chain of losses and ties leads to every other."""
    from scipy.sparse import csgraph  # loads linear algebra of a fifth of a second, for few

    parts, part = csgraph.connected_components(wins > 0, directed=False)
    if parts > 1:
        alone = [", ".join(np.array(names)[part == i][:3]) for i in range(min(parts, 3))]
        raise InvalidInput(
            f"votes must connect all models, but none connects {' and '.join(alone)}; compare each group by itself, "
            f"or {PENALTY}"
        )
    parts, part = csgraph.connected_components(wins > 0, directed=True, connection="strong")
    if parts == 1:
        return
    # among strong components one is never beaten from outside
    outside = [(wins[np.ix_(part != i, part == i)] > 0).any() for i in range(parts)]
    members = np.array(names)[part == int(np.argmin(outside))]
    who, verb, them = (
        (f"{str(members[0])!r}", "loses", "it") if len(members) == 1
        else (", ".join(members[:3]), "lose to the others", "one of the two groups")
    )  # fmt: skip
    raise InvalidInput(f"{who} never {verb}, so that strengths have no finite estimate; leave {them} out, or {PENALTY}")


class _Fit:
    """Newton's method on the votes, summed over equal pairs and orders."""

    def __init__(self, ballots: _Ballots, penalty: float) -> None:
        self.ballots, self.penalty = ballots, penalty
        self.k = len(ballots.names)
        k = self.k
        cell = (ballots.a * k + ballots.b) * 3 + (ballots.order + 1).astype(np.int64)
        kept, self.cell = np.unique(cell, return_inverse=True)
        self.a, self.b, self.shown = kept // 3 // k, kept // 3 % k, kept % 3 - 1.0
        self._begin(self._sums(slice(None)))

    def _sums(self, rows: Integers | slice) -> Array:
        """Weights of a's wins, b's wins and ties in each cell."""
        cell, given = self.cell[rows], self.ballots.counts[rows]
        return np.stack([np.bincount(cell, given[:, i], len(self.a)) for i in range(3)], axis=1)

    def _begin(self, counts: Array) -> None:
        """At equal strengths."""
        self.counts = counts
        self.has_ties = bool((self.counts[:, 2] > 0).any())
        self.has_order = bool((self.shown * self.counts.sum(axis=1)).any())
        self.theta = np.zeros(self.k + self.has_ties + self.has_order)
        self.hessian = np.zeros((len(self.theta),) * 2)

    def without(self, gone: Flags) -> _Fit | None:
        """The fit without these clusters of votes; None where it has no finite top."""
        found = copy(self)
        left = self.counts - self._sums(np.flatnonzero(gone[self.ballots.cluster]))
        found._begin(np.where(left > 1e-9, left, 0.0))
        if len(found.theta) == len(self.theta):
            found.theta = self.theta.copy()  # not far from the new top
        wins = np.zeros((self.k, self.k))
        half = found.counts[:, 2] / 2
        np.add.at(wins, (self.a, self.b), found.counts[:, 0] + half)
        np.add.at(wins, (self.b, self.a), found.counts[:, 1] + half)
        try:
            if self.penalty == 0:
                _refuse_unconnected(self.ballots.names, wins)
            found.climb()
        except (InvalidInput, np.linalg.LinAlgError):
            return None
        return found

    @property
    def counts_decide(self) -> bool:
        """Whether the stronger is who wins more votes than it loses: of two models, where order has no effect."""
        return self.k == 2 and not self.has_order

    def lead_by_cluster(self, top: int, second: int) -> Array:
        """By how much each cluster holds up the lead of one model over another, to first order."""
        if self.counts_decide:
            held = (self.ballots.counts[:, 0] - self.ballots.counts[:, 1]) * np.where(self.ballots.a == top, 1.0, -1.0)
            return np.bincount(self.ballots.cluster, held).astype(np.float64)
        contrast = np.zeros(len(self.theta))
        contrast[top], contrast[second] = 1.0, -1.0
        return np.asarray(self.scores_by_cluster() @ np.linalg.solve(self.hessian, contrast))

    def _chances(self, theta: Array) -> Array:
        """Probabilities of a's win, b's win and a tie in each cell."""
        strength = theta[: self.k]
        advantage = theta[-1] * self.shown if self.has_order else 0.0
        lead = strength[self.a] - strength[self.b] + advantage
        tie = np.full(len(lead), theta[self.k] if self.has_ties else -np.inf)
        logs = np.stack([lead / 2, -lead / 2, tie], axis=1)
        return np.asarray(special.softmax(logs, axis=1))

    def _value(self, theta: Array) -> float:
        logs = np.log(np.maximum(self._chances(theta), 1e-300))
        return float((self.counts * logs).sum() - self.penalty * (theta[: self.k] ** 2).sum())

    def climb(self) -> None:
        """Newton's steps, halved where they overshoot."""
        k, size = self.k, len(self.theta)
        total = self.counts.sum(axis=1)
        # the log-likelihood of Davidson's model is concave: Newton's steps lead to its top from anywhere
        # the level of the strengths is free: their mean is held at 0
        level = np.zeros((size, size))
        level[:k, :k] = total.sum() / k**2
        for _ in range(100):
            chance = self._chances(self.theta)
            lead = (self.counts[:, 0] - self.counts[:, 1] - total * (chance[:, 0] - chance[:, 1])) / 2
            gradient = np.zeros(size)
            gradient[:k] = np.bincount(self.a, lead, k) - np.bincount(self.b, lead, k)
            gradient[:k] -= 2 * self.penalty * self.theta[:k]
            # variance of (win − loss)/2 and of the tie, and their covariance, in each cell
            spread = total * (chance[:, 0] + chance[:, 1] - (chance[:, 0] - chance[:, 1]) ** 2) / 4
            tied = total * chance[:, 2] * (1 - chance[:, 2])
            mixed = -total * chance[:, 2] * (chance[:, 0] - chance[:, 1]) / 2
            hessian = np.zeros((size, size))
            np.add.at(hessian, (self.a, self.a), spread)
            np.add.at(hessian, (self.b, self.b), spread)
            np.add.at(hessian, (self.a, self.b), -spread)
            np.add.at(hessian, (self.b, self.a), -spread)
            hessian[np.arange(k), np.arange(k)] += 2 * self.penalty
            if self.has_ties:
                gradient[k] = (self.counts[:, 2] - total * chance[:, 2]).sum()
                hessian[k, k] = tied.sum()
                hessian[k, :k] = hessian[:k, k] = np.bincount(self.a, mixed, k) - np.bincount(self.b, mixed, k)
            if self.has_order:
                gradient[-1] = (lead * self.shown).sum()
                along = spread * self.shown
                hessian[-1, -1] = (along * self.shown).sum()
                hessian[-1, :k] = hessian[:k, -1] = np.bincount(self.a, along, k) - np.bincount(self.b, along, k)
                if self.has_ties:
                    hessian[-1, k] = hessian[k, -1] = (mixed * self.shown).sum()
            self.hessian = hessian + level
            try:
                step = np.linalg.solve(self.hessian, gradient)
            except np.linalg.LinAlgError:
                break
            here = self._value(self.theta)
            while self._value(self.theta + step) < here - 1e-9 * abs(here) and np.abs(step).max() > 1e-12:
                step /= 2
            self.theta = self.theta + step
            if np.abs(step).max() < 1e-10:
                return
        raise InvalidInput("votes must determine the strengths, but their likelihood has no top; " + PENALTY)

    def by_cluster(self, clusters: Integers) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
        """Derivatives of the log-likelihood, and information, summed over clusters of votes: clusters × parameters."""
        from scipy import sparse

        given, chance = self.ballots, self._chances(self.theta)[self.cell]
        total = given.counts.sum(axis=1)
        ahead = chance[:, 0] - chance[:, 1]
        lead = (given.counts[:, 0] - given.counts[:, 1] - total * ahead) / 2
        spread = total * (chance[:, 0] + chance[:, 1] - ahead**2) / 4
        columns, scores, information = [given.a, given.b], [lead, -lead], [spread, spread]
        n = len(lead)
        if self.has_ties:
            columns.append(np.full(n, self.k))
            scores.append(given.counts[:, 2] - total * chance[:, 2])
            information.append(total * chance[:, 2] * (1 - chance[:, 2]))
        if self.has_order:
            columns.append(np.full(n, len(self.theta) - 1))
            scores.append(lead * given.order)
            information.append(spread * given.order**2)
        places = (np.tile(clusters, len(columns)), np.concatenate(columns))
        shape = (int(clusters.max()) + 1, len(self.theta))
        summed = (
            sparse.csr_matrix(sparse.coo_matrix((np.concatenate(values), places), shape=shape))
            for values in (scores, information)
        )
        return next(summed), next(summed)

    def scores_by_cluster(self) -> sparse.csr_matrix:
        """The derivatives alone, over the clusters of the votes."""
        return self.by_cluster(self.ballots.cluster)[0]


# ---- The few votes that decide.


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisiveVotes(Shown):
    """How few clusters of votes, left out, change who is first."""

    #: top, second: The strongest model, and the one that passes it (the second strongest where none does)
    top: str
    second: str
    #: Indices of the clusters (votes, where there are no clusters) without which a new fit puts `second` above `top`;
    #: empty where none up to the limit were found
    left_out: tuple[int, ...]
    share: float  #: Their share of all
    fewest: bool  #: Whether no fewer do; elsewhere their number is an upper bound of the fewest


def decisive_votes(result: StrengthsResult, *, limit: float = 0.1) -> DecisiveVotes:
    r"""Find a small set of clusters of votes that decides who is first.

    Parameters
    ----------
    result
        What `strengths` found.
    limit
        Look at no more than this share of the clusters.

    Notes
    -----
    Leaving out cluster c changes the lead of the first over another model by about :math:`-g'H^{-1}s_c` (s the
    cluster's score, H the information); the clusters that hold the lead up most are left out first [1]_. The strengths
    are then fitted anew without them, more are left out where the lead is still there, and by bisection fewer while it
    is not. What is returned changes the first place in a new fit, for the closest of the three strongest rivals; a
    smaller set that does so may exist, except of two models without an effect of order, where wins and losses are
    counted. That none was found is no proof that there is none.

    References
    ----------
    .. [1] Huang, Broderick et al. (2025), Dropping just a handful of preferences can change top large language model
       rankings, arXiv 2508.11847.

    Examples
    --------
    >>> found = strengths(["x"] * 9, ["y"] * 9, [1, 1, 1, 1, 1, 0, 0, 0, 0])
    >>> decisive_votes(found, limit=0.5).left_out, decisive_votes(found, limit=0.5).fewest
    ((0, 1), True)
    """
    fraction(limit, "limit")
    fit, names = result.fit, result.names
    order = np.argsort(-result.strengths, kind="stable")
    top = int(order[0])
    most = max(int(limit * result.clusters), 1)
    left_out: list[int] = []
    second = int(order[1])
    with one_thread(len(names)):
        for rival in order[1 : 1 + RIVALS].tolist():
            found = _passing(fit, top, rival, most) if most else []
            if found:
                left_out, second, most = found, rival, len(found) - 1
    return DecisiveVotes(
        top=names[top], second=names[second], left_out=tuple(left_out), share=len(left_out) / result.clusters,
        fewest=len(left_out) == 1 or (fit.counts_decide and bool(left_out)),
    )  # fmt: skip


RIVALS = 3  # Models next to the first that are tried as the ones that pass it.


def _passing(fit: _Fit, top: int, rival: int, most: int) -> list[int]:
    """Clusters without which the rival is stronger than the first, at most so many; none where none are found."""
    # first more and more clusters are left out until a new fit turns the lead, then by bisection as few as still do
    count = int(fit.ballots.cluster.max()) + 1

    def leads(dropped: list[int]) -> _Fit | None:
        gone = np.zeros(count, dtype=np.bool_)
        gone[dropped] = True
        return fit.without(gone)

    chosen: list[int] = []
    here: _Fit | None = fit
    while here is not None and not _ahead(here, rival, top):
        if len(chosen) >= most:
            return []
        held = here.lead_by_cluster(top, rival)
        lead = float(here.theta[top] - here.theta[rival]) if not here.counts_decide else held.sum() - held[chosen].sum()
        held[chosen] = -np.inf
        best = np.argsort(-held, kind="stable")[: most - len(chosen)]
        best = best[held[best] > 0]
        if not len(best):
            return []
        # Newton's step tells too little of large changes: at least a tenth more is left out each time
        reach = int(np.searchsorted(np.cumsum(held[best]), lead, side="right")) + 1
        chosen += best[: max(reach, len(chosen) // 10)].tolist()
        here = leads(chosen)
    if here is None:
        return []
    low, high = 0, len(chosen)  # with `high` of them left out the rival is ahead, with `low` it is not
    while high - low > 1:
        middle = (low + high) // 2
        tried = leads(chosen[:middle])
        low, high = (low, middle) if tried is not None and _ahead(tried, rival, top) else (middle, high)
    return chosen[:high]


def _ahead(fit: _Fit, first: int, second: int) -> bool:
    """Whether one strength is above another by more than rounding."""
    return bool(fit.theta[first] - fit.theta[second] > 1e-9)
