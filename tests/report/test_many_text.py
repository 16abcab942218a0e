from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from verb_options import with_options

import foldwise as fw
from foldwise.core.units import name_list
from foldwise.designs.data_sets import PAIR_TESTS
from foldwise.document import document_of
from foldwise.document.document import Facts


def told(c):
    document = document_of(c)
    return f"{document.headline} {document.detail}"


def table(gains, n=15, seed=1):
    rng = np.random.default_rng(seed)
    return rng.uniform(0.5, 0.7, size=(n, 1)) + np.array(gains) + rng.normal(0, 0.01, size=(n, len(gains)))


@pytest.mark.parametrize(("gains", "options", "words"), [
    ([0.2, 0.0], {}, "learner 1 is better. Mean score 0.8023 (learner 1) vs 0.6033 (learner 2); learner 1 is "
                    "better on 15 data sets, learner 2 on 0 (p < 0.0001)"),
    ([0.2, 0.1, 0.0], {}, "learner 1 is best: better than each of the other 2."),
    ([0.2, 0.2, 0.0], {}, "has the best mean rank, but is not shown to be better than"),
    ([0.2, 0.2, 0.0], {}, "it is better than learner 3. Mean ranks from"),
    ([0.0, 0.0, 0.0], {}, "No difference is shown between any two learners"),
    ([0.1, 0.2, 0.0], {"control": 0}, "learner 2 is better than learner 1; learner 3 is worse than learner 1."),
    ([0.1, 0.2, 0.3], {"control": 0}, "learner 2 and learner 3 are better than learner 1."),
    ([0.3, 0.2, 0.1], {"control": 0}, "learner 2 and learner 3 are worse than learner 1."),
    ([0.2, 0.2, 0.0], {"control": 0}, "no difference from learner 1 is shown for learner 2."),
])  # fmt: skip
def test_the_answer_in_words(gains, options, words):
    assert words in told(fw.compare_table(table(gains), **with_options(options)))


def test_too_few_data_sets_have_no_answer():
    few = fw.compare_table(table([0.3, 0.2, 0.1], n=4))
    assert told(few).startswith("No answer is possible: with 4 data sets and 3 comparisons")


@pytest.mark.parametrize(("options", "title"), [
    ({}, "pairwise Wilcoxon signed-rank tests, Holm-adjusted for 3 comparisons"),
    ({"test": "sign", "adjust": "by"}, "pairwise sign tests, Benjamini–Yekutieli-adjusted for 3 comparisons"),
    ({"control": 1, "test": "ranks", "adjust": "bonferroni"},
     "each vs learner 2, mean-rank tests, Bonferroni-adjusted for 2 comparisons"),
    ({"test": "nemenyi"}, "pairwise Nemenyi's test, adjusted for 3 comparisons"),
    ({"adjust": "none"}, "pairwise Wilcoxon signed-rank tests, not adjusted, 3 comparisons"),
])  # fmt: skip
def test_the_title_always_shows_the_number_of_comparisons(options, title):
    assert document_of(fw.compare_table(table([0.2, 0.1, 0.0]), **with_options(options))).subtitle == title


def test_two_learners_are_told_as_two_models_are():
    """``none of 1 pair differ``, without a p-value, and a test of whether "all" are the same."""
    document = document_of(fw.compare_table(table([0.2, 0.0])))
    assert (document.title, document.subtitle) == (
        "learner 1 vs learner 2 on 15 data sets",
        "Wilcoxon signed-rank test",
    )
    assert [row[0] for block in document.blocks if isinstance(block, Facts) for row in block.rows] == [
        "typical difference",
        "in practice",
    ]
    worse = document_of(fw.compare_table(-table([0.2, 0.0]), higher_is_better=False))
    assert worse.headline == "learner 1 is better."
    assert "learner 1 is better on 15 data sets" in told(fw.compare_table(-table([0.2, 0.0]), higher_is_better=False))


@pytest.mark.parametrize("posthoc", PAIR_TESTS)
def test_every_choice_has_words(posthoc):
    c = fw.compare_table(table([0.2, 0.0, 0.1]), test=posthoc)
    assert PAIR_TESTS[posthoc].title in str(c)
    assert c.methods().count("(Demšar, 2006)") == 1


def test_the_methods_sentence_names_tests_level_and_findings():
    words = fw.compare_table(table([0.2, 0.1, 0.0]), metric="AUC", alpha=0.01).methods()
    assert "3 learners by AUC on 15 data sets" in words
    assert "Iman–Davenport F" in words
    assert "at level 0.01; 3 of them showed a difference" in words


@settings(max_examples=30)
@given(arrays(np.float64, (6, 3), elements=st.integers(0, 9).map(lambda i: i / 10)), st.sampled_from([None, 0, 2]))
def test_the_text_of_any_table_is_complete_and_has_no_nan(scores, control):
    result = fw.compare_table(scores, options=fw.Options(control=control), alpha=0.4)
    text = result.details()
    assert not re.search(r"\bnan\b", text.lower())
    assert str(len(result.pairs)) in text.splitlines()[0]
    for name in result.learners:
        assert name in text
    assert "What is estimated:" in text
    assert "Note:" in text
    assert "Guarantee" in text
    assert not re.search(r"[ \t]$", text.splitlines()[2])


def test_long_lists_are_counted():
    assert name_list(["a"]) == "a"
    assert name_list(list("abcdefg")) == "a, b, c, d, e, f and g"
    assert name_list(list("abcdefgh")) == "a, b, c, d, e, f and 2 others"
    many = fw.compare_table(np.random.default_rng(0).normal(size=(20, 35)), options=fw.Options(bayes="none"))
    assert "… and 5 more" in str(many)


def test_a_single_comparison_is_one_everywhere():
    c = fw.compare_table({"a": [0.9, 0.8], "b": [0.7, 0.6]}, options=fw.Options(bayes="none"))
    for said in (str(c), c.methods()):
        assert "1 comparisons" not in said
        assert "1 comparison " in said
