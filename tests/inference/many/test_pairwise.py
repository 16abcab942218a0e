from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from foldwise.core.errors import UnknownName
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many._pairwise import least_pvalue, pairwise, sign_test
from foldwise.inference.many.mean_ranks import bonferroni_dunn, nemenyi
from foldwise.inference.many.wilcoxon import wilcoxon_signed_rank

TESTS = ["wilcoxon", "sign", "ranks", "nemenyi"]
grids = arrays(np.float64, (6, 4), elements=st.integers(0, 6).map(lambda i: i / 10))


def test_every_pair_is_the_test_of_its_two_learners(tied):
    by_rank = pairwise(tied)
    by_sign = pairwise(tied, test="sign")
    for position, (i, j) in enumerate(combinations(range(5), 2)):
        alone = wilcoxon_signed_rank(tied[:, i], tied[:, j])
        assert by_rank.pvalues[position] == alone.pvalue
        assert by_rank.lead[position] == alone.excess
        assert by_sign.pvalues[position] == sign_test(tied[:, i], tied[:, j]).pvalue


def test_mean_rank_tests_are_nemenyis_and_dunns(tied):
    i, j = np.triu_indices(5, 1)
    assert pairwise(tied, test="nemenyi").pvalues.tolist() == nemenyi(tied).pvalues[i, j].tolist()
    against = pairwise(tied, test="ranks", control=2)
    others = [0, 1, 3, 4]
    assert against.second.tolist() == others
    assert against.pvalues == pytest.approx(bonferroni_dunn(tied, control=2).pvalues[others])


@pytest.mark.parametrize("test", TESTS)
@settings(max_examples=25)
@given(table=grids, order=st.permutations(range(4)))
def test_order_of_learners_changes_nothing(test, table, order):
    order = list(order)

    def answers(result, names):
        sides = zip(result.first, result.second, result.pvalues, result.lead, strict=True)
        return {
            frozenset((names[i], names[j])): (round(p, 12), round(lead if names[i] < names[j] else -lead, 9))
            for i, j, p, lead in sides
        }

    assert answers(pairwise(table, test=test), range(4)) == answers(pairwise(table[:, order], test=test), order)


@pytest.mark.parametrize("test", TESTS)
@given(table=grids)
@settings(max_examples=25)
def test_a_duplicate_is_never_different_from_itself(test, table):
    twice = np.column_stack([table, table[:, 1]])
    result = pairwise(twice, test=test)
    same = (result.first == 1) & (result.second == 4)
    assert result.pvalues[same].tolist() == [1]
    assert result.lead[same].tolist() == [0]


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
@settings(max_examples=25)
@given(table=grids)
def test_who_else_is_in_the_table_does_not_matter(test, table):
    assert pairwise(table, test=test).pvalues[0] == pairwise(table[:, :2], test=test).pvalues[0]


def test_batches_do_not_change_the_answer(rng, monkeypatch):
    import importlib

    table = rng.normal(size=(20, 12))
    whole = pairwise(table)
    module = importlib.import_module("foldwise.inference.many.blocks")
    monkeypatch.setattr(module, "NUMBERS", 60)
    assert pairwise(table).pvalues.tolist() == whole.pvalues.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("test", TESTS)
def test_the_least_pvalue_is_reached_by_complete_agreement_and_never_beaten(test, rng):
    for n, k in [(3, 2), (5, 4), (8, 3), (60, 3)]:
        agreed = np.tile(np.arange(k, dtype=float), (n, 1))
        least = least_pvalue(n, k, test=test)
        assert pairwise(agreed, test=test).pvalues.min() == pytest.approx(least)
        for table in rng.normal(size=(50, n, k)):
            assert pairwise(table, test=test).pvalues.min() >= least * (1 - 1e-9)


def test_names_are_checked(tied):
    with pytest.raises(UnknownName, match="unknown test 'wilcox': did you mean 'wilcoxon'"):
        pairwise(tied, test="wilcox")
    with pytest.raises(UnknownName, match="unknown test 'dunn'"):
        least_pvalue(3, 3, test="dunn")
    with pytest.raises(UnknownName, match="unknown control 'tan'"):
        pairwise(ScoreTable.of(tied), control="tan")
