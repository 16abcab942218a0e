"""Sections 4 and 5: simulated learners (Figures 5 and 6), and the two tables of section 5."""

from __future__ import annotations

import warnings
from itertools import pairwise

import numpy as np
from scipy import special

from foldwise.core.errors import DegenerateVariance
from foldwise.core.random import stream
from foldwise.core.types import Array, Json
from foldwise.inference._difference_of_proportions import difference_of_proportions
from foldwise.inference._error_interval import error_interval
from foldwise.inference._mcnemar import mcnemar
from foldwise.inference.five_by_two_cv import five_by_two_cv_t
from foldwise.kinds import FIVE_BY_TWO, Design
from foldwise.lab import type_one_error
from foldwise.lab.evidence import choose_tests
from foldwise.lab.gather import gather, prepare
from foldwise.lab.papers.rows import CONFIDENCE, Chart, Row, Series, claim, unprinted
from foldwise.lab.papers.study import Findings, Task
from foldwise.lab.rates import Judgement, Rate, shown

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


def figure5(task: Task) -> Findings:
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


def figure6(task: Task) -> Findings:
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


def section5(task: Task) -> Findings:
    rows = []
    for name, table in (("left", LEFT), ("right", RIGHT)):
        p = float(difference_of_proportions(*table).pvalue)
        rows.append(claim(f"difference of proportions, {name} table", "p < 0.005", p < 0.005, ours=p))
    left, right = (float(mcnemar(t[1], t[2], method="corrected").pvalue) for t in (LEFT, RIGHT))
    rows.append(claim("McNemar, left table", "no significant difference", left >= 0.05, ours=left))
    rows.append(claim("McNemar, right table", "p < 0.001", right < 0.001, ours=right))
    return Findings(rows=tuple(rows), raw={"left": LEFT, "right": RIGHT})


# ---- Section 7: where the 5×2cv test fails, and Figure 2: the distribution of its statistic.


TESTED = 150
"""Examples in one half of 300."""

RANGE = (0.1, 0.9)
"""Section 7: "simulated data experiments where the error rates fluctuated between 0.1 and 0.9"."""


def section7(task: Task) -> Findings:
    trials = task.pick(smoke=500, quick=20_000, full=100_000)
    own = _type1(_swinging(trials, common=False, rng=stream(task.seed, "section7", "own")))
    common = _type1(_swinging(trials, common=True, rng=stream(task.seed, "section7", "common")))
    steady = _type1(_steady(trials, stream(task.seed, "section7", "steady")))
    rows = (
        _judged("each learner's rate swings by replication", "5×2cv is fooled", own, trials, should_fail=True),
        _judged("rate steady at 0.5", "acceptable", steady, trials, should_fail=False),
        unprinted(
            "both learners' common rate swings",
            common / trials,
            "the paper does not say how its rates fluctuated; swinging together they do no harm",
            low=_limits(common, trials)[0],
            high=_limits(common, trials)[1],
        ),
    )
    note = (
        "Our construction: in each replication a learner has error 0.1 or 0.9 on both folds, so that the folds agree "
        "and the variance estimate misses what varies between replications; on average the learners are equal."
    )
    return Findings(rows=rows, raw={"trials": trials, "own": own, "common": common, "steady": steady}, notes=(note,))


def _swinging(trials: int, *, common: bool, rng: np.random.Generator) -> Array:
    """Differences of shape (trials, 5, 2) when the error rates of the replications jump between the ends of RANGE."""
    low, high = RANGE
    first = np.where(rng.random((trials, 5, 1)) < 0.5, low, high)
    second = first if common else np.where(rng.random((trials, 5, 1)) < 0.5, low, high)
    return _difference(first, second, trials, rng)


def _steady(trials: int, rng: np.random.Generator) -> Array:
    half = np.full((trials, 5, 1), 0.5)
    return _difference(half, half, trials, rng)


def _difference(first: Array, second: Array, trials: int, rng: np.random.Generator) -> Array:
    shape = (trials, 5, 2)
    return np.asarray((rng.binomial(TESTED, second, size=shape) - rng.binomial(TESTED, first, size=shape)) / TESTED)


def _type1(x: Array) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)
        return int(np.sum(five_by_two_cv_t(x).pvalue < 0.05))


def _limits(hits: int, trials: int) -> tuple[float, float]:
    found = error_interval(hits, trials, method="wilson", confidence_level=CONFIDENCE)
    return float(found.low), float(found.high)


def _judged(label: str, statement: str, hits: int, trials: int, *, should_fail: bool) -> Row:
    low, high = _limits(hits, trials)
    over = True if low > 0.05 else False if high <= 0.05 else None
    return claim(label, statement, over if should_fail else over is not True, ours=hits / trials)


def qq_chart(name: str, title: str, statistic: Array) -> Chart:
    """Figure 2 for any sample of the statistic: its sorted values against the quantiles of t(5)."""
    ordered = np.sort(statistic)
    expected = special.stdtrit(5, (np.arange(len(ordered)) + 0.5) / len(ordered))
    keep = np.unique(np.linspace(0, len(ordered) - 1, min(len(ordered), 400)).astype(int))
    points = Series(name="", x=tuple(expected[keep].tolist()), y=tuple(ordered[keep].tolist()))
    return Chart(
        name=name,
        kind="points",
        title=title,
        x_label="quantile of t with 5 df",
        y_label="5×2cv statistic",
        series=(points,),
        diagonal=True,
    )


def qq_findings(label: str, statistic: Array) -> list[Row]:
    """The two statements about Figure 2, for one sample of the statistic."""
    trials = len(statistic)
    inner = np.quantile(statistic, [0.25, 0.75])
    theory = float(special.stdtrit(5, 0.75))
    # 3 standard errors of a quartile: √(p(1−p)/n)/f, f the density of t(5) there
    error = 3 * np.sqrt(0.1875 / trials) / 0.2673
    fits = bool(np.abs(inner - [-theory, theory]).max() <= max(error, 0.1 * theory))
    hits = int((np.abs(statistic) > special.stdtrit(5, 0.975)).sum())
    low, high = _limits(hits, trials)
    calm = True if high < 0.05 else False if low > 0.05 else None
    return [
        claim(f"{label}: quartiles", "fairly good fit to the line", fits, ours=float(inner[1] / theory)),
        claim(
            f"{label}: share beyond ±2.571", "tails somewhat more conservative (below 0.05)", calm, ours=hits / trials
        ),
    ]


# ---- Figure 2: is the 5×2cv statistic distributed as t with 5 degrees of freedom?


def figure2(task: Task) -> Findings:
    trials = task.pick(smoke=500, quick=10_000, full=100_000)
    work = prepare(choose_tests("five_by_two_cv_t"), "two-kinds(error=0.1)", (), Design(), task.seed)
    statistic = np.asarray(five_by_two_cv_t(gather(work, trials)[FIVE_BY_TWO][:, 0]).statistic)
    label = "simulated learners, ε = 0.1"
    chart = qq_chart("simulated", "5×2cv statistic on simulated learners", statistic)
    raw = {"trials": trials, "quantiles": np.quantile(statistic, np.linspace(0.005, 0.995, 100)).tolist()}
    note = "The paper draws its 1000 values on the EXP6 task; here the learners are those of its section 4."
    return Findings(rows=tuple(qq_findings(label, statistic)), charts=(chart,), raw=raw, notes=(note,))
