"""Nemenyi, Bonferroni–Dunn and Skillings–Mack: procedures on mean ranks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scikit_posthocs
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from foldwise.core.errors import DegenerateData, InvalidInput, UnknownName
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many.mean_ranks import bonferroni_dunn, critical_difference, friedman, nemenyi, skillings_mack

NA = np.nan
# Skillings & Mack (1981), Technometrics 23: assembly times by four methods; they give T = 15.493,
# and R's Skillings.Mack 1.10 prints 15.493049 with p = 0.001440296302 at 3 df for its example, which is these data
ASSEMBLY = np.array([
    [3.2, 4.1, 3.8, 4.2], [3.1, 3.9, 3.4, 4.0], [4.3, 3.5, 4.6, 4.8], [3.5, 3.6, 3.9, 4.0], [3.6, 4.2, 3.7, 3.9],
    [4.5, 4.7, 3.7, NA], [NA, 4.2, 3.4, NA], [4.3, 4.6, 4.4, 4.9], [3.5, NA, 3.7, 3.9],
])  # fmt: skip


def test_demsar_critical_differences(demsar_unrounded):
    # section 3.2.2: CD = 2.569·√(4·5/(6·14)) = 1.25, at 0.10 1.12; Bonferroni–Dunn 1.16 and at 0.10 2.128·0.488 = 1.04
    assert round(nemenyi(demsar_unrounded).critical_difference, 2) == 1.25
    assert round(nemenyi(demsar_unrounded, alpha=0.1).critical_difference, 2) == 1.12
    assert round(bonferroni_dunn(demsar_unrounded).critical_difference, 3) == round(2.394 * np.sqrt(20 / 84), 3)


def test_means_equal_up_to_rounding_noise_share_their_rank():
    table = np.tile([np.mean([0.3, 0.2, 0.1]), np.mean([0.1, 0.2, 0.3])], (8, 1))
    assert nemenyi(table).pvalues.tolist() == [[1, 1], [1, 1]]
    assert bonferroni_dunn(table).pvalues.tolist() == [1, 1]
    assert skillings_mack(table).pvalue == 1


def test_demsar_conclusions(demsar_unrounded):
    # "even the best and the worst performing algorithms do not differ" at 0.05; at 0.10 C4.5 is worse than +m, +m+cf
    p = nemenyi(demsar_unrounded).pvalues
    assert p.min() > 0.05
    assert np.argwhere(p[0] < 0.1).ravel().tolist() == [1, 3]


def test_range_quantiles_agree_with_r(r_values):
    assert critical_difference(4, 14) == pytest.approx(r_values["nemenyi.q[k=4]"] * np.sqrt(20 / 84), rel=1e-6)
    ten = critical_difference(10, 25, alpha=0.1)
    assert ten == pytest.approx(r_values["nemenyi.q[k=10]"] * np.sqrt(110 / 150), rel=1e-6)


def test_demsar_table_5_of_critical_values():
    # printed to three decimals
    printed = {2: 1.960, 3: 2.343, 4: 2.569, 5: 2.728, 6: 2.850, 7: 2.949, 8: 3.031, 9: 3.102, 10: 3.164}
    for k, q in printed.items():
        assert critical_difference(k, 1) / np.sqrt(k * (k + 1) / 6) == pytest.approx(q, abs=1.1e-3)


def test_agrees_with_scikit_posthocs(demsar, tied):
    for table in (demsar, tied):
        theirs = scikit_posthocs.posthoc_nemenyi_friedman(table).to_numpy()
        assert nemenyi(table).pvalues == pytest.approx(theirs, rel=1e-4, abs=1e-9)
        long = pd.DataFrame(-table).melt(ignore_index=False).reset_index(names="set")
        siegel = scikit_posthocs.posthoc_siegel_friedman(long, y_col="value", block_col="set", group_col="variable",
                                                         block_id_col="set", melted=True).to_numpy()  # fmt: skip
        assert bonferroni_dunn(table, control=0).pvalues[1:] == pytest.approx(siegel[0, 1:], rel=1e-9)


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=6), elements=st.integers(0, 5)))
def test_significance_is_distance_beyond_the_critical_difference(table):
    result = nemenyi(table, alpha=0.2)
    distance = np.abs(result.ranks[:, None] - result.ranks)
    clear = np.abs(distance - result.critical_difference) > 1e-6
    assert np.array_equal((result.pvalues < 0.2)[clear], (distance > result.critical_difference)[clear])
    dunn = bonferroni_dunn(table, alpha=0.2)
    away = np.abs(dunn.ranks - dunn.ranks[0])
    clear = np.abs(away - dunn.critical_difference) > 1e-9
    assert np.array_equal((dunn.adjusted < 0.2)[clear], (away > dunn.critical_difference)[clear])


def test_a_duplicate_is_not_different(demsar):
    twice = np.column_stack([demsar, demsar[:, 3]])
    assert nemenyi(twice).pvalues[3, 4] == 1
    assert bonferroni_dunn(twice, control=3).adjusted[4] == 1


def test_control_by_name_and_by_column(demsar):
    table = ScoreTable.of(demsar, learners=["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"])
    assert (
        bonferroni_dunn(table, control="C4.5+cf").adjusted.tolist()
        == bonferroni_dunn(demsar, control=2).adjusted.tolist()
    )
    with pytest.raises(UnknownName, match=r"unknown control 'C4\.5\+mm'"):
        bonferroni_dunn(table, control="C4.5+mm")
    with pytest.raises(InvalidInput, match="column from 0 to 3, got 4"):
        bonferroni_dunn(demsar, control=4)


def test_skillings_and_macks_own_example():
    result = skillings_mack(ASSEMBLY)
    assert result.statistic == pytest.approx(15.493049, abs=5e-7)
    assert result.pvalue == pytest.approx(0.001440296302, abs=5e-13)
    assert result.df == 3
    # a data set with one score says nothing
    lonely = np.vstack([ASSEMBLY, [NA, NA, 5.0, NA]])
    assert skillings_mack(lonely).statistic == result.statistic
    assert skillings_mack(lonely).n_datasets == 9


@given(st.integers(3, 8), st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_skillings_mack_is_friedman_when_nothing_is_missing(n, k, seed):
    table = np.random.default_rng(seed).permuted(np.tile(np.arange(k, dtype=float), (n, 1)), axis=1)
    result, reference = skillings_mack(table), friedman(table)
    assert result.statistic == pytest.approx(reference.statistic, abs=1e-9)
    assert result.ranks == pytest.approx(reference.ranks)


def test_skillings_mack_refuses_what_can_not_be_compared():
    with pytest.raises(DegenerateData, match="share no data set"):
        skillings_mack([[1, 2, NA, NA], [2, 1, NA, NA], [NA, NA, 1, 2], [NA, NA, 1, 2]])
    with pytest.raises(InvalidInput, match="at least two learners"):
        skillings_mack([[1], [2]])
    with pytest.raises(InvalidInput, match="infinite"):
        skillings_mack([[1, np.inf], [2, 1]])
    with pytest.raises(InvalidInput, match="array of numbers"):
        skillings_mack([["a", "b"], ["c", "d"]])


def test_skillings_mack_takes_a_table_with_empty_cells():
    table = ScoreTable.of(-ASSEMBLY, higher_is_better=False)
    assert skillings_mack(table).statistic == pytest.approx(15.493, abs=5e-4)
