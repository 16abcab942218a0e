"""Sections 4 and 5: simulated learners (Figures 5 and 6), and the two tables of section 5."""

from __future__ import annotations

from itertools import pairwise

from foldwise.core.types import Json
from foldwise.inference._difference_of_proportions import difference_of_proportions
from foldwise.inference._error_interval import error_interval
from foldwise.inference._mcnemar import mcnemar
from foldwise.lab import type_one_error
from foldwise.lab.papers.chart import Chart, Series
from foldwise.lab.papers.rows import CONFIDENCE, Row, claim, unprinted
from foldwise.lab.papers.study import Findings, Study, Task
from foldwise.lab.rates import Judgement, Rate, shown

__all__ = ["FIGURE_5", "FIGURE_6", "SECTION_5"]

NOT_IN_TEXT = "the figure's values are not in the paper's text"

TESTS = {
    "mcnemar_corrected": "McNemar",
    "difference_of_proportions": "difference of proportions",
    "resampled_t": "resampled t",
    "kfold_cv_t": "10-fold cv t",
    "five_by_two_cv_t": "5×2cv t",
}
"""The five tests of the paper; McNemar's with the continuity correction of section 3.1."""

# Section 5: "Two of the five tests have a probability of Type I error that exceeds the target value of 0.05: the
# difference-of-proportions test and the resampled t test. The remaining tests have acceptable probability."
EXCEED = ("difference_of_proportions", "resampled_t")

ERRORS = (0.1, 0.2, 0.3, 0.4)
REPLICATIONS = (5, 10, 20, 30, 50, 100)


def limits99(rate: Rate) -> tuple[float, float]:
    """The 99 % Monte-Carlo interval of a rate."""
    found = error_interval(rate.rejections, rate.trials, method="wilson", confidence_level=CONFIDENCE)
    return float(found.low), float(found.high)


def above(rate: Rate, level: float) -> bool | None:
    """Whether a rate is above a level; None where the Monte-Carlo error leaves it open."""
    low, high = limits99(rate)
    return True if low > level else False if high <= level else None


def acceptable(rate: Rate) -> bool | None:
    """Whether a test keeps its level; None where there are too few trials to show it."""
    return {Judgement.KEPT: True, Judgement.BROKEN: False}.get(shown(*limits99(rate), rate.alpha))


def rate_row(label: str, rate: Rate, why: str = NOT_IN_TEXT) -> Row:
    """A rate that is printed nowhere."""
    low, high = limits99(rate)
    return unprinted(label, rate.rate, why, low=low, high=high)


def _figure5(task: Task) -> Findings:
    trials = task.pick(smoke=500, quick=10_000, full=20_000)
    tables = {
        e: type_one_error(list(TESTS), f"two-kinds(error={e})", trials=trials, seed=task.seed, resources=task.resources)
        for e in ERRORS
    }
    rates = {(test, e): table.rows[i] for e, table in tables.items() for i, test in enumerate(TESTS)}
    rows = [_exceeds(test, [rates[test, e] for e in ERRORS]) for test in TESTS]
    worst = max(rates.values(), key=lambda r: r.rate)
    rows.append(claim("highest of all", "the resampled t test", worst.test == "resampled_t", ours=worst.rate))
    rows += [rate_row(f"{TESTS[t]}, ε = {e}", rates[t, e]) for t in TESTS for e in ERRORS]
    series = tuple(_bars(f"ε = {e}", [rates[test, e] for test in TESTS]) for e in ERRORS)
    chart = Chart(
        name="type1",
        kind="bars",
        title="Type I error, simulated learners",
        x_label="",
        y_label="Type I error",
        series=series,
        level=0.05,
    )
    raw = {str(e): table._content() for e, table in tables.items()}
    note = f"{trials} trials per bar (the paper has 1000), data sets of 300 examples."
    return Findings(rows=tuple(rows), charts=(chart,), raw=raw, notes=(note,))


def _exceeds(test: str, rates: list[Rate]) -> Row:
    highest = max(rates, key=lambda rate: rate.rate)
    if test in EXCEED:
        return claim(f"{TESTS[test]}, highest of four ε", "exceeds 0.05", above(highest, 0.05), ours=highest.rate)
    return claim(f"{TESTS[test]}, highest of four ε", "acceptable", acceptable(highest), ours=highest.rate)


