from __future__ import annotations

import json

import pytest

import foldwise as fw
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.inference.measured import behaviour, measured_levels


@pytest.mark.parametrize(("answers", "question"), [
    (("one", "classifiers", "estimate", "much"), 1),
    (("one", "classifiers", "estimate", "little"), 2),
    (("one", "classifiers", "choose", "much"), 3),
    (("one", "classifiers", "choose", "little"), 4),
    (("one", "algorithms", "estimate", "much"), 5),
    (("one", "algorithms", "estimate", "little"), 6),
    (("one", "algorithms", "choose", "much"), 7),
    (("one", "algorithms", "choose", "little"), 8),
    (("several", "algorithms", "choose", "little"), 9),
])  # fmt: skip
def test_four_answers_find_dietterichs_question(answers, question):
    domains, about, goal, data = answers
    assert fw.advise(domains=domains, about=about, goal=goal, data=data).question == question


@pytest.mark.parametrize(("question", "test"), [
    (1, "jeffreys"), (2, "kfold"), (3, "mcnemar"), (4, "influence"), (5, "delve"), (6, "kfold"),
    (7, "corrected_resampled_t"), (8, "influence"), (9, "wilcoxon_signed_rank"),
])  # fmt: skip
def test_every_question_has_an_answer_with_a_command(question, test):
    advice = fw.advise(question)
    assert advice.test == test
    assert advice.command.startswith("foldwise ")
    assert advice.why.endswith(".")
    assert json.loads(json.dumps(advice.to_dict()))["question"] == question


def test_what_can_be_paid_for_decides():
    assert fw.advise(8, runs_affordable=1).test == "five_by_two_cv_f"
    once = fw.advise(8, runs_affordable=0)  # "for algorithms that can be executed only once" (dietterich1998)
    assert (once.test, once.cost) == ("mcnemar", 2)
    assert once.command.endswith("--test mcnemar")
    much = fw.advise(7, runs_affordable=0)
    assert (much.test, much.cost, much.command) == ("mcnemar", 2, "foldwise compare A B --data FILE --test mcnemar")
    assert "--runs 5" in fw.advise(8, runs_affordable=5).command
    assert "--runs auto" in fw.advise(8, runs_affordable=100).command
    assert fw.advise(8, runs_affordable=5).cost == 100


def test_what_compare_answers_by_is_what_is_advised():
    """It named the corrected test, and for unstable learners the round robin, where `compare` takes another."""
    advice = fw.advise(8)
    assert (advice.test, advice.cost, advice.command) == ("influence", 200, "foldwise compare A B --data FILE")
    assert fw.compare(["nb", "majority"], fw.load("iris")).test == advice.test
    assert "not yet peer-reviewed" in " ".join(advice.caveats)
    rates = [level.rate for level in measured_levels("influence")]
    assert f"above 0.06 on {sum(rate > 0.06 for rate in rates)} of {len(rates)} sources" in advice.measured
    few = fw.advise(8, runs_affordable=9)
    assert (few.test, few.command) == ("corrected_repeated_cv_t", "foldwise compare A B --data FILE --runs 9")


@pytest.mark.parametrize(("question", "starts"), [
    (1, "approximate; measured coverage"), (2, "heuristic"), (3, "approximate; measured Type I error"),
    (5, "approximate; effects of training sets"), (7, "approximate; valid for stable learners"),
    (8, "approximate; measured, not derived"), (9, "approximate; measured Type I error"),
])  # fmt: skip
@pytest.mark.usefixtures("without_pictures")
def test_every_advice_says_what_its_procedure_guarantees(question, starts):
    advice = fw.advise(question)
    assert advice.guarantee == advice.to_dict()["guarantee"]
    assert advice.guarantee.startswith(starts)
    assert f"guarantee {advice.guarantee[0].upper()}{advice.guarantee[1:]}." in " ".join(str(advice).split())
    assert advice.guarantee[1:] in advice.to_html()


def test_much_data_allows_a_test_without_assumptions_about_learners():
    assert any("--test disjoint --train-size" in caveat for caveat in fw.advise(7).caveats)


@pytest.mark.parametrize("question", range(1, 10))
def test_questions_about_the_size_of_the_data_set_name_the_check_of_the_learning_curve(question):
    named = any("foldwise lab curve LEARNER" in caveat for caveat in fw.advise(question).caveats)
    assert named == (question in (6, 8))


def test_bad_news_is_not_hidden():
    assert "naive Bayes, attributes with t2 tails" in " ".join(fw.advise(8).caveats)
    advice = fw.advise(8, n=50, runs_affordable=5)
    neighbour = behaviour(advice.test)[-1]
    assert neighbour.source.learners == ("nb", "1nn")
    assert neighbour.exceeds
    assert f"{neighbour.type1.rate:.3f} with nb and 1nn" in advice.measured
    assert f"{neighbour.type1.rate:.3f} ({neighbour.type1.low:.3f} to" in str(advice)
    assert any("With nb and 1nn this test rejects a true null hypothesis too often" in c for c in advice.caveats)
    assert any("With 50 examples" in caveat for caveat in advice.caveats)


@pytest.mark.parametrize("runs", [1, 10])
@pytest.mark.parametrize("question", range(1, 10))
def test_every_recommended_procedure_was_measured(question, runs):
    advice = fw.advise(question, runs_affordable=runs)
    assert advice.figures
    assert advice.measured
    assert all(advice.test in (row.get("test"), row.get("method")) for row in advice.figures)


def test_the_text_says_where_it_was_measured_and_fits_a_terminal():
    text = str(fw.advise(8, runs_affordable=5))
    assert "At level 0.05, with 95 % Monte-Carlo intervals." in text
    assert "Data sets of 300 examples" in text
    assert "at 5.3 points" in text  # the size of the difference that the power is about
    assert max(map(len, text.splitlines())) <= 120


def test_an_untroubled_test_gets_no_warning():
    assert not any("too often" in caveat for caveat in fw.advise(3).caveats)


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"question": 10}, InvalidInput, "question must be from 1 to 9, got 10"),
    ({"question": 0}, InvalidInput, "question must be a whole number of at least 1"),
    ({"goal": "chose"}, UnknownName, "did you mean 'choose'"),
    ({"runs_affordable": -1}, InvalidInput, "runs_affordable must be a whole number of at least 0"),
    ({"n": 1}, InvalidInput, "n must be a whole number of at least 2"),
])  # fmt: skip
def test_bad_input_is_one_sentence(options, error, message):
    with pytest.raises(error, match=message):
        fw.advise(**options)
