"""Verdicts do not change, or change exactly as they must, when the same question is asked in another way."""

from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np
import pytest
from doors.problems import Predictions, Scores, Table, as_csv, on_the_command_line, on_the_page

from foldwise.designs import find_procedure, procedure_names
from foldwise.inference import clustered_difference

SHAPES = {"splits": (12,), "kfold": (1, 10), "five_by_two": (5, 2), "repeated_cv": (4, 5)}
NEEDS = {name: find_procedure(name).kind.name for name in procedure_names()}
ON_SCORES = [name for name, needs in NEEDS.items() if needs in SHAPES]
ON_PREDICTIONS = [name for name, needs in NEEDS.items() if needs in ("table", "clusters")]
POSTHOC = ["wilcoxon", "sign", "ranks", "nemenyi"]
PLACES = ("python", "command line", "page")
SEEDS = range(3)

pytestmark = pytest.mark.filterwarnings("ignore::foldwise.core.errors.DegenerateVariance")


def scores(test, seed):
    rng = np.random.default_rng([seed, zlib.crc32(test.encode())])
    sizes = {"n_train": 90, "n_test": 10} if NEEDS[test] == "splits" else {}
    return Scores.draw(rng, SHAPES[NEEDS[test]], test=test, **sizes)


def predictions(test, seed):
    return Predictions.draw(np.random.default_rng([seed, zlib.crc32(test.encode())]), test=test)


def table(posthoc, seed):
    return Table.draw(np.random.default_rng([seed, zlib.crc32(posthoc.encode())]), test=posthoc)


def same_answer(before, after, *, mirrored=False, scale=1.0, exact=False):
    """The same winner and p; the difference mirrored or scaled as told."""
    sign = -1 if mirrored else 1
    close = {"rel": 0, "abs": 0} if exact else {"rel": 1e-6, "abs": 1e-9}
    assert after["better"] == before["better"]
    assert after["pvalue"] == pytest.approx(before["pvalue"], **close)
    assert after["estimate"] == pytest.approx(sign * scale * before["estimate"], **close)
    limits = [before["interval"], after["interval"]]
    assert (limits[0] is None) == (limits[1] is None)
    if limits[0] is not None:
        low, high = sorted(sign * scale * limits[0][side] for side in ("low", "high"))
        assert (limits[1]["low"], limits[1]["high"]) == pytest.approx((low, high), **close)


def same_probabilities(before, after, *, swapped=False):
    order = ("b_better", "equivalent", "a_better") if swapped else ("a_better", "equivalent", "b_better")
    was, now = before["rope_probabilities"], after["rope_probabilities"]
    assert (was is None) == (now is None)
    if was is not None:
        assert [now[name] for name in ("a_better", "equivalent", "b_better")] == pytest.approx(
            [was[name] for name in order], rel=1e-5, abs=1e-7
        )


def swapped(problem):
    return replace(problem, first=problem.second, second=problem.first, names=problem.names[::-1])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("test", ON_SCORES)
class TestScores:
    def test_swapped(self, test, seed):
        problem = scores(test, seed)
        before, after = problem.in_python(), swapped(problem).in_python()
        same_answer(before, after, mirrored=True)
        same_probabilities(before, after, swapped=True)

    def test_a_learner_against_itself_is_no_difference(self, test, seed):
        problem = scores(test, seed)
        answer = replace(problem, second=problem.first).in_python()
        assert answer["better"] is None
        assert answer["pvalue"] == 1

    def test_accuracy_given_as_error(self, test, seed):
        problem = scores(test, seed)
        wrong = replace(problem, first=1 - problem.first, second=1 - problem.second, metric="error")
        before, after = problem.in_python(), wrong.in_python()
        same_answer(before, after, mirrored=True)
        same_probabilities(before, after)

    def test_fractions_given_as_percentages(self, test, seed):
        problem = scores(test, seed)
        percent = replace(problem, first=100 * problem.first, second=100 * problem.second)
        before, after = problem.in_python(), percent.in_python()
        same_answer(before, after, scale=100)
        same_probabilities(before, after)

    def test_scores_in_another_unit(self, test, seed):
        problem = replace(scores(test, seed), metric="profit")
        other = replace(problem, first=7.5 * problem.first + 2, second=7.5 * problem.second + 2)
        before = replace(problem, options=problem.options | {"rope": 0.01}).in_python()
        after = replace(other, options=problem.options | {"rope": 0.075}).in_python()
        same_answer(before, after, scale=7.5)
        same_probabilities(before, after)


# five_by_two_cv_t divides the first difference, as its answer says: another order is another answer
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("test", [name for name in ON_SCORES if name != "five_by_two_cv_t"])
def test_runs_and_folds_in_another_order(test, seed):
    problem, rng = scores(test, seed), np.random.default_rng(seed)
    places = np.ix_(*(rng.permutation(length) for length in problem.first.shape))
    other = replace(problem, first=problem.first[places], second=problem.second[places])
    same_answer(problem.in_python(), other.in_python())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("test", ON_PREDICTIONS)
