"""Two classifiers on one test set, from the four counts of right and wrong: tests, intervals and posterior."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Interval, Numbers
from foldwise.core.validation import counts, fraction, numbers, one_of
from foldwise.inference.error_rates import wilson
from foldwise.inference.roots import bisect

McNemarMethod = Literal["corrected", "uncorrected", "exact", "midp"]


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemarResult(Shown):
    """Outcome of McNemar's test."""

    #: χ² with one degree of freedom for the two approximate methods; min(n01, n10) for the exact ones
    statistic: Numbers
    df: int | None  #: 1 for the approximate methods, None for the exact ones
    pvalue: Numbers  #: Two-sided p-value
    estimate: Numbers  #: Share of the disagreements in which only A is wrong; ½ when there are none
    method: McNemarMethod  #: The method that was used


def mcnemar(n01: ArrayLike, n10: ArrayLike, *, method: McNemarMethod = "midp") -> McNemarResult:
    r"""Test whether two classifiers have the same error rate on the population behind one test set.

    Parameters
    ----------
    n01, n10
        Number of test examples that only A, or only B, gets wrong; arrays are tested element by element.
    method
        ``"corrected"`` is the χ² of [1]_ with continuity correction, ``"uncorrected"`` the one without,
        ``"exact"`` the two-sided binomial test and ``"midp"`` its mid-p version, the recommended one [2]_.

    Returns
    -------
    McNemarResult
        With no disagreement at all there is no evidence: p = 1.

    Notes
    -----
    Corrected: :math:`\max(|n_{01}-n_{10}|-1, 0)^2/(n_{01}+n_{10})` is referred to χ² with one degree of freedom.
    Exact: :math:`n_{01}` is binomial with :math:`n_{01}+n_{10}` trials and probability ½;
    p is twice the smaller tail, at most 1. Mid-p subtracts the probability of the observed outcome, halved
    where the two tails meet.

    References
    ----------
    .. [1] Dietterich (1998), Approximate statistical tests for comparing supervised classification learning
       algorithms, Neural Computation 10, section 3.1.
    .. [2] Fagerland, Lydersen & Laake (2013), The McNemar test for binary matched-pairs data: mid-p and
       asymptotic are better than exact conditional, BMC Medical Research Methodology 13:91.

    Examples
    --------
    >>> result = mcnemar(10, 25, method="corrected")
    >>> float(round(result.statistic, 3)), float(round(result.pvalue, 4))
    (5.6, 0.018)
    """
    one_of(method, "method", get_args(McNemarMethod))
    only_a, only_b = np.broadcast_arrays(counts(n01, "n01"), counts(n10, "n10"))
    total = only_a + only_b
    approximate = method in ("corrected", "uncorrected")
    if approximate:
        distance = np.maximum(np.abs(only_a - only_b) - float(method == "corrected"), 0)
        statistic = np.asarray(distance**2 / np.maximum(total, 1))
        pvalue = np.asarray(special.chdtrc(1, statistic))
    else:
        statistic = np.minimum(only_a, only_b)
        at_most = _binomial_cdf(statistic, total)
        pvalue = np.minimum(1, 2 * at_most)
        if method == "midp":
            # the outcome itself counts half in each tail; in a tie the two tails meet in it
            itself = at_most - _binomial_cdf(statistic - 1, total)
            pvalue = np.where(only_a == only_b, 1 - itself / 2, pvalue - itself)
            pvalue = np.where(total == 0, 1.0, pvalue)
    estimate = np.where(total > 0, only_a / np.maximum(total, 1), 0.5)
    return McNemarResult(
        statistic=statistic, df=1 if approximate else None, pvalue=pvalue, estimate=estimate, method=method
    )


def _binomial_cdf(k: Array, n: Array) -> Array:
    """P[X ≤ k] for X ~ Bin(n, ½), by the incomplete beta function (no loop, no overflow)."""
    below = np.where(k < 0, 0.0, special.betainc(np.maximum(n - k, 1), np.maximum(k, 0) + 1, 0.5))
    return np.where(k >= n, 1.0, below)


# ---- How probable is it that two classifiers differ by more than matters? Posterior from one paired table.


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTable:
    """Checked counts of one table, or arrays of them, all of one shape."""

    #: both_wrong, only_a, only_b, both_right: Number of test examples that both classifiers, only A, only B, or neither
    #: gets wrong
    both_wrong: Array
    only_a: Array
    only_b: Array
    both_right: Array
    n: Array  #: Their sum: the size of the test set

    @property
    def difference(self) -> Array:
        """Error rate of A minus error rate of B; the examples both get wrong cancel."""
        return np.asarray((self.only_a - self.only_b) / self.n)


