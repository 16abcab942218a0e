from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import lfilter

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.core.result import Result

CORRELATED = "neighbouring items are correlated in the order given"


def wandering(rng, n, phi):
    """Differences of mean 0 that resemble their neighbours."""
    noise = rng.standard_normal(n)
    noise[0] /= np.sqrt(1 - phi**2)
    return lfilter([1.0], [1.0, -phi], noise)


def right_wrong(rng, n, phi):
    """Two models that are equally often right, in stretches."""
    return [(wandering(rng, n, phi) > -0.5 / np.sqrt(1 - phi**2)).astype(float) for _ in range(2)]


@pytest.mark.parametrize("phi", [0.0, 0.5, 0.8, 0.95])
def test_the_level_holds_over_time_where_the_paired_t_does_not(phi):
    rng = np.random.default_rng(17)
    x = [wandering(rng, 100, phi) for _ in range(400)]
    ordered = np.mean(
        [fw.compare_predictions(None, {"a": d, "b": np.zeros(100)}, time=np.arange(100)).pvalue < 0.05 for d in x]
    )
    assert ordered < 0.06 + 2 * np.sqrt(0.06 / 400)
    if phi >= 0.5:
        plain = [fw.compare_predictions(None, {"a": d, "b": np.zeros(100)}, test="paired_t") for d in x[:100]]
        assert np.mean([c.pvalue < 0.05 for c in plain]) > 0.15


def test_the_level_holds_for_right_and_wrong():
    rng = np.random.default_rng(3)
    times = np.arange(100)
    found = [
        fw.compare_predictions(None, dict(zip("ab", right_wrong(rng, 100, 0.8), strict=True)), time=times)
        for _ in range(300)
    ]
    assert np.mean([c.pvalue < 0.05 for c in found]) < 0.06 + 2 * np.sqrt(0.06 / 300)
    assert {c.test for c in found} == {"diebold_mariano"}


def test_there_is_no_verdict_where_periods_are_too_alike():
    rng = np.random.default_rng(4)
    days = np.arange(60)
    slow = 5 + np.cumsum(rng.standard_normal(60))
    c = fw.compare_predictions(None, {"a": slow, "b": np.zeros(60)}, metric="mae", time=days, margin=1)
    assert (c.pvalue, c.better, c.interval, c.conclusion) == (1, None, None, "undecided")
    assert "No verdict: too few independent stretches of time" in str(c)
    assert "do not vary" not in str(c)
    assert any("60 are worth fewer than 4 independent ones" in caveat for caveat in c.caveats)
    again = Result.from_dict(json.loads(json.dumps(c.to_dict(), allow_nan=False)))
    assert str(again) == str(c)
    m = fw.compare_predictions(
        None, {"a": slow, "b": np.zeros(60), "c": rng.standard_normal(60)}, metric="mae", time=days
    )
    assert m.pair("a", "b").better is None
    assert any("no verdict of 2 of the 3 pairs" in caveat for caveat in m.caveats)
    alike = fw.compare_predictions(
        None, {"a": wandering(rng, 200, 0.8), "b": np.zeros(200)}, metric="mae", time=np.arange(200)
    )
    assert any("are worth about" in caveat for caveat in alike.caveats)


@settings(max_examples=20)
@given(seed=st.integers(0, 1000), order=st.randoms())
def test_order_of_rows_and_of_models_do_not_matter(seed, order):
    rng = np.random.default_rng(seed)
    a, b, times = rng.random(30), rng.random(30), np.arange(30)
    rows = list(range(30))
    order.shuffle(rows)
    c, shuffled = (
        fw.compare_predictions(None, {"a": a, "b": b}, time=times),
        fw.compare_predictions(None, {"a": a[rows], "b": b[rows]}, time=times[rows]),
    )
    swapped = fw.compare_predictions(None, {"a": b, "b": a}, time=times)
    assert shuffled.pvalue == c.pvalue == swapped.pvalue
    assert swapped.interval.low == -c.interval.high
    assert fw.compare_predictions(None, {"a": a, "b": a}, time=times).pvalue == 1


def test_dates_text_and_numbers_give_one_order():
    rng = np.random.default_rng(1)
    a, b = rng.random(40), rng.random(40)
    days = np.datetime64("2024-01-01") + np.arange(40)
    found = [
        fw.compare_predictions(None, {"a": a, "b": b}, time=time).pvalue
        for time in (np.arange(40), [str(i) for i in range(40)], days, [str(day) for day in days], list(days.tolist()))
    ]
    assert len(set(found)) == 1


def test_rows_of_one_time_are_one_period():
    c = fw.compare_predictions(None, {"a": [1.0, 3.0, 5.0, 2.0], "b": [0.0, 0.0, 1.0, 1.0]}, time=[1, 1, 2, 3])
    assert c.design == "3 periods in order of time (4 items, averaged by period)"
    assert c.estimate == pytest.approx((2 + 4 + 1) / 3)
    assert any("each of the 3 periods counts once" in caveat for caveat in c.caveats)


def test_predictions_and_losses_in_time():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 60)
    a, b = (np.where(rng.random(60) < share, y, 1 - y) for share in (0.9, 0.6))
    c = fw.compare_predictions(y, {"a": a, "b": b}, time=np.arange(60))
    assert (c.test, c.metric) == ("diebold_mariano", "accuracy")
    assert "approximate" in c.guarantee
    loss = fw.compare_predictions(y * 1.5, {"a": y * 1.4, "b": y * 1.2 + 0.1}, metric="mse", time=np.arange(60))
    assert loss.test == "diebold_mariano"
    with pytest.raises(InvalidInput, match=r"time is for means over items and functions of sums .*roc_auc is not"):
        fw.compare_predictions(y, {"a": a, "b": b}, metric="roc_auc", time=np.arange(60))
    with pytest.raises(InvalidInput, match=r"time must say when each item was \(60\), got 3"):
        fw.compare_predictions(y, {"a": a, "b": b}, time=[1, 2, 3])
    with pytest.raises(InvalidInput, match="time must be numbers or dates such as 2024-01-31"):
        fw.compare_predictions(y, {"a": a, "b": b}, time=["Monday"] * 60)