class TestPredictions:
    def test_swapped(self, test, seed):
        problem = predictions(test, seed)
        before, after = problem.in_python(), swapped(problem).in_python()
        same_answer(before, after, mirrored=True)
        same_probabilities(before, after, swapped=True)

    def test_a_classifier_against_itself_is_no_difference(self, test, seed):
        problem = predictions(test, seed)
        answer = replace(problem, second=problem.first).in_python()
        assert answer["better"] is None
        assert answer["pvalue"] == 1

    def test_items_in_another_order(self, test, seed):
        problem = predictions(test, seed)
        order = np.random.default_rng(seed).permutation(len(problem.truth))
        before, after = problem.in_python(), problem.rows(order).in_python()
        same_answer(before, after)
        same_probabilities(before, after)

    def test_classes_renamed(self, test, seed):
        problem = predictions(test, seed)
        names = {"cat": 3, "dog": 1, "owl": 2}
        renamed = {
            part: tuple(names[label] for label in getattr(problem, part)) for part in ("truth", "first", "second")
        }
        same_answer(problem.in_python(), replace(problem, **renamed).in_python(), exact=True)


@pytest.mark.parametrize("seed", range(8))
def test_every_item_twice_under_its_own_group_is_no_more_evidence(seed):
    problem = predictions("clustered_difference", seed)
    items = tuple(f"item{i}" for i in range(len(problem.truth)))
    once = replace(problem, groups=items).in_python()
    twice = replace(problem, groups=items).rows(np.repeat(np.arange(len(items)), 2)).in_python()
    right = np.array([problem.first, problem.second]) == np.array(problem.truth)
    alone = clustered_difference(right[0].astype(float) - right[1], items).pvalue
    assert twice["estimate"] == pytest.approx(once["estimate"])
    # the guard "as if items were independent" is weaker where there are twice as many; the cluster t never is
    assert alone - 1e-9 <= twice["pvalue"] <= once["pvalue"] + 1e-9


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("posthoc", POSTHOC)
class TestTables:
    def same_pairs(self, before, after):
        def pairs(answer):
            return {frozenset((p["a"], p["b"])): (p["better"], pytest.approx(p["adjusted"], abs=1e-9))
                    for p in answer["pairs"]}  # fmt: skip

        assert pairs(after) == pairs(before)
        assert after["best"] == before["best"]
        assert after["omnibus"]["pvalue"] == pytest.approx(before["omnibus"]["pvalue"], abs=1e-9)

    def test_data_sets_and_learners_in_another_order(self, posthoc, seed):
        problem, rng = table(posthoc, seed), np.random.default_rng(seed)
        rows, columns = rng.permutation(len(problem.datasets)), rng.permutation(len(problem.learners))
        other = replace(
            problem,
            values=problem.values[np.ix_(rows, columns)],
            learners=tuple(problem.learners[j] for j in columns),
            datasets=tuple(problem.datasets[i] for i in rows),
        )
        self.same_pairs(problem.in_python(), other.in_python())

    def test_accuracy_given_as_error(self, posthoc, seed):
        problem = table(posthoc, seed)
        self.same_pairs(problem.in_python(), replace(problem, values=1 - problem.values, metric="error").in_python())

    def test_fractions_given_as_percentages(self, posthoc, seed):
        problem = table(posthoc, seed)
        self.same_pairs(problem.in_python(), replace(problem, values=100 * problem.values).in_python())


@pytest.fixture
def ask(run, reader, tmp_path):
    """Ask at a place, by a file where it takes files."""

    def call(place, problem, text=None):
        text = as_csv(problem.columns()) if text is None else text
        if place == "command line":
            return on_the_command_line(run, tmp_path, problem, text)
        return on_the_page(reader, problem, text)

    return call


@pytest.mark.parametrize("test", ON_SCORES)
def test_scores_are_judged_alike_at_every_door(ask, test):
    problem = scores(test, 1)
    expected = problem.in_python()
    wide, long = as_csv(problem.columns()), as_csv(problem.long_columns())
    order = np.random.default_rng(0).permutation(problem.first.size)
    shuffled = as_csv(problem.columns(), order)
    with_more = as_csv(
        problem.columns() | {"seconds": np.round(np.random.default_rng(1).random(problem.first.size), 2)}
    )
    for text in (wide, long, shuffled, with_more):
        answer = ask("command line", problem, text)
        same_answer(expected, answer)
        same_probabilities(expected, answer)
    answer = ask("page", problem, long)
    same_answer(expected, answer)
    same_probabilities(expected, answer)


@pytest.mark.parametrize("test", ON_PREDICTIONS)
def test_predictions_are_judged_alike_at_every_door(ask, test):
    problem = predictions(test, 1)
    expected = problem.in_python()
    order = np.random.default_rng(0).permutation(len(problem.truth))
    plain = as_csv(problem.columns())
    shuffled = as_csv(problem.columns(), order)
    with_more = as_csv({"id": range(len(problem.truth))} | problem.columns() | {"third": problem.second})
    for text in (plain, shuffled, with_more):
        answer = ask("command line", problem, text)
        same_answer(expected, answer)
        same_probabilities(expected, answer)
    answer = ask("page", problem, plain)
    same_answer(expected, answer)
    same_probabilities(expected, answer)


@pytest.mark.parametrize("posthoc", POSTHOC)
@pytest.mark.parametrize("turned", [False, True])
def test_tables_are_judged_alike_at_every_door(ask, posthoc, turned):
    problem = table(posthoc, 2)
    expected = problem.in_python()
    if turned:
        problem = replace(problem, values=np.round(1 - problem.values, 3), metric="error")
    for place in ("command line", "page"):
        TestTables().same_pairs(expected, ask(place, problem))