@cache
def _gauss(nodes: int) -> tuple[Array, Array]:
    """Nodes and weights of Gauss and Legendre's quadrature, made when first needed: it takes milliseconds."""
    return np.polynomial.legendre.leggauss(nodes)


def paired_table(n00: ArrayLike, n01: ArrayLike, n10: ArrayLike, n11: ArrayLike) -> PairedTable:
    """Check the four counts, broadcast them to one shape and refuse empty test sets."""
    given = {"n00": n00, "n01": n01, "n10": n10, "n11": n11}
    checked = [counts(value, name) for name, value in given.items()]
    try:
        both_wrong, only_a, only_b, both_right = np.broadcast_arrays(*checked)
    except ValueError as error:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(given, checked, strict=True))
        raise InvalidInput(f"the four counts must broadcast to one shape, got {shapes}") from error
    n = both_wrong + only_a + only_b + both_right
    if (n == 0).any():
        where = tuple(int(i) for i in np.argwhere(n == 0)[0])
        raise InvalidInput(f"n00 + n01 + n10 + n11 must be at least 1, but it is 0{f' at {where}' if where else ''}")
    return PairedTable(both_wrong=both_wrong, only_a=only_a, only_b=only_b, both_right=both_right, n=n)


# quantiles that cut each Beta distribution into panels: beyond the outermost there is no weight left
CUTS = np.array([1e-14, 1e-5, 0.5, 1 - 1e-5, 1 - 1e-14])
# tables per slice: bounds the memory for large batches
SLICE = 2048


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedPosterior(Shown):
    """Posterior of Δ = error(A) − error(B) with respect to a region of practical equivalence."""

    mean: Numbers  #: Posterior mean of Δ
    above: Numbers  #: P(Δ > rope): B is better by more than matters
    within: Numbers  #: P(abs(Δ) ≤ rope): practically the same
    below: Numbers  #: P(Δ < −rope): A is better by more than matters
    rope: float  #: Half-width of the region


def paired_posterior(
    n00: ArrayLike, n01: ArrayLike, n10: ArrayLike, n11: ArrayLike, *, rope: float = 0.01
) -> PairedPosterior:
    r"""Posterior probabilities that A is better, that the two are equivalent, that B is better.

    Parameters
    ----------
    n00, n01, n10, n11
        Number of test examples that both classifiers get wrong, only A, only B, neither; arrays are treated
        element by element.
    rope
        Differences of the error rates up to this size do not matter; from 0 to below 1.

    Notes
    -----
    The prior of the four cell probabilities is Jeffreys', Dirichlet(½, ½, ½, ½). The discordance
    :math:`d=p_{01}+p_{10}` is then Beta(n01 + n10 + 1, n00 + n11 + 1) and, independently, the share
    :math:`u=p_{01}/d` is Beta(n01 + ½, n10 + ½), so that

    .. math:: P(\Delta>r)=\int_r^1 f_d(t)\,P\big(u>\tfrac12(1+r/t)\big)\,dt ,

    computed by Gauss–Legendre quadrature between quantiles of both distributions; the error is far below 1e-6.

    References
    ----------
    .. [1] Benavoli, Corani, Demšar & Zaffalon (2017), Time for a change: a tutorial for comparing multiple
       classifiers through Bayesian analysis, Journal of Machine Learning Research 18.

    Examples
    --------
    >>> posterior = paired_posterior(5, 10, 25, 60, rope=0.01)
    >>> round(float(posterior.above), 4), round(float(posterior.within), 4), round(float(posterior.below), 4)
    (0.0031, 0.0051, 0.9918)
    """
    table = paired_table(n00, n01, n10, n11)
    region = float(numbers(rope, "rope")[()])
    if not 0 <= region < 1:
        raise InvalidInput(f"rope must be at least 0 and below 1, got {rope!r}")
    agreements = table.both_wrong + table.both_right
    above = _tail(table.only_a, table.only_b, agreements, region)
    below = _tail(table.only_b, table.only_a, agreements, region)
    # Dirichlet(½, ½, ½, ½) adds half an example to each cell, two in all
    mean = (table.only_a - table.only_b) / (table.n + 2)
    within = np.clip(1 - above - below, 0, 1) if region > 0 else np.zeros_like(above)
    return PairedPosterior(mean=mean, above=above, within=within, below=below, rope=region)


