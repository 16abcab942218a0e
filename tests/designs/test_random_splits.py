"""Several learners on random splits: each pair as two would be judged, all of them adjusted."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import foldwise as fw
from foldwise.comparison import judge
from foldwise.comparison.pairs import judge_evidence
from foldwise.core.errors import InvalidInput
from foldwise.evidence.scores import Scores

NAMES = ("a", "b", "c")


def evidence(scores, names=NAMES):
    return Scores.build(dict(zip(names, scores, strict=True)), metric="accuracy", n_train=90, n_test=10)


def drawn(seed, splits=15):
    rng = np.random.default_rng(seed)
    return 0.8 + rng.normal(0, 0.02, splits) + np.array([[0.0], [0.02], [0.05]]) + rng.normal(0, 0.01, (3, splits))


@given(st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_every_pair_is_the_corrected_resampled_t_of_two(seed):
    scores = drawn(seed)
    m = judge_evidence(evidence(scores))
    for i, j in ((0, 1), (0, 2), (1, 2)):
        c = fw.compare_scores({"a": scores[i], "b": scores[j]}, n_train=90, n_test=10, metric="accuracy")
        pair = m.pair(NAMES[i], NAMES[j])
        assert c.test == "corrected_resampled_t"
        assert pair.pvalue == pytest.approx(c.pvalue, rel=1e-9)
        assert pair.estimate == pytest.approx(c.estimate)


@given(st.permutations(range(3)), st.permutations(range(15)))
@settings(max_examples=15, deadline=None)
def test_neither_the_order_of_learners_nor_of_splits_matters(learners, splits):
    scores = drawn(3)
    m = judge_evidence(evidence(scores))
    turned = judge_evidence(evidence(scores[list(learners)][:, list(splits)], tuple(NAMES[i] for i in learners)))
    assert set(m.best_set) == set(turned.best_set)
    assert m.pair("a", "c").pvalue == pytest.approx(turned.pair("a", "c").pvalue)


def test_splits_that_do_not_vary_show_nothing():
    m = judge_evidence(evidence(np.array([np.full(6, 0.8), np.full(6, 0.6), np.linspace(0.1, 0.5, 6)])))
    assert m.pair("a", "b").better is None


def test_tables_have_a_row_per_split():
    found = evidence(drawn(0, splits=4))
    assert found.design == "4 random splits"
    assert list(found.columns()) == ["split", *NAMES]
    assert [row[0] for row in found.table().rows] == ["1", "2", "3", "4"]


def test_random_splits_of_three_models_through_the_door(tmp_path):
    scores = drawn(1)
    rows = [f"{m},{s},{scores[i, s]:.6f}" for i, m in enumerate(NAMES) for s in range(15)]
    (tmp_path / "s.csv").write_text("model,split,accuracy\n" + "\n".join(rows))
    with pytest.raises(InvalidInput, match="n_train and n_test are needed for random splits"):
        judge(tmp_path)
    m = judge(tmp_path, options=fw.Options(n_train=90, n_test=10)).main
    assert m.best_set == ("c",)
    assert "corrected resampled t test" in str(m)
    assert judge(tmp_path, options=fw.Options(runs=3)).main.evidence.values.shape == (3, 3, 5)
