"""Figure 1: Type I error of five tests of two search systems, on topics simulated like those of TREC.

The printed figures are drawn from the authors' published output, of which the rates at level .05 stand here. Their
systems are drawn from models fitted to TREC's runs; ours from a population of our own with the same features: both
systems have one marginal law of scores, bounded and skewed, for some measures of few values, and their dependence is
not symmetric, so that the differences have mean 0 but no symmetric law. Numbers are therefore not comparable; what the
paper concludes is.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import special

from foldwise.core.random import stream
from foldwise.core.types import Array, Flags
from foldwise.inference.many.wilcoxon import wilcoxon_signed_rank
from foldwise.inference.student import paired_t
from foldwise.lab.papers.rows import Printed, Row, chart, claim, incomparable, of_share
from foldwise.lab.papers.study import Findings, Study, Task

LEVEL = 0.05
TESTS = ("t", "Wilcoxon", "sign", "bootstrap", "permutation")
TOPICS = (25, 50, 100)

# two-tailed, 1,667,000 trials each: output/type_1/type_1_MEASURE_TOPICS.csv of the authors' repository
# (sigir2019-statistical), at alpha .05; t, Wilcoxon, sign, bootstrap, permutation
PRINTED: dict[tuple[str, int], tuple[str, str, str, str, str]] = {
    ("AP", 25): ("0.0509", "0.0607", "0.0464", "0.0689", "0.0534"),
    ("AP", 50): ("0.0512", "0.0722", "0.0779", "0.0597", "0.0522"),
    ("AP", 100): ("0.0511", "0.0965", "0.1251", "0.0553", "0.0517"),
    ("nDCG@20", 25): ("0.0498", "0.0556", "0.0387", "0.0679", "0.0523"),
    ("nDCG@20", 50): ("0.0504", "0.0617", "0.0592", "0.0588", "0.0515"),
    ("nDCG@20", 100): ("0.0502", "0.0748", "0.0885", "0.0542", "0.0507"),
    ("P@10", 25): ("0.0506", "0.0487", "0.0380", "0.0675", "0.0467"),
    ("P@10", 50): ("0.0503", "0.0526", "0.0552", "0.0585", "0.0481"),
    ("P@10", 100): ("0.0500", "0.0563", "0.0828", "0.0539", "0.0489"),
    ("RR", 25): ("0.0495", "0.0439", "0.0289", "0.0672", "0.0482"),
    ("RR", 50): ("0.0498", "0.0480", "0.0360", "0.0580", "0.0498"),
    ("RR", 100): ("0.0500", "0.0498", "0.0485", "0.0539", "0.0501"),
}

WHY = "our population has the features of theirs, not their fitted models"

# ---- Two systems with one marginal law, whose dependence is not symmetric.


def _ranks(rng: np.random.Generator, trials: int, topics: int) -> tuple[Array, Array]:
    """Uniform scores of two systems on each topic: a Gaussian copula made asymmetric as Khoudraji does."""
    rho, less = rng.uniform(0.3, 0.9, (trials, 1)), rng.uniform(0.3, 0.9, (trials, 1))
    x = rng.standard_normal((trials, topics))
    y = rho * x + np.sqrt(1 - rho**2) * rng.standard_normal((trials, topics))
    u, v = special.ndtr(x), special.ndtr(y)
    v = np.maximum(rng.random((trials, topics)) ** (1 / (1 - less + 1e-9)), v ** (1 / less))
    turned = rng.random((trials, 1)) < 0.5  # the tail in which they agree is low or high
    return np.where(turned, 1 - u, u), np.where(turned, 1 - v, v)


def _beta(rng: np.random.Generator, u: Array, least: float) -> Callable[[Array], Array]:
    """Scores of a Beta law, whose mean another trial has another of, from the least to .3 above."""
    mean, weight = rng.uniform(least, least + 0.3, (len(u), 1)), rng.uniform(1.5, 4, (len(u), 1))
    return lambda ranks: np.asarray(special.betaincinv(mean * weight, (1 - mean) * weight, ranks))


def _reciprocal(rng: np.random.Generator, u: Array) -> Callable[[Array], Array]:
    """1 over the rank of the first relevant document, which is geometric."""
    share = rng.uniform(0.2, 0.5, (len(u), 1))
    return lambda ranks: np.asarray(1 / np.ceil(np.log(np.clip(ranks, 1e-12, 1 - 1e-12)) / np.log(1 - share)))


def _margin(measure: str, rng: np.random.Generator, u: Array) -> Callable[[Array], Array]:
    if measure == "RR":
        return _reciprocal(rng, u)
    scores = _beta(rng, u, 0.25 if measure == "nDCG@20" else 0.15)
    return (lambda ranks: np.round(10 * scores(ranks)) / 10) if measure == "P@10" else scores


def differences(measure: str, topics: int, trials: int, seed: int) -> Array:
    """Differences of two systems with the same mean, (trials, topics)."""
    rng = stream(seed, "urbano", measure, topics)
    u, v = _ranks(rng, trials, topics)
    score = _margin(measure, rng, u)
    return np.asarray(score(u) - score(v))


# ---- The five tests.


def _sign(d: Array) -> Array:
    """Differences up to .01 are ties, as in the paper."""
    above, below = (d > 0.01).sum(axis=1), (d < -0.01).sum(axis=1)
    n = above + below
    return np.asarray(np.minimum(2 * special.bdtr(np.minimum(above, below), np.maximum(n, 1), 0.5), 1.0))


def _resampled(d: Array, draws: int, rng: np.random.Generator, *, signs: bool) -> Array:
    """Of the mean: signs exchanged at random, or topics drawn anew around the mean found."""
    n = d.shape[1]
    if signs:
        weights, centre = rng.choice([-1.0, 1.0], (n, draws)), np.zeros((len(d), 1))
    else:
        weights, centre = rng.multinomial(n, np.full(n, 1 / n), draws).T.astype(float), d.mean(axis=1, keepdims=True)
    means = d @ weights / n - centre
    reached = (np.abs(means) >= np.abs(d.mean(axis=1, keepdims=True)) * (1 - 1e-9)).sum(axis=1)
    return np.asarray((reached + 1) / (draws + 1))


def rejected(d: Array, draws: int, seed: int) -> dict[str, Flags]:
    """By test whether it rejects at level .05."""
    exact = d.shape[1] < 50 and len(np.unique(np.abs(d[0]))) == d.shape[1]
    signed_ranks = wilcoxon_signed_rank(d, np.zeros_like(d), zeros="drop", method="exact" if exact else "normal")
    p = {
        "t": paired_t(d).pvalue, "Wilcoxon": signed_ranks.pvalue, "sign": _sign(d),
        "bootstrap": _resampled(d, draws, stream(seed, "bootstrap"), signs=False),
        "permutation": _resampled(d, draws, stream(seed, "permutation"), signs=True),
    }  # fmt: skip
    return {test: np.asarray(values) <= LEVEL for test, values in p.items()}


def _compute(task: Task) -> Findings:
    trials, draws = task.pick(smoke=200, quick=6_000, full=40_000), task.pick(smoke=199, quick=999, full=4_999)
    rates: dict[tuple[str, int], dict[str, float]] = {}
    rows: list[Row] = []
    for (measure, topics), printed in PRINTED.items():
        parts = [
            rejected(differences(measure, topics, min(trials, 2_000), task.seed + part), draws, task.seed)
            for part in range(max(trials // 2_000, 1))
        ]
        hits = {test: int(sum(part[test].sum() for part in parts)) for test in TESTS}
        rates[measure, topics] = {test: count / trials for test, count in hits.items()}
        for test, text in zip(TESTS, printed, strict=True):
            row = of_share(f"{measure}, {topics} topics: {test}", Printed(text=text), hits[test], trials)
            rows.append(incomparable(row, WHY))
    rows += _claims(rates, trials)
    charts = tuple(
        chart(
            measure.replace("@", ""), "lines", f"Type I error by {measure}", ("topics", "Type I error"),
            {test: (TOPICS, [rates[measure, n][test] for n in TOPICS]) for test in TESTS}, level=LEVEL,
        )
        for measure in dict.fromkeys(measure for measure, _ in PRINTED)
    )  # fmt: skip
    raw = {f"{measure}, {n}": dict(found) for (measure, n), found in rates.items()}
    return Findings(rows=tuple(rows), charts=charts, raw=raw, notes=(f"Numbers are not comparable: {WHY}.",))


def _claims(rates: dict[tuple[str, int], dict[str, float]], trials: int) -> list[Row]:
    """What the paper concludes, and ours."""
    error = 3 * np.sqrt(LEVEL * (1 - LEVEL) / trials)
    many = trials >= 1_000

    def told(statement: str, holds: bool, rule: str, ours: float) -> Row:
        return claim(statement, "said of all measures", holds if many else None, rule=rule, ours=ours, why=WHY)

    def worst(test: str, n: int | None = None) -> float:
        of = [found[test] for (_, topics), found in rates.items() if n in (None, topics)]
        return max(of, key=lambda rate: abs(rate - LEVEL))

    graded = [measure for measure in ("AP", "nDCG@20") if (measure, 25) in rates]
    rise = {
        test: min(rates[measure, 100][test] - rates[measure, 25][test] for measure in graded)
        for test in ("Wilcoxon", "sign")
    }
    above = min(found["bootstrap"] for (_, n), found in rates.items() if n == 25)
    falls = max(rates[measure, 100]["bootstrap"] - rates[measure, 25]["bootstrap"] for measure, n in rates if n == 25)
    return [
        told("the t test keeps its level", abs(worst("t") - LEVEL) < 0.01 + error, "within .01", worst("t")),
        told("the permutation test keeps its level", abs(worst("permutation") - LEVEL) < 0.01 + error, "within .01",
             worst("permutation")),
        told("the bootstrap rejects too often with 25 topics", above > LEVEL + error / 3, "above .05", above),
        told("the bootstrap comes nearer with more topics", falls < 0, "100 topics below 25", falls),
        *(
            told(f"the {test} test rejects the more often the more topics (AP, nDCG)", rise[test] > 0,
                 "100 topics above 25", rise[test])
            for test in rise
        ),
        told("Wilcoxon and sign are above the t test with 100 topics (AP)",
             min(rates["AP", 100]["Wilcoxon"], rates["AP", 100]["sign"]) > rates["AP", 100]["t"], "above",
             min(rates["AP", 100]["Wilcoxon"], rates["AP", 100]["sign"])),
    ]  # fmt: skip


STUDIES = (
    Study(
        key="urbano2019/figure1", title="Type I error of five tests of two search systems",
        reference="Figure 1, two tails, level .05", compute=_compute, seconds=(12, 90),
    ),
)  # fmt: skip
