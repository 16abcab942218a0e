"""Large tables are compared by a kernel: every number is that of the tables that are compared without it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from foldwise import compare_table
from foldwise.comparison import table_pairs
from foldwise.comparison.options import Options
from foldwise.comparison.table_pairs import pair_tests
from foldwise.evidence.score_table import ScoreTable

# few values: ties and zeros; values far apart: keys of two, three and four bytes
values = st.integers(0, 3) | st.sampled_from([0, 1, 200, 70_000, 20_000_000, 2**29])


def with_and_without(table, **options):
    """The pairs of a table by the kernel and by whole arrays."""
    few = pair_tests(table, test="wilcoxon", control=None, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_pairs, "LARGE", 0)
        assert table_pairs.signed_ranks_of_all(table, **options) is not None
        return pair_tests(table, test="wilcoxon", control=None, **options), few


def assert_same(found, wanted):
    for name in ("first", "second", "pvalues", "lead"):
        np.testing.assert_array_equal(getattr(found.tests, name), getattr(wanted.tests, name))
    assert found.summaries == wanted.summaries


@given(
    st.integers(2, 90).flatmap(lambda n: arrays(np.int64, (n, 3), elements=values, fill=st.integers(0, 2))),
    st.sampled_from(["pratt", "drop", "split"]),
    st.booleans(),
)
def test_every_number_is_that_of_whole_arrays(scores, zeros, higher):
    table = ScoreTable.of(scores.astype(np.float64), higher_is_better=higher)
    assert_same(*with_and_without(table, zeros=zeros))


@pytest.mark.parametrize("n", [1999, 2000])
def test_many_data_sets(n):
    scores = np.random.default_rng(n).random((n, 5)).round(3)
    scores[:, 4] = scores[:, 3]
    kernel, arrays_ = with_and_without(ScoreTable.of(scores), zeros="pratt")
    assert_same(kernel, arrays_)
    assert kernel.tests.pvalues[-1] == 1  # a learner and itself
    assert kernel.summaries[-1] == (0, 0, 0, n, 0)
    # one whose scores are another's plus .1 on every data set
    shifted = ScoreTable.of(np.column_stack([scores[:, 0], (scores[:, 0] * 1000 + 100) / 1000]))
    assert with_and_without(shifted, zeros="pratt")[0].summaries == [(-0.1, -0.1, 0, 0, n)]


def test_swapped_learners_are_mirrored():
    scores = np.random.default_rng(1).random((500, 2)).round(2)
    there, back = (
        with_and_without(ScoreTable.of(scores[:, order]), zeros="pratt")[0] for order in ([0, 1], [1, 0])
    )  # fmt: skip
    np.testing.assert_array_equal(there.tests.pvalues, back.tests.pvalues)
    np.testing.assert_array_equal(there.tests.lead, -back.tests.lead)
    (a,), (b,) = there.summaries, back.summaries
    assert (a.estimate, a.median, a.wins, a.losses) == (-b.estimate, -b.median, b.losses, b.wins)


def test_the_answer_is_the_same(monkeypatch):
    scores = np.random.default_rng(2).random((60, 6)).round(4)
    scores[:, 2] += 0.2
    without = compare_table(scores, options=Options(bayes="none")).to_dict()
    monkeypatch.setattr(table_pairs, "LARGE", 0)
    assert compare_table(scores, options=Options(bayes="none")).to_dict() == without


def test_scores_that_are_no_whole_steps_are_left_to_whole_arrays(monkeypatch):
    monkeypatch.setattr(table_pairs, "LARGE", 0)
    table = ScoreTable.of(np.random.default_rng(3).random((60, 3)) * np.pi)
    assert table_pairs.signed_ranks_of_all(table, "pratt") is None
    assert pair_tests(table, test="wilcoxon", control=None, zeros="pratt").tests.pvalues.shape == (3,)
