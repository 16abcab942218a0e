from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.comparison.adding_runs import Budget, RunsRule, add_runs, growth_of, holm_levels
from foldwise.core.errors import InvalidInput
from foldwise.designs import Batch, find_procedure
from foldwise.designs.resampled import FIRST_RUNS, fixed_procedure
from foldwise.inference import adjust, corrected_repeated_cv_t

GROWTH = growth_of(find_procedure("corrected_repeated_cv_t"), folds=10, alpha=0.05)


def scorer(mean, spread, seed=0, folds=10):
    """Independent runs around a true difference; remembers what was asked for."""
    asked = []

    def score(runs):
        asked.append(runs)
        x = np.stack([np.random.default_rng([seed, run]).normal(mean, spread, folds) for run in runs])
        return [(x, np.zeros_like(x))]

    return score, asked


def fixed(folds=10):
    corrected = find_procedure("corrected_repeated_cv_t")
    return fixed_procedure(corrected, corrected.settled, folds, 1 / (folds - 1))


def test_a_clear_difference_needs_no_more_than_the_first_runs():
    score, asked = scorer(0.3, 0.1)
    (stable,) = add_runs(score, GROWTH, budget=Budget())
    assert len(stable.scores[0]) == FIRST_RUNS
    assert asked == [range(10)]
    assert stable.stabilities[0].settled
    assert "10 runs settled the verdict" in stable.caveat


def test_a_close_call_adds_runs_without_repeating_any():
    score, asked = scorer(0.08, 0.1, seed=2)
    (stable,) = add_runs(score, GROWTH, budget=Budget(max_runs=40))
    assert len(stable.scores[0]) > FIRST_RUNS
    assert [run for runs in asked for run in runs] == list(range(len(stable.scores[0])))


def test_the_budget_ends_it_and_the_caveat_says_so():
    score, _ = scorer(0.0735, 0.1)  # right at the threshold
    (stable,) = add_runs(score, GROWTH, budget=Budget(max_runs=20))
    assert len(stable.scores[0]) == 20
    assert not stable.stabilities[0].settled
    assert "depends on the partitioning" in stable.caveat
    (quick,) = add_runs(score, GROWTH, budget=Budget(max_seconds=1e-9))
    assert len(quick.scores[0]) == FIRST_RUNS


def test_of_several_metrics_the_one_that_takes_longest_decides():
    clear, _ = scorer(0.3, 0.1)
    close, _ = scorer(0.08, 0.1, seed=2)
    (alone,) = add_runs(close, GROWTH, budget=Budget(max_runs=40))
    both = add_runs(lambda runs: clear(runs) + close(runs), GROWTH, budget=Budget(max_runs=40))
    assert len(both[0].scores[0]) == len(both[1].scores[0]) == len(alone.scores[0]) > FIRST_RUNS
    assert np.array_equal(both[1].scores[0], alone.scores[0])
    assert both[1].stabilities[0].distance == alone.stabilities[0].distance


def test_where_pvalues_are_adjusted_the_adjusted_verdict_is_settled():
    # p between 0.025 and 0.05: settled at neither level, and which of them counts depends on the other metric
    one, _ = scorer(0.0735, 0.1)
    clear, _ = scorer(0.3, 0.1, seed=1)
    open_, _ = scorer(0.0, 0.1, seed=1)
    budget, rule = Budget(max_runs=10), RunsRule(across_metrics=True)
    both = [add_runs(lambda runs, o=o: one(runs) + o(runs), GROWTH, budget=budget, rule=rule) for o in (clear, open_)]
    thresholds = [found[0].stabilities[0].threshold for found in both]
    assert thresholds[0] < thresholds[1]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_a_pvalue_below_its_level_is_one_that_holm_rejects(pvalues):
    levels, adjusted = holm_levels(pvalues, 0.05), adjust(pvalues)
    near = np.isclose(adjusted, 0.05, rtol=1e-9)
    assert all(near | ((np.array(pvalues) < levels) == (adjusted < 0.05)))


def test_at_ten_runs_the_fixed_test_is_the_corrected_one():
    x = np.random.default_rng(5).normal(0.02, 0.1, (10, 10))
    procedure, _, df = fixed()
    ours, reference = procedure.run(Batch(data=x)), corrected_repeated_cv_t(x)
    assert ours.pvalue == pytest.approx(reference.pvalue)
    assert df == reference.df == 99


def test_more_runs_of_the_same_scores_do_not_manufacture_significance():
    x = np.random.default_rng(6).normal(0.02, 0.1, (10, 10))
    procedure, _, _ = fixed()
    once, often = procedure.run(Batch(data=x)), procedure.run(Batch(data=np.tile(x, (10, 1))))
    assert often.statistic == pytest.approx(once.statistic, rel=0.01)


@pytest.mark.parametrize(("call", "message"), [
    (lambda: growth_of(find_procedure("five_by_two_cv_f"), folds=10, alpha=0.05),
     "the tests influence, corrected_repeated_cv_t, use_all_data and round_robin, got 'five_by_two_cv_f'"),
    (lambda: growth_of(find_procedure("mcnemar"), folds=2, alpha=0.05), "use_all_data and round_robin, got 'mcnemar'"),
    (lambda: Budget(max_runs=5), "max_runs must be a whole number of at least 10, got 5"),
    (lambda: Budget(max_seconds=0), "max_seconds must be a number above 0, got 0"),
])  # fmt: skip
def test_bad_input_is_one_sentence(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()
