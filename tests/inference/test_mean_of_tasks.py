"""The mean of tasks: identities with the t test, and its level where items or clusters are shared by tasks."""

import numpy as np
import pytest
from scipy import stats

from foldwise import inference as inf
from foldwise.core.errors import InvalidInput
from foldwise.inference.several_means import mean_of_tasks, model_task_means


def test_one_task_is_the_t_test():
    x = np.random.default_rng(0).normal(size=30)
    found, known = inf.mean_of_tasks(x, np.zeros(30)), stats.ttest_1samp(x, 0)
    assert (found.pvalue, found.df) == pytest.approx((known.pvalue, 29))


def test_items_in_all_tasks_are_tested_by_their_means():
    x = np.random.default_rng(1).normal(size=(40, 1)) + np.random.default_rng(2).normal(size=(40, 5)) / 3
    found = mean_of_tasks(x.ravel(), np.tile(np.arange(5), 40), np.repeat(np.arange(40), 5))
    known = stats.ttest_1samp(x.mean(axis=1), 0)
    assert (found.pvalue, found.df) == pytest.approx((known.pvalue, 39))


def test_separate_tasks_are_welch():
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=8), 3 * rng.normal(size=30)
    found = mean_of_tasks(np.concatenate([a, -b]), np.repeat([0, 1], [8, 30]))
    known = stats.ttest_ind(a, b, equal_var=False)
    assert (found.pvalue, found.df) == pytest.approx((known.pvalue, known.df))


def test_batches_order_and_sign():
    rng = np.random.default_rng(4)
    x, tasks, groups = rng.normal(size=(3, 24)), np.arange(24) % 3, np.arange(24) // 4
    together = mean_of_tasks(x, tasks, groups)
    order = rng.permutation(24)
    for row, values in enumerate(x):
        one = mean_of_tasks(-values[order], tasks[order], groups[order])
        assert (one.pvalue, -one.estimate) == pytest.approx((together.pvalue[row], together.estimate[row]))


def test_models_vary_together_as_their_differences_do():
    rng = np.random.default_rng(5)
    x, tasks = rng.normal(size=(2, 30)), np.arange(30) % 3
    found = model_task_means(x, tasks, np.arange(30) // 3)
    one = mean_of_tasks(x[0] - x[1], tasks, np.arange(30) // 3)
    assert found.means[0] - found.means[1] == pytest.approx(float(one.estimate))
    spread = found.covariance[0, 0] + found.covariance[1, 1] - 2 * found.covariance[0, 1]
    assert np.sqrt(spread) <= float(one.standard_error) + 1e-12


def test_degenerate_tasks():
    assert float(mean_of_tasks(np.zeros(6), [0, 0, 0, 1, 1, 1]).pvalue) == 1.0
    with pytest.raises(InvalidInput, match="at least two items or groups"):
        mean_of_tasks([1.0, 2.0, 3.0], [0, 0, 1])