def _bars(name: str, rates: list[Rate]) -> Series:
    limits = [limits99(rate) for rate in rates]
    return Series(
        name=name,
        x=tuple(TESTS[rate.test] for rate in rates),
        y=tuple(rate.rate for rate in rates),
        low=tuple(low for low, _ in limits),
        high=tuple(high for _, high in limits),
    )


def _figure6(task: Task) -> Findings:
    trials = task.pick(smoke=500, quick=4000, full=10_000)

    def measure(test: str, splits: int, folds: int) -> Rate:
        population = "two-kinds(error=0.1)"
        return type_one_error(test, population, trials=trials, seed=task.seed, splits=splits, folds=folds).rows[0]

    resampled = [measure("resampled_t", k, 10) for k in REPLICATIONS]
    crossed = [measure("kfold_cv_t", 30, k) for k in REPLICATIONS]
    rises = (
        all(limits99(b)[1] >= limits99(a)[0] for a, b in pairwise(resampled))
        and limits99(resampled[-1])[0] > limits99(resampled[0])[1]
    )
    worst = max(crossed, key=lambda rate: rate.rate)
    rows = [
        claim("resampled t", "rises with the number of splits", rises, ours=resampled[-1].rate),
        claim("k-fold cv t, highest", "does not exhibit this problem", acceptable(worst), ours=worst.rate),
    ]
    rows += [rate_row(f"resampled t, {k} splits", rate) for k, rate in zip(REPLICATIONS, resampled, strict=True)]
    rows += [rate_row(f"cv t, {k} folds", rate) for k, rate in zip(REPLICATIONS, crossed, strict=True)]
    chart = Chart(
        name="replications",
        kind="lines",
        title="Type I error by number of replications, ε = 0.1",
        x_label="splits or folds",
        y_label="Type I error",
        series=(_line("resampled t", resampled), _line("k-fold cv t", crossed)),
        level=0.05,
    )
    raw: dict[str, Json] = {"replications": REPLICATIONS, "trials": trials}
    raw |= {"resampled_t": [r.rejections for r in resampled], "kfold_cv_t": [r.rejections for r in crossed]}
    return Findings(rows=tuple(rows), charts=(chart,), raw=raw)


def _line(name: str, rates: list[Rate]) -> Series:
    limits = [limits99(rate) for rate in rates]
    low, high = (tuple(limit[i] for limit in limits) for i in (0, 1))
    return Series(
        name=name, x=tuple(map(float, REPLICATIONS)), y=tuple(rate.rate for rate in rates), low=low, high=high
    )


# Section 5: n00, n01, n10, n11 of the two tables, which "have the same difference in error rates of 0.20"
LEFT, RIGHT = (0, 40, 60, 0), (40, 0, 20, 40)


def _section5(task: Task) -> Findings:
    rows = []
    for name, table in (("left", LEFT), ("right", RIGHT)):
        p = float(difference_of_proportions(*table).pvalue)
        rows.append(claim(f"difference of proportions, {name} table", "p < 0.005", p < 0.005, ours=p))
    left, right = (float(mcnemar(t[1], t[2], method="corrected").pvalue) for t in (LEFT, RIGHT))
    rows.append(claim("McNemar, left table", "no significant difference", left >= 0.05, ours=left))
    rows.append(claim("McNemar, right table", "p < 0.001", right < 0.001, ours=right))
    return Findings(rows=tuple(rows), raw={"left": LEFT, "right": RIGHT})


FIGURE_5 = Study(
    key="dietterich1998/figure5",
    title="Type I error of five tests on simulated learners",
    reference="Figure 5 and section 5",
    compute=_figure5,
    seconds=(1, 4),
)
FIGURE_6 = Study(
    key="dietterich1998/figure6",
    title="Type I error by number of resampled splits or folds",
    reference="Figure 6 and section 5",
    compute=_figure6,
    seconds=(1, 4),
)
SECTION_5 = Study(
    key="dietterich1998/section5",
    title="Two tables that McNemar's test tells apart",
    reference="section 5",
    compute=_section5,
    seconds=(0.1, 0.1),
)
