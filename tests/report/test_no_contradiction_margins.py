"""Answers about margins read as a person reads them: conclusions, limits and headlines say the same."""

from __future__ import annotations

import re

import numpy as np
import pytest
from report.as_read import NUMBER, answer, contradicted, level, noise, rope

import foldwise as fw
from foldwise.evidence.score_table import ScoreTable

SAID = re.compile(r"(\S+) is (superior|non-inferior|equivalent|inferior) to (\S+):|(Undecided): (\S+) may")
SPAN = re.compile(rf"({NUMBER}|−?∞) to ({NUMBER}|−?∞)")


def printed(text):
    return float(text.replace("−", "-").replace("∞", "inf"))


def limits_of(text):
    found = SPAN.search(text)
    return None if found is None else (printed(found[1]), printed(found[2]))


def unlike(concluded, limits, margin):
    """Whether printed limits for the lead of the candidate deny the conclusion; nothing is allowed for rounding."""
    low, high = limits
    if concluded == "superior":
        return low <= margin
    if concluded == "inferior":
        return high >= -margin
    if concluded == "equivalent":
        return low <= -margin or high >= margin
    return (low <= -margin) if concluded == "non-inferior" else low > -margin


def margin_of(text):
    return printed(re.search(NUMBER, text)[0])


def contradictions(c):
    """What the sentence about the margin says that the headline or the numbers do not."""
    head, below = answer(c)
    a, b = c.names
    said = SAID.search(head)
    concluded = (said[2] or said[4]).lower()
    asked, row = next((k, v) for k, v in below.items() if k.startswith("margin "))
    limits, row = limits_of(row), row.partition(";")[0]
    yield "the sentence and the row differ", concluded != row
    if limits is not None:
        lead = limits if c.higher_is_better else (-limits[1], -limits[0])
        yield "the limits deny the conclusion", unlike(concluded, lead, margin_of(asked.rpartition("margin ")[2]))
    better = re.match(r"(\S+) is better", head)
    if better:
        yield "superior, but the other is better", concluded == "superior" and better[1] != a
        yield "inferior, but it is better", concluded == "inferior" and better[1] != b
        yield "worse if at all, but it is shown to be worse", better[1] == b and "if at all" in head
        yield "worse if at all, but it is shown to be better", better[1] == a and "if at all" in head
        yield "may be worse, but it is better", better[1] == a and concluded == "undecided" and "close call" not in head
    else:
        told = "does not show a difference; the limits decide" in " ".join(head.split())
        yield "superior or inferior, but nobody is better", (concluded in ("superior", "inferior")) != told
    # the margin is what matters where one is given, whatever the region of practical equivalence
    yield "what matters is said twice", "matters" in head
    yield "the same, but not within what", re.search("practically the same[.:]", head) is not None


def from_scores(rng):
    shape = [(10, 10), (3, 10), (1, 10)][rng.integers(3)]
    b = rng.normal(0.7, 0.05, shape)
    return fw.compare_scores(
        {"a": b + noise(rng, shape), "b": b},
        n_train=90,
        n_test=10,
        rope=rope(rng),
        alpha=level(rng),
        margin=margin(rng),
        higher_is_better=bool(rng.integers(2)),
    )


def from_predictions(rng):
    n = int(rng.choice([12, 60, 500, 5000]))
    truth = rng.integers(0, 2, n)
    a, b = (np.where(rng.random(n) < w, 1 - truth, truth) for w in rng.choice([0.0, 0.02, 0.1, 0.11, 0.3], 2))
    return fw.compare_predictions(truth, {"a": a, "b": b}, rope=rope(rng), alpha=level(rng), margin=margin(rng))


def from_marks(rng):
    n = int(rng.choice([3, 8, 40, 400]))
    b = rng.normal(size=n)
    higher = bool(rng.integers(2))
    return fw.compare_predictions(
        None,
        {"a": b + noise(rng, n), "b": b},
        rope=rope(rng),
        alpha=level(rng),
        margin=margin(rng),
        higher_is_better=higher,
    )


def margin(rng):
    return float(rng.choice([0.001, 0.005, 0.01, 0.05]))


@pytest.mark.parametrize("kind", [from_scores, from_predictions, from_marks])
@pytest.mark.parametrize("seed", range(40))
def test_two_learners(kind, seed):
    rng = np.random.default_rng([seed, len(kind.__name__), 1])
    assert contradicted(kind, rng, contradictions) == []


def several(rng):
    n, k = int(rng.choice([8, 40, 400])), int(rng.integers(3, 6))
    base = rng.normal(size=n)
    marks = {f"m{i}": base + noise(rng, n) for i in range(k)}
    control = "m1" if rng.random() < 0.5 else None
    return fw.compare_predictions(
        None,
        marks,
        metric="mark",
        rope=rope(rng),
        alpha=level(rng),
        margin=margin(rng),
        options=fw.Options(control=control),
    )


def table(rng):
    n, k = int(rng.choice([6, 12, 30])), int(rng.integers(3, 6))
    base = rng.normal(0.7, 0.1, n)
    scores = np.column_stack([base + noise(rng, n) for _ in range(k)])
    control = "m1" if rng.random() < 0.5 else None
    given = ScoreTable.of(scores, learners=[f"m{i}" for i in range(k)])
    return fw.compare_table(
        given, rope=rope(rng), alpha=level(rng), margin=margin(rng), options=fw.Options(bayes="none", control=control)
    )


def conclusions(m):
    """Candidate, baseline, conclusion and limits of every line about the margin, as they are printed."""
    pattern = re.compile(r"^  (m\d) vs (m\d)\s+(\S+)\s+(.*)$", re.MULTILINE)
    return [(*found[:3], limits_of(found[3])) for found in pattern.findall(str(m))]


@pytest.mark.parametrize("kind", [several, table])
@pytest.mark.parametrize("seed", range(30))
def test_several_learners(kind, seed):
    m = kind(np.random.default_rng([seed, 2]))
    text = str(m)
    asked = margin_of(text.partition("The margin is ")[2])
    rows = conclusions(m)
    assert len(rows) == len(m.pairs)
    for candidate, baseline, concluded, limits in rows:
        better = m.pair(candidate, baseline).better
        assert limits is None or not unlike(concluded, limits, asked), text
        assert (concluded, better) not in {("superior", baseline), ("inferior", candidate)}, text
    more = any(row[2] in ("superior", "inferior") and m.pair(*row[:2]).better is None for row in rows)
    assert more == ("also where the two-sided tests of pairs show no difference" in " ".join(text.split()))
