"""Which test can be trusted with these learners on this data?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from foldwise.core.errors import DegenerateData, InvalidInput
from foldwise.core.formatting import number_text
from foldwise.core.result import Result
from foldwise.core.types import Estimator, Json
from foldwise.core.validation import fraction
from foldwise.data.attributes import listed
from foldwise.designs import Design
from foldwise.engine.learners import learner_of
from foldwise.lab.damage import Equalised, equalise
from foldwise.lab.gather import Resources
from foldwise.lab.populations.from_data import Exchange, Finite
from foldwise.lab.rates import LevelJudgement, Rate, RateTable, worst
from foldwise.lab.rejection import power, type_one_error

USUAL = 300  # Examples in a trial's data set, if the user's data set has twice as many.


@dataclass(frozen=True, slots=True, kw_only=True)
class ExaminedTest:
    test: str  #: Its name
    rates: tuple[float, ...]  #: Its Type I error on each null hypothesis
    judgement: LevelJudgement  #: Whether it keeps its level on all null hypotheses that hold, as far as the trials tell
    high: float  #: Upper limit of its highest Type I error
    power: float | None  #: How often it finds the learners' real difference; None where that can't be measured
    fits: int  #: Trainings that it costs


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination(Result):
    """What tests do with two learners on a data set."""

    page: ClassVar[str] = "examination"

    #: data, learners, n, alpha, seed: What was examined; n is the number of examples in each trial
    data: str
    learners: tuple[str, str]
    n: int
    alpha: float
    seed: int
    #: The most powerful test of those shown to keep their level, or where there is none, of those not shown to exceed
    #: it; None if that can't be said
    recommended: str | None
    rows: tuple[ExaminedTest, ...]  #: One `ExaminedTest` per test
    nulls: tuple[RateTable, ...]  #: Type I errors in full, one table per null hypothesis
    power: RateTable | None  #: Power in full, on the data set as a population; None where it is too small
    #: How the learners were made equal for the null hypothesis "finite"; None where it was not used
    equalised: Equalised | None
    caveats: tuple[str, ...]  #: What to know besides

    def _content(self) -> Mapping[str, Json]:
        """All of it, ready for JSON; a row's `rate`, `low` and `high` are those of its worst null hypothesis."""
        highest = [_highest(self.nulls, place) for place in range(len(self.rows))]
        rows = [
            {**asdict(row), "rate": bad.rate, "low": bad.low, "high": bad.high}
            for row, bad in zip(self.rows, highest, strict=True)
        ]
        return {
            **{name: getattr(self, name) for name in ("data", "learners", "n", "alpha", "seed", "recommended")},
            "rows": rows,
            "nulls": [null._content() for null in self.nulls],
            "power": self.power._content() if self.power else None,
            "equalised": self.equalised._content() if self.equalised else None,
            "caveats": list(self.caveats),
        }

    def sentence(self) -> str:
        """The answer in a sentence."""
        if all(row.judgement is LevelJudgement.NO_NULL for row in self.rows):
            return "No test can be judged: the learners differ on every null hypothesis that was tried."
        sound = [row for row in self.rows if row.judgement.sound]
        if not sound:
            return "All of these tests exceed their level here."
        if self.recommended is None:
            names = ", ".join(row.test for row in sound)
            return f"{len(sound)} of {len(self.rows)} tests are not shown to exceed their level: {names}."
        best = next(row for row in sound if row.test == self.recommended)
        kept = [row for row in sound if row.judgement is LevelJudgement.KEPT]
        if not kept:
            return (
                f"Use {best.test} if you must choose now: of the {len(sound)} tests not shown to exceed their level it "
                f"finds the difference most often ({best.power:.2f}), at {best.fits} fits; but its Type I error could "
                f"be up to {best.high:.3f}, which more trials would settle."
            )
        return (
            f"Use {best.test}: of the {len(kept)} tests shown to keep their level it finds the difference most "
            f"often ({best.power:.2f}), at {best.fits} fits; its Type I error is at most {best.high:.3f}."
        )


