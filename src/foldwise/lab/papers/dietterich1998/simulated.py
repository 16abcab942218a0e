"""Sections 4, 5 and 7 on simulated learners: Figures 2, 5 and 6, two tables, and where the 5×2cv test fails."""

from __future__ import annotations

import warnings
from itertools import pairwise

import numpy as np
from scipy import special

from foldwise.core.errors import DegenerateVariance
from foldwise.core.random import stream
from foldwise.core.types import Array, Json
from foldwise.designs import FIVE_BY_TWO, REPEATED_CV, Design
from foldwise.inference.five_by_two_cv import five_by_two_cv_t
from foldwise.inference.paired_tables import difference_of_proportions, mcnemar
from foldwise.lab.evidence import choose_tests
from foldwise.lab.gather import gather, prepare
from foldwise.lab.papers.rows import Chart, Row, chart, claim, limits99, measured
from foldwise.lab.papers.study import Findings, Task
from foldwise.lab.rates import ROOM, LevelJudgement, Rate, shown
from foldwise.lab.rejection import type_one_error

IN_FIGURE = "in the figure only"
ABOVE = "99 % interval above 0.05"
ACCEPTABLE = f"99 % interval below {ROOM * 0.05:g}; fails if it is above 0.05"

# The five tests of the paper; McNemar's with the continuity correction of section 3.1.
TESTS = {
    "mcnemar_corrected": "McNemar", "difference_of_proportions": "difference of proportions",
    "resampled_t": "resampled t", "kfold_cv_t": "10-fold cv t", "five_by_two_cv_t": "5×2cv t",
}  # fmt: skip

# Section 5: "Two of the five tests have a probability of Type I error that exceeds the target value of 0.05: the
# difference-of-proportions test and the resampled t test. The remaining tests have acceptable probability."
EXCEED = ("difference_of_proportions", "resampled_t")

ERRORS = (0.1, 0.2, 0.3, 0.4)
REPLICATIONS = (5, 10, 20, 30, 50, 100)


def exceeds(rate: Rate) -> bool | None:
    """Whether a rate is above its level; None where the Monte-Carlo error leaves it open."""
    low, high = limits99(rate.rejections, rate.trials)
    return True if low > rate.alpha else False if high <= rate.alpha else None


def acceptable(rate: Rate) -> bool | None:
    """Whether a test keeps its level; None where there are too few trials to show it."""
    judgement = shown(*limits99(rate.rejections, rate.trials), rate.alpha)
    return {LevelJudgement.KEPT: True, LevelJudgement.BROKEN: False}.get(judgement)


def rate_row(label: str, rate: Rate) -> Row:
    """A rate that is printed nowhere."""
    low, high = limits99(rate.rejections, rate.trials)
    return measured(label, rate.rate, IN_FIGURE, low=low, high=high)


def rate_series(x: object, rates: list[Rate]) -> tuple[object, ...]:
    """Rates with their 99 % intervals, for a chart."""
    low, high = zip(*(limits99(rate.rejections, rate.trials) for rate in rates), strict=True)
    return x, [rate.rate for rate in rates], low, high


def figure5(task: Task) -> Findings:
    trials = task.pick(smoke=500, quick=10_000, full=20_000)
    tables = {
        e: type_one_error(list(TESTS), f"two-kinds(error={e})", trials=trials, seed=task.seed, resources=task.resources)
        for e in ERRORS
    }
    rates = {(test, e): table.rows[i] for e, table in tables.items() for i, test in enumerate(TESTS)}
    rows = []
    for test, title in TESTS.items():
        worst = max((rates[test, e] for e in ERRORS), key=lambda rate: rate.rate)
        said, holds, rule = ("exceeds 0.05", exceeds(worst), ABOVE) if test in EXCEED else (
            "acceptable", acceptable(worst), ACCEPTABLE)  # fmt: skip
        rows.append(claim(f"{title}, highest of four ε", said, holds, rule=rule, ours=worst.rate))
    worst = max(rates.values(), key=lambda rate: rate.rate)
    rows.append(claim("highest of all", "the resampled t test", worst.test == "resampled_t",
                      rule="it is", ours=worst.rate))  # fmt: skip
    rows += [rate_row(f"{TESTS[t]}, ε = {e}", rates[t, e]) for t in TESTS for e in ERRORS]
    bars = {f"ε = {e}": rate_series(tuple(TESTS.values()), [rates[test, e] for test in TESTS]) for e in ERRORS}
    drawn = chart("type1", "bars", "Type I error, simulated learners", ("", "Type I error"), bars, level=0.05)
    note = f"{trials} trials per bar (the paper has 1000), data sets of 300 examples."
    raw = {str(e): table._content() for e, table in tables.items()}
    return Findings(rows=tuple(rows), charts=(drawn,), raw=raw, notes=(note,))


