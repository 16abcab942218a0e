from __future__ import annotations

import itertools
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.inference.many._adjust import adjust, bergmann_hommel, shaffer
from foldwise.inference.many._pairwise import PAIR_TESTS, pairwise
from foldwise.inference.many.mean_ranks import skillings_mack
from foldwise.inference.many.wilcoxon import wilcoxon_power, wilcoxon_signed_rank
from foldwise.inference.several_models import indistinct_groups

# Demšar (2006), table 6
NAMES = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
DEMSAR = np.array([
    [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.975, 0.975], [0.957, 0.978, 0.946, 0.970],
])  # fmt: skip


@pytest.fixture
def clear(rng):
    """Three learners on 15 data sets, the first clearly best."""
    return rng.uniform(0.5, 0.7, size=(15, 1)) + np.array([0.2, 0.05, 0.0]) + rng.normal(0, 0.02, size=(15, 3))


@pytest.fixture
def rng():
    return np.random.default_rng(42)


def test_demsars_table():
    result = fw.compare_table(DEMSAR, models=NAMES, metric="AUC")
    assert result.ranking == ("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5")
    assert result.omnibus.pvalue == pytest.approx(0.00762883873)  # R, tests/reference/many.tsv
    tests = pairwise(DEMSAR)
    assert [pair.pvalue for pair in result.pairs] == tests.pvalues.tolist()
    assert [pair.adjusted for pair in result.pairs] == adjust(tests.pvalues).tolist()
    assert [(pair.a, pair.b) for pair in result.pairs if pair.better] == [("C4.5", "C4.5+m")]
    assert result.pair("C4.5+m", "C4.5").better == "C4.5+m"
    assert result.tie_groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+m+cf", "C4.5+cf", "C4.5"))
    assert len(result.pairs) == 6
    assert result.best is None


@pytest.mark.parametrize("posthoc", ["wilcoxon", "sign", "ranks", "nemenyi"])
def test_means_equal_up_to_rounding_noise_are_ties_everywhere(posthoc):
    table = np.tile([[0.3, 0.2, 0.1], [0.1, 0.2, 0.3]], (8, 1, 1))
    result = fw.compare_table(table, test=posthoc)
    assert result.table.means[0, 0] != result.table.means[0, 1]
    assert (result.pairs[0].pvalue, result.pairs[0].ties, result.omnibus.pvalue) == (1, 8, 1)
    assert result.mean_ranks.tolist() == [1.5, 1.5]
    assert result.ranks == dict.fromkeys(result.models, (1, 2))
    assert np.all(result.dataset_ranks == 1.5)
    assert "on 0 data sets, learner 2 on 0, 8 ties (p = 1)" in " ".join(str(result).split())


def test_the_verdict_reads(clear):
    result = fw.compare_table(clear, models=["forest", "tree", "stump"], metric="accuracy")
    text = str(result)
    assert text.splitlines()[0].startswith("3 learners on 15 data sets")
    assert "Holm-adjusted for 3 comparisons" in text.splitlines()[0]
    assert "forest is best: better than each of the other 2." in text
    assert "higher accuracy" in result.details()
    assert "The answer is about data sets like these" in result.details()
    assert result.best == "forest"


def test_against_a_control(clear):
    result = fw.compare_table(clear, models=["forest", "tree", "stump"], options=fw.Options(control="tree"))
    assert [(pair.a, pair.b) for pair in result.pairs] == [("tree", "forest"), ("tree", "stump")]
    assert len(result.pairs) == 2
    assert "forest is better than tree; stump is worse than tree." in str(result)
    assert "each vs tree" in str(result)
    assert result.tie_groups == ()
    assert fw.compare_table(clear, options=fw.Options(control=0)).best == "learner 1"
    assert fw.compare_table(clear, options=fw.Options(control=0)).control == "learner 1"


def test_nothing_shown(rng):
    result = fw.compare_table(rng.uniform(size=(12, 3)))
    assert "No difference is shown between any two learners" in str(result)
    assert len(result.tie_groups) == 1
    against = fw.compare_table(rng.uniform(size=(12, 3)), options=fw.Options(control=1))
    assert "No difference from learner 2 is shown for learner 1 and learner 3" in str(against)