def examine(
    data: object, learners: Sequence[Estimator | str], *, tests: str | Sequence[str] = "all", n: int | None = None,
    alpha: float = 0.05, trials: int = 200, seed: int = 0, target: str | None = None, keep: Sequence[str] = (),
    resources: Resources | None = None, **design: int,
) -> Examination:  # fmt: skip
    """Find which tests keep their level for two learners on a data set, and which of those sees most.

    Parameters
    ----------
    data
        Name or path of a data set, a `Dataset`, or a pair (X, y).
    learners
        Two learners, by name or as estimators.
    tests
        Names of the catalogue; "all" for the tests of the papers.
    n
        Examples in each trial; by default half of the data set, at most 300.
    alpha, trials, seed, resources
        As in `type_one_error`, with one alpha.
    target, keep
        The class column, where it has to be said, and columns that stay although they look like identifiers or dates.
    **design
        `runs`, `folds`, `splits`, `parts` of `Design`.

    Notes
    -----
    Two null hypotheses, because none is harmless. "exchange" draws labels that say nothing, so that all learners are
    equal. "finite" takes the data set as the population and damages the better learner until both are equal
    (`equalise`); it needs 2n examples. Power is measured on "finite" with the learners as they are.
    """
    if len(learners) != 2:
        raise InvalidInput(f"learners must be two, got {len(learners)}")
    chosen: dict[str, Any] = {"data": data, "target": target, "keep": tuple(listed(keep, "keep"))}
    source = Finite(**chosen)
    size = min(source.size // 2, USUAL) if n is None else n
    sizes = Design(n=size, **design)
    level = fraction(alpha, "alpha")
    pair = (learner_of(learners[0]), learner_of(learners[1]))
    options: dict[str, Any] = {"alpha": level, "trials": trials, "seed": seed, "resources": resources, "n": size}
    options |= design
    nulls = [type_one_error(tests, Exchange(**chosen), learners=pair, **options)]
    caveats = [*source.notes, _precision(level, trials)]
    measured = None
    equal = None
    if source.size >= 2 * size:
        equal = _made_equal(pair, source, tests, sizes, trials, seed, resources, caveats)
        if equal is not None:
            nulls.append(type_one_error(tests, source, learners=equal.learners, **options))
        measured = power(tests, source, learners=pair, **options)
    else:
        caveats.append(f"Power needs {2 * size} examples and {source.title} has {source.size}: lower n to measure it.")
    caveats += [f"{_name(null)}: {caveat}" for null in nulls for caveat in null.caveats if caveat not in source.notes]
    rows = _rows(nulls, measured)
    return Examination(
        data=source.title, learners=(str(learners[0]), str(learners[1])), n=size, alpha=level, seed=seed,
        recommended=_recommended(rows), rows=rows, nulls=tuple(nulls), power=measured, equalised=equal,
        caveats=tuple(caveats),
    )  # fmt: skip


def _precision(alpha: float, trials: int) -> str:
    reach = 1.96 * (alpha * (1 - alpha) / trials) ** 0.5
    rate = number_text(alpha, 4)
    return f"With {trials} trials a rate of {rate} is known to within {reach:.3f}; more trials make it more exact."


def _made_equal(
    pair: tuple[Estimator, Estimator], source: Finite, tests: str | Sequence[str], sizes: Design, trials: int,
    seed: int, resources: Resources | None, caveats: list[str],
) -> Equalised | None:  # fmt: skip
    try:
        equal = equalise(
            *pair, source, trials=2 * trials, seed=seed, resources=resources, tests=tests, n=sizes.n, folds=sizes.folds,
            parts=sizes.parts,
        )  # fmt: skip
    except DegenerateData as error:
        caveats.append(f"The learners could not be made equal on this data: {error}.")
        return None
    spread = max(match.standard_error for match in equal.matches)
    caveats.append(
        f"On finite the better learner was damaged; the two are equal to within {100 * spread:.2f} points (s.e.)."
    )
    return equal


def _rows(nulls: Sequence[RateTable], measured: RateTable | None) -> tuple[ExaminedTest, ...]:
    return tuple(
        ExaminedTest(
            test=row.test, rates=tuple(null.rows[place].rate for null in nulls),
            judgement=worst(found for null in nulls if (found := null.rows[place].judgement) is not None),
            high=_highest(nulls, place).high, power=measured.rows[place].rate if measured else None, fits=row.fits,
        )
        for place, row in enumerate(nulls[0].rows)
    )  # fmt: skip


def _recommended(rows: Sequence[ExaminedTest]) -> str | None:
    """The most powerful test shown to keep its level, or else not shown to exceed it; of equals the cheapest."""
    for wanted in (LevelJudgement.KEPT, LevelJudgement.OPEN):
        found = [(row.power, -row.fits, row.test) for row in rows if row.judgement is wanted and row.power is not None]
        if found:
            return max(found)[2]
    return None


def _highest(nulls: Sequence[RateTable], place: int) -> Rate:
    """The highest rate of one test, of the null hypotheses that hold (of all, where none does)."""
    rows = [null.rows[place] for null in nulls]
    hold = [row for row in rows if row.judgement is not LevelJudgement.NO_NULL]
    return max(hold or rows, key=lambda row: row.rate)


def _name(null: RateTable) -> str:
    return null.population.partition("(")[0].lower()