def figure6(task: Task) -> Findings:
    trials = task.pick(smoke=500, quick=4000, full=10_000)

    def measure(test: str, splits: int, folds: int) -> Rate:
        population = "two-kinds(error=0.1)"
        return type_one_error(test, population, trials=trials, seed=task.seed, splits=splits, folds=folds).rows[0]

    resampled = [measure("resampled_t", k, 10) for k in REPLICATIONS]
    crossed = [measure("kfold_cv_t", 30, k) for k in REPLICATIONS]
    limits = [limits99(rate.rejections, rate.trials) for rate in resampled]
    rises = all(b[1] >= a[0] for a, b in pairwise(limits)) and limits[-1][0] > limits[0][1]
    worst = max(crossed, key=lambda rate: rate.rate)
    rows = [
        claim("resampled t", "rises with the number of splits", rises, ours=resampled[-1].rate,
              rule="no 99 % interval below the one before, the last above the first"),
        claim("k-fold cv t, highest", "does not exhibit this problem", acceptable(worst), rule=ACCEPTABLE,
              ours=worst.rate),
    ]  # fmt: skip
    rows += [rate_row(f"resampled t, {k} splits", rate) for k, rate in zip(REPLICATIONS, resampled, strict=True)]
    rows += [rate_row(f"cv t, {k} folds", rate) for k, rate in zip(REPLICATIONS, crossed, strict=True)]
    lines = {"resampled t": rate_series(REPLICATIONS, resampled), "k-fold cv t": rate_series(REPLICATIONS, crossed)}
    drawn = chart("replications", "lines", "Type I error by number of replications, ε = 0.1",
                  ("splits or folds", "Type I error"), lines, level=0.05)  # fmt: skip
    raw: dict[str, Json] = {"replications": REPLICATIONS, "trials": trials}
    raw |= {"resampled_t": [r.rejections for r in resampled], "kfold_cv_t": [r.rejections for r in crossed]}
    return Findings(rows=tuple(rows), charts=(drawn,), raw=raw)


# Section 5: n00, n01, n10, n11 of the two tables, which "have the same difference in error rates of 0.20"
LEFT, RIGHT = (0, 40, 60, 0), (40, 0, 20, 40)


def section5(task: Task) -> Findings:
    rows = []
    for name, table in (("left", LEFT), ("right", RIGHT)):
        p = float(difference_of_proportions(*table).pvalue)
        rows.append(claim(f"difference of proportions, {name} table", "p < 0.005", p < 0.005, rule="p < 0.005", ours=p))
    left, right = (float(mcnemar(t[1], t[2], method="corrected").pvalue) for t in (LEFT, RIGHT))
    rows.append(
        claim("McNemar, left table", "no significant difference", left >= 0.05, rule="p at least 0.05", ours=left)
    )
    rows.append(claim("McNemar, right table", "p < 0.001", right < 0.001, rule="p < 0.001", ours=right))
    return Findings(rows=tuple(rows), raw={"left": LEFT, "right": RIGHT})


# ---- Section 7: "The 5x2cv test will fail in cases where the error rates measured in the various 2-fold
# cross-validation replications vary wildly (even when the difference in error rates is unchanged) … where the error
# rates fluctuated between 0.1 and 0.9."

TESTED = 150  # Examples in one half of 300.