def test_four_data_sets_and_nine_learners_are_hopeless(rng):
    result = fw.compare_table(rng.uniform(size=(4, 9)))
    assert result.hopeless
    assert "no scores whatever could be significant" in result.caveats[0]
    assert "No answer is possible: with 4 data sets and 36 comparisons" in str(result)
    assert not any(pair.better for pair in result.pairs)


@pytest.mark.parametrize(
    "method", ["holm", "hochberg", "hommel", "bonferroni", "bh", "by", "shaffer", "bergmann_hommel"]
)
@pytest.mark.parametrize("n", range(3, 10))
def test_hopeless_is_what_complete_agreement_can_not_overcome(method, n):
    agreed = np.tile([0.9, 0.8, 0.7, 0.6], (n, 1)) + np.arange(n)[:, None] / 100
    result = fw.compare_table(agreed, options=fw.Options(bayes="none", adjust=method))
    assert result.hopeless == (not any(pair.better for pair in result.pairs))


@settings(max_examples=10)
@given(
    arrays(np.float64, (7, 4), elements=st.integers(0, 9).map(lambda i: i / 10)),
    st.permutations(range(4)),
    st.permutations(range(7)),
)
def test_renaming_and_reordering_change_nothing(table, columns, rows):
    names = ["p", "q", "r", "s"]
    options = {"alpha": 0.3, "bayes": "none"}
    result = fw.compare_table(table, models=names, **with_options(options))
    moved = fw.compare_table(
        table[list(rows)][:, list(columns)], models=[names[i] for i in columns], **with_options(options)
    )
    for a, b in itertools.combinations(names, 2):
        here, there = result.pair(a, b), moved.pair(a, b)
        assert here.adjusted == pytest.approx(there.adjusted, abs=1e-12)
        assert here.better == there.better
        assert {here.wins, here.losses} == {there.wins, there.losses}
    assert result.omnibus.pvalue == pytest.approx(moved.omnibus.pvalue)
    assert {frozenset(c) for c in result.tie_groups} == {frozenset(c) for c in moved.tie_groups}
    assert result.best == moved.best


@pytest.mark.parametrize("posthoc", ["wilcoxon", "sign", "ranks", "nemenyi"])
def test_a_learner_under_another_name_is_never_different_from_itself(clear, posthoc):
    twice = np.column_stack([clear, clear[:, 0]])
    result = fw.compare_table(twice, test=posthoc)
    pair = result.pair("learner 1", "learner 4")
    assert (pair.pvalue, pair.adjusted, pair.better) == (1, 1, None)
    assert pair.probabilities.as_tuple() == (0, 1, 0)
    assert any("learner 1 and learner 4 have the same scores" in caveat for caveat in result.caveats)


def test_losses_are_the_mirror_of_scores(clear):
    scores, losses = fw.compare_table(clear), fw.compare_table(-clear, higher_is_better=False)
    assert losses.ranking == scores.ranking
    for here, there in zip(scores.pairs, losses.pairs, strict=True):
        assert here.better == there.better
        assert there.estimate == -here.estimate
        assert (there.wins, there.losses) == (here.wins, here.losses)
        assert there.probabilities == here.probabilities
    assert "lower score" in str(losses)


@pytest.mark.parametrize(("method", "whole"), [("shaffer", shaffer), ("bergmann_hommel", bergmann_hommel)])
def test_adjustments_of_all_pairs(method, whole):
    result = fw.compare_table(DEMSAR, models=NAMES, options=fw.Options(adjust=method))
    pvalues, adjusted = np.ones((4, 4)), np.ones((4, 4))
    for pair in result.pairs:
        i, j = NAMES.index(pair.a), NAMES.index(pair.b)
        pvalues[i, j] = pvalues[j, i] = pair.pvalue
        adjusted[i, j] = adjusted[j, i] = pair.adjusted
    assert adjusted == pytest.approx(whole(pvalues))


