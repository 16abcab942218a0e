"""The influence-robust test: what single training examples add to the variance, seen in the folds themselves."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Array, Flags, Integers, Numbers
from foldwise.core.validation import moderate, numbers, positive
from foldwise.inference.stability import PartitionStability, stability_of
from foldwise.inference.student import ROUNDING, StudentResult, cautious_result, fields_of

# The weights of the rule, chosen on one half of the sources with 10 runs of 10 folds (explanation/influence). All are
# in units of the variance of a single difference.
BASE, UNSTEADY = 1.08, -0.9
"""A variance of one for independent examples, with a margin; less where runs disagree, since their mean is taken."""
COVARIANCE, COVARIANCE_NOISE = 0.85, 0.8
"""C counts .85 instead of 2, and less the more noise it has: what was seen is shrunk towards a stable learner."""
BY_CLASS, BY_CLASS_NOISE, CLASS_MARGIN = 2.8, 0.5, 2.75
"""The excess of the Cauchy–Schwarz bound over the classes; of each class 2.75 times its noise is not believed."""
FEW_RUNS, USUAL_SHAPE = 0.2, 1.9
"""Predictions that change in few runs depend on few training examples; 1.9 is the shape of a stable learner."""
DIRECT, DIRECT_MARGIN = 0.15, 2.25  # H itself, above 2.25 times its noise.
LEAST_OF_CORRECTED, LEAST = 0.4, 0.2
"""Floors, as shares of the corrected test's variance and of the variance of a single difference."""
CERTAIN = 1.25  # Degrees of freedom are those of Satterthwaite divided by this.
RIDGE = 0.01
PAIRS_OF_RUNS = 200
"""H comes from so many pairs of runs at most: its cost grows with the square of the runs, its precision does not."""
AT_ONCE = 1_000_000  # Numbers that are looked at together.


class InfluenceParts(NamedTuple):
    """What the test needs of many experiments: θ, standard error, df, σ_a², w, C, its error, H, largest difference."""

    estimate: Array
    standard_error: Array
    df: Array
    example_variance: Array
    run_variance: Array
    covariance: Array
    covariance_error: Array
    influence: Array
    largest: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class InfluenceResult(StudentResult):
    """Outcome of the influence-robust test, with the parts of its variance."""

    example_variance: Numbers  #: σ_a², the variance of the examples' own mean differences
    run_variance: Numbers  #: w, the mean variance of an example's difference over the runs
    #: C, n times the covariance of an example's difference with what it adds to the others as training data
    covariance: Numbers
    covariance_error: Numbers  #: The standard error of C over the runs
    influence: Numbers  #: H, n² times the variance of what an example adds to the others as training data

    @property
    def variance(self) -> Numbers:
        """The square of the standard error."""
        return self.standard_error**2

    @property
    def weight(self) -> Numbers:
        """C/σ_a²: what an example counts as training data, of what it counts as test data; NaN without variance."""
        return self._of_own(self.covariance)

    @property
    def weight_error(self) -> Numbers:
        """The standard error of that weight over the runs."""
        return self._of_own(self.covariance_error)

    def _of_own(self, part: Numbers) -> Numbers:
        own = np.asarray(self.example_variance)
        return np.where(own > 0, part / np.where(own > 0, own, 1.0), np.nan)[()]