WILL_FAIL = "will fail"
SAME_VARIANCE = (
    "numerator and denominator vary alike: a rate of 0.1 has the variance of 0.9; what fools the test is a first "
    "replication that varies more than the others, see below"
)
SECTION_7 = (
    "Our construction: in each replication both learners have the same error rate, so that the difference is "
    "unchanged and the null hypothesis holds; errors are independent, 150 examples in a half. The paper does not say "
    "how its rates fluctuated. Only the first replication is in the numerator, all five are in the denominator: the "
    "test is fooled where the first has a rate near 0.5, which varies most, and the others rates near 0.1 or 0.9."
)


def section7(task: Task) -> Findings:
    trials = task.pick(smoke=2000, quick=20_000, full=100_000)

    def rng(name: str) -> np.random.Generator:
        return stream(task.seed, "section7", name)

    shape = (trials, 5, 1)
    fooling = np.full(shape, 0.1)
    fooling[:, 0] = 0.5
    cases = {
        "jump": ("common rate jumps between 0.1 and 0.9", np.where(rng("jump").random(shape) < 0.5, 0.1, 0.9)),
        "uniform": ("common rate anywhere between 0.1 and 0.9", rng("uniform").uniform(0.1, 0.9, shape)),
        "fooling": ("first replication at 0.5, the others at 0.1", fooling),
    }
    hits = {name: _rejections(rates, rates, rng(f"{name} errors")) for name, (_, rates) in cases.items()}
    rows = []
    for name, (label, _) in cases.items():
        low, high = limits99(hits[name], trials)
        fails = True if low > 0.05 else False if high <= 0.05 else None
        rows.append(claim(label, WILL_FAIL, fails, rule=ABOVE, ours=hits[name] / trials, why=SAME_VARIANCE))
    half = np.full(shape, 0.5)
    hits["steady"] = _rejections(half, half, rng("steady"))
    low, high = limits99(hits["steady"], trials)
    rows.append(claim("rate steady at 0.5", "acceptable", high < 0.05, rule="99 % interval below 0.05",
                      ours=hits["steady"] / trials))  # fmt: skip
    own = [np.where(rng(f"own {which}").random(shape) < 0.5, 0.1, 0.9) for which in "ab"]
    hits["own"] = _rejections(own[0], own[1], rng("own errors"))
    low, high = limits99(hits["own"], trials)
    rows.append(measured("each learner's own rate jumps between 0.1 and 0.9", hits["own"] / trials,
                         "not the text's case: the difference jumps too", low=low, high=high))  # fmt: skip
    return Findings(rows=tuple(rows), raw={"trials": trials, **hits}, notes=(SECTION_7,))


def _rejections(first: Array, second: Array, rng: np.random.Generator) -> int:
    """How often 5×2cv t rejects, for error rates of shape (trials, 5, 1) of the two learners."""
    shape = (len(first), 5, 2)
    x = (rng.binomial(TESTED, second, size=shape) - rng.binomial(TESTED, first, size=shape)) / TESTED
    return int((_pvalues(x) < 0.05).sum())


def _pvalues(x: Array) -> Array:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)
        return np.asarray(five_by_two_cv_t(x, replications=x.shape[-2]).pvalue)


# ---- Section 3.5: "Our choice of five replications of cross-validation is not arbitrary. Exploratory studies showed
# that using fewer or more than five replications increased the risk of Type I error."

MOST = 30
TRIED = (1, 2, 3, 5, 10, 20, MOST)
WORSE = "some 99 % interval above that of five; fails if all are below it, or below 0.05"
NULLS = {
    "simulated learners, ε = 0.1": ("two-kinds(error=0.1, quality=0)", ()),
    "naive Bayes vs C4.5, binary data": ("bayes-net(set=1)", ("nb", "c45")),
    "1-NN on two halves": ("symmetric-halves()", ("1nn",)),
    "C4.5 on two halves": ("symmetric-halves()", ("c45",)),
}