def test_every_pair_is_complete():
    result = fw.compare_table(DEMSAR, models=NAMES)
    for pair in result.pairs:
        x = DEMSAR[:, NAMES.index(pair.a)] - DEMSAR[:, NAMES.index(pair.b)]
        assert pair.estimate == pytest.approx(x.mean())
        found = stats.wilcoxon(x, zero_method="pratt", method="approx", alternative="greater")  # its T⁺
        assert pair.statistic == found.statistic
        alone = wilcoxon_signed_rank(*DEMSAR[:, [NAMES.index(pair.a), NAMES.index(pair.b)]].T)
        level = 1 - result.alpha / len(result.pairs)
        span = alone.confidence_interval(level)
        assert (pair.interval.low, pair.interval.high) == pytest.approx((span.low, span.high))
        assert wilcoxon_power(len(x), pair.detectable_difference / x.std(ddof=1), alpha=0.05 / 6) == pytest.approx(
            0.8, abs=1e-4
        )
        assert pair.to_dict()["statistic"] == pair.statistic


@pytest.mark.parametrize("posthoc", PAIR_TESTS)
def test_a_pair_has_the_statistic_that_its_p_value_comes_from(posthoc):
    result = fw.compare_table(DEMSAR, models=NAMES, test=posthoc, options=fw.Options(adjust="none"))
    for pair in result.pairs:
        if posthoc == "sign":
            assert pair.pvalue == pytest.approx(stats.binomtest(pair.wins, pair.wins + pair.losses).pvalue)
            assert pair.statistic == pair.wins
        elif posthoc == "ranks":
            assert pair.pvalue == pytest.approx(2 * stats.norm.sf(abs(pair.statistic)))
        elif posthoc == "nemenyi":
            assert pair.pvalue == pytest.approx(stats.studentized_range.sf(pair.statistic, 4, np.inf))
        assert (pair.interval is None) == (posthoc in ("ranks", "nemenyi"))


def test_omnibus_and_posthoc_are_the_ones_asked_for(clear):
    for omnibus in ("friedman", "iman_davenport", "friedman_aligned", "quade", "skillings_mack"):
        assert fw.compare_table(clear, options=fw.Options(omnibus=omnibus)).omnibus.test == omnibus
    nemenyi = fw.compare_table(clear, test="nemenyi")
    assert nemenyi.adjustment == "nemenyi"
    assert [p.pvalue for p in nemenyi.pairs] == [p.adjusted for p in nemenyi.pairs]
    assert any("mean ranks depend on all learners" in caveat for caveat in nemenyi.caveats)
    assert any(
        "not adjusted" in caveat for caveat in fw.compare_table(clear, options=fw.Options(adjust="none")).caveats
    )
    assert any(
        "share of false findings" in caveat
        for caveat in fw.compare_table(clear, options=fw.Options(adjust="bh")).caveats
    )


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("batch", [1, 40, 10**6])
def test_pairs_summarised_together_are_those_summarised_one_by_one(monkeypatch, rng, higher, batch):
    monkeypatch.setattr("foldwise.inference.many.blocks.NUMBERS", batch)
    values = rng.integers(60, 70, size=(15, 5)) / 100  # ties in every column
    result = fw.compare_table(values, higher_is_better=higher, options=fw.Options(bayes="none"))
    for pair, (i, j) in zip(result.pairs, itertools.combinations(range(5), 2), strict=True):
        difference = np.round(values[:, i] - values[:, j], 2)
        better = difference if higher else -difference
        record = tuple(int(n) for n in ((better > 0).sum(), (better == 0).sum(), (better < 0).sum()))
        assert (pair.wins, pair.ties, pair.losses) == record
        assert pair.estimate == pytest.approx(difference.mean(), abs=1e-15)
        assert pair.median == np.median(difference)
        assert type(pair.wins) is int
        assert type(pair.estimate) is float
    values = np.vstack([values, [0.1, np.nan, np.nan, np.nan, np.nan]])  # a data set that no pair has
    gaps = fw.compare_table(values, higher_is_better=higher, options=fw.Options(bayes="none", omnibus="skillings_mack"))
    assert [pair.to_dict() for pair in gaps.pairs] == [pair.to_dict() for pair in result.pairs]


def test_whom_each_learner_beats(rng):
    values = rng.normal(size=(40, 9)) + np.linspace(0, 2, 9)
    result = fw.compare_table(values, options=fw.Options(bayes="none"))
    beaten = result.beaten()
    assert tuple(beaten) == result.ranking
    assert any(beaten.values())
    for name, others in beaten.items():
        assert set(others) == {pair.b if pair.a == name else pair.a for pair in result.pairs if pair.better == name}
        assert others == [other for other in result.ranking if other in others]


