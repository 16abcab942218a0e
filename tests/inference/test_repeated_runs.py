"""Best and worst of k runs: by enumeration, and the published pass^k of tau-bench."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.papers_data import data_folder

from foldwise import inference as inf
from foldwise.core.errors import InvalidInput

TAU = data_folder().parent / "truth" / "tau_bench" / "gpt-4o-airline.json"


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=7), st.data())
def test_it_is_the_mean_over_all_subsets(values, data):
    k = data.draw(st.integers(1, len(values)))
    subsets = list(combinations(values, k))
    assert inf.of_k_runs([values], k)[0] == pytest.approx(np.mean([max(s) for s in subsets]))
    assert inf.of_k_runs([values], k, take="worst")[0] == pytest.approx(np.mean([min(s) for s in subsets]))


@given(st.integers(1, 40), st.data())
def test_right_and_wrong_are_the_published_formulas(n, data):
    from math import comb

    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    right = [[1] * c + [0] * (n - c)]
    assert inf.pass_at_k(right, k)[0] == pytest.approx(1 - comb(n - c, k) / comb(n, k), abs=1e-12)
    assert inf.pass_all_k(right, k)[0] == pytest.approx(comb(c, k) / comb(n, k), abs=1e-12)


def test_runs_that_were_not_made_do_not_count():
    nan = np.nan
    assert inf.pass_at_k([[1, 0, nan], [nan, 0, 1]], 1).tolist() == [0.5, 0.5]
    assert inf.pass_all_k([[1, 1, nan]], 2).tolist() == [1.0]


def test_a_batch_is_its_items_one_by_one():
    x = np.random.default_rng(0).normal(size=(3, 4, 5))
    assert inf.of_k_runs(x, 2).tolist() == [[float(inf.of_k_runs(item[None], 2)[0]) for item in rows] for rows in x]


@pytest.mark.parametrize(
    ("values", "k", "message"),
    [
        ([[1, 0]], 3, r"item 0 has 2 and k is 3; 1 of 1 items"),
        ([[1, 0], [1, np.nan]], 2, "item 1 has 1 and k is 2"),
        ([[1, 0]], 0, "k must be"),
        ([1, 0], 1, "shape"),
        ([[1, np.inf]], 1, "finite"),
        ([[2, 0]], 1, "right must be 1"),
    ],
)
def test_bad_input_is_named(values, k, message):
    with pytest.raises(InvalidInput, match=message):
        inf.pass_at_k(values, k)


@pytest.mark.skipif(not TAU.is_file(), reason="tau-bench's published runs are not on this machine")
def test_tau_bench_has_the_published_rates():
    runs = json.loads(TAU.read_text())
    right = np.full((50, 4), np.nan)
    for run in runs:
        right[run["task_id"], run["trial"]] = run["reward"]
    every = [round(float(inf.pass_all_k(right, k).mean()), 3) for k in (1, 2, 3, 4)]
    some = [round(float(inf.pass_at_k(right, k).mean()), 3) for k in (1, 2, 3, 4)]
    assert every == [0.420, 0.273, 0.220, 0.200]
    assert some == [0.420, 0.567, 0.660, 0.720]
