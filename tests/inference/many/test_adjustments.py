from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.inference.many._adjust import adjust, bergmann_hommel, shaffer

METHODS = {"holm": "holm", "hochberg": "simes-hochberg", "hommel": "hommel", "bonferroni": "bonferroni",
           "bh": "fdr_bh", "by": "fdr_by"}  # fmt: skip
pvalues = st.lists(st.integers(0, 200).map(lambda i: i / 200), min_size=1, max_size=12)

# scmamp's vignette "Statistical assessment of the differences": aligned-rank p-values of García & Herrera (2008)'s
# table of C4.5, 1-NN, naive Bayes, Kernel and CN2 on 30 data sets, then adjustShaffer and adjustBergmannHommel
RAW = [1.174850e-03, 3.341698e-01, 2.843421e-10, 1.845167e-02, 2.265711e-02, 2.197407e-03, 3.742777e-01,
       9.226472e-08, 1.643229e-01, 7.793722e-05]  # fmt: skip
SHAFFER = [7.049103e-03, 6.683396e-01, 2.843421e-09, 7.380668e-02, 9.062842e-02, 1.318444e-02, 6.683396e-01,
           5.535883e-07, 4.929688e-01, 4.676233e-04]  # fmt: skip
BERGMANN_HOMMEL = [7.049103e-03, 6.683396e-01, 2.843421e-09, 5.535501e-02, 6.797132e-02, 8.789629e-03,
                   6.683396e-01, 5.535883e-07, 1.643229e-01, 3.117489e-04]  # fmt: skip


def matrix(pairs, k):
    square = np.full((k, k), np.nan)
    square[np.triu_indices(k, 1)] = pairs
    return np.where(np.isnan(square), square.T, square)


def pairs(square):
    return square[np.triu_indices(len(square), 1)]


@st.composite
def square_matrices(draw, most=6):
    k = draw(st.integers(2, most))
    m = k * (k - 1) // 2
    return matrix(draw(st.lists(st.integers(0, 400).map(lambda i: i / 400), min_size=m, max_size=m)), k)


def partitions(k, largest=None):
    """All ways to split k learners into groups of equal ones, by the groups' sizes."""
    if k == 0:
        yield ()
    for first in range(min(k, largest or k), 0, -1):
        yield from ((first, *rest) for rest in partitions(k - first, first))