def test_missing_cells_are_refused_by_name_or_taken_when_asked_for(clear):
    clear[2, 1] = np.nan
    with pytest.raises(InvalidInput, match="there is none for learner 2 on data set 3"):
        fw.compare_table(clear)
    result = fw.compare_table(clear, options=fw.Options(omnibus="skillings_mack"))
    assert result.omnibus.statistic == skillings_mack(clear).statistic
    assert result.pair("learner 1", "learner 2").wins == 14
    assert result.pair("learner 1", "learner 3").wins == 15
    assert any("1 cell is missing" in caveat for caveat in result.caveats)
    assert str(result)
    assert (
        fw.compare_table(clear, test="sign", options=fw.Options(omnibus="skillings_mack", bayes="sign")).pairs[0].better
        == "learner 1"
    )
    with pytest.raises(InvalidInput, match="wilcoxon or sign when cells are missing"):
        fw.compare_table(clear, test="nemenyi", options=fw.Options(omnibus="skillings_mack"))
    clear[:, 1] = np.nan
    clear[0, 1] = 0.5
    clear[0, 0] = np.nan
    with pytest.raises(InvalidInput, match="learner 1 and learner 2 have no data set in common"):
        fw.compare_table(clear, options=fw.Options(omnibus="skillings_mack"))


def test_scores_of_every_split(clear, rng):
    splits = clear[:, :, None] + rng.normal(0, 0.03, size=(15, 3, 10))
    result = fw.compare_table(splits, n_train=90, n_test=10)
    combined = result.pairs[0].combined
    interval = combined.confidence_interval()
    assert interval.low < 0.15 < interval.high
    assert combined.pvalue < 1e-6
    without = fw.compare_table(splits)
    assert without.pairs[0].combined is None
    assert any("give n_train and n_test" in caveat for caveat in without.caveats)
    json.dumps(result.to_dict(), allow_nan=False)
    model = fw.compare_table(splits[:, :2], n_train=90, n_test=10, options=fw.Options(bayes="hierarchical"))
    assert model.pairs[0].probabilities.a_better > 0.99
    with pytest.raises(InvalidInput, match="needs the scores of every split"):
        fw.compare_table(clear, options=fw.Options(bayes="hierarchical"))


@pytest.mark.usefixtures("without_pictures")
def test_splits_that_do_not_vary_are_no_certainty(clear):
    splits = np.repeat(clear[:, :, None], 2, axis=2)  # two splits with the same scores on every data set
    splits[:, 2] = splits[:, 1] + [0.03, -0.03]
    result = fw.compare_table(splits, n_train=90, n_test=10, options=fw.Options(bayes="hierarchical"))
    first = result.pairs[0]
    assert first.probabilities is None
    assert result.pairs[1].probabilities is not None
    said = "between learner 1 and learner 2 vary from split to split: their probabilities are unknown"
    assert said in " ".join(result.details().split())
    assert "unknown" in result.to_html()
    assert result.to_dict()["pairs"][0]["rope_probabilities"] is None
    assert np.isnan(result.to_frame()["equivalent"][0])
    # their data sets still vary: the t test over data sets, none of them weighing more than the others
    assert first.combined.weights == pytest.approx(1 / 15)
    same = fw.compare_table(np.stack([splits[:, 0], splits[:, 0] - 0.1], axis=1), n_train=90, n_test=10)
    assert same.pairs[0].combined is None


def test_many_learners_skip_the_probabilities_and_say_so(rng):
    result = fw.compare_table(rng.normal(size=(400, 30)))
    assert result.bayes is None
    assert result.pairs[0].probabilities is None
    assert any("too large for probabilities" in caveat for caveat in result.caveats)
    assert len(result.pairs) == 435
    assert "and 375 more rows" in result.details()


