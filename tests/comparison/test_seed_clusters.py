"""Seeds × items where items come in clusters: clusters take the items' place."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import foldwise as fw
from foldwise import inference as inf
from foldwise.core.errors import InvalidInput
from foldwise.evidence.seed_marks import SeedMarks


def marks(seed=0, seeds=4, items=24, clusters=6):
    rng = np.random.default_rng(seed)
    groups = np.arange(items) % clusters
    common = rng.normal(size=(2, 1, clusters))[..., groups] + rng.normal(size=(2, seeds, 1))
    return (*(common + rng.normal(size=(2, seeds, items))), groups)


def numbers(c):
    interval = c.interval
    return [c.estimate, c.pvalue, float(interval.low), float(interval.high)]


@pytest.mark.parametrize("paired", [True, False])
def test_clusters_of_one_item_are_no_clusters(paired):
    a, b, _ = marks()
    alone = fw.compare_predictions(None, {"a": a, "b": b}, options=fw.Options(seeds="paired" if paired else "unpaired"))
    single = fw.compare_predictions(
        None, {"a": a, "b": b}, options=fw.Options(seeds="paired" if paired else "unpaired"), groups=np.arange(24)
    )
    assert numbers(single) == pytest.approx(numbers(alone), rel=1e-12)
    assert single.design.endswith("24 items in 24 clusters")


def test_equal_clusters_are_analysed_by_their_means():
    a, b, groups = marks()
    means = np.stack([(a - b)[:, groups == g].mean(axis=1) for g in range(6)], axis=1)
    expected = inf.crossed(means).student
    c = fw.compare_predictions(None, {"a": a, "b": b}, options=fw.Options(seeds="paired"), groups=groups)
    assert (c.estimate, c.pvalue) == pytest.approx((float(expected.estimate), float(expected.pvalue)), rel=1e-10)
    assert {source.name for source in c.variance.sources} == {"seeds", "clusters", "seeds with clusters"}
    assert any(text.startswith("few clusters") for text in c.caveats)


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.lists(st.integers(0, 4), min_size=24, max_size=24).filter(lambda g: len(set(g)) > 1))
def test_the_estimate_and_the_mirror_do_not_depend_on_clusters(seed, groups):
    a, b, _ = marks(seed)
    one, two = (SeedMarks.build({"a": x, "b": y}, groups=groups) for x, y in ((a, b), (b, a)))
    assert one.differences.mean() == pytest.approx((a - b).mean(), abs=1e-12)
    assert np.allclose(one.differences, -two.differences)
    order = np.random.default_rng(seed).permutation(24)
    moved = SeedMarks.build({"a": a[:, order], "b": b[:, order]}, groups=np.array(groups)[order])
    found = [float(inf.crossed(part.differences, part.groups).student.standard_error) for part in (one, moved)]
    assert found[0] == pytest.approx(found[1], rel=1e-9, abs=1e-12)


def test_copies_of_items_in_their_cluster_are_no_new_evidence():
    a, b, _ = marks()
    once = fw.compare_predictions(None, {"a": a, "b": b}, options=fw.Options(seeds="paired"))
    thrice = fw.compare_predictions(
        None,
        {"a": np.repeat(a, 3, axis=1), "b": np.repeat(b, 3, axis=1)},
        options=fw.Options(seeds="paired"),
        groups=np.repeat(np.arange(24), 3),
    )
    assert numbers(thrice) == pytest.approx(numbers(once), rel=1e-9)


def test_missing_items_leave_their_clusters():
    a, b, groups = marks()
    a[0, 3] = np.nan
    kept = np.arange(24) != 3
    dropped = fw.compare_predictions(
        None, {"a": a, "b": b}, options=fw.Options(seeds="paired"), groups=groups, missing="drop"
    )
    assert numbers(dropped) == pytest.approx(
        numbers(
            fw.compare_predictions(
                None, {"a": a[:, kept], "b": b[:, kept]}, options=fw.Options(seeds="paired"), groups=groups[kept]
            )
        )
    )


def test_the_level_is_kept_with_clusters_and_broken_without():
    trials, rejected = 300, np.zeros(2)
    for trial in range(trials):
        a, b, groups = marks(1000 + trial, seeds=5, items=120, clusters=20)
        for place, given_groups in enumerate((groups, None)):
            rejected[place] += inf.crossed(a - b, given_groups).student.pvalue < 0.05
    error = np.sqrt(0.05 * 0.95 / trials)
    assert rejected[0] / trials < 0.05 + 3 * error
    assert rejected[1] > rejected[0]


UNEQUAL = {"one large": [100] + [10] * 11, "two large": [300, 100] + [10] * 18, "few": [60, 20, 10, 10]}


@pytest.mark.parametrize("sizes", UNEQUAL.values(), ids=UNEQUAL)
@pytest.mark.parametrize(("paired", "seeds"), [(True, 2), (True, 5), (False, 3)])
def test_the_level_is_kept_with_clusters_of_unequal_size(sizes, paired, seeds):
    """Without a difference: the plain analysis of cluster totals with J − 1 degrees of freedom had .19 to .36."""
    rng, groups, trials = np.random.default_rng(11), np.repeat(np.arange(len(sizes)), sizes), 150
    pvalues = []
    for _ in range(trials):
        common = rng.normal(size=(2, 1, len(sizes)))[..., groups] + 0.1 * rng.normal(size=(2, seeds, 1))
        a, b = common + rng.normal(size=(2, seeds, len(groups)))
        pvalues.append(
            fw.compare_predictions(
                None,
                {"a": a, "b": b},
                options=fw.Options(seeds="paired" if paired else "unpaired"),
                groups=groups,
                metric="loss",
            ).pvalue
        )
    for alpha in (0.05, 0.01):
        assert (np.array(pvalues) < alpha).mean() <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / trials)


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("seeds", [2, 3])
def test_the_level_is_kept_with_two_and_three_seeds(paired, seeds):
    """Seeds that differ more than items: Satterthwaite's own degrees of freedom had .12 at .05 and .07 at .01."""
    rng, trials = np.random.default_rng(12), 400
    pvalues = []
    for _ in range(trials):
        a, b = 0.4 * rng.normal(size=(2, seeds, 1)) + rng.normal(size=(2, 1, 50)) + rng.normal(size=(2, seeds, 50))
        pvalues.append(
            fw.compare_predictions(
                None, {"a": a, "b": b}, options=fw.Options(seeds="paired" if paired else "unpaired"), metric="loss"
            ).pvalue
        )
    for alpha in (0.05, 0.01):
        assert (np.array(pvalues) < alpha).mean() <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / trials)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([1, 2], "groups must name the cluster of each item \\(24\\), got 2"),
        ([1] * 24, "groups must name at least two clusters, got one"),
    ],
)
def test_bad_clusters_are_told_in_a_sentence(groups, message):
    with pytest.raises(InvalidInput, match=message):
        fw.compare_predictions(
            None, dict(zip("ab", marks()[:2], strict=True)), options=fw.Options(seeds="paired"), groups=groups
        )


def test_the_same_marks_say_what_so_many_items_can_show():
    x = np.linspace(0, 1, 40)
    c = fw.compare_predictions(None, {"a": x, "b": x})
    assert (c.pvalue, c.interval, c.rope_probabilities) == (1, None, None)
    assert "the same mark on all 40 items: 95 % sure, they differ on fewer than 7.2 % of such items" in c.caveats[0]
    clustered = fw.compare_predictions(None, {"a": x, "b": x}, groups=np.arange(40) // 4)
    assert "fewer than 26 % of such clusters" in clustered.caveats[0]
