"""The lab on the user's own data: which test to trust, and what more data or runs would buy."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from foldwise import lab
from foldwise.core.errors import InvalidInput
from foldwise.lab import gather
from foldwise.lab.examination import ExaminedTest, _recommended
from foldwise.lab.rates import LevelJudgement

TESTS = ["mcnemar", "resampled_t", "corrected_resampled_t"]


@pytest.fixture(scope="module")
def found():
    return lab.examine("sklearn:wine", ("nb", "1nn"), tests=TESTS, n=60, trials=25, splits=15)


def test_both_nulls_and_power_are_measured_with_the_same_tests(found):
    assert [null.population for null in found.nulls] == ["Exchange(data='sklearn:wine')", "Finite(data='sklearn:wine')"]
    assert [row.test for row in found.rows] == TESTS
    assert all(row.test == power.test for row, power in zip(found.rows, found.power.rows, strict=True))
    assert found.power.learners == ("NaiveBayes()", "NearestNeighbours()")
    assert "damaged" in found.nulls[1].learners[0]


def test_the_unsound_test_is_found_out_and_not_recommended(found):
    judged = {row.test: row.judgement for row in found.rows}
    assert judged["resampled_t"] is LevelJudgement.BROKEN
    assert judged["corrected_resampled_t"].sound
    assert found.recommended in ("mcnemar", "corrected_resampled_t")
    powers = {row.test: row.power for row in found.rows if row.judgement.sound}
    assert powers[found.recommended] == max(powers.values())
    assert f"Use {found.recommended}" in str(found)
    assert "exceeds its level" in str(found)


def test_an_examination_is_json_whose_rows_have_the_worst_null(found):
    answer = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    for place, row in enumerate(answer["rows"]):
        hold = [null["rows"][place] for null in answer["nulls"] if null["rows"][place]["judgement"] != "no_null"]
        assert row["rate"] == max(one["rate"] for one in hold)
        assert row["low"] <= row["rate"] <= row["high"]
    assert answer["equalised"]["matches"][0]["method"] == "errors"


@pytest.mark.usefixtures("small_blocks")
def test_small_data_leave_power_unknown_and_say_so():
    found = lab.examine("sklearn:wine", ("nb", "majority"), tests=["mcnemar"], n=120, trials=20)
    assert found.power is None
    assert found.recommended is None
    assert len(found.nulls) == 1
    assert "Power needs 240 examples and sklearn:wine has 178" in " ".join(str(found).split())
    assert "1 of 1 tests are not shown to exceed their level" in " ".join(str(found).split())


@pytest.mark.usefixtures("small_blocks")
def test_the_default_size_is_half_of_the_data():
    assert lab.examine("sklearn:iris", ("nb", "majority"), tests=["mcnemar"], trials=10).n == 75


@pytest.mark.usefixtures("small_blocks")
def test_learners_that_are_equal_already_are_left_alone():
    X = np.random.default_rng(0).random((60, 2))
    y = np.arange(60) % 2
    found = lab.examine((X, y), ("majority", "majority"), tests=["mcnemar"], n=20, trials=10)
    assert found.rows[0].rates == (0.0, 0.0)
    assert all(match.amount == 0 for match in found.equalised.matches)


def row(test, judgement, power, fits):
    return ExaminedTest(
        test=test, rates=(0.05,), judgement=LevelJudgement(judgement), high=0.07, power=power, fits=fits
    )


def test_the_most_powerful_test_that_keeps_its_level_wins_and_of_equals_the_cheapest():
    rows = [row("a", "broken", 0.9, 2), row("b", "kept", 0.6, 200), row("c", "kept", 0.6, 20), row("d", "kept", 0.4, 2)]
    assert _recommended(rows) == "c"
    # one that may exceed its level is named only where none is shown to keep it
    open_ones = [row("e", "open", 0.8, 2), row("f", "open", 0.7, 2)]
    assert _recommended([*open_ones, *rows]) == "c"
    assert _recommended([*open_ones, rows[0]]) == "e"
    assert _recommended(rows[:1]) is None


def test_a_test_that_may_exceed_its_level_is_recommended_with_that_reservation(found):
    best = next(row for row in found.rows if row.test == found.recommended)
    assert best.judgement is LevelJudgement.OPEN
    assert "if you must choose now" in found.sentence()
    assert f"could be up to {best.high:.3f}, which more trials would settle" in found.sentence()
    kept = replace(found, rows=tuple(replace(row, judgement=LevelJudgement.KEPT) for row in found.rows))
    assert kept.sentence().startswith(f"Use {best.test}: of the 3 tests shown to keep their level")


@pytest.mark.parametrize(("learners", "options", "message"), [
    (("nb",), {}, "learners must be two, got 1"),
    (("nb", "majority"), {"alpha": 0}, "alpha must be strictly between 0 and 1"),
    (("nb", "majority"), {"n": 500}, "n must be at most the 150 examples"),
])  # fmt: skip
def test_bad_examinations_are_one_sentence(learners, options, message):
    with pytest.raises(InvalidInput, match=message):
        lab.examine("sklearn:iris", learners, tests=["mcnemar"], trials=10, **options)


def test_curves_grow_with_the_data():
    curve = lab.power_curve(["mcnemar", "kfold_cv_t"], "two-kinds(difference=0.1)", values=[400, 100], trials=500)
    assert curve.values == (100, 400)
    for rates in curve.curves:
        assert rates[0].high < rates[1].low
    rows = json.loads(json.dumps(curve.to_dict(), allow_nan=False))["rows"]
    assert [(r["n"], r["test"]) for r in rows[:2]] == [(100, "mcnemar"), (400, "mcnemar")]
    assert "mcnemar" in str(curve)


def test_a_point_of_a_curve_is_the_study_of_that_size():
    curve = lab.power_curve("mcnemar", "two-kinds(difference=0.1)", values=[100, 300], trials=200, seed=4)
    alone = lab.power("mcnemar", "two-kinds(difference=0.1)", n=100, trials=200, seed=4)
    assert curve.curves[0][0] == alone.rows[0]


def test_numbers_of_runs_are_prefixes_of_one_simulation():
    tests = ["use_all_data:df=10", "corrected_repeated_cv_t"]
    options = {"learners": ("nb", "1nn"), "trials": 25, "n": 60, "folds": 5}
    curve = lab.power_curve(tests, "independent-binary", over="runs", values=[2, 4], **options)
    for place, runs in enumerate((2, 4)):
        alone = lab.power(tests, "independent-binary", runs=runs, **options)
        assert [rates[place] for rates in curve.curves] == list(alone.rows)


@pytest.mark.parametrize(("options", "message"), [
    ({"values": []}, "values must name at least one n"),
    ({"values": [1]}, "n must be a whole number of at least 2"),
    ({"values": [10], "over": "folds"}, "unknown over 'folds'"),
    ({"values": [2], "over": "runs"}, "needs a test that works on repeated cross-validation"),
    ({"values": [50], "alpha": 7}, "alpha must be strictly between"),
])  # fmt: skip
def test_bad_curves_are_one_sentence(options, message):
    with pytest.raises(InvalidInput, match=message):
        lab.power_curve("mcnemar", "two-kinds", trials=10, **options)


def test_nulls_side_by_side_are_the_single_studies():
    both = lab.several_nulls(
        ["mcnemar"], ["two-kinds(error=0.4)", "independent-binary"], learners=("nb", "1nn"), trials=50, n=60
    )
    alone = lab.type_one_error(["mcnemar"], "independent-binary", learners=("nb", "1nn"), trials=50, n=60)
    assert both.tables[1] == alone
    assert [r["population"] for r in both.to_dict()["rows"]] == [table.population for table in both.tables]
    with pytest.raises(InvalidInput, match="at least one population"):
        lab.several_nulls(["mcnemar"], [])


def test_a_test_that_fails_on_one_null_is_marked():
    both = lab.several_nulls(["resampled_t"], ["two-kinds", "two-kinds(error=0.4)"], trials=500)
    assert len(both.exceeding(0)) == 2
    assert str(both).count("*") == 3


@pytest.mark.parametrize(("options", "lower"), [
    ({"tests": "corrected_repeated_cv_t", "runs": 1000}, "lower trials or runs$"),
    ({"tests": "resampled_t", "splits": 100}, "lower trials or splits$"),
    ({"tests": "mcnemar"}, "lower trials$"),
])  # fmt: skip
def test_more_memory_than_there_is_is_refused_before_anything_runs(monkeypatch, options, lower):
    monkeypatch.setattr(gather, "available_bytes", lambda: 10_000_000)
    with pytest.raises(InvalidInput, match=f"GB of memory and 0.0 GB are free: {lower}"):
        lab.type_one_error(population="two-kinds", trials=10**6, **options)
    lab.type_one_error("mcnemar", "two-kinds", trials=500)


def test_repetitions_can_be_lowered_too(monkeypatch):
    monkeypatch.setattr(gather, "available_bytes", lambda: 10_000)
    with pytest.raises(InvalidInput, match="lower trials or folds or repetitions"):
        lab.replicability("kfold_cv_t", "two-kinds", trials=1000)


def test_free_memory_is_known_on_this_machine_or_not_checked(monkeypatch):
    free = gather.available_bytes()
    assert free is None or free > 0
    monkeypatch.setattr(gather, "available_bytes", lambda: None)
    gather.check_memory(10**9, 10**9, lower="trials")


def test_power_of_mcnemar_on_two_kinds_agrees_with_its_exact_power():
    # an independent source for a rate of the lab: exact enumeration over the binomial of discordant pairs
    error, n = 0.2, 100
    cells = [lab_cells(0.5 * error, 1.5 * error + 0.1), lab_cells(1.5 * error, 0.5 * error + 0.1)]
    only_a, only_b = np.mean([c[0] for c in cells]), np.mean([c[1] for c in cells])
    exact = 0.0
    for discordant in range(n + 1):
        weight = stats.binom.pmf(discordant, n, only_a + only_b)
        k = np.arange(discordant + 1)
        small = np.minimum(k, discordant - k)
        p = 2 * stats.binom.cdf(small, discordant, 0.5) - stats.binom.pmf(small, discordant, 0.5)
        exact += weight * stats.binom.pmf(k, discordant, only_a / (only_a + only_b))[p < 0.05].sum()
    measured = lab.power("mcnemar", f"two-kinds(error={error}, difference=0.1)", trials=5000).rows[0]
    low, high = stats.binom.interval(0.999, measured.trials, exact)
    assert low <= measured.rejections <= high


def lab_cells(a, b):
    """Probabilities that only the first and only the second of two independent learners err."""
    return a * (1 - b), (1 - a) * b


def test_learners_that_differ_on_every_null_leave_the_tests_unjudged():
    # on stratified folds of data whose classes say nothing, the larger class is right more often than a guess
    X = np.random.default_rng(1).random((90, 3))
    found = lab.examine((X, np.arange(90) % 2), ("majority", "1nn"), tests=["corrected_resampled_t"], n=60, trials=75)
    assert found.rows[0].judgement is LevelJudgement.NO_NULL
    assert found.recommended is None
    assert "No test can be judged: the learners differ on every null hypothesis" in " ".join(str(found).split())
    assert "xchange: The learners differ by +" in " ".join(str(found).split())