def _tail(only_a: Array, only_b: Array, agreements: Array, rope: float) -> Array:
    """P(Δ > rope)."""
    share = (only_a + 0.5, only_b + 0.5)
    if rope == 0:
        return np.asarray(special.betaincc(*share, 0.5))
    flat = [np.ravel(part) for part in (*share, only_a + only_b + 1, agreements + 1)]
    a, b, p, q = flat
    # Δ is above the region at most where u > ½, and at least where u is so large that the least likely d will do
    least = special.betaincinv(p, q, NEGLIGIBLE)
    most = special.betainc(b, a, 0.5)
    surely = special.betainc(a, b, np.minimum((1 + rope / np.maximum(least, rope)) / 2, 1)) < NEGLIGIBLE
    found = np.where(surely, 1.0, 0.0)
    open_ones = np.flatnonzero((most > NEGLIGIBLE) & ~surely)
    for start in range(0, len(open_ones), SLICE):
        piece = open_ones[start : start + SLICE]
        found[piece] = _tail_slice([part[piece] for part in flat], rope)
    return found.reshape(only_a.shape)


NEGLIGIBLE = 1e-13  # Probability that no quadrature is needed for.


def _tail_slice(parameters: list[Array], rope: float) -> Array:
    """P(Δ > rope) for u ~ Beta(a, b) and d ~ Beta(p, q), each of a, b, p, q of shape (tables,)."""
    a, b, p, q = parameters
    # panel limits: quantiles of d, and the values of d at which the other factor passes a quantile of u
    discordance = special.betaincinv(p[:, None], q[:, None], CUTS)
    share = special.betaincinv(a[:, None], b[:, None], CUTS)
    turning = rope / np.maximum(2 * share - 1, rope / 2)
    low, high = np.maximum(discordance[:, :1], rope), np.maximum(discordance[:, -1:], rope)
    edges = np.sort(np.clip(np.concatenate([discordance, turning, low], axis=1), low, high), axis=1)
    width = np.diff(edges)[..., None]
    # t = left + width·s² removes the root singularity at t = rope, where P(u > ·) leaves 0
    nodes, weights = _gauss(32)
    s = (nodes + 1) / 2
    t = edges[:, :-1, None] + width * s**2
    a, b, p, q = (part[:, None, None] for part in (a, b, p, q))
    log_density = special.xlogy(p - 1, t) + special.xlog1py(q - 1, -t) - special.betaln(p, q)
    # P(u > x) as P(1 − u < 1 − x): SciPy's betainc is ten times as fast as its complement
    beyond = special.betainc(b, a, np.maximum((1 - rope / t) / 2, 0))
    return np.asarray(np.clip((np.exp(log_density) * beyond * width * s * weights).sum(axis=(1, 2)), 0, 1))


# ---- The posterior density of the difference of two error rates, from one paired table: what a plot of it shows.

# quantiles of the discordance between which the quadrature runs in panels
PAIRED_DENSITY_CUTS = np.array([1e-14, 1e-6, 0.05, 0.5, 0.95, 1 - 1e-6, 1 - 1e-14])


def paired_density(difference: ArrayLike, n00: int, n01: int, n10: int, n11: int) -> Numbers:
    r"""Posterior density of Δ = error(A) − error(B) for one table of outcomes.

    It is infinite at 0 where there is no disagreement at all.

    Under Jeffreys' prior, as in `paired_posterior`, the discordance d and the share u of it that only A gets wrong are
    independent Beta variables, and Δ = d(2u − 1), hence

    .. math:: f(\Delta)=\int_{|\Delta|}^1 f_d(t)\,f_u\big(\tfrac12(1+\Delta/t)\big)\,\frac{dt}{2t} ,

    by Gauss–Legendre quadrature between quantiles of d.

    .. [1] Benavoli, Corani, Demšar & Zaffalon (2017), Time for a change: a tutorial for comparing multiple
       classifiers through Bayesian analysis, Journal of Machine Learning Research 18.
    """
    delta = numbers(difference, "difference")
    if (np.abs(delta) > 1).any():
        raise InvalidInput(f"difference must be between -1 and 1, got {delta.flat[np.argmax(np.abs(delta))]:g}")
    table = paired_table(n00, n01, n10, n11)
    share = float(table.only_a) + 0.5, float(table.only_b) + 0.5
    discordance = sum(share), float(table.both_wrong + table.both_right) + 1
    density = _integrate(np.atleast_1d(delta).ravel(), share, discordance)
    if discordance[0] == 1:  # no disagreement: the density of d is positive at 0, and 1/t is not integrable there
        density = np.where(np.atleast_1d(delta).ravel() == 0, np.inf, density)
    return density.reshape(delta.shape)[()]


