"""Type I error and power: how often tests reject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import ClassVar, Literal

from foldwise.core.errors import InvalidInput
from foldwise.core.result import Result
from foldwise.core.types import Estimator, Json
from foldwise.core.validation import fraction, integer, one_of
from foldwise.designs import REPEATED_CV, Design, Procedure
from foldwise.designs.resampled import simulated
from foldwise.lab.evidence import Evidence, choose_tests, pvalues
from foldwise.lab.gather import Resources, Simulation, Work, gather, prepare
from foldwise.lab.populations import find_population
from foldwise.lab.populations.population import Null, PopulationSpec
from foldwise.lab.rates import LevelJudgement, Rate, RateTable, bias_sentence, measure_bias, monte_carlo_rate


def type_one_error(
    tests: str | Sequence[str] = "all", population: PopulationSpec = "two-kinds", *,
    learners: Sequence[Estimator | str] = (), alpha: float | Sequence[float] = 0.05, trials: int = 1000, seed: int = 0,
    resources: Resources | None = None, **design: int,
) -> RateTable:  # fmt: skip
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
    tests: str | Sequence[str], population: PopulationSpec, *, learners: Sequence[Estimator | str] = (),
    alpha: float | Sequence[float] = 0.05, trials: int = 1000, seed: int = 0, resources: Resources | None = None,
    **design: int,
) -> RateTable:  # fmt: skip
    """Measure how often tests find a difference that is there; parameters as in `type_one_error`.

    Examples
    --------
    >>> table = power("mcnemar", "two-kinds(difference=0.1)", trials=1000)
    >>> 0.3 < table.rows[0].rate < 0.7
    True
    """
    return _rejections("power", tests, population, learners, alpha, trials, seed, resources, Design(**design))


def _rejections(
    study: str, tests: str | Sequence[str], population: PopulationSpec, learners: Sequence[Estimator | str],
    alpha: float | Sequence[float], trials: int, seed: int, resources: Resources | None, design: Design,
) -> RateTable:  # fmt: skip
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
        **work.described(learners), study=study, null=null, rows=rows,
        caveats=(*(caveat for caveat in caveats if caveat), *evidence.notes),
    )  # fmt: skip


def rejection_rate(
    procedure: Procedure, alpha: float, evidence: Evidence, design: Design, *, null: Null | None = None
) -> Rate:
    """How often one test at one level rejects; it is judged if a null hypothesis is claimed."""
    kind = simulated(procedure)
    p = pvalues(procedure, evidence, design, alpha)[:, 0]
    return monte_carlo_rate(
        procedure.name, alpha, int((p < alpha).sum()), len(p), fits=2 * kind.trainings(design),
        warning=procedure.warning, bias=measure_bias(evidence[kind], kind), null=null,
    )  # fmt: skip


# ---- Several null hypotheses side by side: a test that keeps its level on one may not on another.


_MARKS = {LevelJudgement.KEPT: "", LevelJudgement.OPEN: "~", LevelJudgement.BROKEN: "*", LevelJudgement.NO_NULL: "?"}
_LEGEND = {
    "*": "exceeds its level beyond the Monte-Carlo error",
    "~": "too few trials to tell",
    "?": "the learners differ, so that it is no Type I error",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBySide(Result):
    """Type I errors of the same tests on several populations."""

    page: ClassVar[str] = "side_by_side"

    tables: tuple[RateTable, ...]  #: One `RateTable` per population; all have the same tests and levels

    def _content(self) -> Mapping[str, Json]:
        """All of it, ready for JSON; `rows` has every rate with its population."""
        rows = [{"population": t.population, **asdict(row)} for t in self.tables for row in t.rows]
        return {"tables": [table._content() for table in self.tables], "rows": rows}

    def exceeding(self, place: int) -> list[str]:
        """The populations on which the test in this row exceeds its level."""
        return [table.population for table in self.tables if table.rows[place].judgement is LevelJudgement.BROKEN]

    def mark(self, row: Rate) -> str:
        """A sign for what the trials tell of a rate; `legend` explains it."""
        return "" if row.judgement is None else _MARKS[row.judgement]

    @property
    def legend(self) -> str:
        """What the signs mean."""
        return "; ".join(f"{mark} {what}" for mark, what in _LEGEND.items())


def several_nulls(
    tests: str | Sequence[str], populations: Sequence[PopulationSpec], *, learners: Sequence[Estimator | str] = (),
    alpha: float | Sequence[float] = 0.05, trials: int = 1000, seed: int = 0, resources: Resources | None = None,
    **design: int,
) -> SideBySide:  # fmt: skip
    """Measure Type I errors on several populations where the null hypothesis holds.

    Parameters
    ----------
    populations
        As `type_one_error` takes them.
    tests, learners, alpha, trials, seed, resources, **design
        As in `type_one_error`. Populations that simulate their learners are not given any; one that compares a learner
        with itself has a table for each of them.

    Examples
    --------
    >>> both = several_nulls(["mcnemar"], ["two-kinds(error=0.1)", "two-kinds(error=0.4)"], trials=500)
    >>> [len(table.rows) for table in both.tables]
    [1, 1]
    """
    if not populations:
        raise InvalidInput("populations must name at least one population")
    tables = []
    for source in map(find_population, populations):
        # one that compares a learner with itself has a table for each of them
        shares = [(one,) for one in learners] if source.takes == 1 else [tuple(learners) if source.takes else ()]
        tables += [
            type_one_error(
                tests, source, learners=given, alpha=alpha, trials=trials, seed=seed, resources=resources, **design,
            )
            for given in shares
        ]  # fmt: skip
    return SideBySide(tables=tuple(tables))


# ---- Power curves: what more data, or more runs of cross-validation, would buy.


Over = Literal["n", "runs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerByNumber(Simulation):
    """How often tests find a difference, as the data or the runs grow."""

    page: ClassVar[str] = "power_curve"

    #: over, values: "n" or "runs", and the values it takes
    over: str
    values: tuple[int, ...]
    curves: tuple[tuple[Rate, ...], ...]  #: Per test a `Rate` for each value

    def _content(self) -> Mapping[str, Json]:
        """All of it, ready for JSON; `rows` has every rate with its value."""
        shown = {name: getattr(self, name) for name in ("over", "values", "population", "learners", "seed")}
        rows = [
            {self.over: value, **asdict(rate)}
            for curve in self.curves
            for value, rate in zip(self.values, curve, strict=True)
        ]
        return {**shown, "design": asdict(self.design), "rows": rows, "caveats": self.caveats}


def power_curve(
    tests: str | Sequence[str], population: PopulationSpec, *, values: Sequence[int], over: Over = "n",
    learners: Sequence[Estimator | str] = (), alpha: float = 0.05, trials: int = 1000, seed: int = 0,
    resources: Resources | None = None, **design: int,
) -> PowerByNumber:  # fmt: skip
    """Measure power as a function of the number of examples or of the runs of cross-validation.

    Parameters
    ----------
    values
        The numbers of examples or runs.
    over
        "n" or "runs". All numbers of runs are prefixes of the same simulation.
    tests, population, learners, alpha, trials, seed, resources, **design
        As in `type_one_error`.

    Examples
    --------
    >>> curve = power_curve("mcnemar", "two-kinds(difference=0.1)", values=[100, 600], trials=500)
    >>> curve.curves[0][0].rate < curve.curves[0][1].rate
    True
    """
    one_of(over, "over", ("n", "runs"))
    wanted = sorted({integer(value, over, minimum=2) for value in values})
    if not wanted:
        raise InvalidInput(f"values must name at least one {over}")
    level = fraction(alpha, "alpha")
    procedures = choose_tests(tests)
    largest = Design(**{**design, over: wanted[-1]})
    work = prepare(procedures, population, learners, largest, seed)
    parts = _by_runs if over == "runs" else _by_size
    points = parts(work, wanted, trials, resources)
    return PowerByNumber(
        **work.described(learners), over=over, values=tuple(wanted),
        curves=tuple(
            tuple(rejection_rate(procedure, level, evidence, part.design) for part, evidence in points)
            for procedure in procedures
        ),
        caveats=tuple(dict.fromkeys(note for _, evidence in points for note in evidence.notes)),
    )  # fmt: skip


def _by_size(work: Work, sizes: Sequence[int], trials: int, resources: Resources | None) -> list[tuple[Work, Evidence]]:
    smaller = [replace(work, design=replace(work.design, n=size)) for size in sizes]
    return [(part, gather(part, trials, resources)) for part in smaller]


def _by_runs(work: Work, runs: Sequence[int], trials: int, resources: Resources | None) -> list[tuple[Work, Evidence]]:
    if REPEATED_CV not in work.kinds:
        raise InvalidInput("over='runs' needs a test that works on repeated cross-validation")
    whole = gather(work, trials, resources)
    return [
        (
            replace(work, design=replace(work.design, runs=r)),
            replace(whole, arrays={**whole.arrays, REPEATED_CV.name: whole[REPEATED_CV][:, :, :r]}),
        )
        for r in runs
    ]
