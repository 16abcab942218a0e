"""r×2cv through `compare` and `compare_scores`, where rates swing, and the papers' own settings."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import foldwise as fw
from foldwise import lab
from foldwise.core.errors import InvalidInput

SPEC = "five_by_two_cv_t:runs={}"


def data():
    rng = np.random.default_rng(0)
    y = np.tile([0, 1], 40)
    return rng.normal(size=(80, 2)) + y[:, None], y


def by_hand(x):
    """Section 3.5 of dietterich1998 with r in place of 5."""
    s2 = ((x - x.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    t = x[0, 0] / np.sqrt(s2.mean())
    return t, 2 * stats.t.sf(abs(t), len(x))


@pytest.mark.parametrize("r", [2, 3, 10])
def test_the_replications_are_the_test_s_own_and_its_degrees_of_freedom(r):
    c = fw.compare(["nb", "1nn"], *data(), test=SPEC.format(r))
    assert c.evidence.a.shape == (r, 2)
    assert (c.evidence.n_train, c.evidence.n_test) == (40, 40)
    t, p = by_hand(c.evidence.differences)
    assert (c.statistic, c.pvalue, c.df) == (pytest.approx(t), pytest.approx(p), r)
    assert f"first of the {2 * r} differences" in str(c)
    assert any("fewer or more" in note for note in c.notes)
    again = fw.Comparison.from_dict(c.to_dict())
    assert (again.test, again.pvalue, str(again)) == (SPEC.format(r), c.pvalue, str(c))


def test_five_is_the_test_of_the_paper():
    five, plain = (fw.compare(["nb", "1nn"], *data(), test=test) for test in (SPEC.format(5), "five_by_two_cv_t"))
    assert five.to_dict() == plain.to_dict()
    assert not any("fewer or more" in note for note in plain.notes)


def test_scores_must_have_as_many_replications_as_the_test():
    a = np.random.default_rng(1).uniform(0.8, 0.9, (3, 2))
    given = {"a": a, "b": a[::-1]}, {"n_train": 50, "n_test": 50, "metric": "accuracy"}
    assert fw.compare_scores(given[0], test=SPEC.format(3), **given[1]).df == 3
    with pytest.raises(InvalidInput, match=r"shape \(4, 2\)"):
        fw.compare_scores(given[0], test=SPEC.format(4), **given[1])


@pytest.mark.parametrize("option", ["1", "51", "x", "-3", "²", "runs=3"])
def test_a_bad_number_is_one_sentence(option):
    with pytest.raises(InvalidInput, match="must stand 'runs=R' with R from 2 to 50"):
        fw.compare(["nb", "1nn"], *data(), test=SPEC.format(option))


def test_the_lab_puts_several_on_trial_at_once():
    rows = lab.type_one_error([SPEC.format(2), "five_by_two_cv_t", SPEC.format(20)], trials=500).rows
    assert [row.test for row in rows] == [SPEC.format(2), "five_by_two_cv_t", SPEC.format(20)]
    assert all(row.rate < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 500) for row in rows)  # the level, and its error


@pytest.mark.parametrize(("swing", "said"), [(0.8, True), (0.25, True), (0.15, False), (0.0, False)])
@pytest.mark.parametrize("test", ["five_by_two_cv_t", "five_by_two_cv_f"])
def test_rates_that_swing_between_replications_are_said(swing, said, test):
    rates = 0.9 - np.array([0.0, swing, 0.0, swing, 0.0])
    a = rates[:, None] + np.array([0.001, -0.001])
    b = a - 0.01 * np.array([[1, -1], [2, 1], [-1, 1], [1, 1], [-2, 1]])
    c = fw.compare_scores({"a": a, "b": b}, n_train=500, n_test=500, metric="accuracy", test=test)
    assert any("swings between replications" in note for note in c.notes) == said
    losses = fw.compare_scores({"a": 100 * a, "b": 100 * b}, n_train=500, n_test=500, metric="log_loss", test=test)
    assert not any("swings" in note for note in losses.notes)  # of a loss without bounds nobody knows what is much


@pytest.mark.parametrize(("options", "shape", "n_test"), [
    ({"test": "resampled_t", "runs": 10, "folds": 3}, (30,), 30),
    ({"test": "corrected_resampled_t", "runs": 10, "folds": 10}, (100,), 9),
    ({"test": "kfold_cv_t", "folds": 10}, (1, 10), 9),
    ({"test": "five_by_two_cv_f"}, (5, 2), 45),
])  # fmt: skip
def test_the_papers_own_settings_give_their_resampling(options, shape, n_test):
    rng = np.random.default_rng(2)
    y = np.tile([0, 1], 45)
    c = fw.compare(["nb", "majority"], rng.normal(size=(90, 2)) + y[:, None], y, **options)
    assert (c.evidence.a.shape, c.evidence.n_test) == (shape, n_test)


def options_of(paper, **asked):
    return {"options": fw.Options(paper=paper), **asked}


@pytest.mark.parametrize(("asked", "test", "shape", "n_test"), [
    (options_of("dietterich1998"), "five_by_two_cv_t", (5, 2), 40),
    (options_of("dietterich1998", test="resampled_t"), "resampled_t", (30,), 27),
    (options_of("dietterich1998", test="kfold_cv_t"), "kfold_cv_t", (1, 10), 8),
    (options_of("alpaydin1999"), "five_by_two_cv_f", (5, 2), 40),
    (options_of("bouckaert2003"), "use_all_data:df=10", (10, 10), 8),
    (options_of("bouckaert2003", test="use_all_data"), "use_all_data:df=10", (10, 10), 8),
    (options_of("bouckaertfrank2004", test="corrected_resampled_t"), "corrected_resampled_t", (100,), 8),
])  # fmt: skip
def test_a_paper_is_followed_by_its_key(asked, test, shape, n_test):
    c = fw.compare(["nb", "majority"], *data(), **asked)
    assert (c.test, c.evidence.a.shape, round(c.evidence.n_test)) == (test, shape, n_test)


@pytest.mark.parametrize(("asked", "message"), [
    (options_of("dietterich1988"), "paper must be dietterich1998, .* got 'dietterich1988'"),
    (options_of("alpaydin1999", test="mcnemar"), "test must be one of those of alpaydin1999, .* got 'mcnemar'"),
    (options_of("bouckaert2003", runs=3), "runs is set by paper 'bouckaert2003'.* got runs=3"),
    (options_of("bouckaert2003", cv=5), "cv is set by paper"),
])  # fmt: skip
def test_what_contradicts_the_paper_is_refused(asked, message):
    with pytest.raises(InvalidInput, match=message):
        fw.compare(["nb", "majority"], *data(), **asked)


@pytest.mark.parametrize("test", ["mcnemar_corrected", "difference_of_proportions"])
def test_the_papers_holdout_tests_a_third(test):
    c = fw.compare(["nb", "majority"], *data(), test=test, folds=3)
    assert c.evidence.n in (26, 27)
