"""Answers as text taken apart as a person reads them, and random evidence that gives all kinds of answers."""

from __future__ import annotations

import re

import numpy as np

from foldwise.core.errors import FoldwiseError

NUMBER = r"[−-]?\d+(?:\.\d+)?"


def value(text):
    """(low, high) within which a printed number lies: ``< 0.0001``, ``> 99.9 %``, ``0.034``."""
    found = re.match(rf"([<>]?) ?({NUMBER})", text)
    number = float(found[2].replace("−", "-"))
    decimals = len(found[2].partition(".")[2])
    if found[1]:
        return (-np.inf, number) if found[1] == "<" else (number, np.inf)
    return number - 0.5 * 10.0**-decimals, number + 0.5 * 10.0**-decimals


def lines(text):
    """What stands under the headline, by what it is called."""
    pairs = (re.split(r"\s{3,}", line.strip(), maxsplit=1) for line in text.splitlines() if line.startswith("  "))
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}


def answer(c):
    """The headline, and what is below it."""
    text = c.details()
    head = " ".join(" ".join(text.split("\n\n")[1].split()).split())
    return head, lines(text)


def noise(rng, n):
    """A spread and a shift: from nothing to much."""
    spread = rng.choice([0.0, 0.0005, 0.003, 0.02, 0.1])
    return rng.choice([0.0, 0.002, 0.008, 0.011, 0.03, 0.2]) * rng.choice([-1, 1]) + spread * rng.normal(size=n)


def rope(rng):
    return float(rng.choice([0.001, 0.005, 0.01, 0.05]))


def level(rng):
    return float(rng.choice([0.01, 0.05, 0.1]))


def contradicted(make, rng, contradictions, times=5):
    """What contradicts itself in some random answers, with their texts; what can't be judged is passed over."""
    found = []
    for _ in range(times):
        try:
            c = make(rng)
        except FoldwiseError:  # too few, or all the same
            continue
        found += [(what, str(c)) for what, wrong in contradictions(c) if wrong]
    return found
