from __future__ import annotations

import json

import pytest

import foldwise as fw
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.inference.catalogue import procedure_names
from foldwise.planning.measured import TYPE_ONE_ERROR


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
    (1, "jeffreys"), (2, "kfold"), (3, "mcnemar"), (4, "corrected_repeated_cv_t"), (5, "holdout"), (6, "kfold"),
    (7, "corrected_resampled_t"), (8, "corrected_repeated_cv_t"), (9, "wilcoxon_signed_rank"),
])  # fmt: skip
def test_every_question_has_an_answer_with_a_command(question, test):
    advice = fw.advise(question)
    assert advice.test == test
    assert advice.command.startswith("foldwise ")
    assert advice.why.endswith(".")
    assert json.loads(json.dumps(advice.to_dict()))["question"] == question


def test_what_can_be_paid_for_decides():
    assert fw.advise(8, runs_affordable=1).test == "five_by_two_cv_f"
    assert "--runs 5" in fw.advise(8, runs_affordable=5).command
    assert "--runs auto" in fw.advise(8, runs_affordable=100).command
    assert fw.advise(8, runs_affordable=5).cost == 100


def test_bad_news_is_not_hidden():
    advice = fw.advise(8, n=50)
    assert "0.116 for 1-NN" in str(advice)
    assert any("rejects a true null hypothesis too often" in caveat for caveat in advice.caveats)
    assert any("With 50 examples" in caveat for caveat in advice.caveats)


def test_measured_values_belong_to_tests_that_exist():
    assert set(TYPE_ONE_ERROR) <= set(procedure_names())


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"question": 10}, InvalidInput, "question must be from 1 to 9, got 10"),
    ({"question": 0}, InvalidInput, "question must be a whole number of at least 1"),
    ({"goal": "chose"}, UnknownName, "did you mean 'choose'"),
    ({"runs_affordable": 0}, InvalidInput, "runs_affordable must be a whole number of at least 1"),
    ({"n": 1}, InvalidInput, "n must be a whole number of at least 2"),
])  # fmt: skip
def test_bad_input_is_one_sentence(options, error, message):
    with pytest.raises(error, match=message):
        fw.advise(**options)