@pytest.mark.parametrize("k", range(2, 17))
def test_shaffers_factors_are_the_numbers_of_pairs_that_can_be_equal(k):
    m = k * (k - 1) // 2
    counts = sorted({sum(j * (j - 1) // 2 for j in sizes) for sizes in partitions(k)})
    p = np.arange(1, m + 1) / m**3
    factors = [max(1, *(count for count in counts if count <= m - i)) for i in range(m)]
    expected = np.maximum.accumulate(np.multiply(factors, p))
    assert pairs(shaffer(matrix(p, k))) == pytest.approx(expected, rel=1e-12)


def test_shaffer_takes_hundreds_of_learners(rng):
    p = rng.uniform(size=300 * 299 // 2) ** 20
    adjusted = pairs(shaffer(matrix(p, 300)))
    assert np.all(adjusted >= p)
    assert np.all(adjusted <= adjust(p) + 1e-15)


@pytest.mark.parametrize("method", METHODS)
def test_agrees_with_r(method, r_values):
    raw = [r_values[f"adjust.raw[{i}]"] for i in range(12)]
    assert adjust(raw, method=method) == pytest.approx(
        [r_values[f"adjust.{method}[{i}]"] for i in range(12)], rel=1e-12
    )


@pytest.mark.parametrize(("method", "theirs"), METHODS.items())
def test_agrees_with_statsmodels(method, theirs, rng):
    p = rng.uniform(size=40) ** 3
    assert adjust(p, method=method) == pytest.approx(multipletests(p, method=theirs)[1], rel=1e-12)


@given(pvalues, st.sampled_from(list(METHODS)), st.randoms(use_true_random=False))
def test_order_changes_nothing_and_adjusted_is_never_smaller(p, method, random):
    p = np.array(p)
    order = list(range(len(p)))
    random.shuffle(order)
    adjusted = adjust(p, method=method)
    assert adjust(p[order], method=method) == pytest.approx(adjusted[order], rel=1e-12)
    assert np.all(adjusted >= p)
    assert np.all(adjusted <= 1)
    assert np.all(np.diff(adjusted[np.argsort(p, kind="stable")]) >= -1e-15)


def test_rounding_takes_nothing_away():
    assert adjust([0.0] * 28 + [0.0025], method="bh")[-1] == 0.0025  # 29 · 0.0025 / 29 is less


@given(pvalues)
def test_sharper_methods_are_never_above_blunter_ones(p):
    chain = [adjust(p, method=method) for method in ("hommel", "hochberg", "holm", "bonferroni")]
    for sharp, blunt in itertools.pairwise(chain):
        assert np.all(sharp <= blunt + 1e-12)
    assert np.all(adjust(p, method="bh") <= adjust(p, method="by"))


@given(
    st.lists(st.lists(st.floats(0, 1), min_size=5, max_size=5), min_size=1, max_size=4), st.sampled_from(list(METHODS))
)
def test_batched_equals_looped(rows, method):
    assert adjust(rows, method=method).tolist() == [adjust(row, method=method).tolist() for row in rows]


def test_one_comparison_is_left_alone_and_none_is_allowed():
    for method in METHODS:
        assert adjust([0.03], method=method).tolist() == [0.03]
        assert adjust([], method=method).shape == (0,)


def test_shaffer_and_bergmann_hommel_agree_with_scmamp_on_garcia_and_herreras_table():
    # seven printed digits leave 4.3e-7 of play
    assert pairs(shaffer(matrix(RAW, 5))) == pytest.approx(SHAFFER, rel=5e-7)
    assert pairs(bergmann_hommel(matrix(RAW, 5))) == pytest.approx(BERGMANN_HOMMEL, rel=5e-7)


def test_garcia_and_herrera_2008_from_their_mean_ranks():
    # scmamp's friedmanPost prints the unadjusted p-values of the mean ranks 2.100 3.250 2.200 4.333 3.117; by hand,
    # Shaffer's multipliers for the ten pairs of five learners are 10 6 6 6 6 4 4 3 2 1
    raw = np.array([4.486991e-08, 1.736118e-07, 0.002880485, 0.004848763, 0.007963489, 0.010112334, 0.012763008,
                    0.024744672, 0.743971478, 0.806495900])  # fmt: skip
    order = [2, 7, 9, 0, 5, 4, 3, 8, 6, 1]  # places of these pairs in the upper triangle
    square = np.empty(10)
    square[order] = raw
    expected = np.minimum(1, np.maximum.accumulate(raw * [10, 6, 6, 6, 6, 4, 4, 3, 2, 1]))
    assert pairs(shaffer(matrix(square, 5)))[order] == pytest.approx(expected)
    dynamic = pairs(bergmann_hommel(matrix(square, 5)))[order]
    # Kernel–CN2 may be equal together with C4.5–1NN–NB: 3 + 1 hypotheses, of which Kernel–CN2 is the least
    assert dynamic[2] == pytest.approx(4 * raw[2])
    # C4.5–1NN with NB–CN2 … : the set that holds it longest is {C4.5, 1NN, NB, CN2}, six pairs
    assert dynamic[3] == pytest.approx(6 * raw[3])


@given(square_matrices(most=5))
def test_bergmann_hommel_is_the_closed_test_with_bonferroni_on_every_partition(square):
    k = len(square)
    index = {pair: i for i, pair in enumerate(itertools.combinations(range(k), 2))}
    p = pairs(square)
    best = np.zeros(len(p))
    for labels in itertools.product(range(k), repeat=k):
        inside = [index[a, b] for a, b in index if labels[a] == labels[b]]
        if inside:
            best[inside] = np.maximum(best[inside], len(inside) * p[inside].min())
    assert pairs(bergmann_hommel(square)) == pytest.approx(np.minimum(1, best), abs=1e-15)


@given(square_matrices(), st.randoms(use_true_random=False))
def test_bergmann_hommel_below_shaffer_below_holm_whatever_the_order(square, random):
    dynamic, static = bergmann_hommel(square), shaffer(square)
    assert np.all(pairs(dynamic) <= pairs(static) + 1e-12)
    assert np.all(pairs(static) <= adjust(pairs(square), method="holm") + 1e-12)
    assert np.all(pairs(dynamic) >= pairs(square))
    order = list(range(len(square)))
    random.shuffle(order)
    moved = np.ix_(order, order)
    assert bergmann_hommel(square[moved]).tolist() == dynamic[moved].tolist()
    assert shaffer(square[moved]).tolist() == static[moved].tolist()
    assert np.all(np.diag(dynamic) == 1)


def test_nine_learners_have_21147_partitions_and_ten_are_refused(rng):
    nine = bergmann_hommel(matrix(rng.uniform(size=36), 9))
    assert nine.shape == (9, 9)
    with pytest.raises(InvalidInput, match=r"at most 9 learners.*got 10; use shaffer or holm"):
        bergmann_hommel(matrix(rng.uniform(size=45), 10))


@pytest.mark.parametrize("method", [shaffer, bergmann_hommel])
@pytest.mark.parametrize(("bad", "message"), [
    ([[1, 0.2, 0.3], [0.2, 1, 0.3]], "k × k matrix"),
    ([[1, 0.2], [0.3, 1]], "must be symmetric"),
    ([[1, 1.2], [1.2, 1]], r"pvalues\[0, 1\] is 1.2"),
    ([[1, np.nan], [np.nan, 1]], r"pvalues\[0, 1\] is nan"),
    ([[1]], "at least two learners"),
    ([["a", "b"], ["c", "d"]], "matrix of numbers"),
])  # fmt: skip
def test_bad_matrices_are_refused(method, bad, message):
    with pytest.raises(InvalidInput, match=message):
        method(bad)


def test_bad_pvalues_are_refused():
    with pytest.raises(InvalidInput, match=r"between 0 and 1, got 1\.5"):
        adjust([0.2, 1.5])
    with pytest.raises(UnknownName, match="did you mean 'holm'"):
        adjust([0.2], method="holms")
