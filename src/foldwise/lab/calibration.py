"""Calibration: the degrees of freedom at which a test's Type I error is what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Estimator, Json
from foldwise.core.validation import fraction, integer
from foldwise.designs import ONE_CV, RANDOM_SPLITS, REPEATED_CV, Design, find_procedure
from foldwise.designs.resampled import simulated
from foldwise.inference.repeated_cv import VARIANTS, ExplicitDf, explicit_df, explicit_df_corrected, repeated_cv_parts
from foldwise.lab.evidence import Evidence, pvalues
from foldwise.lab.gather import Resources, Simulation, gather, prepare
from foldwise.lab.populations.population import PopulationSpec
from foldwise.lab.rates import Bias, bias_sentence, measure_bias

DF_RANGE = (2, 100)  # Degrees of freedom that are tried (bouckaert2003, section 4).


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """One test calibrated for one scheme and level."""

    #: test, runs, folds, alpha: What was calibrated; `runs` is the number of splits for tests on random splits
    test: str
    runs: int
    folds: int
    alpha: float
    df: int  #: The degrees of freedom whose Type I error is closest to alpha without exceeding it; 0 if none is
    rate: float  #: The Type I error there (at the smallest df tried if there is none)
    nominal_df: int  #: What theory would give for independent differences
    curve: tuple[float, ...]  #: Type I error at each df tried
    bias: Bias  #: How far the learners really are apart on the folds of the test


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationTable(Simulation):
    """Calibrated degrees of freedom of several tests."""

    page: ClassVar[str] = "calibration"

    trials: int  #: Data sets on which the null hypothesis was simulated
    df_range: tuple[int, int]  #: Smallest and largest df tried; `curve` of each row runs over them
    rows: tuple[Calibration, ...]  #: One `Calibration` per test, number of runs and level


def calibrate(
    tests: Sequence[str] = VARIANTS, population: PopulationSpec = "independent-binary", *,
    learners: Sequence[Estimator | str] = ("nb", "c45"), runs: int | Sequence[int] = 10, folds: int = 10,
    alpha: float | Sequence[float] = 0.05, trials: int = 1000, seed: int = 0, resources: Resources | None = None,
    **design: int,
) -> CalibrationTable:  # fmt: skip
    """Find the degrees of freedom at which tests hold their level on a population where the null hypothesis is true.

    Parameters
    ----------
    tests
        The repeated-cv variants, `kfold_cv_t`, `resampled_t` or `corrected_resampled_t`.
    population, learners, trials, seed, resources
        As in `type_one_error`.
    runs
        One or several numbers of runs; all are prefixes of the same simulation. For tests on random splits it is
        the number of splits.
    folds, alpha
        Number of folds, and one or several levels.
    **design
        `n` and `parts` of `Design`.

    Notes
    -----
    With Z = mean·√(df + 1)/σ̂ referred to t(df), more df always reject more, so that the calibrated value is the
    largest df whose Type I error does not exceed alpha. Of df with equal Type I errors the largest is reported.
    """
    for name in tests:
        if name not in _CALIBRATABLE:
            raise InvalidInput(f"only {', '.join(_CALIBRATABLE)} have degrees of freedom to calibrate, got {name!r}")
    wanted = [integer(r, "runs", minimum=2) for r in ([runs] if isinstance(runs, int) else runs)]
    levels = [fraction(level, "alpha") for level in ([alpha] if isinstance(alpha, (int, float)) else alpha)]
    if not (tests and wanted and levels):
        raise InvalidInput("calibration needs at least one test, one number of runs and one alpha")
    sizes = Design(runs=max(wanted), splits=max(wanted), folds=folds, **design)
    work = prepare([find_procedure(name) for name in tests], population, learners, sizes, seed)
    evidence = gather(work, trials, resources)
    rows = [
        _calibrated(name, statistic_parts(name, evidence, sizes, r), (r, folds), level, _bias(name, evidence, r))
        for name in tests
        for r in wanted
        for level in levels
    ]
    null = work.population.null
    said = bias_sentence([(row.test, row.alpha, row.bias) for row in rows], null)
    return CalibrationTable(
        **work.described(learners), trials=trials, df_range=DF_RANGE, rows=tuple(rows),
        caveats=(null.words, *([said] if said else []), *evidence.notes),
    )  # fmt: skip


def _bias(test: str, evidence: Evidence, runs: int) -> Bias:
    """In what the test sees: the folds of one cross-validation, or so many runs or splits."""
    kind = simulated(find_procedure(test))
    seen = evidence[kind]
    return measure_bias(seen if kind == ONE_CV else seen[:, :, :runs], kind)


def _calibrated(test: str, parts: ExplicitDf, scheme: tuple[int, int], alpha: float, bias: Bias) -> Calibration:
    tried = np.arange(DF_RANGE[0], DF_RANGE[1] + 1)
    curve: Array = np.mean(np.asarray(parts.rejects(tried[:, None, None], alpha=alpha))[..., 0], axis=-1)
    holds = np.flatnonzero(curve <= alpha)
    best = int(holds[-1]) if holds.size else -1
    return Calibration(
        test=test, runs=scheme[0], folds=scheme[1], alpha=alpha, bias=bias, df=int(tried[best]) if holds.size else 0,
        rate=float(curve[max(best, 0)]), nominal_df=parts.nominal_df, curve=tuple(curve.tolist()),
    )  # fmt: skip


_CALIBRATABLE = (*VARIANTS, "kfold_cv_t", "resampled_t", "corrected_resampled_t")


def statistic_parts(test: str, evidence: Evidence, design: Design, runs: int | None = None) -> ExplicitDf:
    """What a test computes from the first `runs` runs (all by default), for any degrees of freedom."""
    if test == "kfold_cv_t":
        return explicit_df(evidence[ONE_CV])
    if test == "resampled_t":
        return explicit_df(evidence[RANDOM_SPLITS][..., :runs])
    if test == "corrected_resampled_t":
        return explicit_df_corrected(evidence[RANDOM_SPLITS][..., :runs], test_train_ratio=RANDOM_SPLITS.ratio(design))
    return repeated_cv_parts(evidence[REPEATED_CV][..., :runs, :], variant=test)  # type: ignore[arg-type]


# ---- QQ: is a test's statistic distributed as the test claims?


@dataclass(frozen=True, slots=True, kw_only=True)
class QQ(Simulation):
    """p-values of one test under a true null hypothesis, sorted: uniform if the test is what it claims."""

    page: ClassVar[str] = "qq"

    test: str  #: The test's name
    #: expected, observed: Uniform quantiles (i − ½)/trials and the sorted p-values
    expected: tuple[float, ...]
    observed: tuple[float, ...]
    #: distance, bound: Largest distance of the two distribution functions (Kolmogorov–Smirnov), and the 5 % bound for a
    #: uniform sample
    distance: float
    bound: float
    bias: Bias  #: How far the learners really are apart on the folds of the test

    @property
    def uniform(self) -> bool:
        """Whether the p-values could be uniform, as far as this many trials let one tell."""
        return self.distance <= self.bound

    def _content(self) -> Mapping[str, Json]:
        return asdict(self) | {"uniform": self.uniform, "rows": self.rows()}

    def rows(self) -> list[dict[str, Json]]:
        """Per usual level the share of p-values below it."""
        p = np.array(self.observed)
        return [{"test": self.test, "level": level, "rate": float((p < level).mean())} for level in LEVELS]


USUAL = 0.05  # Level of the bound, and of the test that the bias is judged by.

LEVELS = (0.01, 0.05, 0.1, 0.2, 0.5, 0.8, 0.9)  # Where the distribution of p-values is printed.


def qq(
    test: str, population: PopulationSpec, *, learners: Sequence[Estimator | str] = (), trials: int = 1000,
    seed: int = 0, resources: Resources | None = None, **design: int,
) -> QQ:  # fmt: skip
    """Compare the distribution of a test's p-values under the null hypothesis with the uniform one.

    Parameters
    ----------
    test, population, learners, trials, seed, resources, **design
        As in `type_one_error`, for one test.

    Examples
    --------
    >>> qq("resampled_t", "two-kinds").uniform
    False
    """
    procedure = find_procedure(test)
    sizes = Design(**design)
    work = prepare([procedure], population, learners, sizes, seed)
    evidence = gather(work, trials, resources)
    p = np.sort(pvalues(procedure, evidence, sizes)[:, 0])
    kind = simulated(procedure)
    bias, null = measure_bias(evidence[kind], kind), work.population.null
    said = bias_sentence([(procedure.name, USUAL, bias)], null)
    n = len(p)
    above = np.arange(1, n + 1) / n - p
    below = p - np.arange(n) / n
    return QQ(
        **work.described(learners), test=procedure.name, observed=tuple(p.tolist()),
        expected=tuple(((np.arange(len(p)) + 0.5) / len(p)).tolist()),
        distance=float(max(above.max(), below.max())), bound=float(special.kolmogi(USUAL) / np.sqrt(len(p))), bias=bias,
        caveats=(null.words, *([said] if said else []), *evidence.notes),
    )  # fmt: skip
