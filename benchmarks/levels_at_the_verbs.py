"""How often equal models are told apart, through the verbs that people call (one to four minutes a part).

python benchmarks/levels_at_the_verbs.py time|horizons|wholes|panels|time_splits|margins|watch|… [TRIALS] [--store]

Prints a line for each case: the rate of false findings at level .05, its standard error, and how often no verdict was
given where that can be. ``--store`` puts the cases of a part into the measured table, which the guarantees of their
tests are read from (`TESTS`).
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable, Iterator
from typing import Any, cast

import numpy as np
from measuring import write_table
from numpy.typing import NDArray
from scipy.signal import lfilter
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import TimeSeriesSplit
from sklearn.pipeline import make_pipeline

import foldwise as fw
from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.core.table import Table
from foldwise.inference import error_interval
from foldwise.inference.measured import FILE
from foldwise.lab.populations import find_population
from foldwise.learners import create
from foldwise.learners.base import Codes, Learner

Marks = NDArray[np.float64]
Case = tuple[str, Callable[[np.random.Generator], tuple[bool, bool]]]
"""Its words; one trial: whether something false was found, and whether no verdict was given."""


def wandering(rng: np.random.Generator, n: int, phi: float, count: int = 1) -> Marks:
    """Autoregressive series of variance 1, in rows."""
    noise = rng.standard_normal((count, n)) * np.sqrt(1 - phi**2)
    noise[:, 0] /= np.sqrt(1 - phi**2)
    return np.asarray(lfilter([1.0], [1.0, -phi], noise, axis=1))


def in_time() -> Iterator[Case]:
    """Losses, and right and wrong answers, of successive periods."""
    for what in ("losses", "right and wrong"):
        for phi in (0.0, 0.5, 0.8, 0.95):
            for n in (30, 100, 400, 1000):

                def trial(
                    rng: np.random.Generator, what: str = what, phi: float = phi, n: int = n
                ) -> tuple[bool, bool]:
                    if what == "losses":
                        a, b = wandering(rng, n, phi)[0], np.zeros(n)
                    else:
                        a, b = (wandering(rng, n, phi, 2) > -0.5).astype(float)
                    c = fw.compare_predictions(None, {"a": a, "b": b}, time=np.arange(n))
                    return c.pvalue < 0.05, bool(c.findings.withheld)

                yield f"{what}, autocorrelation {phi}, {n} periods", trial


def at_horizons() -> Iterator[Case]:
    """Squared errors of equally good forecasts h periods ahead, whose errors are moving averages of h shocks."""
    for ahead in (1, 3, 6, 12):
        for phi in (0.0, 0.5, 0.8, 0.95):
            for n in (30, 100, 300, 1000):

                def trial(
                    rng: np.random.Generator, ahead: int = ahead, phi: float = phi, n: int = n
                ) -> tuple[bool, bool]:
                    common = wandering(rng, n, phi)[0]
                    shocks = rng.standard_normal((2, n + ahead - 1))
                    a, b = (np.convolve(row, np.ones(ahead) / np.sqrt(ahead), "valid") + common for row in shocks)
                    c = fw.compare_predictions(np.zeros(n), {"a": a, "b": b}, metric="mse", time=np.arange(n))
                    return c.pvalue < 0.05, bool(c.findings.withheld)

                yield f"horizon {ahead}, autocorrelation {phi}, {n} periods", trial


LABELS, NUMBERS = ("f1", "mcc", "youden"), ("rmse", "r2", "smape")


def of_wholes() -> Iterator[Case]:
    """Metrics in order of time, most of all items together: equal forecasts, classifiers and recognisers."""
    for metric in ("rmse", "r2", "f1", "mcc", "youden", "smape", "wer"):
        for phi in (0.0, 0.5, 0.8, 0.95):
            for n in (30, 100, 400, 1000):

                def trial(
                    rng: np.random.Generator, metric: str = metric, phi: float = phi, n: int = n
                ) -> tuple[bool, bool]:
                    x = wandering(rng, n, phi, 2)
                    truth: Any = rng.normal(10, 2, n)
                    models: dict[str, Any] = {"a": x[0], "b": x[1]}
                    if metric in LABELS:
                        truth = rng.integers(0, 2, n)
                        models = {name: np.where(one > -1, truth, 1 - truth) for name, one in models.items()}
                    if metric == "wer":
                        words = rng.integers(3, 30, n)
                        counts = {name: rng.binomial(words, 0.2 / (1 + np.exp(-one))) for name, one in models.items()}
                        truth = None
                        models = {name: {"errors": count, "words": words} for name, count in counts.items()}
                    if metric in NUMBERS:
                        models = {name: truth + one for name, one in models.items()}
                    few = fw.Options(positive=1) if metric in LABELS else None
                    c = fw.compare_predictions(truth, models, metric=metric, time=np.arange(n), options=few)
                    return c.pvalue < 0.05, bool(c.findings.withheld)

                yield f"{metric}, autocorrelation {phi}, {n} periods", trial


def on_panels() -> Iterator[Case]:
    """Losses of series that share shocks by date, averaged by date."""
    for series in (5, 30):
        for phi in (0.0, 0.5, 0.8):
            for n in (30, 100):

                def trial(
                    rng: np.random.Generator, series: int = series, phi: float = phi, n: int = n
                ) -> tuple[bool, bool]:
                    x = wandering(rng, n, phi, series) + wandering(rng, n, phi)
                    losses, dates = x.ravel(), np.tile(np.arange(n), series)
                    c = fw.compare_predictions(None, {"a": losses, "b": np.zeros(series * n)}, time=dates)
                    return c.pvalue < 0.05, bool(c.findings.withheld)

                yield f"{series} series, autocorrelation {phi}, {n} periods", trial


def in_time_splits() -> Iterator[Case]:
    """One learner on two exchangeable pairs of columns, in order of time."""
    columns = [make_columns(*pair) for pair in ((0, 1), (2, 3))]
    for scoring, learner in (
        ("mae", LinearRegression()),
        ("accuracy", LogisticRegression()),
        ("r2", LinearRegression()),
    ):
        for phi in (0.0, 0.8, 0.95):
            for n, splits in ((60, 5), (300, 5), (300, 20)):

                def trial(
                    rng: np.random.Generator,
                    scoring: str = scoring,
                    learner: object = learner,
                    phi: float = phi,
                    n: int = n,
                    splits: int = splits,
                ) -> tuple[bool, bool]:
                    x = wandering(rng, n, phi, 4).T
                    y = x.sum(axis=1) + rng.standard_normal(n)
                    target = (y > np.median(y)).astype(int) if scoring == "accuracy" else y
                    if scoring == "accuracy":  # both classes from the first training set on
                        target[:2], target[n // (splits + 1) - 2 : n // (splits + 1)] = (0, 1), (1, 0)
                    a, b = (make_pipeline(chosen, learner) for chosen in columns)
                    c = fw.compare({"a": a, "b": b}, x, target, cv=TimeSeriesSplit(splits), metric=scoring)
                    return c.pvalue < 0.05, bool(c.findings.withheld)

                yield f"{scoring}, autocorrelation {phi}, {n} examples, {splits} splits", trial


def make_columns(*places: int) -> ColumnTransformer:
    """These columns and no other."""
    return ColumnTransformer([("chosen", "passthrough", list(places))])


def at_margins() -> Iterator[Case]:
    """Models whose true difference is exactly the margin, on either side: what is concluded is false."""
    for false, shift in (("superior", 1), ("non-inferior", -1)):
        for n in (10, 30, 100, 400):
            for margin in (0.05, 0.15):

                def counted(
                    rng: np.random.Generator,
                    false: str = false,
                    n: int = n,
                    lead: float = shift * margin,
                    m: float = margin,
                ) -> tuple[bool, bool]:
                    u = rng.random(n)  # a alone right with .2 + max(lead, 0), b alone with .2 + max(-lead, 0)
                    a_alone = u < 0.2 + max(lead, 0)
                    b_alone = ~a_alone & (u < 0.4 + abs(lead))
                    both = ~a_alone & ~b_alone & (rng.random(n) < 0.8)
                    truth = np.zeros(n, dtype=int)
                    a, b = (np.where(right | both, truth, 1) for right in (a_alone, b_alone))
                    c = fw.compare_predictions(truth, {"a": a, "b": b}, margin=m)
                    found = ("superior",) if false == "superior" else ("superior", "non-inferior", "equivalent")
                    return c.conclusion in found, False

                yield f"right and wrong, {n} items, true difference {shift * margin:+}: {false}", counted
        for groups in (None, 20):
            for n in (20, 200):

                def graded(
                    rng: np.random.Generator,
                    false: str = false,
                    n: int = n,
                    lead: float = shift * 0.1,
                    k: int | None = groups,
                ) -> tuple[bool, bool]:
                    cluster = None if k is None else np.arange(n) % k
                    b = rng.normal(0.5, 0.15, n)
                    own = rng.normal(lead, 0.2, n) + (0 if cluster is None else rng.normal(0, 0.2, k)[cluster])
                    c = fw.compare_predictions(
                        None, {"a": b + own, "b": b}, groups=cluster, margin=0.1, metric="score", higher_is_better=True
                    )
                    found = ("superior",) if false == "superior" else ("superior", "non-inferior", "equivalent")
                    return c.conclusion in found, False

                told = "" if groups is None else f" in {groups} clusters"
                yield f"marks, {n} items{told}, true difference {shift * 0.1:+}: {false}", graded


SIZES: dict[str, Callable[[np.random.Generator], NDArray[np.int64]]] = {
    "60 clusters of 5": lambda rng: np.full(60, 5),
    "60 clusters of 1 to 9": lambda rng: rng.integers(1, 10, 60),
    "one cluster of 150, 40 of 5": lambda rng: rng.permutation([150, *[5] * 40]),
    "8 clusters of 40": lambda rng: np.full(8, 40),
    "clusters that grow, 1 to 30": lambda rng: np.arange(1, 31),
    "sizes that go with the difference": lambda rng: rng.choice([2, 12], 60),
}


def watched() -> Iterator[Case]:
    """Streams of equal models in clusters, looked at after every cluster."""
    for words, sizes in SIZES.items():
        for largest in (None, 150):

            def trial(
                rng: np.random.Generator,
                words: str = words,
                draw: Callable[..., NDArray[np.int64]] = sizes,
                most: int | None = largest,
            ) -> tuple[bool, bool]:
                size = draw(rng)
                lean = rng.choice([-0.45, 0.45], len(size))
                if words.startswith("sizes that go"):  # the mean over items is 0, that over clusters .2
                    lean = np.where(size == 2, 0.48, -0.08) / 2
                p = np.repeat(0.5 + lean, size)
                a, b = (rng.random((2, len(p))) < np.array([p, 1 - p])).astype(int)
                groups = np.repeat(np.arange(len(size)), size)
                found = fw.watch({"a": a, "b": b}, groups=groups, largest_cluster=most, complete=True)
                return found.better is not None, False

            yield f"{words}" + ("" if largest is None else f", largest {largest} told"), trial


def labelled() -> Iterator[Case]:
    """Equal models by people's labels of some items, and a judge of all that favours one of them, or neither."""
    for test in ("ppi", "rogan_gladen"):
        for what in ("right and wrong", "rarely wrong", "grades", "clusters of 5"):
            if test == "rogan_gladen" and what in ("grades", "rarely wrong"):
                continue
            for favour in (0.0, 0.3):
                for labels, items in ((20, 200), (40, 200), (100, 1000)):
                    if test == "rogan_gladen" and labels < 100:
                        continue

                    def trial(
                        rng: np.random.Generator, test: str = test, what: str = what, favour: float = favour,
                        labels: int = labels, items: int = items,
                    ) -> tuple[bool, bool]:  # fmt: skip
                        groups = None if what != "clusters of 5" else np.arange(items) // 5
                        hard = rng.random(items if groups is None else items // 5)
                        hard = (hard if groups is None else hard[groups]) < 0.5
                        if what == "grades":
                            truth = rng.normal(hard, 1, (2, items))
                            judge = truth + rng.normal([[favour], [0.0]], 0.7, (2, items))
                        else:
                            rate = np.where(hard, 0.9, 0.98) if what == "rarely wrong" else np.where(hard, 0.4, 0.8)
                            truth = rng.random((2, items)) < rate
                            lenient = np.array([[0.1 + favour], [0.1]])
                            judge = np.where(truth, rng.random((2, items)) < 0.92, rng.random((2, items)) < lenient)
                        chosen = rng.permutation(items)[:labels]
                        if groups is not None:
                            chosen = np.flatnonzero(np.isin(groups, rng.permutation(items // 5)[: labels // 5]))
                        human = np.full((2, items), np.nan)
                        human[:, chosen] = truth[:, chosen]
                        given = {"a": human[0], "b": human[1]}
                        try:
                            c = fw.compare_predictions(
                                None, {"a": judge[0].astype(float), "b": judge[1].astype(float)}, groups=groups,
                                test=test, options=fw.Options(human=given),
                            )  # fmt: skip
                        except InvalidInput:  # too few labels of one kind for Rogan and Gladen
                            return False, True
                        return c.pvalue < 0.05, c.interval is None

                    yield f"{test}, {what}, judge favours by {favour}, {labels} labels of {items} items", trial


CLUSTERED: dict[str, list[int]] = {
    "20 clusters of 10": [10] * 20,
    "one cluster of 100, 11 of 10": [100, *[10] * 11],
    "100, 300, 100 and 18 of 10": [100, 300, 100, *[10] * 18],
    "5 clusters of 20": [20] * 5,
}


def trained_with_seeds() -> Iterator[Case]:
    """Marks of two equal models trained with several seeds, on items in clusters: three sources of variance."""
    for words, sizes in CLUSTERED.items():
        for seeds in (3, 5, 10):
            for pairing in ("paired", "unpaired"):
                for shares in ((0.3, 0.3), (0.0, 0.5), (0.5, 0.0)):  # of the variance: seeds and clusters

                    def trial(
                        rng: np.random.Generator,
                        sizes: list[int] = sizes,
                        k: int = seeds,
                        pairing: str = pairing,
                        shares: tuple[float, float] = shares,
                    ) -> tuple[bool, bool]:
                        groups = np.repeat(np.arange(len(sizes)), sizes)
                        n, (by_seed, by_cluster) = len(groups), shares
                        marks = [
                            np.sqrt(by_seed) * rng.standard_normal((k, 1))
                            + np.sqrt(by_cluster) * rng.standard_normal(len(sizes))[groups]
                            + np.sqrt(1 - by_seed - by_cluster) * rng.standard_normal((k, n))
                            for _ in range(2)
                        ]
                        c = fw.compare_predictions(
                            None,
                            dict(zip("ab", marks, strict=True)),
                            metric="reward",
                            options=fw.Options(seeds=pairing),
                            groups=groups,
                        )
                        return c.pvalue < 0.05, bool(c.findings.withheld)

                    yield f"{words}, {seeds} {pairing} seeds, seeds {shares[0]:g}, clusters {shares[1]:g}", trial


def table_of(right: NDArray[np.float64], items: list[str], tasks: list[str]) -> Any:
    """Long, as a frame: two models on items of tasks."""
    import pandas as pd

    return pd.DataFrame(
        {
            "task": tasks * 2,
            "item": items * 2,
            "model": ["a"] * len(items) + ["b"] * len(items),
            "correct": right.ravel(),
        }
    )


def drawn_alike(rng: np.random.Generator, difficulty: NDArray[np.float64]) -> NDArray[np.float64]:
    """Two equal models whose answers go with how hard a question is for each of them."""
    return (difficulty + rng.standard_normal((2, difficulty.shape[-1])) > 0).astype(float)


def over_tasks() -> Iterator[Case]:
    """The mean of tasks where items or clusters are shared by tasks, few or many tasks, one much larger."""

    def shared(questions: int, prompts: int) -> Callable[[np.random.Generator], Any]:
        def draw(rng: np.random.Generator) -> Any:
            own = 1.5 * np.tile(rng.standard_normal((2, questions)), prompts)
            return table_of(
                drawn_alike(rng, own), [f"q{q}" for q in range(questions)] * prompts,
                [f"p{p}" for p in range(prompts) for _ in range(questions)],
            )  # fmt: skip

        return draw

    def apart(sizes: list[int]) -> Callable[[np.random.Generator], Any]:
        def draw(rng: np.random.Generator) -> Any:
            own = np.repeat(rng.standard_normal(len(sizes)), sizes)[None]
            keys = [f"t{t}q{q}" for t, size in enumerate(sizes) for q in range(size)]
            return table_of(drawn_alike(rng, own), keys, [f"t{t}" for t, size in enumerate(sizes) for _ in range(size)])

        return draw

    designs = {
        "60 questions under 5 prompts, 5 tasks": shared(60, 5),
        "12 questions in 4 tasks": shared(12, 4),
        "20 tasks of 30 items": apart([30] * 20),
        "5 tasks, one of 600 items and four of 30": apart([600, 30, 30, 30, 30]),
        "3 tasks of 10": apart([10] * 3),
    }
    for words, draw in designs.items():

        def trial(rng: np.random.Generator, draw: Callable[[np.random.Generator], Any] = draw) -> tuple[bool, bool]:
            found = fw.judge(draw(rng)).overall
            return found.pvalue < 0.05, bool(found.findings.withheld)

        yield f"{words}: mean of tasks", trial


def claims_by_task() -> Iterator[Case]:
    """Equal models on many tasks: whether any task is said to have a winner."""
    for tasks, items in ((5, 40), (20, 40), (20, 200)):

        def trial(rng: np.random.Generator, tasks: int = tasks, items: int = items) -> tuple[bool, bool]:
            keys = [f"t{t}q{q}" for t in range(tasks) for q in range(items)]
            own = np.zeros((1, tasks * items))
            frame = table_of(drawn_alike(rng, own), keys, [f"t{t}" for t in range(tasks) for _ in range(items)])
            return any(one.better is not None for one in fw.judge(frame).verdicts.values()), False

        yield f"{tasks} tasks of {items} items: a claim for any task", trial


SIDES = {
    "5 equal clusters": [20] * 5,
    "6 equal clusters": [20] * 6,
    "8 equal clusters": [20] * 8,
    "10 equal clusters": [20] * 10,
    "30 equal clusters": [10] * 30,
    "6 unequal clusters": [60, 30, 15, 10, 5, 5],
    "8 unequal clusters": [100, 50, 25, 12, 6, 3, 2, 1],
    "10 unequal clusters": [100, *[10] * 9],
    "30 unequal clusters": [*range(1, 31)],
}


def in_clusters() -> Iterator[Case]:
    """Right and wrong answers of equal models; the disagreements of a cluster favour one model, mostly or wholly."""
    for words, sizes in SIDES.items():
        for share, law in ((1.0, "wholly on one side"), (0.9, "nine in ten on one side")):

            def trial(rng: np.random.Generator, sizes: list[int] = sizes, share: float = share) -> tuple[bool, bool]:
                groups = np.repeat(np.arange(len(sizes)), sizes)
                side = rng.random(len(sizes))[groups] < 0.5
                of_a = side == (rng.random(len(groups)) < share)
                differ = rng.random(len(groups)) < 0.3
                truth = np.zeros(len(groups), dtype=int)
                a, b = ((differ & wrong).astype(int) for wrong in (of_a, ~of_a))
                c = fw.compare_predictions(truth, {"a": a, "b": b}, groups=groups)
                return c.pvalue < 0.05, bool(c.findings.withheld)

            yield f"{words}, disagreements {law}", trial


TASTES = {"even": "20 votes each", "half": "one with half of the votes", "items": "20 votes each on 30 items"}


def ballots(rng: np.random.Generator, lead: Marks, annotators: int, law: str, spread: float) -> dict[str, Any]:
    """Votes of annotators with tastes of their own; ``items``: of items with strengths of their own, too."""
    size = np.full(annotators, 20)
    size[0] = size[1:].sum() if law == "half" else 20
    who, k = np.repeat(np.arange(annotators), size), len(lead)
    item = rng.integers(0, 30, len(who))
    liked = lead + rng.normal(0, spread, (annotators, k))
    first = rng.integers(0, k, len(who))
    second = (first + rng.integers(1, k, len(who))) % k
    ahead = liked[who, first] - liked[who, second]
    if law == "items":
        of_item = rng.normal(0, spread, (30, k))
        ahead = ahead + of_item[item, first] - of_item[item, second]
    won = np.where(rng.random(len(who)) < 1 / (1 + np.exp(-ahead)), "model_a", "model_b")
    won = np.where(rng.random(len(who)) < 0.15, "tie", won)
    names = np.array([f"m{i}" for i in range(k)])
    table = {"model_a": names[first], "model_b": names[second], "winner": won, "annotator": who}
    return {
        name: column.astype(str).tolist()
        for name, column in (table | {"item": item} if law == "items" else table).items()
    }


def true_rates(lead: Marks, spread: float) -> dict[str, float]:
    """Expected win rates of the population: the model's fit to what its votes are on average."""
    points, weights = np.polynomial.hermite_e.hermegauss(40)
    k = len(lead)
    rows = []
    for i in range(k):
        for j in range(i + 1, k):
            wins = (weights / (1 + np.exp(-(lead[i] - lead[j] + np.sqrt(2) * spread * points)))).sum() / weights.sum()
            shares = {"model_a": 0.85 * wins, "model_b": 0.85 * (1 - wins), "tie": 0.15}
            rows += [{"model_a": f"m{i}", "model_b": f"m{j}", "winner": w, "weight": x} for w, x in shares.items()]
    return dict(fw.compare_votes(rows, models=[f"m{i}" for i in range(k)]).means)


def voted() -> Iterator[Case]:
    """Votes by annotators with tastes of their own: a claim for any pair of equal models."""
    designs = [(law, 0.7) for law in TASTES], [("even", 1.5)]
    for chosen in designs:
        for models in (2, 3):
            for annotators in (3, 5, 12, 30, 50):
                for law, spread in chosen:

                    def trial(
                        rng: np.random.Generator,
                        k: int = models,
                        annotators: int = annotators,
                        law: str = law,
                        spread: float = spread,
                    ) -> tuple[bool, bool]:
                        c = fw.compare_votes(ballots(rng, np.zeros(k), annotators, law, spread))
                        return any(pair.better is not None for pair in c.pairs), False

                    strong = ", strong tastes" if spread > 1 else ""
                    yield f"{models} models, {annotators} annotators, {TASTES[law]}{strong}", trial


def covered() -> Iterator[Case]:
    """Votes for unequal models: whether the interval of the first one's expected win rate misses it."""
    for lead in (np.array([0.8, 0.0]), np.array([1.0, 0.3, 0.0, -0.8])):
        truth = true_rates(lead, 0.7)["m0"]
        for annotators in (3, 5, 12, 30, 50):
            for law in ("even", "half"):

                def trial(
                    rng: np.random.Generator, lead: Marks = lead, truth: float = truth, annotators: int = annotators,
                    law: str = law,
                ) -> tuple[bool, bool]:  # fmt: skip
                    names = [f"m{i}" for i in range(len(lead))]
                    try:
                        c = fw.compare_votes(ballots(rng, lead, annotators, law, 0.7), models=names)
                    except InvalidInput:  # a model that never loses
                        return False, True
                    span = c.parts[0].mean_intervals
                    return not float(np.asarray(span.low)[0]) <= truth <= float(np.asarray(span.high)[0]), False

                yield f"{len(lead)} unequal models, {annotators} annotators, {TASTES[law]}", trial


def sliced() -> Iterator[Case]:
    """Right and wrong answers with one true difference in all slices: the test of interaction."""
    for shares in ((0.25,) * 4, (0.9, 0.1), (0.6, 0.2, 0.1, 0.1)):
        for n in (60, 200, 1000):
            for cluster in (1, 5):

                def trial(
                    rng: np.random.Generator, shares: tuple[float, ...] = shares, n: int = n, cluster: int = cluster
                ) -> tuple[bool, bool]:
                    groups = np.arange(n) // cluster
                    of = rng.choice(len(shares), n // cluster, p=shares)[groups]
                    hard = rng.random(n // cluster)[groups]
                    a, b = (0.6 * hard + 0.4 * rng.random(n) < level for level in (0.7, 0.55))
                    try:
                        c = fw.compare_predictions(
                            None, {"a": a.astype(int), "b": b.astype(int)}, slices=[f"s{i}" for i in of],
                            groups=None if cluster == 1 else groups,
                        )  # fmt: skip
                    except InvalidInput:  # fewer than two slices with 5 items
                        return False, True
                    assert c.slices is not None
                    if not c.slices.interactions:
                        return False, True
                    return c.slices.interactions[0].pvalue < 0.05, False

                yield (
                    f"{len(shares)} slices of {', '.join(f'{x:g}' for x in shares)}, {n} items, clusters of {cluster}",
                    trial,
                )


def on_frontiers() -> Iterator[Case]:
    """Models of equal quality and cost: any of them said to be dominated, or on the frontier."""
    import pandas as pd

    for k in (2, 4, 8):
        for n in (30, 100, 400):
            for law in ("alike", "heavy costs"):

                def trial(rng: np.random.Generator, k: int = k, n: int = n, law: str = law) -> tuple[bool, bool]:
                    hard = rng.random(n)
                    right = (0.6 * hard + 0.4 * rng.random((k, n)) < 0.6).astype(int)
                    cost = rng.gamma(3, 1, (k, n)) if law == "alike" else rng.lognormal(0, 1, (k, n))
                    frame = pd.DataFrame(
                        {"model": np.repeat([f"m{i}" for i in range(k)], n), "item": np.tile(np.arange(n), k),
                         "correct": right.ravel(), "cost": cost.ravel()}
                    )  # fmt: skip
                    return any(one != "undecided" for one in fw.frontier(frame).found.status), False

                yield f"{k} models, {n} items, {law}", trial


def ordered() -> Iterator[Case]:
    """Risk scores of equally good survival models, and scores for a part of the area, on scales of their own."""
    for metric in ("c_index", "c_index_uno", "partial_auc@0.1", "partial_auc@0.3"):
        for n in (40, 100, 300):
            for few in (False, True):

                def trial(
                    rng: np.random.Generator, metric: str = metric, n: int = n, few: bool = few
                ) -> tuple[bool, bool]:
                    x = rng.standard_normal(n)
                    a, b = (x + rng.standard_normal(n) for _ in range(2))
                    happened, ended = rng.exponential(np.exp(-x)), rng.exponential(0.4 if few else 3, n)
                    truth: Any = {"time": np.minimum(happened, ended), "event": happened <= ended}
                    if "auc" in metric:
                        truth = (x + rng.standard_normal(n) > (1 if few else 0)).astype(int)
                    c = fw.compare_predictions(truth, {"a": a, "b": np.exp(b)}, metric=metric)
                    return c.pvalue < 0.05, c.interval is None

                yield f"{metric}, {n} examples, {'a quarter' if few else 'half'} with the event", trial


def read_by_several() -> Iterator[Case]:
    """Ratings of cases by readers who differ in skill, and in which of two equal modalities suits them."""
    for metric in ("roc_auc", "sensitivity"):
        for readers in (3, 5, 10):
            for cases in (50, 120):
                for own in (0.0, 0.4):

                    def trial(
                        rng: np.random.Generator,
                        metric: str = metric,
                        shape: tuple[int, int] = (readers, cases),
                        own: float = own,
                    ) -> tuple[bool, bool]:
                        r, n = shape
                        ill = (np.arange(n) % 5 < 2).astype(int)
                        skill = 1 + rng.normal(0, 0.2, (r, 1)) + rng.normal(0, own, (2, r, 1))
                        shown = rng.normal(0, 0.7, n) + rng.normal(0, 0.4, (2, 1, n))
                        ct, mri = 1.2 * skill * ill + shown + rng.normal(0, 0.7, (2, r, n))
                        options = fw.Options(readers=np.repeat(np.arange(r), n), threshold=0.8)
                        c = fw.compare_predictions(
                            np.tile(ill, r), {"ct": ct.ravel(), "mri": mri.ravel()}, metric=metric,
                            items=np.tile(np.arange(n), r), options=options,
                        )  # fmt: skip
                        return c.pvalue < 0.05, c.interval is None

                    yield f"{metric}, {readers} readers, {cases} cases, tastes {own:g}", trial


class Half(Learner):
    """A learner of ours that sees one half of the columns, with its kernel."""

    def __init__(self, learner: str = "nb", half: int = 0) -> None:
        self.learner = learner
        self.half = half

    def _part(self, table: Table) -> Table:
        columns = table.shape[1] // 2
        return table.columns(slice(self.half * columns, (self.half + 1) * columns))

    def _fit(self, table: Table, codes: Codes, n_classes: int) -> None:
        self.learner_ = cast(Learner, create(self.learner))
        self.learner_._fit(self._part(table), codes, n_classes)

    def _predict_proba(self, table: Table) -> Marks:
        return self.learner_._predict_proba(self._part(table))

    def _cross_predict(self, table: Table, codes: Codes, folds: Codes, n_classes: int) -> Codes:
        return cast(Learner, create(self.learner))._cross_predict(self._part(table), codes, folds, n_classes)


PEOPLE = 5


def settled_verdicts() -> Iterator[Case]:
    """Learners on two halves of the columns by ``runs="auto"``: does the first find one, do five people not agree?"""
    for learner in ("nb", "1nn", "c45"):
        for difference in (0.0, 0.25):
            population = find_population(f"symmetric-halves(difference={difference})")
            halves = {"a": Half(learner, 0), "b": Half(learner, 1)}

            def trial(
                rng: np.random.Generator, population: Any = population, halves: dict[str, Half] = halves
            ) -> tuple[bool, bool]:
                sample = population.draw(100, rng)
                seeds = rng.integers(2**31, size=PEOPLE).tolist()
                found = [
                    fw.compare(halves, np.asarray(sample.X), sample.y, runs="auto", random_state=seed, n_jobs=1).better
                    for seed in seeds
                ]
                return found[0] is not None, len(set(found)) > 1

            yield f"{learner}, 100 examples, {f'{difference} apart' if difference else 'equal'}", trial


PARTS: dict[str, tuple[Callable[[], Iterator[Case]], int]] = {
    "time": (in_time, 1000),
    "horizons": (at_horizons, 600),
    "panels": (on_panels, 600),
    "wholes": (of_wholes, 400),
    "time_splits": (in_time_splits, 300),
    "margins": (at_margins, 1000),
    "watch": (watched, 1000),
    "seeds": (trained_with_seeds, 400),
    "tasks": (over_tasks, 600),
    "claims": (claims_by_task, 300),
    "labels": (labelled, 2000),
    "clusters": (in_clusters, 1000),
    "votes": (voted, 400),
    "rates": (covered, 400),
    "slices": (sliced, 600),
    "frontiers": (on_frontiers, 400),
    "order": (ordered, 600),
    "readers": (read_by_several, 500),
    "auto": (settled_verdicts, 100),
}
"""The cases of each part, and the trials of a case that take a few minutes."""

SILENT = {"auto": f"verdicts of {PEOPLE} people differ"}
"""What the second share counts, where that is not that no verdict was given."""


TESTS: dict[str, Callable[[str], str]] = {
    "time": lambda words: "diebold_mariano",
    "time_splits": lambda words: "diebold_mariano_splits",
    "wholes": lambda words: {"wer": "diebold_mariano_counts", "smape": "diebold_mariano"}.get(
        words.partition(",")[0], "diebold_mariano_metrics"
    ),
    "seeds": lambda words: "unpaired_seeds" if "unpaired" in words else "crossed",
    "tasks": lambda words: "mean_of_tasks",
    "labels": lambda words: words.partition(",")[0],
    "clusters": lambda words: "clustered_difference",
    "votes": lambda words: "bradley_terry",
    "slices": lambda words: "interaction",
    "frontiers": lambda words: "frontier",
    "order": lambda words: "rank_jackknife_t",
    "readers": lambda words: "obuchowski_rockette",
}
"""The test of each case, of the parts that guarantees are read from."""


def stored_row(part: str, words: str, found: int, trials: int) -> dict[str, Any]:
    """A case as the measured table has it, with Wilson's limits of its Monte-Carlo error."""
    limits = error_interval(found, trials, method="wilson")
    share = {"rate": found / trials, "low": float(limits.low), "high": float(limits.high)}
    type1 = {key: round(value, 4) for key, value in share.items()} | {"trials": trials}
    made = f"python benchmarks/levels_at_the_verbs.py {part}"
    return {"test": TESTS[part](words), "case": words, "made by": made, "type1": type1}


def store(part: str, rows: list[dict[str, Any]]) -> None:
    """Put the rows in the place of those of the same cases."""
    table, new = json.loads(FILE.read_text(encoding="utf-8")), {(row["made by"], row["case"]) for row in rows}
    kept = [row for row in table.get("verbs", {"rows": []})["rows"] if (row["made by"], row["case"]) not in new]
    write_table(FILE, {**table, "verbs": {"population": "equal models, through the verb", "rows": [*kept, *rows]}})


def main() -> None:
    """One line for each case."""
    parser = argparse.ArgumentParser()
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("trials", nargs="?", type=int)
    parser.add_argument("--store", action="store_true")
    parser.add_argument("--only", default="", help="cases whose words begin so")
    told = parser.parse_args()
    cases, trials = PARTS[told.part]
    trials = told.trials or trials
    warnings.simplefilter("ignore", DegenerateVariance)
    rows = []
    for place, (words, trial) in enumerate(cases()):
        if not words.startswith(told.only):
            continue
        rng = np.random.default_rng((25, place))
        found, silent = np.mean([trial(rng) for _ in range(trials)], axis=0)
        beside = f", {SILENT.get(told.part, 'no verdict')} {silent:.2f}" if silent else ""
        print(f"{found:.3f} ± {np.sqrt(found * (1 - found) / trials):.3f}   {words}{beside}", flush=True)
        if told.store:
            rows.append(stored_row(told.part, words, round(found * trials), trials))
    if rows:
        store(told.part, rows)


if __name__ == "__main__":
    main()