def influence(
    d: ArrayLike, folds: ArrayLike, *, classes: ArrayLike | None = None, groups: ArrayLike | None = None,
    df: float | None = None, alternative: Alternative = "two-sided",
) -> InfluenceResult:  # fmt: skip
    r"""Test whether two learners differ, from their differences on each example in repeated cross-validation.

    Parameters
    ----------
    d
        Differences a − b on each example in each run, shape (..., runs, n), at least two runs; leading axes are
        separate experiments. Right answers or losses: any score that is a mean over examples.
    folds
        The fold in which each example was tested, (runs, n) or the shape of `d`.
    classes
        The class of each example, (n,) or (..., n): rare classes carry large influence. None: not known.
    groups
        The group of each example, (n,), where groups were dealt as a whole: the group is the example then.
    df
        Degrees of freedom; from the data when not given.
    alternative
        ``"two-sided"``, ``"less"`` (a − b is below 0) or ``"greater"``.

    Returns
    -------
    InfluenceResult
        Without variance nothing can be told: statistic NaN (0 where all differences are 0), p = 1 and an unbounded
        interval, with a `DegenerateVariance` warning unless all differences are 0.

    Notes
    -----
    An example acts on the mean difference θ by its own difference a when it is tested, and by h, what it does to the
    others as training data: :math:`n \mathrm{Var}(\theta) = \sigma_a^2 + 2C + H`, with C = n Cov(a, h) and
    H = n² Var(h). The fold-mates of an example are those that were trained without it. With e the difference of an
    example minus its mean over the other runs, S the sum of e over the fold-mates, m the size of the fold,

    - :math:`C = -\frac{n}{m-1}\,\overline{(\bar d^{(-r)} - \theta)\,S_r}`, over runs and examples, and in each class;
    - H from the products of S in two runs, without mates that the two runs share;
    - w, the mean variance over runs, :math:`\sigma_a^2 = \mathrm{Var}(\bar d) - w/R`, and by the Cauchy–Schwarz
      inequality :math:`H \ge \sum_s (\pi_s C_s)^2 / (\pi_s\sigma_s^2)` over the classes s.

    C and H are noisy. The variance is a combination of these parts, shrunk towards that of stable learners, with the
    degrees of freedom of its noisiest parts. Its weights were chosen by measurement with ten runs of ten folds, not
    derived: this is our own test, and it has not been peer-reviewed.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> folds = np.stack([rng.permutation(40) % 5 for _ in range(10)])
    >>> result = influence(rng.normal(0.5, 1, 40) + rng.normal(0, 0.2, (10, 40)), folds)
    >>> bool(result.pvalue < 0.05), float(np.round(result.df))
    (True, 26.0)
    """
    parts = influence_parts(d, folds, classes=classes, groups=groups)
    if df is not None:
        parts = parts._replace(df=np.full_like(parts.df, positive(df, "df")))
    return influence_result(parts, alternative=alternative)


def influence_result(parts: InfluenceParts, *, alternative: Alternative = "two-sided") -> InfluenceResult:
    """The test from its parts."""
    tested = cautious_result(
        parts.estimate, parts.standard_error, parts.df, alternative, differ=np.asarray(parts.largest) > 0
    )
    return InfluenceResult(
        **fields_of(tested), example_variance=parts.example_variance, run_variance=parts.run_variance,
        covariance=parts.covariance, covariance_error=parts.covariance_error, influence=parts.influence,
    )  # fmt: skip


GROUPS_OF_RUNS = 20
"""Groups of runs that are left out in turn where the verdict's dependence on the partitioning is measured."""
SURE = 0.995
"""Quantile of Student's distribution, with a df less than there are groups, at which a verdict counts as settled."""


def influence_stability(
    d: Array, *, folds: Integers, classes: ArrayLike | None = None, groups: ArrayLike | None = None, alpha: float = 0.05
) -> PartitionStability:
    """How far the verdict is from depending on the partitioning: the jackknife over groups of runs, all as `influence`.

    Left out is each of up to 20 groups of runs in turn; the statistic is taken in units of its critical value, since
    the degrees of freedom change with the runs.
    """
    of = np.arange(len(d)) % min(len(d), GROUPS_OF_RUNS)
    one, dealt, label = _examples(d, folds, classes, groups)
    x, ids, labels = one[None], dealt[None], label[None]
    k = int(ids.max()) + 1
    products = _Products.of(x, ids, k)

    def found(kept: Flags) -> tuple[float, float, float]:
        # the same pairs of runs, but for those that are left out, so that H does not change with the choice of pairs
        parts = _parts(x[:, kept], ids[:, kept], labels, k, products.kept(kept))
        threshold = float(special.stdtrit(parts.df[0], 1 - alpha / 2))
        error = float(parts.standard_error[0])
        estimate = float(parts.estimate[0])
        return (0.0 if estimate == 0 else estimate / error if error else np.inf), threshold, float(parts.df[0])

    statistic, threshold, df = found(np.ones(len(d), dtype=bool))
    without = [found(of != group)[:2] for group in range(of.max() + 1)]
    return stability_of(
        np.asarray(statistic), np.array([t * threshold / own for t, own in without]), df=df, alpha=alpha,
        needed=float(special.stdtrit(of.max(), SURE)),
    )  # fmt: skip


