"""Whether the null hypothesis holds, how far it is missed, and what a rate shows about a test's level."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from foldwise import lab
from foldwise.designs import RANDOM_SPLITS, RIGHT_WRONG
from foldwise.document import document_of
from foldwise.lab.evidence import Evidence
from foldwise.lab.populations import Null, SimulatedLearners, find_population
from foldwise.lab.rates import Bias, LevelJudgement, judge_level, measure_bias, shown, worst

NONE = Bias(mean=0.0, standard_error=0.001, spread=0.03)
DATA = "data='sklearn:iris'"


@pytest.mark.parametrize(("spec", "null"), [
    ("two-kinds", Null.EXACT),
    ("two-kinds(difference=0.1)", Null.FALSE),
    ("symmetric-halves", Null.EXACT),
    (f"seeds({DATA})", Null.EXACT),
    ("independent-binary", Null.RANDOM_FOLDS),
    ("independent-binary(class_probability=0.2)", Null.EQUAL_LEARNERS),
    (f"exchange({DATA})", Null.RANDOM_FOLDS),
    ("bayes-net(set=1)", Null.RANDOM_FOLDS),
    ("bayes-net(set=2)", Null.EQUAL_LEARNERS),
    (f"finite({DATA})", Null.EQUAL_LEARNERS),
    ("gaussian", Null.EQUAL_LEARNERS),
    ("contact-lenses", Null.EQUAL_LEARNERS),
    ("exp6", Null.EQUAL_LEARNERS),
])  # fmt: skip
def test_populations_say_whether_the_null_hypothesis_holds(spec, null):
    assert find_population(spec).null is null


def test_stratified_folds_make_the_majority_better_than_a_guess_and_the_lab_says_so():
    options = {"learners": ("majority", "1nn"), "trials": 100, "n": 100, "runs": 2}
    found = lab.type_one_error("corrected_repeated_cv_t", "independent-binary", **options)
    (row,) = found.rows
    # the larger class has a share of ½ + E|p̂ − ½| = ½ + 0.4/√n of the examples, training and test set alike
    expected = stats.binom(100, 0.5).expect(lambda k: abs(k / 100 - 0.5))
    assert row.bias.mean == pytest.approx(expected, abs=4 * row.bias.standard_error)
    assert row.bias.beyond_error
    assert row.judgement is LevelJudgement.NO_NULL
    assert "the null hypothesis does not hold, and such a rate is no Type I error" in " ".join(str(found).split())
    assert "on stratified folds" in " ".join(str(found).split())
    answer = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert answer["null"] == "random_folds"
    assert answer["rows"][0]["judgement"] == "no_null"
    assert answer["rows"][0]["bias"]["mean"] == row.bias.mean
    assert document_of(found).headline.startswith("The learners differ, so that these are no Type I errors")


class Shifted(SimulatedLearners):
    """Normal differences of a learner that is better by a tenth of their deviation."""

    name = "shifted"
    block = 500

    def simulate(self, kinds, design, rng):
        return Evidence(arrays={"kfold": 0.1 + rng.standard_normal((self.block, design.repetitions, design.folds))})


def test_a_bias_that_would_hardly_change_a_rate_is_said_to_be_that():
    found = lab.type_one_error("kfold_cv_t", Shifted(), trials=20_000, folds=2)
    row = found.rows[0]
    assert row.bias.beyond_error
    assert row.judgement is LevelJudgement.KEPT
    assert "the null hypothesis holds nearly (a test that keeps 0.05 would reject in 0.052" in " ".join(
        str(found).split()
    )


def test_the_bias_is_the_mean_difference_in_what_a_test_sees():
    found = lab.power(["mcnemar", "five_by_two_cv_f", "kfold_cv_t"], "two-kinds(difference=0.05)", trials=2000)
    for row in found.rows:
        assert row.bias.mean == pytest.approx(0.05, abs=4 * row.bias.standard_error)
        assert row.judgement is None
    assert str(found).count(" ± ") == 3
    assert "difference a − b (points)" in str(found)


@given(st.integers(0, 2**32))
def test_exchanging_the_learners_changes_the_sign_of_the_bias(seed):
    rng = np.random.default_rng(seed)
    tables = rng.integers(1, 9, (5, 2, 4)).astype(float)
    splits = rng.normal(size=(5, 2, 3))
    ahead, back = measure_bias(tables, RIGHT_WRONG), measure_bias(tables[..., [0, 2, 1, 3]], RIGHT_WRONG)
    assert (ahead.mean, ahead.standard_error) == pytest.approx((-back.mean, back.standard_error))
    assert measure_bias(splits, RANDOM_SPLITS).mean == pytest.approx(splits[:, 0].mean())


@pytest.mark.parametrize("alpha", [0.01, 0.05])
@pytest.mark.parametrize("shift", [0.0, 0.4, 1.5])
def test_the_rate_that_a_bias_leads_to_is_that_of_a_shifted_normal(alpha, shift):
    z = np.random.default_rng(0).standard_normal(200_000) + shift
    rejections = int((2 * stats.norm.sf(np.abs(z)) < alpha).sum())
    expected = Bias(mean=shift * 0.02, standard_error=1, spread=0.02).reached(alpha)
    low, high = stats.binom.interval(0.999, len(z), expected)
    assert low <= rejections <= high


def test_two_hundred_trials_do_not_show_that_a_level_is_kept():
    row = lab.type_one_error("mcnemar", "two-kinds(error=0.4)", trials=200, seed=2).rows[0]
    assert row.rate <= 0.06
    assert row.high > 0.08
    assert row.judgement is LevelJudgement.OPEN
    assert row.verdict == f"not shown to exceed its level (could be {row.high:.3f})"


@pytest.mark.parametrize(("trials", "rejections", "expected"), [
    (200, 10, "open"), (200, 2, "kept"), (200, 20, "broken"), (1000, 50, "kept"), (1000, 60, "open"), (10**6, 0, "kept")
])  # fmt: skip
def test_judgements_follow_what_the_trials_can_show(trials, rejections, expected):
    low, high = lab.rates.wilson(rejections, trials)
    assert shown(low, high, 0.05) == expected


@given(st.floats(0, 0.5), st.floats(0, 0.5), st.sampled_from([0.01, 0.05, 0.1]))
def test_a_level_is_never_both_kept_and_broken(one, other, alpha):
    low, high = sorted((one, other))
    found = judge_level(low, high, alpha, bias=NONE, null=Null.EQUAL_LEARNERS)
    assert (found is LevelJudgement.BROKEN) == (low > alpha)
    assert found is not LevelJudgement.KEPT or high <= 1.5 * alpha


def test_an_exact_null_is_not_doubted_and_a_false_one_not_believed():
    large = Bias(mean=0.1, standard_error=0.001, spread=0.03)
    assert judge_level(0.2, 0.3, 0.05, bias=large, null=Null.EXACT) is LevelJudgement.BROKEN
    assert judge_level(0.2, 0.3, 0.05, bias=large, null=Null.RANDOM_FOLDS) is LevelJudgement.NO_NULL
    assert judge_level(0.0, 0.01, 0.05, bias=NONE, null=Null.FALSE) is LevelJudgement.NO_NULL


def test_nulls_that_do_not_hold_say_nothing_beside_those_that_do():
    assert worst([LevelJudgement.NO_NULL, LevelJudgement.KEPT]) is LevelJudgement.KEPT
    assert worst([LevelJudgement.KEPT, LevelJudgement.OPEN, LevelJudgement.NO_NULL]) is LevelJudgement.OPEN
    assert worst([LevelJudgement.OPEN, LevelJudgement.BROKEN]) is LevelJudgement.BROKEN
    assert worst([LevelJudgement.NO_NULL]) is LevelJudgement.NO_NULL
