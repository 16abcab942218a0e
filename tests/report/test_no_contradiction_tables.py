"""Answers about tables and files read as a person reads them: no headline claims what the lines below it deny."""

from __future__ import annotations

import re

import numpy as np
import pytest
from report.as_read import level, noise, rope, value

import foldwise as fw
from foldwise.evidence.score_table import ScoreTable

PAIR = re.compile(r"^  (m\d) − (m\d)\s+(\S+)\s+(\d+)–(\d+)–(\d+)\s+(<? ?\S+)\s+(<? ?[\d.]+)(.*)$", re.MULTILINE)
BETTER_THAN = re.compile(r"(m\d(?:(?:, | and )m\d)*) (?:is|are) (better|worse) than (m\d)")


def table(rng):
    n, k = int(rng.choice([3, 6, 12, 30])), int(rng.integers(2, 6))
    base = rng.normal(0.7, 0.1, n)
    scores = np.column_stack([base + noise(rng, n) for _ in range(k)])
    if rng.random() < 0.3:  # wins often by little, loses seldom by much
        scores[:, 0] = scores[:, -1] + np.where(np.arange(n) % 7 == 0, -0.3, 0.01)
    given = ScoreTable.of(scores, learners=[f"m{i}" for i in range(k)], higher_is_better=bool(rng.random() < 0.7))
    control = "m1" if rng.random() < 0.4 else None
    return fw.compare_table(
        given, rope=rope(rng), alpha=level(rng), options=fw.Options(bayes=rng.choice(["none", "sign"]), control=control)
    )


def contradictions(c):
    """What the headline of a table says that the lines do not, or the other way round."""
    text = c.details()
    head = " ".join(text.split("\n\n")[1].split())
    rows = {(a, b): rest for a, b, *rest in PAIR.findall(text)}
    yield "pairs are missing", len(rows) != len(c.pairs)
    adjusted = {names: value(rest[5]) for names, rest in rows.items()}
    differ = {names for names, (low, high) in adjusted.items() if high <= c.alpha or (low < c.alpha < high)}
    sure = {names for names, (_, high) in adjusted.items() if high <= c.alpha}
    claimed = {(pair.a, pair.b) for pair in c.pairs if pair.better is not None}
    yield "a pair is called different, but its p-value is not below the level", not claimed <= differ
    if head.startswith("No answer is possible"):
        yield "no answer, but a p-value is below the level", bool(sure)
        return
    yield "a p-value is below the level, but the pair is not called different", not sure <= claimed
    if head.startswith("No difference is shown"):
        yield "no difference, but pairs differ", bool(claimed)
    counted = re.search(r"(\d+) of (\d+) pairs? differ", head)
    yield "pairs are counted wrong", counted is not None and int(counted[1]) != len(claimed)
    best = re.match(r"(m\d) is (?:best|better[.:])", head)
    if best:
        yield "best, but not better than all", len(c.beaten()[best[1]]) != len(c.learners) - 1
    for names, side, other in BETTER_THAN.findall(head):
        for name in re.findall(r"m\d", names):
            winner = name if side == "better" else other
            yield f"{name} is {side} than {other}, but the pair is not", c.pair(name, other).better != winner
    yield from small(c, head, rows)
    yield from turned(c, text)
    yield from together(c, text, claimed)


def small(c, head, rows):
    """Differences that are called too small to matter are so, and as surely as they are said to be."""
    for names, sure in re.findall(r"The difference between (.*?) is( probably)? less than matters", head):
        for a, b in re.findall(r"(m\d) and (m\d)", names):
            same = value(re.findall(r"[<>]? ?[\d.]+ %", rows[a, b][6])[1])
            yield "less than matters, but that is not probable", same[1] < 50
            yield "less than matters, but that is not sure", not sure and same[1] < 100 * (1 - c.alpha)


def turned(c, text):
    """Where the better one has the worse mean, somebody says so."""
    sign = 1 if c.table.higher_is_better else -1
    against = [pair for pair in c.pairs if pair.better is not None and sign * pair.lead_of_better < 0]
    yield "better, but its mean is worse", bool(against) and "but its mean" not in " ".join(text.split())


def together(c, text, claimed):
    """Where all pairs together and each alone say different things, somebody says so."""
    if len(c.pairs) == 1:  # "all" are the two of the pair
        assert "all the same?" not in text
        return
    low, high = value(re.search(r"all the same\?.* p (?:= )?(<? ?[\d.]+)", text)[1])
    said = "two questions" in " ".join(text.split())
    yield "all the same is not ruled out, but pairs differ", low > c.alpha and bool(claimed) and not said
    yield "not all the same, but no pair differs", high < c.alpha and not claimed and not said


@pytest.mark.parametrize("seed", range(60))
def test_tables(seed):
    rng, found = np.random.default_rng([seed, 5]), []
    for _ in range(4):
        try:
            c = table(rng)
        except fw.FoldwiseError:  # all the same
            continue
        found += [(what, str(c)) for what, wrong in contradictions(c) if wrong]
    assert found == []


def right_wrong(rng):
    n, k = int(rng.choice([20, 100, 600])), int(rng.integers(3, 6))
    truth = rng.integers(0, 2, n)
    models = {f"m{i}": np.where(rng.random(n) < rng.choice([0.1, 0.15, 0.3]), 1 - truth, truth) for i in range(k)}
    return fw.compare_predictions(truth, models, alpha=level(rng), rope=rope(rng))


@pytest.mark.parametrize("seed", range(30))
def test_all_together_and_pair_by_pair(seed):
    m = right_wrong(np.random.default_rng([seed, 7]))
    claimed = {(pair.a, pair.b) for pair in m.pairs if pair.better is not None}
    assert [what for what, wrong in together(m, m.details(), claimed) if wrong] == [], m.details()
