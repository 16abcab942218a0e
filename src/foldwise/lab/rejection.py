"""Type I error and power: how often tests reject."""

from __future__ import annotations

from collections.abc import Sequence

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Estimator
from foldwise.core.validation import fraction
from foldwise.kinds import Design, Procedure
from foldwise.kinds.resampled import simulated
from foldwise.lab.evidence import Evidence, choose_tests, pvalues
from foldwise.lab.gather import Resources, gather, prepare
from foldwise.lab.populations.population import Null, PopulationSpec
from foldwise.lab.rates import Rate, RateTable, bias_sentence, measure_bias, monte_carlo_rate

__all__ = ["power", "rejection_rate", "type_one_error"]


def type_one_error(
    tests: str | Sequence[str] = "all",
    population: PopulationSpec = "two-kinds",
    *,
    learners: Sequence[Estimator | str] = (),
    alpha: float | Sequence[float] = 0.05,
    trials: int = 1000,
    seed: int = 0,
    resources: Resources | None = None,
    **design: int,
) -> RateTable:
    """Measure how often tests reject a true null hypothesis.

    Parameters
    ----------
    tests
        Names of the catalogue; "all" for the tests of the papers.
    population
        A name, ``name(param=value)``, a function ``f(n, rng)`` that returns (X, y), or a population. Under it the null
        hypothesis must hold.
    learners
        Two learners, by name or as estimators; one or none where the population says so.
    alpha
        One or several significance levels.
    trials
        Number of data sets.
    seed
        Gives the same numbers again.
    resources
        Processes, store, cluster, progress bar.
    **design
        `n`, `runs`, `folds`, `splits`, `parts` of `Design`.

    Returns
    -------
    RateTable
        A rate with its Monte-Carlo interval per test and level.

    Examples
    --------
    >>> table = type_one_error(["mcnemar", "resampled_t"], "two-kinds", trials=1000)
    >>> [str(row.judgement) for row in table.rows]
    ['kept', 'broken']
    """
    return _rejections("type1", tests, population, learners, alpha, trials, seed, resources, Design(**design))


def power(
    tests: str | Sequence[str],
    population: PopulationSpec,
    *,
    learners: Sequence[Estimator | str] = (),
    alpha: float | Sequence[float] = 0.05,
    trials: int = 1000,
    seed: int = 0,
    resources: Resources | None = None,
    **design: int,
) -> RateTable:
    """Measure how often tests find a difference that is there; parameters as in `type_one_error`.

    Examples
    --------
    >>> table = power("mcnemar", "two-kinds(difference=0.1)", trials=1000)
    >>> 0.3 < table.rows[0].rate < 0.7
    True
    """
    return _rejections("power", tests, population, learners, alpha, trials, seed, resources, Design(**design))


def _rejections(
    study: str,
    tests: str | Sequence[str],
    population: PopulationSpec,
    learners: Sequence[Estimator | str],
    alpha: float | Sequence[float],
    trials: int,
    seed: int,
    resources: Resources | None,
    design: Design,
) -> RateTable:
    procedures = choose_tests(tests)
    levels = [fraction(level, "alpha") for level in ([alpha] if isinstance(alpha, (int, float)) else alpha)]
    if not levels:
        raise InvalidInput("alpha must have at least one level")
    work = prepare(procedures, population, learners, design, seed)
    evidence = gather(work, trials, resources)
    null = work.population.null
    claimed = null if study == "type1" else None
    rows = tuple(rejection_rate(p, level, evidence, design, null=claimed) for p in procedures for level in levels)
    biases = [(row.test, row.alpha, row.bias) for row in rows]
    caveats = (null.words, bias_sentence(biases, null)) if study == "type1" else ()
    return RateTable(
        study=study,
        population=repr(work.population),
        learners=tuple(map(str, learners)),
        design=design,
        seed=seed,
        null=null,
        rows=rows,
        caveats=(*(caveat for caveat in caveats if caveat), *evidence.notes),
    )


def rejection_rate(
    procedure: Procedure, alpha: float, evidence: Evidence, design: Design, *, null: Null | None = None
) -> Rate:
    """How often one test at one level rejects; it is judged if a null hypothesis is claimed."""
    kind = simulated(procedure)
    p = pvalues(procedure, evidence, design, alpha)[:, 0]
    return monte_carlo_rate(
        procedure.name,
        alpha,
        int((p < alpha).sum()),
        len(p),
        fits=2 * kind.trainings(design),
        warning=procedure.warning,
        bias=measure_bias(evidence[kind], kind),
        null=null,
    )