def _integrate(delta: Array, share: tuple[float, float], discordance: tuple[float, float]) -> Array:
    size = np.abs(delta)[:, None]
    edges = np.maximum(special.betaincinv(*discordance, PAIRED_DENSITY_CUTS), size)
    width = np.diff(edges)[..., None]
    # t = left + width·s² removes the root singularity of f_u at t = |Δ|, where u reaches 0 or 1
    nodes, weights = _gauss(64)
    s = (nodes + 1) / 2
    t = np.maximum(edges[:, :-1, None] + width * s**2, np.finfo(float).tiny)
    ratio = delta[:, None, None] / t
    log_density = _log_beta(t, 1 - t, *discordance) + _log_beta((1 + ratio) / 2, (1 - ratio) / 2, *share)
    return np.asarray((np.exp(log_density) / (2 * t) * width * s * weights).sum(axis=(1, 2)))


def _log_beta(x: Array, complement: Array, a: float, b: float) -> Array:
    smallest = np.finfo(float).tiny  # a node may round onto the singular end of its panel
    inside = [special.xlogy(c - 1, np.maximum(part, smallest)) for c, part in ((a, x), (b, complement))]
    return np.asarray(inside[0] + inside[1] - special.betaln(a, b))


# ---- The test for the difference of two proportions, which takes two paired error rates for independent ones.


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceOfProportionsResult(Shown):
    """Outcome of the test for the difference of two proportions."""

    estimate: Numbers  #: Error rate of A minus error rate of B
    #: √(2p(1−p)/n) with p the mean of the two error rates: what it would be if the two were independent
    standard_error: Numbers
    statistic: Numbers  #: z = estimate / standard_error; 0 when both are 0
    pvalue: Numbers  #: Two-sided p-value of z, standard normal under the null hypothesis
    #: z′ = (abs(n01 − n10) − 1)/√(n01 + n10), never below 0: the root of McNemar's corrected statistic
    corrected_statistic: Numbers
    corrected_pvalue: Numbers  #: Two-sided p-value of z′

    @property
    def df(self) -> None:
        """The normal distribution has none."""

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Interval dual to z: it excludes 0 exactly when the p-value is below 1 − confidence_level."""
        reach = -special.ndtri((1 - fraction(confidence_level, "confidence_level")) / 2) * self.standard_error
        return Interval(low=self.estimate - reach, high=self.estimate + reach)


def difference_of_proportions(
    n00: ArrayLike, n01: ArrayLike, n10: ArrayLike, n11: ArrayLike
) -> DifferenceOfProportionsResult:
    r"""Test the difference of two error rates as if they came from independent test sets.

    Known to be unsound for two classifiers on one test set, and offered for study: both error rates are measured
    on the same examples, so their difference does not have the variance the test assumes. Use `mcnemar`.

    Parameters
    ----------
    n00, n01, n10, n11
        Number of test examples that both classifiers get wrong, only A, only B, neither; arrays are tested
        element by element.

    Returns
    -------
    DifferenceOfProportionsResult
        Two classifiers without a single error, or without a right answer, give z = 0 and p = 1.

    Notes
    -----
    With :math:`p_A=(n_{00}+n_{01})/n`, :math:`p_B=(n_{00}+n_{10})/n` and :math:`p=(p_A+p_B)/2`,
    :math:`z=(p_A-p_B)/\sqrt{2p(1-p)/n}`. The corrected form takes the right variance and a continuity correction,
    :math:`z'=(|n_{01}-n_{10}|-1)/\sqrt{n_{01}+n_{10}}`, which is McNemar's test again.

    References
    ----------
    .. [1] Dietterich (1998), Approximate statistical tests for comparing supervised classification learning
       algorithms, Neural Computation 10, section 3.2.

    Examples
    --------
    Two tables with the same difference of proportions, only one of them with evidence for McNemar:

    >>> result = difference_of_proportions([0, 40], [40, 0], [60, 20], [0, 40])
    >>> result.pvalue.round(4).tolist(), result.corrected_pvalue.round(4).tolist()
    ([0.0047, 0.0047], [0.0574, 0.0])
    """
    table = paired_table(n00, n01, n10, n11)
    estimate = table.difference
    rate = (2 * table.both_wrong + table.only_a + table.only_b) / (2 * table.n)
    standard_error = np.sqrt(2 * rate * (1 - rate) / table.n)
    # a pooled rate of 0 or 1 means that both error rates are that rate, so the estimate is 0 as well
    statistic = estimate / np.where(standard_error > 0, standard_error, 1)
    distance = np.maximum(np.abs(table.only_a - table.only_b) - 1, 0)
    corrected = np.asarray(distance / np.sqrt(np.maximum(table.only_a + table.only_b, 1)))
    return DifferenceOfProportionsResult(
        estimate=estimate, standard_error=standard_error, statistic=statistic,
        pvalue=2 * special.ndtr(-np.abs(statistic)), corrected_statistic=corrected,
        corrected_pvalue=2 * special.ndtr(-corrected),
    )  # fmt: skip


# ---- How much do the error rates of two classifiers differ on one population? Four intervals from one test set.


# ---- Tango's score statistic for the difference of two paired proportions, and the interval it implies.


def tango_statistic(only_a: Array, only_b: Array, n: Array, difference: Array) -> Array:
    r"""Score statistic of the hypothesis that the paired difference of error rates is `difference`.

    :math:`T(\Delta)=(b-c-N\Delta)/\sqrt{N(2q+\Delta(1-\Delta))}`, where q is the maximum likelihood estimate of
    the probability that only B errs when the difference is Δ: :math:`q=(\sqrt{B^2-8NC}-B)/(4N)`,
    :math:`B=-b-c+(2N-b+c)\Delta`, :math:`C=-c\Delta(1-\Delta)`. At Δ = 0 it is the signed root of McNemar's
    uncorrected χ². It is ±∞ where the hypothesis leaves no variance but the data differ from it, and 0 where
    they do not.

    .. [1] Tango (1998), Equivalence test and confidence interval for the difference in proportions for the
       paired-sample design, Statistics in Medicine 17, 891-908.
    """
    distance = only_a - only_b - n * difference
    root = np.sqrt(n * _variance(only_a, only_b, n, difference))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(distance == 0, 0.0, distance / root)


def _lower(only_a: Array, only_b: Array, n: Array, z: float) -> Array:
    """The difference below the estimate at which the statistic is z; −1 when the estimate is −1."""

    def excess(difference: Array) -> Array:
        # the sign of T(Δ) − z, written without a division because the variance is 0 at Δ = −1
        reach = z * np.sqrt(n * _variance(only_a, only_b, n, difference))
        return np.asarray(only_a - only_b - n * difference - reach)

    return bisect(excess, np.full_like(n, -1.0), (only_a - only_b) / n)


def _variance(only_a: Array, only_b: Array, n: Array, difference: Array) -> Array:
    """2q + Δ(1 − Δ): the variance of one paired difference when its mean is Δ."""
    # exchanging the classifiers changes Δ to −Δ and nothing else; with Δ ≥ 0 no step below cancels badly
    negative = difference < 0
    b, c = np.where(negative, only_b, only_a), np.where(negative, only_a, only_b)
    delta = np.abs(difference)
    linear = (2 * n - b + c) * delta - b - c
    product = 2 * c * delta * (1 - delta)
    root = np.sqrt(linear**2 + 4 * n * product)
    # the root of a quadratic in the form that does not subtract nearly equal numbers
    with np.errstate(divide="ignore", invalid="ignore"):
        q = np.where(linear > 0, product / (root + linear), (root - linear) / (4 * n))
    return np.asarray(2 * q + delta * (1 - delta))


DifferenceMethod = Literal["tango", "newcombe", "bonett_price", "wald"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDifferenceResult(Shown):
    """The difference of two error rates measured on the same examples."""

    estimate: Numbers  #: Error rate of A minus error rate of B, (n01 − n10)/n
    standard_error: Numbers  #: √(n01 + n10 − (n01 − n10)²/n)/n
    method: DifferenceMethod  #: The method of the interval
    table: PairedTable  #: The counts

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Interval for the difference, within [−1, 1]."""
        z = float(-special.ndtri((1 - fraction(confidence_level, "confidence_level")) / 2))
        table = self.table
        if self.method == "tango":
            # the upper limit is the lower one with the classifiers exchanged, so that swapping mirrors to the last bit
            low = _lower(table.only_a, table.only_b, table.n, z)
            high = -_lower(table.only_b, table.only_a, table.n, z)
        elif self.method == "newcombe":
            wrong_a, wrong_b = table.both_wrong + table.only_a, table.both_wrong + table.only_b
            below_a, above_a = _wilson_distances(wrong_a, table.n, z)
            below_b, above_b = _wilson_distances(wrong_b, table.n, z)
            # φ with the continuity correction of Newcombe's method 10; 0 where a margin is empty
            product = table.both_wrong * table.both_right - table.only_a * table.only_b
            corrected = np.where(product > 0, np.maximum(product - table.n / 2, 0), product)
            margins = np.sqrt(wrong_a * (table.n - wrong_a) * wrong_b * (table.n - wrong_b))
            phi = np.asarray(corrected / np.where(margins > 0, margins, np.inf))
            # at φ = 1 the sum of squares is a perfect square that rounding may push below 0
            down = np.maximum(below_a**2 - 2 * phi * below_a * above_b + above_b**2, 0)
            up = np.maximum(above_a**2 - 2 * phi * above_a * below_b + below_b**2, 0)
            low, high = table.difference - np.sqrt(down), table.difference + np.sqrt(up)
        else:
            more = 1 if self.method == "bonett_price" else 0  # a disagreement each way is added
            centre = (table.only_a - table.only_b) / (table.n + 2 * more)
            reach = z * _standard_error(table.only_a + more, table.only_b + more, table.n + 2 * more)
            low, high = centre - reach, centre + reach
        return Interval(low=np.clip(low, -1, 1), high=np.clip(high, -1, 1))


