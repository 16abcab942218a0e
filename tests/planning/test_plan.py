from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

import foldwise as fw
from foldwise.comparison.power_models import RepeatedCv
from foldwise.core.errors import InvalidInput, UnknownName

DESIGNS = [
    ("mcnemar", {"discordance": 0.2}, 0.06),
    ("two_rates", {"rate": 0.3}, 0.1),
    ("corrected_repeated_cv_t", {"sigma": 0.05}, 0.06),
    ("wilcoxon", {"sigma": 0.05}, 0.03),
]


@pytest.mark.parametrize(("test", "options", "difference"), DESIGNS)
def test_the_three_questions_agree_with_each_other(test, options, difference):
    by_size = fw.plan(test, difference=difference, **options)
    assert by_size.solved_for == "size"
    assert by_size.power >= 0.8
    by_power = fw.plan(test, size=by_size.size, difference=difference, **options)
    assert by_power.power == by_size.power
    by_difference = fw.plan(test, size=by_size.size, power=0.8, **options)
    assert by_difference.difference <= difference * 1.0001


@pytest.mark.parametrize(("test", "options", "difference"), DESIGNS)
def test_power_grows_with_the_difference(test, options, difference):
    powers = [
        fw.plan(test, size=40, difference=d, **options).power for d in (difference / 4, difference, 1.5 * difference)
    ]
    assert powers == sorted(powers)


def test_repeated_cv_power_is_the_noncentral_t_of_statsmodels():
    # an effect size of difference/(standard error·√n) on n observations has the same noncentrality
    n, sigma, difference = 100, 0.05, 0.03
    error = sigma * np.sqrt(1 / n + 1 / 9)
    reference = TTestPower().power(difference / error / np.sqrt(n), nobs=n, alpha=0.05)
    assert RepeatedCv(sigma=sigma, folds=10).power(10, difference, 0.05) == pytest.approx(reference, rel=1e-6)


def test_a_pilot_study_stands_for_sigma():
    x = np.random.default_rng(3).normal(0.01, 0.04, (10, 10))
    pilot = fw.plan("corrected_repeated_cv_t", size=10, pilot=x)
    given_sigma = fw.plan("corrected_repeated_cv_t", size=10, sigma=float(x.std(ddof=1)))
    assert pilot.difference == pytest.approx(given_sigma.difference)


@settings(max_examples=20)
@given(st.integers(20, 300), st.floats(0.05, 0.5))
def test_power_is_a_probability_and_the_curve_holds_the_answer(size, discordance):
    found = fw.plan("mcnemar", size=size, difference=discordance / 2, discordance=discordance)
    assert all(0 <= power <= 1 for _, power in found.curve)
    assert (size, found.power) in found.curve


def test_the_answer_reads_well_and_is_json():
    found = fw.plan("mcnemar", difference=0.05, discordance=0.1)
    assert f"{found.size} test examples find a difference of 0.05" in str(found)
    assert json.loads(json.dumps(found.to_dict()))["rows"][0]["size"] == found.curve[0][0]


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"test": "mcnemr"}, UnknownName, "did you mean 'mcnemar'"),
    ({"difference": 0.1}, InvalidInput, "needs discordance"),
    ({"discordance": 0.2}, InvalidInput, "give the size or the difference"),
    ({"discordance": 0.2, "difference": 0.3}, InvalidInput, "difference must be at most 0.2"),
    ({"discordance": 0.2, "difference": 0.1, "size": 50, "power": 0.8}, InvalidInput, "not all three"),
    ({"discordance": 0.2, "difference": 0}, InvalidInput, "difference must be a number above 0"),
    ({"discordance": 2, "difference": 0.1}, InvalidInput, "discordance must be strictly between 0 and 1"),
    ({"discordance": 0.2, "size": 2}, InvalidInput, "size must be a whole number of at least 5"),
    ({"discordance": 0.2, "size": 6, "power": 0.999}, InvalidInput, "find no difference"),
    ({"test": "corrected_repeated_cv_t", "sigma": 0.05, "difference": 0.001}, InvalidInput, "no number of runs"),
    ({"test": "corrected_repeated_cv_t", "pilot": np.ones((2, 5)), "size": 5}, InvalidInput, "says nothing about"),
    ({"test": "wilcoxon", "sigma": 1, "size": 7, "alpha": 0.01}, InvalidInput, "find no difference .*, however large"),
    ({"test": "two_rates", "rate": 0.1, "difference": 1e-9}, InvalidInput, r"needs more than 1 × 10\^15 examples"),
    ({"test": "wilcoxon", "sigma": -1, "size": 10}, InvalidInput, "sigma must be a number above 0"),
])  # fmt: skip
def test_bad_input_is_one_sentence(options, error, message):
    with pytest.raises(error, match=message):
        fw.plan(**options)
