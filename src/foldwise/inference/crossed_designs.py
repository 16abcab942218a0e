"""Seeds (trainings) crossed with items: variance components and their test; what more of something would buy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Json, Numbers
from foldwise.core.validation import numbers
from foldwise.inference.clusters import ClusterNumbers, find_clusters, robust_variance
from foldwise.inference.student import StudentResult, student_result


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanSquares(Shown):
    """The two-way analysis of variance of a table of seeds by items, one value per cell."""

    mean: Numbers  #: Of all cells
    #: of_seeds, of_items, rest: Mean squares between seeds, between items, and of what the two together leave
    of_seeds: Numbers
    of_items: Numbers
    rest: Numbers
    #: seeds, items: How many there are; clusters in the place of items where there are some
    seeds: int
    items: int
    #: Degrees of freedom of the items' mean square: one less than items, or fewer for clusters of unequal size
    item_df: Numbers

    @property
    def seed_variance(self) -> Numbers:
        """Component of the seeds, never below 0."""
        return np.maximum((self.of_seeds - self.rest) / self.items, 0.0)

    @property
    def item_variance(self) -> Numbers:
        """Component of the items, never below 0."""
        return np.maximum((self.of_items - self.rest) / self.seeds, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossedResult(Shown):
    """Outcome of the crossed analysis."""

    student: StudentResult  #: Estimate, standard error, t, degrees of freedom, p-value and interval
    #: quasi_f, quasi_f_df, quasi_f_pvalue: The quasi-F test of the same hypothesis, with its two degrees of freedom
    quasi_f: Numbers
    quasi_f_df: tuple[Numbers, Numbers]
    quasi_f_pvalue: Numbers
    squares: MeanSquares  #: The analysis of variance that both come from, and the components of variance


def crossed(x: ArrayLike, groups: ArrayLike | None = None) -> CrossedResult:
    r"""Test whether the mean difference is zero over new seeds *and* new items.

    Parameters
    ----------
    x
        Differences a − b of shape (..., seeds, items), at least two of each: in row i both models were trained with
        seed i. Leading axes are separate experiments.
    groups
        The cluster of each item, where items come in clusters: these then take the items' place.

    Notes
    -----
    The model is :math:`y_{ij}=\mu+a_i+b_j+e_{ij}` with random seeds, items and rest. With the mean squares of seeds,
    items and rest, :math:`MS_a, MS_b, MS_e`, of I seeds and J items the squared standard error of the mean is
    :math:`(MS_a+MS_b-MS_e)/(IJ)` with Satterthwaite's degrees of freedom
    :math:`\nu=(MS_a+MS_b-MS_e)^2/(MS_a^2/(I-1)+MS_b^2/(J-1)+MS_e^2/((I-1)(J-1)))` [1]_; test and interval are dual.

    Two guards where few cells make that difference too small, or seem to know too well how large it is: a component
    that is estimated below 0 counts as 0, so that the standard error is never below that of seeds or of items alone;
    and ν is the least that is plausible (`least_freedom`), at least the smaller of I − 1 and J − 1. With
    Satterthwaite's ν itself two seeds have a Type I error of .13 at level .05 and .08 at .01.

    With clusters :math:`MS_b/(IJ)` is the CR2 variance of the items' means over seeds, with its degrees of freedom
    (`robust_variance`), and :math:`MS_e/(IJ)` the CR2 variance of what seeds and items together leave; for clusters of
    one size this is the analysis of their means.

    The quasi-F :math:`(MS_m+MS_e)/(MS_a+MS_b)`, with :math:`MS_m=IJ\bar y^2` and Satterthwaite's degrees of freedom of
    both sums, is given beside it. With few seeds that differ it rejects too often: .08 with three and .12 to .14 with
    two at level .05.

    References
    ----------
    .. [1] Satterthwaite (1946), An approximate distribution of estimates of variance components, Biometrics
       Bulletin 2, 110-114.
    .. [2] Dietterich (1998), Approximate statistical tests for comparing supervised classification learning
       algorithms, Neural Computation 10, section 1, question 7.

    Examples
    --------
    >>> x = [[0.1, 0.3, 0.0, 0.2], [0.2, 0.4, 0.1, 0.0], [0.0, 0.3, 0.1, 0.2]]
    >>> result = crossed(x)
    >>> interval = result.student.confidence_interval()
    >>> round(float(result.student.estimate), 4), round(float(interval.low), 4), round(float(interval.high), 4)
    (0.1583, -0.0994, 0.4161)
    """
    squares = mean_squares(numbers(x, "x", min_ndim=2), "x", groups)
    a, b, e = (np.asarray(part) for part in (squares.of_seeds, squares.of_items, squares.rest))
    cells = squares.seeds * squares.items
    # MS_a + MS_b − MS_e estimates the variance; no component is taken for less than 0
    guarded = np.maximum(a, e) + np.maximum(b, e) - e
    student = student_result(np.asarray(squares.mean), np.sqrt(guarded / cells), _freedom(squares))
    mean_square = cells * np.asarray(squares.mean) ** 2
    # Satterthwaite's degrees of freedom of numerator and denominator of the quasi-F; 1 where there is nothing
    i, j = squares.seeds - 1, squares.item_df
    above = _over((mean_square + squares.rest) ** 2, mean_square**2 + np.asarray(squares.rest) ** 2 / (i * j))
    below = np.asarray(squares.of_seeds) ** 2 / i + np.asarray(squares.of_items) ** 2 / j
    under = _over((np.asarray(squares.of_seeds) + squares.of_items) ** 2, below)
    df = np.where(above > 0, above, 1.0), np.where(under > 0, under, 1.0)
    ratio = _over(mean_square + e, a + b)
    return CrossedResult(
        student=student, quasi_f=ratio, quasi_f_df=(df[0][()], df[1][()]),
        quasi_f_pvalue=np.where(a + b > 0, special.fdtrc(*df, ratio), 1.0), squares=squares,
    )  # fmt: skip


def mean_squares(table: Array, name: str, groups: ArrayLike | None = None) -> MeanSquares:
    """The analysis of variance of (..., seeds, items), or seeds and clusters; what is 0 up to rounding is 0."""
    seeds, items = table.shape[-2:]
    if seeds < 2 or items < 2:
        raise InvalidInput(
            f"{name} must have at least 2 seeds and 2 items, shape (..., seeds, items), got {table.shape}"
        )
    mean = table.mean(axis=(-2, -1))
    of_seeds, of_items = table.mean(axis=-1) - mean[..., None], table.mean(axis=-2) - mean[..., None]
    rest = table - mean[..., None, None] - of_seeds[..., :, None] - of_items[..., None, :]
    noise = 16 * np.finfo(np.float64).eps * np.abs(table).max(axis=(-2, -1))
    cleaned = [np.where(np.abs(part) <= noise.reshape(noise.shape + (1,) * axes), 0.0, part)
               for part, axes in ((of_seeds, 1), (of_items, 1), (rest, 2))]  # fmt: skip
    if groups is not None:
        return _clustered_squares(table, find_clusters(groups, items), mean, cleaned)
    return MeanSquares(
        mean=mean, of_seeds=items * (cleaned[0] ** 2).sum(axis=-1) / (seeds - 1),
        of_items=seeds * (cleaned[1] ** 2).sum(axis=-1) / (items - 1),
        rest=(cleaned[2] ** 2).sum(axis=(-2, -1)) / ((seeds - 1) * (items - 1)), seeds=seeds, items=items,
        item_df=float(items - 1),
    )  # fmt: skip


def _clustered_squares(table: Array, clusters: ClusterNumbers, mean: Array, parts: list[Array]) -> MeanSquares:
    """The mean squares that stand for the same variances of the mean, with clusters in the place of items."""
    (seeds, items), units = table.shape[-2:], len(clusters.sizes)
    of_seeds, _, rest = parts
    between, df = robust_variance(table.mean(axis=-2), clusters)
    left = (clusters.residual_sums(rest) ** 2 / (1 - clusters.sizes / items)).sum(axis=(-2, -1)) / items**2
    return MeanSquares(
        mean=mean, of_seeds=units * (of_seeds**2).sum(axis=-1) / (seeds - 1), of_items=seeds * units * between,
        rest=units * left / (seeds - 1), seeds=seeds, items=units, item_df=df,
    )  # fmt: skip


def least_freedom(*terms: tuple[Numbers, Numbers], less: tuple[Numbers, Numbers] = (0.0, 1.0)) -> Array:
    r"""The least plausible degrees of freedom of a sum of estimated variances.

    `terms` are variances with their degrees of freedom, `less` what was subtracted from their sum.

    Satterthwaite's :math:`(\sum V_i)^2/\sum(V_i^2/\nu_i)` takes the estimates for the variances. A variance of few
    degrees of freedom that comes out small by chance then seems not to matter just where it is underestimated. So each
    term is also taken at its upper 95 % limit, :math:`V_i\nu_i/\chi^2_{.05,\nu_i}`, one at a time, and the least result
    counts; the smallest of the :math:`\nu_i` is a bound that no sum falls below.
    """
    # each component in turn at its upper limit: what the sum's degrees of freedom could be if it was underestimated
    found = [_satterthwaite(terms, less)]
    for place, (variance, df) in enumerate(terms):
        largest = np.asarray(variance) * df / (2 * special.gammaincinv(np.asarray(df) / 2, 0.05))
        found.append(_satterthwaite((*terms[:place], (largest, df), *terms[place + 1 :]), less))
    floor = reduce(np.minimum, (df for _, df in terms))
    return np.asarray(np.maximum(reduce(np.minimum, found), floor))


def _satterthwaite(terms: tuple[tuple[Numbers, Numbers], ...], less: tuple[Numbers, Numbers]) -> Array:
    total = np.maximum(sum((np.asarray(variance) for variance, _ in terms), np.zeros(())) - less[0], 0.0)
    squares = sum((np.asarray(variance) ** 2 / df for variance, df in (*terms, less)), np.zeros(()))
    return _over(total**2, squares)


def _freedom(squares: MeanSquares) -> Array:
    """Of MS_a + MS_b − MS_e."""
    i, j = squares.seeds - 1, squares.item_df
    return least_freedom((squares.of_seeds, i), (squares.of_items, j), less=(squares.rest, i * j))


def _over(above: Array, below: Array) -> Array:
    """A ratio; 0 where there is nothing to divide by."""
    return np.divide(above, below, out=np.zeros(np.broadcast(above, below).shape), where=below > 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpairedSeedsResult(Shown):
    """Outcome of the analysis."""

    student: StudentResult  #: Estimate, standard error, t, degrees of freedom, p-value and interval
    #: a, b: The analysis of variance of each model's marks, with the components of variance of its seeds
    a: MeanSquares
    b: MeanSquares
    item_term: Numbers  #: What the items, or the clusters, add to the squared standard error


def unpaired_seeds(a: ArrayLike, b: ArrayLike, groups: ArrayLike | None = None) -> UnpairedSeedsResult:
    r"""Test whether two models are equally good over new items and new seeds, when their seeds have no common meaning.

    Parameters
    ----------
    a, b
        Marks of shape (..., seeds, items) on the same items, at least two seeds of each model, not necessarily equally
        many. Leading axes are separate experiments.
    groups
        The cluster of each item, where items come in clusters.

    Notes
    -----
    With :math:`d_j` the difference of the models' means over seeds on item j, and :math:`\bar a_i, \bar b_i` the means
    of single seeds over items, the squared standard error of the mean difference is
    :math:`s^2(d)/J+s^2(\bar a)/I_A+s^2(\bar b)/I_B`, with Satterthwaite's degrees of freedom of that sum [1]_, the
    least that are plausible (`least_freedom`). With clusters the first term is the CR2 variance of the items'
    differences, with its own degrees of freedom (`robust_variance`). What varies from cell to cell is in all
    three terms, so that it counts twice: the test is a little cautious.

    References
    ----------
    .. [1] Satterthwaite (1946), An approximate distribution of estimates of variance components, Biometrics
       Bulletin 2, 110-114.

    Examples
    --------
    >>> a = [[0.9, 0.7, 0.8, 0.6], [0.8, 0.7, 0.9, 0.7]]
    >>> b = [[0.6, 0.5, 0.8, 0.5], [0.7, 0.4, 0.7, 0.5], [0.5, 0.5, 0.8, 0.6]]
    >>> result = unpaired_seeds(a, b)
    >>> round(float(result.student.estimate), 4), round(float(result.student.pvalue), 4)
    (0.1708, 0.1447)
    """
    first, second = numbers(a, "a", min_ndim=2), numbers(b, "b", min_ndim=2)
    if first.shape[-1] != second.shape[-1] or first.shape[:-2] != second.shape[:-2]:
        raise InvalidInput(f"a and b must have the same items, shape (..., seeds, items), got {first.shape} and "
                           f"{second.shape}")  # fmt: skip
    of_a, of_b = mean_squares(first, "a", groups), mean_squares(second, "b", groups)
    x = first.mean(axis=-2) - second.mean(axis=-2)
    noise = 16 * np.finfo(np.float64).eps * np.maximum(np.abs(first).max((-2, -1)), np.abs(second).max((-2, -1)))
    mean = x.mean(axis=-1, keepdims=True)
    x = np.where(np.abs(x - mean) <= noise[..., None], mean, x)  # what is constant up to rounding is constant
    over_items = mean_squares(np.stack([x, x], axis=-2), "x", groups)  # one row twice: its items and nothing else
    terms = (
        (np.asarray(over_items.of_items) / (2 * over_items.items), over_items.item_df),
        *((np.asarray(one.of_seeds) / (one.items * one.seeds), one.seeds - 1) for one in (of_a, of_b)),
    )
    total = sum((term for term, _ in terms), np.zeros(()))
    student = student_result(np.asarray(x.mean(axis=-1)), np.sqrt(total), least_freedom(*terms))
    return UnpairedSeedsResult(student=student, a=of_a, b=of_b, item_term=terms[0][0])


# ---- Where the variance of a mean difference comes from, and what more items, trials or seeds would buy.


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceSource(Shown):
    """One source of variance."""

    name: str  #: What varies: "items", "trials" …
    variance: float  #: Between single ones of them
    adds: float  #: What that adds to the squared standard error of the mean difference
    #: Of what more would make it smaller: trials of all items are fewer both by fewer trials and by fewer items
    over: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook(Shown):
    """What so many times as many of something would leave of the standard error."""

    more: str
    factor: float
    standard_error: float

    @property
    def words(self) -> str:
        """With how many more, for people."""
        times = {2: "twice as many", 4: "four times as many", math.inf: "endlessly many"}
        return f"{times.get(self.factor, f'{self.factor:g} times as many')} {self.more}"


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceSplit(Shown):
    """The squared standard error of a mean difference by its sources.

    Examples
    --------
    >>> items = VarianceSource(name="items", variance=0.04, adds=0.0004, over=("items",))
    >>> trials = VarianceSource(name="trials", variance=0.06, adds=0.0002, over=("items", "trials"))
    >>> split = VarianceSplit(standard_error=0.0006**0.5, sources=(items, trials))
    >>> round(split.share("trials"), 3), round(split.with_more(trials=2), 4), round(split.with_more(items=4), 4)
    (0.333, 0.0224, 0.0122)
    """

    standard_error: float  #: As the test has it
    sources: tuple[VarianceSource, ...]  #: What it consists of

    @property
    def units(self) -> tuple[str, ...]:
        """Of what there could be more."""
        return tuple(dict.fromkeys(unit for source in self.sources for unit in source.over))

    def share(self, name: str) -> float:
        """The part of the variance that comes from this source; equal parts where nothing varies."""
        adds = {source.name: source.adds for source in self.sources}
        total = sum(adds.values())
        return adds[name] / total if total > 0 else 1 / len(adds)

    def with_more(self, **factors: float) -> float:
        """The standard error with so many times as many items, trials …

        It is the test's own, scaled as the sum of the sources would be.
        """
        left = sum(
            self.share(source.name) / math.prod(factors.get(unit, 1.0) for unit in source.over)
            for source in self.sources
        )
        return self.standard_error * math.sqrt(left)

    @property
    def outlooks(self) -> tuple[Outlook, ...]:
        """What twice as many, and what very many of each would buy.

        A source whose variance is estimated as 0 may be small, but need not be: nothing is said to leave no error.
        """
        found = (
            Outlook(more=unit, factor=factor, standard_error=self.with_more(**{unit: factor}))
            for unit in self.units
            for factor in (2.0, 4.0 if all(unit in source.over for source in self.sources) else math.inf)
        )
        return tuple(outlook for outlook in found if outlook.standard_error > 0)

    def to_dict(self) -> dict[str, Json]:
        """All of it, ready for JSON; infinitely many are None."""
        return {
            "standard_error": self.standard_error,
            "sources": [
                {
                    "name": source.name, "variance": source.variance, "adds": source.adds,
                    "share": self.share(source.name), "over": list(source.over),
                }
                for source in self.sources
            ],
            "outlook": [
                {
                    "more": outlook.more,
                    "factor": outlook.factor if math.isfinite(outlook.factor) else None,
                    "standard_error": outlook.standard_error,
                }
                for outlook in self.outlooks
            ],
        }  # fmt: skip