def paired_difference(
    n00: ArrayLike, n01: ArrayLike, n10: ArrayLike, n11: ArrayLike, *, method: DifferenceMethod = "tango"
) -> PairedDifferenceResult:
    r"""Estimate the difference of two classifiers' error rates, with an interval for paired data.

    Parameters
    ----------
    n00, n01, n10, n11
        Number of test examples that both classifiers get wrong, only A, only B, neither; arrays are treated
        element by element.
    method
        ``"tango"`` inverts the score test [1]_ and is the recommended one; ``"newcombe"`` is method 10 of [2]_,
        ``"bonett_price"`` the adjusted Wald interval of [3]_, ``"wald"`` the textbook one, too narrow in small
        samples and of width 0 without disagreements.

    Returns
    -------
    PairedDifferenceResult
        With ``confidence_interval(level)``. Tango's excludes 0 exactly when McNemar's uncorrected p-value is
        below 1 − level.

    Notes
    -----
    With b = n01 and c = n10 of N examples: Tango solves
    :math:`(b-c-N\Delta)/\sqrt{N(2q+\Delta(1-\Delta))}=\pm z`, see above. Newcombe combines the
    Wilson limits :math:`l, u` of the two error rates, with φ the correlation of the errors (its covariance reduced
    by the continuity correction N/2, not below 0, where it is positive): the lower limit is
    :math:`\hat\Delta-\sqrt{(p_A-l_A)^2-2\varphi(p_A-l_A)(u_B-p_B)+(u_B-p_B)^2}`. Bonett–Price takes Wald's formula
    with b + 1, c + 1 and N + 2.

    References
    ----------
    .. [1] Tango (1998), Statistics in Medicine 17, 891-908.
    .. [2] Newcombe (1998), Improved confidence intervals for the difference between binomial proportions based on
       paired data, Statistics in Medicine 17, 2635-2650.
    .. [3] Bonett & Price (2012), Adjusted Wald confidence interval for a difference of binomial proportions based
       on paired data, Journal of Educational and Behavioral Statistics 37, 479-488.

    Examples
    --------
    >>> result = paired_difference(5, 25, 10, 60)
    >>> interval = result.confidence_interval(0.95)
    >>> float(result.estimate), round(float(interval.low), 4), round(float(interval.high), 4)
    (0.15, 0.0356, 0.2633)
    """
    one_of(method, "method", get_args(DifferenceMethod))
    table = paired_table(n00, n01, n10, n11)
    return PairedDifferenceResult(
        estimate=table.difference, standard_error=_standard_error(table.only_a, table.only_b, table.n), method=method,
        table=table,
    )  # fmt: skip


def _standard_error(only_a: Array, only_b: Array, n: Array) -> Array:
    # clipped because rounding can leave a tiny negative number where every example is a disagreement of one kind
    return np.asarray(np.sqrt(np.maximum(only_a + only_b - (only_a - only_b) ** 2 / n, 0)) / n)


def _wilson_distances(errors: Array, n: Array, z: float) -> tuple[Array, Array]:
    """How far Wilson's limits lie below and above the observed rate."""
    low, high = wilson(errors, n, z)
    return errors / n - low, high - errors / n
