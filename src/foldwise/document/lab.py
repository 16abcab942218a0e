"""What the lab measures of tests: Type I error, power, replicability, calibration; and studies of the papers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import foldwise
from foldwise.core.formatting import number_text
from foldwise.core.units import sentence, span
from foldwise.document.document import Bullets, Document, Drawing, Facts, Grid, Section, Tone, details
from foldwise.document.plots import CAPTIONS

if TYPE_CHECKING:
    from foldwise.lab.calibration import QQ, CalibrationTable
    from foldwise.lab.damage import Equalised
    from foldwise.lab.examination import Examination
    from foldwise.lab.papers.study import StudyResult
    from foldwise.lab.rates import RateTable, ReplicabilityTable
    from foldwise.lab.rejection import PowerByNumber, SideBySide


def _simulated(result: Any, *more: Section) -> tuple[Section, ...]:
    """What was simulated: the facts that all studies of the lab share."""
    design = result.design
    learners = " vs ".join(result.learners) or "simulated by the population"
    sizes = f"{design.n} examples, {design.runs} runs, {design.folds} folds, {design.splits} random splits"
    rows = ("population", result.population), ("learners", learners), ("design", sizes), ("seed", str(result.seed))
    return (*more, *details(what_was_simulated=Facts(rows=rows)))


def _subject(result: Any) -> str:
    learned = f", {' vs '.join(result.learners)}" if result.learners else ""
    return f"{result.population}{learned}"


def _methods_sentence(what: str, result: Any, trials: int) -> str:
    learned = f", comparing {' and '.join(result.learners)}," if result.learners else ""
    return (
        f"We measured {what} on {trials} data sets of {result.design.n} examples drawn from {result.population}"
        f"{learned} using foldwise {foldwise.__version__} (seed {result.seed}); intervals are the Monte-Carlo error "
        "at 95 %."
    )


# ---- Type I error and power.


def rates(table: RateTable) -> Document:
    """Which tests keep their level, or find the difference, then all rates."""
    name = {"type1": "Type I error", "power": "Power"}[table.study]
    measured = {"type1": "the Type I error of each test", "power": "the power of each test"}[table.study]
    headline, tone = _rates_answer(table)
    known = tuple(dict.fromkeys(f"{row.test}: {row.warning}." for row in table.rows if row.warning))
    trials = table.rows[0].trials
    return Document(
        title=f"{name} on {_subject(table)}",
        subtitle=f"{table.design.n} examples, {trials} trials",
        headline=headline,
        tone=tone,
        blocks=(_rate_table(table, name),),
        notes=tuple(map(sentence, table.caveats)),
        details=_simulated(table, *details(known_weaknesses=Bullets(items=known) if known else None)),
        methods=_methods_sentence(measured, table, trials),
    )


def rates_plots(table: RateTable) -> dict[str, Drawing]:
    caption = CAPTIONS["type1" if table.study == "type1" else "rate_of_power"]
    return {"rates": Drawing(plot="rates", shows=table, caption=caption)}


_HEADLINES = {
    "no_null": "The learners differ, so that these are no Type I errors",
    "broken": "Above their level",
    "open": "Too few trials to tell",
}


def _rates_answer(table: RateTable) -> tuple[str, Tone]:
    if table.study == "power":
        best = max(table.rows, key=lambda row: row.rate)
        return f"{best.test} finds the difference most often: in {100 * best.rate:.1f} % of the trials.", "decided"
    tests = {what: list(dict.fromkeys(r.test for r in table.rows if r.judgement == what)) for what in _HEADLINES}
    said = [f"{words}: {', '.join(tests[what])}." for what, words in _HEADLINES.items() if tests[what]]
    if said:
        return " ".join(said), "open"
    return "All tests keep their level.", "decided"


def _rate_table(table: RateTable, name: str) -> Grid:
    rows = []
    for row in table.rows:
        numbers = f"{row.alpha:g}", f"{row.rate:.3f}", f"{row.low:.3f} to {row.high:.3f}", str(row.bias), str(row.fits)
        rows.append((row.test, *numbers, row.verdict)[: 6 if table.study == "power" else 7])
    difference = "difference a − b (points)" if table.study == "power" else "bias a − b (points)"
    columns = ("test", "level", name, "95 % interval", difference, "fits", "verdict")
    return Grid(columns=columns[: len(rows[0])], rows=tuple(rows), words=("verdict",))


def several_nulls(result: SideBySide) -> Document:
    """Which tests are not shown to exceed their level on any population, then all rates."""
    rows = result.tables[0].rows
    kept = [row.test for place, row in enumerate(rows) if not result.exceeding(place)]
    titles = tuple(
        f"({number}) {_subject(table)} ({table.design.n} examples, {table.rows[0].trials} trials)"
        for number, table in enumerate(result.tables, 1)
    )
    grid = Grid(
        columns=("test", "level", *(f"({number})" for number in range(1, len(titles) + 1)), "above its level on"),
        rows=tuple(
            (
                row.test,
                f"{row.alpha:g}",
                *(f"{table.rows[place].rate:.3f}{result.mark(table.rows[place])}" for table in result.tables),
                str(len(result.exceeding(place)) or "none"),
            )
            for place, row in enumerate(rows)
        ),
        caption=result.legend,
    )
    said = [f"({number}): {caveat}" for number, table in enumerate(result.tables, 1) for caveat in table.caveats]
    return Document(
        title=f"Type I error on {len(titles)} populations",
        subtitle=f"{rows[0].trials} trials each",
        headline=f"Not shown to exceed its level on any of them: {', '.join(dict.fromkeys(kept)) or 'no test'}.",
        tone="decided" if kept else "open",
        blocks=(grid, Bullets(items=titles)),
        notes=tuple(map(sentence, said)),
        methods=" ".join(
            _methods_sentence("the Type I error of each test", table, table.rows[0].trials) for table in result.tables
        ),
    )


def power_curve(c: PowerByNumber) -> Document:
    """Which test has the highest power at the largest value, then all rates."""
    last = max((row[-1] for row in c.curves), key=lambda rate: rate.rate)
    grid = Grid(
        columns=("test", *(f"{c.over} = {value}" for value in c.values)),
        rows=tuple((row[0].test, *(f"{rate.rate:.3f}" for rate in row)) for row in c.curves),
    )
    return Document(
        title=f"Power on {_subject(c)}",
        subtitle=f"{last.trials} trials, level {last.alpha:g}",
        headline=f"With {c.over} = {c.values[-1]}, {last.test} finds the difference most often: in "
        f"{100 * last.rate:.1f} % of the trials.",
        tone="decided",
        blocks=(grid,),
        notes=tuple(map(sentence, c.caveats)),
        details=_simulated(c),
        methods=_methods_sentence(f"the power of each test by {c.over}", c, last.trials),
    )


# ---- Replicability, calibration, p-values.


def replicability(table: ReplicabilityTable) -> Document:
    """Which test agrees with itself most often, then all of them."""
    best = max(table.rows, key=lambda row: row.rate)
    grid = Grid(
        columns=("test", "all agree", "95 % interval", "at most one differs", "R", "rejections", "fits",
                 "difference a − b (points)"),
        rows=tuple(
            (row.test, f"{row.rate:.3f}", f"{row.low:.3f} to {row.high:.3f}", f"{row.almost_consistent:.3f}",
             f"{row.R:.3f}", f"{row.rejections:.3f}", str(row.fits), str(row.bias))
            for row in table.rows
        ),
    )  # fmt: skip
    return Document(
        title=f"Replicability on {_subject(table)}",
        subtitle=f"{best.trials} data sets, {table.design.repetitions} partitions each",
        headline=f"{best.test} agrees with itself most often: on {100 * best.rate:.1f} % of the data sets.",
        tone="decided",
        blocks=(grid,),
        notes=tuple(map(sentence, table.caveats)),
        details=_simulated(table),
        methods=_methods_sentence("how often each test agrees with itself over partitions", table, best.trials),
    )


def calibration(table: CalibrationTable) -> Document:
    found = sum(row.df > 0 for row in table.rows)
    rows = []
    for row in table.rows:
        scheme = str(row.runs), str(row.folds), f"{row.alpha:g}"
        df = str(row.df) if row.df else "none"
        rows.append((row.test, *scheme, df, str(row.nominal_df), f"{row.rate:.3f}", str(row.bias)))
    columns = ("test", "runs", "folds", "level", "calibrated df", "nominal df", "Type I error", "bias a − b (points)")
    return Document(
        title=f"Calibrated degrees of freedom on {_subject(table)}",
        subtitle=f"{table.design.n} examples, {table.trials} trials",
        headline=f"{found} of {len(table.rows)} tests keep their level with some degrees of freedom.",
        tone="decided" if found == len(table.rows) else "open",
        blocks=(Grid(columns=columns, rows=tuple(rows)),),
        notes=tuple(map(sentence, table.caveats)),
        details=_simulated(table),
        methods=_methods_sentence("the degrees of freedom at which each test keeps its level", table, table.trials),
    )


def qq(result: QQ) -> Document:
    """Whether the p-values could be uniform, then where they are not."""
    word = "could be" if result.uniform else "are not"
    rows = tuple((f"{row['level']:g}", f"{row['rate']:.3f}") for row in result.rows())
    trials = len(result.observed)
    return Document(
        title=f"p-values of {result.test} on {_subject(result)}",
        subtitle=f"{trials} trials",
        headline=f"They {word} uniform.",
        numbers=f"largest distance {result.distance:.3f}, 5 % bound {result.bound:.3f}, bias {result.bias} points",
        tone="decided" if result.uniform else "open",
        blocks=(Grid(columns=("p below", "share of trials"), rows=rows),),
        notes=tuple(map(sentence, result.caveats)),
        details=_simulated(result),
        methods=_methods_sentence(f"the p-values of {result.test}", result, trials),
    )


# ---- Tests on the user's data.


def examination(found: Examination) -> Document:
    """Which test to use, then every test's Type I errors, power and cost."""
    names = _null_names(found)
    trials = found.nulls[0].rows[0].trials
    shared = (("data", found.data), ("learners", " vs ".join(found.learners)), ("seed", str(found.seed)))
    damage = _damage(found.equalised, dict(zip("ab", found.learners, strict=True)))
    damaged = (("made equal by damaging", damage),) if damage else ()
    tests = [row.test for row in found.rows]
    grid = Grid(
        columns=("test", *(f"Type I error, {name}" for name in names), "power", "fits", "verdict"),
        rows=tuple(
            (
                row.test,
                *(f"{rate:.3f}" for rate in row.rates),
                "unknown" if row.power is None else f"{row.power:.3f}",
                str(row.fits),
                row.judgement.words(row.high),
            )
            for row in found.rows
        ),
        mark=tests.index(found.recommended) if found.recommended else None,
        words=("verdict",),
    )
    return Document(
        title=f"Which test to trust on {found.data}",
        subtitle=f"{' vs '.join(found.learners)}, {found.n} examples, {trials} trials, level "
        f"{number_text(found.alpha, 4)}",
        headline=found.sentence(),
        tone="decided" if found.recommended else "open",
        blocks=(grid,),
        notes=tuple(map(sentence, found.caveats)),
        details=details(what_was_simulated=Facts(rows=(*shared, *damaged))),
        methods=f"To choose a test for {' and '.join(found.learners)} on {found.data}, we measured the Type I error of "
        f"each candidate at level {number_text(found.alpha, 4)} on {trials} data sets of {found.n} examples under each "
        f"of these null hypotheses: {', '.join(names)}, using foldwise {foldwise.__version__} (seed {found.seed}).",
    )


