"""Results looked at while they come in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.inference import betting_evidence, confidence_sequence


def drawn(n=800, a=0.85, b=0.7, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.random(n) < a).astype(int), (rng.random(n) < b).astype(int)


def test_a_difference_is_shown_at_last():
    a, b = drawn()
    found = fw.watch({"new": a, "old": b})
    p = betting_evidence((a - b).astype(float)).pvalue
    assert (found.may_stop, found.better) == (True, "new")
    assert found.shown_after == int(np.argmax(p <= 0.05)) + 1
    assert found.pvalue == p[-1]
    assert found.interval.low > 0
    assert "You may stop: new is better." in str(found)


def test_what_was_shown_stays_shown_and_nothing_is_shown_before():
    """Looking at every length of the file: the answer never changes back."""
    a, b = drawn(300, a=0.9, b=0.6)
    shown = [fw.watch({"a": a[:n], "b": b[:n]}).may_stop for n in range(1, 301, 7)]
    first = shown.index(True)
    assert all(shown[first:])
    at = fw.watch({"a": a, "b": b}).shown_after
    assert not fw.watch({"a": a[: at - 1], "b": b[: at - 1]}).may_stop
    assert fw.watch({"a": a[:at], "b": b[:at]}).may_stop


@settings(max_examples=20)
@given(st.integers(0, 100), st.sampled_from([None, 0.05]))
def test_swapped(seed, margin):
    a, b = drawn(120, seed=seed)
    there, back = fw.watch({"a": a, "b": b}, margin=margin), fw.watch({"a": b, "b": a}, margin=margin)
    assert back.pvalue == pytest.approx(there.pvalue, rel=1e-9)
    assert back.better == {"a": "b", "b": "a", None: None}[there.better]
    assert (back.interval.low, back.interval.high) == pytest.approx(
        (-there.interval.high, -there.interval.low), abs=1e-9
    )
    assert back.means == there.means[::-1]


def test_a_model_against_itself_never_stops():
    a = np.random.default_rng(0).random(3000)
    found = fw.watch({"a": a, "b": a})
    assert (found.may_stop, found.pvalue, found.shown_after, found.forecast) == (False, 1, None, None)
    assert (
        fw.watch({"a": a, "b": a}, margin=0.01).conclusion == "equivalent"
    )  # so many equal items bound the difference


def test_marks_and_losses():
    rng = np.random.default_rng(0)
    a, b = rng.beta(6, 2, 600), rng.beta(3, 2, 600)
    assert fw.watch({"a": a, "b": b}).better == "a"
    loss = fw.watch({"a": a, "b": b}, metric="loss")
    assert (loss.better, loss.higher_is_better) == ("b", False)
    rated = fw.watch({"a": 1 + 4 * a, "b": 1 + 4 * b}, bounds=(1, 5))
    assert rated.interval.low == pytest.approx(4 * fw.watch({"a": a, "b": b}).interval.low, abs=1e-8)


def test_accuracy_as_marks_is_accuracy_as_labels():
    a, b = drawn(200)
    found = (
        fw.watch({"a": a, "b": b}),
        fw.watch({"a": a == 1, "b": b == 1}),
        fw.watch({"a": np.where(a, "right", "wrong"), "b": np.where(b, "right", "wrong")}),
    )
    assert len({w.pvalue for w in found}) == 1
    assert found[0].metric == "accuracy"


def test_one_bet_on_each_cluster():
    rng = np.random.default_rng(1)
    groups = np.repeat(np.arange(80), rng.integers(1, 6, 80))
    a, b = (rng.random(len(groups)) for _ in range(2))
    found = fw.watch({"a": a, "b": b}, groups=groups, complete=True)
    means = np.array([(a - b)[groups == g].mean() for g in range(80)])
    expected = confidence_sequence(means, weights=np.bincount(groups))
    assert found.stream.n == 80
    assert (found.interval.low, found.interval.high) == pytest.approx((expected.low[-1], expected.high[-1]), abs=1e-9)
    assert found.estimate == pytest.approx((a - b).mean())
    assert "each cluster is one bet, by the number of its items" in " ".join(found.caveats)
    # the last cluster waits until another has begun
    open_ = fw.watch({"a": a, "b": b}, groups=groups)
    assert (open_.stream.n, open_.stream.waiting) == (79, int((groups == 79).sum()))


def test_clusters_of_one_are_items():
    a, b = drawn(150)
    found = fw.watch({"a": a, "b": b}, groups=np.arange(150), largest_cluster=1, complete=True)
    assert found.pvalue == fw.watch({"a": a, "b": b}).pvalue


def test_every_item_five_times_in_its_cluster_is_no_more_evidence():
    a, b = drawn(100)
    groups = np.repeat(np.arange(100), 5)
    five = fw.watch({"a": np.repeat(a, 5), "b": np.repeat(b, 5)}, groups=groups, largest_cluster=5, complete=True)
    assert five.pvalue == pytest.approx(fw.watch({"a": a, "b": b}).pvalue)


def test_trials_of_an_item_are_averaged():
    a, b = drawn(60)
    rows = fw.watch({"a": np.repeat(a, 2), "b": np.repeat(b, 2)}, items=np.repeat(np.arange(60), 2), complete=True)
    assert rows.pvalue == pytest.approx(fw.watch({"a": a, "b": b}).pvalue)
    assert fw.watch({"a": np.repeat(a, 2), "b": np.repeat(b, 2)}, items=np.repeat(np.arange(60), 2)).stream.waiting == 1


def test_nothing_is_known_before_the_first_cluster_is_complete():
    found = fw.watch({"a": [1, 0, 1], "b": [0, 0, 1]}, groups=["p", "p", "p"], margin=0.1)
    assert (found.items, found.stream.waiting, found.may_stop, found.pvalue) == (0, 3, False, 1)
    assert (found.interval.low, found.interval.high, found.conclusion) == (-1, 1, "undecided")
    assert found.means is None
    assert "No items count yet." in " ".join(str(found).split())
    found.to_html()


def test_a_margin_may_let_one_stop_earlier():
    rng = np.random.default_rng(2)
    a, b = (rng.random(6000) < 0.8 for _ in range(2))
    plain, asked = fw.watch({"a": a, "b": b}), fw.watch({"a": a, "b": b}, margin=0.05)
    assert (plain.may_stop, asked.may_stop, asked.conclusion) == (False, True, "equivalent")
    assert asked.limits == confidence_sequence(a.astype(float) - b, alpha=0.1).interval
    assert "a is equivalent to b: they differ by less than 5 points." in str(asked)


def test_the_forecast_says_about_how_far_it_is():
    a, b = drawn(4000, a=0.8, b=0.74, seed=1)
    early = fw.watch({"a": a[:400], "b": b[:400]})
    assert not early.may_stop
    assert 400 < early.forecast < 40_000
    assert f"about {early.forecast:,}" in str(early)


def test_a_difference_that_changes_is_no_difference():
    a = np.r_[np.ones(500), np.zeros(5000)]
    found = fw.watch({"a": a, "b": 1 - a})
    assert (found.interval, found.better, found.may_stop) == (None, None, False)
    assert "No single difference fits all items" in str(found)
    assert found.to_dict()["interval"] is None


def test_missing_marks():
    a, b = np.array([1.0, np.nan, 0.0, 1.0]), np.array([0.0, 1.0, 0.0, 1.0])
    assert fw.watch({"a": a, "b": b}, missing="drop").items == 3
    assert fw.watch({"a": a, "b": b}, missing="worst").items == 4
    assert "missing" in fw.watch({"a": a, "b": b}, missing="worst").caveats[0]


def test_the_picture_shows_the_sequence():
    found = fw.watch(dict(zip("ab", drawn(200), strict=True)), margin=0.05)
    ax = found.plot("sequence").axes[0]
    lines = {line.get_label(): line for line in ax.lines}
    assert lines["difference"].get_xdata().tolist() == found.sequence.looks.tolist()
    assert lines["difference"].get_ydata() == pytest.approx(100 * found.sequence.estimate)
    assert lines["shown"].get_xdata() == [found.shown_after] * 2
    assert any(line.get_ydata()[0] == 0 == line.get_ydata()[-1] for line in ax.lines)  # no difference


def test_false_alarms_with_clusters():
    """100 streams of 60 clusters, each wholly on one side: at most 5 % ever show a difference."""
    rng, groups = np.random.default_rng(7), np.repeat(np.arange(60), 4)
    sides = np.repeat(rng.choice([-1, 0, 1], size=(100, 60)), 4, axis=1)
    looks = [fw.watch({"a": (side > 0).astype(int), "b": (side < 0).astype(int)}, groups=groups) for side in sides]
    assert sum(found.may_stop for found in looks) <= 12  # the 99.9 % quantile of Bin(100, .05)


def unequal(rng, clusters=60, depends=True, shift=0.0):
    """Clusters of 2 or 12 items; large ones are on the other side, so that the mean over items is `shift`."""
    sizes = rng.choice([2, 12], size=clusters)
    lean = np.where(sizes == 2, 0.48, -0.08) if depends else np.zeros(clusters)
    p = np.repeat(0.5 + (lean + shift) / 2 + rng.uniform(-0.1, 0.1, clusters), sizes)
    a = (rng.random(len(p)) < p).astype(int)
    return a, 1 - a, np.repeat(np.arange(clusters), sizes)


@pytest.mark.parametrize("largest", [None, 12])
def test_the_difference_is_that_of_items_whatever_the_sizes_of_clusters(largest):
    """Sizes that depend on the difference: means of clusters speak for a, items for b, at both doors."""
    rng = np.random.default_rng(5)
    a, b, groups = unequal(rng, clusters=400, shift=-0.4)
    found = fw.watch({"a": a, "b": b}, groups=groups, largest_cluster=largest, complete=True)
    at_once = fw.compare_predictions(None, {"a": a, "b": b}, groups=groups)
    assert np.mean([(a - b)[groups == g].mean() for g in range(400)]) > -0.25
    assert (found.better, at_once.better) == ("b", "b")
    assert found.estimate == pytest.approx(at_once.estimate)
    assert found.means == pytest.approx((a.mean(), b.mean()))
    assert found.estimate == pytest.approx(found.means[0] - found.means[1])
    assert found.interval.low < at_once.estimate < found.interval.high


@pytest.mark.parametrize("largest", [None, 12])
def test_false_alarms_with_clusters_of_unequal_size(largest):
    """The mean over items is 0, that over clusters .2: 150 streams, looked at after every cluster."""
    rng = np.random.default_rng(8)
    alarms = 0
    for _ in range(150):
        a, b, groups = unequal(rng)
        alarms += fw.watch({"a": a, "b": b}, groups=groups, largest_cluster=largest, complete=True).better is not None
    assert alarms <= 16  # the 99.9 % quantile of Bin(150, .05)


def test_a_cluster_exactly_twice_as_large_as_the_largest_before_loses_all_of_a_bet_at_most():
    """The fourth cluster is twice as large as the first: rounding must not make its bet lose more than everything."""
    sizes = [3, 2, 1, 6, 4, 5, 8, 9, 9, 8, 6, 3, 3, 9]
    a = "0110011111110000111110111111100001000011101111100000001111111110000100000000"
    b = "0100110000001111000000000010011111111100000000011111111000000100111111110111"
    found = fw.watch({"a": [*map(int, a)], "b": [*map(int, b)]}, groups=np.repeat(np.arange(14), sizes), complete=True)
    assert found.interval.low < found.estimate < found.interval.high
    assert 0 < found.pvalue <= 1


def test_the_means_are_those_of_the_items_that_count():
    found = fw.watch({"a": [1, 1, 0, 0, 0], "b": [0, 1, 1, 1, 1]}, groups=list("ppqqq"))
    assert (found.items, found.stream.waiting, found.means, found.estimate) == (2, 3, (1.0, 0.5), 0.5)


def test_clusters_larger_than_expected_are_counted_and_named():
    sizes = [2, 3, 20, 3, 2]
    groups = np.repeat(np.arange(5), sizes)
    a, b = drawn(len(groups))
    found = fw.watch({"a": a, "b": b}, groups=groups, complete=True)
    assert any(caveat.startswith("1 cluster had more than twice as many items") for caveat in found.caveats)
    assert found.estimate == pytest.approx((a - b).mean())
    told = fw.watch({"a": a, "b": b}, groups=groups, largest_cluster=20, complete=True)
    assert not any("twice" in caveat for caveat in told.caveats)
    with pytest.raises(InvalidInput, match=r"largest_cluster must be at least .* got 10 and a cluster of 20 items"):
        fw.watch({"a": a, "b": b}, groups=groups, largest_cluster=10, complete=True)


@pytest.mark.parametrize(("options", "message"), [
    ({"bounds": (0, 0.5)}, r"marks\['a'\] must lie within the bounds 0 and 0.5, which must be known beforehand, got 1"),
    ({"bounds": (1, 0)}, "bounds must be two numbers, the smaller first"),
    ({"groups": ["p", "q", "p"]}, "groups must keep together what belongs together.*row 3 goes back"),
    ({"items": ["p", "q", "p"]}, "items must keep together what belongs together.*row 3 goes back"),
    ({"alpha": 1.5}, "alpha must be strictly between 0 and 1"),
    ({"margin": 0}, "margin must be a number above 0"),
    ({"margin": 0.1, "alpha": 0.6}, "alpha must be below 0.5 where a margin is given"),
])  # fmt: skip
def test_bad_input(options, message):
    with pytest.raises(InvalidInput, match=message):
        fw.watch({"a": [1, 0, 1], "b": [0, 0, 1]}, **options)


@pytest.mark.parametrize("marks", [([1, 0], [0, 0]), ({"a": [1, 0]},), ({"a": [1], "b": [0], "c": [1]},)])
def test_another_shape_gets_the_sentence_that_shows_the_call(marks):
    with pytest.raises(InvalidInput, match=r'marks must be a dict of two models: watch\({"a": a, "b": b}\)'):
        fw.watch(*marks)