def influence_parts(
    d: ArrayLike, folds: ArrayLike, *, classes: ArrayLike | None = None, groups: ArrayLike | None = None
) -> InfluenceParts:
    """Estimate, standard error, degrees of freedom and the parts of the variance; as `influence` takes them."""
    x, ids, labels = _examples(d, folds, classes, groups)
    outer, (runs, n) = x.shape[:-2], x.shape[-2:]
    x, ids, labels = x.reshape(-1, runs, n), ids.reshape(-1, runs, n), labels.reshape(-1, n)
    k = int(ids.max()) + 1
    found = _parts(x, ids, labels, k, _Products.of(x, ids, k))
    return InfluenceParts(*(np.asarray(part).reshape(outer) for part in found))


def _parts(x: Array, ids: Integers, labels: Integers, k: int, products: _Products) -> InfluenceParts:
    trials, runs, n = x.shape
    cell = _cells(ids, k)

    def in_folds(values: Array) -> Array:
        sums = np.bincount(cell.ravel(), values.ravel(), trials * runs * k)
        return np.asarray(sums, dtype=np.float64).reshape(trials, runs, k)

    def of_example(per_fold: Array) -> Array:
        return np.asarray(per_fold.ravel()[cell])

    # ---- the examples: own mean differences, and what the runs add
    size = in_folds(np.ones_like(x))
    pairs = np.sum(size * (size - 1), axis=-1)
    if pairs.min() == 0:
        raise InvalidInput("some fold must hold at least 2 examples in each run: mates in it show their influence")
    means = in_folds(x) / size
    theta = means.mean(axis=(1, 2))
    mean = x.mean(axis=1)
    within = x.var(axis=1, ddof=1)
    w = within.mean(axis=-1)
    between = mean.var(axis=-1, ddof=1)
    largest = np.abs(x).max(axis=(1, 2))
    unit = between + w * (1 - 1 / runs)
    unit = np.where(np.sqrt(unit) <= ROUNDING * largest, 0.0, unit)
    own = np.where(unit > 0, np.maximum(between - w / runs, 0.0), 0.0)
    # ---- C: own difference against the residuals of the mates, who were trained without this example
    # the example's own difference is estimated from the other runs, so that its noise here does not meet itself
    others = (mean[:, None] * runs - x) / (runs - 1)
    e = x - others
    mates = of_example(in_folds(e)) - e
    centred = others - mean.mean(axis=-1)[:, None, None]
    by_run = -n * np.sum(centred * mates, axis=-1) / pairs
    covariance, covariance_error = by_run.mean(axis=-1), by_run.std(axis=-1, ddof=1) / np.sqrt(runs)
    # ---- the same in each class, where few examples can carry much of the influence
    scaled = -n * mates / np.maximum(of_example(size) - 1, 1.0)
    strata = []
    for label in range(int(labels.max()) + 1):
        inside = (labels == label).astype(np.float64)
        count = inside.sum(axis=-1)
        safe = np.maximum(count, 1.0)
        centre = np.sum(mean * inside, axis=-1) / safe
        variance = np.sum((mean - centre[:, None]) ** 2 * inside, axis=-1) / n
        noise = np.sum(within * inside, axis=-1) / n / runs
        moment = np.sum((others - centre[:, None, None]) * scaled * inside[:, None], axis=(1, 2)) / n / runs
        strata.append((count, np.maximum(variance - noise, 0.0), moment))
    direct, compared = products.found.mean(axis=-1), len(products.pairs)
    corrected = means.reshape(trials, -1).var(axis=-1, ddof=1) * (1 / (runs * k) + 1 / (k - 1))
    # ---- the shape of the variation over runs: predictions that change in one run of ten depend on few examples
    fourth = np.mean((x - mean[:, None]) ** 4, axis=(1, 2))
    squares = np.mean(within**2, axis=-1)
    shape = np.where(squares > 0, fourth / np.where(squares > 0, squares, 1.0), USUAL_SHAPE)

    safe = np.where(unit > 0, unit, 1.0)
    omega = w / safe
    few = np.clip(shape - USUAL_SHAPE, 0.0, 2.0) * np.minimum(omega / 0.1, 1.0)
    slope = COVARIANCE / (1 + COVARIANCE_NOISE * omega)
    # Cauchy–Schwarz: a covariance C needs an influence of at least C²/σ_a²; class by class, as rare ones carry more
    bounds = np.stack([
        np.maximum((moment / safe) ** 2 / (variance / safe + RIDGE) - CLASS_MARGIN * omega, 0.0) * (count > 1)
        for count, variance, moment in strata
    ])  # fmt: skip
    overall = np.maximum((covariance / safe) ** 2 / (own / safe + RIDGE) - omega, 0.0)
    excess = BY_CLASS / (1 + BY_CLASS_NOISE * omega) * np.maximum(bounds.sum(axis=0) - overall, 0.0)
    noise = omega * k * np.sqrt(n / compared)
    ratio = (
        BASE + UNSTEADY * omega + slope * covariance / safe + excess + FEW_RUNS * few
        + DIRECT * np.maximum(direct / safe - DIRECT_MARGIN * noise, 0.0)
    )  # fmt: skip
    ratio = np.maximum(np.maximum(ratio, LEAST_OF_CORRECTED * corrected * n / safe), LEAST)
    # ---- Satterthwaite: the noise of C, and the examples of each class by their share of the variance
    total = bounds.sum(axis=0)
    inverse = 0.5 * slope**2 * own / safe * omega * k / runs / ratio**2
    for (count, _, _), bound in zip(strata, bounds, strict=True):
        carried = np.where(total > 0, bound / np.where(total > 0, total, 1.0), 0.0) * excess
        share = (count / n * np.maximum(ratio - excess, 0.0) + carried) / ratio
        inverse += np.where(count > 0, share**2 / np.maximum(count - 1, 1.0), 0.0)
    df = np.clip(1 / (CERTAIN * inverse), 2.0, max(min(runs * k, n) - 1.0, 2.0))
    return InfluenceParts(theta, np.sqrt(ratio * unit / n), df, own, w, covariance, covariance_error, direct, largest)


