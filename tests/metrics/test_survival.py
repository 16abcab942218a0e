"""C-indices and partial areas against R's survival and pROC, against the definition, and what must hold of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.metrics.catalogue import find_metric, known_metric
from foldwise.metrics.function import measure
from foldwise.metrics.metric import Truth
from foldwise.metrics.survival import signed_times, survival_rows

LINES = (Path(__file__).parents[1] / "reference" / "survival.txt").read_text(encoding="utf-8").splitlines()
R = {key: np.array(values, dtype=float) for key, *values in (line.split() for line in LINES if line[0] != "#")}
CASES = ("plain", "ties", "heavy", "none")


def case(name):
    truth = Truth(values=signed_times(R[f"{name}.time"], R[f"{name}.event"].astype(int)))
    return truth, R[f"{name}.a"], R[f"{name}.b"]


def by_definition(time, event, risk, weights, *, uno=False, until=np.inf):
    seen, g = {}, 1.0
    for u in np.unique(time):
        seen[u] = g
        at_risk = weights[time >= u].sum() - weights[(time == u) & event].sum()
        g *= 1 - weights[(time == u) & ~event].sum() / at_risk if at_risk > 0 else 1
    above = below = 0.0
    for i in np.flatnonzero(event & (time < until)):
        after = (time > time[i]) | ((time == time[i]) & ~event)
        w = weights[i] * weights[after] * (seen[time[i]] ** -2 if uno else 1)
        above += (w * ((risk[i] > risk[after]) + 0.5 * (risk[i] == risk[after]))).sum()
        below += w.sum()
    return above / below


@pytest.mark.parametrize("name", CASES)
def test_harrells_and_unos_are_survivals(name):
    truth, a, b = case(name)
    until = R[f"{name}.until"][0]
    for metric, expected in (
        ("c_index", R[f"{name}.harrell"]),
        ("c_index_uno", R[f"{name}.uno"]),
        (f"c_index_uno@{until}", R[f"{name}.until"][1:]),
    ):
        assert [known_metric(metric).value(truth, x) for x in (a, b)] == pytest.approx(expected, abs=1e-13), metric


@pytest.mark.parametrize("name", CASES)
def test_effects_are_survivals_dfbeta_and_the_error_of_a_difference_its_joint_variance(name):
    truth, a, b = case(name)
    metric = known_metric("c_index")
    ones = np.ones((1, len(truth)))
    effects = [metric.weighable(truth, x).effects(ones)[0] for x in (a, b)]
    assert effects[0] == pytest.approx(R[f"{name}.dfbeta_a"], abs=1e-14)
    assert np.sqrt(((effects[0] - effects[1]) ** 2).sum()) == pytest.approx(R[f"{name}.error"][0], abs=1e-14)
    # what is answered leaves out one item at a time, which is nearly the same and never much less
    given = {"time": np.abs(truth.values), "event": ~np.signbit(truth.values)}
    answered = fw.compare_predictions(given, {"a": a, "b": b}, metric="c_index")
    assert 0.99 * R[f"{name}.error"][0] < answered.standard_error < 1.15 * R[f"{name}.error"][0]


@pytest.mark.parametrize("name", CASES)
def test_indices_are_comparecs_and_its_variance_is_near(name):
    """Its variance is an unbiased one of U-statistics (Kang, Chen, Petrick & Gallas 2015), which may be below ours."""
    first, second, variance = R[f"{name}.comparec"]
    given = {"time": R[f"{name}.time"], "event": R[f"{name}.event"].astype(int)}
    answered = fw.compare_predictions(given, {"a": R[f"{name}.a"], "b": R[f"{name}.b"]}, metric="c_index")
    assert tuple(answered.means.values()) == pytest.approx((first, second), abs=1e-12)
    # both are estimates whose gap falls with the number of events: 29 in the case "heavy", 40 to 52 elsewhere
    assert answered.standard_error == pytest.approx(np.sqrt(variance), rel=0.2 if name == "heavy" else 0.1)


@st.composite
def survival(draw):
    n = draw(st.integers(4, 14))
    numbers = st.integers(0, draw(st.sampled_from([3, 50])))
    time = np.array(draw(st.lists(numbers, min_size=n, max_size=n)), dtype=float)
    event = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    risk = np.array(draw(st.lists(numbers, min_size=n, max_size=n)), dtype=float)
    first = int(np.argmin(time))
    event[first], time[first] = True, -1.0
    return time + 1, event, risk


@given(survival(), st.booleans(), st.integers(0, 2**32 - 1))
def test_values_and_effects_are_those_of_the_definition(data, uno, seed):
    time, event, risk = data
    weights = np.random.default_rng(seed).uniform(0.5, 2, len(time))
    metric = known_metric("c_index_uno" if uno else "c_index")
    found = metric.weighable(Truth(values=signed_times(time, event)), risk)

    def value(w):
        return by_definition(time, event, risk, w, uno=uno)

    assert found.values(weights[None])[0] == pytest.approx(value(weights), abs=1e-12)
    step = 1e-6 * np.eye(len(time))
    slope = [(value(weights + one) - value(weights - one)) / 2e-6 for one in step]
    effects = found.effects(weights[None])[0]
    assert effects == pytest.approx(slope, abs=1e-5)
    assert (weights * effects).sum() == pytest.approx(0, abs=1e-9)


@given(survival(), st.booleans())
def test_the_order_of_risks_alone_counts_and_turning_it_mirrors_the_index(data, uno):
    time, event, risk = data
    metric, truth = known_metric("c_index_uno" if uno else "c_index"), Truth(values=signed_times(time, event))
    value = metric.value(truth, risk)
    assert metric.value(truth, np.exp(risk / 10)) == pytest.approx(value, abs=1e-12)
    assert metric.value(truth, -risk) == pytest.approx(1 - value, abs=1e-12)
    order = np.random.default_rng(0).permutation(len(time))
    assert metric.value(truth.take(order), risk[order]) == pytest.approx(value, abs=1e-12)
    assert metric.value(truth, np.ones(len(time))) == 0.5


def test_many_weights_are_the_same_as_one_after_the_other():
    truth, a, _ = case("ties")
    weights = np.random.default_rng(0).integers(0, 3, (6, len(truth))).astype(float)
    for metric in (known_metric("c_index_uno"), known_metric("c_index")):
        one = metric.weighable(truth, a)
        assert one.values(weights) == pytest.approx([one.values(row[None])[0] for row in weights])
        assert one.effects(weights) == pytest.approx(np.array([one.effects(row[None])[0] for row in weights]))


@pytest.mark.parametrize("name", ["smooth", "tied"])
def test_partial_areas_are_procs(name):
    truth = Truth(values=R[f"{name}.y"].astype(int), classes=(0, 1), positive=1)
    found = [known_metric(f"partial_auc@{most}").value(truth, R[f"{name}.score"]) for most in (0.05, 0.1, 0.3, 0.8)]
    assert found == pytest.approx(R[f"{name}.partial"], abs=1e-13)


@given(st.integers(0, 2**32 - 1), st.floats(0.02, 0.98), st.sampled_from([0, 1, 6]))
def test_partial_areas_are_scikit_learns_and_their_effects_the_derivative(seed, most, digits):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(20) % 3 > 0).astype(int)
    score = rng.normal(y, 1).round(digits)
    truth = Truth(values=y, classes=(0, 1), positive=1)
    metric = find_metric(f"pauc@{most:.3f}", truth)
    assert metric.value(truth, score) == pytest.approx(roc_auc_score(y, score, max_fpr=metric.most), abs=1e-12)
    part, weights = metric.weighable(truth, score), rng.uniform(0.5, 2, 20)
    below = np.array([weights[(y == 0) & (score >= s)].sum() for s in np.unique(score)]) / weights[y == 0].sum()
    if np.abs(below - metric.most).min() < 1e-4:  # a corner has no derivative
        return
    step = 1e-6 * np.eye(20)
    slope = (part.values(weights + step) - part.values(weights - step)) / 2e-6
    assert part.effects(weights[None])[0] == pytest.approx(slope, abs=1e-5)


def test_models_that_are_exchanged_mirror_the_answer_and_one_against_itself_shows_nothing():
    time, event = R["plain.time"], R["plain.event"].astype(int)
    truth, a, b = {"time": time, "event": event}, R["plain.a"], R["plain.b"]
    for metric in ("c_index", "c_index_uno"):
        one = fw.compare_predictions(truth, {"a": a, "b": b}, metric=metric)
        other = fw.compare_predictions(truth, {"b": b, "a": a}, metric=metric)
        assert (one.estimate, one.pvalue, one.interval.low) == (-other.estimate, other.pvalue, -other.interval.high)
        same = fw.compare_predictions(truth, {"a": a, "b": a}, metric=metric)
        assert (same.estimate, same.pvalue, same.better) == (0, 1, None)
        assert fw.Comparison.from_dict(one.to_dict()).pvalue == one.pvalue


def test_times_and_events_are_taken_in_all_their_forms():
    pd = pytest.importorskip("pandas")
    time, event, risk = [5.0, 8, 2, 9], [1, 0, 1, 1], {"a": [3, 1, 4, 2.0], "b": [1, 2, 3, 4.0]}
    frame = pd.DataFrame({"time": time, "event": event})
    surv = np.array(list(zip(map(bool, event), time, strict=True)), dtype=[("died", bool), ("days", float)])
    words = {"time": time, "event": ["Dead", "alive", "1:DECEASED", "yes"]}
    values = {
        tuple(fw.compare_predictions(truth, risk, metric="c_index").means.values())
        for truth in ({"time": time, "event": event}, frame, surv, words)
    }
    assert len(values) == 1
    # censored and died at 0 are told apart
    assert signed_times([0, 0], [1, 0]).tolist() == [0.0, -0.0]
    assert np.signbit(signed_times([0, 0], [1, 0])).tolist() == [False, True]


GOOD = {"time": [1.0, 2, 3, 4, 5, 6], "event": [1, 0, 1, 1, 0, 1]}
RISK = {"a": [6.0, 5, 4, 3, 2, 1], "b": [1.0, 2, 1, 3, 3, 2]}


@pytest.mark.parametrize(
    ("truth", "options", "message"),
    [
        ({**GOOD, "event": [0] * 6}, {}, "without an event nothing can be ordered"),
        ({**GOOD, "event": [1, 2] * 3}, {}, "event must be 1 .* or 0 .*, got '2'"),
        ({**GOOD, "time": [np.nan, *GOOD["time"][1:]]}, {}, "time must be finite"),
        ({**GOOD, "time": [-1.0, *GOOD["time"][1:]]}, {}, "time must not be negative, got -1"),
        ({**GOOD, "time": [1.0] * 6, "event": [1] * 6}, {}, "no two items can be compared"),
        ({**GOOD, "event": [0] * 5 + [1]}, {}, "no two items can be compared"),
        (GOOD, {"metric": "c_index_uno@0.5"}, "and before 0.5"),
        (GOOD["time"], {}, "truth must have time and event for a C-index"),
        (GOOD, {"metric": ["c_index", "mae"]}, "which mae does not"),
        (GOOD, {"metric": "accuracy"}, "times and events are for metric='c_index'"),
        (GOOD, {"test": "delong"}, "needs the scores of both models"),
        ([0, 1] * 3, {"metric": "partial_auc"}, "up to which false positive rate"),
        ([1] * 6, {"metric": "partial_auc@0.2"}, "at least two classes"),
    ],
)
def test_bad_input_is_named(truth, options, message):
    with pytest.raises(InvalidInput, match=message):
        fw.compare_predictions(truth, RISK, **{"metric": "c_index", **options})


def test_rows_are_checked_for_their_length():
    with pytest.raises(InvalidInput, match="one value for each item"):
        survival_rows({"time": [1.0, 2], "event": [1]})


def test_constant_scores_of_both_show_nothing():
    c = fw.compare_predictions(GOOD, {"a": [1.0] * 6, "b": [2.0] * 6}, metric="c_index")
    assert (c.estimate, c.pvalue, c.better, c.interval) == (0, 1, None, None)
    assert measure(known_metric("c_index"), Truth(values=signed_times(**GOOD)), [np.ones(6)]).values.tolist() == [0.5]
