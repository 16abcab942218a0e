from __future__ import annotations

import numpy as np
import pytest

from foldwise.comparison import estimate_error
from foldwise.lab.papers.martinhirschberg1996 import trees
from foldwise.lab.papers.martinhirschberg1996.trees import CRITICAL, PRINTED_13, _significant, group_ts
from foldwise.lab.populations.artificial import ContactLenses
from foldwise.lab.studies import find_studies


@pytest.fixture
def population():
    return ContactLenses(inherent_error=0.1)


@pytest.fixture
def sample(population):
    return population.draw(48, np.random.default_rng(7))


def test_printed_table_has_sixteen_lines_of_six_numbers():
    table = np.array(PRINTED_13, dtype=float)
    assert table.shape == (len(trees.INHERENT), len(trees.SIZES), len(trees.ESTIMATORS))


def test_text_of_the_report_follows_from_the_printed_numbers():
    # appendix B.2: "LOO and 10-CV seem to lead to correct decisions [...] for inherent error rates of 10% or more"
    significant = np.abs(np.array(PRINTED_13, dtype=float)) > CRITICAL
    for column in (2, 3):
        assert (significant[2:, :, column] == significant[2:, :, 0]).all()


def test_unpruned_trees_are_wrong_only_where_equal_examples_have_different_classes(population, sample):
    _, unpruned = trees.learners()
    predicted = unpruned.fit(sample.X, sample.y).predict(sample.X)
    cases = trees._case_of(sample)
    for case in np.unique(cases):
        classes = sample.y[cases == case]
        assert (predicted[cases == case] != classes).sum() == len(classes) - np.bincount(classes).max()


def test_stopped_trees_are_smaller(sample):
    stopped, unpruned = (tree.fit(sample.X, sample.y).to_text().count("\n") for tree in trees.learners())
    assert stopped < unpruned


def test_cases_are_numbered_as_the_population_numbers_them(population, sample):
    assert (population.cases().values[trees._case_of(sample)] == sample.X.values).all()


@pytest.mark.parametrize(
    ("name", "method", "tolerance"),
    [("app", "apparent", 1e-12), ("loo", "loo", 1e-12), ("632b", "bootstrap632", 0.03)],
)
def test_estimates_agree_with_the_estimators_of_the_library(population, sample, name, method, tolerance):
    for tree in trees.learners():
        found = trees._estimates(tree, population, sample, 60, np.random.default_rng(0))
        theirs = estimate_error(tree, sample.X, sample.y, method=method, repeats=60 if name == "632b" else None)
        assert found[name] == pytest.approx(theirs.estimate, abs=tolerance)


def test_loo_star_is_never_above_loo(population, sample):
    for tree in trees.learners():
        found = trees._estimates(tree, population, sample, 5, np.random.default_rng(0))
        assert found["loo*"] <= found["loo"]


def test_true_error_is_at_least_the_inherent_error(population, sample):
    for tree in trees.learners():
        assert trees._estimates(tree, population, sample, 2, np.random.default_rng(0))["ter"] >= 0.1


def test_t_of_groups_is_the_paired_t():
    from scipy.stats import ttest_1samp

    x = np.random.default_rng(0).normal(0.3, 1, 16)
    groups = np.arange(16).reshape(2, 8)
    expected = [ttest_1samp(x[group], 0).statistic for group in groups]
    assert group_ts(x, groups) == pytest.approx(expected)


def test_equal_differences_have_no_t_but_a_decision():
    groups = np.arange(8)[None]
    assert np.isnan(group_ts(np.full(8, 0.1), groups)).all()
    x = np.zeros((8, 1, 2))
    x[..., 1] = 0.1
    assert _significant(x, groups).tolist() == [[[False, True]]]


def test_study_has_a_row_per_printed_number_and_the_counts_of_decisions():
    (study,) = find_studies("martinhirschberg1996/table13")
    rows = study.run("smoke").rows
    assert len(rows) == 4 * 6 + 2 * 5 + 1
    printed = {row.label: row.printed for row in rows}
    assert printed["25 %, N = 24, TER"] == "-0.3"