@dataclass(frozen=True, slots=True)
class _Products:
    """What each pair of runs says of H, without mates that both share, which would bring in their own noise."""

    found: Array  #: (experiments, pairs)
    pairs: Integers  #: (pairs, 2)

    @classmethod
    def of(cls, x: Array, ids: Integers, k: int) -> _Products:
        trials, runs, n = x.shape
        cell = _cells(ids, k)
        e = (x - x.mean(axis=1, keepdims=True)) * (runs / (runs - 1))
        in_fold, size = (
            np.bincount(cell.ravel(), values, trials * runs * k).reshape(trials, runs, k)
            for values in (e.ravel(), None)
        )
        pairs = np.array(list(combinations(range(runs), 2)))
        pairs = pairs[:: -(-len(pairs) // PAIRS_OF_RUNS)]
        found = []
        # not as a product of matrices, whose threads wait for each other on a busy machine
        step = max(1, AT_ONCE // (trials * n))
        for first, second in (pairs[start : start + step].T for start in range(0, len(pairs), step)):
            place = np.arange(trials * len(first)).reshape(trials, -1, 1)
            cell = ((place * k + ids[:, first]) * k + ids[:, second]).ravel()
            both, one, other = (
                np.bincount(cell, values, trials * len(first) * k * k).reshape(trials, -1, k, k)
                for values in (None, e[:, first].ravel(), e[:, second].ravel())
            )
            # every example of a cell has the same mates, but for itself, which is in the cell
            left = (size[:, first, :, None] - both) * (size[:, second, None, :] - both)
            product = (in_fold[:, first, :, None] - one) * (in_fold[:, second, None, :] - other)
            found.append(n * np.sum(both * product / np.where(left > 0, left, np.inf), axis=(2, 3)))
        return cls(np.concatenate(found, axis=1), pairs)

    def kept(self, runs: Flags) -> _Products:
        """Those of pairs of which both runs are kept."""
        there = runs[self.pairs].all(axis=1)
        return _Products(self.found[:, there], self.pairs[there])


def _cells(ids: Integers, k: int) -> Integers:
    trials, runs, _ = ids.shape
    return np.asarray((np.arange(trials)[:, None, None] * runs + np.arange(runs)[:, None]) * k + ids, dtype=np.int64)


def _examples(
    d: ArrayLike, folds: ArrayLike, classes: ArrayLike | None, groups: ArrayLike | None
) -> tuple[Array, Integers, Integers]:
    """Differences, folds from 0 in each run, and classes from 0; groups are taken together."""
    x = numbers(d, "d", min_ndim=2)
    moderate(x, "d")
    given = np.asarray(folds)
    if x.shape[-2] < 2 or x.shape[-1] < 4:
        raise InvalidInput(f"d must have at least 2 runs of at least 4 examples, got shape {x.shape}")
    if given.ndim < 2 or given.dtype.kind not in "iu" or given.shape not in (x.shape, x.shape[-2:]):
        raise InvalidInput(f"folds must be whole numbers of shape {x.shape[-2:]} or {x.shape}, got {given.shape}")
    rows = given.reshape(-1, given.shape[-1])
    ids = np.stack([np.unique(row, return_inverse=True)[1] for row in rows]).reshape(given.shape)
    counts = ids.max(axis=-1)
    if counts.min() != counts.max() or counts.max() < 1:
        raise InvalidInput("folds must number the same 2 or more folds in each run")
    labels: Integers = np.zeros(x.shape[-1], dtype=np.int64)
    if classes is not None:
        labels = np.unique(np.asarray(classes), return_inverse=True)[1].reshape(np.shape(classes)).astype(np.int64)
        if labels.shape not in (x.shape[-1:], (*x.shape[:-2], x.shape[-1])):
            raise InvalidInput(f"classes must have one value per example, got shape {labels.shape}")
    if groups is not None:
        if np.shape(groups) != x.shape[-1:]:
            raise InvalidInput(f"groups must have shape {x.shape[-1:]}, got {np.shape(groups)}")
        # groups as examples: each counts by its examples, so that the mean difference stays
        group = np.unique(np.asarray(groups), return_inverse=True)[1]
        count = int(group.max()) + 1
        first = np.unique(group, return_index=True)[1]
        if (ids != ids[..., first][..., group]).any():
            raise InvalidInput("the examples of a group must be in one fold: cross-validate with groups")
        belongs = (group[:, None] == np.arange(count)).astype(np.float64) * count / len(group)
        # a group of several classes belongs to none
        pure = (labels == labels[..., first][..., group]).all()
        labels = labels[..., first] if pure else np.zeros(count, dtype=np.int64)
        x = x @ belongs
        return x, np.broadcast_to(ids[..., first], x.shape), np.broadcast_to(labels, (*x.shape[:-2], count))
    return x, np.broadcast_to(ids, x.shape), np.broadcast_to(labels, (*x.shape[:-2], x.shape[-1]))
