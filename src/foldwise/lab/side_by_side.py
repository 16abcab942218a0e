"""Several null hypotheses side by side: a test that keeps its level on one may not on another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

from foldwise.core.errors import InvalidInput
from foldwise.core.result import Result
from foldwise.core.types import Estimator, Json
from foldwise.lab.gather import Resources
from foldwise.lab.populations import Population, find_population
from foldwise.lab.populations.population import PopulationSpec
from foldwise.lab.rates import Judgement, Rate, RateTable
from foldwise.lab.rejection import type_one_error

__all__ = ["SideBySide", "several_nulls"]


_MARKS = {Judgement.KEPT: " ", Judgement.OPEN: "~", Judgement.BROKEN: "*", Judgement.NO_NULL: "?"}
_LEGEND = {
    "*": "exceeds its level beyond the Monte-Carlo error",
    "~": "too few trials to tell",
    "?": "the learners differ, so that it is no Type I error",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBySide(Result):
    """Type I errors of the same tests on several populations.

    Attributes
    ----------
    tables
        One `RateTable` per population; all have the same tests and levels.
    """

    page: ClassVar[str] = "side_by_side"

    tables: tuple[RateTable, ...]

    def _content(self) -> Mapping[str, Json]:
        """All of it, ready for JSON; `rows` has every rate with its population."""
        rows = [{"population": t.population, **asdict(row)} for t in self.tables for row in t.rows]
        return {"tables": [table._content() for table in self.tables], "rows": rows}

    def exceeding(self, place: int) -> list[str]:
        """The populations on which the test in this row exceeds its level."""
        return [table.population for table in self.tables if table.rows[place].judgement is Judgement.BROKEN]

    def __str__(self) -> str:
        first = self.tables[0]
        width = max(len(row.test) for row in first.rows)
        titles = [f"  {number}  {_title(table)}" for number, table in enumerate(self.tables, 1)]
        heads = "".join(f"{number:>9} " for number in range(1, len(self.tables) + 1))
        lines = [
            f"Type I error on {len(self.tables)} populations",
            "",
            *titles,
            "",
            f"  {'test':<{width}}  alpha {heads}",
        ]
        for place, row in enumerate(first.rows):
            cells = "".join(_cell(table.rows[place]) for table in self.tables)
            lines.append(f"  {row.test:<{width}}  {row.alpha:>5g} {cells}")
        legend = "; ".join(f"{mark} {what}" for mark, what in _LEGEND.items())
        said = [f"\n  {number}: {caveat}" for number, table in enumerate(self.tables, 1) for caveat in table.caveats]
        return "\n".join([*lines, "", f"  {legend}", *said])


def several_nulls(
    tests: str | Sequence[str],
    populations: Sequence[PopulationSpec],
    *,
    learners: Sequence[Estimator | str] = (),
    alpha: float | Sequence[float] = 0.05,
    trials: int = 1000,
    seed: int = 0,
    resources: Resources | None = None,
    **design: int,
) -> SideBySide:
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
    sources = [find_population(population) for population in populations]
    tables = [
        type_one_error(
            tests,
            source,
            learners=given,
            alpha=alpha,
            trials=trials,
            seed=seed,
            resources=resources,
            **design,
        )
        for source in sources
        for given in _shares(source, learners)
    ]
    return SideBySide(tables=tuple(tables))


def _shares(source: Population, learners: Sequence[Estimator | str]) -> list[tuple[Estimator | str, ...]]:
    """The learners of each study on this population."""
    if source.takes == 1:
        return [(learner,) for learner in learners]
    return [tuple(learners) if source.takes else ()]


def _title(table: RateTable) -> str:
    learned = f", {' vs '.join(table.learners)}" if table.learners else ""
    return f"{table.population}{learned} ({table.design.n} examples, {table.rows[0].trials} trials)"


def _cell(row: Rate) -> str:
    return f"{row.rate:>9.3f}{' ' if row.judgement is None else _MARKS[row.judgement]}"
