"""Answers read as a person reads them: no headline claims what the lines below it deny."""

from __future__ import annotations

import re

import numpy as np
import pytest
from report.as_read import NUMBER, answer, contradicted, level, noise, rope, value

import foldwise as fw
from foldwise.core.units import pvalue_text

BETTER = re.compile(r"^(\S+) is better(, but by less than matters in practice|, but probably by less [^.:]*)?[:.]")
SEEDS = range(40)


def contradictions(c):
    """What the headline says that the numbers do not, or the other way round."""
    head, below = answer(c)
    low, high = value(below["p"])
    shown, close = float(re.search(NUMBER, below["p"])[0]), "a close call." in head
    within = re.search(r"within [^:]+: ([<>]? ?[\d.]+) %", below.get("in practice", ""))
    same = None if within is None else value(within[1])
    span = re.search(rf"{100 * (1 - c.alpha):.4g} % CI ({NUMBER}) to ({NUMBER})", head)
    ends = None if span is None else [value(end) for end in span.groups()]
    claimed, level = BETTER.match(head), 100 * (1 - c.alpha)
    if claimed:
        yield "better, but p is not below the level", low >= c.alpha or shown == c.alpha
        yield "better, but the interval has 0 in it", not close and ends is not None and ends[0][1] <= 0
        yield "a close call, but test and interval agree", close and (ends is None or ends[0][0] > 0)
        sure, probable = "by less than" in (claimed[2] or ""), "probably" in (claimed[2] or "")
        if same is not None:
            yield "better, but practically the same is more probable", not (sure or probable) and same[0] > 50
            yield "by less than matters, but that is not sure", sure and not probable and same[1] < level
            yield "probably by less, but it is not probable", probable and same[1] < 50
            yield "probably by less, but it is sure", probable and same[0] > level
    elif re.search("practically the same[.:]", head):
        yield "practically the same, but that is not sure", same is None or same[1] < level
        yield "practically the same, but p is below the level", high < c.alpha
    elif head.startswith("No difference is shown"):
        yield "no difference, but p is below the level", high <= c.alpha
        yield "no difference, but practically the same is sure", same is not None and same[0] > level
        beside = ends is not None and (ends[0][0] > 0 or ends[1][1] < 0)
        yield "no difference, but the interval is beside 0", beside and not close
    elif head.startswith("They differ, but not by a common amount"):
        yield "they differ, but p is not below the level", low >= c.alpha
        small = "by less than matters" in head
        yield (
            "what they differ by matters or does not",
            same is not None and (same[1] < level if small else same[0] > level),
        )
    elif head.startswith("No verdict: the difference is the same everywhere"):
        yield "no verdict, but a test has judged", ends is not None or same is not None or high < 1
    else:
        yield f"an answer of another kind: {head}", "are not distinguishable" not in head


def from_scores(rng):
    shape = [(10, 10), (5, 2), (2, 3), (3, 10), (1, 10)][rng.integers(5)]
    b = rng.normal(0.7, 0.05, shape)
    n = int(rng.choice([20, 100, 1000]))
    return fw.compare_scores(
        {"a": b + noise(rng, shape), "b": b},
        n_train=n - n // shape[1],
        n_test=n // shape[1],
        rope=rope(rng),
        alpha=level(rng),
    )


def from_predictions(rng):
    n = int(rng.choice([4, 12, 60, 500, 5000]))
    truth = rng.integers(0, 2, n)
    wrong = rng.choice([0.0, 0.02, 0.1, 0.3], 2)
    a, b = (np.where(rng.random(n) < w, 1 - truth, truth) for w in wrong)
    groups = rng.integers(0, max(2, n // 5), n) if rng.random() < 0.3 and n > 12 else None
    return fw.compare_predictions(truth, {"a": a, "b": b}, rope=rope(rng), alpha=level(rng), groups=groups)


def from_marks(rng):
    n = int(rng.choice([3, 8, 40, 400]))
    b = rng.normal(size=n)
    return fw.compare_predictions(None, {"a": b + noise(rng, n), "b": b}, rope=rope(rng), alpha=level(rng))


def from_several(rng):
    n, k = int(rng.choice([8, 40, 400])), int(rng.integers(3, 6))
    base = rng.normal(size=n)
    marks = {f"m{i}": base + noise(rng, n) for i in range(k)}
    return fw.compare_predictions(None, marks, metric="mark", rope=rope(rng), alpha=level(rng))


@pytest.mark.parametrize("seed", range(30))
def test_several_models(seed):
    m = from_several(np.random.default_rng(seed))
    text = " ".join(str(m).split())
    for pair in m.pairs:
        beside = pair.low > 0 or pair.high < 0
        assert (pair.better is not None) == (pair.adjusted < m.alpha), text
        named = f"{pair.a} and {pair.b}" in text.partition("Note:")[2]  # Holm finds more than Bonferroni's intervals
        assert (pair.better is not None) == beside or ("although 0 lies within" in text and named), text
    winners = {pair.better for pair in m.pairs if pair.better is not None}
    for name in re.findall(r"(m\d) is better than", text):
        assert name in winners


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.0496, "0.0496"),
        (0.05, "0.05"),
        (0.0500000004, "0.05"),
        (0.050004, "0.050004"),
        (0.00996, "0.00996"),
        (0.034, "0.034"),
    ],
)
def test_no_p_value_is_rounded_to_a_level_that_it_is_not(p, text):
    assert pvalue_text(p) == text


@pytest.mark.parametrize("kind", [from_scores, from_predictions, from_marks])
@pytest.mark.parametrize("seed", SEEDS)
def test_two_learners(kind, seed):
    rng = np.random.default_rng([seed, len(kind.__name__)])
    assert contradicted(kind, rng, contradictions) == []
