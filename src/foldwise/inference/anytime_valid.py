"""Inference that is valid at every look: McNemar's test, confidence sequences and betting evidence."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Integers, Interval, Numbers
from foldwise.core.validation import counts, fraction, numbers
from foldwise.inference.roots import find_root

# ---- Intervals for a mean that hold at every number of observations at once, by betting against candidate means.

STAKE = 0.5  # Share of the capital that a bet may lose at most.

GROWTH = 1.15  # Looks at which limits are computed are that much further apart, each time.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BettingEvidence(Shown):
    """Evidence against a mean, after each observation."""

    #: The capital of who bets against the mean, having started with 1: the larger of one half put on a larger mean and
    #: one half put on a smaller one. Its expectation never exceeds 1 if the mean is right.
    evalue: Array
    #: Anytime-valid: 1/max of the evidence so far, at most 1. The probability that it ever falls to α is at most α if
    #: the mean is right.
    pvalue: Array
    #: Whether the evidence, where it is largest so far, speaks for a larger mean
    larger: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ConfidenceSequence(Shown):
    """Intervals at growing numbers of observations."""

    looks: Integers  #: The numbers of observations; the last one is all of them
    estimate: Array  #: Mean of the observations up to each look
    #: low, high: Limits up to each look, those of all observations before it included: they never widen. With
    #: probability 1 − α the mean is inside at every look, and at every observation between them. Where low is above
    #: high, no single mean fits what came first and what came later.
    low: Array
    high: Array
    alpha: float  #: One minus the level

    @property
    def interval(self) -> Interval | None:
        """The limits at the last look; None where no mean fits."""
        low, high = float(self.low[-1]), float(self.high[-1])
        return Interval(low=low, high=high) if low <= high else None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Bets:
    """Observations in [0, 1], their weights, and the largest bet on each that what came before suggests.

    `heaviest` is what each weight is expected not to exceed, known before it.
    """

    x: Array
    weights: Array
    heaviest: Array
    size: Array

    def capital(self, mean: float | Array, upto: int | None = None) -> Array:
        """Logarithm of the capital after each observation, all of it put on means above `mean`."""
        x, size = self.x[..., :upto], self.size[..., :upto]
        with np.errstate(divide="ignore"):  # a stake of 0, or all of it lost
            bet = np.minimum(size, STAKE / np.asarray(mean) / self.heaviest[:upto])
            # rounding may take more than all of it where a cluster is twice as heavy as expected
            return np.cumsum(np.log1p(np.maximum(bet * self.weights[:upto] * (x - mean), -1.0)), axis=-1)

    @property
    def mirrored(self) -> _Bets:
        """The same on 1 − x: who bets on larger means there bets on smaller ones here."""
        return _Bets(x=1 - self.x, weights=self.weights, heaviest=self.heaviest, size=self.size)


def confidence_sequence(
    x: ArrayLike, *, bounds: tuple[float, float] = (-1.0, 1.0), alpha: float = 0.05, looks: ArrayLike | None = None,
    weights: ArrayLike | None = None, heaviest: float | None = None,
) -> ConfidenceSequence:  # fmt: skip
    r"""Intervals for the mean of bounded observations that allow looking after each, and stopping at any time.

    Parameters
    ----------
    x
        Observations in the order in which they came, shape (n,): differences of marks, for instance. Each must have
        the same mean given those before it, as items in random order do.
    bounds
        What no observation can be below or above, known beforehand: −1 and 1 for differences of marks from 0 to 1.
    alpha
        The probability that the mean is ever outside, at most.
    looks
        Numbers of observations at which limits are wanted; by default some 80 of them, ever further apart, and all.
    weights
        What each observation counts, above 0: the number of items whose mean it is. The limits are then those of the
        weighted mean, E(wx)/E(w). By default all count the same.
    heaviest
        What no weight can be above, known beforehand. Without it no weight may be more than twice as large as every one
        before it: no bet is made on those that are, nor on the first.

    Returns
    -------
    ConfidenceSequence
        Limits, which begin at the bounds.

    Notes
    -----
    Scaled to [0, 1], the capital :math:`K_t^+(m)=\prod_{i\le t}(1+\lambda_i(X_i-m))` of a gambler who bets that the
    mean is above m can't be expected to grow if it is m, so that by Ville's inequality it ever reaches 2/α with
    probability at most α/2; :math:`K^-` bets against it likewise. The interval holds the m that neither has ruled out
    so far. The bets are the predictable plug-in of [1]_,
    :math:`\lambda_t=\sqrt{2\log(2/\alpha)/(\hat\sigma^2_{t-1}\,t\log(1+t))}`, with
    :math:`\hat\mu_t=(\tfrac12+\sum_{i\le t}X_i)/(t+1)` and
    :math:`\hat\sigma^2_t=(\tfrac14+\sum_{i\le t}(X_i-\hat\mu_i)^2)/(t+1)`, at most ½/m (for :math:`K^-`, ½/(1 − m)):
    "hedged capital". :math:`K_t^+` falls in m and the largest :math:`K_s^+`, s ≤ t, does too, so that each limit is one
    root.

    With weights the gambler is paid :math:`1+\lambda_i w_i(X_i-m)`, which is fair at the weighted mean
    :math:`m=E(wX)/E(w)` even if weights and observations depend on each other, as long as :math:`\lambda_i` does not
    know :math:`w_i`. So :math:`\lambda_i` is at most ½/(m·M) where M is the heaviest weight, and the variance above is
    that of :math:`w_i(X_i-\hat\mu)`, with M² in the place of 1. Without a limit known beforehand M is the heaviest so
    far; the capital stays positive up to twice that. Without any limit there is no answer: one cluster that outweighs
    all seen could turn any mean.

    References
    ----------
    .. [1] Waudby-Smith & Ramdas (2024), Estimating means of bounded random variables by betting, Journal of the Royal
       Statistical Society B 86, 1-27, section 4.

    Examples
    --------
    >>> found = confidence_sequence([1, 0, 0, 1, 1, 0, 1, 1] * 50)
    >>> int(found.looks[-1]), [round(float(limit), 3) for limit in (found.low[-1], found.high[-1])]
    (400, [0.55, 0.705])
    """
    bets = _bets(x, bounds, fraction(alpha, "alpha"), weights, heaviest)
    if bets.x.ndim != 1:
        raise InvalidInput(f"x must have shape (n,), got {bets.x.shape}")
    chosen = _looks(len(bets.x), looks)
    low = _lower_limits(bets, chosen, alpha)
    high = 1 - _lower_limits(bets.mirrored, chosen, alpha)
    start, width = float(bounds[0]), float(bounds[1]) - float(bounds[0])
    means = (np.cumsum(bets.weights * bets.x) / np.cumsum(bets.weights))[chosen - 1]
    return ConfidenceSequence(
        looks=chosen, estimate=start + width * means, low=start + width * low, high=start + width * high, alpha=alpha
    )


def betting_evidence(
    x: ArrayLike, *, value: float = 0.0, bounds: tuple[float, float] = (-1.0, 1.0), alpha: float = 0.05,
    weights: ArrayLike | None = None, heaviest: float | None = None,
) -> BettingEvidence:  # fmt: skip
    """Evidence against a mean of `value`, after each observation: what `confidence_sequence` rests on.

    Parameters
    ----------
    x
        Observations in the order in which they came along the last axis; leading axes are separate sequences.
    value
        The mean in question, strictly within the bounds.
    bounds, weights, heaviest
        As in `confidence_sequence`.
    alpha
        The level that the bets are made for; the evidence is valid at any other, too.

    Returns
    -------
    BettingEvidence
        p falls to α exactly when the confidence sequence of level 1 − α leaves `value` outside.

    Examples
    --------
    >>> found = betting_evidence([1, 0, 0, 1, 1, 0, 1, 1] * 50)
    >>> float(found.pvalue[5].round(3)), bool(found.pvalue[-1] < 0.001)
    (0.593, True)
    """
    bets = _bets(x, bounds, fraction(alpha, "alpha"), weights, heaviest)
    start, end = map(float, bounds)
    if not start < value < end:
        raise InvalidInput(f"value must lie between the bounds {start:g} and {end:g}, got {value!r}")
    mean = (value - start) / (end - start)
    # half of the money is bet on each side: the evidence is the larger capital, halved
    up, down = bets.capital(mean), bets.mirrored.capital(1 - mean)
    best_up, best_down = (np.maximum.accumulate(side, axis=-1) for side in (up, down))
    best = np.maximum(best_up, best_down) - math.log(2)
    with np.errstate(over="ignore", under="ignore"):  # more evidence than a double holds is inf, and p = 0
        evalue, pvalue = np.exp(np.maximum(up, down) - math.log(2)), np.minimum(1.0, np.exp(-best))
    return BettingEvidence(evalue=evalue, pvalue=pvalue, larger=best_up > best_down)


def _bets(
    x: ArrayLike, bounds: tuple[float, float], alpha: float, weights: ArrayLike | None, heaviest: float | None
) -> _Bets:
    values = numbers(x, "x", min_ndim=1)
    start, end = map(float, bounds)
    if not (math.isfinite(start) and math.isfinite(end) and start < end):
        raise InvalidInput(f"bounds must be two numbers, the smaller first, got {bounds!r}")
    if values.shape[-1] == 0:
        raise InvalidInput("x must hold at least one observation, got none")
    if values.min() < start or values.max() > end:
        worst = values.min() if values.min() < start else values.max()
        raise InvalidInput(f"x must lie within the bounds {start:g} and {end:g}, got {worst:g}")
    scaled = (values - start) / (end - start)
    t = np.arange(1, values.shape[-1] + 1)
    w, most = _weights(weights, heaviest, values.shape[-1])
    # each bet may look at what came before only: mean and variance are those so far, as if one observation of ½ with
    # variance ¼ had come first (Waudby-Smith & Ramdas 2024, predictable plug-in)
    mean = (0.5 * most + np.cumsum(w * scaled, axis=-1)) / (most + np.cumsum(w))
    squares = np.cumsum((w * (scaled - mean)) ** 2, axis=-1)
    before = np.concatenate([np.zeros((*squares.shape[:-1], 1)), squares[..., :-1]], axis=-1)
    variance = (0.25 * most**2 + before) / t
    size = np.sqrt(2 * math.log(2 / alpha) / (variance * t * np.log1p(t)))
    if heaviest is None and weights is not None:
        size = np.where((t == 1) | (w > most / STAKE), 0.0, size)  # nothing known beforehand allows a bet
    return _Bets(x=scaled, weights=w, heaviest=most, size=size)


def _weights(weights: ArrayLike | None, heaviest: float | None, n: int) -> tuple[Array, Array]:
    """The weights, and the heaviest that is expected at each, known before it."""
    if weights is None:
        return np.ones(n), np.ones(n)
    w = numbers(weights, "weights", min_ndim=1)
    if w.shape != (n,) or w.min() <= 0:
        raise InvalidInput(f"weights must be numbers above 0, one for each observation, shape ({n},), got {weights!r}")
    if heaviest is None:
        return w, np.maximum.accumulate(np.append(w[0], w[:-1]))
    if w.max() > heaviest:
        raise InvalidInput(f"heaviest must be at least every weight, got {heaviest:g} and a weight of {w.max():g}")
    return w, np.full(n, float(heaviest))


def _looks(n: int, asked: ArrayLike | None) -> Integers:
    if asked is None:
        steps = math.ceil(math.log(n) / math.log(GROWTH)) if n > 1 else 0
        chosen = np.unique(np.append(np.rint(GROWTH ** np.arange(steps)), n)).astype(np.int64)
        return np.asarray(chosen[chosen <= n])
    chosen = np.atleast_1d(np.asarray(asked))
    if chosen.dtype.kind not in "iu" or (np.diff(chosen) <= 0).any() or chosen[0] < 1 or chosen[-1] > n:
        raise InvalidInput(f"looks must be growing whole numbers from 1 to {n}, got {asked!r}")
    return chosen.astype(np.int64)


def _lower_limits(bets: _Bets, looks: Integers, alpha: float) -> Array:
    """At each look the smallest mean that betting on larger ones has not ruled out so far."""
    found, low = [], 0.0
    for upto in looks.tolist():
        beyond = _ruled_out(bets, upto, math.log(2 / alpha))
        if beyond(low) > 0:
            low = find_root(beyond, low, 1.0, within=1e-10)
        found.append(low)
    return np.array(found)


def _ruled_out(bets: _Bets, upto: int, threshold: float) -> Callable[[float], float]:
    """By how much the largest capital so far is beyond the threshold: positive where a mean is ruled out."""
    return lambda mean: float(bets.capital(mean, upto).max()) - threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class AnytimeMcNemarResult(Shown):
    """Evidence at every look."""

    evalue: Numbers  #: Evidence against equal error rates at each look: its mean is 1 when they are equal, 20 is strong
    #: Anytime-valid p-value at each look, 1/max of the evidence so far and at most 1. It never rises, and the
    #: probability that it ever falls to α is at most α when the error rates are equal.
    pvalue: Numbers


def anytime_mcnemar(n01: ArrayLike, n10: ArrayLike) -> AnytimeMcNemarResult:
    r"""Test two classifiers on a growing test set, with a p-value that allows looking after every example.

    Parameters
    ----------
    n01, n10
        Number of examples so far that only A, or only B, got wrong; the last axis runs over the looks, in time,
        the leading ones are a batch. A single number is a single look.

    Returns
    -------
    AnytimeMcNemarResult
        Arrays over the looks. Without disagreements the evidence is 1 and p = 1.

    Notes
    -----
    With m = b + c disagreements, :math:`E=2^mB(b+\tfrac12,c+\tfrac12)/B(\tfrac12,\tfrac12)` is the likelihood
    ratio of a Beta(½, ½) mixture against a fair coin: a martingale with mean 1 under the null hypothesis, so that
    :math:`1/\max E` is a valid p-value at any stopping time (Ville's inequality). The price for that freedom is a
    larger p-value than McNemar's at a size fixed beforehand.

    References
    ----------
    .. [1] Ramdas, Grünwald, Vovk & Shafer (2023), Game-theoretic statistics and safe anytime-valid inference,
       Statistical Science 38, 576-601.

    Examples
    --------
    >>> result = anytime_mcnemar([0, 2, 4, 10], [0, 1, 1, 1])
    >>> result.evalue.round(3).tolist(), result.pvalue.round(3).tolist()
    ([1.0, 0.5, 0.875, 16.402], [1.0, 1.0, 1.0, 0.061])
    """
    checked = {"n01": counts(n01, "n01"), "n10": counts(n10, "n10")}
    for name, array in checked.items():
        if array.ndim and (np.diff(array, axis=-1) < 0).any():
            raise InvalidInput(f"{name} must not fall from one look to the next, got {array.tolist()}")
    shapes = [array.shape for array in checked.values()]
    if shapes[0] != shapes[1]:
        raise InvalidInput(f"n01 and n10 must have the same shape, got {shapes[0]} and {shapes[1]}")
    only_a, only_b = checked["n01"], checked["n10"]
    log_evalue = (only_a + only_b) * np.log(2) + special.betaln(only_a + 0.5, only_b + 0.5) - np.log(np.pi)
    # betaln(½, ½) = log π up to rounding: nothing seen is no evidence
    log_evalue = np.where(only_a + only_b == 0, 0.0, log_evalue)
    best = np.maximum.accumulate(log_evalue, axis=-1) if log_evalue.ndim else log_evalue
    # more evidence than a double holds is inf, and p = 0
    with np.errstate(over="ignore", under="ignore"):
        return AnytimeMcNemarResult(evalue=np.exp(log_evalue), pvalue=np.minimum(1, np.exp(-best)))
