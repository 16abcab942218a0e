from __future__ import annotations

from urllib.parse import urlencode

import pytest

from foldwise.comparison import advise, plan
from foldwise.comparison.advice import ANSWERS


def test_the_nine_questions_are_one_click_away(visitor):
    links = [link for link in visitor.get("/advise").markup.values("href") if link and link.startswith("/advise?")]
    assert len(links) == 9
    for number, link in enumerate(links, start=1):
        page = visitor.get(link)
        assert f"Question {number}: {ANSWERS[number].asked}" in page.markup.text
        assert page.facts()["run"].startswith(ANSWERS[number].command.split(" --")[0])


@pytest.mark.parametrize(
    ("answers", "title", "door"),
    [
        ({}, "Use the influence-robust test", None),
        ({"about": "classifiers", "data": "much"}, "Use McNemar's test (mid-p)", "/predictions"),
        ({"domains": "several"}, "Use Wilcoxon's signed-rank test", "/table"),
        ({"about": "classifiers", "goal": "estimate", "data": "much"}, "Use Jeffreys' interval", "/interval"),
        ({"goal": "estimate"}, "Use 10-fold cross-validation", None),
        ({"goal": "estimate", "data": "much"}, "Use disjoint training sets and one test set", None),
        ({"runs_affordable": "1"}, "Use the combined 5×2cv F test", "/scores"),
    ],
)
def test_four_answers_give_the_test_and_where_to_go(visitor, answers, title, door):
    page = visitor.get(f"/advise?{urlencode(answers)}")
    assert page.verdict == f"{title}."
    options = {**answers, "runs_affordable": int(answers.get("runs_affordable", 10))}
    assert page.facts()["cost"].startswith(f"{advise(n=300, **options).cost} fits")
    assert page.command.startswith("foldwise advise --domains=")
    bring = [link for link in page.markup.values("href") if link == door]
    assert len(bring) == (0 if door is None else 2)  # in the menu, and below the command


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"about": "<script>"}, "Unknown about '<script>'. Known: algorithms, classifiers."),
        ({"n": "1"}, "N must be a whole number of at least 2, got 1."),
        ({"n": "x"}, "N must be a number, got 'x'."),
        ({"runs_affordable": "-1"}, "runs_affordable must be a whole number of at least 0, got -1."),
    ],
)
def test_answers_that_make_no_sense(visitor, answers, sentence):
    page = visitor.get(f"/advise?{urlencode(answers)}")
    assert page.alert == sentence
    assert page.markup


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({}, plan("mcnemar", difference=0.05, discordance=0.1)),
        ({"find": "difference", "size": "500"}, plan("mcnemar", size=500, discordance=0.1)),
        ({"find": "power", "size": "500"}, plan("mcnemar", size=500, difference=0.05, discordance=0.1)),
        ({"test": "two_rates", "rate": "0,3"}, plan("two_rates", difference=0.05, rate=0.3)),
        (
            {"test": "corrected_repeated_cv_t", "find": "difference", "size": "10", "folds": "5", "alpha": "0.1"},
            plan("corrected_repeated_cv_t", size=10, sigma=0.05, folds=5, alpha=0.1),
        ),
        ({"test": "wilcoxon", "sigma": "0.1"}, plan("wilcoxon", difference=0.05, sigma=0.1)),
    ],
)
def test_the_plan_is_that_of_the_library(visitor, options, found):
    page = visitor.get(f"/plan?{urlencode(options)}")
    assert page.status == 200
    assert page.verdict == found.sentence
    assert "<svg" in page.text.split('id="answer"')[1]
    assert f"{found.curve[0][0]} {found.curve[0][1]:.3f}" in page.markup.text
    assert f"--test={found.test}" in page.command
    assert f"--{found.solved_for}=" not in page.command


def test_the_sliders_have_the_values_of_the_address(visitor):
    page = visitor.get("/plan?difference=0.02&power=0.9")
    assert [page.chosen(name) for name in ("difference", "power", "alpha")] == ["0.02", "0.9", "0.05"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"difference": "0.2"}, "Difference must be at most 0.1 for this design, got 0.2."),
        ({"difference": ""}, "Give the size or the difference (or both, for the power)."),
        ({"power": "1"}, "Power must be strictly between 0 and 1, got 1.0."),
        ({"find": "power", "size": "2.5"}, "Size must be a whole number, got '2.5'."),
        ({"test": "guess"}, "Unknown test 'guess'"),
        ({"discordance": ""}, "Test 'mcnemar' needs discordance, the share of items"),
    ],
)
def test_plans_that_make_no_sense(visitor, options, sentence):
    page = visitor.get(f"/plan?{urlencode(options)}")
    assert page.alert.startswith(sentence)
    assert page.verdict is None
    assert page.markup