def examination_plots(found: Examination) -> dict[str, Drawing]:
    """The Type I errors under each null hypothesis."""
    return {
        name: Drawing(plot="rates", shows=null, caption=f"Null hypothesis “{name}”. {CAPTIONS['type1']}")
        for name, null in zip(_null_names(found), found.nulls, strict=True)
    }


def _null_names(found: Examination) -> list[str]:
    return [null.population.partition("(")[0].lower() for null in found.nulls]


def _damage(made: Equalised | None, names: dict[str, str]) -> str:
    return "; ".join(
        f"{names[match.damaged]} by {match.method} ({number_text(match.amount, 3)}) at {match.n_train} "
        "training examples"
        for match in (made.matches if made else ())
    )


def equalised(made: Equalised) -> Document:
    names = dict(zip("ab", map(str, made.learners), strict=True))
    rows = (("learners", " vs ".join(map(str, made.learners))), ("share of the difference left", f"{made.fraction:g}"))
    damage = _damage(made, names)
    return Document(
        title="Two learners made equally good",
        blocks=(Facts(rows=(*rows, *((("damaged", damage),) if damage else ()))),),
    )


# ---- The papers.


def study(result: StudyResult) -> Document:
    """A study's rows: what was printed, ours, and whether they agree."""
    grid = Grid(
        columns=("", "printed", "ours", "99 % Monte-Carlo", "agrees if", "verdict", "note"),
        rows=tuple(
            (
                row.label,
                row.printed,
                "" if row.ours is None else number_text(row.ours, 4),
                span(row.low, row.high),
                row.rule,
                row.judgement,
                row.note,
            )
            for row in result.rows
        ),
        words=("printed", "agrees if", "verdict", "note"),
        unfolded=True,
    )
    return Document(
        title=f"{result.key}: {result.title}",
        subtitle=f"{result.reference}; {result.scale} scale, seed {result.seed}; made by {result.origin}",
        blocks=(grid,),
        notes=tuple(result.notes),
    )
