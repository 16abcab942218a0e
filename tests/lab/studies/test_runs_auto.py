from __future__ import annotations

import numpy as np
import pytest

from foldwise.designs import Design, find_procedure
from foldwise.lab.papers import Task
from foldwise.lab.papers.rows import measured
from foldwise.lab.populations import find_population
from foldwise.lab.studies import find_studies, runs_auto
from foldwise.lab.studies.runs_auto import CONTESTS, contestants
from foldwise.learners import C45, NaiveBayes


@pytest.fixture
def views():
    population = find_population("bayes-net(set=4)")
    return population.views(population.draw(300, np.random.default_rng(0)))


def verdict(views, learners, seed, most):
    """Whether the test rejects, and after how many runs."""
    procedure, design = find_procedure("corrected_repeated_cv_t"), Design(n=300, folds=10)
    rejected, _, runs = runs_auto.verdicts_of([seed], views, learners, procedure, design, "runs", 10, most)
    return bool(rejected[0]), int(runs[0])


def test_a_clear_difference_needs_the_first_ten_runs_only(views):
    assert verdict(views, (NaiveBayes(), C45()), 1, 1000) == (True, 10)


def test_a_learner_against_itself_is_settled_at_once(views):
    assert verdict(views, (C45(), C45()), 1, 1000) == (False, 10)


def test_a_small_budget_is_kept_and_the_seed_decides(views):
    again = [verdict(views, (NaiveBayes(), C45()), 1, 10) for _ in range(2)]
    assert again[0] == again[1]
    assert again[0][1] == 10


def test_trials_have_ten_verdicts_and_are_reproducible():
    population = find_population("bayes-net(set=1)")
    trial = runs_auto._start(population, (NaiveBayes(), C45()), 0, 20)
    first, again = trial(0), trial(0)
    assert first["rejected"].shape == first["runs"].shape == (10,)
    assert (first["runs"] == again["runs"]).all()
    assert set(first["rejected"]) <= {0.0, 1.0}
    assert (trial(1)["runs"] <= 20).all()


def test_share_of_data_sets_on_which_all_ten_agree():
    rejected = np.array([[1.0] * 10, [0.0] * 10, [1.0] + [0.0] * 9, [0.0] * 10])
    row = runs_auto._row("x", {"rejected": rejected, "runs": np.full((4, 10), 15.0)})
    assert row.ours == 0.75
    assert "15 runs in the middle, 15 on average, 300 fits" in row.note


def row(share, high):
    return measured("x", share, "", low=0.0, high=high)


@pytest.mark.parametrize(
    ("rows", "verdicts"),
    [
        ([row(0.96, 0.99), row(0.99, 1.0)], ["agree", "agree"]),
        ([row(0.93, 0.96), row(0.99, 1.0)], ["agree", "not comparable"]),
        ([row(0.90, 0.94), row(0.99, 1.0)], ["agree", "differs"]),
        ([row(0.60, 0.70), row(0.99, 1.0)], ["differs", "differs"]),
    ],
)
def test_goal_is_judged_by_the_interval(rows, verdicts):
    assert [found.verdict for found in runs_auto._judged(rows, "x")] == verdicts


def test_undamaged_learners_are_those_of_the_source():
    contest = CONTESTS[1]
    population, learners = contestants(Task(scale="smoke"), contest, contest.null)
    assert learners == ("nb", "c45")
    assert population.name == "bayes-net"


def test_study_has_a_row_per_set_and_judges_them():
    (study,) = find_studies("all/runs-auto")
    labels = [found.label for found in study.run("smoke").rows]
    assert labels[:4] == [f"set {number}: consistent" for number in (1, 2, 3, 4)]
