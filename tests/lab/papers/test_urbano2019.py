"""Search systems on simulated topics: the population, the five tests, and what the study concludes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from foldwise.lab.papers import urbano2019
from foldwise.lab.studies import find_studies


@pytest.mark.parametrize("measure", ["AP", "nDCG@20", "P@10", "RR"])
def test_both_systems_have_one_law_and_their_differences_none_that_is_symmetric(measure):
    rng = np.random.default_rng(0)
    u, v = urbano2019._ranks(rng, 3000, 40)
    for ranks in (u, v):
        assert stats.kstest(ranks[:, 0], "uniform").pvalue > 0.001
    d = urbano2019.differences(measure, 40, 3000, seed=1)
    assert abs(d.mean()) < 4 * d.mean(axis=1).std() / 3000**0.5
    assert d.shape == (3000, 40)
    if measure in ("AP", "nDCG@20"):
        assert (
            abs((d > 0).mean(axis=1) - 0.5).mean()
            > abs(np.random.default_rng(2).binomial(40, 0.5, 3000) / 40 - 0.5).mean()
        )


def test_the_five_tests_are_those_of_scipy():
    d = urbano2019.differences("AP", 25, 40, seed=3)
    found = urbano2019.rejected(d, 1999, seed=0)
    assert found["t"].tolist() == (stats.ttest_1samp(d, 0, axis=1).pvalue <= 0.05).tolist()
    exact = [stats.wilcoxon(row, method="exact").pvalue for row in d]
    assert found["Wilcoxon"].tolist() == [p <= 0.05 for p in exact]
    signs = [stats.binomtest(int((row > 0.01).sum()), int((abs(row) > 0.01).sum())).pvalue for row in d]
    assert urbano2019._sign(d) == pytest.approx(signs)
    permuted = stats.permutation_test((d[0],), np.mean, permutation_type="samples", n_resamples=9999, rng=0).pvalue
    ours = urbano2019._resampled(d[:1], 9999, np.random.default_rng(0), signs=True)[0]
    assert ours == pytest.approx(permuted, abs=0.03)


def test_the_study_has_every_printed_rate_and_says_when_trials_are_too_few():
    (study,) = find_studies("urbano2019")
    found = study.run("smoke")
    assert len(found.rows) == 12 * 5 + 7
    assert {row.verdict for row in found.rows} == {"not comparable"}
    assert [chart.name for chart in found.charts] == ["AP", "nDCG20", "P10", "RR"]


@pytest.mark.slow
def test_what_the_paper_concludes_holds_here():
    (study,) = find_studies("urbano2019")
    told = [row for row in study.run("quick").rows if row.printed == "said of all measures"]
    assert [row.verdict for row in told] == ["agree"] * 7
