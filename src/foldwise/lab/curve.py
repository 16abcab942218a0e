"""Power curves: what more data, or more runs of cross-validation, would buy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import ClassVar, Literal

from foldwise.core.errors import InvalidInput
from foldwise.core.result import Result
from foldwise.core.types import Estimator, Json
from foldwise.core.validation import fraction, integer, one_of
from foldwise.kinds import REPEATED_CV, Design, Procedure
from foldwise.lab.blocks import Work
from foldwise.lab.evidence import Evidence, choose_tests
from foldwise.lab.gather import Resources, gather, prepare
from foldwise.lab.populations.population import PopulationSpec
from foldwise.lab.rates import Rate
from foldwise.lab.rejection import rejection_rate

__all__ = ["PowerCurve", "power_curve"]

Over = Literal["n", "runs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerCurve(Result):
    """How often tests find a difference, as the data or the runs grow.

    Attributes
    ----------
    over, values
        "n" or "runs", and the values it takes.
    population, learners, design, seed
        What was simulated; `design` has the largest value.
    curves
        Per test a `Rate` for each value.
    caveats
        What to know besides.
    """

    page: ClassVar[str] = "power_curve"

    over: str
    values: tuple[int, ...]
    population: str
    learners: tuple[str, ...]
    design: Design
    seed: int
    curves: tuple[tuple[Rate, ...], ...]
    caveats: tuple[str, ...] = ()

    def _content(self) -> Mapping[str, Json]:
        """All of it, ready for JSON; `rows` has every rate with its value."""
        shown = {name: getattr(self, name) for name in ("over", "values", "population", "learners", "seed")}
        rows = [
            {self.over: value, **asdict(rate)}
            for curve in self.curves
            for value, rate in zip(self.values, curve, strict=True)
        ]
        return {**shown, "design": asdict(self.design), "rows": rows, "caveats": self.caveats}

    def __str__(self) -> str:
        learned = f", {' vs '.join(self.learners)}" if self.learners else ""
        width = max(len(curve[0].test) for curve in self.curves)
        one = self.curves[0][0]
        lines = [
            f"Power on {self.population}{learned} ({one.trials} trials, alpha {one.alpha:g})",
            "",
            f"  {self.over:<{width}}{''.join(f'{value:>8}' for value in self.values)}",
        ]
        rates = ["".join(f"{rate.rate:>8.3f}" for rate in curve) for curve in self.curves]
        rows = [f"  {curve[0].test:<{width}}{shown}" for curve, shown in zip(self.curves, rates, strict=True)]
        return "\n".join([*lines, *rows, *(f"\n  {caveat}" for caveat in self.caveats)])


def power_curve(
    tests: str | Sequence[str],
    population: PopulationSpec,
    *,
    values: Sequence[int],
    over: Over = "n",
    learners: Sequence[Estimator | str] = (),
    alpha: float = 0.05,
    trials: int = 1000,
    seed: int = 0,
    resources: Resources | None = None,
    **design: int,
) -> PowerCurve:
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
    return PowerCurve(
        over=over,
        values=tuple(wanted),
        population=repr(work.population),
        learners=tuple(map(str, learners)),
        design=largest,
        seed=seed,
        curves=tuple(_curve(procedure, level, points) for procedure in procedures),
        caveats=tuple(dict.fromkeys(note for _, evidence in points for note in evidence.notes)),
    )


def _curve(procedure: Procedure, alpha: float, points: Sequence[tuple[Work, Evidence]]) -> tuple[Rate, ...]:
    return tuple(rejection_rate(procedure, alpha, evidence, work.design) for work, evidence in points)


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
