"""Section 7: where the 5×2cv test fails, and Figure 2: the distribution of its statistic."""

from __future__ import annotations

import warnings

import numpy as np
from scipy import special

from foldwise.core.errors import DegenerateVariance
from foldwise.core.random import stream
from foldwise.core.types import Array
from foldwise.inference._error_interval import error_interval
from foldwise.inference.five_by_two_cv import five_by_two_cv_t
from foldwise.kinds import FIVE_BY_TWO, Design
from foldwise.lab.evidence import choose_tests
from foldwise.lab.gather import gather, prepare
from foldwise.lab.papers.chart import Chart, Series
from foldwise.lab.papers.rows import CONFIDENCE, Row, claim, unprinted
from foldwise.lab.papers.study import Findings, Study, Task

__all__ = [
    "FIGURE_2",
    "SECTION_7",
    "qq_chart",
    "qq_findings",
]

TESTED = 150
"""Examples in one half of 300."""

RANGE = (0.1, 0.9)
"""Section 7: "simulated data experiments where the error rates fluctuated between 0.1 and 0.9"."""


def _section7(task: Task) -> Findings:
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


SECTION_7 = Study(
    key="dietterich1998/section7",
    title="Where the 5×2cv test fails: error rates that swing between 0.1 and 0.9",
    reference="section 7",
    compute=_section7,
    seconds=(0.5, 2),
)


# ---- Figure 2: is the 5×2cv statistic distributed as t with 5 degrees of freedom?


def _figure2(task: Task) -> Findings:
    trials = task.pick(smoke=500, quick=10_000, full=100_000)
    work = prepare(choose_tests("five_by_two_cv_t"), "two-kinds(error=0.1)", (), Design(), task.seed)
    statistic = np.asarray(five_by_two_cv_t(gather(work, trials)[FIVE_BY_TWO][:, 0]).statistic)
    label = "simulated learners, ε = 0.1"
    chart = qq_chart("simulated", "5×2cv statistic on simulated learners", statistic)
    raw = {"trials": trials, "quantiles": np.quantile(statistic, np.linspace(0.005, 0.995, 100)).tolist()}
    note = "The paper draws its 1000 values on the EXP6 task; here the learners are those of its section 4."
    return Findings(rows=tuple(qq_findings(label, statistic)), charts=(chart,), raw=raw, notes=(note,))


FIGURE_2 = Study(
    key="dietterich1998/figure2",
    title="QQ plot of the 5×2cv statistic",
    reference="Figure 2 and section 3.5",
    compute=_figure2,
    seconds=(1, 5),
)
