"""Adjustments for the number of comparisons: what each is called, what it keeps, and whom it suits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from foldwise.core.types import Array
from foldwise.inference.many._adjust import Adjustment as Method
from foldwise.inference.many._adjust import adjust, bergmann_hommel, from_pairs, learner_pairs, shaffer

_ANY = "The adjustment keeps the chance of any false finding, not of each, at the level."
_POSITIVE = (
    "The adjustment keeps the chance of any false finding, not of each, at the level where comparisons depend "
    "positively on each other."
)
_SHARE = (
    "The adjustment keeps the expected share of false findings among all findings, not the chance of any, at the level."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """One way to adjust the p-values of several comparisons.

    >>> ADJUSTMENTS["holm"].run(np.array([0.01, 0.04, 0.03]), 3)
    array([0.03, 0.06, 0.06])
    """

    #: name, title: The name users give, and what is said of p-values adjusted so
    name: str
    title: str
    run: Callable[[Array, int], Array]  #: From the p-values of the pairs of k learners, and k, to the adjusted ones
    keeps: str = _ANY  #: What it keeps, in a sentence
    #: What a reader should know, where that is not the chance of any false finding; None otherwise
    caveat: str | None = None
    all_pairs: bool = False  #: Whether it is for the comparisons of all pairs only; its first step is Holm's
    references: tuple[str, ...] = ()  #: Where it comes from


def _by(method: Method, pvalues: Array, _k: int) -> Array:
    return adjust(pvalues, method=method)


def _whole(test: Callable[[Array], Array], pvalues: Array, k: int) -> Array:
    """For procedures that look at the matrix of all pairs."""
    return np.asarray(test(from_pairs(pvalues, k))[learner_pairs(k)])


def _as_they_are(pvalues: Array, _k: int) -> Array:
    return pvalues


_FALSE_SHARE = "the share of false findings is controlled, not the chance of any"

_STEPS: tuple[tuple[Method, str, str, str], ...] = (
    ("holm", "Holm", "Holm (1979), Scandinavian Journal of Statistics 6", _ANY),
    ("hochberg", "Hochberg", "Hochberg (1988), Biometrika 75", _POSITIVE),
    ("hommel", "Hommel", "Hommel (1988), Biometrika 75", _POSITIVE),
    ("bonferroni", "Bonferroni", "Dunn (1961), Journal of the American Statistical Association 56", _ANY),
    ("bh", "Benjamini–Hochberg", "Benjamini & Hochberg (1995), Journal of the Royal Statistical Society B 57", _SHARE),
    ("by", "Benjamini–Yekutieli", "Benjamini & Yekutieli (2001), Annals of Statistics 29", _SHARE),
)
_OF_ALL_PAIRS = (
    ("shaffer", "Shaffer", "Shaffer (1986), Journal of the American Statistical Association 81", shaffer),
    ("bergmann_hommel", "Bergmann–Hommel", "Bergmann & Hommel (1988), Multiple Hypotheses Testing", bergmann_hommel),
)

ADJUSTMENTS = {
    entry.name: entry
    for entry in (
        *(
            Adjustment(name=name, title=f"{title}-adjusted", references=(reference,), run=partial(_by, name),
                       keeps=keeps, caveat=_FALSE_SHARE if keeps == _SHARE else None)
            for name, title, reference, keeps in _STEPS
        ),
        *(
            Adjustment(name=name, title=f"{title}-adjusted", references=(reference,), run=partial(_whole, test),
                       all_pairs=True)
            for name, title, reference, test in _OF_ALL_PAIRS
        ),
        Adjustment(
            name="none", title="not adjusted", run=_as_they_are,
            keeps="Nothing was adjusted: the level is that of each comparison, not of all together.",
            caveat="p-values are not adjusted: with many comparisons some are small by chance",
        ),
    )
}  # fmt: skip
"""Those that can be asked for, by name."""

NEMENYI = Adjustment(name="nemenyi", title="adjusted", run=_as_they_are)
"""Of Nemenyi's test, whose p-values are those of all pairs together."""

MAX_T = Adjustment(
    name="max_t", title="max-T-adjusted", run=_as_they_are,
    references=("Westfall & Young (1993), Wiley", "Hothorn, Bretz & Westfall (2008), Biometrical Journal 50"),
)  # fmt: skip
"""By the largest statistic, from the joint law of all differences, which makes the p-values: not for tables."""
