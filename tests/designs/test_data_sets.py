"""Data sets × learners as a kind of evidence: it owns its words, and answers take them from there."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import foldwise as fw
from foldwise.designs import DATA_SETS, KINDS, Basis, Kind
from foldwise.designs.adjustments import ADJUSTMENTS, NEMENYI
from foldwise.designs.data_sets import OMNIBUS, PAIR_MODELS, PAIR_TESTS
from foldwise.evidence.score_table import ScoreTable

SCORES = np.random.default_rng(3).normal(size=(12, 3)) * 0.02 + [0.8, 0.85, 0.82]


def test_it_is_about_several_learners_over_data_sets():
    assert DATA_SETS not in KINDS
    assert isinstance(DATA_SETS, Basis)
    assert not isinstance(DATA_SETS, Kind)


@pytest.mark.usefixtures("without_pictures")
def test_an_answer_takes_its_words_from_the_kind():
    c = fw.compare_table(SCORES)
    assert c.kind is DATA_SETS
    assert c.guarantee == f"{PAIR_TESTS['wilcoxon'].guaranteed}; Holm-adjusted for {len(c.pairs)} pairs"
    assert c.caveats[-1] == DATA_SETS.limit
    page = c.to_html()
    for words in (*DATA_SETS.assumes, *PAIR_TESTS["wilcoxon"].assumes, "Demšar, J. (2006)"):
        assert words in page
    text = " ".join(c.details().split())
    assert DATA_SETS.because in text
    assert DATA_SETS.estimand(c.table) in text


@pytest.mark.usefixtures("without_pictures")
def test_only_the_signed_rank_test_assumes_symmetry():
    assert "symmetrically" in fw.compare_table(SCORES).to_html()
    assert "symmetrically" not in fw.compare_table(SCORES, test="sign").to_html()


@pytest.mark.parametrize("name", OMNIBUS)
def test_every_omnibus_test_is_run_and_shown_under_its_name(name):
    c = fw.compare_table(SCORES, options=fw.Options(omnibus=name))
    assert c.omnibus_test is OMNIBUS[name]
    assert f"{OMNIBUS[name].title} {OMNIBUS[name].symbol} = " in c.details()
    assert (c.omnibus.df_error is None) == (OMNIBUS[name].symbol == "χ²")


def test_only_what_takes_gaps_is_run_on_tables_with_gaps():
    holes = SCORES.copy()
    holes[0, 0] = np.nan
    for name, test in OMNIBUS.items():
        if test.takes_gaps:
            assert fw.compare_table(holes, options=fw.Options(omnibus=name)).omnibus_test is test
        else:
            with pytest.raises(fw.InvalidInput, match="every learner needs a score on every data set"):
                fw.compare_table(holes, options=fw.Options(omnibus=name))
    for name, pair in PAIR_TESTS.items():
        if not pair.alone:
            with pytest.raises(fw.InvalidInput, match=f"test must be wilcoxon or sign .* got '{name}'"):
                fw.compare_table(holes, test=name, options=fw.Options(omnibus="skillings_mack"))


def test_nemenyis_test_brings_its_adjustment_whatever_is_asked_for():
    c = fw.compare_table(SCORES, test="nemenyi", options=fw.Options(adjust="bh"))
    assert c.adjusted_by is NEMENYI
    assert c.to_dict()["adjustment"] == "nemenyi"
    assert [pair.adjusted for pair in c.pairs] == [pair.pvalue for pair in c.pairs]
    assert ADJUSTMENTS["bh"].caveat not in c.caveats


@settings(max_examples=25)
@given(arrays(np.float64, 6, elements=st.floats(0, 1)))
def test_adjusted_pvalues_are_never_smaller(pvalues):
    for adjustment in (*ADJUSTMENTS.values(), NEMENYI):
        assert (adjustment.run(pvalues, 4) >= pvalues * (1 - 1e-12)).all(), adjustment.name


@pytest.mark.usefixtures("without_pictures")
def test_the_digest_tells_tables_apart_by_their_scores_alone():
    first, renamed = fw.compare_table(SCORES), fw.compare_table(SCORES, models=["x", "y", "z"])
    assert first.evidence_digest == renamed.evidence_digest
    assert first.evidence_digest != fw.compare_table(SCORES + 0.001).evidence_digest
    assert first.evidence_digest in first.to_html()


@pytest.mark.parametrize("name", PAIR_MODELS)
def test_every_model_answers_for_every_pair(name):
    rng = np.random.default_rng(1)
    splits = SCORES[:4, :2, None] + rng.normal(size=(4, 2, 5)) * 0.01
    c = fw.compare_table(splits, n_train=90, n_test=10, options=fw.Options(bayes=name))
    assert c.model is PAIR_MODELS[name]
    assert np.isclose(sum(c.pairs[0].probabilities.as_tuple()), 1)


def test_answers_survive_pickling():
    c = fw.compare_table(SCORES, options=fw.Options(adjust="shaffer"))
    again = pickle.loads(pickle.dumps(c))
    assert again.to_dict() == c.to_dict()
    assert again.kind is c.kind


def test_scores_that_are_alike_are_noticed():
    copied = np.vstack([SCORES, SCORES[:1]])
    twins = np.column_stack([SCORES, SCORES[:, 0]])
    assert "counts twice" in " ".join(DATA_SETS.caveats(ScoreTable.of(copied), 0.01))
    assert "learner 1 and learner 4 have the same" in " ".join(DATA_SETS.caveats(ScoreTable.of(twins), 0.01))