def test_frames_mappings_and_tables_are_the_same():
    names = [f"set {i}" for i in range(14)]
    expected = fw.compare_table(DEMSAR, models=NAMES, tasks=names).to_dict()
    columns = {name: DEMSAR[:, j].tolist() for j, name in enumerate(NAMES)}
    given_tables = [
        pd.DataFrame({"data": names, **columns}),
        pd.DataFrame(columns, index=names),
        pl.DataFrame({"data": names, **columns}),
        fw.ScoreTable.of(DEMSAR, learners=NAMES, datasets=names),
    ]
    for table in given_tables:
        assert fw.compare_table(table).to_dict() == expected
    assert fw.compare_table(columns, tasks=names).to_dict() == expected
    assert fw.compare_table(pd.DataFrame(columns)).table.datasets[0] == "data set 1"
    holes = pl.DataFrame({"a": [0.1, None], "b": [0.2, 0.3]})
    with pytest.raises(InvalidInput, match="none for a on data set 2"):
        fw.compare_table(holes)
    with pytest.raises(InvalidInput, match="at most one of names, but 'x', 'y' hold no numbers"):
        fw.compare_table(pd.DataFrame({"x": ["u", "v"], "y": ["u", "v"], "a": [1, 2], "b": [2, 1]}))


def test_to_dict_is_ready_for_json():
    agreed = np.tile([0.9, 0.8, 0.7], (8, 1)) + np.arange(8)[:, None] / 100
    answer = json.loads(json.dumps(fw.compare_table(agreed).to_dict(), allow_nan=False))
    assert answer["omnibus"]["statistic"] is None  # all data sets agree: F is infinite
    assert answer["best"] == "learner 1"
    assert answer["n_comparisons"] == 3
    assert len(answer["pairs"]) == 3
    assert "F = ∞" in str(fw.compare_table(agreed))


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"test": "wilcox"}, UnknownName, "did you mean 'wilcoxon'"),
    ({"adjust": "homl"}, UnknownName, "unknown adjust 'homl'"),
    ({"omnibus": "fried"}, UnknownName, "did you mean 'friedman'"),
    ({"bayes": "yes"}, UnknownName, "unknown bayes 'yes'"),
    ({"control": "tan"}, UnknownName, "unknown control 'tan'"),
    ({"control": 7}, InvalidInput, "column from 0 to 3, got 7"),
    ({"control": 0, "adjust": "shaffer"}, InvalidInput, "adjust must not be 'shaffer' with a control"),
    ({"control": 0, "test": "nemenyi"}, InvalidInput, "test must not be 'nemenyi' with a control"),
    ({"alpha": 1.5}, InvalidInput, "alpha must be strictly between 0 and 1"),
    ({"rope": -1}, InvalidInput, "rope must be a number of at least 0"),
    ({"random_state": -1}, InvalidInput, "random_state must be"),
    ({"higher_is_better": [True, False, True, True]}, InvalidInput, "True or False for the whole table"),
    ({"models": ["a", "a", "b", "c"]}, InvalidInput, "'a' occurs more than once"),
])  # fmt: skip
def test_bad_choices_are_refused_in_one_sentence(options, error, message):
    with pytest.raises(error, match=message) as caught:
        fw.compare_table(DEMSAR, **with_options(options))
    assert "\n" not in str(caught.value)


def test_a_score_table_knows_its_own_direction():
    table = fw.ScoreTable.of(DEMSAR)
    with pytest.raises(InvalidInput, match="contradicts the table's own direction"):
        fw.compare_table(table, higher_is_better=False)


def test_a_constant_column_is_allowed_with_a_caveat(clear):
    clear[:, 2] = 0.5
    result = fw.compare_table(clear)
    assert any("learner 3: the same score on every data set" in caveat for caveat in result.caveats)


@settings(max_examples=60)
@given(st.integers(2, 7), st.data())
def test_groups_are_the_maximal_indistinct_sets(k, data):
    pairs = list(itertools.combinations(range(k), 2))
    chosen = data.draw(st.sets(st.sampled_from(pairs)))
    different = np.zeros((k, k), dtype=bool)
    for i, j in chosen:
        different[i, j] = different[j, i] = True
    fine = [set(s) for n in range(2, k + 1) for s in itertools.combinations(range(k), n)
            if not any(pair in chosen for pair in itertools.combinations(s, 2))]  # fmt: skip
    maximal = {frozenset(s) for s in fine if not any(s < other for other in fine)}
    assert {frozenset(group) for group in indistinct_groups(range(k), different)} == maximal


def test_many_learners_are_grouped_in_runs():
    k = 40
    different = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) > 2
    groups = indistinct_groups(range(k), different)
    assert groups == tuple((i, i + 1, i + 2) for i in range(k - 2))


