"""Do the procedures keep their level, and do they find what is there? Whole batches of simulated tables at once."""

from __future__ import annotations

import numpy as np
import pytest

from foldwise.inference.many._adjust import adjust, learner_pairs
from foldwise.inference.many._pairwise import sign_test
from foldwise.inference.many.mean_ranks import friedman, friedman_aligned, iman_davenport, quade
from foldwise.inference.many.meta import random_effects
from foldwise.inference.many.wilcoxon import wilcoxon_signed_rank

TABLES = 4000


def exceeds(rate, count, *, nominal):
    """Whether a rejection rate lies more than four standard errors above its nominal value."""
    return rate > nominal + 4 * np.sqrt(nominal * (1 - nominal) / count)


@pytest.fixture(scope="module")
def null_tables():
    """Four learners without difference on 15 data sets of different difficulty, with heavy tails."""
    rng = np.random.default_rng(11)
    return rng.normal(size=(TABLES, 15, 1)) + 0.3 * rng.standard_t(3, size=(TABLES, 15, 4))


@pytest.mark.parametrize("test", [friedman, iman_davenport, friedman_aligned, quade])
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
def test_omnibus_tests_keep_their_level_and_use_it(test, alpha, null_tables):
    rate = float(np.mean(test(null_tables).pvalue < alpha))
    assert not exceeds(rate, TABLES, nominal=alpha)
    assert rate > alpha / 2


@pytest.mark.parametrize("test", [wilcoxon_signed_rank, sign_test])
def test_exact_pair_tests_never_exceed_their_level(test, null_tables):
    p = test(null_tables[..., 0], null_tables[..., 1]).pvalue
    for alpha in (0.01, 0.05, 0.1, 0.3):
        assert not exceeds(float(np.mean(p <= alpha)), TABLES, nominal=alpha)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["bonferroni", "holm", "hochberg", "hommel"])
def test_the_chance_of_any_false_finding_is_controlled(method, null_tables):
    first, second = learner_pairs(4)
    scores = np.moveaxis(null_tables, -1, -2)
    p = wilcoxon_signed_rank(scores[:, first], scores[:, second]).pvalue
    assert p.shape == (TABLES, 6)
    any_false = float(np.mean((adjust(p, method=method) <= 0.05).any(axis=1)))
    assert not exceeds(any_false, TABLES, nominal=0.05)
    unadjusted = float(np.mean((p <= 0.05).any(axis=1)))
    assert unadjusted > 0.12  # what the adjustment is for


def test_a_difference_is_found_the_more_often_the_larger_it_is():
    rng = np.random.default_rng(12)
    noise = rng.normal(size=(1000, 20))
    powers = [
        float(np.mean(wilcoxon_signed_rank(noise + shift, 0 * noise).pvalue <= 0.05)) for shift in (0.2, 0.5, 1.0)
    ]
    assert powers[0] < powers[1] < powers[2]
    assert powers[2] > 0.95


def test_signed_ranks_see_more_than_signs_when_differences_are_normal():
    rng = np.random.default_rng(13)
    d = rng.normal(0.5, 1, size=(2000, 20))
    ranks, signs = (float(np.mean(test(d, 0 * d).pvalue <= 0.05)) for test in (wilcoxon_signed_rank, sign_test))
    assert ranks > signs + 0.1


def test_hartung_knapp_intervals_cover_where_the_plain_ones_do_not():
    rng = np.random.default_rng(14)
    trials, n, between = 600, 6, 0.04
    covered, plain = 0, 0
    for _ in range(trials):
        v = rng.uniform(0.01, 0.09, size=n)
        y = rng.normal(0.1, np.sqrt(v + between))
        result = random_effects(y, v)
        covered += 0.1 in result.confidence_interval(0.95)
        weight = 1 / (v + result.between_variance)
        plain += abs(weight @ y / weight.sum() - 0.1) < 1.96 / np.sqrt(weight.sum())
    assert covered / trials > 0.925
    assert covered / trials > plain / trials + 0.02