def test_few_disagreements_are_no_more_certain_than_mcnemar():
    a = np.ones(100)
    b = np.ones(100)
    b[[10, 35, 60, 85]] = 0
    c = fw.compare_predictions(None, {"a": a, "b": b}, time=np.arange(100))
    assert c.pvalue >= 0.0625 - 1e-12
    assert c.better is None


def test_several_models_in_time():
    rng = np.random.default_rng(4)
    models = {name: right_wrong(rng, 120, 0.5)[0] for name in "abc"}
    models["d"] = models["a"]
    m = fw.compare_predictions(None, models, time=np.arange(120))
    assert m.procedure.name == "diebold_mariano"
    pair = fw.compare_predictions(None, {"a": models["a"], "b": models["b"]}, time=np.arange(120))
    assert m.pair("a", "b").pvalue == pytest.approx(pair.pvalue)
    assert m.pair("a", "d").better is None


def test_clusters_take_the_place_of_the_order():
    rng = np.random.default_rng(5)
    c = fw.compare_predictions(
        None, {"a": rng.random(40), "b": rng.random(40)}, time=np.arange(40), groups=np.arange(40) // 4
    )
    assert c.test == "clustered_t"
    assert any("the order of time is not used" in caveat for caveat in c.caveats)


def test_a_test_by_name_that_takes_no_order_says_so():
    rng = np.random.default_rng(5)
    c = fw.compare_predictions(None, {"a": rng.random(40), "b": rng.random(40)}, time=np.arange(40), test="paired_t")
    assert any("although they are in order of time" in caveat for caveat in c.caveats)


def test_correlation_in_the_order_given_is_named():
    rng = np.random.default_rng(6)
    x = wandering(rng, 200, 0.8)
    assert any(CORRELATED in caveat for caveat in fw.compare_predictions(None, {"a": x, "b": np.zeros(200)}).caveats)
    mixed = rng.permutation(x)
    assert not any(
        CORRELATED in caveat for caveat in fw.compare_predictions(None, {"a": mixed, "b": np.zeros(200)}).caveats
    )
    m = fw.compare_predictions(None, {"a": x, "b": np.zeros(200), "c": mixed})
    assert any(CORRELATED in caveat for caveat in m.caveats)
    a, b = right_wrong(rng, 400, 0.95)
    c = fw.compare_predictions(np.ones(400, dtype=int), {"a": np.where(a, 1, 2), "b": np.where(b, 1, 2)})
    assert any(CORRELATED in caveat for caveat in c.caveats)


def test_results_in_time_are_read_again():
    rng = np.random.default_rng(7)
    times = np.datetime64("2024-01-01") + np.arange(30)
    c = fw.compare_predictions(None, {"a": rng.random(30), "b": rng.random(30)}, time=times)
    m = fw.compare_predictions(None, {name: rng.random(30) for name in "abc"}, time=times)
    for result in (c, m):
        again = Result.from_dict(json.loads(json.dumps(result.to_dict(), allow_nan=False)))
        assert type(again) is type(result)
        assert again.to_dict() == result.to_dict()
        assert again.evidence.times.tolist() == result.evidence.times.tolist()


def test_coding_and_direction_do_not_matter_in_time():
    rng = np.random.default_rng(8)
    a, b = right_wrong(rng, 80, 0.5)
    times = np.arange(80)
    c = fw.compare_predictions(None, {"a": a, "b": b}, time=times)
    percent = fw.compare_predictions(None, {"a": 100 * a, "b": 100 * b}, time=times)
    errors = fw.compare_predictions(None, {"a": 1 - a, "b": 1 - b}, metric="error", time=times)
    assert (c.metric, c.unit, errors.metric, percent.unit) == ("accuracy", "fraction", "error", "percent")
    assert percent.pvalue == pytest.approx(c.pvalue)
    assert errors.pvalue == pytest.approx(c.pvalue)
    assert errors.interval.low == pytest.approx(-c.interval.high)
    assert percent.estimate == pytest.approx(100 * c.estimate)
    m = fw.compare_predictions(None, {"a": 100 * a, "b": 100 * b, "c": 100 * b}, time=times)
    assert m.pair("a", "b").pvalue == pytest.approx(c.pvalue)
    assert (m.mean_intervals.high <= 100).all()
    assert (m.mean_intervals.high > 1).all()


def test_what_is_known_of_predictions_is_kept_in_time():
    rng = np.random.default_rng(9)
    y = rng.integers(0, 2, 50)
    a, b = y.copy(), np.where(rng.random(50) < 0.7, y, 1 - y)
    a[3] = 9
    plain, c = (
        fw.compare_predictions(y, {"a": a, "b": b}),
        fw.compare_predictions(y, {"a": a, "b": b}, time=np.arange(50)),
    )
    assert c.test == "diebold_mariano"
    assert c.baseline == plain.baseline
    unseen = "1 prediction of a is a label that never occurs in the truth; counted as wrong"
    assert unseen in c.caveats
    assert unseen in plain.caveats
    m = fw.compare_predictions(y, {"a": a, "b": b, "c": y}, time=np.arange(50))
    assert m.baseline == plain.baseline
    assert unseen in m.caveats
    averaged = fw.compare_predictions(y, {"a": a, "b": b}, time=np.arange(50) // 2)
    assert averaged.baseline is None