@pytest.mark.parametrize("model", ["signed_rank", "sign", "hierarchical"])
def test_the_posterior_of_a_pair_is_what_its_probabilities_come_from(model, clear, rng):
    splits = clear[:5, :2, None] + rng.normal(0, 0.05, size=(5, 2, 4))
    result = fw.compare_table(splits, n_train=90, n_test=10, random_state=3, options=fw.Options(bayes=model))
    posterior = result.posterior("learner 1", "learner 2")
    assert posterior.probabilities == result.pairs[0].probabilities
    assert posterior.draws.shape[-1] == 3
    assert result.front == ("learner 1", "learner 2")
    assert np.array_equal(result.posterior().draws, posterior.draws)
    with pytest.raises(UnknownName, match="unknown learner 'tan'"):
        result.posterior("learner 1", "tan")


def test_more_pairs_than_fit_are_refused_before_anything_is_computed():
    table = np.zeros((2, 2000))
    with pytest.raises(InvalidInput, match="2,000 learners make 1,999,000 comparisons, more than the 1,000,000"):
        fw.compare_table(table)


def test_no_probabilities_stand_beside_no_answer():
    result = fw.compare_table([[0.9, 0.8], [0.85, 0.7]])
    assert "No answer is possible" in str(result)
    assert (result.hopeless, result.bayes, result.pairs[0].probabilities) == (True, None, None)
    assert "first better" not in result.details()
    assert "first better" not in result.to_html()
    assert not any("too large" in caveat for caveat in result.caveats)
    asked = fw.compare_table([[0.9, 0.8], [0.85, 0.7]], options=fw.Options(bayes="signed_rank"))
    assert any("no test could confirm them" in caveat for caveat in asked.caveats)


@pytest.mark.usefixtures("without_pictures")
def test_probabilities_say_what_they_are_and_that_they_are_not_adjusted(clear):
    result = fw.compare_table(clear)
    for shown in (" ".join(result.details().split()), result.to_html()):
        assert "by the Bayesian signed-rank test; for each pair alone, not adjusted" in shown


@pytest.mark.parametrize(("adjust", "kept"), [
    ("holm", "keeps the chance of any false finding"),
    ("hochberg", "where comparisons depend positively"),
    ("bh", "expected share of false findings"),
    ("none", "the level is that of each comparison, not of all together"),
])  # fmt: skip
@pytest.mark.usefixtures("without_pictures")
def test_an_adjustment_says_what_it_keeps(clear, adjust, kept):
    result = fw.compare_table(clear, options=fw.Options(bayes="none", adjust=adjust))
    for shown in (" ".join(result.details().split()), result.to_html()):
        assert kept in shown
        assert ("chance of any false finding, not of each" in shown) == (adjust in ("holm", "hochberg"))


@pytest.mark.parametrize("sign", [1, -1])
def test_the_best_that_is_worse_on_average_has_a_caveat(sign):
    # a wins by a little on 14 data sets and loses by a lot on one
    a = np.linspace(0.7, 0.8, 15)
    b = a - np.linspace(0.001, 0.002, 15)
    b[0] = a[0] + 0.2
    result = fw.compare_table({"a": sign * a, "b": sign * b}, higher_is_better=sign > 0)
    assert result.best == "a"
    assert sign * result.pairs[0].estimate < 0
    said = next(caveat for caveat in result.caveats if "wins by more" in caveat)
    assert f"its mean score is {'lower' if sign > 0 else 'higher'} by 0.0" in said


@pytest.mark.parametrize("k", [2, 3])
def test_no_pvalue_is_0_however_many_data_sets_there_are(k):
    rng = np.random.default_rng(0)
    levels = dict(itertools.islice({"a": 9, "b": 5, "c": 1}.items(), k))
    told = fw.compare_table({name: rng.normal(level, 1e-6, 3000) for name, level in levels.items()})
    kept = told.to_dict()
    assert all(0 < pair["pvalue"] <= pair["adjusted"] < 1e-300 for pair in kept["pairs"])
    assert kept["omnibus"] is None or kept["omnibus"]["pvalue"] > 0


def test_no_joint_pvalue_of_a_million_answers_is_0():
    right = np.arange(300_000) % 10
    told = fw.compare_predictions(None, {name: right > limit for name, limit in (("a", 0), ("b", 4), ("c", 7))})
    assert 0 < told.to_dict()["omnibus"]["pvalue"] < 1e-300