def replications(task: Task) -> Findings:
    trained = task.pick(smoke=50, quick=400, full=4000)
    rows: list[Row] = []
    raw: dict[str, Json] = {}
    lines = {}
    for name, (population, learners) in NULLS.items():
        trials = trained if learners else 10 * trained
        work = prepare(choose_tests("use_all_data"), population, learners, Design(n=300, runs=MOST, folds=2), task.seed)
        x = gather(work, trials, task.resources)[REPEATED_CV][:, 0]
        hits = {r: int((_pvalues(x[:, :r]) < 0.05).sum()) for r in TRIED}
        limits = {r: limits99(hits[r], trials) for r in TRIED}
        rises = all(hits[a] <= hits[b] for a, b in pairwise((2, 5, 10, MOST)))
        why = f"five have {hits[5] / trials:.3f}" + ("; here the rate rises with their number" if rises else "")
        for which, others in (("fewer", TRIED[:3]), ("more", TRIED[4:])):
            worse = any(limits[r][0] > limits[5][1] for r in others)
            never = all(limits[r][1] < max(limits[5][1], 0.05) for r in others)
            rows.append(claim(f"{name}: {which} than five", "increases the risk of Type I error",
                              True if worse else False if never else None, rule=WORSE,
                              ours=max(hits[r] for r in others) / trials, why=why))  # fmt: skip
        rows += [
            measured(f"{name}: {r} replications", hits[r] / trials, low=low, high=high)
            for r, (low, high) in limits.items()
        ]
        lines[name] = (TRIED, [hits[r] / trials for r in TRIED])
        raw[name] = {"trials": trials, **{str(r): count for r, count in hits.items()}}
    drawn = chart("type1", "lines", "Type I error of r×2cv t", ("replications r", "Type I error"), lines, level=0.05)
    note = "With r replications the statistic has r degrees of freedom. The paper does not describe these studies."
    return Findings(rows=tuple(rows), charts=(drawn,), raw=raw, notes=(note,))


# ---- Figure 2: is the 5×2cv statistic distributed as t with 5 degrees of freedom?


def figure2(task: Task) -> Findings:
    trials = task.pick(smoke=500, quick=10_000, full=100_000)
    work = prepare(choose_tests("five_by_two_cv_t"), "two-kinds(error=0.1)", (), Design(), task.seed)
    statistic = np.asarray(five_by_two_cv_t(gather(work, trials)[FIVE_BY_TWO][:, 0]).statistic)
    drawn = qq_chart("simulated", "5×2cv statistic on simulated learners", statistic)
    raw = {"trials": trials, "quantiles": np.quantile(statistic, np.linspace(0.005, 0.995, 100)).tolist()}
    note = "The paper draws its 1000 values on the EXP6 task; here the learners are those of its section 4."
    rows = qq_rows("simulated learners, ε = 0.1", statistic)
    return Findings(rows=tuple(rows), charts=(drawn,), raw=raw, notes=(note,))


def qq_chart(name: str, title: str, statistic: Array) -> Chart:
    """Figure 2 for any sample of the statistic: its sorted values vs the quantiles of t(5)."""
    ordered = np.sort(statistic)
    expected = special.stdtrit(5, (np.arange(len(ordered)) + 0.5) / len(ordered))
    keep = np.unique(np.linspace(0, len(ordered) - 1, min(len(ordered), 400)).astype(int))
    labels = ("quantile of t with 5 df", "5×2cv statistic")
    return chart(name, "points", title, labels, {"": (expected[keep], ordered[keep])}, diagonal=True)


def qq_rows(label: str, statistic: Array) -> list[Row]:
    """The two statements about Figure 2, for one sample of the statistic."""
    trials = len(statistic)
    inner = np.quantile(statistic, [0.25, 0.75])
    theory = float(special.stdtrit(5, 0.75))
    # 3 standard errors of a quartile: √(p(1−p)/n)/f, f the density of t(5) there
    most = max(3 * float(np.sqrt(0.1875 / trials)) / 0.2673, 0.1 * theory)
    fits = bool(np.abs(inner - [-theory, theory]).max() <= most)
    hits = int((np.abs(statistic) > special.stdtrit(5, 0.975)).sum())
    low, high = limits99(hits, trials)
    calm = True if high < 0.05 else False if low > 0.05 else None
    return [
        claim(f"{label}: quartiles", "fairly good fit to the line", fits, ours=float(inner[1] / theory),
              rule=f"both within {most / theory:.0%} of t's (10 %, or 3 standard errors)"),
        claim(f"{label}: share beyond ±2.571", "tails somewhat more conservative (below 0.05)", calm,
              rule="99 % interval below 0.05; fails if above", ours=hits / trials),
    ]  # fmt: skip
